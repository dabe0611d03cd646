//! Online testing that aims at something, through the real binary: purposes of all kinds, their verdicts, and what
//! becomes of their journals.

use serde_json::Value;

use crate::binary::{Folder, Json, Run};

/// A machine that works for a while, and may break down instead of finishing. Whether it works fast is hidden.
const MACHINE: &str = "\
model machine;
input go, reset;
output done, broken;
internal fast, slow;
automaton M {
  clock x;
  init location Idle;
  location Started invariant x <= 1;
  location Fast, Slow invariant x <= 4;
  location Down;
  Idle -> Started : go? do x = 0;
  Started -> Fast : fast;
  Started -> Slow : slow;
  Fast, Slow -> Idle : done! when x >= 2;
  Slow -> Down : broken! when x >= 2;
  Idle, Down -> Idle : reset?;
}
purpose Twice {
  init location None;
  location One;
  accept location Two;
  refuse location Failed;
  None -> One : done!;
  One -> Two : done!;
  None, One -> Failed : broken!;
  otherwise self;
  restart reset?;
}
purpose WorksFast {
  init location Waits;
  accept location Fast;
  Waits -> Fast : fast;
  otherwise self;
  restart reset?;
}
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("machine.tioga", MACHINE);
    folder
}

/// Runs a command; `_` stands for a space within an argument.
fn tioga(folder: &Folder, line: &str) -> Run {
    let arguments: Vec<String> = line.split(' ').map(|part| part.replace('_', " ")).collect();
    folder.tioga(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), "")
}

fn result(folder: &Folder, line: &str) -> Value {
    let run = tioga(folder, &format!("--format json {line}"));
    let mut json = run.json();
    assert!(json["result"].is_object(), "{line}: {}{}", run.out, run.err);
    json["result"].take()
}

fn names(result: &Value) -> Vec<&str> {
    let cases = result["cases"].as_array().unwrap().iter();
    cases.map(|case| case["name"].as_str().unwrap()).collect()
}

#[test]
fn every_kind_of_purpose_has_its_run_and_its_name() {
    let folder = folder("online-purposes");
    let line = "test machine.tioga --online -p Twice -p walk_30 -p reach_M.Down_within_50 -p reach_M.Idle \
                --policy fair --repeat 10 --keep-going --journal p.journal";
    let all = result(&folder, line);
    assert_eq!(names(&all), ["Twice", "machine-walk", "machine-3", "machine-4"]);
    for case in all["cases"].as_array().unwrap() {
        assert_eq!((&case["runs"], &case["fail"]), (&10.into(), &0.into()), "{case}");
        assert!(case["pass"].as_u64() > Some(0), "{case}");
    }
    assert_eq!(all["cases"][2]["purpose"], "reach M.Down within 50");
    assert_eq!(all["cases"][1]["pass"], 10);
    // A walk passes when its time is over, and not before.
    let walks = all["runs"].as_array().unwrap().iter().filter(|run| run["case"] == 1);
    assert!(walks.clone().count() == 10 && walks.clone().all(|run| run["at"] == "30"), "{all:#}");
    let own = result(&folder, "test machine.tioga --online --purposes-only");
    assert_eq!(names(&own), ["Twice", "WorksFast"]);
    let queries = result(&folder, "test @smart-light --online --purposes-only");
    assert_eq!(queries["cases"][0]["purpose"], "control: A<> Light.Bright");
    assert_eq!(queries["cases"][0]["pass"], 1);
}

