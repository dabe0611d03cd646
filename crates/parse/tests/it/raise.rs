//! Raising: a network written as a document and read again is the same network.

use std::path::{Path, PathBuf};

use tioga_base::{Diagnostics, FileId};
use tioga_model::{
    ChannelUse, Clock, ClockId, Condition, Conjunct, Dynamic, Expr, Kind, Label, LocationId,
    Lvalue, Marks, Network, Role, Statement, Update,
};
use tioga_parse::raise::{difference, raise};
use tioga_parse::syntax::Document;
use tioga_parse::{Format, Options, lower, parse, tioga};

fn read(format: Format, text: &str) -> Document {
    let mut diagnostics = Diagnostics::new();
    let document = parse(format, FileId(0), text, &mut diagnostics);
    document.unwrap_or_else(|| panic!("{diagnostics:#?}\n{text}"))
}

fn network(document: &Document) -> Result<Network, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    lower(document, &Options::default(), &mut diagnostics).ok_or(diagnostics)
}

fn tioga_network(text: &str) -> Network {
    network(&read(Format::Tioga, text)).unwrap_or_else(|d| panic!("{d:#?}\n{text}"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// All examples and, where they are installed, all shared models.
fn documents() -> Vec<(String, Document)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths: Vec<PathBuf> =
        files(&root.join("examples")).iter().flat_map(|folder| files(folder)).collect();
    paths.extend(files(&root.join("../shared/models/uppaal")));
    paths.extend(files(&root.join("../shared/models/tck")));
    let mut documents = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(format) = Format::from_file_name(&name) else { continue };
        documents.push((name, read(format, &std::fs::read_to_string(&path).unwrap())));
    }
    documents
}

/// Raises a network, prints, reads and lowers it, and says in what the result differs.
fn round_trip(network: &Network) -> Result<String, String> {
    let document = raise(network, &[]).map_err(|refused| format!("{refused:#?}"))?;
    let text = tioga::print(&document).map_err(|refused| format!("{refused:#?}"))?;
    let mut diagnostics = Diagnostics::new();
    let read = parse(Format::Tioga, FileId(0), &text, &mut diagnostics);
    let again = read.and_then(|read| lower(&read, &Options::default(), &mut diagnostics));
    let Some(again) = again else { return Err(format!("{diagnostics:#?}\n{text}")) };
    // What is printed and read is what was raised.
    assert!(read_again(&text) == document.without_spans(), "{text}");
    match difference(network, &again) {
        Some(what) => Err(format!("{what} differ\n{text}")),
        None => Ok(text),
    }
}

fn read_again(text: &str) -> Document {
    read(Format::Tioga, text).without_spans()
}

#[test]
fn examples_and_shared_models_are_the_same_when_raised() {
    let mut failures = Vec::new();
    let documents = documents();
    let count = documents.len();
    for (name, document) in documents {
        let network = network(&document).unwrap();
        match round_trip(&network) {
            Err(failure) => failures.push(format!("{name}: {failure}")),
            Ok(text) => {
                // Raised once, nothing changes any more.
                let again = tioga_network(&text);
                assert_eq!(round_trip(&again).unwrap(), text, "{name}");
            }
        }
    }
    let short: Vec<&str> = failures.iter().map(|one| &one[..one.len().min(2500)]).collect();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), short.join("\n\n"));
    assert!(count >= 20, "only {count} models");
}

