//! A tree of tests whose nodes are known to be the same state of any machine that passes them.
//!
//! Two words *converge* if they lead to the same state in the specification and in every machine with few
//! enough states that answers all tests as the specification does. Then so do all continuations of both,
//! and what is seen behind one holds behind the other: a word that has to be applied behind a class of
//! convergent words is applied where it costs least.

use std::collections::HashSet;

use crate::machine::{Input, Machine, Output, StateIndex, Word};
use crate::separation::Separation;
use crate::trie::{NodeId, Trie};

const NONE: u32 = u32::MAX;

/// How many pairs of classes are compared before those that were seen are noted.
const FEW: u32 = 32;

/// Tests, and which of them converge.
pub(super) struct Tests<'a> {
    machine: &'a Machine,
    separation: &'a Separation<'a>,
    tree: Trie,
    states: Vec<StateIndex>,
    /// The class of each node, as a forest.
    parents: Vec<NodeId>,
    /// How many nodes each class has, at its root.
    sizes: Vec<u32>,
    /// The nodes of each class at which tests end, at its root, and where each node stands there.
    ends: Vec<Vec<NodeId>>,
    positions: Vec<u32>,
    /// The node of each class that is reached by the fewest inputs, at its root.
    nearest: Vec<NodeId>,
    /// Per class and input, a node of the class that it leads to, and the answer.
    children: Vec<(NodeId, Output)>,
    /// Whether any two nodes converge.
    merged: bool,
    /// Memory for a search.
    waiting: Vec<(NodeId, NodeId)>,
}

impl<'a> Tests<'a> {
    /// Tests of which nothing is known to converge.
    ///
    /// Pre: every word of the tree is possible in the machine.
    pub fn new(machine: &'a Machine, separation: &'a Separation<'a>, tree: Trie) -> Self {
        let states = tree.states(machine, machine.initial());
        let states: Vec<StateIndex> =
            states.into_iter().map(|state| state.expect("words are possible")).collect();
        let count = u32::try_from(states.len()).expect("fewer than 2^32 nodes");
        let mut children = vec![(NONE, NONE); states.len() * machine.input_count()];
        for node in 0..count {
            let row = machine.row(states[node as usize]);
            for (input, child) in tree.following(node) {
                let position = node as usize * machine.input_count() + input as usize;
                children[position] = (child, row[input as usize].1);
            }
        }
        let own =
            |node: NodeId| if node != 0 && tree.is_leaf(node) { vec![node] } else { Vec::new() };
        let ends = (0..count).map(own).collect();
        Self {
            machine,
            separation,
            tree,
            states,
            parents: (0..count).collect(),
            sizes: vec![1; count as usize],
            ends,
            positions: vec![0; count as usize],
            nearest: (0..count).collect(),
            children,
            merged: false,
            waiting: Vec::new(),
        }
    }

    pub fn into_tree(self) -> Trie {
        self.tree
    }

    pub fn state(&self, node: NodeId) -> StateIndex {
        self.states[node as usize]
    }

    fn class(&self, mut node: NodeId) -> NodeId {
        while self.parents[node as usize] != node {
            node = self.parents[node as usize];
        }
        node
    }

    /// Whether two nodes are known to converge.
    pub fn converge(&self, one: NodeId, other: NodeId) -> bool {
        self.class(one) == self.class(other)
    }

    /// The class that an input leads to from a class.
    fn next(&self, class: NodeId, input: Input) -> Option<NodeId> {
        let (child, _) =
            self.children[class as usize * self.machine.input_count() + input as usize];
        (child != NONE).then(|| self.class(child))
    }