#[test]
fn journals_of_purposes_are_resumed_explained_replayed_and_reported() {
    let folder = folder("online-purpose-journals");
    let line = "test machine.tioga --online -p Twice -p walk_30 -p reach_M.Down_within_9 --repeat 8 --keep-going \
                --policy fair --journal p.journal";
    let whole = result(&folder, line);
    for run in 0..6 {
        let again = tioga(&folder, &format!("replay p.journal --run {run}"));
        assert!(again.out.contains("reproduced: the same verdict"), "{}{}", again.out, again.err);
        assert_eq!(tioga(&folder, &format!("explain p.journal --run {run}")).code, 0);
    }
    assert_eq!(tioga(&folder, "report p.journal --html p.html").code, 0);
    // A campaign that is cut off goes on with the same goals.
    let journal = folder.read("p.journal");
    let lines: Vec<&str> = journal.lines().collect();
    folder.write("cut.journal", lines[..lines.len() / 2].join("\n") + "\n");
    let resumed = result(&folder, "resume cut.journal --keep-going");
    assert_eq!(resumed["cases"], whole["cases"]);
}

#[test]
fn a_run_with_a_purpose_passes_only_if_every_explanation_reaches_it() {
    let folder = folder("online-exact");
    // Nothing shows whether the machine works fast.
    let hidden =
        result(&folder, "test machine.tioga --online -p WorksFast --actions 6 --repeat 20");
    assert_eq!(hidden["cases"][0]["inconclusive"], 20, "{hidden:#}");
    let reason = hidden["cases"][0]["first_inconclusive"]["reason"].as_str().unwrap();
    assert!(reason.contains("the goal is reached in some explanations only"), "{reason}");
    // What was reached stays reached: here all ways lead through it, at different times.
    let both =
        MACHINE.replace("Waits -> Fast : fast;", "Waits -> Fast : fast;\n  Waits -> Fast : done!;");
    folder.write("both.tioga", both);
    let both = result(&folder, "test both.tioga --online -p WorksFast --repeat 20 --policy lazy");
    assert_eq!(both["cases"][0]["pass"], 20, "{both:#}");
}

#[test]
fn what_is_refused_stays_refused_and_late_is_too_late() {
    let folder = folder("online-refused");
    // A machine that always breaks; after a reset it could do better.
    let breaks = MACHINE
        .replace("Fast, Slow -> Idle : done! when x >= 2;", "Fast -> Idle : done! when x >= 2;");
    folder.write("breaks.tioga", breaks.replace("  Started -> Fast : fast;\n", ""));
    // A restart leaves the refusing location, so the tester tries again.
    let line =
        "test machine.tioga --online -p Twice --sut model:breaks.tioga --repeat 5 --no-journal";
    let again = result(&folder, line);
    let first = &again["cases"][0]["first_inconclusive"];
    assert_eq!(first["reason"], "the goal was not reached in 100 actions", "{again:#}");
    folder.write("machine.tioga", MACHINE.replacen("  restart reset?;\n", "", 1));
    let line =
        "test machine.tioga --online -p Twice --sut model:breaks.tioga --repeat 5 --no-journal";
    let refused = result(&folder, line);
    assert_eq!(refused["cases"][0]["inconclusive"], 5, "{refused:#}");
    let first = &refused["cases"][0]["first_inconclusive"];
    assert_eq!(first["reason"], "the goal can no longer be reached in any explanation");
    assert_eq!(first["actions"], 2, "{first:#}");
    let line = "test machine.tioga --online -p reach_M.Down_within_2 --policy lazy --no-journal";
    let late = result(&folder, line);
    assert_eq!(late["cases"][0]["inconclusive"], 1, "{late:#}");
    let first = &late["cases"][0]["first_inconclusive"];
    assert_eq!(first["reason"], "the goal can no longer be reached in any explanation");
}

