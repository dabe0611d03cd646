//! Runs that explain observations are compared with the runs that were observed: random walks of the examples, with
//! their silent steps hidden, at exact moments and at moments known within bounds, with and without latencies.

use std::collections::BTreeMap;

use tioga_base::{Id, Moment, Rational};
use tioga_concrete::{Record, StepRecord, Trace, TraceEvent, WalkOptions, step_record, walk};
use tioga_estimate::{Latencies, RunFinder, Seen};
use tioga_model::Model;
use tioga_testcase::Action;
use tioga_testkit::{example, model};

/// What a tester sees of a walk, if moments are known within a slack.
fn observed(trace: &Trace, slack: Rational) -> (Vec<Seen>, Rational) {
    let (mut now, mut seen) = (Rational::ZERO, Vec::new());
    for record in &trace.records {
        let step = match record {
            Record::Delay(delay) => {
                now = now.add(*delay).unwrap();
                continue;
            }
            Record::Step(step) => step,
        };
        let at = || {
            Moment::between(now.sub(slack).unwrap().max(Rational::ZERO), now.add(slack).unwrap())
                .unwrap()
        };
        match &step.event {
            TraceEvent::Input(name, values) => {
                seen.push(Seen::Input(Action::new(name, values), at()))
            }
            TraceEvent::Output(name, values) => {
                seen.push(Seen::Output(Action::new(name, values), at()))
            }
            TraceEvent::Exchange(input, taken, output, given) => {
                seen.push(Seen::Input(Action::new(input, taken), at()));
                seen.push(Seen::Output(Action::new(output, given), at()));
            }
            TraceEvent::Internal(_) => {}
        }
    }
    (seen, now)
}

/// The names of edges with how often a walk takes them: the obvious count.
fn taken(steps: impl Iterator<Item = StepRecord>) -> BTreeMap<(String, u32), u64> {
    let mut counts = BTreeMap::new();
    for edge in steps.flat_map(|step| step.edges.unwrap()) {
        *counts.entry((edge.process, edge.edge)).or_default() += 1;
    }
    counts
}

fn steps_of(trace: &Trace) -> Vec<StepRecord> {
    let steps = trace.records.iter().filter_map(|record| match record {
        Record::Step(step) => Some(step.clone()),
        Record::Delay(_) => None,
    });
    steps.collect()
}

/// Compares walks of a model with what explains them; how many had one explanation only.
fn compare(model: &Model, slack: Rational, latencies: &Latencies, walks: u64) -> u64 {
    let finder = RunFinder::new(model).unwrap();
    let mut alone = 0;
    for seed in 0..walks {
        let options = WalkOptions { seed, steps: 14, ..WalkOptions::default() };
        let Ok(walked) = walk(model, &options) else { continue };
        let (mut seen, end) = observed(&walked.trace, slack);
        seen.push(Seen::Quiet(end));
        let run = match finder.find(latencies, &seen) {
            Ok(run) => run,
            Err(error) if error.is_limit() => continue,
            Err(error) => panic!("{}, seed {seed}: {error}\n{:?}", model.name, walked.trace),
        };
        assert_eq!(run.explained, seen.len(), "{}, seed {seed}\n{:?}", model.name, walked.trace);
        let found: Vec<StepRecord> =
            run.steps.iter().map(|one| step_record(model, &one.step)).collect();
        let real = steps_of(&walked.trace);
        let truth = taken(real.iter().cloned());
        let own = taken(found.iter().cloned());
        for ((process, edge), count) in &run.certain.edges {
            let key =
                (model.processes[*process].name.clone(), u32::try_from(edge.index()).unwrap());
            let real = truth.get(&key).copied().unwrap_or(0);
            assert!(*count <= real, "{}, seed {seed}: {key:?} {count} > {real}", model.name);
            assert!(*count <= own[&key], "{}, seed {seed}: {key:?}", model.name);
        }
        if run.alone {
            alone += 1;
            // Steps after the last moment that is seen for certain may be missing.
            let common = found.len().min(real.len());
            if latencies.is_none() && slack.is_zero() {
                assert_eq!(found[..common], real[..common], "{}, seed {seed}", model.name);
            }
            let sum: u64 = run.certain.edges.values().sum();
            assert_eq!(sum, own.values().sum::<u64>(), "{}, seed {seed}", model.name);
        }
        for pair in run.steps.windows(2) {
            assert!(pair[0].at <= pair[1].at);
        }
    }
    alone
}

