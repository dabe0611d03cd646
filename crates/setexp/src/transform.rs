//! Computes SetExp: states, orders of expirations, transitions.

use std::collections::BTreeMap;
use std::slice::from_ref;

use tioga_base::{Budget, Id, IdVec, Rational};
use tioga_terms::Term;
use tioga_zones::{Bound, Zone};

use crate::error::Refusal;
use crate::setexp::{Expiration, Set, SetExp, SetExpState, SetExpTransition, StateId, hold};
use crate::thresholds::Thresholds;
use crate::tiosa::{Atom, ClockId, EdgeId, Kind, LocationId, Tiosa};

impl SetExp {
    /// Transforms an automaton; states with the same location and the same future are one.
    pub fn of(tiosa: &Tiosa, budget: &mut Budget) -> Result<Self, Refusal> {
        let built = Builder::new(tiosa)?.build(budget)?;
        Ok(crate::reduce::reduced(&built))
    }
}

/// An instant at which edges are taken one after the other.
#[derive(Clone, Debug)]
struct Instant<'n> {
    /// The state before.
    source: StateId,
    /// The expirations at this instant.
    now: &'n [Expiration],
    /// The edges that were taken.
    edges: Vec<EdgeId>,
    /// Whether one of them is observable.
    observed: bool,
    /// The clocks that were reset.
    reset: Vec<ClockId>,
    /// What was programmed.
    sets: Vec<Set>,
    location: LocationId,
    /// What is pending after the expirations.
    pending: Vec<Expiration>,
    zone: Zone,
}

impl<'n> Instant<'n> {
    /// Before the first edge.
    fn new(
        source: StateId,
        now: &'n [Expiration],
        location: LocationId,
        pending: &[Expiration],
        zone: Zone,
    ) -> Self {
        let (edges, reset, sets) = (Vec::new(), Vec::new(), Vec::new());
        let pending = pending.to_vec();
        Self { source, now, edges, observed: false, reset, sets, location, pending, zone }
    }

    /// Whether comparisons hold. A clock that was reset is zero.
    fn holds(&self, atoms: &[Atom]) -> bool {
        atoms.iter().all(|atom| match atom.threshold.as_number() {
            Some(number) if self.reset.contains(&atom.clock) => {
                atom.relation.holds(Rational::ZERO.cmp(&number))
            }
            _ if self.reset.contains(&atom.clock) => hold(from_ref(atom), &self.pending, &[]),
            _ => hold(from_ref(atom), &self.pending, self.now),
        })
    }
}

struct Builder<'a> {
    tiosa: &'a Tiosa,
    thresholds: Thresholds,
    /// Zones count in units of `1 / scale`.
    scale: i64,
    states: IdVec<StateId, SetExpState>,
    ids: BTreeMap<(LocationId, Vec<Expiration>), Vec<StateId>>,
    transitions: Vec<SetExpTransition>,
    overdue: Vec<(StateId, Vec<Expiration>)>,
}

impl<'a> Builder<'a> {
    fn new(tiosa: &'a Tiosa) -> Result<Self, Refusal> {
        tiosa.check()?;
        let thresholds = Thresholds::of(tiosa)?;
        let (mut scale, mut largest) = (1_i64, Rational::ZERO);
        for location in tiosa.locations.ids() {
            for atom in tiosa.atoms(location) {
                if let Some(number) = atom.threshold.as_number() {
                    let step = number.denominator() / gcd(scale, number.denominator());
                    scale = scale.checked_mul(step).ok_or(tioga_base::Overflow)?;
                    largest = largest.max(number);
                }
            }
        }
        let fits = largest.mul(scale.into()).ok().map(Rational::ceil);
        let fits = fits.and_then(|largest| i32::try_from(largest).ok());
        let dimension = tiosa.clocks.len() + 1;
        if fits.is_none_or(|largest| Bound::constants_fit(dimension, largest).is_err()) {
            return Err(Refusal::Limit(format!(
                "the constants of the clocks are too large to be compared exactly: {largest} in \
                 units of 1/{scale}"
            )));
        }
        Ok(Self {
            tiosa,
            thresholds,
            scale,
            states: IdVec::new(),
            ids: BTreeMap::new(),
            transitions: Vec::new(),
            overdue: Vec::new(),
        })
    }

