//! Diagnostics and places in texts as JSON.

use serde_json::{Value, json};
use tioga_base::{Diagnostic, Diagnostics, Remark, Severity, Sources, Span};

/// The diagnostics as a JSON array: code, severity, message, place, labels, notes, help and fix.
/// A feature that is not supported is named. Lines and columns count from 1, columns in characters; offsets are bytes; ends are exclusive.
pub fn json(diagnostics: &Diagnostics, sources: &Sources) -> Value {
    diagnostics.iter().map(|diagnostic| json_one(diagnostic, sources)).collect()
}

fn json_one(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let label = |label: &Remark| {
        let mut object = place(label.span, sources);
        object["label"] = label.text.as_str().into();
        object
    };
    let mut object = json!({
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        "code": diagnostic.code,
        "message": diagnostic.message,
        "primary": diagnostic.primary.as_ref().map(label),
        "secondary": diagnostic.secondary.iter().map(label).collect::<Vec<_>>(),
        "notes": diagnostic.notes,
        "help": diagnostic.help,
        "fix": diagnostic.fix.as_ref().map(|fix| {
            let mut object = place(fix.span, sources);
            object["replacement"] = fix.replacement.as_str().into();
            object
        }),
    });
    if let Some(feature) = diagnostic.feature {
        object["feature"] = feature.into();
    }
    object
}

/// A place in a text as a JSON object.
pub fn place(span: Span, sources: &Sources) -> Value {
    let Some(source) = sources.get(span.file) else { return json!({}) };
    let (line, column) = source.line_column(span.start as usize);
    let (end_line, end_column) = source.line_column(span.end as usize);
    json!({
        "file": source.name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "start": span.start,
        "end": span.end,
    })
}
