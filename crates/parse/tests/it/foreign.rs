//! Models that others wrote: closed systems, annotations that are set aside, and declarations.

use tioga_base::{Diagnostics, Severity, Sources};
use tioga_model::{Control, Direction, Evaluator, Network, Stack, Update};
use tioga_parse::tchecker::{self, Events};
use tioga_parse::{Format, Options, lower, parse};

/// Lowers a text, with everything that was said on the way as `severity code: message`.
fn read(text: &str, options: &Options) -> (Option<Network>, Vec<String>) {
    let format = if text.starts_with("<nta") { Format::UppaalXml } else { Format::Xta };
    let mut sources = Sources::new();
    let file = sources.add("test", text);
    let mut diagnostics = Diagnostics::new();
    let network = parse(format, file, text, &mut diagnostics)
        .and_then(|document| lower(&document, options, &mut diagnostics));
    let said = |one: &tioga_base::Diagnostic| {
        let severity = match one.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        format!("{severity} {}: {}", one.code, one.message)
    };
    (network, diagnostics.iter().map(said).collect())
}

#[track_caller]
fn network(text: &str) -> Network {
    let (network, said) = read(text, &Options::default());
    network.unwrap_or_else(|| panic!("{said:#?}"))
}

fn closed() -> Options {
    Options { closed: true, ..Options::default() }
}

fn directions(network: &Network) -> Vec<(&str, Option<Direction>)> {
    network.channels.iter().map(|one| (one.name.as_str(), one.direction)).collect()
}

const LONELY: &str = "chan a; urgent broadcast chan hurry; chan c[2], d[2];
process P() { state A, B; init A; trans A -> B { sync a!; }, A -> A { sync hurry!; },
  A -> A { sync c[0]?; }, A -> A { sync c[1]!; }, A -> A { sync d[0]?; }, A -> A { sync d[1]?; }; }
system P;";

#[test]
fn a_closed_system_has_no_interface() {
    let (network, said) = read(LONELY, &closed());
    let network = network.unwrap();
    assert!(network.channels.iter().all(|one| one.direction.is_none() && !one.open));
    assert_eq!(said, ["note one-sided: no partner in the system, so never taken: `a`, `d`"]);
}

#[test]
fn an_open_system_opens_whole_channels_and_no_dummies() {
    let (network, said) = read(LONELY, &Options::default());
    let network = network.unwrap();
    let (into, out) = (Some(Direction::Input), Some(Direction::Output));
    let expected = [
        ("a", out),
        ("hurry", None),
        ("c[0]", None),
        ("c[1]", None),
        ("d[0]", into),
        ("d[1]", into),
    ];
    assert_eq!(directions(&network), expected);
    assert_eq!(said, ["note opened: no partner in the system, so open: `a`, `d`"]);
}

#[test]
fn options_decide_for_each_channel_and_element() {
    let options = Options {
        inputs: vec!["c[0]".into()],
        outputs: vec!["c[1]".into(), "hurry".into()],
        internals: vec!["a".into(), "d[1]".into()],
        closed: true,
        ..Options::default()
    };
    let (network, said) = read(LONELY, &options);
    let network = network.unwrap();
    let (into, out) = (Some(Direction::Input), Some(Direction::Output));
    let expected = [
        ("a", None),
        ("hurry", out),
        ("c[0]", into),
        ("c[1]", out),
        ("d[0]", None),
        ("d[1]", None),
    ];
    assert_eq!(directions(&network), expected);
    assert!(said.is_empty(), "{said:?}");
    let options = Options { internals: vec!["hury".into()], ..Options::default() };
    assert_eq!(read(LONELY, &options).1, ["error unknown-name: the model has no channel `hury`"]);
}

#[test]
fn a_declared_environment_makes_an_interface_of_what_is_alone() {
    let text = "chan press, dim;
process Lamp() { state Off, On; init Off; trans Off -> On { sync press?; }, On -> Off { sync dim!; }; }
process User() { state U; init U; trans U -> U { sync press!; }; }
system User, Lamp;";
    let options = Options { environment: vec!["User".into()], closed: true, ..Options::default() };
    let (network, said) = read(text, &options);
    let expected = [("press", Some(Direction::Input)), ("dim", Some(Direction::Output))];
    assert_eq!(directions(&network.unwrap()), expected);
    assert!(said.is_empty(), "{said:?}");
}

