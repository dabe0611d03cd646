//! A concrete maximal run through sets of points from which one begins, with exact delays.
//!
//! There are finitely many regions (AD94), so a run that goes on for ever meets one again; the steps
//! between the two meetings can be repeated from every point of the region, each time with suitable
//! delays.

use std::collections::BTreeMap;

use tioga_base::{Cancel, Rational};
use tioga_model::{Composer, Step};
use tioga_zones::Federation;

use crate::Jump;
use crate::arena::{Arena, steps_of};
use crate::effort::Effort;
use crate::lasso::Signs;
use crate::ray::{Window, least_delay};
use crate::stays::{Diverging, Place, late};
use crate::witness::TimedStep;

/// How many moves are made at most before the attempt to find a repetition is given up.
const LONGEST: usize = 2_000;

/// How a maximal run goes on for ever, or ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goes {
    /// The turn is repeated for ever, and time diverges.
    Diverges,
    /// Time passes for ever without a step.
    Waits,
    /// The turn is repeated for ever in bounded time, as in every run of the kind that was looked for.
    Zeno,
    /// Neither a step nor a delay is possible any more.
    Ends,
    /// Time passes towards a bound that it never reaches.
    Approaches,
}

/// A maximal run.
#[derive(Clone, PartialEq, Debug)]
pub struct MaximalRun {
    /// The way from the start to where it ends or repeats itself.
    pub stem: Vec<TimedStep>,
    /// One turn, which can be followed by another and so on, with suitable delays. Empty if nothing
    /// is repeated, or if the turn could not be told.
    pub turn: Vec<TimedStep>,
    /// How it goes on.
    pub goes: Goes,
}

/// A walk through an arena.
pub(crate) struct Walk<'a, 'g, 'm> {
    arena: &'a Arena<'g, 'm>,
    places: &'a [Place],
    state: usize,
    /// The values of the clocks as zones number them, the stopwatch last.
    clocks: Vec<Rational>,
    composer: Composer<'m>,
    signs: Signs,
    moves: Vec<TimedStep>,
}

impl<'a, 'g, 'm> Walk<'a, 'g, 'm> {
    /// The walk that begins where a run ends, in the discrete state given. None if numbers get too large.
    pub fn after(
        arena: &'a Arena<'g, 'm>,
        places: &'a [Place],
        signs: Signs,
        state: usize,
        run: Vec<TimedStep>,
    ) -> Option<Self> {
        let composer = Composer::new(arena.model());
        let clocks = vec![Rational::ZERO; arena.dimension()];
        let mut walk = Self { arena, places, state, clocks, composer, signs, moves: Vec::new() };
        let mut discrete = walk.composer.initial();
        for TimedStep { delay, step } in &run {
            walk.wait(delay.mul(walk.scale()).ok()?)?;
            if let Some(step) = step {
                let applied = walk.composer.apply(&discrete, step).ok()?;
                let jump = Jump::of(step, &applied.assignments).ok()?;
                jump.assign(&mut walk.clocks).ok()?;
                discrete = applied.target;
            }
        }
        walk.moves = run;
        walk.restart();
        Some(walk)
    }

    /// Goes on for ever inside sets from each point of which a maximal run stays inside.
    pub fn staying(mut self, sets: &[Federation]) -> Option<MaximalRun> {
        let mut met = BTreeMap::new();
        while self.moves.len() < LONGEST {
            self.restart();
            let place = &self.places[self.state];
            if self.is_in(&place.for_ever)? {
                return Some(self.run(None, Goes::Waits));
            }
            if self.is_in(&place.ending)? {
                let delay = self.delay_into(&place.dead)?;
                self.move_on(delay, None)?;
                return Some(self.run(None, Goes::Ends));
            }
            if self.is_in(&place.approaching)? {
                return Some(self.run(None, Goes::Approaches));
            }
            let sign = (self.state, self.signs.of_point(&self.clocks));
            if let Some(begin) = met.insert(sign, self.moves.len()) {
                return Some(self.run(Some(begin), Goes::Zeno));
            }
            let steps = self.arena.states[self.state].steps.iter().enumerate();
            let (delay, step) = steps
                .filter_map(|(number, step)| {
                    let before = self.before(number, &sets[step.target])?;
                    Some((self.delay_into(&before)?, number))
                })
                .next()?;
            self.move_on(delay, Some(step))?;
        }
        None
    }

