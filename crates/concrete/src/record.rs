//! From steps to names and back.

use tioga_base::{Id, Rational};
use tioga_model::{ChannelId, Direction, Hidden, Model, Step, StepLabel, Type, Values};

use crate::observable::Observable;
use crate::trace::{EdgeRecord, StepRecord, TraceEvent};

/// A step in names, with the edges it takes.
pub fn step_record(model: &Model, step: &Step) -> StepRecord {
    let edges = step.participants.iter().map(|participant| {
        let process = &model.processes[participant.process];
        let edge = &process.edges[participant.edge];
        EdgeRecord {
            process: process.name.clone(),
            source: process.locations[edge.source].name.clone(),
            target: process.locations[edge.target].name.clone(),
            edge: participant.edge.index() as u32,
        }
    });
    StepRecord { event: label_of(model, step), edges: Some(edges.collect()) }
}

/// What a step shows, in names.
pub fn label_of(model: &Model, step: &Step) -> TraceEvent {
    let name = |channel: ChannelId| model.channels[channel].name.clone();
    let values = |channel, slots: &[i64]| rational_values(model, channel, slots);
    match step.label {
        StepLabel::Input(channel) => {
            TraceEvent::Input(name(channel), values(channel, &step.arguments))
        }
        StepLabel::Output(channel) => {
            TraceEvent::Output(name(channel), values(channel, &step.arguments))
        }
        StepLabel::Exchange(input, output) => TraceEvent::Exchange(
            name(input),
            values(input, &step.arguments),
            name(output),
            values(output, &step.reply),
        ),
        StepLabel::Internal(hidden) => TraceEvent::Internal(match hidden {
            Hidden::Silent => None,
            Hidden::Action(action) => Some(model.actions[action].name.clone()),
            Hidden::Channel(channel) => Some(name(channel)),
            Hidden::Sync(position) => {
                let sync = &model.syncs[position as usize];
                sync.parts.first().map(|part| model.actions[part.action].name.clone())
            }
        }),
    }
}

/// Argument slots as numbers, one for each parameter of the channel.
pub fn rational_values(model: &Model, channel: ChannelId, slots: &[i64]) -> Vec<Rational> {
    let mut rest = slots.iter().copied();
    let mut values = Vec::new();
    for ty in &model.channels[channel].parameters {
        let Some(first) = rest.next() else { break };
        let value = match ty {
            Type::Rational => {
                Rational::new(first, rest.next().unwrap_or(1)).unwrap_or(Rational::ZERO)
            }
            _ => Rational::integer(first),
        };
        values.push(value);
    }
    values
}

/// The visible action an event names, or why the model has no such action. Nothing if the event is
/// internal.
pub fn observable(model: &Model, event: &TraceEvent) -> Result<Option<Observable>, String> {
    let (label, arguments, reply) = match event {
        TraceEvent::Internal(_) => return Ok(None),
        TraceEvent::Input(name, values) => {
            let channel = find(model, name, Direction::Input)?;
            (StepLabel::Input(channel), slots(model, channel, values)?, Values::new())
        }
        TraceEvent::Output(name, values) => {
            let channel = find(model, name, Direction::Output)?;
            (StepLabel::Output(channel), slots(model, channel, values)?, Values::new())
        }
        TraceEvent::Exchange(input, values, output, reply) => {
            let input = find(model, input, Direction::Input)?;
            let output = find(model, output, Direction::Output)?;
            let label = StepLabel::Exchange(input, output);
            (label, slots(model, input, values)?, slots(model, output, reply)?)
        }
    };
    Ok(Some(Observable { label, arguments, reply }))
}

fn find(model: &Model, name: &str, direction: Direction) -> Result<ChannelId, String> {
    let kind = match direction {
        Direction::Input => "input",
        Direction::Output => "output",
    };
    let fitting = || {
        model.channels.iter_ids().filter(move |(_, channel)| channel.direction == Some(direction))
    };
    let found = fitting().find(|(_, channel)| channel.name == name);
    found.map(|(id, _)| id).ok_or_else(|| {
        let names = fitting().map(|(_, channel)| channel.name.as_str());
        match tioga_base::closest(name, names) {
            Some(near) => format!("the model has no {kind} `{name}`; did you mean `{near}`?"),
            None => format!("the model has no {kind} `{name}`"),
        }
    })
}

fn slots(model: &Model, channel: ChannelId, values: &[Rational]) -> Result<Values, String> {
    let channel = &model.channels[channel];
    let (wanted, given) = (channel.parameters.len(), values.len());
    if wanted != given {
        return Err(format!("`{}` carries {wanted} values, not {given}", channel.name));
    }
    let mut slots = Values::new();
    for (ty, value) in channel.parameters.iter().zip(values) {
        if *ty == Type::Rational {
            slots.extend([value.numerator(), value.denominator()]);
            continue;
        }
        let integer = value
            .to_integer()
            .filter(|integer| ty.bounds().is_none_or(|(min, max)| (min..=max).contains(integer)));
        let wrong = || format!("`{}` cannot carry {value}, which is no {ty}", channel.name);
        slots.push(integer.ok_or_else(wrong)?);
    }
    Ok(slots)
}
