//! Coverage of a test case: it is run against the model, and the steps of the model are recorded.
//!
//! A target counts as covered only if every run that passed covered it, with a fair, eager or lazy model. So the
//! coverage of a redundant test case is based on evidence.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use fixedbitset::FixedBitSet;
use tioga_adapters::{FaultKind, ModelSystem, Policy, System, TakenStep, WithoutOwnMoves};
use tioga_base::{Cancel, Rational};
use tioga_execute::{Ending, Error, Outcome, RunLimits, Settings, drive};
use tioga_explore::map_each;
use tioga_model::{
    ClockConstraint, Composer, LocationId, Milestone, Milestones, Model, ProcessId, TimeBound,
};
use tioga_testcase::TestCase;

use crate::cover::Way;
use crate::runs::virtual_tester;

/// How often a fair model plays.
const FAIR: u64 = 8;

/// How often it plays in all if not all of these runs pass, as long as not too much happens: the share of those that pass
/// is an estimate of chance.
const CHANCE: u64 = 200;

/// How often it plays before what has happened is counted again.
const AT_A_TIME: u64 = 48;

/// How many things may happen until chance is estimated well enough.
const ENOUGH: u64 = 20 * EVENTS;

/// How many things may happen in a run.
const EVENTS: u64 = 1000;

/// How many outputs may come at one moment.
const AT_ONCE: u64 = EVENTS / 2;

/// A test that needs cooperation may try for ever with an eager or lazy model. So many more things may happen with it
/// than with a fair one.
const PATIENCE: u64 = 50;

/// The targets of runs.
pub struct Watched {
    entries: Vec<Entry>,
}

enum Entry {
    Location(ProcessId, LocationId),
    Milestones(Milestones),
}

/// The results of the runs of a test case against the model.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The targets that every passing run covered.
    pub covered: FixedBitSet,
    /// How many runs against a fair model there were, and how many of them passed.
    pub fair: (u64, u64),
    /// How many runs did not pass, with any model: a lazy one says nothing that it need not say.
    pub open: u64,
    /// How many of these ended because the model spoke again and again at one moment. No system does that.
    pub endless: u64,
    /// How many of them were inconclusive against a lazy model, because nothing was sent or heard: there was nothing to
    /// send, and it need not say anything.
    pub silent: u64,
    /// The longest run that passed.
    pub duration: Option<Rational>,
    /// Why a run failed, which none should.
    pub failed: Option<String>,
}

impl Watched {
    /// Looks for these ways.
    pub fn new<'w>(model: &Model, ways: impl Iterator<Item = &'w Way>) -> Self {
        let entry = |way: &Way| match (way.milestones(model), way.location()) {
            (Some(milestones), _) => Entry::Milestones(milestones),
            (None, Some((process, location))) => Entry::Location(process, location),
            (None, None) => Entry::Milestones(Milestones::default()),
        };
        Self { entries: ways.map(entry).collect() }
    }

    /// What a run covers.
    fn covered(&self, model: &Model, steps: &[TakenStep], end: Rational) -> FixedBitSet {
        let mut covered = FixedBitSet::with_capacity(self.entries.len());
        for (position, entry) in self.entries.iter().enumerate() {
            let is_covered = match entry {
                Entry::Location(process, location) => {
                    let body = &model.processes[*process];
                    body.initial == *location
                        || steps.iter().flat_map(|taken| &taken.step.participants).any(|part| {
                            part.process == *process && body.edges[part.edge].target == *location
                        })
                }
                Entry::Milestones(way) => reaches(model, way, steps, end),
            };
            covered.set(position, is_covered);
        }
        covered
    }
}

/// Whether the steps of a run that lasts until `end` reach all milestones.
fn reaches(model: &Model, way: &Milestones, steps: &[TakenStep], end: Rational) -> bool {
    let (mut reached, mut since) = (0, Rational::ZERO);
    let mut composer = Composer::new(model);
    for taken in steps {
        let mut holds = |milestone: &Milestone| {
            let mut decides =
                |decision| composer.decides(&taken.before.discrete, decision).unwrap_or(false);
            milestone.when.iter().all(|bound| holds(model, bound, taken).unwrap_or(false))
                && milestone.decision.as_ref().is_none_or(&mut decides)
        };
        let before = reached;
        // All edges of a step see what was reached before it; the last one that counts decides.
        for part in &taken.step.participants {
            let after = way.after(before, (part.process, part.edge), &mut holds);
            if after != before {
                reached = after;
            }
        }
        if reached != before && reached == way.list.len() {
            since = taken.at;
            if way.silence.is_none() {
                return true;
            }
        }
    }
    let silent = way.silence.is_none_or(|silence| {
        let time = Rational::new(silence, model.scale).and_then(|silence| since.add(silence));
        time.is_ok_and(|time| end >= time)
    });
    reached == way.list.len() && silent
}

