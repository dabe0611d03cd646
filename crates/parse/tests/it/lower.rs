//! Lowering: what texts mean, and what is wrong with them.

use tioga_base::{Diagnostics, Sources};
use tioga_model::{
    ClockConstraint, Control, Direction, Evaluator, Label, Model, Network, Role, Stack, TimeBound,
    Update,
};
use tioga_parse::{Format, Options, lower, parse};

/// Lowers a text in UPPAAL's text form, or returns `code: excerpt` of every error.
fn try_lower(text: &str, options: &Options) -> Result<Network, Vec<String>> {
    let mut sources = Sources::new();
    let file = sources.add("test.xta", text);
    let mut diagnostics = Diagnostics::new();
    let network = parse(Format::Xta, file, text, &mut diagnostics)
        .and_then(|document| lower(&document, options, &mut diagnostics));
    let errors: Vec<String> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == tioga_base::Severity::Error)
        .map(|diagnostic| {
            let excerpt = diagnostic.primary.as_ref().map(|label| sources.slice(label.span));
            format!("{}: {}", diagnostic.code, excerpt.unwrap_or("-"))
        })
        .collect();
    if errors.is_empty() { Ok(network.expect("no error")) } else { Err(errors) }
}

fn lowered(text: &str) -> Network {
    try_lower(text, &Options::default()).unwrap()
}

fn errors(text: &str) -> Vec<String> {
    try_lower(text, &Options::default()).unwrap_err()
}

/// A process with one clock, one variable and one edge.
fn with_edge(edge: &str) -> String {
    format!(
        "clock x, y; int[0,5] n; int a[3]; bool b; chan c; const int N = 3;
         process P() {{ state A, B {{ x <= 4 }}; init A; trans A -> B {{ {edge} }}; }} system P;"
    )
}

fn edge_errors(edge: &str) -> Vec<String> {
    errors(&with_edge(edge))
}

/// The guard of the only edge: per disjunct, whether it has a data part, and its clock part.
fn guard(text: &str) -> Vec<(bool, Vec<String>)> {
    let network = lowered(&with_edge(&format!("guard {text};")));
    let process = network.processes.iter().next().unwrap();
    let edge = process.edges.iter().next().unwrap();
    edge.guard
        .disjuncts
        .iter()
        .map(|conjunct| {
            let clocks = conjunct.clocks.iter().map(|constraint| show(&network, constraint));
            (conjunct.data.is_some(), clocks.collect())
        })
        .collect()
}

fn show(network: &Network, constraint: &ClockConstraint) -> String {
    let clock = |term: &Option<tioga_model::ClockTerm>| {
        term.map_or("0".to_owned(), |term| network.clocks[term.clock].name.clone())
    };
    let op = if constraint.strict { "<" } else { "<=" };
    let bound = match constraint.bound {
        TimeBound::Constant(value) => value.to_string(),
        TimeBound::Expr(_) => "e".to_owned(),
    };
    format!("{}-{}{op}{bound}", clock(&constraint.left), clock(&constraint.right))
}

fn clocks(parts: &[&str]) -> (bool, Vec<String>) {
    (false, parts.iter().map(|part| (*part).to_owned()).collect())
}

/// The initial value of the global `r`, computed by lowering from constants and functions.
fn computed(declarations: &str) -> i64 {
    let text = format!("{declarations} process P() {{ state A; init A; }} system P;");
    let network = lowered(&text);
    let slot = network.slots.iter().find(|slot| slot.name == "r").unwrap();
    slot.initial
}

#[test]
fn clock_comparisons_become_difference_constraints() {
    assert_eq!(guard("x <= 5"), [clocks(&["x-0<=5"])]);
    assert_eq!(guard("3 < x"), [clocks(&["0-x<-3"])]);
    assert_eq!(guard("x - y < 2"), [clocks(&["x-y<2"])]);
    assert_eq!(guard("x < y + 2"), [clocks(&["x-y<2"])]);
    assert_eq!(guard("x == 2*N"), [clocks(&["x-0<=6", "0-x<=-6"])]);
    assert_eq!(guard("x >= n + 1"), [clocks(&["0-x<=e"])]);
}

