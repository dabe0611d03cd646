//! Test cases of random models with hidden and ambiguous steps: the independent checker, which follows every
//! run of the model in all regions, finds nothing wrong; and it finds a window that was made too narrow.
//!
//! `TIOGA_ROUNDS` says how many models there are; a few if it is not set.

use fastrand::Rng;
use tioga::{
    Aim, Certificate, CertifyFinding, CertifyOptions, Cover, Criterion, Effort, ModelSource,
    Policy, Shape, Sources, Standing, Suite, SuiteOptions, SynthesisOptions, TestCase, ViewOptions,
    build_suite, certify, read, synthesize,
};

use crate::symbolic_conforming::{Outcomes, count_runs};

/// An automaton with two clocks, internal steps and choices that the tester does not see.
pub fn automaton(random: &mut Rng) -> String {
    let count = random.usize(2..=4);
    let mut text =
        String::from("input a;\noutput b, c;\ninternal tau;\nautomaton A {\n  clock x, y;\n");
    for number in 0..count {
        let init = if number == 0 { "init " } else { "" };
        let bound = match random.u8(..6) {
            0 => format!(" invariant x <= {}", random.u8(0..=2)),
            1 => format!(" invariant x < {}", random.u8(1..=2)),
            2 => format!(" invariant y <= {}", random.u8(0..=2)),
            _ => String::new(),
        };
        text += &format!("  {init}location l{number}{bound};\n");
    }
    for _ in 0..random.usize(2..=6) {
        let (from, to) = (random.usize(..count), random.usize(..count));
        let action = ["a?", "b!", "c!", "tau", "tau"][random.usize(..5)];
        let clock = ["x", "x", "y"][random.usize(..3)];
        let guard = match random.u8(..8) {
            0 | 1 => format!("when {clock} == {}", random.u8(0..=2)),
            2 => format!("when {clock} < {}", random.u8(1..=2)),
            3 => format!("when {clock} <= {}", random.u8(0..=2)),
            4 => format!("when {clock} > {}", random.u8(0..=2)),
            5 => format!("when {clock} >= {}", random.u8(1..=2)),
            _ => String::new(),
        };
        let reset =
            ["", "", "do x = 0", "do x = 0", "do y = 0", "do x = 0, y = 0"][random.usize(..6)];
        text += &format!("  l{from} -> l{to} : {action} {guard} {reset};\n");
    }
    text + "}\n"
}

/// A purpose: two things to be seen, the second perhaps late, or a location of the model.
fn purpose(random: &mut Rng, last: usize) -> String {
    let seen = |random: &mut Rng| ["a?", "b!", "c!"][random.usize(..3)];
    let (first, second) = (seen(random), seen(random));
    let late = ["", "when z >= 1", "when z < 1", "when A.x >= 1"][random.usize(..4)];
    let goal =
        if random.bool() { String::new() } else { format!("S -> Acc : {first} when A.l{last};") };
    format!(
        "purpose P {{ clock z; init location S; location T; accept location Acc; {goal} \
         S -> T : {first} do z = 0; T -> Acc : {second} {late}; otherwise self; }}\n"
    )
}

/// What the checker says about test cases of a model.
pub fn certified(source: &ModelSource, cases: Vec<TestCase>) -> Vec<CertifyFinding> {
    let suite = Certificate::Suite(Box::new(Suite::of_model(source.clone(), cases)));
    let options = CertifyOptions { max_regions: 3000, plays: 20, ..CertifyOptions::default() };
    let (mut texts, mut effort) = (Sources::new(), Effort::default());
    let all = certify(source.clone(), &suite, None, &options, &mut texts, &mut effort).unwrap();
    all.into_iter().map(|one| one.finding).collect()
}

#[test]
fn test_cases_of_what_the_tester_does_not_see_are_right_in_all_regions() {
    let rounds = std::env::var("TIOGA_ROUNDS").ok().and_then(|text| text.parse().ok());
    let (mut made, mut hidden, mut narrowed) = (0, 0, 0);
    let (mut ranked, mut misranked) = (0, 0);
    for seed in 0..rounds.unwrap_or(40u64) {
        let mut random = Rng::with_seed(seed);
        let text = automaton(&mut random);
        let last = text.matches("location").count() - 1;
        let text = text + &purpose(&mut random, last);
        let source = ModelSource::of_text("random.tioga", &text).unwrap();
        let Ok(loaded) = read(source, &[], &mut Sources::new()) else { continue };
        for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
            let options = SynthesisOptions { shape, ..SynthesisOptions::default() };
            let Ok(synthesis) = synthesize(&loaded, &Aim::Model, &options, &mut Effort::default())
            else {
                continue;
            };
            for case in &synthesis.cases {
                made += 1;
                for finding in certified(&loaded.source, vec![case.clone()]) {
                    let CertifyFinding::Right(report) = finding else {
                        panic!("seed {seed} {shape:?}: {finding:?}\n{text}");
                    };
                    hidden += u32::from(
                        report.left_open.is_some_and(|open| open.contains("in any region")),
                    );
                }
                narrowed += u32::from(narrow_is_found(&loaded.source, case));
                if let Some(found) = wrong_rank_is_found(&loaded.source, case) {
                    (ranked, misranked) = (ranked + 1, misranked + u32::from(found));
                }
            }
        }
    }
    println!("{made} test cases, {hidden} with hidden steps in all regions, {narrowed} narrowed");
    assert!(made > 5 && hidden * 4 > made, "{hidden} of {made}");
    assert!(narrowed * 2 > made, "{narrowed} of {made}");
    println!("{misranked} of {ranked} with a wrong rank found");
    assert!(ranked > 5 && misranked * 10 > ranked * 9, "{misranked} of {ranked}");
}

