//! The lines of ECDAR's test runner: an input or an output is its name alone on a line.
//!
//! With simulated time the tester writes `Delay: 1`, and the system answers with the outputs of that
//! time unit and then `Delay done`, or `Delayed: 0` or `Delayed: 1` if it says how far it came. Time
//! therefore moves in whole units: an output comes at the end of its step, as ECDAR itself dates it,
//! and an input between two units reaches the system at the last whole one. Lines that begin with
//! `Debug: ` are skipped. There are no values and there is no reset: each run has a new process.

use std::collections::VecDeque;
use std::time::Instant;

use tioga_base::{Moment, Rational};
use tioga_testcase::Action;

use crate::alphabet::Alphabet;
use crate::fault::{Fault, FaultKind};
use crate::limits::AdapterLimits;
use crate::peer::Peer;
use crate::protocol::TimeBase;
use crate::real_clock::{RealClock, SLICE, Span};
use crate::scheduling_delay::SchedulingDelay;
use crate::system::{Heard, System};
use crate::system_ref::SystemRef;

/// A system that speaks as ECDAR expects it.
pub(super) struct Ecdar {
    system: SystemRef,
    peer: Peer,
    clock: Clock,
    outputs: Vec<String>,
    used: bool,
}

enum Clock {
    Virtual(Steps),
    Real(RealClock),
}

/// Simulated time.
#[derive(Default)]
struct Steps {
    /// What time it is for the tester, if not zero.
    now: Option<Rational>,
    /// How many whole units the system was told of.
    units: i64,
    /// Outputs of the last step that were not told yet.
    heard: VecDeque<String>,
}

/// What a line of the system means.
enum Line {
    Output(String),
    /// The step is over, after this many units.
    Done(i64),
    Skipped,
}

impl Ecdar {
    /// Starts the system.
    pub fn open(
        system: &SystemRef,
        time: TimeBase,
        alphabet: &Alphabet,
        limits: &AdapterLimits,
    ) -> Result<Self, Fault> {
        let clock = match time {
            TimeBase::Virtual => Clock::Virtual(Steps::default()),
            TimeBase::Real { unit_ns } => Clock::Real(RealClock::of_unit(unit_ns)?),
        };
        let peer = Peer::open(system, &[], limits, matches!(clock, Clock::Real(_)))?;
        let outputs = alphabet.outputs.clone();
        Ok(Self { system: system.to_owned(), peer, clock, outputs, used: false })
    }

    /// The meaning of the last line.
    fn line(&mut self) -> Result<Line, Fault> {
        let Ok(text) = std::str::from_utf8(self.peer.channel.line()) else {
            return Err(self.peer.blame(FaultKind::Garbage, "a line is not UTF-8"));
        };
        let text = text.trim();
        if text.starts_with("Debug: ") {
            return Ok(Line::Skipped);
        }
        if matches!(self.clock, Clock::Virtual(_)) {
            match text.strip_prefix("Delayed: ").map(str::trim) {
                None if text == "Delay done" => return Ok(Line::Done(1)),
                Some("0") => return Ok(Line::Done(0)),
                Some("1") => return Ok(Line::Done(1)),
                Some(_) => {
                    let why = "time should advance by 0 or 1";
                    return Err(self.peer.blame(FaultKind::Garbage, why));
                }
                None => {}
            }
        }
        if self.outputs.iter().any(|output| output == text) {
            return Ok(Line::Output(text.to_owned()));
        }
        Err(self.peer.blame(FaultKind::UnknownName, "the test knows no such output"))
    }

