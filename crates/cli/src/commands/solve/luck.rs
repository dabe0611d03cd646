//! Where luck is needed, in words.

use serde_json::{Value, json};
use tioga_concrete::{Semantics, Trace};
use tioga_games::{Root, Solution};
use tioga_model::{Control, Model};
use tioga_testcase::{Intended, intended_run};

use crate::run_text::{action, number, table};
use crate::{clock_text, strategy_text};

/// Where luck is needed on the intended run, as text and as JSON, and the run as text.
pub fn plan(model: &Model, solution: &Solution<'_>) -> (String, Vec<Value>, String) {
    let table_of_ranks = solution.table();
    let mut semantics = Semantics::new(model);
    let Ok(initial) = semantics.initial() else { return Default::default() };
    let Ok(run) = intended_run(&mut semantics, &table_of_ranks, &initial) else {
        return Default::default();
    };
    let scope = solution.game.terms().scope;
    let mut text = String::new();
    let mut found = Vec::new();
    for step in run.iter().filter(|step| !step.rank.is_controlled()) {
        let place = place(model, solution, step);
        let mut feared: Vec<String> = Vec::new();
        for one in &step.feared {
            let name = action(&tioga_concrete::label_of(model, one));
            if !feared.contains(&name) {
                feared.push(name);
            }
        }
        let hoped = step.step.as_ref().filter(|one| one.control == Control::Uncontrollable);
        let hoped = hoped.map(|one| action(&tioga_concrete::label_of(model, one)));
        let mut needs = Vec::new();
        if let Some(hoped) = &hoped {
            let after = if step.delay.is_zero() {
                String::new()
            } else {
                format!(" after {}", number(step.delay))
            };
            needs.push(format!("to answer {hoped}{after}"));
        }
        if !feared.is_empty() {
            let feared = strategy_text::alternatives(&feared);
            needs.push(format!("not to answer {feared} first"));
        }
        let luck = format!("needs the system {}", needs.join(" and "));
        text.push_str(&format!("  at {place}: {luck}\n"));
        found.push(json!({
            "at": place,
            "rank": strategy_text::rank_json(scope, step.rank, false),
            "hoped": hoped,
            "feared": feared,
        }));
    }
    let records =
        crate::run_text::timed_records(model, run.iter().map(|one| (one.delay, one.step.as_ref())));
    let trace = Trace { model: model.name.clone(), seed: None, records };
    let rows = if trace.records.is_empty() {
        String::new()
    } else {
        table(&trace.records).unwrap_or_default()
    };
    (text, found, rows)
}

/// Where a step of the intended run starts: `St, y <= 5`.
fn place(model: &Model, solution: &Solution<'_>, step: &Intended) -> String {
    let state = &step.state;
    let locations = model.processes.iter().zip(&state.discrete.locations);
    let single = model.processes.len() == 1;
    let named: Vec<String> = locations
        .map(|(process, at)| {
            let name = &process.locations[*at].name;
            if single { name.clone() } else { format!("{}.{name}", process.name) }
        })
        .collect();
    let named = named.join(", ");
    let arena = &solution.game.arena;
    let zones = arena.find(&state.discrete).and_then(|node| {
        let root = Root { state: state.discrete.clone(), clocks: state.clocks.clone() };
        let rule = solution.rule_at(node, &root)?;
        Some(solution.readable(node, &rule.set))
    });
    let names = clock_text::names(model);
    match zones {
        Some(zones) if zones.iter().any(|zone| zone.is_empty()) => named,
        Some(zones) => {
            let zones = zones.iter().map(|zone| &zone[..]);
            format!("{named}, {}", clock_text::disjunction(model, &names, zones))
        }
        None => named,
    }
}
