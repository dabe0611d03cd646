//! Checking states of random plays, and random points of the certificate's zones.
//!
//! Every second play follows the advice of the table against a random system; the others are random
//! on both sides. A play ends where the game is over. Points of zones need not be reachable, so for
//! them the table claims only upper bounds.

use std::rc::Rc;

use fastrand::Rng;
use tioga_base::{Id, Overflow, Rational};
use tioga_model::ClockConjunction;
use tioga_testcase::Advice;

use super::checker::{Checker, Claim};
use crate::states::{CheckedState, Landing, Piece, Ray, Valuation, landing, simplest};
use crate::{CheckCoverage, CheckOptions, Error};

/// Checks samples.
pub(crate) fn check(
    checker: &mut Checker<'_, '_>,
    options: &CheckOptions,
) -> Result<CheckCoverage, Error> {
    let regions = checker.states;
    let mut random = Rng::with_seed(options.seed);
    for play in 0..options.plays {
        let guided = checker.has_rules && play % 2 == 0;
        one_play(checker, options, &mut random, guided)?;
    }
    let mut points = 0;
    for index in 0..checker.known_states.len() {
        let checked = checker.known_states.at(index);
        if checked.fail {
            continue;
        }
        for zone in checked.said.zones() {
            for _ in 0..options.points {
                if options.cancel.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                let clocks = checker.model().clocks.len();
                let Some(point) = point(zone, clocks, &mut random)? else { continue };
                if point.satisfies(&checked.invariant)? {
                    points += 1;
                    checker.check(&checked, &point, Claim::UpperBound)?;
                }
            }
        }
    }
    Ok(CheckCoverage::Sampled { regions, plays: options.plays, points })
}

/// Plays from the initial state to the end of the game or of patience.
fn one_play(
    checker: &mut Checker<'_, '_>,
    options: &CheckOptions,
    random: &mut Rng,
    guided: bool,
) -> Result<(), Error> {
    let (mut checked, mut clocks) = checker.start()?;
    for _ in 0..options.steps {
        if options.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if checked.fail {
            return Ok(());
        }
        let ray = checker.check(&checked, &clocks, Claim::Exact)?;
        if ray.now().goal || ray.now().forbidden {
            return Ok(());
        }
        let choices = choices(&checked, &ray, guided);
        let Some(&(at, chosen)) = random.choice(&choices) else {
            // Nothing happens any more, but time may pass.
            for piece in &ray.pieces[1..] {
                checker.check(&checked, &simplest(&clocks.later(piece.delay)?)?, Claim::Exact)?;
                if piece.goal || piece.forbidden {
                    break;
                }
            }
            return Ok(());
        };
        let before = simplest(&clocks.later(ray.pieces[at].delay)?)?;
        if at > 0 {
            let there = checker.check(&checked, &before, Claim::Exact)?;
            if there.now().goal || there.now().forbidden {
                return Ok(());
            }
        }
        let step = &checked.steps[chosen.position];
        let Some(after) = landing(step, &before)? else { return Ok(()) };
        let target = checker.known_states.checked(&step.target)?;
        clocks = simplest(&after)?;
        checked = target;
    }
    Ok(())
}

/// The steps that may come next, each with its piece of the ray.
fn choices(checked: &Rc<CheckedState<'_>>, ray: &Ray, guided: bool) -> Vec<(usize, Landing)> {
    let mut choices = Vec::new();
    for (at, piece) in ray.pieces.iter().enumerate() {
        let advised = advised(checked, piece).filter(|_| guided);
        let fits = |landing: &&Landing| !guided || !landing.input || Some(landing.index) == advised;
        let followed = |landing: &&Landing| checked.steps[landing.position].followed;
        let landings = piece.landings.iter().filter(followed).filter(fits);
        choices.extend(landings.map(|landing| (at, *landing)));
        if advised.is_some() || piece.goal || piece.forbidden {
            break;
        }
    }
    choices
}

