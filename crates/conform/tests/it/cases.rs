//! Small cases decided by hand, and the examples.

use std::fs;

use crate::support::{ask, word};
use tioga_base::Diagnostics;
use tioga_conform::{Relation, RelationAnswer, decide, mismatches};
use tioga_explore::{Limits, SearchOptions};
use tioga_model::Model;
use tioga_testkit::{example, example_files, example_text, model};

/// A model with inputs a, c and outputs b, d, and one clock x.
fn small(body: &str) -> Model {
    model(&format!("model m; input a, c; output b, d; automaton P {{ clock x; {body} }}"))
}

fn conforms(implementation: &str, specification: &str) -> String {
    word(&ask(Relation::Conforms, &small(implementation), &small(specification)))
}

fn refines(implementation: &str, specification: &str) -> String {
    word(&ask(Relation::Refines, &small(implementation), &small(specification)))
}

/// After `a`, `b` while the guard holds, within an invariant.
fn answer(invariant: &str, guard: &str) -> String {
    format!(
        "init location l; location m {invariant}; location n;
         l -> m : a? do x = 0; m -> n : b! {guard};"
    )
}

#[test]
fn an_output_may_be_neither_too_early_nor_too_late() {
    let specification = answer("invariant x <= 3", "when x >= 1");
    assert_eq!(conforms(&specification, &specification), "holds");
    let inside = answer("invariant x < 3", "when x >= 2");
    assert_eq!(conforms(&inside, &specification), "holds");
    let early = answer("invariant x <= 3", "when x > 0");
    assert_eq!(conforms(&early, &specification), "output after 1/2");
    let late = answer("invariant x <= 4", "when x >= 1 && x <= 3");
    assert_eq!(conforms(&late, &specification), "delay after 7/2");
    assert_eq!(conforms(&specification, &late), "holds");
    let never = answer("", "when x >= 1");
    assert_eq!(conforms(&never, &specification), "delay after 7/2");
    let at_the_end = answer("invariant x <= 3", "when x >= 1 && x < 3");
    let open = answer("invariant x < 3", "when x >= 1");
    assert_eq!(conforms(&at_the_end, &specification), "holds");
    assert_eq!(conforms(&at_the_end, &open), "delay after 3");
}

#[test]
fn a_guard_that_closes_before_the_invariant_is_seen_at_its_end() {
    let specification = answer("invariant x <= 3", "when x >= 1 && x <= 2");
    let late = answer("invariant x <= 3", "when x >= 1");
    assert_eq!(conforms(&late, &specification), "output after 5/2");
}

#[test]
fn a_missing_output_is_allowed_and_a_wrong_one_is_not() {
    let both = "init location l; l -> self : b!; l -> self : d!;";
    let one = "init location l; l -> self : b!;";
    assert_eq!(conforms(one, both), "holds");
    assert_eq!(conforms(both, one), "output after 0");
}

#[test]
fn inputs_that_are_not_specified_are_free() {
    let strict = "init location l; location m; l -> m : a?;";
    let free = "init location l; location m, n; l -> m : a?; l -> n : c?; n -> self : b!;";
    assert_eq!(conforms(free, strict), "holds");
    assert_eq!(conforms(strict, free), "holds");
    assert_eq!(refines(free, strict), "holds");
    assert_eq!(refines(strict, free), "refusal after 0");
}

#[test]
fn an_input_is_refused_only_when_it_is_specified() {
    let whenever = "init location l; l -> self : a?;";
    let until = "init location l; l -> self : a? when x <= 2;";
    assert_eq!(refines(until, whenever), "refusal after 5/2");
    assert_eq!(refines(whenever, until), "holds");
}

#[test]
fn a_longer_invariant_violates_and_a_shorter_one_does_not() {
    let within = |bound: &str| format!("init location l invariant x {bound};");
    assert_eq!(conforms(&within("<= 2"), &within("<= 3")), "holds");
    assert_eq!(conforms(&within("<= 3"), &within("<= 2")), "delay after 5/2");
    assert_eq!(conforms(&within("<= 2"), &within("< 2")), "delay after 2");
    assert_eq!(conforms(&within("< 2"), &within("<= 2")), "holds");
}

