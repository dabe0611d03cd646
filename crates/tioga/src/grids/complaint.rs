//! Diagnostics about grids.

use tioga_base::{Diagnostic, Span};
use tioga_grids::Error;

use crate::Failure;

/// The diagnostic, with a remedy if there is one.
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
