//! What is known about a property, and what shows that it fails.

use tioga_base::{Rational, Span};

use crate::{ClockId, EdgeId, LocationId};

/// What is known about a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyVerdict {
    /// It holds.
    Holds,
    /// It does not hold, for this reason.
    Fails(PropertyWitness),
    /// It was not decided, for this reason.
    Unknown(String),
    /// The question does not arise, for this reason.
    NotApplicable(String),
}

/// Why a property does not hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PropertyWitness {
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
