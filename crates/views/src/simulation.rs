//! A run in the making: the run so far as records of a trace, and everything that can happen next, both in the concrete
//! state and in the symbolic one.
//!
//! The run is all there is: the caller keeps it, and takes something back by leaving out its end.

use serde_json::{Value, json};
use tioga_base::{Diagnostic, FileId, Id, Rational, Sources};
use tioga_concrete::{
    Allowed, Chance, Choice, Error, Interval, Intervals, Lock, Record, Semantics, State,
    StepRecord, Trace, label_of, observable, step_record,
};
use tioga_games::conjunctions;
use tioga_model::{ClockId, Control, Model, Step};
use tioga_symbolic::{TimedStep, symbolic_run};

use crate::plot::{self, Axes};
use crate::results::state::{self, number_json};
use tioga::trace::parse_trace;
use tioga::words::{action, clocks, edges, times, window, windows};
use tioga::{Failure, Loaded};

/// Beyond so many steps, the symbolic state is not computed.
const SYMBOLIC_STEPS: usize = 2000;

/// A run that was followed to its end.
struct Followed {
    state: State,
    time: Rational,
    steps: Vec<TimedStep>,
    /// What happened, with the edges of every step.
    records: Vec<Record>,
    /// After each record: the time, and the state on one line.
    rows: Vec<(Rational, String)>,
}

/// What is looked at.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The clocks of the plot, by their short names; the first two if they are not given.
    pub plot: Option<(String, String)>,
    /// How many random steps to add, and the seed that decides them.
    pub walk: Option<(usize, u64)>,
}

/// The run that JSON Lines, text, or JSON records say.
///
/// # Errors
/// If they are not understood.
pub fn parse_run(text: &str) -> Result<Vec<Record>, Failure> {
    let mut texts = Sources::new();
    let file = texts.add("trace", text);
    Ok(parse_trace(&texts, file)?.records)
}

/// The records of JSON values, as a trace in JSON Lines has them.
///
/// # Errors
/// If they are no records.
pub fn parse_records(model: &str, records: &[Value]) -> Result<Vec<Record>, Failure> {
    let mut text = format!("{}\n", json!({ "tioga_trace": 1, "model": model }));
    for record in records {
        text.push_str(&format!("{record}\n"));
    }
    Ok(Trace::from_jsonl(&text, FileId(0)).map_err(Failure::from)?.records)
}

/// The run so far and what can happen next.
///
/// # Errors
/// If the records are no run of the model, or the state cannot be computed.
pub fn simulation(loaded: &Loaded, records: &[Record], wanted: &Wanted) -> Result<Value, Failure> {
    let model = &loaded.model;
    let mut semantics = Semantics::new(model);
    let mut run = followed(&mut semantics, records)?;
    if let Some((steps, seed)) = wanted.walk {
        walk(&mut semantics, &mut run, steps, seed).map_err(failed)?;
    }
    let options = semantics.options(&run.state).map_err(failed)?;
    let trace = Trace { model: model.name.clone(), seed: None, records: run.records.clone() };
    let choices = options.choices.iter().map(|choice| choice_json(model, choice));
    let awaiting = options.awaiting.iter().map(|one| {
        let channel = &model.channels[one.channel];
        let types: Vec<String> = channel.parameters.iter().map(ToString::to_string).collect();
        json!({ "channel": channel.name, "types": types })
    });
    Ok(json!({
        "model": model.name,
        "time": number_json(run.time),
        "time_text": times(model).exact(run.time),
        "state": state::json(model, &run.state),
        "choices": choices.collect::<Vec<_>>(),
        "awaiting": awaiting.collect::<Vec<_>>(),
        "delays": interval_json(&options.delays),
        "delays_text": window(&options.delays, times(model)),
        "lock": lock_word(&options),
        "faults": options.faults.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "records": trace.record_values(),
        "rows": rows(model, &trace, &run),
        "text": trace.to_text(),
        "symbolic": symbolic(model, &run, wanted),
    }))
}

fn rows(model: &Model, trace: &Trace, run: &Followed) -> Vec<Value> {
    let shown = times(model);
    let row = |(record, (time, line)): (&Record, &(Rational, String))| {
        let (what, taken, by) = match record {
            Record::Delay(delay) => (format!("+{}", shown.exact(*delay)), String::new(), "time"),
            Record::Step(step) => {
                let taken = step.edges.as_deref().map_or_else(String::new, edges);
                (action(&step.event), taken, kind(step))
            }
        };
        json!({ "time": shown.exact(*time), "what": what, "edges": taken, "kind": by, "state": line })
    };
    trace.records.iter().zip(&run.rows).map(row).collect()
}

