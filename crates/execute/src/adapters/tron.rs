//! The binary protocol of UPPAAL TRON's socket adapter, with real time. Existing adapters for TRON
//! talk to us as if we were TRON; either side may have opened the connection.
//!
//! Numbers are big-endian; a name is a byte with its length and then its bytes. First the adapter
//! asks, and each question is answered by a 32-bit number unless said otherwise:
//!
//! | question | meaning | answer |
//! |---|---|---|
//! | `1 name`, `2 name` | which number has this input, this output | the number |
//! | `3 number name`, `4 number name` | this input, this output has a further value | 0 |
//! | `5 seconds microseconds` | how long a time unit is, two 32-bit numbers | 0 |
//! | `6 units` | after which time the test may end | 0 |
//! | `127 number` | what an error means | a name |
//! | `64` | begin | a byte 0 |
//!
//! From then on both sides write events as they happen: the number of the channel (32 bits), how many
//! values follow (16 bits), and the values (32 bits each). A number with its highest bit set
//! acknowledges events, which only matters with virtual time and is skipped here. There is no reset:
//! each run has a new connection.

use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use tioga_base::{Moment, Rational};
use tioga_testcase::Action;

use super::AdapterLimits;
use super::peer::{Peer, unreachable};
use super::real_clock::{RealClock, SLICE, Span};
use crate::{Alphabet, Fault, FaultKind, Heard, Stall, System};

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

/// How to get a connection.
enum Route {
    Connect(String),
    Listen(TcpListener),
}

/// A connection whose adapter waits for the start.
struct Configured {
    peer: Peer,
    /// The channels by number, from 1, with how many values each has.
    channels: Vec<Channel>,
}

struct Channel {
    name: String,
    input: bool,
    values: usize,
}

/// The bit that marks an acknowledgement.
const ACKNOWLEDGED: u32 = 1 << 31;

/// How many channels and questions there may be before the start.
const QUESTIONS: usize = 10_000;

impl Tron {
    /// Connects to `tcp:HOST:PORT`, or listens on `tron-listen:PORT` or `tron-listen:HOST:PORT`, and
    /// answers the questions of the adapter up to the start.
    pub fn open(
        system: &str,
        unit_ns: u64,
        alphabet: &Alphabet,
        limits: &AdapterLimits,
    ) -> Result<Self, Fault> {
        let clock = RealClock::of_unit(unit_ns)?;
        let route = if let Some(address) = system.strip_prefix("tron-listen:") {
            let here = format!("127.0.0.1:{address}");
            let address = if address.contains(':') { address } else { &here };
            let listener =
                TcpListener::bind(address).map_err(|error| unreachable(system, &error))?;
            listener.set_nonblocking(true).map_err(|error| unreachable(system, &error))?;
            Route::Listen(listener)
        } else if system.starts_with("tcp:") {
            Route::Connect(system.to_owned())
        } else {
            let evidence = "TRON's protocol needs `tcp:HOST:PORT` or `tron-listen:PORT`";
            return Err(Fault::new(FaultKind::Unreachable, evidence));
        };
        let line = configured(&route, unit_ns, alphabet, limits)?;
        let (alphabet, limits) = (alphabet.clone(), limits.clone());
        Ok(Self { route, limits, unit_ns, clock, alphabet, line, used: false })
    }

    /// Reads the rest of an event whose channel was just read.
    fn event(&mut self, number: u32) -> Result<Action, Fault> {
        let peer = &mut self.line.peer;
        let count = usize::from(u16::from_be_bytes(bytes(peer, "an event")?));
        let mut values = Vec::new();
        for _ in 0..count {
            values.push(i32::from_be_bytes(bytes(peer, "an event")?).to_string());
        }
        let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let channel = place.and_then(|place| self.line.channels.get(place));
        match channel.filter(|channel| !channel.input) {
            Some(channel) => Ok(Action { channel: channel.name.clone(), values }),
            None => {
                let evidence = format!("the test knows no output number {number}");
                Err(self.line.peer.fault(FaultKind::UnknownName, evidence))
            }
        }
    }
}

