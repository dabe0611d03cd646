//! The order in which targets are examined: far from the start of their process first.

use tioga_base::Id;
use tioga_model::{LocationId, Model};

use tioga_testcase::Cover;

use crate::cover::{Target, Way};

/// The positions of targets; the last one is examined first.
pub fn far_first(model: &Model, targets: &[(Cover, Target, Vec<Way>)]) -> Vec<usize> {
    let distances: Vec<Vec<usize>> = model
        .processes
        .iter()
        .map(|process| {
            let mut distances = vec![usize::MAX; process.locations.len()];
            let mut waiting = std::collections::VecDeque::from([(process.initial, 0)]);
            while let Some((at, distance)) = waiting.pop_front() {
                if distances[at.index()] <= distance {
                    continue;
                }
                distances[at.index()] = distance;
                let leaving = process.edges.iter().filter(|edge| edge.source == at);
                waiting.extend(leaving.map(|edge| (edge.target, distance + 1)));
            }
            distances
        })
        .collect();
    let distance = |process: tioga_model::ProcessId, at: LocationId| {
        distances[process.index()].get(at.index()).copied().unwrap_or(usize::MAX)
    };
    let far = |(_, _, ways): &(Cover, Target, Vec<Way>)| {
        let way = ways.first()?;
        if let Some((process, location)) = way.location() {
            return Some(distance(process, location));
        }
        let milestones = way.milestones(model)?;
        let edges = milestones.list.iter().flat_map(|milestone| &milestone.edges);
        let source = |&(process, edge)| {
            distance(process, model.processes[process].edges[edge].source).saturating_add(1)
        };
        edges.map(source).max()
    };
    let mut all: Vec<(usize, usize)> =
        targets.iter().map(|target| far(target).unwrap_or(0)).zip(0..).collect();
    // The farthest stand last; of equals, the first.
    all.sort_by_key(|(far, position)| (*far, std::cmp::Reverse(*position)));
    all.into_iter().map(|(_, position)| position).collect()
}
