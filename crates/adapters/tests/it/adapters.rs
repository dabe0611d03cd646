//! The example adapters in Python, C and Rust behave like the smart light, with virtual and with real
//! time, and are as short as promised; the protocol is the same over sockets.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tioga_adapters::{AdapterLimits, Alphabet, Heard, Protocol, System, TimeBase};
use tioga_base::Rational;
use tioga_testcase::Action;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/adapters")
}

fn alphabet() -> Alphabet {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Alphabet {
        inputs: names(&["touch"]),
        outputs: names(&["bright", "dim", "off"]),
        ..Alphabet::default()
    }
}

/// Patience for systems that answer, on a busy machine.
fn patient() -> AdapterLimits {
    let long = Duration::from_secs(120);
    AdapterLimits { answer: long, start: long, exit: long, ..AdapterLimits::default() }
}

fn open(system: &str, time: TimeBase) -> Box<dyn System> {
    Protocol::Json.connect(&system.into(), time, &alphabet(), &patient()).unwrap()
}

fn time(text: &str) -> Rational {
    text.parse().unwrap()
}

fn touch() -> Action {
    Action { channel: "touch".to_owned(), values: Vec::new() }
}

/// Whether a program can be started; says so if not, so that a skipped test can be seen.
fn has(program: &str) -> bool {
    let found =
        Command::new(program).arg("--version").output().is_ok_and(|run| run.status.success());
    if !found {
        println!("skipped: there is no `{program}`");
    }
    found
}

