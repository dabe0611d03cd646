//! Limits on long work: a budget of steps and a cancel flag, checked together.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use thiserror::Error;

/// A flag another thread may raise to stop long work. It remembers why.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<Raised>);

#[derive(Default, Debug)]
struct Raised {
    /// Why, or 0.
    reason: AtomicU8,
    /// Whether the work has asked since.
    heard: AtomicBool,
    /// The flag of the work that this is a part of.
    whole: Option<Cancel>,
    /// How often the work may still ask until it is stopped.
    asks: Option<AtomicU64>,
}

/// Why work was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum StopReason {
    /// It was asked to, by Ctrl-C or another signal.
    #[error("interrupted")]
    Asked = 1,
    /// The time limit was reached.
    #[error("the time limit was reached")]
    Time = 2,
    /// The memory limit was reached.
    #[error("the memory limit was reached")]
    Memory = 3,
}

impl Cancel {
    /// Not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// A flag for a part of the work: it is raised with this one, or alone.
    #[must_use]
    pub fn part(&self) -> Self {
        let whole = Some(self.clone());
        Self(Arc::new(Raised { whole, ..Raised::default() }))
    }

    /// A flag that is raised when the work has asked this often. So a test stops it at any moment, and again at the same.
    pub fn after(asks: u64) -> Self {
        Self(Arc::new(Raised { asks: Some(AtomicU64::new(asks)), ..Raised::default() }))
    }

    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.stop(StopReason::Asked);
    }

    /// Asks the work to stop, for a reason. The first reason stays.
    pub fn stop(&self, reason: StopReason) {
        let raised = &self.0.reason;
        let _ = raised.compare_exchange(0, reason as u8, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Whether the work was asked to stop. If so, it has heard of it.
    pub fn is_cancelled(&self) -> bool {
        if let Some(asks) = &self.0.asks
            && asks.fetch_sub(1, Ordering::Relaxed) == 0
        {
            self.stop(StopReason::Time);
        }
        let raised = self.0.reason.load(Ordering::Relaxed) != 0
            || self.0.whole.as_ref().is_some_and(Self::is_cancelled);
        if raised {
            self.0.heard.store(true, Ordering::Relaxed);
        }
        raised
    }

    /// Whether the work knows that it was asked to stop: then it is about to end.
    pub fn is_heard(&self) -> bool {
        self.0.heard.load(Ordering::Relaxed)
    }

    /// Why the work was asked to stop, if it was.
    pub fn reason(&self) -> Option<StopReason> {
        let reasons = [StopReason::Asked, StopReason::Time, StopReason::Memory];
        let raised = self.0.reason.load(Ordering::Relaxed);
        let own = reasons.into_iter().find(|reason| *reason as u8 == raised);
        own.or_else(|| self.0.whole.as_ref().and_then(Self::reason))
    }
}

/// Why work stopped before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum LimitReached {
    /// The budget of steps is used up.
    #[error("stopped after the limit of {0} steps")]
    Steps(u64),
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// How many steps of work may still be done.
#[derive(Clone, Debug)]
pub struct Budget {
    limit: u64,
    used: u64,
    cancel: Cancel,
}

impl Budget {
    /// A budget of this many steps.
    pub fn steps(limit: u64) -> Self {
        Self { limit, used: 0, cancel: Cancel::new() }
    }

    /// The same budget, also stopped by the flag.
    pub fn with_cancel(self, cancel: Cancel) -> Self {
        Self { cancel, ..self }
    }

    /// Accounts for one step of work.
    pub fn step(&mut self) -> Result<(), LimitReached> {
        if self.used >= self.limit {
            return Err(LimitReached::Steps(self.limit));
        }
        self.used += 1;
        // A step may take long, so the flag is looked at in each.
        if self.cancel.is_cancelled() {
            return Err(LimitReached::Cancelled);
        }
        Ok(())
    }

    /// The steps done so far.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// A budget of its own with one of so many equal parts of what is left, stopped by the same
    /// flag. What is used of it is to be [spent](Self::spend) here.
    #[must_use]
    pub fn share(&self, parts: u64) -> Self {
        let left = self.limit.saturating_sub(self.used);
        Self { limit: left / parts.max(1), used: 0, cancel: self.cancel.clone() }
    }

    /// Accounts for steps that were done on a share of this budget.
    pub fn spend(&mut self, steps: u64) {
        self.used = self.used.saturating_add(steps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_part_of_what_is_left() {
        let mut budget = Budget::steps(9);
        assert_eq!(budget.step(), Ok(()));
        let mut share = budget.share(4);
        assert_eq!((share.step(), share.step()), (Ok(()), Ok(())));
        assert_eq!(share.step(), Err(LimitReached::Steps(2)));
        budget.spend(share.used());
        assert_eq!(budget.used(), 3);
        assert_eq!(Budget::steps(1).share(0).step(), Ok(()));
    }

    #[test]
    fn the_first_reason_stays() {
        let cancel = Cancel::new();
        assert_eq!((cancel.is_cancelled(), cancel.reason()), (false, None));
        cancel.stop(StopReason::Memory);
        cancel.cancel();
        assert_eq!((cancel.is_cancelled(), cancel.reason()), (true, Some(StopReason::Memory)));
    }

    #[test]
    fn a_part_is_cancelled_alone_or_with_the_whole() {
        let whole = Cancel::new();
        let (one, other) = (whole.part(), whole.part());
        one.cancel();
        assert_eq!([&one, &other, &whole].map(Cancel::is_cancelled), [true, false, false]);
        whole.stop(StopReason::Time);
        assert!(other.is_cancelled() && whole.is_heard());
        assert_eq!(other.reason(), Some(StopReason::Time));
        assert_eq!(one.reason(), Some(StopReason::Asked));
    }

    #[test]
    fn work_that_asks_has_heard() {
        let cancel = Cancel::new();
        assert!(!cancel.is_cancelled());
        cancel.cancel();
        assert_eq!((cancel.reason(), cancel.is_heard()), (Some(StopReason::Asked), false));
        let work = cancel.clone();
        assert!(work.is_cancelled() && cancel.is_heard());
    }

    #[test]
    fn a_budget_ends_and_a_cancelled_one_ends_sooner() {
        let mut budget = Budget::steps(2);
        assert_eq!(budget.step(), Ok(()));
        assert_eq!(budget.step(), Ok(()));
        assert_eq!(budget.step(), Err(LimitReached::Steps(2)));
        let cancel = Cancel::new();
        cancel.cancel();
        let mut budget = Budget::steps(1 << 20).with_cancel(cancel);
        let stop = std::iter::repeat_with(|| budget.step()).find(Result::is_err);
        assert_eq!(stop, Some(Err(LimitReached::Cancelled)));
    }
}
