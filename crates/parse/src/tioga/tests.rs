//! Parsing, formatting and complaints of `.tioga`, by example and at random.

use proptest::prelude::*;
use tioga_base::{Diagnostics, FileId, Span};

use super::random::Choices;
use super::{parse, print};
use crate::clike::{Origin, Parser, lex};
use crate::print::{Printer, print_expr};
use crate::syntax::*;

fn parsed(text: &str) -> Document {
    let mut diagnostics = Diagnostics::new();
    let document = parse(FileId(0), text, &mut diagnostics);
    document.unwrap_or_else(|| panic!("{text}\n{diagnostics:#?}"))
}

fn formatted(text: &str) -> String {
    print(&parsed(text)).unwrap()
}

/// Formats the text and checks the result, its content and that formatting again changes nothing.
#[track_caller]
fn check(text: &str, expected: &str) {
    let once = formatted(text);
    assert_eq!(once, expected);
    assert_eq!(formatted(&once), once);
    assert_eq!(parsed(&once).without_spans(), parsed(text).without_spans());
}

/// Checks the errors: the text each points at, its message, and the fix.
#[track_caller]
fn complains(text: &str, expected: &[(&str, &str, Option<&str>)]) {
    let mut diagnostics = Diagnostics::new();
    assert!(parse(FileId(0), text, &mut diagnostics).is_none());
    let found: Vec<(&str, &str, Option<&str>)> = diagnostics
        .iter()
        .map(|diagnostic| {
            let place = &text[diagnostic.primary.as_ref().unwrap().span.range()];
            let fix = diagnostic.fix.as_ref().map(|fix| fix.replacement.as_str());
            (place, diagnostic.message.as_str(), fix)
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn every_item_is_formatted() {
    check("model   light ;", "model light;\n");
    check("time unit 10ms;", "time unit 10 ms;\n");
    check("time unit 0.5 s;", "time unit 1/2 s;\n");
    check("clock time,unit;", "clock time, unit;\n");
    check(
        "input touch;output set(int[0,10] level);",
        "input touch;\noutput set(int[0, 10] level);\n",
    );
    check("input urgent broadcast a[3];", "input urgent broadcast chan a[3];\n");
    check("internal load,pass;", "internal load, pass;\n");
    check("param rational d:=1/3;", "param rational d = 1/3;\n");
    check("P(int i)=T(i,3);", "P(int i) = T(i, 3);\n");
    check("system A,B(1) environment C;", "system A, B(1) environment C;\n");
    check("sync P.a,Q.b? as output c;", "sync P.a, Q.b? as output c;\n");
    check("query\"why\"E<>P.L and x>3;", "query \"why\" E<> P.L && x > 3;\n");
    check("query control:A[x<3 U P.L];", "query control: A[ x < 3 U P.L ];\n");
    check("", "");
}

#[test]
fn automata_and_purposes_are_formatted() {
    check(
        "automaton A(const int i){clock x;init location L,M invariant x<=2&&i>0 labels p;\
         L,M->self:a?/b! for e:int[0,3] when x<2 do x=0,f(e);L-c->M;M-u->L:c;}",
        "automaton A(const int i) {\n  clock x;\n  \
         init location L, M invariant x <= 2 && i > 0 labels p;\n  \
         L, M -> self : a? / b! for e : int[0, 3] when x < 2 do x = 0, f(e);\n  \
         L -c-> M;\n  M -u-> L : c;\n}\n",
    );
    check(
        "purpose P{accept location D;fail location F;otherwise->D;otherwise self;restart restart?;}",
        "purpose P {\n  accept location D;\n  fail location F;\n  otherwise -> D;\n  \
         otherwise self;\n  restart restart?;\n}\n",
    );
}

#[test]
fn words_of_few_places_are_names_elsewhere() {
    let names = ["restart", "fail", "labels", "model", "query", "time", "unit", "sync", "as"];
    for name in names {
        parsed(&format!(
            "input {name}; int x = {name} + 1; automaton A {{ location {name}, B; {name} -> B; \
             {name}, B -> self : {name}!; }} Q = {name}(); system {name};"
        ));
    }
    parsed("purpose P { location restart; restart -> restart : restart?; }");
}

#[test]
fn functions_are_formatted() {
    check(
        "int f(int&a,bool b[2]){int c;if(a>0){a++;}else if(b[0])return 1;else{;}\
         for(i:int[0,3])c+=i;while(true){}do{c--;}while(c>0);do c--;while(c>0);return c;}",
        "int f(int &a, bool b[2]) {\n  int c;\n  if (a > 0) {\n    a++;\n  } else if (b[0])\n    \
         return 1;\n  else {\n    ;\n  }\n  for (i : int[0, 3])\n    c += i;\n  while (true) {\n  \
         }\n  do {\n    c--;\n  } while (c > 0);\n  do\n    c--;\n  while (c > 0);\n  return c;\n}\n",
    );
}

#[test]
fn comments_stay_where_they_are() {
    check(
        "// head\n\n\n\nint a; // of a\n/* lead */ int b /* in */ = 2;\n\
         automaton A { // open\n  // first\n  location L;\n\n  // last\n} // closed\n// end",
        "// head\n\nint a; // of a\n/* lead */\n/* in */\nint b = 2;\n\n\
         automaton A { // open\n  // first\n  location L;\n\n  // last\n} // closed\n// end\n",
    );
    check("// only", "// only\n");
    check("/* a\n   b */ /* c */", "/* a\n   b */\n/* c */\n");
}

#[test]
fn a_byte_order_mark_and_carriage_returns_are_ignored() {
    check("\u{feff}int a; // b\r\n\r\nint c;\r\n", "int a; // b\n\nint c;\n");
}

#[test]
fn blank_lines_are_kept_up_to_one() {
    check("int a;\n\n\n\nint b;\nint c;", "int a;\n\nint b;\nint c;\n");
    check("automaton A {\n\n  location L;\n\n}", "automaton A {\n  location L;\n}\n");
}

#[test]
fn long_lines_are_wrapped() {
    let guard = ["some_variable == 17"; 8].join(" && ");
    let text = formatted(&format!("automaton A {{ L -> M : go? when {guard} do x = 0; }}"));
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    assert_eq!(formatted(&text), text);
}

#[test]
fn mistakes_are_explained() {
    complains("int a\nint b;", &[("int", "expected `;`, found `int`", Some(";"))]);
    complains(
        "automation Light { location Off; Off => Off; }",
        &[
            ("automation", "unknown kind of item `automation`", Some("automaton")),
            ("=>", "`=>` is not the arrow of an edge", Some("->")),
        ],
    );
    complains(
        "automaton A { L --> L : a? when x = 3 do x := 0; L -> L a?; }",
        &[
            ("-->", "`-->` is not the arrow of an edge", Some("->")),
            ("=", "an assignment in a guard", Some("==")),
            ("a", "expected `:` before what the edge does", Some(" :")),
        ],
    );
    complains(
        "automaton A { locaton L; init M; otherwise self; L -> M : do x = 0 when y; }",
        &[
            ("locaton", "unknown word `locaton`", Some("location")),
            ("M", "expected `location` before its name", Some("location ")),
            ("otherwise", "`otherwise` in an automaton", None),
            ("when", "`when` comes too late or twice", None),
        ],
    );
    complains(
        "automaton A { location L invarient x < 2; L -> L : a? wehn x < 3; }",
        &[
            ("invarient", "unknown word `invarient`", Some("invariant")),
            ("wehn", "unknown word `wehn`", Some("when")),
        ],
    );
    complains(
        "system environment A; sytem B; clock when; }",
        &[
            ("environment", "the system has no process", None),
            ("sytem", "unknown kind of item `sytem`", Some("system")),
            ("when", "`when` is a keyword and cannot name a declaration", Some("when_")),
            ("}", "this `}` closes nothing", None),
        ],
    );
}

#[test]
fn what_other_languages_write_is_explained() {
    complains(
        "# a lamp\nautomaton A { init state L; state M; L -> M : a?; # on\n M -> L; }",
        &[
            ("#", "a comment begins with `//`, not with `#`", Some("//")),
            ("#", "a comment begins with `//`, not with `#`", Some("//")),
            ("state", "expected `location`, found `state`", Some("location")),
            ("state", "unknown word `state`", Some("location")),
        ],
    );
    complains(
        "automaton A { location L invariant x <= 5 s; L -> L : a? when x >= 1 ms do x = 0; }",
        &[("s", "a time has no unit here", Some("")), ("ms", "a time has no unit here", Some(""))],
    );
    complains(
        "automaton A { L -> L : when x >= 1 a?; L -> L when x >= 1 : a?; L -> L : x >= 1 a?; \
         L -> L : [x >= 1] a?; L -> L : a? [x >= 1]; }",
        &[
            ("a", "the action of an edge comes before its guard", Some("a? when x >= 1")),
            ("when", "the guard of an edge comes after `:` and the action", None),
            (">=", "a guard begins with `when` and comes after the action", None),
            ("[", "a guard begins with `when` and comes after the action", None),
            ("[", "a guard begins with `when` and comes after the action", None),
        ],
    );
    complains(
        "automaton A { location L invariant x <= 1, y <= 2; L -> L : a? when x >= 1, y >= 2; }",
        &[(",", "a comma in an invariant", Some(" &&")), (",", "a comma in a guard", Some(" &&"))],
    );
}

#[test]
fn a_type_may_be_called_nearly_like_a_word_of_the_language() {
    check("typedef int purposes;\npurposes p;", "typedef int purposes;\npurposes p;\n");
    parsed("typedef int Location; automaton A { Location here; Location f(int x) { } }");
    complains(
        "purposes p;",
        &[
            ("purposes", "unknown kind of item `purposes`", Some("purpose")),
            (";", "expected `{`, found `;`", None),
        ],
    );
}

#[test]
fn a_mistake_in_a_function_is_reported_once() {
    complains(
        "void f() { int a; a = ; a = 1; if (a) { a++; } } typedef struct { int ; } S; int b",
        &[
            (";", "expected an expression, found `;`", None),
            (";", "expected the name of a declaration, found `;`", None),
            ("", "expected `;`, found the end of the text", Some(";")),
        ],
    );
}

#[test]
fn deep_nesting_gives_exactly_one_complaint() {
    for (open, close) in [("(", ")"), ("- ", ""), ("f(", ")"), ("a[", "]"), ("true ? 1 : ", "")] {
        let text = format!("int x = {}1{};", open.repeat(100), close.repeat(100));
        complains(&text, &[(open_token(open), "nested more than 64 levels deep", None)]);
    }
    let text = format!("int x = 1{};", " + 1".repeat(2000));
    let mut diagnostics = Diagnostics::new();
    assert!(parse(FileId(0), &text, &mut diagnostics).is_none());
    assert_eq!(diagnostics.error_count(), 1);
}

fn open_token(open: &str) -> &str {
    match open {
        "f(" => "f",
        "a[" => "a",
        "true ? 1 : " => "1",
        other => other.trim(),
    }
}

#[test]
fn the_deepest_allowed_expressions_can_be_walked() {
    let chain = format!("int x = 1{};", " + y".repeat(999));
    assert_eq!(parsed(&formatted(&chain)).without_spans(), parsed(&chain).without_spans());
    let postfix = format!("a{}[", ".b".repeat(15));
    let nested = format!("int x = {}1{};", postfix.repeat(60), "]".repeat(60));
    assert_eq!(parsed(&formatted(&nested)).without_spans(), parsed(&nested).without_spans());
    let too_many = format!("int x = {}1{};", postfix.repeat(63), "]".repeat(63));
    let mut diagnostics = Diagnostics::new();
    assert!(parse(FileId(0), &too_many, &mut diagnostics).is_none());
    assert_eq!(diagnostics.error_count(), 1);
}

#[test]
fn large_files_take_no_more_than_linear_time() {
    let queries = "query E<> ( ;\n".repeat(20_000);
    assert!(parse(FileId(0), &queries, &mut Diagnostics::new()).is_none());
    let list = format!("int a[300000] = {{ {}0 }};", "1, ".repeat(299_999));
    let text = formatted(&list);
    assert!(text.lines().all(|line| line.len() <= 100));
}

#[test]
fn unknown_formulas_are_kept_with_a_warning() {
    let mut diagnostics = Diagnostics::new();
    let text = "query Pr[<=10;  3](<> a.b);";
    let document = parse(FileId(0), text, &mut diagnostics).unwrap();
    assert_eq!(diagnostics.iter().len(), 1);
    assert_eq!(print(&document).unwrap(), "query Pr[<=10; 3](<> a.b);\n");
}

#[test]
fn names_that_are_words_of_the_language_are_renamed_in_foreign_documents() {
    let lexed = lex("int when, when_; int self = when + 7 / 2;", &Origin::whole(FileId(0)));
    let mut diagnostics = Diagnostics::new();
    let mut parser = Parser::new(&lexed, Dialect::Uppaal, &mut diagnostics);
    let mut document = Document::new(Dialect::Uppaal);
    while !parser.at_end() {
        document.items.push(Item::Declaration(parser.declaration().unwrap()));
    }
    document.items.push(Item::System(System {
        system: vec![ProcessUse {
            name: Name::new("P.1", Span::default()),
            arguments: None,
            span: Span::default(),
        }],
        environment: Vec::new(),
        span: Span::default(),
    }));
    assert_eq!(
        print(&document).unwrap(),
        "int when__, when_;\nint self_ = when__ + 3;\n\nsystem P_1;\n",
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn printed_expressions_parse_back(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let expr = Choices::new(&bytes).expr(6);
        let text = print_expr(&expr, Dialect::Tioga);
        let lexed = lex(&text, &Origin::whole(FileId(0)));
        let mut diagnostics = Diagnostics::new();
        let mut parser = Parser::new(&lexed, Dialect::Tioga, &mut diagnostics);
        let again = parser.expression();
        prop_assert!(parser.at_end(), "{}", text);
        prop_assert_eq!(again.unwrap().without_spans(), expr, "{}", text);
    }

    #[test]
    fn printed_expressions_parse_back_in_uppaal(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let expr = Choices::new(&bytes).expr(6);
        let mut printer = Printer::new(Dialect::Uppaal);
        let text = printer.expr(&expr);
        // Rational numbers and a name that is a keyword there cannot be expressed.
        prop_assume!(!printer.diagnostics.has_errors() && !text.contains("sync"));
        let lexed = lex(&text, &Origin::whole(FileId(0)));
        let mut diagnostics = Diagnostics::new();
        let again = Parser::new(&lexed, Dialect::Uppaal, &mut diagnostics).expression();
        prop_assert_eq!(again.unwrap().without_spans(), expr, "{}", text);
    }

    #[test]
    fn printed_documents_parse_back(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let document = Choices::new(&bytes).document();
        let text = print(&document).unwrap();
        let again = parsed(&text);
        prop_assert_eq!(again.without_spans(), document, "{}", text);
        prop_assert_eq!(print(&again).unwrap(), text);
    }

    #[test]
    fn no_comment_is_lost(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let mut choices = Choices::new(&bytes);
        let gaps: Vec<usize> = (0..60).map(|_| choices.pick(12)).collect();
        let plain = print(&choices.document()).unwrap();
        let mut text = String::new();
        let mut comments = 0;
        for (index, token) in lex(&plain, &Origin::whole(FileId(0))).tokens.iter().enumerate() {
            let gap = gaps[index % gaps.len()];
            comments += usize::from(gap < 4);
            match gap {
                0 => text.push_str(&format!(" // <{comments}>\n")),
                1 => text.push_str(&format!(" /* <{comments}> */ ")),
                2 => text.push_str(&format!("\n// <{comments}>\n")),
                3 => text.push_str(&format!("\n\n/* <{comments}>\n */")),
                4 => text.push_str("\n\n\n"),
                5 => text.push('\n'),
                _ => text.push(' '),
            }
            text.push_str(token.text);
        }
        let once = formatted(&text);
        for number in 1..=comments {
            prop_assert_eq!(once.matches(&format!("<{number}>")).count(), 1, "{}\n{}", text, once);
        }
        prop_assert_eq!(parsed(&once).without_spans(), parsed(&text).without_spans());
        prop_assert_eq!(formatted(&once), once, "{}", text);
    }

    #[test]
    fn any_text_is_survived(text in any::<String>()) {
        let _ = parse(FileId(0), &text, &mut Diagnostics::new());
        let _ = crate::query::parse_query_file(FileId(0), &text, &mut Diagnostics::new());
    }

    #[test]
    fn any_tokens_are_survived(words in prop::collection::vec(prop::sample::select(SOUP), 0..60)) {
        let text = words.join(" ");
        if let Some(document) = parse(FileId(0), &text, &mut Diagnostics::new()) {
            let printed = print(&document).unwrap();
            prop_assert_eq!(parsed(&printed).without_spans(), document.without_spans());
        }
    }
}

const SOUP: &[&str] = &[
    "automaton",
    "purpose",
    "A",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ":",
    "location",
    "init",
    "->",
    "-u->",
    "when",
    "do",
    "for",
    "x",
    "=",
    "==",
    "1",
    "/",
    "2",
    "?",
    "!",
    "int",
    "clock",
    "system",
    "environment",
    "query",
    "E",
    "<>",
    "-->",
    "control",
    "U",
    "sync",
    ".",
    "as",
    "input",
    "typedef",
    "struct",
    "if",
    "else",
    "while",
    "return",
    "forall",
    "-",
    "++",
    "\"s\"",
    "self",
    "otherwise",
    "restart",
    "model",
    "time",
    "unit",
    "ms",
    "0.5",
    "&",
    "const",
    "invariant",
    "é",
    "// c\n",
    "/* d */",
    "\n\n",
];
