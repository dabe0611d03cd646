//! The knowledge of an observer about a model: a deterministic view of it.

use tioga_base::{Budget, Diagnostic, Rational, decimal};
use tioga_determinize::{Determinized, Error, Resources, Subject, determinize, determinize_auto};
use tioga_model::Model;

use crate::data::{DataView, follows_classes};
use crate::failure::stopped;
use crate::games::{Observation, observation, observation_limits};
use crate::{Effort, Failure};

/// How much of the budget goes into each attempt to find resources that suffice.
const SHARE_OF_SUGGESTION: u64 = 5;

/// The resources of a deterministic view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ViewOptions {
    /// How many clocks it may have; as few as suffice if `None`.
    pub clocks: Option<usize>,
    /// The greatest constant its clocks may be compared with, in time units of the model.
    pub max_constant: Option<Rational>,
    /// The budget, in steps of work.
    pub max_steps: u64,
}

/// Makes a model deterministic. If the budget is exhausted before there is a result, that is a failure
/// by [`Cause::Limit`](crate::Cause::Limit).
pub fn determinized<'m>(
    subject: impl Into<Subject<'m>>,
    options: &ViewOptions,
    effort: &mut Effort<'_>,
) -> Result<Determinized, Failure> {
    let subject = subject.into();
    let model = subject.model;
    let max_constant = max_constant(options, model)?;
    let cancel = effort.cancel.clone();
    if let Some(unchanged) = unchanged(model, effort)? {
        return Ok(unchanged);
    }
    let result = match options.clocks {
        None => determinize_auto(subject, max_constant, options.max_steps, &cancel),
        Some(clocks) => {
            let own = || subject.resources().map(|own| own.max_constant);
            let Some(max_constant) = max_constant.or_else(own) else {
                let message = "the greatest constant of the model is not known";
                let help = "give one with `--max-constant`";
                return Err(Diagnostic::global("unknown-constant", message).help(help).into());
            };
            let mut budget = Budget::steps(options.max_steps).with_cancel(cancel.clone());
            let result = determinize(subject, Resources { clocks, max_constant }, &mut budget);
            result.map(|mut result| {
                result.suggest(subject, options.max_steps / SHARE_OF_SUGGESTION, &cancel);
                result
            })
        }
    };
    result.map_err(|error| match error {
        Error::Limit(_) if cancel.is_cancelled() => {
            stopped("the search for a deterministic view", &cancel)
        }
        Error::Limit(limit) => {
            let message = format!("no deterministic view: {limit}");
            Failure::limit(Diagnostic::global("no-view", message))
        }
        Error::Invalid(_) => Failure::internal(Diagnostic::global("view", error.to_string())),
        _ if follows_classes(model) => {
            let help = "`tioga test --online` and `tioga monitor` follow such a model as it is; a view needs inputs \
                        with at most 4096 values";
            Diagnostic::global("not-determinized", error.to_string()).help(help).into()
        }
        _ => Diagnostic::global("not-determinized", error.to_string()).into(),
    })
}

/// The model itself where messages carry many values and their classes show that it is deterministic.
fn unchanged(model: &Model, effort: &mut Effort<'_>) -> Result<Option<Determinized>, Failure> {
    if !follows_classes(model) {
        return Ok(None);
    }
    let Ok(Some(view)) = DataView::of(model, &[], effort) else { return Ok(None) };
    let limits = observation_limits(effort, None);
    let Ok(Observation::Clear) = observation(view.model(), limits) else { return Ok(None) };
    let resources = Resources::of(model);
    let resources = resources.unwrap_or(Resources { clocks: model.clocks.len(), max_constant: 0 });
    Ok(Some(Determinized::unchanged(model, resources)))
}

/// The greatest constant in the units of the model.
fn max_constant(options: &ViewOptions, model: &Model) -> Result<Option<u32>, Failure> {
    let Some(time) = options.max_constant else { return Ok(None) };
    let scaled = time.mul(Rational::integer(model.scale)).ok().and_then(Rational::to_integer);
    match scaled.and_then(|constant| u32::try_from(constant).ok()) {
        Some(constant) => Ok(Some(constant)),
        None => {
            let message = format!(
                "the constant {} is not a multiple of the model's finest unit",
                decimal(time)
            );
            let unit = format!("clock constants are multiples of 1/{}", model.scale);
            Err(Diagnostic::global("bad-constant", message).note(unit).into())
        }
    }
}
