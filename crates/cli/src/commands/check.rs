//! `tioga check`: whether a model is well-formed, what it consists of, which properties it has as far
//! as its text tells, what is reachable, and whether testing may rely on it.

use std::path::Path;

use serde_json::{Value, json};
use tioga::trace::trace;
use tioga::words::count;
use tioga::{Explored, check};
use tioga_model::Model;

use super::walks::write_trace;
use crate::args::CheckArgs;
use crate::exit::{Exit, Stop};
use crate::measure::WorkLimits;
use crate::output::{OutputFormat, Session};
use crate::text::{assumption, check as summary, property, survey};

/// Runs the command.
pub fn run(args: &CheckArgs, session: &mut Session) -> Result<Exit, Stop> {
    let loaded = session.read(&args.model)?;
    let model = &loaded.model;
    let checked = check(model, args.explore, &mut session.effort(WorkLimits::default()));
    let mut text = summary::text(model, &loaded.document);
    text.push_str("\nproperties, decided on the text:\n");
    text.push_str(&property::text(&checked.properties, &session.texts));
    match &checked.explored {
        Some(Ok(explored)) => {
            text.push('\n');
            text.push_str(&survey::text(model, &explored.survey, &session.texts));
            text.push_str("\nassumptions of testing, decided on what is reachable:\n");
            text.push_str(&assumption::text(model, &explored.assumptions));
            if let Some(folder) = &args.runs {
                let written = count(write_runs(session, folder, model, explored)?, "run");
                text.push_str(&format!("\n{written} written to {}\n", folder.display()));
            }
        }
        None => {}
        Some(Err(error)) => text.push_str(&format!("\nreachability, unknown: {error}\n")),
    }
    session.print(&text)?;
    if session.format == OutputFormat::Json {
        let mut result = summary::result(model, &loaded.document);
        result["properties"] = property::json(&checked.properties, &session.texts);
        result["reachability"] = match &checked.explored {
            Some(Ok(explored)) => survey::json(model, &explored.survey, &session.texts),
            None => Value::Null,
            Some(Err(error)) => json!({ "complete": false, "reason": error.to_string() }),
        };
        result["assumptions"] = match &checked.explored {
            Some(Ok(explored)) => assumption::json(model, &explored.assumptions),
            None | Some(Err(_)) => Value::Null,
        };
        session.set_result(result);
    }
    // A valid model has no errors, so whatever was said is a warning or a note.
    let warned = !session.diagnostics.is_empty();
    Ok(if args.strict && warned { Exit::Negative } else { Exit::Success })
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
