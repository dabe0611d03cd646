//! Discrete states packed into few bytes: one or two for a location, as many as its range needs for
//! a data slot.

use tioga_base::Id;
use tioga_model::{DiscreteState, LocationId, Model};

/// A packed discrete state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PackedState(Box<[u8]>);

impl PackedState {
    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.0.len()
    }
}

/// How the discrete states of one model are packed.
#[derive(Clone, Debug)]
pub struct Codec {
    /// Bytes of each location.
    locations: Box<[u8]>,
    /// The least value and the bytes of each slot.
    slots: Box<[(i64, u8)]>,
    length: usize,
}

impl Codec {
    /// The packing for a model.
    pub fn new(model: &Model) -> Self {
        let locations: Box<[u8]> = model
            .processes
            .iter()
            .map(|process| if process.locations.len() <= 1 << 8 { 1 } else { 4 })
            .collect();
        let slots: Box<[(i64, u8)]> = model
            .slots
            .iter()
            .map(|slot| match slot.range {
                _ if slot.kind == tioga_model::Kind::Bool => (0, 1),
                Some(range) => (range.min, width(range.max.wrapping_sub(range.min) as u64)),
                None => (0, 8),
            })
            .collect();
        let length = locations.iter().map(|width| usize::from(*width)).sum::<usize>()
            + slots.iter().map(|(_, width)| usize::from(*width)).sum::<usize>();
        Self { locations, slots, length }
    }

    /// Packs a state of the model.
    pub fn pack(&self, state: &DiscreteState) -> PackedState {
        let mut bytes = Vec::with_capacity(self.length);
        for (location, width) in state.locations.iter().zip(&self.locations) {
            bytes.extend_from_slice(&location.0.to_le_bytes()[..usize::from(*width)]);
        }
        for (value, (min, width)) in state.data.iter().zip(&self.slots) {
            let offset = value.wrapping_sub(*min);
            bytes.extend_from_slice(&offset.to_le_bytes()[..usize::from(*width)]);
        }
        PackedState(bytes.into_boxed_slice())
    }

    /// Unpacks into an existing state of the model.
    pub fn unpack(&self, packed: &PackedState, state: &mut DiscreteState) {
        let mut bytes = &packed.0[..];
        let mut take = |width: u8| {
            let (first, rest) = bytes.split_at(usize::from(width));
            bytes = rest;
            let mut value = [0u8; 8];
            value[..first.len()].copy_from_slice(first);
            i64::from_le_bytes(value)
        };
        for (location, width) in state.locations.iter_mut().zip(&self.locations) {
            *location = LocationId::from_index(take(*width) as usize);
        }
        for (value, (min, width)) in state.data.iter_mut().zip(&self.slots) {
            *value = take(*width).wrapping_add(*min);
        }
    }
}

/// Bytes that hold every number up to `largest`.
fn width(largest: u64) -> u8 {
    match largest {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xffff_ffff => 4,
        _ => 8,
    }
}