/// A new connection, and everything the adapter asks before the start.
fn configured(
    route: &Route,
    unit_ns: u64,
    alphabet: &Alphabet,
    limits: &AdapterLimits,
) -> Result<Configured, Fault> {
    let peer = match route {
        Route::Connect(address) => Peer::open(address, &[], limits, true)?,
        Route::Listen(listener) => Peer::over_tcp(accept(listener, limits.start)?, limits, true)?,
    };
    let mut line = Configured { peer, channels: Vec::new() };
    for _ in 0..QUESTIONS {
        let [question] = bytes(&mut line.peer, "a question")?;
        match question {
            1 | 2 => {
                let name = name(&mut line.peer)?;
                let input = question == 1;
                if !input && !alphabet.outputs.contains(&name) {
                    let evidence = format!("the test does not know the outputs `{name}`");
                    return Err(line.peer.fault(FaultKind::Mismatch, evidence));
                }
                line.channels.push(Channel { name, input, values: 0 });
                let number = i32::try_from(line.channels.len()).unwrap_or(i32::MAX);
                line.peer.say(&number.to_be_bytes(), "the number of a channel")?;
            }
            3 | 4 => {
                let number = i32::from_be_bytes(bytes(&mut line.peer, "a question")?);
                let variable = name(&mut line.peer)?;
                let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
                let channel = place.and_then(|place| line.channels.get_mut(place));
                let Some(channel) = channel.filter(|channel| channel.input == (question == 3))
                else {
                    let evidence = format!("`{variable}` is for channel {number}, which is none");
                    return Err(line.peer.fault(FaultKind::Garbage, evidence));
                };
                channel.values += 1;
                line.peer.say(&0i32.to_be_bytes(), "an answer")?;
            }
            5 => {
                let seconds = u32::from_be_bytes(bytes(&mut line.peer, "a question")?);
                let micros = u32::from_be_bytes(bytes(&mut line.peer, "a question")?);
                let unit = u64::from(seconds) * 1_000_000_000 + u64::from(micros) * 1000;
                if unit != unit_ns {
                    let evidence = format!(
                        "its time unit has {unit} nanoseconds, the one of the test {unit_ns}"
                    );
                    return Err(line.peer.fault(FaultKind::Mismatch, evidence));
                }
                line.peer.say(&0i32.to_be_bytes(), "an answer")?;
            }
            6 => {
                let _units: [u8; 4] = bytes(&mut line.peer, "a question")?;
                line.peer.say(&0i32.to_be_bytes(), "an answer")?;
            }
            127 => {
                let _error: [u8; 4] = bytes(&mut line.peer, "a question")?;
                line.peer.say(b"\x08no error", "an answer")?;
            }
            64 => return complete(line, alphabet),
            other => {
                let evidence = format!("{other} is no question of a TRON adapter");
                return Err(line.peer.fault(FaultKind::Garbage, evidence));
            }
        }
    }
    Err(line
        .peer
        .fault(FaultKind::Flood, format!("more than {QUESTIONS} questions before the start")))
}

/// Checks that the adapter takes every input of the test.
fn complete(mut line: Configured, alphabet: &Alphabet) -> Result<Configured, Fault> {
    let taken = |input: &String| {
        line.channels.iter().any(|channel| channel.input && channel.name == *input)
    };
    let missing = alphabet.inputs.iter().filter(|input| !taken(input));
    let missing: Vec<String> = missing.map(|name| format!("`{name}`")).collect();
    if missing.is_empty() {
        return Ok(line);
    }
    let evidence = format!("it does not take the inputs {}", missing.join(", "));
    Err(line.peer.fault(FaultKind::Mismatch, evidence))
}

