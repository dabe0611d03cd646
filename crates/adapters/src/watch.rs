//! Notices the scheduling delays of a system and of its tester.
//!
//! For a process of ours the waits of its threads and of the tester are counted exactly
//! ([`run_queue`](crate::run_queue)), and the [`Heartbeat`] only tells when the machine stood still.
//! They are not counted for a system that is not ours, as behind a socket, nor where the operating
//! system does not count. What the heartbeat saw has to do then, as a sample of how every thread fares;
//! a process may be interrupted in the middle of its work as well as be woken late, so a late beat
//! counts twice.

use std::time::{Duration, Instant};

use crate::heartbeat::{Heartbeat, LateBeat, Listener, USUAL};
use crate::run_queue::{Group, OwnThread};

/// How many scheduling delays a process has until it has answered, where that is not counted: when it
/// wakes, and once in the middle of its work.
const WAITS: u32 = 2;

/// Scheduling delays that last so long together between two instants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HostDelay {
    pub from: Instant,
    pub until: Instant,
    pub length: Duration,
}

/// Watches until it is dropped.
#[derive(Debug)]
pub(super) struct Watch {
    system: Option<Group>,
    tester: Option<OwnThread>,
    beats: Listener,
    /// When the delays were asked for last, before that was done.
    looked: Instant,
    noticed: Vec<HostDelay>,
}

impl Watch {
    /// Watches the process group with this number, if there is one.
    pub fn new(group: Option<u32>) -> Self {
        Self {
            system: group.and_then(Group::new),
            tester: OwnThread::new(),
            beats: Listener::new(Heartbeat::shared()),
            looked: Instant::now(),
            noticed: Vec::new(),
        }
    }

    /// Forgets what was noticed, before a run.
    pub fn begin(&mut self) {
        if let Some(system) = &mut self.system {
            system.find_members();
        }
        self.look();
        self.noticed.clear();
    }

    /// Takes note of the delays since the last look.
    pub fn look(&mut self) {
        let from = std::mem::replace(&mut self.looked, Instant::now());
        let tester = self.tester.as_mut().map_or(Duration::ZERO, OwnThread::waited);
        let system = self.system.as_mut().map_or(Duration::ZERO, Group::waited);
        let until = Instant::now();
        self.notice(HostDelay { from, until, length: tester + system });
        let counted = self.system.is_some() && self.tester.is_some();
        for beat in self.beats.news() {
            self.notice(lost(beat, counted));
        }
    }

    fn notice(&mut self, waits: HostDelay) {
        if !waits.length.is_zero() {
            self.noticed.push(waits);
        }
    }

    /// What was noticed since this was asked last.
    pub fn take(&mut self) -> Vec<HostDelay> {
        self.look();
        std::mem::take(&mut self.noticed)
    }

    /// How long tester or system waited since an instant, as far as that was not taken yet.
    pub fn since(&mut self, since: Instant) -> Duration {
        self.look();
        let later = self.noticed.iter().filter(|waits| waits.until > since);
        later.map(|waits| waits.length).sum()
    }

    /// Whether the system has something to do and waits for a processor; as far as that is known it
    /// did nothing since this was asked last.
    pub fn system_is_waiting(&mut self) -> bool {
        self.system.as_mut().is_some_and(Group::is_waiting)
    }
}

/// What a late beat says about others.
fn lost(beat: LateBeat, counted: bool) -> HostDelay {
    let LateBeat { from, until, late, waited } = beat;
    let length = match late.saturating_sub(waited) {
        _ if !counted => late * WAITS,
        rest if rest > USUAL => rest,
        _ => Duration::ZERO,
    };
    HostDelay { from, until, length }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beat_that_waited_for_its_processor_says_nothing_about_those_whose_waits_are_counted() {
        let from = Instant::now();
        let (late, waited) = (Duration::from_millis(5), Duration::from_millis(4));
        let beat = LateBeat { from, until: from + late, late, waited };
        assert_eq!(lost(beat, true).length, Duration::from_millis(1));
        let all = LateBeat { waited: late - USUAL, ..beat };
        assert_eq!(lost(all, true).length, Duration::ZERO);
        assert_eq!(lost(beat, false).length, Duration::from_millis(10));
    }

    #[test]
    fn what_is_taken_is_gone() {
        let mut watch = Watch::new(None);
        let from = Instant::now();
        let length = Duration::from_secs(3600);
        watch.notice(HostDelay { from, until: from + length, length });
        assert!(watch.since(from) >= length);
        assert!(watch.take().iter().any(|waits| waits.length == length));
        assert!(watch.since(from) < length);
    }
}
