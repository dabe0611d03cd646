//! Test cases with one small mistake, and whether a run could come across it.

use std::collections::BTreeSet;

use tioga_base::Rational;
use tioga_testcase::{CaseBound, CaseEdge, CasePlace, CaseZone, Shape, Side, TestCase, Verdict};

/// All test cases with one mistake, each with what it is.
pub fn corrupted(case: &TestCase) -> Vec<(String, TestCase)> {
    let mut all = Vec::new();
    for (at, place) in case.places.iter().enumerate() {
        let mut add = |what: String, change: &dyn Fn(&mut CasePlace)| {
            let mut wrong = case.clone();
            change(&mut wrong.places[at]);
            if wrong != *case {
                all.push((format!("place {at} `{}`: {what}", place.name), wrong));
            }
        };
        moved(&place.invariant, &mut |what, zone, bound, new| {
            let what = format!("invariant: {what}");
            add(what, &|place| place.invariant[zone][bound] = new);
        });
        moved(&place.urgent, &mut |what, zone, bound, new| {
            let what = format!("urgent: {what}");
            add(what, &|place| place.urgent[zone][bound] = new);
        });
        for zone in 0..place.urgent.len() {
            let what = format!("urgent: zone {zone} is missing");
            add(what, &|place| _ = place.urgent.remove(zone));
        }
        add("always urgent".to_owned(), &|place| place.urgent = vec![CaseZone::new()]);
        for (index, judgement) in place.verdicts.iter().enumerate() {
            moved(&judgement.zones, &mut |what, zone, bound, new| {
                let what = format!("verdict {index}: {what}");
                add(what, &|place| place.verdicts[index].zones[zone][bound] = new);
            });
            for verdict in [Verdict::Pass, Verdict::Fail, Verdict::Inconclusive] {
                let what = format!("verdict {index} is {verdict:?}");
                add(what, &|place| place.verdicts[index].verdict = verdict);
            }
            let what = format!("verdict {index} is missing");
            add(what, &|place| _ = place.verdicts.remove(index));
        }
        for (index, edge) in place.edges.iter().enumerate() {
            moved(&edge.guard, &mut |what, zone, bound, new| {
                let what = format!("guard {index}: {what}");
                add(what, &|place| place.edges[index].guard[zone][bound] = new);
            });
            add(format!("edge {index} is missing"), &|place| without(place, index));
            let target = (edge.target + 1) % case.places.len() as u32;
            let what = format!("edge {index} leads to {target}");
            add(what, &|place| place.edges[index].target = target);
            for set in 0..edge.sets.len() {
                let what = format!("edge {index}: set {set} is missing");
                add(what, &|place| _ = place.edges[index].sets.remove(set));
                let what = format!("edge {index}: set {set} is one more");
                add(what, &|place| place.edges[index].sets[set].value += 1);
            }
            let actions = if edge.by == Side::Tester { &case.inputs } else { &case.outputs };
            for action in actions {
                let what = format!("edge {index} is {}", action.channel);
                add(what, &|place| place.edges[index].action = action.clone());
            }
        }
    }
    all
}

/// Says each way to move a bound by one or to change whether it is strict.
fn moved(zones: &[CaseZone], say: &mut dyn FnMut(String, usize, usize, CaseBound)) {
    for (zone, bounds) in zones.iter().enumerate() {
        for (index, old) in bounds.iter().enumerate() {
            for new in [
                CaseBound { bound: old.bound + 1, ..*old },
                CaseBound { bound: old.bound - 1, ..*old },
                CaseBound { strict: !old.strict, ..*old },
            ] {
                say(format!("{old:?} becomes {new:?}"), zone, index, new);
            }
        }
    }
}

/// Removes an edge and the rules that play it.
fn without(place: &mut CasePlace, edge: usize) {
    place.edges.remove(edge);
    let edge = edge as u32;
    let shift = |index: u32| if index > edge { index - 1 } else { index };
    place.rules.retain(|rule| rule.play != Some(edge));
    for rule in &mut place.rules {
        rule.play = rule.play.map(shift);
        rule.awaited.retain(|index| *index != edge);
        rule.awaited.iter_mut().for_each(|index| *index = shift(*index));
    }
}

/// A place with clock values.
pub type Point = (usize, Vec<Rational>);

/// What a mistake does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effect {
    None,
    /// Something that a test case may do, or that shows only later.
    Maybe,
    Wrong,
}

