//! With which constants a clock may still be compared: static analysis per process and location.
//!
//! For a clock `x` and a location, `L` bounds the constants of lower bounds `x >= c` and `U` those of
//! upper bounds `x <= c` that may be met before `x` is next set: those of the location's invariant
//! and of edges leaving it, and those of every location reached by an edge that does not set `x`.
//! A location vector takes the maxima over its processes. (BBLP06: Behrmann, Bouyer, Larsen,
//! Pelánek, *Lower and upper bounds in zone-based abstractions of timed automata*, 2006.)
//!
//! The abstraction is sound because a valuation `v'` that stands for `v` (each clock of `v'` equals
//! that of `v`, or is smaller and above `L`, or both are above `U`) makes true every comparison that
//! `v` makes true, now and after every delay. This suffices for guards and for invariants, also for
//! disjunctions: they have to be true, at one moment or all the way. Guards that have to be false
//! somewhere count for both `L` and `U`, so that `v'` also makes false what `v` makes false: those of
//! processes that would take part if they could, and those of urgent steps, which time may not pass.
//! Bounds that depend on data count with the largest value the data may have. A clock that is copied
//! has the bounds of its copies everywhere.

use std::collections::BTreeSet;

use tioga_base::Id;
use tioga_model::{
    ClockConstraint, ClockTerm, ClockUpdate, Condition, Edge, Label, LocationId, Model, Process,
    TimeBound, Update,
};
use tioga_zones::LuBounds;

use crate::Error;
use crate::interval::range;

/// How many clocks a model may have: the tightest bounds of a zone over more take seconds.
const MOST_CLOCKS: usize = 1000;
/// The largest constant a zone can be compared with.
const LARGEST: i64 = 1 << 27;

/// The index of a clock in zones, its `L` and its `U`.
type Bounded = (usize, Option<u32>, Option<u32>);

/// The bounds of every location, and whether clocks are compared with each other.
#[derive(Clone, Debug)]
pub struct ClockBounds {
    /// Per process and location, the clocks that have bounds.
    local: Vec<Vec<Vec<Bounded>>>,
    /// The clocks that have bounds in every location.
    everywhere: Vec<Bounded>,
    dimension: usize,
    diagonals: bool,
}

impl ClockBounds {
    /// Analyses a model together with conditions that will be asked of its states.
    pub fn new(model: &Model, asked: &[&Condition]) -> Result<Self, Error> {
        let dimension = model.clocks.len() + 1;
        if model.clocks.len() > MOST_CLOCKS {
            return Err(Error::Unsupported(format!(
                "the model has {} clocks; models with up to {MOST_CLOCKS} are explored",
                model.clocks.len()
            )));
        }
        let mentioned: Vec<Vec<usize>> = model.processes.iter().map(mentioned).collect();
        let mut everywhere = LuBounds::none(dimension);
        let mut analysis = Analysis { model, diagonals: false };
        for condition in asked {
            analysis.add_condition((None, &mut everywhere), condition, true)?;
        }
        let copies = analysis.copies();
        loop {
            let mut local: Vec<Vec<Vec<Bounded>>> = Vec::new();
            for (process, clocks) in model.processes.iter().zip(&mentioned) {
                let mut own = analysis.process(process, clocks)?;
                propagate(process, clocks, &mut own);
                local.push(own.iter().map(|own| sparse(clocks, own)).collect());
            }
            if !raise_copied(&mut everywhere, &copies, &local) {
                let all: Vec<usize> = (1..dimension).collect();
                let everywhere = sparse(&all, &everywhere);
                return Ok(Self { local, everywhere, dimension, diagonals: analysis.diagonals });
            }
        }
    }

    /// Whether some condition compares two clocks, or a clock may be set to less than another.
    /// Abstractions are not sound then.
    pub fn has_diagonals(&self) -> bool {
        self.diagonals
    }

    /// The bounds for a location vector, written into `bounds`.
    pub fn fill(&self, locations: &[LocationId], bounds: &mut LuBounds) {
        for clock in 1..self.dimension {
            bounds.clear(clock);
        }
        let local = self.local.iter().zip(locations);
        let local = local.flat_map(|(process, location)| &process[location.index()]);
        for &(clock, lower, upper) in self.everywhere.iter().chain(local) {
            if let Some(lower) = lower {
                bounds.raise_lower(clock, lower);
            }
            if let Some(upper) = upper {
                bounds.raise_upper(clock, upper);
            }
        }
    }

