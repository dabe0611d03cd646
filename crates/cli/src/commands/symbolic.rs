//! `tioga symbolic`: symbolic real-time test synthesis, stage by stage.

use std::path::Path;

use serde_json::json;
use tioga::Failure;
use tioga::{Loaded, Symbolic, SymbolicOptions, SymbolicStage, symbolic, symbolic_suite};
use tioga_base::{Diagnostic, Severity};

use crate::args::{SymbolicArgs, WhichArg};
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::symbolic::{closing, losses_json, to_json, views, written};

/// Runs the command.
pub fn run(args: &SymbolicArgs, session: &mut Session) -> Result<Exit, Stop> {
    let conditions: Vec<String> =
        args.initially.iter().map(|condition| format!("E<> ({condition})")).collect();
    let loaded = session.read_open(&args.model, &conditions)?;
    let suite = args.out.as_deref().filter(|path| path.extension().is_some_and(|it| it == "json"));
    let which = match suite {
        Some(_) => args.which.unwrap_or(WhichArg::Game),
        None => args.which.unwrap_or(WhichArg::All),
    };
    let lists = which == WhichArg::All;
    let options = SymbolicOptions {
        purpose: args.purpose.clone(),
        stage: if suite.is_some() { SymbolicStage::Subgraphs } else { args.stage.into() },
        complete: args.complete,
        solver: args.solver.clone(),
        max_states: args.max_states,
        max_subgraphs: if lists { args.max_subgraphs } else { 0 },
    };
    let mut effort = session.effort(args.memory.limits(args.timeout));
    let result = symbolic(&loaded, &options, &mut effort)
        .map_err(|failure| failure.help_with(&["limit"], "`--max-states` allows more"))?;
    drop(effort);
    for warning in &result.warnings {
        let mut warned = Diagnostic::global("milder-reading", warning.clone());
        warned.severity = Severity::Warning;
        session.warn(warned);
    }
    if let Some(path) = suite {
        return write((args, which), &loaded, &result, path, session);
    }
    let shown = views(&result, options.stage, which);
    let mut json = to_json(&result, &shown);
    match &args.out {
        Some(path) => {
            let pictures: Vec<String> = shown.views.iter().map(tioga_setexp::View::dot).collect();
            session.write_file(path, pictures.concat().as_bytes())?;
            json["written"] = path.display().to_string().into();
            session.print(&shown.summary())?;
        }
        None => session.print(&shown.text())?,
    }
    session.set_result(json);
    Ok(Exit::Success)
}

/// Writes test cases.
fn write(
    (args, which): (&SymbolicArgs, WhichArg),
    loaded: &Loaded,
    result: &Symbolic,
    path: &Path,
    session: &mut Session,
) -> Result<Exit, Stop> {
    let effort = session.effort(args.memory.limits(args.timeout));
    let suite = symbolic_suite(loaded, result, which.into(), &effort)?;
    drop(effort);
    let suite = suite.with_digest();
    let text = serde_json::to_string_pretty(&suite).map_err(|error| {
        Stop::from(Failure::from(Diagnostic::global("cannot-write", error.to_string())))
    })?;
    session.write_file(path, (text + "\n").as_bytes())?;
    let mut lines = written(&suite);
    lines.extend(closing(result));
    session.print(&(lines.join("\n") + "\n"))?;
    let names: Vec<&str> = suite.cases.iter().map(|case| case.name.as_str()).collect();
    session.set_result(json!({
        "cases": names,
        "control_losses": losses_json(result),
        "complete": result.game.as_ref().map(|game| game.complete),
        "written": path.display().to_string(),
    }));
    Ok(Exit::Success)
}
