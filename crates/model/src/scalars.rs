//! What is known of the scalar sets of a network: which of them it treats alike, and what their values index.

use crate::ClockId;

/// A dimension of an array: the scalar set whose values are its indices, if any, and its length.
type Indices = (Option<u32>, u32);

/// A scalar set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScalarSet {
    /// How many values it has.
    pub size: i64,
    /// Whether the network treats all values alike.
    pub alike: bool,
}

/// The scalar sets of a network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScalarSets {
    /// The sets; types refer to them by position.
    pub sets: Vec<ScalarSet>,
    /// For each process its family and the values that tell it from others of the family, as sets and
    /// values.
    pub processes: Vec<(u32, Vec<(u32, i64)>)>,
    /// The clocks in the order of their declarations: the first of each, and the sets and lengths of its
    /// dimensions.
    pub clocks: Vec<(ClockId, Vec<Indices>)>,
}

impl ScalarSets {
    /// Adds a set.
    pub fn add(&mut self, size: i64) -> u32 {
        let set = u32::try_from(self.sets.len()).expect("fewer than 2^32 types");
        self.sets.push(ScalarSet { size, alike: true });
        set
    }

    /// Notes that the values of a set are told apart.
    pub fn distinguish(&mut self, set: u32) {
        if let Some(set) = self.sets.get_mut(set as usize) {
            set.alike = false;
        }
    }
}
