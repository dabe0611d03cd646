//! The part of a tester that its strategy can get to.
//!
//! A strategy sends some of the inputs of the model and never the others. What the tester knows about the others is of no
//! use, so their edges are left out, and places that only they lead to. An input that is sent somewhere keeps its edges
//! everywhere: messages take their time, so it may arrive in another place than the one in which it was sent.

use std::collections::{BTreeMap, BTreeSet};

use tioga_games::NodeId;
use tioga_testcase::{Action, CasePlace, Side};

use crate::automaton::NodePlaces;

/// The places that a strategy can get to from the first, in order. `place` makes a place by its number; its edges lead to
/// numbers.
pub fn played(place: impl Fn(u32) -> CasePlace) -> NodePlaces {
    let mut made: BTreeMap<u32, CasePlace> = BTreeMap::new();
    let mut sent: BTreeSet<Action> = BTreeSet::new();
    // Where inputs lead that are not sent, as far as is known.
    let mut unsent: BTreeMap<Action, Vec<u32>> = BTreeMap::new();
    let mut waiting = vec![0];
    while let Some(number) = waiting.pop() {
        if made.contains_key(&number) {
            continue;
        }
        let new = place(number);
        for rule in &new.rules {
            let Some(edge) = rule.play else { continue };
            let action = &new.edges[edge as usize].action;
            if sent.insert(action.clone()) {
                waiting.extend(unsent.remove(action).unwrap_or_default());
            }
        }
        for edge in &new.edges {
            if edge.by == Side::System || sent.contains(&edge.action) {
                waiting.push(edge.target);
            } else {
                unsent.entry(edge.action.clone()).or_default().push(edge.target);
            }
        }
        made.insert(number, new);
    }
    let numbers: BTreeMap<u32, u32> = made.keys().copied().zip(0..).collect();
    let kept = |(number, place): (u32, CasePlace)| {
        (Some(NodeId(number)), without_unsent(place, &sent, &numbers))
    };
    made.into_iter().map(kept).collect()
}

/// A place without the edges of inputs that are not sent; the others lead to new numbers.
fn without_unsent(
    mut place: CasePlace,
    sent: &BTreeSet<Action>,
    numbers: &BTreeMap<u32, u32>,
) -> CasePlace {
    let mut positions = Vec::new();
    let mut edges = Vec::new();
    for mut edge in place.edges {
        positions.push(u32::try_from(edges.len()).expect("fewer than 2^32 edges"));
        if edge.by == Side::System || sent.contains(&edge.action) {
            edge.target = numbers[&edge.target];
            edges.push(edge);
        }
    }
    for rule in &mut place.rules {
        let used = rule.play.iter_mut().chain(&mut rule.awaited);
        used.for_each(|edge| *edge = positions[*edge as usize]);
    }
    CasePlace { edges, ..place }
}
