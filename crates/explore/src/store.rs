//! The states stored so far, with inclusion subsumption and the way each was reached.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::node::NodeId;
use crate::system::{Sketch, Successor, TransitionSystem};

/// The states of a search.
///
/// A state that was covered by a later one keeps its place on the ways found, but not its part.
pub struct Store<S: TransitionSystem> {
    keys: Vec<S::Key>,
    table: HashTable<u32>,
    /// For each key, the states stored under it that no other covers, the latest last. A search spends most of its time
    /// in comparing them, so what decides most comparisons is in one place.
    alike: Vec<SmallVec<[Stored; 1]>>,
    nodes: Vec<Node<S>>,
    alive: usize,
    /// States that no other covers and that were not visited yet.
    waiting: usize,
    bytes: usize,
}

/// Stands for no state; an `Option` would take twice the room.
const NONE: NodeId = NodeId(u32::MAX);

/// A state that no other covers.
struct Stored {
    sketch: Sketch,
    node: NodeId,
}

/// Whether a part with the first sketch may cover one with the second.
#[inline(always)]
fn may_cover(larger: &Sketch, smaller: &Sketch) -> bool {
    // Without an early exit, so that the test becomes vector instructions.
    let below = larger.iter().zip(smaller).fold(0, |below, (a, b)| below | -i16::from(a < b));
    below == 0
}

struct Node<S: TransitionSystem> {
    part: Option<S::Part>,
    key: u32,
    /// The state it was reached from, or [`NONE`] for initial states.
    from: NodeId,
    /// The step it was reached by.
    label: S::Label,
    visited: bool,
}

impl<S: TransitionSystem> Default for Store<S> {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            table: HashTable::new(),
            alike: Vec::new(),
            nodes: Vec::new(),
            alive: 0,
            waiting: 0,
            bytes: 0,
        }
    }
}

/// What became of a state offered to the store.
pub(crate) enum Inserted {
    /// It is stored.
    New(NodeId),
    /// A stored state covers it.
    Covered,
}

impl<S: TransitionSystem> Store<S> {
    /// The hash of a key, as the other methods want it.
    pub(crate) fn hash(key: &S::Key) -> u64 {
        FxBuildHasher.hash_one(key)
    }

    /// Stores a state unless it is covered, and drops the states it covers. `hash` is that of its
    /// key, and `from` the state it was reached from, if any.
    pub(crate) fn insert(
        &mut self,
        system: &S,
        hash: u64,
        Successor { label, key, part }: Successor<S>,
        from: Option<NodeId>,
    ) -> Inserted {
        if let Some(key_id) = self.find(hash, &key) {
            let sketch = system.sketch(&part);
            if self.is_covered(system, key_id, &part, &sketch) {
                return Inserted::Covered;
            }
            self.drop_covered(system, key_id, &part, &sketch);
            return Inserted::New(self.push(system, key_id, (part, sketch), from, label));
        }
        let key_id = self.add_key(hash, key);
        let sketch = system.sketch(&part);
        Inserted::New(self.push(system, key_id, (part, sketch), from, label))
    }

    /// Whether a stored state covers this one. Once covered, a state stays covered: what covers it
    /// is dropped only for something larger.
    pub(crate) fn covers(&self, system: &S, hash: u64, key: &S::Key, part: &S::Part) -> bool {
        let covered = |key_id| self.is_covered(system, key_id, part, &system.sketch(part));
        self.find(hash, key).is_some_and(covered)
    }

    fn push(
        &mut self,
        system: &S,
        key_id: u32,
        (part, sketch): (S::Part, Sketch),
        from: Option<NodeId>,
        label: S::Label,
    ) -> NodeId {
        self.alive += 1;
        self.waiting += 1;
        self.bytes += system.size(&self.keys[key_id as usize], &part);
        let id = u32::try_from(self.nodes.len()).ok().map(NodeId).filter(|id| *id != NONE);
        let id = id.expect("fewer than 2^32 - 1 states");
        self.alike[key_id as usize].push(Stored { sketch, node: id });
        let from = from.unwrap_or(NONE);
        let part = Some(part);
        self.nodes.push(Node { part, key: key_id, from, label, visited: false });
        id
    }

