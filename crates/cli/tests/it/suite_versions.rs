//! Suites and the versions of their models: a change is told before the first run, test cases against mutants are
//! checked with the new version, and repetitions go along with the suite.

use serde_json::Value;
use tioga_testkit::Run;

use crate::binary::Folder;

fn tioga(folder: &Folder, line: &str) -> Run {
    folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "")
}

/// A project with a suite.
fn project(name: &str) -> Folder {
    let folder = Folder::new(name);
    assert_eq!(tioga(&folder, "new door").code, 0);
    Folder(folder.0.join("door"))
}

fn write_changed(folder: &Folder, old: &str, new: &str) {
    let text = folder.read("door.tioga");
    assert!(text.contains(old), "{text}");
    folder.write("door.tioga", text.replace(old, new));
}

#[test]
fn a_model_that_changed_since_is_told_before_the_runs() {
    let folder = project("changed-since");
    let line = "run suite.json --sut model:door.tioga --no-journal";
    let run = tioga(&folder, line);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let line = format!("{line} --policy eager");
    write_changed(&folder, "location Open invariant x <= 6", "location Open invariant x <= 7");
    let told = "warning[other-model]: `suite.json` was made from another version of `door.tioga`\n";
    let help = "`tioga certify door.tioga suite.json` says which of its test cases still hold";
    for line in [line.as_str(), "mutation door.tioga --suite suite.json --operators sink"] {
        let run = tioga(&folder, line);
        assert!(run.err.starts_with(told) && run.err.contains(help), "{line}: {}", run.err);
    }
    // Without the file, the suite is all there is to know.
    folder.write("other.tioga", folder.read("door.tioga"));
    std::fs::remove_file(folder.0.join("door.tioga")).unwrap();
    let run = tioga(&folder, "run suite.json --sut model:other.tioga --no-journal");
    assert!(!run.err.contains("other-model"), "{}", run.err);
}

#[test]
fn test_cases_against_mutants_hold_after_a_change_of_a_comment() {
    let folder = project("mutants-hold");
    let line = "synth door.tioga --cover mutants -o mutants.json";
    assert_eq!(tioga(&folder, line).code, 0);
    folder.write("old.tioga", folder.read("door.tioga"));
    folder.write("door.tioga", format!("// A door.\n{}", folder.read("door.tioga")));
    let run = tioga(&folder, "diff old.tioga door.tioga --suite mutants.json");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("both versions behave in the same way"), "{}", run.out);
    assert!(!run.out.contains("make again"), "{}", run.out);
    // Purposes that make no sense any more are left out, and their test cases are made again.
    let text = folder.read("door.tioga");
    folder.write("door.tioga", text.replace("close", "shut"));
    let run = tioga(&folder, "diff old.tioga door.tioga --suite mutants.json");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("make again"), "{}", run.out);
}

#[test]
fn a_suite_keeps_the_repetitions_it_was_measured_with() {
    let folder = project("repetitions");
    let line = "synth door.tioga --cover mutants --kill-runs 3 -o mutants.json";
    let made = tioga(&folder, line);
    assert!(made.out.contains("each test case run up to 3 times"), "{}", made.out);
    assert!(made.out.contains("passed 8 of 8 runs"), "{}", made.out);
    let suite: Value = serde_json::from_str(&folder.read("mutants.json")).unwrap();
    assert_eq!(suite["repeat"], 3);
    let cases = suite["cases"].as_array().unwrap().len();
    let own = |case: &Value| case["runs"].as_u64().or(case["walk"]["runs"].as_u64()).unwrap_or(1);
    let runs: u64 = 3 * suite["cases"].as_array().unwrap().iter().map(own).sum::<u64>();
    let line = "run mutants.json --sut model:door.tioga --no-journal";
    let run = tioga(&folder, line);
    assert!(run.out.contains(&format!("{runs} runs")), "{runs}: {}", run.out);
    let once = tioga(&folder, &format!("{line} --repeat 1"));
    assert!(once.out.contains(&format!("{} runs", runs / 3)), "{}", once.out);
    let score = tioga(&folder, "mutation door.tioga --suite mutants.json --operators guard");
    let told = format!("suite: {cases} test cases from 1 file; each is run up to 3 times");
    assert!(score.out.starts_with(&told), "{}", score.out);
    assert!(score.out.contains(", each test case run up to 3 times"), "{}", score.out);
}

