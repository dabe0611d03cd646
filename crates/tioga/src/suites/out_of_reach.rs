//! What need not be looked at, because it takes an edge that cannot be covered.
//!
//! A run that covers a boundary value or a pair of edges takes these edges. So if no run takes an edge, nothing that
//! needs it is possible; and if no strategy takes it without cooperation of the system, none covers what needs it.

use std::collections::BTreeMap;

use tioga_model::{EdgePlace, Model};

use crate::synthesis::{Way, WhyMissed};

/// Edges that cannot be covered, and why not what needs them.
#[derive(Default)]
pub struct OutOfReach(BTreeMap<EdgePlace, WhyMissed>);

impl OutOfReach {
    /// Notes why a target cannot be covered in any of its ways, if that says something about others.
    pub fn note(&mut self, ways: &[Way], why: WhyMissed) {
        let others = match why {
            WhyMissed::Unreachable => WhyMissed::Unreachable,
            WhyMissed::Cooperation => WhyMissed::EdgeCooperation,
            _ => return,
        };
        // If the edge alone is a way, the other ways go on after it.
        if let Some(edge) = ways.iter().find_map(Way::edge) {
            self.0.insert(edge, others);
        }
    }

    /// Why a target cannot be covered in any of its ways, if that is known from an edge that each of them needs.
    pub fn why(&self, model: &Model, ways: &[Way]) -> Option<WhyMissed> {
        let mut all = Some(WhyMissed::Unreachable).filter(|_| !self.0.is_empty())?;
        for way in ways {
            let milestones = way.milestones(model)?;
            let needed = milestones.list.iter().filter_map(|milestone| match milestone.edges[..] {
                [edge] => self.0.get(&edge),
                _ => None,
            });
            // An edge that no run takes says more than one that needs cooperation.
            let why = needed.min_by_key(|why| **why != WhyMissed::Unreachable)?;
            if *why != WhyMissed::Unreachable {
                all = *why;
            }
        }
        Some(all)
    }
}
