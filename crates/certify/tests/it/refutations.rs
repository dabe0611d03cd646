//! What is said about wrong tables, and which tables are not wrong.

use crate::support::table;
use tioga_base::Cancel;
use tioga_certify::{CheckCoverage, CheckOptions, Error, Extent, Flaw, Refutation, check};
use tioga_model::{ClockBound, ClockId, Model};
use tioga_testcase::{Advice, Concept, Rank, RankTable, Ranked, Scope};
use tioga_testkit::{example, objectives};

fn conveyor() -> (Model, RankTable) {
    let model = example("conveyor-game");
    let objective = objectives(&model)[0].clone();
    let table = table(&model, &objective, Concept::Fair, Scope::Cooperative);
    (model, table)
}

fn refuted(model: &Model, table: &RankTable) -> Refutation {
    match check(model, table, &CheckOptions::default()) {
        Err(Error::Refuted(refutation)) => *refutation,
        other => panic!("{other:?}"),
    }
}

/// What the table says about a location of the model's only process.
fn at<'t>(model: &Model, table: &'t mut RankTable, location: &str) -> &'t mut Ranked {
    let process = model.processes.iter().next().unwrap();
    let found = process.locations.iter_ids().find(|(_, own)| own.name == location).unwrap().0;
    let mut places = table.places.iter_mut();
    places.find(|(state, _)| state.locations[0] == found).unwrap().1
}

#[test]
fn a_rank_that_is_too_low_is_explained_by_what_the_system_may_do() {
    let (model, mut table) = conveyor();
    at(&model, &mut table, "St").levels[0].rank = Rank::new(0, 1);
    let refutation = refuted(&model, &table);
    assert_eq!(
        refutation.to_string(),
        "in state (Belt.St; Belt.x=0, Belt.y=0) the table claims rank (0, 1), but rank (0, 2) follows: \
         the system may play `waste!` now, which leads to rank (1, 1)"
    );
}

#[test]
fn a_rank_that_is_too_high_is_explained_by_a_better_way() {
    let (model, mut table) = conveyor();
    at(&model, &mut table, "Wa").levels[0].rank = Rank::new(1, 3);
    let refutation = refuted(&model, &table);
    assert_eq!(
        refutation.to_string(),
        "in state (Belt.Wa; Belt.x=0, Belt.y=0) the table claims rank (1, 3), but rank (1, 1) follows: \
         the tester can play `restart?` now, which leads to rank (1, 0)"
    );
}

#[test]
fn a_missing_rank_is_explained_by_a_way() {
    let (model, mut table) = conveyor();
    at(&model, &mut table, "St").levels.remove(0);
    let refutation = refuted(&model, &table);
    assert_eq!(
        refutation.to_string(),
        "in state (Belt.St; Belt.x=0, Belt.y=0) the table claims rank (1, 1), but rank (1, 0) follows: \
         the tester can play `ship2?` now, which leads to rank (0, 0)"
    );
}

#[test]
fn a_goal_without_a_goal_is_noticed() {
    let (model, mut table) = conveyor();
    at(&model, &mut table, "Wa").levels[0].rank = Rank::ZERO;
    let refutation = refuted(&model, &table);
    assert_eq!(
        refutation.to_string(),
        "in state (Belt.Wa; Belt.x=0, Belt.y=0) the table claims rank (0, 0), but rank (0, 1) follows: \
         the objective does not hold there"
    );
}

