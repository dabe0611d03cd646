//! Runs explained: what was expected before each step, and a finding exactly where a run failed.

use crate::small_cases::case;
use crate::support::{Lagging, run, synthesized};
use tioga_adapters::{Fault, FaultKind, ModelSystem, Policy, SchedulingDelay};
use tioga_base::{Moment, Rational};
use tioga_estimate::Latencies;
use tioga_execute::{CaseTester, EstimatingTester, Event, Explanation, Outcome, RunRecord};
use tioga_observe::{ActionWindow, Deviation, Finding, Limit};
use tioga_testcase::{Action, Shape};
use tioga_testkit::{example, model};

fn action(channel: &str) -> Action {
    Action { channel: channel.to_owned(), values: Vec::new() }
}

fn at(text: &str) -> Moment {
    text.parse::<Moment>().unwrap()
}

fn sent(time: &str, channel: &str) -> Event {
    Event::Sent { at: at(time), action: action(channel) }
}

fn heard(time: &str, channel: &str) -> Event {
    Event::Heard { at: at(time), action: action(channel) }
}

fn limit(time: i64) -> Limit {
    Limit { at: Rational::integer(time), excluded: false }
}

/// The explanation of a run of the case that sends `go` and wants `done` within 3.
fn explained(latencies: &Latencies, events: Vec<Event>) -> Explanation {
    let record = RunRecord { run: 0, events };
    Explanation::of_run(&case("c", 3), latencies, None, &record, usize::MAX).unwrap()
}

fn exactly(events: Vec<Event>) -> Explanation {
    explained(&Latencies::default(), events)
}

#[test]
fn each_step_says_what_was_expected_before_it() {
    let explanation = exactly(vec![sent("1", "go"), heard("2", "done")]);
    assert_eq!(explanation.conclusion.finding, None);
    let [first, second] = &explanation.steps[..] else { panic!("{explanation:?}") };
    let before = first.before.as_ref().unwrap();
    assert!(before.expected.is_empty() && before.deadline.is_none());
    let window = ActionWindow { action: action("go"), from: limit(0), until: None };
    assert_eq!(before.inputs, [window]);
    assert_eq!(before.states[0].state, "Idle");
    let before = second.before.as_ref().unwrap();
    assert_eq!(before.states[0].state, "Busy");
    let window = ActionWindow { action: action("done"), from: limit(1), until: Some(limit(4)) };
    assert_eq!(before.expected, [window]);
    assert_eq!(before.deadline, Some(limit(4)));
    assert!(before.inputs.is_empty());
}

#[test]
fn an_output_that_is_late_early_or_strange_is_told_apart() {
    let deviation = |events| match exactly(events).conclusion.finding {
        Some(Finding::Output { deviation, .. }) => deviation,
        other => panic!("{other:?}"),
    };
    let late = deviation(vec![sent("1", "go"), heard("6..7", "done")]);
    assert_eq!(late, Deviation::TooLate { by: at("2..3") });
    assert_eq!(deviation(vec![sent("1", "go"), heard("2", "other")]), Deviation::Never);
    assert_eq!(deviation(vec![heard("2", "done")]), Deviation::Never);
}

#[test]
fn silence_says_what_was_due_by_when() {
    let quiet = Event::Quiet { now: at("5") };
    let finding = exactly(vec![sent("1", "go"), quiet]).conclusion.finding.unwrap();
    let expected =
        vec![ActionWindow { action: action("done"), from: limit(1), until: Some(limit(4)) }];
    let deadline = Some(limit(4));
    assert_eq!(finding, Finding::Silence { until: at("5"), expected, deadline });
}

#[test]
fn nothing_is_expected_any_more_after_a_finding() {
    let events = vec![sent("1", "go"), heard("6", "done"), heard("7", "done")];
    let explanation = exactly(events);
    assert!(explanation.steps[1].before.is_some());
    assert!(explanation.steps[2].before.is_none());
    let Some(Finding::Output { at: when, .. }) = explanation.conclusion.finding else { panic!() };
    assert_eq!(when, at("6"));
}