/// Whether a bound held before a step.
fn holds(model: &Model, bound: &ClockConstraint, taken: &TakenStep) -> Option<bool> {
    let TimeBound::Constant(constant) = bound.bound else { return None };
    let value = |term: Option<tioga_model::ClockTerm>| match term {
        None => Some(Rational::ZERO),
        Some(term) if term.index.is_none() => Some(taken.before.clock(term.clock)),
        Some(_) => None,
    };
    let difference = value(bound.left)?.sub(value(bound.right)?).ok()?;
    let constant = Rational::new(constant, model.scale).ok()?;
    Some(if bound.strict { difference < constant } else { difference <= constant })
}

/// Runs a test case, with its values chosen in each of some ways, against the model, several runs at the same time.
/// No more runs are made when it is hopeless. Nothing is known if they are stopped from outside: too few runs are no
/// evidence.
pub fn evidence(
    model: &Model,
    watched: &Watched,
    cases: &[TestCase],
    seed: u64,
    hopeless: Option<&dyn Fn(&Evidence) -> bool>,
    (cancel, threads): (&Cancel, usize),
) -> Option<Evidence> {
    let mut all = Evidence::default();
    let (mut most, mut total) = (EVENTS, 0);
    let fair = |times: Range<u64>| times.map(|time| (Policy::Fair, time)).collect::<Vec<_>>();
    let mut stages = vec![vec![(Policy::Eager, 0), (Policy::Lazy, 0)], fair(0..FAIR)];
    while let Some(stage) = stages.pop() {
        let plays: Vec<Play<'_>> = stage
            .iter()
            .flat_map(|(policy, time)| {
                let seed = Settings::run_seed(seed, *time);
                cases.iter().map(move |case| Play {
                    model,
                    case,
                    policy: *policy,
                    seed,
                    events: most,
                    cancel,
                })
            })
            .collect();
        let together = if hopeless.is_some() { threads.max(1) } else { plays.len().max(1) };
        let mut longest = 0;
        for some in plays.chunks(together) {
            let results = map_each(threads, some, |play| play.run(watched));
            for (play, result) in some.iter().zip(results) {
                let (result, events) = result.ok()?;
                let silent = play.policy == Policy::Lazy && matches!(result, Played::Silent);
                all.endless += u64::from(matches!(result, Played::Endless));
                all.silent += u64::from(silent);
                all.add(play.policy, result);
                longest = longest.max(events);
                total += events;
            }
            if hopeless.is_some_and(|hopeless| hopeless(&all)) {
                return Some(all);
            }
        }
        let played = all.fair.0 / (cases.len() as u64).max(1);
        let by_chance = all.fair.1 < all.fair.0;
        if stages.len() == 1 && by_chance && played < CHANCE && total < ENOUGH {
            stages.push(fair(played..CHANCE.min(played + AT_A_TIME)));
            continue;
        }
        if cases.iter().any(|case| case.walk.is_none() && case.summary.rank[..2] != [0, 0]) {
            most = most.min(longest + PATIENCE);
        }
    }
    if all.duration.is_none() {
        all.covered = FixedBitSet::with_capacity(watched.entries.len());
    }
    Some(all)
}

impl Evidence {
    /// Adds the result of a run.
    fn add(&mut self, policy: Policy, result: Played) {
        let passed = matches!(result, Played::Passed(..));
        if policy == Policy::Fair {
            self.fair = (self.fair.0 + 1, self.fair.1 + u64::from(passed));
        }
        self.open += u64::from(!passed);
        match result {
            Played::Passed(end, covered) => {
                if self.duration.is_some() {
                    self.covered.intersect_with(&covered);
                } else {
                    self.covered = covered;
                }
                self.duration = self.duration.max(Some(end));
            }
            Played::Failed(reason) => self.failed = self.failed.take().or(Some(reason)),
            Played::Silent | Played::Endless | Played::Open => {}
        }
    }
}

/// A run of a test case against the model.
struct Play<'p> {
    model: &'p Model,
    case: &'p TestCase,
    policy: Policy,
    seed: u64,
    /// How many things may happen.
    events: u64,
    cancel: &'p Cancel,
}

/// How a run ended.
enum Played {
    /// It passed after this time, and covered this.
    Passed(Rational, FixedBitSet),
    Failed(String),
    /// It is inconclusive, and nothing was sent or heard.
    Silent,
    /// The model spoke again and again at one moment.
    Endless,
    /// It neither passed nor failed.
    Open,
}

/// A run was stopped from outside.
struct Cancelled;

