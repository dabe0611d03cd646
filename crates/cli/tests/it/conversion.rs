//! Converting forth and back yields the same transition system: both are explored and compared.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tioga_base::{Diagnostics, FileId, Rational};
use tioga_concrete::{Semantics, State, label_of};
use tioga_model::{Model, StepLabel};
use tioga_parse::syntax::Document;
use tioga_parse::{Format, Options, lower, parse};
use tioga_testkit::{example_files, root, shared_models};

/// How many states are explored of each model.
const STATES: usize = 1500;

fn read(format: Format, text: &str) -> Document {
    let mut diagnostics = Diagnostics::new();
    let document = parse(format, FileId(0), text, &mut diagnostics);
    document.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"))
}

fn model(document: &Document) -> Model {
    let mut diagnostics = Diagnostics::new();
    let network = lower(document, &Options::default(), &mut diagnostics);
    let network = network.unwrap_or_else(|| panic!("{diagnostics:?}"));
    network.validate().unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"))
}

fn print(document: &Document, format: Format) -> Result<String, Diagnostics> {
    match format {
        Format::Tioga => tioga_parse::tioga::print(document),
        Format::UppaalXml => tioga_parse::uppaal::print_xml(document),
        Format::Xta => tioga_parse::uppaal::print_xta(document),
        Format::Tchecker => tioga_parse::tchecker::print(&model(document)),
        Format::Xlia => unreachable!("it is read only"),
    }
}

/// A finite part of a model's behaviour in steps of half a time unit, in breadth-first order:
/// for each state, its labelled successors. Clock values beyond every constant count alike.
struct Graph {
    edges: Vec<Vec<(String, usize)>>,
    /// How many states were expanded; all of them if the part is the whole.
    expanded: usize,
}

impl Graph {
    /// Explores a model. `cap` is above all its constants, in time units; `rate` is how many of
    /// its time units one unit of the comparison takes.
    fn explore(model: &Model, cap: i64, rate: i64) -> Self {
        let half = Rational::new(rate, 2).unwrap();
        let cap = Rational::integer(cap * rate);
        let mut semantics = Semantics::new(model);
        let initial = semantics.initial().unwrap();
        let mut ids: BTreeMap<State, usize> = BTreeMap::from([(initial.clone(), 0)]);
        let mut queue = VecDeque::from([initial]);
        let mut edges: Vec<Vec<(String, usize)>> = Vec::new();
        while let Some(state) = queue.pop_front() {
            if edges.len() == STATES {
                break;
            }
            let mut successors = BTreeSet::new();
            let options = semantics.options(&state).unwrap();
            for step in options.now() {
                let label = match step.label {
                    StepLabel::Internal(_) => "internal".to_owned(),
                    _ => format!("{:?}", label_of(model, step)),
                };
                successors.insert((label, semantics.step(&state, step).unwrap()));
            }
            if let Ok(mut later) = semantics.delay(&state, half).unwrap() {
                for clock in &mut later.clocks {
                    if *clock > cap {
                        *clock = cap;
                    }
                }
                successors.insert(("delay".to_owned(), later));
            }
            let mut numbered = Vec::new();
            for (label, successor) in successors {
                let next = ids.len();
                let id = *ids.entry(successor.clone()).or_insert_with(|| {
                    queue.push_back(successor);
                    next
                });
                numbered.push((label, id));
            }
            edges.push(numbered);
        }
        let expanded = edges.len();
        edges.resize(ids.len(), Vec::new());
        Self { edges, expanded }
    }
}

/// What two states reached together from the start offer, if they offer different things. States
/// that were not expanded match anything.
fn difference(left: &Graph, right: &Graph) -> Option<String> {
    let mut seen = BTreeSet::from([(0, 0)]);
    let mut queue = VecDeque::from([(0, 0)]);
    while let Some((a, b)) = queue.pop_front() {
        if a >= left.expanded || b >= right.expanded {
            continue;
        }
        let labels = |graph: &Graph, state: usize| {
            let mut count: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            for (label, target) in &graph.edges[state] {
                count.entry(label.clone()).or_default().push(*target);
            }
            count
        };
        let (from_left, from_right) = (labels(left, a), labels(right, b));
        let count = |map: &BTreeMap<String, Vec<usize>>| {
            map.iter().map(|(label, targets)| (label.clone(), targets.len())).collect::<Vec<_>>()
        };
        if count(&from_left) != count(&from_right) {
            return Some(format!("{:?}\n{:?}", count(&from_left), count(&from_right)));
        }
        for (label, targets) in &from_left {
            // Successors are in order of states, which conversions that keep names preserve.
            for pair in targets.iter().copied().zip(from_right[label].iter().copied()) {
                if seen.insert(pair) {
                    queue.push_back(pair);
                }
            }
        }
    }
    None
}

