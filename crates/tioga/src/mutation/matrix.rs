//! A suite against all mutants of a model: killed mutants, survivors, and their status.

use std::ops::{ControlFlow, Range};

use tioga_adapters::Policy;
use tioga_base::{Diagnostic, Diagnostics, Severity, Times};
use tioga_model::Model;
use tioga_mutate::{Mutant, MutantOptions, Operator, each_mutant};
use tioga_testcase::{TestCase, Walk};

use super::judge::{Judge, Status};
use super::options::MutationOptions;
use super::record::MutationRecord;
use super::trials::{Kill, Row, Trials};
use crate::side_by_side::side_by_side;
use crate::words::count;
use crate::{Effort, Failure, SAMPLES, instances};

/// How many repetitions there are before survivors are judged.
const FIRST: u64 = 10;

/// How many repetitions there are at most against the model itself.
const OWN: u64 = 100;

/// A mutant that was run.
#[derive(Debug)]
pub struct Tried {
    /// The mutant.
    pub mutant: Mutant,
    /// The results of its runs.
    pub row: Row,
    /// The result of its comparison with the model, if there was one.
    pub status: Option<Status>,
}

impl Tried {
    /// Whether a run failed.
    pub fn is_killed(&self) -> bool {
        self.row.kill().is_some()
    }

    /// Whether it behaves as the model allows.
    pub fn is_equivalent(&self) -> bool {
        self.status == Some(Status::Equivalent)
    }

    /// Whether it survived although a test can distinguish it from the model.
    pub fn is_missed(&self) -> bool {
        !self.is_killed() && matches!(self.status, Some(Status::NonConforming { .. }))
    }

    /// Whether it survived with unknown status.
    pub fn is_unknown(&self) -> bool {
        !self.is_killed() && !self.is_missed() && !self.is_equivalent()
    }
}

/// Numbers of mutants by status.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// All.
    pub mutants: usize,
    /// Those that failed a run.
    pub killed: usize,
    /// Equivalent mutants, which survive.
    pub equivalent: usize,
    /// Those that survived although a test can distinguish them from the model.
    pub missed: usize,
    /// Those that survived with unknown status.
    pub unknown: usize,
}

impl Score {
    /// Counts.
    pub fn of<'t>(tried: impl IntoIterator<Item = &'t Tried>) -> Self {
        let mut score = Self::default();
        for one in tried {
            score.mutants += 1;
            score.killed += usize::from(one.is_killed());
            score.missed += usize::from(one.is_missed());
            score.unknown += usize::from(one.is_unknown());
            score.equivalent += usize::from(!one.is_killed() && one.is_equivalent());
        }
        score
    }

    /// How many should have been killed, as far as is known.
    pub fn worth(&self) -> usize {
        self.mutants - self.equivalent
    }
}

/// The results of a suite against the mutants of a model.
#[derive(Debug)]
pub struct Matrix {
    /// The name of the model.
    pub model: String,
    /// The test cases, one for each column.
    pub cases: Vec<TestCase>,
    /// The mutants, in order of operators.
    pub tried: Vec<Tried>,
    /// How many changes were not possible.
    pub skipped: usize,
    /// How many runs the model itself had, none of which failed.
    pub own_runs: u64,
    /// How often each test case was run at most.
    pub repeat: u64,
    /// Whether it was interrupted, so survivors might still be killed.
    pub interrupted: bool,
    /// How mutants were completed to systems.
    pub judge: Judge,
    /// The warnings.
    pub warnings: Diagnostics,
}

impl Matrix {
    /// The operators that have mutants, in order.
    pub fn operators(&self) -> Vec<Operator> {
        let mut operators: Vec<Operator> =
            self.tried.iter().map(|one| one.mutant.operator).collect();
        operators.sort_unstable();
        operators.dedup();
        operators
    }

    /// The mutants of an operator.
    pub fn of(&self, operator: Operator) -> impl Iterator<Item = &Tried> {
        self.tried.iter().filter(move |one| one.mutant.operator == operator)
    }

    /// How many runs there were against mutants.
    pub fn runs(&self) -> u64 {
        self.tried.iter().map(|one| one.row.runs()).sum()
    }

    /// For each test case, how many mutants it killed, and how many no other test case killed.
    pub fn kills(&self, case: usize) -> (usize, usize) {
        let killed = |one: &&Tried| one.row.cells[case].kill.is_some();
        let alone =
            |one: &&Tried| one.row.cells.iter().filter(|cell| cell.kill.is_some()).count() == 1;
        let all = self.tried.iter().filter(killed);
        (all.clone().count(), all.filter(alone).count())
    }

    /// The repetition of the last first kill, counted from 1.
    pub fn last_kill(&self) -> Option<u64> {
        let runs = self.tried.iter().filter_map(|one| Some(one.row.kill()?.1.run));
        Some(runs.max()? / Walk::runs_of(&self.cases).max(1) + 1)
    }
}