impl Play<'_> {
    /// How the run ended, and how much happened.
    fn run(&self, watched: &Watched) -> Result<(Played, u64), Cancelled> {
        let mut events = 0;
        let record = Arc::new(Mutex::new(Vec::new()));
        // Only a fail needs a second opinion, and the same seed gives the same run.
        let mut ending = self.drive(false, &record, &mut events);
        if matches!(&ending, Ok(Ending { outcome: Outcome::Fail, .. })) {
            ending = self.drive(true, &record, &mut events);
        }
        let Ending { outcome, reason, at, actions, fault, .. } = match ending {
            Ok(ending) => ending,
            Err(Error::Cancelled) => return Err(Cancelled),
            Err(_) => return Ok((Played::Open, events)),
        };
        let played = match outcome {
            Outcome::Pass => {
                let steps = record.lock().map_or_else(|_| Vec::new(), |steps| steps.clone());
                Played::Passed(at.latest(), watched.covered(self.model, &steps, at.latest()))
            }
            Outcome::Fail => Played::Failed(reason),
            Outcome::Inconclusive if actions == 0 => Played::Silent,
            _ if fault.is_some_and(|fault| fault.kind == FaultKind::Flood) => Played::Endless,
            _ => Played::Open,
        };
        Ok((played, events))
    }

    fn drive(
        &self,
        twice_judged: bool,
        record: &Arc<Mutex<Vec<TakenStep>>>,
        happened: &mut u64,
    ) -> Result<Ending, Error> {
        let Self { model, case, policy, seed, events, cancel } = *self;
        let system = ModelSystem::new(model, policy).recording(Arc::clone(record));
        let mut system = WithoutOwnMoves::new(system, std::slice::from_ref(case));
        let mut tester = virtual_tester(model, case, seed, None, twice_judged)?;
        let cancel = cancel.clone();
        // With fewer outputs at once than events, it is told why a run has no end.
        let limits = RunLimits { events, outputs_at_once: AT_ONCE, cancel, ..RunLimits::default() };
        let ending = drive(&mut system, &mut *tester, seed, &limits, &mut |_| {
            *happened += 1;
            Ok(())
        });
        // The steps that come at once after the last one belong to it. A fault there is none of the run.
        let _ = system.finish();
        ending
    }
}

#[cfg(test)]
mod tests {
    use tioga_base::Sources;

    use super::*;
    use crate::given_purpose::GivenPurpose;
    use crate::suites::built::{Criterion, Proof, Standing, SuiteOptions};
    use crate::suites::cover::Covering;
    use crate::suites::field::Field;
    use crate::synthesis::{Aim, SynthesisOptions};
    use crate::{Effort, ModelSource, OpenOptions, open, read, synthesize};
    use tioga_testcase::Cover;

    /// It never burns: a pizza is done before.
    const OVEN: &str = "
        input bake, open;
        output done, burnt;

        automaton Oven {
          clock x;
          init location Cold;
          location Hot invariant x <= 4;
          location Smoke invariant x <= 9;
          Cold -> Hot : bake? do x = 0;
          Hot -> Cold : done! when x >= 2;
          Hot -> Cold : open?;
          Hot -> Smoke : open? when x > 5;
          Smoke -> Cold : burnt!;
        }
    ";

    /// Random runs, whose steps come from the concrete semantics, cover nothing that is proved impossible, and much of the
    /// rest.
    #[test]
    fn no_run_covers_what_is_impossible() {
        let (mut searched, mut needed) = (0, 0);
        for name in ["@smart-light", "@two-clock-switch/off5", "@conveyor-game", "oven"] {
            let mut texts = Sources::new();
            let own = ModelSource::of_text("oven.tioga", OVEN).filter(|_| name == "oven");
            let named = || open(name, &OpenOptions::default(), &mut texts).unwrap();
            let source = own.unwrap_or_else(named);
            let loaded = read(source, &[], &mut texts).unwrap();
            let model = &loaded.model;
            let criteria = Cover::ALL.map(Criterion::Cover).to_vec();
            let options = SuiteOptions {
                criteria,
                until: 100,
                killed: 100,
                then: false,
                certain: false,
                walk_time: None,
                repeat: 1,
                seed: 0,
                synthesis: SynthesisOptions::default(),
            };
            let field = Field::new(&loaded, &options, true);
            let mut covering = Covering::new(&loaded, &field, &options, Vec::new());
            covering.run(None, &mut Effort::default()).unwrap();
            let walk = Aim::Purposes(vec![GivenPurpose::Walk(Rational::integer(300))]);
            let made = synthesize(&loaded, &walk, &options.synthesis, &mut Effort::default());
            let cancel = Cancel::new();
            let mut covered = FixedBitSet::with_capacity(field.watched.entries.len());
            for case in made.unwrap().cases {
                for seed in 0..50 {
                    let policy = if seed % 4 == 0 { Policy::Eager } else { Policy::Fair };
                    let (case, cancel) = (&case, &cancel);
                    let play = Play { model, case, policy, seed, events: EVENTS, cancel };
                    if let Ok((Played::Passed(_, own), _)) = play.run(&field.watched) {
                        covered.union_with(&own);
                    }
                }
            }
            let mut possible = 0;
            for (target, standing) in covering.standing.iter().enumerate() {
                let (_, aim, ways) = &field.targets[target];
                let first = field.first[target];
                let happens = (first..first + ways.len()).any(|way| covered.contains(way));
                possible += usize::from(happens);
                match standing {
                    Standing::Impossible(Proof::Searched(states)) => {
                        assert!(*states > 1, "{}", aim.text);
                        searched += 1;
                    }
                    Standing::Impossible(Proof::Needs(_)) => needed += 1,
                    _ => continue,
                }
                assert!(!happens, "{name}: {}, {standing:?}", aim.text);
            }
            assert!(possible * 4 > field.targets.len(), "{name}: {possible}");
        }
        assert!(searched > 20 && needed > 0, "{searched}, {needed}");
    }
}
