//! Test cases for a node of a leader election protocol (DLLN08, section 7), whose tester plays the other nodes
//! and the medium: what they do unseen the tester does itself.

use crate::binary::{Folder, Json, Run};
use serde_json::Value;

const SHAPES: [&str; 3] = ["strategy", "tree", "automaton"];
const POLICIES: [&str; 5] = ["random", "lazy", "eager", "hostile", "fair"];

fn tioga(folder: &Folder, line: &str) -> Run {
    folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "")
}

/// A folder with the suites of all shapes for all purposes of the paper.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    for shape in SHAPES {
        let line = format!("synth @leader-election --shape {shape} -o {shape}.json");
        let run = tioga(&folder, &line);
        assert_eq!(run.code, 0, "{shape}: {}{}", run.out, run.err);
    }
    folder
}

/// The results of each test case, for programs.
fn cases(folder: &Folder, line: &str) -> Vec<Value> {
    let run = tioga(folder, &format!("--format json {line}"));
    let cases = run.json()["result"]["cases"].take();
    cases.as_array().unwrap_or_else(|| panic!("{}{}", run.out, run.err)).clone()
}

#[test]
fn the_purposes_of_the_paper_are_reached_with_cooperation_only() {
    let folder = Folder::new("leader-solved");
    for purpose in [
        "exists (i : BufferId) inUse[i] == 1",
        "IUT.bufferInfo == 1 && IUT.forward",
        "forall (i : BufferId) inUse[i] == 1",
    ] {
        for (query, code) in [("control: A<>", 1), ("E<> control: A<>", 0)] {
            let query = format!("{query} {purpose}");
            let run = folder.tioga(&["solve", "@leader-election", "-q", &query], "");
            assert_eq!(run.code, code, "{query}: {}{}", run.out, run.err);
        }
    }
}

#[test]
fn test_cases_of_all_shapes_are_certified() {
    let folder = folder("leader-certified");
    for shape in SHAPES {
        let run = tioga(&folder, &format!("certify @leader-election {shape}.json"));
        assert_eq!(run.code, 0, "{shape}: {}", run.out);
        for purpose in ["TP1", "TP2", "TP3"] {
            assert!(run.out.contains(&format!("{purpose} (")), "{shape}: {}", run.out);
        }
        assert_eq!(run.out.matches(": right\n").count(), 3, "{shape}: {}", run.out);
    }
    // What the system hears is no move of the tester's own.
    let mut suite: Value = serde_json::from_str(&folder.read("strategy.json")).unwrap();
    let own = suite["cases"][1]["own_moves"].as_array_mut().unwrap();
    assert!(own.iter().any(|name| name == "Nodes_Writing_Quiet_l1_h1"), "{own:?}");
    own.push("offer".into());
    folder.write("wrong.json", suite.to_string());
    let run = tioga(&folder, "certify @leader-election wrong.json");
    assert_eq!(run.code, 1, "{}", run.out);
    let why = "`offer` is no move that the environment makes by itself";
    assert!(run.out.contains(why), "{}", run.out);
}

#[test]
fn conforming_nodes_never_fail_and_fair_ones_pass() {
    let folder = folder("leader-sound");
    for shape in SHAPES {
        for policy in POLICIES {
            let line = format!("run {shape}.json --sut model:@leader-election --policy {policy}");
            for case in cases(&folder, &format!("{line} --repeat 12 --keep-going --no-journal")) {
                assert_eq!((&case["fail"], &case["error"]), (&0.into(), &0.into()), "{case}");
                if (shape, policy) == ("strategy", "fair") {
                    assert_eq!(case["pass"], 12, "{case}");
                }
            }
        }
    }
}

#[test]
fn a_node_that_forwards_the_wrong_leader_fails() {
    let folder = folder("leader-wrong");
    let text = tioga(&folder, "examples leader-election").out;
    let wrong = text.replace("send[leader][distance - 1]!", "send[ME][distance - 1]!");
    assert_ne!(text, wrong);
    folder.write("wrong.tioga", &wrong);
    let line = "run automaton.json --case TP3 --sut model:wrong.tioga --policy fair --repeat 200";
    let run = tioga(&folder, &format!("{line} --keep-going"));
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    // The journal has what the tester did by itself, and explanations and repetitions know it.
    let journal = folder.read("automaton.journal");
    assert!(journal.contains("\"channel\":\"Nodes_Writing_Quiet_"), "{journal}");
    let run = tioga(&folder, "explain automaton.journal --last 400");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("\nfail: "), "{}", run.out);
    assert!(!run.out.contains("is not specified"), "{}", run.out);
    let run = tioga(&folder, "--format json replay automaton.journal");
    assert_eq!(run.json()["result"]["reproduced"], true, "{}", run.out);
    let run = tioga(&folder, "shrink automaton.journal");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

