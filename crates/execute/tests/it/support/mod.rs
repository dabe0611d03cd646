//! Test cases and systems for tests.

use std::collections::VecDeque;

use tioga_adapters::{Fault, Heard, ModelSystem, Policy, SchedulingDelay, System};
use tioga_base::{Moment, Rational};
use tioga_execute::{Ending, Event, RunLimits, Tester, drive};
use tioga_model::Model;
use tioga_testcase::{Action, Scope, Shape, TestCase};
use tioga_testkit::{objectives, test_case};

/// A test case for the last control query of a model.
pub fn synthesized(model: &Model, shape: Shape) -> TestCase {
    attempted(model, shape).unwrap_or_else(|| panic!("{}", model.name))
}

/// The same, if there is one.
pub fn attempted(model: &Model, shape: Shape) -> Option<TestCase> {
    let objectives = objectives(model);
    test_case(model, objectives.last().unwrap(), Scope::Cooperative, shape, 50).ok()
}

/// One run, with its events except silence.
pub fn run(system: &mut dyn System, tester: &mut dyn Tester, seed: u64) -> (Ending, Vec<Event>) {
    let mut events = Vec::new();
    let limits = RunLimits { events: 300, ..RunLimits::default() };
    let ending = drive(system, tester, seed, &limits, &mut |event| {
        if !matches!(event, Event::Quiet { .. }) {
            events.push(event.clone());
        }
        Ok(())
    });
    (ending.unwrap(), events)
}

/// A model at the other end of a slow connection.
pub struct Lagging<'m> {
    pub inner: ModelSystem<'m>,
    /// How long inputs and outputs are under way, and how much longer at most.
    pub ways: (Rational, Rational, Rational),
    /// When the machine stands still, so that nothing gets on, in order; and whether it says so.
    pub pauses: Vec<(Rational, Rational)>,
    pub admits: bool,
    /// Jitters are multiples of one over this.
    pub grain: i64,
    asked: Rational,
    random: fastrand::Rng,
    now: Rational,
    arriving: VecDeque<(Rational, Action)>,
    coming: VecDeque<(Rational, Action)>,
}

impl<'m> Lagging<'m> {
    pub fn new(model: &'m Model, ways: (Rational, Rational, Rational)) -> Self {
        Self {
            inner: ModelSystem::new(model, Policy::Random),
            ways,
            pauses: Vec::new(),
            admits: true,
            grain: 4,
            asked: Rational::ZERO,
            random: fastrand::Rng::with_seed(0),
            now: Rational::ZERO,
            arriving: VecDeque::new(),
            coming: VecDeque::new(),
        }
    }

    /// When something sent now along a way arrives, after what was sent before it.
    fn arrival(&mut self, way: Rational, from: Rational, last: Option<Rational>) -> Rational {
        let most = self.ways.2.mul(Rational::integer(self.grain)).unwrap().floor();
        let jitter = Rational::new(self.random.i64(0..=most), self.grain).unwrap();
        let mut arrival = from.add(way).unwrap().add(jitter).unwrap();
        for (begin, end) in &self.pauses {
            if *end > from && *begin < arrival {
                arrival = arrival.add(end.sub((*begin).max(from)).unwrap()).unwrap();
            }
        }
        last.map_or(arrival, |last| last.max(arrival))
    }
}

impl System for Lagging<'_> {
    fn begin(&mut self, seed: u64) -> Result<(), Fault> {
        self.random = fastrand::Rng::with_seed(seed);
        (self.now, self.asked) = (Rational::ZERO, Rational::ZERO);
        self.arriving.clear();
        self.coming.clear();
        self.inner.begin(seed)
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn now(&self) -> Moment {
        Moment::exactly(self.now)
    }

    fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
        let last = self.arriving.back().map(|(at, _)| *at);
        let at = self.arrival(self.ways.0, self.now, last);
        self.arriving.push_back((at, input.clone()));
        Ok(self.now())
    }

    fn wait(&mut self, until: Rational, awaited: &[Action]) -> Result<Heard, Fault> {
        loop {
            let seen = self.coming.front().map_or(until, |(at, _)| (*at).min(until));
            let target = self.arriving.front().map_or(seen, |(at, _)| (*at).min(seen));
            match self.inner.wait(target, awaited)? {
                Heard::Output { at, action } => {
                    let last = self.coming.back().map(|(at, _)| *at);
                    let at = self.arrival(self.ways.1, at.latest(), last);
                    self.coming.push_back((at, action));
                }
                Heard::Nothing { .. } => {
                    if self.arriving.front().is_some_and(|(at, _)| *at <= target) {
                        let (_, action) = self.arriving.pop_front().unwrap();
                        self.inner.send(&action)?;
                    } else if self.coming.front().is_some_and(|(at, _)| *at <= target) {
                        let (at, action) = self.coming.pop_front().unwrap();
                        self.now = at;
                        return Ok(Heard::Output { at: Moment::exactly(at), action });
                    } else if target == until {
                        self.now = until;
                        return Ok(Heard::Nothing { now: Moment::exactly(until) });
                    }
                }
            }
        }
    }

    /// How long the pauses were since this was asked last, but not when.
    fn scheduling_delays(&mut self) -> Vec<SchedulingDelay> {
        let (from, until) = (std::mem::replace(&mut self.asked, self.now), self.now);
        let mut length = Rational::ZERO;
        for (begin, end) in self.pauses.iter().filter(|_| self.admits) {
            let part = (*end).min(until).sub((*begin).max(from)).unwrap();
            length = length.add(part.max(Rational::ZERO)).unwrap();
        }
        vec![SchedulingDelay { from, until, length }]
    }

    fn finish(&mut self) -> Result<(), Fault> {
        self.inner.finish()
    }
}
