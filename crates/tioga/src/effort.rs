//! Limits, cancellation and progress of a call.

use std::fmt;
use std::sync::OnceLock;
use std::time::Instant;

use tioga_base::{Cancel, Rational, StopReason};
use tioga_explore::{Limits, SearchOptions, Statistics};

use crate::Failure;
use crate::failure::stopped;

/// The budget of a deterministic view by default, in steps of work.
pub const DEFAULT_VIEW_STEPS: u64 = 500_000;

/// The resources of a deterministic view, the same for every analysis that makes one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ViewOptions {
    /// How many clocks it may have; as few as suffice if `None`.
    pub clocks: Option<usize>,
    /// The greatest constant its clocks may be compared with, in time units of the model.
    pub max_constant: Option<Rational>,
    /// The budget, in steps of work.
    pub max_steps: u64,
}

impl Default for ViewOptions {
    fn default() -> Self {
        Self { clocks: None, max_constant: None, max_steps: DEFAULT_VIEW_STEPS }
    }
}

/// Limits of a call. The default has no limits, uses all cores and reports no progress.
pub struct Effort<'e> {
    /// Stops the work.
    pub cancel: Cancel,
    /// How many threads work; results do not depend on it.
    pub threads: usize,
    /// The memory limit of the process, in bytes.
    pub memory: Option<u64>,
    /// When the work will be stopped, if that is known. Work in several parts plans with it.
    pub deadline: Option<Instant>,
    /// The resources of deterministic views.
    pub view: ViewOptions,
    /// The listener for progress.
    pub progress: Box<dyn FnMut(&Progress) + 'e>,
}

/// The progress of some work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Progress {
    /// A search through symbolic states.
    Search {
        /// How many were visited.
        visited: u64,
        /// How many are kept.
        stored: u64,
        /// How many are still to be visited.
        waiting: u64,
    },
    /// A game being solved.
    Game {
        /// How many discrete states were found.
        states: usize,
        /// How often a rank changed.
        updates: u64,
    },
    /// Work with a known number of parts.
    Part {
        /// How many are done.
        done: usize,
        /// How many there are.
        of: usize,
        /// What they are, such as `test cases made`.
        what: &'static str,
    },
    /// Work with an unknown number of parts.
    Done {
        /// How many are done.
        done: usize,
        /// What they are, such as `mutants judged`.
        what: &'static str,
    },
    /// A failing run being made shorter.
    Shrink {
        /// How many attempts were made.
        attempt: u64,
        /// How many inputs are left.
        inputs: usize,
    },
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search { visited, stored, waiting } => {
                write!(f, "{visited} visited, {stored} stored, {waiting} waiting")
            }
            Self::Game { states, updates } => {
                write!(f, "{states} discrete states, {updates} updates")
            }
            Self::Part { done, of, what } => write!(f, "{done} of {of} {what}"),
            Self::Done { done, what } => write!(f, "{done} {what}"),
            Self::Shrink { attempt, inputs } => {
                write!(f, "attempt {attempt}, {inputs} inputs left")
            }
        }
    }
}

impl Default for Effort<'_> {
    fn default() -> Self {
        Self {
            cancel: Cancel::new(),
            threads: cores(),
            memory: None,
            deadline: None,
            view: ViewOptions::default(),
            progress: Box::new(|_| ()),
        }
    }
}

impl fmt::Debug for Effort<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cancel, threads, memory, view, .. } = self;
        let mut shown = f.debug_struct("Effort");
        shown.field("cancel", cancel).field("threads", threads).field("memory", memory);
        shown.field("view", view).finish()
    }
}

impl Effort<'_> {
    /// Reports that some of a known number are done.
    pub fn part(&mut self, done: usize, of: usize, what: &'static str) {
        (self.progress)(&Progress::Part { done, of, what });
    }

    /// Reports that some are done.
    pub fn done(&mut self, done: usize, what: &'static str) {
        (self.progress)(&Progress::Done { done, what });
    }

    /// Reports the progress of a search.
    pub fn search(&mut self, statistics: &Statistics) {
        let Statistics { visited, stored, waiting, .. } = *statistics;
        (self.progress)(&Progress::Search { visited, stored, waiting });
    }

    /// A search with these limits and a limit on visited states.
    pub fn options(&self, visited: Option<u64>) -> SearchOptions {
        let bytes = self.memory.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        let limits = Limits { visited, bytes, cancel: self.cancel.clone() };
        SearchOptions { threads: self.threads, limits, ..SearchOptions::default() }
    }

    /// Stops the work if the process exceeds its memory limit. Call it regularly.
    pub fn keep_within_memory(&self) {
        self.stop_if_too_large();
    }

    /// Whether the work may continue.
    ///
    /// # Errors
    /// If it was stopped: why.
    pub fn check(&self, what: &str) -> Result<(), Failure> {
        if self.cancel.is_cancelled() { Err(stopped(what, &self.cancel)) } else { Ok(()) }
    }

    /// When this percentage of the time that is left will be over, if there is a deadline.
    pub(crate) fn part_of_time(&self, percent: u32) -> Option<Instant> {
        let now = Instant::now();
        let left = self.deadline?.saturating_duration_since(now);
        Some(now + left * percent / 100)
    }

    /// Whether the process exceeds its memory limit.
    pub(crate) fn is_too_large(&self) -> bool {
        self.memory.is_some_and(|most| peak_bytes().is_some_and(|bytes| bytes > most))
    }

    /// Stops the work if the process exceeds its memory limit. Call it regularly.
    pub(crate) fn stop_if_too_large(&self) {
        if self.is_too_large() {
            self.cancel.stop(StopReason::Memory);
        }
    }
}

/// Whether an instant is over; never if there is none.
pub(crate) fn is_over(until: Option<Instant>) -> bool {
    until.is_some_and(|until| Instant::now() >= until)
}

/// How many cores there are.
pub fn cores() -> usize {
    // The operating system reads files to answer, and many small efforts ask.
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
}

/// The peak memory of this process, if the operating system reports it.
pub fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
