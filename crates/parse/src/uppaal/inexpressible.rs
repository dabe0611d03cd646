//! What the language of UPPAAL has no words for.

use tioga_base::{Diagnostic, Span};

/// An error about something UPPAAL has no counterpart for.
pub(super) fn inexpressible(span: Span, what: &str) -> Diagnostic {
    let message = format!("{what} cannot be expressed in UPPAAL's language");
    Diagnostic::error("inexpressible", span, message)
}
