//! `tioga mutation`: a suite against all mutants of a model.

use std::path::Path;
use std::time::Duration;

use tioga::{
    Effort, JUDGED_STATES, Loaded, Matrix, MutationOptions, MutationRecord, MutationSettings,
    Score, Suite, fits, in_units, mutation, operators,
};
use tioga_adapters::Alphabet;
use tioga_base::Diagnostic;

use super::mutation_suite::suite;
use crate::args::MutationArgs;
use crate::exit::{Exit, Stop};
use crate::files::Files;
use crate::measure::WorkLimits;
use crate::output::Session;
use crate::text::mutants::caution;
use crate::text::mutation::Shown;

/// What the name of a file says about what is written there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Written {
    Json,
    Csv,
}

/// Runs the command.
pub fn run(args: &MutationArgs, session: &mut Session) -> Result<Exit, Stop> {
    let operators = operators(&args.operators)?;
    args.out.as_deref().map(written).transpose()?;
    session.expect_files(args.out.iter().chain(&args.journal))?;
    let given = args.suite.iter().map(|path| session.read_suite(path));
    let given: Vec<Suite> = given.collect::<Result<_, _>>()?;
    let source = session.open_as_in(&args.model.model, &args.model.load, &given)?;
    let loaded = session.read_source(source)?;
    let mut effort = Effort { view: args.view.options(), ..args.search.effort(session) };
    effort.threads = args.jobs.map_or(effort.threads, usize::from);
    let (cases, repeat) = suite(args, given, session, &loaded, &mut effort)?;
    fits(&args.model.model, &loaded.model, &Alphabet::of(&cases))?;
    let given = args.patience.map(|given| in_units(given, loaded.model.time_unit));
    let options = MutationOptions {
        operators,
        environment: args.all,
        as_is: args.as_is,
        repeat,
        seed: args.seed,
        policy: args.policy.into(),
        patience: given.transpose()?,
        full: args.full,
        judge_all: args.judge_all,
        max_states: args.search.max_states.unwrap_or(JUDGED_STATES),
    };
    let own = args.suite.is_empty();
    let source = loaded.source.clone();
    let settings = MutationSettings::new(source, cases, own, args.out.clone(), &options);
    let record = match &args.journal {
        Some(path) => MutationRecord::create(path, &settings)?,
        None => MutationRecord::default(),
    };
    finish(settings, &loaded, record, effort, session)
}

/// Goes on with a campaign that has a journal.
pub fn resume(path: &Path, time: Option<Duration>, session: &mut Session) -> Result<Exit, Stop> {
    let (record, settings) = MutationRecord::resume(path)?;
    let out = settings.out.clone();
    session
        .keep_apart(Files { inputs: vec![path.to_owned()], outputs: out.into_iter().collect() })?;
    let loaded = session.read_source(settings.model.clone())?;
    let effort = session.effort(WorkLimits { time, memory: None });
    finish(settings, &loaded, record, effort, session)
}

/// Makes the runs and comparisons that are left, and tells of all.
fn finish(
    settings: MutationSettings,
    loaded: &Loaded,
    record: MutationRecord,
    mut effort: Effort<'_>,
    session: &mut Session,
) -> Result<Exit, Stop> {
    let options = settings.options()?;
    let MutationSettings { cases, own_suite, out, .. } = settings;
    let mut matrix = mutation(&loaded.model, cases, own_suite, &options, record, &mut effort)?;
    drop(effort);
    session.diagnostics.append(std::mem::take(&mut matrix.warnings));
    let shown = Shown(&matrix);
    let mut text = shown.text(options.full);
    text.push_str(caution(&matrix.judge));
    if let Some(path) = &out {
        let contents = match written(path)? {
            Written::Json => format!("{:#}\n", shown.json()),
            Written::Csv => shown.csv(),
        };
        session.write_file(path, contents.as_bytes())?;
        text.push_str(&format!("matrix written to {}\n", path.display()));
    }
    session.print(&text)?;
    session.set_result(shown.json());
    Ok(exit(&matrix))
}

/// What the results mean to a shell.
fn exit(matrix: &Matrix) -> Exit {
    match Score::of(&matrix.tried) {
        Score { missed: 0, unknown: 0, .. } => Exit::Success,
        // What is alive now might have died in the runs that were left.
        _ if matrix.interrupted => Exit::Unknown,
        Score { missed: 1.., .. } => Exit::Negative,
        _ => Exit::Unknown,
    }
}

fn written(path: &Path) -> Result<Written, Stop> {
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    match extension.as_deref().and_then(|extension| extension.to_str()) {
        Some("json") => Ok(Written::Json),
        Some("csv") => Ok(Written::Csv),
        _ => {
            let message = format!("the name `{}` does not say what to write", path.display());
            let help = "let it end in .json or .csv";
            Err(Diagnostic::global("unknown-format", message).help(help).into())
        }
    }
}
