//! States with exact clock values.

use std::fmt;

use thiserror::Error;
use tioga_base::{Id, LimitReached, Overflow, Rational};
use tioga_model::{ClockId, DiscreteState, EvalFault, Model};

/// Locations, data and clock values. Clock values are in written time units and never negative.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    /// Locations and data.
    pub discrete: DiscreteState,
    /// The value of each clock.
    pub clocks: Box<[Rational]>,
}

impl State {
    /// The value of a clock.
    pub fn clock(&self, clock: ClockId) -> Rational {
        self.clocks[clock.index()]
    }

    /// The state with names, such as `(P.idle, Q.wait; n=2; x=1/2)`.
    pub fn display<'a>(&'a self, model: &'a Model) -> impl fmt::Display + 'a {
        Named { state: self, model }
    }
}

struct Named<'a> {
    state: &'a State,
    model: &'a Model,
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { state, model } = self;
        let locations = model.processes.iter().zip(&state.discrete.locations);
        let locations = locations.map(|(process, location)| {
            format!("{}.{}", process.name, process.locations[*location].name)
        });
        let data = model.slots.iter().zip(&state.discrete.data);
        let data = data.map(|(slot, value)| format!("{}={value}", slot.name));
        let clocks = model.clocks.iter().zip(&state.clocks);
        let clocks = clocks.map(|(clock, value)| format!("{}={value}", clock.name));
        let groups = [locations.collect::<Vec<_>>(), data.collect(), clocks.collect()];
        let groups: Vec<String> =
            groups.iter().filter(|group| !group.is_empty()).map(|group| group.join(", ")).collect();
        write!(f, "({})", groups.join("; "))
    }
}

/// Why something could not be computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Error {
    /// An exact number does not fit in 64 bits.
    #[error("{}", Overflow)]
    Overflow,
    /// The invariants do not hold at the start.
    #[error("the invariants do not hold at the start")]
    NoInitialState,
    /// An expression of the model cannot be evaluated.
    #[error(transparent)]
    Fault(#[from] EvalFault),
    /// Stopped by the limits given.
    #[error(transparent)]
    Limit(#[from] LimitReached),
}

impl From<Overflow> for Error {
    fn from(Overflow: Overflow) -> Self {
        Self::Overflow
    }
}
