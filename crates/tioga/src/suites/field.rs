//! All coverage items, and the test cases that were made for them so far.

use fixedbitset::FixedBitSet;
use tioga_base::Cancel;
use tioga_testcase::{Cover, TestCase};

use super::built::{Criterion, SuiteOptions};
use super::evidence::{Evidence, Watched, evidence};
use super::reduce::cheapest_cover;
use crate::cover::{Target, Way, targets};
use crate::synthesis::Unchecked;
use crate::{Failure, Loaded, SAMPLES, instances};

/// A test case that was made, while the suite is not complete.
pub(super) struct Candidate {
    pub case: TestCase,
    /// What it was made for: the position of the target, and the way that was possible.
    pub aim: Option<(usize, usize)>,
    pub evidence: Evidence,
    /// How many discrete states were explored for it.
    pub explored: usize,
    /// What is to be checked if it is kept.
    pub unchecked: Option<Unchecked>,
}

impl Candidate {
    /// A test case that was not made for a coverage item here.
    pub fn given(case: TestCase, evidence: Evidence) -> Self {
        Self { case, aim: None, evidence, explored: 0, unchecked: None }
    }
}

/// All coverage items.
pub(super) struct Field {
    pub targets: Vec<(Cover, Target, Vec<Way>)>,
    /// The position of the first way of each target among all ways.
    pub first: Vec<usize>,
    pub watched: Watched,
    /// Whether the observations determine the state of the model.
    pub clear: bool,
    /// The seed of runs.
    seed: u64,
}

impl Field {
    pub fn new(loaded: &Loaded, options: &SuiteOptions, clear: bool) -> Self {
        let model = &loaded.model;
        let mut all = Vec::new();
        for criterion in &options.criteria {
            let Criterion::Cover(cover) = criterion else { continue };
            all.extend(targets(model, *cover).into_iter().map(|target| {
                let ways = target.ways(model, options.then || cover.looks_further());
                (*cover, target, ways)
            }));
        }
        let mut first = Vec::new();
        let mut count = 0;
        for (_, _, ways) in &all {
            first.push(count);
            count += ways.len();
        }
        let watched = Watched::new(model, all.iter().flat_map(|(_, _, ways)| ways));
        Self { targets: all, first, watched, clear, seed: options.seed }
    }

    /// Runs a test case against the model. No more runs are made when it is hopeless; nothing is known if they are
    /// stopped from outside.
    pub fn shown(
        &self,
        loaded: &Loaded,
        case: &TestCase,
        hopeless: Option<&dyn Fn(&Evidence) -> bool>,
        effort: (&Cancel, usize),
    ) -> Result<Option<Evidence>, Failure> {
        let instances = match case.data {
            Some(_) => instances(vec![case.clone()], SAMPLES.min(4), self.seed)?,
            None => Vec::new(),
        };
        let cases = if case.data.is_some() { &instances[..] } else { std::slice::from_ref(case) };
        Ok(evidence(&loaded.model, &self.watched, cases, self.seed, hopeless, effort))
    }

    /// Whether every run of a test case that passes covers a target in a way.
    pub fn certainly_covers(&self, candidate: &Candidate, target: usize, way: usize) -> bool {
        let Evidence { covered, duration, .. } = &candidate.evidence;
        // Where no run passed, it is known from the game, if the tester sees where the model is.
        let by_game = candidate.aim == Some((target, way)) && self.clear && duration.is_none();
        by_game || covered.contains(self.first[target] + way)
    }

    /// Whether a test case covers a target in a way, or was made to.
    pub fn covers(&self, candidate: &Candidate, target: usize, way: usize) -> bool {
        candidate.aim == Some((target, way))
            || candidate.evidence.covered.contains(self.first[target] + way)
    }

    /// The cheapest candidates that cover what all cover; the first are kept in any case.
    pub fn sufficient(&self, kept: Vec<Candidate>, fixed: usize) -> Vec<Candidate> {
        // Each target counts in the best way in which a test case covers it.
        let best = |target: usize| {
            let mut ways = 0..self.targets[target].2.len();
            let way = ways.find(|way| kept.iter().any(|one| self.covers(one, target, *way)));
            way.map(|way| (target, way))
        };
        let aims: Vec<(usize, usize)> = (0..self.targets.len()).filter_map(best).collect();
        let given = |target, way| kept[..fixed].iter().any(|one| self.covers(one, target, way));
        let open: Vec<(usize, usize)> =
            aims.into_iter().filter(|(target, way)| !given(*target, *way)).collect();
        let covered = |one: &Candidate| {
            let mut set = FixedBitSet::with_capacity(open.len());
            for (element, (target, way)) in open.iter().enumerate() {
                set.set(element, self.covers(one, *target, *way));
            }
            set
        };
        let sets: Vec<FixedBitSet> = kept[fixed..].iter().map(covered).collect();
        let costs: Vec<u64> = kept[fixed..].iter().map(|one| cost(&one.evidence)).collect();
        let chosen = cheapest_cover(&sets, &costs);
        let mut kept = kept;
        let mut position = 0;
        kept.retain(|_| {
            position += 1;
            position <= fixed || chosen.contains(&(position - 1 - fixed))
        });
        kept
    }
}

/// The cost of a test case: its time and a reset.
pub(super) fn cost(evidence: &Evidence) -> u64 {
    let time = evidence.duration.map_or(1000, |time| time.ceil().clamp(0, 1_000_000));
    u64::try_from(time).unwrap_or(1000) + 1
}