#[test]
fn systems_that_do_not_conform_fail_on_the_way_to_a_purpose() {
    let folder = folder("online-purpose-fails");
    folder.write("late.tioga", MACHINE.replace("invariant x <= 4", "invariant x <= 9"));
    for purpose in ["Twice", "walk_60", "reach_M.Down"] {
        let line = format!(
            "test machine.tioga --online -p {purpose} --sut model:late.tioga --policy lazy --journal f.journal"
        );
        let run = tioga(&folder, &line);
        assert_eq!(run.code, 1, "{purpose}: {}{}", run.out, run.err);
        let run = tioga(&folder, "shrink f.journal");
        assert_eq!(run.code, 0, "{purpose}: {}{}", run.out, run.err);
    }
    // The run that failed is a purpose: it accepts if something else is observed instead.
    let line = "test machine.tioga --online --purpose-from f.journal --purpose-slack 2 --repeat 20 --policy fair";
    let from = result(&folder, line);
    assert_eq!(names(&from), ["Run_f_0"]);
    assert_eq!(from["cases"][0]["fail"], 0, "{from:#}");
    assert!(from["cases"][0]["pass"].as_u64() > Some(0), "{from:#}");
    let line = format!("{line} --sut model:late.tioga --no-journal").replace("fair", "lazy");
    assert_eq!(tioga(&folder, &line).code, 1);
}

#[test]
fn purposes_that_no_run_can_reach_are_left_out() {
    let folder = folder("online-unreachable");
    let line = "test machine.tioga --online -p walk_5 -p reach_M.Idle_&&_M.Down";
    let run = tioga(&folder, line);
    assert_eq!(run.code, 5, "{}{}", run.out, run.err);
    assert!(run.err.contains("no run for reach M.Idle && M.Down: unreachable"), "{}", run.err);
    assert!(run.out.contains("machine-walk"), "{}", run.out);
    folder.write(
        "safe.tioga",
        format!("{}query control: A[] !M.Down;\n", MACHINE.split("purpose").next().unwrap()),
    );
    let run = tioga(&folder, "test safe.tioga --online --purposes-only");
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    assert!(run.err.contains("online testing cannot aim at"), "{}", run.err);
}

#[test]
fn online_coverage_is_reported_by_criterion_and_never_sent_once() {
    let folder = folder("online-coverage");
    let line = "test machine.tioga --online --cover edges,locations --policy fair --repeat 3 --journal c.journal";
    let run = tioga(&folder, line);
    assert_eq!(run.code, 5, "{}{}", run.out, run.err);
    assert!(run.out.contains("\n4 of 5 locations covered\n5 of 8 edges covered\n"), "{}", run.out);
    let missed = "\nnot covered: M: Started -> Fast on `fast`: inconclusive in run 6: ";
    assert!(run.out.contains(missed), "{}", run.out);
    assert!(run.out.matches("never sent").count() <= 1, "{}", run.out);
    let all = result(&folder, line);
    let criteria = all["coverage"]["criteria"].as_array().unwrap();
    assert_eq!(criteria[1]["of"], "edges", "{all:#}");
    assert_eq!(criteria[1]["all"], 8, "{all:#}");
    let covered: u64 = criteria.iter().map(|one| one["covered"].as_u64().unwrap()).sum();
    assert_eq!(all["coverage"]["covered"].as_u64(), Some(covered));
    let uncovered = all["coverage"]["uncovered"].as_array().unwrap();
    assert_eq!(covered + uncovered.len() as u64, 13, "{all:#}");
    assert!(all["never_sent"].is_array(), "{all:#}");
    let resumed = result(&folder, "resume c.journal");
    assert_eq!(resumed["coverage"], all["coverage"]);
    // What no run can take is proved to be so.
    folder.write(
        "dead.tioga",
        MACHINE.replace("Down -> Idle", "Down -> Idle : go? when x < 0;\n  Idle, Down -> Idle"),
    );
    let run = tioga(&folder, "test dead.tioga --online --cover edges --policy fair");
    assert!(run.out.contains(", 2 proved impossible to cover\n"), "{}", run.out);
    assert!(run.out.contains("on `go?`: unreachable even with cooperation\n"), "{}", run.out);
}

