//! UPPAAL TRON's socket adapter with real time. Existing adapters for TRON talk to us as if we were
//! TRON; either side may have opened the connection. What is said is in [`tron_line`](crate::tron_line);
//! acknowledgements do not matter here and are skipped.

use std::time::Instant;

use tioga_base::{Moment, Rational};
use tioga_testcase::Action;

use crate::alphabet::Alphabet;
use crate::fault::{Fault, FaultKind};
use crate::limits::AdapterLimits;
use crate::real_clock::{RealClock, SLICE, Span};
use crate::scheduling_delay::SchedulingDelay;
use crate::system::{Heard, System};
use crate::system_ref::SystemRef;
use crate::tron_line::{ACKNOWLEDGED, Configured, Route, configured};

/// A system behind an adapter for TRON.
pub(super) struct Tron {
    route: Route,
    limits: AdapterLimits,
    unit_ns: u64,
    clock: RealClock,
    alphabet: Alphabet,
    line: Configured,
    used: bool,
}

impl Tron {
    /// Connects to `tcp:HOST:PORT`, or listens on `tron-listen:PORT` or `tron-listen:HOST:PORT`, and
    /// answers the questions of the adapter up to the start.
    pub fn open(
        system: &SystemRef,
        unit_ns: u64,
        alphabet: &Alphabet,
        limits: &AdapterLimits,
    ) -> Result<Self, Fault> {
        let clock = RealClock::of_unit(unit_ns)?;
        if system.clock().is_some() {
            let evidence = "with real time there is no virtual clock; leave out `,clock=`";
            return Err(Fault::new(FaultKind::Unreachable, evidence));
        }
        let route = Route::new(system)?;
        let line = configured(&route, Some(unit_ns), alphabet, limits)?;
        let (alphabet, limits) = (alphabet.clone(), limits.clone());
        Ok(Self { route, limits, unit_ns, clock, alphabet, line, used: false })
    }
}

impl System for Tron {
    fn begin(&mut self, _seed: u64) -> Result<(), Fault> {
        if self.used {
            self.line.peer.end();
            self.line = configured(&self.route, Some(self.unit_ns), &self.alphabet, &self.limits)?;
        }
        self.used = true;
        self.line.peer.channel.begin();
        // The adapter starts its clock when this arrives.
        self.line.peer.say(&[0], "the start")?;
        self.clock.restart(Instant::now());
        Ok(())
    }

    fn is_exact(&self) -> bool {
        false
    }

    fn now(&self) -> Moment {
        self.clock.now()
    }

    fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
        let event = self.line.message(input)?;
        let earliest = Instant::now();
        self.line.peer.say(&event, "an input")?;
        Ok(self.clock.moment(Span { earliest, latest: Instant::now() }))
    }

    fn wait(&mut self, until: Rational, _awaited: &[Action]) -> Result<Heard, Fault> {
        let slice = self.clock.instant(until).min(Instant::now() + SLICE);
        loop {
            let Some((number, span)) = self.line.number(slice)? else {
                let now = self.clock.quiet(self.line.peer.channel.empty_at(), until);
                return Ok(Heard::Nothing { now });
            };
            if number & ACKNOWLEDGED == 0 {
                let action = self.line.event(number)?;
                return Ok(Heard::Output { at: self.clock.moment(span), action });
            }
        }
    }

    fn scheduling_delays(&mut self) -> Vec<SchedulingDelay> {
        self.line.peer.scheduling_delays(&self.clock)
    }

    /// There is no goodbye: the connection ends when this is dropped.
    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}
