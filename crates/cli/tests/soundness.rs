//! Conforming systems never fail: the model itself and all mutants that conform to it, with every
//! shape of test cases and every policy, many times.
//!
//! `TIOGA_RUNS` says how many runs there are at least; a few if it is not set.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "the tests share a module of which each uses a part")]

mod binary;

use binary::Folder;
use serde_json::Value;

const MODELS: [&str; 4] = ["@smart-light", "@problematic-light", "@conveyor-game", "@car-alarm"];
const SHAPES: [&str; 3] = ["strategy", "tree", "automaton"];
const POLICIES: [&str; 4] = ["random", "lazy", "eager", "hostile"];

/// The runs of conforming systems in one campaign. That of mutants is one of the binary's own
/// checks: a mutant that conforms and fails a run is an internal error.
fn runs(folder: &Folder, combination: usize, repeat: u64) -> u64 {
    let model = MODELS[combination % MODELS.len()];
    let shape = SHAPES[combination / MODELS.len() % SHAPES.len()];
    let policy = POLICIES[combination / (MODELS.len() * SHAPES.len()) % POLICIES.len()];
    let (seed, repeat) = (combination.to_string(), repeat.to_string());
    // These operators give the mutants that conform.
    let operators = "invariant-minus-1,invariant-strict,output-missing,input-missing";
    let args = [
        "--format",
        "json",
        "campaign",
        model,
        "--shape",
        shape,
        "--policy",
        policy,
        "--seed",
        &seed,
        "--repeat",
        &repeat,
        "--operators",
        operators,
        "--judge-all",
    ];
    let run = folder.tioga(&args, "");
    let result: Value = serde_json::from_str(&run.out).unwrap();
    assert!([0, 1, 3].contains(&run.code), "{args:?}: {}{}", result["diagnostics"], run.err);
    let result = &result["result"];
    let mutants = result["mutants"].as_array().unwrap().iter();
    let conforming = mutants.filter(|one| one["status"] == "equivalent");
    let mutants: u64 = conforming
        .map(|one| {
            assert!(!one["cells"].as_str().unwrap().contains('K'), "{args:?}: {one}");
            one["runs"].as_u64().unwrap()
        })
        .sum();
    assert!(mutants > 0, "{args:?}: no mutant conforms");
    result["own_runs"].as_u64().unwrap() + mutants
}

#[test]
fn conforming_systems_never_fail() {
    let folder = Folder::new("soundness");
    let wanted = std::env::var("TIOGA_RUNS").ok().and_then(|text| text.parse::<u64>().ok());
    let wanted = wanted.unwrap_or(1000);
    // Enough for every combination of model, shape and policy if many runs are wanted.
    let repeat = if wanted < 10_000 { 1 } else { 2 };
    let (mut made, mut combination) = (0, 0);
    let combinations = MODELS.len() * SHAPES.len() * POLICIES.len();
    while made < wanted || (wanted >= 10_000 && combination < combinations) {
        made += runs(&folder, combination, repeat);
        combination += 1;
    }
    println!("{made} runs of conforming systems in {combination} campaigns, none of which failed");
}
