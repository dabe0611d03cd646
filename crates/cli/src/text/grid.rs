//! What is said about grids.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};
use tioga::grids::{GridModel, GridSuite, Hidden, HiddenBy, Judged, JudgedRun};
use tioga::words::count;
use tioga_base::{Diagnostic, Severity};
use tioga_grids::{
    Advice, Automaton, GridAutomaton, Location, Natural, Replayed, TimedWord, Verdict,
};

use crate::exit::Exit;

/// A warning about a grid.
pub fn warning(message: String) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, ..Diagnostic::global("grid", message) }
}

/// What a granularity hides, as warnings.
pub fn hidden_warnings(grid: &GridAutomaton, hidden: &Hidden) -> Vec<Diagnostic> {
    let parts = grid.stepper().resolution.parts;
    let one = |edge: &String| {
        let message = format!("the granularity 1/{parts} hides the edge `{edge}`");
        let note = "it can be taken, but not after delays that are multiples of the granularity";
        warning(message).note(note).help("a finer `--granularity` may show it")
    };
    let mut all: Vec<Diagnostic> = hidden.edges.iter().map(one).collect();
    if hidden.by == HiddenBy::Unknown {
        let message = "whether the granularity hides edges is not known: a limit was reached first";
        all.push(warning(message.to_owned()));
    }
    all
}

/// The size of a grid: `106 states, 211 transitions, at most 392 states`.
pub fn size(grid: &GridAutomaton) -> String {
    format!(
        "{}, {}; the bound is {} states",
        count(grid.state_count(), "state"),
        count(grid.transition_count(), "transition"),
        grid.bound()
    )
}

/// How many states of each kind of end there are.
fn ends(grid: &GridAutomaton) -> (usize, usize) {
    let states = 0..u32::try_from(grid.state_count()).unwrap_or(u32::MAX);
    states.fold((0, 0), |(fail, desired), state| {
        let (failed, wanted) = grid.ends(state);
        (fail + usize::from(failed), desired + usize::from(wanted))
    })
}

fn never_taken(grid: &GridAutomaton) -> Vec<String> {
    let automaton = grid.automaton();
    let edges = automaton.edges.iter().zip(grid.taken_edges());
    edges.filter(|(_, taken)| !**taken).map(|(edge, _)| automaton.edge_name(edge)).collect()
}

/// What a grid is, for people.
pub fn info(one: &GridModel, grid: &GridAutomaton, advice: &Advice) -> String {
    let automaton = &one.product;
    let resolution = &grid.stepper().resolution;
    let mut text = format!(
        "{}: {}, {}, {}\n",
        automaton.name,
        count(automaton.locations.len(), "location"),
        count(automaton.edges.len(), "edge"),
        count(automaton.clocks.len(), "clock"),
    );
    let bounds = |names: &mut dyn Iterator<Item = &String>, bounds: &[i64]| -> String {
        let all = names.zip(bounds).map(|(name, bound)| format!("{name} {bound}"));
        all.collect::<Vec<_>>().join(", ")
    };
    let clocks = bounds(&mut automaton.clocks.iter(), &resolution.clocks);
    let _ = writeln!(text, "granularity 1/{}; bounds: {clocks}", resolution.parts);
    if !automaton.context.is_empty() {
        let context =
            bounds(&mut automaton.context.iter().map(|one| &one.name), &resolution.context);
        let _ = writeln!(
            text,
            "context: granularity 1/{}; bounds: {context}",
            resolution.context_parts
        );
    }
    let _ = writeln!(text, "{}", size(grid));
    let (fail, desired) = ends(grid);
    if automaton.has_ends() {
        let _ =
            writeln!(text, "{}, {}", count(fail, "fail state"), count(desired, "desired state"));
    }
    if !grid.is_deterministic() {
        text.push_str("nondeterministic: some state has two transitions with one label\n");
    }
    for edge in never_taken(grid) {
        let _ = writeln!(text, "never taken: {edge}");
    }
    let most = |states: Option<u128>| states.map_or("too many".to_owned(), |most| most.to_string());
    let (coarsest, classical) = (advice.coarsest, advice.classical);
    let _ = writeln!(
        text,
        "coarsest granularity: 1/{}, at most {} states",
        coarsest.0,
        most(coarsest.1)
    );
    let _ = writeln!(
        text,
        "classical granularity: 1/{}, at most {} states",
        classical.0,
        most(classical.1)
    );
    text
}

