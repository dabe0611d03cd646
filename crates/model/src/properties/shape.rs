//! Properties of the form of a process: what kinds of conditions and marks it uses.

use super::subject::{Findings, Subject, communication, edge_witness, location_witness};
use super::verdict::{PropertyVerdict, PropertyWitness};
use crate::{ClockConstraint, ClockTerm, Condition, Conjunct, Edge, TimeBound, Update};

/// No condition compares two clocks.
pub(super) fn diagonal_free(subject: &Subject<'_>) -> PropertyVerdict {
    let diagonal =
        |constraint: &ClockConstraint| constraint.left.is_some() && constraint.right.is_some();
    find_condition(subject, "compares two clocks", |c| c.clocks.iter().any(diagonal))
}

/// No condition on clocks is strict.
pub(super) fn closed(subject: &Subject<'_>) -> PropertyVerdict {
    let strict = |c: &Conjunct| c.clocks.iter().any(|constraint| constraint.strict);
    find_condition(subject, "is strict", strict)
}

/// Looks for a conjunct in all guards and invariants.
fn find_condition(
    subject: &Subject<'_>,
    what: &str,
    test: impl Fn(&Conjunct) -> bool,
) -> PropertyVerdict {
    let mut findings = Findings::default();
    for (id, location) in subject.process.locations.iter_ids() {
        if location.invariant.disjuncts.iter().any(&test) {
            let sentence = format!("the invariant of `{}` {what}", location.name);
            let short = format!("the invariant of `{}`", location.name);
            findings.fail(location_witness(subject, id, sentence, "this invariant"), short);
        }
    }
    for (id, edge) in subject.process.edges.iter_ids() {
        if edge.guard.disjuncts.iter().any(&test) {
            let sentence = format!("the guard of {} {what}", subject.describe(edge));
            let witness = edge_witness(subject, id, sentence, "this guard");
            findings.fail(witness, subject.describe(edge));
        }
    }
    findings.verdict()
}

/// No location has an invariant.
pub(super) fn invariant_free(subject: &Subject<'_>) -> PropertyVerdict {
    let mut findings = Findings::default();
    for (id, location) in subject.process.locations.iter_ids() {
        if !location.invariant.is_always() {
            let sentence = format!("`{}` has an invariant", location.name);
            let witness = location_witness(subject, id, sentence, "this location");
            findings.fail(witness, format!("`{}`", location.name));
        }
    }
    findings.verdict()
}

/// No location is urgent or committed and no channel urgent.
pub(super) fn urgency_free(subject: &Subject<'_>) -> PropertyVerdict {
    let mut findings = Findings::default();
    for (id, location) in subject.process.locations.iter_ids() {
        let mark = match (location.marks.committed, location.marks.urgent) {
            (true, _) => "committed",
            (_, true) => "urgent",
            _ => continue,
        };
        let sentence = format!("`{}` is {mark}", location.name);
        let witness = location_witness(subject, id, sentence, "this location");
        findings.fail(witness, format!("`{}`", location.name));
    }
    for (id, edge) in subject.process.edges.iter_ids() {
        let Some((used, _)) = communication(edge) else { continue };
        if subject.model.channels[used.channel].urgent {
            let sentence = format!("{} uses an urgent channel", subject.describe(edge));
            let witness = edge_witness(subject, id, sentence, "this action");
            findings.fail(witness, subject.describe(edge));
        }
    }
    findings.verdict()
}

/// Nothing depends on data, and nothing changes it.
pub(super) fn data_free(subject: &Subject<'_>) -> PropertyVerdict {
    let mut findings = Findings::default();
    for (id, location) in subject.process.locations.iter_ids() {
        if condition_uses_data(&location.invariant) {
            let sentence = format!("the invariant of `{}` reads data", location.name);
            let witness: PropertyWitness =
                location_witness(subject, id, sentence, "this invariant");
            findings.fail(witness, format!("`{}`", location.name));
        }
    }
    for (id, edge) in subject.process.edges.iter_ids() {
        if let Some(what) = edge_uses_data(subject, edge) {
            let sentence = format!("{} {what}", subject.describe(edge));
            let witness = edge_witness(subject, id, sentence, "this edge");
            findings.fail(witness, subject.describe(edge));
        }
    }
    findings.verdict()
}

fn condition_uses_data(condition: &Condition) -> bool {
    let indexed = |term: &Option<ClockTerm>| term.is_some_and(|term| term.index.is_some());
    condition.disjuncts.iter().any(|conjunct| {
        conjunct.data.is_some()
            || conjunct.clocks.iter().any(|constraint| {
                matches!(constraint.bound, TimeBound::Expr(_))
                    || indexed(&constraint.left)
                    || indexed(&constraint.right)
            })
    })
}

fn edge_uses_data(subject: &Subject<'_>, edge: &Edge) -> Option<&'static str> {
    if condition_uses_data(&edge.guard) {
        return Some("has a guard that reads data");
    }
    let uses = communication(edge).map(|(used, _)| used).into_iter().chain(&edge.reply);
    for used in uses {
        if used.index.is_some() {
            return Some("chooses its channel by data");
        }
        if !subject.model.channels[used.channel].parameters.is_empty() {
            return Some("communicates a value");
        }
    }
    for update in &edge.updates {
        match update {
            Update::Data(_) => return Some("changes data"),
            Update::Clock(update) => {
                let indexed = update.certain().is_none()
                    || update.source.is_some_and(|source| source.index.is_some());
                if indexed || matches!(update.value, TimeBound::Expr(_)) {
                    return Some("sets a clock by data");
                }
            }
        }
    }
    None
}
