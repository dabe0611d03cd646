//! The other side: a channel, and the process behind it if we started one. Whatever ends or fails
//! becomes a fault here, with the evidence that can be had.

use std::net::{TcpStream, ToSocketAddrs};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use tioga_base::Cancel;

use crate::channel::{Channel, Read, Unwritten};
use crate::fault::{Fault, FaultKind};
use crate::limits::AdapterLimits;
use crate::process::{Exit, Process};
use crate::real_clock::{RealClock, Span};
use crate::scheduling_delay::SchedulingDelay;
use crate::system_ref::SystemRef;
use crate::watch::Watch;

/// A system to talk to.
pub(super) struct Peer {
    pub channel: Channel,
    process: Option<Process>,
    pub limits: AdapterLimits,
}

/// How much of a line is shown.
const SHOWN: usize = 200;

/// How much of standard error is shown.
const SHOWN_ERRORS: usize = 2000;

/// How long a process that closed its output may take to end, to tell a crash from a closed pipe.
const ENDING: Duration = Duration::from_millis(500);

/// How often the flag that ends everything is looked at while a connection is made.
const GLANCE: Duration = Duration::from_millis(20);

impl Peer {
    /// Starts a command or connects to `tcp:HOST:PORT` or `unix:PATH`. If `dated`, it matters when
    /// something arrives.
    pub fn open(
        system: &SystemRef,
        environment: &[(&str, String)],
        limits: &AdapterLimits,
        dated: bool,
    ) -> Result<Self, Fault> {
        let command = match system {
            SystemRef::Tcp { address, clock: None } => {
                let (address, within) = (address.clone(), limits.start);
                let stream = unless(&limits.cancel, move || connect_tcp(&address, within))
                    .map_err(|error| unreachable(&system.to_string(), &error))?;
                return Self::over_tcp(stream, limits, dated);
            }
            SystemRef::Unix(path) => {
                let unusable = |error| unreachable(&system.to_string(), &error);
                let path = path.clone();
                let connect = move || UnixStream::connect(path);
                let stream = unless(&limits.cancel, connect).map_err(unusable)?;
                let other = stream.try_clone().map_err(unusable)?;
                return Self::over(stream.into(), other.into(), limits, dated);
            }
            SystemRef::Command(command) => command,
            SystemRef::Tcp { .. } | SystemRef::Listen { .. } => {
                let evidence = format!("only TRON's protocol has a use for `{system}`");
                return Err(Fault::new(FaultKind::Unreachable, evidence));
            }
            SystemRef::Itself | SystemRef::Model(_) => {
                let evidence = format!("`{system}` is not outside");
                return Err(Fault::new(FaultKind::Unreachable, evidence));
            }
        };
        let (process, pipes) = Process::start(command, environment)?;
        let watch = dated.then(|| Watch::new(Some(process.group())));
        let mut channel =
            Channel::new(pipes.input, pipes.output, Some(pipes.errors), limits.line, watch)
                .map_err(|error| unreachable(command, &error))?;
        channel.cancel = limits.cancel.clone();
        channel.command = Some(process.leader());
        Ok(Self { channel, process: Some(process), limits: limits.clone() })
    }

    /// Talks over a connection that is there.
    pub fn over_tcp(stream: TcpStream, limits: &AdapterLimits, dated: bool) -> Result<Self, Fault> {
        let unusable = |error: std::io::Error| unreachable("the connection", &error);
        // Small messages go out at once.
        stream.set_nodelay(true).map_err(unusable)?;
        let other = stream.try_clone().map_err(unusable)?;
        Self::over(stream.into(), other.into(), limits, dated)
    }

    fn over(
        to: OwnedFd,
        from: OwnedFd,
        limits: &AdapterLimits,
        dated: bool,
    ) -> Result<Self, Fault> {
        let watch = dated.then(|| Watch::new(None));
        let mut channel = Channel::new(to, from, None, limits.line, watch)
            .map_err(|error| unreachable("the connection", &error))?;
        channel.cancel = limits.cancel.clone();
        Ok(Self { channel, process: None, limits: limits.clone() })
    }

