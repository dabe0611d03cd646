//! Systems that misbehave in every way we know: each is a fault with evidence, within bounded time and
//! memory, and nothing of the system survives it.
#![cfg(unix)]

use std::time::{Duration, Instant};

use tioga_adapters::{
    AdapterLimits, Alphabet, Fault, FaultKind, Heard, Protocol, System, TimeBase,
};
use tioga_base::Rational;
use tioga_testcase::{Action, TestCase};
use tioga_testkit::{HANGING, alone_with, wait_for};

const HELLO: &str = r#"read m; echo '{"hello":{"inputs":["touch"],"outputs":["dim","bright"]}}';"#;
const READY: &str = r#"read m; echo '{"ready":true}';"#;
const ADVANCED: &str = r#"read m; echo '{"advanced":"1"}';"#;
/// Units so long that no lateness of the machine makes a run begin twice: most systems here answer one
/// reset only.
const REAL: TimeBase = TimeBase::Real { unit_ns: 10_000_000_000 };

/// Of bytes, for a test whose system floods it.
const FEW: u64 = 4 << 20;

/// Patience for systems that answer, on a busy machine.
fn patient() -> AdapterLimits {
    let long = Duration::from_secs(120);
    AdapterLimits { answer: long, start: long, exit: long, ..AdapterLimits::default() }
}

/// Looks for a fault with little patience, for systems that stop answering. They answer at first,
/// for which a busy machine may need longer: then there is another fault than expected, and the next
/// attempt has more patience. The evidence contains `LIMIT` where it names how long that was.
#[track_caller]
fn assert_stuck(kind: FaultKind, evidence: &str, fault: impl Fn(&AdapterLimits) -> Fault) {
    for milliseconds in [300, 1_200, 4_800, 19_200, 76_800] {
        let limit = Duration::from_millis(milliseconds);
        let found = fault(&AdapterLimits { answer: limit, exit: limit, ..patient() });
        let wanted = evidence.replace("LIMIT", &format!("{limit:?}"));
        if found.kind == kind && found.evidence.contains(&wanted) {
            return;
        }
        eprintln!("with {limit:?}: {found}");
    }
    panic!("never {kind:?} with {evidence}");
}

fn alphabet() -> Alphabet {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Alphabet {
        inputs: names(&["touch"]),
        outputs: names(&["bright", "dim"]),
        ..Alphabet::default()
    }
}

fn open(script: &[&str], time: TimeBase, limits: &AdapterLimits) -> Result<Box<dyn System>, Fault> {
    Protocol::Json.connect(&script.join(" ").as_str().into(), time, &alphabet(), limits)
}

fn touch() -> Action {
    Action { channel: "touch".to_owned(), values: Vec::new() }
}

/// Connects, runs for a time unit, and says goodbye.
fn run(script: &[&str], time: TimeBase, limits: &AdapterLimits) -> Result<Heard, Fault> {
    let mut system = open(script, time, limits)?;
    system.begin(1)?;
    system.send(&touch())?;
    let heard = system.wait(Rational::ONE, &[])?;
    system.finish()?;
    Ok(heard)
}

/// The fault of a virtual run.
fn fault(script: &[&str], limits: &AdapterLimits) -> Fault {
    let start = Instant::now();
    let fault = run(script, TimeBase::Virtual, limits).unwrap_err();
    assert!(start.elapsed() < HANGING, "{fault}");
    fault
}

#[track_caller]
fn assert_fault(fault: &Fault, kind: FaultKind, evidence: &[&str]) {
    assert_eq!(fault.kind, kind, "{fault}");
    for part in evidence {
        assert!(fault.evidence.contains(part), "no `{part}` in: {fault}");
    }
}

const OBEDIENT: &[&str] = &[HELLO, READY, "read m;", ADVANCED, "read m"];

#[test]
fn a_system_that_does_as_it_is_told_has_no_fault() {
    let heard = run(OBEDIENT, TimeBase::Virtual, &patient()).unwrap();
    assert!(matches!(heard, Heard::Nothing { .. }));
}

