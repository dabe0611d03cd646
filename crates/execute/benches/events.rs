//! How many events per second go through the stdio adapter with virtual time, and whether memory
//! stays flat over a million of them.
//!
//! ```text
//! cargo bench -p tioga-execute --bench events              a million events
//! cargo bench -p tioga-execute --bench events -- 100000    fewer
//! ```
//!
//! The system is this program itself, started with the argument `system`: it answers each `push`
//! with an `echo` after half a time unit. Half of the events are inputs, half are outputs, so each
//! pair is at least one question and one answer through two pipes. The driver runs as in a test, first
//! with a tester that only counts, then with one that tests on line: it follows all states of a model
//! with hidden steps that explain what was seen, and decides by chance when to push.
#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

use tioga_adapters::{AdapterLimits, Alphabet, Protocol, TimeBase};
use tioga_base::{Diagnostics, FileId, Moment, Rational};
use tioga_estimate::Latencies;
use tioga_execute::{
    Conclusion, Error, OnlineOptions, OnlineTester, Outcome, Plan, RunLimits, Tester, drive,
};
use tioga_model::Model;
use tioga_parse::{Format, Options, lower, parse};
use tioga_testcase::{Action, Verdict};

/// What the system does, and more: it may think for a while, unseen, and answer sooner or later.
const MODEL: &str = "input push; output echo; internal think;
    automaton Echo {
      clock x;
      init location Idle; location Thinking invariant x <= 1; location Busy invariant x <= 2;
      Idle -> Thinking : push? do x = 0;
      Thinking -> Busy : think;
      Busy -> Idle : echo!;
    }";

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let events = match arguments.first().map(String::as_str) {
        Some("system") => return system(),
        Some(count) => count.parse().unwrap(),
        None => 1_000_000,
    };
    println!("counting");
    measure(events, &mut Counter { now: Rational::ZERO, events: 0, limit: events });
    println!("testing on line");
    let model = model();
    let options = OnlineOptions {
        goal: None,
        keep: None,
        guide: None,
        actions: events,
        lasts: None,
        longest_wait: Rational::ONE,
        latencies: Latencies::default(),
        seed: 1,
    };
    measure(events, &mut OnlineTester::new(&model, options).unwrap().in_virtual_time());
}

fn model() -> Model {
    let mut diagnostics = Diagnostics::new();
    let document = parse(Format::Tioga, FileId(0), MODEL, &mut diagnostics).unwrap();
    lower(&document, &Options::default(), &mut diagnostics).unwrap().validate().unwrap()
}

/// The system: it recognizes messages by how they begin. Half a time unit after a push the echo is
/// due; waits shorter than that bring it nearer.
fn system() {
    let half = Rational::new(1, 2).unwrap();
    let mut due: Option<Rational> = None;
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let answer = if let Some(rest) = line.strip_prefix("{\"advance\":\"") {
            let delay = rest.trim_end_matches("\"}");
            let time: Rational = delay.parse().unwrap();
            match due {
                Some(after) if after <= time => {
                    due = None;
                    format!("{{\"output\":\"echo\",\"after\":\"{after}\"}}\n")
                }
                _ => {
                    due = due.map(|after| after.sub(time).unwrap());
                    format!("{{\"advanced\":\"{delay}\"}}\n")
                }
            }
        } else if line.starts_with("{\"hello\"") {
            "{\"hello\":{}}\n".to_owned()
        } else if line.starts_with("{\"reset\"") {
            "{\"ready\":true}\n".to_owned()
        } else {
            due = due.or(Some(half));
            continue;
        };
        output.write_all(answer.as_bytes()).unwrap();
        output.flush().unwrap();
    }
}

/// Sends, waits for the echo, and so on.
struct Counter {
    now: Rational,
    events: u64,
    limit: u64,
}

impl Counter {
    fn count(&mut self, at: Moment) -> Option<Conclusion> {
        self.now = at.latest();
        self.events += 1;
        (self.events >= self.limit).then(|| Conclusion {
            verdict: Verdict::Pass,
            reason: "counted".to_owned(),
            at: self.now,
        })
    }
}

impl Tester for Counter {
    fn plan(&mut self) -> Result<Plan, Error> {
        if self.events.is_multiple_of(2) {
            return Ok(Plan::Send(Action { channel: "push".to_owned(), values: Vec::new() }));
        }
        Ok(Plan::Wait { until: self.now.add(Rational::ONE)?, awaited: Vec::new() })
    }

    fn sent(&mut self, _: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        Ok(self.count(at))
    }

    fn heard(&mut self, _: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        Ok(self.count(at))
    }

    fn quiet(&mut self, _: Moment) -> Result<Option<Conclusion>, Error> {
        panic!("the system always answers")
    }
}

fn measure(events: u64, tester: &mut dyn Tester) {
    let command = format!("exec '{}' system", std::env::current_exe().unwrap().display());
    let alphabet = Alphabet {
        inputs: vec!["push".to_owned()],
        outputs: vec!["echo".to_owned()],
        ..Alphabet::default()
    };
    let limits = AdapterLimits::default();
    let mut system = Protocol::Json
        .connect(&command.as_str().into(), TimeBase::Virtual, &alphabet, &limits)
        .unwrap();
    let limits = RunLimits { events: u64::MAX, ..RunLimits::default() };
    let start = Instant::now();
    let (mut seen, mut tenth) = (0, (Duration::ZERO, 0));
    let ending = drive(&mut *system, tester, 1, &limits, &mut |event| {
        if !matches!(event, tioga_execute::Event::Quiet { .. }) {
            seen += 1;
            if seen == events / 10 {
                tenth = (start.elapsed(), resident());
            }
        }
        Ok(())
    });
    let ending = ending.unwrap();
    let took = start.elapsed();
    assert_eq!((ending.actions, ending.outcome), (events, Outcome::Pass), "{}", ending.reason);
    system.finish().unwrap();

    let rate =
        |events: u64, took: Duration| u128::from(events) * 1_000_000_000 / took.as_nanos().max(1);
    println!("  {events} events in {took:?}: {} events/s", rate(events, took));
    let (first, memory) = tenth;
    println!("  the first tenth: {} events/s, {memory} KiB resident", rate(events / 10, first));
    println!("  at the end: {} KiB resident", resident());
}

/// How much memory we use, in KiB; zero where that cannot be read.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
