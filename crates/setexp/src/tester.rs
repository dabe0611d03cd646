//! The Tester (KHO 5) in one process with its system: it follows a script, and sends what the script says.

use std::collections::BTreeMap;

use tioga_base::{Moment, Rational};
use tioga_terms::SymbolId;

use crate::error::Refusal;
use crate::follower::ScriptFollower;
use crate::graph::Verdict;
use crate::message::Message;
use crate::script::Script;
use crate::sending::Advice;
use crate::solver::Solver;

/// A system under test, in the time of the tester.
pub trait SystemUnderTest {
    /// Takes an input at an instant, which is not before any earlier one.
    fn input(&mut self, at: Rational, message: &Message);

    /// The first output after `after` and not after `until`; without `until`, whenever it comes. Nothing if
    /// none comes.
    fn output(&mut self, after: Rational, until: Option<Rational>) -> Option<(Rational, Message)>;
}

/// How a test is run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Values of symbolic constants that are known.
    pub constants: BTreeMap<SymbolId, Rational>,
    /// How long to wait where only outputs are awaited.
    pub timeout: Rational,
    /// How soon an input is sent, unless an expiration comes first.
    pub reaction: Rational,
    /// The most events of a run.
    pub max_events: usize,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            constants: BTreeMap::new(),
            timeout: Rational::integer(1000),
            reaction: Rational::ONE,
            max_events: 1000,
        }
    }
}

/// What came of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// Why, in a sentence.
    pub reason: String,
    /// The messages, with their instants.
    pub events: Vec<(Rational, String)>,
}

/// A tester in a run.
pub struct Tester<'t> {
    follower: ScriptFollower<'t>,
    solver: &'t mut dyn Solver,
    options: &'t RunOptions,
    now: Rational,
    events: Vec<(Rational, String)>,
}

impl<'t> Tester<'t> {
    /// A tester at its start.
    pub fn new(
        script: &'t Script,
        solver: &'t mut dyn Solver,
        options: &'t RunOptions,
    ) -> Result<Self, Refusal> {
        let follower = ScriptFollower::new(script, options.constants.clone(), solver)?;
        Ok(Self { follower, solver, options, now: Rational::ZERO, events: Vec::new() })
    }

    /// Runs the test to its verdict.
    pub fn run(mut self, system: &mut dyn SystemUnderTest) -> Result<Outcome, Refusal> {
        for _ in 0..self.options.max_events {
            let over = match self.follower.verdict() {
                None => self.turn(system)?,
                over => over,
            };
            if let Some((verdict, reason)) = over {
                return Ok(Outcome { verdict, reason, events: self.events });
            }
        }
        let reason = format!("{} events led to no verdict", self.options.max_events);
        Ok(Outcome { verdict: Verdict::Inconclusive, reason, events: self.events })
    }

    /// One event: an input, an output, an expiration or a timeout.
    fn turn(
        &mut self,
        system: &mut dyn SystemUnderTest,
    ) -> Result<Option<(Verdict, String)>, Refusal> {
        let expiry = self.follower.next_expiry();
        let advice = self.follower.advice(self.solver, &mut |_| 0)?;
        if let Advice::Send(message) = &advice {
            let half = |gap: Rational| gap.div(Rational::integer(2));
            let delay = match expiry {
                Some(at) => half(at.sub(self.now)?)?.min(self.options.reaction),
                None => self.options.reaction,
            };
            if delay > Rational::ZERO {
                let at = self.now.add(delay)?;
                return match system.output(self.now, Some(at)) {
                    Some((when, output)) => self.receive(when, &output),
                    None => self.send(system, at, message),
                };
            }
        }
        // A deadline has passed only after its instant.
        let until = match expiry {
            Some(at) if at <= self.now => self.now.add(Rational::ONE)?,
            Some(at) => at,
            None => self.now.add(self.options.timeout)?,
        };
        if let Some((when, output)) = system.output(self.now, Some(until)) {
            return self.receive(when, &output);
        }
        self.now = until;
        if expiry.is_none() {
            self.events.push((until, "timeout".to_owned()));
            let reason = format!("nothing came for {} time units", self.options.timeout);
            return Ok(Some((Verdict::Inconclusive, reason)));
        }
        if let Advice::SendAt(message) = &advice
            && expiry == Some(until)
        {
            return self.send(system, until, message);
        }
        self.follower.quiet(Moment::exactly(until), self.solver)
    }

    fn send(
        &mut self,
        system: &mut dyn SystemUnderTest,
        at: Rational,
        message: &Message,
    ) -> Result<Option<(Verdict, String)>, Refusal> {
        system.input(at, message);
        self.now = at;
        self.events.push((at, format!("{message}?")));
        self.follower.sent(Moment::exactly(at), message, self.solver)
    }

    fn receive(
        &mut self,
        at: Rational,
        message: &Message,
    ) -> Result<Option<(Verdict, String)>, Refusal> {
        self.now = at;
        self.events.push((at, format!("{message}!")));
        self.follower.heard(Moment::exactly(at), message, self.solver)
    }
}
