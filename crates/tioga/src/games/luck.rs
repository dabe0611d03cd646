//! Where the cooperation of the system is needed, and the run on which it is given.

use tioga_concrete::{Record, Semantics, label_of, step_record};
use tioga_games::{Root, Solution};
use tioga_model::{Control, DiscreteState, Model, Step};
use tioga_testcase::{Intended, Luck, intended_run};

use crate::DataView;
use crate::words::{action, clocks, number};

/// The run on which the system cooperates wherever it is needed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct IntendedPlan {
    /// Where cooperation is needed, and which.
    pub luck: Vec<Luck>,
    /// The run.
    pub records: Vec<Record>,
}

/// Follows the strategy of a solution, with a system that cooperates. With classes of data, the solution is one
/// of the model over representatives, and the run is one of the model itself.
pub fn plan(model: &Model, solution: &Solution<'_>, data: Option<&DataView>) -> IntendedPlan {
    let mut table = solution.empty_table();
    let mut semantics = Semantics::new(model);
    let Ok(initial) = semantics.initial() else { return IntendedPlan::default() };
    // A table of all states may cost far more than the answer.
    let mut ranked = |state: &DiscreteState| solution.ranked(solution.game.arena.find(state)?);
    let Ok(run) = intended_run(&mut semantics, &mut table, &mut ranked, &initial) else {
        return IntendedPlan::default();
    };
    let risky = run.iter().filter(|step| !step.rank.is_controlled());
    let mut all: Vec<Luck> = Vec::new();
    for one in risky.map(|step| luck(model, solution, step, data)) {
        // Waiting for a moment that has no first one, and acting then, is one control loss.
        match all.last_mut().filter(|last| last.rank == one.rank) {
            Some(last) => join(last, one),
            None => all.push(one),
        }
    }
    let mut records = Vec::new();
    let mut follower = data.map(DataView::real_walk);
    for step in &run {
        if !step.delay.is_zero() {
            records.push(Record::Delay(step.delay));
        }
        let Some(taken) = &step.step else { continue };
        let real = match &mut follower {
            None => taken.clone(),
            Some(follower) => match follower.step(taken) {
                Ok(real) => real,
                Err(_) => break,
            },
        };
        records.push(Record::Step(step_record(model, &real)));
    }
    IntendedPlan { luck: all, records }
}

/// Makes one control loss of two that follow each other without lowering the rank: it is where the system
/// has to answer, or else where it first may.
fn join(first: &mut Luck, mut second: Luck) {
    if second.hoped.is_some() {
        std::mem::swap(first, &mut second);
    }
    second.feared.retain(|name| !first.feared.contains(name));
    first.feared.append(&mut second.feared);
}

fn luck(model: &Model, solution: &Solution<'_>, step: &Intended, data: Option<&DataView>) -> Luck {
    let named = |one: &Step| match data {
        Some(view) => view.move_text(&step.state.discrete, one).0,
        None => action(&label_of(model, one)),
    };
    let mut feared: Vec<String> = Vec::new();
    for one in &step.feared {
        let name = named(one);
        if !feared.contains(&name) {
            feared.push(name);
        }
    }
    let hoped = step.step.as_ref().filter(|one| one.control == Control::Uncontrollable);
    Luck {
        at: place(model, solution, step, data),
        rank: [step.rank.risks, step.rank.losses, step.rank.steps],
        hoped: hoped.map(named),
        after: (hoped.is_some() && !step.delay.is_zero()).then(|| number(step.delay)),
        feared,
    }
}

/// Where a step of the intended run starts: `St, y <= 5`.
fn place(
    model: &Model,
    solution: &Solution<'_>,
    step: &Intended,
    data: Option<&DataView>,
) -> String {
    let state = &step.state;
    let locations = model.processes.iter().zip(&state.discrete.locations);
    let single = model.processes.len() == 1;
    let named: Vec<String> = locations
        .map(|(process, at)| {
            let name = &process.locations[*at].name;
            if single { name.clone() } else { format!("{}.{name}", process.name) }
        })
        .collect();
    let named = match data {
        Some(view) => view.state_text(&state.discrete),
        None => named.join(", "),
    };
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
