//! Test cases that kill mutants: each leads to a difference between a mutant and the model.
//!
//! The comparison of a mutant with the model ends with a run that the model does not allow. A purpose made from it leads
//! a test case to the end of the run ([`crate::with_run`]): first one in which outputs may come at any moment, then one
//! in which all events have the times of the run. It belongs to the suite if it kills the mutant in a run. The result is
//! that of the whole suite against all mutants.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::time::Instant;

use tioga_adapters::Policy;
use tioga_base::{Cancel, Diagnostic, Rational, Sources, StopReason};
use tioga_concrete::Trace;
use tioga_explore::map_each;
use tioga_model::{EdgePlace, Model};
use tioga_mutate::{Change, Mutant, Operator};
use tioga_testcase::{Cover, ModelSource, TestCase};

use super::built::{BuiltSuite, SuiteOptions, SuiteTest};
use super::evidence::{Evidence, Watched, evidence};
use super::score::Killing;
use crate::cover::{Target, targets};
use crate::effort::is_over;
use crate::mutation::{
    JUDGED_STATES, Judge, Matrix, MutationOptions, Score, Status, Trials, Tried,
};
use crate::purpose_from::{MadePurpose, Slack, purpose_of_trace};
use crate::synthesis::{CoverOptions, CoveringCase, cover_target};
use crate::{
    Aim, Cause, Effort, Failure, GivenPurpose, Loaded, SAMPLES, instances, read, synthesize,
};

/// How often the whole suite is tried, and survivors get more test cases.
const ROUNDS: usize = 4;

/// The percentage of the time that is left in which test cases are made, before they are measured.
const MAKING: u32 = 60;

/// For how many survivors test cases are made before what they kill is measured.
const TOGETHER: usize = 8;

/// How many targets around a change are tried.
const AROUND: usize = 12;

/// How many runs there are at least to see how often a test case kills a mutant.
const TRIALS: u64 = 10;

/// By how many passed runs more than failed ones a test case is given up for a mutant that it was not made for.
const HOPE: usize = 5;

/// One time in so many a mutant may survive all runs of a test case.
const SURVIVING: u64 = 20;

/// How often a test case is run in each repetition at most.
const MOST_RUNS: u32 = 4;

/// The number of trial runs of a test case that is run `repeat` times in the end.
fn trial_runs(repeat: u64) -> u64 {
    repeat.max(TRIALS)
}

/// How often a test case is run in each of `repeat` repetitions, if `kills` of its trials killed: at most once more than
/// in a suite.
fn runs_in_turn(kills: usize, repeat: u64) -> u32 {
    const ALWAYS: u64 = 1_000_000;
    let trials = trial_runs(repeat);
    let passes = trials - kills as u64;
    let mut survives = ALWAYS;
    for runs in 1..=(u64::from(MOST_RUNS) + 1) * repeat {
        survives = survives * passes / trials;
        if survives * SURVIVING <= ALWAYS {
            return u32::try_from(runs.div_ceil(repeat)).unwrap_or(MOST_RUNS + 1);
        }
    }
    MOST_RUNS + 1
}

