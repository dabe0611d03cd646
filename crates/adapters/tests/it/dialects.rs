//! The protocols of other tools: ECDAR's lines, TorX's lines, TRON's sockets.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use tioga_adapters::{
    AdapterLimits, Alphabet, Carried, Fault, FaultKind, Heard, Protocol, System, TimeBase,
};
use tioga_base::Rational;
use tioga_testcase::Action;
use tioga_testkit::{HANGING, free_port};

const UNIT: u64 = 20_000_000;
const REAL: TimeBase = TimeBase::Real { unit_ns: UNIT };

fn open(system: &str, protocol: Protocol, time: TimeBase) -> Result<Box<dyn System>, Fault> {
    open_with(system, protocol, time, BTreeMap::new())
}

fn open_with(
    system: &str,
    protocol: Protocol,
    time: TimeBase,
    carried: BTreeMap<String, Carried>,
) -> Result<Box<dyn System>, Fault> {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let (inputs, outputs) = (names(&["touch"]), names(&["bright", "dim"]));
    let alphabet = Alphabet { inputs, outputs, carried, any_output: false };
    let limits = AdapterLimits {
        answer: HANGING,
        start: HANGING,
        exit: HANGING,
        ..AdapterLimits::default()
    };
    protocol.connect(&system.into(), time, &alphabet, &limits)
}

fn touch(values: &[&str]) -> Action {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    Action { channel: "touch".to_owned(), values }
}

fn time(text: &str) -> Rational {
    text.parse().unwrap()
}

/// Waits for an output for as long as it takes.
fn next(system: &mut dyn System) -> Result<Action, Fault> {
    for _ in 0..60 {
        if let Heard::Output { action, .. } = system.wait(Rational::integer(1_000_000), &[])? {
            return Ok(action);
        }
    }
    panic!("nothing came");
}

#[track_caller]
fn assert_fault(fault: &Fault, kind: FaultKind, evidence: &str) {
    assert_eq!(fault.kind, kind, "{fault}");
    assert!(fault.evidence.contains(evidence), "no `{evidence}` in: {fault}");
}

/// Dim in the second time unit after a touch, and bright at the same time.
fn ecdar(done: &str) -> String {
    format!(
        r#"t=0; while read -r m; do case "$m" in
            touch) t=2;;
            "Delay: 1") [ $t = 1 ] && echo dim && echo 'Debug: seen' && echo bright
                [ $t -gt 0 ] && t=$((t-1)); echo '{done}';;
            *) echo "what is $m";;
        esac; done"#
    )
}

#[test]
fn ecdar_lines_move_simulated_time_in_whole_units() {
    for done in ["Delay done", "Delayed: 1"] {
        let mut system = open(&ecdar(done), Protocol::Ecdar, TimeBase::Virtual).unwrap();
        // The second run has a new process, as there is no reset.
        for _ in 0..2 {
            system.begin(1).unwrap();
            let quiet = system.wait(time("5/2"), &[]).unwrap();
            assert!(matches!(quiet, Heard::Nothing { now } if now.to_string() == "5/2"));
            assert_eq!(system.send(&touch(&[])).unwrap().to_string(), "5/2");
            for name in ["dim", "bright"] {
                let heard = system.wait(time("10"), &[]).unwrap();
                let Heard::Output { at, action } = heard else { panic!("no {name}") };
                assert_eq!((action.channel.as_str(), at.to_string().as_str()), (name, "4"));
            }
            let quiet = system.wait(time("10"), &[]).unwrap();
            assert!(matches!(quiet, Heard::Nothing { now } if now.to_string() == "10"));
        }
        system.finish().unwrap();
    }
}

#[test]
fn ecdar_lines_come_at_any_moment_in_real_time() {
    let script = "while read -r m; do echo 'Debug: touched'; echo dim; done";
    let mut system = open(script, Protocol::Ecdar, REAL).unwrap();
    for _ in 0..2 {
        system.begin(1).unwrap();
        system.send(&touch(&[])).unwrap();
        assert_eq!(next(&mut *system).unwrap().channel, "dim");
        let quiet = system.now().latest().add(Rational::ONE).unwrap();
        assert!(matches!(system.wait(quiet, &[]).unwrap(), Heard::Nothing { .. }));
    }
}

