//! Writing UPPAAL files: what is printed reads back as the same document.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod common;

use common::{parse, shared_models};
use tioga_base::Diagnostics;
use tioga_parse::syntax::Document;
use tioga_parse::uppaal::{print_xml, print_xta};

type Print = fn(&Document) -> Result<String, Diagnostics>;

const FORMS: [(&str, Print); 2] = [("m.xml", print_xml), ("m.xta", print_xta)];

fn read(name: &str, text: &str) -> Document {
    let (document, diagnostics) = parse(name, text);
    assert!(diagnostics.is_empty(), "{name}\n{text}\n{diagnostics:#?}");
    document.unwrap()
}

#[test]
fn shared_models_survive_printing_in_both_forms() {
    for (name, text) in shared_models() {
        let document = read(&name, &text);
        for (form, print) in FORMS {
            let printed = print(&document).unwrap();
            let again = read(form, &printed);
            assert_eq!(
                content(&document, form),
                content(&again, form),
                "{name} as {form}\n{printed}"
            );
            assert_eq!(printed, print(&again).unwrap(), "{name} as {form}");
        }
    }
}

/// The document without places. The text form has no comments on queries.
fn content(document: &Document, form: &str) -> Document {
    let mut document = document.without_spans();
    for item in &mut document.items {
        if let tioga_parse::syntax::Item::Query(query) = item
            && form == "m.xta"
        {
            query.comment = None;
        }
    }
    document
}
