//! States in names: where the processes are, what the variables hold and what the clocks show, as
//! text and as JSON.

use std::fmt;

use serde_json::{Map, Value as Json, json};
use tioga_base::{Rational, Times};
use tioga_concrete::State;
use tioga_model::{Kind, Model};

use tioga::words::{number, times};

/// Where each process is: its name and that of the location.
pub fn locations(model: &Model, state: &State) -> Vec<(String, String)> {
    let processes = model.processes.iter().zip(&state.discrete.locations);
    let named = processes.into_iter().map(|(process, &location)| {
        (process.name.clone(), process.locations[location].name.clone())
    });
    named.collect()
}

/// A value of a variable or a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A truth value.
    Truth(bool),
    /// A number.
    Number(Rational),
    /// A time, in the unit of a model.
    Time(Rational, Times),
}

/// The name and value of each data slot; the two slots of a rational are one value.
pub fn data(model: &Model, state: &State) -> Vec<(String, Value)> {
    let mut named = Vec::new();
    let mut slots = model.slots.iter().zip(&state.discrete.data);
    while let Some((slot, &value)) = slots.next() {
        let value = match slot.kind {
            Kind::Bool => Value::Truth(value != 0),
            Kind::Int => Value::Number(Rational::integer(value)),
            Kind::Rational => {
                let denominator = slots.next().map_or(1, |(_, &denominator)| denominator);
                Value::Number(Rational::new(value, denominator).unwrap_or(Rational::ZERO))
            }
        };
        named.push((slot.name.clone(), value));
    }
    named
}

/// The name and value of each clock.
pub fn clocks(model: &Model, state: &State) -> Vec<(String, Value)> {
    let clocks = model.clocks.iter().zip(&state.clocks);
    clocks.map(|(clock, &value)| (clock.name.clone(), Value::Time(value, times(model)))).collect()
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(truth) => truth.fmt(f),
            Self::Number(value) => f.write_str(&number(*value)),
            Self::Time(value, times) => f.write_str(&times.exact(*value)),
        }
    }
}

/// The state on one line: `Light.Off; x = 0, Tp = 0`.
pub fn line(model: &Model, state: &State) -> String {
    let groups = [
        join(&locations(model, state), "."),
        join(&data(model, state), " = "),
        join(&clocks(model, state), " = "),
    ];
    let groups: Vec<String> = groups.into_iter().filter(|group| !group.is_empty()).collect();
    groups.join("; ")
}

/// The state on a line for each kind of thing, each line starting with `indent`.
pub fn block(model: &Model, state: &State, indent: &str) -> String {
    let groups = [
        ("locations", join(&locations(model, state), ".")),
        ("data", join(&data(model, state), " = ")),
        ("clocks", join(&clocks(model, state), " = ")),
    ];
    let mut text = String::new();
    for (title, group) in groups {
        if !group.is_empty() {
            text.push_str(&format!("{indent}{title:9}  {group}\n"));
        }
    }
    text
}

fn join(named: &[(String, impl fmt::Display)], between: &str) -> String {
    let parts: Vec<String> =
        named.iter().map(|(name, value)| format!("{name}{between}{value}")).collect();
    parts.join(", ")
}

/// The state as a JSON object. Numbers that are no integers are strings such as `"1/2"`.
pub fn json(model: &Model, state: &State) -> Json {
    let values = |named: Vec<(String, Value)>| -> Map<String, Json> {
        let value = |value| match value {
            Value::Truth(truth) => truth.into(),
            Value::Number(value) | Value::Time(value, _) => number_json(value),
        };
        named.into_iter().map(|(name, one)| (name, value(one))).collect()
    };
    let locations: Map<String, Json> =
        locations(model, state).into_iter().map(|(name, one)| (name, one.into())).collect();
    json!({
        "locations": locations,
        "data": values(data(model, state)),
        "clocks": values(clocks(model, state)),
    })
}

/// A number as JSON: an integer as a number, a fraction as a string.
pub fn number_json(value: Rational) -> Json {
    value.to_integer().map_or_else(|| value.to_string().into(), Json::from)
}