#[test]
fn what_the_lateness_of_the_machine_explains_is_not_the_finding() {
    let end = |longest_delay: i64| Event::End {
        outcome: Outcome::Fail,
        reason: "there is one too many".to_owned(),
        at: at("7"),
        longest_delay: Rational::integer(longest_delay),
        ignored: None,
        stopped: None,
        delays: Vec::new(),
    };
    // The test goes on after the first answer.
    let case = synthesized(&model(TWICE), Shape::Strategy);
    // The input and the output may both have been late by as much.
    for (late, found) in [(0, "6"), (1, "7")] {
        let events = vec![sent("1", "go"), heard("6", "done"), heard("7", "done"), end(late)];
        let record = RunRecord { run: 0, events };
        let none = Latencies::default();
        let explained = Explanation::of_run(&case, &none, None, &record, usize::MAX).unwrap();
        let finding = explained.conclusion.finding;
        let Some(Finding::Output { at: when, .. }) = finding else { panic!("{finding:?}") };
        assert_eq!(when, at(found), "late by {late}");
    }
}

/// Two questions, each to be answered within 3.
const TWICE: &str = "\
input go, again;
output done, ok;
automaton Twice {
  clock x;
  init location Idle;
  location Asked invariant x <= 3;
  location Between;
  location Asked2 invariant x <= 3;
  location Over;
  Idle -> Asked : go? do x = 0;
  Asked -> Between : done!;
  Between -> Asked2 : again? do x = 0;
  Asked2 -> Over : ok!;
}
query control: A<> Twice.Over;
";

#[test]
fn lateness_explains_only_what_it_was_in_the_way_of() {
    let case = synthesized(&model(TWICE), Shape::Strategy);
    let answered = |last: &str, delays: &[SchedulingDelay]| {
        let end = Event::End {
            outcome: Outcome::Fail,
            reason: "as recorded".to_owned(),
            at: at(last),
            longest_delay: Rational::integer(2),
            ignored: None,
            stopped: None,
            delays: delays.to_vec(),
        };
        // The first answer is late by 2.
        let events =
            vec![sent("0", "go"), heard("5", "done"), sent("5", "again"), heard(last, "ok"), end];
        let record = RunRecord { run: 0, events };
        Explanation::of_run(&case, &Latencies::default(), None, &record, usize::MAX)
            .unwrap()
            .conclusion
    };
    let [from, until, length] = [3, 5, 2].map(Rational::integer);
    let delays = [SchedulingDelay { from, until, length }];
    // Who was late once may be as late again, but no more than that. How much too late that is counts
    // from when the answer was due.
    assert_eq!(answered("10", &delays).finding, None);
    let Some(Finding::Output { at: when, deviation, .. }) = answered("11", &delays).finding else {
        panic!("there is a finding");
    };
    assert_eq!((when, deviation), (at("11"), Deviation::TooLate { by: at("3") }));
    // If it is not known when the machine was late, each message may have been.
    assert_eq!(answered("11", &[]).finding, None);
    // A machine that was late at another time does not count.
    let later =
        SchedulingDelay { from: Rational::integer(6), until: Rational::integer(7), ..delays[0] };
    assert_eq!(answered("11", &[later]).finding, None);
}

