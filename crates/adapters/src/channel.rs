//! Bytes to and from a system, with deadlines: one thread, no blocking call without a bound, and no
//! more memory than a line and what fits in one read.
//!
//! With real time it also matters when something arrived. What one knows is this: at some reading of
//! the clock there was nothing to read (`empty_at`), and at a later one there was something. If the
//! tester was busy in between, that is all. If it was asleep in `poll`, the arrival woke it, and it is
//! dated when the tester ran again: waking belongs to the way of a message, and if the tester had to
//! wait for a processor, the [`Watch`] says so, as it does of the system.

use std::ops::Range;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, read, write};
use rustix::net::{Shutdown, shutdown};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use tioga_base::Cancel;

use crate::real_clock::{Span, WakeDelays};
use crate::watch::{HostDelay, Watch};

/// How much is read at once.
const CHUNK: usize = 64 * 1024;

/// How much of standard error is kept as evidence.
const KEPT: usize = 8 * 1024;

/// How often and how long to wait at first to learn the wake-up delay.
const MEASURED: usize = 5;
const SHORT: Duration = Duration::from_micros(200);

/// After this long asleep, have a look at the watch.
const WATCHED: Duration = Duration::from_millis(10);

/// After this long asleep, have a look at the flag that ends a wait early.
const CANCELLED: Duration = Duration::from_millis(50);

/// How long descendants of a command may talk after its end.
const AFTERWARDS: Duration = Duration::from_secs(1);

/// How long to sleep before looking again whether the system has got a processor, and for how long
/// to do so: one that has none for longer is not waited for any more.
const GLANCE: Duration = Duration::from_millis(1);
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// A way to and from a system.
pub(super) struct Channel {
    to: Option<OwnedFd>,
    from: OwnedFd,
    errors: Option<OwnedFd>,
    /// Whether it matters when something arrives.
    dated: bool,
    buffer: Vec<u8>,
    unread: Range<usize>,
    /// Where no line end was found yet; not before the start of `unread`.
    scanned: usize,
    line: Range<usize>,
    limit: usize,
    closed: bool,
    empty_at: Instant,
    arrival: Span,
    /// How many lines were read since there was nothing to read.
    burst: u64,
    /// How long waking up takes.
    pub wake_delays: WakeDelays,
    /// Notices scheduling delays, if they matter.
    watch: Option<Watch>,
    said: Vec<u8>,
    /// Ends every wait early.
    pub cancel: Cancel,
    /// The command that talks, if it is one: after its end its descendants have little time left to talk.
    pub command: Option<Pid>,
}

/// What came of reading.
#[derive(Clone, Copy, Debug)]
pub(super) enum Read {
    /// What was asked for, which arrived then.
    Got(Span),
    /// Nothing before the deadline.
    Nothing,
    /// Nothing, and nothing will come.
    Closed,
    /// A line that is too long.
    TooLong,
}

/// Why bytes could not be written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unwritten {
    /// They were not taken before the deadline.
    TimedOut,
    /// The other side takes them no more.
    Closed,
}

/// What came of one look at the pipe.
enum Look {
    Data,
    Empty,
    End,
}

impl Channel {
    /// A channel over these descriptors, for lines of up to `limit` bytes. With a watch it matters when
    /// something arrives.
    pub fn new(
        to: OwnedFd,
        from: OwnedFd,
        errors: Option<OwnedFd>,
        limit: usize,
        watch: Option<Watch>,
    ) -> std::io::Result<Self> {
        let dated = watch.is_some();
        for descriptor in [Some(&to), Some(&from), errors.as_ref()].into_iter().flatten() {
            ioctl_fionbio(descriptor, true)?;
        }
        let now = Instant::now();
        let mut this = Self {
            to: Some(to),
            from,
            errors,
            dated,
            buffer: vec![0; limit.max(1) + CHUNK],
            unread: 0..0,
            scanned: 0,
            line: 0..0,
            limit: limit.max(1),
            closed: false,
            empty_at: now,
            arrival: Span { earliest: now, latest: now },
            burst: 0,
            wake_delays: WakeDelays::default(),
            watch,
            said: Vec::new(),
            cancel: Cancel::new(),
            command: None,
        };
        if dated {
            this.measure_wake_delays();
        }
        Ok(this)
    }

