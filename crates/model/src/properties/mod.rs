//! Properties of a process that its text alone decides, each with a witness where it fails.
//!
//! "On the text" means: for every location, every clock valuation within its invariant and every
//! value the types of the data admit, whether or not a run leads there. A property that holds here
//! holds in every reachable state; one that fails here may still hold in all reachable ones.
//! Nothing here uses zones or explores states: it is the slow, obvious decision procedure.
//!
//! Data is enumerated while the combinations are few ([`POINT_LIMIT`]); beyond that the verdict is
//! [`PropertyVerdict::Unknown`] and names the variable, unless the initial data already refutes the
//! property.

mod closure;
mod constants;
mod cover;
mod deterministic;
mod enabled;
mod event_recording;
mod input_complete;
mod integer_reset;
mod internal;
mod marks;
mod non_zeno;
mod points;
mod property;
mod relax;
mod shape;
mod shared;
mod subject;
#[cfg(test)]
mod testing;
mod verdict;

use tioga_base::Cancel;

use crate::{Model, Role};
use shared::Shared;
use subject::Subject;

pub use constants::{MaximalConstant, maximal_constants};
pub(crate) use non_zeno::{Arrow, violating_cycle};
pub use points::POINT_LIMIT;
pub use property::{Property, PropertyReport, PropertySubject};
pub use verdict::{ClockValue, DataValue, PropertyVerdict, PropertyWitness};

/// Decides every property for every process, then for every purpose, in order.
pub fn properties(model: &Model) -> Vec<PropertyReport> {
    decided(model, &Property::ALL, &Cancel::new())
}

/// The same until cancelled; what is not decided then is unknown, for that reason.
pub fn properties_until(model: &Model, cancel: &Cancel) -> Vec<PropertyReport> {
    decided(model, &Property::ALL, cancel)
}

/// Decides some properties for every process, then for every purpose, in order.
pub fn properties_among(model: &Model, wanted: &[Property]) -> Vec<PropertyReport> {
    decided(model, wanted, &Cancel::new())
}

fn decided(model: &Model, wanted: &[Property], cancel: &Cancel) -> Vec<PropertyReport> {
    let shared = Shared::new(model, wanted.len());
    let processes = model.processes.ids().map(|id| Subject::process(&shared, id, cancel));
    let purposes = model.purposes.iter().map(|purpose| Subject::purpose(&shared, purpose, cancel));
    let mut reports = Vec::new();
    for subject in processes.chain(purposes) {
        for (position, &property) in wanted.iter().enumerate() {
            subject.take_budget(position);
            let verdict = decide(&subject, property);
            subject.return_budget(position);
            reports.push(PropertyReport { property, scope: subject.scope(), verdict });
        }
    }
    reports
}

fn decide(subject: &Subject<'_>, property: Property) -> PropertyVerdict {
    let applies = match property {
        Property::Observable | Property::InputComplete if subject.is_purpose() => {
            Err("a purpose only observes")
        }
        Property::InputComplete if subject.process.role == Role::Environment => {
            Err("it is part of the environment")
        }
        Property::StronglyNonZeno if subject.is_purpose() => {
            Err("a purpose moves only when the system does")
        }
        _ => Ok(()),
    };
    if let Err(reason) = applies {
        return PropertyVerdict::NotApplicable(reason.into());
    }
    if let Some(reason) = subject.cancel.reason() {
        return PropertyVerdict::Unknown(reason.to_string());
    }
    match property {
        Property::Deterministic => deterministic::decide(subject),
        Property::Observable => internal::decide(subject),
        Property::InputComplete => input_complete::decide(subject),
        Property::StronglyNonZeno => non_zeno::decide(subject),
        Property::EventRecording => event_recording::decide(subject),
        Property::IntegerReset => integer_reset::decide(subject),
        Property::DiagonalFree => shape::diagonal_free(subject),
        Property::Closed => shape::closed(subject),
        Property::InvariantFree => shape::invariant_free(subject),
        Property::UrgencyFree => shape::urgency_free(subject),
        Property::DataFree => shape::data_free(subject),
    }
}