#[test]
fn conditions_are_split_into_disjuncts() {
    assert_eq!(guard("!(x <= 5)"), [clocks(&["0-x<-5"])]);
    assert_eq!(guard("x != 1"), [clocks(&["x-0<1"]), clocks(&["0-x<-1"])]);
    assert_eq!(
        guard("x < 1 || x > 3 && y < 2"),
        [clocks(&["x-0<1"]), clocks(&["0-x<-3", "y-0<2"])]
    );
    assert_eq!(guard("n > 2 imply x < 1"), [(true, vec![]), clocks(&["x-0<1"])]);
    assert_eq!(guard("not (n > 2 and x < 1)"), [(true, vec![]), clocks(&["0-x<=-1"])]);
    assert_eq!(guard("forall (i : int[1,2]) x > i"), [clocks(&["0-x<-1", "0-x<-2"])]);
    assert_eq!(
        guard("b ? x < 1 : x < 2"),
        [(true, vec!["x-0<1".to_owned()]), (true, vec!["x-0<2".to_owned()])]
    );
    assert_eq!(guard("N == 3 && x < 1"), [clocks(&["x-0<1"])]);
    assert_eq!(guard("N == 4 && x < 1"), []);
}

#[test]
fn updates_keep_their_order_and_kind() {
    let network = lowered(&with_edge("assign n = 1, x = 0, y = n, a[n] = 2;"));
    let process = network.processes.iter().next().unwrap();
    let kinds: Vec<bool> = process
        .edges
        .iter()
        .next()
        .unwrap()
        .updates
        .iter()
        .map(|update| matches!(update, Update::Clock(_)))
        .collect();
    assert_eq!(kinds, [false, true, true, false]);
}

#[test]
fn mistakes_on_edges_are_pointed_at() {
    for (edge, expected) in [
        ("guard z < 3;", "unknown-name: z"),
        ("guard n = 3;", "syntax: ="),
        ("guard x;", "not-a-clock-constraint: x"),
        ("guard x * 2 < 3;", "not-a-clock-constraint: x * 2"),
        ("guard x + y < 3;", "not-a-clock-constraint: x + y < 3"),
        ("guard n + x;", "not-a-clock-constraint: n + x"),
        ("guard a < 3;", "wrong-type: a"),
        ("guard n[0] == 0;", "wrong-type: n"),
        ("guard N / 0 > 1;", "division-by-zero: N / 0"),
        ("assign x = -1;", "negative-clock: -1"),
        ("assign n = 6;", "out-of-range: n = 6"),
        ("assign N = 2;", "not-assignable: N"),
        ("assign n = x;", "clock-as-value: x"),
        ("assign x += 1;", "wrong-type: x += 1"),
        ("assign f();", "unknown-name: f"),
        ("sync d!;", "unknown-name: d"),
        ("sync n!;", "wrong-kind: n"),
        ("select i : int; guard i == 1;", "too-large: A -> B { select i : int; guard i == 1; }"),
        ("guard n < 9223372036854775807 * 2;", "overflow: 9223372036854775807 * 2"),
        ("guard x < 9223372036854775807;", "number-too-large: x < 9223372036854775807"),
    ] {
        assert_eq!(edge_errors(edge), [expected], "{edge}");
    }
}

#[test]
fn mistakes_in_declarations_are_pointed_at() {
    let model =
        |declarations: &str| format!("{declarations} process P() {{ state A; init A; }} system P;");
    for (declarations, expected) in [
        ("int[3,1] n;", "empty-range: int[3,1]"),
        ("int n, n;", "duplicate-name: n"),
        ("int a[0];", "empty-range: 0"),
        ("int a[99999999];", "too-large: 99999999"),
        ("const int n;", "missing-value: n"),
        ("int[0,3] n = 4;", "out-of-range: 4"),
        ("int n; int m = n;", "not-constant: n"),
        ("int a[2] = {1};", "wrong-type: {1}"),
        ("itn n;", "unknown-name: itn"),
        ("int f() { int i; }", "missing-return: f"),
        ("void f() { return 1; }", "wrong-type: 1"),
        ("int g() { return g(); }", "unknown-name: g"),
    ] {
        assert_eq!(errors(&model(declarations)), [expected], "{declarations}");
    }
}

