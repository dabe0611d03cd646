//! What is left of a set of points when zones are taken away: piece by piece, and only as far as it
//! is asked for.
//!
//! [`Federation::subtract`] cuts everything into all its pieces at once, and their number can double
//! with each zone that is taken away. Here one piece is followed at a time, so little is stored. Of the
//! zones that still meet a piece, the one that cuts it into the fewest parts is taken next: a zone that
//! includes the piece ends it, and one that leaves one part makes no choice. A piece that no zone meets is
//! found, and the rest of the work is done only if a further piece is asked for.

use crate::federation::Federation;
use crate::subtract::split;
use crate::zone::Zone;

/// The points of some zones that are in none of some others, found one piece after another.
#[derive(Clone, Debug)]
pub struct Remainder<'z> {
    taken: &'z [Zone],
    /// Pieces to be looked at, each with the zones that may still meet it.
    waiting: Vec<(Zone, Vec<u32>)>,
}

/// What one step of the work showed.
#[derive(Clone, Debug)]
pub enum RemainderStep {
    /// A piece that is left: no zone taken away meets it, nor does any other piece of the same zone.
    Piece(Zone),
    /// Nothing yet.
    More,
    /// No further piece is left.
    End,
}

impl Federation {
    /// The points of this set that are not in `other`, piece by piece.
    #[must_use]
    pub fn remainder<'z>(&self, other: &'z Self) -> Remainder<'z> {
        self.same_dimension(other);
        let all: Vec<u32> = (0..).take(other.zones.len()).collect();
        let waiting = self.zones.iter().rev().map(|zone| (zone.clone(), all.clone())).collect();
        Remainder { taken: &other.zones, waiting }
    }
}

impl Remainder<'_> {
    /// Looks at one piece. The work is about that of one subtraction for each zone that meets it.
    pub fn step(&mut self) -> RemainderStep {
        let Some((piece, mut zones)) = self.waiting.pop() else { return RemainderStep::End };
        zones.retain(|zone| !piece.is_clearly_disjoint(&self.taken[*zone as usize]));
        if zones.iter().any(|zone| self.taken[*zone as usize].includes(&piece)) {
            return RemainderStep::More;
        }
        let mut fewest: Option<(usize, Vec<Zone>)> = None;
        let mut position = 0;
        while position < zones.len() {
            let zone = &self.taken[zones[position] as usize];
            let mut parts = Vec::new();
            split(piece.clone(), zone, &mut parts);
            match &parts[..] {
                [] => return RemainderStep::More,
                // Nothing is cut off: the zone does not meet the piece after all.
                [whole] if *whole == piece => {
                    zones.swap_remove(position);
                    continue;
                }
                _ => {}
            }
            let is_fewer = fewest.as_ref().is_none_or(|(_, best)| parts.len() < best.len());
            if is_fewer {
                let single = parts.len() == 1;
                fewest = Some((position, parts));
                // Fewer are none, and no zone includes the piece.
                if single {
                    break;
                }
            }
            position += 1;
        }
        let Some((chosen, parts)) = fewest else { return RemainderStep::Piece(piece) };
        zones.swap_remove(chosen);
        for part in parts.into_iter().rev() {
            self.waiting.push((part, zones.clone()));
        }
        RemainderStep::More
    }
}

impl Iterator for Remainder<'_> {
    type Item = Zone;

    fn next(&mut self) -> Option<Zone> {
        loop {
            match self.step() {
                RemainderStep::Piece(piece) => return Some(piece),
                RemainderStep::More => {}
                RemainderStep::End => return None,
            }
        }
    }
}
