//! `tioga replay` of journals and `tioga shrink` through the real binary: runs made again, on the same
//! system and on others, and failures that become short.

use std::process::Command;

use crate::binary::{Folder, Json, Run};
use serde_json::{Value, json};
use tioga_execute::{JournalReader, Outcome, RunRecord};

fn tioga(folder: &Folder, line: &str) -> Run {
    folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "")
}

/// A folder with a journal of runs of the other light, in which some fail.
fn folder(name: &str, more: &str) -> Folder {
    let folder = Folder::new(name);
    let line = "synth @smart-light --shape automaton -o light.json";
    assert_eq!(tioga(&folder, line).code, 0);
    let line = "run light.json --sut model:@problematic-light --repeat 30 --keep-going";
    assert_eq!(tioga(&folder, &format!("{line} {more}")).code, 1);
    folder
}

fn runs(folder: &Folder, journal: &str) -> Vec<RunRecord> {
    let reader = JournalReader::open(&folder.0.join(journal)).unwrap();
    reader.runs().collect::<Result<_, _>>().unwrap()
}

/// The code of the first complaint of a command that exits with 2.
fn complaint(folder: &Folder, line: &str) -> String {
    let run = tioga(folder, &format!("--format json {line}"));
    assert_eq!(run.code, 2, "{line}: {}", run.out);
    run.json()["diagnostics"][0]["code"].as_str().unwrap().to_owned()
}

#[test]
fn every_run_of_a_journal_is_reproduced() {
    let folder = folder("replay-same", "");
    for record in runs(&folder, "light.journal") {
        let number = record.run;
        let run = tioga(&folder, &format!("--format json replay light.journal --run {number}"));
        let result = &run.json()["result"];
        assert_eq!(result["reproduced"], true, "{number}: {}", run.out);
        assert_eq!(result["difference"], Value::Null);
        let outcome = record.outcome().unwrap().0;
        assert_eq!(result["outcome"], json!(outcome));
        let code = match outcome {
            Outcome::Pass => 0,
            Outcome::Fail => 1,
            Outcome::Inconclusive => 5,
            Outcome::Error => 6,
        };
        assert_eq!(run.code, code, "{number}");
    }
}

#[test]
fn another_system_is_compared_with_the_recorded_run() {
    let folder = folder("replay-other", "");
    let failed = runs(&folder, "light.journal");
    let is_failure = |run: &&RunRecord| run.outcome().unwrap().0 == Outcome::Fail;
    let first = failed.iter().find(is_failure).unwrap().run;
    let run = tioga(&folder, "replay light.journal --sut model:@smart-light");
    assert!(matches!(run.code, 0 | 5), "{}", run.out);
    let start = format!("run {first} of smart_light-1 failed, and now ");
    assert!(run.out.starts_with(&start), "{}", run.out);
    assert!(run.out.contains("\nnot reproduced: "), "{}", run.out);
    assert!(run.out.contains(", while in the recorded run "), "{}", run.out);
}

#[test]
fn a_shrunk_run_is_written_beside_the_recorded_one() {
    let folder = folder("shrink-light", "--model @smart-light");
    let run = tioga(&folder, "shrink light.journal");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert!(run.out.contains("written to light.shrunk.journal as run 1\n"), "{}", run.out);
    let written = runs(&folder, "light.shrunk.journal");
    assert_eq!(written.iter().map(|run| run.run).collect::<Vec<_>>(), [0, 1]);
    assert!(written.iter().all(|run| run.outcome().unwrap().0 == Outcome::Fail));
    let of = |number: u64| {
        let recorded = runs(&folder, "light.journal");
        recorded.into_iter().find(|run| run.run == number).unwrap()
    };
    let result = tioga(&folder, "--format json shrink light.journal -o again.journal").json();
    let result = &result["result"];
    assert_eq!(written[0].events, of(result["run"].as_u64().unwrap()).events);
    assert_eq!(json!(written[1].events), result["events"]);
    assert_eq!(result["judge"], "model");
    assert!(result["inputs"].as_u64() <= result["inputs_before"].as_u64());
    let again = tioga(&folder, "--format json replay light.shrunk.journal --run 1");
    assert_eq!(again.json()["result"]["reproduced"], true, "{}", again.out);
    assert_eq!(tioga(&folder, "report light.shrunk.journal --html x.html --run 1").code, 0);
}

#[test]
fn without_the_model_only_the_test_case_is_tried() {
    let folder = folder("shrink-case", "");
    // A suite need not say what model it was made from.
    let mut suite: Value = serde_json::from_str(&folder.read("light.json")).unwrap();
    suite.as_object_mut().unwrap().remove("model").unwrap();
    folder.write("light.json", suite.to_string());
    let line = "run light.json --sut model:@problematic-light --repeat 30 --keep-going";
    assert_eq!(tioga(&folder, line).code, 1);
    let run = tioga(&folder, "shrink light.journal");
    assert_eq!(run.code, 0, "{}", run.out);
    let hint = "only runs within the test case were tried; `--model` allows shorter ones\n";
    assert!(run.out.contains(hint), "{}", run.out);
    let run = tioga(&folder, "--format json shrink light.journal --model @smart-light");
    assert_eq!(run.json()["result"]["judge"], "model", "{}", run.out);
    let run = tioga(&folder, "shrink light.journal --attempts 2");
    let hint = "there may be a shorter run; `--attempts` allows more\n";
    assert!(run.out.contains(hint), "{}", run.out);
}

