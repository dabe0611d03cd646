//! How long a system takes to answer, at a time at which it has nothing else to do.

use std::time::Duration;

use tioga_adapters::{Fault, System};
use tioga_base::Cancel;

/// How long each of so many resets takes, from before it is asked for until it is confirmed. One more
/// comes first and does not count: a system may do something only once. Empty if the system has no
/// reset that could be timed.
pub fn round_trips(
    system: &mut dyn System,
    count: usize,
    cancel: &Cancel,
) -> Result<Vec<Duration>, Fault> {
    let mut trips = Vec::new();
    for number in 0..=count as u64 {
        if cancel.is_cancelled() {
            break;
        }
        system.begin(number)?;
        let Some(time) = system.reset_time() else { break };
        if number > 0 {
            trips.push(time);
        }
    }
    Ok(trips)
}
