//! What a machine may do in a configuration of which data are terms: every edge, with the data and the clocks for
//! which it is taken, its answer and what it changes.

use std::collections::BTreeMap;

use tioga_base::{Budget, Rational, Span};
use tioga_data::{Alternative, Interpreter, Reason, Solver, Stop, Symbolic, Way, known_data};
use tioga_model::{
    ChannelId, ChannelUse, Condition, DiscreteState, EdgeId, Label, LocationId, Type,
};
use tioga_terms::{Answer, Assignment, Decide, Formula, Sort, Symbol, SymbolId, Symbols, Term};
use tioga_zones::Federation;

use crate::clocks::{Set, Space, before, both};
use crate::error::Error;
use crate::machine::Machine;

/// Where a machine is, with data that are terms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Side {
    pub location: LocationId,
    pub data: Vec<Term>,
}

/// One way of taking an edge.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub edge: EdgeId,
    /// What holds of the symbols.
    pub when: Formula,
    /// The clocks for which the guard holds.
    pub guard: Federation,
    /// Those for which the invariant of the target holds afterwards, too.
    pub clocks: Federation,
    /// The channel of the answer.
    pub output: ChannelId,
    /// The values it carries.
    pub values: Vec<Term>,
    /// Where it leads.
    pub after: Side,
    /// What it does to the clocks.
    pub sets: Vec<Set>,
}

/// A condition on clocks for each case of the data.
pub(crate) type Cells = Vec<(Formula, Federation)>;

/// Follows a machine over symbols.
pub(crate) struct Engine<'m> {
    pub machine: Machine<'m>,
    pub space: Space,
    pub symbols: Symbols,
    solver: Solver,
    pub budget: Budget,
    /// The symbols of what the input at a position of a sequence carries.
    parameters: BTreeMap<(usize, ChannelId), Vec<SymbolId>>,
    /// Whether a question about data could not be decided.
    pub uncertain: bool,
}

impl<'m> Engine<'m> {
    pub fn new(machine: Machine<'m>, space: Space, budget: Budget) -> Self {
        Self {
            machine,
            space,
            symbols: Symbols::new(),
            solver: Solver::new(),
            budget,
            parameters: BTreeMap::new(),
            uncertain: false,
        }
    }

    /// A configuration whose data are known.
    pub fn side(&self, state: &DiscreteState) -> Result<Side, Error> {
        let data = known_data(self.machine.model, state).map_err(|_| Error::Overflow)?;
        Ok(Side { location: state.location(self.machine.id()), data })
    }

    /// The symbols of what an input carries that comes after so many others.
    pub fn parameters(&mut self, depth: usize, channel: ChannelId) -> Vec<SymbolId> {
        if let Some(known) = self.parameters.get(&(depth, channel)) {
            return known.clone();
        }
        let channel_of = &self.machine.model.channels[channel];
        let mut ids = Vec::new();
        for (position, ty) in channel_of.parameters.iter().enumerate() {
            let name = format!("{}.{position}@{depth}", channel_of.name);
            ids.push(self.symbols.add(symbol(name, ty)));
        }
        self.parameters.insert((depth, channel), ids.clone());
        ids
    }

    /// The frame that these values fill.
    pub fn frame(&self, channel: ChannelId, values: &[SymbolId]) -> Vec<Term> {
        let mut frame = Vec::new();
        for (symbol, ty) in values.iter().zip(&self.machine.model.channels[channel].parameters) {
            frame.push(Term::symbol(*symbol));
            if *ty == Type::Rational {
                frame.push(Term::int(1));
            }
        }
        frame
    }

    /// Whether a formula can hold; also if that is not known.
    pub fn is_possible(&mut self, formula: &Formula) -> bool {
        match formula {
            Formula::True => true,
            Formula::False => false,
            _ => match self.solver.decide(&self.symbols, formula) {
                Answer::Holds(_) => true,
                Answer::Never => false,
                Answer::Unknown(_) => {
                    self.uncertain = true;
                    true
                }
            },
        }
    }

