//! What a document cannot say, and where it is in the network.

use tioga_base::{Diagnostic, Diagnostics};

/// Why something cannot be written.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Refused {
    /// Where it is in the network, innermost first.
    pub places: Vec<String>,
    pub reason: String,
}

pub(super) type Raised<T> = Result<T, Refused>;

impl Refused {
    pub fn new(reason: impl Into<String>) -> Self {
        Self { places: Vec::new(), reason: reason.into() }
    }

    /// The same, in a part of the network.
    pub fn within(mut self, place: &str) -> Self {
        self.places.push(place.to_owned());
        self
    }

    pub fn diagnostics(self) -> Diagnostics {
        let mut diagnostic = Diagnostic::global("inexpressible", self.reason);
        diagnostic.notes.extend(self.places.into_iter().map(|place| format!("in the {place}")));
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        diagnostics
    }
}
