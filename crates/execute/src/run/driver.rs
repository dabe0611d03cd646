//! One run: the tester plans, the system does, the listener hears of it first.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use tioga_adapters::{Fault, FaultKind, Heard, Ignored, LongestDelays, SchedulingDelay, System};
use tioga_base::{Cancel, Moment, Rational, StopReason, Times};
use tioga_testcase::{Action, Verdict};

use crate::error::Error;
use crate::journal::event::{Event, Outcome};
use crate::journal::settings::Settings;
use crate::testers::tester::{Conclusion, Plan, Tester};

/// How long a run may be.
#[derive(Clone, Debug)]
pub struct RunLimits {
    /// How many things may happen; more make the run inconclusive.
    pub events: u64,
    /// How many outputs may come at one moment; more are a flood.
    pub outputs_at_once: u64,
    /// The wall-clock limit; a longer run is inconclusive.
    pub wall: Option<Duration>,
    /// Cancels the run.
    pub cancel: Cancel,
    /// How times are shown.
    pub times: Times,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            events: 10_000,
            outputs_at_once: 1000,
            wall: None,
            cancel: Cancel::new(),
            times: Times::default(),
        }
    }
}

impl RunLimits {
    /// The limits of a run in a campaign that is set up so.
    pub(crate) fn of(settings: &Settings, cancel: &Cancel) -> Self {
        let usual = Self::default();
        // A run of online testing ends by itself; between two actions it may wait some times.
        let online = settings.online.as_ref();
        let events = online.map_or(0, |online| online.actions.saturating_mul(100));
        Self {
            events: usual.events.max(events),
            wall: settings.timeout_ms.map(Duration::from_millis),
            cancel: cancel.clone(),
            times: settings.times(),
            ..usual
        }
    }
}

/// Why a run ended that took too long.
const WALL_CLOCK: &str = "the run exceeded its wall-clock limit";

/// How often the flag of a campaign is looked at on behalf of a run.
const GLANCE: Duration = Duration::from_millis(20);

/// Raises a flag of its own when the wall-clock limit of a run is reached, or the run is cancelled: also
/// one step may take long.
struct Alarm {
    cancel: Cancel,
    /// Dropped with the alarm, which ends its thread.
    _set: Option<Sender<()>>,
}

impl Alarm {
    fn set(limits: &RunLimits) -> Self {
        let Some(wall) = limits.wall else {
            return Self { cancel: limits.cancel.clone(), _set: None };
        };
        let (cancel, given) = (Cancel::new(), limits.cancel.clone());
        let (set, is_set) = mpsc::channel();
        let (raised, started) = (cancel.clone(), Instant::now());
        std::thread::spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = is_set.recv_timeout(GLANCE) {
                if let Some(reason) = given.reason() {
                    raised.stop(reason);
                } else if started.elapsed() > wall {
                    raised.stop(StopReason::Time);
                }
            }
        });
        Self { cancel, _set: Some(set) }
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// What it means.
    pub outcome: Outcome,
    /// Why.
    pub reason: String,
    /// The fault, if the outcome is an error.
    pub fault: Option<Fault>,
    /// When it ended.
    pub at: Moment,
    /// How many inputs and outputs there were.
    pub actions: u64,
    /// The longest scheduling delay of tester or system.
    pub longest_delay: Rational,
    /// Whether it is inconclusive because only scheduling delay explains it, so that it is worth making
    /// again.
    pub relies_on_delay: bool,
    /// The first input that the system ignored, if it is a model that did.
    pub ignored: Option<Ignored>,
    /// When the system stopped time, if it is a model that did.
    pub stopped: Option<Moment>,
    /// The scheduling delays, if they mattered to the verdict: the longest.
    pub delays: Vec<SchedulingDelay>,
}

impl Ending {
    /// The end of a run in which nothing more could be observed.
    pub(crate) fn without_observation(
        outcome: Outcome,
        reason: String,
        fault: Option<Fault>,
    ) -> Self {
        Self {
            outcome,
            reason,
            fault,
            at: Moment::START,
            actions: 0,
            longest_delay: Rational::ZERO,
            relies_on_delay: false,
            ignored: None,
            stopped: None,
            delays: Vec::new(),
        }
    }

    /// The end of a run that an error may have hindered. Unless everything stops for it, no side did
    /// anything wrong, but nothing more can be said either.
    pub(crate) fn of(driven: Result<Self, Error>) -> Result<Self, Error> {
        match driven {
            Ok(_) | Err(Error::Listener(_) | Error::Cancelled) => driven,
            Err(error) => {
                Ok(Self::without_observation(Outcome::Inconclusive, error.to_string(), None))
            }
        }
    }