    fn extend(&mut self, node: NodeId, input: Input) -> NodeId {
        if let Some(child) = self.tree.child(node, input) {
            return child;
        }
        let class = self.class(node);
        if self.tree.is_leaf(node) && node != 0 {
            let position = self.positions[node as usize];
            self.ends[class as usize].swap_remove(position as usize);
            if let Some(moved) = self.ends[class as usize].get(position as usize) {
                self.positions[*moved as usize] = position;
            }
        }
        let child = self.tree.extend(node, input);
        let (target, output) =
            self.machine.step(self.state(node), input).expect("words are possible");
        self.states.push(target);
        self.parents.push(child);
        self.sizes.push(1);
        self.ends.push(vec![child]);
        self.positions.push(0);
        self.nearest.push(child);
        self.children.extend(std::iter::repeat_n((NONE, NONE), self.machine.input_count()));
        match self.next(class, input) {
            Some(beside) => self.merge(child, beside),
            None => {
                let position = class as usize * self.machine.input_count() + input as usize;
                self.children[position] = (child, output);
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
            let larger = self.sizes[one as usize] >= self.sizes[other as usize];
            let (root, rest) = if larger { (one, other) } else { (other, one) };
            self.parents[rest as usize] = root;
            self.sizes[root as usize] += self.sizes[rest as usize];
            for end in std::mem::take(&mut self.ends[rest as usize]) {
                let ends = &mut self.ends[root as usize];
                self.positions[end as usize] =
                    u32::try_from(ends.len()).expect("fewer than 2^32 nodes");
                ends.push(end);
            }
            let nearest = [self.nearest[root as usize], self.nearest[rest as usize]];
            let nearest = nearest.into_iter().min_by_key(|node| (self.tree.depth(*node), *node));
            self.nearest[root as usize] = nearest.expect("there are two");
            for input in 0..self.machine.input_count() {
                let (own, new) = (
                    self.children[root as usize * self.machine.input_count() + input],
                    self.children[rest as usize * self.machine.input_count() + input],
                );
                if own.0 == NONE {
                    self.children[root as usize * self.machine.input_count() + input] = new;
                } else if new.0 != NONE {
                    waiting.push((own.0, new.0));
                }
            }
        }
    }

    /// What it costs to begin a new continuation behind a class, and where: nothing where a test ends.
    fn branch(&self, class: NodeId) -> (u64, NodeId) {
        match self.ends[class as usize].last() {
            Some(end) => (0, *end),
            None => {
                let nearest = self.nearest[class as usize];
                (u64::from(self.tree.depth(nearest)) + 1, nearest)
            }
        }
    }

    /// Applies a word where it costs least: some beginning of it is known to converge with a test that
    /// ends there, or with one that can be begun again. The place it leads to.
    pub fn apply(&mut self, word: &[Input]) -> At {
        At { word: word.to_vec(), node: self.put(word) }
    }

    /// The same; only the node.
    pub fn put(&mut self, word: &[Input]) -> NodeId {
        let mut class = self.class(0);
        let mut begin = (self.branch(class), 0);
        for (position, input) in word.iter().enumerate() {
            let Some(next) = self.next(class, *input) else {
                let ((_, start), from) = begin;
                return word[from..].iter().fold(start, |at, input| self.extend(at, *input));
            };
            class = next;
            let (here, from) = (self.branch(class), begin.1);
            // To begin here saves the inputs up to here.
            if here.0 <= begin.0.0 + (position + 1 - from) as u64 {
                begin = (here, position + 1);
            }
        }
        class
    }

    /// Makes sure that two places with different states are separated.
    pub fn separate(&mut self, one: &At, other: &At) {
        if self.state(one.node) == self.state(other.node) || self.separated(one.node, other.node) {
            return;
        }
        let behind = self.cheapest(one, other);
        for at in [one, other] {
            let word: Word = at.word.iter().chain(&behind).copied().collect();
            self.put(&word);
        }
    }

    /// Whether some word that was applied behind both is answered differently.
    pub fn separated(&mut self, one: NodeId, other: NodeId) -> bool {
        let (one, other) = (self.class(one), self.class(other));
        let mut further = false;
        for (left, right) in self.row(one).iter().zip(self.row(other)) {
            if left.0 != NONE && right.0 != NONE {
                if left.1 != right.1 {
                    return true;
                }
                further = true;
            }
        }
        further && self.separated_later(one, other)
    }

    /// The same, if no first input does.
    fn separated_later(&mut self, one: NodeId, other: NodeId) -> bool {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.clear();
        waiting.push((one, other));
        let mut seen: Option<HashSet<(NodeId, NodeId)>> = None;
        let (mut visited, mut found) = (0u32, false);
        while !found && let Some((one, other)) = waiting.pop() {
            visited += 1;
            let (one, other) = (self.class(one), self.class(other));
            // Most pairs are decided soon; only then is it worth to know which were seen.
            let new =
                visited < FEW || !self.merged || seen.get_or_insert_default().insert((one, other));
            if one == other || !new {
                continue;
            }
            for (left, right) in self.row(one).iter().zip(self.row(other)) {
                if left.0 != NONE && right.0 != NONE {
                    found |= left.1 != right.1;
                    waiting.push((left.0, right.0));
                }
            }
        }
        self.waiting = waiting;
        found
    }

    /// A node of the class that each input leads to from a class, and the answer.
    fn row(&self, class: NodeId) -> &[(NodeId, Output)] {
        &self.children[class as usize * self.machine.input_count()..][..self.machine.input_count()]
    }

    /// The word that separates two places and costs least.
    pub fn cheapest(&self, one: &At, other: &At) -> Word {
        let halves = (self.arrive(one), self.arrive(other));
        let (s, t) = (halves.0.state, halves.1.state);
        let shortest = self.separation.word(s, t).expect("the states can be told apart");
        let price = self.price(halves.0, &shortest) + self.price(halves.1, &shortest);
        let mut search = Search { best: price, word: shortest, seen: None };
        self.search(&mut search, halves.0, halves.1, 0, &mut Word::new());
        search.word
    }

    /// A place with what it costs to begin something new there.
    pub fn arrive(&self, at: &At) -> Half {
        let start = self.class(0);
        let mut half =
            Half { class: Some(start), state: self.state(start), carry: self.branch(start).0 };
        for input in &at.word {
            let (state, _) = self.machine.step(half.state, *input).expect("words are possible");
            half = self.half(half, state, *input).0;
        }
        half
    }

    pub fn price(&self, half: Half, word: &[Input]) -> u64 {
        let mut sum = 0;
        let mut half = half;
        for input in word {
            let (state, _) = self.machine.step(half.state, *input).expect("words are possible");
            let (next, paid) = self.half(half, state, *input);
            half = next;
            sum += paid;
        }
        sum
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
            && !search.seen.get_or_insert_default().insert((left, right))
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
    fn half(&self, side: Half, state: StateIndex, input: Input) -> (Half, u64) {
        let beyond = Half { class: None, state, carry: 0 };
        match side.class {
            None => (beyond, 1),
            Some(class) => match self.next(class, input) {
                Some(next) => {
                    let carry = self.branch(next).0.min(side.carry + 1);
                    (Half { class: Some(next), state, carry }, 0)
                }
                None => (beyond, side.carry + 1),
            },
        }
    }
}

/// Where a word leads: a node that converges with it.
#[derive(Clone, Debug)]
pub(super) struct At {
    pub word: Word,
    pub node: NodeId,
}

/// One side of a search: a class of tests, or beyond all of them.
#[derive(Clone, Copy)]
pub(super) struct Half {
    class: Option<NodeId>,
    state: StateIndex,
    /// What it costs to begin something new here: a test that ends here or a little before is continued,
    /// or a new one begins.
    carry: u64,
}

struct Search {
    best: u64,
    word: Word,
    seen: Option<HashSet<(NodeId, NodeId)>>,
}
