//! `tioga campaign`: a suite against all mutants of a model.

mod matrix;
mod trials;

use std::ops::Range;
use std::path::Path;

use tioga_base::{Diagnostic, Severity};
use tioga_execute::{Alphabet, Ignored, Policy};
use tioga_model::Model;
use tioga_mutate::{MutantOptions, Mutants, mutants};
use tioga_testcase::TestCase;

use super::judge::{self, Judge, operators};
use super::synth;
use crate::args::{CampaignArgs, CoverArg, MOST_STATES, PolicyArg, ShapeArg, WantedArgs};
use crate::exit::{Exit, Stop};
use crate::measure::{cancel_flag, threads};
use crate::output::Session;
use crate::progress::Progress;
use crate::run_text::count;
use crate::{load, suite_file, systems};
use matrix::{Matrix, Score, Tried};
use trials::{Row, Trials, side_by_side};

/// How many repetitions there are before survivors are judged.
const FIRST: u64 = 10;

/// How many repetitions there are at most against the model itself.
const OWN: u64 = 100;

/// What the name of a file says about what is written there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Written {
    Json,
    Csv,
}

/// Runs the command.
pub fn run(args: &CampaignArgs, session: &mut Session) -> Result<Exit, Stop> {
    let operators = operators(&args.operators, session)?;
    let written = args.out.as_deref().map(|path| written(session, path)).transpose()?;
    session.expect_files(&args.out)?;
    let model = load::model(session, &args.model)?.model;
    // Ctrl-C while the suite is made ends the rest as well.
    let cancel = cancel_flag(args.search.timeout);
    let cases = suite(args, session)?;
    systems::fits(session, &args.model.model, &model, &Alphabet::of(&cases))?;
    let trials = Trials {
        cases: &cases,
        seed: args.seed,
        patience: args.patience,
        full: args.full,
        cancel: cancel.clone(),
    };
    let jobs = threads(args.jobs);
    let own_runs = own(args, session, &model, &trials, jobs)?;
    let mut judge = Judge::new(&model, args.as_is, judge::options(&args.search, cancel.clone()));
    let Mutants { list, skipped } =
        mutants(&model, &MutantOptions { operators, environment: args.all });
    let tried = list.into_iter().map(|mutant| Tried { mutant, row: trials.blank(), status: None });
    let mut field = Field { args, model: &model, trials: &trials, jobs, tried: tried.collect() };
    // Most mutants die soon, and those that cannot be told from the model need no more runs.
    let first = args.repeat.min(if args.judge_all { OWN } else { FIRST });
    field.run(session, &judge, 0..first);
    field.judge(session, &mut judge);
    field.run(session, &judge, first..args.repeat);
    let matrix = Matrix {
        model: &model,
        cases: &cases,
        tried: field.tried,
        skipped,
        own_runs,
        repeat: args.repeat,
        interrupted: cancel.is_cancelled(),
    };
    let mut text = matrix.text(args.full);
    text.push_str(judge.caution());
    if let (Some(path), Some(written)) = (&args.out, written) {
        let contents = match written {
            Written::Json => format!("{:#}\n", matrix.json()),
            Written::Csv => matrix.csv(),
        };
        session.write_file(path, contents.as_bytes())?;
        text.push_str(&format!("matrix written to {}\n", path.display()));
    }
    session.print(&text)?;
    session.set_result(matrix.json());
    exit(session, &matrix)
}

/// The mutants, while they are run and judged.
struct Field<'f> {
    args: &'f CampaignArgs,
    model: &'f Model,
    trials: &'f Trials<'f>,
    jobs: usize,
    tried: Vec<Tried>,
}

impl Field<'_> {
    /// Runs those that are still of interest, for these repetitions.
    fn run(&mut self, session: &Session, judge: &Judge, repetitions: Range<u64>) {
        let Self { args, model, trials, jobs, tried } = self;
        let wanted = |one: &Tried| args.full || !(one.is_killed() || one.is_equivalent());
        if repetitions.is_empty() {
            return;
        }
        let mut progress = Progress::new(session.format);
        let (policy, total) = (Policy::from(args.policy), tried.len());
        let rows = side_by_side(
            tried,
            *jobs,
            |one| {
                // What is no valid model stays without runs.
                let changed = judge.completed(model, &one.mutant).validate().ok();
                let changed = changed.filter(|_| wanted(one))?;
                Some(trials.add(one.row.clone(), &changed, policy, repetitions.clone()))
            },
            |finished| progress.say(|| format!("{finished} of {total} mutants run")),
        );
        for (one, row) in tried.iter_mut().zip(rows) {
            one.row = row.unwrap_or_else(|| one.row.clone());
        }
        progress.clear();
    }

    /// Compares those with the model of which it is not known whether they should be killed.
    fn judge(&mut self, session: &Session, judge: &mut Judge) {
        let mut progress = Progress::new(session.format);
        let total = self.tried.len();
        for (position, one) in self.tried.iter_mut().enumerate() {
            if !one.is_killed() || self.args.judge_all {
                progress.say(|| format!("{position} of {total} mutants judged"));
                one.status = Some(judge.status(self.model, &one.mutant));
            }
        }
        progress.clear();
    }
}

