//! Grids of examples and texts.

use tioga_base::{Budget, Rational};
use tioga_grids::{
    Automaton, Ends, GridAutomaton, GridOptions, Resolution, TimedWord, of_model, of_purpose,
    product,
};
use tioga_model::Model;
use tioga_testkit::{example_text, model};

/// A budget that is never used up here.
pub fn plenty() -> Budget {
    Budget::steps(u64::MAX)
}

/// Granularity `1/parts`, and one bound for all clocks.
pub fn options(parts: i64, bound: i64) -> GridOptions {
    GridOptions {
        parts: Some(parts),
        bound: Some(Rational::integer(bound)),
        ..GridOptions::default()
    }
}

pub fn grid(automaton: &Automaton, options: &GridOptions) -> GridAutomaton {
    grid_with(automaton, options, Ends::Expanded)
}

pub fn grid_with(automaton: &Automaton, options: &GridOptions, ends: Ends) -> GridAutomaton {
    let resolution = Resolution::of(automaton, options).unwrap();
    GridAutomaton::new(automaton.clone(), &resolution, ends, &mut plenty()).unwrap()
}

/// An example with its constant K changed.
pub fn example_with(name: &str, k: i64) -> Model {
    let text = example_text(name);
    let known = text.lines().find(|line| line.starts_with("const int K")).unwrap();
    model(&text.replace(known, &format!("const int K = {k};")))
}

/// The product of an example with its only purpose.
pub fn product_of(name: &str) -> Automaton {
    let model = model(&example_text(name));
    product(&of_model(&model).unwrap(), &of_purpose(&model, 0).unwrap()).unwrap()
}

pub fn word(text: &str) -> TimedWord {
    text.parse().unwrap()
}

pub fn size(grid: &GridAutomaton) -> (usize, usize) {
    assert!(grid.state_count() as u128 <= grid.bound());
    (grid.state_count(), grid.transition_count())
}

/// A random model of one automaton with a purpose, as a text. Constants are multiples of 1/2; with context, a
/// variable counts and an input carries a value.
pub fn random_text(rng: &mut fastrand::Rng, context: bool) -> String {
    let half = |rng: &mut fastrand::Rng, most: u32| {
        let halves = rng.u32(0..=2 * most);
        if halves.is_multiple_of(2) { (halves / 2).to_string() } else { format!("{halves}/2") }
    };
    let clocks = rng.usize(1..=2);
    let names = &["x", "y"][..clocks];
    let guard = |rng: &mut fastrand::Rng| {
        let mut parts = Vec::new();
        for name in names {
            if rng.bool() {
                let operator = rng.choice(["<", "<=", ">", ">=", "=="]).unwrap();
                parts.push(format!("{name} {operator} {}", half(rng, 3)));
            }
        }
        if parts.len() == 2 && rng.u32(..4) == 0 {
            parts = vec![format!("({})", parts.join(" || "))];
        }
        parts
    };
    let mut text = match context {
        false => "input a, b; output c, d;\n".to_owned(),
        true => "input a, b(int[0,2] p); output c, d(rational z);\n".to_owned(),
    };
    text.push_str(&format!("automaton M {{ clock {};", names.join(", ")));
    if context {
        text.push_str(" rational w, v;");
    }
    let locations = rng.usize(1..=3);
    for location in 0..locations {
        let mark = if location == 0 { "init " } else { "" };
        let invariant = match rng.u32(..3) {
            0 => format!(" invariant {} <= {}", rng.choice(names).unwrap(), rng.u32(1..=3)),
            1 if rng.bool() => {
                format!(" invariant {} < {}", rng.choice(names).unwrap(), rng.u32(1..=3))
            }
            _ => String::new(),
        };
        text.push_str(&format!("\n  {mark}location l{location}{invariant};"));
    }
    for _ in 0..rng.usize(2..=6) {
        let (source, target) = (rng.usize(..locations), rng.usize(..locations));
        let mut parts = guard(rng);
        let mut updates = Vec::new();
        for name in names {
            match rng.u32(..5) {
                0 | 1 => updates.push(format!("{name} = 0")),
                2 => updates.push(format!("{name} = {}", half(rng, 2))),
                _ => {}
            }
        }
        let label = match (rng.u32(..4), context) {
            (0, _) => "a?".to_owned(),
            (1, false) => "b?".to_owned(),
            (1, true) => {
                if rng.bool() {
                    parts.push(format!("p <= {}", rng.u32(0..=2)));
                }
                if rng.bool() {
                    updates.push(
                        rng.choice(["w = w + p", "v = 2 * p + w", "w = p"]).unwrap().to_owned(),
                    );
                }
                "b(p)?".to_owned()
            }
            (2, _) => "c!".to_owned(),
            (_, false) => "d!".to_owned(),
            (_, true) => {
                rng.choice(["d(w)!", "d(w + v)!", "d(2 * v)!", "d(1)!"]).unwrap().to_owned()
            }
        };
        if context {
            if rng.bool() {
                let name = rng.choice(["w", "v", "w + v"]).unwrap();
                let operator = rng.choice(["<", "<=", ">", ">=", "==", "!="]).unwrap();
                parts.push(format!("{name} {operator} {}", half(rng, 2)));
            }
            match rng.u32(..4) {
                0 => updates.push("w = w + 1".to_owned()),
                1 => updates.push("v = w".to_owned()),
                2 => updates.push("w = 0".to_owned()),
                _ => {}
            }
        }
        let when =
            if parts.is_empty() { String::new() } else { format!(" when {}", parts.join(" && ")) };
        let does =
            if updates.is_empty() { String::new() } else { format!(" do {}", updates.join(", ")) };
        text.push_str(&format!("\n  l{source} -> l{target} : {label}{when}{does};"));
    }
    text.push_str("\n}\npurpose P { clock z; init location s0; location s1; desired location s2;");
    let label = |rng: &mut fastrand::Rng| rng.choice(["a?", "c!"]).unwrap();
    for (source, target) in [(0, 1), (1, 2), (0, 2)] {
        if target != 2 || source != 0 || rng.bool() {
            let when =
                if rng.bool() { format!(" when z <= {}", rng.u32(1..=3)) } else { String::new() };
            text.push_str(&format!("\n  s{source} -> s{target} : {}{when};", label(rng)));
        }
    }
    text.push_str("\n}\n");
    text
}
