//! Reading `.tck`: public models, the document that comes out, complaints and their places.

use proptest::prelude::*;
use tioga_base::{Diagnostics, FileId, Severity};
use tioga_parse::syntax::{
    Communication, DeclarationKind, Dialect, Direction, Document, EdgeDecl, Expr, ExprKind, Item,
    TemplateItem, TypeKind,
};
use tioga_parse::tchecker::parse;
use tioga_parse::tioga;

fn read(text: &str) -> (Option<Document>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let document = parse(FileId(0), text, &mut diagnostics);
    assert_eq!(document.is_none(), diagnostics.has_errors());
    (document, diagnostics)
}

fn good(text: &str) -> Document {
    let (document, diagnostics) = read(text);
    document.unwrap_or_else(|| panic!("{diagnostics:#?}"))
}

/// Code, offending text and replacement of every complaint.
fn complaints(text: &str) -> Vec<(&'static str, &str, Option<String>)> {
    let (_, diagnostics) = read(text);
    diagnostics
        .iter()
        .map(|diagnostic| {
            let span = diagnostic.primary.as_ref().unwrap().span;
            let fix = diagnostic.fix.as_ref().map(|fix| fix.replacement.clone());
            (diagnostic.code, &text[span.range()], fix)
        })
        .collect()
}

/// The complaints about one more line after a sound beginning.
fn complaints_about(line: &str) -> Vec<(&'static str, String, Option<String>)> {
    let text = format!("{BASE}{line}\n");
    complaints(&text).into_iter().map(|(code, text, fix)| (code, text.to_owned(), fix)).collect()
}

fn one(line: &str) -> (&'static str, String, Option<String>) {
    let mut all = complaints_about(line);
    assert_eq!(all.len(), 1, "{line}: {all:?}");
    all.remove(0)
}

const BASE: &str = "\
system:base
event:press
event:light
process:User
process:Lamp
clock:1:x
clock:3:row
int:1:0:5:2:level
int:4:-1:1:0:cell
location:User:idle{initial:}
location:Lamp:off{initial:}
location:Lamp:on
";

fn edges(document: &Document) -> Vec<&EdgeDecl> {
    let items = document.templates().flat_map(|template| &template.items);
    items
        .filter_map(|item| match item {
            TemplateItem::Edge(edge) => Some(edge.as_ref()),
            _ => None,
        })
        .collect()
}

/// Expressions with full parentheses.
fn show(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Index(base, index) => format!("{}[{}]", show(base), show(index)),
        ExprKind::Unary(op, operand) => format!("({op:?} {})", show(operand)),
        ExprKind::Binary(op, left, right) => format!("({} {op:?} {})", show(left), show(right)),
        ExprKind::Conditional(c, a, b) => format!("({} ? {} : {})", show(c), show(a), show(b)),
        ExprKind::Assign(_, left, right) => format!("{} = {}", show(left), show(right)),
        ExprKind::Call(callee, _) => format!("{}()", show(callee)),
        other => format!("{other:?}"),
    }
}

fn guard(text: &str) -> String {
    let document = good(&format!("{BASE}edge:Lamp:off:on:press{{provided: {text}}}\n"));
    show(edges(&document)[0].guard.as_ref().unwrap())
}

fn updates(text: &str) -> Vec<String> {
    let document = good(&format!("{BASE}edge:Lamp:off:on:press{{do: {text}}}\n"));
    edges(&document)[0].updates.iter().map(show).collect()
}

/// The document can be written as `.tioga`, and that reads again.
fn becomes_tioga(document: &Document) {
    let printed = tioga::print(document).unwrap_or_else(|it| panic!("{it:#?}"));
    let mut diagnostics = Diagnostics::new();
    let again = tioga::parse(FileId(0), &printed, &mut diagnostics);
    assert!(again.is_some(), "{printed}\n{diagnostics:#?}");
}

#[test]
fn documents_can_be_written_in_the_own_language() {
    becomes_tioga(&good(&format!(
        "{BASE}event:go{{input:}}\nlocation:Lamp:init{{labels: a}}\n\
         edge:Lamp:off:init:go{{provided: 1<=x<(if level==0 then 1 else 2) && !cell[0]==1}}\n\
         edge:Lamp:off:init:press{{do: local i=1; while i<3 do cell[i]=0; i=i+1 end}}\n\
         sync:User@press:Lamp@light\n"
    )));
}

