//! What the tests share: models from text, and tables from the solver.

pub mod cases;
pub mod corrupt;
pub mod random;
pub mod tamper;

use tioga_base::{Diagnostics, FileId, Span};
use tioga_games::{Method, Root, SolveOptions, solve};
use tioga_model::{Formula, Model, Objective};
use tioga_parse::{Format, Options, lower, parse};
use tioga_testcase::{Concept, RankTable, Scope, Terms, Trap};

pub const EXAMPLES: [&str; 4] = ["conveyor-game", "complex", "smart-light", "problematic-light"];

/// A small game with something to reach and something to avoid.
pub const ESCAPES: &str = "
model escapes;
input a, b;
output u;
automaton G {
  clock x;
  init location l0 invariant x <= 4;
  location l1, l2, l3, bad;
  accept location goal;
  l0 -> l1 : a? when x <= 1;
  l0 -> bad : u! when x > 3;
  l0 -> l2 : a? when x > 1 do x = 0;
  l1 -> goal : b? when x >= 2;
  l1 -> l3 : u! when x < 1;
  l2 -> l1 : u! do x = 0;
  l3 -> l1 : b? when x <= 1;
}
query control: A<> G.goal;
query control: A[ not G.bad U G.goal ];
query control: A[] not G.bad;
query control: A[ not G.bad W G.goal ];
";

pub const ALL_TERMS: [(Concept, Scope); 6] = [
    (Concept::Fair, Scope::Winning),
    (Concept::Fair, Scope::Cooperative),
    (Concept::Fair, Scope::SafetyFirst),
    (Concept::Strict, Scope::Winning),
    (Concept::Strict, Scope::Cooperative),
    (Concept::Strict, Scope::SafetyFirst),
];

pub fn model(text: &str) -> Model {
    let mut diagnostics = Diagnostics::new();
    let network = parse(Format::Tioga, FileId(0), text, &mut diagnostics)
        .and_then(|document| lower(&document, &Options::default(), &mut diagnostics));
    let network =
        network.unwrap_or_else(|| panic!("{:?}\n{text}", diagnostics.iter().collect::<Vec<_>>()));
    network.validate().unwrap()
}

pub fn example(name: &str) -> Model {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let text = std::fs::read_to_string(root.join(name).join(format!("{name}.tioga"))).unwrap();
    model(&text)
}

/// All examples with control queries, with the names of their files.
pub fn all_examples() -> Vec<(String, Model)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folders = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let folders = folders.filter(|path| path.is_dir());
    let files = folders.flat_map(|path| std::fs::read_dir(path).unwrap());
    let mut paths: Vec<_> = files.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "tioga"));
    let texts = paths.iter().map(|path| (path, std::fs::read_to_string(path).unwrap()));
    let games = texts.filter(|(_, text)| text.contains("control:"));
    let name = |path: &std::path::Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    games.map(|(path, text)| (name(path), model(&text))).collect()
}

/// The objectives of the model's control queries, without repetitions.
pub fn objectives(model: &Model) -> Vec<Objective> {
    let mut objectives = Vec::new();
    for query in &model.queries {
        if let Formula::Control(objective) | Formula::Cooperative(objective) = &query.formula
            && !objectives.contains(objective)
        {
            objectives.push(objective.clone());
        }
    }
    objectives
}

pub fn table(model: &Model, objective: &Objective, concept: Concept, scope: Scope) -> RankTable {
    solved(model, objective, concept, scope, &SolveOptions::default())
}

pub fn solved(
    model: &Model,
    objective: &Objective,
    concept: Concept,
    scope: Scope,
    options: &SolveOptions,
) -> RankTable {
    let terms = Terms { objective: objective.clone(), concept, scope };
    let roots = [Root::initial(model)];
    let solution = solve(model, terms, Span::default(), &roots, options, &mut |_| {}).unwrap();
    solution.table()
}

pub fn by(method: Method) -> SolveOptions {
    SolveOptions { method, ..SolveOptions::default() }
}

pub fn avoids(objective: &Objective) -> bool {
    matches!(objective, Objective::Stay(_) | Objective::WeakUntil(..))
}

/// The trap that the solver finds for a strict game, if it finds one.
pub fn trap(model: &Model, objective: &Objective) -> Option<Trap> {
    let (concept, scope) = (Concept::Strict, Scope::Winning);
    let terms = Terms { objective: objective.clone(), concept, scope };
    let options = SolveOptions { early: true, ..SolveOptions::default() };
    let roots = [Root::initial(model)];
    solve(model, terms, Span::default(), &roots, &options, &mut |_| {}).unwrap().trap()
}
