//! Suites by criteria: the same for any number of threads, and what passes has covered what it says.

use std::time::Instant;

use tioga::{
    Aim, BuiltSuite, Cancel, Cause, Cover, Criterion, Effort, Loaded, ModelSource, OpenOptions,
    Sources, Standing, StopReason, SuiteOptions, SynthesisOptions, WhyMissed, build_suite,
    online_cover, open, read, synthesize,
};
use tioga_testcase::{Shape, TestCase};

fn loaded(name: &str, texts: &mut Sources) -> Loaded {
    let source = open(name, &OpenOptions::default(), texts).unwrap();
    read(source, &[], texts).unwrap()
}

fn options(criteria: &[Criterion]) -> SuiteOptions {
    SuiteOptions {
        walk_time: None,
        criteria: criteria.to_vec(),
        until: 100,
        killed: 100,
        then: false,
        certain: false,
        repeat: 5,
        seed: 0,
        synthesis: SynthesisOptions::default(),
    }
}

fn built(name: &str, criteria: &[Criterion], threads: usize) -> BuiltSuite {
    let mut texts = Sources::new();
    let loaded = loaded(name, &mut texts);
    let options = options(criteria);
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

/// What needs an edge that cannot be covered is not looked at if the edge was. What is found out agrees with what a
/// look finds.
#[test]
fn what_needs_an_edge_out_of_reach_is_out_of_reach() {
    let mut left_out = 0;
    for (name, then) in [("@problematic-light", false), ("@conveyor-game", true)] {
        let mut texts = Sources::new();
        let loaded = loaded(name, &mut texts);
        let [edges, one, other] = [Cover::Edges, Cover::Boundaries, Cover::EdgePairs];
        let mut standing = |criteria: &[Cover]| {
            let criteria: Vec<Criterion> =
                criteria.iter().map(|cover| Criterion::Cover(*cover)).collect();
            let options = SuiteOptions { certain: true, then, ..options(&criteria) };
            let mut effort = Effort { threads: 2, ..Effort::default() };
            let built =
                build_suite(&loaded, Vec::new(), &options, &mut effort, &mut texts).unwrap();
            let targets = built.targets.into_iter().filter(|target| target.criterion != edges);
            targets.map(|target| (target.name, target.standing)).collect::<Vec<_>>()
        };
        let (with, without) = (standing(&[edges, one, other]), standing(&[one, other]));
        for ((name, quick), (_, looked)) in with.into_iter().zip(without) {
            left_out += usize::from(quick == Standing::Missed(WhyMissed::EdgeCooperation));
            let agrees = match (&quick, &looked) {
                (Standing::Covered(_), Standing::Covered(_)) => true,
                (Standing::Impossible(_), Standing::Impossible(_)) => true,
                // Whether it is possible with cooperation is not known without a look.
                (Standing::Missed(WhyMissed::EdgeCooperation), _) => {
                    !matches!(looked, Standing::Covered(_))
                }
                _ => quick == looked,
            };
            assert!(agrees, "{name}: {quick:?}, but a look says {looked:?}");
        }
    }
    assert!(left_out > 20, "{left_out}");
}

#[test]
fn suites_do_not_depend_on_the_number_of_threads() {
    let criteria = [Criterion::Cover(Cover::Edges), Criterion::Cover(Cover::Boundaries)];
    assert_eq!(built("@smart-light", &criteria, 1), built("@smart-light", &criteria, 5));
    // Many of its test cases are joined; how many are tried at once depends on the threads.
    let alone = built("@car-alarm", &criteria[..1], 1);
    assert!(alone.joined > 5);
    for threads in [2, 3, 7] {
        assert_eq!(built("@car-alarm", &criteria[..1], threads), alone, "{threads} threads");
    }
    let mutants = [Criterion::Mutants];
    assert_eq!(built("@switch/sw5", &mutants, 1), built("@switch/sw5", &mutants, 5));
}

/// Without any one of its test cases, a suite needs another one, also after joining them.
#[test]
fn no_test_of_a_suite_is_redundant() {
    let suites = [
        ("@car-alarm", Cover::Edges),
        ("@stairs-light", Cover::Boundaries),
        ("@smart-light", Cover::Edges),
        ("@service-desk", Cover::EdgePairs),
    ];
    for (name, cover) in suites {
        let mut texts = Sources::new();
        let loaded = loaded(name, &mut texts);
        let options = options(&[Criterion::Cover(cover)]);
        let mut built = |given: Vec<TestCase>| {
            let mut effort = Effort { threads: 2, ..Effort::default() };
            build_suite(&loaded, given, &options, &mut effort, &mut texts).unwrap()
        };
        let cases: Vec<TestCase> =
            built(Vec::new()).tests.into_iter().map(|test| test.case).collect();
        assert!(cases.len() > 2, "{name}");
        assert_eq!(built(cases.clone()).tests.len(), cases.len(), "{name} lacks nothing");
        for left_out in 0..cases.len() {
            let mut others = cases.clone();
            let one = others.remove(left_out);
            let made = built(others).tests.len();
            assert!(made >= cases.len(), "{name} does not need {}", one.name);
        }
    }
}

/// Where chance decides whether a run passes, a few runs tell little.
#[test]
fn chance_is_estimated_from_many_runs() {
    let mut texts = Sources::new();
    let loaded = loaded("@problematic-light", &mut texts);
    let synthesis = SynthesisOptions { shape: Shape::Tree, ..SynthesisOptions::default() };
    let options = SuiteOptions { synthesis, ..options(&[Criterion::Cover(Cover::Edges)]) };
    let mut effort = Effort { threads: 2, ..Effort::default() };
    let built = build_suite(&loaded, Vec::new(), &options, &mut effort, &mut texts).unwrap();
    assert!(built.tests.len() > 10);
    for test in &built.tests {
        let (runs, passed) = test.fair;
        assert!(runs == 8 && passed == 8 || runs == 200, "{}: {:?}", test.case.name, test.fair);
        // The light has at most six answers, and two of them may be needed.
        assert!(passed * 36 > runs, "{}: {:?}", test.case.name, test.fair);
    }
}

/// `blink!` may be left out for ever, `lit!` may not. Ranks count on both.
#[test]
fn a_certain_suite_does_not_wait_for_what_need_not_come() {
    let mut texts = Sources::new();
    let text = "input press; output lit, blink;
        automaton Lamp { clock x; init location Off; location Going invariant x <= 2; location On;
          Off -> Going : press? do x = 0; Going -> On : lit!; On -> Off : press?; On -> Off : blink!; }";
    let source = ModelSource::of_text("lamp.tioga", text).unwrap();
    let loaded = read(source, &[], &mut texts).unwrap();
    for certain in [false, true] {
        let options = SuiteOptions { certain, ..options(&[Criterion::Cover(Cover::Outputs)]) };
        let mut effort = Effort::default();
        let built = build_suite(&loaded, Vec::new(), &options, &mut effort, &mut texts).unwrap();
        let covered =
            built.targets.iter().filter(|one| matches!(one.standing, Standing::Covered(_)));
        assert_eq!(covered.count(), if certain { 1 } else { 2 }, "{:#?}", built.targets);
    }
}

/// A suite whose time is over before it begins has not looked at anything, and still measures what it has.
#[test]
fn time_is_kept_to_measure_what_was_made() {
    let mut texts = Sources::new();
    let loaded = loaded("@switch/sw5", &mut texts);
    let criteria = [Criterion::Cover(Cover::Edges), Criterion::Mutants];
    let mut effort = Effort { deadline: Some(Instant::now()), ..Effort::default() };
    let options = options(&criteria);
    let built = build_suite(&loaded, Vec::new(), &options, &mut effort, &mut texts).unwrap();
    assert_eq!(built.stopped, Some(StopReason::Time));
    assert!(built.targets.iter().all(|one| one.standing == Standing::Open));
    let killing = built.killing.unwrap();
    assert!(killing.complete, "what is there was run against all mutants");
    assert_eq!((killing.made, killing.unmeasured), (0, 0));
}

/// Whatever is being done at that moment, nothing is lost and nothing is said that was not found out.
#[test]
fn a_suite_may_be_stopped_at_any_moment() {
    let [edges, pairs] = [Cover::Edges, Cover::EdgePairs].map(Criterion::Cover);
    for (name, criteria, certain) in [
        ("@smart-light", vec![edges, pairs], false),
        ("@smart-light", vec![edges, Criterion::Mutants], true),
        ("@car-alarm", vec![edges], false),
    ] {
        let mut texts = Sources::new();
        let loaded = loaded(name, &mut texts);
        let options = SuiteOptions { certain, ..options(&criteria) };
        let (mut asks, mut moments, mut without_runs, mut while_joining) = (1, 0, 0, 0);
        loop {
            let mut effort = Effort { cancel: Cancel::after(asks), ..Effort::default() };
            let built = build_suite(&loaded, Vec::new(), &options, &mut effort, &mut texts);
            let built = built.unwrap_or_else(|failure| panic!("{name}, {asks}: {failure:?}"));
            for one in &built.targets {
                // All that happens in these models is seen.
                assert!(!matches!(one.standing, Standing::Possible(_)), "{asks}: {one:?}");
                if let Standing::Covered(by) = &one.standing {
                    let test = built.tests.iter().find(|test| test.case.name == *by);
                    let test = test.unwrap_or_else(|| panic!("{asks}: {one:?}"));
                    assert!(test.covers > 0, "{asks}: {one:?}");
                }
            }
            without_runs += built.tests.iter().filter(|test| test.fair.0 == 0).count();
            if built.could_be_shorter {
                // Everything was looked at before.
                let (coverable, covered) = built.coverage();
                assert_eq!((built.stopped, coverable), (None, covered), "{name}, {asks}");
                while_joining += 1;
            } else if built.stopped.is_none() {
                break;
            }
            (asks, moments) = (asks + asks / 12 + 1, moments + 1);
        }
        assert!(moments > 50, "{name}: {moments}");
        assert!(certain || without_runs > 0, "{name}: no moment fell into the runs of a test case");
        assert_eq!(while_joining > 0, !certain, "{name}: {while_joining}");
    }
}

/// Work that gives up says so, and a limit is no defect of the program.
#[test]
fn purposes_and_online_goals_may_be_stopped_at_any_moment() {
    for name in ["@conveyor", "@car-alarm", "@problematic-light"] {
        let mut texts = Sources::new();
        let loaded = loaded(name, &mut texts);
        let aim = Aim::Purposes(Vec::new());
        let all = online_cover(&loaded, &[Cover::Edges], &mut Effort::default()).unwrap();
        let (mut asks, mut moments, mut done) = (1, 0, false);
        while !done {
            let stopped = |asks| Effort { cancel: Cancel::after(asks), ..Effort::default() };
            let mut effort = stopped(asks);
            let made = synthesize(&loaded, &aim, &SynthesisOptions::default(), &mut effort);
            done = effort.cancel.reason().is_none();
            let limited = |cause: Cause| !done && cause == Cause::Limit;
            match made {
                Ok(made) => assert!(done || made.stopped.is_some(), "{name}, {asks}"),
                Err(failure) => assert!(limited(failure.cause), "{name}, {asks}: {failure:?}"),
            }
            let mut effort = stopped(asks);
            match online_cover(&loaded, &[Cover::Edges], &mut effort) {
                Ok(made) if effort.cancel.reason().is_none() => {
                    assert_eq!(made.cases.len(), all.cases.len(), "{name}, {asks}");
                }
                Ok(made) => {
                    assert!(made.cases.len() <= all.cases.len(), "{name}, {asks}");
                    let open = made.coverage.is_none_or(|coverage| coverage.is_open());
                    assert!(open || made.cases.len() == all.cases.len(), "{name}, {asks}");
                    done = false;
                }
                Err(failure) => {
                    assert_eq!(failure.cause, Cause::Limit, "{name}, {asks}: {failure:?}");
                    done = false;
                }
            }
            (asks, moments) = (asks + asks / 8 + 1, moments + 1);
        }
        assert!(moments > 30, "{name}: {moments}");
    }
}