/// Adds test cases until enough mutants are killed, and returns how many are.
pub fn kill(
    loaded: &Loaded,
    built: &mut BuiltSuite,
    options: &SuiteOptions,
    effort: &mut Effort<'_>,
    texts: &mut Sources,
) -> Result<(), Failure> {
    let how = MutationOptions {
        operators: Operator::ALL.to_vec(),
        environment: false,
        as_is: false,
        repeat: options.repeat,
        seed: options.seed,
        policy: Policy::Random,
        patience: None,
        full: false,
        judge_all: false,
        max_states: JUDGED_STATES,
    };
    let (known, matrix) = (Killing::default(), None);
    let mut campaign = Campaign { how: &how, known, matrix, made: 0 };
    campaign.measure_fit(loaded, built, effort)?;
    let done = |campaign: &Campaign<'_>, effort: &Effort<'_>| {
        campaign.known.reaches(options.killed) || effort.cancel.is_cancelled()
    };
    // Where every conforming system is to pass, few tests can be made for what depends on the system's choices.
    if options.certain && !done(&campaign, effort) {
        campaign.walk(loaded, built, options, effort)?;
    }
    let mut cut = false;
    // What a test case killed when it was tried may survive the suite, whose runs have other seeds.
    for _ in 0..ROUNDS {
        if done(&campaign, effort) {
            break;
        }
        let Some(matrix) = campaign.matrix.take() else { break };
        let survivors = matrix.tried.iter().filter(|one| !one.is_killed());
        let survivors = survivors.filter_map(|one| match &one.status {
            Some(Status::NonConforming { run, .. }) => Some((one, run)),
            _ => None,
        });
        let (survivors, judge) = (survivors.collect(), &matrix.judge);
        let (clear, cancel) = (built.clear, effort.cancel.clone());
        let field = Field { loaded, survivors, judge, how: &how, clear, cancel };
        let goal =
            Score::of(&matrix.tried).worth() * (100 - options.killed.min(100)) as usize / 100;
        // What was made must still be measured.
        let until = effort.part_of_time(MAKING);
        let more = against(built, &field, goal, options, (until, effort), texts)?;
        drop(field);
        campaign.matrix = Some(matrix);
        campaign.made += more;
        cut |= is_over(until);
        if more == 0 || effort.cancel.is_cancelled() {
            campaign.known.complete &= !effort.cancel.is_cancelled();
            campaign.known.unmeasured = more;
            break;
        }
        campaign.measure_fit(loaded, built, effort)?;
    }
    if !options.certain && !done(&campaign, effort) {
        campaign.walk(loaded, built, options, effort)?;
    }
    if cut && !campaign.known.reaches(options.killed) {
        built.stopped.get_or_insert(StopReason::Time);
    }
    built.killing = Some(campaign.known);
    Ok(())
}

/// A suite against mutants, while it is made.
pub(super) struct Campaign<'c> {
    pub how: &'c MutationOptions,
    /// What is known of the suite as it is.
    pub known: Killing,
    pub matrix: Option<Matrix>,
    /// How many test cases were made against survivors.
    pub made: usize,
}

pub(super) fn told(matrix: &Matrix, repeat: u64, made: usize) -> Killing {
    let missed = matrix.tried.iter().filter(|one| one.is_missed());
    let missed = missed.map(|one| (one.mutant.id.clone(), one.mutant.description.clone()));
    Killing {
        score: Score::of(&matrix.tried),
        repeat,
        made,
        unmeasured: 0,
        missed: missed.collect(),
        complete: !matrix.interrupted,
    }
}