    /// A few short waits, so that something is known about wake-up delay before the first wait ends.
    fn measure_wake_delays(&mut self) {
        for _ in 0..MEASURED {
            let before = Instant::now();
            self.sleep(before + SHORT, false);
        }
    }

    /// The line that was read last, without its end.
    pub fn line(&self) -> &[u8] {
        &self.buffer[self.line.clone()]
    }

    /// What came after the last whole line.
    pub fn rest(&self) -> &[u8] {
        &self.buffer[self.unread.clone()]
    }

    /// When there was certainly nothing more to read.
    pub fn empty_at(&self) -> Instant {
        self.empty_at
    }

    /// A run begins: what the watch noticed before does not matter.
    pub fn begin(&mut self) {
        if let Some(watch) = &mut self.watch {
            watch.begin();
        }
    }

    /// The scheduling delay of tester and system since an instant of this run, as far as
    /// that was not taken yet.
    pub fn waited_since(&mut self, since: Instant) -> Duration {
        self.watch.as_mut().map_or(Duration::ZERO, |watch| watch.since(since))
    }

    /// The scheduling delays of tester and system since this was asked last.
    pub fn take_waits(&mut self) -> Vec<HostDelay> {
        self.watch.as_mut().map_or_else(Vec::new, Watch::take)
    }

    /// How many lines were read since there was nothing to read.
    pub fn burst(&self) -> u64 {
        self.burst
    }

    /// The end of what was said on standard error so far.
    pub fn said(&mut self) -> &[u8] {
        self.drain_errors();
        &self.said[self.said.len().saturating_sub(KEPT)..]
    }

    /// Reads a line. A line that is there already is read even after the deadline.
    pub fn read_line(&mut self, deadline: Instant) -> Read {
        loop {
            let new = &self.buffer[self.scanned..self.unread.end];
            if let Some(length) = new.iter().position(|byte| *byte == b'\n') {
                let end = self.scanned + length;
                let carriage = end > self.unread.start && self.buffer[end - 1] == b'\r';
                self.line = self.unread.start..end - usize::from(carriage);
                self.unread.start = end + 1;
                self.scanned = end + 1;
                self.burst += 1;
                let too_long = self.line.len() > self.limit;
                return if too_long { Read::TooLong } else { Read::Got(self.arrival) };
            }
            self.scanned = self.unread.end;
            if self.unread.len() > self.limit {
                return Read::TooLong;
            }
            if let Some(end) = self.fill(deadline) {
                return end;
            }
        }
    }

    /// Reads this many bytes, at most the limit of a line, as if they were a line.
    pub fn read_bytes(&mut self, count: usize, deadline: Instant) -> Read {
        while self.unread.len() < count {
            if count > self.limit {
                return Read::TooLong;
            }
            if let Some(end) = self.fill(deadline) {
                return end;
            }
        }
        self.line = self.unread.start..self.unread.start + count;
        self.unread.start += count;
        self.scanned = self.unread.start;
        Read::Got(self.arrival)
    }

    /// Closes the way to the system, so that it reads an end.
    pub fn close_input(&mut self) {
        if let Some(to) = self.to.take() {
            // Closing is enough for a pipe; a socket has another descriptor open for reading.
            let _ = shutdown(&to, Shutdown::Write);
        }
    }

    /// Closes both ways.
    pub fn close(&mut self) {
        self.close_input();
        let _ = shutdown(&self.from, Shutdown::Both);
        self.closed = true;
    }

    /// Counts something that was read in pieces as a line.
    pub fn count_burst(&mut self) {
        self.burst += 1;
    }

    /// Forgets that lines were read in a row.
    pub fn end_burst(&mut self) {
        self.burst = 0;
    }

