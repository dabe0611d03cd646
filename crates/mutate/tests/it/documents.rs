//! Mutants as documents: they look like the model where nothing changed, and mean the mutant.

use std::path::Path;

use tioga_base::{Diagnostics, FileId};
use tioga_model::{Model, Network};
use tioga_mutate::{Completion, Mutant, MutantOptions, complete, mutants};
use tioga_parse::raise::{difference, raise, rewrite, without_goals};
use tioga_parse::syntax::Document;
use tioga_parse::{Format, lower, parse, tioga};

fn read(format: Format, text: &str) -> (Document, Model) {
    let mut diagnostics = Diagnostics::new();
    let document = parse(format, FileId(0), text, &mut diagnostics);
    let document = document.unwrap_or_else(|| panic!("{diagnostics:#?}\n{text}"));
    let network = lower(&document, &tioga_parse::Options::default(), &mut diagnostics);
    let network = network.unwrap_or_else(|| panic!("{diagnostics:#?}\n{text}"));
    (document, network.validate().unwrap())
}

fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    std::fs::read_to_string(root.join(format!("examples/{name}/{name}.tioga"))).unwrap()
}

/// The mutants of a model and their networks, completed as far as asked for.
fn all(model: &Model, completion: Completion) -> Vec<(Mutant, Network)> {
    let networks = mutants(model, &MutantOptions::default()).list.into_iter().map(|mutant| {
        let mut network = mutant.network(model);
        complete(&mut network, completion);
        (mutant, network)
    });
    networks.collect()
}

/// The text of a mutant, read again and compared with its network.
fn written(document: &Document, model: &Model, mutant: &Mutant, network: &Network) -> String {
    let head = [mutant.id.clone(), mutant.description.clone()];
    let text = rewrite(document, model, network, &head).and_then(|one| tioga::print(&one));
    let text = text.unwrap_or_else(|refused| panic!("{}: {refused:#?}", mutant.id));
    let mut plain = network.clone();
    plain.purposes.clear();
    plain.queries.clear();
    let (_, found) = read(Format::Tioga, &text);
    assert_eq!(difference(&plain, &found), None, "{}\n{text}", mutant.id);
    assert!(text.contains(&format!("// {}\n", mutant.id)), "{text}");
    text
}

#[test]
fn every_mutant_of_the_examples_can_be_written_and_read() {
    for name in ["smart-light", "car-alarm", "train-gate", "conveyor", "tefsm", "service-desk"] {
        let (document, model) = read(Format::Tioga, &example(name));
        let document = without_goals(&document);
        for completion in [Completion::ALL[0], Completion::ALL[3]] {
            for (mutant, network) in all(&model, completion).iter().step_by(3) {
                written(&document, &model, mutant, network);
            }
        }
    }
}

/// A mutant is no text of its author's, so its expressions are of other shapes.
#[test]
fn mutants_are_the_same_when_raised() {
    for name in ["smart-light", "train-gate", "tefsm", "bjsk", "complex"] {
        let (_, model) = read(Format::Tioga, &example(name));
        for (mutant, network) in all(&model, Completion::ALL[0]).iter().step_by(2) {
            let id = &mutant.id;
            let raised = raise(network, &[]).unwrap_or_else(|refused| panic!("{id}: {refused:?}"));
            let text = tioga::print(&raised).unwrap();
            let (_, found) = read(Format::Tioga, &text);
            assert_eq!(difference(network, &found), None, "{id}\n{text}");
        }
    }
}

#[test]
fn a_mutant_differs_from_its_model() {
    let (_, model) = read(Format::Tioga, &example("smart-light"));
    for (mutant, network) in all(&model, Completion::ALL[3]) {
        assert!(difference(&model, &network).is_some(), "{}", mutant.id);
    }
}

