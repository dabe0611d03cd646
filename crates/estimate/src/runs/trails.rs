//! The ways by which symbolic states were reached: a graph whose links are steps, from the state that is known for certain
//! to those that explain the observations since.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use tioga_base::Rational;
use tioga_model::{ClockConjunction, Model, Step};

use super::explained::Certain;

/// From when to when, in exact time.
pub type Window = (Rational, Rational);

/// The position of a state in the graph.
pub type TrailId = usize;

/// A step of the model on a way.
#[derive(Clone, Debug)]
pub struct Taken {
    pub step: Rc<Step>,
    /// The alternative of its clock condition that holds.
    pub guard: Rc<ClockConjunction>,
    /// When it was taken, as far as an observation tells, and which does.
    pub seen: Option<(Window, usize)>,
}

/// How a state was reached.
#[derive(Clone, Debug)]
struct Link {
    from: TrailId,
    /// Nothing if the model made no step, as between the two halves of an exchange.
    taken: Option<Taken>,
}

/// The graph. State 0 is the one that all ways begin at.
#[derive(Clone, Debug)]
pub struct Trails {
    links: Vec<Vec<Link>>,
}

impl Trails {
    pub fn new() -> Self {
        Self { links: vec![Vec::new()] }
    }

    /// A new state, one step after another.
    pub fn add(&mut self, from: TrailId, taken: Option<Taken>) -> TrailId {
        self.links.push(vec![Link { from, taken }]);
        self.links.len() - 1
    }

    /// Says that a state was also reached by the ways of another.
    pub fn join(&mut self, into: TrailId, other: TrailId) {
        if into != other && other != 0 {
            let ways = self.links[other].clone();
            self.links[into].extend(ways);
        }
    }

    /// The first way to a state.
    pub fn path(&self, to: TrailId) -> Vec<Taken> {
        let (mut path, mut at) = (Vec::new(), to);
        while let Some(link) = self.links[at].first() {
            path.extend(link.taken.clone());
            at = link.from;
        }
        path.reverse();
        path
    }

    /// What all ways to some states have in common, and whether there is one only.
    pub fn certain(&self, model: &Model, ends: &[TrailId]) -> (Certain, bool) {
        let mut needed = vec![false; self.links.len()];
        let mut waiting: Vec<TrailId> = ends.to_vec();
        let mut alone = ends.len() == 1;
        let mut after: Vec<Vec<(TrailId, usize)>> = vec![Vec::new(); self.links.len()];
        while let Some(state) = waiting.pop() {
            if std::mem::replace(&mut needed[state], true) {
                continue;
            }
            alone &= self.links[state].len() <= 1;
            for (index, link) in self.links[state].iter().enumerate() {
                after[link.from].push((state, index));
                waiting.push(link.from);
            }
        }
        // Least numbers over all ways: they only fall, so this ends, also on circles.
        let mut least: Vec<Option<Certain>> = vec![None; self.links.len()];
        least[0] = Some(Certain::default());
        let mut changed = VecDeque::from([0]);
        while let Some(state) = changed.pop_front() {
            let Some(here) = least[state].clone() else { continue };
            for &(next, index) in &after[state] {
                let mut there = here.clone();
                if let Some(taken) = &self.links[next][index].taken {
                    there.count(model, &taken.step);
                }
                let better = match &least[next] {
                    None => there,
                    Some(known) => known.least(&there),
                };
                if least[next].as_ref() != Some(&better) {
                    least[next] = Some(better);
                    changed.push_back(next);
                }
            }
        }
        let found = ends.iter().filter_map(|end| least[*end].clone());
        let all = found.reduce(|one, other| one.least(&other)).unwrap_or_default();
        (all, alone)
    }
}

impl Certain {
    /// Counts a step.
    pub fn count(&mut self, model: &Model, step: &Step) {
        for participant in &step.participants {
            let target = model.processes[participant.process].edges[participant.edge].target;
            *self.edges.entry((participant.process, participant.edge)).or_default() += 1;
            *self.locations.entry((participant.process, target)).or_default() += 1;
        }
    }

    fn least(&self, other: &Self) -> Self {
        Self {
            edges: least(&self.edges, &other.edges),
            locations: least(&self.locations, &other.locations),
        }
    }

    /// Adds what came later.
    pub fn add(&mut self, later: &Self) {
        for (key, count) in &later.edges {
            *self.edges.entry(*key).or_default() += count;
        }
        for (key, count) in &later.locations {
            *self.locations.entry(*key).or_default() += count;
        }
    }
}

fn least<K: Ord + Copy>(one: &BTreeMap<K, u64>, other: &BTreeMap<K, u64>) -> BTreeMap<K, u64> {
    let common = one.iter().filter_map(|(key, count)| Some((*key, *count.min(other.get(key)?))));
    common.collect()
}
