//! The search for a cycle on which no clock is both set and bounded from below.

use std::collections::{BTreeSet, VecDeque};

use crate::{ClockId, EdgeId};

/// How many parts of the graph are looked at before giving up; it is exponential in the number of
/// clocks at worst.
const PART_LIMIT: u32 = 20_000;

/// An edge of the location graph with the clocks it sets and bounds.
#[derive(Clone, Debug)]
pub(crate) struct Arrow {
    pub edge: EdgeId,
    pub source: usize,
    pub target: usize,
    pub sets: BTreeSet<ClockId>,
    pub bounds: BTreeSet<ClockId>,
}

/// A simple cycle, as positions in `arrows`, on which no clock is both set and bounded.
pub(crate) fn violating_cycle(
    nodes: usize,
    arrows: &[Arrow],
) -> Result<Option<Vec<usize>>, String> {
    let mut search = Search { nodes, arrows, parts: 0 };
    search.part((0..arrows.len()).collect())
}

struct Search<'a> {
    nodes: usize,
    arrows: &'a [Arrow],
    parts: u32,
}

impl Search<'_> {
    fn part(&mut self, kept: Vec<usize>) -> Result<Option<Vec<usize>>, String> {
        self.parts += 1;
        if self.parts > PART_LIMIT {
            return Err("too many clocks share the cycles of the location graph".into());
        }
        for component in self.components(&kept) {
            let Some(clock) = self.shared_clock(&component) else {
                return Ok(self.cycle(&component));
            };
            let without = |has: &dyn Fn(&Arrow) -> bool| -> Vec<usize> {
                component.iter().copied().filter(|index| !has(&self.arrows[*index])).collect()
            };
            let without_sets = without(&|arrow| arrow.sets.contains(&clock));
            let without_bounds = without(&|arrow| arrow.bounds.contains(&clock));
            for rest in [without_sets, without_bounds] {
                if let Some(cycle) = self.part(rest)? {
                    return Ok(Some(cycle));
                }
            }
        }
        Ok(None)
    }

    /// A clock that is both set and bounded in a part.
    fn shared_clock(&self, part: &[usize]) -> Option<ClockId> {
        let bounded: BTreeSet<ClockId> =
            part.iter().flat_map(|index| self.arrows[*index].bounds.iter().copied()).collect();
        let mut set = part.iter().flat_map(|index| self.arrows[*index].sets.iter());
        set.find(|clock| bounded.contains(clock)).copied()
    }

    /// The arrows inside each strongly connected component, components without arrows left out.
    fn components(&self, kept: &[usize]) -> Vec<Vec<usize>> {
        let forward = self.neighbours(kept, |arrow| (arrow.source, arrow.target));
        let backward = self.neighbours(kept, |arrow| (arrow.target, arrow.source));
        let mut component = vec![usize::MAX; self.nodes];
        let mut count = 0;
        for root in finishing_order(&forward).into_iter().rev() {
            if component[root] != usize::MAX {
                continue;
            }
            let mut stack = vec![root];
            component[root] = count;
            while let Some(node) = stack.pop() {
                for &next in &backward[node] {
                    if component[next] == usize::MAX {
                        component[next] = count;
                        stack.push(next);
                    }
                }
            }
            count += 1;
        }
        let mut inside = vec![Vec::new(); count];
        for &index in kept {
            let arrow = &self.arrows[index];
            if component[arrow.source] == component[arrow.target] {
                inside[component[arrow.source]].push(index);
            }
        }
        inside.retain(|arrows| !arrows.is_empty());
        // Components are taken in the order in which their edges were written.
        inside.sort_unstable();
        inside
    }

    fn neighbours(
        &self,
        kept: &[usize],
        ends: impl Fn(&Arrow) -> (usize, usize),
    ) -> Vec<Vec<usize>> {
        let mut neighbours = vec![Vec::new(); self.nodes];
        for &index in kept {
            let (from, to) = ends(&self.arrows[index]);
            neighbours[from].push(to);
        }
        neighbours
    }

    /// A shortest cycle through the first arrow of a strongly connected part.
    fn cycle(&self, part: &[usize]) -> Option<Vec<usize>> {
        let first = *part.first()?;
        let goal = self.arrows[first].source;
        let mut reached_by: Vec<Option<usize>> = vec![None; self.nodes];
        let mut queue = VecDeque::from([self.arrows[first].target]);
        let start = self.arrows[first].target;
        while let Some(node) = queue.pop_front() {
            if node == goal {
                break;
            }
            for &index in part {
                let arrow = &self.arrows[index];
                let new = arrow.target != start && reached_by[arrow.target].is_none();
                if arrow.source == node && new {
                    reached_by[arrow.target] = Some(index);
                    queue.push_back(arrow.target);
                }
            }
        }
        let mut cycle = Vec::new();
        let mut node = goal;
        while node != start {
            let index = reached_by[node]?;
            cycle.push(index);
            node = self.arrows[index].source;
        }
        cycle.push(first);
        cycle.reverse();
        Some(cycle)
    }
}