    fn build(mut self, budget: &mut Budget) -> Result<SetExp, Refusal> {
        let tiosa = self.tiosa;
        let mut start = Vec::new();
        let mut pending = Vec::new();
        for clock in tiosa.clocks.ids() {
            let thresholds: Vec<_> =
                self.thresholds.live(tiosa.initial, clock).iter().cloned().collect();
            if thresholds.is_empty() {
                continue;
            }
            let expirations = thresholds.iter().cloned();
            pending.extend(expirations.map(|threshold| Expiration { clock, threshold }));
            start.push(Set { clock, thresholds });
        }
        let invariant = &tiosa.locations[tiosa.initial].invariant;
        if !hold(invariant, &pending, &[]) {
            return Err(Refusal::Hypothesis(format!(
                "the invariant of the initial location {} leaves no time to pass",
                tiosa.locations[tiosa.initial].name
            )));
        }
        let zero = Zone::zero(tiosa.clocks.len() + 1);
        let initial = self.state(tiosa.initial, pending.clone(), zero.clone())?;
        // Internal actions may come at once, as after an observation that resets all clocks.
        let mut start_up = Instant::new(initial, &[], tiosa.initial, &pending, zero);
        start_up.observed = true;
        start_up.reset.extend(tiosa.clocks.ids());
        // Later, the same location with the same clocks is another state.
        self.ids.clear();
        self.go_on(&start_up, budget)?;
        let mut next = 0;
        while next < self.states.len() {
            if budget.step().is_err() {
                return Err(Refusal::Limit(format!(
                    "SetExp has more than {} states; use fewer clocks or constants, or raise the \
                     limit",
                    self.states.len() - 1
                )));
            }
            self.leave(StateId::from_index(next), budget)?;
            next += 1;
        }
        Ok(SetExp {
            states: self.states,
            initial,
            start,
            transitions: self.transitions,
            overdue: self.overdue,
        })
    }

    /// Adds the transitions that leave a state.
    fn leave(&mut self, source: StateId, budget: &mut Budget) -> Result<(), Refusal> {
        let SetExpState { location, pending, zone } = self.states[source].clone();
        if !hold(&self.tiosa.locations[location].invariant, &pending, &[]) {
            return Ok(());
        }
        let between = Instant::new(source, &[], location, &pending, zone.clone());
        self.go_on(&between, budget)?;
        let mut later = zone;
        later.delay();
        for (now, at) in self.instants(&pending, later) {
            let rest: Vec<_> = pending.iter().filter(|one| !now.contains(one)).cloned().collect();
            if hold(&self.tiosa.locations[location].invariant, &rest, &[]) {
                let target = self.state(location, rest.clone(), at.clone())?;
                let (expirations, sets) = (now.clone(), Vec::new());
                self.transitions.push(SetExpTransition {
                    source,
                    target,
                    expirations,
                    edges: Vec::new(),
                    sets,
                });
            } else {
                self.overdue.push((source, now.clone()));
            }
            if hold(&self.tiosa.locations[location].invariant, &pending, &now) {
                self.go_on(&Instant::new(source, &now, location, &rest, at), budget)?;
            }
        }
        Ok(())
    }

