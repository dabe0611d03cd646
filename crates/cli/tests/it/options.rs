//! The options a model is read with survive: in the run of the command, in suites, and in journals.

use std::fs::File;
use std::io::Write;

use crate::binary::{Folder, Json};
use serde_json::Value;

/// A light that answers between N and N + 1 after a touch; it is N = 2 unless something else is set.
const DELAYED: &str = "param int N = 2;
input touch; output on;
automaton Light {
  clock x;
  init location Dark;
  location Waking invariant x <= N + 1;
  location Bright;
  Dark -> Waking : touch? do x = 0;
  Waking -> Bright : on! when x >= N;
}
query control: A<> Light.Bright;
";

/// A closed system in UPPAAL's language, which does not say who the environment is.
const CLOSED: &str = "chan a;
process S() { state A, B; init A; trans A -> B { sync a!; }; }
process E() { state X, Y; init X; trans X -> Y { sync a?; }; }
system S, E;
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("p.tioga", DELAYED);
    folder.write("p.model", DELAYED);
    folder.write("o.xta", CLOSED);
    folder
}

fn tioga(folder: &Folder, line: &str) -> tioga_testkit::Run {
    folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "")
}

/// Runs a command and wants this exit code.
#[track_caller]
fn exits(folder: &Folder, line: &str, code: i32) -> String {
    let run = tioga(folder, line);
    assert_eq!(run.code, code, "{line}\n{}\n{}", run.out, run.err);
    run.out
}

#[test]
fn settings_of_constants_survive() {
    let folder = folder("options-set");
    exits(&folder, "test p.tioga --purposes-only --set N=5 --repeat 20", 0);
    exits(&folder, "test p.tioga --set N=5 --online --repeat 20", 0);
    exits(
        &folder,
        "test p.tioga --purposes-only --set N=5 --sut model:p.tioga --journal set.journal",
        0,
    );
    // A system with other constants is noticed.
    folder.write("q.tioga", DELAYED.replace("param int N = 2", "const int N = 3"));
    exits(
        &folder,
        "test p.tioga --purposes-only --set N=5 --sut model:q.tioga --journal q.journal",
        1,
    );
    // A system given as another model gets the same settings.
    folder.write("r.tioga", DELAYED.replace("Waking", "Rising"));
    exits(
        &folder,
        "test p.tioga --purposes-only --set N=5 --sut model:r.tioga --repeat 20 --no-journal",
        0,
    );
    exits(&folder, "synth p.tioga --set N=5 -o suite.json", 0);
    exits(&folder, "run suite.json --sut model:p.tioga --repeat 20 --journal run.journal", 0);
    // What is asked about a suite is asked about its constants, unless the options give others.
    exits(&folder, "certify p.tioga suite.json", 0);
    exits(&folder, "certify p.tioga suite.json --set N=3", 1);
    let held = exits(&folder, "diff p.tioga p.tioga --suite suite.json", 0);
    assert!(held.contains("1 of 1"), "{held}");
    let made_again = exits(&folder, "diff p.tioga q.tioga --suite suite.json", 1);
    assert!(made_again.contains("0 of 1"), "{made_again}");
    for journal in ["set.journal", "q.journal", "run.journal"] {
        exits(&folder, &format!("explain {journal}"), 0);
        exits(&folder, &format!("report {journal} --html report.html --coverage c.svg"), 0);
    }
    exits(&folder, "replay set.journal", 0);
    let shrunk = exits(&folder, "shrink q.journal", 0);
    assert!(shrunk.contains("from 1 to 1 input"), "{shrunk}");
    let told = exits(&folder, "explain q.journal", 0);
    assert!(told.contains("from 5 to 6"), "{told}");
}

#[test]
fn the_format_survives() {
    let folder = folder("options-from");
    exits(&folder, "test p.model --purposes-only --from tioga", 0);
    exits(
        &folder,
        "test p.model --purposes-only --from tioga --sut model:p.model --journal f.journal",
        0,
    );
    exits(&folder, "test p.model --from tioga --online --journal o.journal --repeat 3", 0);
    exits(&folder, "explain f.journal", 0);
    exits(&folder, "explain o.journal", 0);
    exits(&folder, "replay o.journal", 0);
    exits(&folder, "report f.journal --html f.html", 0);
    let refused = tioga(&folder, "test p.model");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("add `--from` with `tioga`, `xml`, `xta`, `tck` or `xlia`"));
}

#[test]
fn a_model_may_come_from_standard_input() {
    let folder = folder("options-stdin");
    for line in
        ["test - --purposes-only --from tioga", "test - --from tioga --no-journal --set N=7"]
    {
        let run = folder.tioga(&line.split(' ').collect::<Vec<_>>(), DELAYED);
        assert_eq!(run.code, 0, "{line}\n{}\n{}", run.out, run.err);
    }
    let line = "test - --from tioga --set N=7 --online --journal in.journal";
    let run = folder.tioga(&line.split(' ').collect::<Vec<_>>(), DELAYED);
    assert_eq!(run.code, 0, "{}\n{}", run.out, run.err);
    exits(&folder, "explain in.journal", 0);
    exits(&folder, "replay in.journal", 0);
}

