//! The game board: discrete states with what is reachable in each, and the moves between them.
//!
//! Each node keeps one zone, the convex hull of what was found reachable, coarsened by the bounds of
//! its locations and closed under delay. When a zone grows, the node is explored again. The result
//! is closed under successors, so that every predecessor computed from it is exact on it; since
//! hulls of coarsened zones have finitely many values, exploration ends. With comparisons between
//! clocks no coarsening by bounds is sound for reachability, but here any enlargement is harmless,
//! so bounds that keep growing are dropped.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::hash::BuildHasherDefault;
use std::sync::OnceLock;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHasher;
use tioga_base::Id;
use tioga_model::{Composer, Condition, Control, DiscreteState, LocationId, Model, Steps};
use tioga_symbolic::{ClockBounds, Codec, Elapse, Jump, PackedState};
use tioga_zones::{Federation, LuBounds, Zone};

use crate::Error;

tioga_base::define_id! {
    /// A discrete state of an arena.
    NodeId = "node";
}

type Hasher = BuildHasherDefault<FxHasher>;

/// After how many growths of a zone its growing bounds are dropped.
const PATIENCE: u8 = 64;

/// The board of a game. It grows as it is explored.
pub struct Arena<'m> {
    model: &'m Model,
    codec: Codec,
    bounds: ClockBounds,
    composer: Composer<'m>,
    keys: IndexSet<PackedState, Hasher>,
    nodes: Vec<Node>,
    /// Distinct clock parts of moves; edges share them.
    jumps: IndexSet<Jump, Hasher>,
    /// Distinct places; nodes share them.
    elapses: IndexMap<PlaceForm, Elapse, Hasher>,
    /// Nodes whose zone has grown since they were explored, in the order in which they were found.
    waiting: VecDeque<NodeId>,
    /// The same nodes, the most promising first. Turns alternate, because promises are not kept
    /// always. Each queue may still have nodes that the other has given out.
    promising: BinaryHeap<Reverse<(u32, u64, NodeId)>>,
    turns: u64,
    /// What exploration should meet soon.
    guide: Option<Condition>,
    lu: LuBounds,
    has_urgent_channels: bool,
}

/// Two places of equal form are equal.
type PlaceForm = (Vec<Zone>, Vec<Zone>, bool);

struct Node {
    elapse: u32,
    /// How far it is from what exploration should meet.
    missing: u32,
    growths: u8,
    waiting: bool,
    explored: bool,
    fail: bool,
    reached: Option<Zone>,
    /// The same within the invariant, once it was asked for.
    within: OnceLock<Federation>,
    edges: Box<[ArenaStep]>,
    dependents: Vec<NodeId>,
}

/// A move between two nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArenaStep {
    /// Where it leads.
    pub target: NodeId,
    jump: u32,
    /// Its position in the enumeration of the source's moves.
    pub step: u32,
    /// The side that decides.
    pub control: Control,
}

/// A move that is possible as far as its source says.
#[derive(Clone, Debug)]
pub struct Possible {
    target: DiscreteState,
    jump: Jump,
    after: Federation,
    step: u32,
    control: Control,
}

/// A move that is possible, and what it leads to.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The move.
    pub edge: ArenaStep,
    after: Zone,
    locations: Box<[LocationId]>,
}

/// Scratch memory of one thread.
#[derive(Debug)]
pub struct Scratch<'m> {
    /// Enumerates moves.
    pub composer: Composer<'m>,
    steps: Steps,
}

impl<'m> Arena<'m> {
    /// A board with nothing on it.
    pub fn new(model: &'m Model) -> Result<Self, Error> {
        let bounds = ClockBounds::new(model, &[])?;
        Ok(Self {
            model,
            codec: Codec::new(model),
            lu: bounds.empty(),
            bounds,
            composer: Composer::new(model),
            keys: IndexSet::default(),
            nodes: Vec::new(),
            jumps: IndexSet::default(),
            elapses: IndexMap::default(),
            waiting: VecDeque::new(),
            promising: BinaryHeap::new(),
            turns: 0,
            guide: None,
            has_urgent_channels: model.channels.iter().any(|channel| channel.urgent),
        })
    }

    /// Makes exploration look first at states that are nearer to a condition. Pre: it is one of
    /// the model's queries, and nothing is reached yet.
    pub fn set_guide(&mut self, guide: Option<Condition>) {
        self.guide = guide;
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The number of clocks plus one.
    pub fn dimension(&self) -> usize {
        self.model.clocks.len() + 1
    }

    /// How many nodes there are; some may not be explored yet.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The nodes.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::from_index)
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.nodes.iter().map(|node| node.edges.len()).sum()
    }

    /// The node of a discrete state.
    pub fn find(&self, state: &DiscreteState) -> Option<NodeId> {
        self.keys.get_index_of(&self.codec.pack(state)).map(NodeId::from_index)
    }

