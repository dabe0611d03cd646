//! The part of a state that is not clocks, and the values of a communication.

use smallvec::SmallVec;
use tioga_base::Id;

use crate::{LocationId, ProcessId};

/// The part of a state that is not clocks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DiscreteState {
    /// Where each process is.
    pub locations: Box<[LocationId]>,
    /// The data slots.
    pub data: Box<[i64]>,
}

impl DiscreteState {
    /// Where a process is.
    pub fn location(&self, process: ProcessId) -> LocationId {
        self.locations[process.index()]
    }

    /// The state of two models side by side: first all of this one, then all of the other.
    #[must_use]
    pub fn beside(&self, other: &Self) -> Self {
        Self {
            locations: self.locations.iter().chain(&other.locations).copied().collect(),
            data: self.data.iter().chain(&other.data).copied().collect(),
        }
    }

    /// The states that are side by side, where the first is like this one.
    pub fn apart(&self, joint: &Self) -> (Self, Self) {
        let (locations, data) = (self.locations.len(), self.data.len());
        let part = |locations: &[LocationId], data: &[i64]| Self {
            locations: locations.into(),
            data: data.into(),
        };
        (
            part(&joint.locations[..locations], &joint.data[..data]),
            part(&joint.locations[locations..], &joint.data[data..]),
        )
    }
}

/// Argument slots of a communication; a rational takes two.
pub type Values = SmallVec<[i64; 2]>;
