//! Texts about models and runs: actions, edges, states, numbers and times.

pub mod clocks;

use tioga_base::{Rational, Times, decimal};
use tioga_concrete::{EdgeRecord, Interval, Intervals, TraceEvent};
use tioga_model::{DiscreteState, Kind, Model};

/// The text of an event: `touch?`, `dim!`, `a?/b!`, `(load)`.
pub fn action(event: &TraceEvent) -> String {
    match event {
        TraceEvent::Input(name, values) => format!("{}?", call(name, values)),
        TraceEvent::Output(name, values) => format!("{}!", call(name, values)),
        TraceEvent::Exchange(input, values, output, reply) => {
            format!("{}?/{}!", call(input, values), call(output, reply))
        }
        TraceEvent::Internal(Some(name)) => format!("({name})"),
        TraceEvent::Internal(None) => "(internal)".to_owned(),
    }
}

fn call(name: &str, values: &[Rational]) -> String {
    if values.is_empty() {
        return name.to_owned();
    }
    let values: Vec<String> = values.iter().copied().map(number).collect();
    format!("{name}({})", values.join(", "))
}

/// The edges a step takes: `Train(0): Away -> Near, Gate: Free -> Occupied`.
pub fn edges(edges: &[EdgeRecord]) -> String {
    let edge = |edge: &EdgeRecord| format!("{}: {} -> {}", edge.process, edge.source, edge.target);
    edges.iter().map(edge).collect::<Vec<_>>().join(", ")
}

/// The locations of the processes and the values of the variables: `Belt.St, n = 3`.
pub fn discrete_state(model: &Model, state: &DiscreteState) -> String {
    let locations = model.processes.iter().zip(&state.locations);
    let mut parts: Vec<String> = locations
        .map(|(process, at)| format!("{}.{}", process.name, process.locations[*at].name))
        .collect();
    let slots = model.slots.iter().zip(&state.data);
    parts.extend(slots.map(|(slot, value)| match slot.kind {
        Kind::Bool => format!("{} = {}", slot.name, *value != 0),
        Kind::Int | Kind::Rational => format!("{} = {value}", slot.name),
    }));
    parts.join(", ")
}

/// `a`, `a or b`, `a, b or c`.
pub fn alternatives(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}

/// A number for people: an exact decimal where a few digits suffice, otherwise a fraction.
pub fn number(value: Rational) -> String {
    decimal(value)
}

/// How times of a model are shown.
pub fn times(model: &Model) -> Times {
    Times::of(model.time_unit)
}

/// A set of delays for people: `[0,2.5) or {4}`, with the unit if there is one.
pub fn windows(windows: &Intervals, times: Times) -> String {
    let parts: Vec<String> = windows.parts().iter().map(|part| window(part, times)).collect();
    if parts.is_empty() { "never".to_owned() } else { parts.join(" or ") }
}

/// An interval of delays for people: `[0,2.5)`, `[0,2.5) s`.
pub fn window(interval: &Interval, times: Times) -> String {
    let (lower, excluded) = interval.lower();
    let open = if excluded { '(' } else { '[' };
    let (from, unit) = times.parts(lower);
    match interval.upper() {
        None => format!("{open}{from},inf){unit}"),
        Some((upper, _)) if upper == lower => format!("{{{from}}}{unit}"),
        Some((upper, excluded)) => {
            let close = if excluded { ')' } else { ']' };
            format!("{open}{from},{}{close}{unit}", times.parts(upper).0)
        }
    }
}

/// An amount of model time, with the unit if the model has one: `3.5 s` or `3.5 time units`.
pub fn amount(model: &Model, time: Rational) -> String {
    times(model).amount(time)
}

/// `1 step`, `2 steps`, `1 control loss`, `2 control losses`.
pub fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 {
        ""
    } else if what.ends_with('s') {
        "es"
    } else {
        "s"
    };
    format!("{number} {what}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimals_where_that_is_exact_and_short() {
        let shown = |text: &str| number(text.parse().unwrap());
        assert_eq!(shown("0"), "0");
        assert_eq!(shown("100"), "100");
        assert_eq!(shown("-5/2"), "-2.5");
        assert_eq!(shown("1/1000000"), "0.000001");
        assert_eq!(shown("1/3"), "1/3");
        let seconds = Times::of(Some("1 s".parse().unwrap()));
        assert_eq!(window(&Interval::point(Rational::ONE).unwrap(), seconds), "{1} s");
        assert_eq!(shown("1/128000000"), "1/128000000");
        assert_eq!(shown("9223372036854775807"), "9223372036854775807");
    }

    #[test]
    fn windows_show_their_ends() {
        let interval = Interval::closed(Rational::ZERO, "5/2".parse().unwrap()).unwrap();
        assert_eq!(window(&interval, Times::default()), "[0,2.5]");
        assert_eq!(windows(&Intervals::from(interval).complement(), Times::default()), "(2.5,inf)");
        assert_eq!(windows(&Intervals::none(), Times::default()), "never");
        assert_eq!(window(&Interval::point(Rational::ONE).unwrap(), Times::default()), "{1}");
    }

    #[test]
    fn one_thing_is_one_and_several_have_their_ending() {
        assert_eq!(count(1, "control loss"), "1 control loss");
        assert_eq!(count(2, "control loss"), "2 control losses");
        assert_eq!(count(0, "step"), "0 steps");
    }
}
