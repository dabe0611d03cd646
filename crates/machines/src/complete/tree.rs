//! The tree of tests: a node for each beginning of a test, with the state of the specification there.

use super::budget::{Budget, Stop};
use crate::machine::{Input, Machine, Output, StateIndex, Word};

/// A beginning of a test.
pub(super) type Node = usize;

/// The inputs that go on from a node: the input, its answer, and the node behind it.
pub(super) type Following = Vec<(Input, Output, Node)>;

/// The tree. Its root is node 0, and every node is after its parent.
pub(super) struct Tree {
    following: Vec<Following>,
}

impl Tree {
    /// The tree of tests, each up to its first input that is not possible.
    pub fn new(machine: &Machine, tests: &[Word]) -> Self {
        let mut following: Vec<Following> = vec![Vec::new()];
        for test in tests {
            let (mut node, mut state): (Node, StateIndex) = (0, machine.initial());
            for input in test {
                let Some((target, output)) = machine.step(state, *input) else { break };
                let known = following[node].iter().find(|(own, _, _)| own == input);
                node = match known {
                    Some((_, _, child)) => *child,
                    None => {
                        let child = following.len();
                        following[node].push((*input, output, child));
                        following.push(Vec::new());
                        child
                    }
                };
                state = target;
            }
        }
        Self { following }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.following.len()
    }

    /// The inputs that go on from a node.
    pub fn following(&self, node: Node) -> &[(Input, Output, Node)] {
        &self.following[node]
    }

    /// For each node, the nodes that cannot be the same state of any machine that passes: some word goes on from
    /// both, and its right answers differ.
    pub fn conflicts(&self, budget: &mut Budget<'_>) -> Result<Vec<Nodes>, Stop> {
        // Nothing goes on from an end of a test, so it conflicts with nothing.
        let size = |following: &Following| if following.is_empty() { 0 } else { self.len() };
        let mut all: Vec<Nodes> =
            self.following.iter().map(|following| Nodes::none(size(following))).collect();
        // The nodes behind two nodes come after both, so they are compared first.
        for one in (0..self.len()).rev() {
            if self.following[one].is_empty() {
                continue;
            }
            budget.spend(self.len())?;
            for other in (one + 1..self.len()).rev() {
                let differ = self.following[one].iter().any(|(input, output, child)| {
                    self.following[other].iter().any(|(own, answer, beside)| {
                        own == input && (output != answer || all[*child].contains(*beside))
                    })
                });
                if differ {
                    all[one].insert(other);
                    all[other].insert(one);
                }
            }
        }
        Ok(all)
    }
}

/// A set of nodes.
#[derive(Clone)]
pub(super) struct Nodes(Vec<u64>);

impl Nodes {
    pub fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    pub fn insert(&mut self, node: Node) {
        self.0[node / 64] |= 1 << (node % 64);
    }

    pub fn contains(&self, node: Node) -> bool {
        self.0.get(node / 64).is_some_and(|block| block & (1 << (node % 64)) != 0)
    }

    pub fn remove(&mut self, node: Node) {
        self.0[node / 64] &= !(1 << (node % 64));
    }

    pub fn add_all(&mut self, other: &Self) {
        for (own, new) in self.0.iter_mut().zip(&other.0) {
            *own |= new;
        }
    }

    /// Whether a node is in both.
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| one & other != 0)
    }
}
