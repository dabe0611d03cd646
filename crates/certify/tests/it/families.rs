//! The solver's answers for larger games pass, as far as samples tell.

use crate::support::{avoids, table};
use tioga_certify::{CheckOptions, check};
use tioga_families::{Jobs, Lep, ProductionCell, TrainGame};
use tioga_testcase::{Concept, Scope};
use tioga_testkit::{model, objectives};

#[test]
fn families_of_games_pass() {
    let families = [
        ("lep", Lep { nodes: 3, slots: Some(1), far: None }.tioga()),
        ("jobs", Jobs { jobs: 3, slack: 0 }.tioga()),
        ("train-game", TrainGame { trains: 2, away: 40 }.tioga()),
        ("production-cell", ProductionCell { plates: 2, gap: 18 }.tioga()),
    ];
    let options =
        CheckOptions { max_regions: 300, plays: 20, points: 1, ..CheckOptions::default() };
    for (name, text) in families {
        let model = model(&text);
        for objective in &objectives(&model) {
            for (concept, scope) in [
                (Concept::Strict, Scope::Winning),
                (Concept::Fair, Scope::Cooperative),
                (Concept::Fair, Scope::SafetyFirst),
            ] {
                if avoids(objective) && scope != Scope::Winning {
                    continue;
                }
                let table = table(&model, objective, concept, scope);
                let what = format!("{name}, {concept:?} {scope:?}");
                let report = check(&model, &table, &options)
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                assert!(report.states > 20, "{what}: {report}");
            }
        }
    }
}
