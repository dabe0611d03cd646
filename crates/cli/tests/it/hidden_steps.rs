//! Suites of models with hidden steps: covered means covered for certain, nothing is called impossible that online
//! tests may cover, and the command that is offered works.

use serde_json::{Value, json};
use tioga_testkit::Run;

use crate::binary::Folder;

/// After `ping`, it decides unseen whether `pong` or `done` comes.
const HIDDEN: &str = "\
model hidden;
input ping, stop;
output pong, done;
automaton H {
  clock x;
  init location Idle;
  location A invariant x <= 3;
  location B invariant x <= 5;
  location C invariant x <= 7;
  Idle -> A : ping? do x = 0;
  A -> B : when x >= 1;
  A -> C : when x >= 1;
  B -> Idle : pong! when x >= 2;
  C -> Idle : done! when x >= 4;
  Idle -> self : stop?;
  A -> self : stop?;
  B -> self : stop?;
  C -> self : stop?;
  A, B, C -> self : ping?;
}
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("hidden.tioga", HIDDEN);
    folder
}

fn tioga(folder: &Folder, line: &str) -> Run {
    folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "")
}

#[test]
fn what_a_passing_run_may_have_covered_is_counted_apart() {
    let folder = folder("hidden-covered");
    let run = tioga(&folder, "synth hidden.tioga --cover edges -o suite.json");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("12 of 12 edges covered\n"), "{}", run.out);
    assert!(!run.out.contains("unreachable"), "{}", run.out);
    let made = tioga(&folder, "--format json synth hidden.tioga --cover edges");
    let made: Value = serde_json::from_str(&made.out).unwrap();
    let [own] = &made["result"]["coverage"]["criteria"].as_array().unwrap()[..] else {
        panic!("{made}")
    };
    let numbers = ["covered", "possible", "coverable", "all"].map(|name| own[name].as_u64());
    assert_eq!(numbers, [Some(12), Some(0), Some(12), Some(12)]);
    let targets = made["result"]["coverage"]["targets"].as_array().unwrap();
    // No test case can be made for a hidden step, but every run with this one takes it.
    let hidden = targets.iter().find(|one| one["purpose"] == "H: A -> B").unwrap();
    assert_eq!((&hidden["standing"], &hidden["by"]), (&"covered".into(), &"hidden-H.edge7".into()));

    // What is counted as covered is covered in the runs of the suite.
    let line = "run suite.json --sut model:hidden.tioga --repeat 20 --keep-going --journal j";
    assert_eq!(tioga(&folder, line).code, 0);
    let report = tioga(&folder, "--format json report j --coverage");
    let report: Value = serde_json::from_str(&report.out).unwrap();
    let edges = report["result"]["model"]["edges"].as_array().unwrap();
    let taken = |source: &str, target: &str, action: &str| {
        let is = |one: &&Value| {
            one["source"] == source && one["target"] == target && one["action"] == action
        };
        let edge = edges.iter().find(is);
        edge.unwrap_or_else(|| panic!("{source} {action}: {edges:?}"))["taken"].as_u64() > Some(0)
    };
    for target in targets.iter().filter(|one| one["standing"] == "covered") {
        let words = target["purpose"].as_str().unwrap().replace('`', "");
        match words.split(' ').collect::<Vec<_>>()[..] {
            [_, source, "->", target, "on", action] => {
                assert!(taken(source, target, action), "{words}");
            }
            [_, source, "->", target] => assert!(taken(source, target, ""), "{words}"),
            _ => panic!("{words}"),
        }
    }
    // Where both answers look the same, a run may have covered either.
    folder.write("alike.tioga", alike());
    let run = tioga(&folder, "synth alike.tioga --cover edges");
    assert!(run.out.contains("8 of 12 edges covered, 3 more possibly\n"), "{}", run.out);
    assert!(run.out.contains("possibly covered: H: B -> Idle on `pong!`\n"), "{}", run.out);
}

/// The model with one answer for both.
fn alike() -> String {
    HIDDEN.replace("done! when x >= 4", "pong! when x >= 2")
}

#[test]
fn the_online_command_that_is_offered_covers_more() {
    let folder = folder("hidden-offer");
    folder.write("hidden.tioga", alike());
    let run = tioga(&folder, "synth hidden.tioga --cover edges");
    let [_, command, _] = run.err.split('`').collect::<Vec<_>>()[..] else { panic!("{}", run.err) };
    assert_eq!(command, "tioga test hidden.tioga --online --cover edges");
    let online = tioga(&folder, command.strip_prefix("tioga ").unwrap());
    assert!([0, 5].contains(&online.code), "{}{}", online.out, online.err);
}

