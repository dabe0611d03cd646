//! Coverage of the model is what a plain replay of the concrete run counts: random walks of the examples are turned
//! into the runs that a tester would record of them, and counted both ways.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Diagnostics, FileId, Id, Moment, Rational};
use tioga_concrete::{Record, Semantics, State, TraceEvent, WalkOptions, step_record, walk};
use tioga_execute::{Event, Outcome, RunRecord, Settings};
use tioga_model::{ClockGuard, Composer, Model, Participant, Step};
use tioga_parse::syntax::Document;
use tioga_parse::{Format, Options, lower, parse};
use tioga_report::{ModelCoverage, Report, Specification};
use tioga_testcase::{Action, Suite, TestCase};
use tioga_testkit::example_text;

/// A model with its document.
fn read(text: &str) -> (Document, Model) {
    let mut diagnostics = Diagnostics::new();
    let document = parse(Format::Tioga, FileId(0), text, &mut diagnostics).unwrap();
    let network = lower(&document, &Options::default(), &mut diagnostics).unwrap();
    (document, network.validate().unwrap())
}

/// A campaign without test cases.
fn settings(model: &Model) -> Settings {
    let case = TestCase::without_purpose("online", &model.name, Vec::new(), Vec::new());
    let mut settings = crate::campaign::settings();
    settings.suite = Suite::new(vec![case]);
    settings.latencies = tioga_estimate::Latencies::NONE;
    settings.online =
        serde_json::from_value(serde_json::json!({ "actions": 20, "longest_wait": "5" })).unwrap();
    settings
}

/// What the tester writes down of a walk.
fn recorded(trace: &tioga_concrete::Trace, run: u64) -> RunRecord {
    let mut now = Rational::ZERO;
    let mut events = vec![Event::Begin { case: "online".to_owned(), seed: run }];
    for record in &trace.records {
        let at = Moment::exactly(now);
        match record {
            Record::Delay(delay) => now = now.add(*delay).unwrap(),
            Record::Step(step) => match &step.event {
                TraceEvent::Input(name, values) => {
                    events.push(Event::Sent { at, action: Action::new(name, values) });
                }
                TraceEvent::Output(name, values) => {
                    events.push(Event::Heard { at, action: Action::new(name, values) });
                }
                TraceEvent::Exchange(input, taken, output, given) => {
                    events.push(Event::Sent { at, action: Action::new(input, taken) });
                    events.push(Event::Heard { at, action: Action::new(output, given) });
                }
                TraceEvent::Internal(_) => {}
            },
        }
    }
    events.push(Event::Quiet { now: Moment::exactly(now) });
    events.push(Event::End {
        outcome: Outcome::Pass,
        reason: "done".to_owned(),
        at: Moment::exactly(now),
        longest_delay: Rational::ZERO,
        ignored: None,
        stopped: None,
        delays: Vec::new(),
    });
    RunRecord { run, events }
}

/// The plain count.
#[derive(Default, Debug, PartialEq)]
struct Plain {
    locations: BTreeMap<(String, String), u64>,
    /// How often each edge was taken, taken early and taken late, by process and place in the text.
    edges: BTreeMap<(String, String, String, String), [u64; 3]>,
    values: BTreeMap<String, BTreeSet<i64>>,
}

/// Whether all bounds of a guard hold if all clocks show so much more.
fn holds(state: &State, guard: &ClockGuard, scale: i64, later: Rational) -> bool {
    guard.disjuncts.iter().any(|conjunction| {
        conjunction.iter().all(|bound| {
            let value = |clock: Option<tioga_model::ClockId>| {
                clock
                    .map_or(Rational::ZERO, |clock| state.clocks[clock.index()].add(later).unwrap())
            };
            let difference = value(bound.left).sub(value(bound.right)).unwrap();
            let most = Rational::new(bound.bound, scale).unwrap();
            difference < most || (difference == most && !bound.strict)
        })
    })
}

