//! What is said about finite machines.

use std::fmt::Write;

use serde_json::{Value, json};
use tioga::confirm::ExtendedMachine;
use tioga::machines::{GParts, MachineFormat, MachineInfo, machine_text, test_line};
use tioga::words::count;
use tioga_machines::Machine;
use tioga_machines::complete::Completeness;

use crate::args::MachineFormatArg;

/// The format an argument names.
pub fn format(format: MachineFormatArg) -> MachineFormat {
    match format {
        MachineFormatArg::Dot => MachineFormat::Dot,
        MachineFormatArg::Kiss2 => MachineFormat::Kiss2,
        MachineFormatArg::Model => MachineFormat::Model,
    }
}

/// What a machine is, for people.
pub fn info(machine: &Machine, info: &MachineInfo) -> String {
    let mut text = format!(
        "{}: {}, {}, {}, {}; it starts in `{}`\n",
        machine.name,
        count(machine.state_count(), "state"),
        count(machine.input_count(), "input"),
        count(machine.output_count(), "output"),
        count(machine.transition_count(), "transition"),
        machine.state_name(machine.initial()),
    );
    match &info.gap {
        None => text.push_str("complete: every state takes every input\n"),
        Some((state, input)) => {
            let _ = writeln!(text, "partial: `{state}` does not take `{input}`, for instance");
        }
    }
    match &info.unreachable[..] {
        [] => text.push_str("every state can be reached\n"),
        lost => {
            let _ = writeln!(text, "cannot be reached: {}", lost.join(", "));
        }
    }
    match (&info.equivalent, info.index) {
        (Some(classes), _) if classes.is_empty() => {
            text.push_str("minimal: no two states are equivalent\n")
        }
        (Some(classes), Some(index)) => {
            let _ =
                writeln!(text, "not minimal: {} would do; equivalent are", count(index, "state"));
            for class in classes {
                let _ = writeln!(text, "  {}", class.join(", "));
            }
        }
        _ if info.inseparable == 0 => text.push_str("all states can be told apart\n"),
        _ => {
            let _ = writeln!(
                text,
                "{} of states cannot be told apart",
                count(info.inseparable, "pair")
            );
        }
    }
    if info.separation > 0 {
        let _ = writeln!(
            text,
            "two states are told apart by at most {}",
            count(info.separation as usize, "input")
        );
    }
    if let Some(words) = &info.characterisation {
        let inputs: usize = words.iter().map(Vec::len).sum();
        let (words, inputs) = (count(words.len(), "word"), count(inputs, "input"));
        let _ = writeln!(text, "characterisation set: {words} with {inputs}");
    }
    match info.adaptive {
        Some(depth) => {
            let _ = writeln!(
                text,
                "adaptive distinguishing sequence: at most {}",
                count(depth, "input")
            );
        }
        None if info.gap.is_none() => text.push_str("no adaptive distinguishing sequence\n"),
        None => {}
    }
    text
}

/// What a machine is, for programs.
pub fn info_json(machine: &Machine, info: &MachineInfo) -> Value {
    let words = info.characterisation.as_ref();
    json!({
        "name": machine.name,
        "states": machine.state_count(),
        "inputs": machine.input_count(),
        "outputs": machine.output_count(),
        "transitions": machine.transition_count(),
        "initial": machine.state_name(machine.initial()),
        "complete": info.gap.is_none(),
        "gap": info.gap.as_ref().map(|(state, input)| json!({ "state": state, "input": input })),
        "unreachable": info.unreachable,
        "minimal": info.equivalent.as_ref().map(Vec::is_empty),
        "index": info.index,
        "equivalent": info.equivalent,
        "inseparable_pairs": info.inseparable,
        "longest_separation": info.separation,
        "characterisation_set":
            words.map(|words| words.iter().map(|word| test_line(machine, word)).collect::<Vec<_>>()),
        "adaptive_distinguishing_sequence": info.adaptive,
    })
}

/// What the G-method makes its tests of, for people. The empty word is a pair of double quotes.
pub fn parts(machine: &Machine, parts: &GParts) -> String {
    let mut text = String::new();
    for (title, words) in [("P", &parts.cover), ("Z", &parts.behind)] {
        let _ = writeln!(text, "{title}: {}", count(words.len(), "word"));
        for word in words {
            let line = test_line(machine, word);
            let _ = writeln!(text, "  {}", if word.is_empty() { "\"\"" } else { &line });
        }
    }
    let _ = writeln!(text, "classes of R: {}", parts.classes.len());
    for class in &parts.classes {
        let _ = writeln!(text, "  {}", class.join(", "));
    }
    text
}

/// What the G-method makes its tests of, for programs.
pub fn parts_json(machine: &Machine, parts: &GParts) -> Value {
    let lines = |words: &[Vec<u32>]| -> Vec<String> {
        words.iter().map(|word| test_line(machine, word)).collect()
    };
    json!({ "p": lines(&parts.cover), "z": lines(&parts.behind), "classes": parts.classes })
}

/// What a timed extended machine is, for people.
pub fn extended(name: &str, machine: &ExtendedMachine) -> String {
    let mut text = String::new();
    for (property, why) in &machine.properties {
        let _ = match why {
            None => writeln!(text, "{property}"),
            Some(why) => writeln!(text, "not {property}: {why}"),
        };
    }
    let (places, edges) = (machine.places.len(), machine.edges.len());
    let sizes = (count(places, "location"), count(edges, "edge"));
    let _ = writeln!(text, "the product of {name} with itself: {}, {}", sizes.0, sizes.1);
    for edge in &machine.edges {
        let _ = writeln!(text, "  {edge}");
    }
    text
}

/// What a timed extended machine is, for programs.
pub fn extended_json(machine: &ExtendedMachine) -> Value {
    let properties = machine.properties.iter().map(
        |(property, why)| json!({ "property": property, "holds": why.is_none(), "reason": why }),
    );
    json!({
        "properties": properties.collect::<Vec<_>>(),
        "locations": machine.places,
        "edges": machine.edges,
    })
}

/// Whether a suite is complete, for people.
pub fn completeness(machine: &Machine, found: &Completeness, extra_states: usize) -> String {
    let most = count(machine.state_count() + extra_states, "state");
    match found {
        Completeness::Complete => {
            format!("complete: no faulty machine with at most {most} passes\n")
        }
        Completeness::Unknown => {
            "unknown: the search was given up; `--max-steps` allows more\n".to_owned()
        }
        Completeness::Survivor(built, word) => {
            let shown = machine_text(built, MachineFormat::Dot).unwrap_or_default();
            let states = count(built.state_count(), "state");
            format!(
                "not complete: this machine with {states} passes, and answers differently to\n  {}\n{shown}",
                test_line(machine, word)
            )
        }
    }
}

/// Whether a suite is complete, for programs.
pub fn completeness_json(machine: &Machine, found: &Completeness) -> Value {
    match found {
        Completeness::Complete => json!({ "complete": true }),
        Completeness::Unknown => json!({ "complete": null }),
        Completeness::Survivor(built, word) => json!({
            "complete": false,
            "word": test_line(machine, word),
            "survivor": machine_text(built, MachineFormat::Dot).ok(),
        }),
    }
}
