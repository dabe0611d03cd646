//! Models with classes of data have the same ranks as the same models value by value.

use fastrand::Rng;
use tioga_base::{Budget, Span};
use tioga_data::{Solver, classes};
use tioga_games::{Root, SolveOptions, Standing, solve};
use tioga_model::{Model, Objective};
use tioga_testcase::{Concept, Scope, Terms};
use tioga_testkit::{model, objectives};

use crate::random;

/// How often; more on demand.
fn rounds() -> u64 {
    std::env::var("TIOGA_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(15)
}

fn rank(model: &Model, objective: &Objective) -> Standing {
    let terms =
        Terms { objective: objective.clone(), concept: Concept::Fair, scope: Scope::Cooperative };
    let roots = [Root::initial(model)];
    let options = SolveOptions::default();
    let solution = solve(model, terms, Span::default(), &roots, &options, &mut |_| {}).unwrap();
    assert!(solution.complete);
    solution.standing(&roots[0])
}

#[test]
fn ranks_are_those_of_enumeration() {
    let mut reached = 0;
    for seed in 0..rounds() {
        let text = random::model(&mut Rng::with_seed(seed));
        let text = format!("{text}query E<> control: A<> A.Goal;\n");
        let plain = model(&text);
        let objective = objectives(&plain).swap_remove(0);
        let expected = rank(&plain, &objective);
        let found = classes(&plain, &[], &mut Solver::new(), &mut Budget::steps(10_000)).unwrap();
        let count = found.blocks.len();
        let classed = plain.clone().with_classes(found.data);
        assert_eq!(rank(&classed, &objective), expected, "seed {seed}, {count} classes\n{text}");
        reached += u32::from(matches!(expected, Standing::Rank(_)));
    }
    assert!(u64::from(reached) > rounds() / 4, "{reached} goals are reached");
}