/// The first and the last quarter of a window, by trying moments: those at which some bound is met, and those between.
/// Guards and invariants of the models here are conjunctions, so that windows are connected.
fn parts(model: &Model, state: &State, step: &Step, participant: &Participant) -> [bool; 2] {
    let mut composer = Composer::new(model);
    let process = &model.processes[participant.process];
    let source = &process.locations[process.edges[participant.edge].source];
    let guard = composer.guard_in(&state.discrete, step, participant).unwrap();
    let invariant = composer.condition(&state.discrete, &source.invariant, source.span).unwrap();
    // A window has no beginning by its invariant: the location may be entered at any time.
    let lower = |guard: &ClockGuard| ClockGuard {
        disjuncts: guard
            .disjuncts
            .iter()
            .map(|one| one.iter().copied().filter(|bound| bound.left.is_some()).collect())
            .collect(),
    };
    let open = |later: Rational| {
        holds(state, &guard, model.scale, later)
            && holds(state, &lower(&invariant), model.scale, later)
    };
    let mut moments: Vec<Rational> = Vec::new();
    for bound in guard.disjuncts.iter().chain(&lower(&invariant).disjuncts).flatten() {
        let clock = |clock: tioga_model::ClockId| state.clocks[clock.index()];
        let bounded = Rational::new(bound.bound, model.scale).unwrap();
        match (bound.left, bound.right) {
            (Some(left), None) => moments.push(bounded.sub(clock(left)).unwrap()),
            (None, Some(right)) => moments.push(bounded.neg().unwrap().sub(clock(right)).unwrap()),
            _ => {}
        }
    }
    moments.sort();
    moments.dedup();
    let half =
        |one: Rational, other: Rational| one.add(other).unwrap().div(Rational::integer(2)).unwrap();
    let zero = Rational::ZERO;
    // Between two neighbouring moments nothing changes, so one moment there stands for all.
    let before = |moment: Rational| {
        let previous = moments.iter().rev().find(|other| **other < moment);
        previous.map_or(moment.sub(Rational::ONE).unwrap(), |previous| half(*previous, moment))
    };
    let after = |moment: Rational| {
        let next = moments.iter().find(|other| **other > moment);
        next.map_or(moment.add(Rational::ONE).unwrap(), |next| half(moment, *next))
    };
    let begin = moments.iter().rev().find(|moment| **moment <= zero && !open(before(**moment)));
    let end = moments.iter().find(|moment| **moment >= zero && !open(after(**moment)));
    let quarter = match (begin, end) {
        (Some(begin), Some(end)) => end.sub(*begin).unwrap().div(Rational::integer(4)).unwrap(),
        _ => Rational::new(1, 4).unwrap(),
    };
    [
        begin.is_some_and(|begin| begin.neg().unwrap() <= quarter),
        end.is_some_and(|end| *end <= quarter),
    ]
}

fn count(model: &Model, trace: &tioga_concrete::Trace, plain: &mut Plain) {
    let mut semantics = Semantics::new(model);
    let mut state = semantics.initial().unwrap();
    let note = |state: &State, plain: &mut Plain| {
        for (slot, value) in model.slots.iter().zip(&state.discrete.data) {
            plain.values.entry(slot.name.clone()).or_default().insert(*value);
        }
    };
    for process in &model.processes {
        let initial = process.locations[process.initial].name.clone();
        *plain.locations.entry((process.name.clone(), initial)).or_default() += 1;
    }
    for record in &trace.records {
        let taken = match record {
            Record::Delay(delay) => {
                state = semantics.delay(&state, *delay).unwrap().unwrap();
                continue;
            }
            Record::Step(taken) => taken,
        };
        note(&state, plain);
        let shown = tioga_concrete::observable(model, &taken.event).unwrap();
        let options = semantics.options_for(&state, shown.as_ref()).unwrap();
        let same = |step: &&Step| step_record(model, step) == *taken;
        let step = options.now().find(same).unwrap().clone();
        for participant in &step.participants {
            let process = &model.processes[participant.process];
            let edge = &process.edges[participant.edge];
            let name = |location| process.locations[location].name.clone();
            let entered = (process.name.clone(), name(edge.target));
            *plain.locations.entry(entered).or_default() += 1;
            let [early, late] = parts(model, &state, &step, participant);
            let action = taken_action(model, edge);
            let key = (process.name.clone(), name(edge.source), name(edge.target), action);
            let counts = plain.edges.entry(key).or_default();
            counts[0] += 1;
            counts[1] += u64::from(early);
            counts[2] += u64::from(late);
        }
        state = semantics.step(&state, &step).unwrap();
    }
    note(&state, plain);
}

fn taken_action(model: &Model, edge: &tioga_model::Edge) -> String {
    match &edge.label {
        tioga_model::Label::Silent => String::new(),
        tioga_model::Label::Plain(action) => model.actions[*action].name.clone(),
        tioga_model::Label::Send(used) => format!("{}!", model.channels[used.channel].name),
        tioga_model::Label::Receive(used) => format!("{}?", model.channels[used.channel].name),
    }
}