/// No test case follows hidden steps, but a random walk of a tester that knows the model does. It is a test case as others
/// are.
#[test]
fn random_walks_follow_models_with_hidden_steps() {
    let folder = folder("hidden-walks");
    let run = tioga(&folder, "synth @conveyor --cover mutants -o all.json");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("killed 137 of 137 mutants (100 %)"), "{}", run.out);
    // What is said of a suite when it is made is what measuring it says, whatever is compared.
    let line = "mutation @conveyor --suite all.json --seed 0 --judge-all";
    let run = tioga(&folder, line);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("killed 137 of 137 (100 %)"), "{}", run.out);
    let run = tioga(&folder, "certify @conveyor all.json");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let walk = "conveyor-walk (walk 140): right\n";
    let (_, what) = run.out.split_once(walk).unwrap_or_else(|| panic!("{}", run.out));
    assert!(what.contains("it has no test steps, and the model itself judges its runs"), "{what}");

    // A suite that has nothing but the walk.
    let mut suite: Value = serde_json::from_str(&folder.read("all.json")).unwrap();
    let cases = suite["cases"].as_array_mut().unwrap();
    cases.retain(|case| case["walk"]["online"] == true);
    assert_eq!(cases.len(), 1);
    folder.write("walk.json", suite.to_string());
    let run = tioga(&folder, "run walk.json --sut model:@conveyor --journal right.journal");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let report =
        tioga(&folder, "report right.journal --ttcn s.ttcn3 --coverage c.svg --junit j.xml");
    assert_eq!(report.code, 0, "{}", report.err);
    assert!(report.out.contains("6/6 locations, 11/11 edges"), "{}", report.out);
    assert!(!folder.read("s.ttcn3").contains("execute("), "{}", folder.read("s.ttcn3"));
    assert!(folder.read("j.xml").contains("tioga.online"));
    // A belt that sends packages for the first plane round again.
    let text = tioga(&folder, "examples conveyor").out;
    let wrong = text.replace("Boarding -> Dest1 : ship1?;", "Boarding -> Boarding : ship1?;");
    folder.write("wrong.tioga", wrong);
    let run = tioga(&folder, "run walk.json --sut model:wrong.tioga --journal wrong.journal");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    for line in ["explain wrong.journal", "report wrong.journal", "resume wrong.journal"] {
        let run = tioga(&folder, line);
        assert!([0, 1].contains(&run.code), "{line}: {}{}", run.out, run.err);
        assert!(!run.out.contains("anything"), "{line}: {}", run.out);
    }
    let run = tioga(&folder, "replay wrong.journal");
    assert!(
        run.out.contains("reproduced: the same verdict and the same observations"),
        "{}",
        run.out
    );
    let run = tioga(&folder, "shrink wrong.journal");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);

    // Whatever it claims besides is wrong.
    type Change = (&'static str, fn(&mut Value));
    let changes: [Change; 4] = [
        ("its interface", |case| drop(case["inputs"].as_array_mut().unwrap().pop())),
        ("no other purpose", |case| {
            case["summary"]["goal"] = json!({ "reach": { "condition": "Belt.Dest1" } });
        }),
        ("claims nothing else", |case| case["summary"]["rank"][0] = 1.into()),
        ("claims nothing else", |case| case["places"][0]["name"] = "Dest1".into()),
    ];
    for (why, change) in changes {
        let mut tampered = suite.clone();
        change(&mut tampered["cases"][0]);
        folder.write("tampered.json", tampered.to_string());
        let run = tioga(&folder, "certify @conveyor tampered.json");
        assert_eq!(run.code, 1, "{why}: {}{}", run.out, run.err);
        assert!(run.out.contains(why), "{why}: {}", run.out);
    }
    // It needs its model.
    suite["model"] = Value::Null;
    folder.write("alone.json", suite.to_string());
    let run = tioga(&folder, "run alone.json --sut model:@conveyor");
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    assert!(run.err.contains("keeps the model that the tester follows"), "{}", run.err);
}

#[test]
fn every_conforming_system_passes_the_default_suite() {
    let folder = folder("hidden-default");
    let run = tioga(&folder, "test hidden.tioga --seed 3 --no-journal");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

#[test]
fn a_limit_that_ends_the_search_is_named_and_decides_the_exit_code() {
    let folder = Folder::new("limit-named");
    let run = tioga(&folder, "synth @multimedia --cover edges --max-states 100");
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    assert!(run.out.contains("1 of 7 edges covered\n"), "{}", run.out);
    assert!(run.err.contains("has more than 100 discrete states"), "{}", run.err);
    assert!(run.err.contains("`--max-states` allows more"), "{}", run.err);
}

/// Where the data of a model have too many classes, online runs cannot aim at anything; the command that is offered does
/// not.
#[test]
fn the_online_command_for_too_many_classes_of_data_works() {
    let folder = Folder::new("hidden-data");
    let run = folder.tioga(&["synth", "@sptg/atm", "--cover", "edges"], "");
    assert!(run.err.contains("`tioga test @sptg/atm --online` needs no test cases"), "{}", run.err);
    let run = folder.tioga(&["test", "@sptg/atm", "--online", "--no-journal"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

/// Where messages carry many values besides, no test case can be made at all. The default has walks, and says what it lacks.
#[test]
fn hidden_steps_and_large_numbers_leave_random_walks() {
    let folder = folder("hidden-data");
    folder.write(
        "data.tioga",
        "model data;\n\
         input set(int[0, 100000] new);\n\
         output echo(int[0, 100000] old);\n\
         internal think;\n\
         automaton M {\n  clock x; int[0, 100000] v;\n\
         init location A; location B invariant x <= 3; location C invariant x <= 3;\n\
         A -> B : set(v)? do x = 0;\n  B -> C : think;\n\
         B -> A : echo(v)! when x >= 1;\n  C -> A : echo(v)! when x >= 2;\n\
         B, C -> self : set(_)?;\n}\n",
    );
    let line = "test data.tioga --no-journal --budget 900s";
    let run = tioga(&folder, line);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains(" random walks, "), "{}", run.out);
    // What the walks do not kill is equivalent.
    assert!(run.out.contains(" mutants (100 %)"), "{}", run.out);
    assert!(run.err.contains("`tioga test data.tioga --online"), "{}", run.err);
    let wrong = folder
        .read("data.tioga")
        .replace("echo(v)! when x >= 1", "echo(v + 1)! when x >= 1 && v < 9");
    folder.write("wrong.tioga", wrong);
    let run = tioga(&folder, &format!("{line} --sut model:wrong.tioga"));
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    // Without walks, the reason is the answer.
    let run = tioga(&folder, "synth data.tioga --cover outputs");
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    assert!(run.err.contains("error[nondeterministic]"), "{}", run.err);
}
