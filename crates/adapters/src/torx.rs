//! The lines of TorX and JTorX: the tester asks, the adapter answers each question once.
//!
//! `C_IOKIND` is answered by `A_IOKIND`; `C_INPUT event=L` by `A_INPUT event=L`, or by
//! `A_OUTPUT event=M` if an output came first, and then the input was not given and is given again;
//! `C_OUTPUT` by `A_OUTPUT event=M`, or by `A_OUTPUT event=delta` (also `suspension=1`) if nothing came
//! within the time that the variables `TORXTIMEOUT` and `TORXTIMEUNIT` say; `C_QUIT` by `A_QUIT`. Any
//! question may be answered by `A_ERROR`. The fields of a line are separated by tabs.
//!
//! TorX knows no time, so there is only real time here: an output happened between the last question
//! that found nothing and its answer. There is no reset: each run has a new process.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use tioga_base::{Moment, Rational};
use tioga_testcase::Action;

use crate::alphabet::{Alphabet, Carried};
use crate::fault::{Fault, FaultKind};
use crate::limits::AdapterLimits;
use crate::peer::Peer;
use crate::real_clock::{RealClock, SLICE, Span};
use crate::scheduling_delay::SchedulingDelay;
use crate::system::{Heard, System};
use crate::system_ref::SystemRef;

/// A system behind a TorX adapter.
pub(super) struct Torx {
    system: SystemRef,
    environment: Vec<(&'static str, String)>,
    peer: Peer,
    clock: RealClock,
    outputs: Vec<String>,
    /// What they carry, as far as that is known.
    carried: BTreeMap<String, Carried>,
    /// When `C_OUTPUT` was written that has no answer yet.
    asked: Option<Instant>,
    /// When there was certainly nothing to observe.
    quiet_at: Instant,
    /// Outputs that came when an input was to be given.
    early: VecDeque<(Span, Action)>,
    used: bool,
}

/// How long to wait after an adapter said at once that nothing came, before asking again. Outputs
/// that come faster than this after a question may have waited in the adapter.
const PAUSE: Duration = Duration::from_millis(1);

/// An answer of the adapter: its first word and its event.
enum Answer {
    Kind,
    Input(Option<String>),
    Output(Action),
    Quiet,
    Quit,
}

impl Torx {
    /// Starts the adapter and asks whether it is there.
    pub fn open(
        system: &SystemRef,
        unit_ns: u64,
        alphabet: &Alphabet,
        limits: &AdapterLimits,
    ) -> Result<Self, Fault> {
        let clock = RealClock::of_unit(unit_ns)?;
        // A tenth of a unit, so that questions do not keep inputs waiting for long.
        let patience = (unit_ns / 10_000_000).clamp(1, 100);
        let environment = vec![
            ("TORXTIMEOUT", patience.to_string()),
            ("TORXTIMEUNIT", "milliseconds".to_owned()),
        ];
        let peer = Peer::open(system, &environment, limits, true)?;
        let mut this = Self {
            system: system.to_owned(),
            environment,
            peer,
            clock,
            outputs: alphabet.outputs.clone(),
            carried: alphabet.carried.clone(),
            asked: None,
            quiet_at: Instant::now(),
            early: VecDeque::new(),
            used: false,
        };
        this.greet()?;
        Ok(this)
    }

    fn greet(&mut self) -> Result<(), Fault> {
        self.peer.say(b"C_IOKIND\n", "`C_IOKIND`")?;
        self.peer.answer("`C_IOKIND`", self.peer.limits.start)?;
        match self.parsed()? {
            Answer::Kind => Ok(()),
            _ => Err(self.peer.blame(FaultKind::Garbage, "this is no answer to `C_IOKIND`")),
        }
    }

    /// The meaning of the last line.
    fn parsed(&mut self) -> Result<Answer, Fault> {
        let Ok(text) = std::str::from_utf8(self.peer.channel.line()) else {
            return Err(self.peer.blame(FaultKind::Garbage, "a line is not UTF-8"));
        };
        let text = text.trim();
        let (word, fields) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        let field = |name: &str| {
            let mut fields = fields.trim().split('\t');
            fields.find_map(|field| field.trim().strip_prefix(name)?.strip_prefix('='))
        };
        let event = field("event").map(str::to_owned);
        let suspended = field("suspension") == Some("1") || event.as_deref() == Some("delta");
        match word {
            "A_IOKIND" => Ok(Answer::Kind),
            "A_INPUT" => Ok(Answer::Input(event)),
            "A_OUTPUT" if suspended => Ok(Answer::Quiet),
            "A_OUTPUT" => {
                let action = event.as_deref().and_then(action);
                let Some(action) = action else {
                    return Err(self.peer.blame(FaultKind::Garbage, "this is no event"));
                };
                if self.outputs.contains(&action.channel) {
                    let carried = self.carried.get(&action.channel);
                    return match carried.and_then(|carried| carried.refuses(&action)) {
                        Some(why) => Err(self.peer.blame(FaultKind::Garbage, &why)),
                        None => Ok(Answer::Output(action)),
                    };
                }
                let why = format!("the test knows no output `{}`", action.channel);
                Err(self.peer.blame(FaultKind::UnknownName, &why))
            }
            "A_QUIT" => Ok(Answer::Quit),
            "A_ERROR" | "A_INPUT_ERROR" => {
                Err(self.peer.blame(FaultKind::Reported, "the adapter failed"))
            }
            _ => Err(self.peer.blame(FaultKind::Garbage, "this is no answer of a TorX adapter")),
        }
    }

