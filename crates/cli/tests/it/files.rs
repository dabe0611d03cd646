//! No command destroys a file: what it writes is neither what it reads nor written twice, and what was not
//! finished does not stay.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use crate::binary::{Folder, Measured, Run, TIOGA};
use tioga_testkit::wait_for;

fn campaign(name: &str) -> Folder {
    let folder = Folder::new(name);
    let made = folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    let run = folder.tioga(&["run", "light.json", "--sut", "model:@smart-light"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    folder
}

fn refused(run: &Run, code: &str) {
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    assert!(run.err.contains(code), "{}", run.err);
}

#[test]
fn a_report_does_not_overwrite_its_journal() {
    let folder = campaign("report");
    let journal = folder.read("light.journal");
    symlink("light.journal", folder.0.join("link")).unwrap();
    std::fs::hard_link(folder.0.join("light.journal"), folder.0.join("hard")).unwrap();
    std::fs::create_dir(folder.0.join("sub")).unwrap();
    for option in ["--html", "--junit", "--tap", "--json", "--ttcn", "--coverage", "--diagram"] {
        for name in ["light.journal", "./sub/../light.journal", "link", "hard"] {
            let mut arguments = vec!["report", "light.journal", option, name];
            if option == "--diagram" {
                arguments.extend(["--run", "0"]);
            }
            refused(&folder.tioga(&arguments, ""), "output-is-input");
        }
    }
    refused(&folder.tioga(&["report", "link", "--html", "hard"], ""), "output-is-input");
    assert_eq!(folder.read("light.journal"), journal);
}

#[test]
fn two_outputs_are_two_files() {
    let folder = campaign("two");
    let before = folder.read("light.journal");
    let run = |more: &[&str]| {
        let run = ["run", "light.json", "--sut", "model:@smart-light"];
        folder.tioga(&[&run[..], more].concat(), "")
    };
    refused(&run(&["--journal", "x", "--html", "x"]), "same-output");
    refused(&run(&["--html", "light.journal"]), "same-output");
    refused(&run(&["--html", "light.journal.old"]), "same-output");
    refused(&run(&["--html", "x.html", "--tap", "./x.html"]), "same-output");
    refused(&run(&["--journal", "light.json"]), "output-is-input");
    symlink("nowhere", folder.0.join("dangling")).unwrap();
    refused(&run(&["--html", "dangling", "--tap", "nowhere"]), "same-output");
    assert!(!folder.0.join("x").exists());
    assert_eq!(folder.read("light.journal"), before, "nothing was run");
    let report = ["report", "light.journal", "--html", "y", "--json", "y"];
    refused(&folder.tioga(&report, ""), "same-output");
    // Devices may be named twice.
    let report = ["report", "light.journal", "--html", "/dev/null", "--json", "/dev/null"];
    assert_eq!(folder.tioga(&report, "").code, 0);
}

#[test]
fn names_that_commands_choose_are_kept_apart_too() {
    let folder = campaign("chosen");
    // `test` writes smart-light.journal, `shrink` light.shrunk.journal.
    let test = ["test", "@smart-light", "--purposes-only", "--sut", "model:@smart-light", "--html"];
    for name in ["smart-light.journal", "./smart-light.journal.old"] {
        refused(&folder.tioga(&[&test[..], &[name]].concat(), ""), "same-output");
    }
    assert!(!folder.0.join("smart-light.journal").exists(), "nothing was run");
    symlink("light.journal", folder.0.join("light.shrunk.journal")).unwrap();
    let before = folder.read("light.journal");
    refused(&folder.tioga(&["shrink", "light.journal"], ""), "output-is-input");
    assert_eq!(folder.read("light.journal"), before);
    let mutation = ["mutation", "@smart-light", "--journal", "m", "-o", "m.old"];
    refused(&folder.tioga(&mutation, ""), "same-output");
}

#[test]
fn no_command_overwrites_a_model() {
    let folder = Folder::new("models");
    let text = folder.tioga(&["examples", "smart-light"], "").out;
    folder.write("light.tioga", &text);
    for arguments in [
        &["convert", "light.tioga", "-o", "light.tioga"][..],
        &["determinize", "light.tioga", "-o", "light.tioga"],
        &["synth", "light.tioga", "-o", "light.tioga"],
        &["synth", "light.tioga", "-o", "suite.json", "--tester", "suite.json"],
        &["simulate", "light.tioga", "-o", "light.tioga"],
        &["reach", "light.tioga", "-o", "light.tioga"],
        &["solve", "light.tioga", "--strategy", "light.tioga"],
        &["conform", "@smart-light", "light.tioga", "-o", "light.tioga"],
        &["test", "light.tioga", "--purposes-only", "--journal", "light.tioga"],
        &[
            "test",
            "@smart-light",
            "--purposes-only",
            "--sut",
            "model:light.tioga",
            "--html",
            "light.tioga",
        ],
    ] {
        let run = folder.tioga(arguments, "");
        assert_eq!(run.code, 2, "{arguments:?}: {}{}", run.out, run.err);
        let found = run.err.contains("output-is-input") || run.err.contains("same-output");
        assert!(found, "{arguments:?}: {}", run.err);
    }
    assert_eq!(folder.read("light.tioga"), text);
}

#[test]
fn links_are_followed_also_to_what_is_not_there_yet() {
    let folder = campaign("links");
    symlink("target.html", folder.0.join("link.html")).unwrap();
    let report = folder.tioga(&["report", "light.journal", "--html", "link.html"], "");
    assert_eq!(report.code, 0, "{}", report.err);
    assert!(folder.0.join("link.html").is_symlink());
    assert!(folder.read("target.html").contains("<html"));
    symlink("real.journal", folder.0.join("link.journal")).unwrap();
    let run = ["run", "light.json", "--sut", "model:@smart-light", "--journal", "link.journal"];
    for _ in 0..2 {
        assert_eq!(folder.tioga(&run, "").code, 0);
        assert!(folder.0.join("link.journal").is_symlink());
        assert!(folder.read("real.journal").starts_with("{\"format\""));
    }
    assert!(folder.read("real.journal.old").starts_with("{\"format\""));
}

#[test]
fn a_journal_that_is_deleted_during_the_run_is_missed() {
    let folder = campaign("deleted");
    let child = Command::new(TIOGA)
        .args(["run", "light.json", "--sut", "model:@smart-light", "--repeat", "1000000"])
        .args(["--journal", "gone.journal"])
        .current_dir(&folder.0)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let path = folder.0.join("gone.journal");
    wait_for("the first runs", || path.metadata().ok().filter(|file| file.len() > 20_000));
    std::fs::remove_file(&path).unwrap();
    let stopped = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(stopped.success());
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("journal-deleted"), "{told}");
    assert_eq!(output.status.code(), Some(3));
}

/// The system ends a program that writes beyond its limit, unless the program wants to be told.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_may_not_grow_is_an_error_with_its_cause() {
    let folder = campaign("limited");
    for line in [
        "run light.json --sut model:@smart-light --repeat 3000 --journal full.journal",
        "synth @car-alarm --cover edges -o full.json",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let Measured { run, .. } = folder.start("ulimit -f 8;", &words).finish();
        assert_eq!(run.code, 2, "{line}: {}{}", run.out, run.err);
        assert!(run.err.contains("File too large"), "{line}: {}{}", run.out, run.err);
    }
}

