//! A tree of tests whose nodes are known to be the same state of any machine that passes them.
//!
//! Two words *converge* if they lead to the same state in the specification and in every machine with few
//! enough states that answers all tests as the specification does. Then so do all continuations of both,
//! and what is seen behind one holds behind the other: a word that has to be applied behind a class of
//! convergent words is applied where it costs least.

use std::collections::HashSet;

use crate::machine::{Input, Machine, State, Word};
use crate::separation::Separation;
use crate::trie::{NodeId, Trie};

const NONE: u32 = u32::MAX;

/// Tests, and which of them converge.
pub(super) struct Tests<'a> {
    machine: &'a Machine,
    separation: &'a Separation<'a>,
    tree: Trie,
    states: Vec<State>,
    /// The class of each node, as a forest.
    parents: Vec<NodeId>,
    /// The nodes of each class, at its root.
    members: Vec<Vec<NodeId>>,
    /// Per class and input, a node of the class that it leads to.
    children: Vec<NodeId>,
    /// Whether any two nodes converge.
    merged: bool,
}

impl<'a> Tests<'a> {
    /// Tests of which nothing is known to converge.
    ///
    /// Pre: every word of the tree is possible in the machine.
    pub fn new(machine: &'a Machine, separation: &'a Separation<'a>, tree: Trie) -> Self {
        let states = tree.states(machine, machine.initial());
        let states: Vec<State> =
            states.into_iter().map(|state| state.expect("words are possible")).collect();
        let count = u32::try_from(states.len()).expect("fewer than 2^32 nodes");
        let mut children = vec![NONE; states.len() * machine.input_count()];
        for node in 0..count {
            for (input, child) in tree.following(node) {
                children[node as usize * machine.input_count() + input as usize] = child;
            }
        }
        let members = (0..count).map(|node| vec![node]).collect();
        Self {
            machine,
            separation,
            tree,
            states,
            parents: (0..count).collect(),
            members,
            children,
            merged: false,
        }
    }

    pub fn tree(&self) -> &Trie {
        &self.tree
    }

    pub fn into_tree(self) -> Trie {
        self.tree
    }

    pub fn state(&self, node: NodeId) -> State {
        self.states[node as usize]
    }

    fn class(&self, mut node: NodeId) -> NodeId {
        while self.parents[node as usize] != node {
            node = self.parents[node as usize];
        }
        node
    }

    /// The class that an input leads to from a class.
    fn next(&self, class: NodeId, input: Input) -> Option<NodeId> {
        let child = self.children[class as usize * self.machine.input_count() + input as usize];
        (child != NONE).then(|| self.class(child))
    }

    fn extend(&mut self, node: NodeId, input: Input) -> NodeId {
        if let Some(child) = self.tree.child(node, input) {
            return child;
        }
        let child = self.tree.extend(node, input);
        let (target, _) = self.machine.step(self.state(node), input).expect("words are possible");
        self.states.push(target);
        self.parents.push(child);
        self.members.push(vec![child]);
        self.children.extend(std::iter::repeat_n(NONE, self.machine.input_count()));
        let class = self.class(node);
        match self.next(class, input) {
            Some(beside) => self.merge(child, beside),
            None => {
                self.children[class as usize * self.machine.input_count() + input as usize] = child;
            }
        }
        child
    }

    /// Notes that two nodes converge.
    pub fn merge(&mut self, one: NodeId, other: NodeId) {
        let mut waiting = vec![(one, other)];
        while let Some((one, other)) = waiting.pop() {
            let (one, other) = (self.class(one), self.class(other));
            if one == other {
                continue;
            }
            debug_assert_eq!(
                self.state(one),
                self.state(other),
                "convergent words lead to one state"
            );
            self.merged = true;
            let larger = self.members[one as usize].len() >= self.members[other as usize].len();
            let (root, rest) = if larger { (one, other) } else { (other, one) };
            self.parents[rest as usize] = root;
            let moved = std::mem::take(&mut self.members[rest as usize]);
            self.members[root as usize].extend(moved);
            for input in 0..self.machine.input_count() {
                let (own, new) = (
                    self.children[root as usize * self.machine.input_count() + input],
                    self.children[rest as usize * self.machine.input_count() + input],
                );
                if own == NONE {
                    self.children[root as usize * self.machine.input_count() + input] = new;
                } else if new != NONE {
                    waiting.push((own, new));
                }
            }
        }
    }

    /// What it costs to begin a new continuation behind a class, and where: nothing where a test ends.
    fn branch(&self, class: NodeId) -> (u64, NodeId) {
        let price = |node: &NodeId| match self.tree.is_leaf(*node) && *node != 0 {
            true => 0,
            false => u64::from(self.tree.depth(*node)) + 1,
        };
        let members = &self.members[class as usize];
        members.iter().map(|node| (price(node), *node)).min().expect("a class has a member")
    }

