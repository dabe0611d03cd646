//! Test cases run against systems that conform and systems that do not.
#![expect(clippy::unwrap_used, reason = "tests")]

use tioga_base::{Diagnostics, FileId, Rational, Span};
use tioga_concrete::{Event, Semantics, State, label_of};
use tioga_games::{Root, SolveOptions, solve};
use tioga_model::{Control, Formula, Model, Move};
use tioga_parse::{Format, Options, lower, parse};
use tioga_synthesize::{About, test_case};
use tioga_testcase::{
    Action, Concept, Follower, Intention, Scope, Shape, Side, Step, Terms, TestCase, Verdict,
};

fn model(text: &str) -> Model {
    let mut diagnostics = Diagnostics::new();
    let document = parse(Format::Tioga, FileId(0), text, &mut diagnostics).unwrap();
    lower(&document, &Options::default(), &mut diagnostics).unwrap().validate().unwrap()
}

fn example(name: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    std::fs::read_to_string(root.join(name).join(format!("{name}.tioga"))).unwrap()
}

fn synthesized(model: &Model, shape: Shape) -> TestCase {
    let objective = model.queries.iter().find_map(|query| match &query.formula {
        Formula::Control(objective) | Formula::Cooperative(objective) => Some(objective.clone()),
        _ => None,
    });
    let terms =
        Terms { objective: objective.unwrap(), concept: Concept::Fair, scope: Scope::Cooperative };
    let roots = [Root::initial(model)];
    let options = SolveOptions::default();
    let solution = solve(model, terms, Span::default(), &roots, &options, &mut |_| {}).unwrap();
    let about = About { name: "case".to_owned(), patience: 50, ..About::default() };
    test_case(&solution, shape, about).unwrap()
}

fn action(model: &Model, step: &Move) -> Action {
    match label_of(model, step) {
        Event::Input(channel, values) | Event::Output(channel, values) => {
            let values = values.iter().map(ToString::to_string).collect();
            Action { channel, values }
        }
        other => panic!("{other:?}"),
    }
}

/// One run of a test case against a system that behaves as a model says, by chance.
fn run(case: &TestCase, system: &Model, seed: u64) -> (Option<Verdict>, String) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut semantics = Semantics::new(system);
    let mut state: State = semantics.initial().unwrap();
    let mut tester = Follower::new(case);
    for _ in 0..200 {
        if let Some((verdict, reason)) = tester.verdict().unwrap() {
            return (Some(verdict), reason.to_owned());
        }
        let (mut send, until) = match tester.intention().unwrap() {
            Intention::Send(action) => (Some(action), Some(Rational::ZERO)),
            Intention::Wait { until, .. } => (None, until),
            Intention::Open(choices) => (random.choice(choices), None),
        };
        // What the system may do before the tester does what it wants.
        let options = semantics.options(&state).unwrap();
        let outputs = options.choices.iter().filter(|c| c.step.control == Control::Uncontrollable);
        let mut plans: Vec<(Rational, Option<Move>)> = Vec::new();
        for choice in outputs {
            for part in choice.windows.parts() {
                let (lower, open) = part.lower();
                let upper = part.upper().map_or(lower.add(Rational::integer(3)).unwrap(), |u| u.0);
                let middle = lower.add(upper).unwrap().div(Rational::integer(2)).unwrap();
                for delay in
                    [(!open).then_some(lower), Some(middle), Some(upper)].into_iter().flatten()
                {
                    let fits = until.is_none_or(|until| delay <= until);
                    if fits && (send.is_none() || delay.is_zero()) && part.contains(delay) {
                        plans.push((delay, Some(choice.step.clone())));
                    }
                }
            }
        }
        let end = options.delays.upper().map(|(end, _)| end);
        match (send.is_some(), until) {
            (true, _) => plans.push((Rational::ZERO, None)),
            (false, Some(until)) if end.is_none_or(|end| until <= end) => {
                plans.push((until, None));
            }
            _ if plans.is_empty() => plans.push((end.unwrap_or(Rational::integer(100)), None)),
            _ => {}
        }
        let (delay, output) = random.choice(plans).unwrap();
        match tester.delay(delay).unwrap() {
            Step::Going => {}
            Step::Over { verdict, reason, .. } => return (Some(verdict), reason),
        }
        state = state.later(delay).unwrap();
        let (side, seen) = match &output {
            Some(step) => {
                let seen = action(system, step);
                state = semantics.step(&state, step).unwrap();
                (Side::System, seen)
            }
            None => match send.take() {
                Some(seen) => {
                    let options = semantics.options(&state).unwrap();
                    let step = options.now().find(|step| {
                        step.control == Control::Controllable && action(system, step) == seen
                    });
                    state = semantics.step(&state, &step.unwrap().clone()).unwrap();
                    (Side::Tester, seen)
                }
                None => continue,
            },
        };
        match tester.act(side, &seen).unwrap() {
            Step::Going => {}
            Step::Over { verdict, reason, .. } => return (Some(verdict), reason),
        }
    }
    (None, String::new())
}

