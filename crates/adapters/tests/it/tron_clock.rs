//! Adapters for UPPAAL TRON in virtual time: threads that wait on our clock, written after TRON's manual.
#![cfg(unix)]

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use tioga_adapters::{
    AdapterLimits, Alphabet, Fault, FaultKind, Heard, Protocol, System, TimeBase,
};
use tioga_base::{Moment, Rational};
use tioga_testcase::Action;
use tioga_testkit::{HANGING, free_port, wait_for};

/// How many microseconds a time unit has.
const UNIT: i32 = 1000;

/// Connects as soon as somebody listens.
fn reach(port: u16) -> TcpStream {
    let stream = wait_for("the tester", || TcpStream::connect(("127.0.0.1", port)).ok());
    stream.set_nodelay(true).unwrap();
    stream
}

fn named(question: &[u8], name: &str) -> Vec<u8> {
    [question, &[u8::try_from(name.len()).unwrap()], name.as_bytes()].concat()
}

/// What a thread of an adapter sees of the clock.
struct Clock(TcpStream);

impl Clock {
    fn new(port: u16, name: &str) -> Self {
        let mut stream = reach(port);
        stream.write_all(&named(&[], name)).unwrap();
        Self(stream)
    }

    fn say(&mut self, code: u8, numbers: &[i32]) -> Option<()> {
        let numbers = numbers.iter().flat_map(|number| number.to_be_bytes());
        let bytes: Vec<u8> = std::iter::once(code).chain(numbers).collect();
        self.0.write_all(&bytes).ok()
    }

    /// Nothing if the clock is gone.
    fn ask(&mut self, code: u8, numbers: &[i32]) -> Option<i32> {
        self.say(code, numbers)?;
        let mut answer = [0; 4];
        self.0.read_exact(&mut answer).ok()?;
        Some(i32::from_be_bytes(answer))
    }
}

/// What the threads of the lamp share.
#[derive(Default)]
struct Lamp {
    inputs: Mutex<VecDeque<i32>>,
    acknowledged: Mutex<u32>,
    told: Condvar,
}

/// Asks everything and starts; the numbers of the channels.
fn configure(stream: &mut TcpStream, unit: Option<i32>) -> (i32, i32) {
    let mut ask = |question: &[u8]| {
        stream.write_all(question).unwrap();
        let mut answer = [0; 4];
        stream.read_exact(&mut answer).unwrap();
        i32::from_be_bytes(answer)
    };
    let (touch, dim) = (ask(&named(&[1], "touch")), ask(&named(&[2], "dim")));
    ask(&named(&[&[3][..], &touch.to_be_bytes()].concat(), "level"));
    ask(&named(&[&[4][..], &dim.to_be_bytes()].concat(), "level"));
    if let Some(unit) = unit {
        ask(&[&[5][..], &0i32.to_be_bytes(), &unit.to_be_bytes()].concat());
    }
    stream.write_all(&[64]).unwrap();
    (touch, dim)
}