    /// Says something, which the system has to take in time.
    pub fn say(&mut self, bytes: &[u8], what: &str) -> Result<(), Fault> {
        let deadline = Instant::now() + self.limits.answer;
        match self.channel.write_all(bytes, deadline) {
            Ok(()) => Ok(()),
            Err(Unwritten::Closed) => Err(self.gone(&format!("while {what} was sent"))),
            Err(Unwritten::TimedOut) => {
                let limit = self.limits.answer;
                Err(self.stuck(&format!("{what} was not read within {limit:?}")))
            }
        }
    }

    /// HostDelay for the answer to something, which is then the line of the channel.
    pub fn answer(&mut self, to: &str, within: Duration) -> Result<Span, Fault> {
        match self.channel.read_line(Instant::now() + within) {
            Read::Got(span) => Ok(span),
            Read::Nothing => Err(self.stuck(&format!("no answer to {to} within {within:?}"))),
            Read::Closed => Err(self.gone(&format!("while the answer to {to} was awaited"))),
            Read::TooLong => Err(self.too_long()),
        }
    }

    /// HostDelay for something that may come, until an instant. A process that has ended can say
    /// nothing more, even if a descendant keeps its output open.
    pub fn listen(&mut self, until: Instant) -> Result<Option<Span>, Fault> {
        let read = self.channel.read_line(until);
        self.heard(read)
    }

    /// What came of reading something that may or may not come.
    pub fn heard(&mut self, read: Read) -> Result<Option<Span>, Fault> {
        match read {
            Read::Got(_) if self.channel.burst() > self.limits.burst => {
                let burst = self.limits.burst;
                let what =
                    format!("more than {burst} lines without a pause, the last: {}", self.quoted());
                Err(self.fault(FaultKind::Flood, what))
            }
            Read::Got(span) => Ok(Some(span)),
            Read::Nothing if self.exit().is_some() => Err(self.gone("during the run")),
            Read::Nothing => Ok(None),
            Read::Closed => Err(self.gone("during the run")),
            Read::TooLong => Err(self.too_long()),
        }
    }

    /// HostDelay until the system has ended or closed the connection, as it should after goodbye.
    /// Lines that come before are handed to `line`, which may find a fault in them.
    pub fn farewell(
        &mut self,
        mut line: impl FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.channel.close_input();
        let deadline = Instant::now() + self.limits.exit;
        loop {
            match self.channel.read_line(deadline) {
                Read::Got(_) => line(self)?,
                Read::TooLong => return Err(self.too_long()),
                Read::Nothing => {
                    let limit = self.limits.exit;
                    return Err(
                        self.stuck(&format!("it did not end within {limit:?} after goodbye"))
                    );
                }
                Read::Closed => break,
            }
        }
        let exit = match &self.process {
            None => return Ok(()),
            Some(process) => process.exit_before(deadline),
        };
        match exit {
            Some(Exit::Status(0)) => Ok(()),
            Some(exit) => Err(self.fault(FaultKind::Crash, format!("{exit} after goodbye"))),
            None => {
                let limit = self.limits.exit;
                Err(self.stuck(&format!("it did not end within {limit:?} after goodbye")))
            }
        }
    }

    /// The scheduling delays of tester and system since this was asked last, by this clock.
    pub fn scheduling_delays(&mut self, clock: &RealClock) -> Vec<SchedulingDelay> {
        let waits = self.channel.take_waits().into_iter();
        waits.map(|waits| clock.scheduling_delay(waits)).collect()
    }

    /// Ends the system or the connection now, so that nothing of it is in the way of the next one.
    pub fn end(&mut self) {
        if let Some(process) = &mut self.process {
            process.end();
        }
        self.channel.close();
    }

    fn exit(&self) -> Option<Exit> {
        self.process.as_ref()?.exit()
    }

    /// The line of the channel, fit to be shown.
    pub fn quoted(&self) -> String {
        format!("`{}`", shown(self.channel.line(), SHOWN))
    }