    /// Waits for more to read; says so if there will be none.
    fn fill(&mut self, deadline: Instant) -> Option<Read> {
        let mut slept = false;
        let mut ended: Option<Instant> = None;
        let grace = deadline.max(Instant::now()) + LONGEST_WAIT;
        loop {
            if self.closed {
                return Some(Read::Closed);
            }
            if self.dated || slept {
                let looked = Instant::now();
                match self.look() {
                    Look::Data => {
                        let earliest = if slept { looked } else { self.empty_at };
                        self.arrival = Span { earliest, latest: Instant::now() };
                        return None;
                    }
                    Look::Empty => {
                        self.empty_at = looked;
                        self.burst = 0;
                    }
                    Look::End => {
                        self.closed = true;
                        return Some(Read::Closed);
                    }
                }
                if looked >= deadline && !(looked < grace && self.system_is_waiting()) {
                    return Some(Read::Nothing);
                }
            }
            if self.cancel.is_cancelled() {
                return Some(Read::Nothing);
            }
            let now = Instant::now();
            if slept && self.command_has_ended() && now >= *ended.get_or_insert(now) + AFTERWARDS {
                self.closed = true;
                return Some(Read::Closed);
            }
            let end = if now < deadline { deadline.min(now + CANCELLED) } else { now + GLANCE };
            match &mut self.watch {
                None => self.sleep(end, false),
                Some(watch) => {
                    // It should be known well when there was a delay, not only how long it was.
                    watch.look();
                    self.sleep(end.min(now + WATCHED), false);
                }
            }
            slept = true;
        }
    }

