//! The schema of suites: derived from the types, kept in `docs`, and neither wider nor narrower than
//! what is written.

use std::path::Path;

use jsonschema::Validator;
use serde_json::{Value, json};
use tioga_testcase::{
    Action, CaseBound, CaseEdge, CasePlace, CaseRule, CaseSet, Judgement, Luck, Origin, Shape,
    Side, Suite, Summary, TestCase, Verdict, suite_schema,
};

/// The schema in `docs`.
fn documented() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/suite.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn validator() -> Validator {
    let schema = documented();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

/// A suite in which everything optional is said once and left out once.
fn suite() -> Value {
    let action = Action { channel: "level".to_owned(), values: vec!["3".to_owned()] };
    let upper = CaseBound { left: Some(0), right: None, strict: true, bound: 4 };
    let lower = CaseBound { left: None, right: Some(0), strict: false, bound: -1 };
    let rule = |play, awaited| CaseRule { rank: [0, 1, 2], zones: vec![vec![]], play, awaited };
    let place = CasePlace {
        name: "Start".to_owned(),
        origin: vec![Origin { process: "Lamp".to_owned(), location: "Off".to_owned() }],
        invariant: vec![vec![upper, lower]],
        urgent: vec![vec![]],
        verdicts: [Verdict::Pass, Verdict::Fail, Verdict::Inconclusive]
            .map(|verdict| Judgement::new(verdict, vec![vec![upper]], ""))
            .into(),
        edges: [Side::Tester, Side::System]
            .map(|by| CaseEdge {
                by,
                action: action.clone(),
                guard: vec![vec![lower]],
                sets: [None, Some(0)].map(|source| CaseSet { clock: 0, source, value: -1 }).into(),
                target: 1,
            })
            .into(),
        rules: vec![rule(Some(0), vec![]), rule(None, vec![1])],
    };
    let bare =
        TestCase::without_purpose("bare", "model", vec![], vec![Action::new::<i64>("a", &[])]);
    let summary = Summary {
        approximated: vec!["why".to_owned()],
        may_be_uncertain: true,
        luck: [Some("dim!"), None]
            .map(|hoped| Luck {
                at: "where".to_owned(),
                rank: [0, 1, 2],
                hoped: hoped.map(str::to_owned),
                after: hoped.map(|_| "5/2".to_owned()),
                feared: hoped.into_iter().map(str::to_owned).collect(),
            })
            .into(),
        unit: Some("1/2 s".parse().unwrap()),
        ..Summary::default()
    };
    let places = vec![place, bare.places[0].clone()];
    let clocks = vec!["x".to_owned()];
    let full = TestCase { summary, places, clocks, inputs: vec![action], ..bare.clone() };
    let shapes = [Shape::Automaton, Shape::Strategy, Shape::Tree];
    let full = shapes.map(|shape| TestCase { shape, ..full.clone() });
    serde_json::to_value(Suite::new(full.into_iter().chain([bare]).collect())).unwrap()
}

/// With `TIOGA_BLESS` set, the file is written instead.
#[test]
fn the_documented_schema_is_the_one_of_the_types() {
    let derived = serde_json::to_value(suite_schema()).unwrap();
    if std::env::var_os("TIOGA_BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/suite.schema.json");
        std::fs::write(path, serde_json::to_string_pretty(&derived).unwrap() + "\n").unwrap();
    }
    assert!(documented() == derived, "it is now:\n{derived:#}");
}

#[test]
fn what_is_written_fits() {
    let suite = suite();
    let errors: Vec<String> = validator().iter_errors(&suite).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// Changes at a place of the suite, each of which neither the schema nor the reader accepts.
#[test]
fn what_cannot_be_read_does_not_fit() {
    let validator = validator();
    let changes = [
        ("", "extra", json!(1)),
        ("/cases/0", "extra", json!(1)),
        ("/cases/0/places/0", "extra", json!(1)),
        ("/cases/0/places/0", "name", json!(null)),
        ("/cases/0/places/0", "edges", json!({})),
        ("/cases/0", "shape", json!("Tree")),
        ("/cases/0", "scale", json!("1")),
        ("/cases/0/summary", "rank", json!([0, 1])),
        ("/cases/0/summary", "rank", json!([0, 1, -1])),
        ("/cases/0/places/0/rules/0", "play", json!(-1)),
        ("/cases/0/places/0/rules/0", "play", json!(1.5)),
        ("/cases/0/places/0/edges/0", "by", json!("nobody")),
        ("/cases/0/places/0/verdicts/0", "verdict", json!("error")),
        ("/cases/0/places/0/invariant/0/0", "bound", json!(true)),
    ];
    for (place, name, value) in changes {
        let mut suite = suite();
        suite.pointer_mut(place).unwrap()[name] = value;
        assert!(!validator.is_valid(&suite), "{place} {name}");
        assert!(serde_json::from_value::<Suite>(suite).is_err(), "{place} {name}");
    }
}

/// Every field that is always written must be there, for the schema and for the reader.
#[test]
fn what_is_always_written_is_required() {
    fn required(value: &Value, place: &str, found: &mut Vec<(String, String)>) {
        match value {
            Value::Object(fields) => {
                for (name, one) in fields {
                    found.push((place.to_owned(), name.clone()));
                    required(one, &format!("{place}/{name}"), found);
                }
            }
            Value::Array(all) => {
                for (index, one) in all.iter().enumerate() {
                    required(one, &format!("{place}/{index}"), found);
                }
            }
            _ => {}
        }
    }
    let (validator, whole) = (validator(), suite());
    let mut fields = Vec::new();
    required(&whole, "", &mut fields);
    for (place, name) in fields {
        let mut suite = whole.clone();
        suite.pointer_mut(&place).unwrap().as_object_mut().unwrap().remove(&name);
        let fits = validator.is_valid(&suite);
        assert_eq!(fits, serde_json::from_value::<Suite>(suite).is_ok(), "{place} {name}");
    }
}

/// What is read, but cannot be followed or is of another version.
#[test]
fn the_schema_also_knows_what_makes_a_suite_useless() {
    let validator = validator();
    for (place, name, value) in [
        ("", "format", json!("other")),
        ("", "version", json!(1)),
        ("/cases/0", "scale", json!(0)),
        ("/cases/0", "places", json!([])),
    ] {
        let mut suite = suite();
        suite.pointer_mut(place).unwrap()[name] = value;
        assert!(!validator.is_valid(&suite), "{place} {name}");
        assert!(serde_json::from_value::<Suite>(suite).is_ok(), "{place} {name}");
    }
}
