//! The assumptions of test synthesis against the region graph, and on cases made by hand.

use proptest::prelude::*;
use tioga_explore::SearchOptions;
use tioga_model::{Composer, Model, StepLabel, Steps};
use tioga_parse::Format;
use tioga_symbolic::{AssumptionAnswer, Assumptions, Elapse, Endless, Lasso, Restart, TimedStep};
use tioga_testkit::model_in;
use tioga_zones::{Bound, Federation, Zone};

use crate::support::ticking::{Arrow, Regions};
use crate::support::{networks, run};

fn model(text: &str) -> Model {
    tioga_testkit::model(text)
}

fn assumptions(model: &Model) -> Assumptions {
    Assumptions::of(model, false, &SearchOptions::default(), &mut |_| {}).unwrap()
}

/// What is known after so many states.
fn partly(model: &Model, states: u64) -> Assumptions {
    let mut options = SearchOptions::default();
    options.limits.visited = Some(states);
    Assumptions::of(model, false, &options, &mut |_| {}).unwrap()
}

/// What is decided must be what the regions say; a run must end in a region that is not good.
fn agree(what: &str, model: &Model, regions: &Regions, good: &[bool], decision: &AssumptionAnswer) {
    match decision {
        AssumptionAnswer::Holds => assert!(good.iter().all(|good| *good), "{what} does not hold"),
        AssumptionAnswer::Fails(steps) => {
            let end = regions.number(run(model, steps));
            assert!(!good[end], "{what} holds where the run ends");
        }
        AssumptionAnswer::Unknown(_) => {}
    }
}

fn agree_on_zeno(model: &Model, regions: &Regions, alone: bool, decision: &Endless) {
    let counts = |arrow: Arrow| matches!(arrow, Arrow::Step(label) if !alone || !is_input(label));
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
            let labels: Vec<Arrow> = labels.map(Arrow::Step).collect();
            assert!(labels.iter().all(|label| counts(*label)));
            let many: Vec<Arrow> = (0..10).flat_map(|_| labels.clone()).collect();
            let start = regions.number(begin);
            assert!(regions.without_tick(start, &many), "the turn cannot be repeated");
        }
        Endless::Unknown(_) => {}
    }
}

fn is_input(label: StepLabel) -> bool {
    matches!(label, StepLabel::Input(_) | StepLabel::Exchange(..))
}

/// Compares all answers with the regions, those of an exploration in part too; says how they came out.
fn check(model: &Model) -> String {
    let Some(regions) = Regions::of(model) else { return String::new() };
    let found = assumptions(model);
    let word = word(&found);
    assert!(!word.contains('?'), "{found:?}");
    let partial = [1, 3, 7].map(|states| partly(model, states));
    for found in partial.iter().chain([&found]) {
        compare(model, &regions, found);
    }
    word
}

fn compare(model: &Model, regions: &Regions, found: &Assumptions) {
    let everywhere = vec![true; regions.arrows.len()];
    let own = |arrow| match arrow {
        Arrow::Step(label) => !is_input(label),
        Arrow::Time | Arrow::Tick => true,
        Arrow::Anew => false,
    };
    let good = regions.for_ever(own, |arrow| arrow == Arrow::Tick);
    agree("non-blocking", model, regions, &good, &found.non_blocking);
    let seen =
        |arrow| matches!(arrow, Arrow::Step(label) if !matches!(label, StepLabel::Internal(_)));
    let good = regions.reaching(|_| true, seen, &everywhere);
    agree("repeatedly observable", model, regions, &good, &found.repeatedly_observable);
    for Restart { action: label, possible: decision, .. } in &found.restarts {
        let good = regions.reaching(|_| true, |arrow| arrow == Arrow::Step(*label), &everywhere);
        agree("restart", model, regions, &good, decision);
    }
    agree_on_zeno(model, regions, true, &found.zeno_alone);
    agree_on_zeno(model, regions, false, &found.zeno);
}

