//! Whether a tester can tell from what it sees where a model is. Ranks tell it what to do, so it must.

use tioga_base::Diagnostic;
use tioga_concrete::step_record;
use tioga_explore::{Limits, SearchOptions};
use tioga_model::{Model, Property, PropertyReport, PropertyVerdict, Role, properties};
use tioga_symbolic::Survey;

use crate::Failure;
use crate::words::{action, edges};

/// What the text does not show about the system: that it is deterministic and observable.
pub fn doubts(model: &Model) -> Vec<PropertyReport> {
    let of_system = |name: &str| {
        model
            .processes
            .iter()
            .any(|process| process.name == name && process.role != Role::Environment)
    };
    properties(model)
        .into_iter()
        .filter(|report| matches!(report.property, Property::Deterministic | Property::Observable))
        .filter(|report| {
            !matches!(report.verdict, PropertyVerdict::Holds | PropertyVerdict::NotApplicable(_))
        })
        .filter(|report| match &report.scope {
            tioga_model::PropertySubject::Process(name) => of_system(name),
            tioga_model::PropertySubject::Purpose(_) => false,
        })
        .collect()
}

/// Ranks tell a tester what to do, so it must be able to tell where it is: a model with an
/// interface must be deterministic and observable.
pub fn require_observation(model: &Model) -> Result<(), Failure> {
    let has_interface = model.channels.iter().any(|channel| channel.direction.is_some());
    if !has_interface || doubts(model).is_empty() {
        return Ok(());
    }
    match observation(model) {
        Err(error) => Err(Diagnostic::global("unsupported", error.to_string()).into()),
        Ok(Observation::Clear) => Ok(()),
        Ok(Observation::Hidden(message)) => {
            Err(Diagnostic::global("not-observable", message).into())
        }
        Ok(Observation::Ambiguous(message)) => {
            Err(Diagnostic::global("nondeterministic", message).into())
        }
    }
}

/// Whether a tester can tell from what it sees where a model is.
pub enum Observation {
    /// Always.
    Clear,
    /// Not after some internal move.
    Hidden(String),
    /// Not after some visible move, or that is not known.
    Ambiguous(String),
}

/// Looks at what is reachable, where the text of a model leaves it open.
pub fn observation(model: &Model) -> Result<Observation, tioga_symbolic::Error> {
    let limits = Limits { visited: Some(100_000), ..Limits::default() };
    let options = SearchOptions { limits, threads: 1, ..SearchOptions::default() };
    let survey = Survey::of(model, &options, &mut |_| {})?;
    let taken =
        |step: &tioga_model::Step| edges(&step_record(model, step).edges.unwrap_or_default());
    if let Some((_, step)) = &survey.internal {
        return Ok(Observation::Hidden(format!(
            "ranks need a model without internal moves: nobody sees {}",
            taken(step)
        )));
    }
    if let Some((_, moves)) = &survey.nondeterminism {
        let [one, other] = &**moves;
        return Ok(Observation::Ambiguous(format!(
            "ranks need a deterministic model: after `{}` the tester cannot tell {} from {}",
            action(&step_record(model, one).event),
            taken(one),
            taken(other)
        )));
    }
    Ok(match survey.incomplete {
        None => Observation::Clear,
        Some(reason) => Observation::Ambiguous(format!(
            "ranks need a deterministic model, and that is unknown: {reason}"
        )),
    })
}
