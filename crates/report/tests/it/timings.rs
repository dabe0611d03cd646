//! Timing diagrams: of a failing run of the car alarm as it was when last looked at, and of any run readable.

use std::path::Path;

use proptest::prelude::*;
use tioga_base::{Diagnostics, FileId, Moment, Rational};
use tioga_execute::{Event, Outcome, RunRecord, Settings};
use tioga_model::Model;
use tioga_parse::syntax::Document;
use tioga_parse::{Format, Options, lower, parse};
use tioga_report::{Specification, Timing, timing};
use tioga_testcase::{Action, Suite, TestCase};
use tioga_testkit::{example_text, picture_flaws};

fn read(text: &str) -> (Document, Model) {
    let mut diagnostics = Diagnostics::new();
    let document = parse(Format::Tioga, FileId(0), text, &mut diagnostics).unwrap();
    let network = lower(&document, &Options::default(), &mut diagnostics).unwrap();
    (document, network.validate().unwrap())
}

fn settings(model: &Model) -> Settings {
    let mut case = TestCase::without_purpose("alarm", &model.name, Vec::new(), Vec::new());
    case.summary.unit = model.time_unit;
    let mut settings = crate::campaign::settings();
    settings.suite = Suite::new(vec![case]);
    settings.latencies = tioga_estimate::Latencies::NONE;
    settings.online =
        serde_json::from_value(serde_json::json!({ "actions": 20, "longest_wait": "5" })).unwrap();
    settings
}

fn at(hundredths: i64) -> Moment {
    Moment::exactly(Rational::new(hundredths, 100).unwrap())
}

fn action(name: &str) -> Action {
    let none: [Rational; 0] = [];
    Action::new(name, &none)
}

fn end(outcome: Outcome, reason: &str, at: Moment) -> Event {
    Event::End {
        outcome,
        reason: reason.to_owned(),
        at,
        longest_delay: Rational::ZERO,
        ignored: None,
        stopped: None,
        delays: Vec::new(),
    }
}

/// The siren does not stop when the car is unlocked during an alarm.
fn deaf_to_unlock() -> RunRecord {
    let sent = |name, time| Event::Sent { at: at(time), action: action(name) };
    let heard = |name, time| Event::Heard { at: at(time), action: action(name) };
    let events = vec![
        Event::Begin { case: "alarm".to_owned(), seed: 1 },
        sent("close", 100),
        sent("lock", 200),
        heard("armed_on", 2210),
        sent("open", 2300),
        heard("armed_off", 2310),
        heard("sound_on", 2320),
        heard("flash_on", 2350),
        sent("unlock", 2500),
        heard("flash_off", 2525),
        Event::Quiet { now: at(2600) },
        end(Outcome::Fail, "the system stayed silent for too long: no `sound_off`", at(2550)),
    ];
    RunRecord { run: 3, events }
}

fn timing_of(record: &RunRecord, steps: usize) -> Timing {
    let (document, model) = read(&example_text("car-alarm"));
    let settings = settings(&model);
    let specification = Specification { document: &document, model: &model };
    Timing::new(&settings, Some(specification), record, steps)
}

#[test]
fn the_timing_of_a_failing_run_is_as_it_was() {
    let timing = timing_of(&deaf_to_unlock(), timing::STEPS);
    let svg = timing::svg(&timing);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/timing.svg");
    if std::env::var_os("TIOGA_BLESS").is_some() {
        std::fs::write(&path, &svg).unwrap();
    }
    assert_eq!(picture_flaws(&svg), Vec::<String>::new());
    assert!(svg == std::fs::read_to_string(&path).unwrap(), "the timing is now:\n{svg}");
}

