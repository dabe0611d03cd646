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

/// What test cases are made for, and the way in which they cover it.
type AimAndWay = (Target, Way);

/// A test case to be joined.
struct Attempt<'a> {
    /// Its position among those that are left.
    next: usize,
    /// What the joined test case covers.
    aim: AimAndWay,
    /// The evidence of all its parts.
    parts: Vec<&'a Evidence>,
}

/// A joined test case with its evidence, unless its parts are better.
type Joined = Result<Option<(CoveringCase, Evidence)>, Failure>;

impl Joining<'_> {
    /// The candidates, joined where that saves time, and how many are joined into others.
    ///
    /// The nearest ones are tried in order; the first that is better than its parts counts. Other threads try in
    /// advance what comes next: most often the first one is better, and when it is not, the others are not either.
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
            let Some(mut aim) = self.aim_of(&current) else {
                done.push(current);
                continue;
            };
            let mut length = 1;
            let mut ready = VecDeque::new();
            'longer: while length < LONGEST && !effort.cancel.is_cancelled() {
                let attempts = self.attempts(&current, &aim, rest.iter());
                for position in 0..attempts.len() {
                    let next = attempts[position].next;
                    let cost = current.explored + rest[next].explored;
                    if cost > left {
                        break 'longer;
                    }
                    if ready.is_empty() {
                        let most = LONGEST - length;
                        ready = if position == 0 {
                            let steps =
                                self.steps(&current, &aim, &rest, left, most.min(effort.threads));
                            self.tried(&steps, how, effort, |result| !matches!(result, Ok(Some(_))))
                        } else {
                            let others = &attempts[position..];
                            self.tried(others, how, effort, |result| !matches!(result, Ok(None)))
                        };
                    }
                    let result = match ready.pop_front() {
                        Some(Ok(result)) => result,
                        Some(Err(failure)) if failure.cause == Cause::Internal => {
                            return Err(failure);
                        }
                        // What cannot be joined stays apart.
                        Some(Err(_)) | None => break 'longer,
                    };
                    let parts = [&current.evidence, &rest[next].evidence];
                    let Some((case, evidence)) = result.filter(|(_, own)| is_better(own, &parts))
                    else {
                        left -= cost;
                        // What was tried in advance counted on it.
                        if position == 0 {
                            ready.clear();
                        }
                        continue;
                    };
                    let CoveringCase { case, explored, unchecked, .. } = case;
                    left = left.saturating_sub(explored);
                    let longer = attempts.into_iter().nth(position).map(|attempt| attempt.aim);
                    aim = longer.unwrap_or(aim);
                    current = Candidate { case, aim: current.aim, evidence, explored, unchecked };
                    rest.remove(next);
                    length += 1;
                    joined += 1;
                    let before = rest.len();
                    (done, current, rest) = self.still_needed(done, current, rest);
                    if rest.len() < before {
                        ready.clear();
                    }
                    continue 'longer;
                }
                break;
            }
            done.push(current);
        }
        Ok((done, joined))
    }

    /// The same without those that are left and redundant: a joined test case may cover more than its parts.
    fn still_needed(
        &self,
        mut done: Vec<Candidate>,
        current: Candidate,
        rest: VecDeque<Candidate>,
    ) -> (Vec<Candidate>, Candidate, VecDeque<Candidate>) {
        let fixed = done.len() + 1;
        done.push(current);
        done.extend(rest);
        let mut kept = self.field.sufficient(done, fixed);
        let rest = kept.drain(fixed..).collect();
        let current = kept.pop().expect("the current one is kept in any case");
        (kept, current, rest)
    }

    /// The test cases that may follow a candidate, the first ones of those that are left.
    fn attempts<'a>(
        &self,
        current: &'a Candidate,
        (target, way): &AimAndWay,
        rest: impl Iterator<Item = &'a Candidate>,
    ) -> Vec<Attempt<'a>> {
        let attempt = |(next, candidate): (usize, &'a Candidate)| {
            let (other, other_way) = self.aim_of(candidate)?;
            let aim = target.followed(way, &other, &other_way, self.loaded)?;
            Some(Attempt { next, aim, parts: vec![&current.evidence, &candidate.evidence] })
        };
        rest.enumerate().take(NEAREST).filter_map(attempt).collect()
    }

    /// The next attempts if each first one is better than its parts, within the states that may still be explored.
    fn steps<'a>(
        &self,
        current: &'a Candidate,
        aim: &AimAndWay,
        rest: &'a VecDeque<Candidate>,
        left: usize,
        most: usize,
    ) -> Vec<Attempt<'a>> {
        let mut open: Vec<&Candidate> = rest.iter().collect();
        let mut steps: Vec<Attempt<'_>> = Vec::new();
        let mut cost = current.explored;
        while steps.len() < most.max(1) {
            let last = steps.last();
            let aim = last.map_or(aim, |last| &last.aim);
            let attempts = self.attempts(current, aim, open.iter().copied());
            let Some(mut attempt) = attempts.into_iter().next() else { break };
            let next = open.remove(attempt.next);
            cost += next.explored;
            if !steps.is_empty() && cost > left {
                break;
            }
            if let Some(last) = last {
                attempt.parts = last.parts.iter().copied().chain([&next.evidence]).collect();
            }
            steps.push(attempt);
        }
        steps
    }

    /// The results of attempts, up to the first that ends them.
    fn tried(
        &self,
        attempts: &[Attempt<'_>],
        how: CoverOptions<'_>,
        effort: &Effort<'_>,
        ends: impl Fn(&Joined) -> bool + Sync,
    ) -> VecDeque<Joined> {
        let (memory, threads) = (effort.memory, effort.threads / attempts.len().max(1));
        let join = |attempt: &Attempt<'_>, cancel: &Cancel| {
            let (cancel, threads) = (cancel.clone(), threads.max(1));
            self.joined(attempt, how, &mut Effort { cancel, threads, memory, ..Effort::default() })
        };
        until_wanted(attempts, effort.threads, &effort.cancel, join, ends).into()
    }

    /// A joined test case with its evidence, unless its parts are better.
    fn joined(
        &self,
        attempt: &Attempt<'_>,
        how: CoverOptions<'_>,
        effort: &mut Effort<'_>,
    ) -> Joined {
        let (target, way) = &attempt.aim;
        let (cancel, threads) = (effort.cancel.clone(), effort.threads);
        let worse = |joined: &Evidence| !is_better(joined, &attempt.parts);
        let mut better = None;
        // What is not better need not be checked either.
        let mut useful = |case: &TestCase| {
            let evidence = self.field.shown(self.loaded, case, Some(&worse), (&cancel, threads))?;
            better = (!worse(&evidence)).then_some(evidence);
            Ok(better.is_some())
        };
        let ways = std::slice::from_ref(way);
        let made = cover_target(self.loaded, target, ways, how, &mut useful, effort)?;
        Ok(made.ok().zip(better))
    }

    /// What a candidate was made for, if it gets there without control loss and may go on from there.
    fn aim_of(&self, candidate: &Candidate) -> Option<AimAndWay> {
        let (target, way) = candidate.aim?;
        let (_, aim, ways) = &self.field.targets[target];
        let certain = candidate.case.summary.rank[..2] == [0, 0]
            && candidate.evidence.fair.0 == candidate.evidence.fair.1;
        certain.then(|| (aim.clone(), ways[way].clone()))
    }
}

/// Whether a joined test case covers what its parts cover, for certain, in no more time.
fn is_better(joined: &Evidence, parts: &[&Evidence]) -> bool {
    joined.failed.is_none()
        && joined.fair.0 == joined.fair.1
        && joined.open <= parts.iter().map(|one| one.open).sum()
        && parts.iter().all(|one| joined.covered.is_superset(&one.covered))
        && cost(joined) <= parts.iter().map(|one| cost(one)).sum()
}
