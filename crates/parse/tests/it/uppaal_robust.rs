//! No text makes the readers panic, and no complaint points outside the text.

use crate::common::{parse, shared_models};
use proptest::prelude::*;
use tioga_base::Diagnostics;
use tioga_parse::syntax::Document;
use tioga_parse::uppaal::{print_xml, print_xta};

const SMALL_XML: &str = "<?xml version=\"1.0\"?><nta><declaration>int[0,3] i = 1; chan a[2];\
    </declaration><template><name>P</name><parameter>const int n</parameter><location id=\"id0\" \
    x=\"0\" y=\"0\"><name>A</name><label kind=\"invariant\">x &lt;= 3 &amp;&amp; i == 1</label>\
    <committed/></location><init ref=\"id0\"/><transition controllable=\"false\">\
    <source ref=\"id0\"/><target ref=\"id0\"/><label kind=\"select\">j : int[0,1]</label>\
    <label kind=\"synchronisation\">a[j]!</label><label kind=\"assignment\"><![CDATA[i = j]]>\
    </label><label kind=\"comments\">tioga: controllable</label></transition></template>\
    <system>Q = P(3); system Q;</system><queries><query><formula>E&lt;&gt; Q.A</formula>\
    <comment>c</comment></query></queries></nta>";

const SMALL_XTA: &str = "int i; chan a; // tioga: input\nprocess P(const int n) { clock x; state A \
    { x <= n } /* tioga: accept */, B; commit B; init A; trans A -> B { select j : int[0,1]; guard \
    x > 1, i == j; sync a!; assign x := 0; }, -u-> A { /* tioga: action b */ }; }\nQ = P(3); \
    system Q; // tioga: environment Q\nquery { E<> Q.A }\n";

fn check(name: &str, text: &str) {
    let (document, diagnostics) = parse(name, text);
    assert_eq!(document.is_none(), diagnostics.has_errors());
    for diagnostic in &diagnostics {
        let places = diagnostic.primary.iter().chain(&diagnostic.secondary);
        for place in places {
            assert!(text.get(place.span.range()).is_some(), "{diagnostic:?}");
        }
    }
    let Some(document) = document else { return };
    for (form, print) in [("m.xml", print_xml as Print), ("m.xta", print_xta as Print)] {
        // Printing may refuse, rational numbers for one; but what it prints can be read.
        let Ok(printed) = print(&document) else { continue };
        let (again, diagnostics) = parse(form, &printed);
        let again = again.unwrap_or_else(|| panic!("{text}\n{printed}\n{diagnostics:#?}"));
        assert_eq!(print(&again).unwrap(), printed, "{text}");
    }
}

type Print = fn(&Document) -> Result<String, Diagnostics>;

/// Cuts out, repeats or replaces a piece of a text.
fn mutate(text: &str, at: usize, length: usize, what: u8, replacement: &str) -> String {
    let mut start = at % (text.len() + 1);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (start + length).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let piece = &text[start..end];
    let middle = match what % 3 {
        0 => String::new(),
        1 => piece.repeat(2),
        _ => replacement.to_owned(),
    };
    format!("{}{middle}{}", &text[..start], &text[end..])
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        check("m.xml", &text);
        check("m.xta", &text);
    }

    #[test]
    fn any_damage_is_survived(
        at in any::<usize>(),
        length in 0usize..40,
        what in any::<u8>(),
        replacement in "[ -~é]{0,6}|&lt;|<[a-z]{1,4}>|\\{|\\}|;|-u->",
        second in any::<usize>(),
    ) {
        for (name, text) in [("m.xml", SMALL_XML), ("m.xta", SMALL_XTA)] {
            let once = mutate(text, at, length, what, &replacement);
            check(name, &once);
            check(name, &mutate(&once, second, length, what.wrapping_add(1), &replacement));
        }
    }

    #[test]
    fn damaged_models_are_survived(
        which in any::<usize>(),
        at in any::<usize>(),
        length in 0usize..200,
        what in any::<u8>(),
        replacement in "[ -~]{0,6}",
    ) {
        let models = shared_models();
        if !models.is_empty() {
            let (name, text) = &models[which % models.len()];
            check(name, &mutate(text, at, length, what, &replacement));
        }
    }
}

#[test]
fn a_file_without_templates_is_refused_in_both_forms() {
    let none = "<?xml version=\"1.0\"?><nta><declaration>int i;</declaration><system>system Q;</system></nta>";
    for (name, text) in [("m.xml", none), ("m.xta", "int i; system Q;")] {
        check(name, text);
        let (_, diagnostics) = parse(name, text);
        assert_eq!(diagnostics.iter().map(|one| one.code).collect::<Vec<_>>(), ["no-process"]);
    }
}

#[test]
fn the_undamaged_texts_are_read() {
    for (name, text) in [("m.xml", SMALL_XML), ("m.xta", SMALL_XTA)] {
        assert!(parse(name, text).0.is_some(), "{:#?}", parse(name, text).1);
    }
}
