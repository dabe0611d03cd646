//! `tioga synth` through the real binary.

use crate::binary::{Folder, Json};
use serde_json::Value;

#[test]
fn suites_fit_their_schema() {
    let folder = Folder::new("synth-schema");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let schema = std::fs::read_to_string(root.join("suite.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let examples = folder.tioga(&["--format=json", "examples"], "").json();
    let mut fitting = Vec::new();
    for example in examples["result"].as_array().unwrap() {
        let model = format!("@{}", example["name"].as_str().unwrap());
        for shape in ["automaton", "strategy", "tree"] {
            let run = folder.tioga(&["synth", &model, "--shape", shape, "-o", "suite.json"], "");
            // Some examples have no purpose, and the data of one have no end of classes.
            if run.code != 0 {
                let endless = run.err.contains("too many classes");
                let code = if endless { 3 } else { 2 };
                assert_eq!((run.code, shape), (code, "automaton"), "{model}: {}", run.err);
                break;
            }
            let mut suite: Value = serde_json::from_str(&folder.read("suite.json")).unwrap();
            let misfits: Vec<String> = schema.iter_errors(&suite).map(|e| e.to_string()).collect();
            assert!(misfits.is_empty(), "{model} {shape}: {misfits:#?}");
            suite["cases"][0]["places"][0]["extra"] = 1.into();
            let misfit = schema.validate(&suite).unwrap_err();
            assert_eq!(misfit.instance_path().as_str(), "/cases/0/places/0");
            fitting.push((model.clone(), shape, run.err));
        }
    }
    for model in
        ["@smart-light", "@problematic-light", "@conveyor-game", "@complex", "@service-desk"]
    {
        let quiet = fitting.iter().filter(|(name, _, err)| name == model && err.is_empty());
        assert_eq!(quiet.count(), 3, "{model}");
    }
}

#[test]
fn output_is_the_same_every_time() {
    let folder = Folder::new("synth-same");
    let args = ["--format", "json", "synth", "@conveyor-game", "--shape", "tree"];
    assert_eq!(folder.tioga(&args, "").out, folder.tioga(&args, "").out);
}

#[test]
fn the_strategy_of_the_conveyor_is_that_of_hjm22_example_10() {
    let folder = Folder::new("synth-conveyor");
    let run = folder.tioga(&["synth", "@conveyor-game", "-p", "reach Belt.D2A"], "");
    assert_eq!(run.code, 0);
    for line in [
        "  exact verdicts, rank (1, 0), never inconclusive\n",
        "    send ship2? when y <= 5, then ",
        "    wait for past! when y > 5\n",
        "    send restart?, then 0\n",
        "    PASS: the purpose is reached\n",
    ] {
        assert!(run.out.contains(line), "{line}: {}", run.out);
    }
}

#[test]
fn purposes_with_a_deadline_and_impossible_ones() {
    let folder = Folder::new("synth-within");
    let synth = |purpose: &str| folder.tioga(&["synth", "@smart-light", "-p", purpose], "");
    let run = synth("reach Light.Bright within 4");
    assert!(run.out.contains("rank (0, 4)"), "{}", run.out);
    let run = synth("reach Light.Bright within 3");
    assert!(run.out.contains("rank (1, "), "{}", run.out);
    assert!(run.out.contains("INCONCLUSIVE"), "{}", run.out);
    let run = synth("reach Light.Off && Light.Dim");
    assert_eq!(run.code, 1);
    assert!(run.out.contains("unreachable even with cooperation"), "{}", run.out);
    let run = synth("reach Light.Bright within soon");
    assert_eq!(run.code, 2);
    let run = synth("Brighten");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("there is no purpose `Brighten`"), "{}", run.err);
}

#[test]
fn a_nondeterministic_model_goes_through_its_deterministic_view() {
    let folder = Folder::new("synth-determinized");
    let run = folder.tioga(&["synth", "@conveyor", "-o", "suite.json"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let suite: Value = serde_json::from_str(&folder.read("suite.json")).unwrap();
    let case = &suite["cases"][0];
    assert_eq!(case["summary"]["exact"], true);
    assert_eq!(case["summary"]["restarts"], true);
    // The ranks and the strategy are those of the deterministic game (HJM22, Examples 7 and 10).
    assert_eq!(case["summary"]["rank"], serde_json::json!([0, 1, 0]));
    for line in [
        "    send ship2? when c1 <= 5, then ",
        "    wait for past! when c1 > 5\n",
        "    expect waste! when c1 <= 5, then ",
    ] {
        assert!(run.out.contains(line), "{line}: {}", run.out);
    }
    let run = folder.tioga(&["synth", "@bjsk"], "");
    assert_eq!(run.code, 0);
    assert!(run.out.contains("PASS"), "{}", run.out);
}

#[test]
fn testers_are_models_in_every_language() {
    let folder = Folder::new("synth-tester");
    for shape in ["automaton", "strategy", "tree"] {
        for file in ["t.tioga", "t.xml", "t.xta", "t.tck", "t.dot", "t.svg"] {
            let args = ["synth", "@conveyor-game", "--shape", shape, "--tester", file];
            let run = folder.tioga(&args, "");
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{shape} {file}");
            if file.ends_with(".svg") || file.ends_with(".dot") {
                // A picture shows the places of the test case with their verdicts.
                assert!(folder.read(file).contains("(pass"));
            } else {
                assert_eq!(folder.tioga(&["check", file], "").code, 0, "{shape} {file}");
            }
        }
        let reach = |query: &str| folder.tioga(&["reach", "t.tioga", "-q", query], "").code;
        assert_eq!((reach("E<> Test.Pass"), reach("E<> Test.Fail")), (0, 0), "{shape}");
    }
    let run = folder.tioga(&["synth", "@conveyor-game", "--tester", "t.png"], "");
    assert_eq!(run.code, 2);
}

/// What a tester does at the service desk, where everything happens at once.
#[test]
fn test_cases_say_what_has_to_happen_at_once() {
    let folder = Folder::new("synth-urgent");
    for shape in ["automaton", "strategy", "tree"] {
        let args = ["synth", "@service-desk", "--shape", shape, "-o", "suite.json"];
        let run = folder.tioga(&args, "");
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{shape}");
        for line in [
            " Asked (at once)\n",
            " Waiting (while x <= 5) (at once when x >= 3)\n",
            " Called (at once)\n",
            "    FAIL: any other answer, or silence\n",
        ] {
            assert!(run.out.contains(line), "{shape}, {line}: {}", run.out);
        }
        let suite: Value = serde_json::from_str(&folder.read("suite.json")).unwrap();
        for place in suite["cases"][0]["places"].as_array().unwrap() {
            let whole = ["Asked", "Called"].contains(&place["name"].as_str().unwrap());
            assert_eq!(place["urgent"] == serde_json::json!([[]]), whole, "{shape}: {place}");
            assert_eq!(place.get("urgent").is_some(), whole || place["name"] == "Waiting");
        }
    }
}

#[test]
fn testers_measure_whether_something_happens_at_once() {
    let folder = Folder::new("synth-urgent-tester");
    for shape in ["automaton", "strategy", "tree"] {
        for file in ["t.xml", "t.xta", "t.dot", "t.svg", "t.tioga"] {
            let args = ["synth", "@service-desk", "--shape", shape, "--tester", file];
            let run = folder.tioga(&args, "");
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{shape} {file}");
            if !(file.ends_with(".svg") || file.ends_with(".dot")) {
                assert_eq!(folder.tioga(&["check", file], "").code, 0, "{shape} {file}");
            }
        }
        let text = folder.read("t.tioga");
        assert!(text.contains("  P1 -> Fail : when here > 0;\n"), "{text}");
        assert!(text.contains("  P2 -> Inconclusive : when here > 0;\n"), "{text}");
        let reach = |query: &str| folder.tioga(&["reach", "t.tioga", "-q", query], "").code;
        assert_eq!((reach("E<> Test.Pass"), reach("E<> Test.Inconclusive")), (0, 0), "{shape}");
        assert_eq!(reach("E<> Test.Fail && Test.x > 0"), 0, "{shape}");
        // Answers count only as long as no time has passed.
        assert!(text.contains("  P1 -> P2 : ready? when here <= 0 do "), "{text}");
    }
}

/// Both processes can answer, so nobody knows who did.
const TWICE: &str = "\
model twice;
input a;
output u;
automaton P {
  init location idle;
  location on, off;
  idle -> on : a?;
  on -> off : u!;
}
automaton Q {
  init location idle;
  location off;
  idle -> off : u!;
}
query control: A<> P.off;
";

#[test]
fn an_answer_that_may_mean_two_things_does_not_pass_for_certain() {
    let folder = Folder::new("synth-twice");
    folder.write("twice.tioga", TWICE);
    for shape in ["automaton", "strategy", "tree"] {
        let run = folder.tioga(&["synth", "twice.tioga", "--shape", shape, "-o", "s.json"], "");
        assert_eq!(run.code, 0, "{shape}: {}", run.err);
        // The test goes on to where both are off; only a tree settles for less, if no answer comes.
        let place = run.out.split(" off_off\n").nth(1).unwrap();
        assert!(place.starts_with("    PASS: the purpose is reached"), "{}", run.out);
        let less = run.out.matches("    PASS when since > 1: ").count();
        assert_eq!(less, usize::from(shape == "tree"), "{}", run.out);
        let right = folder.tioga(&["certify", "twice.tioga", "s.json"], "");
        assert_eq!(right.code, 0, "{shape}: {}{}", right.out, right.err);
    }
    // What a view cannot be asked for is refused, with what can.
    folder.write("until.tioga", TWICE.replace("A<> P.off", "A[ P.idle U P.off ]"));
    let run = folder.tioga(&["synth", "until.tioga"], "");
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("only for conditions to reach"), "{}", run.err);
    // If both do the same, it does not matter who does it.
    let same = TWICE.replace("location on, off", "location on").replace("on -> off", "on -> self");
    let same = same.replace("  location off;\n", "").replace("idle -> off", "idle -> self");
    folder.write("same.tioga", same.replace("P.off", "P.on"));
    let run = folder.tioga(&["synth", "same.tioga"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
}

#[test]
fn every_edge_gets_a_test_case_named_after_it() {
    let folder = Folder::new("synth-cover");
    for shape in ["automaton", "strategy", "tree"] {
        let args = [
            "synth",
            "@smart-light",
            "--cover",
            "edges",
            "--each",
            "--shape",
            shape,
            "-o",
            "s.json",
        ];
        let run = folder.tioga(&args, "");
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{shape}");
        assert!(run.out.contains("a test case for 19 of 19 edges\n"), "{}", run.out);
        let suite: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
        let cases = suite["cases"].as_array().unwrap();
        assert_eq!(cases.len(), 19);
        assert_eq!(cases[4]["name"], "smart_light-Light.edge4");
        let item = &cases[4]["summary"]["goal"]["cover"][0];
        assert_eq!(
            (&item["criterion"], &item["element"]),
            (&"edges".into(), &"Light.edge4".into())
        );
        assert_eq!(item["words"], "Light: Bright -> L4 on `touch?`");
        for case in cases {
            // A test passes as soon as its edge has been taken.
            let passes = |place: &&Value| {
                place["verdicts"].as_array().unwrap().iter().any(|one| one["verdict"] == "pass")
            };
            let places = case["places"].as_array().unwrap();
            let passing: Vec<&Value> = places.iter().filter(passes).collect();
            assert!(!passing.is_empty() && passing.iter().all(|place| place["name"] == "Taken"));
        }
    }
}

#[test]
fn what_cannot_be_reached_is_reported_and_left_out() {
    let folder = Folder::new("synth-uncovered");
    let model = "model m; input a; output b;
automaton P {
  clock x; init location L; location M, N, Taken;
  L -> M : a? when x <= 3;
  M -> N : b! when x < 0;
  M -> Taken : b!;
}
";
    folder.write("m.tioga", model);
    let run = folder.tioga(&["synth", "m.tioga", "--cover", "edges", "--each"], "");
    assert_eq!(run.code, 0);
    assert!(run.out.contains("a test case for 2 of 3 edges\n"), "{}", run.out);
    assert!(
        run.err.contains("warning[not-covered]: there is no test case for 1 edge"),
        "{}",
        run.err
    );
    assert!(
        run.err.contains("P: M -> N on `b!`: unreachable even with cooperation"),
        "{}",
        run.err
    );
    let run = folder.tioga(&["synth", "m.tioga", "--cover", "locations", "--each"], "");
    assert!(run.out.contains("a test case for 3 of 4 locations\n"), "{}", run.out);
    assert!(run.out.contains("m-P.Taken  P.Taken"), "{}", run.out);
    folder.write("n.tioga", model.replace("x <= 3", "x < 0"));
    let run = folder.tioga(&["synth", "n.tioga", "--cover", "edges", "--each"], "");
    assert_eq!(run.code, 1, "{}", run.out);
    let run =
        folder.tioga(&["synth", "m.tioga", "--cover", "edges", "--each", "-p", "reach P.M"], "");
    assert_eq!(run.code, 2);
    let run = folder.tioga(&["synth", "-", "--from", "tioga", "--cover", "edges", "--each"], model);
    assert!(run.out.contains("a test case for 2 of 3 edges\n"), "{}", run.out);
    let args = ["synth", "-", "--from", "tioga", "-p", "reach P.M", "-p", "reach P.Taken"];
    let run = folder.tioga(&args, model);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.contains("test case m-2:"), "{}", run.out);
}

#[test]
fn edges_of_nondeterministic_models_are_covered_through_their_view() {
    let folder = Folder::new("synth-cover-view");
    let run = folder.tioga(&["synth", "@bjsk", "--cover", "edges", "--each"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("A: l6 -> l7 on `b!`"), "{}", run.out);
    assert!(run.out.contains("a test case for 7 of 9 edges\n"), "{}", run.out);
    let hidden = "not covered: A: l0 -> l5 on `tau`: a test case does not see it\n";
    assert!(run.out.contains(hidden), "{}", run.out);
}

#[test]
fn a_model_without_end_is_given_up() {
    let folder = Folder::new("synth-endless");
    let counting = "input up; output done; automaton P { int[0, 1000000000] n;
  init location L; location M;
  L -> self : up? do n = n + 1;
  L -> M : done! when n == 900000000;
}";
    folder.write("counting.tioga", counting);
    let args = ["synth", "counting.tioga", "-p", "reach P.M"];
    let run = folder.tioga(&[&args[..], &["--max-states", "100"]].concat(), "");
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.err.contains("has more than 100 discrete states"), "{}", run.err);
    let run = folder.tioga(&[&args[..], &["--synth-timeout", "1"]].concat(), "");
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.err.contains("synthesis stopped early"), "{}", run.err);
}

/// Two processes may take the input, and only the output tells which did.
const SHARED: &str = "
input a;
output u, v;
automaton A {
  clock x;
  init location A0; location A1 invariant x <= 3; location A2;
  A0 -> A1 : a? do x = 0;
  A1 -> A2 : u! when x >= 1;
}
automaton B {
  clock y;
  init location B0; location B1 invariant y <= 5; location B2;
  B0 -> B1 : a? do y = 0;
  B1 -> B2 : v! when y >= 2;
}
system A, B;
";

#[test]
fn conditions_are_reached_where_the_tester_does_not_see_which_process_moves() {
    let folder = Folder::new("synth-shared");
    folder.write("shared.tioga", SHARED);
    for goal in ["A.A2", "A.A2 && B.B2", "A.A1 && A.x >= 2", "B.B2 && B.y < 3"] {
        let purpose = format!("reach {goal}");
        let made = folder.tioga(&["synth", "shared.tioga", "-p", &purpose, "-o", "s.json"], "");
        assert_eq!(made.code, 0, "{goal}: {}", made.err);
        let right = folder.tioga(&["certify", "shared.tioga", "s.json"], "");
        assert_eq!(right.code, 0, "{goal}: {}{}", right.out, right.err);
        let run =
            folder.tioga(&["run", "s.json", "--sut", "model:shared.tioga", "--repeat", "20"], "");
        assert!([0, 5].contains(&run.code), "{goal}: {}{}", run.out, run.err);
    }
    let never = folder.tioga(&["synth", "shared.tioga", "-p", "reach A.A1 && A.A2"], "");
    assert_eq!(never.code, 1);
    assert!(never.out.contains("unreachable even with cooperation"), "{}", never.out);
}

#[test]
fn what_can_be_covered_is_not_called_impossible_where_the_tester_does_not_see_which_process_moves()
{
    let folder = Folder::new("synth-shared-cover");
    folder.write("shared.tioga", SHARED);
    for criterion in ["boundaries", "edge-pairs", "definitions-uses", "outputs"] {
        let made = folder.tioga(&["synth", "shared.tioga", "--cover", criterion], "");
        assert_eq!(made.code, 0, "{criterion}: {}", made.err);
        assert!(!made.out.contains("not covered"), "{criterion}: {}", made.out);
    }
}
