//! Runs that the lateness of the machine spoils begin again, and only their last attempt counts: in
//! campaigns, and when a recorded run is made again.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::small_cases::{case, path, settings};
use tioga_adapters::{Fault, Heard, SchedulingDelay, System, TimeBase};
use tioga_base::{Cancel, Moment, Rational};
use tioga_estimate::Latencies;
use tioga_execute::{
    Campaign, EstimatingTester, Event, Journal, JournalReader, Outcome, RunFailure, RunRecord,
    Settings, ShrinkOptions, Stand, Tally,
};
use tioga_testcase::Action;

/// Answers in time or not; but until it was begun so often after 3, which is too late.
struct Interrupted<'b> {
    begun: &'b AtomicU64,
    /// How many attempts answer too late.
    late: u64,
    /// Whether the machine is why.
    excused: bool,
    /// When it answers else.
    usual: i64,
    now: Rational,
    sent: bool,
    told: bool,
}

impl Interrupted<'_> {
    fn is_late(&self) -> bool {
        self.begun.load(Ordering::Relaxed) <= self.late
    }
}

impl System for Interrupted<'_> {
    fn begin(&mut self, _: u64) -> Result<(), Fault> {
        self.begun.fetch_add(1, Ordering::Relaxed);
        (self.now, self.sent, self.told) = (Rational::ZERO, false, false);
        Ok(())
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn now(&self) -> Moment {
        Moment::exactly(self.now)
    }

    fn send(&mut self, _: &Action) -> Result<Moment, Fault> {
        self.sent = true;
        Ok(self.now())
    }

    fn wait(&mut self, until: Rational, _: &[Action]) -> Result<Heard, Fault> {
        let answer = Rational::integer(if self.is_late() { 3 } else { self.usual });
        if self.sent && answer <= until {
            (self.now, self.sent) = (answer, false);
            let action = Action { channel: "done".to_owned(), values: Vec::new() };
            return Ok(Heard::Output { at: self.now(), action });
        }
        self.now = until;
        Ok(Heard::Nothing { now: self.now() })
    }

    fn scheduling_delays(&mut self) -> Vec<SchedulingDelay> {
        let [from, until] = [1, 3].map(Rational::integer);
        if !self.excused || !self.is_late() || self.now < from || self.told {
            return Vec::new();
        }
        self.told = true;
        vec![SchedulingDelay { from, until, length: Rational::integer(2) }]
    }

    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

fn interrupted(begun: &AtomicU64, late: u64, excused: bool, usual: i64) -> Box<dyn System + '_> {
    let (now, sent, told) = (Rational::ZERO, false, false);
    Box::new(Interrupted { begun, late, excused, usual, now, sent, told })
}

/// One run, of which so many attempts are late.
fn run(late: u64, excused: bool, journal: Option<Journal>) -> (Settings, Tally) {
    let settings = settings(vec![case("short", 2)], 1);
    let begun = AtomicU64::new(0);
    let systems = || Ok(interrupted(&begun, late, excused, 1));
    let latencies = Latencies::default();
    let campaign = Campaign {
        settings: &settings,
        systems: &systems,
        testers: &|case, seed| Ok(Box::new(EstimatingTester::new(case, &latencies, seed, None)?)),
        jobs: 1,
        cancel: Cancel::new(),
    };
    let tally = campaign.run(journal, Tally::new(&settings), &mut ()).unwrap().tally;
    (settings.clone(), tally)
}

#[test]
fn a_spoiled_run_begins_again_until_the_machine_is_on_time() {
    let path = path("repetition.journal");
    let journal = Journal::create(&path, &settings(vec![case("short", 2)], 1)).unwrap();
    let (settings, tally) = run(3, true, Some(journal));
    assert_eq!((tally.counted(), tally.count(Outcome::Pass)), (1, 1));
    assert_eq!(tally.cases[0].repeated, (1, 3));
    // The journal has every attempt, and whoever reads it comes to the same result.
    let entries: Vec<Event> =
        JournalReader::open(&path).unwrap().map(|entry| entry.unwrap().event).collect();
    let seeds: Vec<u64> = entries
        .iter()
        .filter_map(|event| match event {
            Event::Begin { seed, .. } => Some(*seed),
            _ => None,
        })
        .collect();
    let expected: Vec<u64> =
        (0..=3).map(|attempt| Settings::attempt_seed(settings.seed, 0, attempt)).collect();
    assert_eq!(seeds, expected);
    let (_, _, resumed) =
        Campaign::resume(&path, false, |summary| assert_eq!(summary.actions, 2)).unwrap();
    assert_eq!(resumed, tally);
}

