//! Models with data of which several states explain the same observations: random pairs, on covers of their data and value
//! by value, never get different answers.

use std::collections::BTreeMap;

use fastrand::Rng;
use tioga::{Compared, Effort, ModelSource, Sources, ViewOptions, compare, read};
use tioga_base::Rational;
use tioga_concrete::Semantics;
use tioga_conform::{Relation, RelationAnswer};
use tioga_model::{Model, StepLabel};
use tioga_symbolic::TimedStep;

/// The values that are enumerated: all constants and all values that variables get from them are in between.
const FEW: (i64, i64) = (-2, 5);

/// How many values are enumerated at most where a run has others.
const MOST: i64 = 16;

fn load(text: &str) -> Model {
    load_with(text, &BTreeMap::new())
}

fn load_with(text: &str, constants: &BTreeMap<String, Rational>) -> Model {
    let mut source = ModelSource::of_text("model.tioga", text).unwrap();
    source.options.settings.clone_from(constants);
    read(source, &[], &mut Sources::new()).unwrap().model
}

const FIGURE_1: &str = include_str!("../../../../examples/khoumsi/fig1.tioga");
const FIGURE_5: &str = include_str!("../../../../examples/khoumsi/fig5.tioga");

/// Changes of the figures: what is replaced by what; whether the changed model conforms to the figure, and the figure to it.
type Variant = (&'static str, &'static str, bool, bool);

const VARIANTS_OF_1: [Variant; 11] = [
    ("x >= p;", "x > p;", true, false),
    ("x <= p do", "x < p do", true, false),
    ("c1 < 3", "c1 < 4", false, true),
    ("c1 < 3", "c1 < 2", true, false),
    ("rho! when c1 > 3;", "rho! when c1 > 2;", false, true),
    ("rho! when c1 > 3;", "rho! when c1 > 4;", true, false),
    ("  l2 -> l3 : beta! when c1 < 3 && x >= p;\n", "", true, false),
    ("  l2 -> l4 : beta! when c1 > 2 && x <= p do x = x + 1;\n", "", true, false),
    ("alpha? do c1 = 0;", "alpha?;", false, false),
    (" do x = x + 1;", ";", false, false),
    // The same in other words.
    ("x >= p;", "x > p;\n  l2 -> l3 : beta! when c1 < 3 && x == p;", true, true),
];

const VARIANTS_OF_5: [Variant; 10] = [
    ("x <= p do", "x < p do", true, false),
    ("x >= p;", "x > p;", true, true),
    ("c1 < 3", "c1 < 4", true, true),
    ("rho! when c1 > 3;", "rho! when c1 > 2;", false, true),
    ("rho! when c1 > 3;", "rho! when c1 > 4;", true, false),
    ("  l2 -> l4 : eps_b when c1 > 2 && x <= p do x = x + 1;\n", "", true, false),
    ("sigma? do c1 = 0;", "sigma?;", false, true),
    (" do x = x + 1;", ";", false, true),
    ("  // Input", "  l3 -> l1 : rho! when c1 > 3;\n  // Input", false, true),
    ("x >= p;", "x > p;\n  l2 -> l3 : eps_a when c1 < 3 && x == p;", true, true),
];

/// That a run is one of the model, step by step.
fn replay(model: &Model, run: &[TimedStep]) {
    let mut semantics = Semantics::new(model);
    let mut state = semantics.initial().unwrap();
    for one in run {
        state = semantics.delay(&state, one.delay).unwrap().unwrap();
        if let Some(step) = &one.step {
            state = semantics.step(&state, step).unwrap();
        }
    }
}

#[test]
fn variants_of_the_figures_are_decided() {
    let all = [(FIGURE_1, &VARIANTS_OF_1[..]), (FIGURE_5, &VARIANTS_OF_5[..])];
    for (figure, variants) in all {
        for (old, new, conforms, back) in variants {
            assert!(figure.contains(old), "{old}");
            for value in [0, 5] {
                let constants = BTreeMap::from([("p".to_owned(), Rational::integer(value))]);
                let models = [figure, &figure.replace(old, new)[..]];
                let [figure, variant] = models.map(|text| load_with(text, &constants));
                for (one, other, expected) in
                    [(&variant, &figure, conforms), (&figure, &variant, back)]
                {
                    let mut effort = Effort::default();
                    let (compared, _) =
                        compare(one, other, Relation::Conforms, None, &mut effort).unwrap();
                    assert_eq!(holds(&compared), Some(*expected), "{old} to {new}, p = {value}");
                    if let RelationAnswer::Violated(violation) = &compared.decided.answer {
                        replay(one, &violation.run);
                    }
                }
            }
        }
    }
}

