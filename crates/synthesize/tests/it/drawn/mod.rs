//! Random specifications, the test cases made from them, and a bench to run these on.

pub mod bench;
pub mod specification;

use tioga_base::{Cancel, Span};
use tioga_conform::{Relation, RelationAnswer, decide};
use tioga_determinize::{Acceptance, Determinized, determinize_auto};
use tioga_explore::{Limits, SearchOptions};
use tioga_games::{Root, SolveOptions, solve};
use tioga_model::{Formula, Model};
use tioga_synthesize::{About, test_case};
use tioga_testcase::{Concept, Scope, Settled, Shape, Terms, TestCase, Verdict, ViewPass};
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
    let mut made = Acceptance::SUREST_FIRST.into_iter().map(|asked| cases(&found, asked));
    let (view, cases) = made.find(|(_, cases)| !cases.is_empty())?;
    let exact = found.exactness.is_exact();
    Some(Prepared { specification, product, view, exact, cases })
}

/// The view that is asked to get where these explanations accept, and its test cases.
pub fn cases(found: &Determinized, asked: Acceptance) -> (Model, Vec<TestCase>) {
    let exact = found.exactness.is_exact();
    let less = found.goals.iter().filter(|goal| goal.acceptance < asked);
    let verdict = |own: Acceptance| match own.is_certain() {
        true => Verdict::Pass,
        false => Verdict::Uncertain,
    };
    let settled = less.map(|goal| Settled {
        location: goal.location,
        clocks: goal.clocks.clone(),
        verdict: verdict(goal.acceptance),
    });
    let pass = ViewPass { goal: verdict(asked), settled: settled.collect() };
    let view = found.aimed(asked, "goal").validate().unwrap();
    let mut cases = Vec::new();
    let mut queries = view.queries.iter().map(|query| &query.formula);
    if let Some(Formula::Cooperative(objective)) = queries.next().cloned() {
        let roots = [Root::initial(&view)];
        let terms = Terms { objective, concept: Concept::Fair, scope: Scope::Cooperative };
        let how = SolveOptions::default();
        let solution = solve(&view, terms, Span::default(), &roots, &how, &mut |_| {}).unwrap();
        for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
            let approximated = if exact { Vec::new() } else { vec!["something".to_owned()] };
            let (name, pass) = ("case".to_owned(), pass.clone());
            let about = About { name, patience: 5, approximated, pass, ..About::default() };
            cases.extend(test_case(&solution, shape, about).map(|made| made.case));
        }
    }
    assert!(cases.iter().all(|case| case.summary.exact == exact));
    assert!(!exact || cases.iter().all(|case| !case.summary.may_be_uncertain));
    (view, cases)
}

/// Whether it is certain that one model conforms to another.
pub fn conforms(implementation: &Model, specification: &Model) -> bool {
    let limits = Limits { visited: Some(20_000), ..Limits::default() };
    let options = SearchOptions { limits, ..SearchOptions::default() };
    let decided = decide(implementation, specification, Relation::Conforms, &options, &mut |_| {});
    decided.unwrap().answer == RelationAnswer::Holds
}
