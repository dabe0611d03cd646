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
//! pair is one question and one answer through two pipes. The driver runs as in a test, with a tester
//! that only counts.
#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use std::io::{BufRead, Write};
use std::time::Instant;

use tioga_base::{Moment, Rational};
use tioga_execute::{
    AdapterLimits, Alphabet, Conclusion, Error, Plan, Protocol, RunLimits, Tester, TimeBase,
    connect, drive,
};
use tioga_testcase::{Action, Verdict};

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match arguments.first().map(String::as_str) {
        Some("system") => system(),
        Some(count) => measure(count.parse().unwrap()),
        None => measure(1_000_000),
    }
}

/// The system: it recognizes messages by how they begin.
fn system() {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let answer = if line.starts_with("{\"advance\"") {
            "{\"output\":\"echo\",\"after\":\"1/2\"}\n"
        } else if line.starts_with("{\"hello\"") {
            "{\"hello\":{}}\n"
        } else if line.starts_with("{\"reset\"") {
            "{\"ready\":true}\n"
        } else {
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
    /// When and with how much memory a tenth of the events was over.
    tenth: Option<(Instant, u64)>,
}

impl Counter {
    fn count(&mut self, at: Moment) -> Option<Conclusion> {
        self.now = at.latest();
        self.events += 1;
        if self.events == self.limit / 10 {
            self.tenth = Some((Instant::now(), resident()));
        }
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

fn measure(events: u64) {
    let command = format!("exec '{}' system", std::env::current_exe().unwrap().display());
    let alphabet = Alphabet { inputs: vec!["push".to_owned()], outputs: vec!["echo".to_owned()] };
    let limits = AdapterLimits::default();
    let mut system =
        connect(&command, Protocol::Json, TimeBase::Virtual, &alphabet, &limits).unwrap();
    let mut tester = Counter { now: Rational::ZERO, events: 0, limit: events, tenth: None };
    let limits = RunLimits { events: u64::MAX, ..RunLimits::default() };
    let start = Instant::now();
    let ending = drive(&mut *system, &mut tester, 1, &limits, &mut |_| Ok(())).unwrap();
    let took = start.elapsed();
    assert_eq!(ending.actions, events);
    system.finish().unwrap();

    let (tenth, memory) = tester.tenth.unwrap();
    let rate =
        |events: u64, nanoseconds: u128| u128::from(events) * 1_000_000_000 / nanoseconds.max(1);
    println!("{events} events in {took:?}: {} events/s", rate(events, took.as_nanos()));
    let first = tenth.duration_since(start).as_nanos();
    println!("the first tenth: {} events/s, {memory} KiB resident", rate(events / 10, first));
    println!("at the end: {} KiB resident", resident());
}

/// How much memory we use, in KiB; zero where that cannot be read.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