/// The parts of a model: a symbolic constant, two variables, hidden steps, and choices that nothing tells apart.
#[derive(Clone)]
struct Parts {
    constant: i64,
    edges: Vec<Edge>,
    invariant: Option<u8>,
}

#[derive(Clone)]
struct Edge {
    from: usize,
    to: usize,
    action: &'static str,
    clock: Option<(&'static str, u8)>,
    data: Option<String>,
    update: Option<&'static str>,
    resets: bool,
}

impl Edge {
    fn random(random: &mut Rng, from: usize) -> Self {
        let actions = ["s(m)?", "s(m)?", "g?", "o(x)!", "q!", "q!", "r!", "eps"];
        let action = actions[random.usize(..actions.len())];
        let mut edge =
            Self { from, to: 0, action, clock: None, data: None, update: None, resets: false };
        for _ in 0..6 {
            edge.change(random);
        }
        edge
    }

    /// Changes one thing.
    fn change(&mut self, random: &mut Rng) {
        let received = self.action == "s(m)?";
        match random.u8(..5) {
            0 => self.to = random.usize(..3),
            1 => {
                let operator = ["<", "<=", ">", ">="][random.usize(..4)];
                self.clock = (random.u8(..3) > 0).then(|| (operator, random.u8(1..4)));
            }
            2 => {
                let names: &[&str] = if received { &["m", "x", "y"] } else { &["x", "y", "x"] };
                let left = names[random.usize(..names.len())];
                let operator = ["<", "<=", "==", ">=", ">", "!="][random.usize(..6)];
                let right = match random.u8(..4) {
                    0 => random.u8(..3).to_string(),
                    1 => "y".to_owned(),
                    _ => "p".to_owned(),
                };
                self.data = (random.u8(..3) > 0).then(|| format!("{left} {operator} {right}"));
            }
            3 => {
                let all = ["x = p", "x = 2", "y = x", "x = x < 3 ? x + 1 : x"];
                self.update = match random.u8(..4) {
                    0 if received => Some("x = m"),
                    1 if received => Some("y = m"),
                    0 | 1 => Some(all[random.usize(..all.len())]),
                    _ => None,
                };
            }
            _ => self.resets = random.bool(),
        }
    }

    fn text(&self) -> String {
        let clock = self.clock.map(|(operator, bound)| format!("c {operator} {bound}"));
        let guard: Vec<String> = clock.into_iter().chain(self.data.clone()).collect();
        let reset = self.resets.then_some("c = 0");
        let updates: Vec<&str> = self.update.into_iter().chain(reset).collect();
        let mut text = format!("  L{} -> L{} : {}", self.from, self.to, self.action);
        if !guard.is_empty() {
            text += &format!(" when {}", guard.join(" && "));
        }
        if !updates.is_empty() {
            text += &format!(" do {}", updates.join(", "));
        }
        text + ";\n"
    }
}

impl Parts {
    fn random(random: &mut Rng) -> Self {
        let mut edges = vec![Edge {
            data: None,
            update: Some("x = m"),
            action: "s(m)?",
            ..Edge::random(random, 0)
        }];
        for from in 0..3 {
            for _ in 0..random.usize(1..4) {
                edges.push(Edge::random(random, from));
            }
        }
        let invariant = random.bool().then(|| random.u8(1..4));
        Self { constant: random.i64(0..3), edges, invariant }
    }

    /// The same with one or two changes, some of which mean nothing.
    fn changed(&self, random: &mut Rng) -> Self {
        let mut parts = self.clone();
        for _ in 0..random.usize(1..3) {
            let at = random.usize(..parts.edges.len());
            match random.u8(..6) {
                0 => {
                    parts.edges.remove(at);
                    if parts.edges.is_empty() {
                        return self.clone();
                    }
                }
                1 => {
                    let from = random.usize(..3);
                    parts.edges.push(Edge::random(random, from));
                }
                2 => {
                    // Two edges that together are one.
                    let mut other = parts.edges[at].clone();
                    if other.data.is_none() {
                        parts.edges[at].data = Some("x <= p".to_owned());
                        other.data = Some("x > p".to_owned());
                        parts.edges.push(other);
                    }
                }
                3 => {
                    let edge = parts.edges.remove(at);
                    parts.edges.push(edge);
                }
                _ => parts.edges[at].change(random),
            }
        }
        parts
    }

