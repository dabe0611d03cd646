//! Test cases of confirming sequences: the model itself passes them, the independent checker finds nothing wrong with
//! them, also when the tester is late, and a system that is in the suspicious configuration fails.

use std::fmt::Write;

use fastrand::Rng;
use tioga::confirm::{ConfirmOptions, confirm_suite};
use tioga::{
    Cancel, Certificate, CertifyFinding, CertifyOptions, Effort, Loaded, ModelSource, Outcome,
    RunOptions, Sources, Suite, SystemRef, TestCase, certify, prepare, read, settings,
};

fn loaded(text: &str, texts: &mut Sources) -> Loaded {
    read(ModelSource::of_text("model.tioga", text).unwrap(), &[], texts).unwrap()
}

fn cases(loaded: &Loaded, options: &ConfirmOptions) -> Vec<TestCase> {
    let mut cases = Vec::new();
    let made = confirm_suite(&loaded.model, options, &mut Effort::default(), &mut |case| {
        assert_eq!(case.flaw(), None, "it can be followed");
        cases.push(case);
        Ok(())
    });
    assert_eq!(made.unwrap().cases, cases.len());
    cases
}

fn outcomes(loaded: Loaded, cases: Vec<TestCase>, texts: &mut Sources) -> Vec<Outcome> {
    let suite = Suite::of_model(loaded.source.clone(), cases);
    let options = RunOptions { keep_going: true, ..RunOptions::default() };
    let settings = settings(suite, None, SystemRef::Itself, &options, Some(&loaded.model)).unwrap();
    let prepared = prepare(settings, Some(loaded), texts, &mut Effort::default()).unwrap();
    let records = prepared.records(Cancel::new()).unwrap();
    records.iter().map(|record| record.outcome().unwrap().0).collect()
}