/// A lamp that answers a touch after one and a half time units, with its level plus one. One thread
/// brings inputs and does not count, the other is the lamp.
fn lamp(clock: u16, connected: impl FnOnce() -> TcpStream) {
    let shared = Arc::new(Lamp::default());
    let mut bringer = Clock::new(clock, "bringer");
    assert_eq!(bringer.ask(1, &[]), Some(0));
    let mut worker = Clock::new(clock, "lamp");
    let mutex = worker.ask(3, &[]).unwrap();
    let (filled, never) = (worker.ask(7, &[]).unwrap(), worker.ask(7, &[]).unwrap());
    let off = worker.0.try_clone().unwrap();
    let mut stream = connected();
    let (touch, dim) = configure(&mut stream, Some(UNIT));
    let mut out = stream.try_clone().unwrap();
    let state = Arc::clone(&shared);
    let light = std::thread::spawn(move || -> Option<()> {
        loop {
            worker.ask(5, &[mutex])?;
            while state.inputs.lock().unwrap().is_empty() {
                worker.ask(9, &[filled, mutex])?;
            }
            let level = state.inputs.lock().unwrap().pop_front()?;
            let passed = worker.ask(11, &[never, mutex, 0, 3 * UNIT / 2])?;
            assert_eq!(passed, 65, "time has passed");
            worker.ask(6, &[mutex])?;
            let event = [&dim.to_be_bytes()[..], &[0, 1], &(level + 1).to_be_bytes()].concat();
            out.write_all(&event).ok()?;
            // The lamp is busy until the tester has heard it.
            let told = state.acknowledged.lock().unwrap();
            let (mut told, _) =
                state.told.wait_timeout_while(told, HANGING, |told| *told == 0).unwrap();
            *told = told.checked_sub(1)?;
        }
    });
    let mut start = [7];
    stream.read_exact(&mut start).unwrap();
    let mut number = [0; 4];
    while stream.read_exact(&mut number).is_ok() {
        let number = i32::from_be_bytes(number);
        if number < 0 {
            *shared.acknowledged.lock().unwrap() += 1;
            shared.told.notify_all();
            continue;
        }
        assert_eq!(number, touch);
        let mut rest = [0; 6];
        stream.read_exact(&mut rest).unwrap();
        bringer.ask(5, &[mutex]).unwrap();
        shared.inputs.lock().unwrap().push_back(i32::from_be_bytes(rest[2..].try_into().unwrap()));
        bringer.say(13, &[filled]).unwrap();
        bringer.ask(6, &[mutex]).unwrap();
        stream.write_all(&(1u32 << 31 | 1).to_be_bytes()).unwrap();
    }
    // The tester may have closed the connection already.
    let _ = off.shutdown(std::net::Shutdown::Both);
    light.join().unwrap();
}

/// Patience for adapters that answer, on a busy machine.
fn patient() -> AdapterLimits {
    let long = Duration::from_secs(120);
    AdapterLimits { answer: long, start: long, exit: long, ..AdapterLimits::default() }
}

/// Little patience for adapters that hang, and more at each attempt, because a busy machine may need longer for what they
/// do before: one of them has to find this fault.
fn assert_fault_soon(
    (kind, evidence): (FaultKind, &str),
    threads: usize,
    limits: fn(Duration) -> AdapterLimits,
    then: fn(&mut Clock) -> Option<()>,
) {
    let mut attempts = [3, 12, 48]
        .iter()
        .map(|seconds| fault(&limits(Duration::from_secs(*seconds)), Some(UNIT), threads, then));
    let expected = |fault: &Fault| fault.kind == kind && fault.evidence.contains(evidence);
    assert!(attempts.any(|fault| expected(&fault)), "never {kind:?} with {evidence}");
}

fn open(adapter: u16, clock: u16, limits: &AdapterLimits) -> Result<Box<dyn System>, Fault> {
    let alphabet = Alphabet {
        inputs: vec!["touch".to_owned()],
        outputs: vec!["dim".to_owned()],
        ..Alphabet::default()
    };
    let system = format!("tron-listen:{adapter},clock={clock}");
    Protocol::Tron.connect(&system.as_str().into(), TimeBase::Virtual, &alphabet, limits)
}

fn time(text: &str) -> Rational {
    text.parse().unwrap()
}

fn exactly(text: &str) -> Moment {
    Moment::exactly(time(text))
}

fn touch(level: i32) -> Action {
    Action::new("touch", &[level])
}

fn dim(at: &str, level: i64) -> Heard {
    Heard::Output { at: exactly(at), action: Action::new("dim", &[level]) }
}

#[test]
fn time_is_exact_and_costs_nothing() {
    let (adapter, clock) = (free_port(), free_port());
    let lamps = std::thread::spawn(move || (0..2).for_each(|_| lamp(clock, || reach(adapter))));
    let mut system = open(adapter, clock, &patient()).unwrap();
    let began = Instant::now();
    for _ in 0..2 {
        system.begin(1).unwrap();
        assert!(system.is_exact());
        assert_eq!(system.wait(time("1/3"), &[]), Ok(Heard::Nothing { now: exactly("1/3") }));
        assert_eq!(system.wait(time("1"), &[]), Ok(Heard::Nothing { now: exactly("1") }));
        assert_eq!(system.send(&touch(4)), Ok(exactly("1")));
        assert_eq!(system.wait(time("2"), &[]), Ok(Heard::Nothing { now: exactly("2") }));
        assert_eq!(system.wait(time("100"), &[]), Ok(dim("5/2", 5)));
        // Who wakes when the tester does goes first.
        assert_eq!(system.send(&touch(-8)), Ok(exactly("5/2")));
        assert_eq!(system.wait(time("4"), &[]), Ok(dim("4", -7)));
        assert_eq!(system.now(), exactly("4"));
        // Two inputs at once are answered one after the other.
        system.send(&touch(1)).unwrap();
        system.send(&touch(2)).unwrap();
        assert_eq!(system.wait(time("100"), &[]), Ok(dim("11/2", 2)));
        assert_eq!(system.wait(time("100"), &[]), Ok(dim("7", 3)));
        let hour = Heard::Nothing { now: exactly("3600000") };
        assert_eq!(system.wait(time("3600000"), &[]), Ok(hour));
    }
    assert!(began.elapsed() < HANGING, "two hours took {:?}", began.elapsed());
    drop(system);
    lamps.join().unwrap();
}

