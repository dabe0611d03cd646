//! A set of tests, as a tree or as a product of a cover with words behind it.

use crate::machine::{Input, Word};
use crate::trie::{NodeId, Trie};

/// A set of tests: input words, each applied after a reset. A test that another one continues is not
/// listed.
#[derive(Clone, Debug)]
pub struct Suite {
    inputs: usize,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Tree(Trie),
    /// Behind each node of the cover the words of one of the sets, if any.
    Product {
        cover: Trie,
        tails: Vec<Trie>,
        tail_of: Vec<Option<u32>>,
    },
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

impl Suite {
    pub(crate) fn of_tree(inputs: usize, tree: Trie) -> Self {
        Self { inputs, kind: Kind::Tree(tree) }
    }

    pub(crate) fn of_product(
        inputs: usize,
        cover: Trie,
        tails: Vec<Trie>,
        tail_of: Vec<Option<u32>>,
    ) -> Self {
        Self { inputs, kind: Kind::Product { cover, tails, tail_of } }
    }

    /// The suite of these words.
    pub fn of_words(inputs: usize, words: &[Word]) -> Self {
        Self::of_tree(inputs, Trie::of(inputs, words))
    }

    /// Passes on one test after the other, in the order of inputs, without keeping them.
    pub fn each(&self, found: &mut dyn FnMut(&[Input])) {
        match &self.kind {
            Kind::Tree(tree) => tree.each(found),
            Kind::Product { cover, tails, tail_of } => {
                walk(self.inputs, (cover, tails, tail_of), found);
            }
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

/// A node of the union of a cover and of the words behind it, which is not built: one of the cover, and
/// those of the words that began on the way.
struct Joint {
    cover: Option<NodeId>,
    behind: Vec<(u32, NodeId)>,
    /// The inputs up to here were followed.
    next: Input,
    leaf: bool,
}

impl Joint {
    fn new(cover: Option<NodeId>, mut behind: Vec<(u32, NodeId)>, tail_of: &[Option<u32>]) -> Self {
        behind.extend(cover.and_then(|node| tail_of[node as usize]).map(|tail| (tail, 0)));
        // The same words behind the same part are there once.
        behind.sort_unstable();
        behind.dedup();
        Self { cover, behind, next: 0, leaf: true }
    }
}

fn walk(
    inputs: usize,
    (cover, tails, tail_of): (&Trie, &[Trie], &[Option<u32>]),
    found: &mut dyn FnMut(&[Input]),
) {
    let mut word = Word::new();
    let mut path = vec![Joint::new(Some(0), Vec::new(), tail_of)];
    while let Some(joint) = path.last_mut() {
        if joint.next as usize == inputs {
            if joint.leaf && !word.is_empty() {
                found(&word);
            }
            path.pop();
            word.pop();
            continue;
        }
        let input = joint.next;
        joint.next += 1;
        let next = joint.cover.and_then(|node| cover.child(node, input));
        let step = |(tail, node): &(u32, NodeId)| {
            tails[*tail as usize].child(*node, input).map(|child| (*tail, child))
        };
        let behind: Vec<(u32, NodeId)> = joint.behind.iter().filter_map(step).collect();
        if next.is_some() || !behind.is_empty() {
            joint.leaf = false;
            word.push(input);
            path.push(Joint::new(next, behind, tail_of));
        }
    }
}
