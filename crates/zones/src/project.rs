//! Projection: zones over some of the clocks, for storage where the others do not matter.

use crate::bound::Bound;
use crate::packed::PackedZone;
use crate::zone::Zone;

impl Zone {
    /// The packed form of the projection on some clocks, in the order given: what the zone says
    /// about these clocks alone. Part of a closed matrix is closed, so nothing is computed.
    ///
    /// # Panics
    /// If there is no such clock.
    #[must_use]
    pub fn pack_clocks(&self, clocks: &[usize]) -> PackedZone {
        let n = self.dimension;
        assert!(clocks.iter().all(|&clock| 0 < clock && clock < n), "no such clock");
        let rows = || std::iter::once(0).chain(clocks.iter().copied());
        PackedZone::from_cells((clocks.len() + 1) * (clocks.len() + 1), || {
            rows().flat_map(|i| rows().map(move |j| self.cells[i * n + j]))
        })
    }
}

impl PackedZone {
    /// Writes over a zone the set whose projection on the given clocks this is, with all other
    /// clocks free: the reverse of [`Zone::pack_clocks`] as far as those clocks are concerned.
    ///
    /// # Panics
    /// If the number of clocks is not that of this zone, if one of them is not a clock of the other,
    /// or if they are not ascending.
    pub fn unpack_clocks_into(&self, clocks: &[usize], zone: &mut Zone) {
        let (m, n) = (clocks.len() + 1, zone.dimension);
        assert_eq!(self.dimension(), m, "as many clocks as were packed");
        assert!(clocks.is_sorted_by(|a, b| a < b), "clocks are ascending");
        assert!(clocks.iter().all(|&clock| 0 < clock && clock < n), "no such clock");
        zone.cells.fill(Bound::INFINITY);
        let rows = || std::iter::once(0).chain(clocks.iter().copied());
        let mut bounds = self.bounds();
        for i in rows() {
            for j in rows() {
                zone.cells[i * n + j] = bounds.next().expect("a square of bounds");
            }
        }
        // A free clock is at least zero, so no clock exceeds it by more than its own value.
        let mut kept = clocks.iter().copied().peekable();
        for free in 1..n {
            if kept.next_if_eq(&free).is_some() {
                continue;
            }
            for i in 0..n {
                zone.cells[i * n + free] = zone.cells[i * n];
            }
            zone.cells[free * n + free] = Bound::LE_ZERO;
        }
    }
}
