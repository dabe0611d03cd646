//! The solver's answers for the examples pass.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::{
    ALL_TERMS, ESCAPES, EXAMPLES, avoids, by, example, model, objectives, solved, table,
};
use tioga_certify::{CheckOptions, Coverage, Extent, check};
use tioga_games::{Method, SolveOptions};
use tioga_testcase::{Concept, Scope};

#[test]
fn examples_pass_in_every_region() {
    for name in EXAMPLES {
        let model = example(name);
        let objective = &objectives(&model)[0];
        for (concept, scope) in ALL_TERMS {
            for method in [Method::OnTheFly, Method::Backward] {
                let table = solved(&model, objective, concept, scope, &by(method));
                let what = format!("{name}, {concept:?} {scope:?} by {method:?}");
                let report = check(&model, &table, &CheckOptions::default())
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                assert_eq!(report.coverage, Coverage::Exhaustive, "{what}");
                assert!(report.states > 20, "{what}: {report}");
            }
        }
    }
}

#[test]
fn examples_pass_in_random_plays() {
    let options = CheckOptions { extent: Extent::Sampled, plays: 40, ..CheckOptions::default() };
    for name in EXAMPLES {
        let model = example(name);
        let objective = &objectives(&model)[0];
        for (concept, scope) in ALL_TERMS {
            let table = table(&model, objective, concept, scope);
            let report = check(&model, &table, &options)
                .unwrap_or_else(|error| panic!("{name}, {concept:?} {scope:?}: {error}"));
            assert!(matches!(report.coverage, Coverage::Sampled { plays: 40, .. }));
        }
    }
}

#[test]
fn tables_that_are_not_complete_are_checked_for_what_they_claim() {
    for name in EXAMPLES {
        let model = example(name);
        let objective = &objectives(&model)[0];
        let options = SolveOptions { early: true, ..SolveOptions::default() };
        let table = solved(&model, objective, Concept::Fair, Scope::Cooperative, &options);
        let report = check(&model, &table, &CheckOptions::default())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(report.exact, table.complete);
    }
}

#[test]
fn all_kinds_of_objectives_pass() {
    let model = model(ESCAPES);
    let objectives = objectives(&model);
    assert_eq!(objectives.len(), 4);
    for objective in &objectives {
        for (concept, scope) in ALL_TERMS {
            if avoids(objective) && scope != Scope::Winning {
                continue;
            }
            let table = table(&model, objective, concept, scope);
            let report = check(&model, &table, &CheckOptions::default())
                .unwrap_or_else(|error| panic!("{objective:?} {concept:?} {scope:?}: {error}"));
            assert_eq!(report.coverage, Coverage::Exhaustive);
            assert!(report.advised > 0, "{objective:?} {concept:?} {scope:?}: {report}");
        }
    }
}
