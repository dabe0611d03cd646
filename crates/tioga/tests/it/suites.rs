//! Suites by criteria: the same for any number of threads, and what passes has covered what it says.

use tioga::{
    BuiltSuite, Cover, Criterion, Effort, Loaded, OpenOptions, Sources, Standing, SuiteOptions,
    SynthesisOptions, build_suite, open, read,
};

fn loaded(name: &str, texts: &mut Sources) -> Loaded {
    let source = open(name, &OpenOptions::default(), texts).unwrap();
    read(source, &[], texts).unwrap()
}

fn built(name: &str, criteria: &[Criterion], threads: usize) -> BuiltSuite {
    let mut texts = Sources::new();
    let loaded = loaded(name, &mut texts);
    let options = SuiteOptions {
        walk_time: None,
        criteria: criteria.to_vec(),
        until: 100,
        killed: 100,
        then: false,
        certain: false,
        repeat: 5,
        seed: 0,
        synthesis: SynthesisOptions::default(),
    };
    let mut effort = Effort { threads, ..Effort::default() };
    build_suite(&loaded, Vec::new(), &options, &mut effort, &mut texts).unwrap()
}

/// While a suite is made, each test case that passes against the model must have covered its target there, as the
/// concrete steps of the model tell.
#[test]
fn every_target_is_covered_or_proved_impossible() {
    for name in ["@smart-light", "@switch/sw5", "@two-clock-switch/off5", "@service-desk"] {
        for cover in Cover::ALL {
            let built = built(name, &[Criterion::Cover(cover)], 2);
            let (coverable, covered) = built.coverage();
            assert_eq!(coverable, covered, "{name} {cover:?}: {:#?}", built.targets);
            assert!(!built.tests.is_empty(), "{name} {cover:?}");
            for target in &built.targets {
                if let Standing::Covered(by) = &target.standing {
                    assert!(built.tests.iter().any(|test| test.case.name == *by), "{by}");
                }
            }
        }
    }
}

#[test]
fn suites_do_not_depend_on_the_number_of_threads() {
    let criteria = [Criterion::Cover(Cover::Edges), Criterion::Cover(Cover::Boundaries)];
    assert_eq!(built("@smart-light", &criteria, 1), built("@smart-light", &criteria, 5));
    let mutants = [Criterion::Mutants];
    assert_eq!(built("@switch/sw5", &mutants, 1), built("@switch/sw5", &mutants, 5));
}
