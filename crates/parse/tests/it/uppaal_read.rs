//! Reading UPPAAL files: real models, exact places of complaints, what is refused.

use crate::common::{parse, shared_models};
use tioga_base::{Diagnostic, Severity};
use tioga_parse::syntax::{Communication, Control, Document, EdgeDecl, Item, TemplateItem};

/// A file with one template of two locations; the pieces are put where they belong.
#[derive(Default)]
struct Xml<'a> {
    globals: &'a str,
    locals: &'a str,
    location: &'a str,
    transition: &'a str,
    after: &'a str,
    system: &'a str,
}

impl Xml<'_> {
    fn text(&self) -> String {
        let system = if self.system.is_empty() { "system P;" } else { self.system };
        format!(
            "<nta><declaration>clock x; chan a; int i; {}</declaration><template><name>P</name>\
             <declaration>{}</declaration>\
             <location id=\"id0\"><name>A</name>{}</location><location id=\"id1\"/>{}\
             <init ref=\"id0\"/>\
             <transition><source ref=\"id0\"/><target ref=\"id1\"/>{}</transition>\
             </template><system>{system}</system></nta>",
            self.globals, self.locals, self.location, self.after, self.transition
        )
    }
}

fn process(body: &str) -> String {
    format!("clock x; chan a; int i;\nprocess P() {{\n{body}\n}}\nsystem P;\n")
}

/// The only complaint about a text, with the characters it points at.
fn complaint(name: &str, text: &str) -> (Diagnostic, String) {
    let (document, diagnostics) = parse(name, text);
    let all: Vec<_> = diagnostics.iter().cloned().collect();
    assert_eq!(all.len(), 1, "{text}\n{all:#?}");
    let errors = all[0].severity == Severity::Error;
    assert_eq!(document.is_none(), errors);
    let place = all[0].primary.as_ref().unwrap().span.range();
    (all[0].clone(), text[place].to_owned())
}