    /// The fault that something took too long, or that the process ended meanwhile.
    fn stuck(&mut self, what: &str) -> Fault {
        match self.exit() {
            Some(exit) => self.fault(FaultKind::Crash, format!("{exit}; {what}")),
            None => self.fault(FaultKind::Hang, what.to_owned()),
        }
    }

    /// The fault that the channel is closed.
    fn gone(&mut self, when: &str) -> Fault {
        let exit = match &self.process {
            Some(process) => process.exit_before(Instant::now() + ENDING),
            None => None,
        };
        let half = match self.channel.rest() {
            [] => String::new(),
            rest => format!(", after the unfinished line `{}`", shown(rest, SHOWN)),
        };
        match exit {
            // What a shell answers if there is no such program, or none that can be run.
            Some(exit @ Exit::Status(126 | 127)) => {
                self.fault(FaultKind::Unreachable, format!("{exit} {when}{half}"))
            }
            Some(exit) => self.fault(FaultKind::Crash, format!("{exit} {when}{half}")),
            None if self.process.is_some() => {
                let what = format!("its output was closed {when}, but it still runs{half}");
                self.fault(FaultKind::Closed, what)
            }
            None => self.fault(FaultKind::Closed, format!("{when}{half}")),
        }
    }

    fn too_long(&mut self) -> Fault {
        let start = match self.channel.rest() {
            [] => self.channel.line(),
            rest => rest,
        };
        let start = shown(start, SHOWN);
        let what = format!("a line of more than {} bytes: `{start}`", self.limits.line);
        self.fault(FaultKind::Flood, what)
    }

    /// A fault with what the system said on standard error.
    pub fn fault(&mut self, kind: FaultKind, mut evidence: String) -> Fault {
        let said = self.channel.said();
        let said = &said[said.len().saturating_sub(SHOWN_ERRORS)..];
        if !said.trim_ascii().is_empty() {
            evidence.push_str("; its standard error ends with: ");
            evidence.push_str(&shown(said.trim_ascii(), SHOWN_ERRORS));
        }
        Fault::new(kind, evidence)
    }
}

/// A fault with a line that should not be there.
impl Peer {
    /// A fault that the last line shows, and why.
    pub fn blame(&mut self, kind: FaultKind, why: &str) -> Fault {
        let evidence = format!("{why}: {}", self.quoted());
        self.fault(kind, evidence)
    }
}

pub(super) fn unreachable(what: &str, error: &std::io::Error) -> Fault {
    Fault::new(FaultKind::Unreachable, format!("{what}: {error}"))
}

/// Connects, unless the flag is raised before. Names are looked up and connections are made by calls that
/// nothing ends early, so a thread of their own makes them, and is left to itself.
fn unless<T: Send + 'static>(
    cancel: &Cancel,
    connect: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> std::io::Result<T> {
    let (done, is_done) = mpsc::channel();
    std::thread::spawn(move || done.send(connect()));
    loop {
        match is_done.recv_timeout(GLANCE) {
            Ok(connected) => return connected,
            Err(RecvTimeoutError::Timeout) if !cancel.is_cancelled() => {}
            Err(_) => return Err(std::io::Error::other("connecting was ended")),
        }
    }
}

fn connect_tcp(address: &str, within: Duration) -> std::io::Result<TcpStream> {
    let deadline = Instant::now() + within;
    let mut failed = std::io::Error::other("the address has no host");
    for address in address.to_socket_addrs()? {
        let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        match TcpStream::connect_timeout(&address, left) {
            Ok(stream) => return Ok(stream),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

/// Bytes as text of up to `limit` bytes, with nothing that would disturb a terminal.
fn shown(bytes: &[u8], limit: usize) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(limit)]);
    let mut shown = String::new();
    for character in text.chars() {
        if character.is_control() && character != '\n' {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    if bytes.len() > limit {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_short_and_harmless() {
        assert_eq!(shown(b"a\x1b[2Jb", 10), "a\\u{1b}[2Jb");
        assert_eq!(shown(b"\xff\xfe", 10), "\u{fffd}\u{fffd}");
        assert_eq!(shown(b"abc", 2), "ab…");
    }
}
