//! What the tests share: small games, and tables from the solver.

pub mod cases;
pub mod corrupt;
pub mod random;
pub mod tamper;

use tioga_base::Span;
use tioga_games::{Root, SolveMethod, SolveOptions, solve};
use tioga_model::{Model, Objective};
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

/// All examples with control queries, with the names of their files.
pub fn all_games() -> Vec<(String, Model)> {
    let mut games = tioga_testkit::all_examples();
    games.retain(|(_, model)| !tioga_testkit::objectives(model).is_empty());
    games
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

pub fn by(method: SolveMethod) -> SolveOptions {
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
