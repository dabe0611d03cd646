//! `tioga campaign`: a suite against all mutants of a model.

mod matrix;
mod trials;

use std::path::Path;

use tioga_base::{Cancel, Diagnostic, Severity};
use tioga_execute::{Alphabet, Policy};
use tioga_model::Model;
use tioga_mutate::{Mutants, Options, mutants};
use tioga_testcase::TestCase;

use super::judge::{self, Judge, operators};
use super::{cover, synth};
use crate::args::{CampaignArgs, CoverArg, PolicyArg, ShapeArg, SynthArgs};
use crate::exit::{Exit, Stop};
use crate::measure::{cancel_flag, threads};
use crate::output::Session;
use crate::progress::Progress;
use crate::run_text::count;
use crate::{load, suite_file, systems};
use matrix::{Matrix, Score, Tried};
use trials::{Row, Trials, side_by_side};

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
    let model = load::model(session, &args.model)?.model;
    let cases = suite(args, session)?;
    systems::fits(session, &args.model.model, &model, &Alphabet::of(&cases))?;
    let cancel = cancel_flag(args.search.timeout);
    let trials = Trials {
        cases: &cases,
        repeat: args.repeat,
        seed: args.seed,
        patience: args.patience,
        full: args.full,
        cancel: cancel.clone(),
    };
    let jobs = threads(args.jobs);
    let own_runs = own(args, session, &model, &trials, jobs)?;
    let mut judge = Judge::new(&model, args.as_is, judge::options(&args.search, cancel.clone()));
    let Mutants { list, skipped } = mutants(&model, &Options { operators, environment: args.all });
    let mut progress = Progress::new(session.format);
    let total = list.len();
    let policy = Policy::from(args.policy);
    let rows = side_by_side(
        &list,
        jobs,
        |mutant| match judge.completed(&model, mutant).validate() {
            Ok(changed) => trials.row(&changed, policy),
            Err(_) => Row { cells: vec![trials::Cell::default(); cases.len()], cut_short: false },
        },
        |finished| progress.say(|| format!("{finished} of {total} mutants run")),
    );
    let mut tried: Vec<Tried> = list
        .into_iter()
        .zip(rows)
        .map(|(mutant, row)| Tried { mutant, row, status: None })
        .collect();
    for (position, one) in tried.iter_mut().enumerate() {
        if !one.is_killed() || args.judge_all {
            progress.say(|| format!("{position} of {total} mutants judged"));
            one.status = Some(judge.status(&model, &one.mutant));
        }
    }
    progress.clear();
    let matrix =
        Matrix { model: &model, cases: &cases, tried, skipped, own_runs, repeat: args.repeat };
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
    exit(session, &matrix, &cancel)
}

/// What the results mean to a shell.
fn exit(session: &mut Session, matrix: &Matrix<'_>, cancel: &Cancel) -> Result<Exit, Stop> {
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
        Score { missed: 1.., .. } => Exit::Negative,
        Score { unknown: 1.., .. } => Exit::Unknown,
        _ if cancel.is_cancelled() => Exit::Unknown,
        _ => Exit::Success,
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
    let wanted = SynthArgs {
        model: args.model.clone(),
        purpose: Vec::new(),
        cover: Some(cover),
        shape: args.shape.unwrap_or(ShapeArg::Automaton),
        safety_first: false,
        window: None,
        out: None,
        tester: None,
    };
    let (cases, missed) = synth::test_cases(&wanted, session)?;
    if cases.is_empty() {
        let message = "there is no test case to run";
        let mut diagnostic = Diagnostic::global("no-test-case", message);
        diagnostic.notes =
            missed.iter().map(|one| format!("{}: {}", one.purpose, one.why)).collect();
        return Err(session.stop(diagnostic));
    }
    if let Some(warning) = cover::warning(cover, &missed) {
        session.diagnostics.push(warning);
    }
    Ok(cases)
}

/// Runs the suite against the model itself, with every policy. It must never fail.
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
        |policy| trials.row(model, Policy::from(*policy)),
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