    /// Lets the system simulate one time unit; says how much of it passed, and what it said.
    fn step(&mut self) -> Result<(i64, VecDeque<String>), Fault> {
        self.peer.say(b"Delay: 1\n", "`Delay: 1`")?;
        let mut heard = VecDeque::new();
        for _ in 0..=self.peer.limits.burst {
            self.peer.answer("`Delay: 1`", self.peer.limits.answer)?;
            match self.line()? {
                Line::Output(name) => heard.push_back(name),
                Line::Done(0) if heard.is_empty() => {
                    return Err(self
                        .peer
                        .blame(FaultKind::Garbage, "no time passed and nothing came"));
                }
                Line::Done(units) => return Ok((units, heard)),
                Line::Skipped => {}
            }
        }
        let why = format!("more than {} lines in one time unit", self.peer.limits.burst);
        Err(self.peer.blame(FaultKind::Flood, &why))
    }

    fn simulate(&mut self, until: Rational) -> Result<Heard, Fault> {
        loop {
            let Clock::Virtual(steps) = &mut self.clock else {
                unreachable!("only called with virtual time");
            };
            let now = steps.now.unwrap_or(Rational::ZERO);
            if let Some(channel) = steps.heard.pop_front() {
                let action = Action { channel, values: Vec::new() };
                return Ok(Heard::Output { at: Moment::exactly(now), action });
            }
            if Rational::integer(steps.units.saturating_add(1)) > until {
                let now = until.max(now);
                steps.now = Some(now);
                return Ok(Heard::Nothing { now: Moment::exactly(now) });
            }
            let (units, heard) = self.step()?;
            let Clock::Virtual(steps) = &mut self.clock else {
                unreachable!("the kind of time does not change");
            };
            steps.units += units;
            steps.now = Some(Rational::integer(steps.units).max(now));
            steps.heard = heard;
        }
    }

    fn listen(&mut self, until: Rational) -> Result<Heard, Fault> {
        loop {
            let Clock::Real(clock) = &mut self.clock else {
                unreachable!("only called with real time");
            };
            let slice = clock.instant(until).min(Instant::now() + SLICE);
            let Some(span) = self.peer.listen(slice)? else {
                let now = clock.quiet(self.peer.channel.empty_at(), until);
                return Ok(Heard::Nothing { now });
            };
            let at = clock.moment(span);
            if let Line::Output(channel) = self.line()? {
                return Ok(Heard::Output { at, action: Action { channel, values: Vec::new() } });
            }
        }
    }
}

impl System for Ecdar {
    fn begin(&mut self, _seed: u64) -> Result<(), Fault> {
        if self.used {
            self.peer.end();
            let limits = self.peer.limits.clone();
            self.peer = Peer::open(&self.system, &[], &limits, !self.is_exact())?;
        }
        self.used = true;
        self.peer.channel.begin();
        match &mut self.clock {
            Clock::Virtual(steps) => *steps = Steps::default(),
            Clock::Real(clock) => clock.restart(Instant::now()),
        }
        Ok(())
    }

    fn is_exact(&self) -> bool {
        matches!(self.clock, Clock::Virtual(_))
    }

    fn now(&self) -> Moment {
        match &self.clock {
            Clock::Virtual(steps) => Moment::exactly(steps.now.unwrap_or(Rational::ZERO)),
            Clock::Real(clock) => clock.now(),
        }
    }

    fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
        if !input.values.is_empty() {
            let evidence = format!("the input `{}` has values, which ECDAR has not", input.channel);
            return Err(Fault::new(FaultKind::Mismatch, evidence));
        }
        let earliest = Instant::now();
        self.peer.say(format!("{}\n", input.channel).as_bytes(), "an input")?;
        match &mut self.clock {
            Clock::Virtual(_) => Ok(self.now()),
            Clock::Real(clock) => Ok(clock.moment(Span { earliest, latest: Instant::now() })),
        }
    }

    fn wait(&mut self, until: Rational, _awaited: &[Action]) -> Result<Heard, Fault> {
        if self.is_exact() { self.simulate(until) } else { self.listen(until) }
    }

    fn scheduling_delays(&mut self) -> Vec<SchedulingDelay> {
        match &self.clock {
            Clock::Virtual(_) => Vec::new(),
            Clock::Real(clock) => self.peer.scheduling_delays(clock),
        }
    }

    /// There is no goodbye: the process ends when this is dropped.
    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}