#[test]
fn a_share_of_the_coverage_or_a_budget_ends_online_runs() {
    let folder = Folder::new("online-enough");
    let line =
        "test @conveyor --online --cover edges --policy fair --until 50% --journal e.journal";
    let run = tioga(&folder, line);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("\n6 of 11 edges covered\n"), "{}", run.out);
    assert!(run.out.contains("6 runs of 11: enough is covered"), "{}", run.out);
    let resumed = result(&folder, "resume e.journal");
    assert_eq!((&resumed["counted"], &resumed["coverage"]["enough"]), (&6.into(), &true.into()));
    let run = tioga(&folder, "test @session --online --cover boundaries --budget 1s --repeat 1000");
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    let said = format!("{}{}", run.out, run.err);
    assert!(
        said.contains("interrupted after ") || said.contains("a limit ended the search"),
        "{said}"
    );
}

/// A server that decides silently how to answer, so that mutants cannot be compared with it.
const HIDDEN: &str = "\
model hidden;
input ping;
output pong, done;
automaton H {
  clock x, y;
  init location Idle;
  location A invariant x <= 3;
  location C invariant y <= 4;
  Idle -> A : ping? do x = 0;
  A -> A : when x >= 1 do x = 0;
  A -> C : when x >= 1 do y = 0;
  A -> Idle : pong! when x >= 2;
  C -> Idle : done! when y >= 1;
}
";

#[test]
fn mutants_that_are_not_compared_with_the_model_are_counted_with_the_reason() {
    let folder = Folder::new("online-undecided");
    folder.write("hidden.tioga", HIDDEN);
    let line = "test hidden.tioga --online --cover mutants --policy fair --keep-going --no-journal";
    let run = tioga(&folder, line);
    assert!([3, 5].contains(&run.code), "{}{}", run.out, run.err);
    let reason = "not compared with the model: the specification has internal steps";
    assert!(run.out.contains(reason), "{}", run.out);
    let told = tioga(&folder, "--format json mutate hidden.tioga").json();
    let unknown = told["result"]["mutants"].as_array().unwrap().iter();
    let unknown = unknown.filter(|one| one["status"] == "unknown").count();
    let lines = run.out.lines().filter(|line| line.starts_with("not aimed at: "));
    assert!(unknown > 10, "{unknown}");
    assert_eq!(lines.count(), unknown.min(20), "{}", run.out);
    assert!(!run.out.contains("a condition on data"), "{}", run.out);
    // Where everything is decided, nothing is left open.
    let run =
        tioga(&folder, "test @smart-light --online --cover mutants --policy fair --keep-going");
    assert!([0, 5].contains(&run.code), "{}{}", run.out, run.err);
    assert!(!run.out.contains("not aimed at"), "{}", run.out);
}