#[test]
fn mistakes_in_automata_are_pointed_at() {
    for (text, expected) in [
        ("process P() { state A, A; init A; } system P;", "duplicate-name: A"),
        (
            "clock x; process P() { state A { x >= 1 }; init A; } system P;",
            "unreachable-initial-location: A",
        ),
        ("process P() { state A; init A; trans A -> C { }; } system P;", "unknown-name: C"),
        ("process P() { state A; init A; } system Q;", "unknown-name: Q"),
        ("process P() { state A; init A; } system P, P;", "duplicate-name: P"),
        ("process P(int[0,1] i) { state A; init A; } Q = P(2); system Q;", "out-of-range: 2"),
        (
            "process P(int[0,1] i) { state A; init A; } Q = P(); system Q;",
            "wrong-arguments: Q = P();",
        ),
        ("process P(int i) { state A; init A; } system P;", "too-large: P"),
        ("process R() { state A; init A; } P = Q(); Q = P(); system P;", "cyclic: Q"),
        (
            "process P() { int n; state A; init A; }
          process Q() { state A; init A; trans A -> A { guard P.n > 0; }; } system P, Q;",
            "foreign-name: P.n",
        ),
        (
            "process P() { int n; state A; init A; }
          process Q() { state A; init A; trans A -> A { guard n > 0; }; } system P, Q;",
            "unknown-name: n",
        ),
    ] {
        assert_eq!(errors(text), [expected], "{text}");
    }
}

#[test]
fn functions_compute() {
    assert_eq!(
        computed(
            "int f(int n) { int i = 0, s = 0; while (i < n) { i++; s += i; } return s; } const int r0 = f(4); int r = r0;"
        ),
        10
    );
    assert_eq!(
        computed("int f() { int a[3] = {3, 4, 5}; return sum (i : int[0,2]) a[i]; } int r = f();"),
        12
    );
    assert_eq!(
        computed(
            "void inc(int &n) { n = n + 1; } int f() { int k = 4; inc(k); inc(k); return k; } int r = f();"
        ),
        6
    );
    assert_eq!(
        computed(
            "typedef struct { int u; int v[2]; } s; const s k = {1, {2, 3}}; int r = k.u + k.v[1];"
        ),
        4
    );
    assert_eq!(
        computed(
            "const int d[2][3] = {{1,2,3},{4,5,6}}; int f(int i, int j) { return d[i][j]; } int r = f(1, 2);"
        ),
        6
    );
    assert_eq!(computed("int f(int n) { for (i : int[1,3]) n += i; return n; } int r = f(1);"), 7);
    assert_eq!(
        computed("int f(int n) { do { n = n * 2; } while (n < 50); return n; } int r = f(3);"),
        96
    );
    assert_eq!(
        computed(
            "bool f(int n) { if (n > 1) return true; else return false; } int r = f(2) + f(0);"
        ),
        1
    );
    assert_eq!(computed("int r = -7 / 2 * 10 + -7 % 3;"), -31);
    assert_eq!(
        computed("int r = (5 <? 3) + (5 >? 3) + (1 << 3) + (6 & 3) + (6 | 1) + (6 ^ 2);"),
        29
    );
}

#[test]
fn guards_may_not_change_anything_even_through_functions() {
    let text = "int n; void f() { n = 1; } bool g() { f(); return true; }
        bool local() { int i = 0; i++; return i > 0; }
        process P() { state A; init A; trans A -> A { guard GUARD; }; } system P;";
    assert_eq!(errors(&text.replace("GUARD", "g()")), ["effect: g()"]);
    assert_eq!(errors(&text.replace("GUARD", "n++ > 0")), ["effect: n"]);
    lowered(&text.replace("GUARD", "local()"));
}

#[test]
fn a_function_that_changes_only_its_callers_locals_is_pure() {
    lowered(
        "void inc(int &n) { n++; } bool g() { int k = 0; inc(k); return k > 0; } int n;
         process P() { state A; init A; trans A -> A { guard g(); }; } system P;",
    );
    let text = "void inc(int &n) { n++; } int n; bool g() { inc(n); return n > 0; }
         process P() { state A; init A; trans A -> A { guard g(); }; } system P;";
    assert_eq!(errors(text), ["effect: g()"]);
}

#[test]
fn templates_are_instantiated_with_values_and_references() {
    let network = lowered(
        "chan c[2]; int v; clock g;
         process P(const int i, chan &s, int &w, clock &k) {
            clock x; state A; init A;
            trans A -> A { guard x > i && k < 9; sync s!; assign w = i, k = 0; }; }
         process Q(const int[0,1] j) { clock x; state A; init A; trans A -> A { sync c[j]?; }; }
         P1 = P(3, c[1], v, g);
         system P1, Q;",
    );
    let names: Vec<&str> = network.processes.iter().map(|process| process.name.as_str()).collect();
    assert_eq!(names, ["P1", "Q(0)", "Q(1)"]);
    let clocks: Vec<&str> = network.clocks.iter().map(|clock| clock.name.as_str()).collect();
    assert_eq!(clocks, ["g", "P1.x", "Q(0).x", "Q(1).x"]);
    let edge = network.processes.iter().next().unwrap().edges.iter().next().unwrap();
    let Label::Send(used) = &edge.label else { panic!("sends") };
    assert_eq!(network.channels[used.channel].name, "c[1]");
    network.validate().map_err(|d| format!("{d:?}")).unwrap();
}

