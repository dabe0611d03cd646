//! The knowledge of an observer about a model: a deterministic view of it.

use std::fmt;
use std::sync::OnceLock;

use tioga_base::{Budget, Cancel, Diagnostic, Rational, decimal};
use tioga_determinize::{
    Determinized, Error, Resources, Subject, Suited, determinize, determinize_auto,
    determinize_observed,
};
use tioga_model::Model;

use crate::data::{DataView, follows_classes};
use crate::effort::ViewOptions;
use crate::failure::stopped;
use crate::games::{Observation, observation, observation_limits};
use crate::{Effort, Failure};

/// How much of the budget goes into each attempt to find resources that suffice.
const SHARE_OF_SUGGESTION: u64 = 5;

impl ViewOptions {
    /// The deterministic view of a subject.
    pub(crate) fn view_of(
        &self,
        subject: Subject<'_>,
        cancel: &Cancel,
    ) -> Result<Determinized, NoView> {
        let model = subject.model;
        let max_constant = max_constant(self, model).map_err(NoView::Constant)?;
        let Some(clocks) = self.clocks else {
            return Ok(determinize_auto(subject, max_constant, self.max_steps, cancel)?);
        };
        let own = || subject.resources().map(|own| own.max_constant);
        let Some(max_constant) = max_constant.or_else(own) else {
            let message = "the greatest constant of the model is not known";
            let help = "give one with `--max-constant`";
            let diagnostic = Diagnostic::global("unknown-constant", message).help(help);
            return Err(NoView::Constant(diagnostic.into()));
        };
        let mut budget = Budget::steps(self.max_steps).with_cancel(cancel.clone());
        let mut view = determinize(subject, Resources { clocks, max_constant }, &mut budget)?;
        view.suggest(subject, self.max_steps / SHARE_OF_SUGGESTION, cancel);
        Ok(view)
    }
}

/// What the search for resources found for a model, for all that is asked about it.
#[derive(Clone, Default, Debug)]
pub(crate) struct SharedView(OnceLock<(ViewOptions, Option<Suited>)>);

impl SharedView {
    /// The view of a product of the model with observers. The first call looks for the resources that suit the model.
    pub fn view_of(
        &self,
        subject: Subject<'_>,
        model: &Model,
        options: &ViewOptions,
        cancel: &Cancel,
    ) -> Result<Determinized, NoView> {
        // With its own clocks, or with larger constants, the product may need more.
        let units = |model: &Model| (model.clocks.len(), model.scale);
        let same_clocks = units(subject.model) == units(model);
        let own = subject.resources().filter(|_| options.clocks.is_none() && same_clocks);
        let of_model = Subject::from(model).resources();
        if own.is_none() || own != of_model {
            return options.view_of(subject, cancel);
        }
        let (known, suited) = self.0.get_or_init(|| {
            let view = options.view_of(Subject::from(model), cancel);
            (*options, view.ok().as_ref().and_then(Suited::of))
        });
        match suited.filter(|_| known == options) {
            None => options.view_of(subject, cancel),
            Some(suited) => {
                let constant = max_constant(options, model).map_err(NoView::Constant)?;
                let steps = options.max_steps;
                Ok(determinize_observed(subject, suited, constant, steps, cancel)?)
            }
        }
    }
}

/// Why there is no deterministic view.
#[derive(Clone, Debug)]
pub(crate) enum NoView {
    /// The constant that was given is not one of the model, or none is known.
    Constant(Failure),
    /// The model is not supported, or a limit was reached.
    Error(Error),
}

impl From<Error> for NoView {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl fmt::Display for NoView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(failure) => failure.fmt(f),
            Self::Error(error) => error.fmt(f),
        }
    }
}

/// Makes a model deterministic, with the resources of the effort. If the budget is exhausted before there is a result, that is a failure
/// by [`Cause::Limit`](crate::Cause::Limit).
pub fn determinized<'m>(
    subject: impl Into<Subject<'m>>,
    effort: &mut Effort<'_>,
) -> Result<Determinized, Failure> {
    let subject = subject.into();
    let model = subject.model;
    let cancel = effort.cancel.clone();
    if let Some(unchanged) = unchanged(model, effort)? {
        return Ok(unchanged);
    }
    let error = match effort.view.view_of(subject, &cancel) {
        Ok(view) => return Ok(view),
        Err(NoView::Constant(failure)) => return Err(failure),
        Err(NoView::Error(error)) => error,
    };
    Err(match error {
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
