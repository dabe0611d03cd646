//! Differences in behaviour between two versions of a model: a run for each.
//!
//! The comparison of two models ends with the first violation. To find the next one, that violation is removed: the
//! edge with the wrong output is never taken again, a location with too much delay gets the invariant of the other
//! version, and a refused input is no longer required. The followed version only loses behaviour by that, and the other
//! one only requires less, so the next violation is a difference of the original versions. It is also confirmed on the
//! reference semantics of the unchanged version.

use tioga_base::Id;
use tioga_conform::{ObservedViolation, Relation, RelationAnswer, Violation};
use tioga_model::{Condition, Conjunct, Model, Network, Role, Step, TimeBound};
use tioga_mutate::{Wording, edge_text};

use crate::conformance::compare;
use crate::trace::run_end;
use crate::{Effort, Failure};

/// How many differences are looked for in one direction.
const DIFFERENCES: usize = 20;

/// How one version follows the other.
#[derive(Debug)]
pub struct Followed {
    /// The violations: a run for each.
    pub differences: Vec<BehaviourDifference>,
    /// Whether every difference was found, one for each edge or location.
    pub complete: bool,
    /// If not, why.
    pub reason: Option<String>,
    /// The deterministic views that were compared instead, of this version and of the other, where one was needed.
    pub views: (Option<Model>, Option<Model>),
}

/// A difference in behaviour.
#[derive(Debug)]
pub struct BehaviourDifference {
    /// The edge or location that behaves differently.
    pub place: String,
    /// The relation that is violated.
    pub relation: Relation,
    /// The observation, and the run before it.
    pub violation: Box<Violation>,
}

impl Followed {
    /// A version that is the same as the other.
    pub(super) fn identical() -> Self {
        Self { differences: Vec::new(), complete: true, reason: None, views: (None, None) }
    }

    /// Whether this version shows only behaviour that the other allows, and accepts all its inputs; nothing if that
    /// is not known.
    pub fn holds(&self) -> Option<bool> {
        match (self.differences.is_empty(), self.complete) {
            (false, _) => Some(false),
            (true, true) => Some(true),
            (true, false) => None,
        }
    }
}

/// Finds behaviour of `own` that `other` does not allow.
pub(super) fn followed(
    own: &Model,
    other: &Model,
    max_states: Option<u64>,
    effort: &mut Effort<'_>,
) -> Result<Followed, Failure> {
    let mut left = (own.clone(), other.clone());
    let mut relation = Relation::Conforms;
    let mut found =
        Followed { differences: Vec::new(), complete: false, reason: None, views: (None, None) };
    while found.differences.len() < DIFFERENCES {
        let (compared, _) = compare(&left.0, &left.1, relation, max_states, effort)?;
        let violation = match compared.decided.answer {
            RelationAnswer::Holds if relation == Relation::Conforms => {
                relation = Relation::Refines;
                continue;
            }
            RelationAnswer::Holds => {
                found.complete = true;
                return Ok(found);
            }
            RelationAnswer::Unknown(reason) => {
                found.reason = Some(compared.note.unwrap_or(reason));
                return Ok(found);
            }
            RelationAnswer::Violated(violation) => violation,
        };
        let viewed = compared.implementation.is_some() || compared.view.is_some();
        if viewed && !found.differences.is_empty() {
            found.reason = Some("there may be more differences behind the last one".to_owned());
            return Ok(found);
        }
        let confirmed = viewed || run_end(own, &violation.run).is_some();
        if !confirmed {
            found.reason = Some("further differences were not confirmed".to_owned());
            return Ok(found);
        }
        let models = (
            compared.implementation.as_ref().unwrap_or(&left.0),
            compared.view.as_ref().unwrap_or(&left.1),
        );
        let (place, rest) = match &violation.observed {
            ObservedViolation::Output(step) => (named(models.0, step), without(&left.0, step)),
            ObservedViolation::Refusal(step) => (named(models.1, step), without(&left.1, step)),
            ObservedViolation::Delay => waiting(models.0, models.1, &violation),
        };
        let refused = matches!(violation.observed, ObservedViolation::Refusal(_));
        found.differences.push(BehaviourDifference { place, relation, violation });
        found.views = (compared.implementation, compared.view);
        let rest = rest.filter(|_| !viewed).and_then(|network| network.validate().ok());
        let Some(rest) = rest else {
            found.reason = Some("there may be more differences behind the last one".to_owned());
            return Ok(found);
        };
        match refused {
            true => left.1 = rest,
            false => left.0 = rest,
        }
    }
    found.reason = Some(format!("only the first {DIFFERENCES} differences are shown"));
    Ok(found)
}

