//! Random small models as text: three locations, two clocks, inputs `a` and `c`, outputs `b` and `d`.

use std::collections::BTreeSet;

use proptest::prelude::*;

const LABELS: [&str; 4] = ["a?", "c?", "b!", "d!"];

pub fn guard() -> impl Strategy<Value = String> {
    let op = prop::sample::select(vec!["<", "<=", "==", ">=", ">"]);
    let clock = prop::sample::select(vec!["x", "x", "y"]);
    let constraint =
        (clock, op, 0..3i64).prop_map(|(clock, op, constant)| format!("{clock} {op} {constant}"));
    prop::collection::vec(constraint, 0..3).prop_map(|all| {
        if all.is_empty() { String::new() } else { format!(" when {}", all.join(" && ")) }
    })
}

pub fn edge(label: &'static str) -> impl Strategy<Value = (usize, usize, String)> {
    let reset = prop::sample::select(vec!["", " do x = 0", " do x = 0", " do y = 0", " do y = 1"]);
    (0..3usize, 0..3usize, guard(), reset)
        .prop_map(move |(from, to, guard, reset)| (from, to, format!("{label}{guard}{reset}")))
}

pub fn locations() -> impl Strategy<Value = Vec<String>> {
    let invariant = prop_oneof![
        4 => Just(String::new()),
        2 => (1..3i64).prop_map(|c| format!(" invariant x <= {c}")),
        1 => (1..3i64).prop_map(|c| format!(" invariant x < {c}")),
        1 => Just(" invariant x <= 0 || x >= 1".to_owned()),
    ];
    let urgent = prop_oneof![6 => Just(""), 1 => Just("urgent ")];
    let location = (invariant, urgent).prop_map(|(invariant, urgent)| (urgent, invariant));
    prop::collection::vec(location, 3).prop_map(|all| {
        let all = all.into_iter().enumerate().map(|(index, (urgent, invariant))| {
            let init = if index == 0 { "init " } else { "" };
            format!("  {init}{urgent}location l{index}{invariant};\n")
        });
        all.collect()
    })
}

/// The text of a model, in which the output `d` may be urgent.
pub fn text(urgent: bool, locations: &[String], edges: &[(usize, usize, String)]) -> String {
    let outputs = if urgent { "output b;\nurgent output d;" } else { "output b, d;" };
    text_with(&format!("input a, c;\n{outputs}"), locations, edges)
}

/// The text of a model with these channels.
pub fn text_with(channels: &str, locations: &[String], edges: &[(usize, usize, String)]) -> String {
    let mut text = format!("model m;\n{channels}\nautomaton P {{\n  clock x, y;\n");
    text.extend(locations.iter().map(String::as_str));
    for (from, to, rest) in edges {
        text.push_str(&format!("  l{from} -> l{to} : {rest};\n"));
    }
    text + "}\n"
}

/// Any model, internal steps included.
pub fn implementation() -> impl Strategy<Value = (Vec<String>, Vec<(usize, usize, String)>)> {
    let label = prop::sample::select(vec!["a?", "c?", "b!", "b!", "d!", ""]);
    (locations(), prop::collection::vec(label.prop_flat_map(edge), 1..6))
}

/// A model with at most one edge for each label and location.
pub fn specification() -> impl Strategy<Value = (Vec<String>, Vec<(usize, usize, String)>)> {
    let label = prop::sample::select(LABELS.to_vec());
    (locations(), prop::collection::vec(label.prop_flat_map(edge), 1..9)).prop_map(
        |(locations, mut edges)| {
            let mut taken = BTreeSet::new();
            edges.retain(|(from, _, rest)| taken.insert((*from, rest[..2].to_owned())));
            (locations, edges)
        },
    )
}

/// An environment that is deterministic: at most one edge for each label and location.
pub fn environment() -> impl Strategy<Value = String> {
    let label = prop::sample::select(vec!["a!", "c!", "b?", "d?"]);
    let guard = prop_oneof![
        3 => Just(String::new()),
        1 => (0..3i64).prop_map(|c| format!(" when z >= {c}")),
        1 => (0..3i64).prop_map(|c| format!(" when z <= {c}")),
    ];
    let reset = prop::sample::select(vec!["", " do z = 0"]);
    let edge = (label, 0..2usize, 0..2usize, guard, reset);
    let invariant = prop::sample::select(vec!["", "", " invariant z <= 1", " invariant z <= 2"]);
    (prop::collection::vec(invariant, 2), prop::collection::vec(edge, 2..8)).prop_map(
        |(invariants, edges)| {
            let mut text = "automaton E {\n  clock z;\n".to_owned();
            for (index, invariant) in invariants.iter().enumerate() {
                let init = if index == 0 { "init " } else { "" };
                text.push_str(&format!("  {init}location e{index}{invariant};\n"));
            }
            let mut taken = BTreeSet::new();
            for (label, from, to, guard, reset) in edges {
                if taken.insert((from, label)) {
                    text.push_str(&format!("  e{from} -> e{to} : {label}{guard}{reset};\n"));
                }
            }
            text + "}\nsystem P environment E;\n"
        },
    )
}
