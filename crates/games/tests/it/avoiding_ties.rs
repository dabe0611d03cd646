//! Who comes first when the tester can get away at the moment the system can strike.

use crate::support::objective;
use tioga_base::Span;
use tioga_games::{Root, SolveOptions, solve};
use tioga_testcase::{Concept, Scope, Terms};
use tioga_testkit::model;

fn is_safe(strike: &str, escape: &str, refuge: &str, concept: Concept) -> bool {
    let model = model(&format!(
        "model ties;
         input away;
         output strike;
         automaton G {{
           clock x;
           init location start;
           location bad;
           {refuge} location refuge;
           start -> bad : strike! when {strike};
           start -> refuge : away? when {escape};
         }}
         query control: A[] not G.bad;"
    ));
    let terms = Terms { objective: objective(&model), concept, scope: Scope::Winning };
    let roots = [Root::initial(&model)];
    let options = SolveOptions::default();
    let solution = solve(&model, terms, Span::default(), &roots, &options, &mut |_| {}).unwrap();
    solution.is_won(&roots[0]).unwrap()
}

#[test]
fn an_escape_must_come_strictly_before_the_strike() {
    assert!(is_safe("x >= 3", "x < 3", "", Concept::Strict));
    assert!(is_safe("x > 3", "x >= 3", "", Concept::Strict));
    assert!(!is_safe("x >= 3", "x >= 3", "", Concept::Strict));
    assert!(!is_safe("x >= 3", "x > 3", "", Concept::Strict));
}

#[test]
fn where_no_moment_is_the_first_the_system_still_goes_first() {
    assert!(!is_safe("x > 3", "x > 3", "", Concept::Strict));
}

#[test]
fn a_failed_test_is_no_refuge() {
    assert!(!is_safe("x >= 3", "x < 3", "fail", Concept::Fair));
    assert!(is_safe("x >= 3", "x < 3", "fail", Concept::Strict));
}
