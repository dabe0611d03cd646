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
    let (count, names_own_moves, explored) = (0, false, 0);
    let useful = &mut |_: &TestCase| Ok(true);
    let mut maker = Maker {
        loaded,
        options,
        effort,
        count,
        names,
        missed,
        names_own_moves,
        explored,
        useful,
        take,
    };
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

/// How a target is covered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoverOptions<'c> {
    /// Whether ways that need cooperation of the system do not count.
    pub certain: bool,
    /// Whether moves of the environment get names at once. Otherwise they get them if the tester needs them, after
    /// an attempt without.
    pub names_own_moves: bool,
    /// How test cases are made.
    pub synthesis: &'c SynthesisOptions,
}

/// A test case that covers a target.
#[derive(Clone, Debug)]
pub(crate) struct CoveringCase {
    /// The position of the way in which it does.
    pub way: usize,
    /// The test case.
    pub case: TestCase,
    /// How many discrete states were explored for it.
    pub explored: usize,
}

/// Makes the test case that covers a target in the first possible way and is of use; or returns why there is none.
pub(crate) fn cover_target(
    loaded: &Loaded,
    target: &Target,
    ways: &[Way],
    how: CoverOptions<'_>,
    useful: &mut dyn FnMut(&TestCase) -> Result<bool, Failure>,
    effort: &mut Effort<'_>,
) -> Result<Result<CoveringCase, WhyMissed>, Failure> {
    let mut made = Vec::new();
    let mut why = WhyMissed::Unreachable;
    let mut explored = 0;
    for (position, way) in ways.iter().enumerate() {
        let take = &mut |case| {
            made.push(case);
            Ok(())
        };
        let mut refused = false;
        let useful = &mut |case: &TestCase| {
            let certain = !how.certain || case.summary.rank[..2] == [0, 0];
            let accepted = certain && useful(case)?;
            refused |= !accepted;
            Ok(accepted)
        };
        let (count, names, missed) = (0, BTreeSet::new(), Vec::new());
        let CoverOptions { names_own_moves, synthesis: options, .. } = how;
        let mut maker = Maker {
            loaded,
            options,
            effort,
            count,
            names,
            missed,
            names_own_moves,
            explored,
            useful,
            take,
        };
        maker.make(&Goal::Covered(target.clone(), vec![way.clone()]))?;
        explored = maker.explored;
        let last = maker.missed.pop();
        why = last.filter(|_| why != WhyMissed::Cooperation).map_or(why, |missed| missed.why);
        if let Some(case) = made.pop() {
            return Ok(Ok(CoveringCase { way: position, case, explored }));
        }
        if refused {
            why = WhyMissed::Cooperation;
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
