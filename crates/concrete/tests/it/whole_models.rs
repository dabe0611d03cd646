//! Random walks on every example and every shared model: they replay exactly, and their written
//! forms read back.

use std::path::Path;

use tioga_base::{Budget, FileId, Rational};
use tioga_concrete::{Record, ReplayLimits, Trace, WalkOptions, WalkStop, replay, walk};
use tioga_model::Model;
use tioga_parse::{Format, Options};
use tioga_testkit::{example_files, lower, shared_models};

/// The model in a file; nothing if it needs values for symbolic constants or is no model.
fn load(path: &Path) -> Option<Model> {
    let format = Format::from_file_name(path.to_str().unwrap())?;
    let text = std::fs::read_to_string(path).unwrap();
    Some(lower(format, &text, &Options::default()).ok()?.validate().unwrap())
}

/// Walks and replays; says how many steps were made and why the last walk stopped.
fn exercise(model: &Model, path: &Path) -> (usize, WalkStop) {
    let mut last = (0, WalkStop::Steps);
    for seed in 0..3 {
        let options = WalkOptions { seed, steps: 40, ..Default::default() };
        let walk = walk(model, &options).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert_eq!(walk.faults, [], "{path:?}");
        let text = Trace::from_text(&walk.trace.to_text(), FileId(0)).unwrap();
        let json = Trace::from_jsonl(&walk.trace.to_jsonl(), FileId(0)).unwrap();
        assert!(text == walk.trace && json == walk.trace, "{path:?}");
        let limits = ReplayLimits { internal_steps: 0, budget: Budget::steps(1000) };
        let replayed = replay(model, &text, limits).unwrap();
        let replayed = replayed.unwrap_or_else(|stuck| panic!("{path:?}: {stuck}"));
        assert_eq!(replayed.states, [walk.end], "{path:?}");
        let steps = |record: &&Record| matches!(record, Record::Step(_));
        assert!(walk.time >= Rational::ZERO);
        last = (walk.trace.records.iter().filter(steps).count(), walk.stop);
    }
    last
}

#[test]
fn walks_on_the_examples_replay() {
    let mut exercised = 0;
    for path in example_files() {
        let Some(model) = load(&path) else { continue };
        let (steps, stop) = exercise(&model, &path);
        println!("{path:?}: {steps} steps, {stop:?}");
        exercised += 1;
    }
    assert!(exercised >= 15, "only {exercised} examples were exercised");
}

#[test]
fn walks_on_the_shared_models_replay() {
    for path in shared_models("") {
        let Some(model) = load(&path) else { continue };
        let (steps, stop) = exercise(&model, &path);
        println!("{path:?}: {steps} steps, {stop:?}");
    }
}