#[test]
fn advice_that_cannot_be_followed_is_explained() {
    let (model, mut table) = conveyor();
    at(&model, &mut table, "Wa").rules[0].advice = Advice::Play(7);
    let refutation = refuted(&model, &table);
    assert_eq!(
        refutation.to_string(),
        "in state (Belt.Wa; Belt.x=0, Belt.y=0) \
         the advice for rank (1, 1) is wrong: there is no step 7"
    );
    let (model, mut table) = conveyor();
    let rules = &mut at(&model, &mut table, "St").rules;
    let play = rules.iter_mut().find(|rule| matches!(rule.advice, Advice::Play(_))).unwrap();
    play.advice = Advice::Play(2);
    let refutation = refuted(&model, &table);
    assert_eq!(
        refutation.to_string(),
        "in state (Belt.St; Belt.x=0, Belt.y=0) the advice for rank (1, 0) is wrong: \
         the tester would play `ship1?` now, which leads to rank (1, 1)"
    );
}

#[test]
fn tables_that_do_not_fit_the_model_are_refused() {
    let (model, table) = conveyor();
    let mut unknown_clock = table.clone();
    let bound = ClockBound { left: Some(ClockId(9)), right: None, strict: false, bound: 1 };
    at(&model, &mut unknown_clock, "St").levels[0].zones[0].push(bound);
    let mut disorder = table.clone();
    at(&model, &mut disorder, "St").levels.reverse();
    let mut unknown_place = table.clone();
    let (mut place, ranked) = unknown_place.places.pop_first().unwrap();
    place.data = [0].into();
    unknown_place.places.insert(place, ranked);
    for table in [unknown_clock, disorder, unknown_place] {
        let refutation = refuted(&model, &table);
        assert_eq!(refutation.flaw, Flaw::Malformed);
        assert_eq!(refutation.state, None);
    }
}

#[test]
fn a_table_that_is_not_complete_may_say_too_much_but_not_too_little() {
    let (model, mut table) = conveyor();
    table.complete = false;
    table.places.values_mut().for_each(|ranked| ranked.rules.clear());
    let mut higher = table.clone();
    at(&model, &mut higher, "Wa").levels[0].rank = Rank::new(2, 1);
    assert!(!check(&model, &higher, &CheckOptions::default()).unwrap().exact);
    let mut less = table.clone();
    at(&model, &mut less, "Wa").levels.clear();
    assert!(check(&model, &less, &CheckOptions::default()).is_ok());
    at(&model, &mut less, "D2A").levels.clear();
    let claimed = refuted(&model, &less).flaw;
    assert!(
        matches!(claimed, Flaw::Rank { claimed: Some(one), right } if right > Some(one)),
        "{claimed:?}"
    );
    let mut lower = table.clone();
    at(&model, &mut lower, "Wa").levels[0].rank = Rank::new(1, 0);
    assert!(check(&model, &lower, &CheckOptions::default()).is_err());
}

#[test]
fn samples_find_mistakes_in_many_states() {
    let options = CheckOptions { extent: Extent::Sampled, ..CheckOptions::default() };
    let (model, table) = conveyor();
    for place in table.places.keys() {
        let mut raised = table.clone();
        for level in &mut raised.places.get_mut(place).unwrap().levels {
            level.rank.losses += 1;
        }
        assert!(matches!(check(&model, &raised, &options), Err(Error::Refuted(_))));
        let mut dropped = table.clone();
        dropped.places.remove(place);
        assert!(matches!(check(&model, &dropped, &options), Err(Error::Refuted(_))));
    }
}

#[test]
fn too_many_regions_make_samples_and_the_same_seed_the_same_ones() {
    let (model, table) = conveyor();
    let options = CheckOptions { max_regions: 10, seed: 7, ..CheckOptions::default() };
    let report = check(&model, &table, &options).unwrap();
    assert!(matches!(
        report.coverage,
        CheckCoverage::Sampled { regions: 1.., plays: 200, points: 1.. }
    ));
    assert_eq!(check(&model, &table, &options).unwrap(), report);
}

#[test]
fn a_check_can_be_cancelled() {
    let (model, table) = conveyor();
    let cancel = Cancel::new();
    cancel.cancel();
    let options = CheckOptions { cancel, ..CheckOptions::default() };
    assert_eq!(check(&model, &table, &options), Err(Error::Cancelled));
}
