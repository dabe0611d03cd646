//! Diagnostics about machines.

use tioga_base::Diagnostic;
use tioga_machines::Error;

/// The diagnostic about a machine, with a remedy if there is one.
pub(super) fn complaint(error: &Error) -> Diagnostic {
    let diagnostic = Diagnostic::global("machine", error.to_string());
    match error {
        Error::Unreachable(_) | Error::Equivalent(_) => {
            diagnostic.help("`--minimise` goes on with the minimal machine")
        }
        Error::Partial { .. } => {
            diagnostic.help("`--method hsi`, `h`, `spy`, `spyh` and `s` allow a partial machine")
        }
        _ => diagnostic,
    }
}
