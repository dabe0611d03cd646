//! What a mutant changes, in words.

use tioga_model::{Edge, EdgeId, Model, Network, ProcessId, Update};

use crate::wording::Wording;
use crate::{Change, Mutant};

/// A sentence about the change; `network` is the mutant's.
pub fn describe(model: &Model, network: &Network, mutant: &Mutant) -> String {
    let mut old = Wording::new(model, mutant.process);
    let mut new = Wording::new(network, mutant.process);
    let body = &model.processes[mutant.process];
    match &mutant.change {
        Change::Edge(id, edge) => {
            let before = &body.edges[*id];
            let name = edge_text(model, mutant.process, *id);
            if before.guard != edge.guard {
                let (old, new) = (old.condition(&before.guard), new.condition(&edge.guard));
                return format!("guard of {name}: {old} becomes {new}");
            }
            if before.target != edge.target {
                return format!("{name} leads to {}", body.locations[edge.target].name);
            }
            if before.source != edge.source {
                return format!("{name} leaves {}", body.locations[edge.source].name);
            }
            if (&before.label, &before.reply) != (&edge.label, &edge.reply) {
                return format!("{name} shows {}", new.label(&edge.label, edge.reply.as_ref()));
            }
            updates(&name, before, edge, &mut old, &mut new)
        }
        Change::Missing(id) => format!("{} is missing", edge_text(model, mutant.process, *id)),
        Change::Sink(id) => format!("{} leads to a sink", edge_text(model, mutant.process, *id)),
        Change::Invariant(id, invariant) => {
            let location = &body.locations[*id];
            let before = old.condition(&location.invariant);
            if invariant.is_always() {
                return format!("{} loses its invariant {before}", location.name);
            }
            let after = new.condition(invariant);
            format!("invariant of {}: {before} becomes {after}", location.name)
        }
    }
}

fn updates(
    name: &str,
    before: &Edge,
    after: &Edge,
    old: &mut Wording<'_>,
    new: &mut Wording<'_>,
) -> String {
    let first = before.updates.iter().zip(&after.updates).position(|(a, b)| a != b);
    let first = first.unwrap_or_else(|| before.updates.len().min(after.updates.len()));
    let gone = |wording: &mut Wording<'_>, update: Option<&Update>| {
        update.map(|update| wording.update(update)).unwrap_or_default()
    };
    let (one, other) = (before.updates.get(first), after.updates.get(first));
    match before.updates.len().cmp(&after.updates.len()) {
        std::cmp::Ordering::Greater => format!("{name} does not do {}", gone(old, one)),
        std::cmp::Ordering::Less => format!("{name} also does {}", gone(new, other)),
        std::cmp::Ordering::Equal => {
            format!("update of {name}: {} becomes {}", gone(old, one), gone(new, other))
        }
    }
}

/// An edge by its ends and what it shows, such as ``Off -> L1 on `touch?` ``; choices tell edges
/// apart that were written as one.
pub fn edge_text(network: &Network, process: ProcessId, id: EdgeId) -> String {
    let body = &network.processes[process];
    let edge = &body.edges[id];
    let (source, target) = (&body.locations[edge.source].name, &body.locations[edge.target].name);
    let mut text = format!("{source} -> {target}");
    let label = Wording::new(network, process).label(&edge.label, edge.reply.as_ref());
    if !label.is_empty() {
        text.push_str(&format!(" on `{label}`"));
    }
    if !edge.choices.is_empty() {
        let choices: Vec<String> =
            edge.choices.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        text.push_str(&format!(" with {}", choices.join(", ")));
    }
    text
}
