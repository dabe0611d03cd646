//! What need not be looked at, because it takes an edge that cannot be covered.
//!
//! A run that covers a boundary value or a pair of edges takes these edges. So if no run takes an edge, nothing that
//! needs it is possible; and if no strategy takes it without cooperation of the system, none covers what needs it.

use std::collections::BTreeMap;

use tioga_model::{EdgePlace, Model};

use super::built::{Proof, Standing};
use crate::cover::{Target, Way};
use crate::synthesis::WhyMissed;

/// Edges that cannot be covered, with what is known of targets that need them.
#[derive(Default)]
pub struct OutOfReach(BTreeMap<EdgePlace, Standing>);

impl OutOfReach {
    /// Notes that a target cannot be covered in any of its ways, if that says something about others.
    pub fn note(&mut self, target: &Target, ways: &[Way], standing: &Standing) {
        let others = match standing {
            Standing::Impossible(_) => Standing::Impossible(Proof::Needs(target.text.clone())),
            Standing::Missed(WhyMissed::Cooperation) => {
                Standing::Missed(WhyMissed::EdgeCooperation)
            }
            _ => return,
        };
        // If the edge alone is a way, the other ways go on after it.
        if let Some(edge) = ways.iter().find_map(Way::edge) {
            self.0.insert(edge, others);
        }
    }

    /// What is known of a target, if each of its ways needs an edge that cannot be covered.
    pub fn standing(&self, model: &Model, ways: &[Way]) -> Option<&Standing> {
        let mut known = None;
        for way in ways.iter().filter(|_| !self.0.is_empty()) {
            let milestones = way.milestones(model)?;
            let needed = milestones.list.iter().filter_map(|milestone| match milestone.edges[..] {
                [edge] => self.0.get(&edge),
                _ => None,
            });
            // An edge that no run takes says more than one that needs cooperation.
            let own = needed.min_by_key(|own| !own.is_impossible())?;
            if known.is_none_or(Standing::is_impossible) {
                known = Some(own);
            }
        }
        known
    }
}
