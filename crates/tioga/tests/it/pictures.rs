//! Whatever is drawn can be read: test cases of all shapes, deterministic views and machines, of every example and of
//! every public model that is installed next to the workspace.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tioga::machines::{MachineFormat, machine_text, open_machine};
use tioga::{
    Aim, Cause, Cover, Effort, Loaded, OpenOptions, Shape, Sources, SynthesisOptions, TargetFormat,
    TestCase, ViewOptions, determinized, network_text, open, picture_text, read, synthesize,
    tester_text,
};
use tioga_report::picture::{Graph, Node};
use tioga_testkit::{example_files, picture_flaws, shared_models};

/// The most states that synthesis explores. Beyond it, there is no test case; whatever is made is drawn. With 1000 states,
/// synthesis takes three times as long and makes as many test cases of the public models as with 150.
const EXAMPLE_STATES: usize = 2000;
const SHARED_STATES: usize = 150;

/// The most steps of a deterministic view; beyond it, there is none.
const VIEW_STEPS: u64 = 4000;

fn loaded(path: &Path) -> Option<Loaded> {
    let mut texts = Sources::new();
    let source = open(path.to_str()?, &OpenOptions::default(), &mut texts).ok()?;
    read(source, &[], &mut texts).ok()
}

/// All models, each with the most states that are explored of it.
fn models() -> impl Iterator<Item = (PathBuf, usize, Loaded)> {
    let shared = ["uppaal", "tck", "games"].into_iter().flat_map(shared_models);
    let shared = shared.map(|path| (path, SHARED_STATES));
    let examples = example_files().into_iter().map(|path| (path, EXAMPLE_STATES));
    examples.chain(shared).filter_map(|(path, states)| {
        let loaded = loaded(&path)?;
        Some((path, states, loaded))
    })
}

/// All test cases for what the model wants, and for its locations where it wants nothing.
fn cases(loaded: &Loaded, shape: Shape, max_states: usize) -> Vec<TestCase> {
    let options = SynthesisOptions { shape, max_states, ..SynthesisOptions::default() };
    let locations = Aim::Cover { what: vec![Cover::Locations], then: false };
    for aim in [Aim::Model, locations] {
        let made = synthesize(loaded, &aim, &options, &mut Effort::default());
        let cases = made.map(|made| made.cases).unwrap_or_default();
        if !cases.is_empty() {
            return cases;
        }
    }
    Vec::new()
}

/// Notes what is wrong with a picture.
fn look(what: String, svg: &str, wrong: &mut BTreeMap<String, String>) {
    let flaws = picture_flaws(svg);
    if let Some(first) = flaws.first() {
        wrong.insert(what, format!("{} flaws, first {first}", flaws.len()));
    }
}

#[test]
fn every_test_case_can_be_read() {
    let (mut count, mut wrong) = (0, BTreeMap::new());
    let mut largest = 0;
    for (path, states, loaded) in models() {
        for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
            for case in cases(&loaded, shape, states) {
                count += 1;
                largest = largest.max(case.places.len());
                let svg = tester_text(&case, TargetFormat::Svg).unwrap();
                look(format!("{} {shape:?} {}", path.display(), case.name), &svg, &mut wrong);
            }
        }
    }
    println!("{count} test cases of up to {largest} places");
    assert!(count > 100 && largest > 300, "{count} of up to {largest} places");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_deterministic_view_can_be_read() {
    let (mut count, mut wrong) = (0, BTreeMap::new());
    let view = ViewOptions { max_steps: VIEW_STEPS, ..ViewOptions::default() };
    let mut effort = Effort { view, ..Effort::default() };
    for (path, _, loaded) in models() {
        let Ok(view) = determinized(&loaded.model, &mut effort) else {
            continue;
        };
        let svg = network_text(&view.network, &[], TargetFormat::Svg).unwrap();
        count += 1;
        look(path.display().to_string(), &svg, &mut wrong);
    }
    println!("{count} views");
    assert!(count > 10, "{count}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_picture_that_is_too_large_is_refused_as_a_limit() {
    let node = Node::default();
    let graph = Graph { name: "Many".to_owned(), nodes: vec![node; 200_001], edges: Vec::new() };
    let failure = picture_text(&[graph]).unwrap_err();
    assert_eq!(failure.cause, Cause::Limit);
    let message = &failure.diagnostics.iter().next().unwrap().message;
    assert!(message.starts_with("`Many` is not drawn: 200001 locations"), "{message}");
}

#[test]
fn every_machine_can_be_read() {
    let (mut count, mut wrong) = (0, BTreeMap::new());
    let machines = shared_models("mealy").into_iter().chain(example_files());
    for path in machines.filter(|path| path.extension().is_none_or(|ending| ending != "md")) {
        let Some(name) = path.to_str() else { continue };
        let opened = open_machine(name, None, &OpenOptions::default(), &mut Sources::new());
        let Ok(opened) = opened else { continue };
        count += 1;
        let svg = machine_text(&opened.machine, MachineFormat::Svg).unwrap();
        look(name.to_owned(), &svg, &mut wrong);
    }
    println!("{count} machines");
    assert!(count >= 3, "{count}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