/// `+`, `-` or `?` for: non-blocking, repeatedly observable, no Zeno runs, none without inputs, and
/// each restart action.
fn word(found: &Assumptions) -> String {
    let decided = |decision: &AssumptionAnswer| match decision {
        AssumptionAnswer::Holds => '+',
        AssumptionAnswer::Fails(_) => '-',
        AssumptionAnswer::Unknown(_) => '?',
    };
    let endless = |endless: &Endless| match endless {
        Endless::None => '+',
        Endless::Found(_) => '-',
        Endless::Unknown(_) => '?',
    };
    let mut word = String::from_iter([
        decided(&found.non_blocking),
        decided(&found.repeatedly_observable),
        endless(&found.zeno),
        endless(&found.zeno_alone),
    ]);
    word.extend(found.restarts.iter().map(|restart| decided(&restart.possible)));
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
        check(&model(&text));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn zones_and_regions_agree_on_two_processes(text in two()) {
        check(&model(&text));
    }

    #[test]
    fn zones_and_regions_agree_on_networks(text in networks()) {
        check(&model_in(Format::Xta, &text));
    }
}

/// The answers for one automaton with these locations and edges, compared with the regions.
fn answers(body: &str) -> String {
    check(&model(&format!("{HEAD}automaton P {{ {body} }} {PURPOSE}")))
}

#[test]
fn time_that_waits_for_an_input_blocks() {
    let edges = "init location A invariant x <= 2; location B;";
    assert_eq!(
        answers(&format!("{edges} A -> B : in? do x = 0; B -> A : restart? do x = 0;")),
        "-+-++"
    );
    // An output does not need the tester.
    assert_eq!(
        answers(&format!("{edges} A -> B : out! do x = 0; B -> A : restart? do x = 0;")),
        "++-++"
    );
    // It helps only where it is possible: not before 3, when time has stopped.
    assert_eq!(
        answers(&format!(
            "{edges} A -> B : out! when x >= 3; A -> B : in? do x = 0; B -> A : restart? do x = 0;"
        )),
        "-+-++"
    );
}

#[test]
fn steps_without_end_do_not_let_time_pass() {
    // There is always a step, so this is no timelock; yet y never gets beyond 1.
    let body = "init location A invariant y <= 1; A -> A : out! do x = 0;";
    assert_eq!(answers(body), "-+---");
    // With a reset of y time diverges, and it may still not.
    let body = "init location A invariant y <= 1; A -> A : out! when x > 0 do x = 0, y = 0;";
    assert_eq!(answers(body), "++---");
    // Each turn takes at least one unit.
    let body = "init location A invariant y <= 1; A -> A : out! when y >= 1 do y = 0;";
    assert_eq!(answers(body), "++++-");
    // Two turns of half a unit each may not do.
    let body = "init location A; A -> A : out! when x == 1 && y < 1 do x = 0;";
    assert_eq!(answers(body), "+-++-");
}

#[test]
fn turns_whose_lengths_shrink_are_found() {
    // Without a region of its own no turn takes a fixed time, and none takes no time.
    let body = "init location A; location B;
      A -> B : out! when x > 0 do x = 0; B -> A : in? when y > 0 do y = 0;";
    assert_eq!(answers(body), "++-+-");
}

#[test]
fn a_turn_is_not_taken_for_one_that_only_looks_like_it() {
    // Back in A, x is no longer zero, though its integer part is still 0.
    let body = "init urgent location S; location A; location B; S -> A : hidden; A -> B : out! when x == 0;
      B -> A : hidden when x > 0 && x < 1; A -> A : out! when x > 0;";
    assert_eq!(answers(body), "+----");
}

#[test]
fn only_inputs_make_a_zeno_run() {
    let body = "init location A; A -> A : in?; A -> A : out! when x >= 2 do x = 0;";
    assert_eq!(answers(body), "++-+-");
}

