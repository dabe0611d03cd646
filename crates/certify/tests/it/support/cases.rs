//! Test cases from the synthesizer.

use tioga_base::Span;
use tioga_games::{Root, SolveOptions, solve};
use tioga_model::{Model, Objective};
use tioga_synthesize::{About, Error, test_case};
use tioga_testcase::{Concept, Scope, Shape, Terms, TestCase};

pub const SHAPES: [Shape; 3] = [Shape::Automaton, Shape::Strategy, Shape::Tree];

/// The test case of a shape; trees wait for `patience`.
pub fn case(
    model: &Model,
    objective: &Objective,
    scope: Scope,
    shape: Shape,
    patience: i64,
) -> Result<TestCase, Error> {
    let terms = Terms { objective: objective.clone(), concept: Concept::Fair, scope };
    let roots = [Root::initial(model)];
    let options = SolveOptions::default();
    let solution = solve(model, terms, Span::default(), &roots, &options, &mut |_| {}).unwrap();
    let about = About { name: "case".to_owned(), patience, ..About::default() };
    test_case(&solution, shape, about)
}

/// The game of CDFLL05 as a specification: what the tester does are inputs, the rest outputs.
pub const TIMELY: &str = "
model timely;
input c;
output u;
automaton Main {
  clock x;
  init location L0 invariant x <= 2;
  location L1, L2, L3, L4, goal;
  L0 -> L1 : c? when x <= 1;
  L0 -> L2 : u! when x < 1 do x = 0;
  L0 -> L4 : u! when x > 1;
  L1 -> goal : c? when x >= 2;
  L1 -> L2 : u! when x < 1;
  L2 -> L3 : c?;
  L3 -> L1 : c? when x <= 1;
}
query control: A<> Main.goal;
query control: A[ Main.x <= 2 U Main.goal ];
query control: A[ not Main.L2 U Main.goal ];
";
