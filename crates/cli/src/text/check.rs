//! What a model consists of, in words and as JSON.

use std::collections::BTreeMap;

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
    let mut owners: BTreeMap<Option<ProcessId>, (usize, usize)> = BTreeMap::new();
    for clock in &model.clocks {
        owners.entry(clock.owner).or_default().0 += 1;
    }
    for variable in &model.variables {
        owners.entry(variable.owner).or_default().1 += 1;
    }
    let owned = |owner: Option<ProcessId>| owners.get(&owner).copied().unwrap_or_default();
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

/// The partner at the interface of the system under test.
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
    let mut arrays: Vec<(&str, String, Vec<Vec<&str>>)> = Vec::new();
    for channel in model.channels.iter().filter(|channel| wanted(channel)) {
        let (base, indices) = channel.name.split_once('[').unwrap_or((&channel.name, ""));
        let indices = indices.trim_end_matches(']').split("][");
        let indices: Vec<&str> = indices.filter(|index| !index.is_empty()).collect();
        let qualities = qualities(channel);
        match arrays.last_mut() {
            Some((last, same, all)) if *last == base && *same == qualities => all.push(indices),
            _ => arrays.push((base, qualities, vec![indices])),
        }
    }
    let shown = arrays.into_iter().flat_map(|(base, qualities, all)| {
        blocks(all).into_iter().map(move |block| {
            let indices: Vec<String> = block.iter().map(|range| format!("[{range}]")).collect();
            format!("{base}{}{qualities}", indices.concat())
        })
    });
    shown.collect()
}

/// Whether no number is missing between these.
fn is_range(values: &[&str]) -> bool {
    let numbers: Vec<Option<i64>> = values.iter().map(|index| index.parse().ok()).collect();
    numbers.windows(2).all(|pair| pair[1] == pair[0].and_then(|one| one.checked_add(1)))
}

/// Positions of an array as few ranges: all `[0..1][0..2]`, or one range for each that differs in the last.
fn blocks(all: Vec<Vec<&str>>) -> Vec<Vec<String>> {
    let ranges = |values: &[&str]| match values {
        [one] => (*one).to_owned(),
        [first, .., last] => format!("{first}..{last}"),
        [] => String::new(),
    };
    let depth = all.first().map_or(0, Vec::len);
    let values = |position: usize| {
        let mut values: Vec<&str> = Vec::new();
        for index in all.iter().filter_map(|indices| indices.get(position).copied()) {
            if !values.contains(&index) {
                values.push(index);
            }
        }
        values
    };
    let every: Vec<Vec<&str>> = (0..depth).map(values).collect();
    // Each position is there once, so counting shows whether all combinations are.
    let whole = every.iter().map(Vec::len).product::<usize>() == all.len();
    if whole && every.iter().all(|values| is_range(values)) {
        return vec![every.iter().map(|values| ranges(values)).collect()];
    }
    let mut rows: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for mut indices in all {
        let Some(last) = indices.pop() else { continue };
        match rows.last_mut() {
            Some((row, columns)) if *row == indices => columns.push(last),
            _ => rows.push((indices, vec![last])),
        }
    }
    let row = |(row, columns): &(Vec<&str>, Vec<&str>)| {
        let columns = match is_range(columns) {
            true => vec![ranges(columns)],
            false => columns.iter().map(|one| (*one).to_owned()).collect(),
        };
        let with =
            |last: String| row.iter().map(|index| (*index).to_owned()).chain([last]).collect();
        columns.into_iter().map(with).collect::<Vec<Vec<String>>>()
    };
    rows.iter().flat_map(row).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_arrays_are_ranges_in_each_dimension() {
        let shown = |names: &[&str]| {
            let all = names.iter().map(|name| name.split(' ').collect()).collect();
            blocks(all).iter().map(|block| block.join(" ")).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(shown(&["0", "1", "2"]), "0..2");
        assert_eq!(shown(&["0", "2"]), "0, 2");
        assert_eq!(shown(&["0 0", "0 1", "1 0", "1 1", "2 0", "2 1"]), "0..2 0..1");
        assert_eq!(shown(&["0 1", "1 0"]), "0 1, 1 0");
        assert_eq!(shown(&["0 1", "0 2", "1 0", "1 2"]), "0 1..2, 1 0, 1 2");
        assert_eq!(shown(&["4"]), "4");
        assert_eq!(blocks(vec![vec![]]), vec![Vec::<String>::new()]);
    }
}
