//! Limits and measurements shared by long computations.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use nix::sys::signal::{SigSet, Signal};
use tioga_base::{Cancel, CancelReason};

/// What is done about Ctrl-C, SIGTERM and SIGHUP.
static ON_SIGNAL: Mutex<OnSignal> =
    Mutex::new(OnSignal { flags: Vec::new(), parts: Vec::new(), signals: 0 });

struct OnSignal {
    /// Raised by a signal: a command may have one for each part of its work.
    flags: Vec<Cancel>,
    /// Removed if the program ends by a signal.
    parts: Vec<PathBuf>,
    /// How many signals came.
    signals: u32,
}

/// At this signal the program ends, whatever it is doing.
const LAST_SIGNAL: u32 = 3;

/// The exit code of a program that a signal ended, as shells show it for Ctrl-C.
const ENDED_BY_SIGNAL: i32 = 130;

/// Lets signals stop the work in order, and systems end with it. Where no work can be stopped, and at the
/// third signal, the program ends at once and leaves no unfinished file.
pub fn watch_signals() {
    // `nohup` means that the program shall outlive the terminal.
    if hangup_is_ignored() {
        let _ = SigSet::from(Signal::SIGHUP).thread_block();
    }
    // Without a handler a signal simply ends the program.
    let _ = ctrlc::set_handler(|| {
        let mut on_signal = ON_SIGNAL.lock().unwrap_or_else(PoisonError::into_inner);
        on_signal.signals += 1;
        on_signal.flags.iter().for_each(Cancel::cancel);
        if on_signal.flags.is_empty() || on_signal.signals >= LAST_SIGNAL {
            for part in &on_signal.parts {
                let _ = std::fs::remove_file(part);
            }
            std::process::exit(ENDED_BY_SIGNAL);
        }
    });
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
    ON_SIGNAL.lock().unwrap_or_else(PoisonError::into_inner).parts.push(part.to_owned());
}

/// Raised by Ctrl-C and when the time is up.
pub fn cancel_flag(timeout: Option<u64>) -> Cancel {
    let cancel = timeout_flag(timeout);
    raise_by_key(&cancel);
    cancel
}

/// Lets a signal raise the flag, with all others.
fn raise_by_key(cancel: &Cancel) {
    let mut on_signal = ON_SIGNAL.lock().unwrap_or_else(PoisonError::into_inner);
    on_signal.flags.push(cancel.clone());
}

/// Raised when the time is up; Ctrl-C ends the program.
pub fn timeout_flag(timeout: Option<u64>) -> Cancel {
    let cancel = Cancel::new();
    if let Some(seconds) = timeout {
        cancel_after(&cancel, Duration::from_secs(seconds));
    }
    cancel
}

/// Raises the flag when so much time has passed.
pub fn cancel_after(cancel: &Cancel, time: Duration) {
    // No time at all is up at once, however busy the machine is.
    if time.is_zero() {
        return cancel.cancel_because(CancelReason::Time);
    }
    let cancel = cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(time);
        cancel.cancel_because(CancelReason::Time);
    });
}

/// Seconds with three decimals.
pub fn seconds(elapsed: Duration) -> String {
    format!("{}.{:03}", elapsed.as_secs(), elapsed.subsec_millis())
}