    /// The largest constant of all, 0 if there is none.
    pub fn largest(&self) -> u32 {
        let all = self.local.iter().flatten().flatten().chain(&self.everywhere);
        all.flat_map(|(_, lower, upper)| [*lower, *upper]).flatten().max().unwrap_or(0)
    }

    /// Bounds of the right dimension to be filled.
    pub fn empty(&self) -> LuBounds {
        LuBounds::none(self.dimension)
    }
}

/// The bounds of these clocks, numbered in this order.
fn sparse(clocks: &[usize], bounds: &LuBounds) -> Vec<Bounded> {
    let numbered = clocks.iter().zip(1..);
    numbered
        .map(|(clock, number)| (*clock, bounds.lower(number), bounds.upper(number)))
        .filter(|(_, lower, upper)| lower.is_some() || upper.is_some())
        .collect()
}

/// The clocks that guards and invariants of a process mention, in order.
fn mentioned(process: &Process) -> Vec<usize> {
    let invariants = process.locations.iter().map(|location| &location.invariant);
    let conditions = invariants.chain(process.edges.iter().map(|edge| &edge.guard));
    let constraints = conditions.flat_map(|one| &one.disjuncts).flat_map(|one| &one.clocks);
    let terms = constraints.flat_map(|one| [one.left, one.right]).flatten();
    let clocks: BTreeSet<usize> = terms.flat_map(clocks).collect();
    clocks.into_iter().collect()
}

/// The number of a clock among those given, counted from 1, or in the zone if none are given.
fn numbered(clocks: Option<&[usize]>, clock: usize) -> usize {
    clocks.map_or(clock, |clocks| clocks.partition_point(|other| *other < clock) + 1)
}

struct Analysis<'m> {
    model: &'m Model,
    diagonals: bool,
}