/// What the results mean to a shell.
fn exit(session: &mut Session, matrix: &Matrix<'_>) -> Result<Exit, Stop> {
    let unsound = matrix.tried.iter().filter(|one| one.is_killed() && one.is_equivalent());
    if let Some(one) = unsound.clone().next() {
        let mutants = count(unsound.count(), "mutant");
        let message = format!("{mutants} failed a test and behave as the model allows");
        let reason = one.row.kill().map_or_else(String::new, |(case, kill)| {
            format!("{}: {}: {}", one.mutant.id, matrix.cases[case].name, kill.reason)
        });
        let note = "please report this; the model and the command line suffice to reproduce it";
        return Err(session.fail(Diagnostic::global("unsound", message).note(reason).note(note)));
    }
    let score = Score::of(&matrix.tried);
    Ok(match score {
        Score { missed: 0, unknown: 0, .. } => Exit::Success,
        // Who is alive now might have died in the runs that were left.
        _ if matrix.interrupted => Exit::Unknown,
        Score { missed: 1.., .. } => Exit::Negative,
        _ => Exit::Unknown,
    })
}

fn written(session: &mut Session, path: &Path) -> Result<Written, Stop> {
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    match extension.as_deref().and_then(|extension| extension.to_str()) {
        Some("json") => Ok(Written::Json),
        Some("csv") => Ok(Written::Csv),
        _ => {
            let message = format!("the name `{}` does not say what to write", path.display());
            let help = "let it end in .json or .csv";
            Err(session.stop(Diagnostic::global("unknown-format", message).help(help)))
        }
    }
}

/// The test cases: those of the files given, or new ones.
fn suite(args: &CampaignArgs, session: &mut Session) -> Result<Vec<TestCase>, Stop> {
    let mut cases = Vec::new();
    for path in &args.suite {
        cases.extend(suite_file::read(session, path)?.cases);
    }
    if !args.suite.is_empty() {
        return Ok(cases);
    }
    let cover = args.cover.unwrap_or(CoverArg::Edges);
    let wanted = WantedArgs {
        model: args.model.clone(),
        purpose: Vec::new(),
        cover: Some(cover),
        then: cover == CoverArg::Edges,
        shape: args.shape.unwrap_or(ShapeArg::Automaton),
        safety_first: false,
        window: None,
        synth_timeout: args.search.timeout,
        max_states: MOST_STATES,
    };
    let (cases, missed) = synth::cases(&wanted, session)?;
    if cases.is_empty() {
        let message = "there is no test case to run";
        let mut diagnostic = Diagnostic::global("no-test-case", message);
        diagnostic.notes =
            missed.iter().map(|one| format!("{}: {}", one.purpose, one.why)).collect();
        return Err(session.stop(diagnostic));
    }
    Ok(cases)
}

/// Runs the suite against the model itself, most with the policy of the mutants. It must never fail.
fn own(
    args: &CampaignArgs,
    session: &mut Session,
    model: &Model,
    trials: &Trials<'_>,
    jobs: usize,
) -> Result<u64, Stop> {
    let policies = [PolicyArg::Random, PolicyArg::Lazy, PolicyArg::Eager, PolicyArg::Hostile];
    let mut progress = Progress::new(session.format);
    let rows = side_by_side(
        &policies,
        jobs,
        |policy| {
            let most = if *policy == args.policy { OWN } else { FIRST };
            trials.add(trials.blank(), model, Policy::from(*policy), 0..args.repeat.min(most))
        },
        |finished| progress.say(|| format!("the model itself: {finished} of 4 policies run")),
    );
    progress.clear();
    for (policy, row) in policies.iter().zip(&rows) {
        let Some((case, kill)) = row.kill() else { continue };
        let name = &trials.cases[case].name;
        let message = format!("the model itself fails the test case `{name}`: {}", kill.reason);
        let diagnostic = Diagnostic::global("unsound", message).note(format!(
            "policy {}, seed {}",
            policy.name(),
            kill.seed
        ));
        if let Some(Ignored { at, action }) = &kill.ignored {
            let message = format!("the model fails its own test case `{name}`: {}", kill.reason);
            let note = format!(
                "it ignored `{action}` at {at}, which it takes in other states that look the same to a \
                 tester; a system that ignores inputs there does not conform to the model"
            );
            let help = "give it edges for the inputs that it ignores";
            let diagnostic = Diagnostic::global("not-a-system", message).note(note).help(help);
            return Err(session.stop(diagnostic));
        }
        return Err(if args.suite.is_empty() {
            let note = "please report this; the model and the command line suffice to reproduce it";
            session.fail(diagnostic.note(note))
        } else {
            session.stop(diagnostic.help("run the suite that was made from this model"))
        });
    }
    if rows.iter().any(|row| row.cells.iter().any(|cell| cell.errors > 0)) {
        let mut warning = Diagnostic::global("faulty", "the model itself cannot always go on");
        warning.severity = Severity::Warning;
        session.diagnostics.push(warning);
    }
    Ok(rows.iter().map(Row::runs).sum())
}
