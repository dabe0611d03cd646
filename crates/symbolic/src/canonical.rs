//! Symbolic states up to exchanging values of scalar sets.
//!
//! Of the symbolic states that arise from each other by exchanging values, a search needs one. It is found
//! by sorting the values of each set by their properties in the state, without naming values: the locations
//! of the processes that they index, the contents of their slots, their holders, and the bounds of their
//! clocks. Values with equal properties stay in their order; then two states of one orbit may both be
//! explored, which costs time and changes no answer (IP96, HBL04).

use tioga_model::{DiscreteState, Interchange, Model, Permutation, Symmetry};
use tioga_zones::{Bound, Zone};

/// What a state says of one value, in order: what is told of it, by which orbit or holder and which of its
/// coordinates, and what.
type Look = Vec<(u8, usize, usize, Vec<i64>)>;

/// How states are arranged.
#[derive(Clone, Debug)]
pub(crate) struct Canonical<'m> {
    model: &'m Model,
    symmetry: Symmetry,
    /// For each slot the orbit it belongs to and the set whose values it holds, if any.
    orbits: Vec<Option<usize>>,
    holds: Vec<bool>,
}

impl<'m> Canonical<'m> {
    pub fn new(model: &'m Model) -> Option<Self> {
        let symmetry = Symmetry::of(model)?;
        let mut orbits = vec![None; model.slots.len()];
        for Interchange { part, orbit, .. } in &symmetry.slots {
            orbits[*part] = Some(*orbit);
        }
        let mut holds = vec![false; model.slots.len()];
        symmetry.holders.iter().for_each(|(slot, _)| holds[*slot] = true);
        Some(Self { model, symmetry, orbits, holds })
    }

    /// The exchange that leads to the state that stands for this one; nothing if it is this one itself. The
    /// clocks that matter are given as zones number them.
    pub fn arrange(
        &self,
        state: &DiscreteState,
        zone: &Zone,
        active: &[usize],
    ) -> Option<Permutation> {
        let sets = 0..self.symmetry.sizes.len();
        let mut looks: Vec<Vec<Look>> =
            self.symmetry.sizes.iter().map(|size| vec![Look::new(); *size]).collect();
        for one in &self.symmetry.processes {
            note(&mut looks, 0, one, &[i64::from(state.locations[one.part].0)]);
        }
        for one in self.symmetry.slots.iter().filter(|one| !self.holds[one.part]) {
            note(&mut looks, 1, one, &[state.data[one.part]]);
        }
        for (slot, set) in &self.symmetry.holders {
            let held = usize::try_from(state.data[*slot]).ok();
            if let Some(look) = held.and_then(|value| looks[*set].get_mut(value)) {
                // Slots of one orbit are not told apart, others are.
                let (kind, which) = self.orbits[*slot].map_or((2, *slot), |orbit| (3, orbit));
                look.push((kind, which, 0, Vec::new()));
            }
        }
        for one in self.symmetry.clocks.iter().filter(|one| active.contains(&(one.part + 1))) {
            note(&mut looks, 4, one, &bounds(zone, one.part + 1, active));
        }
        let values: Vec<Vec<usize>> = sets
            .map(|set| {
                let looks = &mut looks[set];
                looks.iter_mut().for_each(|look| look.sort());
                let mut order: Vec<usize> = (0..looks.len()).collect();
                order.sort_by(|a, b| looks[*a].cmp(&looks[*b]));
                let mut becomes = vec![0; order.len()];
                order.iter().enumerate().for_each(|(place, value)| becomes[*value] = place);
                becomes
            })
            .collect();
        let same = values.iter().all(|one| one.iter().enumerate().all(|(value, to)| value == *to));
        (!same).then(|| self.permutation(values))
    }

    pub fn permutation(&self, values: Vec<Vec<usize>>) -> Permutation {
        Permutation::new(self.model, &self.symmetry, values)
    }

    /// The arrangement that changes nothing.
    pub fn identity(&self) -> Vec<Vec<usize>> {
        self.symmetry.sizes.iter().map(|size| (0..*size).collect()).collect()
    }

    pub fn state(&self, permutation: &Permutation, state: &DiscreteState) -> DiscreteState {
        permutation.state(&self.symmetry, state)
    }

    /// The number of an arrangement among all.
    pub fn rank(permutation: &Permutation) -> u64 {
        let mut rank = 0;
        for values in permutation.values() {
            for (position, value) in values.iter().enumerate() {
                let smaller = values[position..].iter().filter(|one| *one < value).count();
                rank = rank * (values.len() - position) as u64 + smaller as u64;
            }
        }
        rank
    }

    /// The arrangement with this number.
    pub fn unrank(&self, mut rank: u64) -> Permutation {
        let mut all = Vec::new();
        for size in self.symmetry.sizes.iter().rev() {
            let mut digits = vec![0; *size];
            for (position, digit) in digits.iter_mut().enumerate().rev() {
                let base = (size - position) as u64;
                *digit = usize::try_from(rank % base).unwrap_or(0);
                rank /= base;
            }
            let mut left: Vec<usize> = (0..*size).collect();
            all.push(digits.into_iter().map(|digit| left.remove(digit)).collect());
        }
        all.reverse();
        self.permutation(all)
    }
}

/// Where each clock of a zone comes from after an exchange.
pub(crate) fn clock_sources(permutation: &Permutation) -> Vec<usize> {
    [0].into_iter().chain(permutation.clocks().iter().map(|clock| clock + 1)).collect()
}

/// The opposite exchange of values.
pub(crate) fn opposite(values: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let one = |values: &Vec<usize>| {
        let mut back = vec![0; values.len()];
        values.iter().enumerate().for_each(|(value, to)| back[*to] = value);
        back
    };
    values.iter().map(one).collect()
}

/// Notes what is told of all values that a part is indexed by.
fn note(looks: &mut [Vec<Look>], kind: u8, one: &Interchange, told: &[i64]) {
    for (position, (set, value)) in one.coordinates.iter().enumerate() {
        looks[*set][*value].push((kind, one.orbit, position, told.to_vec()));
    }
}

/// How a clock is bounded, without naming other clocks.
fn bounds(zone: &Zone, clock: usize, active: &[usize]) -> Vec<i64> {
    let number = |bound: Bound| match bound.constant() {
        Some(constant) => 2 * i64::from(constant) + i64::from(!bound.is_strict()),
        None => i64::MAX,
    };
    let mut told = vec![number(zone.bound(clock, 0)), number(zone.bound(0, clock))];
    let others = active.iter().filter(|other| **other != clock);
    let mut above: Vec<i64> = others.clone().map(|one| number(zone.bound(clock, *one))).collect();
    let mut below: Vec<i64> = others.map(|one| number(zone.bound(*one, clock))).collect();
    above.sort_unstable();
    below.sort_unstable();
    told.extend(above);
    told.extend(below);
    told
}
