//! Timed resets: what a system says they took, without the first.

use std::time::Duration;

use tioga_adapters::{Fault, FaultKind, Heard, System};
use tioga_base::{Cancel, Moment, Rational};
use tioga_execute::round_trips;
use tioga_testcase::Action;

/// A system whose resets take 1 ms, 2 ms, 3 ms and so on, if they can be timed.
struct Resetting {
    resets: u64,
    timed: bool,
    dies_after: u64,
}

impl System for Resetting {
    fn begin(&mut self, _seed: u64) -> Result<(), Fault> {
        self.resets += 1;
        if self.resets > self.dies_after {
            return Err(Fault::new(FaultKind::Crash, "it ended"));
        }
        Ok(())
    }
    fn is_exact(&self) -> bool {
        false
    }
    fn now(&self) -> Moment {
        Moment::START
    }
    fn send(&mut self, _input: &Action) -> Result<Moment, Fault> {
        Ok(Moment::START)
    }
    fn wait(&mut self, _until: Rational, _awaited: &[Action]) -> Result<Heard, Fault> {
        Ok(Heard::Nothing { now: Moment::START })
    }
    fn reset_time(&self) -> Option<Duration> {
        self.timed.then_some(Duration::from_millis(self.resets))
    }
    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

#[test]
fn resets_are_timed_without_the_first() {
    let mut system = Resetting { resets: 0, timed: true, dies_after: 100 };
    let trips = round_trips(&mut system, 3, &Cancel::new()).unwrap();
    assert_eq!(trips, [2, 3, 4].map(Duration::from_millis));
    let mut untimed = Resetting { resets: 0, timed: false, dies_after: 100 };
    assert!(round_trips(&mut untimed, 3, &Cancel::new()).unwrap().is_empty());
    let mut mortal = Resetting { resets: 0, timed: true, dies_after: 2 };
    assert!(round_trips(&mut mortal, 3, &Cancel::new()).is_err());
}
