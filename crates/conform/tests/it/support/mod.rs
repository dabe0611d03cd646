//! What the tests share: a check of violations on the reference semantics.

pub mod drawn;

use tioga_base::Budget;
use tioga_concrete::{Allowed, Observed as Seen, Observer, Semantics, after, label_of, observable};
use tioga_conform::{ObservedViolation, Relation, RelationAnswer, Violation, decide};
use tioga_explore::{Limits, SearchOptions};
use tioga_model::{Model, Step, StepLabel};

/// The answer, after a violation was confirmed.
pub fn ask(relation: Relation, implementation: &Model, specification: &Model) -> RelationAnswer {
    let limits = Limits { visited: Some(2000), ..Limits::default() };
    let options = SearchOptions { limits, ..SearchOptions::default() };
    let decided = decide(implementation, specification, relation, &options, &mut |_| ()).unwrap();
    if let RelationAnswer::Violated(violation) = &decided.answer {
        confirm(implementation, specification, violation);
        if relation == Relation::ConformsWhenServed
            && violation.observed == ObservedViolation::Delay
        {
            let options = allowed_at_last(specification, violation);
            assert!(!left_to_the_tester(&options), "an input would have ended the delay");
        }
    }
    decided.answer
}

/// Whether time ends where inputs are possible up to the end, and nothing else is: by the windows of
/// the reference semantics.
pub fn left_to_the_tester(options: &Allowed) -> bool {
    let Some(end) = options.delays.upper() else { return false };
    let up_to_the_end = |input: bool| {
        let takes = |label: StepLabel| {
            matches!(label, StepLabel::Input(_) | StepLabel::Exchange(..)) == input
        };
        let choices = options.choices.iter().filter(|choice| takes(choice.step.label));
        let mut windows = choices.flat_map(|choice| choice.windows.parts());
        windows.any(|window| window.upper() == Some(end))
    };
    up_to_the_end(true) && !up_to_the_end(false)
}

/// What the specification allows after its last step.
fn allowed_at_last(specification: &Model, violation: &Violation) -> Allowed {
    let mut semantics = Semantics::new(specification);
    let mut state = semantics.initial().unwrap();
    for one in violation.followed.as_ref().unwrap() {
        state = semantics.delay(&state, one.delay).unwrap().expect("the delay is allowed");
        let step = one.step.as_ref().expect("it has moves only");
        state = semantics.step(&state, step).unwrap();
    }
    semantics.options(&state).unwrap()
}

/// What an observer sees of a step of one model, in the names of another.
pub fn seen(model: &Model, step: &Step, other: &Model) -> Option<Seen> {
    observable(other, &label_of(model, step)).unwrap().map(Seen::Action)
}

/// Checks a violation on the reference semantics: the implementation has the run, the specification
/// follows it up to the last thing observed, and allows that not.
pub fn confirm(implementation: &Model, specification: &Model, violation: &Violation) {
    let mut semantics = Semantics::new(implementation);
    let mut state = semantics.initial().unwrap();
    let (mut own, mut trace) = (Vec::new(), Vec::new());
    for one in &violation.run {
        state = semantics.delay(&state, one.delay).unwrap().expect("the delay is allowed");
        own.push(Seen::Delay(one.delay));
        trace.push(Seen::Delay(one.delay));
        if let Some(step) = &one.step {
            let possible = semantics.options(&state).unwrap();
            assert!(possible.now().any(|other| other == step), "the step is possible");
            state = semantics.step(&state, step).unwrap();
            own.extend(seen(implementation, step, implementation));
            trace.extend(seen(implementation, step, specification));
        }
    }
    let follow = |trace: &[Seen]| after(Semantics::new(specification), trace, 0, budget()).unwrap();
    let own_follow = || after(Semantics::new(implementation), &own, 3, budget()).unwrap();
    match &violation.observed {
        ObservedViolation::Output(step) => {
            assert_eq!(violation.run.last().unwrap().step.as_ref(), Some(step));
            let (_, before) = trace.split_last().unwrap();
            assert!(!follow(before).is_empty(), "the specification follows");
            assert!(follow(&trace).is_empty(), "the specification allows the output");
        }
        ObservedViolation::Delay => {
            let steps: usize =
                violation.followed.iter().flatten().filter(|one| one.step.is_some()).count();
            assert_eq!(steps, trace.iter().filter(|one| matches!(one, Seen::Action(_))).count());
            let last = trace.iter().rposition(|one| matches!(one, Seen::Action(_)));
            let before = &trace[..last.map_or(0, |last| last + 1)];
            let mut observer = follow(before);
            assert!(!observer.is_empty(), "the specification follows");
            observer.observe(&Seen::Delay(violation.after)).unwrap();
            assert!(observer.is_empty(), "the specification allows the delay");
        }
        ObservedViolation::Refusal(step) => {
            let mut own = own_follow();
            let mut other = follow(&trace);
            let wanted = observable(implementation, &label_of(specification, step)).unwrap();
            let wanted = wanted.unwrap();
            let takes = |observer: &mut Observer<'_>| {
                observer.inputs().unwrap().iter().any(|input| {
                    input.input() == wanted.input() && input.arguments == wanted.arguments
                })
            };
            assert!(!takes(&mut own), "the implementation takes the input");
            let offered = other.options().unwrap();
            let mut offered = offered.iter().flat_map(|options| options.now());
            assert!(offered.any(|other| other == step), "the specification takes it");
        }
    }
}

pub fn budget() -> Budget {
    Budget::steps(1_000_000)
}

/// One word for an answer.
pub fn word(answer: &RelationAnswer) -> String {
    match answer {
        RelationAnswer::Holds => "holds".to_owned(),
        RelationAnswer::Violated(violation) => {
            let last = match violation.observed {
                ObservedViolation::Output(_) => "output",
                ObservedViolation::Delay => "delay",
                ObservedViolation::Refusal(_) => "refusal",
            };
            format!("{last} after {}", violation.after)
        }
        RelationAnswer::Unknown(reason) => format!("unknown: {reason}"),
    }
}
