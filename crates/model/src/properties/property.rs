//! The properties that are decided, and the verdict on one of them.

use std::fmt;

use super::verdict::PropertyVerdict;

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

/// What a report is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PropertySubject {
    /// A process of the network, by name.
    Process(String),
    /// A test purpose, by name.
    Purpose(String),
}

/// The verdict on one property of one process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyReport {
    /// The property.
    pub property: Property,
    /// Which process.
    pub scope: PropertySubject,
    /// The verdict.
    pub verdict: PropertyVerdict,
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

impl fmt::Display for PropertySubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Process(name) => f.write_str(name),
            Self::Purpose(name) => write!(f, "purpose {name}"),
        }
    }
}