#[test]
fn a_closed_system_with_a_control_query_is_a_game_of_the_tester() {
    let text = "chan a; process P() { state A, B; init A; trans A -> B { sync a!; }, A -> A { }; }
process Q() { state A; init A; trans A -> A { sync a?; }; } system P, Q;";
    let controls = |text: &str, options: &Options| {
        let network = read(text, options).0.unwrap();
        let edges = network.processes.iter().flat_map(|one| one.edges.iter());
        edges.map(|edge| edge.control).collect::<Vec<_>>()
    };
    let (yes, no) = (Control::Controllable, Control::Uncontrollable);
    let asked = format!("{text} query {{ control: A<> P.B }}");
    assert_eq!(controls(text, &closed()), [no, no, no]);
    assert_eq!(controls(&asked, &closed()), [yes, yes, yes]);
    let options = Options { outputs: vec!["a".into()], ..closed() };
    assert_eq!(controls(&asked, &options), [no, yes, yes]);
    // One uncontrollable edge says it all.
    let game = asked.replace("A -> A { };", "A -u-> A { };");
    assert_eq!(controls(&game, &closed()), [yes, no, yes]);
    // Tests are not played against the system's own moves.
    assert_eq!(controls(&asked, &Options::default()), [no, no, no]);
}

#[test]
fn events_of_tchecker_get_directions_from_options() {
    let text = "system:s\nevent:go\nevent:stop\nprocess:P\nlocation:P:a{initial:}\n\
                edge:P:a:a:go{}\nedge:P:a:a:stop{}\n";
    let of = |inputs: &[&str], internals: &[&str], lenient: bool| {
        let owned = |names: &[&str]| names.iter().map(|&one| one.to_owned()).collect::<Vec<_>>();
        let (inputs, internals) = (owned(inputs), owned(internals));
        let given = Events { inputs: &inputs, outputs: &[], internals: &internals, lenient };
        let mut sources = Sources::new();
        let file = sources.add("test.tck", text);
        let mut diagnostics = Diagnostics::new();
        let document = tchecker::parse_with(file, text, &given, &mut diagnostics)?;
        let network = lower(&document, &Options::default(), &mut diagnostics)?;
        let named = |one: &tioga_model::Channel| (one.name.clone(), one.direction);
        Some(network.channels.iter().map(named).collect::<Vec<_>>())
    };
    assert_eq!(of(&[], &[], false).unwrap(), []);
    assert_eq!(of(&["go"], &[], false).unwrap(), [("go".to_owned(), Some(Direction::Input))]);
    assert_eq!(of(&["go"], &["go"], false).unwrap(), []);
    assert!(of(&["gone"], &[], false).is_none());
    assert!(of(&["gone"], &[], true).is_some());
}

#[test]
fn templates_that_never_run_are_not_evaluated() {
    let unused = "int a[10]; process Unused(int i) { clock x; state A { x <= a[i] }; init A; }";
    let text = format!("{unused} process P() {{ state A; init A; }} system P;");
    let (network, said) = read(&text, &Options::default());
    assert_eq!(network.unwrap().processes.len(), 1);
    assert_eq!(said, ["warning unused: `Unused` never runs"]);
}

#[test]
fn in_tioga_templates_that_never_run_are_checked_without_values() {
    let read = |text: &str| {
        let mut diagnostics = Diagnostics::new();
        let mut sources = Sources::new();
        let file = sources.add("test.tioga", text);
        let document = parse(Format::Tioga, file, text, &mut diagnostics).unwrap();
        let network = lower(&document, &Options::default(), &mut diagnostics);
        (network.is_some(), diagnostics.iter().map(|one| one.code).collect::<Vec<_>>())
    };
    let text = "int a[10]; automaton P { init location A; }
automaton Unused(int i, int k) { clock x; init location A invariant x <= k; A -> A : when a[i] == 1; }
system P;";
    assert_eq!(read(text), (true, vec!["unused"]));
    let wrong = text.replace("a[i]", "b[i]").replace(" invariant x <= k", "");
    assert_eq!(read(&wrong), (false, vec!["unused", "unknown-name"]));
}