const VALUES: &str = "// A tank.
input fill(int[0, 3] amount, bool fast), drain(int[0, 3] rate);
output level(int[0, 9] now);
automaton Tank {
  clock x; // since the last change
  int[0, 9] n;

  init location Idle; location Busy invariant x <= 2;

  // Filling takes time.
  Idle -> Busy : fill(much, quick)? when quick && x >= 1 do n = much, x = 0;
  Idle -> self : fill(2, slow)? when !slow;
  Idle, Busy -> self : drain(d)? when d < n do n = n - d;
  Busy -> Idle : level(n)! when x == 2;
}
query A[] Tank.n < 9; // never reached
";

/// The texts of the mutants of the tank by an operator.
fn tanks(operator: &str) -> Vec<String> {
    let (document, model) = read(Format::Tioga, VALUES);
    let document = without_goals(&document);
    let found = all(&model, Completion::ALL[0]);
    let found = found.iter().filter(|(mutant, _)| mutant.operator.name() == operator);
    found.map(|(mutant, network)| written(&document, &model, mutant, network)).collect()
}

#[test]
fn received_values_keep_their_names() {
    let texts = tanks("guard-plus-1");
    let line = "  Idle -> Busy : fill(much, quick)? when x >= 2 && quick do n = much, x = 0;\n";
    assert!(texts.iter().any(|text| text.contains(line)), "{}", texts.join("\n\n"));
    // Another value is asked for, and what is not asked for keeps its name.
    let line = "  Idle -> self : fill(3, slow)? when !slow;\n";
    assert!(texts.iter().any(|text| text.contains(line)), "{}", texts.join("\n\n"));
    let texts = tanks("guard-compare");
    let line = "  Idle -> self : fill(2, slow)? when slow;\n";
    assert!(texts.iter().any(|text| text.contains(line)), "{}", texts.join("\n\n"));
    // An edge that completes a mutant calls values as the channel declares them.
    let line = "  Idle -> self : drain(rate)? when !(rate < n);\n";
    assert!(texts.iter().any(|text| text.contains(line)), "{}", texts.join("\n\n"));
    let texts = tanks("update-missing");
    for text in tanks("reset-missing").iter().chain(&texts) {
        let mut lines = text.lines().filter(|line| !line.starts_with("//"));
        assert!(lines.all(|line| !line.contains("value_")), "{text}");
    }
}

#[test]
fn what_did_not_change_stays_as_it_was_written() {
    for text in tanks("reset-missing") {
        for part in ["// A tank.\n", "  clock x; // since the last change\n", "  // Filling takes"]
        {
            assert!(text.contains(part), "{text}");
        }
        assert!(!text.contains("query") && !text.contains("never reached"), "{text}");
    }
    // Edges that were written together stay together, but for the changed one.
    let texts = tanks("input-missing");
    let apart = texts.iter().filter(|text| !text.contains("  Idle, Busy -> self : drain(d)?"));
    let apart: Vec<&String> = apart.collect();
    assert_eq!(apart.len(), 2, "{}", texts.join("\n\n"));
    for text in apart {
        let kept = ["  Idle -> self : drain(d)?", "  Busy -> self : drain(d)?"];
        let kept = kept.iter().filter(|line| text.contains(**line));
        assert_eq!(kept.count(), 1, "{text}");
    }
}

const CHOICES: &str = "input go[3]; output done[3];
automaton A { clock x; int[0, 2] n; init location L; location M invariant x <= 3;
  L, M -> M : go[i]? for i : int[0, 2] when n < 2 && x >= 1 do n = i, x = 0;
  M -> L : done[n]! when x > 1;
}";

#[test]
fn one_of_several_choices_is_changed_apart_from_the_others() {
    let (document, model) = read(Format::Tioga, CHOICES);
    let mut seen = false;
    for (mutant, network) in all(&model, Completion::ALL[3]) {
        let text = written(&document, &model, &mutant, &network);
        let line = "  L -> M : go[i]? for i : int[0, 2] when !(i == 1) && n < 2 && x >= 1";
        seen |= text.contains(line) && text.contains("  L -> M : go[1]? when x >= 2 && n < 2");
    }
    assert!(seen, "no mutant of one choice");
}

