//! Numbers for keys in the order in which they come, by open addressing: the keys in one vector, their
//! positions in another.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

const EMPTY: u32 = u32::MAX;

/// Keys with their numbers.
#[derive(Clone, Debug)]
pub(crate) struct KeyTable {
    keys: Vec<u128>,
    /// A power of two of places; a key is in the first free place after that of its hash.
    places: Vec<u32>,
}

impl KeyTable {
    pub fn new() -> Self {
        Self { keys: Vec::new(), places: vec![EMPTY; 64] }
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn key(&self, number: u32) -> u128 {
        self.keys[number as usize]
    }

    fn place(&self, key: u128) -> usize {
        let mask = self.places.len() - 1;
        let hash = FxBuildHasher.hash_one(key);
        // The upper bits of this hash are the better ones.
        let mut place = usize::try_from(hash >> 20).unwrap_or(usize::MAX) & mask;
        while self.places[place] != EMPTY && self.keys[self.places[place] as usize] != key {
            place = (place + 1) & mask;
        }
        place
    }

    pub fn find(&self, key: u128) -> Option<u32> {
        Some(self.places[self.place(key)]).filter(|number| *number != EMPTY)
    }

    /// The number of a key, which is noted. Nothing if there are too many.
    pub fn number(&mut self, key: u128) -> Option<u32> {
        let place = self.place(key);
        if self.places[place] != EMPTY {
            return Some(self.places[place]);
        }
        let number = u32::try_from(self.keys.len()).ok().filter(|number| *number != EMPTY)?;
        self.places[place] = number;
        self.keys.push(key);
        if self.keys.len() * 2 > self.places.len() {
            self.grow();
        }
        Some(number)
    }

    fn grow(&mut self) {
        self.places = vec![EMPTY; self.places.len() * 2];
        for number in 0..self.keys.len() {
            let place = self.place(self.keys[number]);
            self.places[place] = u32::try_from(number).unwrap_or(EMPTY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_numbered_in_the_order_in_which_they_come() {
        let mut table = KeyTable::new();
        let keys: Vec<u128> = (0..1000u128).map(|n| (n * n * 7919) << (n % 90)).collect();
        let mut known: Vec<u128> = Vec::new();
        for key in keys.iter().chain(&keys) {
            let expected = known.iter().position(|one| one == key).unwrap_or_else(|| {
                known.push(*key);
                known.len() - 1
            });
            assert_eq!(table.number(*key), u32::try_from(expected).ok());
        }
        assert_eq!(table.len(), known.len());
        assert_eq!(table.find(u128::MAX), None);
        assert!(known.iter().all(|key| table.find(*key).is_some_and(|at| table.key(at) == *key)));
    }
}
