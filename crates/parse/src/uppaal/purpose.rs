//! Purposes, which UPPAAL does not know, kept as `.tioga` text in a comment:
//! `/* tioga: purpose Goal { … } */`.

use tioga_base::{Diagnostics, FileId, Span};

use super::marker::PREFIX;
use crate::syntax::{Change, Dialect, Document, Item, Template};
use crate::tioga;

/// The comment that keeps a purpose.
pub(super) fn print(template: &Template, diagnostics: &mut Diagnostics) -> String {
    let mut document = Document::new(Dialect::Tioga);
    document.items.push(Item::Template(template.clone()));
    match tioga::print(&document) {
        // No expression of the language contains `*/`: it would be a product of a quotient.
        Ok(text) => format!("/* {PREFIX} {}\n*/\n", text.trim_end()),
        Err(problems) => {
            diagnostics.append(problems);
            String::new()
        }
    }
}

/// The purpose in a marker that starts with `purpose`, at the place of the whole comment.
pub(super) fn parse(text: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<Item> {
    let mut found = Diagnostics::new();
    let document = tioga::parse(FileId(u32::MAX), text, &mut found);
    for diagnostic in &found {
        // The text was decoded, so only the comment as a whole has a place in the file.
        let mut diagnostic = diagnostic.clone();
        diagnostic.secondary.clear();
        diagnostic.fix = None;
        if let Some(label) = &mut diagnostic.primary {
            label.span = span;
        }
        diagnostics.push(diagnostic);
    }
    let mut document = document?;
    struct Place(Span);
    impl Change for Place {
        fn span(&mut self, span: &mut Span) {
            *span = self.0;
        }
    }
    document.change(&mut Place(span));
    let item = document.items.pop().filter(|_| document.items.is_empty())?;
    matches!(item, Item::Template(_)).then_some(item)
}
