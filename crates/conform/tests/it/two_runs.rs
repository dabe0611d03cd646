//! A simulation by two runs at once, where one run would have to know what comes next.

use tioga_base::Cancel;
use tioga_conform::{Nondeterministic, Relation, RelationAnswer};
use tioga_explore::SearchOptions;
use tioga_testkit::model;

/// A `b` comes one time unit after some `a`, and nothing tells which.
const SOME: &str = "output a, b; automaton S { clock x; init location L; location M;
    L -> L : a!; L -> M : a! do x = 0; M -> M : a!; M -> L : b! when x == 1; }";

fn is_simulated(implementation: &str) -> bool {
    let (implementation, specification) = (model(implementation), model(SOME));
    let asked = Nondeterministic {
        implementation: &implementation,
        specification: &specification,
        relation: Relation::Conforms,
        cancel: &Cancel::new(),
    };
    let decided = asked.decide_by_simulation(None, &SearchOptions::default(), &mut |_| ());
    decided.is_some_and(|decided| decided.answer == RelationAnswer::Holds)
}

#[test]
fn what_needs_a_guess_is_followed_by_two_runs() {
    // The `b` is due after the last `a`, and after any but the first.
    assert!(is_simulated(&SOME.replace("M -> M : a!;", "M -> M : a! do x = 0;")));
    assert!(is_simulated(&SOME.replace("M -> M : a!;", "M -> L : a!;")));
    assert!(is_simulated(&SOME.replace("L -> L : a!;", "M -> L : a!;")));
}

#[test]
fn two_runs_show_no_more_than_one_may_do() {
    for wrong in ["x == 2", "x >= 1", "x < 1"] {
        assert!(!is_simulated(&SOME.replace("x == 1", wrong)), "{wrong}");
    }
    assert!(!is_simulated(&SOME.replace("L -> L : a!;", "L -> L : b!;")));
}