    /// Whether a formula cannot hold for certain.
    pub fn is_impossible(&mut self, formula: &Formula) -> bool {
        matches!(self.solver.decide(&self.symbols, formula), Answer::Never)
    }

    /// Values with which a formula holds, if they are found.
    pub fn values(&mut self, formula: &Formula) -> Option<Assignment> {
        match self.solver.decide(&self.symbols, formula) {
            Answer::Holds(values) => Some(values),
            Answer::Never => None,
            Answer::Unknown(_) => {
                self.uncertain = true;
                None
            }
        }
    }

    /// The opposite of a formula.
    pub fn not(&self, formula: &Formula) -> Result<Formula, Error> {
        Ok(formula.negated(&self.symbols)?)
    }

    /// When two lists of values are equal.
    pub fn equal(&self, left: &[Term], right: &[Term]) -> Result<Formula, Error> {
        let mut all = Formula::constant(left.len() == right.len());
        for (left, right) in left.iter().zip(right) {
            all = all.and(Formula::equal(&self.symbols, left, right)?);
        }
        Ok(all)
    }

    /// What an invariant leaves of the clocks of a copy, for each case of the data.
    pub fn invariant(&mut self, given: &Formula, side: &Side, copy: usize) -> Result<Cells, Error> {
        let location = &self.machine.process.locations[side.location];
        self.condition(given, side, &[], 0, &location.invariant, location.span, copy)
    }

    #[expect(clippy::too_many_arguments, reason = "a condition, and where it is read")]
    fn condition(
        &mut self,
        given: &Formula,
        side: &Side,
        frame: &[Term],
        size: u32,
        condition: &Condition,
        span: Span,
        copy: usize,
    ) -> Result<Cells, Error> {
        if condition.is_always() {
            return Ok(vec![(given.clone(), Federation::universal(self.space.dimension))]);
        }
        let ways = self.interpret(side, |interpreter, state| {
            interpreter.condition(given, state, frame, size, condition, span)
        });
        let mut all = Vec::new();
        for (holds, alternatives) in done(ways)? {
            let given = given.clone().and(holds);
            if self.is_possible(&given) {
                all.extend(self.cells(given, &alternatives, copy)?);
            }
        }
        Ok(all)
    }

    pub fn interpret<T>(
        &mut self,
        side: &Side,
        work: impl FnOnce(&mut Interpreter<'_>, Symbolic<'_>) -> T,
    ) -> T {
        let locations = [side.location];
        let state = Symbolic { locations: &locations, data: &side.data };
        let model = self.machine.model;
        work(&mut Interpreter::new(model, &self.symbols, &mut self.solver), state)
    }

    /// The union of the clocks of alternatives, for each case of their data.
    fn cells(
        &mut self,
        given: Formula,
        alternatives: &[Alternative],
        copy: usize,
    ) -> Result<Cells, Error> {
        let mut cells = vec![(given, Federation::empty(self.space.dimension))];
        for (data, clocks) in alternatives {
            let more = self.space.conjunction(clocks, copy)?;
            let without = self.not(data)?;
            let mut split = Vec::new();
            for (given, known) in cells {
                let with = given.clone().and(data.clone());
                if self.is_possible(&with) {
                    let mut united = known.clone();
                    united.unite(&more);
                    split.push((with, united));
                }
                let rest = given.and(without.clone());
                if self.is_possible(&rest) {
                    split.push((rest, known));
                }
            }
            cells = split;
        }
        Ok(cells)
    }

