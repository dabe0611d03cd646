//! What happened between tester and system in one run, as a timed sequence diagram.
//!
//! A [`Sequence`] is what such a diagram shows, taken from the events of a run. It is drawn as text,
//! as SVG, and as source for Mermaid and PlantUML. Moments are written as they are known: `3 s`, or
//! `3..3.5 s` where only bounds are; numbers that are hard to read are rounded outwards.

mod source;
mod svg;
mod text;

pub use source::{mermaid, plantuml};
pub(crate) use svg::{STYLE, drawing};
pub use svg::{element, style, svg};
pub use text::text;

use crate::text::{action_text, one_line};
use tioga_base::{Moment, Times};
use tioga_execute::{Event, Outcome, RunRecord};

/// How many steps of a run a diagram shows by default.
pub const STEPS: usize = 400;

/// What a diagram shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequence {
    /// The name of the test case.
    pub case: String,
    /// The number of the run.
    pub run: u64,
    /// The seed of its choices.
    pub seed: Option<u64>,
    /// What happened, in order.
    pub steps: Vec<Drawn>,
    /// How it ended; nothing if it was interrupted.
    pub end: Option<End>,
    /// How its times are shown.
    pub times: Times,
}

/// Something in a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Drawn {
    /// An input went to the system.
    Input {
        /// When; not known if it was never said that it arrived.
        at: Option<Moment>,
        /// The action with its values.
        what: String,
    },
    /// An output came from the system.
    Output {
        /// When.
        at: Moment,
        /// The action with its values.
        what: String,
    },
    /// Nothing came up to this moment.
    Quiet {
        /// Which moment.
        until: Moment,
    },
    /// Something was wrong with the system.
    Fault {
        /// When.
        at: Moment,
        /// What.
        what: String,
    },
    /// Steps are left out, because there are too many.
    LeftOut {
        /// How many.
        steps: usize,
    },
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// What it means.
    pub outcome: Outcome,
    /// Why.
    pub reason: String,
    /// When.
    pub at: Moment,
}

impl Sequence {
    /// The sequence of a run. Of more than `limit` steps, the first quarter and the last three
    /// quarters of the limit are kept: what led to the verdict stands at the end.
    pub fn new(record: &RunRecord, limit: usize, times: Times) -> Self {
        Self::keeping(record, Kept::new(limit), times)
    }

    /// The sequence of the last steps of a run, so many of them.
    pub fn last(record: &RunRecord, steps: usize, times: Times) -> Self {
        Self::keeping(record, Kept::last(steps), times)
    }

    fn keeping(record: &RunRecord, mut steps: Kept, times: Times) -> Self {
        let mut sequence = Self {
            case: one_line(record.case().unwrap_or("?")),
            run: record.run,
            seed: None,
            steps: Vec::new(),
            end: None,
            times,
        };
        for event in &record.events {
            match event {
                Event::Begin { seed, .. } => sequence.seed = Some(*seed),
                Event::Sending { action } => {
                    steps.push(Drawn::Input { at: None, what: action_text(action) });
                }
                Event::Sent { at, action } => steps.sent(*at, action_text(action)),
                Event::Heard { at, action } => {
                    steps.push(Drawn::Output { at: *at, what: action_text(action) });
                }
                Event::Quiet { now } => steps.quiet(*now),
                Event::Fault { at, fault } => {
                    steps.push(Drawn::Fault { at: *at, what: one_line(&fault.to_string()) });
                }
                Event::End { outcome, reason, at, .. } => {
                    let reason = one_line(reason);
                    sequence.end = Some(End { outcome: *outcome, reason, at: *at });
                }
            }
        }
        sequence.steps = steps.finish();
        sequence
    }

    /// What the run means, in capitals, and why.
    pub fn verdict(&self) -> String {
        match &self.end {
            Some(end) => format!("{}: {}", capitals(end.outcome), end.reason),
            None => "INTERRUPTED: the run has no end".to_owned(),
        }
    }

    /// What stands above a diagram.
    pub fn title(&self) -> String {
        let seed = self.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
        format!("run {} of {}{seed}", self.run, self.case)
    }
}