pub(crate) fn kind(step: &StepRecord) -> &'static str {
    match step.event {
        tioga_concrete::TraceEvent::Input(..) | tioga_concrete::TraceEvent::Exchange(..) => "input",
        tioga_concrete::TraceEvent::Output(..) => "output",
        tioga_concrete::TraceEvent::Internal(_) => "internal",
    }
}

/// A step with its windows, and the record that takes it.
pub(crate) fn choice_json(model: &Model, choice: &Choice) -> Value {
    let record = step_record(model, &choice.step);
    let taken = record.edges.as_deref().map_or_else(String::new, edges);
    let spans: Vec<Value> = choice
        .step
        .participants
        .iter()
        .map(|one| {
            let process = &model.processes[one.process];
            let edge = &process.edges[one.edge];
            let name = |at| process.locations[at].name.as_str();
            json!({
                "process": process.name,
                "edge": format!("{} -> {}", name(edge.source), name(edge.target)),
                "start": edge.span.start,
                "end": edge.span.end,
            })
        })
        .collect();
    let kind = kind(&record);
    let action = action(&record.event);
    let trace = Trace { model: String::new(), seed: None, records: vec![Record::Step(record)] };
    json!({
        "action": action,
        "edges": taken,
        "kind": kind,
        "by": if choice.step.control == Control::Controllable { "tester" } else { "system" },
        "windows": intervals_json(&choice.windows),
        "window_text": windows(&choice.windows, times(model)),
        "earliest": number_json(tioga::games::play::earliest(&choice.windows)),
        "record": trace.record_values().remove(0),
        "spans": spans,
    })
}

/// Intervals as JSON: `from`, `to` (null if there is no end), and which ends are excluded.
pub(crate) fn intervals_json(intervals: &Intervals) -> Value {
    intervals.parts().iter().map(interval_json).collect()
}

fn interval_json(interval: &Interval) -> Value {
    let (from, from_open) = interval.lower();
    let upper = interval.upper();
    json!({
        "from": number_json(from),
        "from_open": from_open,
        "to": upper.map(|(to, _)| number_json(to)),
        "to_open": upper.is_none_or(|(_, open)| open),
    })
}

fn lock_word(options: &Allowed) -> Option<&'static str> {
    options.ending().map(|lock| match lock {
        Lock::Deadlock => "deadlock",
        Lock::Timelock => "timelock",
    })
}

/// Follows a run. A step without edges is the first that fits.
fn followed(semantics: &mut Semantics<'_>, records: &[Record]) -> Result<Followed, Failure> {
    let model = semantics.model();
    let state = semantics.initial().map_err(failed)?;
    let mut run = Followed {
        state,
        time: Rational::ZERO,
        steps: Vec::new(),
        records: Vec::new(),
        rows: Vec::new(),
    };
    for (index, record) in records.iter().enumerate() {
        let refused = |why: String| -> Failure {
            let message =
                format!("record {} of the trace is no step of the model: {why}", index + 1);
            Diagnostic::global("not-a-run", message).into()
        };
        match record {
            Record::Delay(delay) => {
                let delays = semantics.options(&run.state).map_err(failed)?.delays;
                if !delays.contains(*delay) {
                    let allowed = window(&delays, times(model));
                    return Err(refused(format!("time may pass for {allowed} only")));
                }
                pass(model, &mut run, *delay).map_err(failed)?;
            }
            Record::Step(wanted) => {
                let step = found(semantics, &run.state, wanted).map_err(failed)?;
                let step = step.ok_or_else(|| {
                    refused(format!("`{}` is not possible there", action(&wanted.event)))
                })?;
                take(semantics, &mut run, step).map_err(failed)?;
            }
        }
    }
    Ok(run)
}

fn pass(model: &Model, run: &mut Followed, delay: Rational) -> Result<(), Error> {
    run.state = run.state.later(delay)?;
    run.time = run.time.add(delay)?;
    run.steps.push(TimedStep { delay, step: None });
    run.records.push(Record::Delay(delay));
    run.rows.push((run.time, state::line(model, &run.state)));
    Ok(())
}