#[test]
fn what_is_hidden_is_not_observed() {
    let body = "init location A; location B; A -> A : out!; A -> B : when x > 1; B -> B : hidden when x > 3 do x = 0;";
    assert_eq!(answers(body), "+----");
    // The way back is there, but not any more when it is needed.
    let body = "init location A; location B; A -> B : when x > 2; B -> A : out! when x < 2 do x = 0; A -> A : out! when x < 1;";
    assert_eq!(answers(body), "+----");
}

#[test]
fn a_restart_may_need_several_steps() {
    let body = "init location A; location B; location C;
      A -> B : out! when x > 1; B -> C : hidden when y > 2; C -> A : restart? do x = 0, y = 0;";
    assert_eq!(answers(body), "+++++");
    let body = "init location A; location B; location C;
      A -> B : out! when x > 1; B -> C : hidden when y < 2; C -> A : restart? do x = 0, y = 0;";
    assert_eq!(answers(body), "+-++-");
}

#[test]
fn inputs_of_the_environment_are_steps_of_the_model() {
    let text = |environment: &str| {
        format!(
            "input in; output out;
             automaton S {{ clock x; init location A invariant x <= 2; A -> A : in? do x = 0; A -> A : out!; }}
             {environment}"
        )
    };
    // Nobody but the tester sends `in`; `out` changes nothing.
    assert_eq!(word(&assumptions(&model(&text("")))), "-+--");
    let user = "automaton User {
      clock y; init location U invariant y <= 1; U -> U : in! when y >= 1 do y = 0; U -> U : out?;
    } system S environment User;";
    assert_eq!(word(&assumptions(&model(&text(user)))), "++--");
}

#[test]
fn a_place_with_one_clock_more_lets_time_pass_as_before() {
    let text = "clock x; urgent broadcast chan u; process P() { state A { x <= 5 }; init A;
      trans A -> A { guard x >= 2; sync u!; }; } system P;";
    let model = model_in(Format::Xta, text);
    let mut composer = Composer::new(&model);
    let (state, mut steps) = (composer.initial(), Steps::new());
    composer.steps(&state, &mut steps);
    let place = Elapse::of(&mut composer, &state, &steps).unwrap();
    assert!(!place.urgent().is_empty());
    let lifted = |set: &Federation| {
        let mut larger = Zone::universal(3);
        let zones = set.zones().iter().map(|zone| {
            zone.pack_clocks(&[1]).unpack_clocks_into(&[1], &mut larger);
            larger.clone()
        });
        Federation::from_zones(3, zones)
    };
    for least in 0..5 {
        let mut goal = Federation::universal(2);
        goal.constrain(0, 1, Bound::le(-least).unwrap());
        let expected = lifted(&place.past(&goal));
        assert!(place.with_clock().past(&lifted(&goal)).is_same_set(&expected), "{least}");
    }
}

#[test]
fn what_is_known_to_be_strongly_non_zeno_is_not_searched() {
    let looping = model("output out; automaton P { init location A; A -> A : out!; }");
    let found = Assumptions::of(&looping, true, &SearchOptions::default(), &mut |_| {}).unwrap();
    assert_eq!((found.zeno, found.zeno_alone), (Endless::None, Endless::None));
    assert_eq!(word(&assumptions(&looping)), "++--");
}

#[test]
fn a_unit_is_one_of_the_finest_constant() {
    // Each turn takes a quarter: less than one unit of time, and yet time passes.
    let body = "output out; automaton P { clock x; init location A invariant x <= 1/4;
      A -> A : out! when x >= 1/4 do x = 0; }";
    assert_eq!(word(&assumptions(&model(body))), "++++");
}

#[test]
fn an_exploration_in_part_refutes_but_does_not_confirm() {
    let body = "input in; output out; automaton P { int[0, 100] n; init location A; location Sink;
      A -> A : out! do n = n < 100 ? n + 1 : 0; A -> Sink : in?; }";
    let looping = model(body);
    assert_eq!(word(&partly(&looping, 10)), "?-??");
    assert_eq!(word(&assumptions(&looping)), "+---");
}
