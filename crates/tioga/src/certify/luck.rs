//! Whether the cooperation in the summary of a test case is right: ranks that fall by one control loss
//! each, in states and with answers that the test case has.

use tioga_model::{ClockBound, Model};
use tioga_testcase::{Action, CasePlace, CaseRule, Luck, Side, TestCase, guard};

use crate::words::clocks;

/// The flaw in the cooperation that a summary states, if any. The clocks of the test case are those
/// of the model if `same_clocks`.
pub(super) fn flaw(case: &TestCase, model: &Model, same_clocks: bool) -> Option<String> {
    let luck = &case.summary.luck;
    let [risks, losses, _] = case.summary.rank;
    // A random walk only needs time to pass, which no summary names.
    if case.walk.is_some() {
        let named = !luck.is_empty();
        return named.then(|| "the summary of a random walk names control losses".to_owned());
    }
    if risks == 0 && luck.len() != losses as usize {
        let (says, is) = (luck.len(), losses);
        return Some(format!("the summary names {says} control losses, but its rank has {is}"));
    }
    let mut before = None;
    for (number, one) in luck.iter().enumerate() {
        let wrong = one_flaw(case, model, one, same_clocks).or_else(|| {
            let rises = before.is_some_and(|before| one.rank >= before);
            let first = number == 0 && one.rank[..2] != case.summary.rank[..2];
            (rises || first).then(|| "its rank does not follow from the one before".to_owned())
        });
        if let Some(wrong) = wrong {
            return Some(format!("control loss {} of the summary: {wrong}", number + 1));
        }
        before = Some(one.rank);
    }
    None
}

fn one_flaw(case: &TestCase, model: &Model, luck: &Luck, same_clocks: bool) -> Option<String> {
    if luck.rank[2] != 0 {
        return Some("a step of its rank can be enforced".to_owned());
    }
    if luck.hoped.is_none() && luck.feared.is_empty() {
        return Some("it says nothing about the system".to_owned());
    }
    let places: Vec<&CasePlace> =
        case.places.iter().filter(|place| is_at(case, model, place, luck, same_clocks)).collect();
    if places.is_empty() {
        return Some(format!("the test case has no `{}` of that rank", luck.at));
    }
    let named = |action: &Action| format!("{action}!");
    for name in luck.hoped.iter().chain(&luck.feared) {
        let answers = |place: &&&CasePlace| {
            let mut edges = place.edges.iter().filter(|edge| edge.by == Side::System);
            edges.any(|edge| named(&edge.action) == *name)
        };
        if !places.iter().any(|place| answers(&place)) {
            return Some(format!("the system has no `{name}` there"));
        }
    }
    let Some(hoped) = &luck.hoped else { return None };
    let awaits = |place: &CasePlace, rule: &CaseRule| {
        let edges = rule.awaited.iter().map(|edge| &place.edges[*edge as usize]);
        edges.map(|edge| named(&edge.action)).any(|name| name == *hoped)
    };
    let hopeful = places.iter().any(|place| {
        let mut rules = place.rules.iter().filter(|rule| rule.rank == luck.rank);
        place.rules.is_empty() || rules.any(|rule| awaits(place, rule))
    });
    let late = luck.after.as_ref().is_some_and(|after| after.starts_with('-') || after == "0");
    (!hopeful || late).then(|| format!("the test case does not await `{hoped}` there"))
}

/// Whether a place, with one of its rules, is what the text says.
fn is_at(
    case: &TestCase,
    model: &Model,
    place: &CasePlace,
    luck: &Luck,
    same_clocks: bool,
) -> bool {
    let named = |name: &str| place.name == name || place.name.starts_with(&format!("{name}, "));
    if place.rules.is_empty() || !same_clocks {
        let mut cuts = luck.at.match_indices(", ").map(|(cut, _)| &luck.at[..cut]);
        return named(&luck.at) || cuts.any(named);
    }
    let names = clocks::names(model);
    let mut rules = place.rules.iter().filter(|rule| rule.rank == luck.rank);
    rules.any(|rule| {
        if rule.zones.iter().any(Vec::is_empty) {
            return named(&luck.at);
        }
        let zones = guard(&rule.zones).disjuncts;
        let own = |bound: &ClockBound| {
            [bound.left, bound.right]
                .into_iter()
                .flatten()
                .all(|clock| (clock.0 as usize) < model.clocks.len())
        };
        if case.clocks.len() < model.clocks.len() || !zones.iter().flatten().all(own) {
            return false;
        }
        let text = clocks::disjunction(model, &names, zones.iter().map(|zone| &zone[..]));
        luck.at.strip_suffix(&format!(", {text}")).is_some_and(named)
    })
}
