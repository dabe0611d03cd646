//! How late this machine wakes those who sleep, whoever they are.
//!
//! A tester notices its own lateness where its waits end by their deadline, which is seldom; and the
//! system under test, often a process on the same machine, is late without anybody noticing. So while
//! real time is used, one thread for each processor, bound to it, sleeps a millisecond again and
//! again. By how much it oversleeps is what anybody would have been late by on that processor at that
//! time. One that should be awake and is not counts too.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// How long each sleep is meant to be.
const BEAT: Duration = Duration::from_millis(1);

/// Overshoots are rounded up to a multiple of this, so that few different ones have to be kept.
const GRAIN: Duration = Duration::from_micros(10);

/// More processors than this are not watched: the watch would become a load itself.
const WATCHED: usize = 16;

/// Measures until it is dropped.
#[derive(Debug)]
pub(super) struct Heartbeat {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    epoch: Instant,
    stop: AtomicBool,
    pulses: Vec<Pulse>,
}

/// What one thread measured.
#[derive(Debug, Default)]
struct Pulse {
    /// When it should be awake, in nanoseconds since the epoch; zero before its first sleep.
    due: AtomicU64,
    peaks: Mutex<Peaks>,
}

/// The overshoots that were not surpassed later, oldest and largest first.
#[derive(Debug, Default)]
struct Peaks(VecDeque<(Instant, Duration)>);

impl Peaks {
    fn record(&mut self, woken: Instant, overshoot: Duration) {
        let grains = overshoot.as_nanos().div_ceil(GRAIN.as_nanos());
        let overshoot = GRAIN.saturating_mul(u32::try_from(grains).unwrap_or(u32::MAX));
        while self.0.back().is_some_and(|(_, earlier)| *earlier <= overshoot) {
            self.0.pop_back();
        }
        self.0.push_back((woken, overshoot));
    }

    /// The largest of those that ended at this instant or later.
    fn since(&self, since: Instant) -> Duration {
        let first = self.0.partition_point(|(woken, _)| *woken < since);
        self.0.get(first).map_or(Duration::ZERO, |(_, overshoot)| *overshoot)
    }
}

/// All who measure at the same time share the threads.
static RUNNING: Mutex<Weak<Heartbeat>> = Mutex::new(Weak::new());

impl Heartbeat {
    /// The measurement that is under way, or a new one.
    pub fn shared() -> Arc<Self> {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(heartbeat) = running.upgrade() {
            return heartbeat;
        }
        let heartbeat = Arc::new(Self::start());
        *running = Arc::downgrade(&heartbeat);
        heartbeat
    }

    fn start() -> Self {
        let processors = binding::processors();
        let pulses = processors.iter().map(|_| Pulse::default()).collect();
        let (epoch, stop) = (Instant::now(), AtomicBool::new(false));
        let shared = Arc::new(Shared { epoch, stop, pulses });
        for (index, processor) in processors.into_iter().enumerate() {
            let shared = Arc::clone(&shared);
            // Where no thread can be had, fewer processors are watched.
            let _ = Builder::new().name("heartbeat".to_owned()).spawn(move || {
                binding::bind(processor);
                shared.beat(&shared.pulses[index]);
            });
        }
        Self { shared }
    }

    /// By how much somebody overslept at worst, on any processor, in sleeps that ended at this instant
    /// or later, or should have.
    pub fn worst_since(&self, since: Instant) -> Duration {
        let shared = &self.shared;
        let now = shared.nanoseconds(Instant::now());
        let worst = |pulse: &Pulse| {
            let recorded = pulse.peaks.lock().unwrap_or_else(PoisonError::into_inner).since(since);
            let pending = match pulse.due.load(Ordering::Acquire) {
                0 => Duration::ZERO,
                due => Duration::from_nanos(now.saturating_sub(due)),
            };
            recorded.max(pending)
        };
        shared.pulses.iter().map(worst).max().unwrap_or_default()
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Release);
    }
}

impl Shared {
    fn nanoseconds(&self, instant: Instant) -> u64 {
        let passed = instant.saturating_duration_since(self.epoch);
        u64::try_from(passed.as_nanos()).unwrap_or(u64::MAX)
    }

    fn beat(&self, pulse: &Pulse) {
        while !self.stop.load(Ordering::Acquire) {
            let due = Instant::now() + BEAT;
            pulse.due.store(self.nanoseconds(due), Ordering::Release);
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            let woken = Instant::now();
            let mut peaks = pulse.peaks.lock().unwrap_or_else(PoisonError::into_inner);
            peaks.record(woken, woken.saturating_duration_since(due));
        }
    }
}

/// One thread, one processor, where the operating system can be told so.
#[cfg(target_os = "linux")]
mod binding {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    use super::WATCHED;

    /// The processors that may be used.
    pub fn processors() -> Vec<usize> {
        let allowed = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
        let mut processors: Vec<usize> =
            (0..CpuSet::MAX_CPU).filter(|index| allowed.is_set(*index)).take(WATCHED).collect();
        if processors.is_empty() {
            processors.push(0);
        }
        processors
    }

    /// Binds this thread. A thread that cannot be bound measures wherever it is.
    pub fn bind(processor: usize) {
        let mut only = CpuSet::new();
        only.set(processor);
        let _ = sched_setaffinity(None, &only);
    }
}

#[cfg(not(target_os = "linux"))]
mod binding {
    use super::WATCHED;

    /// As many as there are.
    pub fn processors() -> Vec<usize> {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        (0..count.min(WATCHED)).collect()
    }

    /// Threads cannot be bound here.
    pub fn bind(_processor: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_overshoot_since_an_instant_is_kept() {
        let (mut peaks, start) = (Peaks::default(), Instant::now());
        let at = |ms| start + Duration::from_millis(ms);
        for (woken, overshoot) in [(10, 3), (20, 9), (30, 4), (40, 2)] {
            peaks.record(at(woken), Duration::from_millis(overshoot));
        }
        assert_eq!(peaks.0.len(), 3);
        assert_eq!(peaks.since(start), Duration::from_millis(9));
        assert_eq!(peaks.since(at(20)), Duration::from_millis(9));
        assert_eq!(peaks.since(at(21)), Duration::from_millis(4));
        assert_eq!(peaks.since(at(41)), Duration::ZERO);
    }

    #[test]
    fn overshoots_are_rounded_up() {
        let (mut peaks, now) = (Peaks::default(), Instant::now());
        peaks.record(now, Duration::from_nanos(10_001));
        assert_eq!(peaks.since(now), Duration::from_micros(20));
    }

    #[test]
    fn a_beat_that_is_missing_counts() {
        let pulse = Pulse { due: AtomicU64::new(1), peaks: Mutex::default() };
        let epoch = Instant::now();
        let stop = AtomicBool::new(true);
        let shared = Arc::new(Shared { epoch, stop, pulses: vec![pulse] });
        let heartbeat = Heartbeat { shared };
        std::thread::sleep(Duration::from_millis(5));
        assert!(heartbeat.worst_since(Instant::now()) >= Duration::from_millis(4));
    }

    #[test]
    fn threads_are_shared_while_somebody_measures() {
        let (one, other) = (Heartbeat::shared(), Heartbeat::shared());
        assert!(Arc::ptr_eq(&one, &other));
        let start = Instant::now();
        let deadline = start + Duration::from_secs(10);
        // Every sleep ends a little late, so something is measured soon.
        while one.worst_since(start).is_zero() && Instant::now() < deadline {
            std::thread::sleep(BEAT);
        }
        assert!(!one.worst_since(start).is_zero());
    }
}
