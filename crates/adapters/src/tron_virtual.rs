//! UPPAAL TRON's socket adapter with virtual time: events as with real time, each acknowledged by its
//! receiver, and a virtual clock that the threads of the adapter wait on.
//!
//! Time passes in [`System::wait`] only, and only when every thread that counts is blocked and every
//! input is acknowledged. An output keeps its thread busy until it is acknowledged. So all moments are
//! exact. A thread that wakes at the very moment up to which the tester waits goes first.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use tioga_base::{Moment, Overflow, Rational};
use tioga_testcase::Action;

use crate::alphabet::Alphabet;
use crate::clock_server::{Advance, ClockServer};
use crate::fault::{Fault, FaultKind};
use crate::limits::AdapterLimits;
use crate::real_clock::SLICE;
use crate::system::{Heard, System};
use crate::system_ref::SystemRef;
use crate::tron_line::{ACKNOWLEDGED, Configured, Route, configured};

/// Where TRON's virtual clock listens unless told otherwise.
const CLOCK: &str = "127.0.0.1:6521";

/// How long to wait for threads or for the adapter before looking at the other.
const LOOK: Duration = Duration::from_micros(200);

/// How long to wait before connecting again.
const AGAIN: Duration = Duration::from_millis(20);

/// A system behind an adapter for TRON, in virtual time.
pub(super) struct VirtualTron {
    route: Route,
    limits: AdapterLimits,
    alphabet: Alphabet,
    line: Configured,
    used: bool,
    clock: ClockServer,
    /// The time of the clock at which the run began.
    start: Rational,
    /// How many microseconds a time unit has.
    unit: Rational,
    /// How many inputs were not acknowledged yet.
    open: u32,
    /// Outputs that came while an input was acknowledged.
    heard: VecDeque<Action>,
    /// Since when no time can pass because a thread is busy.
    busy_since: Option<Instant>,
}

/// A connection that is ready to start. Adapters that listen may do so only after their threads have
/// found the clock, so it is tried again for a while.
fn prepared(
    route: &Route,
    alphabet: &Alphabet,
    limits: &AdapterLimits,
) -> Result<Configured, Fault> {
    let deadline = Instant::now() + limits.start;
    loop {
        match configured(route, None, alphabet, limits) {
            Err(fault)
                if fault.kind == FaultKind::Unreachable
                    && matches!(route, Route::Connect(_))
                    && Instant::now() < deadline
                    && !limits.cancel.is_cancelled() =>
            {
                std::thread::sleep(AGAIN);
            }
            done => return done,
        }
    }
}

impl VirtualTron {
    /// Opens the clock, connects as with real time, and answers the questions up to the start.
    pub fn open(
        system: &SystemRef,
        alphabet: &Alphabet,
        limits: &AdapterLimits,
    ) -> Result<Self, Fault> {
        let address = system.clock();
        let route = Route::new(system)?;
        // Adapters may use the clock before they connect.
        let clock = ClockServer::open(address.as_deref().unwrap_or(CLOCK))?;
        let line = prepared(&route, alphabet, limits)?;
        let (alphabet, limits) = (alphabet.clone(), limits.clone());
        Ok(Self {
            route,
            limits,
            alphabet,
            line,
            used: false,
            clock,
            start: Rational::ZERO,
            unit: Rational::ONE,
            open: 0,
            heard: VecDeque::new(),
            busy_since: None,
        })
    }

    /// The next output, if there is one before the deadline. Acknowledgements are counted.
    fn hear(&mut self, deadline: Instant) -> Result<Option<Action>, Fault> {
        while let Some((number, _)) = self.line.number(deadline)? {
            if number & ACKNOWLEDGED == 0 {
                let action = self.line.event(number)?;
                let answer = (ACKNOWLEDGED | 1).to_be_bytes();
                self.line.peer.say(&answer, "an acknowledgement")?;
                return Ok(Some(action));
            }
            self.open = self.open.saturating_sub(number & !ACKNOWLEDGED);
            if self.open == 0 {
                break;
            }
        }
        Ok(None)
    }

