//! Whether a table speaks of the model at all: states and clocks that it has, ranks in order.

use tioga_base::Id;
use tioga_model::{ClockConjunction, DiscreteState, Model};
use tioga_testcase::{RankTable, Ranked};

use crate::hierarchy::avoids;
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
        let clash = avoids(&table.terms.objective) && scope != tioga_testcase::Scope::Winning;
        clash.then(|| "an objective that says what to avoid has no cooperative states".to_owned())
    };
    let message = found.or_else(clash)?;
    Some(Refutation { state: None, flaw: Flaw::Malformed, message })
}

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
    let known = |zone: &ClockConjunction| {
        let mut clocks = zone.iter().flat_map(|bound| [bound.left, bound.right]).flatten();
        clocks.all(|clock| clock.index() < model.clocks.len())
    };
    let all = zones.flatten().all(known);
    (!all).then(|| "a zone bounds a clock that the model does not have".to_owned())
}

fn locations(model: &Model, state: &DiscreteState) -> String {
    let processes = model.processes.iter().zip(&state.locations);
    let names: Vec<String> = processes
        .map(|(process, at)| format!("{}.{}", process.name, process.locations[*at].name))
        .collect();
    names.join(", ")
}
