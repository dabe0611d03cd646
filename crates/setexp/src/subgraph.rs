//! Controllable subgraphs of a test graph (KHO 6.5): in each node one of three options is kept.
//!
//! - One input; everything else is pruned.
//! - All outputs and expirations; inputs are pruned. A node without any has no such option.
//! - One input at the instant of expirations, with the outputs and expirations of other instants.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::determinize::{NodeId, ObservableStep};
use crate::error::Refusal;
use crate::game::{Choice, Game};
use crate::graph::{Role, TestGraph};
use crate::solver::{Solver, possible};

/// A controllable subgraph: a choice in each node that it reaches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subgraph {
    /// The choices.
    pub choices: BTreeMap<NodeId, Choice>,
}

impl Subgraph {
    /// Whether a step of the graph is kept.
    pub fn keeps(&self, graph: &TestGraph, position: usize, step: &ObservableStep) -> bool {
        match self.choices.get(&step.source) {
            None => false,
            Some(choice) => kept(graph, *choice, position, step),
        }
    }
}

fn kept(graph: &TestGraph, choice: Choice, position: usize, step: &ObservableStep) -> bool {
    match choice {
        Choice::Send(only) => position == only,
        Choice::Wait => graph.role(step) == Role::Output,
        Choice::SendAt(only) => {
            position == only
                || graph.role(step) == Role::Output
                    && step.expirations != graph.steps[only].expirations
        }
    }
}

/// The options of a node, in order: inputs, waiting, inputs at the instant of expirations.
pub fn options(graph: &TestGraph, node: NodeId) -> Vec<Choice> {
    let mut options = Vec::new();
    let mut waits = false;
    let mut mixed = Vec::new();
    for (position, step) in graph.leaving(node) {
        match graph.role(step) {
            Role::Input => options.push(Choice::Send(position)),
            Role::Output => waits = true,
            Role::Mixed => mixed.push(Choice::SendAt(position)),
        }
    }
    options.extend(waits.then_some(Choice::Wait));
    options.extend(mixed);
    options
}

/// Choices that are not made yet.
#[derive(Clone)]
struct Partial {
    choices: BTreeMap<NodeId, Choice>,
    reached: BTreeSet<NodeId>,
    /// Nodes that are reached and not decided, first come first.
    waiting: VecDeque<NodeId>,
}

impl Partial {
    fn decide(&mut self, graph: &TestGraph, node: NodeId, choice: Choice) {
        self.choices.insert(node, choice);
        for (position, step) in graph.leaving(node) {
            if kept(graph, choice, position, step) && self.reached.insert(step.target) {
                self.waiting.push_back(step.target);
            }
        }
    }
}

/// All controllable subgraphs, up to a limit, and whether these are all.
pub fn subgraphs(graph: &TestGraph, limit: usize) -> (Vec<Subgraph>, bool) {
    let mut found = Vec::new();
    if limit == 0 {
        return (found, false);
    }
    let start = Partial {
        choices: BTreeMap::new(),
        reached: BTreeSet::from([graph.initial]),
        waiting: VecDeque::from([graph.initial]),
    };
    let mut partial = vec![start];
    while let Some(mut one) = partial.pop() {
        let mut split = false;
        while let Some(node) = one.waiting.pop_front() {
            if graph.nodes[node].verdict.is_some() {
                continue;
            }
            match &options(graph, node)[..] {
                [] => {}
                [only] => one.decide(graph, node, *only),
                several => {
                    for option in several.iter().rev() {
                        let mut more = one.clone();
                        more.decide(graph, node, *option);
                        partial.push(more);
                    }
                    split = true;
                    break;
                }
            }
        }
        if !split {
            if found.len() == limit {
                return (found, false);
            }
            found.push(Subgraph { choices: one.choices });
        }
    }
    (found, true)
}

/// The subgraph that the game prefers: in each node the first option of the earliest layer in which the node
/// can win at all. The criterion is: fewest control losses, then fewest moves, then the order of options.
pub fn best(graph: &TestGraph, game: &Game, solver: &mut dyn Solver) -> Result<Subgraph, Refusal> {
    let mut choices = BTreeMap::new();
    let mut waiting = vec![graph.initial];
    while let Some(node) = waiting.pop() {
        let ended = graph.nodes[node].verdict.is_some();
        if ended || choices.contains_key(&node) {
            continue;
        }
        let at =
            game.layers.iter().position(|layer| *layer.wins[node] != tioga_terms::Formula::False);
        let mut chosen = None;
        if let Some(at) = at {
            for (choice, condition) in game.choices(graph, at, node)? {
                if possible(solver, &graph.symbols, &condition)? {
                    chosen = Some(choice);
                    break;
                }
            }
        }
        let Some(choice) = chosen.or_else(|| options(graph, node).first().copied()) else {
            continue;
        };
        choices.insert(node, choice);
        for (position, step) in graph.leaving(node) {
            if kept(graph, choice, position, step) {
                waiting.push(step.target);
            }
        }
    }
    Ok(Subgraph { choices })
}
