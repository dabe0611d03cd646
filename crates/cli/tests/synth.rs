//! `tioga synth` through the real binary.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "the tests share a module of which each uses a part")]

mod binary;

use binary::Folder;
use serde_json::Value;

/// Whether a value fits a schema, of the few kinds that ours uses; what does not is the complaint.
fn misfit(root: &Value, schema: &Value, value: &Value, path: &str) -> Option<String> {
    let complaint = |what: &str| Some(format!("{path}: {what}"));
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(reference.strip_prefix('#').unwrap()).unwrap();
        return misfit(root, target, value, path);
    }
    if schema.get("const").is_some_and(|wanted| wanted != value) {
        return complaint("another constant");
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        return complaint("not among the values");
    }
    match schema["type"].as_str() {
        Some("object") => {
            let Some(object) = value.as_object() else { return complaint("no object") };
            let required = schema["required"].as_array().into_iter().flatten();
            for name in required.map(|name| name.as_str().unwrap()) {
                if !object.contains_key(name) {
                    return complaint(&format!("{name} is missing"));
                }
            }
            object.iter().find_map(|(name, one)| match schema["properties"].get(name) {
                Some(schema) => misfit(root, schema, one, &format!("{path}/{name}")),
                None => complaint(&format!("{name} is unknown")),
            })
        }
        Some("array") => {
            let Some(array) = value.as_array() else { return complaint("no array") };
            let count = u64::try_from(array.len()).unwrap();
            if schema["minItems"].as_u64().is_some_and(|least| count < least)
                || schema["maxItems"].as_u64().is_some_and(|most| count > most)
            {
                return complaint("a wrong number of items");
            }
            let mut items = array.iter().enumerate();
            items.find_map(|(i, one)| misfit(root, &schema["items"], one, &format!("{path}/{i}")))
        }
        Some("string") if !value.is_string() => complaint("no string"),
        Some("boolean") if !value.is_boolean() => complaint("no boolean"),
        Some("integer") => match (value.as_i64(), schema["minimum"].as_i64()) {
            (None, _) => complaint("no integer"),
            (Some(value), Some(least)) if value < least => complaint("too small"),
            _ => None,
        },
        _ => None,
    }
}

#[test]
fn suites_fit_their_schema() {
    let folder = Folder::new("synth-schema");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let schema = std::fs::read_to_string(root.join("suite.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    for model in ["@smart-light", "@problematic-light", "@conveyor-game", "@complex"] {
        for shape in ["automaton", "strategy", "tree"] {
            let run = folder.tioga(&["synth", model, "--shape", shape, "-o", "suite.json"], "");
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{model} {shape}");
            let mut suite: Value = serde_json::from_str(&folder.read("suite.json")).unwrap();
            assert_eq!(misfit(&schema, &schema, &suite, ""), None, "{model} {shape}");
            suite["cases"][0]["places"][0]["extra"] = 1.into();
            let complaint = Some("/cases/0/places/0: extra is unknown".to_owned());
            assert_eq!(misfit(&schema, &schema, &suite, ""), complaint);
        }
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
    assert!(run.out.contains("it cannot be reached, whoever helps"), "{}", run.out);
    let run = synth("reach Light.Bright within soon");
    assert_eq!(run.code, 2);
    let run = synth("Brighten");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("there is no purpose `Brighten`"), "{}", run.err);
}
