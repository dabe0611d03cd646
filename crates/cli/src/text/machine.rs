//! What is said about finite machines.

use std::fmt::Write;

use serde_json::{Value, json};
use tioga::machines::{MachineFormat, MachineInfo, machine_text, test_line};
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
