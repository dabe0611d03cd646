//! Campaigns through the real binary: outcomes and exit codes, journals, resuming, bad input.

use std::fs;
use std::process::{Command, Stdio};

use crate::binary::{Folder, Json, Run, TIOGA};
use serde_json::{Value, json};
use tioga_adapters::TimeBase;
use tioga_execute::JournalReader;
use tioga_testkit::wait_for;

/// A light that answers one time unit too late.
const SLOW: &str = "\
input touch;
output dim, bright, off;

automaton Light {
  clock x;
  init location Off;
  location Waiting invariant x <= 3;
  Off -> Waiting : touch? do x = 0;
  Waiting -> Off : dim! when x >= 3;
}
";

/// A folder with a suite for the smart light, and one that the other light may leave inconclusive.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    let run = folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let tree = ["-p", "reach Light.Bright", "--shape", "tree", "-o", "tree.json"];
    let run = folder.tioga(&[&["synth", "@problematic-light"], &tree[..]].concat(), "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    folder.write("slow.tioga", SLOW);
    folder
}

fn tioga(folder: &Folder, line: &str) -> Run {
    folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "")
}

/// The code of the first complaint of a command that exits with 2.
fn complaint(folder: &Folder, line: &str) -> (String, String) {
    let run = tioga(folder, &format!("--format json {line}"));
    assert_eq!(run.code, 2, "{line}: {}", run.out);
    let first = &run.json()["diagnostics"][0];
    let text = |name: &str| first[name].as_str().unwrap_or("").to_owned();
    (text("code"), format!("{} / {}", text("message"), text("help")))
}

#[test]
fn every_outcome_has_its_exit_code() {
    let folder = folder("run-outcomes");
    let cases = [
        ("light.json --sut model:@smart-light --repeat 20", 0, "pass"),
        ("light.json --sut model:slow.tioga", 1, "fail"),
        ("light.json --sut model:@problematic-light --repeat 20", 1, "fail"),
        ("tree.json --sut model:@problematic-light --policy hostile", 5, "inconclusive"),
        ("light.json --sut ./no-such-program", 6, "error"),
    ];
    for (line, code, worst) in cases {
        let run = tioga(&folder, &format!("--format json run {line}"));
        assert_eq!(run.code, code, "{line}: {}{}", run.out, run.err);
        assert_eq!(run.json()["result"]["worst"], worst, "{line}");
        let run = tioga(&folder, &format!("run {line}"));
        assert_eq!((run.code, run.err.as_str()), (code, ""), "{line}");
        assert!(run.out.contains(worst), "{line}: {}", run.out);
    }
}

#[test]
#[cfg(unix)]
fn programs_are_tested_with_virtual_and_with_real_time() {
    let folder = folder("run-programs");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/adapters/light.py");
    if Command::new("python3").arg("--version").output().is_err() {
        return; // The example needs Python, which need not be there.
    }
    let light = format!("python3 {script}");
    let run =
        |more: &[&str]| folder.tioga(&[&["run", "light.json", "--sut", &light], more].concat(), "");
    let virtual_time = run(&["--repeat", "10", "--jobs", "2"]);
    assert_eq!(virtual_time.code, 0, "{}", virtual_time.out);
    let fresh = run(&["--repeat", "3", "--fresh"]);
    assert_eq!(fresh.code, 0, "{}", fresh.out);
    // How fast this machine is decides whether real time passes, but not whether it fails.
    let real_time = run(&["--unit", "200ms", "--out-latency", "0..1", "--timeout", "60s"]);
    assert!(matches!(real_time.code, 0 | 5), "{}", real_time.out);
    let resumed = folder.tioga(&["resume", "light.journal"], "");
    assert_eq!(resumed.out, real_time.out);
    // What goes wrong at goodbye is an error, too, though all runs passed.
    let leaving = format!("{light}; exit 3");
    let goodbye = folder.tioga(&["run", "light.json", "--sut", &leaving], "");
    assert_eq!(goodbye.code, 6, "{}{}", goodbye.out, goodbye.err);
    assert!(goodbye.err.contains("error[bad-farewell]"), "{}", goodbye.err);
    let crash = folder.tioga(&["run", "light.json", "--sut", "echo oops >&2; exit 3"], "");
    assert_eq!(crash.code, 6, "{}", crash.out);
    assert!(crash.out.contains("oops"), "{}", crash.out);
}

