//! The clock of the machine as time of a model, and how far it can be trusted.
//!
//! A moment is a pair of readings of the monotonic clock between which something happened, counted
//! from the start of the run in written units of the model. Readings are rounded outwards to a tick, a
//! millionth of a unit but at most a microsecond, so that the numbers stay small without claiming to
//! know more than is known.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use tioga_base::{Moment, Rational};

use crate::fault::{Fault, FaultKind};
use crate::scheduling_delay::SchedulingDelay;
use crate::watch::HostDelay;

/// Between which readings of the clock something happened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub earliest: Instant,
    pub latest: Instant,
}

/// A clock that shows the time of a run.
#[derive(Clone, Debug)]
pub(super) struct RealClock {
    start: Instant,
    unit: i64,
    tick: i64,
    /// The earliest and the latest time told so far. Moments are told in the order of the tester's
    /// observations, so neither bound of a moment lies before those of an earlier one.
    told: (Rational, Rational),
}

/// Real waits come back after this long, so that the driver can look after its limits.
pub(super) const SLICE: Duration = Duration::from_secs(1);

/// Longer waits than this are cut: no run takes a hundred years.
const HORIZON: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

impl RealClock {
    /// A clock that starts now, for units of this many nanoseconds; nothing if there is no such unit.
    pub fn new(unit_ns: u64) -> Option<Self> {
        let unit = i64::try_from(unit_ns).ok().filter(|unit| *unit > 0)?;
        let mut tick = 1000;
        while tick > 1 && tick > unit / 1_000_000 {
            tick /= 10;
        }
        let told = (Rational::ZERO, Rational::ZERO);
        Some(Self { start: Instant::now(), unit, tick, told })
    }

    /// The clock, or the fault that there is no such unit.
    pub fn of_unit(unit_ns: u64) -> Result<Self, Fault> {
        let evidence = format!("a time unit cannot have {unit_ns} nanoseconds");
        Self::new(unit_ns).ok_or_else(|| Fault::new(FaultKind::Unreachable, evidence))
    }

    /// Starts again.
    pub fn restart(&mut self, start: Instant) {
        self.start = start;
        self.told = (Rational::ZERO, Rational::ZERO);
    }

    /// The time that passes in this many ticks.
    fn ticks(&self, count: i64) -> Rational {
        count
            .checked_mul(self.tick)
            .and_then(|nanoseconds| Rational::new(nanoseconds, self.unit).ok())
            .unwrap_or(Rational::integer(i64::MAX))
    }

    fn nanoseconds(&self, instant: Instant) -> i64 {
        i64::try_from(instant.saturating_duration_since(self.start).as_nanos()).unwrap_or(i64::MAX)
    }

    /// The last tick that is not after this instant.
    pub fn before(&self, instant: Instant) -> Rational {
        self.ticks(self.nanoseconds(instant) / self.tick)
    }

    /// The first tick that is not before this instant.
    fn after(&self, instant: Instant) -> Rational {
        let nanoseconds = self.nanoseconds(instant);
        self.ticks(nanoseconds / self.tick + i64::from(nanoseconds % self.tick != 0))
    }

    /// The moment between two readings.
    pub fn moment(&mut self, span: Span) -> Moment {
        let earliest = self.before(span.earliest).max(self.told.0);
        let latest = self.after(span.latest).max(self.told.1).max(earliest);
        self.told = (earliest, latest);
        Moment::between(earliest, latest).expect("the latest is not before the earliest")
    }

    /// The moment up to which nothing happened, given a reading at which that was known. It is not
    /// before `until` if the reading is not before the instant of `until`, whatever the rounding.
    pub fn quiet(&mut self, known: Instant, until: Rational) -> Moment {
        let mut time = self.before(known).max(self.told.1);
        if known >= self.instant(until) {
            time = time.max(until);
        }
        self.told = (time, time);
        Moment::exactly(time)
    }

    /// What the time is.
    pub fn now(&self) -> Moment {
        let now = Instant::now();
        let earliest = self.before(now).max(self.told.0);
        let latest = self.after(now).max(self.told.1).max(earliest);
        Moment::between(earliest, latest).expect("the latest is not before the earliest")
    }

