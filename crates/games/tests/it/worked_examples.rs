//! The ranks that the papers print.

use crate::support::{solved, standings};
use tioga_games::{Root, SolveMethod, Standing};
use tioga_testcase::{Concept, Rank, Scope};
use tioga_testkit::example;

/// Each state and its rank, for both algorithms.
fn expect(name: &str, expected: &[(&str, &str)]) {
    let model = example(name);
    let states: Vec<&str> = expected.iter().map(|(state, _)| *state).collect();
    let ranks: Vec<&str> = expected.iter().map(|(_, rank)| *rank).collect();
    for method in [SolveMethod::OnTheFly, SolveMethod::Backward] {
        let found = standings(&model, Concept::Fair, Scope::Cooperative, &states, method);
        let lines = states.iter().zip(&found).zip(&ranks);
        let wrong: Vec<_> = lines.filter(|((_, found), rank)| found != *rank).collect();
        assert!(wrong.is_empty(), "{name} by {method:?}, (state, found), expected: {wrong:?}");
    }
}

#[test]
fn conveyor_has_the_ranks_of_hjm22_example_7() {
    expect(
        "conveyor-game",
        &[
            ("D2A; x=0; y=0", "0 0"),
            ("D2A; x=17/2; y=3", "0 0"),
            ("St; x=0; y=0", "1 0"),
            ("St; x=5; y=5", "1 0"),
            ("St; x=3; y=9/2", "1 0"),
            ("St; x=11/2; y=11/2", "1 1"),
            ("St; x=6; y=6", "1 1"),
            ("St; x=11/2; y=1", "1 0"),
            ("Wa; x=0; y=0", "1 1"),
            ("Wa; x=20; y=7/3", "1 1"),
            ("D1St; x=2; y=2", "1 1"),
            ("D2St; x=1; y=6", "1 1"),
            ("St; x=5; y=6", "1 2"),
            ("St; x=0; y=51/10", "1 2"),
            ("St; x=13/2; y=13/2", "fail"),
        ],
    );
}

#[test]
fn complex_has_the_ranks_of_hjm22_example_8() {
    expect(
        "complex",
        &[
            ("l6; x=0", "0 0"),
            ("l5; x=3", "0 1"),
            ("l4; x=9/2", "0 2"),
            ("l4; x=4", "1 0"),
            ("l4; x=0", "1 0"),
            ("l3; x=0", "1 0"),
            ("l3; x=7", "1 0"),
            ("l2; x=5/2", "1 1"),
            ("l2; x=3", "1 2"),
            ("l2; x=9", "1 2"),
            ("l0; x=0", "2 0"),
            ("l0; x=3", "2 0"),
            ("l1; x=0", "2 0"),
            ("l1; x=9", "2 0"),
            ("l0; x=7/2", "2 1"),
        ],
    );
}

#[test]
fn lights_have_the_ranks_of_their_starts() {
    expect("smart-light", &[("Off; x=0; Tp=0", "0 4"), ("Bright; x=1; Tp=0", "0 0")]);
    expect("problematic-light", &[("Off; x=0; Tp=0", "1 1"), ("Bright; x=1; Tp=0", "0 0")]);
}

#[test]
fn strict_games_of_the_lights() {
    for (name, won) in [("smart-light", true), ("problematic-light", false)] {
        let model = example(name);
        let roots = [Root::initial(&model)];
        for method in [SolveMethod::OnTheFly, SolveMethod::Backward] {
            let solution = solved(&model, Concept::Strict, Scope::Winning, &roots, method);
            assert_eq!(solution.is_won(&roots[0]), Some(won), "{name}");
            let solution = solved(&model, Concept::Strict, Scope::Cooperative, &roots, method);
            assert!(matches!(solution.standing(&roots[0]), Standing::Rank(_)), "{name}");
        }
    }
}

#[test]
fn only_bright_is_won_in_the_problematic_light() {
    let model = example("problematic-light");
    let roots = [Root::initial(&model)];
    let solution = solved(&model, Concept::Strict, Scope::Winning, &roots, SolveMethod::OnTheFly);
    for node in solution.game.arena.ids() {
        let state = solution.game.arena.state(node);
        let process = model.processes.iter().next().unwrap();
        let name = &process.locations[state.locations[0]].name;
        let levels = &solution.levels[tioga_base::Id::index(node)];
        assert_eq!(!levels.is_empty(), name == "Bright", "{name}");
        assert!(levels.iter().all(|(rank, _)| rank == Rank::ZERO));
    }
}
