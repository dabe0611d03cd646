//! Grids as Graphviz DOT.

use std::fmt::Write;

use crate::grid::{GridAutomaton, TICK};

/// A grid as a graph. Ends where a fault is confirmed are red, desired ones green; ticks are dotted.
pub fn dot(grid: &GridAutomaton) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = format!("digraph \"{}\" {{\n", quoted(&grid.automaton().name));
    text.push_str("  node [shape=box, style=rounded];\n  start [shape=point];\n  start -> 0;\n");
    let states = u32::try_from(grid.state_count()).unwrap_or(u32::MAX);
    for state in 0..states {
        let colour = match grid.ends(state) {
            (true, _) => ", color=red",
            (_, true) => ", color=green",
            _ => "",
        };
        let name = quoted(&grid.state_name(state));
        let _ = writeln!(text, "  {state} [label=\"{name}\"{colour}];");
    }
    for state in 0..states {
        for (label, target) in grid.transitions(state) {
            let style = if label == TICK { ", style=dotted" } else { "" };
            let name = quoted(&grid.label_name(label));
            let _ = writeln!(text, "  {state} -> {target} [label=\"{name}\"{style}];");
        }
    }
    text.push_str("}\n");
    text
}
