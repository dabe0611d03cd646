//! Random deterministic games as text, each from a number.

use std::fmt::Write as _;

use fastrand::Rng;

/// A game with one query of each form of objective. The same number gives the same text.
pub fn game(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let clocks = match rng.u8(..100) {
        0..50 => 1,
        50..92 => 2,
        _ => 3,
    };
    let largest = if clocks == 3 { rng.i64(1..=2) } else { rng.i64(1..=3) };
    let locations = if clocks == 3 { rng.usize(2..=3) } else { rng.usize(2..=5) };
    let differences = clocks == 2 && rng.u8(..100) < 20;
    let data = rng.u8(..100) < 15;
    Writer { rng, clocks, largest, locations, differences, data }.game()
}

struct Writer {
    rng: Rng,
    clocks: usize,
    largest: i64,
    locations: usize,
    /// Whether clocks are compared with each other; then all of them are bounded everywhere.
    differences: bool,
    /// Whether there is a variable.
    data: bool,
}

const CLOCKS: [&str; 3] = ["x", "y", "z"];

impl Writer {
    fn game(&mut self) -> String {
        let urgent = if self.chance(6) { "urgent chan " } else { "" };
        let mut text = format!("model game;\ninput a, b;\noutput u;\noutput {urgent}v;\n");
        let clocks = CLOCKS[..self.clocks].join(", ");
        writeln!(text, "automaton G {{\n  clock {clocks};").unwrap();
        if self.data {
            text.push_str("  int[0,1] n;\n");
        }
        let fail = self.chance(25).then(|| self.rng.usize(1..self.locations));
        for location in 0..self.locations {
            let start = if location == 0 { "init " } else { "" };
            let urgent = if self.chance(6) { "urgent " } else { "" };
            let fail = if fail == Some(location) { "fail " } else { "" };
            let invariant = self.invariant(location == 0);
            writeln!(text, "  {start}{urgent}{fail}location l{location}{invariant};").unwrap();
        }
        for location in 0..self.locations {
            for label in ["a?", "b?", "u!", "v!"] {
                if self.chance(60) {
                    self.edges(location, label, &mut text);
                }
            }
        }
        text.push_str("}\n");
        let (goal, other) = (self.goal(), self.goal());
        let (keep, also) = (self.keep(), self.keep());
        writeln!(text, "query control: A<> {goal};").unwrap();
        writeln!(text, "query control: A[ {keep} U {other} ];").unwrap();
        writeln!(text, "query control: A[] {also};").unwrap();
        writeln!(text, "query control: A[ {keep} W {goal} ];").unwrap();
        text
    }

    fn chance(&mut self, percent: u8) -> bool {
        self.rng.u8(..100) < percent
    }

    fn clock(&mut self) -> &'static str {
        CLOCKS[self.rng.usize(..self.clocks)]
    }

    fn constant(&mut self) -> i64 {
        self.rng.i64(0..=self.largest)
    }

    /// A comparison that can be true.
    fn comparison(&mut self, prefix: &str) -> String {
        if self.differences && self.chance(40) {
            let constant = self.rng.i64(-self.largest..=self.largest);
            let operator = self.rng.choice(["<", "<=", "==", ">=", ">"]).unwrap();
            return format!("{prefix}x - {prefix}y {operator} {constant}");
        }
        let (clock, constant) = (self.clock(), self.constant());
        let operator = self.rng.choice(["<", "<=", "==", ">=", ">"]).unwrap();
        let constant = if operator == "<" { constant.max(1) } else { constant };
        format!("{prefix}{clock} {operator} {constant}")
    }

    fn upper_bound(&mut self) -> String {
        let (clock, constant) = (self.clock(), self.constant());
        let (operator, least) = *self.rng.choice(&[("<=", 0), ("<=", 0), ("<", 1)]).unwrap();
        format!("{clock} {operator} {}", constant.max(least))
    }

    /// At the start it holds for clocks at zero.
    fn invariant(&mut self, start: bool) -> String {
        if self.differences {
            let strict = |strict: bool| if strict { "<" } else { "<=" };
            let operators = [self.chance(25), self.chance(25)].map(strict);
            let bounds = [self.constant(), self.constant()].map(|constant| constant.max(1));
            let rest =
                if !start && self.chance(20) { self.comparison("") } else { "x >= 0".to_owned() };
            let [first, second] = operators;
            return format!(
                " invariant x {first} {} && y {second} {} && {rest}",
                bounds[0], bounds[1]
            );
        }
        let first = self.upper_bound();
        match self.rng.u8(..100) {
            0..40 => format!(" invariant {first}"),
            40..48 if !start => format!(" invariant {first} && {}", self.comparison("")),
            48..55 => format!(" invariant {first} || {}", self.comparison("")),
            _ => String::new(),
        }
    }

    /// Edges of one label from one location, with guards of which at most one is true.
    fn edges(&mut self, location: usize, label: &str, text: &mut String) {
        let (clock, constant) = (self.clock(), self.constant());
        let cases: &[&str] = match self.rng.u8(..8) {
            0..2 => &[""],
            2 => &["<", ">="],
            3 => &["<=", ">"],
            4 => &["<", "==", ">"],
            5 => &["<="],
            6 => &[">="],
            _ => &["=="],
        };
        for case in cases {
            if cases.len() > 1 && self.chance(20) {
                continue;
            }
            let mut guards = Vec::new();
            if !case.is_empty() {
                guards.push(format!("{clock} {case} {constant}"));
            }
            if self.chance(if guards.is_empty() { 10 } else { 25 }) {
                guards.push(self.comparison(""));
            }
            let when = if guards.is_empty() {
                String::new()
            } else {
                format!(" when {}", guards.join(" && "))
            };
            let mut resets = Vec::new();
            for clock in &CLOCKS[..self.clocks] {
                match self.rng.u8(..100) {
                    0..33 => resets.push(format!("{clock} = 0")),
                    33..40 => resets.push(format!("{clock} = 1")),
                    _ => {}
                }
            }
            let updates = if resets.is_empty() {
                String::new()
            } else {
                format!(" do {}", resets.join(", "))
            };
            let target = self.rng.usize(..self.locations);
            writeln!(text, "  l{location} -> l{target} : {label}{when}{updates};").unwrap();
        }
    }

    /// What to reach: mostly a location, sometimes at certain times only.
    fn goal(&mut self) -> String {
        // The initial location is seldom interesting as a goal.
        let location = if self.chance(90) { self.locations - 1 } else { 0 };
        match self.rng.u8(..10) {
            0..4 => format!("G.l{location}"),
            4..9 => format!("(G.l{location} && {})", self.comparison("G.")),
            _ => format!("(G.l{location} || {})", self.comparison("G.")),
        }
    }

    /// Where to stay.
    fn keep(&mut self) -> String {
        let location = self.rng.usize(..self.locations);
        match self.rng.u8(..4) {
            0 => format!("not G.l{location}"),
            1 => format!("(not G.l{location} && {})", self.comparison("G.")),
            2 => format!("(not G.l{location} || {})", self.comparison("G.")),
            _ => self.comparison("G."),
        }
    }
}
