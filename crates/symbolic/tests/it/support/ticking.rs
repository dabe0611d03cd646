//! The region graph of a model with a ticking clock: slow and obvious.
//!
//! Beside the model runs a clock that ticks: it is set back to zero whenever it is one. Time diverges
//! on a run iff it ticks infinitely often. Each region (AD94) is represented by one valuation, on which
//! the reference semantics is asked. Right for models that compare no clocks with each other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tioga_base::Rational;
use tioga_concrete::{Semantics, State};
use tioga_model::{Model, StepLabel};

/// The largest constant of the models.
pub const LARGEST: i64 = 3;

/// What leads from one region to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrow {
    Step(StepLabel),
    Time,
    Tick,
    /// The ticking clock is set to zero before it ticks, so that every state is met at a tick. No
    /// part of a run.
    Anew,
}

/// A state and the value of the ticking clock.
pub type Region = (State, Rational);

pub struct Regions {
    pub numbers: BTreeMap<Region, usize>,
    /// For each region the arrows that leave it.
    pub arrows: Vec<Vec<(Arrow, usize)>>,
    /// The constant up to which clocks are told apart.
    largest: i64,
}

fn fraction(value: Rational) -> Rational {
    value.sub(Rational::integer(value.floor())).unwrap()
}

/// The representative of a region.
fn representative((mut state, mut ticking): Region, largest: i64) -> Region {
    let above = Rational::integer(largest);
    let counted = || state.clocks.iter().chain([&ticking]).filter(|clock| **clock <= above);
    let fractions: BTreeSet<Rational> =
        counted().map(|clock| fraction(*clock)).filter(|one| !one.is_zero()).collect();
    let classes = i64::try_from(fractions.len()).unwrap();
    for clock in state.clocks.iter_mut().chain([&mut ticking]) {
        if *clock > above {
            *clock = Rational::integer(largest + 1);
            continue;
        }
        let rank = fractions.iter().position(|one| *one == fraction(*clock));
        let rank = rank.map_or(0, |rank| i64::try_from(rank).unwrap() + 1);
        let part = Rational::new(rank, classes + 1).unwrap();
        *clock = Rational::integer(clock.floor()).add(part).unwrap();
    }
    (state, ticking)
}

/// The delay from a representative into the next region.
fn next_delay((state, ticking): &Region, largest: i64) -> Rational {
    let above = Rational::integer(largest);
    let counted: Vec<Rational> =
        state.clocks.iter().chain([ticking]).copied().filter(|c| *c <= above).collect();
    let most = counted.iter().map(|clock| fraction(*clock)).max().unwrap();
    let room = Rational::ONE.sub(most).unwrap();
    let on_the_line = counted.iter().any(|clock| fraction(*clock).is_zero());
    // From an integer, half the way to the next one; otherwise exactly to it.
    if on_the_line { room.div(Rational::integer(2)).unwrap() } else { room }
}

impl Regions {
    /// All regions that can be reached; none if there is no state to start from.
    pub fn of(model: &Model) -> Option<Self> {
        Self::up_to(model, LARGEST)
    }

    /// The same, where clocks are told apart up to a constant, which no constant of the model exceeds.
    pub fn up_to(model: &Model, largest: i64) -> Option<Self> {
        let mut semantics = Semantics::new(model);
        let initial = (semantics.initial().ok()?, Rational::ZERO);
        let mut numbers = BTreeMap::from([(initial.clone(), 0)]);
        let mut arrows = Vec::new();
        let mut waiting = VecDeque::from([initial]);
        while let Some(region) = waiting.pop_front() {
            let (state, ticking) = &region;
            let mut next: Vec<(Arrow, Region)> = Vec::new();
            for step in semantics.options(state).unwrap().now() {
                let after = semantics.step(state, step).unwrap();
                next.push((Arrow::Step(step.label), (after, *ticking)));
            }
            next.push((Arrow::Anew, (state.clone(), Rational::ZERO)));
            if *ticking == Rational::ONE {
                next.push((Arrow::Tick, (state.clone(), Rational::ZERO)));
            } else {
                let delay = next_delay(&region, largest);
                if let Ok(after) = semantics.delay(state, delay).unwrap() {
                    next.push((Arrow::Time, (after, ticking.add(delay).unwrap())));
                }
            }
            let mut leaving = Vec::new();
            for (arrow, region) in next {
                let region = representative(region, largest);
                let fresh = numbers.len();
                let number = *numbers.entry(region.clone()).or_insert(fresh);
                if number == fresh {
                    waiting.push_back(region);
                }
                leaving.push((arrow, number));
            }
            arrows.push(leaving);
        }
        Some(Self { numbers, arrows, largest })
    }

    /// The regions from which allowed arrows lead to one from which a wanted arrow leaves for a
    /// region of `inside`. One after the other, until nothing changes.
    pub fn reaching(
        &self,
        allowed: impl Fn(Arrow) -> bool,
        wanted: impl Fn(Arrow) -> bool,
        inside: &[bool],
    ) -> Vec<bool> {
        let mut reaching = vec![false; self.arrows.len()];
        loop {
            let mut changed = false;
            for number in (0..self.arrows.len()).rev() {
                let leads = |(arrow, target): &(Arrow, usize)| {
                    wanted(*arrow) && inside[*target] || allowed(*arrow) && reaching[*target]
                };
                if !reaching[number] && self.arrows[number].iter().any(leads) {
                    reaching[number] = true;
                    changed = true;
                }
            }
            if !changed {
                return reaching;
            }
        }
    }

    /// The regions from which a run over allowed arrows takes wanted ones infinitely often.
    pub fn for_ever(
        &self,
        allowed: impl Fn(Arrow) -> bool,
        wanted: impl Fn(Arrow) -> bool,
    ) -> Vec<bool> {
        let mut left = vec![true; self.arrows.len()];
        loop {
            let next = self.reaching(&allowed, &wanted, &left);
            let next: Vec<bool> = next.iter().zip(&left).map(|(a, b)| *a && *b).collect();
            if next == left {
                return left;
            }
            left = next;
        }
    }

    /// Whether steps with these labels, one after the other, can be made before the next tick.
    pub fn without_tick(&self, start: usize, labels: &[Arrow]) -> bool {
        let mut here = BTreeSet::from([start]);
        for label in labels {
            let mut waiting: Vec<usize> = here.iter().copied().collect();
            let mut next = BTreeSet::new();
            while let Some(number) = waiting.pop() {
                for (arrow, target) in &self.arrows[number] {
                    if arrow == label {
                        next.insert(*target);
                    } else if *arrow == Arrow::Time && here.insert(*target) {
                        waiting.push(*target);
                    }
                }
            }
            here = next;
        }
        !here.is_empty()
    }

    /// The number of the region of a reachable state, with the ticking clock at zero.
    pub fn number(&self, state: State) -> usize {
        self.numbers[&representative((state, Rational::ZERO), self.largest)]
    }
}
