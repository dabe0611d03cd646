//! Every way to make one small mistake in a table, and whether a play could notice it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tioga_base::{Id, Rational};
use tioga_concrete::{Semantics, State};
use tioga_model::{ClockBound, ClockId, DiscreteState, Model};
use tioga_testcase::{Advice, Concept, Rank, RankTable};

/// A table with a mistake: what was done to it, and in which discrete state.
pub struct Tampered {
    pub what: String,
    pub place: DiscreteState,
    pub table: RankTable,
}

/// All tables that differ from this one in a rank, a level, or a bound of a level.
pub fn wrong_ranks(table: &RankTable) -> Vec<Tampered> {
    let mut all = Vec::new();
    for (place, ranked) in &table.places {
        let mut add = |what: String, change: &dyn Fn(&mut RankTable)| {
            let mut table = table.clone();
            change(&mut table);
            all.push(Tampered { what, place: place.clone(), table });
        };
        for (at, level) in ranked.levels.iter().enumerate() {
            let rank = level.rank;
            add(format!("level {rank} dropped"), &|table| {
                table.places.get_mut(place).unwrap().levels.remove(at);
            });
            let others = [
                Rank { steps: rank.steps + 1, ..rank },
                Rank { losses: rank.losses + 1, ..rank },
                Rank { steps: rank.steps.saturating_sub(1), ..rank },
                Rank { losses: rank.losses.saturating_sub(1), ..rank },
                Rank { risks: rank.risks.saturating_sub(1), ..rank },
            ];
            for other in others.into_iter().filter(|other| *other != rank) {
                add(format!("rank {rank:#} to {other:#}"), &|table| {
                    table.places.get_mut(place).unwrap().levels[at].rank = other;
                });
            }
            for (zone, bounds) in level.zones.iter().enumerate() {
                for bound in 0..bounds.len() {
                    let change = |change: &dyn Fn(&mut ClockBound), table: &mut RankTable| {
                        let levels = &mut table.places.get_mut(place).unwrap().levels;
                        change(&mut levels[at].zones[zone][bound]);
                    };
                    for by in [-1, 1] {
                        add(format!("bound {zone}.{bound} of level {rank} by {by}"), &|table| {
                            change(&|bound| bound.bound += by, table);
                        });
                    }
                    add(format!("bound {zone}.{bound} of level {rank} strict"), &|table| {
                        change(&|bound| bound.strict = !bound.strict, table);
                    });
                }
                add(format!("zone {zone} of level {rank} dropped"), &|table| {
                    table.places.get_mut(place).unwrap().levels[at].zones.remove(zone);
                });
            }
        }
    }
    all
}

/// All tables in which one rule gives other advice, with the position of the rule.
pub fn wrong_rules(table: &RankTable, steps: u32) -> Vec<(Tampered, usize)> {
    let mut all = Vec::new();
    for (place, ranked) in &table.places {
        for (at, rule) in ranked.rules.iter().enumerate() {
            let mut add = |what: String, change: &dyn Fn(&mut Advice)| {
                let mut table = table.clone();
                change(&mut table.places.get_mut(place).unwrap().rules[at].advice);
                all.push((Tampered { what, place: place.clone(), table }, at));
            };
            for other in 0..steps {
                if rule.advice != Advice::Play(other) {
                    let what = format!("play {other} instead of {:?}", rule.advice);
                    add(what, &|advice| *advice = Advice::Play(other));
                }
            }
            if rule.advice != Advice::Done {
                add("done".to_owned(), &|advice| *advice = Advice::Done);
            }
            if let Advice::Wait { awaited, feared } = &rule.advice {
                for index in 0..awaited.len() {
                    add(format!("await {index} less"), &|advice| {
                        if let Advice::Wait { awaited, .. } = advice {
                            awaited.remove(index);
                        }
                    });
                }
                for index in 0..feared.len() {
                    add(format!("fear {index} less"), &|advice| {
                        if let Advice::Wait { feared, .. } = advice {
                            feared.remove(index);
                        }
                    });
                }
            }
        }
    }
    all
}

/// States that can be reached, by discrete state: those with clocks on a grid of sixths up to a
/// horizon. Play ends at rank zero, and in fair games at failures.
pub fn reachable(
    model: &Model,
    table: &RankTable,
    horizon: i64,
) -> BTreeMap<DiscreteState, Vec<State>> {
    let mut semantics = Semantics::new(model);
    let start = semantics.initial().unwrap();
    let mut seen = BTreeSet::from([start.clone()]);
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        if rank(model, table, &state) == Some(Rank::ZERO) || fails(model, table, &state) {
            continue;
        }
        let options = semantics.options(&state).unwrap();
        let grid = Rational::new(1, 6).unwrap();
        let mut next: Vec<State> =
            options.now().map(|step| semantics.clone().step(&state, step).unwrap()).collect();
        if options.delays.contains(grid) {
            next.push(state.later(grid).unwrap());
        }
        for state in next {
            let near = state.clocks.iter().all(|clock| *clock <= Rational::integer(horizon));
            if near && seen.insert(state.clone()) {
                queue.push_back(state);
            }
        }
    }
    let mut places: BTreeMap<DiscreteState, Vec<State>> = BTreeMap::new();
    for state in seen.into_iter().filter(|state| !fails(model, table, state)) {
        places.entry(state.discrete.clone()).or_default().push(state);
    }
    places
}

fn fails(model: &Model, table: &RankTable, state: &State) -> bool {
    let mut locations = model.processes.iter().zip(&state.discrete.locations);
    table.terms.concept == Concept::Fair
        && locations.any(|(process, at)| process.locations[*at].marks.fail)
}

pub fn rank(model: &Model, table: &RankTable, state: &State) -> Option<Rank> {
    table.rank(&state.discrete, |bound| meets(model, bound, state))
}

/// Whether a bound holds in a state.
pub fn meets(model: &Model, bound: &ClockBound, state: &State) -> bool {
    let value =
        |clock: Option<ClockId>| clock.map_or(Rational::ZERO, |clock| state.clocks[clock.index()]);
    let difference = value(bound.left).sub(value(bound.right)).unwrap();
    let limit = Rational::new(bound.bound, model.scale).unwrap();
    difference < limit || (difference == limit && !bound.strict)
}