    /// The discrete state of a node.
    pub fn state(&self, node: NodeId) -> DiscreteState {
        let mut state = self.composer.initial();
        self.codec.unpack(&self.keys[node.index()], &mut state);
        state
    }

    /// Whether a location of a node is marked `fail`.
    pub fn is_marked_fail(&self, node: NodeId) -> bool {
        self.nodes[node.index()].fail
    }

    /// The invariant of a node and how time passes in it.
    pub fn elapse(&self, node: NodeId) -> &Elapse {
        &self.elapses[self.nodes[node.index()].elapse as usize]
    }

    /// What may be reached in a node, within its invariant. Closed under delay.
    pub fn reached(&self, node: NodeId) -> &Federation {
        let entry = &self.nodes[node.index()];
        entry.within.get_or_init(|| match &entry.reached {
            Some(zone) => {
                let mut reached = self.elapse(node).invariant().clone();
                reached.intersect_zone(zone);
                reached
            }
            None => Federation::empty(self.dimension()),
        })
    }

    /// The moves that are possible in what may be reached; none before the node is explored.
    pub fn edges(&self, node: NodeId) -> &[ArenaStep] {
        &self.nodes[node.index()].edges
    }

    /// The nodes that have an edge to this one.
    pub fn dependents(&self, node: NodeId) -> &[NodeId] {
        &self.nodes[node.index()].dependents
    }

    /// Whether the edges of a node are those of all it may reach.
    pub fn is_explored(&self, node: NodeId) -> bool {
        let node = &self.nodes[node.index()];
        node.explored && !node.waiting
    }

    /// The points from which an edge leads into a set of its target.
    pub fn before(&self, edge: &ArenaStep, target: &Federation) -> Federation {
        self.jumps[edge.jump as usize].predecessor(target)
    }

    /// What an edge does to the clocks.
    pub fn jump(&self, edge: &ArenaStep) -> &Jump {
        &self.jumps[edge.jump as usize]
    }

    /// Adds the points of a zone to what is reached, and what time makes of them.
    pub fn reach(&mut self, state: &DiscreteState, zone: Zone) -> Result<Option<NodeId>, Error> {
        let node = self.node(state)?;
        Ok(self.join(node, zone, &state.locations).then_some(node))
    }

    /// The next node to explore.
    pub fn take_waiting(&mut self) -> Option<NodeId> {
        loop {
            self.turns += 1;
            let promising = self.turns.is_multiple_of(2).then(|| self.promising.pop()).flatten();
            let node = match promising {
                Some(Reverse((_, _, node))) => node,
                None => self.waiting.pop_front()?,
            };
            if std::mem::take(&mut self.nodes[node.index()].waiting) {
                return Some(node);
            }
        }
    }

    /// Gives a node no successors.
    pub fn seal(&mut self, node: NodeId) {
        self.nodes[node.index()].explored = true;
    }

    /// The moves that are possible from what a node may reach. Changes nothing, so that several
    /// threads can do this at once.
    pub fn expand(&self, scratch: &mut Scratch<'m>, node: NodeId) -> Result<Vec<Possible>, Error> {
        let state = self.state(node);
        let reached = self.reached(node);
        let Scratch { composer, steps } = scratch;
        composer.steps(&state, steps);
        if let Some(awaiting) = steps.awaiting.first() {
            let name = &self.model.channels[awaiting.channel].name;
            return Err(tioga_symbolic::Error::Unsupported(format!(
                "the values of the input `{name}` are too many to be enumerated"
            ))
            .into());
        }
        let mut possible = Vec::new();
        for (index, step) in steps.list.iter().enumerate() {
            // A move whose update cannot be carried out is no move.
            let Ok(applied) = composer.apply(&state, step) else { continue };
            let jump = Jump::of(step, &applied.assignments)?;
            let after = jump.successor(reached);
            if !after.is_empty() {
                let step_index = u32::try_from(index).expect("fewer than 2^32 steps");
                let (target, control) = (applied.target, step.control);
                possible.push(Possible { target, jump, after, step: step_index, control });
            }
        }
        Ok(possible)
    }

