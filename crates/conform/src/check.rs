//! What is looked for in one state of the product: what the implementation does and the
//! specification does not allow, and where the specification is not deterministic.

use tioga_model::Model;
use tioga_zones::Federation;

use crate::question::Question;
use crate::side::{Act, Action, View};
use crate::waiting::waits_longer;

/// What is wrong in a state of the product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The implementation has this step, and the specification none that shows the same.
    Output(usize),
    /// The implementation lets time pass that the specification does not.
    Wait,
    /// The specification has this step, and the implementation none with its input.
    Refusal(usize),
}

/// What violates the relation asked for in a state of the product, with the points where it does: outputs in
/// order, then delays; or inputs in order.
pub fn violations(
    question: Question,
    implementation: &View,
    specification: &View,
) -> Vec<(Finding, Federation)> {
    let mut found = Vec::new();
    if question == Question::Inputs {
        for (index, act) in specification.acts.iter().enumerate() {
            let Some(action) = act.action.as_ref().filter(|action| action.has_input()) else {
                continue;
            };
            let points = outside(act, implementation, |other| other.same_input(action));
            found.push((Finding::Refusal(index), points));
        }
        return found;
    }
    for (index, act) in implementation.acts.iter().enumerate() {
        let Some(action) = act.action.as_ref().filter(|action| action.has_output()) else {
            continue;
        };
        let mut points = outside(act, specification, |other| other == action);
        if action.has_input() {
            // An input that is not specified is free, and so is the answer to it.
            points.intersect(&possible(specification, |other| other.same_input(action)));
        }
        found.push((Finding::Output(index), points));
    }
    let (place, may_wait) = (&implementation.place, &implementation.may_wait);
    let mut longer = waits_longer(place, may_wait, &specification.place);
    if question == Question::OutputsWhenServed {
        longer.subtract(&left_to_the_tester(specification));
    }
    found.push((Finding::Wait, longer));
    found
}

/// The points from which time leads to where an input is possible, and the model does nothing by itself
/// any more before its time ends.
pub fn left_to_the_tester(view: &View) -> Federation {
    let mut own = Federation::empty(view.place.invariant().dimension());
    let mut inputs = own.clone();
    for act in &view.acts {
        let takes = act.action.as_ref().is_some_and(Action::has_input);
        if takes { &mut inputs } else { &mut own }.unite(&act.enabled);
    }
    inputs.subtract(&view.place.past(&own));
    view.place.past(&inputs)
}

/// Why the state of the specification after a trace would not be known, if `here` is where the
/// product may be. Internal steps come first: they would make the state unknown right here.
pub fn hidden_choice(model: &Model, view: &View, here: &Federation) -> Option<String> {
    let internal =
        view.acts.iter().find(|act| act.action.is_none() && act.enabled.intersects(here));
    internal.map(|act| {
        format!("the specification has internal steps, such as {}", described(model, act))
    })
}

/// Why the state of the specification after one more step would not be known.
pub fn open_choice(model: &Model, view: &View, here: &Federation) -> Option<String> {
    for (position, first) in view.acts.iter().enumerate() {
        for second in &view.acts[position + 1..] {
            let (Some(one), Some(other)) = (&first.action, &second.action) else { continue };
            let same = one == other && !first.same_effect(second);
            let mixed = one.same_input(other) && one.has_output() != other.has_output();
            if !(same || mixed) {
                continue;
            }
            let mut both = first.enabled.clone();
            both.intersect(&second.enabled);
            if both.intersects(here) {
                return Some(format!(
                    "the specification is not deterministic: it may take {} or {}",
                    described(model, first),
                    described(model, second),
                ));
            }
        }
    }
    None
}

/// Why the models cannot be compared here: one answers an input at once, in a single step, where the
/// other takes the input first.
pub fn mixed_styles(
    implementation: &View,
    (model, specification): (&Model, &View),
    here: &Federation,
) -> Option<String> {
    for act in &specification.acts {
        let Some(action) = act.action.as_ref().filter(|action| action.has_input()) else {
            continue;
        };
        let mut points = possible(implementation, |other| {
            other.same_input(action) && other.has_output() != action.has_output()
        });
        points.intersect(&act.enabled);
        if points.intersects(here) {
            return Some(format!(
                "one model answers an input in the same step where the other does not: {}",
                described(model, act),
            ));
        }
    }
    None
}

/// Where a step is possible and none of the other model is that fits.
pub fn outside(act: &Act, other: &View, fits: impl Fn(&Action) -> bool) -> Federation {
    let mut points = act.enabled.clone();
    for other in &other.acts {
        if other.action.as_ref().is_some_and(&fits) {
            points.subtract(&other.enabled);
        }
    }
    points
}

/// Where a step is possible that fits.
pub fn possible(view: &View, fits: impl Fn(&Action) -> bool) -> Federation {
    let mut points = Federation::empty(view.place.invariant().dimension());
    for act in &view.acts {
        if act.action.as_ref().is_some_and(&fits) {
            points.unite(&act.enabled);
        }
    }
    points
}

/// A step in names: the edges it takes.
pub fn described(model: &Model, act: &Act) -> String {
    let edges = act.step.participants.iter().map(|participant| {
        let process = &model.processes[participant.process];
        let edge = &process.edges[participant.edge];
        let (from, to) = (&process.locations[edge.source], &process.locations[edge.target]);
        format!("{}: {} -> {}", process.name, from.name, to.name)
    });
    format!("`{}`", edges.collect::<Vec<_>>().join(", "))
}
