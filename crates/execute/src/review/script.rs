//! The inputs of a run with their times, so that the run can be made again, or a shorter one.

use tioga_base::{Overflow, Rational};
use tioga_testcase::{Action, TestCase};

use crate::journal::event::Event;
use crate::journal::record::RunRecord;

/// An input of a script.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ScriptInput {
    /// When it is due, from the start of the run.
    pub at: Rational,
    /// What is sent.
    pub action: Action,
    /// How many outputs to wait for at most after the input before, as long as they come no later
    /// than this input is due.
    pub after: usize,
    /// How long after the observation before it, the last of these outputs or else the input before.
    pub since: Rational,
}

/// When the inputs of a script are sent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pace {
    /// At the times of the recorded run.
    Fixed,
    /// As long after the observation before as in the recorded run, whenever that comes; and where it may
    /// not be sent then, as soon as it may. So inputs keep their places in a run whose answers come at
    /// other times.
    Following,
}

impl Pace {
    /// The other one.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Fixed => Self::Following,
            Self::Following => Self::Fixed,
        }
    }
}

/// Inputs and their times.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Script {
    /// When the inputs are sent.
    pub pace: Pace,
    /// The inputs, in order of time.
    pub inputs: Vec<ScriptInput>,
    /// How long the run is observed at most.
    pub end: Rational,
    /// How many outputs to wait for after the last input, at the end, if that is known.
    pub after: Option<usize>,
    /// Whether to listen once more at the end after these.
    pub listens: bool,
}

impl Script {
    /// The inputs of a run. Where a moment is not known exactly, its beginning counts.
    pub fn of(record: &RunRecord) -> Self {
        let mut script = Self {
            pace: Pace::Fixed,
            inputs: Vec::new(),
            end: Rational::ZERO,
            after: None,
            listens: false,
        };
        let (mut after, mut last, mut observed) = (0, Rational::ZERO, Rational::ZERO);
        // An input that was being sent when the run ended has no moment of its own.
        let mut sending = None;
        for event in &record.events {
            match event {
                Event::Sending { action } => sending = Some(action),
                Event::Sent { at, action } => {
                    last = last.max(at.earliest());
                    let after = std::mem::take(&mut after);
                    let since = elapsed(observed, last);
                    let action = action.clone();
                    script.inputs.push(ScriptInput { at: last, action, after, since });
                    observed = last;
                    sending = None;
                }
                Event::Heard { at, .. } => {
                    after += 1;
                    observed = observed.max(at.earliest());
                }
                Event::Quiet { .. } | Event::Begin { .. } => {}
                Event::Fault { .. } | Event::End { .. } => {}
            }
            match event {
                Event::Sent { .. } | Event::Heard { .. } => script.listens = false,
                // A fault comes from a system that was asked at that moment.
                Event::Quiet { .. } | Event::Fault { .. } => script.listens = true,
                _ => {}
            }
            if let Some(at) = event.at() {
                script.end = script.end.max(at.latest());
            }
        }
        if let Some(action) = sending {
            let (at, since) = (script.end, elapsed(observed, script.end));
            script.inputs.push(ScriptInput { at, action: action.clone(), after, since });
            after = 0;
        }
        script.after = Some(after);
        script
    }

    /// The script without the inputs at some positions; the others keep their times.
    pub(crate) fn without(&self, leave_out: impl Fn(usize) -> bool) -> Self {
        let mut inputs: Vec<ScriptInput> = Vec::new();
        let mut before = 0;
        for (position, input) in self.inputs.iter().enumerate() {
            if leave_out(position) {
                before += input.after;
            } else {
                let after = input.after + std::mem::take(&mut before);
                inputs.push(ScriptInput { after, ..input.clone() });
            }
        }
        Self { inputs, end: self.end, after: None, listens: true, pace: self.pace }
    }

    /// The script without what the tester did by itself: a model does not know it by name.
    pub(crate) fn without_own_moves(&self, case: &TestCase) -> Self {
        let own = |position: usize| case.is_own_move(&self.inputs[position].action);
        match (0..self.inputs.len()).any(own) {
            true => self.without(own),
            false => self.clone(),
        }
    }

    /// The same inputs at another pace.
    pub(crate) fn at_pace(self, pace: Pace) -> Self {
        // How many outputs follow the last input is known of the recorded run only.
        let after = self.after.filter(|_| pace == Pace::Fixed);
        Self { pace, after, ..self }
    }

