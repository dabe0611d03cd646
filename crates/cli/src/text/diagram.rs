//! Timed sequence diagrams as files, whose names say in which form.

use std::path::Path;

use tioga_base::Diagnostic;
use tioga_report::{Sequence, sequence};

use crate::exit::Stop;
use crate::output::Session;

/// Writes a diagram.
pub fn write(session: &mut Session, sequence: &Sequence, path: &Path) -> Result<(), Stop> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let text = match ending.as_deref() {
        Some("svg") => sequence::svg(sequence),
        Some("mmd" | "mermaid") => sequence::mermaid(sequence),
        Some("puml" | "plantuml") => sequence::plantuml(sequence),
        Some("txt") => sequence::text(sequence),
        _ => {
            let message = format!("the name `{}` does not say what to draw", path.display());
            let diagnostic = Diagnostic::global("unknown-format", message)
                .note("known extensions are .svg, .mmd, .puml and .txt");
            return Err(diagnostic.into());
        }
    };
    session.write_file(path, text.as_bytes())
}