#[test]
fn a_failure_comes_with_its_timed_trace() {
    let folder = folder("run-trace");
    let run = tioga(&folder, "run light.json --sut model:slow.tioga --repeat 3");
    let expected = "\
run 0 of smart_light-1 failed: the system stayed silent for too long: no `dim`
  seed 16294208416658607535
  at 0 sent touch
  at 3 heard dim
  fail as of 2
  tioga explain light.journal --run 0

stopped at the first problem, after 1 run of 3; `tioga resume light.journal --keep-going` goes on
";
    assert!(run.out.ends_with(expected), "{}", run.out);
    let run = tioga(&folder, "run light.json --sut ./no-such-program");
    assert!(run.out.contains("run 0 of smart_light-1 was an error: the system "), "{}", run.out);
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let folder = folder("run-jobs");
    let run = |jobs: &str, more: &str| {
        let common = "run light.json --sut model:@problematic-light --repeat 200 --no-journal";
        tioga(&folder, &format!("--format json {common} --jobs {jobs} {more}"))
    };
    for more in ["", "--keep-going", "--keep-going --fresh", "--seed 9"] {
        let expected = run("1", more);
        assert_eq!(expected.code, 1);
        for jobs in ["2", "5"] {
            assert_eq!(run(jobs, more).out, expected.out, "{jobs} jobs {more}");
        }
    }
    assert_ne!(run("1", "--keep-going").out, run("1", "--keep-going --seed 9").out);
}