#[test]
fn the_interface_survives() {
    let folder = folder("options-interface");
    let purpose = "reach S.B";
    for more in [
        &[][..],
        &["--sut", "model:o.xta"],
        &["--online", "--repeat", "5"],
        &["--online", "--sut", "model:o.xta"],
    ] {
        let line = ["test", "o.xta", "--environment", "E", "-p", purpose, "--no-journal"];
        let run = folder.tioga(&[&line[..], more].concat(), "");
        assert_eq!(run.code, 0, "{more:?}\n{}\n{}", run.out, run.err);
    }
    // A suite keeps it for what is asked about the suite.
    exits(&folder, "synth o.xta --environment E --cover edges -o e.json", 0);
    exits(&folder, "certify o.xta e.json", 0);
    exits(&folder, "diff o.xta o.xta --suite e.json", 0);
    let killed = exits(&folder, "mutation o.xta --suite e.json --operators sink,output-missing", 0);
    assert!(killed.contains("killed "), "{killed}");
    // From a file beside the model, too.
    folder.write("o.interface.toml", "environment = [\"E\"]\n");
    let line = ["test", "o.xta", "--online", "-p", purpose, "--journal", "o.journal"];
    let run = folder.tioga(&line, "");
    assert_eq!(run.code, 0, "{}\n{}", run.out, run.err);
    std::fs::remove_file(folder.0.join("o.interface.toml")).unwrap();
    exits(&folder, "explain o.journal", 0);
    exits(&folder, "replay o.journal", 0);
}

/// A pipe can be read once, so a command that reads its model twice would wait for ever or see nothing.
#[cfg(unix)]
#[test]
fn a_model_is_read_once() {
    for line in [
        "test pipe.tioga --purposes-only",
        "test pipe.tioga --online",
        "test pipe.tioga --cover edges --each",
        "synth pipe.tioga --cover edges --each",
        "mutate pipe.tioga --operators sink",
        "mutation pipe.tioga --operators sink",
        "solve pipe.tioga",
        "reach pipe.tioga --all",
        "check pipe.tioga",
    ] {
        let folder = folder("options-once");
        let path = folder.0.join("pipe.tioga");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let writer = std::thread::spawn(move || {
            // Opening waits for the reader.
            File::options().write(true).open(path).unwrap().write_all(DELAYED.as_bytes()).unwrap();
        });
        let run = tioga(&folder, line);
        writer.join().unwrap();
        assert!(run.code == 0, "{line}: {}\n{}\n{}", run.code, run.out, run.err);
    }
}

#[test]
fn the_time_unit_of_the_model_is_that_of_real_time() {
    let folder = folder("options-unit");
    let refused = tioga(&folder, "test p.tioga --purposes-only --sut cat --real-time");
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("say it with `--unit`"), "{}", refused.err);
    folder.write("u.tioga", format!("time unit 5 ms;\n{DELAYED}"));
    exits(&folder, "synth u.tioga -o u.json", 0);
    let unit = |journal: &str| {
        let reader = tioga_execute::JournalReader::open(&folder.0.join(journal)).unwrap();
        reader.settings().time
    };
    tioga(&folder, "test u.tioga --purposes-only --sut true --real-time --journal t.journal");
    assert_eq!(unit("t.journal"), tioga_adapters::TimeBase::Real { unit_ns: 5_000_000 });
    tioga(&folder, "run u.json --sut true --real-time --journal r.journal");
    assert_eq!(unit("r.journal"), tioga_adapters::TimeBase::Real { unit_ns: 5_000_000 });
    tioga(&folder, "run u.json --sut true --unit 7ms --journal s.journal");
    assert_eq!(unit("s.journal"), tioga_adapters::TimeBase::Real { unit_ns: 7_000_000 });
    tioga(&folder, "run u.json --sut true --journal v.journal");
    assert_eq!(unit("v.journal"), tioga_adapters::TimeBase::Virtual);
}

#[test]
fn json_has_one_shape_for_any_number_of_queries() {
    let folder = folder("options-json");
    let one = ["-q", "E<> Light.Bright"];
    let two = ["-q", "E<> Light.Bright", "-q", "A[] !Light.Bright"];
    for (command, queries, count) in [("reach", &one[..], 1), ("reach", &two[..], 2)] {
        let run =
            folder.tioga(&[&["--format", "json", command, "p.tioga"][..], queries].concat(), "");
        let queries = run.json()["result"]["queries"].clone();
        assert_eq!(queries.as_array().map(Vec::len), Some(count), "{}", run.out);
    }
    let run = tioga(&folder, "--format json solve p.tioga");
    assert_eq!(run.json()["result"]["queries"].as_array().map(Vec::len), Some(1), "{}", run.out);
    let run = tioga(&folder, "--format json reach p.tioga --all");
    assert_eq!(run.json()["result"]["queries"].as_array().map(Vec::len), Some(1), "{}", run.out);
}