#[test]
fn public_models_are_read_without_errors() {
    let files = tioga_testkit::shared_models("tck");
    for path in files.iter().filter(|path| path.extension().is_some_and(|it| it == "tck")) {
        let text = std::fs::read_to_string(path).unwrap();
        let (document, diagnostics) = read(&text);
        assert!(document.is_some(), "{}: {diagnostics:#?}", path.display());
        assert!(diagnostics.is_empty(), "{}: {diagnostics:#?}", path.display());
        becomes_tioga(&document.unwrap());
    }
}

#[test]
fn declarations_keep_their_order_and_meaning() {
    let document = good(BASE);
    assert_eq!(document.dialect, Dialect::Tchecker);
    assert!(matches!(&document.items[0], Item::Name(name) if name.text == "base"));
    let mut variables = Vec::new();
    for declaration in document.declarations() {
        if let DeclarationKind::Variables { ty, declarators, .. } = &declaration.kind {
            let kind = match &ty.kind {
                TypeKind::Clock => "clock".to_owned(),
                TypeKind::Int(Some(range)) => format!("{}..{}", show(&range.0), show(&range.1)),
                other => format!("{other:?}"),
            };
            variables.push((
                kind,
                declarators[0].name.text.as_str(),
                declarators[0].dimensions.len(),
            ));
        }
    }
    let expected =
        [("clock", "x", 0), ("clock", "row", 1), ("0..5", "level", 0), ("-1..1", "cell", 1)];
    assert_eq!(variables, expected.map(|(kind, name, size)| (kind.to_owned(), name, size)));
    let Some(Item::System(system)) = document.items.last() else { panic!("no system line") };
    let names: Vec<_> = system.system.iter().map(|process| process.name.text.as_str()).collect();
    assert_eq!(names, ["User", "Lamp"]);
}

#[test]
fn attributes_may_have_spaces_and_span_lines() {
    let text = format!(
        "{BASE}edge : Lamp:off : on:press {{ provided : x >= 2 :\n  do: x = 0; level = 1 }} # why\n\
         location:Lamp:last{{urgent: : committed: : labels: a, b : invariant: x<=3}}\n"
    );
    let document = good(&text);
    let edge = edges(&document)[0];
    assert_eq!(show(edge.guard.as_ref().unwrap()), "(x Ge 2)");
    assert_eq!(edge.updates.iter().map(show).collect::<Vec<_>>(), ["x = 0", "level = 1"]);
    let last = document.templates().nth(1).unwrap().items.iter().find_map(|item| match item {
        TemplateItem::Locations(location) if location.names[0].text == "last" => Some(location),
        _ => None,
    });
    let last = last.unwrap();
    assert!(last.marks.urgent && last.marks.committed && !last.marks.initial);
    let labels: Vec<_> =
        last.labels.iter().map(|label| (label.text.as_str(), &text[label.span.range()])).collect();
    assert_eq!(labels, [("a", "a"), ("b", "b")]);
}

#[test]
fn expressions_bind_as_in_tchecker() {
    assert_eq!(guard("! level == 1 && x < 3"), "((Not (level Eq 1)) And (x Lt 3))");
    assert_eq!(guard("1 <= x < level"), "((1 Le x) And (x Lt level))");
    assert_eq!(
        guard("row[level+1] - x <= 2*level--1"),
        "((row[(level Add 1)] Sub x) Le ((2 Mul level) Sub -1))"
    );
    assert_eq!(
        guard("(if level==0 then 1 else -level) == cell[0]"),
        "(((level Eq 0) ? 1 : (Neg level)) Eq cell[0])"
    );
    assert_eq!(guard("level"), "level");
}

#[test]
fn statements_become_updates_and_functions() {
    assert_eq!(updates("x=0; nop; level=level-1;"), ["x = 0", "level = (level Sub 1)"]);
    assert_eq!(updates("row[level] = x + 2"), ["row[level] = (x Add 2)"]);
    assert_eq!(updates("x=0; if level>0 then level=0 else nop end"), ["x = 0", "effect_1()"]);
    assert_eq!(updates("while level<5 do level=level+1 end; x=1"), ["effect_1()", "x = 1"]);
    assert_eq!(updates("local i = 2; level = i"), ["effect_1()"]);
    assert_eq!(updates("if level>0 then x=0 end; level=0"), ["effect_1()", "level = 0"]);
    let clock = one("edge:Lamp:off:on:press{do: while level>0 do x=0 end}");
    assert_eq!((clock.0, clock.1.as_str()), ("unsupported", "x"));
}

