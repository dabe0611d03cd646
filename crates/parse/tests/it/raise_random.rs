//! Random models of every feature: raised, printed, read and lowered, they are the same networks.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use tioga_base::{Diagnostics, FileId};
use tioga_model::Network;
use tioga_parse::raise::{difference, raise};
use tioga_parse::{Format, Options, lower, parse, tioga};

/// Makes the text of a model; a list of bytes decides every choice.
struct Author<'b> {
    bytes: &'b [u8],
    /// Names of single integers, truth values and clocks that can be seen.
    ints: Vec<&'static str>,
    bools: Vec<&'static str>,
    clocks: Vec<&'static str>,
}

const DECLARATIONS: &str = "\
model random;
const int steps[int[1, 3]] = { 2, 4, 6 };
const bool flags[2][2] = { { true, false }, { false, true } };
input in, set(int[0, 3] a, bool b), row[2], grid[2][3];
output out, tell(int[-9, 9] a, integer b), shout[int[1, 2]];
chan c[2], d;
broadcast chan all;
urgent chan now;
internal i, j;
clock t, ts[2], deep[2][2];
int[0, 9] n = 3, list[3] = { 1, 0, 2 }, off[int[1, 2]];
integer big;
bool b, bs[2] = { true, false };
rational r = 5/2;
struct { int[0, 9] f; bool g[2]; } rec, recs[2];
param int[0, 5] p = 1;
int[0, 9] half(int k) { return (k < 0 ? -k : k) / 2 % 10; }
bool odd(int k) { int m = k; bool result; while (m > 1) { m -= 2; } result = m == 1; return result; }
void stop(int k) { if (k < 2) { t = k; b = k == 1; } else if (odd(k)) { if (k == 7) return; ts[1] = 0; } deep[0][1] = 2; }
void swap(int[0, 9] &x, int[0, 9] &y) { int[0, 9] z = x; x = y; y = z; }
";

