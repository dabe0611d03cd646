//! Whether a suite is complete, decided without any method that makes suites: by a search for a machine
//! that passes all tests and is not equivalent.
//!
//! The nodes of the tree of tests are distributed over the states of a machine in the making. Two nodes
//! cannot be the same state if the right answers to a word behind both differ, and nodes that are the same
//! state lead to the same states. Of the transitions that are missing, the one with the fewest possible
//! targets is tried first; a new state is one of them. A machine that passes everything with a transition
//! missing survives: that one may answer anything.

use std::collections::HashMap;

use crate::machine::{Input, Machine, Output, StateIndex, Transition, Word};
use crate::partition;
use crate::suite::WordSuite;
use crate::trie::{NodeId, Trie};

/// What is known about a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Completeness {
    /// Every machine that passes is equivalent.
    Complete,
    /// This one passes and is not equivalent; the word shows it.
    Survivor(Box<Machine>, Word),
    /// The search was given up.
    Unknown,
}

const NONE: u32 = u32::MAX;

/// Looks for a machine with at most so many states that passes a suite and is not equivalent to the
/// specification. Gives up after so many steps.
pub fn survivor(
    machine: &Machine,
    suite: &WordSuite,
    most_states: usize,
    steps: u64,
) -> Completeness {
    if most_states == 0 {
        return Completeness::Complete;
    }
    let tree = Trie::of(machine.input_count(), &suite.words());
    let spec = tree.states(machine, machine.initial());
    let mut search = Search {
        machine,
        tree: &tree,
        spec: &spec,
        cells: vec![(NONE, NONE); most_states * machine.input_count()],
        members: vec![Vec::new(); most_states],
        used: 1,
        conflicts: HashMap::new(),
        left: steps,
    };
    search.members[0].push(0);
    match search.run() {
        Err(GivenUp) => Completeness::Unknown,
        Ok(None) => Completeness::Complete,
        Ok(Some((found, word))) => Completeness::Survivor(Box::new(found), word),
    }
}

struct GivenUp;

struct Search<'a> {
    machine: &'a Machine,
    tree: &'a Trie,
    /// The state of the specification at each node; nothing where it says nothing.
    spec: &'a [Option<StateIndex>],
    cells: Vec<(StateIndex, Output)>,
    /// The nodes that are each state.
    members: Vec<Vec<NodeId>>,
    /// How many states there are so far.
    used: usize,
    /// Whether two nodes cannot be the same state.
    conflicts: HashMap<(NodeId, NodeId), bool>,
    left: u64,
}

/// What was changed, to be taken back.
#[derive(Default)]
struct Trail {
    members: Vec<usize>,
    cells: Vec<usize>,
}