#[test]
fn interface_events_become_channels_or_shown_vectors() {
    let document = good(
        "system:s\nevent:go{input:}\nevent:done{output:}\nevent:c\nprocess:P\nprocess:Q\n\
         location:P:l{initial:}\nlocation:Q:l{initial:}\n\
         edge:P:l:l:go{uncontrollable:}\nedge:P:l:l:done\nedge:Q:l:l:c\nedge:Q:l:l:done\n\
         sync:P@done:Q@c\n",
    );
    let sides: Vec<_> = edges(&document)
        .iter()
        .map(|edge| {
            let action = edge.action.as_ref().unwrap();
            (action.name.text.as_str(), action.communication, edge.control.is_some())
        })
        .collect();
    assert_eq!(
        sides,
        [
            ("go", Communication::Receive, true),
            ("done_", Communication::Plain, false),
            ("c", Communication::Plain, false),
            ("done", Communication::Send, false),
        ]
    );
    let sync = document.items.iter().find_map(|item| match item {
        Item::Sync(sync) => Some(sync),
        _ => None,
    });
    let (direction, name) = sync.unwrap().shown.as_ref().unwrap();
    assert_eq!((*direction, name.text.as_str()), (Direction::Output, "done"));
}

#[test]
fn names_that_do_not_fit_are_renamed_with_a_warning() {
    let text = "system:s\nevent:a.b\nevent:x\nclock:1:x\nprocess:P\nlocation:P:l.0{initial: : invariant: x<1}\n";
    let (document, diagnostics) = read(text);
    let codes: Vec<_> = diagnostics.iter().map(|it| (it.severity, it.code)).collect();
    assert_eq!(codes, [(Severity::Warning, "renamed"); 2]);
    let document = document.unwrap();
    let template = document.templates().next().unwrap();
    let TemplateItem::Locations(location) = &template.items[0] else { panic!("no location") };
    assert_eq!(location.names[0].text, "l_0");
    assert_eq!(show(location.invariant.as_ref().unwrap()), "(x_ Lt 1)");
}

#[test]
fn unknown_names_are_reported_with_the_closest_known_one() {
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(one("location:Lmp:l"), ("unknown-name", "Lmp".into(), some("Lamp")));
    assert_eq!(one("edge:Lamp:of:on:press"), ("unknown-name", "of".into(), some("off")));
    assert_eq!(one("edge:Lamp:off:on:pres"), ("unknown-name", "pres".into(), some("press")));
    assert_eq!(one("sync:User@press:Lamp@ligth"), ("unknown-name", "ligth".into(), some("light")));
    let guard = one("edge:Lamp:off:on:press{provided: levle > 0}");
    assert_eq!(guard, ("unknown-name", "levle".into(), some("level")));
    let misspelt = one("proces:Q");
    assert_eq!(misspelt, ("syntax", "proces".into(), some("process")));
    let attribute = one("edge:Lamp:off:on:press{provide: x>0}");
    assert_eq!(attribute, ("unknown-attribute", "provide".into(), some("provided")));
}

#[test]
fn double_declarations_are_reported_at_the_second() {
    for (line, place) in [
        ("process:Lamp", "Lamp"),
        ("event:press", "press"),
        ("clock:1:level", "level"),
        ("int:1:0:1:0:x", "x"),
        ("location:Lamp:off", "off"),
        ("system:again", "system:again"),
    ] {
        let (code, text, _) = one(line);
        assert_eq!((code, text.as_str()), ("duplicate-name", place), "{line}");
    }
    let (code, text, _) = one("sync:User@press:Lamp@light\nsync:Lamp@light:User@press");
    assert_eq!((code, text.as_str()), ("duplicate-name", "sync:Lamp@light:User@press"));
}

#[test]
fn wrong_numbers_and_sizes_are_reported() {
    for (line, code, place) in [
        ("int:1:0:5:6:n", "out-of-range", "6"),
        ("int:1:5:0:2:n", "empty-range", "5:0"),
        ("int:0:0:5:2:n", "size", "0"),
        ("clock:65536:n", "size", "65536"),
        ("clock:99999999999:n", "number-too-large", "99999999999"),
        ("int:1:a:5:2:n", "syntax", "a"),
        ("clock:1:2n", "syntax", "2n"),
    ] {
        let (found, text, _) = one(line);
        assert_eq!((found, text.as_str()), (code, place), "{line}");
    }
}

