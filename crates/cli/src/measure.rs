//! Limits of long computations: time, memory and signals, and what is done when they are reached.
//!
//! A limit raises a flag that the work looks at. Work that does not look at it soon enough is ended by force:
//! the promise is a second, and one step of some algorithms may take longer.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{SigSet, Signal};
use tioga_adapters::{adopt_orphans, end_descendants, kill_children};
use tioga_base::{Cancel, StopReason};

use crate::exit::Exit;
use crate::memory::{MemoryLimit, processor_time};

/// What is done about Ctrl-C, SIGTERM and SIGHUP, and when the program is ended by force.
static ENDING: Mutex<Ending> =
    Mutex::new(Ending { flags: Vec::new(), parts: Vec::new(), signals: 0, last_words: None });

struct Ending {
    /// Raised by a signal: a command may have one for each part of its work.
    flags: Vec<(u64, Cancel)>,
    /// Removed if the program ends by force.
    parts: Vec<PathBuf>,
    /// How many signals came.
    signals: u32,
    /// Says why the program ends by force.
    last_words: Option<LastWords>,
}

/// Says why the program ends by force.
type LastWords = Box<dyn FnOnce(StopReason) + Send>;

/// At this signal the program ends, whatever it is doing.
const LAST_SIGNAL: u32 = 2;

/// The exit code of a program that a signal ended, as shells show it for Ctrl-C.
const ENDED_BY_SIGNAL: i32 = 130;

/// How often limits are looked at.
const GLANCE: Duration = Duration::from_millis(10);

/// A limit below this leaves no time at all.
const LEAST: Duration = Duration::from_millis(1);

/// After this long, systems are ended that work waits for, so that it can stop.
const PATIENCE: Duration = Duration::from_millis(400);

/// After this long, and so much work meanwhile, work that was asked to stop is ended by force. A machine
/// with much else to do gives it more time.
const GRACE: Duration = Duration::from_millis(900);
/// The same for work that knows of it: it gives memory back, which takes seconds for gigabytes, and tells its results.
const TO_END: Duration = Duration::from_secs(10);
const WORKED: Duration = Duration::from_millis(600);

fn ending() -> MutexGuard<'static, Ending> {
    ENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets signals stop the work in order, and systems end with it. Where no work can be stopped, and at the
/// second signal, the program ends at once and leaves no unfinished file.
pub fn watch_signals(last_words: impl FnOnce(StopReason) + Send + 'static) {
    ending().last_words = Some(Box::new(last_words));
    adopt_orphans();
    // A file that may not grow any more is an error with a message, as a full disk is.
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
    // `nohup` means that the program shall outlive the terminal.
    if hangup_is_ignored() {
        let _ = SigSet::from(Signal::SIGHUP).thread_block();
    }
    // Without a handler a signal simply ends the program.
    let _ = ctrlc::set_handler(|| {
        let mut ending = ending();
        ending.signals += 1;
        ending.flags.iter().for_each(|(_, flag)| flag.cancel());
        if ending.flags.is_empty() || ending.signals >= LAST_SIGNAL {
            ending.end(ENDED_BY_SIGNAL);
        }
    });
}

impl Ending {
    /// Ends the program, with all that it started, and leaves no unfinished file.
    fn end(&self, code: i32) -> ! {
        for part in &self.parts {
            let _ = std::fs::remove_file(part);
        }
        end_descendants();
        std::process::exit(code)
    }
}

/// Whether SIGHUP was ignored when the program started.
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 != 0)
}

/// Lets a signal that ends the program remove a file.
pub fn remove_when_ended(part: &Path) {
    ending().parts.push(part.to_owned());
}

/// What limits some work.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorkLimits {
    /// How long it may take.
    pub time: Option<Duration>,
    /// How many bytes of memory the program may take meanwhile.
    pub memory: Option<u64>,
}

/// Work that is limited, as long as this is kept.
#[derive(Debug)]
pub struct Limited {
    /// Raised by a signal and when a limit is reached.
    pub cancel: Cancel,
    over: Arc<AtomicBool>,
    number: u64,
}

impl Limited {
    /// Work that begins now, and that signals stop.
    pub fn new(limits: WorkLimits) -> Self {
        let cancel = Cancel::new();
        let mut ending = ending();
        let number = ending.flags.last().map_or(0, |(number, _)| number + 1);
        ending.flags.push((number, cancel.clone()));
        drop(ending);
        // So short a time is over before anything begins, whatever the machine is doing.
        if limits.time.is_some_and(|time| time < LEAST) {
            cancel.stop(StopReason::Time);
        }
        let over = Arc::new(AtomicBool::new(false));
        let guard = Guard {
            cancel: cancel.clone(),
            over: over.clone(),
            started: Instant::now(),
            limits,
            memory: MemoryLimit::of(limits.memory),
        };
        std::thread::spawn(move || guard.watch());
        Self { cancel, over, number }
    }
}

impl Drop for Limited {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        ending().flags.retain(|(number, _)| *number != self.number);
    }
}

/// Looks at the limits of some work.
struct Guard {
    cancel: Cancel,
    over: Arc<AtomicBool>,
    started: Instant,
    limits: WorkLimits,
    memory: MemoryLimit,
}

impl Guard {
    fn watch(self) {
        while !self.over.load(Ordering::Relaxed) {
            if let Some(reason) = self.cancel.reason() {
                return self.insist(reason);
            }
            if self.limits.time.is_some_and(|time| self.started.elapsed() >= time) {
                self.cancel.stop(StopReason::Time);
            } else if self.memory.is_reached() {
                self.cancel.stop(StopReason::Memory);
            } else {
                std::thread::sleep(GLANCE);
            }
        }
    }

    /// Sees to it that work ends that was asked to.
    fn insist(self, reason: StopReason) {
        let (asked, before) = (Instant::now(), processor_time());
        let mut killed = false;
        while !self.over.load(Ordering::Relaxed) {
            let worked = processor_time().zip(before).map(|(now, before)| now - before);
            let grace = if self.cancel.is_heard() { TO_END } else { GRACE };
            let late = asked.elapsed() > grace && worked.is_none_or(|worked| worked > WORKED);
            if late || self.memory.is_exceeded() {
                let mut ending = ending();
                if self.over.load(Ordering::Relaxed) {
                    return;
                }
                if let Some(last_words) = ending.last_words.take() {
                    last_words(reason);
                }
                ending.end(match reason {
                    StopReason::Asked => ENDED_BY_SIGNAL,
                    StopReason::Time | StopReason::Memory => Exit::Unknown.code().into(),
                });
            }
            if !killed && asked.elapsed() > PATIENCE {
                killed = true;
                kill_children();
            }
            std::thread::sleep(GLANCE);
        }
    }
}

/// Raised when the time is up; Ctrl-C ends the program.
pub fn timeout_flag(timeout: Option<Duration>) -> Cancel {
    let cancel = Cancel::new();
    if let Some(time) = timeout {
        let raised = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(time);
            raised.stop(StopReason::Time);
        });
    }
    cancel
}

pub use tioga_views::results::seconds;
