//! When a run of online testing is over, and what it means then.

use tioga_base::Span;
use tioga_testcase::Verdict;

use super::{IDLE, OnlineTester};
use crate::error::Error;

impl OnlineTester<'_> {
    /// Whether the run passes before anything is sent or heard.
    pub fn passes_at_once(&mut self) -> Result<bool, Error> {
        Ok(matches!(self.at_goal()?, Some((Verdict::Pass, _))))
    }

    /// What a run means that conforms so far, if its goal is reached or out of reach in every explanation.
    pub(super) fn at_goal(&mut self) -> Result<Option<(Verdict, String)>, Error> {
        let Some(goal) = self.options.goal else { return Ok(None) };
        if self.estimator.satisfies(goal, Span::default())?.all {
            let reason = "the goal is reached in every explanation".to_owned();
            return Ok(Some((Verdict::Pass, reason)));
        }
        let Some(keep) = self.options.keep else { return Ok(None) };
        if self.estimator.satisfies(keep, Span::default())?.some {
            return Ok(None);
        }
        let reason = "the goal can no longer be reached in any explanation".to_owned();
        Ok(Some((Verdict::Inconclusive, reason)))
    }

    /// Whether the run has lasted long enough, or nothing will happen any more.
    pub(super) fn is_over(&self) -> bool {
        match self.options.lasts {
            Some(end) => self.now >= end || self.actions >= self.options.actions,
            None => self.actions >= self.options.actions || self.idle >= IDLE,
        }
    }

    /// What a run means in which nothing more is done. What was not tried does not pass.
    pub(super) fn ended(&mut self) -> Result<(Verdict, String), Error> {
        if let Some(goal) = self.options.goal {
            let some = self.estimator.satisfies(goal, Span::default())?.some;
            let actions = actions(self.actions);
            let reason = match some {
                true => format!("after {actions}, the goal is reached in some explanations only"),
                false => format!("the goal was not reached in {actions}"),
            };
            return Ok((Verdict::Inconclusive, reason));
        }
        Ok(self.aimless_end())
    }

    /// The same without a goal.
    fn aimless_end(&self) -> (Verdict, String) {
        if self.options.lasts.is_some_and(|end| self.now < end) {
            let reason = format!("the walk was not over after {}", actions(self.actions));
            return (Verdict::Inconclusive, reason);
        }
        let tried = |name: &&str| self.proposals.as_ref().is_some_and(|own| own.was_sent(name));
        let unlisted = self.estimator.board().unlisted_inputs().filter(|name| !tried(name));
        let unlisted: Vec<String> = unlisted.map(|name| format!("`{name}`")).collect();
        if !unlisted.is_empty() {
            let reason = format!("{} was never sent", unlisted.join(", "));
            return (Verdict::Inconclusive, reason);
        }
        // A judge of given inputs does nothing itself.
        let judges = self.options.actions == 0 && self.options.lasts.is_none();
        if self.actions == 0 && !judges {
            return (Verdict::Inconclusive, "nothing was sent or heard".to_owned());
        }
        (Verdict::Pass, format!("everything conformed in {}", actions(self.actions)))
    }
}

/// So many inputs and outputs, in words.
fn actions(count: u64) -> String {
    if count == 1 { "1 action".to_owned() } else { format!("{count} actions") }
}