const SHARED: &str = "input go; output done; chan a, b;
automaton T(const int k, int[0, 9] &n) { clock x; init location L invariant x <= k;
  L -> self : a? when x >= k do n = k, x = 0; L -> self : b! when x < 5 do x = 0; }
automaton U { init location L; L -> self : a!; L -> self : b?; L -> self : go?; L -> self : done!; }
int[0, 9] first, second;
One = T(1, first);
system One, T(2, second), T(3, second), U;
";

#[test]
fn processes_of_a_shared_template_are_changed_one_by_one() {
    let (document, model) = read(Format::Tioga, SHARED);
    for (mutant, network) in all(&model, Completion::ALL[0]) {
        written(&document, &model, &mutant, &network);
    }
    // Two processes may change at once: each gets a template of its own.
    let one = all(&model, Completion::ALL[3]);
    let in_process = |name: &str| {
        one.iter().find(|(mutant, _)| model.processes[mutant.process].name == name).unwrap()
    };
    let (mutant, mut network) = in_process("One").clone();
    let other = in_process("T(3,_)");
    if network.code.nodes.len() == model.code.nodes.len() {
        network.code = other.1.code.clone();
    }
    network.processes[other.0.process] = other.1.processes[other.0.process].clone();
    let text = written(&document, &model, &mutant, &network);
    assert!(text.contains("One = T_of_One(1, first);"), "{text}");
    assert!(text.contains("system One, T(2, second), T_of_T_3(3, second), U;"), "{text}");
}

#[test]
fn models_of_other_languages_become_mutants_in_ours() {
    let text = "chan press, dim, location; int model;
process Lamp(int[0, 9] k) { clock x; state Off, On { x <= k }; init Off;
  trans Off -> On { guard model < 3; sync press?; assign x = 0; },
        On -> Off { guard x >= 2; sync dim!; }, On -> On { sync location?; }; }
L1 = Lamp(4); L2 = Lamp(5); system L1, L2;";
    let (document, model) = read(Format::Xta, text);
    for (mutant, network) in all(&model, Completion::ALL[3]) {
        let text = written(&document, &model, &mutant, &network);
        assert!(text.contains("input press;") && text.contains("output dim;"), "{text}");
        assert!(text.contains("location_"), "{text}");
    }
}

/// Without the last use by the environment the tester would be the partner.
#[test]
fn mutants_that_change_who_the_tester_is_are_refused() {
    let text = "input go; output done;
automaton S { init location L; L -> self : go?; L -> self : done!; }
automaton E { init location L; L -> self : go!; L -> self : done?; }
system S environment E;";
    let (document, model) = read(Format::Tioga, text);
    let options = MutantOptions { environment: true, ..MutantOptions::default() };
    let mutants = mutants(&model, &options).list;
    let missing = mutants.iter().find(|one| one.id == "output-missing@E.edge0#0");
    let missing = missing.or_else(|| mutants.iter().find(|one| one.id.contains("missing@E")));
    let network = missing.unwrap().network(&model);
    for refused in
        [rewrite(&document, &model, &network, &[]).unwrap_err(), raise(&network, &[]).unwrap_err()]
    {
        let message = &refused.iter().next().unwrap().message;
        assert!(message.contains("`go`") || message.contains("`done`"), "{message}");
    }
}

#[test]
fn other_changes_are_refused() {
    let (document, model) = read(Format::Tioga, VALUES);
    let mut network = (*model).clone();
    network.time_unit = None;
    network.scale = 7;
    let refused = rewrite(&document, &model, &network, &[]).unwrap_err();
    let message = &refused.iter().next().unwrap().message;
    assert_eq!(message, "more than locations and edges changed");
}
