//! The solver's answers for the examples pass.

use crate::support::{ALL_TERMS, ESCAPES, EXAMPLES, all_games, avoids, by, solved, table};
use tioga_certify::{CheckCoverage, CheckOptions, Extent, check};
use tioga_games::{SolveMethod, SolveOptions};
use tioga_testcase::{Concept, Scope};
use tioga_testkit::{example, model, objectives};

#[test]
fn small_examples_pass_in_every_region() {
    for name in EXAMPLES {
        let model = example(name);
        let objective = &objectives(&model)[0];
        for (concept, scope) in ALL_TERMS {
            for method in [SolveMethod::OnTheFly, SolveMethod::Backward] {
                let table = solved(&model, objective, concept, scope, &by(method));
                let what = format!("{name}, {concept:?} {scope:?} by {method:?}");
                let report = check(&model, &table, &CheckOptions::default())
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                assert_eq!(report.coverage, CheckCoverage::Exhaustive, "{what}");
                assert!(report.states > 20, "{what}: {report}");
            }
        }
    }
}

#[test]
fn all_examples_pass() {
    let options =
        CheckOptions { max_regions: 2_000, plays: 20, points: 1, ..CheckOptions::default() };
    let examples = all_games();
    assert!(examples.len() >= 4);
    for (name, model) in examples {
        for objective in &objectives(&model) {
            for (concept, scope) in ALL_TERMS {
                if avoids(objective) && scope != Scope::Winning {
                    continue;
                }
                let table = table(&model, objective, concept, scope);
                let what = format!("{name}, {objective:?} {concept:?} {scope:?}");
                let report = check(&model, &table, &options)
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                assert!(report.states > 0 && report.exact, "{what}: {report}");
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
            assert!(matches!(report.coverage, CheckCoverage::Sampled { plays: 40, .. }));
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
            assert_eq!(report.coverage, CheckCoverage::Exhaustive);
            assert!(report.advised > 0, "{objective:?} {concept:?} {scope:?}: {report}");
        }
    }
}

/// Urgent and broadcast channels, a committed location, data, and an invariant with a choice.
const NETWORK: &str = "
model network;
input go, again;
output done, lost;
urgent chan meet;
broadcast chan tick;
int[0,3] count;
automaton P {
  clock x;
  init location idle invariant x <= 5;
  location met invariant x <= 2 || x >= 3;
  committed location split;
  location over;
  idle -> met : meet! when x >= 2;
  idle -> idle : go? when x < 3 do x = 0;
  met -> split : done! when x > 1 do count = count + 1;
  met -> over : lost! when x >= 4;
  split -> idle : tick! do x = 0;
}
automaton Q {
  clock y;
  init location wait;
  location ready, busy;
  wait -> ready : again? when y >= 1 do y = 0;
  ready -> busy : meet? do y = 0;
  busy -> wait : tick? when y <= 2;
  busy -> ready : tick? when y > 2;
}
query control: A<> count == 2;
query control: A[ !P.over U count == 1 ];
query control: A[] !P.over;
query control: A<> Q.busy && P.x - Q.y > 2;
";

#[test]
fn networks_pass() {
    let model = model(NETWORK);
    for objective in &objectives(&model) {
        for (concept, scope) in ALL_TERMS {
            if avoids(objective) && scope != Scope::Winning {
                continue;
            }
            let table = table(&model, objective, concept, scope);
            let report = check(&model, &table, &CheckOptions::default())
                .unwrap_or_else(|error| panic!("{objective:?} {concept:?} {scope:?}: {error}"));
            assert_eq!(report.coverage, CheckCoverage::Exhaustive, "{report}");
        }
    }
}
