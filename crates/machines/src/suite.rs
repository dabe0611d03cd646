//! A set of tests, as a tree or as a product of a cover with words behind it.

use crate::machine::{Input, Machine, StateIndex, Word};
use crate::trie::{NodeId, Trie};

/// A set of tests: input words, each applied after a reset. A test that another one continues is not
/// listed.
#[derive(Clone, Debug)]
pub struct WordSuite {
    inputs: usize,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Tree(Trie),
    Product(Box<Product>),
}

/// Words behind words that are not written out: those of a cover, with at most so many inputs behind them.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub machine: Machine,
    pub cover: Trie,
    /// How many inputs follow the words of the cover.
    pub depth: usize,
    /// The sets of words behind these, one for each state of the machine.
    pub tails: Vec<Trie>,
    /// The set behind some words of the cover and what follows them, instead, and which nodes these are.
    pub first: Option<(Trie, Vec<bool>)>,
}

/// How large a suite is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// How many tests there are.
    pub tests: u64,
    /// How many inputs they have together.
    pub inputs: u64,
}

impl Cost {
    /// The inputs, and one reset for each test.
    pub fn total(self) -> u64 {
        self.tests + self.inputs
    }
}

impl WordSuite {
    pub(crate) fn of_tree(inputs: usize, tree: Trie) -> Self {
        Self { inputs, kind: Kind::Tree(tree) }
    }

    pub(crate) fn of_product(product: Product) -> Self {
        let inputs = product.machine.input_count();
        Self { inputs, kind: Kind::Product(Box::new(product)) }
    }

    /// The suite of these words.
    pub fn of_words(inputs: usize, words: &[Word]) -> Self {
        Self::of_tree(inputs, Trie::of(inputs, words))
    }

    /// Passes on one test after the other, in the order of inputs, without keeping them.
    pub fn each(&self, found: &mut dyn FnMut(&[Input])) {
        self.each_while(&mut |word| {
            found(word);
            true
        });
    }

    /// The same, as long as the function says to go on; whether it was all of them.
    pub fn each_while(&self, found: &mut dyn FnMut(&[Input]) -> bool) -> bool {
        match &self.kind {
            Kind::Tree(tree) => tree.each_while(found),
            Kind::Product(product) => walk(self.inputs, product, found),
        }
    }

    /// All tests.
    pub fn words(&self) -> Vec<Word> {
        let mut all = Vec::new();
        self.each(&mut |word| all.push(word.to_vec()));
        all
    }

    /// How large it is.
    pub fn cost(&self) -> Cost {
        let mut cost = Cost::default();
        self.each(&mut |word| {
            cost.tests += 1;
            cost.inputs += word.len() as u64;
        });
        cost
    }
}

/// A node of the union of all these words, which is not built: one of the cover, how many inputs follow
/// here at most, and nodes of the sets of words that began on the way.
struct Joint {
    state: StateIndex,
    cover: Option<NodeId>,
    /// How many inputs follow, and how many of the words with a set of their own.
    free: Option<usize>,
    first: Option<usize>,
    behind: Vec<(u32, NodeId)>,
    /// The inputs up to here were followed.
    next: Input,
    leaf: bool,
}

impl Product {
    fn tail(&self, number: u32) -> &Trie {
        let first = self.first.as_ref().map(|(words, _)| words);
        self.tails.get(number as usize).or(first).expect("there are so many sets")
    }

    /// A joint after the nodes and inputs before it.
    fn joint(
        &self,
        state: StateIndex,
        cover: Option<NodeId>,
        (free, first): (Option<usize>, Option<usize>),
        mut behind: Vec<(u32, NodeId)>,
    ) -> Joint {
        let is_first =
            |node: &NodeId| self.first.as_ref().is_some_and(|(_, nodes)| nodes[*node as usize]);
        let free = cover.map(|_| self.depth).or(free);
        let first = cover.filter(is_first).map(|_| self.depth).or(first);
        let all = u32::try_from(self.tails.len()).expect("fewer than 2^32 states");
        if first.is_some() {
            behind.push((all, 0));
        } else if free.is_some() {
            behind.push((state, 0));
        }
        // The same words behind the same part are there once.
        behind.sort_unstable();
        behind.dedup();
        Joint { state, cover, free, first, behind, next: 0, leaf: true }
    }
}

fn walk(inputs: usize, product: &Product, found: &mut dyn FnMut(&[Input]) -> bool) -> bool {
    let mut word = Word::new();
    let start = product.machine.initial();
    let mut path = vec![product.joint(start, Some(0), (None, None), Vec::new())];
    let less = |inputs: Option<usize>| inputs.and_then(|inputs| inputs.checked_sub(1));
    while let Some(joint) = path.last_mut() {
        if joint.next as usize == inputs {
            if joint.leaf && !word.is_empty() && !found(&word) {
                return false;
            }
            path.pop();
            word.pop();
            continue;
        }
        let input = joint.next;
        joint.next += 1;
        let Some((state, _)) = product.machine.step(joint.state, input) else { continue };
        let cover = joint.cover.and_then(|node| product.cover.child(node, input));
        let free = (less(joint.free), less(joint.first));
        let step = |(tail, node): &(u32, NodeId)| {
            product.tail(*tail).child(*node, input).map(|child| (*tail, child))
        };
        let behind: Vec<(u32, NodeId)> = joint.behind.iter().filter_map(step).collect();
        if cover.is_some() || free.0.is_some() || free.1.is_some() || !behind.is_empty() {
            joint.leaf = false;
            word.push(input);
            path.push(product.joint(state, cover, free, behind));
        }
    }
    true
}