    fn command_has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.command
            .is_some_and(|command| matches!(waitid(WaitId::Pid(command), options), Ok(Some(_))))
    }

    /// Whether the system would do something if the machine let it: nothing can be said about its
    /// silence then.
    fn system_is_waiting(&mut self) -> bool {
        self.watch.as_mut().is_some_and(Watch::system_is_waiting)
    }

    /// Sleeps until there is something to read, there is room to write if that is asked for, or the
    /// deadline has come.
    fn sleep(&mut self, deadline: Instant, writing: bool) {
        let now = Instant::now();
        let rest = deadline.saturating_duration_since(now);
        let timeout = Timespec::try_from(rest).ok();
        let mut waits = Vec::with_capacity(3);
        if !writing || self.has_room() {
            waits.push(PollFd::new(&self.from, PollFlags::IN));
        }
        let errors_at = waits.len();
        if let Some(errors) = &self.errors {
            waits.push(PollFd::new(errors, PollFlags::IN));
        }
        if let Some(to) = self.to.as_ref().filter(|_| writing) {
            waits.push(PollFd::new(to, PollFlags::OUT));
        }
        // An interrupted wait is a short one; the caller looks again.
        let ready = poll(&mut waits, timeout.as_ref());
        if ready == Ok(0) && !rest.is_zero() && self.dated {
            self.wake_delays.record(deadline, Instant::now());
        }
        let errors_said = self.errors.is_some() && waits[errors_at].revents() != PollFlags::empty();
        if errors_said && ready.is_ok() {
            self.drain_errors();
        }
    }

    fn has_room(&self) -> bool {
        !self.closed && self.unread.len() + CHUNK <= self.buffer.len()
    }

    /// Reads what there is, without waiting.
    fn look(&mut self) -> Look {
        if self.unread.is_empty() {
            self.unread = 0..0;
            self.scanned = 0;
        } else if self.buffer.len() - self.unread.end < CHUNK {
            self.buffer.copy_within(self.unread.clone(), 0);
            self.scanned -= self.unread.start;
            self.unread = 0..self.unread.len();
        }
        loop {
            return match read(&self.from, &mut self.buffer[self.unread.end..]) {
                Ok(0) => Look::End,
                Ok(count) => {
                    self.unread.end += count;
                    Look::Data
                }
                Err(Errno::INTR) => continue,
                Err(Errno::AGAIN) => Look::Empty,
                // A connection that was reset, or a device that is gone.
                Err(_) => Look::End,
            };
        }
    }

    fn drain_errors(&mut self) {
        let mut chunk = [0; 4096];
        // As much as a pipe holds, so that a system that never stops talking does not hold us up.
        for _ in 0..CHUNK / chunk.len() {
            let Some(errors) = &self.errors else { return };
            match read(errors, &mut chunk[..]) {
                Ok(0) => self.errors = None,
                Ok(count) => {
                    self.said.extend_from_slice(&chunk[..count]);
                    if self.said.len() > 4 * KEPT {
                        self.said.drain(..self.said.len() - KEPT);
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => self.errors = None,
            }
        }
    }

    /// Writes everything. What the system says meanwhile is kept, as far as there is room.
    pub fn write_all(&mut self, mut bytes: &[u8], deadline: Instant) -> Result<(), Unwritten> {
        while !bytes.is_empty() {
            let Some(to) = &self.to else { return Err(Unwritten::Closed) };
            match write(to, bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    let now = Instant::now();
                    if now >= deadline || self.cancel.is_cancelled() {
                        return Err(Unwritten::TimedOut);
                    }
                    self.sleep(deadline.min(now + CANCELLED), true);
                    if self.has_room() {
                        self.look_while_writing();
                    }
                }
                Err(_) => return Err(Unwritten::Closed),
            }
        }
        Ok(())
    }

    /// Keeps what there is to read; what was unread before may have come earlier.
    fn look_while_writing(&mut self) {
        let looked = Instant::now();
        let earliest = if self.unread.is_empty() { self.empty_at } else { self.arrival.earliest };
        match self.look() {
            Look::Data => self.arrival = Span { earliest, latest: Instant::now() },
            Look::Empty => self.empty_at = looked,
            Look::End => self.closed = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{PipeWriter, Write, pipe};

    use proptest::prelude::*;

    use super::*;

    /// A channel that reads what is written to the pipe, and writes into nothing.
    fn channel(limit: usize, dated: bool) -> (PipeWriter, Channel) {
        let (from, said) = pipe().unwrap();
        let nothing = std::fs::File::options().write(true).open("/dev/null").unwrap();
        let channel = {
            let watch = dated.then(|| Watch::new(None));
            Channel::new(nothing.into(), from.into(), None, limit, watch).unwrap()
        };
        (said, channel)
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(600)
    }

    #[test]
    fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
        let (mut said, mut channel) = channel(4, false);
        said.write_all(b"abcd\r\nabcde\n").unwrap();
        assert!(matches!(channel.read_line(soon()), Read::Got(_)));
        assert_eq!(channel.line(), b"abcd");
        assert!(matches!(channel.read_line(soon()), Read::TooLong));
        said.write_all(b"abcdefgh").unwrap();
        assert!(matches!(channel.read_line(soon()), Read::TooLong));
    }

    #[test]
    fn a_deadline_passes_and_what_comes_later_is_still_read() {
        for dated in [false, true] {
            let (mut said, mut channel) = channel(100, dated);
            said.write_all(b"half").unwrap();
            let before = Instant::now();
            let deadline = before + Duration::from_millis(20);
            assert!(matches!(channel.read_line(deadline), Read::Nothing));
            assert!(channel.empty_at() >= deadline);
            said.write_all(b" and half\n").unwrap();
            let Read::Got(arrived) = channel.read_line(before) else { panic!("it is there") };
            assert_eq!(channel.line(), b"half and half");
            assert!(arrived.earliest >= deadline && arrived.latest >= arrived.earliest);
            drop(said);
            assert!(matches!(channel.read_line(soon()), Read::Closed));
        }
    }

    #[test]
    fn an_arrival_that_was_slept_for_is_dated_when_the_tester_ran_again() {
        let (mut said, mut channel) = channel(100, true);
        let speaker = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            let spoken = Instant::now();
            said.write_all(b"now\n").unwrap();
            spoken
        });
        let Read::Got(arrived) = channel.read_line(soon()) else { panic!("nothing came") };
        let spoken = speaker.join().unwrap();
        assert!(arrived.latest >= arrived.earliest && arrived.earliest >= spoken);
    }

    proptest! {
        #[test]
        fn lines_are_the_same_however_they_are_cut(
            lines in proptest::collection::vec("[a-z]{0,12}", 1..20),
            cuts in proptest::collection::vec(1usize..9, 1..40),
            dated in any::<bool>(),
        ) {
            let (mut said, mut channel) = channel(12, dated);
            let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
            let (mut rest, mut cuts) = (text.as_bytes(), cuts.iter().cycle());
            let mut read = Vec::new();
            while !rest.is_empty() {
                let cut = (*cuts.next().unwrap()).min(rest.len());
                said.write_all(&rest[..cut]).unwrap();
                rest = &rest[cut..];
                while matches!(channel.read_line(Instant::now()), Read::Got(_)) {
                    read.push(String::from_utf8(channel.line().to_vec()).unwrap());
                }
            }
            prop_assert_eq!(read, lines);
        }
    }
}
