//! Test cases for what there is to cover, one after the other.
//!
//! A target that the test cases made so far cover gets no own one. Other threads make test cases in advance; what turns
//! out to be covered meanwhile is dropped, so the result does not depend on the number of threads.

use std::time::Instant;

use fixedbitset::FixedBitSet;
use tioga_base::{Cancel, Diagnostic};
use tioga_explore::map_each;
use tioga_testcase::Cover;

use super::built::{Proof, Standing, SuiteOptions};
use super::evidence::Evidence;
use super::field::{Candidate, Field};
use super::order::far_first;
use super::out_of_reach::OutOfReach;
use crate::effort::is_over;
use crate::synthesis::{CoverOptions, CoveringCase, Uncovered, WhyMissed, cover_target};
use crate::{Cause, Effort, Failure, Loaded, Reason};

/// How many test cases are made at the same time at most.
const TOGETHER: usize = 8;

/// A test case with its evidence, if there was time for it, or why there is none.
type Made = Result<Result<(CoveringCase, Option<Evidence>), Uncovered>, Failure>;

/// Test cases that are made for targets.
pub(super) struct Covering<'c> {
    loaded: &'c Loaded,
    field: &'c Field,
    options: &'c SuiteOptions,
    /// The test cases so far.
    pub kept: Vec<Candidate>,
    /// What is known of each target.
    pub standing: Vec<Standing>,
    /// Targets that were not looked at, the next one last.
    pub waiting: Vec<usize>,
    /// The first target for which no test case can be made.
    pub refused: Option<Failure>,
    /// The first limit that stopped a test case.
    pub limited: Option<Diagnostic>,
    out_of_reach: OutOfReach,
    /// The targets that a test case covers in every run that passes.
    covered: FixedBitSet,
}

impl<'c> Covering<'c> {
    pub fn new(
        loaded: &'c Loaded,
        field: &'c Field,
        options: &'c SuiteOptions,
        given: Vec<Candidate>,
    ) -> Self {
        let mut waiting = far_first(&loaded.model, &field.targets);
        if options.certain {
            // Few edges are taken without cooperation, and what needs another edge is not even looked at.
            waiting.sort_by_key(|target| field.targets[*target].0 == Cover::Edges);
        }
        let mut covering = Self {
            loaded,
            field,
            options,
            kept: Vec::new(),
            standing: field.targets.iter().map(|_| Standing::Open).collect(),
            waiting,
            refused: None,
            limited: None,
            out_of_reach: OutOfReach::default(),
            covered: FixedBitSet::with_capacity(field.targets.len()),
        };
        given.into_iter().for_each(|one| covering.add(one));
        covering
    }

    /// Makes test cases until enough is covered by each criterion or the time is over.
    pub fn run(&mut self, until: Option<Instant>, effort: &mut Effort<'_>) -> Result<(), Failure> {
        let all = self.field.targets.len();
        while !self.waiting.is_empty() && !effort.cancel.is_cancelled() && !is_over(until) {
            let looked = all - self.waiting.len();
            effort.part(looked, all, "targets looked at");
            effort.stop_if_too_large();
            // The first test cases cover much, so few are made in advance.
            let advance = match effort.threads {
                1 => 1,
                _ => TOGETHER.min(2 + looked / 2),
            };
            let mut batch = Vec::new();
            let mut open = 0;
            while open < advance
                && let Some(target) = self.waiting.pop()
            {
                if self.is_enough(target) {
                    continue;
                }
                open += usize::from(self.known(target).is_none());
                batch.push(target);
            }
            let how = self.how();
            let made = self.made(&batch, how, effort);
            let mut results = batch.into_iter().zip(made);
            for (target, made) in results.by_ref() {
                if self.is_enough(target) {
                    continue;
                }
                self.note(target, made, &effort.cancel)?;
                if self.how().names_own_moves != how.names_own_moves {
                    break;
                }
            }
            // What is left was made in advance for other circumstances.
            let left: Vec<usize> = results.map(|(target, _)| target).collect();
            self.waiting.extend(left.into_iter().rev());
        }
        Ok(())
    }