    /// How long after the input before the one at this position was sent.
    pub(crate) fn span(&self, position: usize) -> Result<Rational, Overflow> {
        let before =
            position.checked_sub(1).map_or(Rational::ZERO, |before| self.inputs[before].at);
        self.inputs[position].at.sub(before)
    }

    /// How long the run is observed after its last input.
    pub(crate) fn tail(&self) -> Result<Rational, Overflow> {
        let last = self.inputs.last().map_or(Rational::ZERO, |last| last.at);
        Ok(self.end.sub(last)?.max(Rational::ZERO))
    }

    /// The wait before the input at this position: after the input before, or, at a pace that follows
    /// the run, after the observation before.
    pub(crate) fn delay(&self, position: usize) -> Result<Rational, Overflow> {
        match self.pace {
            Pace::Fixed => self.span(position),
            Pace::Following => Ok(self.inputs[position].since),
        }
    }

    /// The script with another delay before the input at this position; what follows moves with it.
    pub(crate) fn with_delay(&self, position: usize, delay: Rational) -> Result<Self, Overflow> {
        let change = delay.sub(self.delay(position)?)?;
        let mut script = Self { after: None, ..self.clone() };
        let since = &mut script.inputs[position].since;
        *since = since.add(change)?.max(Rational::ZERO);
        for input in &mut script.inputs[position..] {
            input.at = input.at.add(change)?;
        }
        Ok(script)
    }
}

/// The time between two moments. Moments of a clock fit, and if they did not, nothing would be waited for.
fn elapsed(from: Rational, until: Rational) -> Rational {
    until.sub(from).unwrap_or(Rational::ZERO).max(Rational::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tioga_base::Moment;

    fn time(value: i64) -> Moment {
        Moment::exactly(Rational::integer(value))
    }

    fn action(channel: &str) -> Action {
        Action { channel: channel.to_owned(), values: Vec::new() }
    }

    fn script() -> Script {
        let events = vec![
            Event::Sent { at: time(1), action: action("a") },
            Event::Heard { at: time(2), action: action("x") },
            Event::Sent { at: time(2), action: action("b") },
            Event::Heard { at: time(3), action: action("y") },
            Event::Sent { at: time(4), action: action("c") },
            Event::Quiet { now: time(9) },
        ];
        Script::of(&RunRecord { run: 0, events })
    }

    fn shape(script: &Script) -> Vec<(i64, &str, usize)> {
        let shape = |one: &ScriptInput| one.at.to_integer().unwrap();
        script
            .inputs
            .iter()
            .map(|one| (shape(one), one.action.channel.as_str(), one.after))
            .collect()
    }

    #[test]
    fn a_script_has_the_inputs_and_lasts_as_long() {
        assert_eq!(shape(&script()), [(1, "a", 0), (2, "b", 1), (4, "c", 1)]);
        assert_eq!(script().end, Rational::integer(9));
        let since = script().inputs.iter().map(|one| one.since).collect::<Vec<_>>();
        assert_eq!(since, [1, 0, 1].map(Rational::integer));
    }

    #[test]
    fn the_pace_says_from_where_a_wait_counts() {
        let following = script().at_pace(Pace::Following);
        assert_eq!((script().delay(2), following.delay(2)), {
            (Ok(Rational::integer(2)), Ok(Rational::ONE))
        });
        let sooner = following.with_delay(2, Rational::ZERO).unwrap();
        assert_eq!(shape(&sooner), [(1, "a", 0), (2, "b", 1), (3, "c", 1)]);
        assert_eq!(sooner.inputs[2].since, Rational::ZERO);
    }

    #[test]
    fn inputs_keep_their_times_when_others_go_and_move_when_waits_change() {
        assert_eq!(shape(&script().without(|one| one == 1)), [(1, "a", 0), (4, "c", 2)]);
        let sooner = script().with_delay(1, Rational::ZERO).unwrap();
        assert_eq!(shape(&sooner), [(1, "a", 0), (1, "b", 1), (3, "c", 1)]);
    }

    #[test]
    fn an_input_that_was_being_sent_counts() {
        let events = vec![Event::Quiet { now: time(2) }, Event::Sending { action: action("a") }];
        assert_eq!(shape(&Script::of(&RunRecord { run: 0, events })), [(2, "a", 0)]);
    }
}
