//! Test cases for everything that is wanted.

use std::collections::BTreeSet;

use tioga_base::{Diagnostic, StopReason};
use tioga_testcase::TestCase;

use super::goal::{Goal, goals};
use super::make::Maker;
use super::wanted::{Aim, Synthesis, SynthesisOptions};
use crate::{Cause, Effort, Failure, Loaded};

/// Makes the test cases that are wanted.
///
/// Each test case was looked at by the independent checker, as far as that takes little time. A
/// purpose that cannot be reached is not a failure: it is in [`Synthesis::missed`]. Neither is a limit
/// that is reached after some test cases were made: it is in [`Synthesis::stopped`].
pub fn synthesize(
    loaded: &Loaded,
    aim: &Aim,
    options: &SynthesisOptions,
    effort: &mut Effort<'_>,
) -> Result<Synthesis, Failure> {
    let mut cases = Vec::new();
    let made = synthesize_each(loaded, aim, options, effort, &mut |case| {
        cases.push(case);
        Ok(())
    })?;
    Ok(Synthesis { cases, ..made })
}

/// Makes the test cases that are wanted, as [`synthesize`] does, and gives each away as soon as it is made.
/// Together they grow with the square of the model, so who writes them keeps none. The failure of `take`
/// ends it.
pub fn synthesize_each(
    loaded: &Loaded,
    aim: &Aim,
    options: &SynthesisOptions,
    effort: &mut Effort<'_>,
    take: &mut dyn FnMut(TestCase) -> Result<(), Failure>,
) -> Result<Synthesis, Failure> {
    let goals = goals(&loaded.model, aim);
    let of = goals.len();
    let (names, missed) = (BTreeSet::new(), Vec::new());
    let mut maker =
        Maker { loaded, options, effort, count: 0, names, missed, names_own_moves: false, take };
    let mut stopped = None;
    for (number, goal) in goals.iter().enumerate() {
        maker.effort.part(number, of, "test cases made");
        match maker.goal(goal) {
            Ok(()) => {}
            Err(failure) if failure.cause == Cause::Limit && maker.count > 0 => {
                let first = failure.diagnostics.iter().next().cloned();
                let why = first.unwrap_or_else(|| Diagnostic::global("limit", "stopped early"));
                let message =
                    format!("{} of {of} purposes were looked at: {}", number, why.message);
                stopped = Some(Diagnostic { message, ..why });
                break;
            }
            Err(failure) => return Err(failure),
        }
    }
    let interrupted = maker.effort.cancel.reason() == Some(StopReason::Asked);
    Ok(Synthesis { cases: Vec::new(), missed: maker.missed, stopped, interrupted })
}

impl Maker<'_, '_, '_> {
    /// Makes the test cases for a goal. Where more shall follow and nothing can, the goal alone has to do.
    fn goal(&mut self, goal: &Goal<'_>) -> Result<(), Failure> {
        let before = self.count;
        if let Goal::Covered { target, then: true } = goal {
            for target in target.further(&self.loaded.model) {
                let missed = self.missed.len();
                self.make(&Goal::Covered { target, then: false })?;
                self.missed.truncate(missed);
                if self.count > before {
                    return Ok(());
                }
            }
        }
        self.make(goal)
    }
}