#[test]
fn a_crash_in_any_phase_shows_its_exit_status_or_signal() {
    for phase in 0..OBEDIENT.len() {
        for (ending, evidence) in [("exit 3", "exit status 3"), ("kill -KILL $$", "signal 9")] {
            let script = [&OBEDIENT[..phase], &["echo 'lost my mind' >&2;", ending]].concat();
            let fault = fault(&script, &patient());
            assert_fault(&fault, FaultKind::Crash, &[evidence, "lost my mind"]);
        }
    }
}

/// What comes of an output `dim` that has one value, in these words.
fn dim(fields: &str, whole: bool) -> Result<Heard, Fault> {
    let example = Action::new("dim", &[if whole { "1" } else { "1/2" }]);
    let case = TestCase::without_purpose("case", "model", Vec::new(), vec![example]);
    let carried = Alphabet::of([&case]).carried;
    let alphabet = Alphabet { carried, ..alphabet() };
    let answer =
        format!(r#"read m; read m; echo '{{"output":"dim"{fields},"after":"0"}}'; read m"#);
    let script = [HELLO, READY, &answer].join(" ");
    let mut system = Protocol::Json.connect(
        &script.as_str().into(),
        TimeBase::Virtual,
        &alphabet,
        &patient(),
    )?;
    system.begin(1)?;
    system.send(&touch())?;
    system.wait(Rational::ONE, &[])
}

#[test]
fn an_output_with_malformed_values_is_garbage() {
    let malformed = [
        ("", "the output `dim` has 1 value, not 0"),
        (r#","values":[1,2]"#, "the output `dim` has 1 value, not 2"),
        (r#","values":[1.5]"#, "are whole numbers, which 3/2 is not"),
        (r#","values":["x"]"#, "is no number"),
    ];
    for (fields, why) in malformed {
        let fault = dim(fields, true).unwrap_err();
        assert_fault(&fault, FaultKind::Garbage, &[why, "dim"]);
    }
    // Any other value is for the test to judge.
    for (fields, whole) in [(r#","values":[99]"#, true), (r#","values":[1.5]"#, false)] {
        assert!(matches!(dim(fields, whole), Ok(Heard::Output { .. })), "{fields}");
    }
}

#[test]
fn what_outputs_carry_is_known_where_the_test_cases_agree() {
    let outputs = vec![
        Action::new("level", &["1"]),
        Action::new("level", &["2"]),
        Action::new("part", &["1"]),
        Action::new("part", &["3/2"]),
        Action::new("either", &["1"]),
        Action::new("either", &["1", "2"]),
        Action::new("either", &["1"]),
    ];
    let case = TestCase::without_purpose("case", "model", Vec::new(), outputs);
    let carried = Alphabet::of([&case]).carried;
    let carried = carried.iter().map(|(name, one)| (name.as_str(), one.count, one.whole));
    assert_eq!(carried.collect::<Vec<_>>(), [("level", 1, true), ("part", 1, false)]);
}

#[test]
fn ending_without_goodbye_is_a_crash_even_with_status_zero() {
    assert_fault(&fault(&[HELLO, "exit 0"], &patient()), FaultKind::Crash, &["exit status 0"]);
}

#[test]
fn a_bad_end_after_goodbye_is_a_crash() {
    let script = [HELLO, READY, "read m;", ADVANCED, "read m; exit 4"];
    assert_fault(&fault(&script, &patient()), FaultKind::Crash, &["exit status 4 after goodbye"]);
}

#[test]
fn a_program_that_is_not_there_is_unreachable() {
    let fault = fault(&["/no/such/program"], &patient());
    assert_fault(&fault, FaultKind::Unreachable, &["exit status 127", "/no/such/program"]);
}

#[test]
fn silence_is_a_hang() {
    let start = Duration::from_millis(300);
    let hello = fault(&["sleep 1000"], &AdapterLimits { start, ..patient() });
    assert_fault(&hello, FaultKind::Hang, &["no answer to `hello` within 300ms"]);
    assert_stuck(FaultKind::Hang, "no answer to `advance` within LIMIT", |limits| {
        fault(&[HELLO, READY, "sleep 1000"], limits)
    });
    assert_stuck(FaultKind::Hang, "did not end within LIMIT after goodbye", |limits| {
        fault(&[HELLO, READY, "read m;", ADVANCED, "sleep 1000"], limits)
    });
}

#[test]
fn a_reset_that_is_not_answered_is_no_reset() {
    assert_stuck(FaultKind::Reset, "no `ready` within LIMIT", |limits| {
        fault(&[HELLO, "sleep 1000"], limits)
    });
    // After a run the same holds; on a busy machine the run itself may end early.
    let again = |limits: &AdapterLimits| -> Result<(), Fault> {
        let mut system = open(&[HELLO, READY, ADVANCED, "sleep 1000"], TimeBase::Virtual, limits)?;
        system.begin(1)?;
        system
            .wait(Rational::ONE, &[])
            .map_err(|fault| Fault { kind: FaultKind::Hang, ..fault })?;
        system.begin(2)
    };
    assert_stuck(FaultKind::Reset, "no `ready`", |limits| again(limits).unwrap_err());
}

#[test]
fn a_system_that_does_not_read_hangs() {
    for time in [TimeBase::Virtual, REAL] {
        let full = |limits: &AdapterLimits| -> Result<(), Fault> {
            let mut system = open(&[HELLO, READY, "sleep 1000"], time, limits)?;
            system.begin(1)?;
            (0..100_000).try_for_each(|_| system.send(&touch()).map(|_| ()))
        };
        let evidence = "`input` was not read within LIMIT";
        assert_stuck(FaultKind::Hang, evidence, |limits| full(limits).unwrap_err());
    }
}

#[test]
fn a_flood_of_outputs_is_noticed_and_costs_no_memory() {
    if !alone_with(FEW, "faults::a_flood_of_outputs_is_noticed_and_costs_no_memory") {
        return;
    }
    let limits = AdapterLimits { burst: 20_000, ..patient() };
    let script = [HELLO, READY, r#"exec yes '{"output":"dim"}'"#];
    let mut system = open(&script, REAL, &limits).unwrap();
    system.begin(1).unwrap();
    let until = Rational::integer(1_000_000);
    let fault = (0..10_000_000).find_map(|_| system.wait(until, &[]).err()).unwrap();
    assert_fault(&fault, FaultKind::Flood, &["more than 20000 lines", "dim"]);
}

#[test]
fn a_flood_before_ready_is_noticed() {
    let script = [HELLO, r#"exec yes '{"output":"dim"}'"#];
    let fault = run(&script, REAL, &patient()).unwrap_err();
    assert_fault(&fault, FaultKind::Flood, &["between `reset` and `ready`"]);
}

#[test]
fn a_line_without_end_is_a_flood() {
    for time in [TimeBase::Virtual, REAL] {
        let script = [HELLO, READY, "exec cat /dev/zero"];
        let fault = run(&script, time, &patient()).unwrap_err();
        assert_fault(&fault, FaultKind::Flood, &["more than 65536 bytes"]);
    }
    let fault = fault(&["exec cat /dev/zero"], &patient());
    assert_fault(&fault, FaultKind::Flood, &["more than 65536 bytes"]);
}

#[test]
fn talk_on_standard_error_disturbs_nobody() {
    if !alone_with(FEW, "faults::talk_on_standard_error_disturbs_nobody") {
        return;
    }
    let script = [HELLO, READY, "yes >&2 & read m;", ADVANCED, "read m"];
    run(&script, TimeBase::Virtual, &patient()).unwrap();
}

#[test]
fn bytes_that_make_no_sense_are_garbage() {
    let cases = [
        (r"printf '\377\376\n';", "not UTF-8"),
        ("echo hello;", "no message"),
        ("echo;", "no message"),
        (r#"echo '{"advanced":"1","x":2}';"#, "unknown field `x`"),
        (r#"echo '{"advanced":"soon"}';"#, "soon"),
        (r#"echo '{"advanced":"2"}';"#, "time should advance by 1"),
        (r#"echo '{"ready":true}';"#, "no answer to `advance`"),
        (r#"echo '{"output":"dim"}';"#, "after which time"),
        (r#"echo '{"output":"dim","after":"3/2"}';"#, "after 0 to 1"),
        (r#"echo '{"output":"dim","after":-1}';"#, "after 0 to 1"),
        (r#"echo '{"output":["dim"],"after":0}';"#, "no message"),
        (r#"echo '{"output":"dim","after":0,"values":["red"]}';"#, "red"),
    ];
    for (says, evidence) in cases {
        let fault = fault(&[HELLO, READY, "read m; read m;", says, "read m"], &patient());
        assert_fault(&fault, FaultKind::Garbage, &[evidence]);
    }
    assert_fault(&fault(&["echo hello; sleep 1000"], &patient()), FaultKind::Garbage, &["`hello`"]);
    let hello = fault(&[r#"echo '{"ready":true}'; read m"#], &patient());
    assert_fault(&hello, FaultKind::Garbage, &["no answer to `hello`"]);
    let reset = fault(&[HELLO, r#"echo '{"advanced":"1"}'; read m"#], &patient());
    assert_fault(&reset, FaultKind::Garbage, &["no answer to `reset`"]);
}

#[test]
fn real_outputs_have_no_delay_and_nothing_else_is_expected() {
    for (says, evidence) in [
        (r#"echo '{"output":"dim","after":0}';"#, "no `after`"),
        (r#"echo '{"advanced":"1"}';"#, "only outputs"),
    ] {
        let script = [HELLO, READY, "read m;", says, "read m"];
        let mut system = open(&script, REAL, &patient()).unwrap();
        system.begin(1).unwrap();
        system.send(&touch()).unwrap();
        let late = Rational::integer(100_000);
        let fault = (0..100).find_map(|_| system.wait(late, &[]).err()).unwrap();
        assert_fault(&fault, FaultKind::Garbage, &[evidence]);
    }
}

#[test]
fn half_a_line_and_then_nothing_is_a_crash_that_shows_the_half() {
    let script = [HELLO, READY, r#"printf '{"advan'; exit 1"#];
    let fault = fault(&script, &patient());
    assert_fault(&fault, FaultKind::Crash, &["exit status 1", "unfinished line `{\"advan`"]);
}

#[test]
fn unknown_names_are_faults() {
    let script = [HELLO, READY, r#"read m; read m; echo '{"output":"dimm","after":0}'; read m"#];
    let unknown = fault(&script, &patient());
    assert_fault(&unknown, FaultKind::UnknownName, &["no output `dimm`"]);
    let hello = r#"read m; echo '{"hello":{"inputs":["push"],"outputs":["dim","red"]}}'; read m"#;
    let mismatch = fault(&[hello], &patient());
    assert_fault(&mismatch, FaultKind::Mismatch, &["does not take the inputs `touch`", "`red`"]);
}

#[test]
fn a_closed_pipe_of_a_living_system_is_told_from_a_crash() {
    let fault = fault(&[HELLO, READY, "exec >&-; sleep 1000"], &patient());
    assert_fault(&fault, FaultKind::Closed, &["it still runs"]);
}

#[test]
fn a_system_whose_descendants_keep_the_pipe_open_has_crashed_all_the_same() {
    let script = [HELLO, READY, "sleep 1000 & exit 5"];
    // Long before an answer is overdue.
    let begun = Instant::now();
    assert_fault(&fault(&script, &patient()), FaultKind::Crash, &["exit status 5"]);
    assert!(begun.elapsed() < patient().answer / 2, "{:?}", begun.elapsed());
    let mut system = open(&script, REAL, &patient()).unwrap();
    system.begin(1).unwrap();
    let really = (0..20).find_map(|_| system.wait(Rational::integer(100), &[]).err()).unwrap();
    assert_fault(&really, FaultKind::Crash, &["exit status 5"]);
}

#[test]
fn what_comes_after_the_end_of_a_run_is_late() {
    let extra = r#"echo '{"output":"dim","after":0}';"#;
    let script = [HELLO, READY, ADVANCED, extra, READY, "read m"];
    let mut system = open(&script, TimeBase::Virtual, &patient()).unwrap();
    system.begin(1).unwrap();
    system.wait(Rational::ONE, &[]).unwrap();
    let fault = system.begin(2).unwrap_err();
    assert_fault(&fault, FaultKind::Late, &[r#"{"output":"dim","after":0}"#]);
}

#[test]
fn what_comes_after_goodbye_is_late() {
    let script = [HELLO, READY, "read m;", ADVANCED, r#"read m; echo '{"advanced":"1"}'"#];
    assert_fault(&fault(&script, &patient()), FaultKind::Late, &["after `bye`"]);
}

#[test]
fn real_outputs_that_were_under_way_are_dropped_at_the_end() {
    let output = r#"echo '{"output":"dim"}';"#;
    let script = [HELLO, READY, output, output, READY, output, "read m;", output];
    let mut system = open(&script, REAL, &patient()).unwrap();
    system.begin(1).unwrap();
    system.begin(2).unwrap();
    system.finish().unwrap();
}

#[test]
fn an_error_that_the_system_reports_is_a_fault() {
    for script in [
        &[r#"read m; echo '{"error":"no light"}'"#][..],
        &[HELLO, r#"read m; echo '{"error":"no light"}'"#],
        &[HELLO, READY, r#"read m; read m; echo '{"error":"no light"}'; read m"#],
    ] {
        assert_fault(&fault(script, &patient()), FaultKind::Reported, &["no light"]);
    }
}

#[test]
fn the_last_words_of_a_system_count_even_if_they_are_read_late() {
    let script = [HELLO, READY, r#"exec <&-; echo '{"error":"no light"}'; exit 1"#];
    let mut system = open(&script, REAL, &patient()).unwrap();
    system.begin(1).unwrap();
    let fault = wait_for("the end of the system", || {
        // What is sent before the end must not fill the pipe.
        std::thread::sleep(Duration::from_millis(100));
        system.send(&touch()).err()
    });
    assert_fault(&fault, FaultKind::Reported, &["no light"]);
}

#[test]
fn nothing_that_the_system_started_survives() {
    let children =
        "sleep 1000 & echo $! >&2; (sleep 1000 & echo $! >&2; sleep 1000) & echo $! >&2;";
    for ending in ["sleep 1; exit 3", "sleep 1000", "trap '' TERM HUP INT; sleep 1000"] {
        // On a busy machine the children may not have started when patience ends.
        let attempts = [500, 2_000, 8_000, 32_000].iter().map(|milliseconds| {
            let answer = Duration::from_millis(*milliseconds);
            fault(&[HELLO, READY, children, ending], &AdapterLimits { answer, ..patient() })
        });
        let said = |fault: Fault| -> Vec<u32> {
            let said = fault.evidence.split("ends with: ").nth(1).unwrap_or_default();
            said.split_whitespace().map(|pid| pid.parse().unwrap()).collect()
        };
        let pids = attempts.map(said).find(|pids| pids.len() == 3).expect("three children");
        for pid in pids {
            wait_for(&format!("the end of {pid}"), || (!alive(pid)).then_some(()));
        }
    }
}

#[test]
fn an_address_where_nobody_listens_is_unreachable() {
    // Bound, so that no other test gets the port, and not listened to.
    let family = rustix::net::AddressFamily::INET;
    let socket = rustix::net::socket(family, rustix::net::SocketType::STREAM, None).unwrap();
    rustix::net::bind(&socket, &std::net::SocketAddrV4::new([127, 0, 0, 1].into(), 0)).unwrap();
    let address = std::net::SocketAddr::try_from(rustix::net::getsockname(&socket).unwrap());
    let port = address.unwrap().port();
    for system in
        [format!("tcp:127.0.0.1:{port}"), "tcp:here".to_owned(), "unix:/no/such".to_owned()]
    {
        let opened = Protocol::Json.connect(
            &system.as_str().into(),
            TimeBase::Virtual,
            &alphabet(),
            &patient(),
        );
        assert_fault(&opened.err().unwrap(), FaultKind::Unreachable, &[]);
    }
}

/// Whether a process runs; a zombie does not.
fn alive(pid: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    let state = stat.rsplit(')').next().unwrap().split_whitespace().next().unwrap();
    state != "Z"
}
