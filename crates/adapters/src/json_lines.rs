//! The protocol of one JSON object per line, with virtual or real time.
//!
//! With virtual time the system speaks only when it is asked: each `advance` has exactly one answer,
//! which says either that the time passed, or that time stopped at an output. Inputs wait here until
//! the next `advance` and go out together with it. With real time, outputs come when they come.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tioga_base::{Moment, Rational};
use tioga_testcase::Action;

use crate::alphabet::{Alphabet, Carried};
use crate::channel::Read;
use crate::fault::{Fault, FaultKind};
use crate::json_message::{Message, hello, parse, put_advance, put_bye, put_input, put_reset};
use crate::limits::AdapterLimits;
use crate::peer::Peer;
use crate::protocol::TimeBase;
use crate::real_clock::{RealClock, SLICE, Span};
use crate::scheduling_delay::SchedulingDelay;
use crate::system::{Heard, System};
use crate::system_ref::SystemRef;

/// A system that speaks JSON lines.
pub(super) struct JsonLines {
    peer: Peer,
    clock: Clock,
    outputs: Vec<String>,
    carried: BTreeMap<String, Carried>,
    /// What was not sent yet.
    outgoing: Vec<u8>,
    runs: u64,
    /// How long the answer to the last reset took.
    reset_time: Option<Duration>,
}

enum Clock {
    Virtual(Rational),
    Real(RealClock),
}

/// More waiting inputs than this are sent without waiting for time to pass.
const WAITING: usize = 8 * 1024;

/// How often a run is begun at most. If there is a scheduling delay while a run begins, the clocks of
/// tester and system do not start together; it is better to begin once more.
const ATTEMPTS: usize = 5;

impl JsonLines {
    /// Greets the system and compares the alphabets.
    pub fn open(
        system: &SystemRef,
        time: TimeBase,
        alphabet: &Alphabet,
        limits: &AdapterLimits,
    ) -> Result<Self, Fault> {
        let clock = match time {
            TimeBase::Virtual => Clock::Virtual(Rational::ZERO),
            TimeBase::Real { unit_ns } => Clock::Real(RealClock::of_unit(unit_ns)?),
        };
        let dated = matches!(clock, Clock::Real(_));
        let peer = Peer::open(system, &[], limits, dated)?;
        let outputs = alphabet.outputs.clone();
        let carried = alphabet.carried.clone();
        let mut this =
            Self { peer, clock, outputs, carried, outgoing: Vec::new(), runs: 0, reset_time: None };
        this.peer.say(&hello(alphabet, time), "`hello`")?;
        this.peer.answer("`hello`", limits.start)?;
        match this.message()? {
            Message::Hello { inputs, outputs } => this.compare(alphabet, inputs, outputs)?,
            _ => return Err(this.peer.blame(FaultKind::Garbage, "this is no answer to `hello`")),
        }
        Ok(this)
    }

    /// Checks that the system takes what the test sends and says only what the test knows.
    fn compare(
        &mut self,
        alphabet: &Alphabet,
        inputs: Option<Vec<String>>,
        outputs: Option<Vec<String>>,
    ) -> Result<(), Fault> {
        let absent = |names: &[String], from: &[String]| -> Vec<String> {
            let absent = names.iter().filter(|name| !from.contains(name));
            absent.map(|name| format!("`{name}`")).collect()
        };
        let mut wrong = Vec::new();
        if let Some(inputs) = inputs {
            let missing = absent(&alphabet.inputs, &inputs);
            if !missing.is_empty() {
                wrong.push(format!("it does not take the inputs {}", missing.join(", ")));
            }
        }
        if let Some(outputs) = outputs {
            let unknown = absent(&outputs, &alphabet.outputs);
            if !unknown.is_empty() && !alphabet.any_output {
                wrong.push(format!("the test does not know the outputs {}", unknown.join(", ")));
            }
        }
        if wrong.is_empty() {
            return Ok(());
        }
        Err(self.peer.fault(FaultKind::Mismatch, wrong.join("; ")))
    }

