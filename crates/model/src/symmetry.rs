//! How exchanging values of scalar sets acts on states.
//!
//! If a network treats the values of a scalar set alike, exchanging them everywhere maps steps to steps: the
//! processes, slots and clocks that they index change places, and the slots that hold them hold others. Parts
//! that can change places with each other form an *orbit*; its parts are told apart by their coordinates,
//! which are values of scalar sets.
//!
//! Some things depend on the order of processes all the same, and then there is no symmetry: an interface,
//! synchronisation vectors, and shared data that several receivers of a broadcast change one after another.

use std::collections::BTreeMap;

use tioga_base::Id;

use crate::reads::{Reads, Variable as Read};
use crate::{DiscreteState, Edge, Label, Model, ProcessId, Type, Update};

/// The largest set whose arrangements are told apart: 20! fits into 64 bits.
const LARGEST: i64 = 20;

/// A part of the state that changes places: its number, its orbit, and its coordinates as positions among
/// the sets and values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interchange {
    /// The process, slot or clock.
    pub part: usize,
    /// The orbit it belongs to.
    pub orbit: usize,
    /// Its coordinates: sets, by position in [`Symmetry::sizes`], and values.
    pub coordinates: Vec<(usize, usize)>,
}

/// The symmetry of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    /// How many values each set has.
    pub sizes: Vec<usize>,
    /// The processes that change places.
    pub processes: Vec<Interchange>,
    /// The slots that change places.
    pub slots: Vec<Interchange>,
    /// The clocks that change places.
    pub clocks: Vec<Interchange>,
    /// The slots that hold values of sets, with the set.
    pub holders: Vec<(usize, usize)>,
    /// The parts of each orbit, the last coordinate varying fastest.
    orbits: Vec<Vec<usize>>,
}

/// What tells orbits apart: the kind of part, the family of its owner, which of the owner's it is, and where
/// in it; coordinates by their sets.
type OrbitKey = (u8, Option<u32>, usize, Vec<Coordinate>);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Coordinate {
    Plain(usize),
    Of(usize, usize),
}

struct Builder {
    /// For each scalar set of the network its position among those that count.
    position: Vec<Option<usize>>,
    symmetry: Symmetry,
    keys: BTreeMap<OrbitKey, usize>,
}

impl Symmetry {
    /// The symmetry of a network; nothing if it has none.
    pub fn of(model: &Model) -> Option<Self> {
        let scalars = &model.scalars;
        let mut room = u64::MAX;
        let mut sizes = Vec::new();
        let position = scalars.sets.iter().map(|set| {
            let arrangements: u64 =
                (2..=set.size.clamp(1, LARGEST)).map(|one| one as u64).product();
            let fits = set.alike && (2..=LARGEST).contains(&set.size) && room / arrangements > 0;
            fits.then(|| {
                room /= arrangements;
                sizes.push(usize::try_from(set.size).unwrap_or(0));
                sizes.len() - 1
            })
        });
        let position: Vec<Option<usize>> = position.collect();
        let known = scalars.processes.len() == model.processes.len();
        let closed = model.channels.iter().all(|one| one.direction.is_none() && !one.open);
        let plain = model.syncs.is_empty() && model.observing.is_none();
        if sizes.is_empty() || !known || !closed || !plain {
            return None;
        }
        let symmetry = Self {
            sizes,
            processes: Vec::new(),
            slots: Vec::new(),
            clocks: Vec::new(),
            holders: Vec::new(),
            orbits: Vec::new(),
        };
        let mut builder = Builder { position, symmetry, keys: BTreeMap::new() };
        builder.processes(model);
        builder.variables(model);
        builder.clocks(model)?;
        let symmetry = builder.symmetry;
        let whole =
            symmetry.orbits.iter().all(|orbit| orbit.iter().all(|part| *part != usize::MAX));
        (whole && !symmetry.order_matters(model)).then_some(symmetry)
    }

    /// The part of an orbit with these coordinates.
    pub fn part(&self, orbit: usize, coordinates: impl Iterator<Item = (usize, usize)>) -> usize {
        let index = coordinates.fold(0, |index, (set, value)| index * self.sizes[set] + value);
        self.orbits[orbit][index]
    }

    /// Whether receivers of a broadcast that change places may change what is not their own.
    fn order_matters(&self, model: &Model) -> bool {
        self.processes.iter().any(|process| {
            let id = ProcessId::from_index(process.part);
            model.processes[id]
                .edges
                .iter()
                .any(|edge| receives_broadcast(model, edge) && changes_others(model, id, edge))
        })
    }
}

