//! What reading any element of the XML form needs: its text, its place and the parsers of labels.

use roxmltree::Node;
use tioga_base::{Diagnostic, Diagnostics, FileId, Span};

use super::io::Directions;
use super::scope::{Scope, Text};
use super::text::{Piece, content, open_tag};
use super::{label, markers, section};
use crate::clike::{Parsed, Parser, lex};
use crate::syntax::{Dialect, Document, Item};

/// Reads elements into a document.
pub(super) struct Reader<'x, 'd> {
    pub file: FileId,
    pub source: &'x str,
    pub diagnostics: &'d mut Diagnostics,
    pub document: Document,
    /// What lines about components said about channels.
    pub directions: Directions,
}

impl Reader<'_, '_> {
    /// Parses a text of declarations.
    pub fn section(&mut self, piece: &Piece, scope: Scope) -> (Vec<Item>, Option<Dialect>) {
        let lexed = lex(&piece.text, &piece.origin);
        let mut parser = Parser::new(&lexed, Dialect::Uppaal, self.diagnostics);
        let text = Text { lexed: &lexed, scope, source: &piece.text };
        let items = section::items(&mut parser, &text);
        self.directions.append(&mut parser.directions);
        (items, markers::dialect(&lexed.comments))
    }

    /// Parses a small text with one parser; a text of nothing but comments is none.
    pub fn label<T>(
        &mut self,
        piece: &Piece,
        what: &str,
        parse: impl FnOnce(&mut Parser<'_>) -> Parsed<T>,
    ) -> Option<T> {
        let lexed = lex(&piece.text, &piece.origin);
        let mut parser = Parser::new(&lexed, Dialect::Uppaal, self.diagnostics);
        if parser.at_end() {
            return None;
        }
        let value = parse(&mut parser).ok()?;
        // Old editors left a `;` behind some labels.
        while parser.eat(";") {}
        label::finish(&mut parser, what, value).ok()
    }

    /// The text of an element.
    pub fn content(&self, element: Node<'_, '_>) -> Piece {
        content(self.file, self.source, element)
    }

    /// The place of an element's opening tag.
    pub fn open_tag(&self, element: Node<'_, '_>) -> Span {
        open_tag(self.file, self.source, element)
    }

    /// The place of an attribute's value, or of the whole opening tag without it.
    pub fn attribute(&self, element: Node<'_, '_>, name: &str) -> Span {
        match element.attribute_node(name) {
            Some(attribute) => {
                let range = attribute.range_value();
                Span::new(self.file, range.start, range.end)
            }
            None => self.open_tag(element),
        }
    }

    /// Reports an error.
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }

    /// Warns about an element that means nothing.
    pub fn unknown(&mut self, element: Node<'_, '_>, name: &str) {
        let span = self.open_tag(element);
        let message = format!("the element `{name}` is unknown here and ignored");
        self.diagnostics.push(
            Diagnostic::warning("xml-element", span, message)
                .note("no version of the format up to 1.6 defines it"),
        );
    }
}
