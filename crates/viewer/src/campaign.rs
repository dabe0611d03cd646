//! The campaign that a page may start: the one that was given when the program started, and no other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use serde_json::{Value, json};
use tioga::Cancel;
use tioga_views::campaign::{CampaignPlan, CampaignState};

use crate::answer::Refused;

/// The campaign, and how far it is.
#[derive(Debug)]
pub struct Campaign {
    plan: Option<CampaignPlan>,
    state: Arc<Mutex<(CampaignState, Cancel)>>,
    /// Held while a run is shrunk.
    shrinking: Mutex<()>,
}

impl Campaign {
    /// A campaign that was not started yet; none if there is no plan.
    pub fn new(plan: Option<CampaignPlan>) -> Self {
        Self { plan, state: Arc::default(), shrinking: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, (CampaignState, Cancel)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What it is, and how far.
    pub fn state(&self) -> Value {
        let shown = self.plan.as_ref().map(|plan| {
            let name = |path: &std::path::Path| {
                path.file_name().map(|name| name.to_string_lossy().into_owned())
            };
            json!({ "suite": name(&plan.suite), "sut": plan.sut, "journal": name(&plan.journal) })
        });
        json!({ "plan": shown, "state": self.lock().0 })
    }

    /// Keeps the system to oneself, for shrinking: a system may not bear two testers.
    pub fn alone(&self) -> Result<MutexGuard<'_, ()>, Refused> {
        if self.is_running() {
            return Err(Refused::new(409, "the campaign is running already"));
        }
        match self.shrinking.try_lock() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(Refused::new(409, "a run is being shrunk already; try again when it is done"))
            }
        }
    }

    /// Starts it, unless it runs already. It goes on if the page is closed.
    pub fn start(&self) -> Result<Value, Refused> {
        let Some(plan) = self.plan.clone() else {
            return Err(Refused::new(
                409,
                "no system under test was given: start the studio with a suite and `--sut`",
            ));
        };
        let _alone = self.alone()?;
        {
            let mut state = self.lock();
            if state.0.running {
                return Err(Refused::new(409, "the campaign is running already"));
            }
            let started = state.0.started + 1;
            *state = (CampaignState { running: true, started, failure: None }, Cancel::new());
        }
        let (state, cancel) = (self.state.clone(), self.lock().1.clone());
        std::thread::spawn(move || {
            let ended = catch_unwind(AssertUnwindSafe(|| plan.run(cancel)));
            let failure = match ended {
                Ok(ended) => ended.err().map(|failure| failure.to_string()),
                Err(_) => Some("an error in tioga itself; please report it".to_owned()),
            };
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            state.0.running = false;
            state.0.failure = failure;
        });
        Ok(self.state())
    }

    /// Stops it; `tioga resume` goes on with its journal.
    pub fn stop(&self) -> Value {
        self.lock().1.cancel();
        self.state()
    }

    /// Whether it is running.
    pub fn is_running(&self) -> bool {
        self.lock().0.running
    }
}
