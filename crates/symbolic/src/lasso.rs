//! A run with infinitely many steps in bounded time, shown as a lasso: a way to some state, and a
//! sequence of steps that can be repeated from there for ever.
//!
//! From a point of the [`endless`](crate::endless) sets one walks on inside them. There are finitely
//! many regions (AD94), so one is met again; the steps between the two meetings can be repeated from
//! every point of the region, each time with suitable delays, and all turns together take at most
//! one unit of the model's constants.

use std::collections::BTreeMap;

use tioga_base::{Cancel, Rational};
use tioga_model::{Composer, MaximalConstant, Model, Step, TimeBound, Update, maximal_constants};

use tioga_zones::Federation;

use crate::Jump;
use crate::arena::{Arena, ArenaStep, steps_of};
use crate::effort::Effort;
use crate::ray::least_delay;
use crate::witness::TimedStep;

/// A run with infinitely many steps in bounded time.
#[derive(Clone, PartialEq, Debug)]
pub struct Lasso {
    /// The way from the start to where the repetition begins.
    pub stem: Vec<TimedStep>,
    /// One turn, which can be followed by another and so on, with delays that add up to one unit of
    /// the model's constants at most. Empty if the turn could not be told.
    pub turn: Vec<TimedStep>,
}

/// How many steps are walked at most before the attempt to find a repetition is given up.
const LONGEST: usize = 2_000;

/// The lasso that starts with a run into the sets.
pub(crate) fn lasso(
    arena: &Arena<'_, '_>,
    sets: &[Federation],
    allowed: impl Fn(&ArenaStep) -> bool,
    state: usize,
    mut stem: Vec<TimedStep>,
) -> Lasso {
    let model = arena.model();
    let mut walk = Walk { arena, sets, state, clocks: Vec::new(), composer: Composer::new(model) };
    if walk.follow(&stem).is_none() {
        return Lasso { stem, turn: Vec::new() };
    }
    let signs = Signs::of(model, &[], false);
    let mut met = BTreeMap::new();
    let mut steps: Vec<TimedStep> = Vec::new();
    while steps.len() < LONGEST {
        if let Some(begin) = met.insert((walk.state, signs.of_point(&walk.clocks)), steps.len()) {
            let turn = steps.split_off(begin);
            stem.extend(steps);
            return Lasso { stem, turn };
        }
        match walk.step(&allowed) {
            Some(step) => steps.push(step),
            None => break,
        }
    }
    Lasso { stem, turn: Vec::new() }
}

struct Walk<'a, 'g, 'm> {
    arena: &'a Arena<'g, 'm>,
    sets: &'a [Federation],
    state: usize,
    /// The values of the clocks as zones number them, the stopwatch last.
    clocks: Vec<Rational>,
    composer: Composer<'m>,
}

impl Walk<'_, '_, '_> {
    /// Goes where a run from the start leads and starts the stopwatch. None if numbers get too large.
    fn follow(&mut self, run: &[TimedStep]) -> Option<()> {
        self.clocks = vec![Rational::ZERO; self.arena.dimension()];
        let scale = Rational::integer(self.arena.model().scale);
        let mut state = self.composer.initial();
        for TimedStep { delay, step } in run {
            self.wait(delay.mul(scale).ok()?)?;
            if let Some(step) = step {
                let applied = self.composer.apply(&state, step).ok()?;
                let jump = Jump::of(step, &applied.assignments).ok()?;
                jump.assign(&mut self.clocks).ok()?;
                state = applied.target;
            }
        }
        debug_assert_eq!(
            state, self.arena.states[self.state].discrete,
            "the run ends in the state"
        );
        let stopwatch = self.arena.stopwatch();
        self.clocks[stopwatch] = Rational::ZERO;
        Some(())
    }

    fn wait(&mut self, delay: Rational) -> Option<()> {
        for clock in self.clocks.iter_mut().skip(1) {
            *clock = clock.add(delay).ok()?;
        }
        Some(())
    }

    /// Takes the first allowed step that stays inside the sets, as early as possible.
    fn step(&mut self, allowed: &impl Fn(&ArenaStep) -> bool) -> Option<TimedStep> {
        let states = &self.arena.states;
        let here = &states[self.state];
        let (delay, step) = here.steps.iter().enumerate().find_map(|(number, step)| {
            if !allowed(step) {
                return None;
            }
            let before = self.arena.before(self.state, number, &self.sets[step.target]);
            self.delay_into(&before).map(|delay| (delay, step))
        })?;
        let taken: Step = steps_of(&mut self.composer, &here.discrete).swap_remove(step.index);
        self.wait(delay)?;
        step.jump.assign(&mut self.clocks).ok()?;
        self.state = step.target;
        let scale = Rational::integer(self.arena.model().scale);
        Some(TimedStep { delay: delay.div(scale).ok()?, step: Some(taken) })
    }

    /// The least allowed delay into a set, if there is one.
    fn delay_into(&self, set: &Federation) -> Option<Rational> {
        let mut effort = Effort::unlimited(Cancel::new());
        let earlier = self.arena.earlier(self.state, set, &mut effort).ok()?;
        let nothing = Federation::empty(set.dimension());
        if !least_delay(&self.clocks, &nothing, &earlier).ok()??.is_zero() {
            return None;
        }
        least_delay(&self.clocks, self.arena.states[self.state].elapse.urgent(), set).ok()?
    }
}