/// Everything a model of our language can have, at once.
const RICH: &str = r#"
model rich;
time unit 10 ms;
typedef int[1, 3] Id;
typedef struct { int[0, 5] level; bool on[2]; rational share; } Tank;
const int table[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
const rational shares[2] = { 1/2, 3 };
input set(int[0, 3] amount, bool fast, rational part), go[2][3], stop;
input fill[int[1, 3]];
urgent output full;
output answer(integer n), said;
broadcast chan all;
urgent chan hurry;
chan c[2], d;
internal think, load;
clock t, row[2][2], w[int[1, 3]];
int[0, 9] n = 2, list[3] = { 1, 2, 3 };
int wide;
integer big = -7;
rational r = 1/3, q[2];
bool b = true;
Tank tanks[2], one;
param int[0, 9] p = 4;
param rational speed = 1/2;

int[0, 9] least(int[0, 9] x, int[0, 9] y) { return x <? y; }
void shift(int[0, 9] &values[3], const int k) {
  int i = 1, copy[3];
  bool any;
  copy = values;
  for (i = 0; i < 3; i++) { values[i] = copy[(i + k) % 3]; }
  for (j : int[0, 2]) if (values[j] > 4) any = true; else { int m = j; any = m == 1; }
  do { i--; } while (i > 0 && forall (k : int[0, 2]) values[k] != i);
  while (any) { any = false; n = values[0]; }
}
integer total(int[0, 9] values[3]) {
  integer s = sum (i : int[0, 2]) values[i];
  if (s > 5) return s; else return table[s % 2][0];
}
bool same(Tank &left, Tank right) { return left == right; }

automaton A(const int size, int[0, 9] &shared) {
  clock x, y[2];
  int[0, size] own = 1;
  Tank tank;
  int double() { own = own + 1; return 2 * own; }
  init location L invariant x <= 5/2 && y[0] < 7 || t <= own + 1;
  urgent location U;
  committed location C labels red, green;
  location D invariant x <= own && x - t < 3;
  L -> U : set(a, f, s)? when f && a > own do own = a <? 1, r = s, n = a;
  L -> self : set(2, true, 1/2)? when x >= 1/2;
  L -> C : go[n % 2][2]? / said! when x == 1 do x = y[1] + 3, y[0] = 0;
  L -> C : go[1][n % 3]? do tank = tanks[n % 2];
  L -> C : go[n % 2][own]?;
  L -> D : fill[own + 1]? when w[own + 1] > 2;
  U -> L : answer(own + big)! do n++, list[n % 3] += 2, wide = table[1][n % 3];
  C -> L : all! for i : int[0, 2], k : Id when list[i] < k do shared = k, row[1][n % 2] = 0;
  D -u-> L : think when x > own && t - x >= n do shift(list, 2), t = own;
  D -c-> L : when least(n, 3) == 2 do double(), x = t + n - 1;
  D, U -> L : hurry? when exists (i : Id) w[i] < i || b;
  L -> D : c[n % 2]! when b ? x < 3 : x > own + p;
  L -> L : when n >= x && 3 <= t && x + n <= 5 && x - n > 2 do q[n % 2] = r * 2 + n;
  L -> L : when !(x == n) && total(list) > 3 && same(tank, tanks[1]) && tank == one;
  L -> L : when r < speed && shares[n % 2] > 1 && -n < 3 && (n & 3) >> 1 == (b ? 1 : 0);
}
automaton B {
  int x[int[1, 2]];
  init location L; accept location Acc; refuse location Ref; desired location W; fail location F;
  L -> self : all? do x[1] = x[2]++;
  L -> Acc : hurry!;
  L -> Ref : full!;
  L -> W : c[0]?;
  L -> F : c[1]?;
  L -> W : load;
  L -> F : d? when never();
}
automaton Env { init location E; E -> self : stop!; E -> self : d!; }
One = A(3, n);
Two = A(1, list[2]);
system One, Two, B environment Env;
sync One.think, B.load?;
purpose Goal {
  clock z;
  int[0, 4] seen[2];
  bool deep(int i) { return seen[i] > 1 && One.own > 0; }
  init location S; accept location Yes; refuse location No;
  S -> Yes : set(v, f, s)? when v == 2 && One.U && z < 3 && One.x > 1;
  S -> self : answer(7)! do seen[1] = n, z = 0;
  S -> self : answer(k)! when k > Two.own && deep(1) do seen[n % 2] = 1;
  S -> No : think;
  otherwise self;
  restart said!;
}
query A[] !deadlock;
query "it // works" A[] One.L imply One.x <= 5;
query E<> One.C && Two.C || n > 3 || One.y[1] > 2;
query One.L --> Two.L;
query control: A<> B.Acc;
query control: A[ One.own < 3 U B.Acc && t < 10 ];
query E<> control: A[ !B.F W B.Acc ];
query E[] forall (i : int[0, 2]) list[i] < 9;
"#;

#[test]
fn a_received_value_that_is_asked_for_and_read_keeps_its_name() {
    let text = "input a(int[0,5] v, int[0,5] w);
        automaton A { int[0,5] x; init location L;
          L -> self : a(c, d)? when c == 1 && d == 2 do x = c;
          L -> self : a(c, d)? when c == 1 && d == 2 do x = d;
          L -> self : a(c, d)? when c == 1 && d > c;
          L -> self : a(c, d)? when c == 3 && d == 4; }";
    let raised = round_trip(&tioga_network(text)).unwrap_or_else(|failure| panic!("{failure}"));
    for line in [
        "a(v1, v2)? when v1 == 1 && v2 == 2 do x = v1;",
        "a(1, v2)? when v2 == 2 do x = v2;",
        "a(v1, v2)? when v1 == 1 && v2 > v1;",
        "a(3, 4)?;",
    ] {
        assert!(raised.contains(line), "{line}:\n{raised}");
    }
}

#[test]
fn everything_a_model_can_have_survives() {
    let text = RICH.replace("never()", "false");
    let network = tioga_network(&text);
    let raised = round_trip(&network).unwrap_or_else(|failure| panic!("{failure}"));
    for line in [
        "input go[2][3];",
        "input fill[int[1, 3]];",
        "automaton One {",
        "  L -> self : set(2, true, 0.5)? when x >= 0.5;",
        "  L -> C : go[n % 2][own]?;",
        "system One, Two, B environment Env;",
        "sync One.think, B.load?;",
    ] {
        assert!(raised.contains(line), "{line}:\n{raised}");
    }
    assert!(network.validate().is_ok(), "{raised}");
}

/// The differences of models that differ in one thing from each other.
#[test]
fn differences_are_found() {
    let base = "time unit 1 s; input go(int[0, 3] v); output done; chan c; internal i;
clock t; int[0, 3] n = 1; bool b; const int table[2] = { 1, 2 };
int f(int x) { return x + 1; }
automaton P { clock x; init location L invariant x <= 3; location M;
  L -> M : go(v)? when v < n && x > 1 do n = v, x = 0; M -> L : done!; M -> M : c! when t < n;
  M -> L : i do n = f(table[n % 2]); }
automaton Q { init location L; L -> self : c?; }
purpose G { init location S; accept location A; S -> A : done! when P.M; otherwise self; }
query E<> P.M;";
    let one = tioga_network(base);
    assert_eq!(difference(&one, &tioga_network(base)), None);
    for (from, to, what) in [
        ("1 s", "2 s", "the time unit, the observer or the plain actions"),
        ("n = 1", "n = 2", "the variables or their initial values"),
        ("int[0, 3] n", "int[0, 4] n", "the variables or their initial values"),
        ("{ 1, 2 }", "{ 1, 3 }", "the constants"),
        ("output done", "urgent output done", "the channel `done` or who uses it"),
        ("x + 1", "x + 2", "the function `f`"),
        ("x <= 3", "x < 3", "the locations of `P`"),
        ("location M", "urgent location M", "the locations of `P`"),
        ("v < n", "v <= n", "edge 0 of `P`"),
        ("n = v,", "n = v + 0,", "edge 0 of `P`"),
        ("x > 1", "x > 1/2", "edge 0 of `P`"),
        ("L : done!", "M : done!", "edge 1 of `P`"),
        ("M -> M : c!", "M -c-> M : c!", "edge 2 of `P`"),
        ("t < n", "t < n + 1", "edge 2 of `P`"),
        ("L : i do", "L : do", "edge 3 of `P`"),
        ("% 2]", "% 1]", "edge 3 of `P`"),
        ("otherwise self", "otherwise -> A", "the purpose `G`"),
        ("when P.M", "when P.L", "edge 0 of `G`"),
        ("E<> P.M", "E<> P.L", "the queries"),
        ("E<> P.M", "A<> P.M", "the queries"),
        ("automaton Q", "clock late; automaton Q", "the clocks"),
    ] {
        assert!(base.contains(from), "{from}");
        let other = tioga_network(&base.replacen(from, to, 1));
        assert_eq!(difference(&one, &other).as_deref(), Some(what), "{from} as {to}");
    }
}

/// What is the same in other words is no difference.
#[test]
fn other_words_are_no_difference() {
    let network = |guard: &str| {
        let text = "input go; clock t; int[0, 3] n; bool a, b, c; automaton P { clock x;
          init location L; L -> L : go? when GUARD do n++; }";
        tioga_network(&text.replace("GUARD", guard))
    };
    for (one, other) in [
        ("x <= 2 && a && b", "a && (b && x <= 2)"),
        ("x >= n", "n <= x"),
        ("x - n > 1", "x > n + 1"),
        ("x == 2", "x >= 2 && x <= 2"),
        ("a || b || x < 1", "a || (x < 1 || b)"),
        ("x < 1 || x - x <= 0", "true"),
        ("!(a || x < 1)", "x >= 1 && !a"),
    ] {
        assert_eq!(difference(&network(one), &network(other)), None, "{one} as {other}");
    }
}

