//! Every command ends soon after its time limit, and at Ctrl-C, whatever it is doing, and keeps what it has.
//! What counts is processor time, so no verdict depends on how busy the machine is.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::binary::{Folder, Measured, Running};

/// The limit, in seconds.
const LIMIT: &str = "0.2";

/// How long processors may work for a command with that limit: to read a model, for the limit and a second
/// after it, by two threads.
const MOST: Duration = Duration::from_secs(4);

/// A network that takes long in every respect: each of several processes answers each request after a while,
/// internal steps hide where it is, and a lot may happen in any order.
fn crowd(processes: usize) -> String {
    let mut text = "model crowd;\ninput ask[9];\noutput told[9];\n".to_owned();
    text.push_str("automaton P(const int[0, 8] i) {\n  clock x, y;\n  init location Idle;\n");
    text.push_str("  location Busy, Late;\n  location Asked invariant x <= 40;\n");
    text.push_str("  location Done invariant y <= 60;\n  Idle -> Asked : ask[i]? do x = 0;\n");
    text.push_str("  Asked -> Busy : when x >= 7 do y = 0;\n  Asked -> Late : when x >= 11;\n");
    text.push_str(
        "  Busy -> Done : when y >= 5 && x >= 13;\n  Late -> Done : when x >= 17 do y = 0;\n",
    );
    text.push_str(
        "  Done -> Idle : told[i]! do x = 0;\n  Asked, Busy, Late, Done -> self : ask[i]?;\n}\n",
    );
    let list: Vec<String> = (0..processes).map(|i| format!("P({i})")).collect();
    text.push_str(&format!("system {};\n", list.join(", ")));
    text
}

/// The heaviest of the public models, where they are installed.
const SHARED: [&str; 10] = [
    "tck/csmacd_8.tck",
    "tck/critical-region_4.tck",
    "tck/fddi_5.tck",
    "tck/train_gate_4.tck",
    "tck/fischer_8.tck",
    "tck/vikings_04.tck",
    "uppaal/bocdp.xml",
    "uppaal/train-gate.xml",
    "uppaal/hddi_input_05.ta",
    "uppaal/LightContr.xml",
];

fn shared() -> Vec<PathBuf> {
    let found = tioga_testkit::shared_models("");
    let wanted = |path: &Path| SHARED.iter().any(|name| path.ends_with(name));
    found.into_iter().filter(|path| wanted(path)).collect()
}

/// Every command that searches, with a limit; `M` stands for the model.
const COMMANDS: [&str; 15] = [
    "reach M --all --timeout L",
    "reach M -q A[]!deadlock --timeout L",
    "solve M -q control:A<>false --full-information --ranks --timeout L",
    "solve M -q control:A[]!deadlock --full-information --timeout L",
    "solve M -q control:A<>false --full-information --method backward --timeout L",
    "synth M --cover edges --each --synth-timeout L",
    "synth M --cover edges --each --then --shape tree --synth-timeout L -o suite.json",
    "synth M --cover locations --each --clocks 2 --synth-timeout L",
    "mutate M --timeout L",
    "mutation M --timeout L",
    "determinize M --timeout L",
    "determinize M --clocks 1 --timeout L",
    "conform M M --timeout L",
    "test M --online --longest-wait 1000000 --actions 1000000 --timeout Ls",
    "test M --online --repeat 1000000 --keep-going --stop-after Ls",
];

fn arguments<'a>(line: &'a str, model: &'a str) -> Vec<String> {
    let word = |word: &str| word.replace('M', model).replace("Ls", &format!("{LIMIT}s"));
    let words = line.split(' ').map(|part| if part == "M" { word(part) } else { part.to_owned() });
    words
        .map(|part| match part.as_str() {
            "L" => LIMIT.to_owned(),
            "Ls" => format!("{LIMIT}s"),
            _ => part,
        })
        .collect()
}

fn ends_in_time(folder: &Folder, model: &str) {
    for line in COMMANDS {
        let arguments = arguments(line, model);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let Measured { run, worked, .. } = folder.measured(&arguments);
        let told =
            || format!("{line} on {model}: {worked:?}, {}\n{}{}", run.code, run.out, run.err);
        assert!(worked < MOST, "{}", told());
        assert!([0, 1, 2, 3, 5].contains(&run.code), "{}", told());
        assert!(!run.err.contains("took too long to be waited for"), "{}", told());
    }
}

#[test]
fn every_command_ends_soon_after_its_limit() {
    let folder = Folder::new("generated");
    folder.write("crowd.tioga", crowd(6));
    assert_eq!(folder.tioga(&["check", "crowd.tioga", "--explore", "0"], "").code, 0);
    ends_in_time(&folder, "crowd.tioga");
}

#[test]
fn every_command_ends_soon_after_its_limit_on_public_models() {
    let folder = Folder::new("shared");
    for path in shared() {
        ends_in_time(&folder, path.to_str().unwrap());
    }
}

