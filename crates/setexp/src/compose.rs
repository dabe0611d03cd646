//! Several automata as one: they move in turn, and two that meet on a channel move together, unseen.
//!
//! What a sender gives, its receiver gets: parameters are matched by position. The sender's updates come first.

use std::collections::BTreeMap;

use tioga_base::{Budget, Id, IdVec};
use tioga_terms::{SymbolId, Term};

use crate::error::Refusal;
use crate::tiosa::{Edge, Kind, Location, LocationId, Mark, Tiosa};

/// How an edge takes part in the moves of the whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// By itself.
    Alone,
    /// As the sender of these values.
    Sends(Vec<Term>),
    /// As the receiver.
    Receives,
}

/// An automaton with the part of each of its edges, in their order.
pub type Member = (Tiosa, Vec<Part>);

/// The automaton of all members together, which share symbols, clocks and actions.
///
/// # Errors
/// If it has more locations than the budget has steps.
pub fn composed(name: &str, members: &[Member], budget: &mut Budget) -> Result<Tiosa, Refusal> {
    let Some((first, _)) = members.first() else {
        return Err(Refusal::Broken("nothing to compose"));
    };
    let mut whole = Tiosa { name: name.to_owned(), ..first.clone() };
    whole.locations = IdVec::new();
    whole.edges = IdVec::new();
    for action in whole.actions.iter_mut().filter(|action| action.kind == Kind::Internal) {
        action.parameters.clear();
    }
    let start: Vec<LocationId> = members.iter().map(|(one, _)| one.initial).collect();
    let mut ids = BTreeMap::new();
    let mut waiting = vec![start.clone()];
    whole.initial = enter(&mut whole, members, &mut ids, &start);
    while let Some(places) = waiting.pop() {
        if budget.step().is_err() {
            return Err(Refusal::Limit("the automata together have too many locations".to_owned()));
        }
        for (edge, target) in moves(members, &places)? {
            let new = !ids.contains_key(&target);
            let source = enter(&mut whole, members, &mut ids, &places);
            let entered = enter(&mut whole, members, &mut ids, &target);
            if new {
                waiting.push(target);
            }
            whole.edges.push(Edge { source, target: entered, ..edge });
        }
    }
    Ok(whole)
}

/// The location of the whole for one of each member.
fn enter(
    whole: &mut Tiosa,
    members: &[Member],
    ids: &mut BTreeMap<Vec<LocationId>, LocationId>,
    places: &[LocationId],
) -> LocationId {
    if let Some(known) = ids.get(places) {
        return *known;
    }
    let own = || members.iter().zip(places).map(|((one, _), place)| &one.locations[*place]);
    let names: Vec<&str> = own().map(|location| location.name.as_str()).collect();
    let mut invariant: Vec<_> = own().flat_map(|location| location.invariant.clone()).collect();
    invariant.sort();
    invariant.dedup();
    let location = Location { name: names.join(","), mark: Mark::Plain, invariant };
    let id = whole.locations.push(location);
    ids.insert(places.to_vec(), id);
    id
}

/// What the members can do from these locations, and where it leads.
fn moves(
    members: &[Member],
    places: &[LocationId],
) -> Result<Vec<(Edge, Vec<LocationId>)>, Refusal> {
    let mut found = Vec::new();
    for (at, (one, parts)) in members.iter().enumerate() {
        for (id, edge) in one.leaving(places[at]) {
            let mut target = places.to_vec();
            target[at] = edge.target;
            match &parts[id.index()] {
                Part::Alone => found.push((edge.clone(), target)),
                Part::Receives => {}
                Part::Sends(values) => {
                    for (with, (other, others)) in members.iter().enumerate() {
                        if with == at {
                            continue;
                        }
                        for (id, answer) in other.leaving(places[with]) {
                            if answer.action != edge.action || others[id.index()] != Part::Receives
                            {
                                continue;
                            }
                            let mut target = target.clone();
                            target[with] = answer.target;
                            let parameters = &other.actions[edge.action].parameters;
                            found.push((met(one, edge, answer, parameters, values)?, target));
                        }
                    }
                }
            }
        }
    }
    Ok(found)
}

/// A sender and a receiver that move together.
fn met(
    tiosa: &Tiosa,
    sender: &Edge,
    receiver: &Edge,
    parameters: &[SymbolId],
    values: &[Term],
) -> Result<Edge, Refusal> {
    let got = |symbol: SymbolId| {
        let position = parameters.iter().position(|own| *own == symbol)?;
        values.get(position).cloned()
    };
    let condition = receiver.condition.substitute(&tiosa.symbols, &got)?;
    let mut assignments: BTreeMap<SymbolId, Term> = sender.assignments.iter().cloned().collect();
    for (variable, term) in &receiver.assignments {
        // What was sent is older than the sender's updates; what the receiver reads by itself is not.
        let fresh = term.substitute(&|symbol: SymbolId| {
            if parameters.contains(&symbol) {
                return None;
            }
            let own = sender.assignments.iter().find(|(own, _)| *own == symbol);
            own.map(|(_, term)| term.clone())
        })?;
        assignments.insert(*variable, fresh.substitute(&got)?);
    }
    let mut guard = [&sender.guard[..], &receiver.guard[..]].concat();
    guard.sort();
    guard.dedup();
    let mut resets = [&sender.resets[..], &receiver.resets[..]].concat();
    resets.sort();
    resets.dedup();
    Ok(Edge {
        guard,
        resets,
        condition: sender.condition.clone().and(condition),
        assignments: assignments.into_iter().collect(),
        ..sender.clone()
    })
}
