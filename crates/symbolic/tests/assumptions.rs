//! The assumptions of test synthesis against the region graph, and on cases made by hand.
#![expect(clippy::unwrap_used, reason = "tests")]

mod support;

use proptest::prelude::*;
use tioga_explore::SearchOptions;
use tioga_model::{Model, MoveLabel};
use tioga_parse::Format;
use tioga_symbolic::{Assumptions, Decision, Endless, Lasso, TimedStep};

use support::ticking::{Arrow, Regions};
use support::{network, run};

fn model(text: &str) -> Model {
    network(Format::Tioga, text).expect(text).validate().unwrap()
}

fn assumptions(model: &Model) -> Assumptions {
    Assumptions::of(model, false, &SearchOptions::default(), &mut |_| {}).unwrap()
}

/// What is decided must be what the regions say; a run must end in a region that is not good.
fn agree(what: &str, model: &Model, regions: &Regions, good: &[bool], decision: &Decision) {
    match decision {
        Decision::Holds => assert!(good.iter().all(|good| *good), "{what} does not hold"),
        Decision::Fails(steps) => {
            let end = regions.number(run(model, steps));
            assert!(!good[end], "{what} holds where the run ends");
        }
        Decision::Unknown(reason) => panic!("{what} is unknown: {reason}"),
    }
}

fn agree_on_zeno(model: &Model, regions: &Regions, alone: bool, decision: &Endless) {
    let counts = |arrow: Arrow| matches!(arrow, Arrow::Move(label) if !alone || !is_input(label));
    let endless = regions.for_ever(|arrow| arrow == Arrow::Time || counts(arrow), counts);
    let exists = endless.iter().any(|endless| *endless);
    match decision {
        Endless::None => assert!(!exists, "there is a Zeno run, alone: {alone}"),
        Endless::Found(Lasso { stem, turn }) => {
            assert!(exists, "there is no Zeno run, alone: {alone}");
            let begin = run(model, stem);
            assert!(endless[regions.number(begin.clone())]);
            let both: Vec<TimedStep> = stem.iter().chain(turn).cloned().collect();
            let end = run(model, &both);
            assert_eq!(begin.discrete, end.discrete, "the turn does not lead back");
            assert!(!turn.is_empty());
            let labels = turn.iter().map(|step| step.step.as_ref().unwrap().label);
            let labels: Vec<Arrow> = labels.map(Arrow::Move).collect();
            assert!(labels.iter().all(|label| counts(*label)));
            let many: Vec<Arrow> = (0..10).flat_map(|_| labels.clone()).collect();
            let start = regions.number(begin);
            assert!(regions.without_tick(start, &many), "the turn cannot be repeated");
        }
        Endless::Unknown(reason) => panic!("Zeno runs are unknown: {reason}"),
    }
}

fn is_input(label: MoveLabel) -> bool {
    matches!(label, MoveLabel::Input(_) | MoveLabel::Exchange(..))
}

/// Compares all answers with the regions; says how they came out.
fn check(text: &str) -> String {
    let model = model(text);
    let Some(regions) = Regions::of(&model) else { return String::new() };
    let found = assumptions(&model);
    let everywhere = vec![true; regions.arrows.len()];
    let own = |arrow| match arrow {
        Arrow::Move(label) => !is_input(label),
        Arrow::Time | Arrow::Tick => true,
        Arrow::Anew => false,
    };
    let good = regions.for_ever(own, |arrow| arrow == Arrow::Tick);
    agree("non-blocking", &model, &regions, &good, &found.non_blocking);
    let seen =
        |arrow| matches!(arrow, Arrow::Move(label) if !matches!(label, MoveLabel::Internal(_)));
    let good = regions.reaching(|_| true, seen, &everywhere);
    agree("repeatedly observable", &model, &regions, &good, &found.repeatedly_observable);
    for (label, decision) in &found.restarts {
        let good = regions.reaching(|_| true, |arrow| arrow == Arrow::Move(*label), &everywhere);
        agree("restart", &model, &regions, &good, decision);
    }
    agree_on_zeno(&model, &regions, true, &found.zeno_alone);
    agree_on_zeno(&model, &regions, false, &found.zeno);
    let mut word = String::new();
    for decision in [&found.non_blocking, &found.repeatedly_observable] {
        word.push(if *decision == Decision::Holds { '+' } else { '-' });
    }
    for zeno in [&found.zeno, &found.zeno_alone] {
        word.push(if *zeno == Endless::None { '+' } else { '-' });
    }
    for (_, decision) in &found.restarts {
        word.push(if *decision == Decision::Holds { '+' } else { '-' });
    }
    word
}

fn constraint() -> impl Strategy<Value = String> {
    let op = prop_oneof![Just("<"), Just("<="), Just("=="), Just(">="), Just(">")];
    let clock = prop_oneof![Just("x"), Just("y")];
    (clock, op, 0..4i64).prop_map(|(clock, op, constant)| format!("{clock} {op} {constant}"))
}

fn edge(prefix: &'static str) -> impl Strategy<Value = String> {
    let guard = prop::collection::vec(constraint(), 0..3);
    let label = prop::sample::select(vec!["", "in? ", "restart? ", "out! ", "out! ", "hidden "]);
    let update = prop::sample::subsequence(vec!["x = 0", "y = 0", "y = 1"], 0..3);
    (0..3usize, 0..3usize, guard, label, update).prop_map(
        move |(from, to, guard, label, update)| {
            let mut text = format!("{prefix}{from} -> {prefix}{to} : {label}");
            if !guard.is_empty() {
                text += &format!("when {} ", guard.join(" && "));
            }
            if !update.is_empty() {
                text += &format!("do {}", update.join(", "));
            }
            if text.ends_with(": ") {
                text += "when true";
            }
            text + ";"
        },
    )
}

fn automaton(name: &'static str, prefix: &'static str) -> impl Strategy<Value = String> {
    let invariant = prop_oneof![
        3 => Just(String::new()),
        2 => (1..4i64).prop_map(|c| format!(" invariant x <= {c}")),
        1 => (1..4i64).prop_map(|c| format!(" invariant y < {c}")),
    ];
    let kind = prop_oneof![6 => Just(""), 1 => Just("urgent "), 1 => Just("committed ")];
    let location = (kind, invariant);
    (prop::collection::vec(location, 3), prop::collection::vec(edge(prefix), 2..7)).prop_map(
        move |(locations, edges)| {
            let mut text = format!("automaton {name} {{\n");
            for (number, (kind, invariant)) in locations.iter().enumerate() {
                let init = if number == 0 { "init " } else { "" };
                text += &format!("  {init}{kind}location {prefix}{number}{invariant};\n");
            }
            format!("{text}  {}\n}}\n", edges.join("\n  "))
        },
    )
}

const HEAD: &str = "input in, restart;\noutput out;\ninternal hidden;\nclock x, y;\n";
const PURPOSE: &str = "purpose Watch {
  init location W;
  accept location Done;
  otherwise self;
  restart restart?;
}\n";

fn one() -> impl Strategy<Value = String> {
    automaton("P", "P").prop_map(|p| format!("{HEAD}{p}{PURPOSE}"))
}

fn two() -> impl Strategy<Value = String> {
    (automaton("P", "P"), automaton("Q", "Q")).prop_map(|(p, q)| format!("{HEAD}{p}{q}{PURPOSE}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn zones_and_regions_agree_on_one_process(text in one()) {
        check(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(25))]

    #[test]
    fn zones_and_regions_agree_on_two_processes(text in two()) {
        check(&text);
    }
}