#[test]
fn a_machine_that_is_always_late_makes_a_run_inconclusive() {
    let (_, tally) = run(u64::MAX, true, None);
    assert_eq!(tally.count(Outcome::Inconclusive), 1);
    assert_eq!(tally.cases[0].repeated, (1, Settings::REPETITIONS));
    let doubt = tally.cases[0].doubt.as_ref().unwrap();
    assert!(doubt.reason.contains("only scheduling delay"), "{}", doubt.reason);
}

#[test]
fn a_run_that_fails_does_not_begin_again() {
    let (_, tally) = run(1, false, None);
    assert_eq!(tally.count(Outcome::Fail), 1);
    assert_eq!(tally.cases[0].repeated, (0, 0));
}

/// A run of the test case on a machine that was on time, with an answer at this time.
fn recorded(answer: i64, outcome: Outcome) -> RunRecord {
    let at = |time| Moment::exactly(Rational::integer(time));
    let action = |channel: &str| Action { channel: channel.to_owned(), values: Vec::new() };
    let reason = "as recorded".to_owned();
    let events = vec![
        Event::Begin { case: "short".to_owned(), seed: 7 },
        Event::Sent { at: at(0), action: action("go") },
        Event::Heard { at: at(answer), action: action("done") },
        Event::End {
            outcome,
            reason,
            at: at(answer),
            longest_delay: Rational::ZERO,
            ignored: None,
            stopped: None,
            delays: Vec::new(),
        },
    ];
    RunRecord { run: 0, events }
}

/// Settings with a clock that a machine can be late for.
fn real_time() -> Settings {
    let time = TimeBase::Real { unit_ns: 1_000_000_000 };
    Settings { time, ..settings(vec![case("short", 2)], 1) }
}

#[test]
fn a_run_that_is_made_again_begins_again_when_it_is_spoiled() {
    let settings = real_time();
    for (late, excused, outcome, beginnings) in [
        (0, true, Outcome::Pass, 1),
        (3, true, Outcome::Pass, 4),
        (u64::MAX, true, Outcome::Inconclusive, Settings::REPETITIONS + 1),
        (1, false, Outcome::Fail, 1),
    ] {
        let begun = AtomicU64::new(0);
        let systems = || Ok(interrupted(&begun, late, excused, 2));
        let mut stand = Stand::new(&settings, &systems, Cancel::new());
        let again = stand.replay(&recorded(2, Outcome::Pass), None, (None, None)).unwrap();
        assert_eq!(again.ending.outcome, outcome, "{late}: {again:?}");
        assert_eq!(begun.load(Ordering::Relaxed), beginnings, "{late}");
        assert_eq!(again.same_verdict, outcome == Outcome::Pass);
        // Only the last attempt is told, with the seed of the recorded run.
        let begins = again.record.events.iter().filter(|one| matches!(one, Event::Begin { .. }));
        assert_eq!((begins.count(), again.record.seed()), (1, Some(7)));
    }
}

#[test]
fn a_failure_is_made_shorter_though_the_machine_was_late() {
    let settings = real_time();
    let begun = AtomicU64::new(0);
    // When the machine is late the system has an excuse, but it does not need one to be slow.
    let systems = || Ok(interrupted(&begun, 2, true, 4));
    let mut stand = Stand::new(&settings, &systems, Cancel::new());
    let options =
        ShrinkOptions { model: None, attempts: 1, confirm: 1, tries: None, again: 0, any: false };
    let shrunk = stand.shrink(&recorded(4, Outcome::Fail), &options, &mut |_, _| {}).unwrap();
    assert_eq!(shrunk.failure, Some(RunFailure::Silence));
    assert_eq!((shrunk.attempts, begun.load(Ordering::Relaxed)), (1, 3));
}
