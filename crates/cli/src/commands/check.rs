//! `tioga check`: whether a model is well-formed, what will hurt testing, what it consists of, and on
//! request all properties and assumptions of testing.

use std::path::Path;

use tioga::trace::trace;
use tioga::words::count;
use tioga::{Checked, Explored, Obstacle, check, states_to_check};
use tioga_base::StopReason;
use tioga_model::Model;
use tioga_views::check::findings;

use super::walks::write_trace;
use crate::args::CheckArgs;
use crate::exit::{Exit, Stop};
use crate::output::{OutputFormat, Session};
use crate::text::{assumption, check as summary, obstacle, property, survey};

/// Runs the command.
pub fn run(args: &CheckArgs, session: &mut Session) -> Result<Exit, Stop> {
    let loaded = session.read(&args.model)?;
    let model = &loaded.model;
    let mut effort = args.effort(session);
    let max_states = args.max_states.unwrap_or_else(|| states_to_check(model));
    let checked = check(model, max_states, &mut effort);
    let stopped = effort.cancel.reason();
    drop(effort);
    let explored = match &checked.explored {
        Some(Ok(explored)) => Some(explored),
        Some(Err(_)) | None => None,
    };
    let obstacles = explored.map(|explored| explored.obstacles(model));
    let mut text = first(model, &checked, obstacles.as_deref(), session);
    let too_large = args.max_states.is_none() && max_states == 0;
    if too_large {
        text.push_str(&format!(
            "what will hurt testing is unknown: {} and {} are too many to explore; `tioga check --max-states` explores some\n",
            count(model.processes.len(), "process"),
            count(model.clocks.len(), "clock")
        ));
    }
    text.push('\n');
    text.push_str(&summary::text(model, &loaded.document));
    if args.properties {
        text.push_str("\nproperties, decided on the text:\n");
        text.push_str(&property::text(&checked.properties, &session.texts));
    }
    if let Some(explored) = explored.filter(|_| args.properties) {
        text.push('\n');
        text.push_str(&survey::text(model, &explored.survey, &session.texts));
        text.push_str("\nassumptions of testing, decided on what is reachable:\n");
        text.push_str(&assumption::text(model, &explored.assumptions));
    }
    if let (Some(explored), Some(folder)) = (explored, &args.runs) {
        let written = count(write_runs(session, folder, model, explored)?, "run");
        text.push_str(&format!("\n{written} written to {}\n", folder.display()));
    }
    session.print(&text)?;
    if session.format == OutputFormat::Json {
        let mut result = summary::result(model, &loaded.document);
        let found = findings(model, &checked, &session.texts);
        result.as_object_mut().into_iter().for_each(|all| all.extend(found.clone()));
        session.set_result(result);
    }
    let complete = !too_large && is_complete(&checked);
    Ok(exit(args, session, complete, obstacles.as_deref(), stopped))
}

/// What matters most: whether the model is well-formed, and what will hurt testing.
fn first(
    model: &Model,
    checked: &Checked,
    obstacles: Option<&[Obstacle]>,
    session: &Session,
) -> String {
    let mut text = format!("{}: well-formed\n", model.name);
    match (&checked.explored, obstacles) {
        (Some(Err(error)), _) => {
            text.push_str(&format!("what will hurt testing is unknown: {error}\n"));
        }
        (Some(Ok(Explored { survey, .. })), Some([]))
            if survey.statistics.visited == 0 && survey.incomplete.is_some() =>
        {
            let reason = survey.incomplete.clone().unwrap_or_default();
            text.push_str(&format!("what will hurt testing is unknown: {reason}\n"));
        }
        (Some(Ok(explored)), Some(obstacles)) => {
            let states = usize::try_from(explored.survey.statistics.visited).unwrap_or(usize::MAX);
            let mut states = match &explored.survey.incomplete {
                None => format!("all {}", count(states, "state")),
                Some(reason) => format!("{} and no further: {reason}", count(states, "state")),
            };
            if let Some(classes) = explored.classes {
                states.push_str(&format!("; data in {}", count(classes, "class")));
            }
            text.push_str(&match obstacles.len() {
                0 => format!("nothing found that will hurt testing ({states})\n"),
                1 => format!("1 thing will hurt testing ({states}):\n\n"),
                more => format!("{more} things will hurt testing ({states}):\n\n"),
            });
            text.push_str(&obstacle::text(model, obstacles, &session.texts));
        }
        (Some(Ok(_)), None) | (None, _) => {}
    }
    text
}

/// Whether everything was explored that was to be.
fn is_complete(checked: &Checked) -> bool {
    match &checked.explored {
        Some(Ok(explored)) => explored.survey.incomplete.is_none(),
        Some(Err(_)) => false,
        None => true,
    }
}

fn exit(
    args: &CheckArgs,
    session: &Session,
    complete: bool,
    obstacles: Option<&[Obstacle]>,
    stopped: Option<StopReason>,
) -> Exit {
    // A valid model has no errors, so whatever was said is a warning or a note.
    let bad = !session.diagnostics.is_empty() || obstacles.is_some_and(|found| !found.is_empty());
    if args.strict && bad {
        Exit::Negative
    } else if stopped.is_some() || args.strict && !complete {
        Exit::Unknown
    } else {
        Exit::Success
    }
}

/// Writes the runs that refute something, each under the name of what it refutes.
fn write_runs(
    session: &mut Session,
    folder: &Path,
    model: &Model,
    explored: &Explored,
) -> Result<usize, Stop> {
    let mut runs = survey::runs(&explored.survey);
    runs.extend(assumption::runs(model, &explored.assumptions));
    session.create_directory(folder)?;
    for (name, run) in &runs {
        write_trace(session, &folder.join(format!("{name}.trace")), &trace(model, run))?;
    }
    Ok(runs.len())
}