/// What a grid is, for programs.
pub fn info_json(one: &GridModel, grid: &GridAutomaton, advice: &Advice) -> Value {
    let resolution = &grid.stepper().resolution;
    let (fail, desired) = ends(grid);
    let of = |(parts, states): (i64, Option<u128>)| json!({ "granularity": format!("1/{parts}"), "bound": states.map(|most| most.to_string()) });
    json!({
        "name": one.product.name,
        "purpose": one.purpose,
        "locations": one.product.locations.len(),
        "edges": one.product.edges.len(),
        "granularity": format!("1/{}", resolution.parts),
        "context_granularity": format!("1/{}", resolution.context_parts),
        "clocks": one.product.clocks.iter().zip(&resolution.clocks).collect::<Vec<_>>(),
        "context": one.product.context.iter().map(|one| &one.name).zip(&resolution.context)
            .collect::<Vec<_>>(),
        "states": grid.state_count(),
        "transitions": grid.transition_count(),
        "bound": grid.bound().to_string(),
        "fail_states": fail,
        "desired_states": desired,
        "deterministic": grid.is_deterministic(),
        "never_taken": never_taken(grid),
        "coarsest": of(advice.coarsest),
        "classical": of(advice.classical),
    })
}

/// A grid with all states and transitions, for programs.
pub fn grid_json(grid: &GridAutomaton) -> Value {
    let states = 0..u32::try_from(grid.state_count()).unwrap_or(u32::MAX);
    let named: Vec<Value> = states
        .clone()
        .map(|state| {
            let (fail, desired) = grid.ends(state);
            json!({ "name": grid.state_name(state), "fail": fail, "desired": desired })
        })
        .collect();
    let transitions: Vec<Value> = states
        .flat_map(|state| {
            grid.transitions(state)
                .map(move |(label, target)| json!([state, grid.label_name(label), target]))
        })
        .collect();
    json!({ "states": named, "transitions": transitions, "bound": grid.bound().to_string() })
}

/// How many words there are, for people.
pub fn counted(grid: &GridAutomaton, number: &Natural) -> String {
    match grid.is_deterministic() {
        true => format!("{number}\n"),
        false => format!(
            "{number} runs; several runs may have one word, as the grid is nondeterministic\n"
        ),
    }
}

/// What came of a suite, for people.
pub fn written(made: &GridSuite, path: &Path) -> String {
    match made.cases {
        0 => "no end of the purpose can be reached by a run of the model\n".to_owned(),
        cases => format!("{} written to {}\n", count(cases, "test case"), path.display()),
    }
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Positive => "positive",
        Verdict::Inconclusive => "inconclusive",
    }
}

/// What of a run is not possible.
fn part(run: &TimedWord, replayed: &Replayed) -> String {
    let (done, rest) = run.0.split_at(replayed.symbols.min(run.0.len()));
    let wrong = TimedWord(rest.iter().take(1).cloned().collect());
    match done.is_empty() {
        true => format!("`{wrong}` is not possible at the start"),
        false => format!("after `{}`, `{wrong}` is not possible", TimedWord(done.to_vec())),
    }
}

