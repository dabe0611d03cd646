//! What was observed in a run, to be judged again when the machine turns out to have been late.
//!
//! The declared latencies say how long messages take on a machine that runs its processes when they
//! have something to do. When it does not, tester and system are late without being at fault. How late
//! anybody wakes is measured; a process may have to wait as long again in the middle of its work. So
//! before a run fails, it is judged once more as if each message could have taken longer by twice what
//! was measured. What is explained then is no failure.

use tioga_base::{Moment, Overflow, Rational};
use tioga_estimate::{Board, Estimator, Explained, Latency};
use tioga_testcase::{Action, Verdict};

use crate::{Error, readable};

/// Measured lateness is rounded up to this part of a time unit, so that the numbers stay small.
const PARTS: i64 = 16;

/// How often a process waits for the machine until it has answered: when it wakes, and once in the
/// middle of its work.
const WAITS: i64 = 2;

/// Why a run is over in which an input may have arrived when it was not allowed.
pub(crate) fn unspecified(observed: &str) -> String {
    format!("{observed}; an input that arrived when it was not allowed would explain it")
}

/// Something that was observed.
#[derive(Clone)]
pub(crate) enum Observed {
    /// An input was sent.
    Sent(Action, Moment),
    /// An output was heard.
    Heard(Action, Moment),
    /// Nothing was heard until then.
    Quiet(Rational),
}

impl Observed {
    /// Tells an estimator.
    pub fn tell<B: Board>(&self, estimator: &mut Estimator<B>) -> Result<Explained, Error> {
        Ok(match self {
            Self::Sent(action, at) => estimator.sent(action, *at)?,
            Self::Heard(action, at) => estimator.heard(action, *at)?,
            Self::Quiet(until) => estimator.quiet(*until)?,
        })
    }

    /// What happened, in words, given what came of telling it.
    pub fn story(&self, explained: Explained) -> String {
        let silence = |until| format!("the system was silent until {}", readable(until));
        match self {
            Self::Sent(action, at) => {
                format!("the tester sent `{}` at {}", action.channel, readable(*at))
            }
            Self::Heard(_, at) if explained == Explained::Late => silence(*at),
            Self::Heard(action, at) => {
                format!("the system answered `{}` at {}", action.channel, readable(*at))
            }
            Self::Quiet(until) => silence(Moment::exactly(*until)),
        }
    }
}

/// A run so far, and how much lateness its judgement allows for.
pub(crate) struct History {
    observed: Vec<Observed>,
    /// Whether a run may have to be judged again at all.
    keeps: bool,
    declared: Latency,
    late: Rational,
    granted: Rational,
}

impl History {
    /// Nothing was observed yet.
    pub fn new(declared: Latency) -> Self {
        let (late, granted) = (Rational::ZERO, Rational::ZERO);
        Self { observed: Vec::new(), keeps: true, declared, late, granted }
    }

    /// Time is virtual: no machine is late, nothing is judged again, and nothing has to be kept. So
    /// however long a run is, it takes no more memory.
    pub fn keep_nothing(&mut self) {
        self.keeps = false;
        self.observed = Vec::new();
    }

    /// The machine was late by this much.
    pub fn late(&mut self, by: Rational) {
        self.late = self.late.max(by);
    }

    /// The lateness that the judgement allows for, if it is worth a word: it may be why a run is not
    /// conclusive, and a failure despite much of it is a failure all the more.
    pub fn granted(&self, verdict: Verdict) -> Option<Rational> {
        let worth = match verdict {
            Verdict::Pass => false,
            Verdict::Inconclusive => !self.granted.is_zero(),
            Verdict::Fail => self.granted > self.declared.jitter,
        };
        worth.then_some(self.granted)
    }

    /// Something was observed. Only the last of several silences in a row matters.
    pub fn add(&mut self, observed: Observed) {
        if !self.keeps {
            return;
        }
        if let (Some(Observed::Quiet(last)), Observed::Quiet(until)) =
            (self.observed.last_mut(), &observed)
        {
            *last = *until;
        } else {
            self.observed.push(observed);
        }
    }

    /// The latencies to judge the run by once more; nothing if the machine was not later than what
    /// is allowed for already.
    pub fn wider(&mut self) -> Result<Option<Latency>, Overflow> {
        let parts = self.late.mul(Rational::integer(PARTS))?.ceil();
        let late = Rational::new(parts, PARTS)?;
        if late <= self.granted || !self.keeps {
            return Ok(None);
        }
        self.granted = late;
        let longer = late.mul(Rational::integer(WAITS))?;
        Ok(Some(Latency { jitter: self.declared.jitter.add(longer)?, ..self.declared }))
    }

    /// Tells an estimator that knows nothing yet what was observed, up to what it cannot explain.
    /// After each observation that it explains, `then` has a look.
    pub fn replay<B: Board>(
        &self,
        estimator: &mut Estimator<B>,
        mut then: impl FnMut(&mut Estimator<B>) -> Result<(), Error>,
    ) -> Result<Explained, Error> {
        for observed in &self.observed {
            let explained = observed.tell(estimator)?;
            if explained != Explained::Yes {
                return Ok(explained);
            }
            then(estimator)?;
        }
        Ok(Explained::Yes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_virtual_time_nothing_is_kept() {
        let sent = || Observed::Sent(Action::new("a", &[0u8; 0]), Moment::exactly(Rational::ONE));
        let mut history = History::new(Latency::NONE);
        history.add(sent());
        assert_eq!(history.observed.len(), 1);
        history.keep_nothing();
        history.add(sent());
        assert_eq!(history.observed.capacity(), 0);
        // What is not kept cannot be judged again.
        history.late(Rational::ONE);
        assert_eq!(history.wider(), Ok(None));
    }
}
