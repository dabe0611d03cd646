//! Networks that are deterministic but for steps inside that no partner has to wait for: one automaton
//! over the model's own clocks, without a game.
//!
//! The zones that can be reached decide whether an observation always leads to one place. A discrete
//! state in which time stands still and exactly one step is possible, an internal one, is *fleeting*:
//! to arrive there is to be where that step leads. So each visible step and the fleeting
//! states behind it become one edge. Data become part of the locations. Where time stands still
//! before visible steps, a clock of its own says so.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Budget, LimitReached};
use tioga_model::{Marks, Property, PropertyVerdict, properties};
use tioga_zones::{Bound, Federation, Zone};

use crate::automaton::{Arrival, Automaton, Edge, Guard, Location, guard_of};
use crate::region::Grid;
use crate::subject::Subject;
use crate::table::{Entry, Table, TableStep};
use crate::{Acceptance, Determinized, Error, Exactness, Resources, network};

/// The part of the effort that goes into finding out.
const SHARE: u64 = 4;

/// The most clocks that sets of clocks are made of.
const MOST: usize = 31;

/// What is reached of a discrete state: zones closed under delay.
type Reached = BTreeMap<usize, Vec<Zone>>;

/// The flat automaton of a model that is deterministic up to fleeting states; nothing if it is not
/// or if that is not known within a share of the budget.
///
/// # Errors
/// If the model is not supported or the work was cancelled.
pub(crate) fn flatten(
    subject: Subject<'_>,
    resources: Resources,
    budget: &mut Budget,
) -> Result<Option<Determinized>, Error> {
    if subject.model.clocks.len() >= MOST {
        return Ok(None);
    }
    let mut table = Table::new(subject, 0, Grid::uniform(1, 0))?;
    if table.compares_clocks() {
        return Ok(None);
    }
    let mut share = budget.share(SHARE);
    let reached = reach(&mut table, &mut share);
    budget.spend(share.used());
    let reached = match reached {
        Ok(Some(reached)) => reached,
        Ok(None) | Err(Error::Limit(LimitReached::Steps(_))) => return Ok(None),
        Err(error) => return Err(error),
    };
    let Some(automaton) = automaton(&mut table, &reached)? else { return Ok(None) };
    if automaton.clocks > resources.clocks {
        return Ok(None);
    }
    let Some(network) = network::network(&table, &automaton) else { return Ok(None) };
    let model = network.validate().map_err(Error::Invalid)?;
    // What zones show of reachable states has to be plain from the text too, for whoever reads that.
    let plain = properties(&model).iter().all(|report| {
        report.property != Property::Deterministic || report.verdict == PropertyVerdict::Holds
    });
    let resources = Resources { clocks: automaton.clocks, ..resources };
    let (network, exactness) = (model.into_network(), Exactness::Exact);
    let goals = network::goals(&automaton);
    Ok(plain.then_some(Determinized { network, goals, exactness, resources, game_states: 0 }))
}

/// All that can be reached; nothing if an observation may lead to different places.
fn reach(table: &mut Table<'_>, budget: &mut Budget) -> Result<Option<Reached>, Error> {
    let mut reached = Reached::new();
    let mut waiting = vec![(0, Zone::zero(table.dimension()))];
    while let Some((at, zone)) = waiting.pop() {
        let entry = table.entry(at)?;
        for mut zone in entry.elapse.delay(&zone).into_zones() {
            budget.step()?;
            zone.extrapolate_m(&entry.bounds);
            let known = reached.entry(at).or_default();
            if known.iter().any(|known| known.includes(&zone)) {
                continue;
            }
            if !is_deterministic(&entry, &zone) {
                return Ok(None);
            }
            for step in &entry.steps {
                let mut source = step.enabled.clone();
                source.intersect_zone(&zone);
                let after = step.jump.successor(&source).into_zones();
                waiting.extend(after.into_iter().map(|zone| (step.target, zone)));
            }
            known.retain(|known| !zone.includes(known));
            known.push(zone);
        }
    }
    Ok(Some(reached))
}

/// Whether from these points every observation leads to one place.
fn is_deterministic(entry: &Entry, zone: &Zone) -> bool {
    let possible: Vec<(&TableStep, Federation)> = entry
        .steps
        .iter()
        .map(|step| {
            let mut enabled = step.enabled.clone();
            enabled.intersect_zone(zone);
            (step, enabled)
        })
        .filter(|(_, enabled)| !enabled.is_empty())
        .collect();
    let internal = possible.iter().find(|(step, _)| step.action.is_none());
    if let Some((_, enabled)) = internal {
        return possible.len() == 1 && !entry.elapse.passes_time() && enabled.includes_zone(zone);
    }
    let clash = |(one, here): &(&TableStep, Federation),
                 (other, there): &(&TableStep, Federation)| {
        one.action == other.action
            && (one.target != other.target || !one.jump.assignments().eq(other.jump.assignments()))
            && here.intersects(there)
    };
    possible.iter().enumerate().all(|(i, one)| !possible[..i].iter().any(|two| clash(one, two)))
}