/// Makes test cases against the mutants that survived until some instant, and says how many were made.
fn against(
    built: &mut BuiltSuite,
    field: &Field<'_>,
    goal: usize,
    options: &SuiteOptions,
    (until, effort): (Option<Instant>, &mut Effort<'_>),
    texts: &mut Sources,
) -> Result<usize, Failure> {
    let Field { loaded, survivors, how, .. } = field;
    let runs: Vec<(&str, &Trace)> =
        survivors.iter().map(|(one, run)| (one.mutant.id.as_str(), *run)).collect();
    // Outputs at any moment first, then everything as it was.
    let slacks = [Slack::Outputs, Slack::Within(Rational::ZERO)];
    let aimed = purposes(&loaded.model, &runs, &slacks);
    if aimed.is_empty() {
        return Ok(0);
    }
    let all = with_purposes(&built.source, aimed.iter().map(|(_, purpose)| purpose));
    let aiming = read(all, &[], texts)?;
    let mut dead: BTreeSet<usize> = BTreeSet::new();
    let mut used: Vec<String> = Vec::new();
    // The test cases that kill a survivor in few runs only, the best for each.
    let mut weak: BTreeMap<usize, (usize, Option<String>, TestCase)> = BTreeMap::new();
    let mut made = 0;
    let names_own_moves = built.tests.iter().any(|test| !test.case.own_moves.is_empty());
    let mut names: BTreeSet<String> =
        built.tests.iter().map(|test| test.case.name.clone()).collect();
    let mut add = |name: Option<String>, case: TestCase| {
        // The same test case may be the answer to several survivors.
        if names.insert(case.name.clone()) {
            used.extend(name);
            made += 1;
            let (fair, duration, covers) = ((0, 0), None, 0);
            let may_try_nothing = false;
            built.tests.push(SuiteTest { case, fair, duration, covers, may_try_nothing });
        }
    };
    let over = |dead: &BTreeSet<usize>, effort: &Effort<'_>| {
        effort.cancel.is_cancelled() || is_over(until) || survivors.len() - dead.len() <= goal
    };
    let left = |dead: &BTreeSet<usize>| -> Vec<usize> {
        (0..survivors.len()).filter(|one| !dead.contains(one)).collect()
    };
    let mut looked = 0;
    while looked < aimed.len() && !over(&dead, effort) {
        effort.part(looked, aimed.len(), "survivors looked at");
        effort.stop_if_too_large();
        let mut batch = Vec::new();
        while batch.len() < TOGETHER && looked < aimed.len() {
            if !dead.contains(&aimed[looked].0) {
                batch.push(&aimed[looked]);
            }
            looked += 1;
        }
        let (threads, memory, view) = (effort.threads, effort.memory, effort.view);
        let killers = map_each(threads, &batch, |(position, MadePurpose { name, .. })| {
            let cancel = field.cancel.clone();
            let mut own = Effort { cancel, threads: 1, memory, view, ..Effort::default() };
            killer(field, &aiming, (*position, name), options, &mut own)
        });
        for ((position, MadePurpose { name, .. }), killer) in batch.into_iter().zip(killers) {
            let position = *position;
            let Some((own, case)) = killer? else { continue };
            if dead.contains(&position) {
                continue;
            }
            if runs_in_turn(own, how.repeat) == 1 {
                dead.insert(position);
                dead.extend(field.surely(&case, &left(&dead), effort)?);
                add(Some(name.clone()), case);
            } else if own > weak.get(&position).map_or(0, |(runs, ..)| *runs) {
                weak.insert(position, (own, Some(name.clone()), case));
            }
        }
    }
    // Where no test case for the run itself kills surely, one that covers the changed part of the model may.
    for (position, (one, _)) in survivors.iter().enumerate() {
        if over(&dead, effort) {
            break;
        }
        // What is around a change and needs no cooperation is in the suite already, by the other criteria.
        if dead.contains(&position) || options.certain {
            continue;
        }
        for target in around(&loaded.model, &one.mutant).into_iter().take(AROUND) {
            let ways = target.ways(&loaded.model, true);
            let (certain, synthesis) = (options.certain, &options.synthesis);
            let (clear, checks_later) = (built.clear, false);
            let covering =
                CoverOptions { certain, names_own_moves, clear, checks_later, synthesis };
            let made = cover_target(loaded, &target, &ways, covering, &mut |_| Ok(true), effort);
            let Ok(Ok(CoveringCase { case, .. })) = made else { continue };
            let cases = instances(vec![case.clone()], SAMPLES, how.seed)?;
            if !field.may_be_kept(&cases, options.certain) {
                continue;
            }
            let own = field.kills(&cases, position, true);
            if runs_in_turn(own, how.repeat) == 1 {
                dead.insert(position);
                dead.extend(field.surely(&case, &left(&dead), effort)?);
                add(None, case);
                break;
            }
            if own > weak.get(&position).map_or(0, |(runs, ..)| *runs) {
                weak.insert(position, (own, None, case));
            }
        }
    }
    // Those that take the fewest runs first, and no more than are needed.
    let mut weak: Vec<_> =
        weak.into_iter().filter(|(position, _)| !dead.contains(position)).collect();
    weak.sort_by_key(|(position, (runs, ..))| (runs_in_turn(*runs, how.repeat), *position));
    let needed = (survivors.len() - dead.len()).saturating_sub(goal);
    for (_, (runs, name, case)) in weak.into_iter().take(needed) {
        // What depends on chance is tried more often than the rest.
        let runs = NonZeroU32::new(runs_in_turn(runs, how.repeat).min(MOST_RUNS))
            .filter(|one| one.get() > 1);
        add(name, TestCase { runs, ..case });
    }
    if !used.is_empty() {
        // Only the purposes that test cases were made for stay with the suite. Their constants may need a finer unit
        // of time, which all test cases of the suite count in.
        let purposes = aimed.iter().map(|(_, purpose)| purpose);
        let kept = purposes.filter(|purpose| used.contains(&purpose.name));
        let mut source = with_purposes(&built.source, kept);
        let scale = aiming.model.scale;
        if read(source.clone(), &[], texts)?.model.scale != scale {
            source = aiming.source.clone();
        }
        built.source = source;
        for test in &mut built.tests {
            test.case = test.case.clone().counting_in(scale).ok_or_else(too_fine)?;
        }
    }
    Ok(made)
}

