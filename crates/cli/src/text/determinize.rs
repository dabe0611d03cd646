//! How exact a deterministic view is, in words and as JSON.

use serde_json::{Value, json};
use tioga::words::count;
use tioga::{Difference, Verified};
use tioga_base::{Rational, decimal};
use tioga_determinize::{Determinized, Exactness, Loss, Resources};
use tioga_model::Model;

/// What there is to say about the result, in lines.
pub fn report(model: &Model, result: &Determinized) -> Vec<String> {
    let resources = |resources: Resources| {
        let constant = constant(model, resources);
        format!("{} and constants up to {constant}", count(resources.clocks, "clock"))
    };
    let used = resources(result.resources);
    let mut lines = match &result.exactness {
        Exactness::Unchanged => vec!["unchanged: the model is deterministic".to_owned()],
        Exactness::Exact => vec![format!("exact with {used}")],
        Exactness::Approximate { losses, suggestion, exhausted } => {
            let mut lines = vec![format!("not exact with {used}")];
            lines.extend(losses.iter().map(|loss| format!("  {loss}")));
            if *exhausted {
                let more = "the budget was exhausted, and `--max-steps` allows more";
                lines.push(more.to_owned());
            }
            lines.push(match suggestion {
                Some(better) => format!("it would be exact with {}", resources(*better)),
                None => "no slightly larger resources were found to be exact".to_owned(),
            });
            lines
        }
    };
    let (locations, edges) = size(result);
    lines.push(format!("{}, {}", count(locations, "location"), count(edges, "edge")));
    lines
}

/// How many traces were compared.
pub fn agreement(found: &Verified) -> String {
    let compared = count(usize::try_from(found.traces).unwrap_or(usize::MAX), "random trace");
    let skipped = match found.skipped {
        0 => String::new(),
        skipped => format!(", {skipped} left out"),
    };
    format!("{compared} compared, no difference{skipped}")
}

/// A trace that only one side has.
pub fn disagreement(difference: &Difference) -> String {
    let Difference { trace, of_view, why } = difference;
    let (own, other) = if *of_view { ("result", "model") } else { ("model", "result") };
    format!("the {own} has the trace {}, but the {other} {why}", trace.join(" "))
}

fn size(result: &Determinized) -> (usize, usize) {
    let processes = || result.network.processes.iter();
    let locations = processes().map(|process| process.locations.len()).sum();
    (locations, processes().map(|process| process.edges.len()).sum())
}

/// A constant as it is written.
fn constant(model: &Model, resources: Resources) -> String {
    let constant = i64::from(resources.max_constant);
    Rational::new(constant, model.scale).map_or_else(|_| constant.to_string(), decimal)
}

/// The result as JSON, without the view itself.
pub fn to_json(model: &Model, result: &Determinized) -> Value {
    let name = match &result.exactness {
        Exactness::Unchanged => "unchanged",
        Exactness::Exact => "exact",
        Exactness::Approximate { .. } => "approximate",
    };
    let resources = |resources: Resources| json!({ "clocks": resources.clocks, "max_constant": constant(model, resources) });
    let (locations, edges) = size(result);
    let mut json = json!({
        "exactness": name,
        "resources": resources(result.resources),
        "game_states": result.game_states,
        "locations": locations,
        "edges": edges,
    });
    if let Exactness::Approximate { losses, suggestion, exhausted } = &result.exactness {
        let loss = |loss: &Loss| {
            json!({
                "location": loss.location,
                "kind": loss.kind.name(),
                "action": loss.action,
                "when": loss.when,
                "configuration": loss.configuration,
            })
        };
        json["losses"] = losses.iter().map(loss).collect();
        json["exhausted"] = (*exhausted).into();
        json["suggestion"] = suggestion.map_or(Value::Null, resources);
    }
    json
}