    fn is_covered(&self, system: &S, key_id: u32, part: &S::Part, sketch: &Sketch) -> bool {
        let key = &self.keys[key_id as usize];
        let mut alike = self.alike[key_id as usize].iter().rev();
        alike.any(|stored| {
            let old = || self.nodes[stored.node.0 as usize].part.as_ref();
            may_cover(&stored.sketch, sketch)
                && old().is_some_and(|old| system.covers(key, old, part))
        })
    }

    /// Drops the states with this key that a part covers.
    fn drop_covered(&mut self, system: &S, key_id: u32, part: &S::Part, sketch: &Sketch) {
        let key = &self.keys[key_id as usize];
        self.alike[key_id as usize].retain(|stored| {
            if !may_cover(sketch, &stored.sketch) {
                return true;
            }
            let node = &mut self.nodes[stored.node.0 as usize];
            if node.part.as_ref().is_some_and(|old| !system.covers(key, part, old)) {
                return true;
            }
            if let Some(old) = node.part.take() {
                self.alive -= 1;
                self.waiting -= usize::from(!node.visited);
                self.bytes -= system.size(key, &old);
            }
            false
        });
    }

    /// Notes that a state that is still stored is visited.
    pub(crate) fn mark_visited(&mut self, node: NodeId) {
        self.nodes[node.0 as usize].visited = true;
        self.waiting -= 1;
    }

    /// Whether the successors of a state were computed. The id must come from this store.
    pub fn is_visited(&self, node: NodeId) -> bool {
        self.nodes[node.0 as usize].visited
    }

    /// How many stored states were not visited yet.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    fn find(&self, hash: u64, key: &S::Key) -> Option<u32> {
        self.table.find(hash, |id| self.keys[*id as usize] == *key).copied()
    }

    /// Adds a key that is not known yet.
    fn add_key(&mut self, hash: u64, key: S::Key) -> u32 {
        let keys = &mut self.keys;
        let id = u32::try_from(keys.len()).expect("fewer than 2^32 keys");
        keys.push(key);
        self.alike.push(SmallVec::new());
        self.table.insert_unique(hash, id, |id| Self::hash(&keys[*id as usize]));
        id
    }

    /// The state, unless it was dropped because a later one covers it.
    pub fn get(&self, node: NodeId) -> Option<(&S::Key, &S::Part)> {
        let node = self.nodes.get(node.0 as usize)?;
        Some((&self.keys[node.key as usize], node.part.as_ref()?))
    }

    /// The key of a state, dropped or not. The id must come from this store.
    pub fn key(&self, node: NodeId) -> &S::Key {
        &self.keys[self.nodes[node.0 as usize].key as usize]
    }

    /// The labels of the steps on the way to a state, from the start.
    pub fn path(&self, node: NodeId) -> Vec<(NodeId, S::Label)> {
        let mut path = Vec::new();
        let mut at = node;
        loop {
            let Node { from, label, .. } = &self.nodes[at.0 as usize];
            if *from == NONE {
                break;
            }
            path.push((at, label.clone()));
            at = *from;
        }
        path.reverse();
        path
    }

    /// The initial state at the start of the way to a state.
    pub fn origin(&self, node: NodeId) -> NodeId {
        let mut at = node;
        while self.nodes[at.0 as usize].from != NONE {
            at = self.nodes[at.0 as usize].from;
        }
        at
    }

    /// The states that no other covers, in the order in which they were stored.
    pub fn stored(&self) -> impl Iterator<Item = (NodeId, &S::Key, &S::Part)> {
        self.nodes.iter().enumerate().filter_map(|(id, node)| {
            let id = NodeId(u32::try_from(id).expect("fewer than 2^32 states"));
            Some((id, &self.keys[node.key as usize], node.part.as_ref()?))
        })
    }

    /// How many states no other covers.
    pub fn len(&self) -> usize {
        self.alive
    }

    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.alive == 0
    }

    /// How many bytes the states take, about.
    pub fn bytes(&self) -> usize {
        let stored = self.alive * size_of::<Stored>();
        self.bytes + stored + self.nodes.len() * size_of::<Node<S>>()
    }
}