#[test]
fn runs_made_on_line_are_judged_by_the_model() {
    let folder = Folder::new("shrink-online");
    let line = "test @smart-light --online --actions 30 --repeat 20 --keep-going";
    let run = tioga(&folder, &format!("{line} --sut model:@problematic-light"));
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    for record in runs(&folder, "smart-light.journal") {
        let line = format!("--format json replay smart-light.journal --run {}", record.run);
        let run = tioga(&folder, &line);
        assert_eq!(run.json()["result"]["reproduced"], true, "{}", run.out);
    }
    let run = tioga(&folder, "--format json shrink smart-light.journal");
    assert_eq!(run.code, 0, "{}", run.out);
    let result = &run.json()["result"];
    assert_eq!(result["judge"], "model");
    assert!(result["inputs"].as_u64() <= result["inputs_before"].as_u64(), "{}", run.out);
}

#[test]
fn what_does_not_fail_again_is_told() {
    let folder = folder("shrink-fixed", "--model @smart-light");
    let run = tioga(&folder, "shrink light.journal --sut model:@smart-light");
    assert_eq!(run.code, 5, "{}", run.out);
    assert!(run.out.contains(" did not fail so again:\n"), "{}", run.out);
}

#[test]
fn wrong_arguments_are_refused_with_reasons() {
    let folder = folder("replay-wrong", "");
    let passed = runs(&folder, "light.journal");
    let passed = passed.iter().find(|run| run.outcome().unwrap().0 == Outcome::Pass).unwrap().run;
    folder.write("lamp.tioga", "automaton Lamp { init location Off; }\n");
    for (line, code) in [
        ("replay @smart-light".to_owned(), "no-trace"),
        ("replay lamp.tioga".to_owned(), "no-trace"),
        ("replay lamp.tioga --run 3".to_owned(), "no-trace"),
        ("replay nothing.journal".to_owned(), "cannot-read"),
        ("replay light.journal --run 30".to_owned(), "no-such-run"),
        ("shrink light.journal --run 30".to_owned(), "no-such-run"),
        ("shrink light.json".to_owned(), "not-a-journal"),
        (format!("shrink light.journal --run {passed}"), "no-failure"),
    ] {
        assert_eq!(complaint(&folder, &line), code, "{line}");
    }
    // A trace and a run of a journal are different things.
    assert_eq!(tioga(&folder, "replay @smart-light run.trace --run 3").code, 2);
}

/// A purpose that the alarm is ended, for which a random tester does many other things first.
const CALMED: &str = "
purpose Calmed {
  init location Quiet;
  location Alarm, Unlocked;
  accept location Over;
  Quiet -> Alarm : sound_on!;
  Alarm -> Unlocked : unlock?;
  Unlocked -> Over : flash_off!;
  otherwise self;
}
";

#[test]
#[cfg(unix)]
fn each_fault_of_the_car_alarm_has_a_short_explanation() {
    if Command::new("python3").arg("--version").output().is_err() {
        return; // The example needs Python, which need not be there.
    }
    let folder = Folder::new("shrink-alarm");
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/car-alarm");
    let model = std::fs::read_to_string(format!("{example}/car-alarm.tioga")).unwrap();
    folder.write("alarm.tioga", model + CALMED);
    let line = "synth alarm.tioga -p Calmed --shape automaton -o alarm.json";
    assert_eq!(tioga(&folder, line).code, 0);
    // Closing, locking and what shows the fault: nothing else.
    let faults = [
        ("early-arming", 2, json!({ "kind": "output", "channel": "armed_on" })),
        ("slow-siren", 3, json!({ "kind": "silence" })),
        ("no-flash", 3, json!({ "kind": "silence" })),
        ("long-siren", 3, json!({ "kind": "silence" })),
        ("deaf-to-unlock", 4, json!({ "kind": "silence" })),
        ("arms-when-open", 3, json!({ "kind": "output", "channel": "armed_on" })),
    ];
    for (fault, inputs, failure) in faults {
        let system = format!("python3 '{example}/controller.py' {fault}");
        let common = ["run", "alarm.json", "--model", "alarm.tioga", "--repeat", "50"];
        let more = ["--sut", &system, "--journal", "alarm.journal"];
        let run = folder.tioga(&[&common[..], &more[..]].concat(), "");
        assert_eq!(run.code, 1, "{fault}: {}", run.out);
        let run = tioga(&folder, "--format json shrink alarm.journal");
        let result = &run.json()["result"];
        assert_eq!(result["failure"], failure, "{fault}: {}", run.out);
        assert_eq!(result["inputs"], inputs, "{fault}: {}", run.out);
        assert_eq!(result["complete"], true, "{fault}");
    }
    // A crash is no verdict of the model, but can be shrunk as well.
    let system = format!("python3 '{example}/controller.py' | head -n 4");
    let more = ["--sut", &system, "--journal", "crash.journal", "--model", "alarm.tioga"];
    // Its lines are held back until it ends, so it never answers and need not be waited for.
    let limits = ["--start-timeout=1s", "--answer-timeout=1s", "--exit-timeout=200ms"];
    let line = [&["run", "alarm.json", "--fresh"], &more[..], &limits].concat();
    let run = folder.tioga(&line, "");
    assert_eq!(run.code, 6, "{}", run.out);
    let run = tioga(&folder, "--format json shrink crash.journal");
    assert_eq!(run.code, 0, "{}", run.out);
    assert_eq!(run.json()["result"]["failure"]["kind"], "fault");
}

