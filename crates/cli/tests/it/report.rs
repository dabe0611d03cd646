//! `tioga report` with the real binary: reports from a journal.

use crate::binary::{Folder, Json};
use serde_json::json;
use tioga_base::{Moment, Rational};
use tioga_execute::{Event, Journal, Outcome, Settings};
use tioga_testcase::{Action, Suite};

/// A folder with the journal of a campaign: one run of a test case for the smart light that passed,
/// one that failed.
fn folder(name: &str) -> Folder {
    folder_with(name, json!({ "input": "0", "output": "0", "jitter": "0" }))
}

/// The same, where messages are under way for some time.
fn folder_with(name: &str, latencies: serde_json::Value) -> Folder {
    let folder = Folder::new(name);
    let made = folder.tioga(&["synth", "@smart-light", "-o", "suite.json"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    let suite: Suite = serde_json::from_str(&folder.read("suite.json")).unwrap();
    let case = suite.cases[0].name.clone();
    let settings: Settings = serde_json::from_value(json!({
        "suite": Suite { cases: suite.cases[..1].to_vec(), ..suite },
        "system": { "command": "./light" },
        "protocol": "json",
        "time": "virtual",
        "latencies": latencies,
        "repeat": 2,
        "seed": 1,
    }))
    .unwrap();
    let mut journal = Journal::create(&folder.0.join("light.journal"), &settings).unwrap();
    let at = |time: i64| Moment::exactly(Rational::integer(time));
    let action = |channel: &str| Action { channel: channel.to_owned(), values: Vec::new() };
    let end = |outcome, reason: &str, time| Event::End {
        outcome,
        reason: reason.to_owned(),
        at: at(time),
        longest_delay: Rational::ZERO,
        ignored: None,
        stopped: None,
        delays: Vec::new(),
    };
    let runs = [
        vec![
            Event::Sent { at: at(0), action: action("touch") },
            Event::Heard { at: at(1), action: action("dim") },
            Event::Sent { at: at(1), action: action("touch") },
            Event::Heard { at: at(2), action: action("bright") },
            end(Outcome::Pass, "the purpose is reached", 2),
        ],
        vec![
            Event::Sent { at: at(0), action: action("touch") },
            Event::Heard { at: at(1), action: action("off") },
            end(Outcome::Fail, "the output `off` is not allowed now", 1),
        ],
    ];
    for (run, events) in runs.into_iter().enumerate() {
        let run = run as u64;
        journal.append(run, &Event::Begin { case: case.clone(), seed: run }).unwrap();
        for event in events {
            journal.append(run, &event).unwrap();
        }
    }
    folder
}

#[test]
fn the_table_counts_the_runs() {
    let folder = folder("report_table");
    let run = folder.tioga(&["report", "light.journal"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let words: Vec<&str> = run.out.lines().nth(1).unwrap().split_whitespace().collect();
    let counts = ["Light.Bright", "2", "1", "1", "0", "0", "fail", "5/7", "4/13"];
    assert_eq!(words[words.len() - counts.len()..], counts, "{}", run.out);
}

#[test]
fn every_report_is_written() {
    let folder = folder("report_files");
    let arguments = [
        "report",
        "light.journal",
        "--junit=out.xml",
        "--tap=out.tap",
        "--html=out.html",
        "--json=out.json",
        "--ttcn=out.ttcn",
        "--coverage=out.svg",
        "--format=json",
    ];
    let run = folder.tioga(&arguments, "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert_eq!(run.json()["result"]["fail"], 1);
    assert_eq!(run.json()["result"]["written"].as_array().unwrap().len(), 6);
    assert!(folder.read("out.xml").contains("failures=\"1\""));
    assert!(folder.read("out.tap").ends_with("1..2\n"));
    assert!(folder.read("out.html").contains("</span> locations"));
    let json: serde_json::Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    assert_eq!(json["runs"][1]["expected"][0], "`dim` from 0 to 2");
    assert!(folder.read("out.ttcn").contains("testcase tc_1()"));
    assert!(folder.read("out.svg").contains("node seen"));
}

#[test]
fn the_page_says_what_explain_says_where_messages_are_under_way() {
    let latencies = json!({ "input": "0..1", "output": "1/4", "jitter": "0" });
    let folder = folder_with("report_latencies", latencies);
    let run = folder.tioga(&["explain", "light.journal", "--format=json"], "");
    let said = run.json()["result"]["message"].as_str().unwrap().to_owned();
    assert!(said.contains("expected: `dim` from 0.25 to 3.25"), "{said}");
    let run = folder.tioga(&["report", "light.journal", "--html=out.html"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let page = folder.read("out.html");
    assert!(page.contains(&format!("<p>{said}.</p>")), "{said}");
    assert!(page.contains("<p>Expected here: `dim` from 0.25 to 3.25, or "), "{said}");
}

#[test]
fn one_run_is_drawn_in_each_form() {
    let folder = folder("report_diagram");
    let text = folder.tioga(&["report", "light.journal", "--run", "1"], "").out;
    assert!(text.contains("FAIL: the output `off` is not allowed now"), "{text}");
    for (file, part) in
        [("run.svg", "</svg>"), ("run.mmd", "sequenceDiagram"), ("run.puml", "@enduml")]
    {
        let run = folder.tioga(&["report", "light.journal", "--run=1", "--diagram", file], "");
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(folder.read(file).contains(part));
    }
    let run = folder.tioga(&["report", "light.journal", "--run=1", "--diagram=run.png"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("does not say what to draw"), "{}", run.err);
    assert_eq!(folder.tioga(&["report", "light.journal", "--run=7"], "").code, 2);
}

#[test]
fn what_is_no_journal_is_refused_and_nothing_is_written() {
    let folder = folder("report_refused");
    folder.write("other.txt", "hello\n");
    let run = folder.tioga(&["report", "other.txt", "--html", "out.html"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("is not a journal"), "{}", run.err);
    let journal = folder.read("light.journal").replace("\"dim\"", "\"dum\"");
    folder.write("light.journal", journal);
    let run = folder.tioga(&["report", "light.journal", "--html", "out.html"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("cannot be trusted"), "{}", run.err);
    let files = std::fs::read_dir(&folder.0).unwrap();
    let names: Vec<String> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert!(!names.iter().any(|name| name.contains("out.html")), "{names:?}");
}

#[test]
fn what_cannot_be_written_is_refused_before_anything_is() {
    let folder = folder("report_unwritable");
    for option in ["--junit", "--tap", "--html", "--json", "--ttcn", "--coverage"] {
        for (name, complaint) in
            [("no/such/file", "create the folder `no/such` first"), ("-", "`-` is not the name")]
        {
            let args = ["report", "light.journal", "--html", "page.html", option, name];
            let args =
                if option == "--html" { [&args[..2], &args[4..]].concat() } else { args.to_vec() };
            let run = folder.tioga(&args, "");
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{option} {name}");
            assert!(run.err.contains(complaint), "{option} {name}: {}", run.err);
            assert!(!folder.0.join("page.html").exists() && !folder.0.join("-").exists());
        }
    }
}

#[test]
fn coverage_counts_what_a_test_could_enter() {
    let folder = Folder::new("report-coverage");
    let model = "input a; output b;
automaton P {
  init location M;
  committed location Via;
  location N;
  M -> Via : a?;
  Via -> N;
  N -> M : b!;
}
purpose Used { init location S; accept location T; S -> T : b!; otherwise self; }
purpose Unused { init location X; accept location Y; X -> Y : a?; otherwise self; }
";
    folder.write("m.tioga", model);
    let args = ["test", "m.tioga", "-p", "Used", "--html", "r.html", "--policy", "eager"];
    let run = folder.tioga(&args, "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let page = folder.read("r.html");
    let start = page.find("Coverage of the model").unwrap();
    let section = &page[start..start + 400];
    // M, Via and N of the model; of the purposes, the one that the test case was made for is drawn.
    assert!(section.contains("3/3</span> locations"), "{section}");
    assert!(page.contains(">Via</text>") && page.contains(">Used</text>"), "{page}");
    assert!(!page.contains(">Unused</text>"), "{page}");
}
