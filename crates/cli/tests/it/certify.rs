//! `tioga certify`: what was made is accepted, and every kind of corruption of it is rejected.

use crate::binary::{Folder, Json};
use serde_json::{Value, json};

/// Examples of which test cases can be made, small enough to be checked in every region but for those
/// with hidden choices.
const EXAMPLES: [&str; 8] = [
    "smart-light",
    "problematic-light",
    "conveyor-game",
    "conveyor",
    "bjsk",
    "service-desk",
    "complex",
    "car-alarm",
];

fn suite(folder: &Folder, example: &str, shape: &str) -> Value {
    let model = format!("@{example}");
    let run = folder.tioga(&["synth", &model, "--shape", shape, "-o", "suite.json"], "");
    assert!(run.code <= 1, "{example} {shape}: {}", run.err);
    serde_json::from_str(&folder.read("suite.json")).unwrap()
}

/// The exit code for some contents, and what is said.
fn certified(folder: &Folder, model: &str, contents: &Value) -> (i32, String) {
    folder.write("claim.json", contents.to_string());
    let run = folder.tioga(&["certify", model, "claim.json"], "");
    (run.code, run.out + &run.err)
}

#[test]
fn what_was_made_is_right() {
    let folder = Folder::new("right");
    for example in EXAMPLES {
        for shape in ["automaton", "strategy", "tree"] {
            let suite = suite(&folder, example, shape);
            let (code, text) = certified(&folder, &format!("@{example}"), &suite);
            assert_eq!(code, 0, "{example} {shape}: {text}");
            let hidden = ["conveyor", "bjsk"].contains(&example);
            assert_eq!(
                text.contains("in any region; the tester does not see everything"),
                hidden,
                "{text}"
            );
        }
    }
}

