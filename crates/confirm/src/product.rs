//! The product of a machine with itself, location by location (BON09, chapter 4, section 4): the edges of the first
//! component, each with one of the second or with none.

use std::collections::BTreeMap;

use tioga_model::{EdgeId, Label, LocationId};

use crate::error::Error;
use crate::machine::Machine;
use crate::moves::Engine;
use crate::pairs::Rule;

/// The locations of both components; `None` for a second component that failed.
pub type Place = (LocationId, Option<LocationId>);

/// An edge of the product.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProductEdge {
    /// Where it begins.
    pub source: Place,
    /// The edge of the first component.
    pub edge: EdgeId,
    /// What the second component does.
    pub other: Other,
    /// Where it ends.
    pub target: Place,
}

/// What the second component does in an edge of the product.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Other {
    /// It takes this edge, with an answer that is compatible.
    With(EdgeId),
    /// It takes none of these edges with a compatible answer.
    Without(Vec<EdgeId>),
}

/// The product of a machine with itself from two locations, with all places that its edges lead to.
///
/// # Errors
/// If values of answers cannot be followed.
pub fn product(
    machine: Machine<'_>,
    rule: Rule,
    start: Place,
) -> Result<(Vec<Place>, Vec<ProductEdge>), Error> {
    let mut places = vec![start];
    let mut edges = Vec::new();
    let mut coincide: BTreeMap<(EdgeId, EdgeId), bool> = BTreeMap::new();
    let mut next = 0;
    while let Some(source) = places.get(next).copied() {
        next += 1;
        for (edge, taken) in machine.edges(source.0) {
            let Label::Receive(input) = &taken.label else { continue };
            let mut add = |other: Other, second: Option<LocationId>| {
                let target = (taken.target, second);
                if !places.contains(&target) {
                    places.push(target);
                }
                edges.push(ProductEdge { source, edge, other, target });
            };
            let Some(second) = source.1 else {
                add(Other::Without(Vec::new()), None);
                continue;
            };
            let same = |label: &Label| matches!(label, Label::Receive(used) if used.channel == input.channel);
            let others = machine.edges(second).filter(|(_, other)| same(&other.label));
            let mut compatible = Vec::new();
            for (id, other) in others {
                let alike = match rule {
                    Rule::Sound => {
                        let output =
                            |edge: &tioga_model::Edge| edge.reply.as_ref().map(|used| used.channel);
                        output(taken) == output(other)
                    }
                    Rule::AsPrinted => match coincide.get(&(edge, id)) {
                        Some(known) => *known,
                        None => {
                            let found = Engine::coincide(machine, edge, id)?;
                            coincide.insert((edge, id), found);
                            found
                        }
                    },
                };
                if alike {
                    add(Other::With(id), Some(other.target));
                    compatible.push(id);
                }
                if rule == Rule::AsPrinted {
                    let without = if alike { vec![id] } else { Vec::new() };
                    add(Other::Without(without), None);
                }
            }
            if rule == Rule::Sound {
                add(Other::Without(compatible), None);
            }
        }
    }
    Ok((places, edges))
}
