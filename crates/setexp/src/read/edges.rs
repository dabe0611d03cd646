//! Edges and invariants of a process as edges and invariants over symbols.

use tioga_base::{Id, IdVec, Rational};
use tioga_data::{Interpreter, Stop, Symbolic, TimedBound, Way};
use tioga_model::{
    ChannelId, ChannelUse, ClockAssignment, Condition, Edge as Written, EdgeId as WrittenId, Label,
    LocationId as Place, Model, ProcessId, Range,
};
use tioga_terms::{Answer, Assignment, Decide, Formula, SymbolId, Symbols, Term};

use crate::compose::Part;
use crate::error::Refusal;
use crate::read::symbols::Alphabet;
use crate::solver::{Solver, possible};
use crate::tiosa::{ActionId, Atom, ClockId, Edge, EdgeId, LocationId, Relation};

/// Reads the edges of processes.
pub(super) struct Edges<'a> {
    pub(super) model: &'a Model,
    pub(super) alphabet: &'a Alphabet,
    pub(super) ranges: &'a [Option<Range>],
    /// How many processes are the specification; a purpose comes behind them.
    pub(super) own: usize,
}

/// The action of an edge, and the channel if it has one.
type Named<'e> = (ActionId, Option<(ChannelId, &'e ChannelUse)>);

/// A solver as the interpreter wants it.
struct Asked<'a>(&'a mut dyn Solver);

impl Decide for Asked<'_> {
    fn decide(&mut self, symbols: &Symbols, formula: &Formula) -> Answer {
        match self.0.decide(symbols, formula) {
            // The interpreter takes what is not decided as possible; a later stage asks again and refuses.
            Answer::Unknown(_) => Answer::Holds(Assignment::new()),
            answer => answer,
        }
    }
}

