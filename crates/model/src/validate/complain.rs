//! What validation says about a network that breaks its rules.

use tioga_base::{Diagnostic, Diagnostics, Span};

/// An error about a network; most come from a front end and only a programmer sees them.
pub(super) fn complain(
    diagnostics: &mut Diagnostics,
    code: &'static str,
    span: Span,
    message: String,
) {
    diagnostics.push(Diagnostic::error(code, span, message));
}
