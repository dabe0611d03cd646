//! Whether a certificate speaks of the model at all: states and clocks that it has, ranks in order.

use tioga_base::Id;
use tioga_model::{ClockConjunction, DiscreteState, Model};
use tioga_testcase::{Concept, RankTable, Ranked, Scope, Trap};

use super::hierarchy::avoids;
use crate::{Flaw, Refutation};

/// What is wrong with the form of a table, if anything.
pub(crate) fn flaw(model: &Model, table: &RankTable) -> Option<Refutation> {
    let found = table.places.iter().find_map(|(state, ranked)| {
        if !exists(model, state) {
            return Some("the table has a discrete state that the model does not have".to_owned());
        }
        let wrong = levels_flaw(ranked).or_else(|| clocks_flaw(model, ranked))?;
        Some(format!("{wrong}, in the discrete state {}", locations(model, state)))
    });
    let clash = || {
        let scope = table.terms.scope;
        let clash = avoids(&table.terms.objective) && scope != Scope::Winning;
        clash.then(|| "an objective that says what to avoid has no cooperative states".to_owned())
    };
    let message = found.or_else(clash)?;
    Some(Refutation { state: None, flaw: Flaw::Malformed, message })
}

/// What is wrong with the form of a trap, if anything.
pub(crate) fn trap_flaw(model: &Model, trap: &Trap) -> Option<Refutation> {
    let terms = &trap.terms;
    let message = if avoids(&terms.objective) {
        "a trap is about something to be reached, not to be avoided".to_owned()
    } else if terms.concept != Concept::Strict {
        "a trap relies on a system that stays idle, which only strict games allow".to_owned()
    } else if terms.scope != Scope::Winning {
        "a trap says what cannot be enforced; it says nothing about cooperation".to_owned()
    } else {
        trap.places.iter().find_map(|(state, place)| {
            if !exists(model, state) {
                return Some("the trap has a discrete state that the model does not have".into());
            }
            let known = place.zones.iter().all(|zone| has_clocks(model, zone));
            let at = || locations(model, state);
            (!known).then(|| format!("{UNKNOWN_CLOCK}, in the discrete state {}", at()))
        })?
    };
    Some(Refutation { state: None, flaw: Flaw::Malformed, message })
}

const UNKNOWN_CLOCK: &str = "a zone bounds a clock that the model does not have";

fn exists(model: &Model, state: &DiscreteState) -> bool {
    let mut locations = model.processes.iter().zip(&state.locations);
    state.locations.len() == model.processes.len()
        && state.data.len() == model.slots.len()
        && locations.all(|(process, at)| process.locations.get(*at).is_some())
}

fn levels_flaw(ranked: &Ranked) -> Option<String> {
    let rising = ranked.levels.windows(2).all(|pair| pair[0].rank < pair[1].rank);
    (!rising).then(|| "the levels are not in order of rank".to_owned())
}

fn clocks_flaw(model: &Model, ranked: &Ranked) -> Option<String> {
    let levels = ranked.levels.iter().map(|level| &level.zones);
    let zones = levels.chain(ranked.rules.iter().map(|rule| &rule.zones));
    let all = zones.flatten().all(|zone| has_clocks(model, zone));
    (!all).then(|| UNKNOWN_CLOCK.to_owned())
}

fn has_clocks(model: &Model, zone: &ClockConjunction) -> bool {
    let mut clocks = zone.iter().flat_map(|bound| [bound.left, bound.right]).flatten();
    clocks.all(|clock| clock.index() < model.clocks.len())
}

fn locations(model: &Model, state: &DiscreteState) -> String {
    let processes = model.processes.iter().zip(&state.locations);
    let names: Vec<String> = processes
        .map(|(process, at)| format!("{}.{}", process.name, process.locations[*at].name))
        .collect();
    names.join(", ")
}