    /// The event that tells of it.
    pub(crate) fn event(&self) -> Event {
        let Self { outcome, reason, at, longest_delay, ignored, stopped, delays, .. } =
            self.clone();
        Event::End { outcome, reason, at, longest_delay, ignored, stopped, delays }
    }
}

/// Hears of everything before tester or system act on it.
pub type Listener<'l> = dyn FnMut(&Event) -> std::io::Result<()> + 'l;

/// Runs a test that has not begun yet.
pub fn drive(
    system: &mut dyn System,
    tester: &mut dyn Tester,
    seed: u64,
    limits: &RunLimits,
    listener: &mut Listener<'_>,
) -> Result<Ending, Error> {
    let begun = system.begin(seed);
    drive_begun(begun, system, tester, limits, listener)
}

/// Runs a test on a system that has begun, or failed to.
pub(crate) fn drive_begun(
    begun: Result<(), Fault>,
    system: &mut dyn System,
    tester: &mut dyn Tester,
    limits: &RunLimits,
    listener: &mut Listener<'_>,
) -> Result<Ending, Error> {
    let alarm = Alarm::set(limits);
    system.stop_with(&alarm.cancel);
    tester.stop_with(&alarm.cancel);
    let mut run = Run {
        system,
        tester,
        limits,
        stop: alarm.cancel.clone(),
        listener,
        started: Instant::now(),
        events: 0,
        actions: 0,
        together: (Rational::ZERO, 0),
        longest_delay: Rational::ZERO,
        delays: LongestDelays::default(),
    };
    let stopped = match begun {
        Ok(()) => run.until_the_end(),
        Err(fault) => Err(Stopped::Fault(fault)),
    };
    let (outcome, reason, fault, at) = match stopped {
        Ok(Conclusion { verdict: Verdict::Uncertain, reason, at }) => {
            // The run claims no pass that is not certain, but says what it saw.
            let reason = format!("pass, uncertain: {reason}");
            (Verdict::Uncertain.into(), reason, None, Moment::exactly(at))
        }
        Ok(Conclusion { verdict, reason, at }) => {
            (verdict.into(), reason, None, Moment::exactly(at))
        }
        Err(Stopped::Early(reason)) => (Outcome::Inconclusive, reason, None, run.system.now()),
        // In the middle of a step.
        Err(Stopped::Error(Error::Cancelled)) if !limits.cancel.is_cancelled() => {
            (Outcome::Inconclusive, WALL_CLOCK.to_owned(), None, run.system.now())
        }
        // Whoever cancels a run may also end its system, which is not to blame then.
        Err(Stopped::Fault(_)) if limits.cancel.is_cancelled() => return Err(Error::Cancelled),
        Err(Stopped::Fault(fault)) => {
            let at = run.system.now();
            run.tell(&Event::Fault { at, fault: fault.clone() }).map_err(only_error)?;
            (Outcome::Error, fault.to_string(), Some(fault), at)
        }
        Err(Stopped::Error(error)) => return Err(error),
    };
    let (ignored, stopped) = (run.system.ignored(), run.system.stopped());
    let guess = ignored.as_ref().filter(|ignored| run.tester.is_guess(&ignored.action));
    let (outcome, reason) = match guess {
        Some(Ignored { action, .. }) if matches!(outcome, Outcome::Pass | Outcome::Fail) => {
            let why = "which it takes in other states that look the same to the tester";
            let reason = format!("{reason}; the model under test had ignored `{action}`, {why}");
            (Outcome::Inconclusive, reason)
        }
        _ => (outcome, reason),
    };
    let relies_on_delay = run.tester.relies_on_delay();
    // Otherwise the run is as it would have been without scheduling delay.
    let mattered = relies_on_delay || outcome == Outcome::Fail;
    let delays = if mattered { run.delays.into_list() } else { Vec::new() };
    let relies_on_delay = relies_on_delay && outcome == Outcome::Inconclusive;
    let (actions, longest_delay) = (run.actions, run.longest_delay);
    Ok(Ending {
        outcome,
        reason,
        fault,
        at,
        actions,
        longest_delay,
        relies_on_delay,
        ignored,
        stopped,
        delays,
    })
}

fn only_error(stopped: Stopped) -> Error {
    match stopped {
        Stopped::Error(error) => error,
        Stopped::Early(_) | Stopped::Fault(_) => Error::Cancelled,
    }
}