#[test]
fn ecdar_systems_have_faults_too() {
    let run = |script: &str, values: &[&str]| -> Fault {
        let mut system = open(script, Protocol::Ecdar, TimeBase::Virtual).unwrap();
        system.begin(1).unwrap();
        let sent = system.send(&touch(values));
        sent.and_then(|_| system.wait(time("3"), &[])).unwrap_err()
    };
    let unknown = run("read m; read m; echo red; read m", &[]);
    assert_fault(&unknown, FaultKind::UnknownName, "`red`");
    let values = run("read m; read m", &["1"]);
    assert_fault(&values, FaultKind::Mismatch, "has values");
    let stuck = run("read m; read m; echo 'Delayed: 0'; read m", &[]);
    assert_fault(&stuck, FaultKind::Garbage, "no time passed");
    let far = run("read m; read m; echo 'Delayed: 7'; read m", &[]);
    assert_fault(&far, FaultKind::Garbage, "0 or 1");
    assert_fault(&run("read m; read m; exit 3", &[]), FaultKind::Crash, "exit status 3");
    let flood = run("read m; read m; exec yes dim", &[]);
    assert_fault(&flood, FaultKind::Flood, "in one time unit");
}

/// An output waits in the adapter when the second touch comes, which is then repeated.
const TORX: &str = r#"n=0; while read -r m; do case "$m" in
    C_IOKIND) echo 'A_IOKIND ';;
    "C_INPUT event=touch")
        if [ $n = 1 ]; then n=2; echo 'A_OUTPUT event=!bright'; else n=$((n+1)); echo "A_INPUT event=touch"; fi;;
    "C_INPUT event=touch(3,-4)") n=9; echo "A_INPUT event=touch(3,-4)";;
    C_OUTPUT) case $n in
        3) n=4; printf 'A_OUTPUT channel=out\tevent=dim\n';;
        9) n=4; echo 'A_OUTPUT event=dim(5)';;
        *) sleep 0.005; [ $n = 4 ] && echo 'A_OUTPUT suspension=1' || echo 'A_OUTPUT event=delta';;
        esac;;
    C_QUIT) echo A_QUIT; exit 0;;
    *) echo "A_ERROR what is $m";;
esac; done"#;

#[test]
fn torx_questions_and_answers() {
    let mut system = open(TORX, Protocol::Torx, REAL).unwrap();
    for _ in 0..2 {
        system.begin(1).unwrap();
        let quiet = system.wait(time("1"), &[]).unwrap();
        assert!(matches!(quiet, Heard::Nothing { now } if now.earliest() >= Rational::ONE));
        let first = system.send(&touch(&[])).unwrap();
        let second = system.send(&touch(&[])).unwrap();
        assert!(second.earliest() >= first.earliest());
        assert_eq!(next(&mut *system).unwrap().channel, "bright");
        assert_eq!(next(&mut *system).unwrap().channel, "dim");
        system.send(&touch(&["3", "-4"])).unwrap();
        let dim = next(&mut *system).unwrap();
        assert_eq!((dim.channel.as_str(), dim.values), ("dim", vec!["5".to_owned()]));
    }
    system.finish().unwrap();
}