/// What the edges of the first process lead to, with the number of their updates.
fn edges(network: &Network) -> Vec<(String, String, usize, Control)> {
    let process = network.processes.iter().next().unwrap();
    let name = |id| process.locations[id].name.clone();
    let all = process.edges.iter();
    all.map(|one| (name(one.source), name(one.target), one.updates.len(), one.control)).collect()
}

#[test]
fn branchpoints_are_choices_of_the_system() {
    let text = "int i; process P() { state A, B, C; branchpoint D; init A;
trans A -> D { assign i = 1; }, D -> B { probability 3; }, D -> C { assign i = 2; probability 1; }; }
system P;";
    let (system, tester) = (Control::Uncontrollable, Control::Controllable);
    let ways = |control| {
        [("A".to_owned(), "B".to_owned(), 1, control), ("A".to_owned(), "C".to_owned(), 2, control)]
    };
    assert_eq!(edges(&network(text)), ways(system));
    let xml = "<nta><declaration>int i;</declaration><template><name>P</name>
<location id=\"a\"><name>A</name></location><location id=\"b\"><name>B</name></location>
<location id=\"c\"><name>C</name></location><branchpoint id=\"d\"/><init ref=\"a\"/>
<transition><source ref=\"a\"/><target ref=\"d\"/><label kind=\"assignment\">i = 1</label></transition>
<transition><source ref=\"d\"/><target ref=\"b\"/><label kind=\"probability\">3</label></transition>
<transition><source ref=\"d\"/><target ref=\"c\"/><label kind=\"assignment\">i = 2</label></transition>
</template><system>system P;</system></nta>";
    assert_eq!(edges(&network(xml)), ways(system));
    // In a game the other edges are the tester's, but not those with several branches.
    let game = text.replace("D -> C", "B -u-> A { }, C -> A { }, D -> C");
    let controls: Vec<_> = edges(&network(&game)).iter().map(|edge| edge.3).collect();
    assert_eq!(controls, [system, system, system, tester]);
    let nowhere = "process P() { state A; branchpoint D; init A; trans A -> D { }; } system P;";
    assert!(read(nowhere, &Options::default()).1[0].starts_with("error no-branch"));
}