#[test]
fn an_urgent_location_allows_no_delay() {
    let urgent = "urgent init location l; location m; l -> m : b!;";
    let free = "init location l; location m; l -> m : b!;";
    assert_eq!(conforms(urgent, free), "holds");
    assert_eq!(conforms(free, urgent), "delay after 1/2");
}

#[test]
fn internal_steps_of_the_implementation_are_its_own() {
    let hidden = "init location l invariant x <= 1; location m invariant x <= 2; location n;
                  l -> m : ; m -> n : b! when x >= 1;";
    let specification = "init location l invariant x <= 2; location n; l -> n : b! when x >= 1;";
    assert_eq!(conforms(hidden, specification), "holds");
    let tight = "init location l invariant x <= 1; location n; l -> n : b! when x >= 1;";
    assert_eq!(conforms(hidden, tight), "delay after 3/2");
    let answer = conforms(specification, hidden);
    assert_eq!(answer, "unknown: the specification has internal steps, such as `P: l -> m`");
}

#[test]
fn a_specification_that_is_not_deterministic_gives_no_answer() {
    let open = "init location l; location m, n; l -> m : a?; l -> n : a?; m -> self : b!;";
    let answer = conforms(open, open);
    assert!(answer.starts_with("unknown: the specification is not deterministic"), "{answer}");
    // Where the guards exclude each other there is no choice.
    let closed = "init location l; location m, n; l -> m : a? when x < 1; l -> n : a? when x >= 1;
                  m -> self : b!;";
    assert_eq!(conforms(closed, closed), "holds");
    assert_eq!(refines(closed, closed), "holds");
    // A nondeterministic implementation is fine.
    let more = "init location l; location m, n; l -> m : a?; l -> n : a?;";
    assert_eq!(conforms(more, closed), "holds");
}

#[test]
fn a_refusal_after_an_ambiguous_trace_gives_no_answer() {
    let either = "init location l; location m, n; l -> m : a?; l -> n : a?; m -> self : c?;";
    let both = "init location l; location m; l -> m : a?; m -> self : c?;";
    let answer = refines(either, both);
    assert!(answer.starts_with("unknown: an input is refused after a trace"), "{answer}");
    // Another refusal may be clear all the same.
    let (worse, better) =
        (format!("{either} location q; l -> q : c?;"), format!("{both} location q; l -> q : c?;"));
    assert!(refines(&worse, &better).starts_with("unknown"));
    assert_eq!(refines(&worse, &format!("{better} q -> self : a?;")), "refusal after 0");
}

#[test]
fn finer_constants_of_one_model_do_not_disturb() {
    let within = |bound: &str| format!("init location l invariant x <= {bound};");
    assert_eq!(conforms(&within("5/2"), &within("8/3")), "holds");
    assert_eq!(conforms(&within("8/3"), &within("5/2")), "delay after 31/12");
}

#[test]
fn constants_whose_sums_are_not_exact_give_no_answer() {
    let large = "init location l invariant x <= 134217727;";
    let answer = conforms(large, large);
    assert_eq!(answer, "unknown: the clock constant 134217727 is too large");
}

#[test]
fn values_are_part_of_what_is_observed() {
    let sends = |value: &str| {
        model(&format!(
            "model m; output b(int[0,3]); automaton P {{ init location l; l -> self : b({value})!; }}"
        ))
    };
    assert_eq!(word(&ask(Relation::Conforms, &sends("1"), &sends("1"))), "holds");
    assert_eq!(word(&ask(Relation::Conforms, &sends("1"), &sends("2"))), "output after 0");
}

#[test]
fn mealy_steps_are_compared_answer_by_answer() {
    let text = |reply: &str| format!("init location l; l -> self : a?/{reply}!;");
    assert_eq!(conforms(&text("b"), &text("b")), "holds");
    assert_eq!(conforms(&text("b"), &text("d")), "output after 0");
    assert_eq!(conforms(&text("b"), "init location l;"), "holds");
    let apart = "init location l; urgent location m; l -> m : a?; m -> l : b!;";
    assert!(conforms(apart, &text("b")).starts_with("unknown: one model answers"));
}

