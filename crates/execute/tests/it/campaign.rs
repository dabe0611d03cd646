//! Campaigns: the same results for any number of threads, after any interruption, and with systems
//! that misbehave.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::small_cases::{case, path, settings};
use tioga_adapters::{Fault, FaultKind, Heard, System};
use tioga_base::{Cancel, Moment, Rational};
use tioga_estimate::Latencies;
use tioga_execute::{
    Campaign, Event, Journal, JournalReader, Outcome, Reporter, RunSummary, Settings,
    SystemFactory, Tally,
};
use tioga_testcase::Action;

/// A system that answers after a time that the seed decides; for some seeds it crashes.
struct Timer {
    now: Rational,
    answer: Option<Rational>,
    seed: u64,
    crashes: bool,
    delay: fn(u64) -> i64,
    slow: Duration,
}

impl Timer {
    fn new(delay: fn(u64) -> i64) -> Self {
        let slow = Duration::ZERO;
        Self { now: Rational::ZERO, answer: None, seed: 0, crashes: false, delay, slow }
    }
}

impl System for Timer {
    fn begin(&mut self, seed: u64) -> Result<(), Fault> {
        (self.now, self.answer, self.seed) = (Rational::ZERO, None, seed);
        std::thread::sleep(self.slow * u32::try_from(seed % 7).unwrap());
        Ok(())
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn now(&self) -> Moment {
        Moment::exactly(self.now)
    }

    fn send(&mut self, _: &Action) -> Result<Moment, Fault> {
        if self.crashes && self.seed.is_multiple_of(5) {
            return Err(Fault::new(FaultKind::Crash, "exit status 1"));
        }
        self.answer = Some(self.now.add(Rational::integer((self.delay)(self.seed))).unwrap());
        Ok(self.now())
    }

    fn wait(&mut self, until: Rational, _: &[Action]) -> Result<Heard, Fault> {
        match self.answer.filter(|answer| *answer <= until) {
            None => {
                self.now = until;
                Ok(Heard::Nothing { now: self.now() })
            }
            Some(answer) => {
                (self.now, self.answer) = (answer, None);
                let action = Action { channel: "done".to_owned(), values: Vec::new() };
                Ok(Heard::Output { at: self.now(), action })
            }
        }
    }

    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// Keeps what it was told.
#[derive(Default)]
struct Notes {
    order: Vec<u64>,
    begun: u64,
}

impl Reporter for Notes {
    fn event(&mut self, _: u64, event: &Event) {
        self.begun += u64::from(matches!(event, Event::Begin { .. }));
    }

    fn counted(&mut self, summary: &RunSummary, _: &Tally) {
        self.order.push(summary.run);
    }
}

fn run(settings: &Settings, systems: &SystemFactory<'_>, jobs: usize) -> (Tally, Notes) {
    let mut notes = Notes::default();
    let campaign = Campaign {
        settings,
        systems,
        testers: &|case, seed| settings.tester(case, seed),
        jobs,
        cancel: Cancel::new(),
    };
    let tally = campaign.run(None, Tally::new(settings), &mut notes).unwrap().tally;
    (tally, notes)
}

fn two_cases(repeat: u64) -> Settings {
    settings(vec![case("short", 2), case("long", 4)], repeat)
}

/// Sometimes too late for the short test case, never for the long one.
fn sometimes_late(seed: u64) -> i64 {
    i64::try_from(seed % 4).unwrap()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let systems = || {
        let mut timer = Timer::new(sometimes_late);
        (timer.slow, timer.crashes) = (Duration::from_micros(200), true);
        Ok(Box::new(timer) as Box<dyn System>)
    };
    for keep_going in [false, true] {
        let settings = Settings { keep_going, ..two_cases(100) };
        let (expected, notes) = run(&settings, &systems, 1);
        assert_eq!(notes.order, (0..expected.counted()).collect::<Vec<_>>());
        assert!(expected.is_over());
        assert_eq!(expected.is_cut_short(), !keep_going);
        for jobs in [2, 3, 8] {
            let (tally, notes) = run(&settings, &systems, jobs);
            assert_eq!(tally, expected, "{jobs} threads");
            assert_eq!(notes.order, (0..expected.counted()).collect::<Vec<_>>());
        }
    }
}

#[test]
fn everything_is_counted_for_its_test_case() {
    let systems = || Ok(Box::new(Timer::new(sometimes_late)) as Box<dyn System>);
    let settings = Settings { keep_going: true, ..two_cases(200) };
    let (tally, _) = run(&settings, &systems, 1);
    let [short, long] = &tally.cases[..] else { panic!() };
    assert_eq!((short.runs(), long.runs()), (200, 200));
    assert_eq!((long.count(Outcome::Pass), long.worst()), (200, Some(Outcome::Pass)));
    assert!(short.count(Outcome::Fail) > 20 && short.count(Outcome::Pass) > 100);
    assert_eq!(tally.worst(), Some(Outcome::Fail));
    let problem = short.problem.as_ref().unwrap();
    assert_eq!((problem.run % 2, problem.case, problem.outcome), (0, 0, Outcome::Fail));
    assert!(
        matches!(&problem.last[..], [Event::Sent { .. }, Event::Heard { .. }]),
        "{:?}",
        problem.last
    );
}

#[test]
fn the_first_problem_ends_a_campaign() {
    let systems = || Ok(Box::new(Timer::new(sometimes_late)) as Box<dyn System>);
    let (tally, notes) = run(&two_cases(200), &systems, 1);
    let problem = tally.cases[0].problem.as_ref().unwrap().run;
    assert_eq!((tally.counted(), notes.begun), (problem + 1, problem + 1));
    assert_eq!(tally.count(Outcome::Fail), 1);
}

#[test]
fn a_system_is_made_anew_after_a_fault_only_or_for_each_run() {
    let made = AtomicU64::new(0);
    let systems = || {
        made.fetch_add(1, Ordering::Relaxed);
        let mut timer = Timer::new(|_| 1);
        timer.crashes = true;
        Ok(Box::new(timer) as Box<dyn System>)
    };
    let settings = Settings { keep_going: true, ..two_cases(50) };
    let (tally, _) = run(&settings, &systems, 1);
    let errors = tally.count(Outcome::Error);
    assert!(errors > 5);
    assert_eq!(tally.count(Outcome::Pass), 100 - errors);
    assert!((errors..=errors + 1).contains(&made.load(Ordering::Relaxed)));
    made.store(0, Ordering::Relaxed);
    let (fresh, _) = run(&Settings { fresh: true, ..settings }, &systems, 1);
    assert_eq!((fresh, made.load(Ordering::Relaxed)), (tally, 100));
}

/// A system that ends unnoticed after each run.
struct Mortal {
    timer: Timer,
    used: bool,
}

impl System for Mortal {
    fn begin(&mut self, seed: u64) -> Result<(), Fault> {
        if std::mem::replace(&mut self.used, true) {
            return Err(Fault::new(FaultKind::Crash, "exit status 1"));
        }
        self.timer.begin(seed)
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn now(&self) -> Moment {
        self.timer.now()
    }

    fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
        self.timer.send(input)
    }

    fn wait(&mut self, until: Rational, awaited: &[Action]) -> Result<Heard, Fault> {
        self.timer.wait(until, awaited)
    }

    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

#[test]
fn a_run_is_not_blamed_for_a_system_that_ended_after_the_run_before() {
    let systems = || {
        let mortal = Mortal { timer: Timer::new(|_| 1), used: false };
        Ok(Box::new(mortal) as Box<dyn System>)
    };
    let settings = Settings { keep_going: true, ..two_cases(2) };
    let (tally, _) = run(&settings, &systems, 1);
    // Every other run finds it dead, and the one after that has a new one.
    let [short, long] = &tally.cases[..] else { panic!() };
    assert_eq!((short.count(Outcome::Pass), long.count(Outcome::Error)), (2, 2));
    let expected = "the system crashed: before this run began, the system had ended after the run \
                    before: exit status 1";
    assert_eq!(long.problem.as_ref().unwrap().reason, expected);
}

#[test]
fn a_system_that_cannot_be_made_is_an_error_of_the_run() {
    let systems = || Err(Fault::new(FaultKind::Unreachable, "no such command"));
    let (tally, _) = run(&two_cases(3), &systems, 2);
    assert_eq!((tally.counted(), tally.count(Outcome::Error)), (1, 1));
    let problem = tally.cases[0].problem.as_ref().unwrap();
    assert_eq!(problem.reason, "the system could not be started: no such command");
    assert!(matches!(&problem.last[..], [Event::Fault { .. }]));
}

#[test]
fn an_answer_that_may_have_been_under_way_for_long_is_no_failure() {
    let systems = || Ok(Box::new(Timer::new(|_| 3)) as Box<dyn System>);
    let exact = settings(vec![case("short", 2)], 3);
    assert_eq!(run(&exact, &systems, 1).0.worst(), Some(Outcome::Fail));
    let output = Moment::between(Rational::ZERO, Rational::integer(2)).unwrap();
    let latencies = Latencies { output, ..Latencies::default() };
    let uncertain = Settings { latencies, ..exact };
    assert_eq!(run(&uncertain, &systems, 1).0.worst(), Some(Outcome::Pass));
}

#[test]
fn a_run_that_takes_too_long_is_inconclusive() {
    let systems = || {
        let mut timer = Timer::new(|_| 1);
        timer.slow = Duration::from_millis(5);
        Ok(Box::new(timer) as Box<dyn System>)
    };
    let settings = Settings { timeout_ms: Some(0), ..two_cases(5) };
    let (tally, _) = run(&settings, &systems, 1);
    assert_eq!(tally.worst(), Some(Outcome::Inconclusive));
    let doubt = tally.cases[0].doubt.as_ref().unwrap();
    assert_eq!(doubt.reason, "the run exceeded its wall-clock limit");
}

/// Cancels after some events.
struct Impatient {
    left: u64,
    cancel: Cancel,
}

impl Reporter for Impatient {
    fn event(&mut self, _: u64, _: &Event) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.cancel.cancel();
        }
    }
}

#[test]
fn a_campaign_cancelled_again_and_again_has_the_results_of_one_that_was_not() {
    let rarely_late = |seed: u64| if seed.is_multiple_of(40) { 3 } else { 1 };
    let systems = || Ok(Box::new(Timer::new(rarely_late)) as Box<dyn System>);
    for (keep_going, jobs) in [(true, 1), (true, 4), (false, 3)] {
        let settings = Settings { keep_going, ..two_cases(60) };
        let (expected, _) = run(&settings, &systems, 1);
        let path = path(&format!("cancelled-{keep_going}-{jobs}.journal"));
        drop(Journal::create(&path, &settings).unwrap());
        let mut interruptions = 0;
        let tally = loop {
            let (journal, found, tally) = Campaign::resume(&path, false, |_| ()).unwrap();
            assert_eq!(found, settings);
            let cancel = Cancel::new();
            let mut reporter = Impatient { left: 23, cancel: cancel.clone() };
            let campaign = Campaign {
                settings: &settings,
                systems: &systems,
                testers: &|case, seed| settings.tester(case, seed),
                jobs,
                cancel,
            };
            let results = campaign.run(Some(journal), tally, &mut reporter).unwrap();
            if results.tally.is_over() {
                break results.tally;
            }
            interruptions += 1;
        };
        assert!(interruptions > 0);
        assert_eq!(tally, expected);
        let mut ends = vec![0; 120];
        for entry in JournalReader::open(&path).unwrap() {
            let entry = entry.unwrap();
            if let Event::End { .. } = entry.event {
                ends[usize::try_from(entry.run).unwrap()] += 1;
            }
        }
        let counted = usize::try_from(tally.counted()).unwrap();
        assert_eq!(ends[..counted], vec![1; counted]);
        assert!(ends.iter().all(|count| *count <= 1));
        // What is over stays over, unless one wants to go on after the failure.
        let (journal, _, again) = Campaign::resume(&path, false, |_| ()).unwrap();
        assert_eq!(again, expected);
        drop(journal);
        let (.., further) = Campaign::resume(&path, true, |_| ()).unwrap();
        assert_eq!(further.is_over(), keep_going);
    }
}

#[test]
fn every_event_is_in_the_journal_when_the_reporter_hears_of_it() {
    struct Reader(std::path::PathBuf, usize);
    impl Reporter for Reader {
        fn event(&mut self, run: u64, event: &Event) {
            self.1 += 1;
            let entries: Vec<_> =
                JournalReader::open(&self.0).unwrap().map(Result::unwrap).collect();
            assert_eq!(entries.len(), self.1);
            let last = entries.last().unwrap();
            assert_eq!((last.run, &last.event), (run, event));
        }
    }
    let settings = two_cases(3);
    let path = path("first.journal");
    let journal = Journal::create(&path, &settings).unwrap();
    let systems = || Ok(Box::new(Timer::new(|_| 1)) as Box<dyn System>);
    let campaign = Campaign {
        settings: &settings,
        systems: &systems,
        testers: &|case, seed| settings.tester(case, seed),
        jobs: 2,
        cancel: Cancel::new(),
    };
    let mut reader = Reader(path.clone(), 0);
    let results = campaign.run(Some(journal), Tally::new(&settings), &mut reader).unwrap();
    assert_eq!(results.tally.count(Outcome::Pass), 6);
    // Besides, there are the settings at the start and the number of lines at the end.
    assert_eq!(reader.1, fs::read_to_string(&path).unwrap().lines().count() - 2);
}
