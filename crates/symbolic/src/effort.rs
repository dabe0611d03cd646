//! How much work a question about sets of clock values may take.

use tioga_base::Cancel;
use tioga_zones::Federation;

use crate::Error;

/// How many zones a set may consist of before a question is given up.
const MOST_ZONES: u64 = 400;

/// How much may be computed for one question, in bounds of zones that are looked at, about.
pub(crate) struct Effort {
    left: u64,
    cancel: Cancel,
}

impl Effort {
    /// So much, unless cancelled before.
    pub fn new(most: u64, cancel: Cancel) -> Self {
        Self { left: most, cancel }
    }

    /// Accounts for work on a set, which grows faster than the number of its zones.
    pub fn spend(&mut self, set: &Federation) -> Result<(), Error> {
        let (zones, clocks) = (set.len() as u64, set.dimension() as u64);
        let cost = (zones + 1) * (1 + zones / 8) * clocks * clocks;
        let stopped = if zones > MOST_ZONES {
            format!("a set of clock values has more than {MOST_ZONES} parts")
        } else if self.cancel.is_cancelled() {
            "cancelled".to_owned()
        } else if cost > self.left {
            "the sets of clock values take too much work".to_owned()
        } else {
            self.left -= cost;
            return Ok(());
        };
        Err(Error::Unsupported(stopped))
    }
}