const EXAMPLES: [&str; 6] =
    ["car-alarm", "smart-light", "problematic-light", "train-gate", "service-desk", "conveyor"];

#[test]
fn runs_of_examples_are_found_again() {
    let mut alone = 0;
    for name in EXAMPLES {
        alone += compare(&example(name), Rational::ZERO, &Latencies::NONE, 12);
    }
    assert!(alone > 20, "{alone}");
}

#[test]
fn inexact_moments_and_latencies_explain_at_least_the_run_that_was_made() {
    let slack = Rational::new(1, 1000).unwrap();
    let latencies = Latencies {
        input: Moment::between(Rational::ZERO, slack).unwrap(),
        output: Moment::between(Rational::ZERO, slack).unwrap(),
        jitter: slack,
    };
    for name in EXAMPLES {
        compare(&example(name), slack, &Latencies::NONE, 4);
        compare(&example(name), Rational::ZERO, &latencies, 4);
    }
}

/// Two silent ways to the same output: the edges on either are uncertain, the one both end with is certain.
const TWO_WAYS: &str = "model ways;
input go; output done;
automaton A {
  clock x;
  init location Start;
  location Left, Right, Both invariant x <= 5;
  location End;
  Start -> Left : go? do x = 0;
  Left -> Right : when x >= 1;
  Left -> Both : when x >= 2;
  Right -> Both : when x >= 2;
  Both -> End : done! when x >= 3;
}
";

#[test]
fn what_only_some_explanations_do_is_not_certain() {
    let model = model(TWO_WAYS);
    let at = |time| Moment::exactly(Rational::integer(time));
    let none: [Rational; 0] = [];
    let seen = [
        Seen::Input(Action::new("go", &none), at(1)),
        Seen::Output(Action::new("done", &none), at(4)),
        Seen::Output(Action::new("done", &none), at(5)),
    ];
    let run = RunFinder::new(&model).unwrap().find(&Latencies::NONE, &seen).unwrap();
    assert_eq!((run.explained, run.alone), (2, false));
    let edges: Vec<usize> = run.certain.edges.keys().map(|(_, edge)| edge.index()).collect();
    assert_eq!(edges, [0, 4]);
    let locations: Vec<usize> =
        run.certain.locations.keys().map(|(_, location)| location.index()).collect();
    assert_eq!(locations, [0, 1, 3, 4], "Right is entered by some explanations only");
    let times: Vec<String> = run.steps.iter().map(|step| step.at.to_string()).collect();
    assert_eq!(times.first().map(String::as_str), Some("1"));
    assert_eq!(times.last().map(String::as_str), Some("4"));
    // After the last output that is explained, the model stays where it is until the next.
    assert_eq!(run.end, Rational::integer(5));
}

/// A test may end with a step that leads to a committed location. The model leaves it at once, so that step is certain,
/// unless another explanation does something else.
#[test]
fn what_comes_at_once_after_the_last_observation_belongs_to_it() {
    let text = "input go; internal step;
        automaton A {
          init location S; committed location C; location E, F;
          S -> C : go?; C -> E : step; E -> F : step;
        }";
    let model = model(text);
    let finder = RunFinder::new(&model).unwrap();
    let seen = [Seen::Input(Action::new::<Rational>("go", &[]), Moment::START)];
    let run = finder.find(&Latencies::default(), &seen).unwrap();
    assert_eq!((run.explained, run.steps.len()), (1, 2));
    let names: Vec<&str> = run
        .certain
        .locations
        .keys()
        .map(|(process, at)| model.processes[*process].locations[*at].name.as_str())
        .collect();
    assert_eq!(names, ["S", "C", "E"]);
    let last = run.last.discrete.locations[0];
    assert_eq!(model.processes.iter().next().unwrap().locations[last].name, "E");
}
