//! UPPAAL's two file forms, read and written.
//!
//! `xml` walks the editor's file, `xta` parses the text form; both hand the texts between
//! (declarations, labels, system lines) to `section` and `label`. `markers` restores what `.tioga`
//! can say and UPPAAL cannot, from comments our own printers leave. `export` turns any document
//! into one UPPAAL can express, or says why not; `print_xml` and `print_xta` only write it down.

mod branches;
mod export;
mod formula;
mod ignored;
mod inexpressible;
mod io;
mod label;
mod layout;
mod marker;
mod markers;
mod parameters;
mod pieces;
mod print_xml;
mod print_xta;
mod purpose;
mod rates;
mod rename;
mod scale;
mod scope;
mod section;
mod statistics;
mod text;
mod unsupported;
mod vectors;
mod xml;
mod xml_reader;
mod xml_template;
mod xta;
mod xta_process;

pub use print_xml::print_xml;
pub use print_xta::print_xta;
pub use statistics::asks_statistics;
pub use xml::parse_xml;
pub use xta::parse_xta;

use tioga_base::{Diagnostic, Diagnostics, Span};

use crate::syntax::{Control, Dialect, Document, Item, TemplateItem};

/// In UPPAAL, edges are controllable unless they say otherwise; a file in which none does is no
/// game, and its edges are left to the rule for inputs and outputs. Branchpoints are resolved on the way.
/// Exported `.tioga` documents say
/// it at every edge.
fn settle_control(document: &mut Document, diagnostics: &mut Diagnostics) {
    if document.dialect == Dialect::Tioga {
        branches::resolve(document, false, diagnostics);
        return;
    }
    let edges = |item: &mut Item, change: &mut dyn FnMut(&mut Option<Control>)| {
        if let Item::Template(template) = item {
            for item in &mut template.items {
                if let TemplateItem::Edge(edge) = item {
                    change(&mut edge.control);
                }
            }
        }
    };
    let mut game = false;
    for item in &mut document.items {
        edges(item, &mut |control| game |= *control == Some(Control::Uncontrollable));
    }
    if game {
        for item in &mut document.items {
            edges(item, &mut |control| {
                control.get_or_insert(Control::Controllable);
            });
        }
    }
    branches::resolve(document, game, diagnostics);
}

/// A file must say once which processes run; `place` is where to complain that it does not.
fn require_system(document: &Document, place: Span, diagnostics: &mut Diagnostics) {
    let mut lines = document.items.iter().filter(|item| matches!(item, Item::System(_)));
    let Some(first) = lines.next() else {
        diagnostics.push(
            Diagnostic::error("no-system", place, "no system line says which processes run")
                .help("end the model with a line such as `system P, Q;`"),
        );
        return;
    };
    if let Some(second) = lines.next() {
        diagnostics.push(
            Diagnostic::error("duplicate-system", second.span(), "a second system line")
                .also(first.span(), "the first one")
                .help("name all processes in one line"),
        );
    }
}
