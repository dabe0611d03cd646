//! Signals end a campaign in order, and with it everything that the system started.
#![cfg(unix)]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::binary::{Folder, TIOGA};
use tioga_testkit::wait_for;

/// A system that starts another process, writes its number to a file, and never answers.
const SYSTEM: &str = "sleep 1000 & echo $! > grandchild; wait";

/// A system that starts a process which leaves its group and its session, and loses its parents.
const LEAVING: &str = "(setsid sh -c 'sleep 1000 & echo $! > grandchild' &) ; sleep 1000";

fn campaign(folder: &Folder, nohup: bool) -> Child {
    campaign_with(folder, nohup, SYSTEM, "1h")
}

fn campaign_with(folder: &Folder, nohup: bool, system: &str, patience: &str) -> Child {
    let mut command = Command::new(if nohup { "nohup" } else { TIOGA });
    if nohup {
        command.arg(TIOGA);
    }
    command
        .args(["run", "light.json", "--sut", system, "--start-timeout", patience])
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The number of the grandchild, once it is written.
fn number_in(folder: &Folder) -> Option<String> {
    let text = std::fs::read_to_string(folder.0.join("grandchild")).ok();
    text.filter(|text| text.ends_with('\n'))
}

fn grandchild(folder: &Folder) -> String {
    wait_for("the system", || number_in(folder)).trim().to_owned()
}

fn is_alive(process: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // A zombie is dead, even if its parent has not noticed.
    state.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn every_signal_that_ends_a_campaign_ends_its_systems() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let folder = Folder::new(signal);
        assert_eq!(folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "").code, 0);
        let mut child = campaign(&folder, false);
        let process = grandchild(&folder);
        assert!(is_alive(&process));
        send(signal, &child);
        assert!(child.wait().unwrap().code().is_some(), "{signal} ended it in order");
        wait_for("the end of the grandchild", || (!is_alive(&process)).then_some(()));
    }
}

#[test]
fn a_campaign_that_was_started_to_outlive_its_terminal_does() {
    let folder = Folder::new("nohup");
    assert_eq!(folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "").code, 0);
    let mut child = campaign(&folder, true);
    let process = grandchild(&folder);
    send("-HUP", &child);
    // Nothing is to happen; a busy machine may only hide that something does.
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none() && is_alive(&process));
    send("-TERM", &child);
    assert!(child.wait().unwrap().code().is_some());
    wait_for("the end of the grandchild", || (!is_alive(&process)).then_some(()));
}

#[cfg(target_os = "linux")]
#[test]
fn what_left_the_group_of_a_system_ends_with_it() {
    for (name, signals) in [("signal", &["-INT"][..]), ("twice", &["-TERM", "-TERM"])] {
        let folder = Folder::new(name);
        assert_eq!(folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "").code, 0);
        let mut child = campaign_with(&folder, false, LEAVING, "1h");
        let process = grandchild(&folder);
        assert!(is_alive(&process));
        signals.iter().for_each(|signal| send(signal, &child));
        assert!(child.wait().unwrap().code().is_some(), "{name} ended it in order");
        wait_for("the end of the grandchild", || (!is_alive(&process)).then_some(()));
    }
    // And when the system is given up, which on a busy machine may be before the grandchild says its number.
    let folder = Folder::new("given_up");
    assert_eq!(folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "").code, 0);
    let process = ["300ms", "3s", "30s"].iter().find_map(|patience| {
        let mut child = campaign_with(&folder, false, LEAVING, patience);
        assert!(child.wait().unwrap().code().is_some(), "it ended in order");
        Some(number_in(&folder)?.trim().to_owned())
    });
    let process = process.expect("the grandchild starts");
    wait_for("the end of the grandchild", || (!is_alive(&process)).then_some(()));
}

#[cfg(target_os = "linux")]
#[test]
fn one_signal_is_enough_for_a_system_that_never_answers() {
    let folder = Folder::new("silent");
    assert_eq!(folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "").code, 0);
    // Without a signal this takes an hour.
    let mut child = campaign_with(&folder, false, SYSTEM, "1h");
    let process = grandchild(&folder);
    send("-INT", &child);
    assert!(child.wait().unwrap().code().is_some());
    wait_for("the end of the grandchild", || (!is_alive(&process)).then_some(()));
    // What was ended on purpose is not to blame, and begins again.
    let report = folder.tioga(&["--format", "json", "report", "light.journal"], "");
    let report: serde_json::Value = serde_json::from_str(&report.out).unwrap();
    assert_eq!(
        (&report["result"]["error"], &report["result"]["interrupted"]),
        (&0.into(), &1.into())
    );
}

/// A system that says these lines, each after it was asked something, and owes the next answer.
fn owe(stream: &mut TcpStream, lines: &[&str]) {
    let mut chunk = [0; 4096];
    for line in lines {
        assert!(stream.read(&mut chunk).unwrap() > 0);
        stream.write_all(line.as_bytes()).unwrap();
    }
    assert!(stream.read(&mut chunk).unwrap() > 0, "it is asked something");
}

/// The campaign that these options make ends soon after a signal, which is sent when `ready` returns.
fn ends_soon(name: &str, options: &[&str], ready: impl FnOnce(&Folder)) {
    let folder = Folder::new(name);
    assert_eq!(folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "").code, 0);
    // Without a signal this takes an hour.
    let mut child = Command::new(TIOGA)
        .args(["run", "light.json", "--start-timeout", "1h", "--answer-timeout", "1h"])
        .args(["--exit-timeout", "1h"])
        .args(options)
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    ready(&folder);
    send("-TERM", &child);
    let ended = wait_for(&format!("the end of {name}"), || child.try_wait().unwrap());
    assert!(ended.code().is_some(), "{name} ended in order");
    // What was ended on purpose is not to blame, and begins again.
    let report = folder.tioga(&["--format", "json", "report", "light.journal"], "");
    let report: serde_json::Value = serde_json::from_str(&report.out).unwrap();
    let result = &report["result"];
    assert_eq!((&result["error"], &result["interrupted"]), (&0.into(), &1.into()), "{name}");
}

#[test]
fn one_signal_is_enough_for_a_socket_that_owes_an_answer() {
    let hello = "{\"hello\":{}}\n";
    let ready = "{\"ready\":true}\n";
    for (name, protocol, lines) in [
        ("hello", "json", &[][..]),
        ("reset", "json", &[hello][..]),
        ("advance", "json", &[hello, ready][..]),
        ("delay", "ecdar", &[][..]),
    ] {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let system = format!("tcp:{}", listener.local_addr().unwrap());
        let mut kept = None;
        ends_soon(name, &["--sut", &system, "--protocol", protocol], |_| {
            let (mut stream, _) = listener.accept().unwrap();
            owe(&mut stream, lines);
            kept = Some(stream);
        });
    }
}

#[test]
fn one_signal_is_enough_for_an_adapter_that_asks_nothing_or_never_calls() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let system = format!("tcp:{}", listener.local_addr().unwrap());
    let mut kept = None;
    ends_soon("asks", &["--sut", &system, "--protocol", "tron", "--unit", "1s"], |_| {
        kept = Some(listener.accept().unwrap());
    });
    drop(listener);
    let system = format!("tron-listen:{}", tioga_testkit::free_port());
    ends_soon("calls", &["--sut", &system, "--protocol", "tron", "--unit", "1s"], |folder| {
        let journal = folder.0.join("light.journal");
        let begun = || std::fs::read_to_string(&journal).ok()?.contains("\"begin\"").then_some(());
        wait_for("the first run", begun);
    });
}