/// What runs mean, for people.
pub fn judged(one: &GridModel, runs: &[TimedWord], judged: &Judged) -> String {
    let mut text = String::new();
    for (run, JudgedRun { in_product, in_model }) in runs.iter().zip(&judged.runs) {
        let _ = writeln!(text, "{run}");
        match in_model.complete {
            true => text.push_str("  conforms to the model\n"),
            false => {
                let _ = writeln!(text, "  does not conform: {}", part(run, in_model));
            }
        }
        let places = in_product.locations.iter().map(|at| one.product.locations[*at].name.as_str());
        let places: Vec<&str> = places.collect();
        match in_product.complete {
            true => {
                let _ = writeln!(text, "  ends in {}", places.join(" or "));
            }
            false if in_model.complete => {
                let _ = writeln!(text, "  leaves the purpose: {}", part(run, in_product));
            }
            false => {}
        }
        if in_product.reached_fail {
            text.push_str("  reaches a fail location\n");
        }
    }
    if let Some(fail) = judged.fail {
        let why = match fail {
            Verdict::Positive => "a run reaches a fail location: the fault is confirmed",
            Verdict::Inconclusive => "no run reaches a fail location",
        };
        let _ = writeln!(text, "{}: {why}", verdict(fail));
    }
    if let Some(desired) = judged.desired {
        let why = match desired {
            Verdict::Positive => "every run ends in a desired location",
            Verdict::Inconclusive => "not every run ends in a desired location",
        };
        let _ = writeln!(text, "{}: {why}", verdict(desired));
    }
    let wrong = judged.runs.iter().filter(|run| !run.in_model.complete).count();
    if wrong > 0 {
        let _ = writeln!(text, "{} of {} does not conform", wrong, count(runs.len(), "run"));
    }
    text
}

/// A product as BON09 prints it: invariants and ends of its locations, and its edges.
pub fn product(product: &Automaton) -> String {
    let mut text = format!(
        "{}: {}, {}\n",
        product.name,
        count(product.locations.len(), "location"),
        count(product.edges.len(), "edge")
    );
    for location in &product.locations {
        let _ = write!(text, "{}: {}", location.name, product.condition_text(&location.invariant));
        for (marked, mark) in end_marks(location) {
            text.push_str(if marked { mark } else { "" });
        }
        text.push('\n');
    }
    for edge in &product.edges {
        let _ = writeln!(text, "{}", product.edge_text(edge));
    }
    text
}

fn end_marks(location: &Location) -> [(bool, &'static str); 3] {
    [(location.urgent, ", urgent"), (location.fail, ", fail"), (location.desired, ", desired")]
}

/// The same, for programs.
pub fn product_json(product: &Automaton) -> Value {
    let locations = product.locations.iter().map(|location| {
        json!({
            "name": location.name,
            "invariant": product.condition_text(&location.invariant),
            "urgent": location.urgent,
            "fail": location.fail,
            "desired": location.desired,
        })
    });
    let edges = product.edges.iter().map(|edge| product.edge_text(edge));
    json!({
        "name": product.name,
        "initial": product.locations[product.initial].name,
        "locations": locations.collect::<Vec<_>>(),
        "edges": edges.collect::<Vec<_>>(),
    })
}

/// What runs mean, for programs.
pub fn judged_json(one: &GridModel, runs: &[TimedWord], judged: &Judged) -> Value {
    let rows = runs.iter().zip(&judged.runs).map(|(run, JudgedRun { in_product, in_model })| {
        let places = in_product.locations.iter().map(|at| &one.product.locations[*at].name);
        json!({
            "run": run.to_string(),
            "conforms": in_model.complete,
            "conforming_symbols": in_model.symbols,
            "within_purpose": in_product.complete,
            "reached_fail": in_product.reached_fail,
            "ends_desired": in_product.ends_desired,
            "locations": places.collect::<Vec<_>>(),
        })
    });
    json!({
        "runs": rows.collect::<Vec<_>>(),
        "fail": judged.fail.map(verdict),
        "desired": judged.desired.map(verdict),
        "conforms": judged.runs.iter().all(|run| run.in_model.complete),
    })
}

/// How a replay ends.
pub fn judged_exit(one: &GridModel, judged: &Judged) -> Exit {
    let positive = [judged.fail, judged.desired].contains(&Some(Verdict::Positive));
    match judged.runs.iter().all(|run| run.in_model.complete) {
        false => Exit::Negative,
        true if positive || one.purpose.is_none() => Exit::Success,
        true => Exit::Inconclusive,
    }
}