    /// Gives a node the successors by those of its moves that are chosen.
    pub fn explore(
        &mut self,
        node: NodeId,
        possible: Vec<Possible>,
        choose: impl FnOnce(&Self, &[Candidate]) -> Vec<bool>,
    ) -> Result<(), Error> {
        let mut candidates = Vec::with_capacity(possible.len());
        for Possible { target: state, jump, mut after, step, control } in possible {
            let target = self.node(&state)?;
            after.intersect(self.elapse(target).invariant());
            let Some(after) = after.hull() else { continue };
            let jump =
                u32::try_from(self.jumps.insert_full(jump).0).expect("fewer than 2^32 jumps");
            let edge = ArenaStep { target, jump, step, control };
            candidates.push(Candidate { edge, after, locations: state.locations });
        }
        let chosen = choose(self, &candidates);
        let mut edges = Vec::with_capacity(candidates.len());
        for (Candidate { edge, after, locations }, _) in
            candidates.into_iter().zip(chosen).filter(|(_, chosen)| *chosen)
        {
            self.join(edge.target, after, &locations);
            let dependents = &mut self.nodes[edge.target.index()].dependents;
            if dependents.last() != Some(&node) && !dependents.contains(&node) {
                dependents.push(node);
            }
            edges.push(edge);
        }
        let entry = &mut self.nodes[node.index()];
        entry.edges = edges.into();
        entry.explored = true;
        Ok(())
    }

    /// Scratch memory for one thread.
    pub fn scratch(&self) -> Scratch<'m> {
        Scratch { composer: Composer::new(self.model), steps: Steps::new() }
    }

    /// Whether anything is known to be reached in a node.
    pub fn is_reached(&self, node: NodeId) -> bool {
        self.nodes[node.index()].reached.is_some()
    }

    /// How far a node is from what exploration should meet.
    pub fn missing(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].missing
    }

    /// The node of a discrete state, new if need be.
    fn node(&mut self, state: &DiscreteState) -> Result<NodeId, Error> {
        let (index, new) = self.keys.insert_full(self.codec.pack(state));
        if new {
            let mut steps = Steps::new();
            if self.has_urgent_channels {
                self.composer.steps(state, &mut steps);
            }
            let elapse = Elapse::of(&mut self.composer, state, &steps)?;
            let form = (
                elapse.invariant().zones().to_vec(),
                elapse.urgent().zones().to_vec(),
                elapse.passes_time(),
            );
            let entry = self.elapses.entry(form);
            let elapse_index = entry.index();
            entry.or_insert(elapse);
            let missing = match &self.guide {
                Some(guide) => self.composer.shortfall(state, guide)?,
                None => 0,
            };
            let processes = self.model.processes.iter().zip(&state.locations);
            let mut marks = processes.map(|(process, at)| process.locations[*at].marks);
            self.nodes.push(Node {
                fail: marks.any(|marks| marks.fail),
                missing,
                elapse: u32::try_from(elapse_index).expect("fewer than 2^32 elapses"),
                growths: 0,
                waiting: false,
                explored: false,
                reached: None,
                within: OnceLock::new(),
                edges: Box::default(),
                dependents: Vec::new(),
            });
        }
        Ok(NodeId::from_index(index))
    }

    /// Adds what is reached from a zone in a node; whether that is anything new.
    fn join(&mut self, node: NodeId, mut zone: Zone, locations: &[LocationId]) -> bool {
        let elapse = &self.elapses[self.nodes[node.index()].elapse as usize];
        if elapse.passes_time() {
            zone.delay();
        }
        let mut inside = elapse.invariant().clone();
        inside.intersect_zone(&zone);
        let Some(mut zone) = inside.hull() else { return false };
        if !self.bounds.has_diagonals() {
            self.bounds.fill(locations, &mut self.lu);
            zone.extrapolate_lu_plus(&self.lu);
        }
        if elapse.passes_time() {
            // Larger differences let more time pass. Upper bounds are left to the invariant.
            zone.delay();
        }
        let entry = &mut self.nodes[node.index()];
        match &mut entry.reached {
            None => entry.reached = Some(zone),
            Some(old) if old.includes(&zone) => return false,
            Some(old) => {
                entry.growths = entry.growths.saturating_add(1);
                let mut hull = old.clone();
                hull.hull(&zone);
                if entry.growths > 2 * PATIENCE {
                    hull = Zone::universal(hull.dimension());
                } else if entry.growths > PATIENCE {
                    hull = widened(old, &hull);
                }
                *old = hull;
            }
        }
        entry.within.take();
        if !entry.waiting {
            entry.waiting = true;
            self.waiting.push_back(node);
            if self.guide.is_some() {
                // What was explored before comes first: others may be waiting for it.
                let missing = if entry.explored { 0 } else { entry.missing };
                self.promising.push(Reverse((missing, self.turns, node)));
            }
        }
        true
    }
}

/// The larger zone without those of its bounds that the smaller one does not have.
fn widened(smaller: &Zone, larger: &Zone) -> Zone {
    let n = larger.dimension();
    let mut zone = Zone::universal(n);
    for i in 0..n {
        for j in 0..n {
            let bound = larger.bound(i, j);
            if i != j && !bound.is_infinite() && bound <= smaller.bound(i, j) {
                zone.constrain(i, j, bound).expect("a non-empty zone satisfies its bounds");
            }
        }
    }
    zone
}