fn take(semantics: &mut Semantics<'_>, run: &mut Followed, step: Step) -> Result<(), Error> {
    let model = semantics.model();
    run.state = semantics.step(&run.state, &step)?;
    run.records.push(Record::Step(step_record(model, &step)));
    run.steps.push(TimedStep { delay: Rational::ZERO, step: Some(step) });
    run.rows.push((run.time, state::line(model, &run.state)));
    Ok(())
}

/// The step of a record that is possible now.
fn found(
    semantics: &mut Semantics<'_>,
    state: &State,
    wanted: &StepRecord,
) -> Result<Option<Step>, Error> {
    let model = semantics.model();
    // What has no place in the interface cannot be supplied; it is looked for by its name.
    let supplied = observable(model, &wanted.event).ok().flatten();
    let options = semantics.options_for(state, supplied.as_ref())?;
    let fits = |step: &&Step| {
        label_of(model, step) == wanted.event
            && wanted
                .edges
                .as_ref()
                .is_none_or(|own| step_record(model, step).edges.as_ref() == Some(own))
    };
    Ok(options.now().find(fits).cloned())
}

/// Goes on at random.
fn walk(
    semantics: &mut Semantics<'_>,
    run: &mut Followed,
    steps: usize,
    seed: u64,
) -> Result<(), Error> {
    let model = semantics.model();
    let mut chance = Chance::new(seed);
    let horizon = Rational::integer(10);
    for _ in 0..steps {
        let options = semantics.options(&run.state)?;
        if options.choices.is_empty() {
            break;
        }
        let choice = &options.choices[chance.position(options.choices.len())];
        let parts = choice.windows.parts();
        let part = parts[chance.position(parts.len())];
        let Some(delay) = chance.moment(model.scale, &part, horizon)? else { break };
        if !delay.is_zero() {
            pass(model, run, delay)?;
        }
        take(semantics, run, choice.step.clone())?;
    }
    Ok(())
}

/// The symbolic state: all valuations that the steps so far allow, in words and as a plot over two clocks.
fn symbolic(model: &Model, run: &Followed, wanted: &Wanted) -> Value {
    if run.steps.len() > SYMBOLIC_STEPS {
        return json!({ "reason": "the run is too long for its symbolic state" });
    }
    let reached = match symbolic_run(model, &run.steps) {
        Ok(reached) => reached,
        Err(error) => return json!({ "reason": error.to_string() }),
    };
    let Some((_, set)) = reached.last() else { return Value::Null };
    let names = clocks::names(model);
    let zones: Vec<String> = conjunctions(set)
        .iter()
        .map(|zone| clocks::disjunction(model, &names, [&zone[..]]))
        .collect();
    let axes = axes(model, wanted.plot.as_ref(), &run.state.clocks);
    let plot = axes.and_then(|axes| {
        let polygons = plot::shadow(set, model.scale, &axes).ok()?;
        let point = [Some(axes.x), axes.y].map(|clock| {
            clock.map_or(number_json(Rational::ZERO), |one| number_json(run.state.clock(one)))
        });
        let name = |clock: ClockId| names[clock.index()].as_str();
        Some(json!({
            "x": name(axes.x),
            "y": axes.y.map(name),
            "limit": number_json(axes.limit),
            "polygons": polygons.iter().map(plot::json).collect::<Vec<_>>(),
            "point": point,
        }))
    });
    json!({ "zones": zones, "plot": plot, "clocks": names })
}

/// What a plot is over: the clocks of these names, or the first two; nothing without clocks.
pub(crate) fn axes(
    model: &Model,
    names: Option<&(String, String)>,
    values: &[Rational],
) -> Option<Axes> {
    let all = clocks::names(model);
    let position = |name: &str| all.iter().position(|own| own == name);
    let id = |index: usize| u32::try_from(index).ok().map(ClockId);
    let first = names.and_then(|(x, _)| position(x)).or((!all.is_empty()).then_some(0))?;
    let other = (0..all.len()).find(|index| *index != first);
    let second = names.and_then(|(_, y)| position(y)).filter(|y| *y != first).or(other);
    let limit = plot::limit(model, values);
    Some(Axes { x: id(first)?, y: second.and_then(id), limit })
}

/// Why something could not be computed.
pub(crate) fn failed(error: Error) -> Failure {
    match error {
        Error::Fault(fault) => fault.diagnostic().into(),
        Error::NoInitialState => Diagnostic::global("initial-invariant", error.to_string()).into(),
        Error::Overflow | Error::Limit(_) => {
            Failure::limit(Diagnostic::global("limit", error.to_string()))
        }
    }
}