#[test]
fn reports_do_not_describe_online_runs_as_test_cases() {
    let folder = Folder::new("online-reports");
    let line = "test @conveyor --online --cover edges --policy fair --journal r.journal";
    assert_eq!(tioga(&folder, line).code, 0);
    let run = tioga(&folder, "report r.journal --html r.html --junit r.xml --json r.json");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(!run.out.contains("places"), "{}", run.out);
    assert!(run.out.contains("\nmodel: "), "{}", run.out);
    let page = folder.read("r.html");
    for wrong in ["approximate", "<th>shape", "<th>rank", "control losses", "places"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    assert!(page.contains("chosen on the fly from the model"));
    assert!(page.contains("exact: a run fails if the model does not explain it"));
    let xml = folder.read("r.xml");
    assert!(xml.contains("name=\"tioga.online\" value=\"true\""), "{xml}");
    assert!(!xml.contains("tioga.rank") && !xml.contains("tioga.shape"), "{xml}");
    let report: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    assert!(report["cases"][0]["shape"].is_null(), "{report:#}");
    assert_eq!(report["cases"][0]["places"], serde_json::json!([]));
    assert_eq!(report["cases"][0]["summary"]["exact"], true);
    // Test cases are described as before.
    assert_eq!(tioga(&folder, "test @smart-light --purposes-only --journal s.journal").code, 0);
    let run = tioga(&folder, "report s.journal --html s.html");
    assert!(run.out.contains("places") && folder.read("s.html").contains("control losses"));
}

/// The way to a purpose is found by a game, and the data of this model make it too large. The help is one that works.
#[test]
fn a_purpose_that_needs_too_large_a_game_is_refused_with_help_that_works() {
    let folder = Folder::new("online-too-large");
    for aim in ["--purposes-only", "--cover edges"] {
        let run = tioga(&folder, &format!("test @sptg/atm --online {aim} --no-journal"));
        assert_eq!(run.code, 3, "{aim}: {}{}", run.out, run.err);
        let help = "an online test without a purpose and without criteria follows such a model";
        assert!(run.err.contains(help), "{aim}: {}", run.err);
    }
    assert_eq!(tioga(&folder, "test @sptg/atm --online --no-journal").code, 0);
}

/// A hidden step may leave a location unseen. A run passes if every explanation has been there, and only then.
#[test]
fn a_location_is_reached_if_every_explanation_has_been_there() {
    let folder = Folder::new("online-entered");
    folder.write("machine.tioga", MACHINE);
    folder.write("fast.tioga", MACHINE.replace("  Started -> Slow : slow;\n", ""));
    let reach = |location: &str, sut: &str| {
        let line = "test machine.tioga --online --policy fair --repeat 5 --keep-going --no-journal";
        let purpose = format!("reach M.{location}");
        let aim = ["-p", &purpose, "--sut", sut];
        folder.tioga(&[&line.split(' ').collect::<Vec<_>>()[..], &aim].concat(), "")
    };
    for (location, sut, code) in [
        ("Started", "model:machine.tioga", 0),
        ("Started", "model:fast.tioga", 0),
        // Only a breakdown shows that it was slow.
        ("Down", "model:machine.tioga", 0),
        ("Slow", "model:machine.tioga", 0),
        ("Slow", "model:fast.tioga", 5),
        ("Fast", "model:fast.tioga", 5),
    ] {
        let run = reach(location, sut);
        assert_eq!(run.code, code, "{location} {sut}: {}{}", run.out, run.err);
        assert_eq!(run.err, "");
    }
    let idle = reach("Idle", "model:machine.tioga");
    assert!(idle.err.contains("passes before anything is sent or heard"), "{}", idle.err);
    // Nothing was sent or heard indeed.
    let run = tioga(&folder, "test machine.tioga --online -p reach_M.Idle --journal i.journal");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(!folder.read("i.journal").contains("\"event\":\"sent\""));
    assert!(tioga(&folder, "replay i.journal").out.contains("reproduced: the same verdict"));
    // A hidden step may leave the initial state at once, so a condition may not hold in every explanation.
    let line = "test @conveyor --online -p reach_Belt.Start_&&_Belt.x>=0 --no-journal";
    let run = tioga(&folder, line);
    assert!(run.code == 5 && run.err.is_empty(), "{}{}", run.out, run.err);
    let all = tioga(&folder, "test @conveyor --online --cover locations --no-journal");
    assert!(all.out.contains("6 of 6 locations covered"), "{}{}", all.out, all.err);
}

/// A model lets the tester go first sometimes, before hidden steps, too, so a run made again has to listen as often.
#[test]
fn runs_that_end_with_an_output_after_hidden_steps_are_made_again() {
    let folder = Folder::new("online-again");
    let run = tioga(&folder, "test @conveyor --online --cover mutants --journal m.journal");
    assert_eq!(run.code, 5, "{}", run.err);
    for number in 15..30 {
        let run = tioga(&folder, &format!("replay m.journal --run {number}"));
        assert!(run.out.contains("\nreproduced: "), "{}", run.out);
    }
}

/// Which of two ways the model goes is hidden, and only shows after a long time.
const SLOW: &str = "\
model slow;
input go, reset;
output done, late, lamp;
internal skip, slip;
automaton M {
  clock x;
  init location A;
  location B invariant x <= 50;
  location C invariant x <= 100;
  location D invariant x <= 200;
  location E;
  A -> B : go? do x = 0;
  B -> C : skip;
  B -> D : slip;
  C -> A : done! when x >= 90;
  D -> E : late! when x >= 150;
  D -> A : reset? when x >= 95;
  C -> A : reset? when x >= 95;
  A, E -> A : reset?;
  E -> A : lamp!;
}
";

/// The tester waits as long as the model does, tries again where an optional output does not come, and waits until time tells
/// which way the system went.
#[test]
fn online_runs_have_patience() {
    let folder = Folder::new("online-patience");
    folder.write("slow.tioga", SLOW);
    for seed in ["0", "7"] {
        let line = ["test", "slow.tioga", "--online", "--cover", "edges", "--seed", seed];
        let run = folder.tioga(&line, "");
        // In `C`, nothing tells from `D` as long as there may be a reset.
        assert!(run.out.contains("9 of 10 edges covered\n"), "{}", run.out);
        let missed = run.out.lines().filter(|line| line.starts_with("not covered"));
        let [missed] = missed.collect::<Vec<_>>()[..] else { panic!("{}", run.out) };
        let end = "after 100 actions, the goal is reached in some explanations only";
        assert!(missed.contains("M: C -> A on `reset?`") && missed.ends_with(end), "{missed}");
        assert_eq!(run.code, 5);
    }
    folder.write("silent.tioga", "input go; output done; automaton M {\n  init location A; location B;\n  A -> B : go?;\n  B -> A : done!;\n}\n");
    let mute = "input go; output done; automaton M {\n  init location A; location B;\n  A -> B : go?;\n}\n";
    folder.write("mute.tioga", mute);
    let line = "test silent.tioga --online --cover edges --sut model:mute.tioga";
    let run = folder.tioga(&line.split(' ').collect::<Vec<_>>(), "");
    let why = "the goal was not reached in 1 action, and nothing came for long";
    assert!(run.out.contains(why), "{}", run.out);
}

/// The tester may miss the moment until which something must be sent, and the model stops time then.
#[test]
fn a_run_ends_where_time_ends_and_nothing_can_be_sent() {
    let folder = Folder::new("online-time-ends");
    folder.write(
        "late.tioga",
        "input b; output u; automaton P { clock x; init location L invariant x <= 5;
         location M invariant x <= 4; L -> M : b?; M -> L : u! do x = 0; }",
    );
    let args = ["test", "late.tioga", "--online", "--repeat", "20", "--keep-going", "--no-journal"];
    let run = folder.tioga(&args, "");
    assert_eq!(run.code, 5, "{}{}", run.out, run.err);
    let told = "time ends in the model, and nothing can be sent any more";
    assert!(run.out.contains(told), "{}", run.out);
    assert!(!run.out.contains("no verdict after"), "{}", run.out);
}

#[test]
fn a_random_walk_online_ends_after_its_time_and_not_after_some_actions() {
    let folder = Folder::new("online-walk-actions");
    folder.write(
        "echo.tioga",
        "input a; output u; automaton P { clock x; init location L; location M invariant x <= 1;
         L -> M : a? do x = 0; M -> L : u!; }",
    );
    let walk = |more: &[&str]| {
        let line = ["test", "echo.tioga", "--online", "-p", "walk 300", "--no-journal"];
        folder.tioga(&[&line[..], more].concat(), "")
    };
    let run = walk(&[]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let run = walk(&["--actions", "20"]);
    assert_eq!(run.code, 5, "{}{}", run.out, run.err);
    assert!(run.out.contains("the walk was not over after 20 actions"), "{}", run.out);
}
