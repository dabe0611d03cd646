//! Zones for storage: all bounds in two bytes each if they fit, which for usual constants they do.
//!
//! A search compares each new zone with many stored ones. Two bytes per bound halve the memory and
//! let twice as many bounds be compared at once; unlike minimal constraints they allow to compare
//! in both directions without closing anything.

use crate::bound::{Bound, INFINITE};
use crate::extrapolate::LuBounds;
use crate::relation::SetRelation;
use crate::zone::Zone;

/// A zone in a form that takes little space, for comparing, hashing and keeping.
///
/// Equal zones have equal packed forms. The form is narrow, two bytes per bound, if all constants
/// are between −16382 and 16382, and wide, four bytes per bound, otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PackedZone(pub(crate) Cells);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cells {
    /// Packed bounds, the largest value for infinity.
    Narrow(Box<[i16]>),
    Wide(Box<[Bound]>),
}

/// How many bounds are compared at once.
const BLOCK: usize = 8;

/// Whether a bound needs four bytes.
pub(crate) fn is_wide(bound: Bound) -> bool {
    let (least, most) = (i32::from(i16::MIN), i32::from(i16::MAX));
    (bound.0 < least) | ((bound.0 >= most) & (bound.0 < INFINITE))
}

pub(crate) fn narrow(bound: Bound) -> i16 {
    // Bounds beyond the range never get here; the cast only drops sign bits.
    if bound.0 >= INFINITE { i16::MAX } else { bound.0 as i16 }
}

pub(crate) fn widen(narrow: i16) -> Bound {
    if narrow == i16::MAX { Bound::INFINITY } else { Bound(narrow.into()) }
}

impl Zone {
    /// The zone in packed form.
    #[must_use]
    pub fn pack(&self) -> PackedZone {
        // Without an early exit, so that the test becomes vector instructions.
        let fits = !self.cells.iter().fold(false, |any, &bound| any | is_wide(bound));
        PackedZone(if fits {
            Cells::Narrow(self.cells.iter().map(|&bound| narrow(bound)).collect())
        } else {
            Cells::Wide(self.cells.clone())
        })
    }
}

impl PackedZone {
    /// The number of clocks plus one.
    #[must_use]
    pub fn dimension(&self) -> usize {
        match &self.0 {
            Cells::Narrow(cells) => cells.len().isqrt(),
            Cells::Wide(cells) => cells.len().isqrt(),
        }
    }

    /// The zone itself. Nothing needs closing.
    #[must_use]
    pub fn unpack(&self) -> Zone {
        let mut zone = Zone::zero(self.dimension());
        self.unpack_into(&mut zone);
        zone
    }

    /// The zone itself, written over another one without allocating.
    ///
    /// # Panics
    /// If the dimensions differ.
    pub fn unpack_into(&self, zone: &mut Zone) {
        assert_eq!(self.dimension(), zone.dimension(), "zones of different dimensions");
        match &self.0 {
            Cells::Wide(cells) => zone.cells.copy_from_slice(cells),
            Cells::Narrow(cells) => {
                for (bound, &cell) in zone.cells.iter_mut().zip(cells) {
                    *bound = widen(cell);
                }
            }
        }
    }

    /// Whether every point of `other` is in this zone.
    ///
    /// # Panics
    /// If the dimensions differ.
    #[must_use]
    pub fn includes(&self, other: &Self) -> bool {
        if let (Cells::Narrow(own), Cells::Narrow(other)) = (&self.0, &other.0) {
            assert_eq!(own.len(), other.len(), "zones of different dimensions");
            let (own, own_rest) = own.as_chunks::<BLOCK>();
            let (other, other_rest) = other.as_chunks::<BLOCK>();
            return own.iter().zip(other).all(|(own, other)| !some_below(own, other))
                && own_rest.iter().zip(other_rest).all(|(own, other)| own >= other);
        }
        self.unpack().includes(&other.unpack())
    }

    /// Some of the bounds, in a fixed order: those of each clock alone first, then differences. If this zone includes
    /// another one of the same dimension, none is less than that of the other.
    #[must_use]
    pub fn sketch(&self) -> [i16; 16] {
        match &self.0 {
            Cells::Narrow(cells) => sketch(cells, self.dimension(), |cell| cell),
            Cells::Wide(cells) => sketch(cells, self.dimension(), clamped),
        }
    }

    /// How this zone relates to `other`.
    ///
    /// # Panics
    /// If the dimensions differ.
    #[must_use]
    pub fn relation(&self, other: &Self) -> SetRelation {
        match (self.includes(other), other.includes(self)) {
            (true, true) => SetRelation::Equal,
            (true, false) => SetRelation::Superset,
            (false, true) => SetRelation::Subset,
            (false, false) => SetRelation::Incomparable,
        }
    }

    /// Whether `other ⊆ aLU(self)`, see [`Zone::includes_modulo_alu`].
    ///
    /// # Panics
    /// If the dimensions differ.
    #[must_use]
    pub fn includes_modulo_alu(&self, other: &Self, bounds: &LuBounds) -> bool {
        self.includes(other) || self.unpack().includes_modulo_alu(&other.unpack(), bounds)
    }

    /// The bounds, row by row, as in [`Zone::bounds`].
    pub fn bounds(&self) -> impl Iterator<Item = Bound> + '_ {
        let (narrow, wide): (&[i16], &[Bound]) = match &self.0 {
            Cells::Narrow(cells) => (cells, &[]),
            Cells::Wide(cells) => (&[], cells),
        };
        narrow.iter().map(|&cell| widen(cell)).chain(wide.iter().copied())
    }

    /// The number of bytes that the bounds take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.0 {
            Cells::Narrow(cells) => size_of_val(&cells[..]),
            Cells::Wide(cells) => size_of_val(&cells[..]),
        }
    }
}

/// Some cells of a matrix as numbers: those of each clock alone, then differences row by row, as many as there is room for.
#[inline(always)]
fn sketch<C: Copy>(cells: &[C], n: usize, number: impl Fn(C) -> i16) -> [i16; 16] {
    let mut sketch = [0; 16];
    let mut rest = sketch.iter_mut();
    let alone = (1..n).flat_map(|clock| [clock * n, clock]);
    for (cell, place) in alone.zip(rest.by_ref()) {
        *place = number(cells[cell]);
    }
    for row in 1..n {
        for column in (1..n).filter(|column| *column != row) {
            let Some(place) = rest.next() else { return sketch };
            *place = number(cells[row * n + column]);
        }
    }
    sketch
}

/// A bound as a number of two bytes; greater bounds never become less than others.
fn clamped(bound: Bound) -> i16 {
    let most = i32::from(i16::MAX);
    i16::try_from(bound.0.clamp(i32::from(i16::MIN), most)).unwrap_or(i16::MAX)
}

/// Whether a cell of the first block is below the one of the second at the same place.
#[inline(always)]
fn some_below(first: &[i16; BLOCK], second: &[i16; BLOCK]) -> bool {
    let mut below = 0_i16;
    for (first, second) in first.iter().zip(second) {
        below |= -i16::from(first < second);
    }
    below != 0
}