    fn how(&self) -> CoverOptions<'c> {
        CoverOptions {
            certain: self.options.certain,
            names_own_moves: self.kept.iter().any(|one| !one.case.own_moves.is_empty()),
            clear: self.field.clear,
            checks_later: self.field.clear,
            synthesis: &self.options.synthesis,
        }
    }

    /// What is known of a target that needs no own test case, because others cover it as well as is possible or it is
    /// out of reach.
    fn known(&self, target: usize) -> Option<Standing> {
        if self.kept.iter().any(|one| self.field.covers(one, target, 0)) {
            return Some(covered_by(self.field, &self.kept, target, 0));
        }
        let (_, _, ways) = &self.field.targets[target];
        self.out_of_reach.standing(&self.loaded.model, ways).cloned()
    }

    /// Makes test cases for some targets, side by side, and runs each against the model. Nothing is made for what is
    /// known.
    fn made(
        &self,
        batch: &[usize],
        how: CoverOptions<'_>,
        effort: &Effort<'_>,
    ) -> Vec<Option<Made>> {
        let (cancel, memory, view) = (effort.cancel.clone(), effort.memory, effort.view);
        let make = |target: usize| -> Made {
            let (_, aim, ways) = &self.field.targets[target];
            let mut own =
                Effort { cancel: cancel.clone(), threads: 1, memory, view, ..Effort::default() };
            let made = cover_target(self.loaded, aim, ways, how, &mut |_| Ok(true), &mut own)?;
            let shown = |one: CoveringCase| {
                let evidence = self.field.shown(self.loaded, &one.case, None, (&cancel, 1))?;
                Ok((one, evidence))
            };
            made.map_or_else(|why| Ok(Err(why)), |one| shown(one).map(Ok))
        };
        map_each(effort.threads, batch, |target| {
            self.known(*target).is_none().then(|| make(*target))
        })
    }

    /// Keeps what was made for a target, or the reason why nothing was.
    fn note(&mut self, target: usize, made: Option<Made>, cancel: &Cancel) -> Result<(), Failure> {
        // What was made before may cover what was made in advance.
        let made = match (self.known(target), made) {
            (Some(known), _) => {
                self.standing[target] = known;
                return Ok(());
            }
            (None, made) => made.expect("a test case is made for what is not known"),
        };
        self.standing[target] = match made {
            Ok(Ok((case, evidence))) => self.keep(target, case, evidence),
            Ok(Err(uncovered)) => {
                let standing = match uncovered.why {
                    WhyMissed::Unreachable => {
                        Standing::Impossible(Proof::Searched(uncovered.searched))
                    }
                    why => Standing::Missed(why),
                };
                let (_, aim, ways) = &self.field.targets[target];
                self.out_of_reach.note(aim, ways, &standing);
                standing
            }
            Err(failure) if failure.cause == Cause::Limit => {
                if cancel.is_cancelled() {
                    return Ok(());
                }
                let first = failure.diagnostics.iter().next().cloned();
                self.limited = self.limited.take().or(first);
                Standing::Missed(WhyMissed::Limit)
            }
            Err(failure) if failure.cause == Cause::Internal => return Err(failure),
            Err(failure) => {
                let data = failure.reason == Some(Reason::Data);
                self.refused.get_or_insert(failure);
                Standing::Missed(if data { WhyMissed::Data } else { WhyMissed::Unfollowable })
            }
        };
        Ok(())
    }

    /// Keeps a test case, unless it is of no use.
    fn keep(&mut self, target: usize, made: CoveringCase, shown: Option<Evidence>) -> Standing {
        let CoveringCase { way, case, explored, unchecked } = made;
        let field = self.field;
        if !self.kept.iter().any(|one| field.covers(one, target, way)) {
            // Without time for runs, what it is made for is known from the game, but not what a lazy system leaves
            // out.
            if self.options.certain && shown.is_none() {
                return Standing::Open;
            }
            let evidence = shown.unwrap_or_default();
            if evidence.failed.is_some() {
                return Standing::Missed(WhyMissed::FailsModel);
            }
            // Ranks count on answers that a system may leave out for ever.
            if self.options.certain && evidence.open > 0 {
                return Standing::Missed(WhyMissed::Cooperation);
            }
            // Where the tester sees where the model is, a run that passes has covered the target.
            debug_assert!(
                evidence.fair.1 == 0
                    || !field.clear
                    || evidence.covered.contains(field.first[target] + way),
                "{} passes without covering its target",
                case.name
            );
            let aim = Some((target, way));
            self.add(Candidate { case, aim, evidence, explored, unchecked });
        }
        covered_by(field, &self.kept, target, way)
    }

    fn add(&mut self, one: Candidate) {
        for target in 0..self.field.targets.len() {
            let mut ways = 0..self.field.targets[target].2.len();
            if ways.any(|way| self.field.certainly_covers(&one, target, way)) {
                self.covered.insert(target);
            }
        }
        self.kept.push(one);
    }

    /// Whether enough is covered of what a criterion asks for and is not known to be impossible.
    fn is_enough(&self, target: usize) -> bool {
        let until = self.options.until;
        if until >= 100 {
            return false;
        }
        let criterion = self.field.targets[target].0;
        let (mut covered, mut coverable) = (0, 0);
        for (target, (other, _, _)) in self.field.targets.iter().enumerate() {
            if *other == criterion && !self.standing[target].is_impossible() {
                coverable += 1;
                covered += usize::from(self.covered.contains(target));
            }
        }
        covered * 100 >= coverable * until as usize
    }
}

/// What is known of a target from the test cases.
pub(super) fn covered_by(field: &Field, kept: &[Candidate], target: usize, way: usize) -> Standing {
    let name = |one: &Candidate| one.case.name.clone();
    let certainly = kept.iter().find(|one| field.certainly_covers(one, target, way));
    let perhaps = || kept.iter().find(|one| field.covers(one, target, way));
    match certainly {
        Some(one) => Standing::Covered(name(one)),
        None => perhaps().map_or(Standing::Open, |one| Standing::Possible(name(one))),
    }
}
