//! Computes SetExp: states, orders of expirations, transitions.

use std::collections::BTreeMap;

use tioga_base::{Budget, Id, IdVec, Rational};
use tioga_terms::Term;
use tioga_zones::{Bound, Zone};

use crate::error::Refusal;
use crate::setexp::{Expiration, Set, SetExp, SetExpState, SetExpTransition, StateId, hold};
use crate::thresholds::Thresholds;
use crate::tiosa::{ClockId, EdgeId, LocationId, Tiosa};

impl SetExp {
    /// Transforms an automaton; states with the same location and the same future are one.
    pub fn of(tiosa: &Tiosa, budget: &mut Budget) -> Result<Self, Refusal> {
        let built = Builder::new(tiosa)?.build(budget)?;
        Ok(crate::reduce::reduced(&built))
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
        let initial = self.state(tiosa.initial, pending, zero)?;
        let mut next = 0;
        while next < self.states.len() {
            if budget.step().is_err() {
                return Err(Refusal::Limit(format!(
                    "SetExp has more than {} states; use fewer clocks or constants, or raise the \
                     limit",
                    self.states.len() - 1
                )));
            }
            self.leave(StateId::from_index(next))?;
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
    fn leave(&mut self, source: StateId) -> Result<(), Refusal> {
        let SetExpState { location, pending, zone } = self.states[source].clone();
        if !hold(&self.tiosa.locations[location].invariant, &pending, &[]) {
            return Ok(());
        }
        for (id, edge) in self.tiosa.leaving(location) {
            if hold(&edge.guard, &pending, &[]) {
                self.take(source, Vec::new(), id, zone.clone(), &pending)?;
            }
        }
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
                    edge: None,
                    sets,
                });
            } else {
                self.overdue.push((source, now.clone()));
            }
            if !hold(&self.tiosa.locations[location].invariant, &pending, &now) {
                continue;
            }
            for (id, edge) in self.tiosa.leaving(location) {
                if hold(&edge.guard, &pending, &now) {
                    self.take(source, now.clone(), id, at.clone(), &rest)?;
                }
            }
        }
        Ok(())
    }

    /// Adds a transition of type 2 or 3. `rest` is what is pending after the expirations.
    fn take(
        &mut self,
        source: StateId,
        expirations: Vec<Expiration>,
        id: EdgeId,
        mut zone: Zone,
        rest: &[Expiration],
    ) -> Result<(), Refusal> {
        let edge = &self.tiosa.edges[id];
        let mut pending: Vec<_> =
            rest.iter().filter(|one| !edge.resets.contains(&one.clock)).cloned().collect();
        let mut sets = Vec::new();
        for clock in &edge.resets {
            zone.reset(clock.index() + 1, 0);
            let thresholds: Vec<_> = self.thresholds.programmed(edge, *clock).into_iter().collect();
            let new = thresholds.iter().cloned();
            pending.extend(new.map(|threshold| Expiration { clock: *clock, threshold }));
            // Without thresholds, the action still cancels what is pending.
            if !thresholds.is_empty() || rest.iter().any(|one| one.clock == *clock) {
                sets.push(Set { clock: *clock, thresholds });
            }
        }
        pending.sort();
        // At the last instant of the target's invariant it may be entered, though no time is left there.
        let now: Vec<_> =
            expirations.iter().filter(|one| !edge.resets.contains(&one.clock)).cloned().collect();
        if hold(&self.tiosa.locations[edge.target].invariant, &pending, &now) {
            let target = self.state(edge.target, pending, zone)?;
            self.transitions.push(SetExpTransition {
                source,
                target,
                expirations,
                edge: Some(id),
                sets,
            });
        }
        Ok(())
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

    /// The state in which time has passed since the clocks had these values.
    fn state(
        &mut self,
        location: LocationId,
        pending: Vec<Expiration>,
        mut zone: Zone,
    ) -> Result<StateId, Refusal> {
        let impossible = Refusal::Broken("a state leaves no time to pass");
        let lows: Vec<_> = (0..zone.dimension()).map(|i| zone.bound(0, i)).collect();
        zone.delay();
        for (i, low) in lows.into_iter().enumerate().skip(1) {
            let strict = low.constant().and_then(|low| Bound::lt(low).ok());
            let bound = strict.ok_or_else(|| impossible.clone())?;
            zone.constrain(0, i, bound).map_err(|_| impossible.clone())?;
        }
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