    /// Every way in which a copy takes an input that carries these values.
    pub fn moves(
        &mut self,
        given: &Formula,
        side: &Side,
        (channel, values): (ChannelId, &[SymbolId]),
        copy: usize,
    ) -> Result<Vec<Move>, Error> {
        let machine = self.machine;
        let frame = self.frame(channel, values);
        let mut all = Vec::new();
        for (id, edge) in machine.edges(side.location) {
            let (Label::Receive(used), Some(reply)) = (&edge.label, &edge.reply) else { continue };
            let first = used.channel.0;
            let length = used.index.map_or(1, |(_, length)| length);
            if !(first..first + length).contains(&channel.0) {
                continue;
            }
            let input = self.interpret(side, |interpreter, state| {
                interpreter.channel(given, state, &frame, edge, used)
            });
            for (holds, own) in done(input)? {
                let given = given.clone().and(holds);
                if own != channel.0 || !self.is_possible(&given) {
                    continue;
                }
                let guards =
                    self.condition(&given, side, &frame, edge.frame, &edge.guard, edge.span, copy)?;
                for (given, guard) in guards {
                    if !guard.is_empty() {
                        let found =
                            self.answers((given, guard), side, (id, &frame), reply, copy)?;
                        all.extend(found);
                    }
                }
            }
        }
        Ok(all)
    }

    /// The ways of an edge whose guard holds.
    fn answers(
        &mut self,
        (given, guard): (Formula, Federation),
        side: &Side,
        (id, frame): (EdgeId, &[Term]),
        reply: &ChannelUse,
        copy: usize,
    ) -> Result<Vec<Move>, Error> {
        let edge = &self.machine.process.edges[id];
        let mut all = Vec::new();
        let outputs = self.interpret(side, |interpreter, state| {
            interpreter.channel(&given, state, frame, edge, reply)
        });
        for (holds, output) in done(outputs)? {
            let given = given.clone().and(holds);
            let output = ChannelId(output);
            let types = &self.machine.model.channels[output].parameters;
            let values = self.interpret(side, |interpreter, state| {
                interpreter.arguments(&given, state, frame, edge, reply, types)
            });
            for (holds, values) in done(values)? {
                let given = given.clone().and(holds);
                let effects = self.interpret(side, |interpreter, state| {
                    interpreter.effect(&given, state, &[(edge, frame)])
                });
                for (holds, effect) in done(effects)? {
                    let given = given.clone().and(holds);
                    let after = Side { location: edge.target, data: effect.data };
                    let sets = self.space.sets(&effect.clocks, copy)?;
                    for (when, invariant) in self.invariant(&given, &after, copy)? {
                        let clocks = both(&guard, &before(invariant, &sets));
                        all.push(Move {
                            edge: id,
                            when,
                            guard: guard.clone(),
                            clocks,
                            output,
                            values: values.clone(),
                            after: after.clone(),
                            sets: sets.clone(),
                        });
                    }
                }
            }
        }
        Ok(all)
    }

    /// What holds of the values in place of symbols, if that can be computed.
    pub fn projected(&mut self, formula: &Formula, gone: &[SymbolId]) -> Option<Formula> {
        self.solver.project(&self.symbols, formula, gone).ok()
    }
}

/// The ways that have an outcome. A fault or a value out of its range is no step.
pub(crate) fn done<T>(ways: Vec<Way<T>>) -> Result<Vec<(Formula, T)>, Error> {
    let mut all = Vec::new();
    for way in ways {
        match way.outcome {
            Ok(outcome) => all.push((way.condition, outcome)),
            Err(Stop::Beyond(why, span)) => return Err(Error::unsupported(why, span)),
            Err(Stop::Fault(_) | Stop::OutOfRange(..)) => {}
        }
    }
    Ok(all)
}

/// The symbol of a value of this type.
pub(crate) fn symbol(name: String, ty: &Type) -> Symbol {
    let sort = if *ty == Type::Rational { Sort::Rational } else { Sort::Int };
    let bounds = ty.bounds();
    Symbol { name, sort, low: bounds.map(|(low, _)| low), high: bounds.map(|(_, high)| high) }
}

/// A value for each of these symbols: what was found, or the one next to zero.
pub(crate) fn chosen(symbols: &Symbols, ids: &[SymbolId], found: &Assignment) -> Vec<Rational> {
    let value = |id: &SymbolId| {
        let Symbol { low, high, .. } = &symbols[*id];
        let least = low.unwrap_or(i64::MIN);
        let nearest = 0.max(least).min(high.unwrap_or(i64::MAX));
        found.get(*id).unwrap_or(Rational::integer(nearest))
    };
    ids.iter().map(value).collect()
}
