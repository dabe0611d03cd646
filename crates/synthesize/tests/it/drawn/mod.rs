//! Random specifications, the test cases made from them, and a bench to run these on.

pub mod bench;
pub mod specification;

use tioga_base::{Cancel, Span};
use tioga_conform::{Relation, RelationAnswer, decide};
use tioga_determinize::determinize_auto;
use tioga_explore::{Limits, SearchOptions};
use tioga_games::{Root, SolveOptions, solve};
use tioga_model::{Formula, Model};
use tioga_synthesize::{About, test_case};
use tioga_testcase::{CertainGoal, Concept, Scope, Shape, Terms, TestCase};
use tioga_testkit::model;

/// Everything made from one specification and its purpose.
pub struct Prepared {
    /// The specification.
    pub specification: Model,
    /// Its product with the purpose.
    pub product: Model,
    /// The deterministic view of the product that test cases are made from.
    pub view: Model,
    /// Whether the view has the traces of the product.
    pub exact: bool,
    /// Test cases of all shapes that there are.
    pub cases: Vec<TestCase>,
}

/// Nothing if the goal cannot be reached.
pub fn prepare(text: &str) -> Option<Prepared> {
    let specification = model(text);
    let network = specification.clone().into_network();
    let product = if network.purposes.is_empty() {
        network.aiming_at_marks("goal")
    } else {
        network.observed_by(0).unwrap()
    };
    let product = product.validate().unwrap();
    let found = determinize_auto(&product, None, 20_000, &Cancel::new()).unwrap();
    let exact = found.exactness.is_exact();
    let certain = found.goals.iter().filter(|goal| goal.certain).map(|goal| {
        let (location, clocks) = (goal.location, goal.clocks.clone());
        CertainGoal { location, clocks }
    });
    let certain: Vec<CertainGoal> = certain.collect();
    let view = found.aimed("goal").validate().unwrap();
    let objective = view.queries.iter().find_map(|query| match &query.formula {
        Formula::Cooperative(objective) => Some(objective.clone()),
        _ => None,
    })?;
    let roots = [Root::initial(&view)];
    let terms = Terms { objective, concept: Concept::Fair, scope: Scope::Cooperative };
    let options = SolveOptions::default();
    let solution = solve(&view, terms, Span::default(), &roots, &options, &mut |_| {}).unwrap();
    let mut cases = Vec::new();
    for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
        let approximated = if exact { Vec::new() } else { vec!["something".to_owned()] };
        let name = "case".to_owned();
        let certain = Some(certain.clone());
        let about = About { name, patience: 5, approximated, certain, ..About::default() };
        cases.extend(test_case(&solution, shape, about).map(|made| made.case));
    }
    assert!(cases.iter().all(|case| case.summary.exact == exact));
    assert!(!exact || cases.iter().all(|case| !case.summary.may_be_uncertain));
    drop(solution);
    (!cases.is_empty()).then_some(Prepared { specification, product, view, exact, cases })
}

/// Whether it is certain that one model conforms to another.
pub fn conforms(implementation: &Model, specification: &Model) -> bool {
    let limits = Limits { visited: Some(20_000), ..Limits::default() };
    let options = SearchOptions { limits, ..SearchOptions::default() };
    let decided = decide(implementation, specification, Relation::Conforms, &options, &mut |_| {});
    decided.unwrap().answer == RelationAnswer::Holds
}
