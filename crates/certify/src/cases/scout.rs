//! Whether there are few enough regions to check them all, as far as some plays tell.
//!
//! Time alone leads through many regions of each discrete state that is met. Where these are too many already, a
//! walk through all regions would be given up, and what it had found by then would be lost. A test case may end soon
//! where the model goes on, so the model is also played alone.

use std::collections::BTreeMap;
use std::rc::Rc;

use fastrand::Rng;
use tioga_base::Overflow;

use super::joint::{At, Joint};
use super::random_play::play;
use crate::states::{CheckedState, CheckedStates, Grid, Valuation, landing, moments, simplest};
use crate::{CheckOptions, Error};

/// How many plays look for regions.
const PLAYS: u32 = 4;

/// How many regions there are at least.
#[derive(Default)]
pub(super) struct Least {
    /// Of the model.
    pub model: usize,
    /// Of model and test case.
    pub joint: usize,
}

/// Looks at some plays. What they refute is found again by the check itself.
pub(super) fn scout<'t>(joint: &mut Joint<'_, 't, '_>, options: &CheckOptions) -> Least {
    let clocks = joint.model().clocks.len();
    let mut model = Met { grid: Grid::new(clocks), states: BTreeMap::new() };
    let mut both = Met { grid: joint.grid(), states: BTreeMap::new() };
    let ends: Vec<bool> = joint.places.iter().map(|place| !place.verdicts.is_empty()).collect();
    let mut random = Rng::with_seed(options.seed);
    let mut least = Least::default();
    for number in 0..PLAYS {
        let mut met = |at: &At<'t>| {
            let own = Valuation(at.clocks.0[..clocks].to_vec());
            model.meet((at.checked.index, 0), &at.checked, &own);
            if !ends[at.place] {
                both.meet((at.checked.index, at.place), &at.checked, &at.clocks);
            }
            Ok(())
        };
        let played = play(joint, options, number, &mut random, &mut met);
        // A number that does not fit is met again, too.
        let [in_model, in_both] = [model.least(), both.least()].map(|least| least.unwrap_or(0));
        least = Least { model: in_model, joint: in_both };
        if played.is_err() || in_model.min(in_both) > options.max_regions {
            break;
        }
    }
    // What the model alone comes to does not belong to the check.
    let claims = joint.known_states.claims();
    let mut known_states = CheckedStates::new(joint.model(), claims, options.span);
    let mut alone = Met { grid: Grid::new(clocks), states: BTreeMap::new() };
    for _ in 0..PLAYS {
        let enough = least.model > options.max_regions;
        if enough || wander(&mut known_states, options, &mut random, &mut alone).is_err() {
            break;
        }
        least.model = least.model.max(alone.least().unwrap_or(0));
    }
    (joint.states, joint.advised) = (0, 0);
    least
}

/// Plays the model alone, as far as the goal is certainly not met.
fn wander<'t>(
    known_states: &mut CheckedStates<'_, 't>,
    options: &CheckOptions,
    random: &mut Rng,
    met: &mut Met<'t>,
) -> Result<(), Error> {
    let mut checked = known_states.initial()?;
    let mut clocks = Valuation::zero(known_states.model().clocks.len());
    for _ in 0..options.steps {
        met.meet((checked.index, 0), &checked, &clocks);
        if checked.may_be_over() {
            break;
        }
        let still = checked.stops_time || !checked.urgent.is_empty();
        let mut next = Vec::new();
        for moment in moments(&checked, &[], &clocks)? {
            let here = clocks.later(moment)?;
            if (still && !moment.is_zero()) || !here.satisfies(&checked.invariant)? {
                break;
            }
            for step in checked.steps.iter().filter(|step| !step.fail) {
                next.extend(landing(step, &here)?.map(|after| (&step.target, after)));
            }
        }
        if next.is_empty() {
            break;
        }
        let (target, after) = next.swap_remove(random.usize(..next.len()));
        let target = known_states.checked(target)?;
        (checked, clocks) = (target, simplest(&after)?);
    }
    Ok(())
}

/// Discrete states that were met.
struct Met<'t> {
    grid: Grid,
    /// Each with the clocks at the first time.
    states: BTreeMap<(usize, usize), (Rc<CheckedState<'t>>, Valuation)>,
}

impl<'t> Met<'t> {
    fn meet(&mut self, key: (usize, usize), checked: &Rc<CheckedState<'t>>, clocks: &Valuation) {
        self.grid.note(checked);
        self.states.entry(key).or_insert_with(|| (Rc::clone(checked), clocks.clone()));
    }

    /// How many regions there are at least: time leads through so many in each of these states.
    fn least(&self) -> Result<usize, Overflow> {
        self.states.values().map(|(checked, clocks)| self.grid.ahead(checked, clocks)).sum()
    }
}