    /// A fault if a thread has been busy for too long.
    fn patient(&mut self) -> Result<(), Fault> {
        let since = *self.busy_since.get_or_insert_with(Instant::now);
        let limit = self.limits.answer;
        if since.elapsed() < limit && !self.limits.cancel.is_cancelled() {
            return Ok(());
        }
        let names: Vec<String> = self.clock.busy().iter().map(|name| format!("`{name}`")).collect();
        let evidence = match &names[..] {
            [] => format!("an input was not acknowledged within {limit:?}"),
            names => format!("no time can pass for {limit:?}, because of {}", names.join(", ")),
        };
        Err(self.line.peer.fault(FaultKind::Hang, evidence))
    }

    fn time(&self) -> Result<Rational, Overflow> {
        self.clock.now().sub(self.start)?.div(self.unit)
    }

    fn too_large(_: Overflow) -> Fault {
        Fault::new(FaultKind::Garbage, "the time of the virtual clock is too large")
    }
}

impl System for VirtualTron {
    fn begin(&mut self, _seed: u64) -> Result<(), Fault> {
        if self.used {
            self.line.peer.end();
            self.line = prepared(&self.route, &self.alphabet, &self.limits)?;
        }
        self.used = true;
        let micros = self.line.unit.map(|unit| unit / 1000).filter(|micros| *micros > 0);
        let Some(micros) = micros.and_then(|micros| i64::try_from(micros).ok()) else {
            let evidence = "it did not say how long its time unit is".to_owned();
            return Err(self.line.peer.fault(FaultKind::Mismatch, evidence));
        };
        self.unit = Rational::integer(micros);
        let deadline = Instant::now() + self.limits.start;
        while self.clock.threads() == 0 {
            self.clock.idle(Duration::ZERO)?;
            if Instant::now() >= deadline || self.limits.cancel.is_cancelled() {
                let evidence = "none of its threads uses the virtual clock".to_owned();
                return Err(self.line.peer.fault(FaultKind::Mismatch, evidence));
            }
            std::thread::sleep(LOOK);
        }
        self.start = self.clock.now();
        (self.open, self.busy_since) = (0, None);
        self.heard.clear();
        self.line.peer.say(&[0], "the start")
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn now(&self) -> Moment {
        Moment::exactly(self.time().unwrap_or(Rational::ZERO))
    }

    fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
        let message = self.line.message(input)?;
        self.line.peer.say(&message, "an input")?;
        self.open += 1;
        self.busy_since = None;
        while self.open > 0 {
            let output = self.hear(Instant::now() + LOOK)?;
            self.heard.extend(output);
            self.clock.idle(Duration::ZERO)?;
            self.patient()?;
        }
        self.busy_since = None;
        Ok(Moment::exactly(self.time().map_err(Self::too_large)?))
    }

    fn wait(&mut self, until: Rational, _awaited: &[Action]) -> Result<Heard, Fault> {
        let end = until.mul(self.unit).and_then(|time| time.add(self.start));
        let end = end.map_err(Self::too_large)?;
        let slice = Instant::now() + SLICE;
        loop {
            let idle = self.clock.idle(LOOK)?;
            // A thread that said something before it was blocked was heard, now or before.
            let output = match self.heard.pop_front() {
                None => self.hear(Instant::now())?,
                some => some,
            };
            let now = self.time().map_err(Self::too_large)?;
            if let Some(action) = output {
                self.busy_since = None;
                return Ok(Heard::Output { at: Moment::exactly(now), action });
            }
            // A thread that is busy may still say something at this moment, so it is no silence.
            if idle && Instant::now() >= slice {
                return Ok(Heard::Nothing { now: Moment::exactly(now) });
            }
            match if idle { self.clock.advance(end) } else { Advance::Busy } {
                Advance::Reached => {
                    self.busy_since = None;
                    return Ok(Heard::Nothing { now: Moment::exactly(until) });
                }
                Advance::Woken => self.busy_since = None,
                Advance::Busy => self.patient()?,
            }
        }
    }

    /// There is no goodbye: the connections end when this is dropped.
    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}