/// Points that runs of a test case come across, with clocks up to a horizon, in steps of time of
/// a quarter; and those that come a step too late.
pub fn points(case: &TestCase, horizon: i64) -> (BTreeSet<Point>, BTreeSet<Point>) {
    let start = (0, vec![Rational::ZERO; case.clocks.len()]);
    let mut seen = BTreeSet::from([start.clone()]);
    let mut late = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some((at, clocks)) = waiting.pop() {
        let place = &case.places[at];
        if verdict(place, &clocks).is_some() {
            continue;
        }
        let later = after_time(&clocks, Rational::new(1, 4).unwrap());
        let mut next = Vec::new();
        if stands(place, &clocks) {
            // Nothing but a step leads on.
        } else if !holds(&place.invariant, &later) {
            late.insert((at, later));
        } else if later.iter().all(|value| *value <= Rational::integer(horizon)) {
            next.push((at, later));
        }
        for edge in place.edges.iter().filter(|edge| holds(&edge.guard, &clocks)) {
            next.push((edge.target as usize, after(edge, &clocks)));
        }
        next.retain(|point| seen.insert(point.clone()));
        waiting.extend(next);
    }
    (seen, late)
}

/// What a mistake does at a point that runs come across. The first clocks are the model's.
pub fn effect(right: &TestCase, wrong: &TestCase, (at, clocks): &Point, model: usize) -> Effect {
    let (old, new) = (&right.places[*at], &wrong.places[*at]);
    let verdicts = [verdict(old, clocks), verdict(new, clocks)];
    if holds(&old.invariant, clocks) != holds(&new.invariant, clocks) {
        // The test may have ended within the last quarter.
        return if verdicts[0].is_some() { Effect::Maybe } else { Effect::Wrong };
    }
    // Where time is over anyway, it does not matter that it must not pass.
    let soon = after_time(clocks, Rational::new(1, 8).unwrap());
    let stands = stands(old, clocks) != stands(new, clocks) && holds(&old.invariant, &soon);
    match verdicts {
        [one, other] if one == other && one.is_some() => return Effect::None,
        [one, other] if one == other && stands => return Effect::Wrong,
        [one, other] if one == other => {}
        [None, Some(Verdict::Inconclusive)] | [Some(Verdict::Inconclusive), None]
            if right.shape == Shape::Tree =>
        {
            return Effect::Maybe;
        }
        _ => return Effect::Wrong,
    }
    let enabled = |place: &CasePlace| -> Vec<CaseEdge> {
        place.edges.iter().filter(|edge| holds(&edge.guard, clocks)).cloned().collect()
    };
    let (olds, news) = (enabled(old), enabled(new));
    let same = |one: &CaseEdge, other: &CaseEdge| one.by == other.by && one.action == other.action;
    let mut effect = Effect::None;
    for edge in &news {
        // Another edge with the same action, or one where there was none.
        let differs = |other: &CaseEdge| (other.target, &other.sets) != (edge.target, &edge.sets);
        let clash = news.iter().any(|other| same(edge, other) && differs(other));
        let Some(before) = olds.iter().find(|other| same(edge, other)) else {
            // Trees and strategies send less than they could.
            if edge.by == Side::Tester && right.shape != Shape::Automaton && !clash {
                effect = Effect::Maybe;
                continue;
            }
            return Effect::Wrong;
        };
        let (before_clocks, edge_clocks) = (after(before, clocks), after(edge, clocks));
        if clash || before_clocks[..model] != edge_clocks[..model] {
            return Effect::Wrong;
        }
        if before_clocks != edge_clocks || before.target != edge.target {
            effect = Effect::Maybe;
        }
    }
    for edge in olds.iter().filter(|edge| !news.iter().any(|other| same(edge, other))) {
        if edge.by == Side::System || right.shape == Shape::Automaton {
            return Effect::Wrong;
        }
        effect = Effect::Maybe;
    }
    effect
}

/// Whether no time may pass from a point, because it is urgent or every delay leads through urgent
/// points.
fn stands(place: &CasePlace, clocks: &[Rational]) -> bool {
    let soon = after_time(clocks, Rational::new(1, 8).unwrap());
    holds(&place.urgent, clocks) || holds(&place.urgent, &soon)
}

fn after_time(clocks: &[Rational], delay: Rational) -> Vec<Rational> {
    clocks.iter().map(|value| value.add(delay).unwrap()).collect()
}

fn verdict(place: &CasePlace, clocks: &[Rational]) -> Option<Verdict> {
    let found = place.verdicts.iter().find(|judgement| holds(&judgement.zones, clocks));
    found.map(|judgement| judgement.verdict)
}

fn holds(zones: &[CaseZone], clocks: &[Rational]) -> bool {
    let value = |clock: Option<u32>| clock.map_or(Rational::ZERO, |clock| clocks[clock as usize]);
    let meets = |bound: &CaseBound| {
        let difference = value(bound.left).sub(value(bound.right)).unwrap();
        let limit = Rational::integer(bound.bound);
        difference < limit || (difference == limit && !bound.strict)
    };
    zones.iter().any(|zone| zone.iter().all(meets))
}

fn after(edge: &CaseEdge, clocks: &[Rational]) -> Vec<Rational> {
    let mut clocks = clocks.to_vec();
    for set in &edge.sets {
        let source = set.source.map_or(Rational::ZERO, |source| clocks[source as usize]);
        clocks[set.clock as usize] = source.add(Rational::integer(set.value)).unwrap();
    }
    clocks
}