    /// The first instant that is not before a time of the run.
    pub fn instant(&self, time: Rational) -> Instant {
        let product = i128::from(time.numerator().max(0)) * i128::from(self.unit);
        let denominator = i128::from(time.denominator());
        let nanoseconds = product / denominator + i128::from(product % denominator != 0);
        let wait = u64::try_from(nanoseconds).map_or(HORIZON, Duration::from_nanos).min(HORIZON);
        self.start + wait
    }

    /// A part of a time unit that hardly matters, but not less than what sleeping always costs.
    pub fn grain(&self) -> Duration {
        let unit = Duration::from_nanos(self.unit.unsigned_abs());
        (unit / 16).max(Duration::from_micros(500))
    }

    /// Scheduling delay in the time of the run, rounded outwards.
    pub fn scheduling_delay(&self, waits: HostDelay) -> SchedulingDelay {
        let length = self.after(self.start + waits.length.min(HORIZON));
        SchedulingDelay { from: self.before(waits.from), until: self.after(waits.until), length }
    }
}

/// How much later than asked the operating system wakes the tester, measured wherever a wait ends by
/// its deadline.
#[derive(Clone, Debug, Default)]
pub(super) struct WakeDelays {
    recent: VecDeque<Duration>,
}

/// How many waits are remembered. Load comes and goes; this is a few seconds of a usual run.
const REMEMBERED: usize = 64;

impl WakeDelays {
    /// A wait that should have ended at `due` ended at `woken`.
    pub fn record(&mut self, due: Instant, woken: Instant) {
        if self.recent.len() == REMEMBERED {
            self.recent.pop_front();
        }
        self.recent.push_back(woken.saturating_duration_since(due));
    }

    /// The worst of the waits that are remembered.
    pub fn worst(&self) -> Duration {
        self.recent.iter().copied().max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn clock(unit_ns: u64) -> RealClock {
        RealClock::new(unit_ns).unwrap()
    }

    #[test]
    fn readings_are_rounded_outwards_to_a_millionth_of_a_unit() {
        let mut clock = clock(1_000_000_000);
        let at = |ns| clock.start + Duration::from_nanos(ns);
        let span = Span { earliest: at(1_500_000_999), latest: at(1_500_001_001) };
        let moment = clock.moment(span);
        assert_eq!(moment.to_string(), "3/2..750001/500000");
    }

    #[test]
    fn moments_never_go_back() {
        let mut clock = clock(1_000_000);
        let at = |ns| clock.start + Duration::from_nanos(ns);
        let (late, early) = (at(2_000_000), at(1_000_000));
        clock.moment(Span { earliest: late, latest: late });
        let moment = clock.moment(Span { earliest: early, latest: late });
        assert_eq!(moment.to_string(), "2");
        assert_eq!(clock.quiet(early, Rational::ONE).to_string(), "2");
    }

    #[test]
    fn a_unit_of_nothing_is_refused() {
        assert!(RealClock::new(0).is_none());
        assert!(RealClock::new(u64::MAX).is_none());
    }

    #[test]
    fn the_worst_recent_wait_is_remembered() {
        let (mut wake_delays, due) = (WakeDelays::default(), Instant::now());
        wake_delays.record(due, due + Duration::from_millis(5));
        for _ in 1..REMEMBERED {
            wake_delays.record(due, due + Duration::from_millis(1));
        }
        assert_eq!(wake_delays.worst(), Duration::from_millis(5));
        wake_delays.record(due, due);
        assert_eq!(wake_delays.worst(), Duration::from_millis(1));
    }

    proptest! {
        #[test]
        fn quiet_until_a_time_is_not_before_that_time(
            unit in 1u64..10_000_000_000,
            numerator in 0i64..1_000_000,
            denominator in 1i64..1000,
        ) {
            let mut clock = clock(unit);
            let until = Rational::new(numerator, denominator).unwrap();
            let reached = clock.instant(until);
            prop_assert!(clock.quiet(reached, until).earliest() >= until);
        }

        #[test]
        fn an_instant_lies_within_its_moment(unit in 1u64..10_000_000_000, ns in 0u64..1_000_000_000_000) {
            let mut clock = clock(unit);
            let instant = clock.start + Duration::from_nanos(ns);
            let exact = Rational::new(ns as i64, unit as i64).unwrap();
            let moment = clock.moment(Span { earliest: instant, latest: instant });
            prop_assert!(moment.earliest() <= exact && exact <= moment.latest());
        }
    }
}