impl Analysis<'_> {
    /// The constants met in each location itself, for the clocks that the process mentions.
    fn process(&mut self, process: &Process, clocks: &[usize]) -> Result<Vec<LuBounds>, Error> {
        let mut bounds: Vec<LuBounds> = Vec::new();
        for location in &process.locations {
            let mut own = LuBounds::none(clocks.len() + 1);
            self.add_condition((Some(clocks), &mut own), &location.invariant, false)?;
            bounds.push(own);
        }
        for edge in &process.edges {
            let both = self.may_have_to_be_false(edge);
            let own = (Some(clocks), &mut bounds[edge.source.index()]);
            self.add_condition(own, &edge.guard, both)?;
        }
        Ok(bounds)
    }

    /// Whether a process with this edge may stand aside because its guard is false, or whether
    /// the guard stops time.
    fn may_have_to_be_false(&self, edge: &Edge) -> bool {
        match &edge.label {
            Label::Silent => false,
            Label::Plain(_) => self.model.syncs.iter().any(|sync| {
                let urgent = sync.shown.is_some_and(|channel| self.model.channels[channel].urgent);
                urgent || sync.parts.iter().any(|part| part.weak)
            }),
            Label::Send(used) | Label::Receive(used) => {
                let channel = &self.model.channels[used.channel];
                channel.broadcast || channel.urgent
            }
        }
    }

    fn add_condition(
        &mut self,
        (numbers, bounds): (Option<&[usize]>, &mut LuBounds),
        condition: &Condition,
        both: bool,
    ) -> Result<(), Error> {
        for constraint in condition.disjuncts.iter().flat_map(|conjunct| &conjunct.clocks) {
            self.add_constraint((numbers, bounds), constraint, both)?;
        }
        Ok(())
    }

    fn add_constraint(
        &mut self,
        (numbers, bounds): (Option<&[usize]>, &mut LuBounds),
        constraint: &ClockConstraint,
        both: bool,
    ) -> Result<(), Error> {
        let (term, upper) = match (constraint.left, constraint.right) {
            (Some(_), Some(_)) => {
                self.diagonals = true;
                return Ok(());
            }
            (Some(term), None) => (term, true),
            (None, Some(term)) => (term, false),
            (None, None) => return Ok(()),
        };
        let constant = self.largest(constraint.bound, !upper)?;
        // A bound below zero is always or never met and says nothing about the clock's value.
        let Ok(constant) = u32::try_from(constant) else { return Ok(()) };
        for clock in clocks(term).map(|clock| numbered(numbers, clock)) {
            if upper || both {
                bounds.raise_upper(clock, constant);
            }
            if !upper || both {
                bounds.raise_lower(clock, constant);
            }
        }
        Ok(())
    }

    /// The largest value of a bound, or of its negation, in units of `1 / scale`.
    fn largest(&self, bound: TimeBound, negated: bool) -> Result<i64, Error> {
        let value = match bound {
            TimeBound::Constant(value) if negated => -value,
            TimeBound::Constant(value) => value,
            TimeBound::Expr(expr) => {
                let Some(range) = range(self.model, expr) else {
                    return Err(Error::Unsupported(
                        "a clock is compared with a number that has no known range".to_owned(),
                    ));
                };
                let value = if negated { range.min.saturating_neg() } else { range.max };
                value.saturating_mul(self.model.scale)
            }
        };
        if value > LARGEST {
            return Err(Error::Unsupported(format!(
                "a clock is compared with {value} units of 1/{}; zones hold constants up to {LARGEST}",
                self.model.scale
            )));
        }
        Ok(value)
    }

    /// Which clocks may be set from which: pairs of the one set and the one read.
    fn copies(&mut self) -> Vec<(usize, usize)> {
        let mut copies = Vec::new();
        for update in self.model.processes.iter().flat_map(|p| &p.edges).flat_map(|e| &e.updates) {
            let Update::Clock(ClockUpdate { clock, source: Some(source), value, .. }) = update
            else {
                continue;
            };
            let least = match *value {
                TimeBound::Constant(value) => value,
                TimeBound::Expr(expr) => {
                    range(self.model, expr).map_or(i64::MIN, |range| range.min)
                }
            };
            // The copy would meet its constants when the clock is beyond them.
            self.diagonals |= least < 0;
            copies.extend(clocks(*clock).flat_map(|set| clocks(*source).map(move |r| (set, r))));
        }
        copies
    }
}

/// Raises the bounds that clocks have everywhere to those that their copies have somewhere. Another
/// process may read the copy, so it is not enough to look along the edges of the one that makes it.
/// A copy `y + c` with `c >= 0` meets its constants when `y` is at most as large. True if anything
/// changed.
fn raise_copied(
    everywhere: &mut LuBounds,
    copies: &[(usize, usize)],
    local: &[Vec<Vec<Bounded>>],
) -> bool {
    let before = everywhere.clone();
    for (copy, from) in copies {
        let all = local.iter().flatten().flatten().filter(|(clock, ..)| clock == copy);
        let (lower, upper) = (all.clone().filter_map(|one| one.1), all.filter_map(|one| one.2));
        if let Some(lower) = lower.chain(everywhere.lower(*copy)).max() {
            everywhere.raise_lower(*from, lower);
        }
        if let Some(upper) = upper.chain(everywhere.upper(*copy)).max() {
            everywhere.raise_upper(*from, upper);
        }
    }
    *everywhere != before
}

/// Lets bounds flow against the edges until nothing changes.
fn propagate(process: &Process, clocks: &[usize], bounds: &mut [LuBounds]) {
    let mut changed = true;
    while changed {
        changed = false;
        for edge in &process.edges {
            let mut flowing = bounds[edge.target.index()].clone();
            for update in &edge.updates {
                // If it is computed which clock is set, or whether it is, none is for certain.
                if let Update::Clock(update) = update
                    && let Some(clock) = update.certain()
                    && let Ok(position) = clocks.binary_search(&(clock.index() + 1))
                {
                    flowing.clear(position + 1);
                }
            }
            changed |= bounds[edge.source.index()].raise_to(&flowing);
        }
    }
}

/// The indices in zones of the clocks a term may stand for.
fn clocks(term: ClockTerm) -> impl Iterator<Item = usize> {
    let first = term.clock.index() + 1;
    let count = term.index.map_or(1, |(_, length)| length as usize);
    first..first + count
}
