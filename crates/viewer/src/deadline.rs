//! The time limit of a request, and other ways to stop its work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tioga::{Cancel, Effort, StopReason};

const GLANCE: Duration = Duration::from_millis(20);

/// Work with a time limit, as long as this is kept.
#[derive(Debug)]
pub struct Deadline {
    cancel: Cancel,
    over: Arc<AtomicBool>,
}

impl Deadline {
    /// Work that begins now. It also stops if the server does.
    pub fn after(limit: Duration, server: Cancel) -> Self {
        let (cancel, over) = (Cancel::new(), Arc::new(AtomicBool::new(false)));
        let (raised, ended, started) = (cancel.clone(), over.clone(), Instant::now());
        std::thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                if started.elapsed() >= limit {
                    return raised.stop(StopReason::Time);
                }
                if let Some(reason) = server.reason() {
                    return raised.stop(reason);
                }
                std::thread::sleep(GLANCE);
            }
        });
        Self { cancel, over }
    }

    /// The work that may be done.
    pub fn effort(&self) -> Effort<'static> {
        Effort { cancel: self.cancel.clone(), ..Effort::default() }
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}