/// The largest constant clocks are compared with or set to, plus one, in whole time units.
fn cap(model: &Model) -> i64 {
    let mut largest = 1;
    let conditions = model.processes.iter().flat_map(|process| {
        let guards = process.edges.iter().map(|edge| &edge.guard);
        guards.chain(process.locations.iter().map(|location| &location.invariant))
    });
    for condition in conditions {
        for constraint in condition.disjuncts.iter().flat_map(|conjunct| &conjunct.clocks) {
            largest = largest.max(match constraint.bound {
                tioga_model::TimeBound::Constant(value) => value.abs() / model.scale + 1,
                tioga_model::TimeBound::Expr(_) => 60,
            });
        }
    }
    largest + 1
}

/// Converts a document to a format and back and compares; says what went wrong.
fn check(name: &str, document: &Document, format: Format) -> Result<bool, String> {
    let original = model(document);
    let text = match print(document, format) {
        Ok(text) => text,
        Err(refusal) => {
            // A refusal must say what cannot be expressed.
            assert!(refusal.has_errors(), "{name}: refused without a reason");
            return Ok(false);
        }
    };
    let converted = model(&read(format, &text));
    compare(&format!("{name} as {format:?}"), &original, &converted, &text).map(|()| true)
}

/// Explores two models and says in what they differ.
fn compare(name: &str, original: &Model, converted: &Model, text: &str) -> Result<(), String> {
    let names = |model: &Model| {
        model.channels.iter().filter(|c| c.direction.is_some()).map(|c| c.name.clone()).collect()
    };
    let (before, after): (BTreeSet<String>, BTreeSet<String>) = (names(original), names(converted));
    if before != after {
        return Err(format!("{name}: interface {before:?} became {after:?}\n{text}"));
    }
    let cap = cap(original);
    // Other formats have no fractions: time is scaled there.
    let rate = original.scale / converted.scale;
    let left = Graph::explore(original, cap, 1);
    let right = Graph::explore(converted, cap, rate);
    match difference(&left, &right) {
        None => Ok(()),
        Some(found) => Err(format!("{name}:\n{found}\n{text}")),
    }
}

/// All examples and, where they are installed, all shared models.
fn documents() -> Vec<(String, Document)> {
    let mut paths = example_files();
    paths.extend(shared_models("uppaal"));
    paths.extend(shared_models("tck"));
    let mut documents = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(format) = Format::from_file_name(&name) else { continue };
        let text = std::fs::read_to_string(&path).unwrap();
        documents.push((name, read(format, &text)));
    }
    documents
}

fn check_all(format: Format, least: usize) {
    let mut failures = Vec::new();
    let mut expressible = 0;
    for (name, document) in documents() {
        match check(&name, &document, format) {
            Ok(done) => expressible += usize::from(done),
            Err(failure) => failures.push(failure),
        }
    }
    let short: Vec<&str> =
        failures.iter().map(|failure| &failure[..failure.len().min(3000)]).collect();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), short.join("\n\n"));
    assert!(expressible >= least, "only {expressible} models could be expressed as {format:?}");
}

#[test]
fn tioga_keeps_the_transition_system() {
    check_all(Format::Tioga, 23);
}

#[test]
fn uppaal_xml_keeps_the_transition_system() {
    check_all(Format::UppaalXml, 12);
}

#[test]
fn xta_keeps_the_transition_system() {
    check_all(Format::Xta, 12);
}

#[test]
fn tck_keeps_the_transition_system() {
    check_all(Format::Tchecker, 8);
}

/// A network that becomes a document again, and nothing but a network before.
#[test]
fn raising_keeps_the_transition_system() {
    let mut compared = 0;
    for (name, document) in documents() {
        let original = model(&document);
        let raised = tioga_parse::raise::raise(&original, &[]);
        let raised = raised.unwrap_or_else(|refused| panic!("{name}: {refused:?}"));
        let text = tioga_parse::tioga::print(&raised).unwrap();
        let again = model(&read(Format::Tioga, &text));
        if let Err(found) = compare(&name, &original, &again, &text) {
            panic!("{}", &found[..found.len().min(3000)]);
        }
        compared += 1;
    }
    assert!(compared >= 23, "only {compared} models were compared");
}

/// Models that exist in two formats give the same number of states and moves.
#[test]
fn twins_in_two_formats_have_graphs_of_the_same_size() {
    let mut compared = 0;
    let models = shared_models("tck");
    for path in &models {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let twin = root().join(format!("../shared/models/uppaal/{name}.xta"));
        let Ok(twin) = std::fs::read_to_string(twin) else { continue };
        let left = model(&read(Format::Xta, &twin));
        let right = model(&read(Format::Tchecker, &std::fs::read_to_string(path).unwrap()));
        let cap = cap(&left).max(cap(&right));
        let (left, right) = (Graph::explore(&left, cap, 1), Graph::explore(&right, cap, 1));
        let size = |graph: &Graph| {
            let moves: usize = graph.edges.iter().map(Vec::len).sum();
            (graph.edges.len(), graph.expanded, moves)
        };
        assert_eq!(size(&left), size(&right), "{name}");
        compared += 1;
    }
    assert!(models.is_empty() || compared >= 8, "only {compared} twins were found");
}