#[test]
fn torx_adapters_have_faults_too() {
    let greeted = |rest: &str| format!("read m; echo 'A_IOKIND '; read m; {rest}; read m");
    let run = |script: &str| -> Fault {
        let opened = open(script, Protocol::Torx, REAL);
        opened
            .and_then(|mut system| {
                system.begin(1)?;
                system.send(&touch(&[]))?;
                next(&mut *system)
            })
            .unwrap_err()
    };
    assert_fault(&run("read m; echo hello"), FaultKind::Garbage, "no answer of a TorX adapter");
    assert_fault(&run("read m; echo A_QUIT"), FaultKind::Garbage, "C_IOKIND");
    assert_fault(&run(&greeted("echo A_ERROR out of order")), FaultKind::Reported, "out of order");
    assert_fault(&run(&greeted("echo A_INPUT_ERROR")), FaultKind::Reported, "A_INPUT_ERROR");
    assert_fault(&run(&greeted("echo A_INPUT event=push")), FaultKind::Garbage, "C_INPUT");
    let output = greeted("echo A_INPUT event=touch; read m; echo A_OUTPUT event=red");
    assert_fault(&run(&output), FaultKind::UnknownName, "`red`");
    assert_fault(&run(&greeted("exit 7")), FaultKind::Crash, "exit status 7");
    let exact = open(TORX, Protocol::Torx, TimeBase::Virtual).err().unwrap();
    assert_fault(&exact, FaultKind::Unreachable, "no virtual time");
}

/// An adapter for TRON: asks a question, reads a number.
fn ask(stream: &mut TcpStream, question: &[u8]) -> i32 {
    stream.write_all(question).unwrap();
    let mut answer = [0; 4];
    stream.read_exact(&mut answer).unwrap();
    i32::from_be_bytes(answer)
}

fn named(question: &[u8], name: &str) -> Vec<u8> {
    let length = u8::try_from(name.len()).unwrap();
    [question, &[length], name.as_bytes()].concat()
}

/// An adapter for TRON that answers a touch with its value plus one, as often as it is connected.
fn tron_adapter(mut stream: TcpStream) {
    let touch = ask(&mut stream, &named(&[1], "touch"));
    let dim = ask(&mut stream, &named(&[2], "dim"));
    assert!(touch > 0 && dim > 0 && touch != dim);
    assert_eq!(ask(&mut stream, &named(&[&[3][..], &touch.to_be_bytes()].concat(), "level")), 0);
    assert_eq!(ask(&mut stream, &named(&[&[4][..], &dim.to_be_bytes()].concat(), "level")), 0);
    let micros = i64::try_from(UNIT / 1000).unwrap();
    assert_eq!(ask(&mut stream, &[&[5][..], &micros.to_be_bytes()].concat()), 0);
    assert_eq!(ask(&mut stream, &[&[6][..], &1000i32.to_be_bytes()].concat()), 0);
    stream.write_all(&[64]).unwrap();
    let mut start = [7];
    stream.read_exact(&mut start).unwrap();
    assert_eq!(start, [0]);
    let mut event = [0; 10];
    while stream.read_exact(&mut event).is_ok() {
        assert_eq!(event[..6], [&touch.to_be_bytes()[..], &[0, 1]].concat());
        let level = i32::from_be_bytes(event[6..].try_into().unwrap()) + 1;
        let acknowledged = (1u32 << 31 | 1).to_be_bytes();
        let answer =
            [&acknowledged[..], &dim.to_be_bytes(), &[0, 1], &level.to_be_bytes()].concat();
        if stream.write_all(&answer).is_err() {
            return;
        }
    }
}

fn behaves_as_for_tron(system: &mut dyn System) {
    for _ in 0..2 {
        system.begin(1).unwrap();
        let quiet = system.wait(time("1"), &[]).unwrap();
        assert!(matches!(quiet, Heard::Nothing { now } if now.earliest() >= Rational::ONE));
        for (level, answer) in [("4", "5"), ("-8", "-7")] {
            system.send(&touch(&[level])).unwrap();
            let dim = next(system).unwrap();
            assert_eq!((dim.channel.as_str(), dim.values), ("dim", vec![answer.to_owned()]));
        }
    }
    system.finish().unwrap();
}

#[test]
fn tron_adapters_that_listen() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let adapter = std::thread::spawn(move || {
        for stream in listener.incoming().take(2) {
            tron_adapter(stream.unwrap());
        }
    });
    let mut system = open(&format!("tcp:{address}"), Protocol::Tron, REAL).unwrap();
    behaves_as_for_tron(&mut *system);
    drop(system);
    adapter.join().unwrap();
}

