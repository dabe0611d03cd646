//! `tioga replay`: whether a trace is a run of a model; if not, where it departs, what the model
//! could have done instead, and when. Without a trace, a recorded run is made again.

use std::path::Path;

use serde_json::{Value, json};
use tioga::texts::{read_file, read_stdin};
use tioga::trace::{parse_trace, record_span};
use tioga::words::{action, amount, count, edges, times};
use tioga_base::{Budget, Diagnostic, FileId};
use tioga_concrete::{Record, Replay, ReplayLimits, Stuck, Trace, Why, replay};
use tioga_model::Model;

use super::replay_run;
use super::walks::{failed, steps};
use crate::args::ReplayArgs;
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::replay::{instead, several, states_json};
use crate::text::state;

/// How many internal steps a run may need between what the trace shows.
const INTERNAL_STEPS: u32 = 64;
/// How much work to spend on guessing them.
const WORK: u64 = 2_000_000;

/// Runs the command.
pub fn run(args: &ReplayArgs, session: &mut Session) -> Result<Exit, Stop> {
    let Some(trace) = &args.trace else { return replay_run::run(args, session) };
    let from_input = trace == Path::new("-");
    if from_input && args.model == "-" {
        let message = "the model and the trace cannot both come from standard input";
        let diagnostic = Diagnostic::global("two-readers", message);
        return Err(diagnostic.help("put the model into a file").into());
    }
    let model = session.read_named(&args.model, &args.load, &[])?.model;
    let texts = &mut session.texts;
    let (name, text) = if from_input {
        ("standard input".to_owned(), read_stdin(texts)?)
    } else {
        (trace.display().to_string(), read_file(texts, trace)?)
    };
    let file = texts.add(name, text);
    let trace = parse_trace(texts, file)?;
    let limits = ReplayLimits { internal_steps: INTERNAL_STEPS, budget: Budget::steps(WORK) };
    match replay(&model, &trace, limits) {
        Ok(Ok(replay)) => possible(session, &model, &trace, &replay),
        Ok(Err(stuck)) => impossible(session, &model, file, &stuck),
        Err(error) => failed(session, error),
    }
}

fn possible(
    session: &mut Session,
    model: &Model,
    trace: &Trace,
    replay: &Replay,
) -> Result<Exit, Stop> {
    let delays = trace.records.iter().filter_map(|record| match record {
        Record::Delay(delay) => Some(*delay),
        Record::Step(_) => None,
    });
    let time = delays.into_iter().try_fold(tioga_base::Rational::ZERO, tioga_base::Rational::add);
    let time = match time {
        Ok(time) => time,
        Err(overflow) => return failed(session, overflow.into()),
    };
    let made = count(steps(trace), "step");
    let how = if replay.exact { "followed edge by edge" } else { "followed by what it shows" };
    let mut text = format!("possible: {made} in {}, {how}\n", amount(model, time));
    match replay.states.as_slice() {
        [state] => text.push_str(&state::block(model, state, "  ")),
        states => text.push_str(&several(model, states)),
    }
    session.print(&text)?;
    session.set_result(json!({
        "possible": true,
        "exact": replay.exact,
        "moves": steps(trace),
        "time": state::number_json(time),
        "states": states_json(model, &replay.states),
    }));
    Ok(Exit::Success)
}

fn impossible(
    session: &mut Session,
    model: &Model,
    file: FileId,
    stuck: &Stuck,
) -> Result<Exit, Stop> {
    let message = match &stuck.why {
        Why::Delay(delay) => format!("time cannot pass by {} here", times(model).exact(*delay)),
        Why::Step(event) => format!("`{}` is not possible here", action(event)),
        Why::Unknown(message) => message.clone(),
    };
    let span = record_span(&session.texts, file, stuck.record);
    let mut diagnostic = Diagnostic::error("impossible-step", span, message)
        .label(format!("step {} of the trace", stuck.record + 1));
    if !stuck.complete {
        let note = format!("runs with more than {INTERNAL_STEPS} internal steps were not tried");
        diagnostic = diagnostic.note(note);
    }
    session.diagnostics.push(diagnostic);
    session.print(&instead(model, stuck))?;
    let offers = stuck.offers.iter().map(|offer| {
        json!({
            "action": action(&offer.event),
            "edges": edges(&offer.edges),
            "windows": offer.windows.to_string(),
        })
    });
    session.set_result(json!({
        "possible": if stuck.complete { Value::from(false) } else { Value::Null },
        "step": stuck.record + 1,
        "states": states_json(model, &stuck.states),
        "delays": stuck.delays.to_string(),
        "offers": offers.collect::<Vec<_>>(),
    }));
    Ok(if stuck.complete { Exit::Negative } else { Exit::Unknown })
}