/// The edge of a step that belongs to the system.
fn own_edge<'s>(model: &Model, step: &'s Step) -> Option<&'s tioga_model::Participant> {
    let mut own = step.participants.iter();
    let system = own.find(|one| model.processes[one.process].role == Role::System);
    system.or(step.participants.first())
}

/// What a step is called: its process and its edge.
fn named(model: &Model, step: &Step) -> String {
    let Some(one) = own_edge(model, step) else { return String::new() };
    let edge = edge_text(model, one.process, one.edge);
    format!("{}: {edge}", model.processes[one.process].name)
}

/// The model in which the edge of a step, and those that were written with it, are never taken.
fn without(model: &Model, step: &Step) -> Option<Network> {
    let one = own_edge(model, step)?;
    let mut network: Network = (**model).clone();
    let process = &mut network.processes[one.process];
    let edge = process.edges[one.edge].clone();
    let ids: Vec<_> = process.edges.iter_ids().map(|(id, _)| id).collect();
    for id in ids {
        let same = &mut process.edges[id];
        let written =
            (same.span, same.source, same.target) == (edge.span, edge.source, edge.target);
        if id == one.edge || written {
            same.guard = Condition::never();
        }
    }
    Some(network)
}

/// Where too much time passes, and the model in which it does not: there the invariants hold that the other version
/// has at the same places.
fn waiting(own: &Model, other: &Model, violation: &Violation) -> (String, Option<Network>) {
    let Some(state) = run_end(own, &violation.run) else { return (String::new(), None) };
    let mut network: Network = (**own).clone();
    let mut places = Vec::new();
    let mut all = Vec::new();
    for (id, process) in own.processes.iter_ids() {
        let at = state.discrete.locations[id.index()];
        let place = format!("{}.{}", process.name, process.locations[at].name);
        all.push(place.clone());
        let same = other.processes.iter_ids().find(|(_, same)| same.name == process.name);
        let Some((same_id, same)) = same else { continue };
        let Some(there) = same.locations.iter().find(|one| one.name == process.locations[at].name)
        else {
            continue;
        };
        let here = &process.locations[at];
        let texts = (
            Wording::new(own, id).condition(&here.invariant),
            Wording::new(other, same_id).condition(&there.invariant),
        );
        if texts.0 == texts.1 && here.marks == there.marks {
            continue;
        }
        places.push(place);
        let invariant = &mut network.processes[id].locations[at].invariant;
        match both(&here.invariant, &there.invariant, own, other) {
            Some(stricter) => *invariant = stricter,
            None => return (places.join(", "), None),
        }
        network.processes[id].locations[at].marks.urgent |= there.marks.urgent;
    }
    match places.is_empty() {
        true => (all.join(", "), None),
        false => (places.join(", "), Some(network)),
    }
}

/// An invariant together with one of the other version, if that one only speaks of clocks that both have.
fn both(own: &Condition, other: &Condition, model: &Model, theirs: &Model) -> Option<Condition> {
    let [added] = &other.disjuncts[..] else { return None };
    if added.data.is_some() || model.scale != theirs.scale {
        return None;
    }
    let mut constraints = Vec::new();
    for constraint in &added.clocks {
        let mut constraint = constraint.clone();
        for term in [&mut constraint.left, &mut constraint.right].into_iter().flatten() {
            let name = &theirs.clocks[term.clock].name;
            let same = model.clocks.iter_ids().find(|(_, clock)| clock.name == *name);
            match (same, term.index) {
                (Some((id, _)), None) => term.clock = id,
                _ => return None,
            }
        }
        if !matches!(constraint.bound, TimeBound::Constant(_)) {
            return None;
        }
        constraints.push(constraint);
    }
    let disjuncts = own.disjuncts.iter().map(|one| {
        let clocks = one.clocks.iter().chain(&constraints).cloned().collect();
        Conjunct { data: one.data, clocks }
    });
    Some(Condition { disjuncts: disjuncts.collect() })
}
