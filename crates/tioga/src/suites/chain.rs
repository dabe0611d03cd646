//! Test cases one after the other without a reset in between.
//!
//! A test case that reaches its target without control loss may go on to the next target. The joined test case replaces
//! both if it needs no control loss either and takes less time than both with a reset.

use tioga_base::Cancel;
use tioga_testcase::{Shape, TestCase};

use super::built::SuiteOptions;
use super::evidence::Evidence;
use super::field::{Candidate, Field, cost};
use crate::cover::{Target, Way};
use crate::side_by_side::until_wanted;
use crate::synthesis::{CoverOptions, CoveringCase, cover_target};
use crate::{Cause, Effort, Failure, Loaded, ViewOptions};

/// How many targets a test case may have.
const LONGEST: usize = 6;

/// How many test cases are tried as the next one.
const NEAREST: usize = 3;

/// How many discrete states may be explored to join test cases, even if they were made with less.
const CHEAP: usize = 20_000;

/// What test cases are made for, and the way in which they cover it.
type AimAndWay = (Target, Way);

/// A joined test case with its evidence, unless its parts are better.
type Joined = Result<Option<(CoveringCase, Evidence)>, Failure>;

/// A test case that others are joined to.
struct Chain {
    current: Candidate,
    /// What it covers.
    aim: AimAndWay,
    /// How many targets it has.
    length: usize,
}

/// Test cases to be joined to a chain.
struct Attempt {
    /// Their positions among those that are left.
    next: Vec<usize>,
    /// What the joined test case covers.
    aim: AimAndWay,
    /// The discrete states that were explored for its parts.
    cost: usize,
}

/// The result of an attempt that was made in advance, and what the test cases to be joined were made for.
type InAdvance = Option<(Vec<Option<(usize, usize)>>, Joined)>;

/// The candidates, joined where that saves time, and how many are joined into others. The first are left as they are.
pub(super) fn chained(
    loaded: &Loaded,
    field: &Field,
    options: &SuiteOptions,
    kept: Vec<Candidate>,
    (fixed, explored): (usize, usize),
    effort: &Effort<'_>,
) -> Result<(Vec<Candidate>, usize), Failure> {
    if options.synthesis.shape != Shape::Strategy {
        return Ok((kept, 0));
    }
    let how = CoverOptions {
        certain: true,
        names_own_moves: kept.iter().any(|one| !one.case.own_moves.is_empty()),
        clear: field.clear,
        checks_later: field.clear,
        synthesis: &options.synthesis,
    };
    let left = (2 * explored).max(CHEAP);
    let mut rest = kept;
    let done = rest.drain(..fixed).collect();
    let mut joining = Joining {
        loaded,
        field,
        how,
        cancel: effort.cancel.clone(),
        threads: effort.threads,
        memory: effort.memory,
        view: effort.view,
        left,
        done,
        rest,
        joined: 0,
        in_vain: false,
    };
    while !joining.rest.is_empty() {
        let current = joining.rest.remove(0);
        let last = match joining.aim_of(&current) {
            Some(aim) => joining.extended(Chain { current, aim, length: 1 })?,
            None => current,
        };
        joining.done.push(last);
    }
    Ok((joining.done, joining.joined))
}

/// Joins test cases.
struct Joining<'j> {
    loaded: &'j Loaded,
    field: &'j Field,
    how: CoverOptions<'j>,
    cancel: Cancel,
    threads: usize,
    memory: Option<u64>,
    view: ViewOptions,
    /// How many discrete states may still be explored: at first twice as many as to make the test cases. A game with
    /// several targets one after the other is as many times larger.
    left: usize,
    /// Test cases that are not looked at any more.
    done: Vec<Candidate>,
    /// Test cases that may be joined to others.
    rest: Vec<Candidate>,
    /// How many are joined into others.
    joined: usize,
    /// Whether an attempt was in vain.
    in_vain: bool,
}