/// A test case for the purpose of this name, made against a survivor, and how many of its runs kill it.
fn killer(
    field: &Field<'_>,
    aiming: &Loaded,
    (position, name): (usize, &str),
    options: &SuiteOptions,
    effort: &mut Effort<'_>,
) -> Result<Option<(usize, TestCase)>, Failure> {
    let aim = Aim::Purposes(vec![GivenPurpose::Named(name.to_owned())]);
    let case = match synthesize(aiming, &aim, &options.synthesis, effort) {
        Ok(mut made) => made.cases.pop(),
        // What cannot be made for one survivor may be made for others.
        Err(failure) if failure.cause != Cause::Internal => None,
        Err(failure) => return Err(failure),
    };
    let Some(case) = case else { return Ok(None) };
    if options.certain && case.summary.rank[..2] != [0, 0] {
        return Ok(None);
    }
    let cases = instances(vec![case.clone()], SAMPLES, field.how.seed)?;
    if !field.may_be_kept(&cases, options.certain) {
        return Ok(None);
    }
    Ok(Some((field.kills(&cases, position, true), case)))
}

/// The edges that a mutant changes, or those from the location that it changes.
pub(super) fn changed(model: &Model, mutant: &Mutant) -> Vec<EdgePlace> {
    let process = mutant.process;
    match &mutant.change {
        Change::Edge(edge, _) | Change::Missing(edge) | Change::Sink(edge) => {
            vec![(process, *edge)]
        }
        Change::Invariant(location, _) => {
            let all = model.processes[process].edges.iter_ids();
            let own = all.filter(|(_, edge)| edge.source == *location);
            own.map(|(edge, _)| (process, edge)).collect()
        }
    }
}

/// What there is to cover around the change of a mutant.
fn around(model: &Model, mutant: &Mutant) -> Vec<Target> {
    let changed = changed(model, mutant);
    let covers = [Cover::DefinitionsUses, Cover::Boundaries, Cover::EdgePairs, Cover::Edges];
    let all = covers.into_iter().flat_map(|cover| targets(model, cover));
    let touches = |target: &Target| {
        let way = target.ways.first().and_then(|way| way.milestones(model));
        way.is_some_and(|way| {
            let mut edges = way.list.iter().flat_map(|milestone| &milestone.edges);
            edges.any(|edge| changed.contains(edge))
        })
    };
    all.filter(touches).collect()
}

/// The purposes that lead to where mutants differ from the model, each with the position of its mutant.
pub(super) fn purposes(
    model: &Model,
    survivors: &[(&str, &Trace)],
    slacks: &[Slack],
) -> Vec<(usize, MadePurpose)> {
    let mut made: Vec<(usize, MadePurpose)> = Vec::new();
    for &slack in slacks {
        for (position, (id, run)) in survivors.iter().enumerate() {
            let variant = if slack == Slack::Outputs { "" } else { "_exactly" };
            let stem = format!("{id}{variant}");
            let Ok(own) = purpose_of_trace(model, &stem, run, slack) else { continue };
            // Mutants that differ from the model in the same way share a test case.
            if made.iter().all(|(_, known)| !known.asks_the_same(&own)) {
                made.push((position, own));
            }
        }
    }
    made
}

