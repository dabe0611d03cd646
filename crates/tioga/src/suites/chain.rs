//! Test cases one after the other without a reset in between.
//!
//! A test case that reaches its target without control loss may go on to the next target. The joined test case replaces
//! both if it needs no control loss either and takes less time than both with a reset.

use std::collections::VecDeque;

use tioga_base::Cancel;
use tioga_testcase::{Shape, TestCase};

use super::built::SuiteOptions;
use super::evidence::Evidence;
use super::field::{Candidate, Field, cost};
use crate::side_by_side::until_wanted;
use crate::synthesis::{CoverOptions, CoveringCase, Target, Way, cover_target};
use crate::{Cause, Effort, Failure, Loaded};

/// How many targets a test case may have.
const LONGEST: usize = 6;

/// How many test cases are tried as the next one.
const NEAREST: usize = 3;

/// How many discrete states may be explored to join test cases, even if they were made with less.
const CHEAP: usize = 20_000;

/// Joins test cases.
pub struct Joining<'j> {
    pub loaded: &'j Loaded,
    pub field: &'j Field,
    pub options: &'j SuiteOptions,
    /// How many discrete states were explored to make the test cases. Joining them explores no more than twice as
    /// many: a game with several targets one after the other is as many times larger.
    pub explored: usize,
    /// Whether the observations determine the state of the model.
    pub clear: bool,
}

/// A test case to be joined.
struct Attempt {
    /// Its position among those that are left.
    next: usize,
    /// What the joined test case covers.
    target: Target,
    way: Way,
    /// How many states were explored for both.
    cost: usize,
}

/// A joined test case with its evidence, if it is better than its parts.
type Joined = Result<Option<(CoveringCase, Evidence)>, Failure>;

impl Joining<'_> {
    /// The candidates, joined where that saves time, and how many are joined into others.
    pub fn chained(
        &mut self,
        kept: Vec<Candidate>,
        fixed: usize,
        effort: &mut Effort<'_>,
    ) -> Result<(Vec<Candidate>, usize), Failure> {
        if self.options.synthesis.shape != Shape::Strategy {
            return Ok((kept, 0));
        }
        let names_own_moves = kept.iter().any(|one| !one.case.own_moves.is_empty());
        let synthesis = &self.options.synthesis;
        let (clear, checks_later) = (self.clear, self.clear);
        let how = CoverOptions { certain: true, names_own_moves, clear, checks_later, synthesis };
        let mut left = (2 * self.explored).max(CHEAP);
        let mut rest: VecDeque<Candidate> = kept.into();
        let mut done: Vec<Candidate> = rest.drain(..fixed).collect();
        let mut joined = 0;
        while let Some(mut current) = rest.pop_front() {
            let Some((mut target, mut way)) = self.aim_of(&current) else {
                done.push(current);
                continue;
            };
            let mut length = 1;
            'longer: while length < LONGEST && !effort.cancel.is_cancelled() {
                let attempts = self.attempts(&current, (&target, &way), &rest, left);
                let results = self.first_joined(&attempts, &current, &rest, how, effort);
                for (attempt, result) in attempts.into_iter().zip(results) {
                    let (case, evidence) = match result {
                        Ok(Some(joined)) => joined,
                        Ok(None) => {
                            left -= attempt.cost;
                            continue;
                        }
                        Err(failure) if failure.cause == Cause::Internal => return Err(failure),
                        // What cannot be joined stays apart.
                        Err(_) => break 'longer,
                    };
                    let CoveringCase { case, explored, unchecked, .. } = case;
                    left = left.saturating_sub(explored);
                    rest.remove(attempt.next);
                    current = Candidate { case, aim: current.aim, evidence, explored, unchecked };
                    (target, way) = (attempt.target, attempt.way);
                    length += 1;
                    joined += 1;
                    continue 'longer;
                }
                break;
            }
            done.push(current);
        }
        Ok((done, joined))
    }

    /// The test cases that may follow a candidate, within the states that may still be explored.
    fn attempts(
        &self,
        current: &Candidate,
        (target, way): (&Target, &Way),
        rest: &VecDeque<Candidate>,
        mut left: usize,
    ) -> Vec<Attempt> {
        let mut attempts = Vec::new();
        for (next, candidate) in rest.iter().enumerate().take(NEAREST) {
            let Some((other, other_way)) = self.aim_of(candidate) else { continue };
            let followed = target.followed(way, &other, &other_way, self.loaded);
            let Some((target, way)) = followed else { continue };
            let cost = current.explored + candidate.explored;
            if cost > left {
                break;
            }
            // The next attempt is only made if this one fails.
            left -= cost;
            attempts.push(Attempt { next, target, way, cost });
        }
        attempts
    }

    /// The results of the attempts, up to the first that is better than its parts or fails.
    fn first_joined(
        &self,
        attempts: &[Attempt],
        current: &Candidate,
        rest: &VecDeque<Candidate>,
        how: CoverOptions<'_>,
        effort: &Effort<'_>,
    ) -> Vec<Joined> {
        let (memory, threads) = (effort.memory, effort.threads / attempts.len().max(1));
        let join = |attempt: &Attempt, cancel: &Cancel| {
            let parts = [&current.evidence, &rest[attempt.next].evidence];
            let (cancel, threads) = (cancel.clone(), threads.max(1));
            let mut own = Effort { cancel, threads, memory, ..Effort::default() };
            self.joined(attempt, parts, how, &mut own)
        };
        let ends = |result: &Joined| !matches!(result, Ok(None));
        until_wanted(attempts, effort.threads, &effort.cancel, join, ends)
    }

    /// A joined test case with its evidence, if it is better than its parts.
    fn joined(
        &self,
        attempt: &Attempt,
        [first, second]: [&Evidence; 2],
        how: CoverOptions<'_>,
        effort: &mut Effort<'_>,
    ) -> Joined {
        let ways = std::slice::from_ref(&attempt.way);
        let (cancel, threads) = (effort.cancel.clone(), effort.threads);
        let worse = |joined: &Evidence| !is_better(joined, first, second);
        let mut better = None;
        // What is not better need not be checked either.
        let mut useful = |case: &TestCase| {
            let evidence = self.field.shown(self.loaded, case, Some(&worse), (&cancel, threads))?;
            better = (!worse(&evidence)).then_some(evidence);
            Ok(better.is_some())
        };
        let made = cover_target(self.loaded, &attempt.target, ways, how, &mut useful, effort)?;
        Ok(made.ok().zip(better))
    }

    /// What a candidate was made for, if it gets there without control loss and may go on from there.
    fn aim_of(&self, candidate: &Candidate) -> Option<(Target, Way)> {
        let (target, way) = candidate.aim?;
        let (_, aim, ways) = &self.field.targets[target];
        let certain = candidate.case.summary.rank[..2] == [0, 0]
            && candidate.evidence.fair.0 == candidate.evidence.fair.1;
        certain.then(|| (aim.clone(), ways[way].clone()))
    }
}

/// Whether a joined test case covers what both cover, for certain, in no more time.
fn is_better(joined: &Evidence, first: &Evidence, second: &Evidence) -> bool {
    joined.failed.is_none()
        && joined.fair.0 == joined.fair.1
        && joined.open <= first.open + second.open
        && [first, second].iter().all(|one| joined.covered.is_superset(&one.covered))
        && cost(joined) <= cost(first) + cost(second)
}
