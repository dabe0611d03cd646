//! What an adapter for UPPAAL TRON asks before a run, and how events are written; the same with real and
//! with virtual time.
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
//! acknowledges events, which only matters with virtual time. There is no reset: each run has a new
//! connection.

use std::collections::BTreeMap;
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use tioga_testcase::Action;

use crate::alphabet::{Alphabet, Carried};
use crate::fault::{Fault, FaultKind};
use crate::limits::AdapterLimits;
use crate::peer::{Peer, unreachable};
use crate::real_clock::Span;
use crate::system_ref::SystemRef;

/// How to get a connection.
pub(super) enum Route {
    Connect(SystemRef),
    Listen(TcpListener),
}

/// A connection whose adapter waits for the start.
pub(super) struct Configured {
    pub peer: Peer,
    /// The channels by number, from 1, with how many values each has.
    channels: Vec<Channel>,
    /// What outputs carry, as far as that is known.
    carried: BTreeMap<String, Carried>,
    /// How many nanoseconds its time unit has, if the adapter has said so.
    pub unit: Option<u64>,
}

struct Channel {
    name: String,
    input: bool,
    values: usize,
}

/// The bit that marks an acknowledgement.
pub(super) const ACKNOWLEDGED: u32 = 1 << 31;

/// How many channels and questions there may be before the start.
const QUESTIONS: usize = 10_000;

impl Route {
    /// `tcp:HOST:PORT`, or `tron-listen:PORT` or `tron-listen:HOST:PORT`, where an adapter may connect from
    /// now on.
    pub fn new(system: &SystemRef) -> Result<Self, Fault> {
        match system {
            SystemRef::Listen { address, .. } => {
                let here = format!("127.0.0.1:{address}");
                let address = if address.contains(':') { address } else { &here };
                let unusable = |error| unreachable(&system.to_string(), &error);
                let listener = TcpListener::bind(address).map_err(unusable)?;
                listener.set_nonblocking(true).map_err(unusable)?;
                Ok(Self::Listen(listener))
            }
            SystemRef::Tcp { address, .. } => {
                Ok(Self::Connect(SystemRef::Tcp { address: address.clone(), clock: None }))
            }
            _ => {
                let evidence = "TRON's protocol needs `tcp:HOST:PORT` or `tron-listen:PORT`";
                Err(Fault::new(FaultKind::Unreachable, evidence))
            }
        }
    }
}

impl Configured {
    /// Reads what begins an event or an acknowledgement, and when it came; nothing if nothing comes
    /// before the deadline.
    pub fn number(&mut self, deadline: Instant) -> Result<Option<(u32, Span)>, Fault> {
        let read = self.peer.channel.read_bytes(4, deadline);
        let Some(span) = self.peer.heard(read)? else { return Ok(None) };
        self.peer.channel.count_burst();
        let mut number = [0; 4];
        number.copy_from_slice(self.peer.channel.line());
        Ok(Some((u32::from_be_bytes(number), span)))
    }

    /// Reads the rest of an event whose channel was just read.
    pub fn event(&mut self, number: u32) -> Result<Action, Fault> {
        let peer = &mut self.peer;
        let count = usize::from(u16::from_be_bytes(bytes(peer, "an event")?));
        let mut values = Vec::new();
        for _ in 0..count {
            values.push(i32::from_be_bytes(bytes(peer, "an event")?).to_string());
        }
        let position = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let channel = position.and_then(|position| self.channels.get(position));
        match channel.filter(|channel| !channel.input) {
            Some(channel) => {
                let action = Action { channel: channel.name.clone(), values };
                let carried = self.carried.get(&action.channel);
                match carried.and_then(|carried| carried.refuses(&action)) {
                    Some(why) => Err(self.peer.fault(FaultKind::Garbage, why)),
                    None => Ok(action),
                }
            }
            None => {
                let evidence = format!("the test knows no output number {number}");
                Err(self.peer.fault(FaultKind::UnknownName, evidence))
            }
        }
    }

    /// An input as it is written.
    pub fn message(&self, input: &Action) -> Result<Vec<u8>, Fault> {
        let mismatch = |evidence: String| Fault::new(FaultKind::Mismatch, evidence);
        let channels = &self.channels;
        let known = |channel: &&Channel| channel.input && channel.name == input.channel;
        let found = channels.iter().enumerate().find(|(_, channel)| known(channel));
        let Some((position, channel)) = found else {
            return Err(mismatch(format!("it does not take the inputs `{}`", input.channel)));
        };
        if channel.values != input.values.len() {
            let (name, has, needs) = (&channel.name, channel.values, input.values.len());
            return Err(mismatch(format!("its input `{name}` has {has} values, the test {needs}")));
        }
        let mut event = Vec::new();
        event.extend_from_slice(&u32::try_from(position + 1).unwrap_or(u32::MAX).to_be_bytes());
        event.extend_from_slice(
            &u16::try_from(input.values.len()).unwrap_or(u16::MAX).to_be_bytes(),
        );
        for value in &input.values {
            let Ok(value) = value.parse::<i32>() else {
                return Err(mismatch(format!("the value {value} is no integer of 32 bits")));
            };
            event.extend_from_slice(&value.to_be_bytes());
        }
        Ok(event)
    }
}

/// A new connection, and everything the adapter asks before the start. With real time its time unit
/// has to be that of the test; with virtual time it is what the adapter says. Dates matter with real
/// time only.
pub(super) fn configured(
    route: &Route,
    unit_ns: Option<u64>,
    alphabet: &Alphabet,
    limits: &AdapterLimits,
) -> Result<Configured, Fault> {
    let dated = unit_ns.is_some();
    let peer = match route {
        Route::Connect(address) => Peer::open(address, &[], limits, dated)?,
        Route::Listen(listener) => Peer::over_tcp(accept(listener, limits)?, limits, dated)?,
    };
    let carried = alphabet.carried.clone();
    let mut line = Configured { peer, channels: Vec::new(), carried, unit: unit_ns };
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
                let position =
                    usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
                let channel = position.and_then(|position| line.channels.get_mut(position));
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
                if let Some(own) = unit_ns.filter(|own| *own != unit) {
                    let evidence =
                        format!("its time unit has {unit} nanoseconds, the one of the test {own}");
                    return Err(line.peer.fault(FaultKind::Mismatch, evidence));
                }
                line.unit = Some(unit);
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

fn accept(listener: &TcpListener, limits: &AdapterLimits) -> Result<TcpStream, Fault> {
    let within = limits.start;
    let deadline = Instant::now() + within;
    loop {
        match listener.accept() {
            Ok((stream, _)) => return Ok(stream),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(unreachable("listening", &error)),
        }
        if Instant::now() >= deadline || limits.cancel.is_cancelled() {
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
