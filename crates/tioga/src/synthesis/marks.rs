//! Whether the query of a model asks for its marked locations: then the model is a product with a
//! purpose, and can be determinized as one.

use tioga_model::{
    Composer, Condition, DiscreteState, Formula, Location, Model, Objective, Predicate, Query,
};

/// The query of a model of one automaton without data if it is the only one and asks to enter a
/// location marked `accept`, and before that none marked `refuse`.
pub(super) fn marked_query(model: &Model) -> Option<&Query> {
    let [query] = &model.queries[..] else { return None };
    let Formula::Cooperative(objective) = &query.formula else { return None };
    let one = model.processes.len() == 1 && model.slots.is_empty();
    let (keep, goal) = match objective {
        Objective::Reach(goal) => (None, goal),
        Objective::Until(keep, goal) => (Some(keep), goal),
        Objective::WeakUntil(..) | Objective::Stay(_) => return None,
    };
    let holds = |predicate: &Predicate, test: fn(&Location) -> bool| match predicate {
        Predicate::Holds(condition) => says(model, query, condition, test),
        Predicate::Deadlock | Predicate::NoDeadlock | Predicate::Either { .. } => false,
    };
    let kept = match keep {
        Some(keep) => holds(keep, |location| !location.marks.refuse),
        None => {
            let mut locations = model.processes.iter().flat_map(|process| process.locations.iter());
            locations.all(|location| !location.marks.refuse)
        }
    };
    (one && kept && holds(goal, |location| location.marks.accept)).then_some(query)
}

/// Whether a condition holds exactly in the locations that pass a test.
fn says(model: &Model, query: &Query, condition: &Condition, test: fn(&Location) -> bool) -> bool {
    let mut composer = Composer::new(model);
    let mut state: DiscreteState = composer.initial();
    let locations = model.processes.iter().flat_map(|process| process.locations.iter_ids());
    locations.into_iter().all(|(id, location)| {
        state.locations = std::iter::once(id).collect();
        composer.condition(&state, condition, query.span).is_ok_and(|guard| match test(location) {
            true => guard.is_always(),
            false => guard.is_never(),
        })
    })
}