#[test]
fn what_was_not_finished_does_not_stay() {
    let folder = campaign("parts");
    // A pipe without a reader keeps the report from being finished.
    assert!(Command::new("mkfifo").arg(folder.0.join("pipe")).status().unwrap().success());
    for signal in ["-INT", "-TERM", "-HUP"] {
        // Where the tests were started to outlive their terminal, a hang-up would be ignored.
        let mut child = Command::new("env")
            .args(["--default-signal=HUP", TIOGA])
            .args(["report", "light.journal", "--junit", "x.xml", "--html", "pipe"])
            .current_dir(&folder.0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let parts = || {
            let names = std::fs::read_dir(&folder.0).unwrap();
            let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.filter(|name| name.ends_with(".part")).collect::<Vec<_>>()
        };
        let part = format!(".x.xml.{}.part", child.id());
        // The rehearsal makes and removes a part, too; only the second one waits for the pipe, and sleeps meanwhile.
        let stat = format!("/proc/{}/stat", child.id());
        let sleeps = || std::fs::read_to_string(&stat).is_ok_and(|stat| stat.contains(") S "));
        wait_for("the part", || (parts().contains(&part) && sleeps()).then_some(()));
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(parts(), Vec::<String>::new(), "{signal}");
        assert!(!folder.0.join("x.xml").exists());
    }
}
