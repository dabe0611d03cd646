//! What will hurt testing, in words and as JSON: what it is, the run that leads there, and what to do
//! about it.

use serde_json::{Value, json};
use tioga::Obstacle;
use tioga::trace::trace;
use tioga::words::{action, amount, edges};
use tioga_base::{Rational, Sources};
use tioga_concrete::step_record;
use tioga_model::{ChannelId, Direction, Model, Step, StepLabel};
use tioga_symbolic::TimedStep;

use crate::results::state;
use crate::results::survey::{place, reached};

/// How many names and moves are listed in a text.
const SHOWN: usize = 8;

/// An obstacle in words.
struct Words<'o> {
    /// Its name.
    name: &'static str,
    /// What is wrong.
    message: String,
    /// What to do about it.
    advice: &'static str,
    /// The run that leads there.
    run: Option<&'o [TimedStep]>,
}

/// An obstacle in words.
fn words<'o>(model: &Model, obstacle: &'o Obstacle, sources: &Sources) -> Words<'o> {
    let (name, message, advice, run): (_, _, _, Option<&[TimedStep]>) = match obstacle {
        Obstacle::Timelock(run) => (
            "timelock",
            timelock(model, run),
            "let an output or internal step be possible up to the bound, or drop the bound",
            Some(run),
        ),
        Obstacle::Fault(run, fault, step) => {
            let what = match step {
                Some(step) => format!("the update of {}", taken(model, step)),
                None => "a condition".to_owned(),
            };
            let line = place(sources, fault.span);
            (
                "cannot-evaluate",
                format!("{what} cannot be evaluated {}: {fault} ({line})", reached(model, run)),
                "such a move is left out of the model: widen the range, or guard the move",
                Some(run),
            )
        }
        Obstacle::UntakenOutput(run, event) => (
            "output-not-taken",
            format!(
                "the environment cannot take {}, which the system may send {}",
                action(event),
                reached(model, run)
            ),
            "let the environment take it whenever the system may send it; the tester hears it in any case",
            Some(run),
        ),
        Obstacle::TimeEnds(run) => (
            "time-ends",
            format!("without an input time comes to an end soon {}", reached(model, run)),
            "let time pass on every cycle of moves without inputs",
            Some(run),
        ),
        Obstacle::Flood(lasso) => {
            let moves = lasso.turn.iter().filter_map(|step| step.step.as_ref());
            let names: Vec<String> =
                moves.map(|step| action(&step_record(model, step).event)).collect();
            let names = if names.is_empty() { "moves".to_owned() } else { listed(&names) };
            (
                "flood",
                format!("{names} can go on without end in no time {}", reached(model, &lasso.stem)),
                "let time pass between outputs; a system that does this floods the tester",
                Some(&lasso.stem),
            )
        }
        Obstacle::Deadlock(run) => (
            "deadlock",
            format!("nothing can happen any more {}", reached(model, run)),
            "a test that gets there can only end; add the input or output that leads on",
            Some(run),
        ),
        Obstacle::Unobservable(run) => (
            "unobservable",
            format!("nothing can be observed any more {}", reached(model, run)),
            "a test that gets there learns nothing; add an input or output that leads on",
            Some(run),
        ),
        Obstacle::RestartElsewhere(label, run) => (
            "restart-elsewhere",
            format!("the restart `{}` leads elsewhere: {}", shown(model, *label), end(model, run)),
            "a restart leads to the start of the model and sets every clock that matters to zero",
            Some(run),
        ),
        Obstacle::NoRestart(label, run) => (
            "no-restart",
            format!(
                "the restart `{}` cannot be taken any more {}",
                shown(model, *label),
                reached(model, run)
            ),
            "accept the restart there, or lead to where it is accepted",
            Some(run),
        ),
        Obstacle::Ambiguous(run, moves) => (
            "nondeterministic",
            format!(
                "after `{}` the tester cannot tell {} from {} {}",
                action(&step_record(model, &moves[0]).event),
                taken(model, &moves[0]),
                taken(model, &moves[1]),
                reached(model, run)
            ),
            "test cases come from a deterministic view, which may be approximate; `tioga determinize` tells",
            Some(run),
        ),
        Obstacle::Hidden(run, step) => (
            "hidden-move",
            format!("the tester does not see {} {}", taken(model, step), reached(model, run)),
            "test cases come from a deterministic view, which may be approximate; `tioga determinize` tells",
            Some(run),
        ),
        Obstacle::Unreached(locations) => {
            let names: Vec<String> = locations
                .iter()
                .map(|(process, location)| {
                    let process = &model.processes[*process];
                    format!("{}.{}", process.name, process.locations[*location].name)
                })
                .collect();
            (
                "unreachable",
                format!("no run reaches {}", listed(&names)),
                "nothing there is tested; look at the guards on the way",
                None,
            )
        }
        Obstacle::Untaken(edges) => {
            let mut names: Vec<String> = Vec::new();
            for (process, edge) in edges {
                let process = &model.processes[*process];
                let edge = &process.edges[*edge];
                let name = |location| &process.locations[location].name;
                let (from, to) = (name(edge.source), name(edge.target));
                let line = place(sources, edge.span);
                let text = format!("{}: {from} -> {to} ({line})", process.name);
                // Edges unrolled from one written edge read the same.
                if !names.contains(&text) {
                    names.push(text);
                }
            }
            (
                "never-taken",
                format!("no run takes {}", listed(&names)),
                "these edges are not tested; look at their guards and partners",
                None,
            )
        }
        Obstacle::NeverForced => (
            "silence-passes",
            "no output ever has to come, so a system that stays silent never fails".to_owned(),
            "an invariant, such as `invariant x <= 5`, says until when an output must come",
            None,
        ),
        Obstacle::Unused(direction, channels) => {
            let name = |id: &ChannelId| {
                let channel = &model.channels[*id];
                format!("`{}` ({})", channel.name, place(sources, channel.span))
            };
            let names: Vec<String> = channels.iter().map(name).collect();
            match direction {
                Direction::Output => (
                    "never-sent",
                    format!("no run sends the output {}", listed(&names)),
                    "a system that sends it fails every test; let an edge send it, or do not declare it",
                    None,
                ),
                Direction::Input => (
                    "never-accepted",
                    format!("no run accepts the input {}", listed(&names)),
                    "no test sends it; let an edge accept it, or do not declare it",
                    None,
                ),
            }
        }
    };
    Words { name, message, advice, run }
}

