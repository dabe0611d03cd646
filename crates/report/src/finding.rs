//! Findings in words: the observation, the expected alternatives with their times, the states and
//! latencies that explain the part before, and the meaning of a run. All commands use these words.

use std::fmt::Write;

use tioga_base::{Moment, Times};
use tioga_estimate::LatencyBounds;
use tioga_execute::{NeverSent, NeverSentValues, Outcome, RunConclusion};
use tioga_observe::{ActionWindow, Deviation, Estimated, Finding, Limit};
use tioga_testcase::Action;

use crate::text::{action_text, one_line};

/// How many states are shown.
const STATES: usize = 8;

/// An action with its values: `level(3, 1)`.
pub fn called(action: &Action) -> String {
    action_text(action)
}

/// A finding in one sentence, without a full stop.
pub fn sentence(finding: &Finding, times: Times) -> String {
    match finding {
        Finding::Output { at, action, deviation, expected, deadline } => {
            output((*at, action), deviation, expected, *deadline, times)
        }
        Finding::Silence { until, expected, deadline } => {
            let silent = format!("the system was silent until {}", times.moment(*until));
            let due =
                deadline.map(|deadline| format!(", but something was due {}", by(deadline, times)));
            match (due, &expected[..]) {
                (Some(due), []) => format!("{silent}{due}"),
                (Some(due), _) => format!("{silent}{due}: {}", windows(expected, times)),
                (None, _) => format!("{silent}, which the model does not explain"),
            }
        }
        Finding::Unspecified { at, input, inputs } => {
            let what = match input {
                Some(input) => format!("`{}` at {}", called(input), times.moment(*at)),
                None => format!("an input that was under way at {}", times.moment(*at)),
            };
            let instead = match &inputs[..] {
                [] => "no input is specified then".to_owned(),
                inputs => format!("specified then: {}", list(inputs)),
            };
            format!("{what} is not specified, so from here on anything conforms ({instead})")
        }
        Finding::Fault { at, fault } => {
            format!(
                "at {} {}: {}",
                times.moment(*at),
                fault.kind,
                one_line(fault.evidence.trim_end())
            )
        }
    }
}

fn output(
    (at, action): (Moment, &Action),
    deviation: &Deviation,
    expected: &[ActionWindow],
    deadline: Option<Limit>,
    times: Times,
) -> String {
    let amount = |by| amount(by, times);
    let came = format!("`{}` at {}", called(action), times.moment(at));
    let own = |own: fn(&Action, &Action) -> bool| {
        expected.iter().filter(|window| own(&window.action, action)).cloned().collect::<Vec<_>>()
    };
    let when = || {
        let own = own(|one, other| one == other);
        own.iter().map(|one| window(one, times)).collect::<Vec<_>>().join(" or ")
    };
    match deviation {
        Deviation::TooEarly { by } => {
            format!("{came} came {} too early: it was expected {}", amount(*by), when())
        }
        Deviation::TooLate { by } => {
            format!("{came} came {} too late: it was expected {}", amount(*by), when())
        }
        Deviation::OtherValues => {
            let own = own(|one, other| one.channel == other.channel);
            format!("{came} has other values than expected: {}", windows(&own, times))
        }
        Deviation::Never if expected.is_empty() => {
            format!("{came} was not expected here, and neither was any other output")
        }
        Deviation::Never => {
            format!("{came} was not expected here; expected: {}", windows(expected, times))
        }
        Deviation::Unexplained if expected.is_empty() => format!("nothing explains {came}"),
        Deviation::Unexplained => {
            let late = deadline.filter(|deadline| at.earliest() > deadline.at);
            let late = late.map(|deadline| format!("; something was due {}", by(deadline, times)));
            let late = late.unwrap_or_default();
            format!("{came} does not fit what came before, though it was expected {}{late}", when())
        }
    }
}

/// By how much something is early or late. An excluded end is missed by less than anything.
fn amount(by: Moment, times: Times) -> String {
    if by.latest().is_zero() { "just".to_owned() } else { times.moment(by) }
}

