//! Test cases from the synthesizer.

use tioga_base::Span;
use tioga_games::{Root, SolveOptions, solve};
use tioga_model::{Model, Objective};
use tioga_synthesize::{About, Error};
use tioga_testcase::{Concept, Scope, Shape, Terms, TestCase};

/// All shapes of test cases.
pub const SHAPES: [Shape; 3] = [Shape::Automaton, Shape::Strategy, Shape::Tree];

/// The test case of a shape for an objective of a model; trees wait for `patience`.
pub fn test_case(
    model: &Model,
    objective: &Objective,
    scope: Scope,
    shape: Shape,
    patience: i64,
) -> Result<TestCase, Error> {
    let terms = Terms { objective: objective.clone(), concept: Concept::Fair, scope };
    let (roots, options) = ([Root::initial(model)], SolveOptions::default());
    let solution = solve(model, terms, Span::default(), &roots, &options, &mut |_| {})
        .unwrap_or_else(|error| panic!("{}: {error:?}", model.name));
    let about = About { name: "case".to_owned(), patience, ..About::default() };
    tioga_synthesize::test_case(&solution, shape, about).map(|made| made.case)
}
