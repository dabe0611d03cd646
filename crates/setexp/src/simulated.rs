//! A simulated system: an automaton that acts at random instants, with random choices, within its guards.

use tioga_base::{Id, Overflow, Rational};
use tioga_terms::{Answer, Assignment, Decide, Formula, SymbolId, Term};

use crate::message::Message;
use crate::tester::SystemUnderTest;
use crate::tiosa::{Atom, Edge, EdgeId, Kind, LocationId, Relation, Tiosa};

/// A system that behaves as an automaton says.
pub struct Simulated<'s, D> {
    tiosa: &'s Tiosa,
    solver: D,
    random: Box<dyn FnMut(u64) -> u64 + 's>,
    location: LocationId,
    /// The instant of each clock's last reset.
    resets: Vec<Rational>,
    data: Assignment,
    now: Rational,
    /// Whether the system has left its specification: nothing more comes.
    lost: bool,
}

impl<'s, D: Decide> Simulated<'s, D> {
    /// A system at its start, with these values of constants and variables. `random` gives numbers below its
    /// argument.
    pub fn new(
        tiosa: &'s Tiosa,
        solver: D,
        data: Assignment,
        random: impl FnMut(u64) -> u64 + 's,
    ) -> Self {
        Self {
            tiosa,
            solver,
            random: Box::new(random),
            location: tiosa.initial,
            resets: vec![Rational::ZERO; tiosa.clocks.len()],
            data,
            now: Rational::ZERO,
            lost: false,
        }
    }

    /// The instants from `after` on at which comparisons hold: from, whether including it, and to, likewise.
    fn window(&self, atoms: &[Atom], after: Rational) -> Option<Window> {
        let mut window = Window { from: after, open: true, to: None, closed: true };
        for atom in atoms {
            let threshold = atom.threshold.value(&self.data).ok().flatten()?;
            let at = self.resets[atom.clock.index()].add(threshold).ok()?;
            match atom.relation {
                Relation::Below => window.end(at, false),
                Relation::AtMost => window.end(at, true),
                Relation::AtLeast => window.begin(at, false),
                Relation::Above => window.begin(at, true),
                Relation::Equal => {
                    window.begin(at, false);
                    window.end(at, true);
                }
            }
        }
        Some(window)
    }

    /// Values of parameters with which an edge's condition holds.
    fn values(&mut self, edge: &Edge) -> Option<Vec<Rational>> {
        let known = |symbol: SymbolId| self.data.get(symbol).map(Term::number);
        let condition = edge.condition.substitute(&self.tiosa.symbols, &known).ok()?;
        match self.solver.decide(&self.tiosa.symbols, &condition) {
            Answer::Holds(found) => {
                let parameters = &self.tiosa.actions[edge.action].parameters;
                let value = |p: &SymbolId| found.get(*p).unwrap_or(Rational::ZERO);
                Some(parameters.iter().map(value).collect())
            }
            _ => None,
        }
    }

    fn take(&mut self, id: EdgeId, at: Rational, values: &[Rational]) -> Result<(), Overflow> {
        let edge = &self.tiosa.edges[id];
        let mut all = self.data.clone();
        for (parameter, value) in self.tiosa.actions[edge.action].parameters.iter().zip(values) {
            all.set(*parameter, *value);
        }
        for (variable, term) in &edge.assignments {
            if let Some(value) = term.value(&all)? {
                self.data.set(*variable, value);
            }
        }
        for clock in &edge.resets {
            self.resets[clock.index()] = at;
        }
        (self.location, self.now) = (edge.target, at);
        Ok(())
    }