/// A shop whose machine ends at the second coin.
const SHOP: &str = "
input coin, lid;
output tea;
automaton Shop {
  init location Idle;
  Idle -> self : coin?;
  Idle -> self : lid?;
}
";

const MACHINE: &str = r#"
coins=0
while read -r line; do
  case $line in
    *hello*) echo '{"hello":{}}' ;;
    *reset*) coins=0; echo '{"ready":true}' ;;
    *coin*) coins=$((coins+1)); [ $coins -lt 2 ] || exit 3 ;;
    *advance*) time=${line#*:}; echo "{\"advanced\":$time" ;;
    *bye*) exit 0 ;;
  esac
done
"#;

#[test]
#[cfg(unix)]
fn a_crash_on_line_is_shrunk_to_what_crashes() {
    let folder = Folder::new("shrink-crash");
    folder.write("shop.tioga", SHOP);
    folder.write("machine.sh", MACHINE);
    let line = ["test", "shop.tioga", "--online", "--actions", "30", "--sut", "sh machine.sh"];
    let run = folder.tioga(&line, "");
    assert_eq!(run.code, 6, "{}{}", run.out, run.err);
    let run = tioga(&folder, "shrink shop.journal");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains(" to 2 inputs in "), "{}", run.out);
    assert!(!run.out.contains("`--model`"), "{}", run.out);
    // What was found crashes indeed.
    let again = tioga(&folder, "--format json replay shop.shrunk.journal --run 1");
    assert_eq!((again.code, &again.json()["result"]["reproduced"]), (6, &json!(true)));
}

/// A desk that answers everything within five time units; the faulty one answers the fourth press with an
/// alarm.
fn desk(faulty: bool) -> String {
    let others = ["ping", "poke", "peek", "pat", "poll", "probe"];
    let (count, ok, alarm) = match faulty {
        true => (
            ", presses = presses + 1",
            " when presses < 4",
            "  Pressed -> Idle : alarm! when presses == 4;\n",
        ),
        false => ("", "", ""),
    };
    let inputs = others.join(", ");
    let data = if faulty { "int[0, 4] presses;\n" } else { "" };
    let mut text = format!(
        "input press, {inputs};\noutput ok, done, alarm;\n{data}automaton Desk {{\n  clock x;\n  \
         init location Idle;\n  location Pressed, Busy invariant x <= 5;\n  \
         Idle -> Pressed : press? do x = 0{count};\n  Pressed -> Idle : ok!{ok};\n{alarm}"
    );
    for other in others {
        text.push_str(&format!("  Idle -> Busy : {other}? do x = 0;\n"));
    }
    text + "  Busy -> Idle : done!;\n}\n"
}

#[test]
fn a_system_that_answers_at_other_times_in_each_run_is_followed() {
    let folder = Folder::new("shrink-jitter");
    folder.write("desk.tioga", desk(false));
    folder.write("faulty.tioga", desk(true));
    for seed in [1, 2, 3] {
        let line = format!("test desk.tioga --online --actions 400 --seed {seed}");
        assert_eq!(tioga(&folder, &format!("{line} --sut model:faulty.tioga")).code, 1);
        let run = tioga(&folder, "--format json shrink desk.journal -o short.journal");
        assert_eq!(run.code, 0, "{}", run.out);
        let result = &run.json()["result"];
        assert!(result["inputs_before"].as_u64() > Some(12), "{}", run.out);
        assert_eq!((&result["inputs"], &result["complete"]), (&json!(4), &json!(true)));
        assert_eq!(result["again"], json!({ "tries": 10, "failed": 10 }));
        let run = tioga(&folder, "shrink desk.journal -o again.journal");
        assert!(run.out.contains("\nmade again 10 times, it failed 10 times\n"), "{}", run.out);
    }
}
