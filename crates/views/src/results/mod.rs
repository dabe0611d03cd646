//! Results in words and as JSON, for every front: made last and never read back.

pub mod assumption;
pub mod case;
pub mod certify;
pub mod diagnostics;
pub mod extent;
pub mod obstacle;
pub mod play;
pub mod property;
pub mod reach;
pub mod run;
pub mod shrink;
pub mod solve;
pub mod state;
pub mod strategy;
pub mod survey;

use std::time::Duration;

/// Seconds with three decimals.
pub fn seconds(elapsed: Duration) -> String {
    format!("{}.{:03}", elapsed.as_secs(), elapsed.subsec_millis())
}