    /// Adds the transitions that take further edges at an instant.
    fn go_on(&mut self, at: &Instant<'_>, budget: &mut Budget) -> Result<(), Refusal> {
        let tiosa = self.tiosa;
        for (id, edge) in tiosa.leaving(at.location) {
            if !at.holds(&edge.guard) {
                continue;
            }
            let follows = at.observed || !at.edges.is_empty();
            if follows && !self.has_to_follow(at, id) {
                continue;
            }
            if follows && budget.step().is_err() {
                let why = "SetExp has too many ways to take internal actions at one instant";
                return Err(Refusal::Limit(why.to_owned()));
            }
            self.take(at, id, budget)?;
        }
        Ok(())
    }

    /// Whether an edge after others needs a transition of its own at their instant.
    fn has_to_follow(&self, at: &Instant<'_>, id: EdgeId) -> bool {
        let edge = &self.tiosa.edges[id];
        let internal = self.tiosa.actions[edge.action].kind == Kind::Internal;
        // Internal actions that reset clocks are refused later, and two observations at one instant are not judged.
        let excluded = if internal { !edge.resets.is_empty() } else { at.observed };
        // Between two observations an edge is taken at most once in an instant.
        let is_internal = |edge: &&EdgeId| {
            self.tiosa.actions[self.tiosa.edges[**edge].action].kind == Kind::Internal
        };
        let again = at.edges.iter().rev().take_while(is_internal).any(|edge| *edge == id);
        if excluded || again {
            return false;
        }
        if at.observed {
            // What is possible later as well needs no other transition.
            let later = |atoms: &[Atom]| hold(atoms, &at.pending, &[]);
            let rests = |location| later(&self.tiosa.locations[location].invariant);
            let hurried = !at.now.is_empty() || !at.reset.is_empty();
            return hurried && !(rests(at.location) && later(&edge.guard) && rests(edge.target));
        }
        // What was possible before the expirations as well was taken then.
        let before = |atoms: &[Atom]| {
            let pending = &self.states[at.source].pending;
            hold(atoms, pending, &[])
        };
        let first = at.edges.first().map(|first| &self.tiosa.edges[*first]);
        !at.now.is_empty()
            && first.is_some_and(|first| {
                let invariant = &self.tiosa.locations[first.target].invariant;
                !(before(&first.guard) && before(invariant))
            })
    }

    /// Adds a transition of type 2 or 3, and those that go on from there at the same instant.
    fn take(&mut self, at: &Instant<'_>, id: EdgeId, budget: &mut Budget) -> Result<(), Refusal> {
        let edge = &self.tiosa.edges[id];
        let mut next = Instant { location: edge.target, ..at.clone() };
        next.edges.push(id);
        next.observed |= self.tiosa.actions[edge.action].kind != Kind::Internal;
        next.pending.retain(|one| !edge.resets.contains(&one.clock));
        for clock in &edge.resets {
            next.zone.reset(clock.index() + 1, 0);
            next.reset.push(*clock);
            let thresholds: Vec<_> = self.thresholds.programmed(edge, *clock).into_iter().collect();
            let new = thresholds.iter().cloned();
            next.pending.extend(new.map(|threshold| Expiration { clock: *clock, threshold }));
            // Without thresholds, the action still cancels what is pending.
            if !thresholds.is_empty() || at.pending.iter().any(|one| one.clock == *clock) {
                next.sets.push(Set { clock: *clock, thresholds });
            }
        }
        next.pending.sort();
        let invariant = &self.tiosa.locations[edge.target].invariant;
        // At the last instant of the target's invariant it may be entered, though no time is left there.
        let now = next.now.iter().filter(|one| !next.reset.contains(&one.clock));
        let now: Vec<_> = now.cloned().collect();
        let possible = next.holds(invariant);
        // Where no time is left after an observation, what comes at the same instant is not judged.
        if next.observed && possible || hold(invariant, &next.pending, &now) {
            let target = self.state(edge.target, next.pending.clone(), next.zone.clone())?;
            let (source, expirations) = (next.source, next.now.to_vec());
            let (edges, sets) = (next.edges.clone(), next.sets.clone());
            self.transitions.push(SetExpTransition { source, target, expirations, edges, sets });
        }
        if possible { self.go_on(&next, budget) } else { Ok(()) }
    }