/// A node with an environment that has to move in time.
const DEMANDING: &str = "
input ask;
output answer;
automaton Node {
  init location Idle;
  location Asked;
  Idle -> Asked : ask?;
  Asked -> Idle : answer!;
}
automaton Other {
  clock x;
  init location Thinking invariant x <= 3;
  location Ready, Done;
  Thinking -> Ready;
  Thinking -> Done;
  Ready -> Done : ask! do x = 0;
  Done -> self : answer?;
}
system Node environment Other;
query E<> control: A<> Node.Asked;
";

#[test]
fn an_environment_that_has_to_move_in_time_is_played_and_the_system_not_blamed_for_it() {
    let folder = Folder::new("leader-demanding");
    folder.write("invariant.tioga", DEMANDING);
    // The tester has to move at once, or before anything else happens.
    let at_once =
        DEMANDING.replace("location Ready, Done;", "urgent location Ready; location Done;");
    folder.write("urgent.tioga", &at_once);
    folder.write("committed.tioga", at_once.replace("urgent location", "committed location"));
    folder.write("free.tioga", DEMANDING.replace(" invariant x <= 3", ""));
    for name in ["invariant", "urgent", "committed", "free"] {
        let model = folder.read(&format!("{name}.tioga"));
        // It answers although nobody has asked.
        let wrong = model.replace(
            "Asked -> Idle : answer!;",
            "Asked -> Idle : answer!; Idle -> self : answer!;",
        );
        folder.write("wrong.tioga", wrong);
        for shape in ["strategy", "automaton", "tree"] {
            let run = tioga(&folder, &format!("synth {name}.tioga --shape {shape} -o {name}.json"));
            assert_eq!(run.code, 0, "{name} {shape}: {}{}", run.out, run.err);
            assert!(run.out.contains("Other_Thinking_Ready"), "{name} {shape}: {}", run.out);
            let run = tioga(&folder, &format!("certify {name}.tioga {name}.json"));
            assert_eq!(run.code, 0, "{name} {shape}: {}{}", run.out, run.err);
            let mut found = 0;
            for policy in ["random", "lazy", "eager", "hostile", "fair"] {
                let line = format!(
                    "run {name}.json --policy {policy} --repeat 20 --keep-going --no-journal"
                );
                let fails = |system: &str| {
                    let run =
                        tioga(&folder, &format!("--format json {line} --sut model:{system}.tioga"));
                    run.json()["result"]["cases"][0]["fail"].as_u64().unwrap()
                };
                assert_eq!(fails(name), 0, "{name} {shape} {policy}");
                found += fails("wrong");
            }
            assert!(found > 0, "{name} {shape}: a wrong answer is found");
        }
        let online = format!("test {name}.tioga --online --repeat 10 --no-journal");
        assert!([0, 5].contains(&tioga(&folder, &online).code), "{name}");
    }
}

#[test]
fn trees_for_more_nodes_follow_a_cooperative_strategy() {
    let folder = Folder::new("leader-five");
    let text = tioga(&folder, "examples @leader-election").out;
    let mut five = text.clone();
    for (small, large) in [("SLOTS = 2", "SLOTS = 4"), ("FAR = 2", "FAR = 4"), ("ME = 2", "ME = 4")]
    {
        assert!(five.contains(small), "{text}");
        five = five.replace(small, large);
    }
    folder.write("five.tioga", five);
    let made = tioga(&folder, "synth five.tioga --shape tree --max-states 60000 -o five.json");
    assert_eq!(made.code, 0, "{}{}", made.out, made.err);
    let suite: Value = serde_json::from_str(&folder.read("five.json")).unwrap();
    // Only the largest game is looked at in part.
    let bound = |case: &Value| case["summary"]["rank_is_bound"] == true;
    assert!(suite["cases"].as_array().unwrap().iter().any(bound), "{}", made.out);
    let certified = tioga(&folder, "certify five.tioga five.json --plays 20");
    assert_eq!(certified.code, 0, "{}", certified.out);
    for case in cases(
        &folder,
        "run five.json --sut model:five.tioga --policy fair --repeat 20 --keep-going --no-journal",
    ) {
        assert_eq!((&case["fail"], &case["error"]), (&0.into(), &0.into()), "{case}");
    }
}
