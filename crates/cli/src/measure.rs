//! Limits and measurements shared by long computations.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tioga_base::Cancel;

/// Raised by Ctrl-C and when the time is up.
pub fn cancel_flag(timeout: Option<u64>) -> Cancel {
    let cancel = timeout_flag(timeout);
    raise_by_key(&cancel);
    cancel
}

/// Lets Ctrl-C raise the flag, with all others: a command may have one for each part of its work.
fn raise_by_key(cancel: &Cancel) {
    static FLAGS: Mutex<Vec<Cancel>> = Mutex::new(Vec::new());
    let mut flags = FLAGS.lock().unwrap_or_else(PoisonError::into_inner);
    flags.push(cancel.clone());
    if flags.len() == 1 {
        // Without a handler Ctrl-C simply ends the program.
        let _ = ctrlc::set_handler(|| {
            FLAGS.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(Cancel::cancel);
        });
    }
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
    let cancel = cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(time);
        cancel.cancel();
    });
}

/// Seconds with three decimals.
pub fn seconds(elapsed: Duration) -> String {
    format!("{}.{:03}", elapsed.as_secs(), elapsed.subsec_millis())
}