impl Joining<'_> {
    /// A test case, joined with others.
    ///
    /// If one can be joined to it, most often the next ones can, too. So they are tried all at once then; but one by one
    /// after the first attempt that was in vain.
    fn extended(&mut self, mut chain: Chain) -> Result<Candidate, Failure> {
        let mut in_advance = None;
        while self.joins_one(&mut chain, &mut in_advance)? {
            if !self.in_vain {
                self.join_all(&mut chain, in_advance.take())?;
            }
        }
        Ok(chain.current)
    }

    /// Joins the first one of the nearest that is better than its parts, if there is one.
    fn joins_one(
        &mut self,
        chain: &mut Chain,
        in_advance: &mut InAdvance,
    ) -> Result<bool, Failure> {
        let attempts = self.nearest(chain);
        let Some(first) = attempts.first() else { return Ok(false) };
        let mut results: Vec<Joined> =
            self.known(chain, first, in_advance.take()).into_iter().collect();
        let most = if self.in_vain { 2 } else { LONGEST };
        if results.is_empty()
            && self.threads > 1
            && let Some(ahead) = self.several(chain, most)
            // Otherwise it will not be tried after the first.
            && first.cost + ahead.cost <= self.left
        {
            results = self.tried(chain, &[first, &ahead], |result| !matches!(result, Ok(Some(_))));
            // There may be no result at all if time is over.
            let advanced = if results.len() > 1 { results.pop() } else { None };
            *in_advance = advanced.map(|result| (self.aims(&ahead.next[1..]), result));
        }
        if results.iter().all(|result| matches!(result, Ok(None))) {
            let others: Vec<&Attempt> = attempts[results.len()..].iter().collect();
            results.extend(self.tried(chain, &others, |result| !matches!(result, Ok(None))));
        }
        for (attempt, result) in attempts.into_iter().zip(results) {
            match result {
                Ok(Some((case, evidence))) => {
                    self.join(chain, attempt, case, evidence);
                    return Ok(true);
                }
                Ok(None) => self.fail(&attempt),
                Err(failure) if failure.cause == Cause::Internal => return Err(failure),
                // What cannot be joined stays apart.
                Err(_) => return Ok(false),
            }
        }
        Ok(false)
    }

    /// Joins all that may follow, if that is better than its parts.
    fn join_all(&mut self, chain: &mut Chain, in_advance: InAdvance) -> Result<(), Failure> {
        let Some(all) = self.several(chain, LONGEST) else { return Ok(()) };
        let known = self.known(chain, &all, in_advance);
        match known.or_else(|| self.tried(chain, &[&all], |_| true).pop()) {
            Some(Ok(Some((case, evidence)))) => self.join(chain, all, case, evidence),
            Some(Err(failure)) if failure.cause == Cause::Internal => return Err(failure),
            _ => self.fail(&all),
        }
        Ok(())
    }

    /// The result of an attempt, if it was made in advance.
    fn known(&self, chain: &Chain, attempt: &Attempt, in_advance: InAdvance) -> Option<Joined> {
        let (aims, result) = in_advance?;
        // It was compared with the parts of the chain, which may be better than its parts.
        let better =
            |made: &(CoveringCase, Evidence)| is_better(&made.1, &self.parts(chain, attempt));
        (aims == self.aims(&attempt.next)).then(|| Ok(result?.filter(better)))
    }

    /// The next ones, each for itself, as many as may be tried.
    fn nearest(&self, chain: &Chain) -> Vec<Attempt> {
        if chain.length == LONGEST {
            return Vec::new();
        }
        let attempt = |next: usize| {
            let aim = self.followed(&chain.aim, next)?;
            let cost = chain.current.explored + self.rest[next].explored;
            Some(Attempt { next: vec![next], aim, cost })
        };
        let near = self.rest.len().min(NEAREST);
        let mut attempts: Vec<Attempt> = (0..near).filter_map(attempt).collect();
        let mut cost = 0;
        attempts.retain(|attempt| {
            cost += attempt.cost;
            cost <= self.left
        });
        attempts
    }

    /// The next ones together, at least two and as many as may be tried.
    fn several(&self, chain: &Chain, most: usize) -> Option<Attempt> {
        let (aim, cost) = (chain.aim.clone(), chain.current.explored);
        let mut several = Attempt { next: Vec::new(), aim, cost };
        let mut open: Vec<usize> = (0..self.rest.len()).collect();
        while several.next.len() < most.min(LONGEST - chain.length) {
            let follows = |(position, next): (usize, &usize)| {
                Some((position, self.followed(&several.aim, *next)?))
            };
            let Some((position, aim)) = open.iter().take(NEAREST).enumerate().find_map(follows)
            else {
                break;
            };
            let next = open.remove(position);
            let cost = several.cost + self.rest[next].explored;
            if cost > self.left {
                break;
            }
            several.next.push(next);
            (several.aim, several.cost) = (aim, cost);
        }
        Some(several).filter(|several| several.next.len() > 1)
    }

    /// What covers an aim and then that of a candidate.
    fn followed(&self, (target, way): &AimAndWay, next: usize) -> Option<AimAndWay> {
        let (other, other_way) = self.aim_of(&self.rest[next])?;
        target.followed(way, &other, &other_way, self.loaded)
    }

    fn aims(&self, next: &[usize]) -> Vec<Option<(usize, usize)>> {
        next.iter().map(|next| self.rest[*next].aim).collect()
    }

    fn parts<'a>(&'a self, chain: &'a Chain, attempt: &Attempt) -> Vec<&'a Evidence> {
        let next = attempt.next.iter().map(|next| &self.rest[*next].evidence);
        std::iter::once(&chain.current.evidence).chain(next).collect()
    }

    fn fail(&mut self, attempt: &Attempt) {
        self.left -= attempt.cost;
        self.in_vain = true;
    }

    /// Takes a joined test case for its parts.
    fn join(
        &mut self,
        chain: &mut Chain,
        attempt: Attempt,
        case: CoveringCase,
        evidence: Evidence,
    ) {
        let CoveringCase { case, explored, unchecked, .. } = case;
        let current = Candidate { case, aim: chain.current.aim, evidence, explored, unchecked };
        self.left = self.left.saturating_sub(explored);
        self.joined += attempt.next.len();
        let mut position = 0;
        self.rest.retain(|_| {
            position += 1;
            !attempt.next.contains(&(position - 1))
        });
        // A joined test case may cover more than its parts, so that others are redundant.
        let mut all = std::mem::take(&mut self.done);
        let before = all.len();
        all.push(current);
        all.append(&mut self.rest);
        let mut kept = self.field.sufficient(all, before + 1);
        self.rest = kept.split_off(before + 1);
        let current = kept.pop().expect("the current one is kept in any case");
        self.done = kept;
        *chain = Chain { current, aim: attempt.aim, length: chain.length + attempt.next.len() };
    }

    /// The results of attempts, up to the first that ends them. Other threads try in advance what comes next.
    fn tried(
        &self,
        chain: &Chain,
        attempts: &[&Attempt],
        ends: impl Fn(&Joined) -> bool + Sync,
    ) -> Vec<Joined> {
        let threads = (self.threads / attempts.len().max(1)).max(1);
        let join = |attempt: &&Attempt, cancel: &Cancel| {
            let (cancel, memory, view) = (cancel.clone(), self.memory, self.view);
            let mut effort = Effort { cancel, threads, memory, view, ..Effort::default() };
            self.made(&attempt.aim, &self.parts(chain, attempt), &mut effort)
        };
        until_wanted(attempts, self.threads, &self.cancel, join, ends)
    }

    /// A joined test case with its evidence, unless its parts are better.
    fn made(
        &self,
        (target, way): &AimAndWay,
        parts: &[&Evidence],
        effort: &mut Effort<'_>,
    ) -> Joined {
        let (cancel, threads) = (effort.cancel.clone(), effort.threads);
        let worse = |joined: &Evidence| !is_better(joined, parts);
        let mut better = None;
        // What is not better need not be checked either.
        let mut useful = |case: &TestCase| {
            let evidence = self.field.shown(self.loaded, case, Some(&worse), (&cancel, threads))?;
            better = evidence.filter(|evidence| !worse(evidence));
            Ok(better.is_some())
        };
        let ways = std::slice::from_ref(way);
        let made = cover_target(self.loaded, target, ways, self.how, &mut useful, effort)?;
        Ok(made.ok().zip(better))
    }

    /// What a candidate was made for, if it surely gets there without control loss and may go on from there. What it
    /// only may cover would be lost in a joined test case, which is compared by what is certain.
    fn aim_of(&self, candidate: &Candidate) -> Option<AimAndWay> {
        let (target, way) = candidate.aim?;
        let (_, aim, ways) = &self.field.targets[target];
        let certain = candidate.case.summary.rank[..2] == [0, 0]
            && candidate.evidence.fair.0 == candidate.evidence.fair.1
            && self.field.certainly_covers(candidate, target, way);
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
