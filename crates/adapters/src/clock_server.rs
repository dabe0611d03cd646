//! The virtual clock of UPPAAL TRON as a service: each thread of an adapter has a connection of its own,
//! says its name, and then asks one thing after the other.
//!
//! A thread is registered when its connection is accepted, and counts as busy until it asks for
//! something that blocks it. Connections that wait to be accepted are looked for before time passes, so
//! none that was there in time is overlooked.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tioga_base::Rational;

use crate::fault::{Fault, FaultKind};
use crate::peer::unreachable;
use crate::virtual_clock::{Answer, Command, MILLION, ThreadId, Until, VirtualClock};

/// How many threads there may be.
const THREADS: usize = 1000;

/// How many mutexes and conditions there may be.
const KEPT: usize = 100_000;

/// How often connections are accepted while the tester does something else.
const LOOK: Duration = Duration::from_millis(2);

/// How long an answer may take to be written; a thread that waits for it reads it.
const WRITE: Duration = Duration::from_secs(5);

/// A virtual clock that others use.
pub(super) struct ClockServer(Arc<Shared>);

/// What came of letting time pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Advance {
    /// A thread is busy, so no time passed.
    Busy,
    /// Threads wake at the time that it is now.
    Woken,
    /// The time is what was wanted.
    Reached,
}

struct Shared {
    /// Nothing after the end.
    listener: Mutex<Option<TcpListener>>,
    served: Mutex<Served>,
    /// A thread has asked for something.
    changed: Condvar,
}

#[derive(Default)]
struct Served {
    clock: VirtualClock,
    streams: BTreeMap<ThreadId, TcpStream>,
    /// A protocol violation of a thread.
    trouble: Option<Fault>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ClockServer {
    /// Listens for threads.
    pub fn open(address: &str) -> Result<Self, Fault> {
        let what = format!("the virtual clock at {address}");
        let listener = TcpListener::bind(address).map_err(|error| unreachable(&what, &error))?;
        listener.set_nonblocking(true).map_err(|error| unreachable(&what, &error))?;
        let shared = Arc::new(Shared {
            listener: Mutex::new(Some(listener)),
            served: Mutex::default(),
            changed: Condvar::new(),
        });
        let other = Arc::clone(&shared);
        std::thread::spawn(move || {
            while accept(&other) {
                std::thread::sleep(LOOK);
            }
        });
        Ok(Self(shared))
    }

    /// The time in microseconds.
    pub fn now(&self) -> Rational {
        lock(&self.0.served).clock.now()
    }

    /// How many threads use the clock.
    pub fn threads(&self) -> usize {
        accept(&self.0);
        lock(&self.0.served).clock.threads()
    }

    /// Waits a moment for the clock to be idle; whether it is.
    pub fn idle(&self, within: Duration) -> Result<bool, Fault> {
        accept(&self.0);
        let mut served = lock(&self.0.served);
        if !served.clock.is_idle() && served.trouble.is_none() {
            let waited = self.0.changed.wait_timeout(served, within);
            served = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        match served.trouble.take() {
            Some(fault) => Err(fault),
            None => Ok(served.clock.is_idle()),
        }
    }

    /// The names of the threads because of which no time passes.
    pub fn busy(&self) -> Vec<String> {
        lock(&self.0.served).clock.busy().map(str::to_owned).collect()
    }

    /// Lets time pass up to this moment, or to the next at which a thread wakes.
    pub fn advance(&self, until: Rational) -> Advance {
        accept(&self.0);
        let mut served = lock(&self.0.served);
        if !served.clock.is_idle() {
            return Advance::Busy;
        }
        let next = served.clock.deadline().filter(|deadline| *deadline <= until);
        let answers = served.clock.advance(next.unwrap_or(until));
        served.deliver(&answers);
        if next.is_some() { Advance::Woken } else { Advance::Reached }
    }
}

impl Drop for ClockServer {
    fn drop(&mut self) {
        *lock(&self.0.listener) = None;
        // Their threads end when there is nothing more to read.
        for stream in lock(&self.0.served).streams.values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Served {
    /// Writes answers. A thread that does not take one has gone; its connection shows that, too.
    fn deliver(&mut self, answers: &[Answer]) {
        for Answer { thread, numbers } in answers {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_be_bytes()).collect();
            if let Some(stream) = self.streams.get_mut(thread) {
                let _ = stream.write_all(&bytes);
            }
        }
    }
}

/// Accepts every connection that waits for it; whether the clock still runs.
fn accept(shared: &Arc<Shared>) -> bool {
    let listener = lock(&shared.listener);
    let Some(listener) = &*listener else { return false };
    while let Ok((stream, _)) = listener.accept() {
        let mut served = lock(&shared.served);
        if served.clock.threads() >= THREADS {
            let evidence = format!("more than {THREADS} threads use the virtual clock");
            served.trouble.get_or_insert(Fault::new(FaultKind::Flood, evidence));
            continue;
        }
        if let Ok(other) = prepared(&stream) {
            let thread = served.clock.register("without a name".to_owned());
            served.streams.insert(thread, other);
            let shared = Arc::clone(shared);
            std::thread::spawn(move || serve(&shared, thread, stream));
        }
    }
    true
}

fn prepared(stream: &TcpStream) -> io::Result<TcpStream> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE))?;
    stream.try_clone()
}