impl Search<'_> {
    fn run(&mut self) -> Result<Option<(Machine, Word)>, GivenUp> {
        self.left = self.left.checked_sub(1).ok_or(GivenUp)?;
        let Some((state, input, targets)) = self.tightest() else { return Ok(self.survives()) };
        for target in targets {
            let (used, mut trail) = (self.used, Trail::default());
            self.used = self.used.max(target + 1);
            if self.set(state, input, target, &mut trail) {
                let found = self.run()?;
                if found.is_some() {
                    return Ok(found);
                }
            }
            self.used = used;
            for cell in trail.cells {
                self.cells[cell] = (NONE, NONE);
            }
            for state in trail.members {
                self.members[state].pop();
            }
        }
        Ok(None)
    }

    /// The missing transition with the fewest possible targets, and these. Transitions that no test takes
    /// may be missing.
    fn tightest(&mut self) -> Option<(usize, Input, Vec<usize>)> {
        let mut best: Option<(usize, Input, Vec<usize>)> = None;
        for state in 0..self.used {
            for input in self.machine.inputs() {
                let cell = state * self.machine.input_count() + input as usize;
                if self.cells[cell].0 != NONE {
                    continue;
                }
                let nodes = self.next(state, input);
                if nodes.is_empty() {
                    continue;
                }
                let states = self.members.len().min(self.used + 1);
                let targets: Vec<usize> = (0..states)
                    .filter(|target| {
                        let there = self.members[*target].clone();
                        nodes
                            .iter()
                            .all(|node| !there.iter().any(|other| self.conflict(*node, *other)))
                    })
                    .collect();
                if targets.is_empty() {
                    return Some((state, input, targets));
                }
                if best.as_ref().is_none_or(|(_, _, known)| targets.len() < known.len()) {
                    best = Some((state, input, targets));
                }
            }
        }
        best
    }

    /// The nodes that an input leads to from a state, as far as the specification says something there.
    fn next(&self, state: usize, input: Input) -> Vec<NodeId> {
        let children = self.members[state].iter().filter_map(|node| self.tree.child(*node, input));
        children.filter(|child| self.spec[*child as usize].is_some()).collect()
    }

    /// Lets a transition lead to a state, with all that follows; whether nothing contradicts.
    fn set(&mut self, state: usize, input: Input, target: usize, trail: &mut Trail) -> bool {
        let mut waiting = Vec::new();
        let output = self.members[state].iter().find_map(|node| self.answer(*node, input));
        let cell = state * self.machine.input_count() + input as usize;
        self.cells[cell] = (u32::try_from(target).expect("few states"), output.unwrap_or(NONE));
        trail.cells.push(cell);
        waiting.extend(self.next(state, input).into_iter().map(|node| (node, target)));
        while let Some((node, state)) = waiting.pop() {
            let there = self.members[state].clone();
            if there.iter().any(|other| self.conflict(node, *other)) {
                return false;
            }
            self.members[state].push(node);
            trail.members.push(state);
            for (input, child) in self.tree.following(node) {
                let (target, _) = self.cells[state * self.machine.input_count() + input as usize];
                if target != NONE && self.spec[child as usize].is_some() {
                    waiting.push((child, target as usize));
                }
            }
        }
        true
    }

    fn answer(&self, node: NodeId, input: Input) -> Option<Output> {
        self.tree.child(node, input)?;
        self.machine.step(self.spec[node as usize]?, input).map(|(_, output)| output)
    }

    /// Whether some word behind both nodes has different right answers.
    fn conflict(&mut self, one: NodeId, other: NodeId) -> bool {
        let key = (one.min(other), one.max(other));
        if let Some(known) = self.conflicts.get(&key) {
            return *known;
        }
        let mut found = false;
        let mut waiting = vec![key];
        while let Some((one, other)) = waiting.pop() {
            for (input, child) in self.tree.following(one) {
                let (Some(left), Some(right)) =
                    (self.answer(one, input), self.answer(other, input))
                else {
                    continue;
                };
                found |= left != right;
                waiting.extend(self.tree.child(other, input).map(|beside| (child, beside)));
            }
            if found {
                break;
            }
        }
        self.conflicts.insert(key, found);
        found
    }

    /// The machine in the making, if it is not equivalent, or need not be.
    fn survives(&self) -> Option<(Machine, Word)> {
        let machine = self.machine;
        let inputs = machine.input_count();
        let count = u32::try_from(self.used).expect("few states");
        let name = |state: StateIndex| format!("i{state}");
        // An answer that is never right.
        let mut wrong = "wrong".to_owned();
        while machine.output(&wrong).is_some() {
            wrong.push('!');
        }
        let mut transitions = Vec::new();
        for state in 0..count {
            for input in machine.inputs() {
                let (target, output) = match self.cells[state as usize * inputs + input as usize] {
                    (NONE, _) => (0, wrong.as_str()),
                    (target, output) => (target, machine.output_name(output)),
                };
                transitions.push(Transition {
                    source: name(state),
                    input: machine.input_name(input).to_owned(),
                    output: output.to_owned(),
                    target: name(target),
                });
            }
        }
        let states = (0..count).map(name);
        let found =
            Machine::new(format!("{} survivor", machine.name), states, "i0", &transitions).ok()?;
        let word = partition::difference(machine, &found)?;
        Some((found, word))
    }
}