/// A stretch of time: `from 4 to 5`, `after 4`, `at 4`.
fn window(window: &ActionWindow, times: Times) -> String {
    let ActionWindow { from, until, .. } = window;
    let start = times.at_least(from.at);
    let begins = if from.excluded { format!("after {start}") } else { format!("from {start}") };
    match until {
        None if from.excluded => begins,
        None => format!("{begins} on"),
        Some(until) if until.at == from.at => format!("at {start}"),
        Some(until) if until.excluded => format!("{begins} and before {}", times.at_most(until.at)),
        Some(until) if from.excluded => format!("{begins} and up to {}", times.at_most(until.at)),
        Some(until) => format!("{begins} to {}", times.at_most(until.at)),
    }
}

/// What is expected when: `` `dim` from 4 to 5 or at 7, `off` from 4 on ``.
pub fn windows(expected: &[ActionWindow], times: Times) -> String {
    each(expected, times).join(", ")
}

/// The same for each output that is expected.
fn each(expected: &[ActionWindow], times: Times) -> Vec<String> {
    let same = |one: &ActionWindow, other: &ActionWindow| one.action == other.action;
    let outputs = expected.chunk_by(same).map(|own| {
        let when: Vec<String> = own.iter().map(|one| window(one, times)).collect();
        format!("`{}` {}", called(&own[0].action), when.join(" or "))
    });
    outputs.collect()
}

/// What would have been right instead: each output with when, and silence with how long.
pub fn expectations(finding: &Finding, times: Times) -> Vec<String> {
    let (expected, deadline) = match finding {
        Finding::Output { expected, deadline, .. }
        | Finding::Silence { expected, deadline, .. } => (expected, deadline),
        Finding::Unspecified { .. } | Finding::Fault { .. } => return Vec::new(),
    };
    let mut texts = each(expected, times);
    texts.push(match deadline {
        None => "silence".to_owned(),
        Some(limit) if limit.excluded => format!("silence before {}", times.at_most(limit.at)),
        Some(limit) => format!("silence until {}", times.at_most(limit.at)),
    });
    texts
}

/// A time that must not be passed: `by 5`, `before 5`.
pub fn by(limit: Limit, times: Times) -> String {
    let word = if limit.excluded { "before" } else { "by" };
    format!("{word} {}", times.at_most(limit.at))
}

/// How many ranges of values that were never sent are named.
const GAPS: usize = 4;