#[test]
fn a_suite_is_the_same_for_any_number_of_threads() {
    let folder = project("threads");
    for wanted in [
        "@smart-light --cover edges,boundaries",
        "@car-alarm --cover edges",
        "@car-alarm --cover edges,edge-pairs --until 60%",
        "@session --cover edges,definitions-uses --until 80%",
    ] {
        let made = [1, 2, 5].map(|threads| {
            let line = format!("synth {wanted} --threads {threads} -o suite.json");
            let run = tioga(&folder, &line);
            assert_eq!(run.code, 0, "{}", run.err);
            (run.out, folder.read("suite.json"))
        });
        assert!(made[0] == made[1] && made[1] == made[2], "{wanted}");
    }
}

/// Whatever is being done when the time is over.
#[test]
fn a_budget_may_end_at_any_moment() {
    let folder = project("any-budget");
    for budget in 1..10 {
        let line =
            format!("synth @car-alarm --cover edges,edge-pairs --budget {budget}00ms -o s.json");
        let run = tioga(&folder, &line);
        assert!([0, 1, 3].contains(&run.code), "{budget}: {}{}", run.out, run.err);
    }
}

/// Of each criterion, and not more than the last test case brings.
#[test]
fn a_part_of_the_coverage_is_enough_if_it_is_asked_for() {
    let folder = project("until");
    let covered = |line: &str| {
        let run = tioga(&folder, &format!("--format json {line}"));
        assert_eq!(run.code, 0, "{}", run.err);
        let json: Value = serde_json::from_str(&run.out).unwrap();
        let criteria = json["result"]["coverage"]["criteria"].as_array().unwrap().clone();
        let number = |one: &Value, name: &str| one[name].as_u64().unwrap();
        let numbers = |one: &Value| (number(one, "covered"), number(one, "coverable"));
        criteria.iter().map(numbers).collect::<Vec<_>>()
    };
    let all = covered("synth @car-alarm --cover edges,boundaries -o all.json");
    assert!(all.iter().all(|(covered, coverable)| covered == coverable), "{all:?}");
    let part = covered("synth @car-alarm --cover edges,boundaries --until 60% -o part.json");
    for ((covered, coverable), (everything, _)) in part.iter().zip(&all) {
        assert!(covered * 100 >= coverable * 60, "{part:?}");
        assert!(covered < everything, "{part:?} of {all:?}");
    }
}

#[test]
fn a_pass_that_tries_nothing_is_told() {
    let folder = project("nothing");
    let purpose = ["-p", "reach Light.Off"];
    let told = "passes before anything is sent or heard";
    for command in [&["synth", "@smart-light", "-o", "s.json"][..], &["test", "@smart-light"]] {
        let run = folder.tioga(&[command, &purpose[..]].concat(), "");
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        assert!(run.err.contains(told), "{}", run.err);
    }
    let run = tioga(&folder, "run s.json --sut model:@smart-light --no-journal");
    assert!(run.err.starts_with("warning[nothing-to-do]: ") && run.err.contains(told));
    let run = folder.tioga(&["test", "@smart-light", "-p", "reach Light.Bright"], "");
    assert_eq!(run.err, "");
}

#[test]
fn the_results_of_a_test_say_what_its_suite_is() {
    let folder = project("told");
    let run = tioga(&folder, "--format json test @service-desk --no-journal");
    let result: Value = serde_json::from_str(&run.out).unwrap();
    let suite = &result["result"]["suite"];
    assert_eq!(suite["criteria"], "default");
    assert!(suite["mutants"]["killed"].as_u64() > Some(50), "{suite}");
    assert!(suite["coverage"]["criteria"].as_array().is_some_and(|all| all.len() == 3));
    let run = tioga(&folder, "--format json test @service-desk --cover edges --no-journal");
    let result: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(result["result"]["suite"]["criteria"], "edges");
}