/// Why a network is refused.
fn refusal(network: &Network) -> String {
    let refused = raise(network, &[]).unwrap_err();
    let one = refused.iter().next().unwrap();
    assert_eq!((refused.iter().count(), one.code), (1, "inexpressible"));
    let parts = std::iter::once(&one.message).chain(&one.notes);
    parts.map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[test]
fn what_no_document_can_say_is_refused() {
    let text = "input go, stop; output done; broadcast chan all; int[0, 3] n; int[0, 3] list[2];
automaton P { clock x; int[0, 3] own; init location L; L -> L : go? do n = 1; L -> L : done!; }
automaton Q { init location L; L -> L : all!; }
purpose G { init location S; accept location A; S -> A : done!; otherwise self; }";
    let fine = tioga_network(text);
    let refused = |change: &dyn Fn(&mut Network)| {
        let mut network = fine.clone();
        change(&mut network);
        refusal(&network)
    };
    let (p, first) = (tioga_model::ProcessId(0), tioga_model::EdgeId(0));
    let product = fine.clone().observed_by(0).unwrap();
    assert_eq!(refusal(&product), "a product with a purpose has no document of its own");
    let looping = |network: &mut Network| {
        let always = network.code.push(Expr::Int(1), Kind::Bool, Default::default());
        let body = Box::new(Statement::Block(Vec::new()));
        let update = Update::Data(Statement::While(always, body));
        network.processes[p].edges[first].updates.push(update);
    };
    assert_eq!(
        refused(&looping),
        "an edge has a loop, a choice or a `return` outside of a function, in the edge `L -> L`, \
         in the process `P`"
    );
    let without_variable = |network: &mut Network| drop(network.variables.split_off(1));
    assert_eq!(refused(&without_variable), "some data is part of no variable");
    let range = |network: &mut Network| network.slots[0].range = None;
    assert_eq!(refused(&range), "`n` has other slots than its type");
    let open = |network: &mut Network| {
        network.channels[tioga_model::ChannelId(0)].open = false;
    };
    let message = "`go` does not have the tester as partner, against its users";
    assert_eq!(refused(&open), message);
    let order = |network: &mut Network| {
        network.processes[p].role = Role::Environment;
        network.processes[p].edges = Default::default();
    };
    assert!(refused(&order).starts_with("a process of the environment comes before"));
    let alone = |network: &mut Network| {
        network.processes.iter_mut().for_each(|process| process.role = Role::Environment);
        network.channels.iter_mut().for_each(|channel| channel.open = false);
        network.channels[tioga_model::ChannelId(1)].open = true;
    };
    assert_eq!(refused(&alone), "the system has no process");
    let foreign = |network: &mut Network| {
        // Another process reads the clock of `P`.
        let clock = tioga_model::ClockTerm::from(ClockId(0));
        let constraint = tioga_model::ClockConstraint {
            left: Some(clock),
            right: None,
            strict: false,
            bound: tioga_model::TimeBound::Constant(1),
        };
        let conjunct = Conjunct { data: None, clocks: vec![constraint] };
        let q = tioga_model::ProcessId(1);
        network.processes[q].edges[first].guard = Condition { disjuncts: vec![conjunct] };
    };
    assert_eq!(
        refused(&foreign),
        "`x` belongs to another process, in the edge `L -> L`, in the process `Q`"
    );
    let part = |network: &mut Network| {
        let index = network.code.push(Expr::Int(0), Kind::Int, Default::default());
        let mut place = Lvalue::global(1);
        place.indices.push(Dynamic { index, first: 0, length: 7, stride: 1 });
        let load = network.code.push(Expr::Load(place), Kind::Int, Default::default());
        let update = Update::Data(Statement::Expr(load));
        network.processes[p].edges[first].updates.push(update);
    };
    assert!(
        refused(&part).starts_with("a place in the middle of a variable"),
        "{}",
        refused(&part)
    );
    let half = |network: &mut Network| {
        let index = network.code.push(Expr::Int(0), Kind::Int, Default::default());
        network.processes[p].edges[first].label = Label::Receive(ChannelUse {
            channel: tioga_model::ChannelId(0),
            index: Some((index, 2)),
            arguments: Vec::new(),
        });
    };
    assert!(refused(&half).starts_with("only a part of the array `go` is indexed"));
}

/// Names of a network that are no names of the language.
#[test]
fn odd_names_become_valid_ones() {
    let mut build = crate::build::Build::new();
    build.0.name = "3 odd/names".into();
    build.clock("location");
    build.clock("P(0).x");
    build.int("n.m", 0, 3, 1);
    let p = build.process("P(0)", &["a b", "a_b", "self"]);
    build.process("P_0", &["é"]);
    build.0.clocks[ClockId(1)] = Clock { name: "P(0).x".into(), owner: Some(p) };
    build.0.processes[p].locations[LocationId(1)].marks =
        Marks { accept: true, ..Marks::default() };
    let text = round_trip(&build.0).unwrap_or_else(|failure| panic!("{failure}"));
    for part in [
        "model _3_odd_names;",
        "clock location_;",
        "int[0, 3] n_m = 1;",
        "automaton P_0 {",
        "automaton P_0_2 {",
        "  clock x;",
        "  init location a_b;",
        "  accept location a_b_2;",
        "  location self_;",
        "  init location _;",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
}