fn accept(listener: &TcpListener, within: Duration) -> Result<TcpStream, Fault> {
    let deadline = Instant::now() + within;
    loop {
        match listener.accept() {
            Ok((stream, _)) => return Ok(stream),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(unreachable("listening", &error)),
        }
        if Instant::now() >= deadline {
            let evidence = format!("no adapter connected within {within:?}");
            return Err(Fault::new(FaultKind::Unreachable, evidence));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The next bytes, which have to come in time.
fn bytes<const COUNT: usize>(peer: &mut Peer, of: &str) -> Result<[u8; COUNT], Fault> {
    let limit = peer.limits.answer;
    let read = peer.channel.read_bytes(COUNT, Instant::now() + limit);
    if peer.heard(read)?.is_none() {
        let evidence = format!("{of} was not complete within {limit:?}");
        return Err(peer.fault(FaultKind::Hang, evidence));
    }
    let mut bytes = [0; COUNT];
    bytes.copy_from_slice(peer.channel.line());
    Ok(bytes)
}

fn name(peer: &mut Peer) -> Result<String, Fault> {
    let [length] = bytes(peer, "a name")?;
    let mut name = Vec::new();
    for _ in 0..length {
        let [byte] = bytes(peer, "a name")?;
        name.push(byte);
    }
    String::from_utf8(name)
        .map_err(|_| peer.fault(FaultKind::Garbage, "a name is not UTF-8".to_owned()))
}

impl System for Tron {
    fn begin(&mut self, _seed: u64) -> Result<(), Fault> {
        if self.used {
            self.line.peer.end();
            self.line = configured(&self.route, self.unit_ns, &self.alphabet, &self.limits)?;
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
        let mismatch = |evidence: String| Fault::new(FaultKind::Mismatch, evidence);
        let channels = &self.line.channels;
        let known = |channel: &&Channel| channel.input && channel.name == input.channel;
        let found = channels.iter().enumerate().find(|(_, channel)| known(channel));
        let Some((place, channel)) = found else {
            return Err(mismatch(format!("it does not take the inputs `{}`", input.channel)));
        };
        if channel.values != input.values.len() {
            let (name, has, needs) = (&channel.name, channel.values, input.values.len());
            return Err(mismatch(format!("its input `{name}` has {has} values, the test {needs}")));
        }
        let mut event = Vec::new();
        event.extend_from_slice(&u32::try_from(place + 1).unwrap_or(u32::MAX).to_be_bytes());
        event.extend_from_slice(
            &u16::try_from(input.values.len()).unwrap_or(u16::MAX).to_be_bytes(),
        );
        for value in &input.values {
            let Ok(value) = value.parse::<i32>() else {
                return Err(mismatch(format!("the value {value} is no integer of 32 bits")));
            };
            event.extend_from_slice(&value.to_be_bytes());
        }
        let earliest = Instant::now();
        self.line.peer.say(&event, "an input")?;
        Ok(self.clock.moment(Span { earliest, latest: Instant::now() }))
    }

    fn wait(&mut self, until: Rational, _awaited: &[Action]) -> Result<Heard, Fault> {
        let slice = self.clock.instant(until).min(Instant::now() + SLICE);
        loop {
            let peer = &mut self.line.peer;
            let read = peer.channel.read_bytes(4, slice);
            let Some(span) = peer.heard(read)? else {
                let now = self.clock.quiet(peer.channel.empty_at(), until);
                return Ok(Heard::Nothing { now });
            };
            peer.channel.count_burst();
            let mut number = [0; 4];
            number.copy_from_slice(peer.channel.line());
            let number = u32::from_be_bytes(number);
            if number & ACKNOWLEDGED == 0 {
                let action = self.event(number)?;
                return Ok(Heard::Output { at: self.clock.moment(span), action });
            }
        }
    }

    fn stalls(&mut self) -> Vec<Stall> {
        self.line.peer.stalls(&self.clock)
    }

    /// There is no goodbye: the connection ends when this is dropped.
    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}