#[test]
fn partial_instances_keep_their_open_parameters() {
    let network = lowered(
        "process P(const int[0,9] i, const int[0,9] j) { clock x; state A { x <= i * 10 + j }; init A; }
         Q(const int[0,1] k) = P(k, 7); system Q;",
    );
    let names: Vec<&str> = network.processes.iter().map(|process| process.name.as_str()).collect();
    assert_eq!(names, ["Q(0)", "Q(1)"]);
    let last = network.processes.iter().last().unwrap();
    let invariant = &last.locations.iter().next().unwrap().invariant;
    assert_eq!(invariant.disjuncts[0].clocks[0].bound, TimeBound::Constant(17));
}

#[test]
fn choices_are_unrolled_in_order() {
    let network = lowered(
        "chan c[3]; process P() { state A, B; init A;
           trans A -> B { select i : int[0,2], j : int[0,1]; sync c[i]!; }; }
         process Q() { state A; init A; trans A -> A { select i : int[0,2]; sync c[i]?; }; }
         system P, Q;",
    );
    let process = network.processes.iter().next().unwrap();
    let choices: Vec<(i64, i64)> =
        process.edges.iter().map(|edge| (edge.choices[0].1, edge.choices[1].1)).collect();
    assert_eq!(choices, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]);
}

const OPEN: &str = "chan press, lamp, talk; broadcast chan shout;
    process Light() { state A, B; init A;
       trans A -> B { sync press?; }, B -> A { sync lamp!; }, A -> A { sync talk!; }, A -> A { sync shout!; }; }
    process Other() { state A; init A; trans A -> A { sync talk?; }; }
    system Light, Other;";

fn direction(model: &Network, name: &str) -> (Option<Direction>, bool) {
    let channel = model.channels.iter().find(|channel| channel.name == name).unwrap();
    (channel.direction, channel.open)
}

#[test]
fn a_channel_without_partner_belongs_to_the_environment() {
    let network = lowered(OPEN);
    assert_eq!(direction(&network, "press"), (Some(Direction::Input), true));
    assert_eq!(direction(&network, "lamp"), (Some(Direction::Output), true));
    assert_eq!(direction(&network, "talk"), (None, false));
    assert_eq!(direction(&network, "shout"), (Some(Direction::Output), true));
    let light = network.processes.iter().next().unwrap();
    let controls: Vec<Control> = light.edges.iter().map(|edge| edge.control).collect();
    assert_eq!(controls[0], Control::Controllable);
    assert_eq!(controls[1], Control::Uncontrollable);
}

#[test]
fn options_name_the_environment_and_the_interface() {
    let options = Options { environment: vec!["Other".into()], ..Options::default() };
    let network = try_lower(OPEN, &options).unwrap();
    assert_eq!(direction(&network, "talk"), (Some(Direction::Output), false));
    assert_eq!(network.processes.iter().last().unwrap().role, Role::Environment);
    let options = Options { inputs: vec!["lamp".into()], ..Options::default() };
    assert_eq!(try_lower(OPEN, &options).unwrap_err(), ["wrong-direction: lamp"]);
    let options = Options { environment: vec!["Othre".into()], ..Options::default() };
    assert_eq!(try_lower(OPEN, &options).unwrap_err(), ["unknown-name: -"]);
}

#[test]
fn an_index_never_reaches_a_neighbouring_row_of_channels() {
    let network = lowered(
        "chan c[2][2]; int i, j;
         process P() { state A; init A; trans A -> A { sync c[i][j]!; }; }
         process Q() { state A; init A; trans A -> A { sync c[1][0]?; }; } system P, Q;",
    );
    let model: Model = network.validate().map_err(|d| format!("{d:?}")).unwrap();
    let edge = model.processes.iter().next().unwrap().edges.iter().next().unwrap();
    let Label::Send(used) = &edge.label else { panic!("sends") };
    let (index, length) = used.index.unwrap();
    let mut stack = Stack::default();
    let mut at = |i: i64, j: i64| {
        let position =
            Evaluator::reading(&model.code, &[], &[i, j], &mut stack).int(index).unwrap();
        (0..i64::from(length)).contains(&position).then_some(position)
    };
    assert_eq!(at(1, 1), Some(3));
    assert_eq!(at(0, 2), None);
    assert_eq!(at(1, -1), None);
}