/// Inputs that were never sent: `` `lid`, `level` with 4 to 8191 ``.
pub fn never_sent(inputs: &[NeverSent]) -> String {
    let one = |input: &NeverSent| {
        let several = input.values.iter().any(|values| values.parameter > 0);
        let shown = if input.values.len() > GAPS { GAPS - 1 } else { GAPS };
        let ranges = input.values.iter().take(shown).map(|values| gap(values, several));
        let mut values: Vec<String> = ranges.collect();
        if input.values.len() > GAPS {
            values.push(format!("{} further ranges", input.values.len() - shown));
        }
        let name = one_line(&input.input);
        match values.is_empty() {
            true => format!("`{name}`"),
            false => format!("`{name}` with {}", values.join(" or ")),
        }
    };
    inputs.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Values of a parameter: `3`, `4 to 7`; with its number if there are several.
fn gap(values: &NeverSentValues, several: bool) -> String {
    let NeverSentValues { parameter, from, to } = values;
    let range = if from == to { from.to_string() } else { format!("{from} to {to}") };
    if several { format!("{range} as value {}", parameter + 1) } else { range }
}

/// Actions one after the other.
pub fn list(actions: &[Action]) -> String {
    let names: Vec<String> = actions.iter().map(|action| format!("`{}`", called(action))).collect();
    names.join(", ")
}

/// A state with what is known about its clocks: `L1: x = 0, 0 <= Tp <= 2`; with a unit, `x = 0 s`.
pub fn state(estimated: &Estimated, clock: Times) -> String {
    let mut text = estimated.state.clone();
    let mut separator = ": ";
    for range in &estimated.clocks {
        let less = |limit: &Limit| if limit.excluded { "<" } else { "<=" };
        let (name, from) = (&range.clock, &range.from);
        let low = clock.at_least(from.at);
        let known = match &range.until {
            Some(until) if until.at == from.at && from.at.denominator() <= 1000 => {
                format!("{name} = {low}")
            }
            Some(until) => {
                let high = clock.at_most(until.at);
                format!("{low} {} {name} {} {high}", less(from), less(until))
            }
            // Nothing is known, because it does not matter.
            None if from.at.is_zero() && !from.excluded => continue,
            None => format!("{name} {} {low}", if from.excluded { ">" } else { ">=" }),
        };
        text.push_str(separator);
        text.push_str(&known);
        separator = ", ";
    }
    text
}

/// States, each on a line; of many, the first.
pub fn states(states: &[Estimated], times: Times, indent: &str) -> String {
    let mut text = String::new();
    for one in states.iter().take(STATES) {
        let _ = writeln!(text, "{indent}{}", state(one, times));
    }
    if states.len() > STATES {
        let _ = writeln!(text, "{indent}and {} more", states.len() - STATES);
    }
    text
}

/// The latencies that explain a run: `input 0..1/10, output 1/20`.
pub fn latencies(bounds: &LatencyBounds, times: Times) -> String {
    format!("input {}, output {}", times.moment(bounds.input), times.moment(bounds.output))
}

/// What a run means, in one sentence.
pub fn conclusion(conclusion: &RunConclusion, times: Times) -> String {
    let RunConclusion { outcome, reason, finding, model, .. } = conclusion;
    let reason = one_line(reason.trim_end());
    let by_model = model.as_ref().and_then(|model| model.finding.as_ref());
    match (outcome, finding, by_model) {
        (Some(Outcome::Error), Some(finding @ Finding::Fault { .. }), _) => {
            format!("error: {}", sentence(finding, times))
        }
        (Some(outcome), Some(finding), _) => format!("{outcome}: {}", sentence(finding, times)),
        (None, Some(finding), _) => format!("interrupted, but {}", sentence(finding, times)),
        (Some(outcome), None, Some(finding)) => {
            let sentence = sentence(finding, times);
            format!("{outcome}: {reason}; the model itself does not expect this: {sentence}")
        }
        (Some(Outcome::Pass), None, None) => format!("pass: everything was as expected; {reason}"),
        (Some(outcome), None, None) => format!("{outcome}: {reason}"),
        (None, None, _) => "interrupted: everything up to then was as expected".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tioga_base::Rational;

    fn limit(at: i64, excluded: bool) -> Limit {
        Limit { at: Rational::integer(at), excluded }
    }

    fn dim(from: Limit, until: Option<Limit>) -> ActionWindow {
        ActionWindow {
            action: Action { channel: "dim".to_owned(), values: Vec::new() },
            from,
            until,
        }
    }

    #[test]
    fn windows_say_whether_their_ends_are_meant() {
        let shown = |from, until| window(&dim(from, until), Times::default());
        assert_eq!(shown(limit(4, false), Some(limit(5, false))), "from 4 to 5");
        assert_eq!(shown(limit(4, true), Some(limit(5, false))), "after 4 and up to 5");
        assert_eq!(shown(limit(4, false), Some(limit(5, true))), "from 4 and before 5");
        assert_eq!(shown(limit(4, false), Some(limit(4, false))), "at 4");
        assert_eq!(shown(limit(4, false), None), "from 4 on");
        assert_eq!(shown(limit(4, true), None), "after 4");
    }

    #[test]
    fn what_would_have_been_right_is_listed_with_silence_last() {
        let action = dim(limit(0, false), None).action;
        let expected = vec![
            dim(limit(4, false), Some(limit(5, false))),
            dim(limit(7, false), Some(limit(7, false))),
        ];
        let at = Moment::exactly(Rational::integer(6));
        let deviation = Deviation::Never;
        let deadline = Some(limit(7, false));
        let finding = Finding::Output { at, action, deviation, expected, deadline };
        let listed = ["`dim` from 4 to 5 or at 7", "silence until 7"];
        assert_eq!(expectations(&finding, Times::default()), listed);
        let silence = Finding::Silence { until: at, expected: Vec::new(), deadline: None };
        assert_eq!(expectations(&silence, Times::default()), ["silence"]);
    }

    #[test]
    fn how_much_too_late_is_said() {
        let action = dim(limit(0, false), None).action;
        let expected = vec![dim(limit(4, false), Some(limit(5, false)))];
        let at = Moment::between(Rational::integer(7), Rational::integer(8)).unwrap();
        let by = Moment::between(Rational::integer(2), Rational::integer(3)).unwrap();
        let deviation = Deviation::TooLate { by };
        let finding = Finding::Output { at, action, deviation, expected, deadline: None };
        let said = "`dim` at 7..8 came 2..3 too late: it was expected from 4 to 5";
        assert_eq!(sentence(&finding, Times::default()), said);
    }
}