/// Runs test cases against all mutants of a model, with virtual time. `own_suite` says whether the test
/// cases were just made from this model, so that it must not fail them. Results in the record are not
/// computed again, and new results go into it.
pub fn mutation(
    model: &Model,
    cases: Vec<TestCase>,
    own_suite: bool,
    options: &MutationOptions,
    mut record: MutationRecord,
    effort: &mut Effort<'_>,
) -> Result<Matrix, Failure> {
    let MutationOptions { operators, environment, as_is, repeat, .. } = options.clone();
    // Values are chosen as `tioga run` chooses them.
    let cases = instances(cases, SAMPLES, options.seed)?;
    let trials = Trials::new(model, &cases, options, effort);
    let (own_runs, faulty) = match record.own() {
        Some(known) => known,
        None => {
            let (runs, faulty) = own(model, &trials, own_suite, options, effort)?;
            if !effort.cancel.is_cancelled() {
                record.set_own(runs, faulty);
            }
            (runs, faulty)
        }
    };
    record.check()?;
    let judge = record.judge().unwrap_or_else(|| {
        Judge::new(model, as_is, effort.options(Some(options.max_states)), effort.view)
    });
    let cancel = effort.cancel.clone();
    let (mut list, wanted) = (Vec::new(), MutantOptions { operators, environment });
    let skipped = each_mutant(model, &wanted, &mut |mutant| {
        list.push(mutant);
        if cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    // What is known to be equivalent already is not run.
    let tried = list.into_iter().map(|mutant| {
        let status = record.status(&mutant.id).cloned();
        Tried { mutant, row: trials.blank(), status }
    });
    let tried = tried.collect();
    let mut field = Field { model, options, trials: &trials, tried, record };
    // Most mutants die soon, and those that cannot be told from the model need no more runs.
    let first = repeat.min(if options.judge_all { OWN } else { FIRST });
    field.run(&judge, 0, 0..first, effort)?;
    field.judge(&judge, effort)?;
    field.run(&judge, 1, first..repeat, effort)?;
    let Field { tried, mut record, .. } = field;
    record.close()?;
    let mut warnings = Diagnostics::new();
    if faulty {
        let mut warning = Diagnostic::global("faulty", "the model itself cannot always go on");
        warning.severity = Severity::Warning;
        warnings.push(warning);
    }
    let interrupted = effort.cancel.is_cancelled();
    let model = model.name.clone();
    let matrix =
        Matrix { model, cases, tried, skipped, own_runs, repeat, interrupted, judge, warnings };
    sound(&matrix)?;
    Ok(matrix)
}

/// The mutants, while they are run and judged.
struct Field<'f> {
    model: &'f Model,
    options: &'f MutationOptions,
    trials: &'f Trials<'f>,
    tried: Vec<Tried>,
    record: MutationRecord,
}

impl Field<'_> {
    /// Runs those that are still of interest, for the repetitions of a stage.
    fn run(
        &mut self,
        judge: &Judge,
        stage: u8,
        repetitions: Range<u64>,
        effort: &mut Effort<'_>,
    ) -> Result<(), Failure> {
        let Self { model, options, trials, tried, record } = self;
        // One that is judged with refused inputs ignores them as a system, and may be killed for that.
        let settled = |one: &Tried| one.is_equivalent() && !judge.refuses();
        let wanted = |one: &Tried| options.full || !(one.is_killed() || settled(one));
        if repetitions.is_empty() {
            return Ok(());
        }
        for one in &mut *tried {
            if let Some(row) = record.row(&one.mutant.id, stage) {
                one.row = row.clone();
            }
        }
        let is_left = |one: &Tried| record.row(&one.mutant.id, stage).is_none();
        let left: Vec<usize> =
            (0..tried.len()).filter(|position| is_left(&tried[*position])).collect();
        let (total, done) = (tried.len(), tried.len() - left.len());
        let rows = side_by_side(
            &left,
            effort.threads,
            |position| {
                let one = &tried[*position];
                if trials.cancel.is_cancelled() {
                    return None;
                }
                // What is no valid model stays without runs.
                let changed = judge.completed(model, &one.mutant).validate().ok();
                let changed = changed.filter(|_| wanted(one))?;
                Some(trials.add(one.row.clone(), &changed, options.policy, repetitions.clone()))
            },
            |finished, position, row| {
                effort.part(done + finished, total, "mutants run");
                // A row that was cancelled may not be whole.
                if let Some(row) = row.as_ref().filter(|_| !trials.cancel.is_cancelled()) {
                    record.set_row(&tried[left[position]].mutant.id, stage, row);
                }
            },
        );
        for (position, row) in left.into_iter().zip(rows) {
            if let Some(row) = row {
                tried[position].row = row;
            }
        }
        record.check()
    }

    /// Compares those with the model of which it is not known whether they should be killed.
    fn judge(&mut self, judge: &Judge, effort: &mut Effort<'_>) -> Result<(), Failure> {
        let Self { model, options, tried, record, .. } = self;
        let mut left = Vec::new();
        for (position, one) in tried.iter_mut().enumerate() {
            if one.is_killed() && !options.judge_all {
                continue;
            }
            one.status = record.status(&one.mutant.id).cloned();
            if one.status.is_none() {
                left.push(position);
            }
        }
        let (total, done) = (tried.len(), tried.len() - left.len());
        let statuses = side_by_side(
            &left,
            effort.threads,
            |position| judge.status(model, &tried[*position].mutant),
            |finished, position, status| {
                effort.part(done + finished, total, "mutants judged");
                effort.stop_if_too_large();
                if !effort.cancel.is_cancelled() {
                    record.set_status(&tried[left[position]].mutant.id, status);
                }
            },
        );
        for (position, status) in left.into_iter().zip(statuses) {
            tried[position].status = Some(status);
        }
        record.check()
    }
}

