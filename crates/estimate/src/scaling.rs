//! Keeping numbers and memory small while observations go on: finer and coarser scales, clocks that
//! have become old, states that are not met any more.

use tioga_base::{Moment, Rational};

use crate::entry::Entry;
use crate::estimator::Estimator;
use crate::frame::{LARGEST, Units, common_multiple, rescaled, rounded};
use crate::node::Nodes;
use crate::{Board, Error};

/// After how many observations a coarser scale is tried.
const NOW_AND_THEN: u32 = 1024;

/// How many discrete states are remembered.
const REMEMBERED: usize = 1 << 12;

impl<B: Board> Estimator<B> {
    /// Remembers which scale recent times need.
    pub(crate) fn note_denominators(&mut self, at: Moment) {
        let (mut needed, count) = self.recent;
        for time in [at.earliest(), at.latest()] {
            needed = common_multiple(needed, time.denominator())
                .filter(|needed| *needed <= self.finest)
                .unwrap_or(self.finest);
        }
        self.recent = (needed, count.saturating_add(1));
    }

    /// Makes the scale fine enough for a moment, as far as that fits.
    pub(crate) fn refine(&mut self, at: Moment) -> Result<(), Error> {
        let old = self.units.scale;
        let mut wanted = Some(old);
        for time in [at.earliest(), at.latest()] {
            let denominator = time.sub(self.units.origin)?.denominator();
            wanted = wanted.and_then(|scale| common_multiple(scale, denominator));
        }
        let room = self.finest / old;
        let scale = match wanted {
            Some(scale) if scale <= self.finest => scale,
            // A scale that the wanted one is a multiple of keeps the denominators of sums small.
            Some(scale) if room > 1 => {
                let parts = (room / 2..=room).rev().find(|parts| scale / old % parts == 0);
                old.saturating_mul(parts.unwrap_or(room))
            }
            _ => old.saturating_mul(room),
        };
        if scale > old {
            self.rescale(scale);
        }
        Ok(())
    }

    /// Returns to a coarser scale if neither the estimate nor recent times need this one.
    pub(crate) fn coarsen_now_and_then(&mut self) -> Result<(), Error> {
        let (needed, count) = self.recent;
        if count < NOW_AND_THEN {
            return Ok(());
        }
        self.recent = (1, 0);
        let wanted = [needed, self.units.origin.denominator()]
            .into_iter()
            .try_fold(self.base, common_multiple)
            .filter(|scale| *scale < self.units.scale && self.units.scale % scale == 0);
        if let Some(scale) = wanted {
            self.rescale(scale);
        }
        Ok(())
    }

    /// Counts in other units from now on, unless some number does not fit.
    fn rescale(&mut self, scale: i64) {
        let scaled = |entry: &Entry| {
            let zone = rescaled(&entry.zone, scale, self.units.scale)?;
            Some(Entry { zone, ..*entry })
        };
        let Some(entries) = self.entries.iter().map(scaled).collect() else { return };
        self.entries = entries;
        self.units = Units { scale, ..self.units };
        self.nodes.clear();
    }

    /// Counts in units so long from now on that a delay takes few enough of them.
    pub(crate) fn make_room(&mut self, delay: Rational) -> Result<(), Error> {
        if delay > Rational::new(LARGEST / 4, self.finest)? {
            let own = self.board.scale();
            let finest = Rational::integer(LARGEST / 4).div(delay.mul(Rational::integer(own))?)?;
            self.finest = own * finest.floor().max(1);
        }
        while self.units.scale > self.finest {
            self.coarsen()?;
        }
        Ok(())
    }

    /// Counts in units that are about four times as long from now on, and in no shorter ones, rounding what is known
    /// outwards: long delays need long steps.
    pub(crate) fn coarsen(&mut self) -> Result<(), Error> {
        let own = self.board.scale();
        let parts = self.units.scale / own;
        if parts <= 1 {
            return Err(Error::Overflow);
        }
        let scale = own * (parts / 4).max(1);
        for entry in &mut self.entries {
            entry.zone = rounded(&entry.zone, scale, self.units.scale).ok_or(Error::Overflow)?;
        }
        self.units = Units { scale, ..self.units };
        (self.base, self.finest) = (own, self.finest.min(scale));
        self.nodes.clear();
        self.note_rounding();
        Ok(())
    }

    /// Makes old clocks younger where clocks are compared with each other, so that nothing else is
    /// forgotten about them.
    ///
    /// If all clocks of a group exceed all others, and zero, by more than every constant, then making
    /// the whole group younger changes the truth of no comparison, now or later, as long as they still
    /// exceed the others by more than every constant.
    pub(crate) fn shorten(&mut self) {
        let Some(constant) = self.board.widest_difference() else { return };
        let factor = self.units.scale / self.board.scale();
        let Ok(gap) = i32::try_from(i64::from(constant).saturating_mul(factor) + 1) else { return };
        let own: Vec<usize> = (1..self.frame.own).collect();
        for entry in &mut self.entries {
            let zone = &mut entry.zone;
            let low = |zone: &tioga_zones::Zone, above: usize, below: usize| {
                zone.bound(below, above).constant().map_or(i32::MIN, |constant| -constant)
            };
            let mut sorted = own.clone();
            sorted.sort_by_key(|clock| low(zone, *clock, 0));
            for first in 0..sorted.len() {
                let (others, group) = sorted.split_at(first);
                let others = others.iter().copied().chain([0]);
                let gaps = others.flat_map(|other| group.iter().map(move |clock| (*clock, other)));
                let least = gaps.map(|(clock, other)| low(zone, clock, other)).min();
                let Some(excess) = least.map(|least| least.saturating_sub(gap)) else { continue };
                if excess > 0 {
                    for clock in group {
                        let moved = zone.assign(*clock, *clock, -excess);
                        debug_assert!(moved.is_ok(), "the group exceeds zero by more");
                    }
                }
            }
        }
    }

    /// Forgets discrete states that are not part of the estimate if there are very many.
    pub(crate) fn tidy(&mut self) {
        if self.nodes.len() <= REMEMBERED {
            return;
        }
        let old = std::mem::replace(&mut self.nodes, Nodes::new());
        for entry in &mut self.entries {
            entry.node = self.nodes.id(old.state(entry.node));
        }
        for sent in &mut self.pending {
            sent.action = self.nodes.action_id(old.action(sent.action));
        }
    }

    /// How fine times are counted at present: in units of one over this.
    pub fn scale(&self) -> Rational {
        Rational::integer(self.units.scale)
    }
}
