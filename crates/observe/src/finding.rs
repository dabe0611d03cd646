//! What is wrong with an observation, in terms of what was expected when.
//!
//! All times are those of the tester: latencies and jitter are accounted for.

use serde::Serialize;
use tioga_adapters::Fault;
use tioga_base::{Moment, Overflow, Rational};
use tioga_estimate::{End, Expected};
use tioga_testcase::Action;

/// What an observation means that is not as expected.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Finding {
    /// An output that nothing explains.
    Output {
        /// When it was seen.
        at: Moment,
        /// What was seen.
        action: Action,
        /// What is wrong with it.
        deviation: Deviation,
        /// What was expected since the observation before it.
        expected: Vec<ActionWindow>,
        /// By when something should have been seen.
        deadline: Option<Limit>,
    },
    /// Nothing was seen, and that for too long.
    Silence {
        /// Up to when.
        until: Moment,
        /// What was expected since the observation before it.
        expected: Vec<ActionWindow>,
        /// By when something should have been seen.
        deadline: Option<Limit>,
    },
    /// An input was sent that is not specified, so that nothing can be said about what follows.
    Unspecified {
        /// When that became clear.
        at: Moment,
        /// The input; not known if several were under way.
        input: Option<Action>,
        /// The inputs that are specified at that time.
        inputs: Vec<Action>,
    },
    /// Something is wrong with the system.
    Fault {
        /// When.
        at: Moment,
        /// What.
        fault: Fault,
    },
}

/// What is wrong with an output.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Deviation {
    /// It was expected later.
    TooEarly {
        /// By how much, at least and at most.
        by: Moment,
    },
    /// It was expected earlier.
    TooLate {
        /// By how much, at least and at most.
        by: Moment,
    },
    /// The same output was expected with other values only.
    OtherValues,
    /// It was not expected at all.
    Never,
    /// It was expected at this time, but not together with everything before.
    Unexplained,
}

/// A stretch of time in which an output is expected, or an input may be sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ActionWindow {
    /// The output or input.
    pub action: Action,
    /// From when on.
    pub from: Limit,
    /// Until when; nothing if there is no end in sight.
    pub until: Option<Limit>,
}

/// An end of a stretch of time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Limit {
    /// When it is.
    pub at: Rational,
    /// Whether this very moment is outside.
    pub excluded: bool,
}

impl From<End> for Limit {
    fn from((at, excluded): End) -> Self {
        Self { at, excluded }
    }
}

impl From<Expected> for ActionWindow {
    fn from(Expected { action, from, until }: Expected) -> Self {
        Self { action, from: from.into(), until: until.map(Limit::from) }
    }
}

/// What is wrong with an output that was seen at a moment, when these were expected.
pub(crate) fn deviation(
    action: &Action,
    at: Moment,
    expected: &[ActionWindow],
) -> Result<Deviation, Overflow> {
    let mut nearest: Option<(Rational, Deviation)> = None;
    for window in expected.iter().filter(|window| window.action == *action) {
        let found = match distance(at, window)? {
            None => return Ok(Deviation::Unexplained),
            Some(found) => found,
        };
        if nearest.as_ref().is_none_or(|(least, _)| found.0 < *least) {
            nearest = Some(found);
        }
    }
    let other_values = || expected.iter().any(|window| window.action.channel == action.channel);
    Ok(match nearest {
        Some((_, deviation)) => deviation,
        None if other_values() => Deviation::OtherValues,
        None => Deviation::Never,
    })
}

/// How far a moment is from a window; nothing if it may lie within.
fn distance(at: Moment, window: &ActionWindow) -> Result<Option<(Rational, Deviation)>, Overflow> {
    let between = |low: Rational, high: Rational| {
        Moment::between(low, high).expect("a moment has its ends in order")
    };
    if let Some(until) = window.until
        && (at.earliest() > until.at || (at.earliest() == until.at && until.excluded))
    {
        let by = between(at.earliest().sub(until.at)?, at.latest().sub(until.at)?);
        return Ok(Some((by.earliest(), Deviation::TooLate { by })));
    }
    let from = window.from;
    if at.latest() < from.at || (at.latest() == from.at && from.excluded) {
        let by = between(from.at.sub(at.latest())?, from.at.sub(at.earliest())?);
        return Ok(Some((by.earliest(), Deviation::TooEarly { by })));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(channel: &str, values: &[i64]) -> Action {
        Action::new(channel, values)
    }

    fn window(output: Action, from: i64, until: Option<(i64, bool)>) -> ActionWindow {
        let limit = |at, excluded| Limit { at: Rational::integer(at), excluded };
        ActionWindow {
            action: output,
            from: limit(from, false),
            until: until.map(|(at, excluded)| limit(at, excluded)),
        }
    }

    fn found(output: &Action, moment: &str, expected: &[ActionWindow]) -> Deviation {
        deviation(output, moment.parse::<Moment>().unwrap(), expected).unwrap()
    }

    fn by(text: &str) -> Moment {
        text.parse::<Moment>().unwrap()
    }

    #[test]
    fn early_and_late_are_told_by_how_much_at_least_and_at_most() {
        let dim = action("dim", &[]);
        let expected = [window(dim.clone(), 4, Some((5, false)))];
        assert_eq!(found(&dim, "7..8", &expected), Deviation::TooLate { by: by("2..3") });
        assert_eq!(found(&dim, "1..5/2", &expected), Deviation::TooEarly { by: by("3/2..3") });
        assert_eq!(found(&dim, "5..9", &expected), Deviation::Unexplained);
    }

    #[test]
    fn the_nearest_window_counts_and_excluded_ends_are_outside() {
        let dim = action("dim", &[]);
        let expected = [window(dim.clone(), 0, Some((5, true))), window(dim.clone(), 8, None)];
        assert_eq!(found(&dim, "6", &expected), Deviation::TooLate { by: by("1") });
        assert_eq!(found(&dim, "7", &expected), Deviation::TooEarly { by: by("1") });
        assert_eq!(found(&dim, "5", &expected), Deviation::TooLate { by: by("0") });
    }

    #[test]
    fn other_values_are_not_another_output() {
        let expected = [window(action("level", &[3]), 0, None)];
        assert_eq!(found(&action("level", &[2]), "1", &expected), Deviation::OtherValues);
        assert_eq!(found(&action("dim", &[]), "1", &expected), Deviation::Never);
    }
}