#[test]
fn an_adapter_may_look_for_the_clock_before_it_listens() {
    let (adapter, clock) = (free_port(), free_port());
    let lamp = std::thread::spawn(move || {
        lamp(clock, || {
            let (stream, _) = TcpListener::bind(("127.0.0.1", adapter)).unwrap().accept().unwrap();
            stream.set_nodelay(true).unwrap();
            stream
        });
    });
    let alphabet = Alphabet {
        inputs: vec!["touch".to_owned()],
        outputs: vec!["dim".to_owned()],
        ..Alphabet::default()
    };
    let system = format!("tcp:127.0.0.1:{adapter},clock=127.0.0.1:{clock}");
    let opened =
        Protocol::Tron.connect(&system.as_str().into(), TimeBase::Virtual, &alphabet, &patient());
    let mut system = opened.unwrap();
    system.begin(1).unwrap();
    system.send(&touch(1)).unwrap();
    assert_eq!(system.wait(time("3/2"), &[]), Ok(dim("3/2", 2)));
    drop(system);
    lamp.join().unwrap();
}

/// What is wrong with an adapter that, after a thread of its own has connected to the clock, does this.
fn fault(
    limits: &AdapterLimits,
    unit: Option<i32>,
    threads: usize,
    then: fn(&mut Clock) -> Option<()>,
) -> Fault {
    let (adapter, clock) = (free_port(), free_port());
    let other = std::thread::spawn(move || {
        // Nobody connects to the clock before it listens, which the adapter's port tells.
        let mut stream = reach(adapter);
        let mut own: Vec<Clock> = (0..threads).map(|_| Clock::new(clock, "worker")).collect();
        configure(&mut stream, unit);
        // The tester may be gone already.
        let _ = own.iter_mut().try_for_each(then);
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    });
    let begun = open(adapter, clock, limits).and_then(|mut system| {
        system.begin(1)?;
        loop {
            system.wait(time("1"), &[])?;
            system.send(&touch(1))?;
        }
    });
    let fault = begun.map(|never: ()| never).unwrap_err();
    other.join().unwrap();
    fault
}

#[test]
fn adapters_that_do_not_play_along_are_at_fault() {
    let blocked: fn(&mut Clock) -> Option<()> = |clock| {
        let (mutex, condition) = (clock.ask(3, &[])?, clock.ask(7, &[])?);
        clock.ask(5, &[mutex])?;
        clock.say(9, &[condition, mutex])
    };
    let start = |start| AdapterLimits { start, ..patient() };
    let answer = |answer| AdapterLimits { answer, ..patient() };
    assert_fault_soon((FaultKind::Mismatch, "uses the virtual clock"), 0, start, blocked);
    assert_fault_soon((FaultKind::Hang, "`worker`"), 1, answer, |_| Some(()));
    assert_fault_soon((FaultKind::Hang, "not acknowledged"), 1, answer, blocked);
    let cases: [(Fault, FaultKind, &str); 2] = [
        (fault(&patient(), None, 1, blocked), FaultKind::Mismatch, "how long its time unit is"),
        (fault(&patient(), Some(UNIT), 1, |clock| clock.say(99, &[])), FaultKind::Garbage, "99"),
    ];
    for (fault, kind, evidence) in cases {
        assert_eq!(fault.kind, kind, "{fault}");
        assert!(fault.evidence.contains(evidence), "{fault}");
    }
}