    /// The sets of expirations that can come next, each with the clocks at that instant.
    fn instants(&self, pending: &[Expiration], later: Zone) -> Vec<(Vec<Expiration>, Zone)> {
        let mut partial = vec![(Vec::new(), later)];
        for clock in self.tiosa.clocks.ids() {
            let own = pending.iter().filter(|one| one.clock == clock);
            let (numbers, open): (Vec<_>, Vec<_>) =
                own.partition(|one| one.threshold.as_number().is_some());
            if let Some(first) = numbers.first() {
                let bound = self.scaled(&first.threshold);
                let mut next = Vec::new();
                for (now, zone) in partial {
                    let mut before: Zone = zone.clone();
                    if constrain_below(&mut before, clock, bound) {
                        next.push((now.clone(), before));
                    }
                    let mut at: Zone = zone;
                    if constrain_equal(&mut at, clock, bound) {
                        let mut now: Vec<Expiration> = now;
                        now.push((*first).clone());
                        next.push((now, at));
                    }
                }
                partial = next;
            }
            for one in open {
                let with: Vec<_> = partial
                    .iter()
                    .map(|(now, zone)| {
                        let mut now = now.clone();
                        now.push(one.clone());
                        (now, zone.clone())
                    })
                    .collect();
                partial.extend(with);
            }
        }
        for (now, _) in &mut partial {
            now.sort();
        }
        partial.retain(|(now, _)| !now.is_empty());
        partial.sort_by(|one, other| one.0.cmp(&other.0));
        partial
    }

    /// The state in which time passes from when the clocks had these values.
    fn state(
        &mut self,
        location: LocationId,
        pending: Vec<Expiration>,
        mut zone: Zone,
    ) -> Result<StateId, Refusal> {
        let impossible = Refusal::Broken("a state leaves no time to pass");
        // Two observations may come at one instant, so that expirations of clocks which they reset coincide.
        zone.delay();
        for clock in self.tiosa.clocks.ids() {
            let own = pending.iter().filter(|one| one.clock == clock);
            let first = own.filter(|one| one.threshold.as_number().is_some()).min();
            match first {
                Some(first) => {
                    let bound = self.scaled(&first.threshold);
                    if !constrain_below(&mut zone, clock, bound) {
                        return Err(impossible);
                    }
                }
                None => zone.free(clock.index() + 1),
            }
        }
        let known = self.ids.entry((location, pending.clone())).or_default();
        if let Some(id) = known.iter().find(|id| self.states[**id].zone == zone) {
            return Ok(*id);
        }
        let id = self.states.push(SetExpState { location, pending, zone });
        known.push(id);
        Ok(id)
    }

    /// A threshold that is a number, in scaled units.
    fn scaled(&self, threshold: &Term) -> i32 {
        let number = threshold.as_number().and_then(|number| number.mul(self.scale.into()).ok());
        let number = number.and_then(Rational::to_integer);
        number.and_then(|number| i32::try_from(number).ok()).expect("constants were checked to fit")
    }
}

fn constrain_below(zone: &mut Zone, clock: ClockId, bound: i32) -> bool {
    let bound = Bound::lt(bound).expect("constants were checked to fit");
    zone.constrain(clock.index() + 1, 0, bound).is_ok()
}

fn constrain_equal(zone: &mut Zone, clock: ClockId, bound: i32) -> bool {
    let at_most = Bound::le(bound).expect("constants were checked to fit");
    let at_least = Bound::le(-bound).expect("constants were checked to fit");
    zone.constrain(clock.index() + 1, 0, at_most).is_ok()
        && zone.constrain(0, clock.index() + 1, at_least).is_ok()
}

fn gcd(one: i64, other: i64) -> i64 {
    let (mut one, mut other) = (one.abs(), other.abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.max(1)
}
