//! Strongly connected components of a word graph: a way that leaves one never comes back, so loop-free ways
//! are loop-free ways within components, put together.

use super::graph::{WordGraph, small};

/// The components of a graph.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    /// The component of each node. Edges lead to the same component or to one with a lower number.
    pub of: Vec<u32>,
    /// How many nodes each component has.
    pub sizes: Vec<u32>,
}

impl Components {
    /// Tarjan's algorithm with a stack of its own.
    pub fn new(graph: &WordGraph) -> Self {
        let count = graph.len();
        let mut state = Search {
            numbers: vec![u32::MAX; count],
            low: vec![0; count],
            stack: Vec::new(),
            result: Self { of: vec![u32::MAX; count], sizes: Vec::new() },
        };
        let mut next_number = 0;
        let mut frames: Vec<(u32, usize)> = Vec::new();
        for root in 0..small(count) {
            if state.numbers[root as usize] != u32::MAX {
                continue;
            }
            frames.push((root, graph.edges(root).start));
            while let Some((node, edge)) = frames.last_mut() {
                let (at, here) = (*node as usize, *node);
                if state.numbers[at] == u32::MAX {
                    state.numbers[at] = next_number;
                    state.low[at] = next_number;
                    next_number += 1;
                    state.stack.push(here);
                }
                if *edge < graph.edges(here).end {
                    let target = graph.targets[*edge] as usize;
                    *edge += 1;
                    if state.numbers[target] == u32::MAX {
                        frames.push((small(target), graph.edges(small(target)).start));
                    } else if state.result.of[target] == u32::MAX {
                        state.low[at] = state.low[at].min(state.numbers[target]);
                    }
                    continue;
                }
                frames.pop();
                if let Some((parent, _)) = frames.last() {
                    let parent = *parent as usize;
                    state.low[parent] = state.low[parent].min(state.low[at]);
                }
                if state.low[at] == state.numbers[at] {
                    state.close(here);
                }
            }
        }
        state.result
    }

    /// Whether a node is alone in its component.
    pub fn is_alone(&self, node: u32) -> bool {
        self.sizes[self.of[node as usize] as usize] == 1
    }
}

struct Search {
    numbers: Vec<u32>,
    low: Vec<u32>,
    stack: Vec<u32>,
    result: Components,
}

impl Search {
    fn close(&mut self, root: u32) {
        let number = small(self.result.sizes.len());
        let mut size = 0;
        while let Some(node) = self.stack.pop() {
            self.result.of[node as usize] = number;
            size += 1;
            if node == root {
                break;
            }
        }
        self.result.sizes.push(size);
    }
}