#[test]
fn bands_windows_and_the_failing_moment_are_those_of_the_run() {
    let timing = timing_of(&deaf_to_unlock(), timing::STEPS);
    let number = |hundredths| Rational::new(hundredths, 100).unwrap();
    let guard = &timing.bands[0];
    let places: Vec<&str> = guard.stays.iter().map(|stay| stay.location.as_str()).collect();
    assert_eq!(
        places,
        [
            "OpenUnlocked",
            "ClosedUnlocked",
            "ClosedLocked",
            "Armed",
            "Tripped",
            "Raise",
            "AlarmOpen",
            "CalmOpen",
            "OpenUnlocked"
        ]
    );
    // Each stay begins where the one before ends.
    for band in &timing.bands {
        for pair in band.stays.windows(2) {
            assert_eq!(pair[0].until, pair[1].from);
        }
        assert_eq!(band.stays.last().unwrap().until, number(2550), "{}", band.process);
    }
    let siren = timing.bands.iter().find(|band| band.process.starts_with("Siren")).unwrap();
    assert_eq!(siren.stays.last().unwrap().location, "Stopping");
    let last = timing.windows.last().unwrap();
    assert_eq!(
        (last.what.as_str(), last.from, last.until),
        ("sound_off", number(2525), Some(number(2550)))
    );
    let armed = timing.windows.iter().find(|window| window.what == "armed_on").unwrap();
    assert_eq!((armed.from, armed.until), (number(2200), Some(number(2250))));
    assert_eq!(timing.end.as_ref().unwrap().at, at(2550));
    assert!(timing.events.iter().all(|event| !event.wrong && event.step.is_some()));
    let json = serde_json::to_value(&timing).unwrap();
    assert_eq!(json["bands"][0]["stays"][0]["location"], "OpenUnlocked");
}

#[test]
fn an_output_that_nothing_explains_is_marked_and_long_runs_show_their_end() {
    let mut record = deaf_to_unlock();
    record.events.truncate(5);
    record.events.push(Event::Heard { at: at(2305), action: action("flash_on") });
    record.events.push(end(Outcome::Fail, "wrong", at(2305)));
    let timing = timing_of(&record, timing::STEPS);
    assert!(timing.events.last().unwrap().wrong);
    assert!(timing::svg(&timing).contains("class=\"head wrong\""));
    let short = timing_of(&record, 2);
    assert_eq!((short.events.len(), short.left_out), (2, 3));
    assert_eq!(short.from, Rational::integer(23));
    assert_eq!(picture_flaws(&timing::svg(&short)), Vec::<String>::new());
}

#[test]
fn an_expectation_ends_with_the_event_that_changes_it_and_what_was_due_instead_is_shown() {
    let sent = |name, time| Event::Sent { at: at(time), action: action(name) };
    let events = vec![
        Event::Begin { case: "alarm".to_owned(), seed: 1 },
        sent("close", 100),
        sent("lock", 200),
        sent("unlock", 300),
        sent("lock", 400),
        Event::Heard { at: at(2300), action: action("armed_on") },
        end(Outcome::Fail, "too early", at(2300)),
    ];
    let timing = timing_of(&RunRecord { run: 0, events }, timing::STEPS);
    let number = |hundredths| Rational::new(hundredths, 100).unwrap();
    // Locking again starts anew, so `armed_on` was never due from 22 to 22.5.
    let windows: Vec<_> = timing.windows.iter().map(|one| (one.from, one.until)).collect();
    assert_eq!(windows, [(number(2400), Some(number(2450)))]);
    let svg = timing::svg(&timing);
    assert!(svg.contains(">24 s<") && svg.contains(">24.5 s<"), "{svg}");
    assert_eq!(picture_flaws(&svg), Vec::<String>::new());
}

proptest! {
    /// Also of runs that make no sense, and with names of any length.
    #[test]
    fn any_timing_can_be_read(
        events in prop::collection::vec((0..6usize, 0..400i64, any::<bool>(), "[a-zW]{1,30}"), 0..12),
        outcome in 0..4usize,
    ) {
        let names = ["close", "lock", "open", "unlock", "armed_on", "armed_off"];
        let mut now = 0;
        let mut all = vec![Event::Begin { case: "alarm".to_owned(), seed: 1 }];
        for (name, gap, odd, text) in events {
            now += if gap < 100 { 0 } else { gap };
            let action = action(if odd { &text } else { names[name] });
            all.push(match name < 4 {
                true => Event::Sent { at: at(now), action },
                false => Event::Heard { at: at(now), action },
            });
        }
        all.push(end(Outcome::ALL[outcome], "because", at(now)));
        let timing = timing_of(&RunRecord { run: 0, events: all }, 8);
        let svg = timing::svg(&timing);
        prop_assert_eq!(picture_flaws(&svg), Vec::<String>::new());
    }
}