/// The steps that are possible in reached states.
fn taken<'e>(entry: &'e Entry, zones: &[Zone]) -> Vec<&'e TableStep> {
    let possible = |step: &&TableStep| {
        zones.iter().any(|zone| step.enabled.zones().iter().any(|enabled| enabled.intersects(zone)))
    };
    entry.steps.iter().filter(possible).collect()
}

/// Where one is on arrival in a discrete state, and which clocks are set to zero on the way there;
/// nothing if that cannot be said.
fn settled(
    table: &mut Table<'_>,
    reached: &Reached,
    mut at: usize,
) -> Result<Option<(usize, u32)>, Error> {
    let mut passed = BTreeSet::new();
    let mut reset = 0;
    loop {
        let entry = table.entry(at)?;
        let taken = taken(&entry, reached.get(&at).map_or(&[], Vec::as_slice));
        let [step] = taken[..] else { return Ok(Some((at, reset))) };
        if step.action.is_some() {
            return Ok(Some((at, reset)));
        }
        // Where the step is not possible, nothing leads on from here.
        let zones = reached.get(&at).map_or(&[][..], Vec::as_slice);
        if !zones.iter().all(|zone| step.enabled.includes_zone(zone)) {
            return Ok(None);
        }
        // A mark would be lost, and a cycle never comes to rest.
        let Some(cleared) = cleared(step) else { return Ok(None) };
        let marked = table.marks(at) != Marks::default() || !table.accepting(at).is_empty();
        if marked || !passed.insert(at) {
            return Ok(None);
        }
        reset |= cleared;
        at = step.target;
    }
}

/// The clocks that a step sets to zero; nothing if it sets clocks otherwise.
fn cleared(step: &TableStep) -> Option<u32> {
    let mut assignments = step.jump.assignments();
    assignments.try_fold(0, |reset, (clock, source, offset)| {
        (source == 0 && offset == 0).then_some(reset | 1 << (clock - 1))
    })
}

/// A location that leads to discrete states, before it is known which of them are urgent.
struct Draft {
    invariant: Guard,
    urgent: bool,
    edges: Vec<Edge>,
}

fn automaton(table: &mut Table<'_>, reached: &Reached) -> Result<Option<Automaton>, Error> {
    // All clocks are zero at the start, whatever is set to zero then.
    let Some((start, _)) = settled(table, reached, 0)? else { return Ok(None) };
    let mut order = vec![start];
    let mut drafts: BTreeMap<usize, Draft> = BTreeMap::new();
    while let Some(&at) = order.get(drafts.len()) {
        let entry = table.entry(at)?;
        let mut edges = Vec::new();
        for step in taken(&entry, &reached[&at]) {
            let Some(action) = step.action else { return Ok(None) };
            let (Some(before), Some((target, after))) =
                (cleared(step), settled(table, reached, step.target)?)
            else {
                return Ok(None);
            };
            // What holds in a fleeting state on arrival is left to no invariant of the result. That it
            // suffices for the fleeting states behind it was checked with the zones.
            let mut guards = match step.target == target {
                true => step.jump.guard(table.dimension()),
                false => step.enabled.clone(),
            };
            guards.merge();
            for zone in guards.zones() {
                edges.push(Edge { action, guard: guard_of(zone), reset: before | after, target });
            }
            if !order.contains(&target) {
                order.push(target);
            }
        }
        let [invariant] = entry.elapse.invariant().zones() else { return Ok(None) };
        if !entry.elapse.urgent().is_empty() {
            return Ok(None);
        }
        let urgent = !entry.elapse.passes_time();
        drafts.insert(at, Draft { invariant: guard_of(invariant), urgent, edges });
    }
    let arrival =
        |at: usize| Arrival { at: BTreeSet::from([at]), marks: table.marks(at), known: true };
    // The clock that stops time is the last.
    let stopping = table.dimension();
    let location = |at: usize, class: &BTreeMap<usize, usize>| {
        let Draft { invariant, urgent, edges } = &drafts[&at];
        let (mut invariant, mut edges) = (invariant.clone(), edges.clone());
        if *urgent {
            invariant.push((stopping, 0, Bound::LE_ZERO));
        }
        for edge in &mut edges {
            edge.reset |= u32::from(drafts[&edge.target].urgent) << (stopping - 1);
            edge.target = class[&edge.target];
        }
        edges.sort();
        let all = |zone: &Zone| (guard_of(zone), Acceptance::Everywhere);
        let accepts = table.accepting(at).zones().iter().map(all).collect();
        Location { invariant, accepts, edges }
    };
    let clocks = stopping - 1 + usize::from(drafts.values().any(|draft| draft.urgent));
    Ok(Some(Automaton::minimal(clocks, order, &arrival, &location)))
}