#[test]
fn different_alphabets_are_complained_about() {
    let one = model("model m; input a; output b(int[0,3]), d; automaton P { init location l; }");
    let other = model("model m; input b, a; output e; automaton P { init location l; }");
    let messages: Vec<String> =
        mismatches(&one, &other).iter().map(|diagnostic| diagnostic.message.clone()).collect();
    assert_eq!(
        messages,
        [
            "`b` is an output of the implementation and an input of the specification",
            "the specification has no output `d`",
            "the implementation has no output `e`",
        ]
    );
    let third = model("model m; input a; output b(bool), d; automaton P { init location l; }");
    let messages: Vec<String> =
        mismatches(&one, &third).iter().map(|diagnostic| diagnostic.message.clone()).collect();
    assert_eq!(
        messages,
        ["`b` carries (int[0,3]) in the implementation and (bool) in the specification"]
    );
    let decided = decide(&one, &third, Relation::Conforms, &SearchOptions::default(), &mut |_| ());
    assert!(decided.is_err());
}

#[test]
fn different_environments_and_missing_interfaces_are_refused() {
    let messages = |text: &str| -> Vec<String> {
        let all = mismatches(&model(text), &small("init location l;"));
        all.iter().map(|diagnostic| diagnostic.message.clone()).collect()
    };
    let closed =
        "model m; input a, c; output b, d; automaton P { init location l; l -> self : a?; }
        automaton E { init location l; l -> self : a!; } system P environment E;";
    assert!(messages(closed).is_empty(), "the environment only restricts what is asked");
    let (closed, open) = (model(closed), small("init location l;"));
    let first = |diagnostics: Diagnostics| diagnostics.iter().next().unwrap().message.clone();
    let reason = "the process `E` belongs to the environment of the specification only";
    assert_eq!(first(mismatches(&open, &closed)), reason);
    let refines = decide(&closed, &open, Relation::Refines, &SearchOptions::default(), &mut |_| ());
    let reason = "the implementation has an environment, and the specification has none";
    assert_eq!(first(refines.unwrap_err()), reason);
    let alone = "model m; automaton P { init location l; }";
    assert_eq!(messages(alone), ["the implementation has no inputs and no outputs"]);
    let array = "model m; input a[3], c; output b, d; automaton P { init location l; }";
    assert_eq!(
        messages(array),
        ["the specification has no input `a[0]`", "the implementation has no input `a`"]
    );
}

/// What becomes of every example compared with itself: models that are closed or have no interface
/// are refused, and where the choice of a step is hidden there is no answer.
#[test]
fn deterministic_examples_conform_to_themselves() {
    let mut others = Vec::new();
    for path in example_files() {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let model = model(&fs::read_to_string(path).unwrap());
        if mismatches(&model, &model).has_errors() {
            others.push(format!("{name}: refused"));
            continue;
        }
        let conforms = ask(Relation::Conforms, &model, &model);
        assert_eq!(ask(Relation::Refines, &model, &model), conforms);
        if conforms != RelationAnswer::Holds {
            others.push(format!("{name}: {}", word(&conforms)));
        }
    }
    assert_eq!(
        others,
        [
            "bjsk: unknown: the specification has internal steps, such as `A: l0 -> l1`",
            "car-alarm: unknown: the specification has internal steps, such as `Guard: Raise -> AlarmOpen, Lights: Silent -> Starting, Siren: Silent -> Starting`",
            "concur05: refused",
            "conveyor: unknown: the specification has internal steps, such as `Belt: Start -> Sort`",
            "fig1: unknown: the values of the input `phi` are too many to be enumerated",
            "fig5: unknown: the values of the input `phi` are too many to be enumerated",
            // Its variables have no bounds.
            "leader-election: unknown: the specification has internal steps, such as `Buffer: Carrying -> Carrying`",
            "multimedia: unknown: the limit of 2000 visited states was reached",
            "session: unknown: the values of the input `login` are too many to be enumerated",
            "abs: unknown: the values of the input `In` are too many to be enumerated",
            "atm: unknown: the values of the input `Withdraw` are too many to be enumerated",
            "beverage: unknown: a clock is compared with a number that has no known range",
            "burglar: unknown: the values of the input `Verify` are too many to be enumerated",
            "dummy: unknown: a clock is compared with a number that has no known range",
            "platoon: unknown: the values of the input `Join` are too many to be enumerated",
            "wash: unknown: a clock is compared with a number that has no known range",
            "train-gate: unknown: the specification has internal steps, such as `Train(0): Near -> Crossing`",
        ]
    );
}