/// Does what a thread asks for, as long as it is there.
fn serve(shared: &Shared, thread: ThreadId, mut stream: TcpStream) {
    let fault = conversation(shared, thread, &mut stream).err();
    let mut served = lock(&shared.served);
    // Who goes without a word is not at fault; what is missing then, the tester will notice.
    if let Some(error) = fault.filter(|error| error.kind() == io::ErrorKind::InvalidData) {
        served.trouble.get_or_insert(Fault::new(FaultKind::Garbage, error.to_string()));
    }
    let answers = served.clock.remove(thread);
    served.deliver(&answers);
    served.streams.remove(&thread);
    shared.changed.notify_all();
}

fn conversation(shared: &Shared, thread: ThreadId, stream: &mut TcpStream) -> io::Result<()> {
    let nonsense = |evidence: String| io::Error::new(io::ErrorKind::InvalidData, evidence);
    let mut name = vec![0; usize::from(byte(stream)?)];
    stream.read_exact(&mut name)?;
    let name = String::from_utf8_lossy(&name).into_owned();
    lock(&shared.served).clock.rename(thread, name);
    loop {
        let code = byte(stream)?;
        let command = command(code, stream)?
            .ok_or_else(|| nonsense(format!("{code} is no command of the virtual clock")))?;
        if command == Command::Quit {
            return Ok(());
        }
        let mut served = lock(&shared.served);
        if served.clock.kept() > KEPT {
            return Err(nonsense(format!("more than {KEPT} mutexes and conditions")));
        }
        let answers = served.clock.command(thread, command);
        let answers = answers.map_err(|_| nonsense("a time is too large".to_owned()))?;
        served.deliver(&answers);
        shared.changed.notify_all();
    }
}

/// The rest of a command; nothing if there is none with this number.
fn command(code: u8, stream: &mut TcpStream) -> io::Result<Option<Command>> {
    Ok(Some(match code {
        1 => Command::Deactivate,
        2 => Command::Activate,
        3 => Command::NewMutex,
        4 => Command::DropMutex(number(stream)?),
        5 => Command::Lock(number(stream)?),
        6 => Command::Unlock(number(stream)?),
        7 => Command::NewCondition,
        8 => Command::DropCondition(number(stream)?),
        9..=11 => {
            let (condition, mutex) = (number(stream)?, number(stream)?);
            let until = match code {
                9 => Until::Signalled,
                10 => Until::Moment(microseconds(stream)?),
                _ => Until::Later(microseconds(stream)?),
            };
            Command::Wait { condition, mutex, until }
        }
        12 => Command::Signal(number(stream)?),
        13 => Command::Broadcast(number(stream)?),
        14 => Command::Time,
        127 => Command::Quit,
        _ => return Ok(None),
    }))
}

fn byte(stream: &mut TcpStream) -> io::Result<u8> {
    let mut byte = [0];
    stream.read_exact(&mut byte)?;
    Ok(byte[0])
}

fn number(stream: &mut TcpStream) -> io::Result<i32> {
    let mut bytes = [0; 4];
    stream.read_exact(&mut bytes)?;
    Ok(i32::from_be_bytes(bytes))
}

/// Seconds and microseconds.
fn microseconds(stream: &mut TcpStream) -> io::Result<i64> {
    let (seconds, rest) = (i64::from(number(stream)?), i64::from(number(stream)?));
    Ok(seconds * MILLION + rest)
}
