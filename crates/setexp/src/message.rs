//! Messages with their values.

use std::fmt;

use tioga_base::Rational;

/// A message with its values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The action.
    pub action: String,
    /// What it carries.
    pub values: Vec<Rational>,
}

/// `ack(7)`
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<_> = self.values.iter().map(ToString::to_string).collect();
        match &values[..] {
            [] => f.write_str(&self.action),
            values => write!(f, "{}({})", self.action, values.join(", ")),
        }
    }
}
