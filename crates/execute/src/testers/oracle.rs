//! What judges a run whose inputs are given.

use tioga_base::Rational;
use tioga_testcase::Action;

use super::tester::{Plan, Tester};
use crate::error::Error;

/// A tester that can also judge given inputs.
pub trait Oracle: Tester {
    /// Whether this may be sent now.
    fn allows(&mut self, input: &Action) -> Result<bool, Error>;

    /// How to wait until this time if nothing is sent before: not longer than until the moment at
    /// which silence tells something.
    fn wait(&mut self, until: Rational) -> Result<Plan, Error>;

    /// Whether the system has to say something by then.
    fn awaits_output(&mut self, horizon: Rational) -> Result<bool, Error>;
}
