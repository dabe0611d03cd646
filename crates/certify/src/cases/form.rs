//! Whether a test case speaks of the model and of itself in order: clocks, units, positions, actions.

use tioga_model::{Direction, Model};
use tioga_testcase::{CaseEdge, CasePlace, Side, TestCase};

use crate::{Flaw, Refutation};

/// What is wrong with the form of a test case, if anything.
pub(crate) fn flaw(model: &Model, case: &TestCase) -> Option<Refutation> {
    let places = || {
        case.places.iter().enumerate().find_map(|(position, place)| {
            let wrong = zones_flaw(case, place)
                .or_else(|| edges_flaw(case, place))
                .or_else(|| rules_flaw(place))?;
            Some(format!("{wrong}, in place {position} `{}`", place.name))
        })
    };
    let message = whole(model, case).or_else(places).or_else(|| case.flaw())?;
    Some(Refutation { state: None, flaw: Flaw::Malformed, message })
}

fn whole(model: &Model, case: &TestCase) -> Option<String> {
    if case.places.is_empty() {
        return Some("the test case has no place to start in".to_owned());
    }
    if case.scale != model.scale {
        let (own, other) = (case.scale, model.scale);
        return Some(format!("the test case counts time in 1/{own}, the model in 1/{other}"));
    }
    let first = case.clocks.iter().take(model.clocks.len());
    if !first.eq(model.clocks.iter().map(|clock| &clock.name)) {
        return Some("the first clocks of the test case are not those of the model".to_owned());
    }
    summary_flaw(case).or_else(|| interface_flaw(model, case))
}

/// What is wrong with a test case that has clocks of its own, if anything.
pub(crate) fn unrelated_flaw(model: &Model, case: &TestCase) -> Option<String> {
    if case.scale != model.scale {
        let (own, other) = (case.scale, model.scale);
        return Some(format!("the test case counts time in 1/{own}, the model in 1/{other}"));
    }
    summary_flaw(case).or_else(|| interface_flaw(model, case))
}

/// Whether the summary contradicts itself.
fn summary_flaw(case: &TestCase) -> Option<String> {
    let summary = &case.summary;
    let wrong = summary.exact != summary.approximated.is_empty();
    wrong.then(|| {
        let (says, but) =
            if summary.exact { ("exact", "some") } else { ("approximate", "nothing") };
        format!("the summary calls verdicts {says}, but it names {but} that is approximated")
    })
}

/// Whether the declared actions are those of the model.
fn interface_flaw(model: &Model, case: &TestCase) -> Option<String> {
    let sides = [(&case.inputs, Direction::Input), (&case.outputs, Direction::Output)];
    sides.into_iter().find_map(|(declared, direction)| {
        let word = if direction == Direction::Input { "input" } else { "output" };
        let own = || model.channels.iter().filter(|one| one.direction == Some(direction));
        let unknown = declared.iter().find(|action| own().all(|one| one.name != action.channel));
        if let Some(action) = unknown {
            return Some(format!("the model has no {word} `{}`", action.channel));
        }
        let missing = own().find(|one| {
            one.parameters.is_empty() && declared.iter().all(|action| action.channel != one.name)
        })?;
        Some(format!("the {word} `{}` of the model is not declared", missing.name))
    })
}

fn zones_flaw(case: &TestCase, place: &CasePlace) -> Option<String> {
    let zones = place
        .invariant
        .iter()
        .chain(&place.urgent)
        .chain(place.verdicts.iter().flat_map(|one| &one.zones))
        .chain(place.edges.iter().flat_map(|edge| &edge.guard))
        .chain(place.rules.iter().flat_map(|rule| &rule.zones));
    let bounded = zones.flatten().flat_map(|bound| [bound.left, bound.right]).flatten();
    let sets = place.edges.iter().flat_map(|edge| &edge.sets);
    let set = sets.flat_map(|set| [Some(set.clock), set.source]).flatten();
    let unknown = bounded.chain(set).any(|clock| clock as usize >= case.clocks.len());
    unknown.then(|| "a clock is named that the test case does not have".to_owned())
}

fn edges_flaw(case: &TestCase, place: &CasePlace) -> Option<String> {
    place.edges.iter().find_map(|edge| {
        let CaseEdge { by, action, sets, target, .. } = edge;
        let declared = match by {
            Side::Tester => &case.inputs,
            Side::System => &case.outputs,
        };
        if *target as usize >= case.places.len() {
            Some(format!("an edge leads to place {target}, which does not exist"))
        } else if !declared.contains(action) {
            Some(format!("the action `{}` of an edge is not declared", action.channel))
        } else {
            let negative = sets.iter().any(|set| set.source.is_none() && set.value < 0);
            negative.then(|| "an edge sets a clock to a negative value".to_owned())
        }
    })
}

fn rules_flaw(place: &CasePlace) -> Option<String> {
    let by = |index: u32| place.edges.get(index as usize).map(|edge| edge.by);
    place.rules.iter().enumerate().find_map(|(position, rule)| {
        if rule.play.is_some_and(|play| by(play) != Some(Side::Tester)) {
            return Some(format!("rule {position} plays an edge that the tester does not have"));
        }
        let wrong = rule.awaited.iter().any(|index| by(*index) != Some(Side::System));
        wrong.then(|| format!("rule {position} awaits an edge that the system does not have"))
    })
}
