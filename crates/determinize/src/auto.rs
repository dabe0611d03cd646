//! The search for resources that suffice.

use tioga_base::{Budget, Cancel, LimitReached};

use crate::determinize::determinize;
use crate::determinized::Determinized;
use crate::error::Error;
use crate::exactness::Exactness;
use crate::flat::flatten;
use crate::resources::{MOST_CLOCKS, Resources};
use crate::shortcut::is_deterministic;
use crate::subject::Subject;

/// How many attempts may take their full share of the work.
const ATTEMPTS: u64 = 4;

/// Tries increasing resources with `steps` steps of work in all and at most a quarter of them for
/// each: from one clock and the model's greatest constant on. The first exact result is returned;
/// if there is none, one that is not cut short, with the model's own resources or else the first.
///
/// # Errors
/// If no attempt gave a result.
pub fn determinize_auto<'m>(
    subject: impl Into<Subject<'m>>,
    max_constant: Option<u32>,
    steps: u64,
    cancel: &Cancel,
) -> Result<Determinized, Error> {
    let subject = subject.into();
    let model = subject.model;
    let own = subject.resources().ok_or_else(|| {
        let what = "the constants of the model are not known; give a maximal constant and a number of clocks";
        Error::Unsupported(what.to_owned())
    })?;
    let mut left = steps;
    // If a network is deterministic but for its inner channels, its own clocks are best.
    let mut budget = Budget::steps((steps / ATTEMPTS).max(1)).with_cancel(cancel.clone());
    let max_given = max_constant.unwrap_or(own.max_constant);
    let resources = Resources { clocks: model.clocks.len() + 1, max_constant: max_given };
    if (subject.goal.is_some() || !is_deterministic(model))
        && let Some(result) = flatten(subject, resources, &mut budget)?
    {
        return Ok(result);
    }
    // What flattening could not finish might have been exact.
    let mut exhausted = budget.used() >= (steps / ATTEMPTS).max(1);
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
                exhausted = true;
                continue;
            }
            let resources = Resources { clocks, max_constant };
            let share = (steps / ATTEMPTS).max(1).min(left);
            let mut budget = Budget::steps(share).with_cancel(cancel.clone());
            let result = determinize(subject, resources, &mut budget);
            left = left.saturating_sub(budget.used());
            match result {
                Ok(result) if result.exactness.is_exact() => return Ok(result),
                Ok(result) => {
                    exhausted |= result.exactness.is_cut_short();
                    // A result that is whole comes first, then one with the model's resources.
                    let worth =
                        |one: &Determinized| (!one.exactness.is_cut_short(), one.resources == own);
                    if best.as_ref().is_none_or(|best| worth(&result) > worth(best)) {
                        best = Some(result);
                    }
                }
                Err(error @ Error::Limit(LimitReached::Cancelled)) => return Err(error),
                Err(error) => {
                    exhausted |= matches!(error, Error::Limit(_));
                    failure = Some(error);
                }
            }
        }
    }
    if let Some(Exactness::Approximate { exhausted: noted, .. }) =
        best.as_mut().map(|best| &mut best.exactness)
    {
        *noted |= exhausted;
    }
    best.ok_or_else(|| failure.expect("every attempt gives a result or an error"))
}

/// What suits a model: the resources of its view, and how exact it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Suited {
    resources: Resources,
    exact: bool,
    cut_short: bool,
    exhausted: bool,
}

impl Suited {
    /// What the search found for a model. `None` if the view took no game.
    #[must_use]
    pub fn of(view: &Determinized) -> Option<Self> {
        let exhausted = match &view.exactness {
            Exactness::Approximate { exhausted, .. } => *exhausted,
            Exactness::Exact | Exactness::Unchanged => false,
        };
        let (exact, cut_short) = (view.exactness.is_exact(), view.exactness.is_cut_short());
        let resources = view.resources;
        (view.game_states > 0).then_some(Self { resources, exact, cut_short, exhausted })
    }
}

/// As [`determinize_auto`], for a product of a model with observers that have no clocks: the resources that suit the model
/// are tried first. An observer changes no trace, so fewer do not suffice for the product either, and where none
/// suffice for the model, the first result stands.
///
/// # Errors
/// If no attempt gave a result.
pub fn determinize_observed<'m>(
    subject: impl Into<Subject<'m>>,
    suited: Suited,
    max_constant: Option<u32>,
    steps: u64,
    cancel: &Cancel,
) -> Result<Determinized, Error> {
    let subject = subject.into();
    let mut budget = Budget::steps((steps / ATTEMPTS).max(1)).with_cancel(cancel.clone());
    match determinize(subject, suited.resources, &mut budget) {
        Ok(view) if view.exactness.is_exact() => return Ok(view),
        Ok(mut view) if !suited.exact && (suited.cut_short || !view.exactness.is_cut_short()) => {
            if let Exactness::Approximate { exhausted, .. } = &mut view.exactness {
                *exhausted |= suited.exhausted;
            }
            return Ok(view);
        }
        Err(error @ Error::Limit(LimitReached::Cancelled)) => return Err(error),
        _ => {}
    }
    determinize_auto(subject, max_constant, steps, cancel)
}

impl Determinized {
    /// Looks for slightly larger resources that give an exact result and notes them as a
    /// suggestion, with at most `steps` steps of work for each attempt. If it is cancelled meanwhile, there
    /// is no suggestion.
    pub fn suggest<'m>(&mut self, subject: impl Into<Subject<'m>>, steps: u64, cancel: &Cancel) {
        let subject = subject.into();
        let Exactness::Approximate { suggestion, exhausted, .. } = &mut self.exactness else {
            return;
        };
        *suggestion = self.resources.larger().into_iter().find(|resources| {
            let mut budget = Budget::steps(steps).with_cancel(cancel.clone());
            if cancel.is_cancelled() {
                *exhausted = true;
                return false;
            }
            let result = determinize(subject, *resources, &mut budget);
            *exhausted |= match &result {
                Ok(result) => result.exactness.is_cut_short(),
                Err(error) => matches!(error, Error::Limit(_)),
            };
            result.is_ok_and(|result| result.exactness.is_exact())
        });
    }
}