#[test]
fn the_smart_light_refines_the_problematic_one() {
    let smart = example("smart-light");
    let problematic = example("problematic-light");
    assert_eq!(ask(Relation::Refines, &smart, &problematic), RelationAnswer::Holds);
    let answer = word(&ask(Relation::Conforms, &problematic, &smart));
    assert!(answer.starts_with("output after"), "{answer}");
}

#[test]
fn mutants_of_the_smart_light_do_not_conform() {
    let text = example_text("smart-light");
    let smart = model(&text);
    for (from, to) in [
        ("invariant Tp <= 2;", "invariant Tp <= 3;"),
        ("invariant Tp <= 2;", ";"),
        ("L2, L5 -> Bright : bright!", "L2, L5 -> Bright : dim!"),
        ("Dim -> L2 : touch? when x < 4", "Dim -> L2 : touch? when x <= 4"),
        ("when x >= 20 do Tp = 0", "when x >= 19 do Tp = 0"),
        ("L3, L6 -> Off : off! do x = 0", "L3, L6 -> Off : off!"),
        ("L1, L4, L5 -> Dim", "L1, L3, L5 -> Dim"),
    ] {
        let mutant = text.replacen(from, to, 1);
        assert_ne!(mutant, text, "{from}");
        let answer = ask(Relation::Conforms, &model(&mutant), &smart);
        assert!(matches!(answer, RelationAnswer::Violated(_)), "{to}: {}", word(&answer));
    }
}

/// A door within an environment that knocks as this guard allows.
fn door(answer: &str, knock: &str) -> Model {
    model(&format!(
        "model m; input a; output b;
        automaton P {{ clock x; init location l; location m invariant x <= 3;
            l -> m : a? do x = 0; m -> l : b! when {answer}; }}
        automaton E {{ clock z; init location l; l -> self : a! when {knock} do z = 0;
            l -> self : b?; }}
        system P environment E;"
    ))
}

#[test]
fn an_environment_hides_what_it_never_asks_for() {
    let asked = |answer: &str, knock: &str| {
        word(&ask(Relation::Conforms, &door(answer, knock), &door("x >= 1", knock)))
    };
    assert_eq!(asked("x >= 2", "z >= 1"), "holds");
    assert_eq!(asked("x >= 0", "z >= 1"), "output after 0");
    // Nobody ever knocks.
    assert_eq!(asked("x >= 0", "z < 0"), "holds");
}

#[test]
fn environments_that_differ_are_told_apart() {
    let one = door("x >= 1", "z >= 1");
    let text = "model m; input a; output b; automaton P { init location l; l -> self : a?; }
        automaton E { init location l; l -> self : a!; } system P environment E;";
    let all = mismatches(&one, &model(text));
    let messages: Vec<&str> = all.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(messages, ["the process `E` of the environment differs between the models"]);
}

#[test]
fn one_limit_holds_for_all_searches_together() {
    let one = small("init location l; location m, n; l -> m : a?; m -> n : b!; n -> l : c?;");
    let decided = |relation, visited| {
        let limits = Limits { visited, ..Limits::default() };
        let options = SearchOptions { limits, ..SearchOptions::default() };
        decide(&one, &one, relation, &options, &mut |_| ()).unwrap()
    };
    let (first, both) = (decided(Relation::Conforms, None), decided(Relation::Refines, None));
    assert_eq!((&first.answer, &both.answer), (&RelationAnswer::Holds, &RelationAnswer::Holds));
    let enough = first.statistics.visited;
    assert!(both.statistics.visited > enough);
    assert_eq!(decided(Relation::Conforms, Some(enough)).answer, RelationAnswer::Holds);
    let reason = format!("the limit of {enough} visited states was reached");
    assert_eq!(decided(Relation::Refines, Some(enough)).answer, RelationAnswer::Unknown(reason));
}
