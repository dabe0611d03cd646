//! Whether there are few enough regions to check them all, as far as some plays tell.
//!
//! Time alone leads through many regions of each discrete state that is met. Where these are too many already, a
//! walk through all regions would be given up, and what it had found by then would be lost.

use std::collections::BTreeMap;
use std::rc::Rc;

use fastrand::Rng;
use tioga_base::Overflow;

use super::joint::{At, Joint};
use super::random_play::play;
use crate::CheckOptions;
use crate::states::{CheckedState, Grid, Valuation};

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
    (joint.states, joint.advised) = (0, 0);
    least
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
