//! Whether a process makes finitely many steps in finite time while relevant processes make none.
//!
//! As for strong non-Zenoness, every cycle must set a clock and bound the same clock from below: here it is set to 0 by
//! all processes, and bounded by at least one unit. Edges that only relevant processes can make it take are no part of
//! cycles: each of them costs a step of such a process.

use std::collections::BTreeSet;

use tioga_base::Id;

use super::{Analysis, channels_of};
use crate::properties::{Arrow, violating_cycle};
use crate::{ClockId, Condition, Edge, Label, ProcessId, TimeBound, Update};

impl Analysis<'_> {
    /// Whether every cycle of a process takes time, without what only relevant processes send it.
    pub(super) fn cycles_take_time(&self, id: ProcessId, relevant: &BTreeSet<ProcessId>) -> bool {
        let process = &self.model.processes[id];
        let forced = |edge: &Edge| match &edge.label {
            Label::Receive(used) => channels_of(used)
                .all(|one| self.model.channels[one].broadcast && self.only_from(one, relevant)),
            _ => false,
        };
        let useful: BTreeSet<ClockId> =
            self.model.clocks.ids().filter(|one| self.only_reset(*one)).collect();
        let arrows: Vec<Arrow> = process
            .edges
            .iter_ids()
            .filter(|(_, edge)| !forced(edge))
            .map(|(id, edge)| Arrow {
                edge: id,
                source: edge.source.index(),
                target: edge.target.index(),
                sets: reset(edge).filter(|clock| useful.contains(clock)).collect(),
                bounds: bounded(&edge.guard)
                    .into_iter()
                    .filter(|one| useful.contains(one))
                    .collect(),
            })
            .collect();
        matches!(violating_cycle(process.locations.len(), &arrows), Ok(None))
    }

    /// Whether a clock is set to 0 only, by all processes.
    fn only_reset(&self, clock: ClockId) -> bool {
        let edges = self.model.processes.iter().flat_map(|one| &one.edges);
        edges.flat_map(|edge| &edge.updates).all(|update| match update {
            Update::Clock(set) => {
                let zero = set.source.is_none() && set.value == TimeBound::Constant(0);
                zero || set.clock.elements().all(|one| one != clock)
            }
            Update::Data(_) => true,
        })
    }
}

/// The clocks that an edge certainly sets.
fn reset(edge: &Edge) -> impl Iterator<Item = ClockId> {
    edge.updates.iter().filter_map(|update| match update {
        Update::Clock(set) => set.certain(),
        Update::Data(_) => None,
    })
}

/// The clocks that are at least one unit wherever a condition holds.
fn bounded(condition: &Condition) -> BTreeSet<ClockId> {
    let mut ways = condition.disjuncts.iter().map(|way| {
        let lower = way.clocks.iter().filter_map(|one| match (one.left, one.right, one.bound) {
            (None, Some(term), TimeBound::Constant(bound)) => {
                (term.index.is_none() && bound <= -1).then_some(term.clock)
            }
            _ => None,
        });
        lower.collect::<BTreeSet<ClockId>>()
    });
    let first = ways.next().unwrap_or_default();
    ways.fold(first, |all, way| all.intersection(&way).copied().collect())
}
