//! Test cases for all goals.

use std::collections::BTreeSet;

use tioga_base::{Diagnostic, StopReason};
use tioga_testcase::TestCase;

use super::cover::{Target, Way};
use super::goal::{Goal, goals};
use super::make::Maker;
use super::wanted::{Aim, Synthesis, SynthesisOptions, WhyMissed};
use crate::{Cause, Effort, Failure, Loaded};

/// Makes the test cases of an aim.
///
/// The independent checker checks each test case, as far as that takes little time. An unreachable
/// purpose is not a failure: it is in [`Synthesis::missed`]. Neither is a limit that is reached after
/// some test cases were made: it is in [`Synthesis::stopped`].
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

/// Makes the test cases of an aim, as [`synthesize`] does, and passes each on as soon as it is made. Their
/// total size grows with the square of the model, so a caller that writes them should keep none. The
/// failure of `take` ends it.
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

/// Makes the test case that covers a target in the first possible way, with the position of the way; or returns
/// why there is none. If it must be certain, ways that need cooperation do not count.
pub(crate) fn cover_target(
    loaded: &Loaded,
    target: &Target,
    ways: &[Way],
    certain: bool,
    options: &SynthesisOptions,
    effort: &mut Effort<'_>,
) -> Result<Result<(usize, TestCase), WhyMissed>, Failure> {
    let mut made = Vec::new();
    let mut why = WhyMissed::Unreachable;
    for (position, way) in ways.iter().enumerate() {
        let take = &mut |case| {
            made.push(case);
            Ok(())
        };
        let (names, missed) = (BTreeSet::new(), Vec::new());
        let names_own_moves = false;
        let mut maker =
            Maker { loaded, options, effort, count: 0, names, missed, names_own_moves, take };
        maker.make(&Goal::Covered(target.clone(), vec![way.clone()]))?;
        let last = maker.missed.pop();
        why = last.filter(|_| why != WhyMissed::Cooperation).map_or(why, |missed| missed.why);
        match made.pop() {
            Some(case) if certain && case.summary.rank[..2] != [0, 0] => {
                why = WhyMissed::Cooperation;
            }
            Some(case) => return Ok(Ok((position, case))),
            None => {}
        }
    }
    Ok(Err(why))
}

impl Maker<'_, '_, '_> {
    /// Makes the test cases for a goal. What can be covered in several ways is covered in the first that is
    /// possible.
    fn goal(&mut self, goal: &Goal<'_>) -> Result<(), Failure> {
        let Goal::Covered(target, ways) = goal else { return self.make(goal) };
        let (before, missed) = (self.count, self.missed.len());
        for way in ways {
            self.missed.truncate(missed);
            self.make(&Goal::Covered(target.clone(), vec![way.clone()]))?;
            if self.count > before {
                break;
            }
        }
        Ok(())
    }
}