/// All nodes in the order in which a depth-first search leaves them.
fn finishing_order(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(neighbours.len());
    let mut seen = vec![false; neighbours.len()];
    for root in 0..neighbours.len() {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((node, position)) = stack.pop() {
            match neighbours[node].get(position) {
                None => order.push(node),
                Some(&next) => {
                    stack.push((node, position + 1));
                    if !std::mem::replace(&mut seen[next], true) {
                        stack.push((next, 0));
                    }
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    fn violates(arrows: &[Arrow], cycle: &[usize]) -> bool {
        let with = |clocks: fn(&Arrow) -> &BTreeSet<ClockId>| -> BTreeSet<ClockId> {
            cycle.iter().flat_map(|index| clocks(&arrows[*index]).iter().copied()).collect()
        };
        with(|arrow| &arrow.sets).is_disjoint(&with(|arrow| &arrow.bounds))
    }

    /// All simple cycles, by walking every path that repeats no node.
    fn simple_cycles(arrows: &[Arrow]) -> Vec<Vec<usize>> {
        fn walk(arrows: &[Arrow], path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
            let start = arrows[path[0]].source;
            let end = arrows[*path.last().unwrap()].target;
            if end == start {
                found.push(path.clone());
                return;
            }
            if path.iter().any(|index| arrows[*index].source == end) {
                return;
            }
            for index in (0..arrows.len()).filter(|index| arrows[*index].source == end) {
                path.push(index);
                walk(arrows, path, found);
                path.pop();
            }
        }
        let mut found = Vec::new();
        for index in 0..arrows.len() {
            walk(arrows, &mut vec![index], &mut found);
        }
        found
    }

    fn arrow(nodes: usize, clocks: u32) -> impl Strategy<Value = Arrow> {
        let set = || btree_set((0..clocks).prop_map(ClockId), 0..=2);
        (0..nodes, 0..nodes, set(), set()).prop_map(|(source, target, sets, bounds)| Arrow {
            edge: EdgeId(0),
            source,
            target,
            sets,
            bounds,
        })
    }

    proptest! {
        #[test]
        fn the_search_agrees_with_all_simple_cycles(arrows in vec(arrow(5, 3), 0..12)) {
            let expected = simple_cycles(&arrows).iter().any(|cycle| violates(&arrows, cycle));
            match violating_cycle(5, &arrows).unwrap() {
                None => prop_assert!(!expected),
                Some(cycle) => {
                    prop_assert!(expected);
                    prop_assert!(violates(&arrows, &cycle), "{cycle:?}");
                    for (position, index) in cycle.iter().enumerate() {
                        let next = cycle[(position + 1) % cycle.len()];
                        prop_assert_eq!(arrows[*index].target, arrows[next].source);
                    }
                }
            }
        }
    }
}
