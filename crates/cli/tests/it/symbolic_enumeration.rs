//! The symbolic method against the explicit one: on random models with few values, the test graph and the states of
//! the model give the same verdicts for random traces.

use std::fmt::Write as _;

use tioga::{
    Certificate, CertifyFinding, CertifyOptions, Effort, ModelSource, Sources, SymbolicCases,
    SymbolicOptions, SymbolicStage, certify, read_open, symbolic, symbolic_suite,
};

/// A random model: an input and an output that carry one of four values, an output without, a hidden action, a
/// clock that the input resets, and a variable.
fn random(rng: &mut fastrand::Rng) -> String {
    let mut text = String::from(
        "model random;\ninput send(int[0, 3] m);\noutput echo(int[0, 3] v), done;\ninternal hide;\n\
         automaton S {\n  clock c;\n  int[0, 3] x;\n  init location l0;\n  location l1, l2, l3;\n",
    );
    for index in 0..8 {
        let kind = if index == 0 { 0 } else { rng.usize(0..4) };
        let source = if index == 0 { 0 } else { rng.usize(0..4) };
        let target = rng.usize(0..4);
        let mut guards = Vec::new();
        if rng.bool() {
            let relation = ["<", "<=", ">=", ">"][rng.usize(0..4)];
            guards.push(format!("c {relation} {}", rng.u8(1..4)));
        }
        let (action, compared) = match kind {
            0 => ("send(m)?", "m"),
            1 => (["echo(x)!", "echo(3 - x)!"][rng.usize(0..2)], "x"),
            2 => ("done!", "x"),
            _ => ("hide", "x"),
        };
        let mut updates = Vec::new();
        if kind == 0 {
            updates.push("c = 0");
        }
        match rng.u8(0..4) {
            0 if kind == 0 => updates.push("x = m"),
            1 if kind != 3 => {
                guards.push("x < 3".to_owned());
                updates.push("x = x + 1");
            }
            2 => guards.push(format!("{compared} >= {}", rng.u8(0..4))),
            _ => guards.push(format!("{compared} <= {}", rng.u8(0..4))),
        }
        let when = if guards.is_empty() {
            String::new()
        } else {
            format!(" when {}", guards.join(" && "))
        };
        let does =
            if updates.is_empty() { String::new() } else { format!(" do {}", updates.join(", ")) };
        let _ = writeln!(text, "  l{source} -> l{target} : {action}{when}{does};");
    }
    text.push_str(
        "}\npurpose P {\n  init location s;\n  location t;\n  accept location A;\n  \
         s -> t : echo(v)!;\n  s -> t : done!;\n  t -> A : echo(v)! when v > 0;\n  t -> A : done!;\n  \
         otherwise self;\n}\n",
    );
    text
}

#[test]
fn verdicts_are_those_of_the_states_of_the_model() {
    let (mut right, mut events) = (0, 0);
    for seed in 0..60 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let text = random(&mut rng);
        let mut texts = Sources::new();
        let mut effort = Effort::default();
        let source = ModelSource::of_text("random.tioga", text.clone()).unwrap();
        let loaded = read_open(source.clone(), &[], &mut texts).unwrap();
        let options = SymbolicOptions {
            purpose: Some("P".to_owned()),
            stage: SymbolicStage::Subgraphs,
            complete: false,
            solver: None,
            max_states: 1000,
            max_subgraphs: 1,
        };
        // Some have no way to the purpose, or are too large.
        let Ok(result) = symbolic(&loaded, &options, &mut effort) else { continue };
        let suite = symbolic_suite(&loaded, &result, SymbolicCases::Game, &effort).unwrap();
        let certificate = Certificate::Suite(Box::new(suite));
        let options = CertifyOptions { plays: 60, seed, ..CertifyOptions::default() };
        let found = certify(source, &certificate, None, &options, &mut texts, &mut effort).unwrap();
        match &found[0].finding {
            CertifyFinding::Right(report) => {
                right += 1;
                events += report.states;
            }
            other => panic!("seed {seed}: {other:?}\n{text}"),
        }
    }
    assert!(right >= 20 && events > 5000, "{right} models, {events} events");
}