#[test]
fn what_was_made_before_the_limit_is_kept() {
    let folder = Folder::new("kept");
    // Many edges are soon covered, and each takes a little longer than the one before. All take minutes.
    const EDGES: usize = 1000;
    folder.write("chain.tioga", super::memory::chain(EDGES));
    // A busy machine may cover none in a short time.
    let some = ["2", "8", "32"].iter().any(|limit| {
        let line = ["synth", "chain.tioga", "--cover", "edges", "--each", "-o", "suite.json"];
        let run = folder.measured(&[&line[..], &["--synth-timeout", limit]].concat()).run;
        assert_eq!(run.code, 3, "{}{}", run.out, run.err);
        assert!(run.err.contains("the time limit was reached"), "{}", run.err);
        if !folder.0.join("suite.json").exists() {
            return false;
        }
        assert!(run.err.contains("purposes were looked at"), "{}", run.err);
        let suite: serde_json::Value = serde_json::from_str(&folder.read("suite.json")).unwrap();
        let made = suite["cases"].as_array().unwrap().len();
        assert!(0 < made && made < EDGES, "{made}");
        true
    });
    assert!(some, "nothing is made");
    // The suite is as good as a whole one.
    let run = folder.tioga(&["run", "suite.json", "--sut", "model:chain.tioga"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

fn interrupt(running: &Running<'_>) {
    signal(running, "-INT");
}

fn signal(running: &Running<'_>, which: &str) {
    let sent = Command::new("kill").args([which, &running.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Without limits these run for hours.
const ENDLESS: [&str; 8] = [
    "reach crowd.tioga --all",
    "solve crowd.tioga -q control:A<>false --full-information --ranks",
    "synth crowd.tioga --cover edges --each",
    "mutate crowd.tioga",
    "mutation crowd.tioga",
    "determinize crowd.tioga --max-steps 1000000000",
    "conform crowd.tioga crowd.tioga",
    "test crowd.tioga --online --repeat 1000000",
];

#[test]
fn one_interrupt_ends_every_command_in_order() {
    for (number, line) in ENDLESS.into_iter().enumerate() {
        let folder = Folder::new(&format!("interrupt_{number}"));
        folder.write("crowd.tioga", crowd(6));
        let mut running = folder.start("", &line.split(' ').collect::<Vec<_>>());
        running.work(Duration::from_millis(500));
        let before = running.worked().0;
        interrupt(&running);
        let Measured { run, worked, .. } = running.finish();
        assert!(worked < before + MOST, "{line}: {worked:?}");
        // Some ended before they could be interrupted.
        assert!([0, 1, 3, 5].contains(&run.code), "{line}: {} {}{}", run.code, run.out, run.err);
    }
}

/// Every command that searches, on a model that takes long in every respect and on the heaviest public ones, is asked to
/// end at moments that are spread over its first work.
#[test]
fn a_termination_at_any_moment_ends_every_command_in_order() {
    const SEARCHES: [&str; 9] = [
        "reach M --all",
        "solve M -q control:A<>false --full-information",
        "solve M -q control:A<>false --full-information --ranks",
        "synth M --cover edges --each",
        "mutate M",
        "mutation M",
        "determinize M --max-steps 1000000000",
        "conform M M",
        "refines M M",
    ];
    let folder = Folder::new("terminated");
    folder.write("crowd.tioga", crowd(6));
    folder.write("trains.tioga", tioga_families::TrainGame { trains: 4, away: 40 }.tioga());
    let mut models = vec!["crowd.tioga".to_owned(), "trains.tioga".to_owned()];
    models.extend(shared().iter().map(|path| path.to_str().unwrap().to_owned()));
    let mut random = fastrand::Rng::with_seed(0);
    for model in &models {
        for line in SEARCHES {
            let arguments = arguments(line, model);
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let mut running = folder.start("", &arguments);
            // It may be over before.
            let moment = Duration::from_millis(random.u64(20..300));
            while let (worked, false) = running.worked() {
                if worked > moment {
                    break;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            let (before, over) = running.worked();
            if !over {
                signal(&running, "-TERM");
            }
            let Measured { run, worked, .. } = running.finish();
            let told = || format!("{line} on {model}, at {before:?}: {worked:?}, {}", run.err);
            assert!(worked < before + MOST, "{}", told());
            assert!([0, 1, 2, 3, 5, 130].contains(&run.code), "{}: {}", run.code, told());
        }
    }
}

#[test]
fn a_second_interrupt_ends_a_command_at_once() {
    let folder = Folder::new("twice");
    folder.write("crowd.tioga", crowd(6));
    let mut running = folder.start("", &["reach", "crowd.tioga", "--all"]);
    running.work(Duration::from_millis(500));
    let before = running.worked().0;
    interrupt(&running);
    interrupt(&running);
    let Measured { run, worked, .. } = running.finish();
    assert!(worked < before + MOST);
    // The first may have been enough.
    assert!([3, 130].contains(&run.code), "{} {}", run.code, run.err);
}
