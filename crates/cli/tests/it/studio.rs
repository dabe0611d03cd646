//! `tioga studio`: what it prints, what it refuses, and how it ends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use tioga_testkit::{folder, run, wait_for};

use crate::binary::TIOGA;

/// A studio that was started, and the first line it printed.
fn started(args: &[&str]) -> (Child, String) {
    let mut command = Command::new(TIOGA);
    command.args(["studio", "--no-open"]).args(args).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    (child, line)
}

fn interrupted(mut child: Child) -> Option<i32> {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    child.wait().unwrap().code()
}

#[test]
fn it_prints_an_address_with_a_token_and_ends_with_ctrl_c() {
    let (child, line) = started(&["@smart-light"]);
    let rest = line.trim().strip_prefix("http://127.0.0.1:").unwrap_or_else(|| panic!("{line}"));
    let (port, token) = rest.split_once('/').unwrap();
    assert!(port.parse::<u16>().unwrap() > 0);
    assert_eq!(token.trim_end_matches('/').len(), 32);
    assert_eq!(interrupted(child), Some(0));
}

#[test]
fn the_browser_is_opened_without_the_token() {
    let place = folder("browser");
    let (script, opened) = (place.join("xdg-open"), place.join("opened"));
    let (own, part) = (opened.display(), place.join("part"));
    let text = format!("#!/bin/sh\necho \"$0 $@\" > {0}\nmv {0} {own}\n", part.display());
    std::fs::write(&script, text).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&script, mode).unwrap();
    let path = format!("{}:/usr/bin:/bin", place.display());
    let mut command = Command::new(TIOGA);
    command.args(["studio", "@smart-light"]).env("PATH", path).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut address).unwrap();
    let address = address.trim();
    let line = wait_for("the browser", || std::fs::read_to_string(&opened).ok());
    let token = address.trim_end_matches('/').rsplit('/').next().unwrap();
    assert_eq!(token.len(), 32);
    assert!(!line.contains(token), "{line}");
    // What it is opened with leads to the page, once.
    let asked = || {
        let (_, rest) = line.trim().split_once("http://").unwrap();
        let (host, path) = rest.split_once('/').unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    };
    let reply = asked();
    assert!(reply.contains(&format!("Location: {address}\r\n")), "{reply}");
    assert!(asked().starts_with("HTTP/1.1 403 "));
    assert_eq!(interrupted(child), Some(0));
}

#[test]
fn machines_get_the_address_as_json() {
    let (child, line) = started(&["@smart-light", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert!(value["address"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{line}");
    assert_eq!(interrupted(child), Some(0));
}

#[test]
fn a_port_that_is_taken_is_an_error_of_the_input() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let done = run(
        Command::new(TIOGA).args(["studio", "@smart-light", "--no-open", "--port", &port]),
        b"",
    );
    assert_eq!(done.code, 2);
    assert!(done.err.contains(&format!("port {port} is taken by another program")), "{}", done.err);
}

#[test]
fn a_campaign_needs_a_suite_and_a_system_that_can_be_used() {
    let place = folder("campaign");
    let refused = |args: &[&str]| {
        let done = run(
            Command::new(TIOGA).current_dir(&place).args(["studio", "--no-open"]).args(args),
            b"",
        );
        assert_eq!(done.code, 2, "{args:?}: {}", done.err);
        done.err
    };
    std::fs::write(place.join("a.tioga"), "automaton A { init location L; }").unwrap();
    assert!(refused(&["a.tioga", "--sut", "model:a.tioga"]).contains("is not a suite"));
    assert!(refused(&["a.tioga", "--repeat", "3"]).contains("--sut"));
    assert!(refused(&["nothing"]).contains("there is no file or folder `nothing`"));
}

#[test]
fn a_journal_is_opened_with_the_system_that_its_runs_are_shrunk_on() {
    let place = folder("journal");
    let tioga = |args: &[&str]| run(Command::new(TIOGA).current_dir(&place).args(args), b"");
    let made = ["synth", "@smart-light", "-p", "reach Light.Bright", "-o", "light.json"];
    assert_eq!(tioga(&made).code, 0);
    let sut = "model:@problematic-light";
    let options = ["--repeat", "12", "--keep-going", "--journal", "light.journal"];
    assert_eq!(tioga(&[&["run", "light.json", "--sut", sut], &options[..]].concat()).code, 1);
    let journal = place.join("light.journal").display().to_string();
    let (child, line) = started(&[&journal, "--sut", sut]);
    let address = line.trim().strip_prefix("http://").unwrap();
    let (host, path) = address.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let request =
        format!("POST /{path}api/files HTTP/1.1\r\nHost: {host}\r\nContent-Length: 2\r\n\r\n{{}}");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.contains(&format!("\"sut\":\"{sut}\"")), "{answer}");
    assert!(answer.contains("\"plan\":null"), "a journal is no suite to run: {answer}");
    assert_eq!(interrupted(child), Some(0));
}