#[test]
fn json_has_every_run() {
    let folder = folder("run-json");
    let line =
        "--format json run light.json --sut model:@problematic-light --repeat 50 --keep-going";
    let result = tioga(&folder, line).json()["result"].take();
    let runs = result["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 50);
    for (number, run) in runs.iter().enumerate() {
        assert_eq!(run["run"], number);
    }
    let case = &result["cases"][0];
    let of = |outcome: &str| runs.iter().filter(|run| run["outcome"] == outcome).count();
    for outcome in ["pass", "fail", "inconclusive", "error"] {
        assert_eq!(case[outcome], of(outcome), "{outcome}");
    }
    assert!(of("pass") > 0 && of("fail") > 0);
    let first = runs.iter().find(|run| run["outcome"] == "fail").unwrap();
    assert_eq!(case["first_problem"]["run"], first["run"]);
    assert_eq!(case["first_problem"]["events"][0]["event"], "sent");
    assert_eq!(result["journal"], "light.journal");
    assert_eq!(result["interrupted"], false);
}

#[test]
fn cases_are_chosen_by_name() {
    let folder = folder("run-cases");
    let mut suite: Value = serde_json::from_str(&folder.read("light.json")).unwrap();
    let mut second = suite["cases"][0].clone();
    second["name"] = json!("again");
    suite["cases"].as_array_mut().unwrap().push(second);
    suite.as_object_mut().unwrap().remove("digest");
    folder.write("two.json", suite.to_string());
    let names = |line: &str| -> Vec<Value> {
        let run =
            tioga(&folder, &format!("--format json run two.json --sut model:@smart-light {line}"));
        let cases = run.json()["result"]["cases"].take();
        cases.as_array().unwrap().iter().map(|case| case["name"].clone()).collect()
    };
    assert_eq!(names(""), ["smart_light-1", "again"]);
    assert_eq!(names("--case again"), ["again"]);
    assert_eq!(names("--case again --case smart_light-1"), ["smart_light-1", "again"]);
    let (code, message) = complaint(&folder, "run two.json --sut model:@smart-light --case agian");
    assert_eq!(code, "unknown-case");
    assert!(message.ends_with("did you mean `again`?"), "{message}");
}

#[test]
fn an_interrupted_campaign_is_resumed() {
    let folder = folder("run-resume");
    // A busy machine may notice the limit only when a shorter campaign is over.
    let begun = [3_000, 12_000, 48_000].into_iter().find_map(|repeat| {
        let common =
            format!("light.json --sut model:@problematic-light --repeat {repeat} --keep-going");
        let run = tioga(&folder, &format!("run {common} --stop-after 1ms"));
        run.out.contains(" goes on\n").then_some((common, run))
    });
    let (common, run) = begun.expect("a campaign is interrupted");
    let expected = tioga(&folder, &format!("--format json run {common} --no-journal")).json();
    let first = JournalReader::open(&folder.0.join("light.journal")).unwrap();
    assert!(first.settings().keep_going);
    assert!(run.code == 1 || run.code == 3, "{}", run.out);
    assert!(run.out.contains("; `tioga resume light.journal` goes on\n"), "{}", run.out);
    let again = tioga(&folder, "resume light.journal --jobs 2 --stop-after 5ms");
    assert!(again.code == 1 || again.code == 3, "{}", again.out);
    let done = tioga(&folder, "--format json resume light.journal --jobs 3");
    assert_eq!(done.code, 1);
    let result = &done.json()["result"];
    for part in ["cases", "runs", "counted", "worst"] {
        assert_eq!(result[part], expected["result"][part], "{part}");
    }
    let size = fs::metadata(folder.0.join("light.journal")).unwrap().len();
    assert_eq!(tioga(&folder, "--format json resume light.journal").out, done.out);
    assert_eq!(fs::metadata(folder.0.join("light.journal")).unwrap().len(), size);
}

#[test]
fn a_campaign_that_failed_can_be_continued() {
    let folder = folder("run-continue");
    let common = "run light.json --sut model:@problematic-light --repeat 30";
    let all = tioga(&folder, &format!("--format json {common} --keep-going --no-journal")).json();
    assert_eq!(tioga(&folder, common).code, 1);
    let same = tioga(&folder, "resume light.journal");
    assert!(same.out.contains("stopped at the first problem"), "{}", same.out);
    let further = tioga(&folder, "--format json resume light.journal --keep-going").json();
    assert_eq!(further["result"]["cases"], all["result"]["cases"]);
    // Whoever resumes may reach the system in another way.
    let other = tioga(&folder, "resume light.journal --sut model:nowhere.tioga");
    assert_eq!(other.code, 2);
}

#[test]
fn settings_are_kept_in_the_journal() {
    let folder = folder("run-settings");
    let line = "run light.json --sut ./light --unit 10ms --in-latency 0..1/10 --out-latency 1/5 \
                --jitter 1/100 --protocol torx --patience 7 --timeout 1.5s --seed 3 --fresh \
                --model @smart-light --journal kept.journal";
    tioga(&folder, line);
    let reader = JournalReader::open(&folder.0.join("kept.journal")).unwrap();
    let settings = reader.settings();
    assert_eq!(settings.time, TimeBase::Real { unit_ns: 10_000_000 });
    assert_eq!(settings.latencies.input.to_string(), "0..1/10");
    assert_eq!(settings.latencies.output.to_string(), "1/5");
    assert_eq!(settings.latencies.jitter.to_string(), "1/100");
    assert_eq!((settings.timeout_ms, settings.seed, settings.fresh), (Some(1500), 3, true));
    assert_eq!(settings.patience.map(|time| time.to_string()).as_deref(), Some("7"));
    let model = settings.model().unwrap();
    assert!(model.name == "@smart-light" && model.text.contains("automaton Light"));
    folder.write("copy.tioga", SLOW);
    tioga(&folder, "run light.json --sut model:copy.tioga --model copy.tioga");
    let reader = JournalReader::open(&folder.0.join("light.journal")).unwrap();
    let model = reader.settings().model().unwrap();
    assert_eq!((model.name.as_str(), model.text.as_str()), ("copy.tioga", SLOW));
}

#[test]
fn an_older_journal_is_kept_and_other_files_are_not_touched() {
    let folder = folder("run-older");
    assert_eq!(tioga(&folder, "run light.json --sut model:@smart-light --seed 1").code, 0);
    let first = folder.read("light.journal");
    assert_eq!(tioga(&folder, "run light.json --sut model:@smart-light --seed 2").code, 0);
    assert_eq!(folder.read("light.journal.old"), first);
    let second = folder.read("light.journal");
    assert_ne!(second, first);
    assert_eq!(tioga(&folder, "run light.json --sut model:@smart-light --seed 3").code, 0);
    // Older journals do not pile up.
    assert_eq!(folder.read("light.journal.old"), second);
    assert!(!folder.0.join("light.journal.old2").exists());
    // What is in the way of the older journal is not touched either.
    folder.write("light.journal.old", "mine");
    let line = "run light.json --sut model:@smart-light --seed 4";
    assert_eq!(complaint(&folder, line).0, "not-a-journal");
    assert_eq!(folder.read("light.journal.old"), "mine");
    let line = "run light.json --sut model:@smart-light --journal tree.json";
    let before = folder.read("tree.json");
    assert_eq!(complaint(&folder, line).0, "not-a-journal");
    assert_eq!(folder.read("tree.json"), before);
    let run = tioga(&folder, "run light.json --sut model:@smart-light --no-journal");
    assert_eq!(run.code, 0);
    assert!(run.out.ends_with("\n1 run\n"), "{}", run.out);
}

#[test]
fn reports_that_cannot_be_written_are_refused_before_anything_runs() {
    let folder = folder("run-unwritable");
    let before = fs::read_dir(&folder.0).unwrap().count();
    for option in ["--html", "--junit", "--tap", "--journal"] {
        for command in
            ["run light.json --sut model:slow.tioga", "test @smart-light --purposes-only"]
        {
            let (code, message) = complaint(&folder, &format!("{command} {option} no/such/file"));
            assert_eq!(code, "cannot-write", "{command} {option}");
            assert!(message.ends_with("create the folder `no/such` first"), "{message}");
            let (code, message) = complaint(&folder, &format!("{command} {option} -"));
            assert_eq!(code, "no-name", "{command} {option}");
            assert!(message.contains("`-` is not the name of a file"), "{message}");
        }
    }
    let (code, _) = complaint(&folder, "run light.json --sut model:slow.tioga --html .");
    assert_eq!(code, "cannot-write");
    let (code, _) = complaint(&folder, "campaign @smart-light -o no/such/matrix.json");
    assert_eq!(code, "cannot-write");
    // Neither a journal nor the beginning of a report is left.
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), before);
    let run = tioga(&folder, "run light.json --sut model:slow.tioga --html ./-");
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(folder.read("-").starts_with("<!"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_failure_is_told_even_if_the_disk_is_full() {
    let folder = folder("run-full-disk");
    let run = tioga(&folder, "run light.json --sut model:slow.tioga --tap /dev/full");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.err.contains("cannot write"), "{}", run.err);
    let run = tioga(&folder, "run light.json --sut model:@smart-light --tap /dev/full");
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
}

#[test]
fn a_journal_in_use_is_left_alone() {
    let folder = folder("run-locked");
    let mut child = Command::new(TIOGA)
        .args(["run", "light.json", "--sut", "model:@smart-light", "--repeat", "100000000"])
        .current_dir(&folder.0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let path = folder.0.join("light.journal");
    wait_for("the journal", || JournalReader::open(&path).ok());
    let resume = complaint(&folder, "resume light.journal").0;
    let run = complaint(&folder, "run light.json --sut model:@smart-light").0;
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!((resume.as_str(), run.as_str()), ("journal-in-use", "journal-in-use"));
    assert!(!folder.0.join("light.journal.old").exists());
}

#[test]
fn bad_suites_are_refused() {
    let folder = folder("run-bad-suites");
    let good = folder.read("light.json");
    let run = |contents: &str| {
        folder.write("bad.json", contents);
        complaint(&folder, "run bad.json --sut model:@smart-light")
    };
    let changed = |change: fn(&mut Value)| {
        let mut suite: Value = serde_json::from_str(&good).unwrap();
        change(&mut suite);
        run(&suite.to_string())
    };
    assert_eq!(run("automaton Light {}").0, "not-a-suite");
    assert_eq!(run("{}").0, "not-a-suite");
    assert_eq!(run(&good[..good.len() / 2]).0, "not-a-suite");
    for version in [1, 4] {
        let mut suite: Value = serde_json::from_str(&good).unwrap();
        suite["version"] = json!(version);
        let (code, message) = run(&suite.to_string());
        assert_eq!(code, "suite-version");
        let said =
            format!("`bad.json` is a suite of version {version}, and this program reads version 3");
        assert!(message.starts_with(&said), "{message}");
    }
    assert_eq!(changed(|suite| suite["cases"] = json!([])).0, "empty-suite");
    assert_eq!(changed(|suite| suite["cases"][0]["colour"] = json!("red")).0, "bad-suite");
    let flaws: [fn(&mut Value); 6] = [
        |case| case["scale"] = json!(0),
        |case| case["places"] = json!([]),
        |case| case["places"][0]["edges"][0]["target"] = json!(99),
        |case| case["places"][0]["edges"][0]["sets"] = json!([{ "clock": 9, "value": 0 }]),
        |case| case["places"][0]["invariant"] = json!([[{ "left": 9, "bound": 0 }]]),
        |case| case["places"][0]["rules"][0]["play"] = json!(9),
    ];
    for flaw in flaws {
        let mut suite: Value = serde_json::from_str(&good).unwrap();
        flaw(&mut suite["cases"][0]);
        assert_eq!(run(&suite.to_string()).0, "bad-suite");
    }
    assert_eq!(complaint(&folder, "run no.json --sut model:@smart-light").0, "cannot-read");
}

#[test]
fn systems_that_do_not_fit_are_refused() {
    let folder = folder("run-bad-systems");
    let run = |line: &str| complaint(&folder, &format!("run light.json {line}"));
    let (code, message) = run("--sut model:@train-gate");
    assert_eq!(code, "other-interface");
    assert!(message.contains("lacks the input `touch`"), "{message}");
    assert_eq!(run("--sut model:nowhere.tioga").0, "cannot-read");
    assert_eq!(run("--sut model:@smart-light --unit 10ms").0, "no-real-time");
    assert_eq!(run("--sut model:@smart-light --protocol json").0, "no-protocol");
    assert_eq!(run("--sut ./light --policy lazy").0, "no-policy");
    for wrong in ["--repeat 0", "--jobs 0", "--unit 10", "--timeout 0s", "--patience -1", ""] {
        let line = format!("run light.json {wrong}");
        let line = if wrong.is_empty() { line } else { format!("{line} --sut model:@smart-light") };
        assert_eq!(tioga(&folder, &line).code, 2, "{line}");
    }
    assert!(!folder.0.join("light.journal").exists());
}

#[test]
fn journals_that_cannot_be_trusted_are_refused() {
    let folder = folder("run-bad-journals");
    tioga(&folder, "run light.json --sut model:@smart-light --repeat 3");
    let good = folder.read("light.journal");
    let resume = |contents: &str| {
        folder.write("bad.journal", contents);
        complaint(&folder, "resume bad.journal")
    };
    assert_eq!(complaint(&folder, "resume no.journal").0, "cannot-read");
    assert_eq!(resume("hello").0, "not-a-journal");
    assert_eq!(resume(&folder.read("light.json")).0, "not-a-journal");
    assert_eq!(resume("").0, "empty-journal");
    assert_eq!(resume(&good[..100]).0, "empty-journal");
    let newer = "{\"format\":\"tioga-journal\",\"version\":9}\n";
    assert_eq!(resume(newer).0, "journal-version");
    let (code, message) = resume(&good.replacen("\"run\":1", "\"run\":2", 1));
    assert_eq!(code, "damaged-journal");
    let line = good.lines().position(|line| line.contains("\"run\":1")).unwrap() + 1;
    assert!(
        message.contains(&format!("line {line} is damaged: its checksum is wrong")),
        "{message}"
    );
    // A last line that was cut off is not a reason to refuse the rest.
    folder.write("cut.journal", &good[..good.len() - 30]);
    assert_eq!(tioga(&folder, "resume cut.journal").code, 0);
}