/// The step that the table tells the tester to make at a piece.
fn advised(checked: &CheckedState<'_>, piece: &Piece) -> Option<u32> {
    match checked.said.ranks()?.rules[piece.rule?].advice {
        Advice::Play(index) => Some(index),
        _ => None,
    }
}

/// A random point of a zone, often at its bounds; nothing if the zone is empty.
fn point(
    zone: &ClockConjunction,
    clocks: usize,
    random: &mut Rng,
) -> Result<Option<Valuation>, Overflow> {
    let Some(bounds) = tightest(zone, clocks) else { return Ok(None) };
    let n = clocks + 1;
    let mut values: Vec<Rational> = vec![Rational::ZERO];
    for clock in 1..n {
        // Bounds by the clocks that have a value; since bounds are tightest, some value fits.
        let mut lower: Option<(Rational, bool)> = None;
        let mut upper: Option<(Rational, bool)> = None;
        for (other, value) in values.iter().enumerate() {
            if let Some((bound, strict)) = bounds[clock * n + other] {
                let limit = (value.add(Rational::integer(bound))?, strict);
                let tighter = |(old, open): (Rational, bool)| {
                    limit.0 < old || (limit.0 == old && strict && !open)
                };
                if upper.is_none_or(tighter) {
                    upper = Some(limit);
                }
            }
            if let Some((bound, strict)) = bounds[other * n + clock] {
                let limit = (value.sub(Rational::integer(bound))?, strict);
                let tighter = |(old, open): (Rational, bool)| {
                    limit.0 > old || (limit.0 == old && strict && !open)
                };
                if lower.is_none_or(tighter) {
                    lower = Some(limit);
                }
            }
        }
        let (low, low_open) = lower.unwrap_or((Rational::ZERO, false));
        let (high, high_open) = match upper {
            Some(upper) => upper,
            None => (low.add(Rational::integer(random.i64(1..=8)))?, false),
        };
        let parts = random.i64(2..=4);
        let inside = high.sub(low)?.mul(Rational::new(random.i64(1..parts), parts)?)?;
        values.push(match random.u8(..3) {
            0 if !low_open => low,
            1 if !high_open => high,
            _ => low.add(inside)?,
        });
    }
    let point = Valuation(values.split_off(1));
    Ok(point.meets_all(zone)?.then_some(point).filter(|p| !p.0.iter().any(|v| v.is_negative())))
}

/// A bound and whether it is strict; nothing if there is none.
type Limit = Option<(i64, bool)>;

/// The tightest bounds on all differences, clock 0 being zero, that follow from those of a zone;
/// nothing if they contradict each other.
fn tightest(zone: &ClockConjunction, clocks: usize) -> Option<Vec<Limit>> {
    let n = clocks + 1;
    let mut bounds: Vec<Limit> = vec![None; n * n];
    for clock in 0..n {
        bounds[clock * n + clock] = Some((0, false));
        bounds[clock] = Some((0, false));
    }
    for bound in zone {
        let index =
            |clock: Option<tioga_model::ClockId>| clock.map_or(0, |clock| clock.index() + 1);
        let place = &mut bounds[index(bound.left) * n + index(bound.right)];
        *place = Some(tighter(*place, (bound.bound, bound.strict)));
    }
    for via in 0..n {
        for left in 0..n {
            for right in 0..n {
                let (Some(one), Some(two)) = (bounds[left * n + via], bounds[via * n + right])
                else {
                    continue;
                };
                let sum = (one.0.checked_add(two.0)?, one.1 || two.1);
                let place = &mut bounds[left * n + right];
                *place = Some(tighter(*place, sum));
            }
        }
    }
    let consistent = |clock: usize| bounds[clock * n + clock] == Some((0, false));
    (0..n).all(consistent).then_some(bounds)
}

fn tighter(old: Limit, new: (i64, bool)) -> (i64, bool) {
    match old {
        Some(old) if old.0 < new.0 || (old.0 == new.0 && (old.1 || !new.1)) => old,
        _ => new,
    }
}
