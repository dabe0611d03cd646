//! Where the cooperation of the system is needed, and the run on which it is given.

use tioga_concrete::{Record, Semantics, label_of, step_record};
use tioga_games::{Root, Solution};
use tioga_model::{Control, Model};
use tioga_testcase::{Intended, Luck, intended_run};

use crate::words::{action, clocks, number};

/// The run on which the system cooperates wherever it is needed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct IntendedPlan {
    /// Where cooperation is needed, and which.
    pub luck: Vec<Luck>,
    /// The run.
    pub records: Vec<Record>,
}

/// Follows the strategy of a solution, with a system that cooperates.
pub fn plan(model: &Model, solution: &Solution<'_>) -> IntendedPlan {
    let table = solution.table();
    let mut semantics = Semantics::new(model);
    let Ok(initial) = semantics.initial() else { return IntendedPlan::default() };
    let Ok(run) = intended_run(&mut semantics, &table, &initial) else {
        return IntendedPlan::default();
    };
    let risky = run.iter().filter(|step| !step.rank.is_controlled());
    let luck = risky.map(|step| luck(model, solution, step)).collect();
    let mut records = Vec::new();
    for step in &run {
        if !step.delay.is_zero() {
            records.push(Record::Delay(step.delay));
        }
        records.extend(step.step.as_ref().map(|step| Record::Step(step_record(model, step))));
    }
    IntendedPlan { luck, records }
}

fn luck(model: &Model, solution: &Solution<'_>, step: &Intended) -> Luck {
    let mut feared: Vec<String> = Vec::new();
    for one in &step.feared {
        let name = action(&label_of(model, one));
        if !feared.contains(&name) {
            feared.push(name);
        }
    }
    let hoped = step.step.as_ref().filter(|one| one.control == Control::Uncontrollable);
    Luck {
        at: place(model, solution, step),
        rank: [step.rank.risks, step.rank.losses, step.rank.steps],
        hoped: hoped.map(|one| action(&label_of(model, one))),
        after: (hoped.is_some() && !step.delay.is_zero()).then(|| number(step.delay)),
        feared,
    }
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
    let names = clocks::names(model);
    match zones {
        Some(zones) if zones.iter().any(|zone| zone.is_empty()) => named,
        Some(zones) => {
            let zones = zones.iter().map(|zone| &zone[..]);
            format!("{named}, {}", clocks::disjunction(model, &names, zones))
        }
        None => named,
    }
}
