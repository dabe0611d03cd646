//! Prefix trees of input words: what a set of tests is, without what they share written twice.

use crate::machine::{Input, Machine, StateIndex, Word};

/// A node, by its position.
pub(crate) type NodeId = u32;

const NONE: u32 = u32::MAX;

/// A set of words that holds all prefixes of its words.
#[derive(Clone, Debug)]
pub struct Trie {
    inputs: usize,
    /// Per node and input, the child.
    children: Vec<NodeId>,
    /// How many children each node has.
    degrees: Vec<u32>,
    depths: Vec<u32>,
}

impl Trie {
    /// Only the empty word, over so many inputs.
    pub fn new(inputs: usize) -> Self {
        Self { inputs, children: vec![NONE; inputs], degrees: vec![0], depths: vec![0] }
    }

    /// The words and their prefixes.
    pub fn of<'w>(inputs: usize, words: impl IntoIterator<Item = &'w Word>) -> Self {
        let mut trie = Self::new(inputs);
        for word in words {
            trie.insert(0, word);
        }
        trie
    }

    pub(crate) fn len(&self) -> usize {
        self.degrees.len()
    }

    pub(crate) fn child(&self, node: NodeId, input: Input) -> Option<NodeId> {
        let child = self.children[node as usize * self.inputs + input as usize];
        (child != NONE).then_some(child)
    }

    pub(crate) fn is_leaf(&self, node: NodeId) -> bool {
        self.degrees[node as usize] == 0
    }

    pub(crate) fn depth(&self, node: NodeId) -> u32 {
        self.depths[node as usize]
    }

    /// The child of a node, made if there is none.
    pub(crate) fn extend(&mut self, node: NodeId, input: Input) -> NodeId {
        if let Some(child) = self.child(node, input) {
            return child;
        }
        let child = u32::try_from(self.len()).expect("fewer than 2^32 nodes");
        self.children[node as usize * self.inputs + input as usize] = child;
        self.children.extend(std::iter::repeat_n(NONE, self.inputs));
        self.degrees[node as usize] += 1;
        self.degrees.push(0);
        self.depths.push(self.depths[node as usize] + 1);
        child
    }

    /// Adds a word behind a node. The node it ends in.
    pub(crate) fn insert(&mut self, node: NodeId, word: &[Input]) -> NodeId {
        word.iter().fold(node, |at, input| self.extend(at, *input))
    }

    /// The inputs that lead on from a node, with where they lead.
    pub(crate) fn following(&self, node: NodeId) -> impl Iterator<Item = (Input, NodeId)> + '_ {
        let row = &self.children[node as usize * self.inputs..][..self.inputs];
        (0..).zip(row).filter(|(_, child)| **child != NONE).map(|(input, child)| (input, *child))
    }

    /// How many symbols it would cost to apply these words behind a node: those of new tests from a
    /// reset on, and of tests that get longer, the resets counted as one symbol each.
    pub(crate) fn price(&self, node: NodeId, word: &[Input]) -> u64 {
        let mut at = node;
        for (position, input) in word.iter().enumerate() {
            match self.child(at, *input) {
                Some(child) => at = child,
                None => {
                    let new = (word.len() - position) as u64;
                    let again =
                        if self.is_leaf(at) && at != 0 { 0 } else { u64::from(self.depth(at)) + 1 };
                    return new + again;
                }
            }
        }
        0
    }

    /// Whether a word is in it, perhaps as the beginning of another one.
    pub fn contains(&self, word: &[Input]) -> bool {
        word.iter().try_fold(0, |at, input| self.child(at, *input)).is_some()
    }

    /// The longest words, in the order of inputs; each is passed on as it is found.
    pub fn each(&self, found: &mut dyn FnMut(&[Input])) {
        self.each_while(&mut |word| {
            found(word);
            true
        });
    }

    /// The same, as long as the function says to go on; whether it was all of them.
    pub fn each_while(&self, found: &mut dyn FnMut(&[Input]) -> bool) -> bool {
        let mut word = Vec::new();
        // A node and the input from which on its children are still to be visited.
        let mut path = vec![(0, 0)];
        while let Some((node, from)) = path.last_mut() {
            let next = self.following(*node).find(|(input, _)| input >= from);
            match next {
                Some((input, child)) => {
                    *from = input + 1;
                    word.push(input);
                    path.push((child, 0));
                }
                None => {
                    if self.is_leaf(*node) && !word.is_empty() && !found(&word) {
                        return false;
                    }
                    path.pop();
                    word.pop();
                }
            }
        }
        true
    }

    /// The longest words, in the order of inputs.
    pub fn words(&self) -> Vec<Word> {
        let mut all = Vec::new();
        self.each(&mut |word| all.push(word.to_vec()));
        all
    }

    /// All words, prefixes too, in the order of inputs.
    pub fn prefixes(&self) -> Vec<Word> {
        let mut all = vec![Word::new()];
        let mut waiting = vec![(0, Word::new())];
        while let Some((node, word)) = waiting.pop() {
            for (input, child) in self.following(node) {
                let mut longer = word.clone();
                longer.push(input);
                all.push(longer.clone());
                waiting.push((child, longer));
            }
        }
        all.sort();
        all
    }

    /// The state in which each node is, if its word is applied to a state of a machine.
    pub(crate) fn states(&self, machine: &Machine, start: StateIndex) -> Vec<Option<StateIndex>> {
        let mut states = vec![None; self.len()];
        states[0] = Some(start);
        // Children come after their parents.
        for node in 0..self.len() {
            for (input, child) in self.following(node as u32) {
                states[child as usize] =
                    states[node].and_then(|at| machine.step(at, input)).map(|(target, _)| target);
            }
        }
        states
    }
}

/// The words that no other word of the set continues.
pub fn prefix_free(inputs: usize, words: &[Word]) -> Vec<Word> {
    Trie::of(inputs, words).words()
}

/// The sum of the lengths of the words that no other word of the set continues (BON09, Def 31).
pub fn total_length(inputs: usize, words: &[Word]) -> u64 {
    let mut sum = 0;
    Trie::of(inputs, words).each(&mut |word| sum += word.len() as u64);
    sum
}