/// What a report counted, in the form of the plain count.
fn counted(coverage: &ModelCoverage, values: &Plain) -> Plain {
    let mut plain = Plain::default();
    for one in coverage.locations.iter().filter(|one| one.entered > 0) {
        plain.locations.insert((one.process.clone(), one.location.clone()), one.entered);
    }
    for one in coverage.edges.iter().filter(|one| one.taken > 0) {
        let key = (one.process.clone(), one.source.clone(), one.target.clone(), one.action.clone());
        // Ends that a window does not have are not compared.
        let expected = values.edges.get(&key).copied().unwrap_or_default();
        let counts = plain.edges.entry(key).or_default();
        counts[0] += one.taken;
        counts[1] += one.early.unwrap_or(expected[1]);
        counts[2] += one.late.unwrap_or(expected[2]);
    }
    for one in coverage.data.iter().filter(|one| values.values.contains_key(&one.name)) {
        let seen = one.values.iter().map(|value| value.to_integer().unwrap()).collect();
        plain.values.insert(one.name.clone(), seen);
    }
    plain
}

/// Models in which what is seen says what happens: no two edges between the same locations have the same action.
#[test]
fn coverage_of_the_model_is_what_a_replay_of_the_run_counts() {
    let mut compared = 0;
    for name in ["car-alarm", "smart-light", "stairs-light", "session", "conveyor"] {
        let (document, model) = read(&example_text(name));
        let settings = settings(&model);
        for seed in 0..10 {
            let options = WalkOptions { seed, steps: 16, ..WalkOptions::default() };
            let Ok(walked) = walk(&model, &options) else { continue };
            let specification = Specification { document: &document, model: &model };
            let mut report = Report::new(&settings, Some(specification));
            report.add(&recorded(&walked.trace, seed));
            let coverage = report.coverage.of_model.as_ref().unwrap();
            assert_eq!(coverage.lost, 0, "{name}: {:?}", coverage.lost_because);
            let mut plain = Plain::default();
            count(&model, &walked.trace, &mut plain);
            // The moments of the silent steps of the conveyor are not known, nor whether the last one was made.
            if coverage.ambiguous > 0 || name == "conveyor" {
                for one in &coverage.edges {
                    let key = (
                        one.process.clone(),
                        one.source.clone(),
                        one.target.clone(),
                        one.action.clone(),
                    );
                    assert!(
                        one.taken <= plain.edges.get(&key).map_or(0, |counts| counts[0]),
                        "{name} {seed}"
                    );
                }
                continue;
            }
            compared += 1;
            assert_eq!(counted(coverage, &plain), plain, "{name}, seed {seed}");
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn a_run_in_real_time_covers_committed_locations_too() {
    let (document, model) = read(&example_text("car-alarm"));
    let mut settings = settings(&model);
    settings.latencies = serde_json::from_value(
        serde_json::json!({ "input": "0..1/100", "output": "0..1/100", "jitter": "1/100" }),
    )
    .unwrap();
    let at = |from: i64, to: i64| {
        Moment::between(Rational::new(from, 1000).unwrap(), Rational::new(to, 1000).unwrap())
            .unwrap()
    };
    let none: [Rational; 0] = [];
    let sent =
        |name: &str, from, to| Event::Sent { at: at(from, to), action: Action::new(name, &none) };
    let heard =
        |name: &str, from, to| Event::Heard { at: at(from, to), action: Action::new(name, &none) };
    let events = vec![
        Event::Begin { case: "online".to_owned(), seed: 1 },
        sent("close", 1000, 1001),
        sent("lock", 2003, 2004),
        heard("armed_on", 22_130, 22_131),
        sent("open", 23_200, 23_201),
        heard("armed_off", 23_300, 23_301),
        heard("flash_on", 23_400, 23_401),
    ];
    let specification = Specification { document: &document, model: &model };
    let mut report = Report::new(&settings, Some(specification));
    report.add(&RunRecord { run: 0, events });
    let coverage = report.coverage.of_model.as_ref().unwrap();
    assert_eq!(coverage.lost, 0, "{:?}", coverage.lost_because);
    let entered =
        |name: &str| coverage.locations.iter().find(|one| one.location == name).unwrap().entered;
    assert_eq!((entered("Raise"), entered("AlarmOpen"), entered("CalmOpen")), (1, 1, 0));
    let graphs = report.coverage.model(&settings.suite, specification).unwrap();
    let raise = graphs[0].nodes.iter().find(|node| node.lines[0] == "Raise").unwrap();
    assert_eq!(raise.visits, Some(1));
    let armed = graphs[0].edges.iter().find(|edge| edge.lines[0] == "armed_on!").unwrap();
    assert_eq!(armed.lines.last().unwrap(), "1\u{d7}, never late");
    assert!(coverage.text(3).starts_with("model: "), "{}", coverage.text(3));
}
