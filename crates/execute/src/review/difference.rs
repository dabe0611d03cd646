//! Where two runs differ first.

use tioga_base::Times;

use crate::journal::event::Event;

/// The first thing that was not the same in both runs. One of them may have ended before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What happened in the recorded run.
    pub recorded: Option<Event>,
    /// What happened now.
    pub observed: Option<Event>,
}

/// Where two runs differ first in their inputs and outputs. Times count only if they are known
/// exactly in both, because no clock shows the same twice.
pub fn first_difference(recorded: &[Event], observed: &[Event]) -> Option<Difference> {
    let actions = |events: &[Event]| -> Vec<Event> {
        let seen = |event: &&Event| matches!(event, Event::Sent { .. } | Event::Heard { .. });
        events.iter().filter(seen).cloned().collect()
    };
    let (recorded, observed) = (actions(recorded), actions(observed));
    let longest = recorded.len().max(observed.len());
    (0..longest)
        .map(|position| (recorded.get(position), observed.get(position)))
        .find(|(one, other)| !one.zip(*other).is_some_and(|(one, other)| same(one, other)))
        .map(|(one, other)| Difference { recorded: one.cloned(), observed: other.cloned() })
}

fn same(one: &Event, other: &Event) -> bool {
    let (at, action, other_at, other_action) = match (one, other) {
        (Event::Sent { at, action }, Event::Sent { at: other_at, action: other }) => {
            (at, action, other_at, other)
        }
        (Event::Heard { at, action }, Event::Heard { at: other_at, action: other }) => {
            (at, action, other_at, other)
        }
        _ => return false,
    };
    action == other_action && (at == other_at || !at.is_exact() || !other_at.is_exact())
}

/// An input or output in words.
fn said(event: &Event, times: Times) -> String {
    match event {
        Event::Sent { at, action } => format!("`{action}` was sent at {}", times.moment(*at)),
        Event::Heard { at, action } => format!("`{action}` was heard at {}", times.moment(*at)),
        _ => "something else happened".to_owned(),
    }
}

impl Difference {
    /// The difference in words, with times shown so.
    pub fn text(&self, times: Times) -> String {
        let nothing = || "nothing more happened".to_owned();
        let said =
            |event: &Option<Event>| event.as_ref().map_or_else(nothing, |event| said(event, times));
        let (recorded, observed) = (said(&self.recorded), said(&self.observed));
        format!("{observed}, while in the recorded run {recorded}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tioga_base::Moment;
    use tioga_testcase::Action;

    fn heard(at: &str, channel: &str) -> Event {
        let action = Action { channel: channel.to_owned(), values: Vec::new() };
        Event::Heard { at: at.parse::<Moment>().unwrap(), action }
    }

    #[test]
    fn silence_and_blurred_times_make_no_difference() {
        let quiet = Event::Quiet { now: "1".parse::<Moment>().unwrap() };
        assert_eq!(first_difference(&[quiet, heard("2", "x")], &[heard("2", "x")]), None);
        assert_eq!(first_difference(&[heard("2..3", "x")], &[heard("4..5", "x")]), None);
    }

    #[test]
    fn the_first_difference_is_said() {
        let said = |one: &[Event], other: &[Event]| {
            first_difference(one, other).unwrap().text(Times::default())
        };
        let (x, y) = (heard("2", "x"), heard("3", "y"));
        assert_eq!(
            said(&[x.clone(), y.clone()], &[x.clone(), heard("4", "y")]),
            "`y` was heard at 4, while in the recorded run `y` was heard at 3"
        );
        assert_eq!(
            said(&[x.clone(), y], &[x]),
            "nothing more happened, while in the recorded run `y` was heard at 3"
        );
    }
}