#[test]
fn what_was_changed_by_hand_is_told_by_name() {
    let folder = Folder::new("changed-by-hand");
    let line = "synth @problematic-light --cover locations -o suite.json";
    assert_eq!(tioga(&folder, line).code, 0);
    let run = |file: &str| {
        tioga(&folder, &format!("run {file} --sut model:@problematic-light --no-journal"))
    };
    assert!(!run("suite.json").err.contains("altered-suite"));
    let suite: Value = serde_json::from_str(&folder.read("suite.json")).unwrap();
    // Another layout changes nothing.
    folder.write("flat.json", suite.to_string());
    assert!(!run("flat.json").err.contains("altered-suite"));
    let mut wrong = suite.clone();
    let name = wrong["cases"][1]["name"].as_str().unwrap().to_owned();
    wrong["cases"][1]["patience"] = 77.into();
    folder.write("wrong.json", wrong.to_string());
    let told = format!(
        "warning[altered-suite]: `wrong.json` was changed after it was written, not by Tioga: \
         the test case `{name}`\n"
    );
    let err = run("wrong.json").err;
    assert!(err.starts_with(&told), "{err}");
    assert_eq!(err.matches("altered-suite").count(), 1, "{err}");
    let certified = tioga(&folder, "certify @problematic-light wrong.json");
    assert!(certified.err.starts_with(&told), "{}", certified.err);
    // So does what is said of all test cases, and one without some others is none.
    let mut repeated = suite.clone();
    repeated["repeat"] = 3.into();
    folder.write("repeated.json", repeated.to_string());
    assert!(run("repeated.json").err.contains("what holds for all test cases"));
    let mut fewer = suite;
    fewer["cases"].as_array_mut().unwrap().remove(0);
    folder.write("fewer.json", fewer.to_string());
    assert!(!run("fewer.json").err.contains("altered-suite"));
}

/// Every command that writes a suite adds the digest, and has its test cases checked.
#[test]
fn suites_of_machines_and_grids_have_a_digest() {
    let folder = Folder::new("digests");
    let all = [
        ("machine suite @fsm-29 --method h", "@fsm-29"),
        ("grid words @switch-purpose/sw5 -p OnOnOff --limit 3", "@switch-purpose/sw5"),
    ];
    for (line, model) in all {
        assert_eq!(tioga(&folder, &format!("{line} -o suite.json")).code, 0, "{line}");
        let mut suite: Value = serde_json::from_str(&folder.read("suite.json")).unwrap();
        let certified = tioga(&folder, &format!("certify {model} suite.json"));
        assert_eq!(certified.code, 0, "{line}: {}{}", certified.out, certified.err);
        assert!(!certified.err.contains("altered-suite"), "{line}: {}", certified.err);
        suite["cases"][0]["patience"] = 77.into();
        folder.write("wrong.json", suite.to_string());
        let certified = tioga(&folder, &format!("certify {model} wrong.json"));
        assert!(certified.err.contains("altered-suite"), "{line}: {}", certified.err);
    }
}

/// The sentence that stood for a goal in suites of version 2.
fn sentence(goal: &Value) -> String {
    if let Some(name) = goal["purpose"].as_str() {
        return format!("purpose {name}");
    }
    if let Some(query) = goal["query"]["query"].as_str() {
        return query.to_owned();
    }
    let item = |item: &Value| {
        let next = match item["next"].as_str() {
            Some("output") => ", then an output",
            Some(_) => ", then silence",
            None => "",
        };
        format!("{}{next}", item["words"].as_str().unwrap())
    };
    let items: Vec<String> = goal["cover"].as_array().unwrap().iter().map(item).collect();
    items.join("; and then ")
}

#[test]
fn suites_of_version_2_are_read() {
    let folder = Folder::new("version-2");
    let all = [
        ("synth @smart-light", "@smart-light"),
        ("synth @conveyor -p ShipToTwo", "@conveyor"),
        ("synth @smart-light --cover edges,boundaries", "@smart-light"),
    ];
    for (line, model) in all {
        assert_eq!(tioga(&folder, &format!("{line} -o suite.json")).code, 0, "{line}");
        let mut suite: Value = serde_json::from_str(&folder.read("suite.json")).unwrap();
        suite["version"] = 2.into();
        let mut several = false;
        for case in suite["cases"].as_array_mut().unwrap() {
            let summary = case["summary"].as_object_mut().unwrap();
            let purpose = sentence(&summary.remove("goal").unwrap());
            several |= purpose.contains("; and then ");
            summary.insert("purpose".to_owned(), purpose.into());
        }
        assert_eq!(several, line.contains("edges"), "{line}");
        folder.write("old.json", suite.to_string());
        let [new, old] = ["suite.json", "old.json"].map(|file| {
            let run = tioga(&folder, &format!("certify {model} {file}"));
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{line}: {}", run.out);
            run.out
        });
        assert_eq!(new, old, "{line}");
        let run = tioga(&folder, &format!("run old.json --sut model:{model} --no-journal"));
        assert!(!run.err.contains("altered-suite"), "{line}: {}", run.err);
    }
}
