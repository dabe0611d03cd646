//! Raising: a network written as a document and read again is the same network.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::path::{Path, PathBuf};

use tioga_base::{Diagnostics, FileId};
use tioga_model::Network;
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
fn everything_a_model_can_have_survives() {
    let text = RICH.replace("never()", "false");
    let network = tioga_network(&text);
    let raised = round_trip(&network).unwrap_or_else(|failure| panic!("{failure}"));
    for line in [
        "input go[2][3];",
        "input fill[int[1, 3]];",
        "automaton One {",
        "  L -> self : set(2, true, 1/2)? when x >= 1/2;",
        "  L -> C : go[n % 2][own]?;",
        "system One, Two, B environment Env;",
        "sync One.think, B.load?;",
    ] {
        assert!(raised.contains(line), "{line}:\n{raised}");
    }
    assert!(network.validate().is_ok(), "{raised}");
}
