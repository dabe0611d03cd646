//! Projection: zones over some of the clocks, for storage where the others do not matter.

use crate::bound::Bound;
use crate::packed::{Cells, PackedZone, is_wide, narrow, widen};
use crate::zone::Zone;

impl Zone {
    /// The packed form of the projection on some clocks, in the order given: what the zone says
    /// about these clocks alone. Part of a closed matrix is closed, so nothing is computed.
    ///
    /// # Panics
    /// If there is no such clock.
    #[must_use]
    pub fn pack_clocks(&self, clocks: &[usize]) -> PackedZone {
        let (m, n) = (clocks.len() + 1, self.dimension);
        assert!(clocks.iter().all(|&clock| 0 < clock && clock < n), "no such clock");
        let row = |i: usize| &self.cells[i * n..][..n];
        let mut cells = Vec::with_capacity(m * m);
        let mut wide = false;
        for i in std::iter::once(0).chain(clocks.iter().copied()) {
            let row = row(i);
            wide |= is_wide(row[0]);
            cells.push(narrow(row[0]));
            for &j in clocks {
                wide |= is_wide(row[j]);
                cells.push(narrow(row[j]));
            }
        }
        if !wide {
            return PackedZone(Cells::Narrow(cells.into_boxed_slice()));
        }
        let rows = || std::iter::once(0).chain(clocks.iter().copied());
        PackedZone(Cells::Wide(rows().flat_map(|i| rows().map(move |j| row(i)[j])).collect()))
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
        match &self.0 {
            Cells::Narrow(cells) => spread(cells, clocks, zone, widen),
            Cells::Wide(cells) => spread(cells, clocks, zone, |bound| bound),
        }
        // A free clock is at least zero, so no clock exceeds it by more than its own value.
        let mut kept = clocks.iter().copied().peekable();
        for free in 1..n {
            if kept.next_if_eq(&free).is_some() {
                continue;
            }
            for row in zone.cells.chunks_exact_mut(n) {
                row[free] = row[0];
            }
            zone.cells[free * n + free] = Bound::LE_ZERO;
        }
    }
}

/// Writes the cells of a projection to their places.
#[inline(always)]
fn spread<C: Copy>(cells: &[C], clocks: &[usize], zone: &mut Zone, bound: impl Fn(C) -> Bound) {
    let n = zone.dimension;
    let rows = std::iter::once(0).chain(clocks.iter().copied());
    for (i, from) in rows.zip(cells.chunks_exact(clocks.len() + 1)) {
        let row = &mut zone.cells[i * n..][..n];
        row[0] = bound(from[0]);
        for (&j, &cell) in clocks.iter().zip(&from[1..]) {
            row[j] = bound(cell);
        }
    }
}
