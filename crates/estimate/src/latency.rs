//! How long inputs and outputs are under way between tester and system.

use serde::{Deserialize, Serialize};
use tioga_base::{Moment, Overflow, Rational};

use crate::Error;

/// What is known about the ways between tester and system, in written time units.
///
/// An input sent at `t` arrives at `t + l + e`, where `l` lies within [`Latencies::input`] and is the
/// same for all inputs of a run, and `e` between 0 and the jitter may differ from input to input.
/// Likewise an output is seen that long after the system emitted it. Neither way changes the order
/// of what is sent along it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latencies {
    /// The constant part for inputs, known within bounds.
    pub input: Moment,
    /// The constant part for outputs, known within bounds.
    pub output: Moment,
    /// The greatest varying part.
    pub jitter: Rational,
}

impl Default for Latencies {
    fn default() -> Self {
        Self::NONE
    }
}

impl Latencies {
    /// Everything arrives at once, as with virtual time.
    pub const NONE: Self =
        Self { input: Moment::START, output: Moment::START, jitter: Rational::ZERO };

    /// Whether everything arrives at once.
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// When all inputs that were sent until `last` have been taken, if every output that is seen from `at` on came after
    /// that; nothing otherwise. From that moment on, messages can be followed without those before.
    ///
    /// # Errors
    /// If the numbers become too large.
    pub fn all_taken(&self, last: Rational, at: Rational) -> Result<Option<Rational>, Overflow> {
        let taken = last.add(self.input.latest())?.add(self.jitter)?;
        let seen = taken.add(self.output.latest())?.add(self.jitter)?;
        // At the same moment, an input may be taken after an output that is not seen yet. Only without latencies, what is
        // seen first came first.
        let came_after = if self.is_none() { at >= seen } else { at > seen };
        Ok(came_after.then_some(taken))
    }

    /// All numbers.
    pub(crate) fn numbers(&self) -> [Rational; 5] {
        let (input, output) = (self.input, self.output);
        [input.earliest(), input.latest(), output.earliest(), output.latest(), self.jitter]
    }

    /// # Errors
    /// If something would arrive before it was sent.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.numbers().iter().find(|number| number.is_negative()) {
            Some(number) => Err(Error::Latency(format!("the latency {number} is negative"))),
            None => Ok(()),
        }
    }
}