/// Why a run ended without a conclusion of the tester.
enum Stopped {
    Early(String),
    Fault(Fault),
    Error(Error),
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl<E: Into<Error>> From<E> for Stopped {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

struct Run<'r, 'l> {
    system: &'r mut dyn System,
    tester: &'r mut dyn Tester,
    limits: &'r RunLimits,
    /// Raised with the flag of the limits, and when the wall-clock limit is reached.
    stop: Cancel,
    listener: &'r mut Listener<'l>,
    started: Instant,
    events: u64,
    actions: u64,
    /// How many outputs there were at this time, since the last input.
    together: (Rational, u64),
    longest_delay: Rational,
    delays: LongestDelays,
}

impl Run<'_, '_> {
    fn tell(&mut self, event: &Event) -> Result<(), Stopped> {
        (self.listener)(event).map_err(|error| Stopped::Error(Error::Listener(error)))
    }

    fn until_the_end(&mut self) -> Result<Conclusion, Stopped> {
        let mut due = Rational::ZERO;
        // Whether the system had its turn since something happened.
        let mut asked = false;
        loop {
            self.check_limits()?;
            let plan = self.tester.plan()?;
            if let (Plan::Send(_), false) = (&plan, asked) {
                // What the system says at this very moment comes before what is sent then.
                let now = self.system.now().latest();
                if let Heard::Output { at, action } = self.system.wait(now, &[])? {
                    due = at.latest();
                    if let Some(conclusion) = self.hear(at, &action)? {
                        return self.concluded(conclusion);
                    }
                    continue;
                }
            }
            asked = false;
            let over = match plan {
                Plan::Stop(conclusion) => return self.concluded(conclusion),
                Plan::Send(action) => {
                    let late = self.system.now().latest().sub(due)?;
                    self.longest_delay = self.longest_delay.max(late);
                    self.send(&action)?
                }
                Plan::Wait { until, awaited } => match self.system.wait(until, &awaited)? {
                    Heard::Nothing { now } => {
                        // A wait may end early; what follows is due then.
                        due = until.min(now.latest());
                        asked = true;
                        self.tell(&Event::Quiet { now })?;
                        self.tell_delays()?;
                        self.tester.quiet(now)?
                    }
                    Heard::Output { at, action } => {
                        due = at.latest();
                        self.hear(at, &action)?
                    }
                },
            };
            if let Some(conclusion) = over {
                return self.concluded(conclusion);
            }
        }
    }

    /// What was concluded while the run was being cancelled may lack an explanation, so it does not count.
    fn concluded(&self, conclusion: Conclusion) -> Result<Conclusion, Stopped> {
        if self.stop.is_cancelled() {
            return Err(Stopped::Error(Error::Cancelled));
        }
        Ok(conclusion)
    }

    fn check_limits(&mut self) -> Result<(), Stopped> {
        self.events += 1;
        if self.limits.cancel.is_cancelled() {
            return Err(Stopped::Error(Error::Cancelled));
        }
        if self.events > self.limits.events {
            let reason = format!("there was no verdict after {} events", self.limits.events);
            return Err(Stopped::Early(reason));
        }
        if self.limits.wall.is_some_and(|wall| self.started.elapsed() > wall) {
            return Err(Stopped::Early(WALL_CLOCK.to_owned()));
        }
        Ok(())
    }

    /// Tells the tester the scheduling delays since it was told last.
    fn tell_delays(&mut self) -> Result<(), Stopped> {
        for delay in self.system.scheduling_delays() {
            self.longest_delay = self.longest_delay.max(delay.length);
            self.delays.add(delay);
            self.tester.scheduling_delay(delay)?;
        }
        Ok(())
    }

    fn send(&mut self, action: &Action) -> Result<Option<Conclusion>, Stopped> {
        self.actions += 1;
        self.together.1 = 0;
        let at = if self.system.is_exact() {
            let at = self.system.now();
            self.tell(&Event::Sent { at, action: action.clone() })?;
            self.system.send(action)?
        } else {
            self.tell(&Event::Sending { action: action.clone() })?;
            let at = self.system.send(action)?;
            self.tell(&Event::Sent { at, action: action.clone() })?;
            at
        };
        self.tell_delays()?;
        Ok(self.tester.sent(action, at)?)
    }

    fn hear(&mut self, at: Moment, action: &Action) -> Result<Option<Conclusion>, Stopped> {
        self.actions += 1;
        let time = at.latest();
        self.together = (time, if time == self.together.0 { self.together.1 + 1 } else { 1 });
        self.tell(&Event::Heard { at, action: action.clone() })?;
        if self.together.1 > self.limits.outputs_at_once {
            let (most, at) = (self.limits.outputs_at_once, self.limits.times.moment(at));
            let evidence = format!("more than {most} outputs at {at}");
            return Err(Fault::new(FaultKind::Flood, evidence).into());
        }
        self.tell_delays()?;
        Ok(self.tester.heard(action, at)?)
    }
}
