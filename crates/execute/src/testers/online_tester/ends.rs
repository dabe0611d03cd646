//! When a run of online testing is over, and what it means then.

use tioga_base::{Overflow, Rational, Span};
use tioga_testcase::Verdict;

use super::{IDLE, OnlineTester};
use crate::error::Error;

/// How many of the longest waits are a long silence.
const LONG: i64 = 10;

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
    pub(super) fn is_over(&self) -> Result<bool, Overflow> {
        let done = self.actions >= self.options.actions;
        Ok(match self.options.lasts {
            Some(end) => done || self.now >= end,
            None => done || self.is_idle(IDLE, LONG)?,
        })
    }

    /// Whether the system has not cooperated for so long that something else may be tried.
    pub(super) fn is_impatient(&self) -> Result<bool, Overflow> {
        self.is_idle(IDLE / 2, LONG / 2)
    }

    /// Whether nothing happened for so many waits, and for so many of the longest waits.
    fn is_idle(&self, waits: u32, long: i64) -> Result<bool, Overflow> {
        let silence = self.now.sub(self.last)?;
        Ok(self.idle >= waits
            && silence >= self.options.longest_wait.mul(Rational::integer(long))?)
    }

    /// What a run means in which nothing more is done. What was not tried does not pass.
    pub(super) fn ended(&mut self) -> Result<(Verdict, String), Error> {
        if let Some(goal) = self.options.goal {
            let some = self.estimator.satisfies(goal, Span::default())?.some;
            let done = actions(self.actions);
            let silent = match self.actions < self.options.actions {
                true => ", and nothing came for long",
                false => "",
            };
            let reason = match some {
                true => {
                    format!("after {done}{silent}, the goal is reached in some explanations only")
                }
                false => format!("the goal was not reached in {done}{silent}"),
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