    /// One move of the system after an instant, if it makes one: the edge, when, and with which values.
    fn next(&mut self, after: Rational) -> Option<(EdgeId, Rational, Vec<Rational>)> {
        let invariant = self.tiosa.locations[self.location].invariant.clone();
        let limit = self.window(&invariant, after)?.to;
        let mut moves = Vec::new();
        let leaving: Vec<(EdgeId, Edge)> =
            self.tiosa.leaving(self.location).map(|(id, edge)| (id, edge.clone())).collect();
        for (id, edge) in leaving {
            if self.tiosa.actions[edge.action].kind == Kind::Input {
                continue;
            }
            let mut atoms = edge.guard.clone();
            atoms.extend(invariant.iter().cloned());
            let Some(window) = self.window(&atoms, after) else { continue };
            let draw = (self.random)(8);
            if let (Some(at), Some(values)) = (window.pick(draw), self.values(&edge)) {
                moves.push((id, at, values));
            }
        }
        if moves.is_empty() || limit.is_none() && (self.random)(4) == 0 {
            return None;
        }
        let chosen = (self.random)(moves.len() as u64);
        Some(moves.swap_remove(usize::try_from(chosen).unwrap_or(0)))
    }
}

/// Some instants.
struct Window {
    from: Rational,
    open: bool,
    to: Option<Rational>,
    closed: bool,
}

impl Window {
    fn begin(&mut self, at: Rational, open: bool) {
        if at > self.from || at == self.from && open {
            (self.from, self.open) = (at, open);
        }
    }

    fn end(&mut self, at: Rational, closed: bool) {
        let earlier = self.to.is_none_or(|to| at < to || at == to && !closed);
        if earlier {
            (self.to, self.closed) = (Some(at), closed);
        }
    }

    /// An instant in it, by a number below 8: the ends, if they belong to it, and points between.
    fn pick(&self, draw: u64) -> Option<Rational> {
        let Some(to) = self.to else {
            let ahead = Rational::new(i64::try_from(draw).ok()?, 2).ok()?;
            let least = if self.open { Rational::new(1, 4).ok()? } else { Rational::ZERO };
            return self.from.add(ahead.max(least)).ok();
        };
        if to < self.from || to == self.from && (self.open || !self.closed) {
            return None;
        }
        match draw {
            0 if !self.open => Some(self.from),
            1 | 2 if self.closed => Some(to),
            _ => {
                let share = Rational::new(i64::try_from(draw).ok()? + 1, 9).ok()?;
                self.from.add(to.sub(self.from).ok()?.mul(share).ok()?).ok()
            }
        }
    }
}

impl<D: Decide> SystemUnderTest for Simulated<'_, D> {
    fn input(&mut self, at: Rational, message: &Message) {
        self.now = at;
        let mut all = self.data.clone();
        let Some(action) = self.tiosa.action(&message.action) else {
            self.lost = true;
            return;
        };
        for (parameter, value) in self.tiosa.actions[action].parameters.iter().zip(&message.values)
        {
            all.set(*parameter, *value);
        }
        let before = at;
        let mut enabled: Vec<EdgeId> = Vec::new();
        for (id, edge) in self.tiosa.leaving(self.location) {
            let now = edge.guard.iter().all(|atom| {
                let threshold = atom.threshold.value(&self.data).ok().flatten();
                let age = before.sub(self.resets[atom.clock.index()]).ok();
                match (age, threshold) {
                    (Some(age), Some(threshold)) => atom.relation.holds(age.cmp(&threshold)),
                    _ => false,
                }
            });
            let holds = edge.condition == Formula::True
                || edge.condition.holds(&all).ok().flatten() == Some(true);
            if edge.action == action && now && holds {
                enabled.push(id);
            }
        }
        if enabled.is_empty() {
            self.lost = true;
            return;
        }
        let chosen = (self.random)(enabled.len() as u64);
        let chosen = enabled[usize::try_from(chosen).unwrap_or(0)];
        self.lost |= self.take(chosen, at, &message.values).is_err();
    }

    fn output(&mut self, after: Rational, until: Option<Rational>) -> Option<(Rational, Message)> {
        let mut from = after.max(self.now);
        for _ in 0..100 {
            if self.lost {
                return None;
            }
            let (id, at, values) = self.next(from)?;
            if until.is_some_and(|until| at > until) {
                return None;
            }
            self.lost |= self.take(id, at, &values).is_err();
            let action = &self.tiosa.actions[self.tiosa.edges[id].action];
            if action.kind == Kind::Output {
                return Some((at, Message { action: action.name.clone(), values }));
            }
            from = at;
        }
        None
    }
}