/// The outcome as a verdict stands in a text.
pub(crate) fn capitals(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "PASS",
        Outcome::Inconclusive => "INCONCLUSIVE",
        Outcome::Fail => "FAIL",
        Outcome::Error => "ERROR",
    }
}

/// The moment of a step as text; `?` if it is not known.
pub(crate) fn moment(step: &Drawn, times: Times) -> String {
    match step {
        Drawn::Input { at, .. } => at.map_or_else(|| "?".to_owned(), |at| times.moment(at)),
        Drawn::Output { at, .. } | Drawn::Fault { at, .. } => times.moment(*at),
        Drawn::Quiet { until } => times.moment(*until),
        Drawn::LeftOut { .. } => "...".to_owned(),
    }
}

/// The first and the last steps of a run, whose middle need not be kept in memory.
struct Kept {
    first: Vec<Drawn>,
    last: std::collections::VecDeque<Drawn>,
    limits: (usize, usize),
    left_out: usize,
}

impl Kept {
    fn new(limit: usize) -> Self {
        let limits = (limit / 4, limit - limit / 4);
        Self { first: Vec::new(), last: std::collections::VecDeque::new(), limits, left_out: 0 }
    }

    fn last(limit: usize) -> Self {
        Self { limits: (0, limit), ..Self::new(0) }
    }

    fn latest(&mut self) -> Option<&mut Drawn> {
        if self.last.is_empty() { self.first.last_mut() } else { self.last.back_mut() }
    }

    fn push(&mut self, step: Drawn) {
        if self.last.is_empty() && self.first.len() < self.limits.0 {
            self.first.push(step);
            return;
        }
        self.last.push_back(step);
        if self.last.len() > self.limits.1 {
            self.last.pop_front();
            self.left_out += 1;
        }
    }

    /// With real time an input is announced before it is sent; both are one step.
    fn sent(&mut self, moment: Moment, sent: String) {
        match self.latest() {
            Some(Drawn::Input { at: at @ None, what }) if *what == sent => *at = Some(moment),
            _ => self.push(Drawn::Input { at: Some(moment), what: sent }),
        }
    }

    /// Quiet after quiet is one longer quiet.
    fn quiet(&mut self, now: Moment) {
        match self.latest() {
            Some(Drawn::Quiet { until }) => *until = now,
            _ => self.push(Drawn::Quiet { until: now }),
        }
    }

    fn finish(self) -> Vec<Drawn> {
        let mut steps = self.first;
        if self.left_out > 0 {
            steps.push(Drawn::LeftOut { steps: self.left_out });
        }
        steps.extend(self.last);
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tioga_base::Rational;
    use tioga_testcase::Action;

    fn at(time: i64) -> Moment {
        Moment::exactly(Rational::integer(time))
    }

    fn named(channel: &str) -> Action {
        Action { channel: channel.to_owned(), values: Vec::new() }
    }

    #[test]
    fn an_announced_input_is_one_step_and_so_is_a_long_silence() {
        let events = vec![
            Event::Sending { action: named("a") },
            Event::Sent { at: at(1), action: named("a") },
            Event::Quiet { now: at(2) },
            Event::Quiet { now: at(3) },
            Event::Sending { action: named("b") },
        ];
        let sequence = Sequence::new(&RunRecord { run: 0, events }, STEPS, Times::default());
        let expected = [
            Drawn::Input { at: Some(at(1)), what: "a".to_owned() },
            Drawn::Quiet { until: at(3) },
            Drawn::Input { at: None, what: "b".to_owned() },
        ];
        assert_eq!(sequence.steps, expected);
    }

    #[test]
    fn of_a_long_run_the_beginning_and_the_end_are_kept() {
        let heard = |time| Event::Heard { at: at(time), action: named("tick") };
        let record = RunRecord { run: 0, events: (0..100).map(heard).collect() };
        let steps = Sequence::new(&record, 8, Times::default()).steps;
        let times: Vec<String> = steps.iter().map(|step| moment(step, Times::default())).collect();
        assert_eq!(times, ["0", "1", "...", "94", "95", "96", "97", "98", "99"]);
        assert_eq!(steps[2], Drawn::LeftOut { steps: 92 });
    }
}
