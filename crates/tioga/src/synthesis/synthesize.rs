//! Test cases for all goals.

use std::collections::BTreeSet;

use tioga_base::{Diagnostic, StopReason};
use tioga_testcase::TestCase;

use super::make::{Maker, unused};
use super::task::{Task, tasks};
use super::unchecked::Unchecked;
use super::wanted::{Aim, Synthesis, SynthesisOptions, WhyMissed};
use crate::cover::{Target, Way};
use crate::games::{is_clear, observation_limits};
use crate::side_by_side::side_by_side;
use crate::{Cause, Effort, Failure, Loaded};

/// How many things to cover get their test cases at the same time.
const TOGETHER: usize = 8;

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
    let tasks = tasks(&loaded.model, aim);
    let mut all = Synthesis::default();
    let (mut count, mut looked) = (0, 0);
    let (mut names, mut names_own_moves) = (BTreeSet::new(), false);
    // What there is to cover has names of its own, so several are made at the same time.
    let together = if matches!(aim, Aim::Cover { .. }) { TOGETHER } else { 1 };
    let limits = observation_limits(effort, Some(options.max_states));
    let clear = together > 1 && is_clear(&loaded.model, limits);
    for batch in tasks.chunks(together) {
        effort.part(looked, tasks.len(), "test cases made");
        let (cancel, memory, view) = (effort.cancel.clone(), effort.memory, effort.view);
        let make = |goal: &Task<'_>, effort: &mut Effort<'_>| {
            let mut cases = Vec::new();
            let take = &mut |case| {
                cases.push(case);
                Ok(())
            };
            let useful = &mut |_: &TestCase| Ok(true);
            let mut maker = Maker::new(loaded, options, effort, useful, take);
            (maker.count, maker.names) = (count, names.clone());
            (maker.names_own_moves, maker.clear) = (names_own_moves, clear);
            maker.beside = tasks.len();
            let made = maker.goal(goal);
            let (missed, own_moves) = (maker.missed, maker.names_own_moves);
            (made, cases, missed, own_moves)
        };
        let made = match batch {
            // A single one reports its own progress.
            [goal] => vec![make(goal, effort)],
            _ => side_by_side(
                batch,
                effort.threads,
                |goal| {
                    let cancel = cancel.clone();
                    make(
                        goal,
                        &mut Effort { cancel, threads: 1, memory, view, ..Effort::default() },
                    )
                },
                |finished, _, _| effort.part(looked + finished, tasks.len(), "test cases made"),
            ),
        };
        let mut failed = None;
        for (made, cases, missed, own_moves) in made {
            names_own_moves |= own_moves;
            all.missed.extend(missed);
            for case in cases {
                let name = unused(case.name.clone(), |name| names.contains(name));
                names.insert(name.clone());
                count += 1;
                take(TestCase { name, ..case })?;
            }
            match made {
                Ok(()) => looked += 1,
                Err(failure) => failed = failed.or(Some(failure)),
            }
        }
        match failed {
            None => {}
            Some(failure) if failure.cause == Cause::Limit && count > 0 => {
                let first = failure.diagnostics.iter().next().cloned();
                let why = first.unwrap_or_else(|| Diagnostic::global("limit", "stopped early"));
                let of = tasks.len();
                let message = format!("{looked} of {of} purposes were looked at: {}", why.message);
                all.stopped = Some(Diagnostic { message, ..why });
                break;
            }
            Some(failure) => return Err(failure),
        }
    }
    all.interrupted = effort.cancel.reason() == Some(StopReason::Asked);
    Ok(all)
}

/// How a target is covered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoverOptions<'c> {
    /// Whether ways that need cooperation of the system do not count.
    pub certain: bool,
    /// Whether moves of the environment get names at once. Otherwise they get them if the tester needs them, after
    /// an attempt without.
    pub names_own_moves: bool,
    /// Whether it is known that the observations determine the state of the model.
    pub clear: bool,
    /// Whether the independent checker looks at test cases later, as not all of them are kept.
    pub checks_later: bool,
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
    /// What is to be checked, if it was not.
    pub unchecked: Option<Unchecked>,
}

/// Why no test case covers a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Uncovered {
    /// The reason.
    pub why: WhyMissed,
    /// The discrete states of the largest search that was complete.
    pub searched: usize,
}

/// Makes the test case that covers a target in the first possible way and is of use; or returns why there is none.
pub(crate) fn cover_target(
    loaded: &Loaded,
    target: &Target,
    ways: &[Way],
    how: CoverOptions<'_>,
    useful: &mut dyn FnMut(&TestCase) -> Result<bool, Failure>,
    effort: &mut Effort<'_>,
) -> Result<Result<CoveringCase, Uncovered>, Failure> {
    let mut made = Vec::new();
    let mut why = WhyMissed::Unreachable;
    let (mut explored, mut searched) = (0, 0);
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
        let mut maker = Maker::new(loaded, how.synthesis, effort, useful, take);
        (maker.names_own_moves, maker.explored) = (how.names_own_moves, explored);
        maker.clear = how.clear;
        maker.deferred = how.checks_later.then(Vec::new);
        maker.make(&Task::Covered(target.clone(), vec![way.clone()]))?;
        (explored, searched) = (maker.explored, maker.searched.max(searched));
        let unchecked = maker.deferred.and_then(|mut deferred| deferred.pop());
        let last = maker.missed.pop();
        why = last.map_or(why, |missed| reason(why, missed.why, way));
        if let Some(case) = made.pop() {
            return Ok(Ok(CoveringCase { way: position, case, explored, unchecked }));
        }
        if refused {
            why = WhyMissed::Cooperation;
        }
    }
    Ok(Err(Uncovered { why, searched }))
}

/// Why a target cannot be covered, if it cannot for one reason in the ways before and for another in this one.
fn reason(before: WhyMissed, own: WhyMissed, way: &Way) -> WhyMissed {
    match (before, own) {
        (WhyMissed::Cooperation, _) => before,
        // All ways go on after the edge alone, so nothing is possible if that is not. Otherwise, each way needs a proof.
        (_, WhyMissed::Unreachable) if way.edge().is_none() => before,
        _ => own,
    }
}

impl Maker<'_, '_, '_> {
    /// Makes the test cases for a goal. What can be covered in several ways is covered in the first that is
    /// possible.
    fn goal(&mut self, goal: &Task<'_>) -> Result<(), Failure> {
        let Task::Covered(target, ways) = goal else { return self.make(goal) };
        let (before, missed) = (self.count, self.missed.len());
        for way in ways {
            self.missed.truncate(missed);
            self.make(&Task::Covered(target.clone(), vec![way.clone()]))?;
            if self.count > before {
                break;
            }
        }
        Ok(())
    }
}