/// The source with these purposes, too.
pub(super) fn with_purposes<'p>(
    source: &ModelSource,
    purposes: impl IntoIterator<Item = &'p MadePurpose>,
) -> ModelSource {
    let mut source = source.clone();
    let all = source.options.purposes.get_or_insert_default();
    purposes.into_iter().for_each(|own| all.push_str(&own.text));
    source
}

/// The survivors, to be run.
struct Field<'f> {
    loaded: &'f Loaded,
    survivors: Vec<(&'f Tried, &'f Trace)>,
    judge: &'f Judge,
    how: &'f MutationOptions,
    /// Whether the observations determine the state of the model.
    clear: bool,
    cancel: Cancel,
}

impl Field<'_> {
    /// Whether the model passes a test case in every run, if that must be certain, and never fails it. That is only in doubt
    /// where the tester does not see all.
    fn may_be_kept(&self, cases: &[TestCase], certain: bool) -> bool {
        if !certain && self.clear {
            return true;
        }
        let model = &self.loaded.model;
        let watched = Watched::new(model, std::iter::empty());
        let useless = |shown: &Evidence| shown.failed.is_some() || certain && shown.open > 0;
        let effort = (&self.cancel, 1);
        let shown = evidence(model, &watched, cases, self.how.seed, Some(&useless), effort);
        shown.is_some_and(|shown| !useless(&shown))
    }

    /// How many runs of a test case a survivor fails; fewer are tried if it looks as if it passed most.
    fn kills(&self, cases: &[TestCase], position: usize, patient: bool) -> usize {
        let Self { loaded, survivors, judge, how, .. } = self;
        let model = &loaded.model;
        let (seed, cancel) = (how.seed, self.cancel.clone());
        let trials = Trials { model, cases, seed, patience: None, full: false, cancel };
        let changed = judge.completed(model, &survivors[position].0.mutant);
        let Ok(changed) = changed.validate() else { return 0 };
        let mut kills = 0;
        for run in 0..trial_runs(how.repeat) {
            let row = trials.add(trials.blank(), &changed, how.policy, run..run + 1);
            kills += usize::from(row.kill().is_some());
            let passed = run as usize + 1 - kills;
            if !patient && (runs_in_turn(kills, how.repeat) == 1 || passed > kills + HOPE) {
                break;
            }
        }
        kills
    }

    /// The survivors of these that a test case kills surely.
    fn surely(
        &self,
        case: &TestCase,
        left: &[usize],
        effort: &Effort<'_>,
    ) -> Result<Vec<usize>, Failure> {
        let cases = instances(vec![case.clone()], SAMPLES, self.how.seed)?;
        let work = |position: &usize| {
            runs_in_turn(self.kills(&cases, *position, false), self.how.repeat) == 1
        };
        let dies = map_each(effort.threads, left, work);
        Ok(left.iter().zip(dies).filter_map(|(position, dies)| dies.then_some(*position)).collect())
    }
}

fn too_fine() -> Failure {
    let message = "the times of runs that kill mutants need a unit too fine to count in";
    Diagnostic::global("too-long", message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_leave_one_survivor_in_twenty() {
        // Run once: all of ten trials kill, nine, five, three.
        assert_eq!([10, 9, 5, 3].map(|kills| runs_in_turn(kills, 1)), [1, 2, 5, MOST_RUNS + 1]);
        // Run ten times: 0.7 to the tenth is 0.03, 0.8 to the tenth is 0.11, 0.9 to the thirtieth is 0.04.
        assert_eq!([10, 3, 2, 1].map(|kills| runs_in_turn(kills, 10)), [1, 1, 2, 3]);
        assert_eq!(runs_in_turn(0, 10), MOST_RUNS + 1);
    }
}
