//! Properties of a process that its text alone decides, each with a witness where it fails.
//!
//! "On the text" means: for every location, every clock valuation within its invariant and every
//! value the types of the data admit, whether or not a run leads there. A property that holds here
//! holds in every reachable state; one that fails here may still hold in all reachable ones.
//! Nothing here uses zones or explores states: it is the slow, obvious decision procedure.
//!
//! Data is enumerated while the combinations are few ([`POINT_LIMIT`]); beyond that the verdict is
//! [`Verdict::Unknown`] and names the variable, unless the initial data already refutes the
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
mod non_zeno;
mod points;
pub(crate) mod reads;
mod relax;
mod shape;
mod subject;
#[cfg(test)]
mod testing;

use std::fmt;

use tioga_base::{Rational, Span};

use crate::{ClockId, EdgeId, LocationId, Model, Role};
use subject::Subject;

pub use constants::{MaximalConstant, maximal_constants};

/// How many combinations of data values are tried for one question.
pub const POINT_LIMIT: u64 = 65_536;

/// A property of one process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Property {
    /// No two edges with the same action are enabled together (HJM22 2.1).
    Deterministic,
    /// Every edge shows an action of the interface.
    Observable,
    /// Every input is enabled everywhere (HJM22 2.1).
    InputComplete,
    /// Every cycle takes at least a fixed positive amount of time (AMPS98).
    StronglyNonZeno,
    /// Each clock measures the time since the last occurrence of one action (AFH94).
    EventRecording,
    /// Clocks are reset only at integer times (SPKM08).
    IntegerReset,
    /// No condition compares two clocks with each other.
    DiagonalFree,
    /// No condition on clocks is strict.
    Closed,
    /// No location has an invariant.
    InvariantFree,
    /// No location is urgent or committed and no channel urgent.
    UrgencyFree,
    /// Nothing depends on data.
    DataFree,
}

/// What is known about a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It does not hold, for this reason.
    Fails(Witness),
    /// It was not decided, for this reason.
    Unknown(String),
    /// The question does not arise, for this reason.
    NotApplicable(String),
}

/// Why a property does not hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Witness {
    /// The reason in a sentence, without a full stop.
    pub sentence: String,
    /// The places to look at, the most important first, with a few words about each.
    pub spans: Vec<(Span, String)>,
    /// The location it concerns.
    pub location: Option<LocationId>,
    /// The edges it concerns; for a cycle, in order.
    pub edges: Vec<EdgeId>,
    /// Values of the clocks that matter, in written time units; the others may have any value.
    pub clocks: Vec<ClockValue>,
    /// Values of the variables and received parameters that matter.
    pub data: Vec<DataValue>,
    /// Further places where the property fails, shortened to a few words.
    pub others: Vec<String>,
}

/// The value of a clock in a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockValue {
    /// The clock.
    pub clock: ClockId,
    /// Its name.
    pub name: String,
    /// Its value in written time units.
    pub value: Rational,
}

/// The value of a variable or received parameter in a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataValue {
    /// The name of the data slot, such as `Gate.list[2]`.
    pub name: String,
    /// Its value; a location's is its position.
    pub value: i64,
    /// The value as the user would write it.
    pub text: String,
}

/// What a report is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// A process of the network, by name.
    Process(String),
    /// A test purpose, by name.
    Purpose(String),
}

/// The verdict on one property of one process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The property.
    pub property: Property,
    /// Which process.
    pub scope: Scope,
    /// The verdict.
    pub verdict: Verdict,
}

impl Property {
    /// All properties, in the order of reports.
    pub const ALL: [Self; 11] = [
        Self::Deterministic,
        Self::Observable,
        Self::InputComplete,
        Self::StronglyNonZeno,
        Self::EventRecording,
        Self::IntegerReset,
        Self::DiagonalFree,
        Self::Closed,
        Self::InvariantFree,
        Self::UrgencyFree,
        Self::DataFree,
    ];

    /// Its name, fit for a flag or a key.
    pub fn name(self) -> &'static str {
        match self {
            Self::Deterministic => "deterministic",
            Self::Observable => "observable",
            Self::InputComplete => "input-complete",
            Self::StronglyNonZeno => "strongly-non-zeno",
            Self::EventRecording => "event-recording",
            Self::IntegerReset => "integer-reset",
            Self::DiagonalFree => "diagonal-free",
            Self::Closed => "closed",
            Self::InvariantFree => "invariant-free",
            Self::UrgencyFree => "urgency-free",
            Self::DataFree => "data-free",
        }
    }

    /// What it says, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Deterministic => "no two edges with the same action are enabled together",
            Self::Observable => "every edge shows an action of the interface",
            Self::InputComplete => "every input is enabled in every location at all times",
            Self::StronglyNonZeno => "every cycle takes a fixed positive amount of time",
            Self::EventRecording => "each clock is reset exactly with one action",
            Self::IntegerReset => "clocks are reset only at integer times",
            Self::DiagonalFree => "no condition compares two clocks",
            Self::Closed => "no condition on clocks is strict",
            Self::InvariantFree => "no location has an invariant",
            Self::UrgencyFree => "nothing is urgent or committed",
            Self::DataFree => "nothing depends on data",
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Process(name) => f.write_str(name),
            Self::Purpose(name) => write!(f, "purpose {name}"),
        }
    }
}

/// Decides every property for every process, then for every purpose, in order.
pub fn properties(model: &Model) -> Vec<Report> {
    let processes = model.processes.ids().map(|id| Subject::process(model, id));
    let purposes = model.purposes.iter().map(|purpose| Subject::purpose(model, purpose));
    let mut reports = Vec::new();
    for subject in processes.chain(purposes) {
        for property in Property::ALL {
            let verdict = decide(&subject, property);
            reports.push(Report { property, scope: subject.scope(), verdict });
        }
    }
    reports
}

fn decide(subject: &Subject<'_>, property: Property) -> Verdict {
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
        return Verdict::NotApplicable(reason.into());
    }
    subject.refill();
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