/// Where to build a program.
fn built(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn python() -> Option<String> {
    has("python3").then(|| format!("python3 '{}'", examples().join("light.py").display()))
}

fn c(name: &str) -> Option<String> {
    if !has("cc") {
        return None;
    }
    let program = built(name);
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-o"]).arg(&program);
    assert!(compiler.arg(examples().join("light.c")).status().unwrap().success());
    Some(format!("exec '{}'", program.display()))
}

fn rust(name: &str) -> Option<String> {
    let program = built(name);
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let mut compiler = Command::new(compiler);
    compiler.args(["--edition", "2024", "-D", "warnings", "-o"]).arg(&program);
    assert!(compiler.arg(examples().join("light.rs")).status().unwrap().success());
    Some(format!("exec '{}'", program.display()))
}

/// What a virtual light does: the time of each touch, and what comes when after it.
const VIRTUAL: &[(&str, &str, &str)] = &[
    ("0", "dim", "1"),
    ("2", "bright", "3"),
    ("13/2", "dim", "15/2"),
    ("23/2", "off", "25/2"),
    ("65/2", "bright", "67/2"),
    ("242/7", "dim", "249/7"),
];

fn behaves_virtually(command: Option<String>) {
    let Some(command) = command else { return };
    let mut system = open(&command, TimeBase::Virtual);
    for seed in [1, 2] {
        system.begin(seed).unwrap();
        for (when, output, at) in VIRTUAL {
            let heard = system.wait(time(when), &[]).unwrap();
            assert_eq!(heard, Heard::Nothing { now: system.now() });
            assert_eq!(system.now().to_string(), *when);
            system.send(&touch()).unwrap();
            let Heard::Output { at: heard, action } = system.wait(time("100"), &[]).unwrap() else {
                panic!("nothing after the touch at {when}");
            };
            assert_eq!((action.channel.as_str(), heard.to_string().as_str()), (*output, *at));
        }
        assert!(system.is_exact());
    }
    system.begin(3).unwrap();
    system.send(&touch()).unwrap();
    system.send(&touch()).unwrap();
    // The output comes within a step that ends exactly where it is due.
    for until in ["1/3", "2/3"] {
        assert!(matches!(system.wait(time(until), &[]).unwrap(), Heard::Nothing { .. }));
    }
    let heard = system.wait(time("1"), &[]).unwrap();
    assert!(matches!(heard, Heard::Output { at, .. } if at.to_string() == "1"));
    assert!(matches!(system.wait(time("50"), &[]).unwrap(), Heard::Nothing { .. }));
    system.finish().unwrap();
}

fn behaves_really(command: Option<String>) {
    let Some(command) = command else { return };
    let mut system = open(&command, TimeBase::Real { unit_ns: 50_000_000 });
    assert!(!system.is_exact());
    for seed in [1, 2] {
        system.begin(seed).unwrap();
        let quiet = system.wait(time("1/2"), &[]).unwrap();
        let Heard::Nothing { now } = quiet else { panic!("{quiet:?} before the touch") };
        assert!(now.earliest() >= time("1/2"));
        let sent = system.send(&touch()).unwrap();
        assert!(sent.earliest() >= now.latest() && sent.latest() >= sent.earliest());
        let due = sent.earliest().add(time("9/10")).unwrap();
        let (at, action) = loop {
            if let Heard::Output { at, action } = system.wait(time("1000"), &[]).unwrap() {
                break (at, action);
            }
        };
        assert_eq!(action.channel, "dim");
        assert!(at.latest() >= due, "{at} is too early after {sent}");
        assert!(at.latest() < time("100"), "{at} is far too late");
        let after = at.latest().add(time("2")).unwrap();
        let quiet = system.wait(after, &[]).unwrap();
        assert!(matches!(quiet, Heard::Nothing { now } if now.earliest() >= after), "{quiet:?}");
    }
    system.finish().unwrap();
}

#[test]
fn the_python_light_is_exact_with_virtual_time() {
    behaves_virtually(python());
}

#[test]
fn the_python_light_runs_in_real_time() {
    behaves_really(python());
}

#[test]
fn the_c_light_is_exact_with_virtual_time() {
    behaves_virtually(c("light-c-virtual"));
}

#[test]
fn the_c_light_runs_in_real_time() {
    behaves_really(c("light-c-real"));
}

#[test]
fn the_rust_light_is_exact_with_virtual_time() {
    behaves_virtually(rust("light-rust-virtual"));
}

#[test]
fn the_rust_light_runs_in_real_time() {
    behaves_really(rust("light-rust-real"));
}

#[test]
fn an_adapter_has_at_most_twenty_lines() {
    for file in ["light.py", "light.c", "light.rs"] {
        let text = std::fs::read_to_string(examples().join(file)).unwrap();
        for time in ["Virtual", "Real"] {
            let begin = text.find(&format!("{time} time begins")).unwrap();
            let end = text.find(&format!("{time} time ends")).unwrap();
            let bracket = |line: &str| line.chars().all(|c| " {});".contains(c));
            let lines = text[begin..end].lines().skip(1).filter(|line| !bracket(line));
            let count = lines.count() - 1;
            assert!((10..=20).contains(&count), "{file}, {time}: {count} lines");
        }
    }
}

#[test]
fn the_documentation_shows_the_examples_as_they_are() {
    let docs = std::fs::read_to_string(examples().join("../../docs/adapters.md")).unwrap();
    for (language, file) in [("python", "light.py"), ("c", "light.c"), ("rust", "light.rs")] {
        let text = std::fs::read_to_string(examples().join(file)).unwrap();
        let fence = format!("```{language}\n");
        let block = docs.split(&fence).nth(1).unwrap().split("```").next().unwrap();
        assert!(text.contains(block), "{file} does not contain:\n{block}");
    }
}

#[test]
fn the_car_alarm_speaks_the_protocol() {
    if !has("python3") {
        return;
    }
    let command = format!("python3 '{}'", examples().join("../car-alarm/controller.py").display());
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let alphabet = Alphabet {
        inputs: names(&["close", "lock"]),
        outputs: names(&["armed_on"]),
        ..Alphabet::default()
    };
    let limits = patient();
    let opened =
        Protocol::Json.connect(&command.as_str().into(), TimeBase::Virtual, &alphabet, &limits);
    let mut system = opened.unwrap();
    for seed in 1..20 {
        system.begin(seed).unwrap();
        for channel in ["close", "lock"] {
            system.send(&Action { channel: channel.to_owned(), values: Vec::new() }).unwrap();
        }
        let heard = system.wait(time("30"), &[]).unwrap();
        let Heard::Output { at, action } = heard else { panic!("not armed") };
        assert_eq!(action.channel, "armed_on");
        assert!(time("20") <= at.earliest() && at.latest() <= time("41/2"), "{at}");
    }
    system.finish().unwrap();
}

/// A light that is dim at once, over any stream.
fn serve(input: impl std::io::Read, mut output: impl Write) {
    for line in BufReader::new(input).lines().map_while(Result::ok) {
        let answer = if line.starts_with("{\"hello\"") {
            "{\"hello\":{}}\n"
        } else if line.starts_with("{\"reset\"") {
            "{\"ready\":true}\n"
        } else if line.starts_with("{\"advance\"") {
            "{\"output\":\"dim\",\"after\":0}\n"
        } else if line.starts_with("{\"bye\"") {
            return;
        } else {
            continue;
        };
        output.write_all(answer.as_bytes()).unwrap();
    }
}

fn behaves_over_a_socket(system: &str) {
    let mut system = open(system, TimeBase::Virtual);
    for seed in 0..3 {
        system.begin(seed).unwrap();
        system.send(&touch()).unwrap();
        let heard = system.wait(time("1"), &[]).unwrap();
        assert!(matches!(heard, Heard::Output { action, .. } if action.channel == "dim"));
    }
    system.finish().unwrap();
}

#[test]
fn the_protocol_is_the_same_over_tcp() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        serve(stream.try_clone().unwrap(), stream);
    });
    behaves_over_a_socket(&format!("tcp:{address}"));
    server.join().unwrap();
}

#[test]
fn the_protocol_is_the_same_over_unix_sockets() {
    let path = std::env::temp_dir().join(format!("tioga-light-{}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let listener = UnixListener::bind(&path).unwrap();
    let server = std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        serve(stream.try_clone().unwrap(), stream);
    });
    behaves_over_a_socket(&format!("unix:{}", path.display()));
    server.join().unwrap();
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn many_inputs_before_time_passes_arrive_in_order() {
    let Some(command) = python() else { return };
    let mut system = open(&command, TimeBase::Virtual);
    system.begin(1).unwrap();
    let start = Instant::now();
    for _ in 0..20_000 {
        system.send(&touch()).unwrap();
    }
    let heard = system.wait(time("1"), &[]).unwrap();
    assert!(matches!(heard, Heard::Output { .. }), "{heard:?}");
    system.finish().unwrap();
    assert!(start.elapsed() < tioga_testkit::HANGING);
}