    /// Applies a word behind a node, where it costs least. The class it leads to, by a node.
    pub fn apply(&mut self, node: NodeId, word: &[Input]) -> NodeId {
        let mut class = self.class(node);
        for (position, input) in word.iter().enumerate() {
            match self.next(class, *input) {
                Some(next) => class = next,
                None => {
                    let (_, start) = self.branch(class);
                    return word[position..]
                        .iter()
                        .fold(start, |at, input| self.extend(at, *input));
                }
            }
        }
        class
    }

    /// Makes sure that two nodes with different states are separated.
    pub fn separate(&mut self, one: NodeId, other: NodeId) {
        if self.state(one) == self.state(other) || self.separated(one, other) {
            return;
        }
        let word = self.cheapest(one, other);
        self.apply(one, &word);
        self.apply(other, &word);
    }

    /// Whether some word that was applied behind both is answered differently.
    fn separated(&self, one: NodeId, other: NodeId) -> bool {
        let mut seen: HashSet<(NodeId, NodeId)> = HashSet::new();
        let mut waiting = vec![(self.class(one), self.class(other))];
        while let Some((one, other)) = waiting.pop() {
            for input in self.machine.inputs() {
                let (Some(left), Some(right)) = (self.next(one, input), self.next(other, input))
                else {
                    continue;
                };
                if self.output(one, input) != self.output(other, input) {
                    return true;
                }
                if left != right && (!self.merged || seen.insert((left, right))) {
                    waiting.push((left, right));
                }
            }
        }
        false
    }

    fn output(&self, class: NodeId, input: Input) -> Option<u32> {
        self.machine.step(self.state(class), input).map(|(_, output)| output)
    }

    /// The word that separates two nodes and costs least.
    fn cheapest(&self, one: NodeId, other: NodeId) -> Word {
        let (s, t) = (self.state(one), self.state(other));
        let shortest = self.separation.word(s, t).expect("the states can be told apart");
        let price = self.price(one, &shortest) + self.price(other, &shortest);
        let mut search = Search { best: price, word: shortest, seen: HashSet::new() };
        let start = Half { class: Some(self.class(one)), state: s };
        let beside = Half { class: Some(self.class(other)), state: t };
        self.search(&mut search, start, beside, 0, &mut Word::new());
        search.word
    }

    fn price(&self, node: NodeId, word: &[Input]) -> u64 {
        let mut class = self.class(node);
        for (position, input) in word.iter().enumerate() {
            match self.next(class, *input) {
                Some(next) => class = next,
                None => return self.branch(class).0 + (word.len() - position) as u64,
            }
        }
        0
    }

    fn search(&self, search: &mut Search, one: Half, other: Half, spent: u64, word: &mut Word) {
        let Some(length) = self.separation.length(one.state, other.state) else { return };
        let outside = u64::from(one.class.is_none()) + u64::from(other.class.is_none());
        if spent + outside * u64::from(length) + u64::from(outside == 0) >= search.best {
            return;
        }
        if outside == 2 {
            let rest = self.separation.word(one.state, other.state).unwrap_or_default();
            search.best = spent + 2 * u64::from(length);
            search.word = word.iter().chain(&rest).copied().collect();
            return;
        }
        if let (Some(left), Some(right)) = (one.class, other.class)
            && self.merged
            && !search.seen.insert((left, right))
        {
            return;
        }
        for input in self.machine.inputs() {
            let (Some(left), Some(right)) =
                (self.machine.step(one.state, input), self.machine.step(other.state, input))
            else {
                continue;
            };
            let (next, paid) = self.half(one, left.0, input);
            let (beside, too) = self.half(other, right.0, input);
            let total = spent + paid + too;
            word.push(input);
            if left.1 != right.1 {
                if total < search.best {
                    (search.best, search.word) = (total, word.clone());
                }
            } else if left.0 != right.0 {
                self.search(search, next, beside, total, word);
            }
            word.pop();
        }
    }

    /// One side after an input, and what that costs.
    fn half(&self, side: Half, state: State, input: Input) -> (Half, u64) {
        match side.class {
            None => (Half { class: None, state }, 1),
            Some(class) => match self.next(class, input) {
                Some(next) => (Half { class: Some(next), state }, 0),
                None => (Half { class: None, state }, self.branch(class).0 + 1),
            },
        }
    }
}

/// One side of a search: a class of tests, or beyond all of them.
#[derive(Clone, Copy)]
struct Half {
    class: Option<NodeId>,
    state: State,
}

struct Search {
    best: u64,
    word: Word,
    seen: HashSet<(NodeId, NodeId)>,
}
