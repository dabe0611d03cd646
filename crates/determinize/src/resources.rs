//! How many clocks and which constants a result may use, and the search for resources that suffice.

use tioga_base::{Budget, Cancel, LimitReached, Rational};
use tioga_model::{MaximalConstant, Model, maximal_constants};

use crate::flat::flatten;
use crate::shortcut::is_deterministic;
use crate::{Determinized, Error, Exactness, MOST_CLOCKS, determinize};

/// What a result may use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Resources {
    /// How many clocks.
    pub clocks: usize,
    /// The greatest constant in guards and invariants, in units of `1 / scale` of the model.
    pub max_constant: u32,
}

impl Resources {
    /// As many clocks as the model has, at least one, and its greatest constant, at least 1.
    /// Nothing if the constants depend on data in an unknown way or are too large.
    #[must_use]
    pub fn of(model: &Model) -> Option<Self> {
        let mut greatest = 1;
        for constant in &maximal_constants(model) {
            let value = match constant {
                MaximalConstant::None => continue,
                MaximalConstant::Unknown(_) => return None,
                MaximalConstant::Known(value) => *value,
            };
            let scaled = value.mul(Rational::integer(model.scale)).ok()?.to_integer()?;
            greatest = greatest.max(u32::try_from(scaled).ok()?);
        }
        Some(Self { clocks: model.clocks.len().clamp(1, MOST_CLOCKS), max_constant: greatest })
    }

    /// What is worth trying when these do not suffice, the cheapest first: one more constant, twice
    /// the constant, one more clock.
    fn larger(self) -> Vec<Self> {
        let Self { clocks, max_constant } = self;
        vec![
            Self { clocks, max_constant: max_constant.saturating_add(1) },
            Self { clocks, max_constant: max_constant.saturating_mul(2) },
            Self { clocks: clocks + 1, max_constant },
            Self { clocks: clocks + 1, max_constant: max_constant.saturating_add(1) },
        ]
    }
}

/// How many attempts may take their full share of the work.
const ATTEMPTS: u64 = 4;

/// Tries increasing resources with `steps` steps of work in all and at most a quarter of them for
/// each: from one clock and the model's greatest constant on. The first exact result is returned;
/// if there is none, one that is not cut short, with the model's own resources or else the first.
///
/// # Errors
/// If no attempt gave a result.
pub fn determinize_auto(
    model: &Model,
    max_constant: Option<u32>,
    steps: u64,
    cancel: &Cancel,
) -> Result<Determinized, Error> {
    let own = Resources::of(model).ok_or_else(|| {
        let what = "the constants of the model are not known; give a maximal constant and a number of clocks";
        Error::Unsupported(what.to_owned())
    })?;
    let mut left = steps;
    // If a network is deterministic but for its inner channels, its own clocks are best.
    let mut budget = Budget::steps((steps / ATTEMPTS).max(1)).with_cancel(cancel.clone());
    let max_given = max_constant.unwrap_or(own.max_constant);
    let resources = Resources { clocks: model.clocks.len() + 1, max_constant: max_given };
    if !is_deterministic(model)
        && let Some(result) = flatten(model, resources, &mut budget)?
    {
        return Ok(result);
    }
    left = left.saturating_sub(budget.used());
    let constants = match max_constant {
        Some(constant) => vec![constant],
        None => {
            let mut all = vec![
                own.max_constant,
                own.max_constant.saturating_add(1),
                own.max_constant.saturating_mul(2),
            ];
            all.sort_unstable();
            all.dedup();
            all
        }
    };
    let mut best: Option<Determinized> = None;
    let mut failure = None;
    for clocks in 1..=(own.clocks + 1).min(MOST_CLOCKS) {
        for &max_constant in &constants {
            if left == 0 && best.is_some() {
                continue;
            }
            let resources = Resources { clocks, max_constant };
            let share = (steps / ATTEMPTS).max(1).min(left);
            let mut budget = Budget::steps(share).with_cancel(cancel.clone());
            let result = determinize(model, resources, &mut budget);
            left = left.saturating_sub(budget.used());
            match result {
                Ok(result) if result.exactness.is_exact() => return Ok(result),
                Ok(result) => {
                    // A result that is whole comes first, then one with the model's resources.
                    let worth =
                        |one: &Determinized| (!one.exactness.is_cut_short(), one.resources == own);
                    if best.as_ref().is_none_or(|best| worth(&result) > worth(best)) {
                        best = Some(result);
                    }
                }
                Err(error @ Error::Limit(LimitReached::Cancelled)) => return Err(error),
                Err(error) => failure = Some(error),
            }
        }
    }
    best.ok_or_else(|| failure.expect("every attempt gives a result or an error"))
}

impl Determinized {
    /// Looks for slightly larger resources that give an exact result and notes them as a
    /// suggestion, with at most `steps` steps of work for each attempt.
    pub fn suggest(&mut self, model: &Model, steps: u64) {
        let Exactness::Approximate { suggestion, .. } = &mut self.exactness else { return };
        *suggestion = self.resources.larger().into_iter().find(|resources| {
            determinize(model, *resources, &mut Budget::steps(steps))
                .is_ok_and(|result| result.exactness.is_exact())
        });
    }
}
