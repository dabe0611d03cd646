//! How a run ends: the exit codes, which are part of the interface and documented in the help.

use std::process::ExitCode;

use tioga::Failure;
use tioga_base::{Diagnostic, Diagnostics};

/// The exit codes of `tioga`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything asked for was done, and the answer is positive.
    Success = 0,
    /// Everything asked for was done, and the answer is negative: a property does not hold, a
    /// file is not formatted, a trace is not a run, a test run failed.
    Negative = 1,
    /// The command line or an input file is wrong.
    BadInput = 2,
    /// A limit was reached before there was an answer.
    Unknown = 3,
    /// Tioga itself is wrong.
    Internal = 4,
    /// No test run failed or was an error, but one was inconclusive, or a purpose cannot be tested.
    Inconclusive = 5,
    /// No test run failed, but one was an error of the system or of the connection to it.
    Faulty = 6,
}

impl Exit {
    /// The number the shell sees.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// What the answers to several queries mean together: whether each holds, if that is known.
    pub fn of_queries(answers: impl IntoIterator<Item = Option<bool>>) -> Self {
        answers.into_iter().fold(Self::Success, |exit, holds| match (holds, exit) {
            (Some(true), before) => before,
            (Some(false), _) | (None, Self::Negative) => Self::Negative,
            (None, _) => Self::Unknown,
        })
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Why a command stopped before its end.
#[derive(Debug)]
pub enum Stop {
    /// There is no result, for reasons that are to be told.
    Failed(Failure),
    /// The reader of the output closed it.
    BrokenPipe,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Diagnostic> for Stop {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Failed(diagnostic.into())
    }
}

impl From<Diagnostics> for Stop {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Failed(diagnostics.into())
    }
}