#[test]
fn wrong_synchronisations_are_reported() {
    for (line, code, place) in [
        ("sync:Lamp@press:Lamp@light", "sync", "Lamp"),
        ("sync:Lamp@press", "sync", "sync:Lamp@press"),
        ("sync:Lamp@press?:User@press?", "unsupported", "sync:Lamp@press?:User@press?"),
        ("sync:Lamp@press:User", "syntax", "User"),
        (
            "edge:Lamp:off:on:press{provided:x>1}\nsync:User@press:Lamp@press?",
            "unsupported",
            "Lamp@press?",
        ),
        ("event:a{input:}\nevent:b{output:}\nsync:Lamp@a:User@b", "sync", "User@b"),
        ("event:a{input:}\nsync:Lamp@a?:User@press", "sync", "Lamp@a?"),
    ] {
        let (found, text, _) = one(line);
        assert_eq!((found, text.as_str()), (code, place), "{line}");
    }
    assert!(complaints_about(
        "edge:Lamp:off:on:press{provided:x>1}\nedge:Lamp:off:off:press\nsync:User@press:Lamp@press?"
    )
    .is_empty());
}

#[test]
fn several_errors_are_reported_in_one_run() {
    let text = "clock:1:x\nsystem:s\nprocess:P\nprocess:Q\nlocation:P:a\nlocation:Q:b{initial:}\n\
                location:Q:c{initial:}\nedge:P:a:a\nedge:Q:b:c:e{provided: x || x}\nlocation:P:d{invariant: x <\n";
    let found: Vec<_> = complaints(text).into_iter().map(|(code, text, _)| (code, text)).collect();
    assert_eq!(
        found,
        [
            ("syntax", "{"),
            ("missing-system", "clock"),
            ("duplicate-name", "system:s"),
            ("syntax", ""),
            ("unknown-name", "e"),
            ("missing-initial", "P"),
            ("unsupported", "initial"),
        ]
    );
    assert_eq!(complaints("")[0].0, "missing-system");
    assert_eq!(one("{}").0, "syntax");
    assert_eq!(one("location:Lamp:other{} extra"), ("syntax", "extra".into(), None));
    assert!(complaints_about("\r\n  # only a comment {\r\nlocation:Lamp:other # why\r").is_empty());
}

#[test]
fn malformed_expressions_are_reported_where_they_break() {
    for (attribute, code, place) in [
        ("provided: x < 3 || level", "unsupported", "||"),
        ("provided: x <", "syntax", ""),
        ("provided: row < 3", "type-mismatch", "row"),
        ("provided: level[0] < 3", "type-mismatch", "level"),
        ("provided: level // 2", "syntax", "// 2"),
        ("provided: 1 < x > 2", "syntax", ">"),
        ("do: x := 0", "syntax", "= 0"),
        ("do: x + 1", "syntax", "+"),
        ("do: level = 99999999999999999999", "number-too-large", "99999999999999999999"),
        ("do: local level", "duplicate-name", "level"),
        ("initial", "syntax", "initial"),
    ] {
        let found = complaints_about(&format!("edge:Lamp:off:on:press{{{attribute}}}"));
        let first = &found[0];
        assert_eq!((first.0, first.1.as_str()), (code, place), "{attribute}: {found:?}");
    }
    let deep = format!("edge:Lamp:off:on:press{{provided: {}}}", "(".repeat(100_000));
    assert_eq!(one(&deep).0, "too-deep");
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        read(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn mutated_files_are_survived(
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..12, "[a-z:{}@?#;=&!()\\[\\]\n0-9é -]{0,6}"), 1..4),
    ) {
        let mut text = format!(
            "{BASE}edge:Lamp:off:on:press{{provided: x<=3 && cell[level]==0 : do: x=0; if level>0 then level=0 end}}\n\
             location:Lamp:high{{labels: a,b : invariant: x<=5}}\nevent:ring{{output:}}\nsync:User@ring:Lamp@light?\n"
        );
        for (place, length, replacement) in cuts {
            let start = place.index(text.len() + 1);
            let start = (0..=start).rev().find(|at| text.is_char_boundary(*at)).unwrap();
            let end = (start + length).min(text.len());
            let end = (end..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap();
            text.replace_range(start..end, &replacement);
        }
        let (document, diagnostics) = read(&text);
        if let Some(document) = document {
            becomes_tioga(&document);
        }
        for diagnostic in &diagnostics {
            let span = diagnostic.primary.as_ref().unwrap().span;
            prop_assert!(text.get(span.range()).is_some(), "{:?} in {:?}", diagnostic, text);
        }
    }
}