    /// Goes on for ever so that time diverges.
    pub fn diverging(mut self, diverging: &Diverging) -> Option<MaximalRun> {
        let mut met = BTreeMap::new();
        while self.moves.len() < LONGEST {
            self.restart();
            if self.is_in(&self.places[self.state].for_ever)? {
                return Some(self.run(None, Goes::Waits));
            }
            let sign = (self.state, self.signs.of_point(&self.clocks));
            if let Some(begin) = met.insert(sign, self.moves.len()) {
                return Some(self.run(Some(begin), Goes::Diverges));
            }
            self.unit(diverging)?;
        }
        None
    }

    /// Goes on for at least one unit, to where time still can diverge.
    fn unit(&mut self, diverging: &Diverging) -> Option<()> {
        loop {
            let layers = &diverging.layers[self.state];
            let mut here = None;
            for layer in layers {
                if self.is_in(&layer.points)? {
                    here = Some(layer);
                    break;
                }
            }
            let layer = here?;
            let Some(step) = layer.step else {
                let late = late(self.arena, &diverging.sets[self.state]);
                let delay = self.delay_into(&late)?;
                return self.move_on(delay, None);
            };
            let target = self.arena.states[self.state].steps[step].target;
            let mut lower = Federation::empty(self.arena.dimension());
            for one in diverging.layers[target].iter().filter(|one| one.number < layer.number) {
                lower.unite(&one.points);
            }
            let before = self.before(step, &lower)?;
            let delay = self.delay_into(&before)?;
            self.move_on(delay, Some(step))?;
        }
    }

    /// The points inside from which a step leads into a set.
    fn before(&self, step: usize, target: &Federation) -> Option<Federation> {
        let mut before = self.arena.before(self.state, step, target);
        before.intersect(self.places[self.state].inside.invariant());
        (!before.is_empty()).then_some(before)
    }

    fn scale(&self) -> Rational {
        Rational::integer(self.arena.model().scale)
    }

    fn restart(&mut self) {
        let stopwatch = self.arena.stopwatch();
        self.clocks[stopwatch] = Rational::ZERO;
    }

    fn wait(&mut self, delay: Rational) -> Option<()> {
        for clock in self.clocks.iter_mut().skip(1) {
            *clock = clock.add(delay).ok()?;
        }
        Some(())
    }

    fn is_in(&self, set: &Federation) -> Option<bool> {
        for zone in set.zones() {
            let window = Window::of(&self.clocks, zone).ok()?;
            if window.is_some_and(|window| window.from == (Rational::ZERO, false)) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The least delay through points inside that leads into a set, if there is one.
    fn delay_into(&self, set: &Federation) -> Option<Rational> {
        let mut effort = Effort::unlimited(Cancel::new());
        let place = &self.places[self.state].inside;
        let earlier = effort.past(place, set).ok()?;
        if !self.is_in(&earlier)? {
            return None;
        }
        let mut set = set.clone();
        set.intersect(place.invariant());
        least_delay(&self.clocks, place.urgent(), &set).ok()?
    }

    /// Waits, and takes a step.
    fn move_on(&mut self, delay: Rational, step: Option<usize>) -> Option<()> {
        self.wait(delay)?;
        let arena = self.arena;
        let mut taken: Option<Step> = None;
        if let Some(step) = step {
            let here = &arena.states[self.state];
            let step = &here.steps[step];
            taken = Some(steps_of(&mut self.composer, &here.discrete).swap_remove(step.index));
            step.jump.assign(&mut self.clocks).ok()?;
            self.state = step.target;
        }
        self.moves.push(TimedStep { delay: delay.div(self.scale()).ok()?, step: taken });
        Some(())
    }

    /// The run walked, whose moves from a position on are repeated.
    fn run(mut self, begin: Option<usize>, goes: Goes) -> MaximalRun {
        let turn = begin.map(|begin| self.moves.split_off(begin)).unwrap_or_default();
        MaximalRun { stem: joined(self.moves), turn: joined(turn), goes }
    }
}

/// The same moves, where delays without a step are part of the next move.
fn joined(moves: Vec<TimedStep>) -> Vec<TimedStep> {
    let mut joined: Vec<TimedStep> = Vec::new();
    for one in moves {
        match joined.last_mut() {
            Some(last) if last.step.is_none() => match last.delay.add(one.delay) {
                Ok(delay) => *last = TimedStep { delay, step: one.step },
                Err(_) => joined.push(one),
            },
            _ => joined.push(one),
        }
    }
    joined
}
