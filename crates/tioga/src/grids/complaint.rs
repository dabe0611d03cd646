//! What is wrong with a grid, for people.

use tioga_base::{Diagnostic, Span};
use tioga_grids::Error;

use crate::Failure;

/// What is wrong, with a way out where there is one.
pub(crate) fn complaint(error: Error) -> Failure {
    let help = error.help("--bound", "--granularity", "--context-granularity");
    let diagnostic = match &error {
        Error::Unsupported { span, .. } | Error::NotLinear { span, .. }
            if *span != Span::default() =>
        {
            Diagnostic::error("no-grid", *span, error.to_string())
        }
        _ => Diagnostic::global("no-grid", error.to_string()),
    };
    let diagnostic = match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    };
    match error {
        Error::Limit(_) => Failure::limit(Diagnostic { code: "limit", ..diagnostic }),
        _ => diagnostic.into(),
    }
}