fn verdicts(case: &TestCase, system: &Model, runs: u64) -> Vec<(Option<Verdict>, String)> {
    (0..runs).map(|seed| run(case, system, seed)).collect()
}

#[test]
fn a_system_as_specified_never_fails() {
    for name in ["smart-light", "problematic-light", "conveyor-game", "complex"] {
        let model = model(&example(name));
        for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
            let case = synthesized(&model, shape);
            let verdicts = verdicts(&case, &model, 200);
            let failed = verdicts.iter().find(|(verdict, _)| *verdict == Some(Verdict::Fail));
            assert_eq!(failed, None, "{name}, {shape:?}");
            let passed = verdicts.iter().any(|(verdict, _)| *verdict == Some(Verdict::Pass));
            // In `complex` the system must wait for longer than this one is patient.
            let lucky = shape == Shape::Automaton || name == "complex";
            assert!(passed || lucky, "{name}, {shape:?}");
        }
    }
}

#[test]
fn what_can_be_enforced_always_passes() {
    let model = model(&example("smart-light"));
    for shape in [Shape::Strategy, Shape::Tree] {
        let case = synthesized(&model, shape);
        assert_eq!(case.summary.rank, [0, 0, 4]);
        for (verdict, reason) in verdicts(&case, &model, 300) {
            assert_eq!(verdict, Some(Verdict::Pass), "{shape:?}: {reason}");
        }
    }
}

#[test]
fn trees_end_inconclusively_for_two_reasons() {
    let model = model(&example("problematic-light"));
    let case = synthesized(&model, Shape::Tree);
    let reasons: Vec<&str> = case
        .places
        .iter()
        .flat_map(|place| &place.verdicts)
        .filter(|one| one.verdict == Verdict::Inconclusive)
        .map(|one| one.reason.as_str())
        .collect();
    assert!(reasons.contains(&"no answer came in its window"), "{reasons:?}");
    assert!(reasons.contains(&"the system answered otherwise than hoped for"), "{reasons:?}");
    let found = verdicts(&case, &model, 200);
    assert!(found.iter().any(|(verdict, _)| *verdict == Some(Verdict::Inconclusive)));
}

#[test]
fn trees_call_a_failure_what_the_specification_does() {
    let model = model(
        "model marked;
        input a;
        output u, v;
        automaton G {
          clock x;
          init location l0;
          location l1 invariant x <= 2;
          accept location good;
          fail location bad;
          l0 -> l1 : a? do x = 0;
          l1 -> good : u!;
          l1 -> bad : v!;
        }
        query control: A<> G.good;",
    );
    let case = synthesized(&model, Shape::Tree);
    let found = verdicts(&case, &model, 50);
    let (fail, pass) = (Some(Verdict::Fail), Some(Verdict::Pass));
    assert!(found.iter().all(|(verdict, _)| *verdict == fail || *verdict == pass), "{found:?}");
    assert!(found.iter().any(|(verdict, _)| *verdict == fail));
}

#[test]
fn trees_end_where_the_purpose_holds_for_some_clock_values_only() {
    let model = model(
        "model partial;
        input a;
        automaton G {
          clock x;
          init location l0;
          l0 -> self : a?;
        }
        query control: A<> G.x <= 1;",
    );
    assert_eq!(synthesized(&model, Shape::Tree).places.len(), 1);
}

#[test]
fn wrong_answers_fail_at_once() {
    let text = example("smart-light");
    let specification = model(&text);
    let wrong = |from: &str, to: &str| {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "the mutation must change something");
        model(&changed)
    };
    // Too late, and the wrong output.
    let late = wrong("invariant Tp <= 2", "invariant Tp <= 3");
    let mixed = wrong("L1, L4, L5 -> Dim : dim!", "L1, L4, L5 -> Dim : off!");
    for shape in [Shape::Strategy, Shape::Tree] {
        let case = synthesized(&specification, shape);
        for (name, system) in [("late", &late), ("mixed", &mixed)] {
            let verdicts = verdicts(&case, system, 200);
            let failed = verdicts.iter().any(|(verdict, _)| *verdict == Some(Verdict::Fail));
            assert!(failed, "{name}, {shape:?}");
        }
    }
}

#[test]
fn the_file_form_keeps_everything() {
    let model = model(&example("conveyor-game"));
    for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
        let case = synthesized(&model, shape);
        let text = serde_json::to_string(&case).unwrap();
        assert_eq!(serde_json::from_str::<TestCase>(&text).unwrap(), case);
    }
}
