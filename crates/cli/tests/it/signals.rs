//! Signals end a campaign in order, and with it everything that the system started.
#![cfg(unix)]

use std::process::{Child, Command, Stdio};

use crate::binary::{Folder, TIOGA};
use tioga_testkit::wait_for;

/// A system that starts another process, writes its number to a file, and never answers.
const SYSTEM: &str = "sleep 1000 & echo $! > grandchild; wait";

fn campaign(folder: &Folder, nohup: bool) -> Child {
    let mut command = Command::new(if nohup { "nohup" } else { TIOGA });
    if nohup {
        command.arg(TIOGA);
    }
    command
        .args(["run", "light.json", "--sut", SYSTEM, "--start-timeout", "10s"])
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn grandchild(folder: &Folder) -> String {
    let path = folder.0.join("grandchild");
    let read = || std::fs::read_to_string(&path).ok().filter(|text| text.ends_with('\n'));
    wait_for("the system", read).trim().to_owned()
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
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none() && is_alive(&process));
    send("-TERM", &child);
    assert!(child.wait().unwrap().code().is_some());
    wait_for("the end of the grandchild", || (!is_alive(&process)).then_some(()));
}
