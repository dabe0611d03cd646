//! What a model consists of, in words and as JSON.

use serde_json::{Value, json};
use tioga::words::count;
use tioga_base::{Rational, decimal};
use tioga_model::{Channel, Direction, Label, Model, ProcessId, Role};
use tioga_parse::syntax::Document;

use crate::text::run::align;

/// What a model consists of.
pub fn text(model: &Model, document: &Document) -> String {
    let mut text = String::new();
    let head = ["process", "side", "locations", "edges", "clocks", "variables"];
    let mut rows = vec![head.map(str::to_owned)];
    for part in parts(model) {
        let numbers = [part.locations, part.edges, part.clocks, part.variables];
        let [locations, edges, clocks, variables] = numbers.map(|number| number.to_string());
        rows.push([part.name, part.side.to_owned(), locations, edges, clocks, variables]);
    }
    text.push_str(&align(&rows, &[2, 3, 4, 5]));
    text.push('\n');
    let mut rows: Vec<[String; 2]> = Vec::new();
    for (title, names) in channels(model) {
        if !names.is_empty() {
            rows.push([title.to_owned(), names.join(", ")]);
        }
    }
    let queries = document.queries().count();
    if queries > 0 {
        rows.push(["queries".to_owned(), queries.to_string()]);
    }
    rows.push(["time".to_owned(), time(model)]);
    text.push_str(&align(&rows, &[]));
    text
}

/// One row of the summary: a process, a purpose, or what belongs to none.
struct Part {
    name: String,
    side: &'static str,
    locations: usize,
    edges: usize,
    clocks: usize,
    variables: usize,
}

fn parts(model: &Model) -> Vec<Part> {
    let owned = |owner: Option<ProcessId>| {
        let clocks = model.clocks.iter().filter(|clock| clock.owner == owner).count();
        let variables = model.variables.iter().filter(|variable| variable.owner == owner).count();
        (clocks, variables)
    };
    let mut parts = Vec::new();
    for (id, process) in model.processes.iter_ids() {
        let (clocks, variables) = owned(Some(id));
        parts.push(Part {
            name: process.name.clone(),
            side: match process.role {
                Role::System => "system",
                Role::Environment => "environment",
            },
            locations: process.locations.len(),
            edges: process.edges.len(),
            clocks,
            variables,
        });
    }
    let (clocks, variables) = owned(None);
    if clocks + variables > 0 {
        let (name, side) = ("(global)".to_owned(), "");
        parts.push(Part { name, side, locations: 0, edges: 0, clocks, variables });
    }
    for purpose in &model.purposes {
        parts.push(Part {
            name: purpose.process.name.clone(),
            side: "purpose",
            locations: purpose.process.locations.len(),
            edges: purpose.process.edges.len(),
            clocks: purpose.clocks.len(),
            variables: purpose.slots.len(),
        });
    }
    parts
}

/// The names of the channels by the way they go, and what else moves.
fn channels(model: &Model) -> [(&'static str, Vec<String>); 6] {
    let directed = |direction| grouped(model, &|channel| channel.direction == direction);
    let silent = model.processes.iter().flat_map(|process| process.edges.iter());
    let silent = silent.filter(|edge| edge.label == Label::Silent).count();
    let silent = if silent > 0 { vec![count(silent, "edge")] } else { Vec::new() };
    [
        ("inputs", directed(Some(Direction::Input))),
        ("outputs", directed(Some(Direction::Output))),
        ("interface", vec![interface(model)]),
        ("internal channels", directed(None)),
        ("actions", model.actions.iter().map(|action| action.name.clone()).collect()),
        ("silent", silent),
    ]
}

/// Who is the partner at the interface of the system under test.
fn interface(model: &Model) -> String {
    let open = grouped(model, &|channel| channel.open);
    let closed = grouped(model, &|channel| channel.direction.is_some() && !channel.open);
    match (open.is_empty(), closed.is_empty()) {
        (true, true) => "none".to_owned(),
        (false, true) => "open: the tester is the partner".to_owned(),
        (true, false) => "closed: processes of the environment are the partners".to_owned(),
        (false, false) => format!("open for {}; closed for the rest", open.join(", ")),
    }
}

/// The names of some channels with their types and qualities; neighbours of an array are one.
fn grouped(model: &Model, wanted: &dyn Fn(&Channel) -> bool) -> Vec<String> {
    let mut groups: Vec<(&str, &str, &str, String)> = Vec::new();
    for channel in model.channels.iter().filter(|channel| wanted(channel)) {
        let (base, index) = channel.name.split_once('[').unwrap_or((&channel.name, ""));
        let qualities = qualities(channel);
        match groups.last_mut() {
            Some((last, _, to, same)) if *last == base && *same == qualities => *to = index,
            _ => groups.push((base, index, index, qualities)),
        }
    }
    let shown = groups.into_iter().map(|(base, from, to, qualities)| {
        let (from, to) = (from.trim_end_matches(']'), to.trim_end_matches(']'));
        match (from.is_empty(), from == to) {
            (true, _) => format!("{base}{qualities}"),
            (false, true) => format!("{base}[{from}]{qualities}"),
            (false, false) => format!("{base}[{from}..{to}]{qualities}"),
        }
    });
    shown.collect()
}

fn qualities(channel: &Channel) -> String {
    let mut text = String::new();
    if !channel.parameters.is_empty() {
        let types: Vec<String> = channel.parameters.iter().map(ToString::to_string).collect();
        text.push_str(&format!("({})", types.join(", ")));
    }
    let marks = [(channel.urgent, "urgent"), (channel.broadcast, "broadcast")];
    let marks: Vec<&str> = marks.iter().filter(|(set, _)| *set).map(|(_, word)| *word).collect();
    if !marks.is_empty() {
        text.push_str(&format!(" ({})", marks.join(", ")));
    }
    text
}

fn time(model: &Model) -> String {
    let unit = model.time_unit.map(|unit| match unit.amount {
        amount if amount == Rational::ONE => format!("in {}", unit.unit.name()),
        amount => format!("in units of {} {}", decimal(amount), unit.unit.name()),
    });
    let grain = match model.scale {
        1 => "whole constants".to_owned(),
        scale => format!("constants are multiples of 1/{scale}"),
    };
    unit.map_or_else(|| grain.clone(), |unit| format!("{unit}, {grain}"))
}

/// What a model consists of, as JSON.
pub fn result(model: &Model, document: &Document) -> Value {
    let parts = parts(model).into_iter().map(|part| {
        json!({
            "name": part.name,
            "side": part.side,
            "locations": part.locations,
            "edges": part.edges,
            "clocks": part.clocks,
            "variables": part.variables,
        })
    });
    let channels = model.channels.iter().map(|channel| {
        json!({
            "name": channel.name,
            "direction": channel.direction.map(|direction| match direction {
                Direction::Input => "input",
                Direction::Output => "output",
            }),
            "open": channel.open,
            "urgent": channel.urgent,
            "broadcast": channel.broadcast,
            "parameters": channel.parameters.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    });
    let actions = model.actions.iter().map(|action| action.name.clone());
    json!({
        "model": model.name,
        "well_formed": true,
        "parts": parts.collect::<Vec<_>>(),
        "channels": channels.collect::<Vec<_>>(),
        "actions": actions.collect::<Vec<_>>(),
        "queries": document.queries().count(),
        "scale": model.scale,
        "time_unit": model.time_unit.map(|unit| format!("{} {}", unit.amount, unit.unit.name())),
    })
}
