//! The test cases of the examples pass.
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "support/cases.rs"]
mod cases;
mod support;

use cases::{SHAPES, TIMELY, case};
use support::{ESCAPES, EXAMPLES, avoids, example, model, objectives};
use tioga_certify::{CheckOptions, Coverage, Extent, check_case};
use tioga_model::Model;
use tioga_testcase::{Scope, Shape};

fn specifications() -> Vec<(&'static str, Model)> {
    let mut all = vec![("escapes", model(ESCAPES)), ("timely", model(TIMELY))];
    all.extend(EXAMPLES.map(|name| (name, example(name))));
    all
}

#[test]
fn test_cases_of_the_examples_pass_in_every_region() {
    for (name, model) in specifications() {
        for objective in objectives(&model).iter().filter(|objective| !avoids(objective)) {
            for scope in [Scope::Cooperative, Scope::SafetyFirst] {
                for shape in SHAPES {
                    let case = case(&model, objective, scope, shape, 3).unwrap();
                    let options = CheckOptions::default();
                    let what = format!("{name}, {objective:?} {scope:?} {shape:?}");
                    let report = check_case(&model, objective, &case, &options)
                        .unwrap_or_else(|error| panic!("{what}: {error}"));
                    assert_eq!(report.coverage, Coverage::Exhaustive, "{what}: {report}");
                    assert!(report.exact && report.states > 5, "{what}: {report}");
                    assert_eq!(report.advised > 0, shape != Shape::Automaton, "{what}: {report}");
                }
            }
        }
    }
}

#[test]
fn test_cases_of_the_examples_pass_in_random_plays() {
    let options = CheckOptions { extent: Extent::Sampled, plays: 40, ..CheckOptions::default() };
    for (name, model) in specifications() {
        let objective = &objectives(&model)[0];
        for shape in SHAPES {
            let case = case(&model, objective, Scope::Cooperative, shape, 50).unwrap();
            let report = check_case(&model, objective, &case, &options)
                .unwrap_or_else(|error| panic!("{name}, {shape:?}: {error}"));
            assert!(matches!(report.coverage, Coverage::Sampled { plays: 40, .. }));
            assert!(!report.exact, "{report}");
        }
    }
}
