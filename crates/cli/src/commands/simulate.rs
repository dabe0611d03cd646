//! `tioga simulate`: a seeded random run, told as a table, as JSON or as a trace.

use serde_json::{Value, json};
use tioga_base::Diagnostic;
use tioga_concrete::{Lock, Walk, WalkOptions, WalkStop as End, walk};
use tioga_model::Model;

use super::interactive;
use super::walks::{failed, fault_warning, steps, write_trace};
use crate::args::SimulateArgs;
use crate::exit::{Exit, Stop};
use crate::output::{OutputFormat, Session};
use crate::text::run::table;
use crate::text::state;
use tioga::words::{amount, count, times};
use tioga::{Failure, in_units};

/// Runs the command.
pub fn run(args: &SimulateArgs, session: &mut Session) -> Result<Exit, Stop> {
    if args.json && session.format == OutputFormat::Json {
        let diagnostic = Diagnostic::global(
            "two-forms",
            "`--json` and `--format json` both claim standard output",
        );
        let help = "`--json` prints the trace, `--format json` the whole result";
        return Err(diagnostic.help(help).into());
    }
    if args.interactive && args.model == "-" {
        let diagnostic = Diagnostic::global(
            "two-readers",
            "the model and the commands cannot both come from standard input",
        );
        return Err(diagnostic.help("put the model into a file").into());
    }
    let model = session.read_named(&args.model, &args.load, &[])?.model;
    if args.interactive {
        return interactive::run(&model, args.out.as_deref(), session);
    }
    let options = options(args, &model)?;
    let walk = match walk(&model, &options) {
        Ok(walk) => walk,
        Err(error) => return failed(session, error),
    };
    for fault in &walk.faults {
        session.diagnostics.push(fault_warning(fault));
    }
    if let Some(path) = &args.out {
        write_trace(session, path, &walk.trace)?;
    }
    if args.json {
        session.write_stdout(&walk.trace.to_jsonl())?;
    } else {
        session.print(&text(&model, args, &walk))?;
        session.set_result(result(&model, &walk));
    }
    Ok(match walk.stop {
        End::Fault(_) => Exit::Negative,
        End::Precision => Exit::Unknown,
        End::Steps | End::Time | End::Stuck(_) => Exit::Success,
    })
}

/// How far to go. Without a word about it, a run fits on a screen; one that is limited by time may
/// be long, but not endless.
fn options(args: &SimulateArgs, model: &Model) -> Result<WalkOptions, Failure> {
    let steps = if args.max_time.is_some() { 100_000 } else { 20 };
    let steps = args.steps.unwrap_or(steps);
    let max_time = args.max_time.map(|given| in_units(given, model.time_unit)).transpose()?;
    Ok(WalkOptions { seed: args.seed, steps, max_time, ..WalkOptions::default() })
}

fn text(model: &Model, args: &SimulateArgs, walk: &Walk) -> String {
    let (name, seed) = (&model.name, args.seed);
    let rows = table(&walk.trace.records, times(model))
        .unwrap_or_else(|overflow| format!("  {overflow}\n"));
    let mut text = format!("{name}, seed {seed}\n\n{rows}\n");
    text.push_str(&format!("{}\n", stop_text(model, walk)));
    text.push_str(&state::block(model, &walk.end, "  "));
    if let Some(path) = &args.out {
        text.push_str(&format!("trace written to {}\n", path.display()));
    }
    text
}

fn stop_text(model: &Model, walk: &Walk) -> String {
    let made = count(steps(&walk.trace), "step");
    let time = amount(model, walk.time);
    match walk.stop {
        End::Steps => format!("stopped after {made} and {time}; --steps allows more"),
        End::Time => format!("stopped after {made} and {time}, as --max-time asks"),
        End::Stuck(Lock::Deadlock) => {
            format!("deadlock after {made} and {time}: no step is possible, however long one waits")
        }
        End::Stuck(Lock::Timelock) => format!(
            "timelock after {made} and {time}: no step is possible, and time must not pass further"
        ),
        End::Fault(fault) => {
            format!(
                "stopped after {made} and {time}: no step is left that can be evaluated ({fault})"
            )
        }
        End::Precision => format!(
            "stopped after {made} and {time}: what is left needs delays too fine to be written"
        ),
    }
}

fn result(model: &Model, walk: &Walk) -> Value {
    let stop = match walk.stop {
        End::Steps => "steps",
        End::Time => "time",
        End::Stuck(Lock::Deadlock) => "deadlock",
        End::Stuck(Lock::Timelock) => "timelock",
        End::Fault(_) => "fault",
        End::Precision => "precision",
    };
    json!({
        "model": model.name,
        "seed": walk.trace.seed,
        "moves": steps(&walk.trace),
        "time": state::number_json(walk.time),
        "stop": stop,
        "records": walk.trace.record_values(),
        "end": state::json(model, &walk.end),
    })
}
