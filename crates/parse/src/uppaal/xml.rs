//! The editor's XML form, versions 1.1 to 1.6.

use roxmltree::{Node, ParsingOptions};
use tioga_base::{Diagnostic, Diagnostics, FileId, Span};

use super::ignored::{Ignored, ignore};
use super::scope::Scope;
use super::xml_reader::Reader;
use super::xml_template::TemplateReader;
use super::{formula, io, rates, require_system, settle_control};
use crate::syntax::{Dialect, Document, Item, Query};

/// How many XML nodes a file may have.
const NODE_LIMIT: u32 = 2_000_000;

/// Reads an UPPAAL `.xml` file. Without a document, at least one error was reported.
pub fn parse_xml(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Option<Document> {
    let errors = diagnostics.error_count();
    if let Some(at) = text.find("<!ENTITY") {
        let span = Span::new(file, at, at + "<!ENTITY".len());
        diagnostics.push(
            Diagnostic::error("xml-entity", span, "entity declarations are refused")
                .note("entities can make a small file expand without bound; UPPAAL writes none"),
        );
        return None;
    }
    let options =
        ParsingOptions { allow_dtd: true, nodes_limit: NODE_LIMIT, ..ParsingOptions::default() };
    let tree = match roxmltree::Document::parse_with_options(text, options) {
        Ok(tree) => tree,
        Err(error) => {
            diagnostics.push(malformed(file, text, &error));
            return None;
        }
    };
    let mut reader = Reader {
        file,
        source: text,
        diagnostics,
        document: Document::new(Dialect::Uppaal),
        directions: Vec::new(),
    };
    reader.root(tree.root_element());
    let place = reader.open_tag(tree.root_element());
    let Reader { mut document, directions, .. } = reader;
    if document.templates().next().is_none() && diagnostics.error_count() == errors {
        diagnostics.push(
            Diagnostic::error("no-process", place, "the file declares no template")
                .help("UPPAAL's editor writes a `<template>` for each"),
        );
    }
    if diagnostics.error_count() == errors {
        require_system(&document, place, diagnostics);
    }
    io::apply(&mut document, &directions);
    settle_control(&mut document, diagnostics);
    rates::settle(&mut document, diagnostics);
    (diagnostics.error_count() == errors).then_some(document)
}

fn malformed(file: FileId, text: &str, error: &roxmltree::Error) -> Diagnostic {
    let position = error.pos();
    let row = usize::try_from(position.row).unwrap_or(1).max(1);
    let column = usize::try_from(position.col).unwrap_or(1).max(1);
    let line_start: usize = text.split_inclusive('\n').take(row - 1).map(str::len).sum();
    let line = &text[line_start.min(text.len())..];
    let offset = line.char_indices().nth(column - 1).map_or(line.len(), |(offset, _)| offset);
    let start = match error {
        // The reader gives no position for what is missing at the end.
        roxmltree::Error::UnclosedRootNode | roxmltree::Error::UnexpectedEndOfStream => {
            text.trim_end().len().saturating_sub(1)
        }
        _ => (line_start + offset).min(text.len()),
    };
    let start = (0..=start).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let length = text[start..].chars().next().map_or(0, char::len_utf8);
    let reason = error.to_string();
    let reason = match reason.rfind(" at ") {
        Some(end) => &reason[..end],
        None => reason.as_str(),
    };
    let span = Span::new(file, start, start + length);
    let diagnostic =
        Diagnostic::error("xml", span, format!("the file is not well-formed XML: {reason}"));
    if text.contains('<') {
        return diagnostic.note("the file may be cut short or damaged");
    }
    diagnostic.help("an UPPAAL model starts with `<nta>`; a text model has the extension .xta")
}

impl Reader<'_, '_> {
    fn root(&mut self, root: Node<'_, '_>) {
        if !matches!(root.tag_name().name(), "nta" | "project") {
            let message = format!(
                "the root element is `{}`, not `nta`: this is no UPPAAL model",
                root.tag_name().name()
            );
            let span = self.open_tag(root);
            self.error("xml", span, message);
            return;
        }
        for element in root.children().filter(Node::is_element) {
            match element.tag_name().name() {
                "declaration" => self.globals(element),
                "template" => {
                    if let Some(template) = TemplateReader::new(self).template(element) {
                        self.document.items.push(Item::Template(template));
                    }
                }
                "instantiation" | "system" => self.globals(element),
                "queries" => self.queries(element),
                "lsc" => {
                    let span = self.open_tag(element);
                    ignore(Ignored::Chart, span, self.diagnostics);
                }
                "imports" | "option" => {}
                other => self.unknown(element, other),
            }
        }
    }

    /// The parts of a file that hold declarations, instances or the system line.
    fn globals(&mut self, element: Node<'_, '_>) {
        let piece = self.content(element);
        let (items, dialect) = self.section(&piece, Scope::Global);
        self.document.items.extend(items);
        self.document.dialect = dialect.unwrap_or(self.document.dialect);
    }

    fn queries(&mut self, queries: Node<'_, '_>) {
        for query in queries.children().filter(|node| node.has_tag_name("query")) {
            let child = |name: &str| query.children().find(|node| node.has_tag_name(name));
            let Some(element) = child("formula") else { continue };
            let piece = self.content(element);
            let comment = child("comment").map(|comment| self.content(comment));
            let comment = comment.map(|comment| comment.text.trim().to_owned());
            let comment = comment.filter(|comment| !comment.is_empty());
            let parsed = formula::parse(&piece.text, &piece.origin, self.diagnostics);
            if let Some(formula) = parsed {
                let span = piece.span();
                self.document.items.push(Item::Query(Query { formula, comment, span }));
            }
        }
    }
}
