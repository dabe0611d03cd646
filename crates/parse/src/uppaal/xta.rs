//! The text form, `.xta` and the older `.ta`.

use tioga_base::{Diagnostic, Diagnostics, FileId, Span};

use super::scope::{Scope, Text};
use super::{io, markers, rates, require_system, section, settle_control};
use crate::clike::{Origin, Parser, lex};
use crate::syntax::{Dialect, Document};

/// Reads an `.xta` or `.ta` file. Without a document, at least one error was reported.
pub fn parse_xta(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Option<Document> {
    let errors = diagnostics.error_count();
    let lexed = lex(text, &Origin::whole(file));
    let mut document = Document::new(markers::dialect(&lexed.comments).unwrap_or(Dialect::Uppaal));
    let mut parser = Parser::new(&lexed, Dialect::Uppaal, diagnostics);
    let context = Text { lexed: &lexed, scope: Scope::File, source: text };
    document.items = section::items(&mut parser, &context);
    let directions = std::mem::take(&mut parser.directions);
    if document.templates().next().is_none() && diagnostics.error_count() == errors {
        let span = Span::new(file, 0, 0);
        diagnostics.push(
            Diagnostic::error("no-process", span, "the file declares no process")
                .help("an .xta file has `process P() { … }` and ends with `system P;`"),
        );
    }
    if diagnostics.error_count() == errors {
        require_system(&document, Span::new(file, text.len(), text.len()), diagnostics);
    }
    io::apply(&mut document, &directions);
    settle_control(&mut document, diagnostics);
    rates::settle(&mut document, diagnostics);
    (diagnostics.error_count() == errors).then_some(document)
}