impl Author<'_> {
    fn pick(&mut self, count: usize) -> usize {
        match self.bytes.split_first() {
            Some((first, rest)) => {
                self.bytes = rest;
                usize::from(*first) % count
            }
            None => 0,
        }
    }

    fn one(&mut self, of: &[&str]) -> String {
        of[self.pick(of.len())].to_owned()
    }

    fn model(&mut self) -> String {
        let mut text = DECLARATIONS.to_owned();
        let processes = 1 + self.pick(3);
        let names = ["P", "Q", "R"];
        for name in names.iter().take(processes) {
            text.push_str(&self.automaton(name));
        }
        if processes > 1 && self.pick(2) == 1 {
            let (last, others) = names[..processes].split_last().unwrap();
            text.push_str(&format!("system {} environment {last};\n", others.join(", ")));
        }
        if self.pick(2) == 1 {
            let weak = self.one(&["", "?"]);
            text.push_str(&format!("sync P.i{weak};\n"));
        }
        text.push_str(&self.purpose());
        for _ in 0..self.pick(4) {
            text.push_str(&self.query());
        }
        text
    }

    fn automaton(&mut self, name: &str) -> String {
        self.ints = vec!["n", "list[1]", "off[2]", "p", "own", "rec.f", "steps[2]"];
        self.bools = vec!["b", "bs[0]", "rec.g[1]", "recs[1].g[0]", "mine"];
        self.clocks = vec!["t", "ts[0]", "deep[1][0]", "x", "x", "ys[1]"];
        let mut text =
            format!("automaton {name} {{\n  clock x, ys[2]; int[-3, 9] own; bool mine;\n");
        let places = 1 + self.pick(4);
        for place in 0..places {
            let marks = match place {
                0 => "init ".to_owned(),
                _ => self.one(&["", "", "urgent ", "committed ", "accept ", "fail "]),
            };
            let invariant = match self.pick(3) {
                // All clocks are zero at the start.
                0 => String::new(),
                1 => format!(" invariant {} <= {}", self.clock(), self.one(&["5", "7/2", "n + 4"])),
                _ if place == 0 => String::new(),
                _ => format!(" invariant {}", self.condition(2)),
            };
            let labels = self.one(&["", "", " labels red, blue"]);
            text.push_str(&format!("  {marks}location L{place}{invariant}{labels};\n"));
        }
        for _ in 0..self.pick(6) {
            text.push_str(&self.edge(places));
        }
        text.push_str("}\n");
        text
    }

    fn edge(&mut self, places: usize) -> String {
        let (from, to) = (self.pick(places), self.pick(places));
        let arrow = self.one(&["->", "->", "-c->", "-u->"]);
        let (ints, bools) = (self.ints.len(), self.bools.len());
        let action = match self.pick(16) {
            0 | 1 => String::new(),
            2 => "i".to_owned(),
            3 => "j".to_owned(),
            4 => "in?".to_owned(),
            5 => "set?".to_owned(),
            6 => {
                self.ints.push("v");
                self.bools.push("w");
                "set(v, w)?".to_owned()
            }
            7 => {
                self.bools.push("w");
                "set(2, w)?".to_owned()
            }
            8 => format!("set({}, {})?", self.one(&["1", "n", "p"]), self.one(&["true", "b"])),
            9 => format!("row[{}]?", self.index(2)),
            10 => format!("grid[{}][{}]?", self.index(2), self.index(3)),
            11 => "in? / out!".to_owned(),
            12 => format!("tell({}, {})!", self.one(&["0", "-2", "own"]), self.int(2)),
            13 => format!("shout[{} + 1]!", self.index(2)),
            14 => format!("c[{}]{}", self.index(2), self.one(&["!", "?"])),
            _ => self.one(&["d!", "d?", "all!", "all?", "now?"]),
        };
        let select = match self.pick(4) {
            0 => {
                self.ints.push("s");
                " for s : int[0, 1]"
            }
            _ => "",
        };
        let guard = match self.pick(4) {
            0 => String::new(),
            // A value that is asked for, and may be read elsewhere as well.
            1 if action.contains("v, w") => format!(" when v == 2 && {}", self.condition(2)),
            2 if action.contains("v, w") => " when v == 1 && w == true".to_owned(),
            _ => format!(" when {}", self.condition(3)),
        };
        let mut updates = Vec::new();
        for _ in 0..self.pick(3) {
            updates.push(self.update());
        }
        let updates = match updates.is_empty() {
            true => String::new(),
            false => format!(" do {}", updates.join(", ")),
        };
        self.ints.truncate(ints);
        self.bools.truncate(bools);
        let colon =
            if action.len() + select.len() + guard.len() + updates.len() > 0 { " : " } else { "" };
        format!("  L{from} {arrow} L{to}{colon}{action}{select}{guard}{updates};\n")
    }

    fn update(&mut self) -> String {
        match self.pick(13) {
            0 => format!("{} = 0", self.clock()),
            10 => {
                let (clock, value) = (self.clock(), self.one(&["0", "3/2", "t + 1", "n", "x"]));
                format!("{clock} = {} ? {value} : {clock}", self.bool(2))
            }
            11 => {
                let (clock, other) = (self.clock(), self.clock());
                format!("{clock} = {} ? {other} : {} ? {clock} : 2", self.bool(1), self.bool(2))
            }
            12 => format!("stop({})", self.int(1)),
            1 => format!("x = {} + {}", self.clock(), self.one(&["1", "n", "1/2", "own - 2"])),
            2 => format!("{} = {}", self.one(&["n", "own", "list[2]", "recs[0].f"]), self.int(2)),
            3 => self.one(&["n++", "own--", "++n", "off[1] += 2", "list[n % 3]--"]),
            4 => format!("list[{}] = half({})", self.index(3), self.int(1)),
            5 => format!("{} = {}", self.one(&["b", "mine", "bs[1]"]), self.bool(2)),
            6 => format!("recs[{}] = rec", self.index(2)),
            7 => self.one(&["swap(n, list[0])", "swap(list[2], recs[1].f)"]),
            8 => format!("r = {}", self.one(&["r * 2", "n", "1/3 + n", "r / 2 - n", "4"])),
            _ => format!("big = {}", self.int(3)),
        }
    }

    fn clock(&mut self) -> String {
        match self.pick(8) {
            0 => format!("ts[{}]", self.index(2)),
            1 => format!("deep[1][{}]", self.index(2)),
            _ => self.one(&self.clocks.clone()),
        }
    }

    fn index(&mut self, length: usize) -> String {
        match self.pick(3) {
            0 => self.pick(length).to_string(),
            1 => format!("n % {length}"),
            _ => format!("({} + 9) % {length}", self.one(&["n", "p", "list[1]"])),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.pick(2) {
                0 => self.comparison(),
                _ => self.bool(1),
            };
        }
        match self.pick(6) {
            0 => format!("({} && {})", self.condition(depth - 1), self.condition(depth - 1)),
            1 => format!("({} || {})", self.condition(depth - 1), self.condition(depth - 1)),
            2 => format!("!({})", self.condition(depth - 1)),
            3 => format!("({} imply {})", self.condition(depth - 1), self.condition(depth - 1)),
            4 => format!("(exists (k : int[0, 1]) ts[k] < {} + k)", self.int(1)),
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> String {
        let operator = self.one(&["<", "<=", "==", ">=", ">", "!="]);
        let (left, right) = (self.clock(), self.clock());
        match self.pick(7) {
            0 | 1 => format!("{left} {operator} {}", self.one(&["3", "5/2", "0", "8"])),
            2 => format!("{left} - {right} {operator} {}", self.one(&["-1", "2"])),
            3 => format!("{left} {operator} {}", self.int(1)),
            4 => format!("{} {operator} {left}", self.int(1)),
            5 => format!("{left} - n + 1 {operator} {}", self.int(1)),
            _ => format!("{left} {operator} {right} + {}", self.one(&["p", "2"])),
        }
    }

    fn int(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.pick(3) {
                0 => self.pick(9).to_string(),
                _ => self.one(&self.ints.clone()),
            };
        }
        let inner = depth - 1;
        match self.pick(9) {
            0 => format!("({} + {})", self.int(inner), self.int(inner)),
            1 => format!("({} - {})", self.int(inner), self.int(inner)),
            2 => format!("({} <? {} * 2)", self.int(inner), self.int(inner)),
            3 => format!("({} % 4)", self.int(inner)),
            4 => format!("-({})", self.int(inner)),
            5 => format!("({} ? {} : {})", self.bool(inner), self.int(inner), self.int(inner)),
            6 => format!("list[{}]", self.index(3)),
            7 => format!("steps[{} + 1]", self.index(3)),
            _ => format!("half({})", self.int(inner)),
        }
    }

    fn bool(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.one(&self.bools.clone());
        }
        let inner = depth - 1;
        match self.pick(10) {
            0 => format!("({} && {})", self.bool(inner), self.bool(inner)),
            1 => format!("({} || {})", self.bool(inner), self.bool(inner)),
            2 => format!("!{}", self.bool(inner)),
            3 => format!("({} == {})", self.int(inner), self.int(inner)),
            4 => format!("({} < {})", self.int(inner), self.int(inner)),
            5 => format!("flags[{}][{}]", self.index(2), self.index(2)),
            6 => "recs[1] == rec".to_owned(),
            7 => format!("odd({})", self.int(inner)),
            8 => "r < 7/3".to_owned(),
            _ => "(forall (k : int[0, 2]) list[k] < 5)".to_owned(),
        }
    }

    fn purpose(&mut self) -> String {
        if self.pick(2) == 0 {
            return String::new();
        }
        self.ints = vec!["n", "own", "seen[1]", "list[0]", "P.own"];
        self.bools = vec!["b", "P.L0", "P.mine", "bs[1]"];
        self.clocks = vec!["t", "x", "P.x"];
        let guard = self.condition(2);
        let update = self.one(&["x = 0", "own = 1", "seen[n % 2] = 2", "own++"]);
        let action = self.one(&["in?", "set(v, w)?", "tell(3, k)!", "out!", "i", "all!"]);
        let restart = self.one(&["", "restart in?;", "restart out!;"]);
        let otherwise = self.one(&["self", "-> No"]);
        format!(
            "purpose Goal {{ clock x; int[0, 4] own, seen[2];
  init location S; accept location Yes; refuse location No;
  S -> Yes : {action} when {guard}; S -> self : in? do {update};
  otherwise {otherwise}; {restart} }}\n"
        )
    }

    fn query(&mut self) -> String {
        self.ints = vec!["n", "P.own", "list[2]"];
        self.bools = vec!["b", "P.L0", "P.mine"];
        self.clocks = vec!["t", "P.x", "P.ys[1]"];
        let (one, other) = (self.condition(2), self.condition(1));
        let formula = match self.pick(9) {
            0 => format!("E<> {one}"),
            1 => format!("A[] {one}"),
            2 => format!("A<> {one}"),
            3 => format!("E[] {one}"),
            4 => format!("{one} --> {other}"),
            5 => format!("control: A[ {one} U {other} ]"),
            6 => format!("E<> control: A<> {one}"),
            7 => "A[] !deadlock".to_owned(),
            _ => format!("control: A[ {one} W {other} ]"),
        };
        format!("query {}{formula};\n", self.one(&["", "\"as asked\" "]))
    }
}