    fn text(&self, ty: &str) -> String {
        let edges: String = self.edges.iter().map(Edge::text).collect();
        let invariant =
            self.invariant.map_or_else(String::new, |by| format!(" invariant c <= {by}"));
        format!(
            "param {ty} p = {};\ninput s({ty} m), g;\noutput o({ty} w), q, r;\ninternal eps;\nautomaton A {{\n  clock c;\n  \
             {ty} x;\n  {ty} y;\n  init location L0;\n  location L1{invariant};\n  location L2;\n{edges}}}\n",
            self.constant
        )
    }
}

fn ask(parts: [&Parts; 2], ty: &str, relation: Relation) -> Compared {
    let [one, other] = parts.map(|parts| load(&parts.text(ty)));
    let view = ViewOptions { max_steps: 20_000, ..ViewOptions::default() };
    let mut effort = Effort { view, ..Effort::default() };
    compare(&one, &other, relation, Some(20_000), &mut effort).unwrap().0
}

/// The range of the values that inputs of a run carry, and those that are enumerated anyway.
fn range(compared: &Compared) -> (i64, i64) {
    let RelationAnswer::Violated(violation) = &compared.decided.answer else { return FEW };
    let steps = violation.run.iter().filter_map(|one| one.step.as_ref());
    let inputs = steps.filter(|step| matches!(step.label, StepLabel::Input(_)));
    let values = inputs.flat_map(|step| step.arguments.iter().copied());
    values.fold(FEW, |(low, high), value| (low.min(value), high.max(value)))
}

fn holds(compared: &Compared) -> Option<bool> {
    match compared.decided.answer {
        RelationAnswer::Holds => Some(true),
        RelationAnswer::Violated(_) => Some(false),
        RelationAnswer::Unknown(_) => None,
    }
}

/// What was counted.
#[derive(Default, Debug)]
struct Counts {
    pairs: u64,
    hold: u64,
    violated: u64,
    /// Decided value by value, and not over all values.
    open: u64,
    /// Decided over all values, and not value by value.
    more: u64,
    neither: u64,
    /// Violated only by values beyond those that can be enumerated.
    beyond: u64,
}

/// `TIOGA_ROUNDS` takes more pairs.
#[test]
fn covers_and_enumeration_never_contradict_each_other() {
    let rounds = std::env::var("TIOGA_ROUNDS").ok().and_then(|text| text.parse().ok());
    let mut counts = Counts::default();
    for seed in 0..rounds.unwrap_or(10) {
        let random = &mut Rng::with_seed(seed);
        let specification = Parts::random(random);
        let implementation = specification.changed(random);
        let relation = [Relation::Conforms, Relation::ConformsWhenServed][random.usize(..2)];
        let pair = [&implementation, &specification];
        let found = ask(pair, "integer", relation);
        let (low, high) = range(&found);
        let few = if high - low < MOST { (low, high) } else { FEW };
        let expected = ask(pair, &format!("int[{},{}]", few.0, few.1), relation);
        let context = || {
            let texts = pair.map(|parts| parts.text("integer")).join("\n");
            format!(
                "seed {seed}, {relation:?}\n{texts}\n{:?}\n{:?}",
                found.decided, expected.decided
            )
        };
        counts.pairs += 1;
        if let RelationAnswer::Violated(violation) = &found.decided.answer {
            replay(&load(&implementation.text("integer")), &violation.run);
        }
        match (holds(&found), holds(&expected)) {
            (Some(false), Some(true)) if few != (low, high) => counts.beyond += 1,
            (Some(one), Some(other)) => {
                assert_eq!(one, other, "{}", context());
                *if one { &mut counts.hold } else { &mut counts.violated } += 1;
            }
            (None, Some(_)) => {
                counts.open += 1;
                println!("open: {}", context());
            }
            (Some(_), None) => counts.more += 1,
            (None, None) => counts.neither += 1,
        }
    }
    println!("{counts:?}");
    let decided = counts.hold + counts.violated + counts.open;
    // Most are decided; how many are not is a figure of docs/reliability.md.
    assert!(counts.open * 4 <= decided, "{counts:?}");
    assert!(counts.hold * 10 >= counts.pairs && counts.violated * 10 >= counts.pairs, "{counts:?}");
}