/// A deterministic machine with two clocks and a variable, and an input that carries a value.
fn random_text(rng: &mut Rng) -> String {
    let mut text = "input a, b(int[0,3] v); output c, d(int[0,9] v);
automaton M { clock x, y; int[0,3] w;
  init location p; location q invariant y <= 3; location r;\n"
        .to_owned();
    for source in ["p", "q", "r"] {
        for input in ["a", "b(v)"] {
            let (clock, bound) = (["x", "y"][rng.usize(..2)], rng.usize(1..=2));
            let split = match rng.usize(..3) {
                0 => (format!("{clock} < {bound}"), format!("{clock} >= {bound}")),
                1 => (format!("{clock} <= {bound}/2"), format!("{clock} > {bound}/2")),
                _ => ("w < 2".to_owned(), "w >= 2".to_owned()),
            };
            for guard in [split.0, split.1] {
                let target = ["p", "q", "r"][rng.usize(..3)];
                let output = ["c!", "d(w)!", "d(1)!"][rng.usize(..3)];
                let update = ["w = w + 1", "x = 0", "y = 0", "x = 0, y = 0"][rng.usize(..4)];
                let reset = if target == "q" { ", y = 0" } else { "" };
                let _ = writeln!(
                    text,
                    "  {source} -> {target} : {input}? / {output} when {guard} do {update}{reset};"
                );
            }
        }
    }
    text.push_str("}\n");
    text
}

#[test]
fn random_machines_pass_their_own_tests_and_the_checker_agrees() {
    let mut made = 0;
    for seed in 0..40 {
        let mut rng = Rng::with_seed(seed);
        let text = random_text(&mut rng);
        let mut texts = Sources::new();
        let model = loaded(&text, &mut texts);
        let suspicious = format!("{}, x = 1/2, w = {}", ["p", "r"][rng.usize(..2)], rng.usize(..3));
        let options = ConfirmOptions {
            suspicious: if rng.bool() { vec![suspicious] } else { Vec::new() },
            max_states: 100_000,
            ..ConfirmOptions::default()
        };
        let cases = cases(&model, &options);
        made += cases.len();
        let suite = Suite::of_model(model.source.clone(), cases.clone());
        let certificate = Certificate::Suite(Box::new(suite));
        let how = CertifyOptions { plays: 60, seed, ..CertifyOptions::default() };
        let source = model.source.clone();
        let effort = &mut Effort::default();
        for one in certify(source, &certificate, None, &how, &mut texts, effort).unwrap() {
            let right = matches!(one.finding, CertifyFinding::Right(_));
            assert!(right, "{seed}: {} {:?}\n{text}", one.purpose, one.finding);
        }
        for outcome in outcomes(model, cases, &mut texts) {
            assert_eq!(outcome, Outcome::Pass, "{seed}\n{text}");
        }
    }
    assert!(made > 100, "{made}");
}

/// The suspicious configuration is that of a system with a fault: it fails where the model passes.
#[test]
fn a_system_in_the_suspicious_configuration_fails() {
    let mut texts = Sources::new();
    let text = tioga::example("tefsm").unwrap().text;
    let model = loaded(text, &mut texts);
    let options = ConfirmOptions {
        at: vec!["s1, w = 2".to_owned()],
        suspicious: vec!["s1, w = 4".to_owned(), "s3, w = 2".to_owned()],
        max_states: 100_000,
        ..ConfirmOptions::default()
    };
    let cases = cases(&model, &options);
    assert_eq!(cases.len(), 2);
    // One that counts twice reaches w = 4 by the same inputs.
    let faulty = text.replace("w = w + 1", "w = w + 2");
    assert_ne!(faulty, text);
    let mut own = Sources::new();
    let faulty = loaded(&faulty, &mut own);
    let found = outcomes(faulty, vec![cases[0].clone()], &mut own);
    assert_eq!(found, [Outcome::Fail]);
}

/// Of each number, text, list and flag of a test case that may be changed, no change goes unnoticed, but for those of the
/// windows in which the tester acts: there plays decide.
#[test]
fn corruptions_of_a_test_case_are_found() {
    let mut texts = Sources::new();
    let model = loaded(tioga::example("tefsm").unwrap().text, &mut texts);
    let options = ConfirmOptions {
        at: vec!["s1, w = 2".to_owned()],
        suspicious: vec!["s1, x = 4, y = 2, w = 4".to_owned()],
        max_states: 100_000,
        ..ConfirmOptions::default()
    };
    let right = serde_json::to_value(&cases(&model, &options)[0]).unwrap();
    let mut changes = Vec::new();
    changed(&right, &mut Vec::new(), &mut changes);
    assert!(changes.len() > 150, "{}", changes.len());
    for (path, value) in changes {
        let mut wrong = right.clone();
        *wrong.pointer_mut(&path).unwrap() = value.clone();
        let Ok(case) = serde_json::from_value::<TestCase>(wrong) else { continue };
        let certificate =
            Certificate::Suite(Box::new(Suite::of_model(model.source.clone(), vec![case])));
        let how = CertifyOptions { plays: 20, ..CertifyOptions::default() };
        let (source, effort) = (model.source.clone(), &mut Effort::default());
        let found = certify(source, &certificate, None, &how, &mut texts, effort).unwrap();
        let refuted = !matches!(found[0].finding, CertifyFinding::Right(_));
        assert!(refuted, "{path}: {value}");
    }
}

/// Every place of a value that is no window, reason or name, with another value for it.
fn changed(
    value: &serde_json::Value,
    path: &mut Vec<String>,
    found: &mut Vec<(String, serde_json::Value)>,
) {
    use serde_json::{Value, json};
    let shown = |path: &[String]| path.iter().map(|part| format!("/{part}")).collect::<String>();
    match value {
        Value::Number(number) => found.push((shown(path), json!(number.as_i64().unwrap() + 1))),
        Value::Bool(flag) => found.push((shown(path), json!(!flag))),
        Value::String(text) => found.push((shown(path), json!(format!("{text}x")))),
        Value::Array(list) => {
            if !list.is_empty() {
                found.push((shown(path), json!([])));
                let twice: Vec<&Value> = list.iter().chain(&list[..1]).collect();
                found.push((shown(path), json!(twice)));
            }
            for (position, one) in list.iter().enumerate() {
                path.push(position.to_string());
                changed(one, path, found);
                path.pop();
            }
        }
        Value::Object(fields) => {
            for (name, one) in fields {
                let free = ["zones", "guard", "reason", "name", "verdicts", "sets"];
                if free.contains(&name.as_str()) {
                    continue;
                }
                path.push(name.clone());
                changed(one, path, found);
                path.pop();
            }
        }
        Value::Null => {}
    }
}
