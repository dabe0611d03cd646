//! Identifiers as written.

use tioga_base::Span;

/// An identifier and where it stands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Name {
    /// The identifier.
    pub text: String,
    /// Its place.
    pub span: Span,
}

impl Name {
    /// A name at a place.
    pub fn new(text: impl Into<String>, span: Span) -> Self {
        Self { text: text.into(), span }
    }
}