/// What tells regions apart: for each clock its integer part and the rank of its fraction, or that it is
/// beyond its greatest constant.
pub(crate) type Sign = Vec<Option<(i64, Rational)>>;

/// How regions are told apart.
pub(crate) struct Signs {
    /// The greatest constant of each clock as zones number them, counted in units of `1 / scale`.
    greatest: Vec<Rational>,
    /// Whether constants tell regions apart; otherwise nothing but the point itself will do, the
    /// stopwatch included: such a turn takes no time.
    simple: bool,
}

impl Signs {
    /// The signs for a model and conditions beside it: the greatest constant of each clock in them, as
    /// zones number and count them, and whether they compare clocks with each other.
    pub fn of(model: &Model, beside: &[i64], compare: bool) -> Self {
        let scale = Rational::integer(model.scale);
        let mut simple = !compare && !compares(model);
        // A clock that is compared with nothing is beyond everything.
        let mut greatest = vec![Rational::integer(-1)];
        for constant in &maximal_constants(model) {
            let known = match constant {
                MaximalConstant::None => Some(Rational::integer(-1)),
                MaximalConstant::Known(value) => value.mul(scale).ok(),
                MaximalConstant::Unknown(_) => None,
            };
            simple &= known.is_some();
            greatest.push(known.unwrap_or(Rational::ZERO));
        }
        for (greatest, beside) in greatest.iter_mut().zip(beside).skip(1) {
            *greatest = (*greatest).max(Rational::integer(*beside));
        }
        match copies(model) {
            Copies::None => {}
            // What one clock is compared with may then decide about another.
            Copies::Forwards => {
                let most = greatest.iter().copied().max().unwrap_or(Rational::ZERO);
                greatest.fill(most);
            }
            Copies::Other => simple = false,
        }
        greatest.push(Rational::ONE);
        Self { greatest, simple }
    }

    /// The sign of a point.
    pub fn of_point(&self, clocks: &[Rational]) -> Sign {
        let fraction = |value: Rational| value.sub(Rational::integer(value.floor()));
        if !self.simple {
            return clocks.iter().map(|value| Some((0, *value))).collect();
        }
        let counted = |clock: usize| clocks[clock] <= self.greatest[clock];
        let mut fractions: Vec<Rational> = (1..clocks.len())
            .filter(|clock| counted(*clock))
            .filter_map(|clock| fraction(clocks[clock]).ok())
            .chain([Rational::ZERO])
            .collect();
        fractions.sort_unstable();
        fractions.dedup();
        let sign = |clock: usize| {
            let value = clocks[clock];
            let rank = fractions.binary_search(&fraction(value).ok()?).ok()?;
            let rank = i64::try_from(rank).ok()?;
            counted(clock).then_some((value.floor(), Rational::integer(rank)))
        };
        (1..clocks.len()).map(sign).collect()
    }
}

/// Whether some condition compares two clocks.
fn compares(model: &Model) -> bool {
    let edges = model.processes.iter().flat_map(|process| process.edges.iter());
    let locations = model.processes.iter().flat_map(|process| process.locations.iter());
    let conditions =
        locations.map(|location| &location.invariant).chain(edges.map(|edge| &edge.guard));
    let mut constraints =
        conditions.flat_map(|condition| &condition.disjuncts).flat_map(|one| &one.clocks);
    constraints.any(|one| one.left.is_some() && one.right.is_some())
}

/// How clocks are set from other clocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Copies {
    /// Not at all.
    None,
    /// With a constant added that is not negative.
    Forwards,
    /// In some other way.
    Other,
}

fn copies(model: &Model) -> Copies {
    let edges = model.processes.iter().flat_map(|process| process.edges.iter());
    let how = |update: &Update| match update {
        Update::Clock(set) if set.source.is_some() => match set.value {
            TimeBound::Constant(offset) if offset >= 0 => Copies::Forwards,
            TimeBound::Constant(_) | TimeBound::Expr(_) => Copies::Other,
        },
        _ => Copies::None,
    };
    edges.flat_map(|edge| &edge.updates).map(how).max().unwrap_or(Copies::None)
}
