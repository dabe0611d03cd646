//! The subject of a complete suite: a finite machine, or one in units of time.

use tioga_machines::Machine;
use tioga_model::Model;
use tioga_testcase::TestCase;

use super::cases::{Interface, each_case};
use super::stages::{Stages, SuiteKind};
use super::timed::{TimedMachine, each_timed_case};
use crate::Failure;
use crate::words::count;

/// The subject of a suite.
pub enum SuiteSubject {
    /// A model without clocks, with the actions of its inputs and outputs.
    Plain(Box<Machine>, Interface),
    /// A model with clocks, in units of time.
    Timed(Box<TimedMachine>),
}

impl SuiteSubject {
    /// The machine that the model is.
    pub fn machine(&self) -> &Machine {
        match self {
            Self::Plain(machine, _) => machine,
            Self::Timed(timed) => &timed.machine,
        }
    }

    /// The unit of time, if the model has clocks.
    pub fn unit(&self) -> Option<String> {
        match self {
            Self::Plain(..) => None,
            Self::Timed(timed) => Some(timed.unit().to_string()),
        }
    }

    /// The domain for which a suite is complete, in words.
    pub fn domain(&self, kind: &SuiteKind, extra_states: usize) -> String {
        let states = kind.states(self.machine()) + extra_states;
        match self {
            Self::Plain(..) => format!("systems with at most {}", count(states, "state")),
            Self::Timed(timed) => timed.domain(states),
        }
    }

    /// Takes the test cases of a suite one by one, as they are made.
    ///
    /// # Errors
    /// What `take` says, or that a test cannot be written as a test case.
    pub fn each_case(
        &self,
        model: &Model,
        tests: &Stages,
        take: &mut dyn FnMut(TestCase) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match self {
            Self::Plain(machine, interface) => each_case(machine, interface, tests, take),
            Self::Timed(timed) => each_timed_case(model, timed, tests, take),
        }
    }
}