#[test]
fn clocks_with_rates_that_nothing_reads_are_left_out() {
    let text = "clock x, e; process P() { clock w[2]; state A { x <= 3 && e' == 5 }, B { x' == 1 },
C { forall (i : int[0,1]) w[i]' == i }; init A; trans A -> B { assign e = 0, x = 0; }; } system P;";
    let (network, said) = read(text, &Options::default());
    let network = network.unwrap();
    let clocks: Vec<&str> = network.clocks.iter().map(|clock| clock.name.as_str()).collect();
    assert_eq!(clocks, ["x"]);
    assert_eq!(edges(&network)[0].2, 1);
    let note = "note ignored: clocks with rates that nothing reads are left out: `e`, `w`";
    assert_eq!(said, [note]);
    for reader in [
        text.replace("A -> B {", "A -> B { guard e > 2;"),
        text.replace("C {", "C { e < 7 &&"),
        text.replace("assign e = 0", "assign x = e"),
        text.replace("clock x, e;", "clock x, e; void f() { x = e; }"),
        text.replace("process P()", "process P(clock &e)")
            .replace("system P", "Q = P(x); system Q"),
    ] {
        let (network, said) = read(&reader, &Options::default());
        assert!(network.is_none(), "{reader}");
        assert!(said[0].starts_with("error unsupported: `e` has a rate"), "{said:?}");
    }
}

#[test]
fn functions_may_reset_what_is_left_out() {
    let text = "clock x, e; int n; void f() { if (n == 1) { e = 0; cost += 2; } x = 0; }
process P() { state A { e' == 5 }; init A; trans A -> A { assign f(); }; } system P;";
    let (network, said) = read(text, &Options::default());
    assert_eq!(network.unwrap().clocks.len(), 1);
    assert_eq!(said.len(), 2, "{said:?}");
    let kept = text.replace("e' == 5", "e <= 5");
    let kept = read(&kept, &Options::default()).0.unwrap();
    assert_eq!((kept.clocks.len(), edges(&kept)[0].2), (2, 2));
}

#[test]
fn costs_are_ignored_unless_they_are_variables() {
    let text = "clock x; process P() { state A { x <= 3 && cost' == 2 }, B; init A;
trans A -> B { assign cost += 5, x = 0; }; } system P;";
    let (network, said) = read(text, &Options::default());
    assert_eq!(edges(&network.unwrap())[0].2, 1);
    assert_eq!(said, ["note ignored: `cost` is ignored"]);
    let declared = text.replace("clock x;", "clock x; int cost;").replace(" && cost' == 2", "");
    assert_eq!(edges(&network_of(&declared))[0].2, 2);
}

fn network_of(text: &str) -> Network {
    network(text)
}

#[test]
fn lines_about_components_are_the_interface() {
    let text = "broadcast chan coin, tea, pub; process M() { state A; init A;
trans A -> A { sync coin?; }, A -> A { sync tea!; }; }
process R() { state A; init A; trans A -> A { sync tea?; }, A -> A { sync pub!; }; }
system M, R; IO M { coin?, tea! } IO R { tea?, pub! }";
    let (network, said) = read(text, &closed());
    let expected =
        [("coin", Some(Direction::Input)), ("tea", None), ("pub", Some(Direction::Output))];
    assert_eq!(directions(&network.unwrap()), expected);
    assert!(said.is_empty(), "{said:?}");
}

#[test]
fn a_wrong_query_never_refuses_the_model() {
    for query in ["E<> (P.A", "E<> P.A P.A", "A[] \\ x", "E<> Nobody.A", "E<> x' == 1"] {
        let text = format!("process P() {{ state A; init A; }} system P; query {{ {query} }}");
        let formula = query.replace('<', "&lt;").replace('>', "&gt;");
        let xml = format!(
            "<nta><template><name>P</name><location id=\"a\"/><init ref=\"a\"/></template>
<system>system P;</system><queries><query><formula>{formula}</formula></query></queries></nta>"
        );
        for text in [text, xml] {
            let (network, said) = read(&text, &Options::default());
            // A parenthesis that is never closed takes the rest of a text form with it.
            if !(query.contains('(') && text.starts_with("process")) {
                assert_eq!(network.map(|one| one.queries.len()), Some(0), "{text} {said:?}");
                assert!(said[0].starts_with("warning"), "{said:?}");
            }
        }
    }
}

/// The data after the initialisation and the update of the only edge.
fn after(globals: &str, locals: &str, update: &str) -> Vec<i64> {
    let text = format!(
        "{globals} process P() {{ {locals} state A; init A; trans A -> A {{ assign {update}; }}; }}
system P;"
    );
    let network = network(&text);
    let model = network.validate().map_err(|wrong| format!("{wrong:?}")).unwrap();
    let mut state: Vec<i64> = model.slots.iter().map(|slot| slot.initial).collect();
    let edge = model.processes.iter().next().unwrap().edges.iter().next().unwrap();
    let mut stack = Stack::default();
    for update in &edge.updates {
        if let Update::Data(statement) = update {
            let mut evaluator = Evaluator::writing(&model.code, &[], &mut state, &mut stack);
            evaluator.run(statement, edge.span).unwrap();
        }
    }
    state
}

#[test]
fn loops_may_have_several_beginnings_and_steps() {
    let sum = "int s, i, j; void f() { for (i = 0, j = 10; i < 3; i++, j = j - i) { s += j; } }";
    // j is 10, 9, 7 while i is 0, 1, 2; then i is 3 and j is 4.
    assert_eq!(after(sum, "", "f()"), [26, 3, 4]);
}

#[test]
fn integer_types_and_limits_have_names() {
    let globals = "int8_t a = INT8_MIN; uint8_t b = UINT8_MAX; int32_t c = INT32_MAX; uint16_t d;
typedef const int[1, 3] id_t; typedef struct { meta id_t x; const bool y; } pair; pair p;";
    assert_eq!(
        after(globals, "", "d = UINT16_MAX, p.x = 3"),
        [-128, 255, 2_147_483_647, 65_535, 3, 0]
    );
    // A model may use the names itself.
    assert_eq!(after("int INT8_MAX = 5;", "", "INT8_MAX++"), [6]);
}

#[test]
fn absolute_values_and_copies_of_arrays_and_records() {
    assert_eq!(after("int a = -7, b;", "", "b = abs(a) + abs(3 - 1)"), [-7, 9]);
    let copies = "const int t[2][2] = {{1, 2}, {3, 4}}; int u[2] = t[1]; int v;
typedef struct { int x; int y; } point; point p = {5, 6};
void f() { int w[2] = u; point q = p; v = w[0] + q.y; }";
    assert_eq!(after(copies, "", "f()"), [3, 4, 9, 5, 6]);
}

#[test]
fn parameters_by_value_may_be_assigned_and_exceed_the_default_range() {
    let text = "int r; process P(int n, const int big) { state A; init A;
trans A -> A { assign n = n + 1, r = big / 100000; }; }
Q = P(4, 1000000); R = P(7, 2000000); system Q, R;";
    let network = network(text);
    let initial: Vec<(&str, i64)> =
        network.slots.iter().map(|slot| (slot.name.as_str(), slot.initial)).collect();
    assert_eq!(initial, [("r", 0), ("Q.n", 4), ("R.n", 7)]);
}

