//! Conforming systems never fail: the model itself and all mutants that conform to it, with every
//! shape of test cases and every policy, many times; and the same online, for models with hidden steps,
//! environments and Mealy steps, too.
//!
//! `TIOGA_RUNS` says how many runs there are at least; a few if it is not set.

use crate::binary::Folder;
use serde_json::Value;

const MODELS: [&str; 4] = ["@smart-light", "@problematic-light", "@conveyor-game", "@car-alarm"];
const SHAPES: [&str; 3] = ["strategy", "tree", "automaton"];
const POLICIES: [&str; 5] = ["random", "lazy", "eager", "hostile", "fair"];

/// Models that are tested on line, each with a change that makes a system conform to it still.
const ONLINE: [(&str, Option<(&str, &str)>); 9] = [
    ("smart-light", Some(("Tp <= 2", "Tp <= 1"))),
    ("problematic-light", Some(("Tp <= 2", "Tp < 2"))),
    ("conveyor", Some(("x <= 6", "x <= 5"))),
    ("bjsk", None),
    ("car-alarm", None),
    ("service-desk", None),
    ("train-gate", None),
    ("fsm-29", None),
    ("tefsm", None),
];

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

/// The runs on line of a model, and of a system that conforms to it, with every policy.
fn runs_on_line(
    folder: &Folder,
    (name, reduction): (&str, Option<(&str, &str)>),
    repeat: u64,
) -> u64 {
    let model = format!("@{name}");
    let mut systems = vec![format!("model:{model}")];
    if let Some((right, also_right)) = reduction {
        let text = folder.tioga(&["examples", name], "").out;
        let reduced = text.replace(right, also_right);
        assert_ne!(text, reduced);
        let file = format!("{name}-reduced.tioga");
        folder.write(&file, reduced);
        assert_eq!(folder.tioga(&["conform", &file, &model], "").code, 0, "{name}");
        systems.push(format!("model:{file}"));
    }
    let mut made = 0;
    for system in &systems {
        for (seed, policy) in POLICIES.iter().enumerate() {
            let args = format!(
                "--format json test {model} --online --sut {system} --policy {policy} --seed {seed} \
                 --repeat {repeat} --actions 50 --keep-going --no-journal"
            );
            let run = folder.tioga(&args.split_whitespace().collect::<Vec<_>>(), "");
            // An eager system may flood the tester, which is an error and no failure.
            assert!([0, 5, 6].contains(&run.code), "{args}: {}{}", run.out, run.err);
            let outcomes = |which: &str| run.out.matches(which).count() as u64;
            assert_eq!(outcomes("\"outcome\": \"fail\""), 0, "{args}: {}", run.out);
            made += outcomes("\"outcome\": \"pass\"") + outcomes("\"outcome\": \"inconclusive\"");
        }
    }
    assert!(made > 0, "{name}: no run ended");
    made
}

#[test]
fn conforming_systems_never_fail_on_line() {
    let folder = Folder::new("soundness-on-line");
    let wanted = std::env::var("TIOGA_RUNS").ok().and_then(|text| text.parse::<u64>().ok());
    // There are 12 systems and 4 policies.
    let repeat = wanted.map_or(4, |wanted| wanted.div_ceil(48));
    let made: u64 = ONLINE.iter().map(|one| runs_on_line(&folder, *one, repeat)).sum();
    println!("{made} runs of conforming systems on line, none of which failed");
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
