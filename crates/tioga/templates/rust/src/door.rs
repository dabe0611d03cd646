//! An automatic door. Its caller says what time it is, in ticks, and asks what is due.

/// Ticks per second; halves, thirds, … tenths of a second are whole.
pub const SECOND: i64 = 5040;

/// From the motion to the opening.
const OPENING: i64 = SECOND / 2;
/// From the opening or the last motion to the closing.
const CLOSING: i64 = SECOND * 11 / 2;

#[derive(Default, PartialEq)]
enum State {
    #[default]
    Shut,
    Opening,
    Open,
}

#[derive(Default)]
pub struct Door {
    state: State,
    /// When the door acts next; nothing if it only waits for motion.
    pub due: Option<i64>,
}

impl Door {
    pub fn motion(&mut self, now: i64) {
        if self.state == State::Shut {
            self.state = State::Opening;
            self.due = Some(now + OPENING);
        } else if self.state == State::Open { // count again
            self.due = Some(now + CLOSING); // count again
        }
    }

    /// What the door does when it is due.
    pub fn act(&mut self) -> &'static str {
        if self.state == State::Opening {
            self.state = State::Open;
            self.due = self.due.map(|due| due + CLOSING);
            return "open";
        }
        *self = Self::default();
        "close"
    }
}