fn receives_broadcast(model: &Model, edge: &Edge) -> bool {
    let Label::Receive(used) = &edge.label else { return false };
    model.channels[used.channel].broadcast
}

fn changes_others(model: &Model, process: ProcessId, edge: &Edge) -> bool {
    let mut reads = Reads::new(model, model.slots.len(), edge.frame);
    for update in &edge.updates {
        match update {
            Update::Data(statement) => reads.statement(statement),
            Update::Clock(update) => {
                if model.clocks[update.clock.clock].owner != Some(process) {
                    return true;
                }
            }
        }
    }
    let own = |slot: u32| {
        model.variables.iter().any(|variable| {
            let end = u64::from(variable.first_slot) + variable.ty.slots();
            let inside = variable.first_slot <= slot && u64::from(slot) < end;
            inside && variable.owner == Some(process)
        })
    };
    let (_, changed) = reads.finish_with_changes();
    changed.iter().any(|one| matches!(one, Read::Slot(slot) if !own(*slot)))
}

impl Builder {
    fn coordinate(&self, set: u32, value: usize) -> Coordinate {
        match self.position[set as usize] {
            Some(position) => Coordinate::Of(position, value),
            None => Coordinate::Plain(value),
        }
    }

    /// The coordinates of a process, with its family.
    fn owner(&self, model: &Model, owner: Option<ProcessId>) -> (Option<u32>, Vec<Coordinate>) {
        let Some(owner) = owner else { return (None, Vec::new()) };
        let (family, values) = &model.scalars.processes[owner.index()];
        let coordinate = |(set, value): &(u32, i64)| {
            self.coordinate(*set, usize::try_from(*value).unwrap_or(usize::MAX))
        };
        (Some(*family), values.iter().map(coordinate).collect())
    }

    /// Adds a part to its orbit; nothing if it has no coordinates.
    fn add(
        &mut self,
        kind: u8,
        (family, number): (Option<u32>, usize),
        path: Vec<Coordinate>,
        part: usize,
    ) -> Option<Interchange> {
        let coordinates = path.iter().filter_map(|one| match one {
            Coordinate::Of(set, value) => Some((*set, *value)),
            Coordinate::Plain(_) => None,
        });
        let coordinates: Vec<(usize, usize)> = coordinates.collect();
        if coordinates.is_empty() {
            return None;
        }
        let blank = |one: Coordinate| match one {
            Coordinate::Of(set, _) => Coordinate::Of(set, 0),
            plain @ Coordinate::Plain(_) => plain,
        };
        let key = (kind, family, number, path.into_iter().map(blank).collect());
        let symmetry = &mut self.symmetry;
        let size: usize = coordinates.iter().map(|(set, _)| symmetry.sizes[*set]).product();
        let orbit = *self.keys.entry(key).or_insert_with(|| {
            symmetry.orbits.push(vec![usize::MAX; size]);
            symmetry.orbits.len() - 1
        });
        let index =
            coordinates.iter().fold(0, |index, (set, value)| index * symmetry.sizes[*set] + value);
        symmetry.orbits[orbit][index] = part;
        Some(Interchange { part, orbit, coordinates })
    }

    fn processes(&mut self, model: &Model) {
        for (id, _) in model.processes.iter_ids() {
            let (family, path) = self.owner(model, Some(id));
            let moved = self.add(0, (family, 0), path, id.index());
            self.symmetry.processes.extend(moved);
        }
    }

    fn variables(&mut self, model: &Model) {
        let mut numbers: BTreeMap<Option<ProcessId>, usize> = BTreeMap::new();
        for variable in &model.variables {
            let number = numbers.entry(variable.owner).or_default();
            let (family, path) = self.owner(model, variable.owner);
            let mut slot = variable.first_slot as usize;
            self.leaves(&variable.ty, (family, *number), &path, &mut slot);
            *number += 1;
        }
    }