#[test]
fn tron_adapters_that_connect() {
    let port = free_port();
    let adapter = std::thread::spawn(move || {
        for _ in 0..2 {
            let connected = || TcpStream::connect(("127.0.0.1", port)).ok();
            tron_adapter(tioga_testkit::wait_for("the tester", connected));
        }
    });
    let mut system = open(&format!("tron-listen:{port}"), Protocol::Tron, REAL).unwrap();
    behaves_as_for_tron(&mut *system);
    drop(system);
    adapter.join().unwrap();
}

#[test]
fn tron_adapters_have_faults_too() {
    let run = |said: Vec<u8>| -> Fault {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let adapter = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(&said).unwrap();
            stream.shutdown(std::net::Shutdown::Write).unwrap();
            let mut rest = Vec::new();
            let _ = stream.read_to_end(&mut rest);
        });
        let opened = open(&format!("tcp:{address}"), Protocol::Tron, REAL);
        let fault = opened
            .and_then(|mut system| {
                system.begin(1)?;
                next(&mut *system)
            })
            .unwrap_err();
        adapter.join().unwrap();
        fault
    };
    let touch = named(&[1], "touch");
    let started = |rest: &[u8]| [&touch[..], &[64], rest].concat();
    assert_fault(&run(vec![99]), FaultKind::Garbage, "99 is no question");
    assert_fault(&run(named(&[2], "red")), FaultKind::Mismatch, "`red`");
    assert_fault(&run(vec![64]), FaultKind::Mismatch, "`touch`");
    assert_fault(&run(vec![5, 0, 0, 0, 1, 0, 0, 0, 0]), FaultKind::Mismatch, "1000000000");
    assert_fault(&run(vec![1, 200, 65]), FaultKind::Closed, "");
    assert_fault(&run(started(&[0, 0])), FaultKind::Closed, "");
    assert_fault(&run(started(&[0, 0, 0, 1, 0, 0])), FaultKind::UnknownName, "output number 1");
    let acknowledged = [128, 0, 0, 1].repeat(20_000);
    assert_fault(&run(started(&acknowledged)), FaultKind::Flood, "10000");
    let clock = open("tcp:localhost:1,clock=2", Protocol::Tron, REAL).err().unwrap();
    assert_fault(&clock, FaultKind::Unreachable, "no virtual clock");
    let command = open("cat", Protocol::Tron, REAL).err().unwrap();
    assert_fault(&command, FaultKind::Unreachable, "tron-listen");
}

#[test]
fn a_wrong_number_of_values_is_the_same_fault_in_every_protocol() {
    let none = || BTreeMap::from([("dim".to_owned(), Carried { count: 0, whole: true })]);
    let fault = |mut system: Box<dyn System>, input: &Action| {
        system.begin(1).unwrap();
        system.send(input).and_then(|_| next(&mut *system)).unwrap_err()
    };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let adapter = std::thread::spawn(move || tron_adapter(listener.accept().unwrap().0));
    let tron = open_with(&format!("tcp:{address}"), Protocol::Tron, REAL, none()).unwrap();
    let tron = fault(tron, &touch(&["4"]));
    adapter.join().unwrap();
    let script = "read m; echo 'A_IOKIND '; read m; echo A_INPUT event=touch; \
                  while read m; do echo 'A_OUTPUT event=dim(5)'; done";
    let torx = fault(open_with(script, Protocol::Torx, REAL, none()).unwrap(), &touch(&[]));
    let script = r#"read m; echo '{"hello":{}}'
        while read m; do case "$m" in
            *reset*) echo '{"ready":true}';;
            *) echo '{"output":"dim","values":[5]}';;
        esac; done"#;
    let json = open_with(script, Protocol::Json, REAL, none());
    let json = json.map(|system| fault(system, &touch(&[])));
    for one in [Ok(tron), Ok(torx), json] {
        let one = one.unwrap();
        assert_fault(&one, FaultKind::Garbage, "the output `dim` has 0 values, not 1");
    }
}