fn edges(document: &Document) -> Vec<EdgeDecl> {
    let items = document.templates().flat_map(|template| &template.items);
    items
        .filter_map(|item| match item {
            TemplateItem::Edge(edge) => Some((**edge).clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn every_shared_model_is_read_without_complaint() {
    for (name, text) in shared_models() {
        let (document, diagnostics) = parse(&name, &text);
        assert!(diagnostics.is_empty(), "{name}: {diagnostics:#?}");
        let document = document.unwrap();
        assert!(document.templates().count() > 0, "{name}");
        assert!(!edges(&document).is_empty(), "{name}");
    }
}

#[test]
fn complaints_behind_entities_and_cdata_point_at_the_very_characters() {
    let label = |text: &str| format!("<label kind=\"guard\">{text}</label>");
    for (text, expected) in [
        ("x &lt;= 3 &amp;&amp; $", "$"),
        ("<![CDATA[x < 3 && $]]>", "$"),
        ("x &#60; 3 <!-- &gt; --> &amp;&amp; ]", "]"),
        ("x &lt;= 3 &lt;&lt;= 2", "&lt;&lt;="),
        ("x &lt; é", "é"),
    ] {
        let transition = label(text);
        let xml = Xml { transition: &transition, ..Xml::default() }.text();
        assert_eq!(complaint("m.xml", &xml).1, expected, "{text}");
    }
}

#[test]
fn names_and_expressions_know_their_bytes() {
    let transition = "<label kind=\"guard\">x &lt;= 3 &amp;&amp; i == 5</label>";
    let text = Xml { transition, ..Xml::default() }.text();
    let document = parse("m.xml", &text).0.unwrap();
    let edge = &edges(&document)[0];
    assert_eq!(&text[edge.guard.as_ref().unwrap().span.range()], "x &lt;= 3 &amp;&amp; i == 5");
    assert_eq!(&text[edge.sources[0].span.range()], "id0");
    assert_eq!(edge.sources[0].text, "A");
}

#[test]
fn what_xml_cannot_mean_here_is_refused_by_name_and_place() {
    let xml = Xml::default;
    for (xml, part, place) in [
        (Xml { globals: "double d;", ..xml() }, "`double`", "double"),
        (Xml { globals: "string s;", ..xml() }, "strings", "string"),
        (Xml { locals: "hybrid clock h;", ..xml() }, "hybrid clocks", "hybrid"),
        (Xml { globals: "dynamic T(int i);", ..xml() }, "dynamic templates", "dynamic"),
        (Xml { globals: "import \"lib.so\" { int f(); };", ..xml() }, "external", "import"),
        (Xml { globals: "before_update { i = 1 }", ..xml() }, "before_update", "before_update"),
        (Xml { globals: "after_update { i = 1 }", ..xml() }, "after_update", "after_update"),
        (
            Xml { system: "chan priority a &lt; default; system P;", ..xml() },
            "channel priorities",
            "chan priority",
        ),
        (Xml { system: "Q = P(); system P &lt; Q;", ..xml() }, "process priorities", "&lt;"),
        (Xml { globals: "void f() { switch (i) { } }", ..xml() }, "`switch`", "switch"),
        (Xml { globals: "void f() { while (true) break; }", ..xml() }, "`break`", "break"),
        (Xml { globals: "void f() { while (true) continue; }", ..xml() }, "`continue`", "continue"),
        (
            Xml { transition: "<label kind=\"assignment\">spawn T(3)</label>", ..xml() },
            "dynamic",
            "spawn",
        ),
    ] {
        let (diagnostic, found) = complaint("m.xml", &xml.text());
        assert_eq!(diagnostic.code, "unsupported", "{diagnostic:?}");
        assert!(diagnostic.message.contains(part), "{diagnostic:?}");
        assert_eq!(found, place, "{diagnostic:?}");
    }
}

#[test]
fn what_text_cannot_mean_here_is_refused_by_name_and_place() {
    for (body, part, place) in [
        ("state A; init A; trans A -> A { guard x' == 1; };", "a rate", "x'"),
        (
            "state A { x' == 0 }; init A; trans A -> A { guard x > 1; };",
            "`x` has a rate",
            "x' == 0",
        ),
        ("state A { x' == 0 || x < 3 }; init A;", "a rate", "x'"),
        ("state A; init A; trans A -> A { sync a; };", "without sender", "a"),
    ] {
        let text = process(body);
        let (document, diagnostics) = parse("m.xta", &text);
        assert!(document.is_none());
        let first = diagnostics.iter().next().unwrap();
        assert_eq!(first.code, "unsupported", "{first:?}");
        assert!(first.message.contains(part), "{first:?}");
        assert_eq!(&text[first.primary.as_ref().unwrap().span.range()], place);
    }
}

#[test]
fn annotations_of_stochastic_models_are_ignored_with_one_note() {
    let exponential = "<label kind=\"exponentialrate\"> 3 </label>";
    let probability = "<label kind=\"probability\">5</label>";
    let xml = Xml::default;
    let mut texts = vec![
        ("m.xml", Xml { location: exponential, ..xml() }.text(), "exponential rates", "3"),
        ("m.xml", Xml { transition: probability, ..xml() }.text(), "weights", "5"),
        ("m.xml", Xml { after: "<lsc/>", ..xml() }.text(), "sequence charts", "<lsc/>"),
    ];
    for (body, part, place) in [
        ("state A { x < 3 ; 5:1 }, B { ; 2 }; init A;", "exponential rates", "5:1"),
        ("state A { ; 5 }; init A;", "exponential rates", "5"),
        ("state A; init A; trans A -> A { probability 3; };", "weights", "probability"),
    ] {
        texts.push(("m.xta", process(body), part, place));
    }
    for (name, text, part, place) in texts {
        let (document, diagnostics) = parse(name, &text);
        assert!(document.is_some(), "{diagnostics:?}");
        assert_eq!(diagnostics.iter().count(), 1, "{diagnostics:?}");
        let note = diagnostics.iter().next().unwrap();
        assert_eq!((note.severity, note.code), (Severity::Note, "ignored"));
        assert!(note.message.contains(part), "{note:?}");
        assert_eq!(text[note.primary.as_ref().unwrap().span.range()].trim(), place);
    }
}

#[test]
fn progress_measures_and_charts_are_ignored_with_a_warning() {
    let system = "system P; progress { i; } ";
    let (diagnostic, place) = complaint("m.xml", &Xml { system, ..Xml::default() }.text());
    assert_eq!((diagnostic.severity, place.as_str()), (Severity::Warning, "progress"));
    let system = "system P; gantt { G(j : int[0,1]) : i == j -> 1; }";
    let (diagnostic, place) = complaint("m.xml", &Xml { system, ..Xml::default() }.text());
    assert_eq!((diagnostic.severity, place.as_str()), (Severity::Warning, "gantt"));
}

#[test]
fn broken_references_and_names_are_reported_once_where_they_stand() {
    let good = Xml::default().text();
    for (from, to, code, place) in [
        ("target ref=\"id1\"", "target ref=\"id9\"", "unknown-name", "id9"),
        ("init ref=\"id0\"", "init ref=\"idx\"", "unknown-name", "idx"),
        ("<init ref=\"id0\"/>", "", "no-initial", "P"),
        ("<name>A</name>", "<name>A B</name>", "bad-name", "A B"),
        ("<name>A</name>", "<name>id1</name>", "duplicate-name", "id1"),
        ("<location id=\"id1\"/>", "<location/>", "xml", "<location/>"),
        ("<name>P</name>", "<name>3P</name>", "bad-name", "3P"),
        ("system P;", "system ;", "syntax", ";"),
        ("<nta>", "<model>", "xml", "<"),
    ] {
        let text = good.replacen(from, to, 1);
        assert_ne!(good, text, "{from}");
        let (document, diagnostics) = parse("m.xml", &text);
        assert!(document.is_none());
        let first = diagnostics.iter().next().unwrap();
        assert_eq!(first.code, code, "{first:?}");
        let found = &text[first.primary.as_ref().unwrap().span.range()];
        assert!(found == place || code == "xml", "{first:?} at {found:?}");
    }
}

#[test]
fn truncated_and_alien_files_get_one_complaint() {
    let good = Xml::default().text();
    for text in ["", "\u{0}\u{1}PNG", "<nta>", "<html/>", &good[..good.len() / 2], &good[..40]] {
        let (document, diagnostics) = parse("m.xml", text);
        assert!(document.is_none());
        assert_eq!(diagnostics.iter().count(), 1, "{text:?} {diagnostics:#?}");
        assert!(diagnostics.iter().all(|one| one.primary.is_some()));
    }
    for text in ["", "\u{0}\u{1}PNG", "int i;", "process P() {"] {
        let (document, diagnostics) = parse("m.xta", text);
        assert!(document.is_none(), "{text:?}");
        assert!(diagnostics.has_errors());
    }
}

#[test]
fn entity_bombs_are_refused() {
    let bomb = "<!DOCTYPE nta [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\
                <nta><declaration>&b;</declaration></nta>";
    let (diagnostic, place) = complaint("m.xml", bomb);
    assert_eq!((diagnostic.code, place.as_str()), ("xml-entity", "<!ENTITY"));
}

#[test]
fn deep_nesting_is_refused_and_not_followed() {
    let deep = format!("int i = {}1{};", "(".repeat(100_000), ")".repeat(100_000));
    let text = Xml { globals: &deep, ..Xml::default() }.text();
    let (document, diagnostics) = parse("m.xml", &text);
    assert!(document.is_none());
    assert_eq!(diagnostics.iter().next().unwrap().code, "too-deep");
    let elements = format!("<nta>{}{}</nta>", "<a>".repeat(20_000), "</a>".repeat(20_000));
    let (_, diagnostics) = parse("m.xml", &elements);
    assert!(!diagnostics.is_empty());
}

#[test]
fn one_uncontrollable_edge_makes_the_others_controllable() {
    let body = "state A, B; init A; trans A -u-> B { }, -> A { guard i == 1; }, B -> A { };";
    let document = parse("m.xta", &process(body)).0.unwrap();
    let controls: Vec<_> = edges(&document).iter().map(|edge| edge.control).collect();
    let (yes, no) = (Some(Control::Controllable), Some(Control::Uncontrollable));
    assert_eq!(controls, [no, yes, yes]);
    let sources: Vec<_> = edges(&document).iter().map(|e| e.sources[0].text.clone()).collect();
    assert_eq!(sources, ["A", "A", "B"]);
    let body = "state A; init A; trans A -> A { };";
    let document = parse("m.xta", &process(body)).0.unwrap();
    assert_eq!(edges(&document)[0].control, None);
}

#[test]
fn old_forms_are_read() {
    let text = "const N 5, M 2; chan go; clock x;\n\
        process Q(const n; chan c; int i, j) { state A { x < n, i == 0 }, B; commit B; init A;\n\
        trans A -> B { guard x >= 1, x <= n; sync c?; assign x := 0, i := j; },\n\
        B -> A { sync c !; }; }\n\
        process R { state committed; urgent committed; init committed; }\n\
        q := Q(N, go, M, 1); system q, R;\nquery { E<> q.B }";
    let (document, diagnostics) = parse("m.ta", text);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    let document = document.unwrap();
    let template = document.templates().next().unwrap();
    assert_eq!(template.params.len(), 4);
    assert!(template.params[0].constant);
    assert_eq!(template.params[2].ty.kind, template.params[3].ty.kind);
    assert_eq!(document.queries().count(), 1);
    let edge = &edges(&document)[0];
    assert_eq!(edge.updates.len(), 2);
    assert_eq!(edge.action.as_ref().unwrap().communication, Communication::Receive);
}

#[test]
fn every_broken_edge_of_a_process_is_reported() {
    let body = "state A { x < }, B; init A; trans A -> B { guard x >; }, B -> A { sync a; };";
    let text = process(body);
    let (document, diagnostics) = parse("m.xta", &text);
    assert!(document.is_none());
    let places: Vec<_> = (diagnostics.iter())
        .map(|one| text[one.primary.as_ref().unwrap().span.range()].to_owned())
        .collect();
    assert_eq!(places, ["}", ";", "a"], "{diagnostics:#?}");
}

#[test]
fn the_system_text_may_declare_and_instantiate() {
    let system = "int k; Q(const int n) = P(n); R = Q(3); system Q, R;";
    let document = parse("m.xml", &Xml { system, ..Xml::default() }.text()).0.unwrap();
    let instances = document.items.iter().filter(|item| matches!(item, Item::Instance(_)));
    assert_eq!(instances.count(), 2);
}
