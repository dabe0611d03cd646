//! Every small mistake in a table that a play could come across is found.

use crate::support::tamper::{meets, rank, reachable, wrong_ranks, wrong_rules};
use crate::support::{ESCAPES, EXAMPLES, table};
use tioga_certify::{CheckOptions, Error, Flaw, check};
use tioga_model::Model;
use tioga_testcase::{Concept, Scope};
use tioga_testkit::{example, model, objectives};

const TERMS: [(Concept, Scope); 3] = [
    (Concept::Fair, Scope::Cooperative),
    (Concept::Fair, Scope::SafetyFirst),
    (Concept::Strict, Scope::Winning),
];

/// Games with names, and how far clocks must go to see all.
fn games() -> Vec<(&'static str, Model, i64)> {
    let mut games = vec![("escapes", model(ESCAPES), 6)];
    for name in EXAMPLES {
        games.push((name, example(name), if name.ends_with("light") { 23 } else { 9 }));
    }
    games
}

#[test]
fn wrong_ranks_are_refuted() {
    for (name, model, horizon) in games() {
        let objective = &objectives(&model)[0];
        for (concept, scope) in TERMS {
            let table = table(&model, objective, concept, scope);
            let reachable = reachable(&model, &table, horizon);
            let (mut visible, mut hidden) = (0, 0);
            for tampered in wrong_ranks(&table) {
                let states = reachable.get(&tampered.place).map_or(&[][..], Vec::as_slice);
                let differs = states.iter().find(|state| {
                    rank(&model, &table, state) != rank(&model, &tampered.table, state)
                });
                let answer = check(&model, &tampered.table, &CheckOptions::default());
                let what = format!("{name} {concept:?} {scope:?}: {}", tampered.what);
                match (differs, answer) {
                    (_, Err(Error::Refuted(refutation))) => {
                        let seen = differs.is_some() || refutation.flaw == Flaw::Malformed;
                        assert!(seen, "{what} is refuted without reason: {refutation}");
                        visible += 1;
                    }
                    (None, Ok(_)) => hidden += 1,
                    (Some(state), answer) => {
                        panic!("{what} at {}: {answer:?}", state.display(&model))
                    }
                    (None, Err(error)) => panic!("{what}: {error}"),
                }
            }
            assert!(visible > 0, "{name} {concept:?} {scope:?}: {visible} of {hidden}");
        }
    }
}

#[test]
fn wrong_advice_is_refuted() {
    for (name, model, horizon) in games() {
        let objective = &objectives(&model)[0];
        for (concept, scope) in TERMS {
            let table = table(&model, objective, concept, scope);
            let reachable = reachable(&model, &table, horizon);
            let mut refuted = 0;
            for (tampered, at) in wrong_rules(&table, 9) {
                let rule = &table.places[&tampered.place].rules[at];
                let states = reachable.get(&tampered.place).map_or(&[][..], Vec::as_slice);
                let applies = states.iter().any(|state| {
                    let test = |bound: &_| meets(&model, bound, state);
                    table.advice(&tampered.place, test) == Some(rule)
                });
                let answer = check(&model, &tampered.table, &CheckOptions::default());
                let what = format!("{name} {concept:?} {scope:?}: {}", tampered.what);
                match (applies, answer) {
                    (true, Err(Error::Refuted(refutation))) => {
                        let kind = &refutation.flaw;
                        assert!(matches!(kind, Flaw::Advice { .. }), "{what}: {refutation}");
                        refuted += 1;
                    }
                    (false, Ok(_)) => {}
                    // The step may come only after the rule has ceased to apply.
                    (true, Ok(_)) if tampered.what.starts_with("fear") => {}
                    (_, answer) => panic!("{what}: {answer:?}"),
                }
            }
            assert!(refuted > 0);
        }
    }
}

#[test]
fn wrong_ranks_of_the_system_are_refuted() {
    let model = model(ESCAPES);
    let objective = &objectives(&model)[2];
    let table = table(&model, objective, Concept::Strict, Scope::Winning);
    let reachable = reachable(&model, &table, 6);
    let mut visible = 0;
    for tampered in wrong_ranks(&table) {
        let states = reachable.get(&tampered.place).map_or(&[][..], Vec::as_slice);
        let differs = states
            .iter()
            .any(|state| rank(&model, &table, state) != rank(&model, &tampered.table, state));
        let answer = check(&model, &tampered.table, &CheckOptions::default());
        assert!(!differs || answer.is_err(), "{}: {answer:?}", tampered.what);
        visible += u32::from(differs);
    }
    assert!(visible > 5, "{visible}");
}
