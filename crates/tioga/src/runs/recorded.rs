//! The uses of a recorded run: explain it, make it again, or minimise its failure.

use std::path::Path;

use tioga_base::{Cancel, Diagnostic, Sources};
use tioga_execute::{
    Error, Explanation, JournalReader, Outcome, Replayed, RunRecord, Settings, ShrinkOptions,
    Shrunk, Stand,
};
use tioga_model::Model;
use tioga_testcase::TestCase;

use super::campaign::Prepared;
use super::journals::unreadable_journal;
use super::systems::system;
use crate::symbolic_testing::explain;
use crate::{Effort, Failure, Progress};

/// A recorded run, with everything needed to make it again.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// How the campaign was set up.
    pub settings: Settings,
    /// The events.
    pub record: RunRecord,
}

impl Recorded {
    /// The name of the test case.
    pub fn case_name(&self) -> &str {
        self.record.case().unwrap_or_default()
    }

    /// The test case.
    pub fn case(&self) -> Result<&TestCase, Failure> {
        let name = self.record.case();
        let case = self.settings.suite.cases.iter().find(|case| Some(case.name.as_str()) == name);
        case.ok_or_else(|| {
            let number = self.record.run;
            let message = format!("run {number} has a test case that is not in the suite");
            Diagnostic::global("unknown-case", message).into()
        })
    }

    /// Takes another system than the recorded one.
    pub fn against(&mut self, name: &str, texts: &mut Sources) -> Result<(), Failure> {
        self.settings.system = system(name, self.settings.model(), texts)?;
        // How a model decides is no matter to anything else.
        if !self.settings.system.is_model() {
            self.settings.policy = None;
        }
        Ok(())
    }
}

/// Reads a run of a journal: the one of this number, or the first that failed or was an error; if
/// none did, the first.
pub fn recorded(path: &Path, number: Option<u64>) -> Result<Recorded, Failure> {
    let problem = |run: &RunRecord| match run.outcome().map(|(outcome, _)| outcome) {
        Some(Outcome::Fail | Outcome::Error) => 0,
        _ => 1,
    };
    chosen(path, number, problem)
}

/// Reads a run of a journal: the one of this number, or the one that most needs an explanation.
pub fn worst_run(path: &Path, number: Option<u64>) -> Result<Recorded, Failure> {
    let need = |run: &RunRecord| match run.outcome().map(|(outcome, _)| outcome) {
        Some(Outcome::Fail) => 0,
        Some(Outcome::Error) => 1,
        Some(Outcome::Inconclusive) => 2,
        Some(Outcome::Pass) => 3,
        None => 4,
    };
    chosen(path, number, need)
}

/// The run of this number, or the first of those with the least class.
fn chosen(
    path: &Path,
    number: Option<u64>,
    class: impl Fn(&RunRecord) -> u8,
) -> Result<Recorded, Failure> {
    let unreadable = |error| unreadable_journal(path, &error);
    let reader = JournalReader::open(path).map_err(unreadable)?;
    let settings = reader.settings().clone();
    let mut best: Option<RunRecord> = None;
    let order = |run: &RunRecord| (class(run), run.run);
    for run in reader.runs() {
        let run = run.map_err(unreadable)?;
        match number {
            Some(number) if run.run == number => {
                best = Some(run);
                break;
            }
            Some(_) => {}
            None if best.as_ref().is_none_or(|best| order(&run) < order(best)) => best = Some(run),
            None => {}
        }
    }
    let Some(record) = best else {
        let message = match number {
            Some(number) => format!("there is no run {number} in the journal"),
            None => "the journal has no runs".to_owned(),
        };
        let runs = format!("the campaign has {} runs, from 0", settings.runs());
        return Err(Diagnostic::global("no-such-run", message).note(runs).into());
    };
    Ok(Recorded { settings, record })
}

/// The events of a run, the expectations before each, and the reason of its verdict; with a limit
/// on the last steps shown.
pub fn explained(
    recorded: &Recorded,
    model: Option<&Model>,
    last: usize,
) -> Result<Explanation, Failure> {
    let Recorded { settings, record } = recorded;
    if let Some(symbolic) = &recorded.case()?.symbolic {
        return explain(symbolic, record, last);
    }
    let explained = match model {
        Some(model) if settings.is_online(recorded.case()?) => {
            Explanation::of_online_run(model, &settings.latencies, record, last)
        }
        _ => Explanation::of_run(recorded.case()?, &settings.latencies, model, record, last),
    };
    explained.map_err(|error| {
        let message = format!("run {} cannot be explained: {error}", record.run);
        Diagnostic::global("cannot-explain", message).into()
    })
}

/// Makes a recorded run once more, on the system of the campaign.
pub fn replayed(
    prepared: &Prepared,
    record: &RunRecord,
    cancel: Cancel,
) -> Result<Replayed, Failure> {
    not_symbolic(prepared, record)?;
    let systems = || prepared.system(&cancel);
    let mut stand = Stand::new(&prepared.settings, &systems, cancel.clone());
    let case = &prepared.settings.suite.cases[prepared.settings.case_of(record.run)];
    let (model, goal) = prepared.aim(case);
    let reached = goal.and_then(|goal| goal.guide.as_ref()).map(|guide| &guide.goal);
    let replayed = stand.replay(record, model, (reached, goal.and_then(|goal| goal.lasts)));
    // Whatever the system says at the end, the run is over.
    let _ = stand.finish();
    replayed.map_err(|error| stopped("replay-stopped", &error))
}

/// Makes a failing run shorter, by running shorter and shorter ones on the system of the campaign.
pub fn shrunk(
    prepared: &Prepared,
    record: &RunRecord,
    options: &ShrinkOptions<'_>,
    effort: &mut Effort<'_>,
) -> Result<Shrunk, Failure> {
    not_symbolic(prepared, record)?;
    let cancel = effort.cancel.clone();
    let systems = || prepared.system(&cancel);
    let mut stand = Stand::new(&prepared.settings, &systems, cancel.clone());
    let shrunk = stand.shrink(record, options, &mut |attempt, inputs| {
        (effort.progress)(&Progress::Shrink { attempt, inputs });
    });
    // Whatever the system says at the end, the runs are over.
    let _ = stand.finish();
    shrunk.map_err(|error| stopped("shrinking-stopped", &error))
}

/// Runs of symbolic test cases are made again by the campaign only.
fn not_symbolic(prepared: &Prepared, record: &RunRecord) -> Result<(), Failure> {
    let settings = &prepared.settings;
    let case = &settings.suite.cases[settings.case_of(record.run)];
    if case.symbolic.is_none() {
        return Ok(());
    }
    let message = format!("runs of the symbolic test case `{}` are not replayed", case.name);
    let help = format!("`tioga run --seed {}` makes the same runs again", settings.seed);
    Err(Diagnostic::global("symbolic-run", message).help(help).into())
}

fn stopped(code: &'static str, error: &Error) -> Failure {
    let diagnostic = Diagnostic::global(code, error.to_string());
    match error {
        Error::Cancelled => Failure::limit(diagnostic),
        _ => diagnostic.into(),
    }
}