    /// The message of the last line; an error that the system reports is a fault.
    fn message(&mut self) -> Result<Message, Fault> {
        match parse(self.peer.channel.line()) {
            Ok(Message::Error(text)) => {
                let text: String = text.chars().take(2000).collect();
                Err(self.peer.fault(FaultKind::Reported, text))
            }
            Ok(message) => Ok(message),
            Err(why) => Err(self.peer.blame(FaultKind::Garbage, &why)),
        }
    }

    /// An output, if the test knows it and it carries what it can carry.
    fn known(&mut self, action: Action) -> Result<Action, Fault> {
        if self.outputs.contains(&action.channel) {
            let carried = self.carried.get(&action.channel);
            return match carried.and_then(|carried| carried.refuses(&action)) {
                Some(why) => Err(self.peer.blame(FaultKind::Garbage, &why)),
                None => Ok(action),
            };
        }
        let why = format!("the test knows no output `{}`", action.channel);
        Err(self.peer.blame(FaultKind::UnknownName, &why))
    }

    /// Sends everything that waits.
    fn flush(&mut self, what: &str) -> Result<(), Fault> {
        let result = self.peer.say(&self.outgoing, what);
        self.outgoing.clear();
        result.map_err(|fault| self.last_words().unwrap_or(fault))
    }

    /// The error that the system reported before it stopped reading, if it did.
    fn last_words(&mut self) -> Option<Fault> {
        let now = Instant::now();
        for _ in 0..self.peer.limits.burst {
            let Read::Got(_) = self.peer.channel.read_line(now) else { return None };
            if let Err(fault) = self.message() {
                return (fault.kind == FaultKind::Reported).then_some(fault);
            }
        }
        None
    }

    fn advance(&mut self, now: Rational, until: Rational) -> Result<Heard, Fault> {
        let large = |_| Fault::new(FaultKind::Garbage, "the time became too large to be exact");
        let delay = until.max(now).sub(now).map_err(large)?;
        put_advance(&mut self.outgoing, delay);
        self.flush("`advance`")?;
        self.peer.answer("`advance`", self.peer.limits.answer)?;
        match self.message()? {
            Message::Advanced(passed) if passed == delay => {
                let now = until.max(now);
                self.clock = Clock::Virtual(now);
                Ok(Heard::Nothing { now: Moment::exactly(now) })
            }
            Message::Output { action, after: Some(after) }
                if !after.is_negative() && after <= delay =>
            {
                let action = self.known(action)?;
                let now = now.add(after).map_err(large)?;
                self.clock = Clock::Virtual(now);
                Ok(Heard::Output { at: Moment::exactly(now), action })
            }
            message => Err(self.wrong_answer(&message, delay)),
        }
    }

    /// What is wrong with an answer to `advance`.
    fn wrong_answer(&mut self, message: &Message, delay: Rational) -> Fault {
        let why = match message {
            Message::Advanced(_) => format!("time should advance by {delay}"),
            Message::Output { after: None, .. } => {
                "with virtual time an output says after which time it comes".to_owned()
            }
            Message::Output { .. } => format!("the output should come after 0 to {delay}"),
            _ => "this is no answer to `advance`".to_owned(),
        };
        self.peer.blame(FaultKind::Garbage, &why)
    }

    /// Waits for an output with real time.
    fn listen(&mut self, until: Rational) -> Result<Heard, Fault> {
        let Clock::Real(clock) = &mut self.clock else {
            unreachable!("only called with real time");
        };
        let slice = clock.instant(until).min(Instant::now() + SLICE);
        let Some(span) = self.peer.listen(slice)? else {
            let now = clock.quiet(self.peer.channel.empty_at(), until);
            return Ok(Heard::Nothing { now });
        };
        let at = clock.moment(span);
        match self.message()? {
            Message::Output { action, after: None } => {
                Ok(Heard::Output { at, action: self.known(action)? })
            }
            Message::Output { .. } => {
                let why = "with real time an output has no `after`";
                Err(self.peer.blame(FaultKind::Garbage, why))
            }
            _ => Err(self.peer.blame(FaultKind::Garbage, "only outputs are expected now")),
        }
    }

