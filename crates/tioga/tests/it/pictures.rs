//! Whatever is drawn can be read: test cases of all shapes, deterministic views and machines, of every example and of
//! every public model that is installed next to the workspace.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tioga::machines::{MachineFormat, machine_text, open_machine};
use tioga::{
    Aim, Cover, Effort, Loaded, OpenOptions, Shape, Sources, SynthesisOptions, TargetFormat,
    TestCase, ViewOptions, determinized, network_text, open, read, synthesize, tester_text,
};
use tioga_testkit::{example_files, picture_flaws, shared_models};

/// What is larger is no picture for people, and takes long to be made here.
const PLACES: usize = 40;
const CASE_PLACES: usize = 150;
const STATES: usize = 150;

fn loaded(path: &Path) -> Option<Loaded> {
    let mut texts = Sources::new();
    let source = open(path.to_str()?, &OpenOptions::default(), &mut texts).ok()?;
    read(source, &[], &mut texts).ok()
}

fn models() -> impl Iterator<Item = (PathBuf, Loaded)> {
    let shared = ["uppaal", "tck", "games"].into_iter().flat_map(shared_models);
    let small = |loaded: &Loaded| {
        let processes = &loaded.model.processes;
        let edges: usize = processes.iter().map(|process| process.edges.len()).sum();
        processes.len() <= 6 && edges <= 60
    };
    let shared = shared.filter_map(move |path| Some((loaded(&path).filter(small)?, path)));
    let examples = example_files().into_iter().filter_map(|path| Some((loaded(&path)?, path)));
    examples.chain(shared).map(|(one, path)| (path, one))
}

/// All test cases for what the model wants, and for its locations where it wants nothing.
fn cases(loaded: &Loaded, shape: Shape) -> Vec<TestCase> {
    let options = SynthesisOptions { shape, max_states: STATES, ..SynthesisOptions::default() };
    let locations = Aim::Cover { what: vec![Cover::Locations], then: false };
    for aim in [Aim::Model, locations] {
        let made = synthesize(loaded, &aim, &options, &mut Effort::default());
        let mut cases = made.map(|made| made.cases).unwrap_or_default();
        cases.retain(|case| case.places.len() <= CASE_PLACES && case.symbolic.is_none());
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
    for (path, loaded) in models() {
        for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
            for case in cases(&loaded, shape) {
                count += 1;
                let svg = tester_text(&case, TargetFormat::Svg).unwrap();
                look(format!("{} {shape:?} {}", path.display(), case.name), &svg, &mut wrong);
            }
        }
    }
    println!("{count} test cases");
    assert!(count > 60, "{count}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_deterministic_view_can_be_read() {
    let (mut count, mut wrong) = (0, BTreeMap::new());
    let options = ViewOptions { clocks: None, max_constant: None, max_steps: 400 };
    for (path, loaded) in models() {
        let Ok(view) = determinized(&loaded.model, &options, &mut Effort::default()) else {
            continue;
        };
        let locations = view.network.processes.iter().map(|process| process.locations.len());
        if locations.sum::<usize>() > PLACES {
            continue;
        }
        let Ok(svg) = network_text(&view.network, &[], TargetFormat::Svg) else { continue };
        count += 1;
        look(path.display().to_string(), &svg, &mut wrong);
    }
    println!("{count} views");
    assert!(count > 10, "{count}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_machine_can_be_read() {
    let (mut count, mut wrong) = (0, BTreeMap::new());
    let machines = shared_models("mealy").into_iter().chain(example_files());
    for path in machines.filter(|path| path.extension().is_none_or(|ending| ending != "md")) {
        let Some(name) = path.to_str() else { continue };
        let opened = open_machine(name, None, &OpenOptions::default(), &mut Sources::new());
        let Ok(opened) = opened else { continue };
        if opened.machine.state_count() > PLACES {
            continue;
        }
        count += 1;
        let svg = machine_text(&opened.machine, MachineFormat::Svg).unwrap();
        look(name.to_owned(), &svg, &mut wrong);
    }
    println!("{count} machines");
    assert!(count >= 3, "{count}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