#[test]
fn a_run_on_a_late_machine_has_a_finding_exactly_if_it_failed() {
    let specification = example("smart-light");
    let wrong = example("problematic-light");
    let case = synthesized(&specification, Shape::Strategy);
    let way = at("0..1/2");
    let quarter = Rational::new(1, 4).unwrap();
    let latencies = Latencies { input: way, output: way, jitter: quarter };
    let pause =
        |from: i64, until: i64| (Rational::new(from, 4).unwrap(), Rational::new(until, 4).unwrap());
    let (mut failed, mut spoiled, mut sharper) = (0, 0, 0);
    for seed in 0..120 {
        let system = if seed % 4 == 0 { &specification } else { &wrong };
        let mut system = Lagging::new(system, (quarter, quarter, quarter));
        system.pauses = vec![pause(3, 12), pause(17, 31), pause(33, 43), pause(73, 89)];
        let mut tester = EstimatingTester::new(&case, &latencies, seed, None).unwrap();
        let (ending, events) = run(&mut system, &mut tester, seed);
        let concluded = |delays: Vec<SchedulingDelay>| {
            let (outcome, reason, at) = (ending.outcome, ending.reason.clone(), ending.at);
            let (longest_delay, ignored, stopped) = (ending.longest_delay, None, None);
            let end = Event::End { outcome, reason, at, longest_delay, ignored, stopped, delays };
            let events = events.iter().cloned().chain([end]).collect();
            Explanation::of_run(&case, &latencies, None, &RunRecord { run: seed, events }, 2)
                .unwrap()
                .conclusion
        };
        let concluded_exactly = concluded(ending.delays.clone());
        let finds = concluded_exactly.finding.is_some();
        assert_eq!(finds, ending.outcome == Outcome::Fail, "{ending:?} {concluded_exactly:?}");
        failed += u32::from(finds);
        spoiled += u32::from(ending.relies_on_delay);
        sharper += u32::from(finds != concluded(Vec::new()).finding.is_some());
    }
    assert!(failed > 5 && spoiled > 5 && sharper > 5, "{failed}, {spoiled}, {sharper}");
}

#[test]
fn a_fault_is_a_finding_with_its_evidence() {
    let fault = Fault::new(FaultKind::Crash, "exit status 3");
    let events = vec![
        Event::Sending { action: action("go") },
        Event::Fault { at: at("1"), fault: fault.clone() },
        Event::End {
            outcome: Outcome::Error,
            reason: "it crashed".to_owned(),
            at: at("1"),
            longest_delay: Rational::ZERO,
            ignored: None,
            stopped: None,
            delays: Vec::new(),
        },
    ];
    let explanation = exactly(events);
    assert_eq!(explanation.steps.len(), 2);
    let conclusion = explanation.conclusion;
    assert_eq!(conclusion.finding, Some(Finding::Fault { at: at("1"), fault }));
    assert_eq!(
        (conclusion.outcome, conclusion.reason.as_str()),
        (Some(Outcome::Error), "it crashed")
    );
}

#[test]
fn announced_inputs_and_long_silence_are_one_step_each_and_only_the_last_are_shown() {
    let events = vec![
        Event::Begin { case: "c".to_owned(), seed: 1 },
        Event::Quiet { now: at("1/2") },
        Event::Quiet { now: at("1") },
        Event::Sending { action: action("go") },
        sent("1", "go"),
        heard("2", "done"),
    ];
    assert_eq!(exactly(events.clone()).steps.len(), 3);
    let record = RunRecord { run: 0, events };
    let explanation =
        Explanation::of_run(&case("c", 3), &Latencies::default(), None, &record, 1).unwrap();
    assert_eq!((explanation.left_out, explanation.steps.len()), (2, 1));
    assert_eq!(explanation.steps[0].number, 3);
    // What is left out is followed all the same.
    assert_eq!(explanation.steps[0].before.as_ref().unwrap().states[0].state, "Busy");
    assert_eq!(explanation.conclusion.outcome, None);
}

#[test]
fn latencies_that_explain_the_run_are_narrowed_down() {
    let latencies = Latencies { input: at("0..1"), output: at("0..1"), jitter: Rational::ZERO };
    // 3 after an input that was sent at 1, and 1/2 more: the latencies together make up for it.
    let explanation = explained(&latencies, vec![sent("1", "go"), heard("5", "done")]);
    assert_eq!(explanation.conclusion.finding, None);
    let bounds = explanation.conclusion.latencies.unwrap();
    assert_eq!((bounds.input, bounds.output), (at("0..1"), at("0..1")));
    let explanation = explained(&latencies, vec![sent("1", "go"), heard("6", "done")]);
    let bounds = explanation.conclusion.latencies.unwrap();
    assert_eq!((bounds.input, bounds.output), (at("1"), at("1")));
    let explanation = explained(&latencies, vec![sent("1", "go"), heard("13/2", "done")]);
    let Some(Finding::Output { deviation, .. }) = explanation.conclusion.finding else { panic!() };
    assert_eq!(deviation, Deviation::TooLate { by: at("1/2") });
    assert_eq!(exactly(vec![sent("1", "go")]).conclusion.latencies, None);
}