type Change = (&'static str, fn(&mut Value));

/// Corruptions of the strategy of the conveyor game.
const OF_STRATEGIES: &[Change] = &[
    ("the rank of a rule", |case| first_rule(case)["rank"][2] = json!(7)),
    ("the losses of a rule", |case| first_rule(case)["rank"][1] = json!(0)),
    ("the rank of the summary", |case| case["summary"]["rank"] = json!([0, 0, 1])),
    ("the losses of the summary", |case| case["summary"]["rank"] = json!([0, 2, 0])),
    ("a risk in the summary", |case| case["summary"]["rank"][0] = json!(1)),
    ("every rule waits", |case| {
        each_rule(case, |rule| _ = rule.as_object_mut().unwrap().remove("play"));
    }),
    ("nothing is awaited", |case| {
        each_rule(case, |rule| _ = rule.as_object_mut().unwrap().remove("awaited"));
    }),
    ("no rules", |case| {
        each_place(case, |place| _ = place.as_object_mut().unwrap().remove("rules"));
    }),
    ("a rule without zones", |case| first_rule(case)["zones"] = json!([])),
    ("a rule that plays what does not exist", |case| first_rule(case)["play"] = json!(99)),
    ("exact", |case| case["summary"]["exact"] = json!(false)),
    ("approximated", |case| case["summary"]["approximated"] = json!(["something"])),
    ("exact and approximated", |case| {
        case["summary"]["exact"] = json!(false);
        case["summary"]["approximated"] = json!(["in Up: dim! may be allowed too often"]);
    }),
    ("no luck", |case| _ = case["summary"].as_object_mut().unwrap().remove("luck")),
    ("luck at another place", |case| case["summary"]["luck"][0]["at"] = json!("Nowhere")),
    ("luck of another rank", |case| case["summary"]["luck"][0]["rank"] = json!([0, 3, 0])),
    ("luck that can be enforced", |case| case["summary"]["luck"][0]["rank"][2] = json!(1)),
    ("luck with another answer", |case| case["summary"]["luck"][0]["hoped"] = json!("fly!")),
    ("luck with another fear", |case| case["summary"]["luck"][0]["feared"] = json!(["fly!"])),
    ("luck twice", |case| {
        let one = case["summary"]["luck"][0].clone();
        case["summary"]["luck"].as_array_mut().unwrap().push(one);
    }),
    ("another query", |case| {
        case["summary"]["goal"] = json!({ "query": { "query": "control: A<> Belt.D1A" } });
    }),
    ("no purpose of the model", |case| case["summary"]["goal"] = json!({ "purpose": "Other" })),
    ("a goal that is not a query", |case| {
        case["summary"]["goal"] = json!({ "query": { "query": "win" } });
    }),
    ("another model", |case| case["summary"]["model"] = json!("light")),
    ("restarts", |case| case["summary"]["restarts"] = json!(true)),
    ("time unit", |case| case["summary"]["unit"] = json!("3 min")),
    ("inconclusive", |case| case["summary"]["may_be_inconclusive"] = json!(true)),
    ("the scale", |case| case["scale"] = json!(2)),
    ("a scale of zero", |case| case["scale"] = json!(0)),
    ("an undeclared action", |case| first_edge(case)["action"]["channel"] = json!("fly")),
    ("an action that the model does not have", |case| {
        case["outputs"].as_array_mut().unwrap().push(json!({ "channel": "fly" }));
    }),
    ("an output that is not declared", |case| case["outputs"] = json!([])),
    ("an edge of the other side", |case| {
        let by = if first_edge(case)["by"] == "system" { "tester" } else { "system" };
        first_edge(case)["by"] = json!(by);
    }),
    ("an edge that leads elsewhere", |case| first_edge(case)["target"] = json!(0)),
    ("an edge that leads nowhere", |case| first_edge(case)["target"] = json!(99)),
    ("no edges", |case| case["places"][0]["edges"] = json!([])),
    ("an invariant that never holds", |case| case["places"][0]["invariant"] = json!([])),
    ("a place where nothing may wait", |case| case["places"][0]["urgent"] = json!([[]])),
    ("a clock of another name", |case| case["clocks"][0] = json!("other")),
    ("no clocks", |case| case["clocks"] = json!([])),
    ("pass at once", |case| first_verdict(case, "pass")),
    ("fail at once", |case| first_verdict(case, "fail")),
    ("inconclusive at once", |case| first_verdict(case, "inconclusive")),
    ("no verdicts", |case| each_place(case, |place| place["verdicts"] = json!([]))),
    ("no places", |case| case["places"] = json!([])),
];

/// Corruptions of the tree of the same game.
const OF_TREES: &[Change] = &[
    ("a tree that gives up at once", |case| first_verdict(case, "inconclusive")),
    ("a tree whose answers all end it", |case| {
        let leaf =
            case["places"].as_array().unwrap().iter().position(|one| one["name"] == "inconclusive");
        let leaf = leaf.expect("the tree may end inconclusively");
        each_place(case, |place| {
            for edge in place["edges"].as_array_mut().unwrap() {
                edge["target"] = json!(leaf);
            }
        });
    }),
    ("the rank of a rule of a tree", |case| first_rule(case)["rank"][2] = json!(7)),
    ("the rank of the summary of a tree", |case| case["summary"]["rank"] = json!([0, 0, 3])),
];

fn each_place(case: &mut Value, change: impl FnMut(&mut Value)) {
    case["places"].as_array_mut().unwrap().iter_mut().for_each(change);
}

fn each_rule(case: &mut Value, mut change: impl FnMut(&mut Value)) {
    each_place(case, |place| {
        let rules = place.get_mut("rules").and_then(Value::as_array_mut);
        rules.into_iter().flatten().for_each(&mut change);
    });
}

fn first_rule(case: &mut Value) -> &mut Value {
    &mut case["places"][0]["rules"][0]
}

fn first_edge(case: &mut Value) -> &mut Value {
    &mut case["places"][0]["edges"][0]
}

fn first_verdict(case: &mut Value, verdict: &str) {
    let judgement = json!({ "verdict": verdict, "zones": [[]], "reason": "because" });
    case["places"][0]["verdicts"] = json!([judgement]);
}

#[test]
fn every_corruption_of_a_suite_is_rejected() {
    let folder = Folder::new("corrupted");
    let strategy = suite(&folder, "conveyor-game", "strategy");
    let tree = suite(&folder, "conveyor-game", "tree");
    let mut kinds = 0;
    for (right, changes) in [(&strategy, OF_STRATEGIES), (&tree, OF_TREES)] {
        for (what, change) in changes {
            let mut wrong = right.clone();
            wrong["cases"].as_array_mut().unwrap().truncate(1);
            change(&mut wrong["cases"][0]);
            assert_ne!(wrong["cases"][0], right["cases"][0], "{what}");
            let (code, text) = certified(&folder, "@conveyor-game", &wrong);
            assert_eq!(code, 1, "{what}: {text}");
            assert!(text.contains(": wrong\n  "), "{what}: {text}");
            kinds += 1;
        }
    }
    assert!(kinds >= 40, "{kinds}");
}

#[test]
fn corruptions_of_a_suite_with_hidden_choices_are_rejected() {
    let folder = Folder::new("hidden");
    let right = suite(&folder, "conveyor", "strategy");
    let changes: [Change; 6] = [
        ("pass at once", |case| first_verdict(case, "pass")),
        ("the scale", |case| case["scale"] = json!(2)),
        ("exact", |case| {
            let exact = case["summary"]["exact"] == true;
            case["summary"]["exact"] = json!(!exact);
        }),
        ("an edge of an answer is missing", |case| {
            each_place(case, |place| {
                place["edges"].as_array_mut().unwrap().retain(|edge| edge["by"] == "tester");
                place.as_object_mut().unwrap().remove("rules");
            });
        }),
        ("an undeclared action", |case| first_edge(case)["action"]["channel"] = json!("fly")),
        ("another purpose", |case| case["summary"]["goal"] = json!({ "purpose": "Other" })),
    ];
    for (what, change) in changes {
        let mut wrong = right.clone();
        change(&mut wrong["cases"][0]);
        let (code, text) = certified(&folder, "@conveyor", &wrong);
        assert_eq!(code, 1, "{what}: {text}");
    }
}

#[test]
fn corruptions_of_strategies_and_ranks_are_rejected() {
    let folder = Folder::new("strategies");
    let arguments = ["solve", "@conveyor-game", "--ranks", "--strategy", "s.json"];
    folder.tioga(&arguments, "");
    let right: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    let (code, text) = certified(&folder, "@conveyor-game", &right);
    assert_eq!(code, 0, "{text}");
    let changes: [Change; 8] = [
        ("a rank", |all| all["states"][0]["rules"][0]["rank"]["losses"] = json!(5)),
        ("a condition", |all| all["states"][0]["rules"][0]["zones"] = json!(["never mind"])),
        ("advice", |all| all["states"][0]["rules"][0]["advice"] = json!({ "do": "done" })),
        ("a location", |all| {
            let locations = all["states"][0]["state"]["locations"].as_object_mut().unwrap();
            locations.values_mut().for_each(|one| *one = json!("Nowhere"));
        }),
        ("a state is missing", |all| _ = all["states"].as_array_mut().unwrap().remove(0)),
        ("the query", |all| all["query"] = json!("control: A<> Belt.D1A")),
        ("the concept", |all| all["concept"] = json!("lucky")),
        ("the model", |all| all["model"] = json!("light")),
    ];
    for (what, change) in changes {
        let mut wrong = right.clone();
        change(&mut wrong);
        let (code, text) = certified(&folder, "@conveyor-game", &wrong);
        assert_eq!(code, 1, "{what}: {text}");
    }
    let mut ranks =
        folder.tioga(&["--format", "json", "solve", "@conveyor-game", "--ranks"], "").json();
    assert_eq!(certified(&folder, "@conveyor-game", &ranks).0, 0);
    ranks["result"]["queries"][0]["rank"]["steps"] = json!(4);
    let (code, text) = certified(&folder, "@conveyor-game", &ranks);
    assert_eq!(code, 1, "{text}");
}

#[test]
fn exit_codes_say_what_became_of_it() {
    let folder = Folder::new("exits");
    let right = suite(&folder, "smart-light", "strategy");
    folder.write("right.json", right.to_string());
    let run = folder.tioga(&["--format", "json", "certify", "@smart-light", "right.json"], "");
    let result = &run.json()["result"]["certified"][0];
    assert_eq!((run.code, &result["right"]), (0, &json!(true)), "{}", run.out);
    assert_eq!((&result["sampled"], &result["exact"]), (&json!(false), &json!(true)));
    let other = ["certify", "@smart-light", "right.json", "-p", "reach Light.Off"];
    assert_eq!(folder.tioga(&other, "").code, 1);
    // The model on the command line decides.
    assert_eq!(folder.tioga(&["certify", "@problematic-light", "right.json"], "").code, 1);
    folder.write("text.json", "no");
    assert_eq!(folder.tioga(&["certify", "@smart-light", "text.json"], "").code, 2);
    folder.write("empty.json", "{}");
    assert_eq!(folder.tioga(&["certify", "@smart-light", "empty.json"], "").code, 2);
    assert_eq!(folder.tioga(&["certify", "@smart-light", "absent.json"], "").code, 2);
    let late = ["certify", "@smart-light", "right.json", "--timeout", "0"];
    assert_eq!(folder.tioga(&late, "").code, 3);
}

#[test]
fn run_refuses_a_suite_with_an_undeclared_action() {
    let folder = Folder::new("undeclared");
    let mut wrong = suite(&folder, "smart-light", "strategy");
    wrong["cases"][0]["outputs"] = json!([]);
    folder.write("wrong.json", wrong.to_string());
    let run = folder.tioga(&["run", "wrong.json", "--sut", "model:@smart-light"], "");
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("is not declared"), "{}", run.err);
}