/// What a timelock is, with the state that a run leads to.
pub fn timelock(model: &Model, run: &[TimedStep]) -> String {
    let place = reached(model, run);
    format!("nothing can happen before time runs out, unless the tester sends, {place}")
}

/// Obstacles as a numbered list; empty if there are none.
pub fn text(model: &Model, obstacles: &[Obstacle], sources: &Sources) -> String {
    let mut text = String::new();
    for (number, obstacle) in (1..).zip(obstacles) {
        let Words { name, message, advice, run } = words(model, obstacle, sources);
        text.push_str(&format!("{number}. {name}: {message}\n"));
        let moves = run.map(|run| line(model, run)).filter(|moves| !moves.is_empty());
        if let Some(moves) = moves {
            text.push_str(&format!("   run: {moves}\n"));
        }
        text.push_str(&format!("   {advice}\n"));
    }
    text
}

/// Obstacles as a JSON array.
pub fn json(model: &Model, obstacles: &[Obstacle], sources: &Sources) -> Value {
    let one = |obstacle: &Obstacle| {
        let Words { name, message, advice, run } = words(model, obstacle, sources);
        let end = |run: &[TimedStep]| {
            tioga::trace::run_end(model, run).map(|state| state::json(model, &state))
        };
        json!({
            "name": name, "message": message, "advice": advice,
            "trace": run.map(|run| trace(model, run).record_values()),
            "end": run.map(end),
        })
    };
    obstacles.iter().map(one).collect()
}

/// A run in a line: each move with its time.
fn line(model: &Model, run: &[TimedStep]) -> String {
    let mut time = Ok(Rational::ZERO);
    let mut moves = Vec::new();
    for TimedStep { delay, step } in run {
        time = time.and_then(|time| time.add(*delay));
        let (Some(step), Ok(now)) = (step, time) else { continue };
        let name = action(&step_record(model, step).event);
        moves.push(format!("{name} at {}", tioga::words::times(model).exact(now)));
    }
    listed(&moves)
}

fn listed(names: &[String]) -> String {
    let mut text = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

/// Where a run ends.
fn end(model: &Model, run: &[TimedStep]) -> String {
    let time = run.iter().try_fold(Rational::ZERO, |time, step| time.add(step.delay));
    let state = tioga::trace::run_end(model, run).map(|state| state::line(model, &state));
    match (time, state) {
        (Ok(time), Some(state)) => format!("to {state} after {}", amount(model, time)),
        _ => "not to the start".to_owned(),
    }
}

fn taken(model: &Model, step: &Step) -> String {
    let record = step_record(model, step);
    format!("`{}`", edges(&record.edges.unwrap_or_default()))
}

/// The action of a restart as it is written.
pub(super) fn shown(model: &Model, label: StepLabel) -> String {
    match label {
        StepLabel::Input(channel) => format!("{}?", model.channels[channel].name),
        StepLabel::Output(channel) => format!("{}!", model.channels[channel].name),
        StepLabel::Exchange(..) | StepLabel::Internal(_) => String::new(),
    }
}