    fn leaves(
        &mut self,
        ty: &Type,
        declared: (Option<u32>, usize),
        path: &[Coordinate],
        slot: &mut usize,
    ) {
        let longer = |one: Coordinate| path.iter().copied().chain([one]).collect::<Vec<_>>();
        match ty {
            Type::Array { element, length, set, .. } => {
                for index in 0..*length as usize {
                    let one = match set {
                        Some(set) => self.coordinate(*set, index),
                        None => Coordinate::Plain(index),
                    };
                    self.leaves(element, declared, &longer(one), slot);
                }
            }
            Type::Record(fields) => {
                for (index, (_, field)) in fields.iter().enumerate() {
                    self.leaves(field, declared, &longer(Coordinate::Plain(index)), slot);
                }
            }
            single => {
                if let Type::Scalar { set, .. } = single
                    && let Some(set) = self.position[*set as usize]
                {
                    self.symmetry.holders.push((*slot, set));
                }
                for part in 0..usize::try_from(single.slots()).unwrap_or(1) {
                    let moved = self.add(1, declared, longer(Coordinate::Plain(part)), *slot);
                    self.symmetry.slots.extend(moved);
                    *slot += 1;
                }
            }
        }
    }

    /// Nothing if there are clocks of unknown origin.
    fn clocks(&mut self, model: &Model) -> Option<()> {
        let mut numbers: BTreeMap<Option<ProcessId>, usize> = BTreeMap::new();
        let mut seen = 0;
        for (first, dimensions) in &model.scalars.clocks {
            let owner = model.clocks.get(*first)?.owner;
            let number = numbers.entry(owner).or_default();
            let (family, path) = self.owner(model, owner);
            let mut paths = vec![path];
            for (set, length) in dimensions {
                let one = |index: u32| match set {
                    Some(set) => self.coordinate(*set, index as usize),
                    None => Coordinate::Plain(index as usize),
                };
                let longer = |path: &Vec<Coordinate>| {
                    (0..*length)
                        .map(|index| path.iter().copied().chain([one(index)]).collect())
                        .collect::<Vec<_>>()
                };
                paths = paths.iter().flat_map(longer).collect();
            }
            for (offset, path) in paths.into_iter().enumerate() {
                let moved = self.add(2, (family, *number), path, first.index() + offset);
                self.symmetry.clocks.extend(moved);
                seen += 1;
            }
            *number += 1;
        }
        (seen == model.clocks.len()).then_some(())
    }
}

/// An arrangement of the values of all sets, and what it does to states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Permutation {
    /// For each set, which value each value becomes.
    values: Vec<Vec<usize>>,
    /// For each process, slot and clock, which one takes its place.
    processes: Vec<usize>,
    slots: Vec<usize>,
    clocks: Vec<usize>,
}

impl Permutation {
    /// The arrangement in which each value of each set becomes the given one.
    pub fn new(model: &Model, symmetry: &Symmetry, values: Vec<Vec<usize>>) -> Self {
        let moved = |parts: &[Interchange], count: usize| {
            let mut source: Vec<usize> = (0..count).collect();
            for Interchange { part, orbit, coordinates } in parts {
                let there = coordinates.iter().map(|(set, value)| (*set, values[*set][*value]));
                source[symmetry.part(*orbit, there)] = *part;
            }
            source
        };
        let processes = moved(&symmetry.processes, model.processes.len());
        let slots = moved(&symmetry.slots, model.slots.len());
        let clocks = moved(&symmetry.clocks, model.clocks.len());
        Self { values, processes, slots, clocks }
    }

    /// The state after the exchange.
    pub fn state(&self, symmetry: &Symmetry, state: &DiscreteState) -> DiscreteState {
        let mut data: Vec<i64> = state.data.to_vec();
        for (slot, set) in &symmetry.holders {
            let value =
                usize::try_from(data[*slot]).ok().and_then(|one| self.values[*set].get(one));
            if let Some(value) = value {
                data[*slot] = i64::try_from(*value).unwrap_or(i64::MAX);
            }
        }
        let mut moved = state.clone();
        for (place, source) in moved.locations.iter_mut().zip(&self.processes) {
            *place = state.locations[*source];
        }
        for (place, source) in moved.data.iter_mut().zip(&self.slots) {
            *place = data[*source];
        }
        moved
    }

    /// For each clock the one whose value it gets.
    pub fn clocks(&self) -> &[usize] {
        &self.clocks
    }

    /// For each set, which value each value becomes.
    pub fn values(&self) -> &[Vec<usize>] {
        &self.values
    }

    /// Which values values become by this exchange after another.
    pub fn after(&self, first: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let both = |(first, then): (&Vec<usize>, &Vec<usize>)| {
            first.iter().map(|one| then[*one]).collect()
        };
        first.iter().zip(&self.values).map(both).collect()
    }
}
