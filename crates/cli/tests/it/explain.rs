//! `tioga explain` with the real binary: runs of journals in words.

use crate::binary::{Folder, Json};
use serde_json::json;
use tioga_adapters::{Fault, FaultKind};
use tioga_base::{Moment, Rational};
use tioga_execute::{Event, Journal, Outcome, Settings};
use tioga_testcase::{Action, ModelSource, Suite};

fn action(channel: &str) -> Action {
    Action { channel: channel.to_owned(), values: Vec::new() }
}

fn sent(at: &str, channel: &str) -> Event {
    Event::Sent { at: at.parse::<Moment>().unwrap(), action: action(channel) }
}

fn heard(at: &str, channel: &str) -> Event {
    Event::Heard { at: at.parse::<Moment>().unwrap(), action: action(channel) }
}

fn end(at: &str, outcome: Outcome, reason: &str) -> Event {
    let at = at.parse::<Moment>().unwrap();
    Event::End {
        outcome,
        reason: reason.to_owned(),
        at,
        longest_delay: Rational::ZERO,
        ignored: None,
        stopped: None,
        delays: Vec::new(),
    }
}

/// A folder with the journal of a campaign on the smart light; the settings can be changed.
fn folder(name: &str, runs: Vec<Vec<Event>>, change: impl FnOnce(&mut Settings)) -> Folder {
    let folder = Folder::new(&format!("explain_{name}"));
    let made = folder.tioga(&["synth", "@smart-light", "-o", "suite.json"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    let suite: Suite = serde_json::from_str(&folder.read("suite.json")).unwrap();
    let case = suite.cases[0].name.clone();
    let mut settings: Settings = serde_json::from_value(json!({
        "suite": Suite::new(suite.cases[..1].to_vec()),
        "system": { "command": "./light" },
        "protocol": "json",
        "time": "virtual",
        "repeat": runs.len(),
        "seed": 1,
    }))
    .unwrap();
    change(&mut settings);
    let mut journal = Journal::create(&folder.0.join("light.journal"), &settings).unwrap();
    for (run, events) in (0u64..).zip(runs) {
        journal.append(run, &Event::Begin { case: case.clone(), seed: 100 + run }).unwrap();
        for event in events {
            journal.append(run, &event).unwrap();
        }
    }
    folder
}

fn passing() -> Vec<Event> {
    let mut events = vec![sent("0", "touch"), heard("1", "dim"), sent("1", "touch")];
    events.extend([heard("2", "bright"), end("2", Outcome::Pass, "the purpose is reached")]);
    events
}

fn failing(at: &str, output: &str) -> Vec<Event> {
    vec![sent("0", "touch"), heard(at, output), end(at, Outcome::Fail, "not allowed now")]
}

/// The last words about run 0 of a journal.
fn conclusion(folder: &Folder) -> String {
    let run = folder.tioga(&["explain", "light.journal", "--run", "0"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    run.out.rsplit("\n\n").next().unwrap().to_owned()
}

#[test]
fn each_kind_of_failure_has_its_sentence() {
    let late = folder("late", vec![failing("7/2", "dim")], |_| {});
    let words = "fail: `dim` at 3.5 came 1.5 too late: it was expected from 0 to 2\n";
    assert_eq!(conclusion(&late), words);
    let strange = folder("strange", vec![failing("1", "off")], |_| {});
    let words = "fail: `off` at 1 was not expected here; expected: `dim` from 0 to 2\n";
    assert_eq!(conclusion(&strange), words);
    let quiet = Event::Quiet { now: "3".parse::<Moment>().unwrap() };
    let events = vec![sent("0", "touch"), quiet, end("2", Outcome::Fail, "silence")];
    let silent = folder("silent", vec![events], |_| {});
    let words =
        "fail: the system was silent until 3, but something was due by 2: `dim` from 0 to 2\n";
    assert_eq!(conclusion(&silent), words);
}

#[test]
fn the_run_that_needs_it_most_is_explained() {
    let doubt = vec![sent("0", "touch"), end("0", Outcome::Inconclusive, "nobody knows")];
    let fault = Fault::new(FaultKind::Crash, "exit status 3");
    let at = "0".parse::<Moment>().unwrap();
    let error =
        vec![Event::Fault { at, fault: fault.clone() }, end("0", Outcome::Error, "it crashed")];
    let first = |name: &str, runs: Vec<Vec<Event>>| {
        let run = folder(name, runs, |_| {}).tioga(&["explain", "light.journal"], "");
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    let all = vec![passing(), doubt.clone(), error.clone(), failing("3", "dim"), passing()];
    assert!(first("fail", all).starts_with("run 3 of smart_light-1\n"));
    let text = first("error", vec![passing(), doubt.clone(), error]);
    assert!(text.starts_with("run 2 of "), "{text}");
    assert!(text.ends_with("\nerror: at 0 the system crashed: exit status 3\n"), "{text}");
    let text = first("doubt", vec![passing(), doubt]);
    assert!(text.starts_with("run 1 of ") && text.contains("\ninconclusive: nobody knows\n"));
    let text = first("pass", vec![passing(), passing()]);
    assert!(text.starts_with("run 0 of "), "{text}");
    assert!(text.contains("\npass: everything was as expected; the purpose is reached\n"));
    let text = first("interrupted", vec![vec![sent("0", "touch")]]);
    assert!(text.contains("verdict   interrupted"), "{text}");
}

#[test]
fn steps_say_what_was_expected_and_where_test_and_model_were() {
    let folder = folder("steps", vec![failing("3", "dim")], |_| {});
    let run = folder.tioga(&["explain", "light.journal", "--model", "@smart-light"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let parts = [
        "  purpose   control: A<> Light.Bright\n",
        "  system    ./light\n  seed      100\n",
        "  verdict   fail as of 3\n  reason    not allowed now\n",
        "time  tester                    system\n",
        "step 2: at 3 heard dim\n  test was in     L1: Light.x = 0, Light.Tp = 0\n",
        "  model was in    L1: Light.Tp = 0\n  expected        `dim` from 0 to 2; something by 2\n",
        "  could be sent   `touch` from 0 to 2\n",
        "before that the model may have been in:\n  L1: Light.Tp = 0\n",
    ];
    for part in parts {
        assert!(run.out.contains(part), "{part:?} is not in\n{}", run.out);
    }
    let run = folder.tioga(&["explain", "light.journal", "--last", "1"], "");
    assert!(run.out.contains("1 step before the last 1 left out"), "{}", run.out);
    // The diagram has that step only, too.
    assert!(!run.out.contains("touch -") && run.out.contains("- dim -"), "{}", run.out);
    assert!(!run.out.contains("step 1:") && !run.out.contains("model was in"), "{}", run.out);
}

#[test]
fn the_model_in_the_journal_is_used_if_it_can_be_read() {
    let model = |contents: String| {
        move |settings: &mut Settings| {
            settings.suite.model = ModelSource::of_text("light.tioga", contents);
        }
    };
    let text = Folder::new("explain_text").tioga(&["examples", "smart-light"], "").out;
    let good =
        folder("model", vec![passing()], model(text)).tioga(&["explain", "light.journal"], "");
    assert!(
        good.out.contains("at the end the model may have been in:\n  Bright: "),
        "{}",
        good.out
    );
    let bad = folder("no_model", vec![passing()], model("automaton {".to_owned()));
    let bad = bad.tioga(&["explain", "light.journal"], "");
    assert!(bad.code == 2 && bad.err.contains("light.tioga:1:"), "{}", bad.err);
}

#[test]
fn latencies_that_explain_the_run_are_told() {
    let change = |settings: &mut Settings| {
        settings.latencies.input = "0..1/4".parse::<Moment>().unwrap();
        settings.latencies.output = "0..1/4".parse::<Moment>().unwrap();
    };
    let runs = vec![vec![sent("0", "touch"), heard("5/2", "dim"), heard("3", "off")]];
    let folder = folder("latencies", runs, change);
    let words = conclusion(&folder);
    assert!(words.contains("`off` at 3 was not expected here"), "{words}");
    assert!(words.ends_with("explain the run so far: input 0.25, output 0.25\n"), "{words}");
}

#[test]
fn times_that_nobody_can_read_are_rounded_outwards_everywhere() {
    // A third of a microsecond has no decimal.
    let long = "9599129/3000000";
    let runs = vec![vec![sent("41711/2000000..8497/400000", "touch"), heard(long, "dim")]];
    let folder = folder("long", runs, |_| {});
    let run = folder.tioga(&["explain", "light.journal"], "");
    assert!(run.out.contains("`dim` at 3.199..3.200 came 1.178..1.179 too late"), "{}", run.out);
    assert!(!run.out.contains("00000"), "{}", run.out);
    for file in ["run.svg", "run.mmd", "run.puml", "run.txt"] {
        let run = folder.tioga(&["explain", "light.journal", "--diagram", file], "");
        assert_eq!(run.code, 0, "{}", run.err);
        let drawn = folder.read(file);
        assert!(drawn.contains("0.020..0.022") && !drawn.contains("400000"), "{file}: {drawn}");
    }
    // Programs get them as they are.
    let run = folder.tioga(&["explain", "light.journal", "--format=json"], "");
    assert_eq!(run.json()["result"]["steps"][1]["event"]["at"], long);
}

#[test]
fn json_has_the_steps_and_the_conclusion() {
    let folder = folder("json", vec![failing("3", "dim")], |_| {});
    let run = folder.tioga(&["explain", "light.journal", "--format", "json"], "");
    let result = &run.json()["result"];
    assert_eq!(result["case"], "smart_light-1");
    assert_eq!(result["seed"], 100);
    assert_eq!(result["steps"][1]["before"]["deadline"]["at"], "2");
    assert_eq!(result["steps"][1]["before"]["states"][0]["state"], "L1");
    assert_eq!(result["conclusion"]["outcome"], "fail");
    assert_eq!(result["conclusion"]["finding"]["deviation"]["by"], "1");
}

#[test]
fn the_hint_of_a_campaign_works_as_it_is_printed() {
    let folder = Folder::new("explain_hint");
    folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "");
    let args = ["run", "light.json", "--sut=model:@problematic-light", "--repeat=10"];
    let run = folder.tioga(&args, "");
    assert_eq!(run.code, 1, "{}", run.out);
    let hint = run.out.lines().find_map(|line| line.trim().strip_prefix("tioga explain")).unwrap();
    let arguments: Vec<&str> = ["explain"].into_iter().chain(hint.split_whitespace()).collect();
    let run = folder.tioga(&arguments, "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("\nfail: `off` at "), "{}", run.out);
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let folder = folder("refused", vec![passing()], |_| {});
    let run = folder.tioga(&["explain", "light.journal", "--run", "7"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("there is no run 7 in the journal"), "{}", run.err);
    let run = folder.tioga(&["explain", "suite.json"], "");
    assert!(run.code == 2 && run.err.contains("is not a journal"), "{}", run.err);
    let run = folder.tioga(&["explain", "light.journal", "--diagram", "run.png"], "");
    assert!(run.code == 2 && run.err.contains("does not say what to draw"), "{}", run.err);
}

#[test]
fn a_run_made_on_line_is_explained_by_the_model_with_its_data() {
    let folder = Folder::new("explain_online");
    let model = "input key(int[0, 3] k); output wrong(int[1, 3] n);
automaton Lock { clock x; int[0, 3] n; int[0, 3] last;
  init location Idle; location Bad invariant x <= 1;
  Idle -> Bad : key(k)? do x = 0, last = k, n = n == 3 ? 1 : n + 1;
  Bad -> Idle : wrong(n)!;
}";
    folder.write("lock.tioga", model);
    folder.write("broken.tioga", model.replace("n == 3 ? 1", "n == 2 ? 1"));
    let args = ["test", "lock.tioga", "--online", "--sut=model:broken.tioga", "--repeat=10"];
    let run = folder.tioga(&args, "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let run = folder.tioga(&["explain", "lock.journal", "--last", "1"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("has other values than expected: `wrong(3)` from "), "{}", run.out);
    assert!(run.out.contains("  model was in    Bad, "), "{}", run.out);
    assert!(!run.out.contains("test was in"), "{}", run.out);
    let run = folder.tioga(&["report", "lock.journal", "--junit", "lock.xml"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(folder.read("lock.xml").contains("has other values than expected"));
}