#[test]
fn there_is_a_finding_exactly_if_a_run_failed() {
    let specification = example("smart-light");
    let wrong = example("problematic-light");
    let mut failed = 0;
    for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
        let case = synthesized(&specification, shape);
        for policy in [Policy::Random, Policy::Lazy, Policy::Eager, Policy::Hostile] {
            for seed in 0..20 {
                let system = if seed % 4 == 0 { &specification } else { &wrong };
                let mut system = ModelSystem::new(system, policy);
                let mut tester = CaseTester::new(&case, seed, None).unwrap();
                let (ending, events) = run(&mut system, &mut tester, seed);
                let record = RunRecord { run: seed, events };
                let none = Latencies::default();
                let explanation =
                    Explanation::of_run(&case, &none, Some(&specification), &record, usize::MAX)
                        .unwrap();
                let conclusion = explanation.conclusion;
                assert_eq!(conclusion.trouble, None);
                let finds = conclusion.finding.is_some();
                assert_eq!(finds, ending.outcome == Outcome::Fail, "{conclusion:?} {record:?}");
                // The test case is exact, so the model says the same.
                let model = conclusion.model.unwrap();
                assert_eq!(model.finding.is_some(), finds, "{record:?}");
                assert!(!model.states.is_empty());
                failed += u32::from(finds);
            }
        }
    }
    assert!(failed > 20, "{failed}");
}

#[test]
fn with_latencies_too() {
    let specification = example("smart-light");
    let wrong = example("problematic-light");
    let case = synthesized(&specification, Shape::Strategy);
    let quarter = Rational::new(1, 4).unwrap();
    let bounds = Moment::between(Rational::ZERO, quarter).unwrap();
    let latencies = Latencies { input: bounds, output: bounds, jitter: quarter };
    let mut failed = 0;
    for seed in 0..40 {
        let system = if seed % 4 == 0 { &specification } else { &wrong };
        let mut system = Lagging::new(system, (quarter, quarter, quarter));
        let mut tester = EstimatingTester::new(&case, &latencies, seed, None).unwrap();
        let (ending, events) = run(&mut system, &mut tester, seed);
        let record = RunRecord { run: seed, events };
        let explanation = Explanation::of_run(&case, &latencies, None, &record, 2).unwrap();
        let finds = explanation.conclusion.finding.is_some();
        assert_eq!(finds, ending.outcome == Outcome::Fail, "{:?}", explanation.conclusion);
        assert!(explanation.conclusion.latencies.is_some());
        failed += u32::from(finds);
    }
    assert!(failed > 5, "{failed}");
}

/// A door that may be opened from two to four time units after it was unlocked.
const DOOR: &str = "
input unlock, open;
output click;
automaton Door {
  clock x;
  init location Locked;
  location Unlocked, Open;
  Locked -> Unlocked : unlock? do x = 0;
  Unlocked -> Open : open? when x >= 2 && x <= 4;
}
";

#[test]
fn what_could_be_sent_has_its_window() {
    let model = model(DOOR);
    let record = RunRecord { run: 0, events: vec![sent("1", "unlock"), sent("4", "open")] };
    let explained = |latencies: &Latencies| {
        let explanation =
            Explanation::of_online_run(&model, latencies, &record, usize::MAX).unwrap();
        explanation.steps[1].before.clone().unwrap().inputs
    };
    let window = |from: &str, until: &str| {
        let limit = |text: &str| Limit { at: text.parse().unwrap(), excluded: false };
        vec![ActionWindow { action: action("open"), from: limit(from), until: Some(limit(until)) }]
    };
    assert_eq!(explained(&Latencies::default()), window("3", "5"));
    // Each of the two messages may take up to half a time unit longer than the other.
    let jitter = Rational::new(1, 2).unwrap();
    let latencies = Latencies { jitter, ..Latencies::default() };
    assert_eq!(explained(&latencies), window("5/2", "11/2"));
}
