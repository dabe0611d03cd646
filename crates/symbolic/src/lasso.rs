//! A run with infinitely many moves in bounded time, shown as a lasso: a way to some state, and a
//! sequence of moves that can be repeated from there for ever.
//!
//! From a point of the [`endless`](crate::endless) sets one walks on inside them. There are finitely
//! many regions (AD94), so one is met again; the moves between the two meetings can be repeated from
//! every point of the region, each time with suitable delays, and all turns together take at most
//! one unit of the model's constants.

use std::collections::BTreeMap;

use tioga_base::{Id, Rational};
use tioga_model::{Composer, MaximalConstant, Model, Move, Update, maximal_constants};
use tioga_zones::{Federation, Zone};

use crate::Error;
use crate::arena::{Arena, Step, moves_of};
use crate::witness::{TimedStep, least_delay};

/// A run with infinitely many moves in bounded time.
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
    allowed: impl Fn(&Step) -> bool,
    room: usize,
    mut stem: Vec<TimedStep>,
) -> Result<Lasso, Error> {
    let model = arena.model();
    let mut walk = Walk { arena, sets, room, clocks: Vec::new(), composer: Composer::new(model) };
    if walk.follow(&stem).is_none() {
        return Ok(Lasso { stem, turn: Vec::new() });
    }
    let signs = Signs::of(model);
    let mut met = BTreeMap::new();
    let mut steps: Vec<TimedStep> = Vec::new();
    while steps.len() < LONGEST {
        if let Some(begin) = met.insert((walk.room, signs.of_point(&walk.clocks)), steps.len()) {
            let turn = steps.split_off(begin);
            stem.extend(steps);
            return Ok(Lasso { stem, turn });
        }
        match walk.step(&allowed) {
            Some(step) => steps.push(step),
            None => break,
        }
    }
    Ok(Lasso { stem, turn: Vec::new() })
}

struct Walk<'a, 'g, 'm> {
    arena: &'a Arena<'g, 'm>,
    sets: &'a [Federation],
    room: usize,
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
                self.assign(&applied.assignments)?;
                state = applied.target;
            }
        }
        debug_assert_eq!(state, self.arena.rooms[self.room].state, "the run ends in the room");
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

    fn assign(&mut self, assignments: &[tioga_model::ClockAssignment]) -> Option<()> {
        for assignment in assignments {
            let source = assignment.source.map_or(Rational::ZERO, |s| self.clocks[s.index() + 1]);
            let value = source.add(Rational::integer(assignment.value)).ok()?;
            self.clocks[assignment.clock.index() + 1] = value;
        }
        Some(())
    }

    /// Takes the first allowed step that stays inside the sets, as early as possible.
    fn step(&mut self, allowed: &impl Fn(&Step) -> bool) -> Option<TimedStep> {
        let rooms = &self.arena.rooms;
        let here = &rooms[self.room];
        let (delay, step) = here.steps.iter().enumerate().find_map(|(number, step)| {
            if !allowed(step) {
                return None;
            }
            let before = self.arena.before(self.room, number, &self.sets[step.target]);
            let delays = before.zones().iter().filter_map(|zone| self.delay_into(zone));
            delays.min().map(|delay| (delay, step))
        })?;
        let taken: Move = moves_of(&mut self.composer, &here.state).swap_remove(step.index);
        let applied = self.composer.apply(&here.state, &taken).ok()?;
        self.wait(delay)?;
        self.assign(&applied.assignments)?;
        self.room = step.target;
        let scale = Rational::integer(self.arena.model().scale);
        Some(TimedStep { delay: delay.div(scale).ok()?, step: Some(taken) })
    }

    /// The least delay into a zone, if there is one and it is allowed.
    fn delay_into(&self, zone: &Zone) -> Option<Rational> {
        if !has_differences(zone, &self.clocks)? {
            return None;
        }
        let delay = least_delay(&self.clocks, zone)?;
        let place = &self.arena.rooms[self.room].place;
        // With one convex invariant and nothing urgent, a way between two points is inside.
        let plain =
            place.passes_time() && place.invariant().len() == 1 && place.urgent().is_empty();
        (plain || delay.is_zero()).then_some(delay)
    }
}

/// Whether the differences of clocks, which delays do not change, are those of a zone. None if
/// numbers get too large.
fn has_differences(zone: &Zone, clocks: &[Rational]) -> Option<bool> {
    for (i, left) in clocks.iter().enumerate().skip(1) {
        for (j, right) in clocks.iter().enumerate().skip(1) {
            let bound = zone.bound(i, j);
            let Some(most) = bound.constant() else { continue };
            let (most, difference) = (Rational::integer(most.into()), left.sub(*right).ok()?);
            if difference > most || difference == most && bound.is_strict() {
                return Some(false);
            }
        }
    }
    Some(true)
}

/// What tells regions apart: for each clock its integer part and the rank of its fraction, or that it is
/// beyond its greatest constant.
type Sign = Vec<Option<(i64, Rational)>>;

/// How regions are told apart.
struct Signs {
    /// The greatest constant of each clock as zones number them, counted in units of `1 / scale`.
    greatest: Vec<Rational>,
    /// Whether clocks are only compared with constants and set to constants; otherwise nothing
    /// but the point itself will do, the stopwatch included: such a turn takes no time.
    simple: bool,
}

impl Signs {
    fn of(model: &Model) -> Self {
        let scale = Rational::integer(model.scale);
        let mut simple = !compares_or_copies(model);
        let mut greatest = vec![Rational::ZERO];
        for constant in &maximal_constants(model) {
            greatest.push(match constant {
                // A clock that is compared with nothing is beyond everything.
                MaximalConstant::None => Rational::integer(-1),
                MaximalConstant::Known(value) => value.mul(scale).unwrap_or_else(|_| {
                    simple = false;
                    Rational::ZERO
                }),
                MaximalConstant::Unknown(_) => {
                    simple = false;
                    Rational::ZERO
                }
            });
        }
        greatest.push(Rational::ONE);
        Self { greatest, simple }
    }

    fn of_point(&self, clocks: &[Rational]) -> Sign {
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

/// Whether some condition compares two clocks, or some clock is set from another.
fn compares_or_copies(model: &Model) -> bool {
    let edges = || model.processes.iter().flat_map(|process| process.edges.iter());
    let locations = model.processes.iter().flat_map(|process| process.locations.iter());
    let conditions =
        locations.map(|location| &location.invariant).chain(edges().map(|edge| &edge.guard));
    let mut constraints =
        conditions.flat_map(|condition| &condition.disjuncts).flat_map(|one| &one.clocks);
    let copies = |update: &Update| matches!(update, Update::Clock(set) if set.source.is_some());
    constraints.any(|one| one.left.is_some() && one.right.is_some())
        || edges().flat_map(|edge| &edge.updates).any(copies)
}
