//! Test cases one after the other without a reset in between.
//!
//! A test case that reaches its target without control loss may go on to the next target. The joined test case replaces
//! both if it needs no control loss either and takes less time than both with a reset.

use std::collections::VecDeque;

use tioga_testcase::{Shape, TestCase};

use super::built::SuiteOptions;
use super::evidence::Evidence;
use super::field::{Candidate, Field, cost};
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
}

/// Runs a test case against the model.
type Shown<'s> = &'s dyn Fn(&TestCase) -> Result<Evidence, Failure>;

impl Joining<'_> {
    /// The candidates, joined where that saves time, and how many are joined into others.
    pub fn chained(
        &mut self,
        kept: Vec<Candidate>,
        fixed: usize,
        effort: &mut Effort<'_>,
        shown: Shown<'_>,
    ) -> Result<(Vec<Candidate>, usize), Failure> {
        if self.options.synthesis.shape != Shape::Strategy {
            return Ok((kept, 0));
        }
        let names_own_moves = kept.iter().any(|one| !one.case.own_moves.is_empty());
        let synthesis = &self.options.synthesis;
        let how = CoverOptions { certain: true, names_own_moves, synthesis };
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
                for next in 0..rest.len().min(NEAREST) {
                    let Some((other, other_way)) = self.aim_of(&rest[next]) else { continue };
                    let Some((both, both_way)) =
                        target.followed(&way, &other, &other_way, self.loaded)
                    else {
                        continue;
                    };
                    if current.explored + rest[next].explored > left {
                        break 'longer;
                    }
                    let ways = std::slice::from_ref(&both_way);
                    let CoveringCase { case, explored, .. } =
                        match cover_target(self.loaded, &both, ways, how, effort) {
                            Ok(Ok(made)) => made,
                            Ok(Err(_)) => {
                                left -= current.explored + rest[next].explored;
                                continue;
                            }
                            Err(failure) if failure.cause == Cause::Internal => {
                                return Err(failure);
                            }
                            // What cannot be joined stays apart.
                            Err(_) => break 'longer,
                        };
                    left = left.saturating_sub(explored);
                    let evidence = shown(&case)?;
                    if !is_better(&evidence, &current.evidence, &rest[next].evidence) {
                        continue;
                    }
                    rest.remove(next);
                    current = Candidate { case, aim: current.aim, evidence, explored };
                    (target, way) = (both, both_way);
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
