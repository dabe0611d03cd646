//! What the commands that walk through a model share: traces as files, and why a walk ended.

use std::path::Path;

use tioga_base::{Diagnostic, Severity};
use tioga_concrete::{Error, Record, Trace};
use tioga_model::EvalFault;

use crate::exit::{Exit, Stop};
use crate::output::Session;

/// What could not be evaluated is a warning here: the run simply has fewer moves.
pub fn fault_warning(fault: &EvalFault) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, ..fault.diagnostic() }
}

/// Says why something could not be computed. Exact arithmetic at its limits is no mistake of the model;
/// everything else is the model's.
pub fn failed(session: &mut Session, error: Error) -> Result<Exit, Stop> {
    match error {
        Error::Fault(fault) => Err(fault.diagnostic().into()),
        Error::NoInitialState => {
            Err(Diagnostic::global("initial-invariant", error.to_string()).into())
        }
        Error::Overflow | Error::Limit(_) => {
            session.diagnostics.push(Diagnostic::global("limit", error.to_string()));
            Ok(Exit::Unknown)
        }
    }
}

/// Writes a trace, as JSON Lines if the name of the file says so.
pub fn write_trace(session: &mut Session, path: &Path, trace: &Trace) -> Result<(), Stop> {
    let lines = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("jsonl"));
    let text = if lines { trace.to_jsonl() } else { trace.to_text() };
    session.write_file(path, text.as_bytes())
}

/// How many moves a trace has.
pub fn steps(trace: &Trace) -> usize {
    trace.records.iter().filter(|record| matches!(record, Record::Step(_))).count()
}
