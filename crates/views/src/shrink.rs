//! A failing run made shorter, by running shorter and shorter ones on its system.

use serde_json::Value;
use tioga::{Effort, Failure, prepare, shrunk};
use tioga_adapters::TimeBase;
use tioga_base::{Diagnostic, Sources};
use tioga_execute::{Outcome, ShrinkOptions};

use crate::results::shrink::result;
use crate::runs::ReadJournal;

/// Shrinks a run of a journal: the result as `tioga shrink --format json` prints it, and the shrunk run in `shown` as
/// [`ReadJournal::run`] shows one. It is run against `sut`, if that is given; otherwise the system of the journal must be
/// a model, which the journal keeps. Nothing else is started, whatever the journal says.
///
/// # Errors
/// If there is no such run, it did not fail, or there is no system to run it against.
pub fn shrunk_run(
    journal: &ReadJournal,
    run: u64,
    sut: Option<&str>,
    effort: &mut Effort<'_>,
) -> Result<Value, Failure> {
    let mut recorded = journal.recorded(run)?;
    let mut texts = Sources::new();
    let outcome = recorded.record.outcome().map(|(outcome, _)| outcome);
    if !matches!(outcome, Some(Outcome::Fail | Outcome::Error)) {
        let message = format!("run {run} did not fail, so there is no failure to shrink");
        return Err(Diagnostic::global("no-failure", message).into());
    }
    if recorded.case()?.symbolic.is_some() {
        let message = "runs of symbolic test cases are not replayed, so they cannot be shrunk";
        return Err(Diagnostic::global("symbolic-run", message).into());
    }
    match sut {
        Some(sut) => recorded.against(sut, &mut texts)?,
        None if recorded.settings.system.is_model() => {}
        None => {
            let message = "shrinking runs the system, and a page starts none";
            let help = "name the system with `--sut` when the studio is started";
            return Err(Diagnostic::global("no-system", message).help(help).into());
        }
    }
    let prepared = prepare(recorded.settings.clone(), None, &mut texts, effort)?;
    let real = recorded.settings.time != TimeBase::Virtual;
    let options = ShrinkOptions {
        model: prepared.specification.as_ref().map(|loaded| &loaded.model),
        attempts: if real { 200 } else { 2000 },
        confirm: if real { 3 } else { 1 },
        tries: None,
        again: if real { 5 } else { 10 },
        any: false,
    };
    let shorter = shrunk(&prepared, &recorded.record, &options, effort)?;
    let mut value = result(&recorded, &shorter, None);
    if shorter.failure.is_some() {
        value["shown"] = journal.shown(&shorter.record)?;
    }
    Ok(value)
}