/// No mutant that behaves as the model allows may fail, unless it ignored an input that it was judged to refuse: the
/// model takes that input in every state that explains the run. Nor is it compared beyond where it stopped time.
fn sound(matrix: &Matrix) -> Result<(), Failure> {
    let excused = |one: &&Tried| {
        let ignored = |kill: &Kill| matrix.judge.refuses() && kill.ignored.is_some();
        one.row.kill().is_some_and(|(_, kill)| kill.stopped.is_some() || ignored(kill))
    };
    let unsound = matrix.tried.iter().filter(|one| one.is_killed() && one.is_equivalent());
    let unsound = unsound.filter(|one| !excused(one));
    let Some(one) = unsound.clone().next() else { return Ok(()) };
    let mutants = count(unsound.count(), "mutant");
    let message = format!("{mutants} failed a test and behave as the model allows");
    let reason = one.row.kill().map_or_else(String::new, |(case, kill)| {
        format!("{}: {}: {}", one.mutant.id, matrix.cases[case].name, kill.reason)
    });
    let note = "please report this; the model and the command line suffice to reproduce it";
    let diagnostic = Diagnostic::global("unsound", message).note(reason).note(note);
    Err(Failure::internal(diagnostic))
}

/// The first test case that the model itself fails after it did what no system does, if there is one.
pub(crate) fn unfit(
    model: &Model,
    tests: &[TestCase],
    options: &MutationOptions,
    effort: &mut Effort<'_>,
) -> Result<Option<usize>, Failure> {
    let (mut cases, mut positions) = (Vec::new(), Vec::new());
    for (position, test) in tests.iter().enumerate() {
        cases.extend(instances(vec![test.clone()], SAMPLES, options.seed)?);
        positions.resize(cases.len(), position);
    }
    let trials = Trials::new(model, &cases, options, effort);
    let rows = own_rows(model, &trials, options, effort);
    let unlike = |kill: &Kill| kill.ignored.is_some() || kill.stopped.is_some();
    let found = rows.iter().filter_map(Row::kill).find(|(_, kill)| unlike(kill));
    Ok(found.map(|(case, _)| positions[case]))
}

/// The runs of a suite against the model itself, for each policy, most with that of the mutants.
fn own_rows(
    model: &Model,
    trials: &Trials<'_>,
    options: &MutationOptions,
    effort: &mut Effort<'_>,
) -> Vec<Row> {
    let policies = Policy::ALL;
    side_by_side(
        &policies,
        effort.threads,
        |policy| {
            let most = if *policy == options.policy { OWN } else { FIRST };
            trials.add(trials.blank(), model, *policy, 0..options.repeat.min(most))
        },
        |finished, _, _| {
            effort.part(finished, policies.len(), "policies of the model itself run");
        },
    )
}

/// Runs the suite against the model itself. It must never fail.
fn own(
    model: &Model,
    trials: &Trials<'_>,
    own_suite: bool,
    options: &MutationOptions,
    effort: &mut Effort<'_>,
) -> Result<(u64, bool), Failure> {
    let rows = own_rows(model, trials, options, effort);
    for (policy, row) in Policy::ALL.iter().zip(&rows) {
        let Some((case, kill)) = row.kill() else { continue };
        let name = &trials.cases[case].name;
        if let Some(note) = kill.unlike_a_system(Times::of(model.time_unit)) {
            let message = format!("the model fails its own test case `{name}`: {}", kill.reason);
            let help = match kill.ignored {
                Some(_) => "give it edges for the inputs that it ignores",
                None => "`tioga check` shows a run to where time stops",
            };
            return Err(Diagnostic::global("not-a-system", message).note(note).help(help).into());
        }
        let message = format!("the model itself fails the test case `{name}`: {}", kill.reason);
        let diagnostic = Diagnostic::global("unsound", message).note(format!(
            "policy {}, seed {}",
            policy.name(),
            kill.seed
        ));
        return Err(if own_suite {
            let note = "please report this; the model and the command line suffice to reproduce it";
            Failure::internal(diagnostic.note(note))
        } else {
            diagnostic.help("run the suite that was made from this model").into()
        });
    }
    let faulty = rows.iter().any(|row| row.cells.iter().any(|cell| cell.errors > 0));
    Ok((rows.iter().map(Row::runs).sum(), faulty))
}
