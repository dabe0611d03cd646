//! `tioga replay JOURNAL`: a recorded run once more, on the same system or on another.

use std::path::Path;

use serde_json::json;
use tioga::{Recorded, prepare, recorded, replayed};
use tioga_base::Diagnostic;
use tioga_execute::{JournalError, JournalReader, Replayed};

use super::run::exit_of;
use crate::args::ReplayArgs;
use crate::exit::{Exit, Stop};
use crate::measure::WorkLimits;
use crate::output::Session;
use crate::text::campaign::{events_text, verb};

/// Runs the command.
pub fn run(args: &ReplayArgs, session: &mut Session) -> Result<Exit, Stop> {
    let path = Path::new(&args.model);
    if matches!(JournalReader::open(path), Err(JournalError::NotAJournal))
        || args.model.starts_with('@')
        || args.model == "-"
    {
        let message = format!("a trace is needed to replay `{}`", args.model);
        let help = "`tioga replay MODEL TRACE` follows a trace, and `tioga replay JOURNAL` makes a \
                    recorded run again";
        return Err(Diagnostic::global("no-trace", message).help(help).into());
    }
    let mut recorded = recorded(path, args.run)?;
    if let Some(name) = &args.sut {
        recorded.against(name, &mut session.texts)?;
    }
    args.limits.limits().apply(&mut recorded.settings)?;
    let mut effort = session.effort(WorkLimits::default());
    let settings = recorded.settings.clone();
    let prepared = prepare(settings, None, &mut session.texts, &mut effort)?;
    let replayed = replayed(&prepared, &recorded.record, effort.cancel.clone())?;
    drop(effort);
    tell(session, &recorded, &replayed)
}

fn tell(session: &mut Session, recorded: &Recorded, replayed: &Replayed) -> Result<Exit, Stop> {
    let Replayed { record, ending, difference, same_verdict } = replayed;
    let outcome = ending.outcome;
    let number = recorded.record.run;
    let mut text = format!("run {number} of {} {} again\n", recorded.case_name(), verb(outcome));
    let before = recorded.record.outcome();
    if !same_verdict {
        let was = before.map_or("was interrupted", |(outcome, _)| verb(outcome));
        text =
            format!("run {number} of {} {was}, and now {}\n", recorded.case_name(), verb(outcome));
    }
    let times = recorded.settings.times();
    text.push_str(&events_text(record, times));
    text.push('\n');
    text.push_str(&match (same_verdict, difference) {
        (true, None) => "reproduced: the same verdict and the same observations\n".to_owned(),
        (false, None) => "not reproduced: the same observations, but another verdict\n".to_owned(),
        (true, Some(difference)) => {
            format!("the same verdict, but different: {}\n", difference.text(times))
        }
        (false, Some(difference)) => {
            format!("not reproduced: {}\n", difference.text(times))
        }
    });
    session.print(&text)?;
    session.set_result(json!({
        "run": number,
        "case": recorded.case_name(),
        "seed": recorded.record.seed(),
        "system": recorded.settings.system_name(),
        "reproduced": replayed.is_reproduced(),
        "recorded_outcome": before.map(|(outcome, _)| outcome),
        "outcome": outcome,
        "reason": ending.reason,
        "at": ending.at.to_string(),
        "difference": difference.as_ref().map(|difference| json!({
            "recorded": difference.recorded,
            "observed": difference.observed,
        })),
        "events": record.events,
    }));
    Ok(exit_of(outcome))
}