impl Edges<'_> {
    /// The invariant of a location: upper bounds of clocks.
    pub(super) fn invariant(
        &self,
        process: ProcessId,
        location: Place,
        solver: &mut dyn Solver,
    ) -> Result<Vec<Atom>, Refusal> {
        let written = &self.model.processes[process].locations[location];
        let data = self.alphabet.data(self.model);
        let places = Alphabet::places(self.model, process, location);
        let state = Symbolic { locations: &places, data: &data };
        let mut asked = Asked(solver);
        let mut interpreter = Interpreter::new(self.model, &self.alphabet.symbols, &mut asked);
        let ways = interpreter.timed_condition(
            &Formula::True,
            state,
            &[],
            0,
            &written.invariant,
            written.span,
        );
        let refused = |why: &str| {
            Refusal::Hypothesis(format!(
                "the invariant of {} {why}; write upper bounds of clocks, joined by `&&`",
                written.name
            ))
        };
        let [Way { condition: Formula::True, outcome: Ok(alternatives) }] = &ways[..] else {
            return Err(refused("depends on data"));
        };
        let [(Formula::True, bounds)] = &alternatives[..] else {
            return Err(refused("is no conjunction"));
        };
        let atoms = self.atoms(bounds, &written.name)?;
        let upper = |atom: &Atom| matches!(atom.relation, Relation::Below | Relation::AtMost);
        if !atoms.iter().all(upper) {
            return Err(refused("has a lower bound"));
        }
        Ok(atoms)
    }

    /// What a condition without clocks says of the data at the start.
    pub(super) fn assumption(
        &self,
        condition: &Condition,
        solver: &mut dyn Solver,
    ) -> Result<Formula, Refusal> {
        let data = self.alphabet.data(self.model);
        let initial = self.model.processes[ProcessId(0)].initial;
        let places = Alphabet::places(self.model, ProcessId(0), initial);
        let state = Symbolic { locations: &places, data: &data };
        let mut asked = Asked(solver);
        let mut interpreter = Interpreter::new(self.model, &self.alphabet.symbols, &mut asked);
        let span = tioga_base::Span::default();
        let ways = interpreter.timed_condition(&Formula::True, state, &[], 0, condition, span);
        let mut any = Vec::new();
        for way in ways {
            for (formula, bounds) in self.sure(way.outcome, "the initial condition")? {
                if !bounds.is_empty() {
                    let why = "the initial condition speaks of clocks, which are zero at the start";
                    return Err(Refusal::Hypothesis(why.to_owned()));
                }
                any.push(way.condition.clone().and(formula));
            }
        }
        Ok(Formula::any(any))
    }

    /// The edges of a process but some, in order; one for each way that data may take.
    pub(super) fn of(
        &self,
        process: ProcessId,
        left_out: &[WrittenId],
        solver: &mut dyn Solver,
    ) -> Result<(IdVec<EdgeId, Edge>, Vec<Part>), Refusal> {
        let mut edges = (IdVec::new(), Vec::new());
        for (id, edge) in self.model.processes[process].edges.iter_ids() {
            if !left_out.contains(&id) {
                self.add(process, edge, solver, &mut edges)?;
            }
        }
        Ok(edges)
    }

    fn add(
        &self,
        process: ProcessId,
        edge: &Written,
        solver: &mut dyn Solver,
        edges: &mut (IdVec<EdgeId, Edge>, Vec<Part>),
    ) -> Result<(), Refusal> {
        let symbols = &self.alphabet.symbols;
        let observer = process.index() >= self.own;
        let name = &self.model.processes[process].locations[edge.source].name;
        if edge.reply.is_some() {
            return Err(Refusal::Hypothesis(format!(
                "an edge of {name} answers an input at the same instant; in this method time passes \
                 between any two actions"
            )));
        }
        let data = self.alphabet.data(self.model);
        let places = Alphabet::places(self.model, process, edge.source);
        let state = Symbolic { locations: &places, data: &data };
        let (action, used) = self.action(edge, observer, name)?;
        let sends = matches!(edge.label, Label::Send(_)) && !observer;
        let inside = |channel: ChannelId| self.model.channels[channel].direction.is_none();
        let meets = !observer && self.own > 1 && used.is_some_and(|(channel, _)| inside(channel));
        // A system that chooses a value has it in the frame, as if it were received.
        let frame = if sends && edge.frame == 0 { Vec::new() } else { self.alphabet.frame(action) };
        let mut asked = Asked(solver);
        let mut interpreter = Interpreter::new(self.model, symbols, &mut asked);
        let guards = interpreter.timed_condition(
            &Formula::True,
            state,
            &frame,
            edge.frame,
            &edge.guard,
            edge.span,
        );
        let sent = match (used, sends) {
            (Some((channel, used)), true) => {
                let types = &self.model.channels[channel].parameters;
                interpreter.arguments(&Formula::True, state, &frame, edge, used, types)
            }
            _ => vec![Way { condition: Formula::True, outcome: Ok(Vec::new()) }],
        };
        let effects = interpreter.effect(&Formula::True, state, &[(edge, &frame)]);
        for guard in guards {
            for (condition, bounds) in self.sure(guard.outcome, name)? {
                let atoms = self.atoms(&bounds, name)?;
                let condition = guard.condition.clone().and(condition);
                for values in &sent {
                    for effect in &effects {
                        let when = Formula::all([
                            condition.clone(),
                            values.condition.clone(),
                            effect.condition.clone(),
                        ]);
                        if !possible_or_unknown(solver, symbols, &when) {
                            continue;
                        }
                        let values = self.sure(values.outcome.clone(), name)?;
                        let effect = self.sure(effect.outcome.clone(), name)?;
                        let part = match (meets, sends) {
                            (false, _) => Part::Alone,
                            (true, true) => Part::Sends(values.clone()),
                            (true, false) => Part::Receives,
                        };
                        // What is sent inside is not seen: the receiver gets it.
                        let carried = match meets {
                            true => Formula::True,
                            false => self.carried(action, &values)?,
                        };
                        let (assignments, within) = self.assignments(&data, &effect.data)?;
                        let condition = Formula::all([when, carried, within]);
                        if !possible_or_unknown(solver, symbols, &condition) {
                            continue;
                        }
                        edges.1.push(part);
                        edges.0.push(Edge {
                            source: LocationId::from_index(edge.source.index()),
                            target: LocationId::from_index(edge.target.index()),
                            action,
                            guard: atoms.clone(),
                            resets: self.resets(&effect.clocks, name)?,
                            condition,
                            assignments,
                        });
                    }
                }
            }
        }
        Ok(())
    }

    fn action<'e>(
        &self,
        edge: &'e Written,
        observer: bool,
        name: &str,
    ) -> Result<Named<'e>, Refusal> {
        let used = match &edge.label {
            Label::Silent => {
                let known = self.alphabet.silent.filter(|_| !observer);
                let why = "a purpose has an edge without an action";
                return known.map(|id| (id, None)).ok_or(Refusal::Mismatch(why.to_owned()));
            }
            Label::Plain(label) => {
                let known = self.alphabet.labels.get(label).copied();
                return known
                    .map(|id| (id, None))
                    .ok_or(Refusal::Broken("an edge has a label that is not declared"));
            }
            Label::Send(used) | Label::Receive(used) => used,
        };
        if used.index.is_some() {
            return Err(Refusal::Hypothesis(format!(
                "an edge of {name} chooses its channel by an index; write a parameter instead"
            )));
        }
        let known = self.alphabet.channels.get(&used.channel).copied();
        let id = known.ok_or(Refusal::Broken("an edge has a channel that is not declared"))?;
        Ok((id, Some((used.channel, used))))
    }

    fn sure<T>(&self, outcome: Result<T, Stop>, name: &str) -> Result<T, Refusal> {
        outcome.map_err(|stop| {
            Refusal::Hypothesis(match stop {
                Stop::Fault(fault) => format!("an edge of {name} has no result: {}", fault.kind),
                Stop::OutOfRange(range, _) => format!(
                    "an edge of {name} may store a value outside {} to {}; exclude it by a guard",
                    range.min, range.max
                ),
                Stop::Beyond(why, _) => format!("an edge of {name} cannot be followed: {why}"),
            })
        })
    }

    /// What an output carries, as a condition on its parameters.
    fn carried(&self, action: ActionId, values: &[Term]) -> Result<Formula, Refusal> {
        let mut parts = Vec::new();
        for (parameter, value) in self.alphabet.actions[action].parameters.iter().zip(values) {
            let parameter = Term::symbol(*parameter);
            parts.push(Formula::equal(&self.alphabet.symbols, &parameter, value)?);
        }
        Ok(Formula::all(parts))
    }

    /// What changes, and the condition that it stays in its range.
    fn assignments(
        &self,
        before: &[Term],
        after: &[Term],
    ) -> Result<(Vec<(SymbolId, Term)>, Formula), Refusal> {
        let symbols = &self.alphabet.symbols;
        let (mut assignments, mut within) = (Vec::new(), Vec::new());
        for (position, symbol) in &self.alphabet.slots {
            let (Some(old), Some(new)) = (before.get(*position), after.get(*position)) else {
                continue;
            };
            if old == new {
                continue;
            }
            assignments.push((*symbol, new.clone()));
            if let Some(Some(range)) = self.ranges.get(*position) {
                within.push(Formula::at_most(symbols, &Term::int(range.min), new)?);
                within.push(Formula::at_most(symbols, new, &Term::int(range.max))?);
            }
        }
        assignments.sort();
        Ok((assignments, Formula::all(within)))
    }

    fn resets(&self, clocks: &[ClockAssignment], name: &str) -> Result<Vec<ClockId>, Refusal> {
        let mut resets = Vec::new();
        for one in clocks {
            if one.source.is_some() || one.value != 0 {
                return Err(Refusal::Hypothesis(format!(
                    "an edge of {name} sets {} to something else than 0",
                    self.model.clocks[one.clock].name
                )));
            }
            resets.push(ClockId::from_index(one.clock.index()));
        }
        resets.sort();
        resets.dedup();
        Ok(resets)
    }

    /// Bounds as comparisons; two that meet are an equality.
    fn atoms(&self, bounds: &[TimedBound], name: &str) -> Result<Vec<Atom>, Refusal> {
        let mut atoms: Vec<Atom> = Vec::new();
        for bound in bounds {
            let (clock, upper) = match (bound.left, bound.right) {
                (Some(clock), None) => (clock, true),
                (None, Some(clock)) => (clock, false),
                _ => {
                    return Err(Refusal::Hypothesis(format!(
                        "{name} compares two clocks; compare each clock with a value (KHO 2.1)"
                    )));
                }
            };
            let relation = match (upper, bound.strict) {
                (true, true) => Relation::Below,
                (true, false) => Relation::AtMost,
                (false, true) => Relation::Above,
                (false, false) => Relation::AtLeast,
            };
            let sign = if upper { Rational::ONE } else { Rational::from(-1) };
            let threshold = bound.bound.times(sign)?;
            let clock = ClockId::from_index(clock.index());
            let opposite = match relation {
                Relation::AtMost => Some(Relation::AtLeast),
                Relation::AtLeast => Some(Relation::AtMost),
                _ => None,
            };
            let meets = atoms.iter().position(|atom| {
                atom.clock == clock
                    && Some(atom.relation) == opposite
                    && atom.threshold == threshold
            });
            match meets {
                Some(position) => atoms[position].relation = Relation::Equal,
                None => atoms.push(Atom { clock, relation, threshold }),
            }
        }
        atoms.sort();
        atoms.dedup();
        Ok(atoms)
    }
}

/// Whether a condition may hold; what is not decided may.
fn possible_or_unknown(solver: &mut dyn Solver, symbols: &Symbols, formula: &Formula) -> bool {
    possible(solver, symbols, formula).unwrap_or(true)
}
