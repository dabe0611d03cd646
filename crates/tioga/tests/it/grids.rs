//! Test cases of grid words: a system that is the model itself never fails them, one that follows the words passes them,
//! and one that does what the model does not allow fails.

use tioga::grids::{GridSuiteOptions, grid_model, grid_suite};
use tioga::{
    Cancel, Effort, Loaded, ModelSource, Outcome, RunOptions, Sources, Suite, SystemRef, TestCase,
    open, prepare, read, settings,
};
use tioga_grids::GridOptions;
use tioga_grids::words::{Criterion, Wanted};

fn loaded(text: &str, texts: &mut Sources) -> Loaded {
    read(ModelSource::of_text("model.tioga", text).unwrap(), &[], texts).unwrap()
}

fn cases(loaded: &Loaded, purpose: &str, parts: i64, words: usize) -> Vec<TestCase> {
    let one = grid_model(&loaded.model, Some(purpose)).unwrap();
    let options = GridSuiteOptions {
        grid: GridOptions { parts: Some(parts), ..GridOptions::default() },
        criterion: Criterion::Shortest(5 * words),
        wanted: Wanted::default(),
        words,
        max_states: 20_000,
    };
    let mut cases = Vec::new();
    let made = grid_suite(&loaded.model, &one, &options, &mut Effort::default(), &mut |case| {
        assert_eq!(case.flaw(), None, "it can be followed");
        cases.push(case);
        Ok(())
    });
    match made {
        Ok(made) => assert_eq!(made.cases, cases.len()),
        Err(_) => cases.clear(),
    }
    cases
}

/// The outcomes of some test cases against a model, each so often.
fn outcomes(
    loaded: Loaded,
    cases: Vec<TestCase>,
    seed: u64,
    texts: &mut Sources,
) -> Vec<(Outcome, String)> {
    let suite = Suite::of_model(loaded.source.clone(), cases);
    let options = RunOptions { keep_going: true, repeat: Some(4), seed, ..RunOptions::default() };
    let settings = settings(suite, None, SystemRef::Itself, &options, Some(&loaded.model)).unwrap();
    let prepared = prepare(settings, Some(loaded), texts, &mut Effort::default()).unwrap();
    let records = prepared.records(Cancel::new()).unwrap();
    let outcomes = records.iter().map(|record| record.outcome().unwrap());
    outcomes.map(|(outcome, reason)| (outcome, reason.to_owned())).collect()
}

/// A random model with a purpose. Outputs may come at several times, and edges may overlap.
fn random_text(rng: &mut fastrand::Rng) -> String {
    let mut text = "input a, b(int[0,1] p); output c, d(rational z);
automaton M { clock x, y; rational w;
  init location l0; location l1 invariant x <= 3; location l2 invariant y <= 2;"
        .to_owned();
    let labels = ["a?", "b(p)?", "c!", "d(w)!"];
    for number in 0..rng.usize(3..8) {
        let (source, target) = (rng.usize(..3), rng.usize(..3));
        // Locations with an invariant can be left by an output.
        let label = if number < 2 { ["c!", "d(w)!"][number] } else { labels[rng.usize(..4)] };
        let source = if number < 2 { number + 1 } else { source };
        let guard = match rng.u32(..4) {
            0 => format!(" when x >= {}", rng.u32(..3)),
            1 => format!(" when y <= {}", rng.u32(1..4)),
            _ => String::new(),
        };
        let update = ["x = 0", "y = 0", "x = 0, y = 0", "y = 0, w = w + 1"][rng.usize(..4)];
        text.push_str(&format!("\n  l{source} -> l{target} : {label}{guard} do {update};"));
    }
    text.push_str("\n  l0 -> l1 : a? do x = 0, y = 0;\n}\n");
    let (first, second) = (["a?", "c!"][rng.usize(..2)], ["a?", "c!"][rng.usize(..2)]);
    text.push_str(&format!(
        "purpose P {{ init location s; location t; desired location u; s -> t : {first}; t -> u : {second}; }}\n"
    ));
    text
}

#[test]
fn a_system_that_is_the_model_never_fails_its_grid_words() {
    let (mut passes, mut others) = (0, 0);
    for seed in 0..60 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let text = random_text(&mut rng);
        let mut texts = Sources::new();
        let model = loaded(&text, &mut texts);
        let made = cases(&model, "P", 1 + i64::from(rng.bool()), 5);
        if made.is_empty() {
            continue;
        }
        for (outcome, reason) in outcomes(model, made, seed, &mut texts) {
            match outcome {
                Outcome::Pass => passes += 1,
                Outcome::Inconclusive => others += 1,
                other => panic!("{other:?}: {reason}\n{text}"),
            }
        }
    }
    assert!(passes > 50 && others > 50, "{passes} {others}");
}

#[test]
fn a_system_that_has_no_choice_passes_every_word() {
    let mut texts = Sources::new();
    let source = open("@switch-purpose/sw5", &Default::default(), &mut texts).unwrap();
    let model = read(source, &[], &mut texts).unwrap();
    let made = cases(&model, "OnOnOff", 3, 40);
    assert_eq!(made.len(), 40);
    assert!(
        made.iter().any(|case| case.summary.luck.is_empty() && !case.summary.may_be_inconclusive)
    );
    let found = outcomes(model, made, 1, &mut texts);
    assert!(found.iter().all(|(outcome, _)| *outcome == Outcome::Pass), "{found:?}");
}