#[test]
fn a_product_is_made_deterministic_and_compared() {
    let folder = Folder::new("product");
    for (example, purpose) in
        [("@conveyor", "ShipToTwo"), ("@car-alarm", "FullAlarm"), ("@bjsk", "LowerBranch")]
    {
        let arguments = ["determinize", example, "-p", purpose, "--verify", "20", "-o", "v.tioga"];
        let view = folder.tioga(&arguments, "");
        assert!(view.code <= 1, "{}{}", view.out, view.err);
        assert!(view.out.contains("random traces compared, no difference"), "{}", view.out);
        assert_eq!(folder.tioga(&["check", "v.tioga"], "").code, 0);
        assert!(folder.read("v.tioga").contains("accept"), "{}", folder.read("v.tioga"));
    }
    assert_eq!(folder.tioga(&["determinize", "@conveyor", "-p", "Other"], "").code, 2);
}

#[test]
fn refinement_of_an_ambiguous_implementation_has_an_answer() {
    let folder = Folder::new("refines");
    let run = folder.tioga(&["refines", "@conveyor", "@conveyor"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

/// The system may speak again and again without letting time pass, so the rank of a walk has a control loss.
#[test]
fn a_random_walk_names_no_control_losses() {
    let folder = Folder::new("certify-walk");
    folder.write(
        "press.tioga",
        "input a, b; output u, v;
         automaton P {
           clock x, y;
           init location L0 invariant x <= 4;
           location L1 invariant x <= 4;
           location L2 invariant x <= 6;
           L0 -> self : u! do x = 0, y = 0;
           L0 -> L1 : v!;
           L1 -> L2 : a? when y >= 1 do y = 0;
           L1 -> L0 : b?;
           L1 -> L2 : v! when y < 1 do x = 0, y = 0;
           L2 -> L1 : v! when y > 1 do y = 0;
           L2 -> L1 : u! when x >= 6 do x = 0;
         }",
    );
    let made = folder.tioga(&["synth", "press.tioga", "-p", "walk 140", "-o", "walk.json"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    let mut suite: Value = serde_json::from_str(&folder.read("walk.json")).unwrap();
    assert_eq!(suite["cases"][0]["summary"]["rank"], json!([0, 1, 0]));
    let certify = || folder.tioga(&["certify", "press.tioga", "walk.json"], "");
    let run = certify();
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let loss = json!({ "at": "L0", "rank": [0, 1, 0], "hoped": "v!", "feared": ["u!"] });
    suite["cases"][0]["summary"]["luck"] = json!([loss]);
    folder.write("walk.json", suite.to_string());
    let run = certify();
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("names control losses"), "{}", run.out);
}
