//! Games small enough to solve by looking at them.

use crate::support;
use crate::support::solved;
use tioga_games::{Root, SolveMethod, Standing};
use tioga_testcase::{Concept, Scope};
use tioga_testkit::model;

/// Whether the tester wins a game of the locations A, where it starts, B and Bad, and a clock x.
fn wins(edges: &str, objective: &str) -> bool {
    let model = model(&format!(
        "model game; input a; output u;
         automaton G {{ clock x; init location A; location B, Bad; {edges} }}
         query control: {objective};"
    ));
    let roots = [Root::initial(&model)];
    let answers = [SolveMethod::OnTheFly, SolveMethod::Backward].map(|method| {
        solved(&model, Concept::Strict, Scope::Winning, &roots, method).is_won(&roots[0]).unwrap()
    });
    assert_eq!(answers[0], answers[1]);
    answers[0]
}

#[test]
fn a_goal_may_be_reached_at_the_moment_of_danger_but_no_input_played() {
    let danger = "A -> Bad : u! when x >= 1;";
    assert!(wins(danger, "A<> (G.A and G.x >= 1)"));
    assert!(!wins(danger, "A<> (G.A and G.x > 1)"));
    assert!(wins(&format!("{danger} A -> B : a? when x < 1;"), "A<> G.B"));
    assert!(!wins(&format!("{danger} A -> B : a? when x >= 1;"), "A<> G.B"));
}

#[test]
fn who_enters_an_open_goal_has_arrived_although_danger_begins_there() {
    let danger = "A -> Bad : u! when x > 1;";
    assert!(wins(danger, "A<> (G.A and G.x > 1)"));
    assert!(!wins("A -> Bad : u! when x > 1;", "A<> (G.A and G.x > 2)"));
}

#[test]
fn a_way_out_must_open_before_the_objective_is_violated() {
    let objective = "A[] (G.B or G.x <= 1)";
    assert!(wins("A -> B : a? when x < 1;", objective));
    assert!(wins("A -> B : a? when x == 1;", objective));
    assert!(!wins("A -> B : a? when x > 1;", objective));
}

#[test]
fn a_way_out_at_the_moment_of_danger_is_too_late() {
    let objective = "A[] not G.Bad";
    assert!(wins("A -> Bad : u! when x == 1; A -> B : a? when x < 1;", objective));
    assert!(!wins("A -> Bad : u! when x == 1; A -> B : a? when x == 1;", objective));
    assert!(wins("A -> Bad : u! when x > 1; A -> B : a? when x == 1;", objective));
}

#[test]
fn danger_and_a_way_out_that_begin_together_are_the_systems() {
    // Whatever moment after 1 the tester chooses, the system can choose an earlier one.
    assert!(!wins("A -> Bad : u! when x > 1; A -> B : a? when x > 1;", "A[] not G.Bad"));
}

#[test]
fn what_releases_the_tester_may_come_at_the_moment_of_danger() {
    let danger = "A -> Bad : u! when x >= 1;";
    assert!(wins(danger, "A[ not G.Bad W G.x >= 1 ]"));
    assert!(!wins(danger, "A[ not G.Bad W G.x > 1 ]"));
}

#[test]
fn a_fail_mark_is_a_verdict_in_fair_games_only() {
    let model = model(
        "model game; input a;
         automaton G { init location A; fail location B; A -> B : a?; }
         query control: A<> G.B;",
    );
    let roots = [Root::initial(&model), support::state(&model, "B")];
    let standings = |concept| {
        let solution = solved(&model, concept, Scope::Winning, &roots, SolveMethod::OnTheFly);
        roots.each_ref().map(|root| solution.standing(root))
    };
    let rank = |steps| Standing::Rank(tioga_testcase::Rank::new(0, steps));
    assert_eq!(standings(Concept::Strict), [rank(1), rank(0)]);
    assert_eq!(standings(Concept::Fair), [Standing::None, Standing::Fail]);
}
