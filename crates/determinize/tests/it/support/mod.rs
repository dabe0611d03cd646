//! Deterministic views, and results as short text.

pub mod compare;

use std::fmt::Write;

use tioga_base::Budget;
use tioga_conform::{Relation, RelationAnswer, decide};
use tioga_determinize::{Determinized, Resources, determinize};
use tioga_explore::{Limits, SearchOptions};
use tioga_model::{Condition, Label, Model, Network, TimeBound, Update};

pub fn view(model: &Model, clocks: usize, max_constant: u32) -> Determinized {
    let mut budget = Budget::steps(2_000_000);
    determinize(model, Resources { clocks, max_constant }, &mut budget).unwrap()
}

/// Whether a model relates to its view, as far as that can be decided.
pub fn related(model: &Model, view: &Model, relation: Relation) -> RelationAnswer {
    let limits = Limits { visited: Some(2_000), ..Limits::default() };
    let options = SearchOptions { limits, ..SearchOptions::default() };
    decide(model, view, relation, &options, &mut |_| {}).unwrap().answer
}

/// One line for each location and edge.
pub fn text(network: &Network) -> String {
    let process = network.processes.iter().next().unwrap();
    let condition = |condition: &Condition| {
        let mut parts = Vec::new();
        for constraint in condition.disjuncts.iter().flat_map(|conjunct| &conjunct.clocks) {
            let name = |term: Option<tioga_model::ClockTerm>| {
                term.map(|term| network.clocks[term.clock].name.rsplit('.').next().unwrap())
            };
            let TimeBound::Constant(value) = constraint.bound else { return "computed".to_owned() };
            let strict = if constraint.strict { "" } else { "=" };
            parts.push(match (name(constraint.left), name(constraint.right)) {
                (Some(left), None) => format!("{left}<{strict}{value}"),
                (None, Some(right)) => format!("{right}>{strict}{}", -value),
                (left, right) => format!("{left:?}-{right:?}<{strict}{value}"),
            });
        }
        parts.join(" ")
    };
    let mut text = String::new();
    for location in &process.locations {
        let line = format!("{} [{}]", location.name, condition(&location.invariant));
        writeln!(text, "{}", line.trim_end_matches(" []")).unwrap();
    }
    for edge in &process.edges {
        let action = match &edge.label {
            Label::Send(used) => format!("{}!", network.channels[used.channel].name),
            Label::Receive(used) => format!("{}?", network.channels[used.channel].name),
            other => format!("{other:?}"),
        };
        let resets: Vec<&str> = edge
            .updates
            .iter()
            .map(|update| match update {
                Update::Clock(update) => {
                    network.clocks[update.clock.clock].name.rsplit('.').next().unwrap()
                }
                Update::Data(_) => "data",
            })
            .collect();
        let (source, target) =
            (&process.locations[edge.source].name, &process.locations[edge.target].name);
        writeln!(
            text,
            "{source} -> {target} {action} [{}] {{{}}}",
            condition(&edge.guard),
            resets.join(" ")
        )
        .unwrap();
    }
    text
}