fn read(text: &str) -> Result<Network, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let document = parse(Format::Tioga, FileId(0), text, &mut diagnostics);
    let network = document.and_then(|one| lower(&one, &Options::default(), &mut diagnostics));
    network.ok_or(diagnostics)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn random_models_are_the_same_when_raised(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let (ints, bools, clocks) = (Vec::new(), Vec::new(), Vec::new());
        let text = Author { bytes: &bytes, ints, bools, clocks }.model();
        // A few are no models: an output that the environment sends, or too many alternatives.
        let Ok(network) = read(&text) else { return Ok(()) };
        let document = match raise(&network, &[]) {
            Ok(document) => document,
            Err(refused) => return Err(TestCaseError::fail(format!("{refused:#?}\n{text}"))),
        };
        let raised = tioga::print(&document).unwrap();
        let again = read(&raised);
        prop_assert!(again.is_ok(), "{:#?}\n{raised}\nfrom\n{text}", again.err());
        let again = again.unwrap();
        let differ = difference(&network, &again);
        prop_assert!(differ.is_none(), "{differ:?}\n{raised}\nfrom\n{text}");
        // Edges keep their order, which a difference does not tell.
        for (one, other) in network.processes.iter().zip(&again.processes) {
            let ends = |process: &tioga_model::Process| -> Vec<_> {
                process.edges.iter().map(|edge| (edge.source, edge.target)).collect()
            };
            if one.role == other.role {
                prop_assert_eq!(ends(one), ends(other));
            }
        }
    }
}

/// Most random models have to be models.
#[test]
fn most_random_texts_are_models() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let bytes = prop::collection::vec(any::<u8>(), 0..400);
    let mut models = 0;
    for _ in 0..100 {
        let bytes = bytes.new_tree(&mut runner).unwrap().current();
        let (ints, bools, clocks) = (Vec::new(), Vec::new(), Vec::new());
        let text = Author { bytes: &bytes, ints, bools, clocks }.model();
        models += usize::from(read(&text).is_ok());
    }
    assert!(models > 50, "only {models} of 100");
}