#[test]
fn a_wrong_command_line_is_json_if_that_is_asked_for() {
    let folder = folder("options-usage");
    for line in [
        "--format json solve",
        "--format=json test p.tioga --purposes-only --no-such-option",
        "frobnicate --format json",
        "test p.tioga --format json -p reach\u{a0}x",
    ] {
        let run = tioga(&folder, line);
        assert_eq!(run.code, 2, "{line}\n{}", run.out);
        let value = run.json();
        let message = value["diagnostics"][0]["message"].as_str();
        assert!(message.is_some_and(|message| !message.is_empty()), "{value}");
        assert_eq!(value["exit"], 2);
        assert!(run.err.is_empty(), "{}", run.err);
    }
    let run = tioga(&folder, "solve");
    assert!(run.code == 2 && run.out.is_empty() && run.err.contains("Usage: tioga solve"));
}

#[test]
fn a_test_of_a_model_against_itself_leaves_no_file() {
    let folder = Folder::new("options-no-file");
    exits(&folder, "test @smart-light --purposes-only", 0);
    exits(&folder, "test @smart-light --online", 0);
    let left: Vec<_> = std::fs::read_dir(&folder.0).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    // What was asked for is written, and an older journal is kept once.
    for _ in 0..4 {
        exits(&folder, "test @smart-light --purposes-only --journal light.journal", 0);
    }
    let mut left: Vec<String> = std::fs::read_dir(&folder.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["light.journal", "light.journal.old"]);
}

#[cfg(unix)]
#[test]
fn a_device_is_not_taken_for_a_journal() {
    let folder = folder("options-device");
    let pipe = folder.0.join("device");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let run = tioga(&folder, "test p.tioga --purposes-only --journal device");
    assert_eq!(run.code, 2, "{}", run.err);
    let kind = std::fs::metadata(&pipe).unwrap();
    assert!(!kind.is_file() && !folder.0.join("device.old").exists());
}

#[test]
fn an_exhausted_budget_is_reported() {
    let folder = Folder::new("options-budget");
    let run = |steps: &str| {
        let line = format!("determinize @bjsk --max-steps {steps} -o view.tioga");
        (exactness(&folder, &line), tioga(&folder, &line))
    };
    // A little more gives an exact view, so the approximate one must not look final.
    let ((exactness, exhausted), told) = run("900");
    assert_eq!((exactness.as_str(), exhausted), ("approximate", Value::Bool(true)));
    assert!(told.out.contains("the budget was exhausted, and `--max-steps` allows more"));
    assert_eq!(run("1000").0.0, "exact");
    let ((exactness, exhausted), _) = run("3");
    assert_eq!((exactness.as_str(), exhausted), ("approximate", Value::Bool(true)));
}

fn exactness(folder: &Folder, line: &str) -> (String, Value) {
    let result = tioga(folder, &format!("--format json {line}")).json()["result"].clone();
    (result["exactness"].as_str().unwrap_or_default().to_owned(), result["exhausted"].clone())
}

#[test]
fn options_stand_under_their_own_headings() {
    let folder = Folder::new("options-help");
    for command in ["test", "synth", "solve", "mutation", "run"] {
        let help = tioga(&folder, &format!("{command} --help")).out;
        let mut heading = String::new();
        for line in help.lines() {
            if !line.starts_with(' ') && line.ends_with(':') {
                heading = line.to_owned();
            }
            let option = line.trim_start();
            let own =
                ["--purpose", "--online", "--cover", "--shape", "--query", "--suite", "--case"];
            if own
                .iter()
                .any(|name| option.starts_with(name) || option.contains(&format!(", {name} ")))
            {
                assert_eq!(heading, "Options:", "{command}: {line}");
            }
            if option.starts_with("--environment") {
                assert!(heading.starts_with("Interface of the system under test"), "{line}");
            }
        }
        // Paragraphs are wrapped to the terminal, so no line is an orphan.
        for pair in help.lines().collect::<Vec<_>>().windows(3) {
            let orphan = pair[0].len() > 80
                && !pair[1].starts_with(' ')
                && !pair[1].is_empty()
                && pair[1].len() < 25
                && !pair[2].is_empty()
                && !pair[2].starts_with(' ')
                && !pair[1].ends_with(':');
            assert!(!orphan, "{command}: {pair:#?}");
        }
    }
    let help = tioga(&folder, "--help").out;
    let words: Vec<&str> = help.split_whitespace().collect();
    assert!(words.join(" ").contains("makes test cases that drive a real system"), "{help}");
}
