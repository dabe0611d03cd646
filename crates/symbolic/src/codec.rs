//! Discrete states packed into few bytes: one or two for a location, as many as its range needs for
//! a data slot.

use tioga_base::Id;
use tioga_model::{DiscreteState, LocationId, Model};

/// How many bytes a packed state may have to be kept without an allocation of its own.
const INLINE: usize = 22;

/// A packed discrete state.
#[derive(Clone, Debug)]
pub struct PackedState(Bytes);

#[derive(Clone, Debug)]
enum Bytes {
    Inline(u8, [u8; INLINE]),
    Boxed(Box<[u8]>),
}

impl PackedState {
    /// Packs bytes that are written in order; `length` says how many there will be.
    fn write(length: usize, fill: impl FnOnce(&mut [u8])) -> Self {
        if length <= INLINE {
            let mut bytes = [0; INLINE];
            fill(&mut bytes[..length]);
            return Self(Bytes::Inline(length as u8, bytes));
        }
        let mut bytes = vec![0; length].into_boxed_slice();
        fill(&mut bytes);
        Self(Bytes::Boxed(bytes))
    }

    /// The same bytes and one more.
    pub(crate) fn with(&self, last: u8) -> Self {
        let bytes = self.as_slice();
        Self::write(bytes.len() + 1, |written| {
            written[..bytes.len()].copy_from_slice(bytes);
            written[bytes.len()] = last;
        })
    }

    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        match &self.0 {
            Bytes::Inline(length, bytes) => &bytes[..usize::from(*length)],
            Bytes::Boxed(bytes) => bytes,
        }
    }
}

impl PartialEq for PackedState {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for PackedState {}

impl std::hash::Hash for PackedState {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
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
        PackedState::write(self.length, |bytes| {
            let mut at = 0;
            let mut put = |value: i64, width: u8| {
                let end = at + usize::from(width);
                bytes[at..end].copy_from_slice(&value.to_le_bytes()[..usize::from(width)]);
                at = end;
            };
            for (location, width) in state.locations.iter().zip(&self.locations) {
                put(i64::from(location.0), *width);
            }
            for (value, (min, width)) in state.data.iter().zip(&self.slots) {
                put(value.wrapping_sub(*min), *width);
            }
        })
    }

    /// Unpacks into an existing state of the model.
    pub fn unpack(&self, packed: &PackedState, state: &mut DiscreteState) {
        let mut bytes = packed.as_slice();
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