    /// Takes in the answer to `C_OUTPUT`: what was observed, if anything.
    fn observed(
        &mut self,
        asked: Instant,
        answered: Span,
    ) -> Result<Option<(Span, Action)>, Fault> {
        self.asked = None;
        match self.parsed()? {
            Answer::Quiet => {
                self.quiet_at = asked;
                Ok(None)
            }
            Answer::Output(action) => {
                // If the answer took its time, the adapter waited for the output, which then came
                // just before the answer. Otherwise the output may have waited for the question.
                let waited = answered.latest.saturating_duration_since(asked)
                    > PAUSE + self.peer.channel.wake_delays.worst();
                let earliest = if waited { answered.earliest } else { self.quiet_at };
                self.quiet_at = answered.latest;
                Ok(Some((Span { earliest, latest: answered.latest }, action)))
            }
            _ => Err(self.peer.blame(FaultKind::Garbage, "this is no answer to `C_OUTPUT`")),
        }
    }

    fn heard(&mut self, span: Span, action: Action) -> Heard {
        Heard::Output { at: self.clock.moment(span), action }
    }
}

impl System for Torx {
    fn begin(&mut self, _seed: u64) -> Result<(), Fault> {
        if self.used {
            self.peer.end();
            let limits = self.peer.limits.clone();
            self.peer = Peer::open(&self.system, &self.environment, &limits, true)?;
            self.greet()?;
        }
        self.used = true;
        self.asked = None;
        self.early.clear();
        self.peer.channel.begin();
        self.quiet_at = Instant::now();
        self.clock.restart(self.quiet_at);
        Ok(())
    }

    fn is_exact(&self) -> bool {
        false
    }

    fn now(&self) -> Moment {
        self.clock.now()
    }

    fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
        if let Some(asked) = self.asked {
            let answered = self.peer.answer("`C_OUTPUT`", self.peer.limits.answer)?;
            let observed = self.observed(asked, answered)?;
            self.early.extend(observed);
        }
        let question = format!("C_INPUT event={}\n", label(input));
        for _ in 0..=self.peer.limits.burst {
            let earliest = Instant::now();
            self.peer.say(question.as_bytes(), "`C_INPUT`")?;
            let answered = self.peer.answer("`C_INPUT`", self.peer.limits.answer)?;
            match self.parsed()? {
                Answer::Input(event)
                    if event.as_ref().is_none_or(|event| *event == label(input)) =>
                {
                    return Ok(self.clock.moment(Span { earliest, latest: answered.latest }));
                }
                Answer::Output(action) => {
                    let span = Span { earliest: self.quiet_at, latest: answered.latest };
                    self.early.push_back((span, action));
                }
                _ => {
                    let why = "this is no answer to `C_INPUT`";
                    return Err(self.peer.blame(FaultKind::Garbage, why));
                }
            }
        }
        let why = format!("more than {} outputs before an input", self.peer.limits.burst);
        Err(self.peer.blame(FaultKind::Flood, &why))
    }

    fn wait(&mut self, until: Rational, _awaited: &[Action]) -> Result<Heard, Fault> {
        if let Some((span, action)) = self.early.pop_front() {
            return Ok(self.heard(span, action));
        }
        let slice = self.clock.instant(until).min(Instant::now() + SLICE);
        loop {
            let asked = match self.asked {
                Some(asked) => asked,
                None => {
                    let now = Instant::now();
                    self.peer.say(b"C_OUTPUT\n", "`C_OUTPUT`")?;
                    *self.asked.insert(now)
                }
            };
            let Some(answered) = self.peer.listen(slice.max(asked + PAUSE))? else {
                // The adapter still waits itself, so nothing came.
                self.quiet_at = self.peer.channel.empty_at();
                return Ok(Heard::Nothing { now: self.clock.quiet(self.quiet_at, until) });
            };
            if let Some((span, action)) = self.observed(asked, answered)? {
                return Ok(self.heard(span, action));
            }
            if asked >= slice {
                return Ok(Heard::Nothing { now: self.clock.quiet(asked, until) });
            }
            let left = slice.saturating_duration_since(Instant::now());
            std::thread::sleep(left.min(PAUSE));
        }
    }

    fn scheduling_delays(&mut self) -> Vec<SchedulingDelay> {
        self.peer.scheduling_delays(&self.clock)
    }

    fn finish(&mut self) -> Result<(), Fault> {
        if let Some(asked) = self.asked {
            let answered = self.peer.answer("`C_OUTPUT`", self.peer.limits.answer)?;
            self.observed(asked, answered)?;
        }
        self.peer.say(b"C_QUIT\n", "`C_QUIT`")?;
        self.peer.farewell(|peer| {
            if peer.channel.line().trim_ascii() == b"A_QUIT" {
                return Ok(());
            }
            Err(peer.blame(FaultKind::Late, "nothing but `A_QUIT` is expected after `C_QUIT`"))
        })
    }
}

/// `set`, or `set(1,2)` with values.
fn label(action: &Action) -> String {
    if action.values.is_empty() {
        return action.channel.clone();
    }
    format!("{}({})", action.channel, action.values.join(","))
}

/// What a label says; a mark of direction before the name is skipped.
fn action(label: &str) -> Option<Action> {
    let label = label.trim().trim_start_matches(['!', '?']);
    let Some((channel, values)) = label.split_once('(') else {
        return Some(Action { channel: label.to_owned(), values: Vec::new() });
    };
    let values = values
        .strip_suffix(')')?
        .split(',')
        .map(|value| value.trim().parse::<Rational>().ok().map(|value| value.to_string()));
    Some(Action { channel: channel.to_owned(), values: values.collect::<Option<_>>()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_as_they_are_written() {
        for text in ["dim", "set(1)", "set(1,-3/2)"] {
            assert_eq!(label(&action(text).unwrap()), text);
        }
        assert_eq!(action("!dim").unwrap().channel, "dim");
        assert_eq!(action("set(1"), None);
        assert_eq!(action("set(red)"), None);
    }
}
