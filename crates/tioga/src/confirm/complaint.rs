//! Diagnostics about a machine or a configuration.

use tioga_base::{Diagnostic, LimitReached, Span};
use tioga_confirm::Error;

use crate::failure::stopped;
use crate::{Effort, Failure};

/// The diagnostic, with a remedy if there is one.
pub(super) fn complaint(error: Error, effort: &Effort<'_>) -> Failure {
    let message = error.to_string();
    match error {
        Error::Unsupported { span, .. } | Error::Nondeterministic { span, .. }
            if span != Span::default() =>
        {
            Diagnostic::error("confirm", span, message).into()
        }
        Error::Limit(LimitReached::Cancelled) => stopped("synthesis", &effort.cancel),
        Error::Limit(_) => {
            let help = "`--max-states` allows more";
            Failure::limit(Diagnostic::global("limit", message).help(help))
        }
        _ => Diagnostic::global("confirm", message).into(),
    }
}
