//! The scheduling delay of threads that sleep, as a sample of how late this machine wakes any thread.
//!
//! A machine may stand still without a thread that waits for a processor, for instance a virtual one
//! whose host does something else; and for a system that is no process of ours it is not counted how
//! long it waits. So while real time is used, one thread for each processor, bound to it, sleeps a
//! millisecond again and again, and notes when it overslept: from when it fell asleep to when it woke,
//! the processor may have been of no use to any thread. Of each such beat it is also known how long the
//! thread itself waited for the processor, if that is counted ([`OwnThread`]): the rest is time in
//! which the machine stood still.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::Builder;
use std::time::{Duration, Instant};

use crate::run_queue::OwnThread;

/// How long each sleep is meant to be.
const BEAT: Duration = Duration::from_millis(1);

/// Waking always takes a little; less than this is no delay.
pub(super) const USUAL: Duration = Duration::from_micros(250);

/// More processors than this are not watched: the watch would become a load itself.
const WATCHED: usize = 16;

/// How many late beats are remembered for each processor. A listener that asks at least once a second
/// misses none, since there are no more than that in a second.
const REMEMBERED: usize = 1024;

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
    beats: Mutex<Beats>,
}

/// The late beats of a thread, oldest first, and how many were forgotten.
#[derive(Debug, Default)]
struct Beats {
    late: VecDeque<LateBeat>,
    forgotten: u64,
}

/// A sleep that ended late.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LateBeat {
    /// When it began.
    pub from: Instant,
    /// When it ended.
    pub until: Instant,
    /// By how much that was too late.
    pub late: Duration,
    /// For how much of that the thread waited for its processor.
    pub waited: Duration,
}

/// What a listener has heard of a pulse.
#[derive(Clone, Copy, Debug, Default)]
struct Heard {
    /// How many late beats.
    beats: u64,
    /// For the beat that is due at this time, in nanoseconds since the epoch, how late it was known to
    /// be before it came.
    pending: (u64, Duration),
}

/// Asks for late beats.
#[derive(Debug)]
pub(super) struct Listener {
    heartbeat: Arc<Heartbeat>,
    heard: Vec<Heard>,
}

impl Beats {
    fn record(&mut self, beat: LateBeat) {
        if self.late.len() == REMEMBERED {
            self.late.pop_front();
            self.forgotten += 1;
        }
        self.late.push_back(beat);
    }
}

impl Listener {
    /// A listener that hears of all that comes from now on.
    pub fn new(heartbeat: Arc<Heartbeat>) -> Self {
        let heard = vec![Heard::default(); heartbeat.shared.pulses.len()];
        let mut listener = Self { heartbeat, heard };
        listener.news();
        listener
    }

    /// The late beats since this was asked last. A beat that is missing counts as late so far; when it
    /// comes, only what was not yet told is.
    pub fn news(&mut self) -> Vec<LateBeat> {
        let shared = &self.heartbeat.shared;
        let now = Instant::now();
        let mut news = Vec::new();
        for (pulse, heard) in shared.pulses.iter().zip(&mut self.heard) {
            let beats = pulse.beats.lock().unwrap_or_else(PoisonError::into_inner);
            let skipped = heard.beats.saturating_sub(beats.forgotten);
            for beat in beats.late.iter().skip(usize::try_from(skipped).unwrap_or(usize::MAX)) {
                let mut beat = *beat;
                if shared.nanoseconds(beat.from + BEAT) == heard.pending.0 {
                    beat.late = beat.late.saturating_sub(heard.pending.1);
                    beat.waited = beat.waited.min(beat.late);
                }
                news.push(beat);
            }
            heard.beats = beats.forgotten + beats.late.len() as u64;
            let due = pulse.due.load(Ordering::Acquire);
            let late = Duration::from_nanos(shared.nanoseconds(now).saturating_sub(due));
            if due != 0 && late > USUAL {
                let told = if heard.pending.0 == due { heard.pending.1 } else { Duration::ZERO };
                heard.pending = (due, late);
                let from = shared.epoch + Duration::from_nanos(due).saturating_sub(BEAT);
                let late = late.saturating_sub(told);
                news.push(LateBeat { from, until: now, late, waited: Duration::ZERO });
            }
        }
        news
    }
}

/// Simultaneous measurements share the threads.
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
        let mut own = OwnThread::new();
        while !self.stop.load(Ordering::Acquire) {
            let from = Instant::now();
            let due = from + BEAT;
            pulse.due.store(self.nanoseconds(due), Ordering::Release);
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            let until = Instant::now();
            let late = until.saturating_duration_since(due);
            let waited = own.as_mut().map_or(Duration::ZERO, OwnThread::waited).min(late);
            let mut beats = pulse.beats.lock().unwrap_or_else(PoisonError::into_inner);
            if late > USUAL {
                beats.record(LateBeat { from, until, late, waited });
            }
            // It is not missing any more; the holder of the lock sees both or neither.
            pulse.due.store(0, Ordering::Release);
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

    /// A watch over one processor on which no thread runs.
    fn still() -> Arc<Heartbeat> {
        let (epoch, stop) = (Instant::now(), AtomicBool::new(true));
        let shared = Arc::new(Shared { epoch, stop, pulses: vec![Pulse::default()] });
        Arc::new(Heartbeat { shared })
    }

    fn beat(heartbeat: &Heartbeat, from: u64, late: u64) -> LateBeat {
        let from = heartbeat.shared.epoch + Duration::from_millis(from);
        let late = Duration::from_millis(late);
        LateBeat { from, until: from + BEAT + late, late, waited: Duration::ZERO }
    }

    #[test]
    fn each_late_beat_is_told_once_to_each_listener() {
        let heartbeat = still();
        let record = |beat| heartbeat.shared.pulses[0].beats.lock().unwrap().record(beat);
        let mut early = Listener::new(Arc::clone(&heartbeat));
        let (one, other) = (beat(&heartbeat, 10, 3), beat(&heartbeat, 20, 9));
        record(one);
        assert_eq!(early.news(), [one]);
        let mut late = Listener::new(Arc::clone(&heartbeat));
        record(other);
        assert_eq!((early.news(), late.news()), (vec![other], vec![other]));
        for _ in 0..2 * REMEMBERED {
            record(one);
        }
        assert_eq!(early.news().len(), REMEMBERED);
        assert_eq!(early.news(), []);
    }

    #[test]
    fn a_beat_that_is_missing_counts_and_is_not_counted_twice() {
        let heartbeat = still();
        let mut listener = Listener::new(Arc::clone(&heartbeat));
        let shared = &heartbeat.shared;
        let missing = beat(&heartbeat, 1, 600_000);
        shared.pulses[0].due.store(2_000_000, Ordering::Release);
        std::thread::sleep(Duration::from_millis(10));
        let told = listener.news();
        assert_eq!(told.len(), 1);
        assert!(told[0].from == missing.from && told[0].late >= Duration::from_millis(8));
        let again = listener.news();
        assert_eq!(again[0].late, again[0].until - told[0].until, "only what was added");
        shared.pulses[0].due.store(0, Ordering::Release);
        shared.pulses[0].beats.lock().unwrap().record(missing);
        let rest = listener.news();
        assert_eq!(rest[0].late + told[0].late + again[0].late, missing.late);
    }

    #[test]
    fn threads_are_shared_while_one_measures() {
        let (one, other) = (Heartbeat::shared(), Heartbeat::shared());
        assert!(Arc::ptr_eq(&one, &other));
    }
}
