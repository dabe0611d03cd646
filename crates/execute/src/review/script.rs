//! The inputs of a run with their times, so that the run can be made again, or a shorter one.

use tioga_base::{Overflow, Rational};
use tioga_testcase::Action;

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
}

/// Inputs and their times.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Script {
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
        let mut script =
            Self { inputs: Vec::new(), end: Rational::ZERO, after: None, listens: false };
        let (mut after, mut last) = (0, Rational::ZERO);
        // An input that was being sent when the run ended has no moment of its own.
        let mut sending = None;
        for event in &record.events {
            match event {
                Event::Sending { action } => sending = Some(action),
                Event::Sent { at, action } => {
                    last = last.max(at.earliest());
                    let after = std::mem::take(&mut after);
                    script.inputs.push(ScriptInput { at: last, action: action.clone(), after });
                    sending = None;
                }
                Event::Heard { .. } => after += 1,
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
            let at = script.end;
            script.inputs.push(ScriptInput { at, action: action.clone(), after });
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
        Self { inputs, end: self.end, after: None, listens: true }
    }

    /// How long after the one before the input at this position is due.
    pub(crate) fn delay(&self, position: usize) -> Result<Rational, Overflow> {
        let before =
            position.checked_sub(1).map_or(Rational::ZERO, |before| self.inputs[before].at);
        self.inputs[position].at.sub(before)
    }

    /// The script with another delay before the input at this position; what follows moves with it.
    pub(crate) fn with_delay(&self, position: usize, delay: Rational) -> Result<Self, Overflow> {
        let change = delay.sub(self.delay(position)?)?;
        let mut script = Self { after: None, ..self.clone() };
        for input in &mut script.inputs[position..] {
            input.at = input.at.add(change)?;
        }
        Ok(script)
    }
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
