//! Times that options give, in units of a model.

use tioga_base::{ConvertError, Diagnostic, GivenBounds, GivenTime, Moment, Rational, TimeUnit};
use tioga_estimate::Latencies;

use crate::Failure;

/// Latencies as given by options; missing ones are zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GivenLatencies {
    /// From the tester to the system.
    pub input: Option<GivenBounds>,
    /// From the system to the tester.
    pub output: Option<GivenBounds>,
    /// Additional time of each message.
    pub jitter: Option<GivenTime>,
}

/// What to do where a time unit is not known.
const DECLARE: &str = "give the time in units of the model, as a number, or declare `time unit 10 ms;` in \
                       the model";
const DECLARE_OR_GIVE: &str = "say with `--unit` how long a time unit takes, declare `time unit 10 ms;` in \
                               the model, or give the time as a number of its units";

impl GivenLatencies {
    /// In units of a model with this time unit.
    pub fn in_units(&self, unit: Option<TimeUnit>) -> Result<Latencies, Failure> {
        self.converted(unit, DECLARE)
    }

    /// The same for runs, which may have a unit of their own.
    pub(crate) fn in_run_units(&self, unit: Option<TimeUnit>) -> Result<Latencies, Failure> {
        self.converted(unit, DECLARE_OR_GIVE)
    }

    fn converted(&self, unit: Option<TimeUnit>, help: &str) -> Result<Latencies, Failure> {
        let bounds = |given: Option<GivenBounds>| match given {
            Some(given) => given.in_units(unit).map_err(|error| refused(error, given.until, help)),
            None => Ok(Moment::START),
        };
        let jitter = self.jitter.map_or(Ok(Rational::ZERO), |given| {
            given.in_units(unit).map_err(|error| refused(error, given, help))
        })?;
        Ok(Latencies { input: bounds(self.input)?, output: bounds(self.output)?, jitter })
    }
}

/// A given time in units of a model with this time unit.
pub fn in_units(given: GivenTime, unit: Option<TimeUnit>) -> Result<Rational, Failure> {
    given.in_units(unit).map_err(|error| refused(error, given, DECLARE))
}

/// The same for runs, which may have a unit of their own.
pub fn in_run_units(given: GivenTime, unit: Option<TimeUnit>) -> Result<Rational, Failure> {
    given.in_units(unit).map_err(|error| refused(error, given, DECLARE_OR_GIVE))
}

fn refused(error: ConvertError, given: GivenTime, help: &str) -> Failure {
    match error {
        ConvertError::NoUnit => {
            let message = format!("`{given}` needs to know how long a time unit of the model is");
            let note = "the model does not declare it";
            Diagnostic::global("no-time-unit", message).note(note).help(help)
        }
        ConvertError::Overflow => {
            let message = format!("`{given}` does not fit in 64 bits of the model's time unit");
            Diagnostic::global("bad-time", message)
        }
    }
    .into()
}