/// What comes after an edge that the tester does not see is part of the test: it goes on until it is certain.
#[test]
fn test_cases_for_edges_that_the_tester_does_not_see_never_fail_the_model() {
    let rounds = std::env::var("TIOGA_ROUNDS").ok().and_then(|text| text.parse().ok());
    let (mut made, mut counts) = (0, Outcomes::default());
    for seed in 0..rounds.unwrap_or(60u64) {
        let mut random = Rng::with_seed(seed);
        let text = automaton(&mut random);
        let source = ModelSource::of_text("random.tioga", &text).unwrap();
        let Ok(loaded) = read(source, &[], &mut Sources::new()) else { continue };
        let aim = Aim::Cover { what: vec![Cover::Edges], then: seed % 2 == 1 };
        let options = SynthesisOptions { max_states: 500, ..SynthesisOptions::default() };
        let view = ViewOptions { max_steps: 20_000, ..ViewOptions::default() };
        let mut effort = Effort { view, ..Effort::default() };
        let Ok(synthesis) = synthesize(&loaded, &aim, &options, &mut effort) else { continue };
        for case in synthesis.cases {
            made += 1;
            let told = format!("seed {seed} {}\n{text}", case.summary.goal);
            let found = certified(&loaded.source, vec![case.clone()]);
            assert!(!matches!(found[..], [CertifyFinding::Wrong(_)]), "{told}\n{found:?}");
            let suite = Suite::of_model(loaded.source.clone(), vec![case]);
            count_runs(&mut counts, &loaded, &suite, Policy::Random, &told);
        }
    }
    println!("{made} test cases, {counts:?}, none failed");
    assert!(made > 15 && counts.passed > 20, "{made} test cases, {counts:?}");
}

/// Each edge that was looked at is covered, possibly covered, or missed for a reason, also where answers are alike.
#[test]
fn nothing_that_was_looked_at_is_left_without_an_answer() {
    let rounds = std::env::var("TIOGA_ROUNDS").ok().and_then(|text| text.parse().ok());
    let (mut items, mut answered) = (0, 0);
    // A joined test case lost what another only may cover with seed 237.
    for seed in (0..rounds.unwrap_or(60u64)).chain([237]) {
        let mut random = Rng::with_seed(seed);
        let text = automaton(&mut random);
        let source = ModelSource::of_text("random.tioga", &text).unwrap();
        let mut texts = Sources::new();
        let Ok(loaded) = read(source, &[], &mut texts) else { continue };
        let options = SuiteOptions {
            criteria: vec![Criterion::Cover(Cover::Edges)],
            until: 100,
            killed: 100,
            then: seed % 2 == 1,
            certain: false,
            walk_time: None,
            repeat: 5,
            seed,
            synthesis: SynthesisOptions { max_states: 500, ..SynthesisOptions::default() },
        };
        let view = ViewOptions { max_steps: 20_000, ..ViewOptions::default() };
        let mut effort = Effort { view, ..Effort::default() };
        let built = build_suite(&loaded, Vec::new(), &options, &mut effort, &mut texts);
        let Ok(built) = built else { continue };
        for target in &built.targets {
            items += 1;
            answered += u32::from(target.standing != Standing::Open);
            assert!(target.standing != Standing::Open, "seed {seed}: {}\n{text}", target.text);
        }
    }
    println!("{items} items, {answered} with an answer");
    assert!(items > 100, "{items}");
}

/// Whether a wrong rank of the rule that applies first is found. `None` if there is none.
fn wrong_rank_is_found(source: &ModelSource, case: &TestCase) -> Option<bool> {
    let mut wrong = case.clone();
    let [risks, losses, steps] = wrong.summary.rank;
    if wrong.places[0].rules.is_empty() || (losses, steps) == (0, 0) {
        return None;
    }
    // Consistent in itself, so only the game tells.
    let claimed = [risks, losses, steps + 1];
    for rule in wrong.places[0].rules.iter_mut().filter(|rule| rule.rank == wrong.summary.rank) {
        rule.rank = claimed;
    }
    wrong.summary.rank = claimed;
    Some(matches!(certified(source, vec![wrong])[..], [CertifyFinding::Wrong(_)]))
}

/// Whether one of the windows of a test case, made narrower by its last moment, is found to be wrong.
fn narrow_is_found(source: &ModelSource, case: &TestCase) -> bool {
    let mut changed = Vec::new();
    for (place, own) in case.places.iter().enumerate() {
        for zone in 0..own.invariant.len() {
            for bound in 0..own.invariant[zone].len() {
                let mut wrong = case.clone();
                let bound = &mut wrong.places[place].invariant[zone][bound];
                if bound.left.is_some() && !bound.strict {
                    bound.strict = true;
                    changed.push(wrong);
                }
            }
        }
    }
    // Without a window there is nothing to narrow.
    changed.is_empty()
        || changed
            .into_iter()
            .any(|wrong| matches!(certified(source, vec![wrong])[..], [CertifyFinding::Wrong(_)]))
}