    /// Waits for `ready`. Outputs of the run before may still be under way with real time.
    fn await_ready(&mut self) -> Result<Span, Fault> {
        let deadline = Instant::now() + self.peer.limits.answer;
        for _ in 0..=self.peer.limits.burst {
            let left = deadline.saturating_duration_since(Instant::now());
            let limit = self.peer.limits.answer;
            let span = self.peer.answer("`reset`", left).map_err(|fault| {
                // The one who does not answer a reset has not reset.
                let late = fault.kind == FaultKind::Hang;
                let evidence = format!("no `ready` within {limit:?} after `reset`");
                if late { Fault::new(FaultKind::Reset, evidence) } else { fault }
            })?;
            let dropped = matches!(self.clock, Clock::Real(_));
            match self.message()? {
                Message::Ready => return Ok(span),
                Message::Output { .. } if dropped => {}
                Message::Output { .. } | Message::Advanced(_) if self.runs > 1 => {
                    let why = "nothing but `ready` is expected after the end of a run";
                    return Err(self.peer.blame(FaultKind::Late, why));
                }
                _ => {
                    let why = "this is no answer to `reset`";
                    return Err(self.peer.blame(FaultKind::Garbage, why));
                }
            }
        }
        let why =
            format!("more than {} outputs between `reset` and `ready`", self.peer.limits.burst);
        Err(self.peer.blame(FaultKind::Flood, &why))
    }
}

impl System for JsonLines {
    fn begin(&mut self, seed: u64) -> Result<(), Fault> {
        self.runs += 1;
        for _ in 0..ATTEMPTS {
            self.peer.channel.begin();
            let asked = Instant::now();
            put_reset(&mut self.outgoing, seed);
            self.flush("`reset`")?;
            let ready = self.await_ready()?;
            match &mut self.clock {
                Clock::Virtual(now) => {
                    *now = Rational::ZERO;
                    break;
                }
                Clock::Real(clock) => {
                    clock.restart(ready.latest);
                    // The system's clock started somewhere in between.
                    let between = ready.latest.saturating_duration_since(asked);
                    self.reset_time = Some(between);
                    let late = between.min(self.peer.channel.waited_since(asked));
                    if late <= clock.grain() {
                        break;
                    }
                }
            }
        }
        self.peer.channel.end_burst();
        Ok(())
    }

    fn is_exact(&self) -> bool {
        matches!(self.clock, Clock::Virtual(_))
    }

    fn now(&self) -> Moment {
        match &self.clock {
            Clock::Virtual(now) => Moment::exactly(*now),
            Clock::Real(clock) => clock.now(),
        }
    }

    fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
        put_input(&mut self.outgoing, input);
        match &self.clock {
            Clock::Virtual(now) => {
                let now = *now;
                if self.outgoing.len() > WAITING {
                    self.flush("`input`")?;
                }
                Ok(Moment::exactly(now))
            }
            Clock::Real(_) => {
                let earliest = Instant::now();
                self.flush("`input`")?;
                let span = Span { earliest, latest: Instant::now() };
                let Clock::Real(clock) = &mut self.clock else {
                    unreachable!("the kind of time does not change");
                };
                Ok(clock.moment(span))
            }
        }
    }

    fn wait(&mut self, until: Rational, _awaited: &[Action]) -> Result<Heard, Fault> {
        match self.clock {
            Clock::Virtual(now) => self.advance(now, until),
            Clock::Real(_) => self.listen(until),
        }
    }

    fn scheduling_delays(&mut self) -> Vec<SchedulingDelay> {
        match &self.clock {
            Clock::Virtual(_) => Vec::new(),
            Clock::Real(clock) => self.peer.scheduling_delays(clock),
        }
    }

    fn reset_time(&self) -> Option<Duration> {
        self.reset_time
    }

    fn finish(&mut self) -> Result<(), Fault> {
        put_bye(&mut self.outgoing);
        self.flush("`bye`")?;
        let dropped = matches!(self.clock, Clock::Real(_));
        self.peer.farewell(|peer| {
            // With real time, an output may have been under way when the system heard goodbye.
            let output = matches!(parse(peer.channel.line()), Ok(Message::Output { .. }));
            if dropped && output {
                return Ok(());
            }
            Err(peer.blame(FaultKind::Late, "nothing is expected after `bye`"))
        })
    }
}