#[test]
fn an_index_out_of_range_matters_only_to_runs_that_come_there() {
    let text = "int a[2]; chan c[2]; void f() { a[5] = 1; } process P(chan &d) { state A; init A;
trans A -> A { guard a[0] == 1; assign f(); }, A -> A { sync d!; }; } Q = P(c[1]); system Q;";
    let (network, said) = read(text, &Options::default());
    assert!(network.is_some());
    assert!(said[0].starts_with("warning index-out-of-range: the index 5 is outside 0 to 1"));
    let (network, said) = read(&text.replace("P(c[1])", "P(c[2])"), &Options::default());
    assert!(network.is_none(), "{said:?}");
}

#[test]
fn functions_on_floating_point_numbers_are_refused_like_double() {
    let text = |update: &str| {
        format!(
            "int a; process P() {{ state A; init A; trans A -> A {{ assign {update}; }}; }} system P;"
        )
    };
    for name in ["fint", "fabs", "sqrt", "pow", "floor", "round", "ln", "exp", "sin", "random"] {
        let text = text(&format!("a = {name}(3.7)"));
        let mut diagnostics = Diagnostics::new();
        let file = Sources::new().add("test", &text);
        let document = parse(Format::Xta, file, &text, &mut diagnostics).unwrap();
        assert!(lower(&document, &Options::default(), &mut diagnostics).is_none());
        let said = diagnostics.iter().next().unwrap();
        assert_eq!((said.code, said.feature), ("unsupported", Some("double")));
        let message = format!("floating-point functions (`{name}`) are not supported");
        assert_eq!(said.message, message);
        assert_eq!(said.help.as_deref(), Some("data is exact and finite; use scaled integers"));
    }
    // A function of the model may have such a name, and other names are still unknown.
    let own = text("a = fint(3)").replacen("int a;", "int a; int fint(int n) { return n; }", 1);
    network(&own);
    let said = read(&text("a = fin(3)"), &Options::default()).1;
    assert_eq!(said, ["error unknown-name: unknown function `fin`"]);
}

#[test]
fn powers_have_known_exponents() {
    let globals =
        "const int B = 2; const int N = 3; int a = 1 + B ** N, b = 2 * 3 ** 2 ** 1, c = 5;";
    assert_eq!(after(globals, "", "c = c ** 2 - B ** 0"), [9, 18, 24]);
    let text =
        "int n; process P() { state A; init A; trans A -> A { assign n = 2 ** n; }; } system P;";
    assert!(read(text, &Options::default()).0.is_none());
}
