//! The worked games among the examples are those of the literature: the same clocks, locations,
//! invariants and edges as the plain descriptions, where these are installed.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;
use tioga_model::{Label, Network};
use tioga_testkit::{example_text, network, root};

const GAMES: [(&str, &str); 4] = [
    ("conveyor", "conveyor-game"),
    ("complex", "complex"),
    ("smartlight", "smart-light"),
    ("smartlight_problematic", "problematic-light"),
];

/// A plain description as a model.
fn written(game: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let list = |value: &Value| value.as_array().unwrap().iter().map(text).collect::<Vec<_>>();
    let mut model = String::new();
    let actions: BTreeSet<(String, String)> = game["edges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|edge| (text(&edge["kind"]), text(&edge["act"])))
        .collect();
    for (kind, action) in actions {
        writeln!(model, "{kind} {action};").unwrap();
    }
    writeln!(model, "automaton G {{ clock {};", list(&game["clocks"]).join(", ")).unwrap();
    for (name, location) in game["locations"].as_object().unwrap() {
        let init = if game["init"] == name.as_str() { "init " } else { "" };
        let invariant = match text(&location["inv"]).as_str() {
            "" => String::new(),
            invariant => format!(" invariant {invariant}"),
        };
        writeln!(model, "{init}location {name}{invariant};").unwrap();
    }
    for edge in game["edges"].as_array().unwrap() {
        let mark = if edge["kind"] == "input" { "?" } else { "!" };
        let ends = format!("{} -> {}", text(&edge["src"]), text(&edge["dst"]));
        let guard = match text(&edge["guard"]).as_str() {
            "" => String::new(),
            guard => format!(" when {guard}"),
        };
        let resets: Vec<String> =
            list(&edge["reset"]).iter().map(|clock| format!("{clock} = 0")).collect();
        let update =
            if resets.is_empty() { String::new() } else { format!(" do {}", resets.join(", ")) };
        writeln!(model, "{ends} : {}{mark}{guard}{update};", text(&edge["act"])).unwrap();
    }
    model + "}"
}

/// Everything that matters about a game, as a set of lines.
fn lines(network: &Network) -> BTreeSet<String> {
    let process = network.processes.iter().next().unwrap();
    let clock = |index: usize| {
        let name = &network.clocks.as_slice()[index].name;
        name.rsplit('.').next().unwrap().to_owned()
    };
    let mut lines = BTreeSet::new();
    for index in 0..network.clocks.len() {
        lines.insert(format!("clock {}", clock(index)));
    }
    let name = |location| &process.locations[location].name;
    lines.insert(format!("init {}", name(process.initial)));
    for location in &process.locations {
        lines.insert(format!("{} {:?}", location.name, location.invariant));
    }
    for edge in &process.edges {
        let label = match &edge.label {
            Label::Send(used) => format!("{}!", network.channels[used.channel].name),
            Label::Receive(used) => format!("{}?", network.channels[used.channel].name),
            other => format!("{other:?}"),
        };
        let (from, to) = (name(edge.source), name(edge.target));
        lines.insert(format!("{from} {label} {to} {:?} {:?}", edge.guard, edge.updates));
    }
    lines
}

#[test]
fn the_games_are_those_of_the_literature() {
    for (plain, example) in GAMES {
        let plain = root().join(format!("../shared/models/games/{plain}.json"));
        let Ok(plain) = std::fs::read_to_string(plain) else { return };
        let expected = network(&written(&serde_json::from_str(&plain).unwrap()));
        let found = network(&example_text(example));
        let (expected, found) = (lines(&expected), lines(&found));
        let missing: Vec<_> = expected.difference(&found).collect();
        let added: Vec<_> = found.difference(&expected).collect();
        assert!(missing.is_empty() && added.is_empty(), "{example}\n{missing:#?}\n{added:#?}");
    }
}
