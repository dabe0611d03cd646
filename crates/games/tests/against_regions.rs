//! The solver against the region graph, on random games.
//!
//! `TIOGA_GAMES=100000 cargo test --release -p tioga-games --test against_regions` plays more of
//! them; `TIOGA_FIRST_GAME=4711` starts with that one.
#![allow(clippy::unwrap_used, reason = "tests")]

mod random;
mod reference;
mod support;

use fastrand::Rng;
use reference::{Board, is_over, ranks};
use tioga_base::Span;
use tioga_games::{Error, Method, Root, SolveOptions, Standing, solve};
use tioga_model::{Formula, Model, Objective};
use tioga_testcase::{Concept, Scope, Terms};

/// How many states are roots at most when not only the initial one is.
const ROOTS: usize = 300;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |text| text.parse().unwrap())
}

fn objectives(model: &Model) -> Vec<Objective> {
    let objectives = model.queries.iter().filter_map(|query| match &query.formula {
        Formula::Control(objective) => Some(objective.clone()),
        _ => None,
    });
    objectives.collect()
}

/// All that can be asked about an objective.
fn questions(objective: &Objective) -> Vec<Terms> {
    let kinds: &[(Concept, Scope)] = match objective {
        Objective::Reach(_) | Objective::Until(..) => &[
            (Concept::Strict, Scope::Winning),
            (Concept::Strict, Scope::Cooperative),
            (Concept::Fair, Scope::Winning),
            (Concept::Fair, Scope::Cooperative),
            (Concept::Fair, Scope::SafetyFirst),
        ],
        Objective::Stay(_) | Objective::WeakUntil(..) => &[(Concept::Strict, Scope::Winning)],
    };
    let terms = |&(concept, scope)| Terms { objective: objective.clone(), concept, scope };
    kinds.iter().map(terms).collect()
}

/// Compares a model's games with the reference; how many answers were compared.
fn compare(model: &Model, seed: u64, context: &str) -> Result<usize, Error> {
    let objectives = objectives(model);
    let board = Board::of(model, &objectives);
    let mut rng = Rng::with_seed(seed);
    let mut everywhere: Vec<usize> =
        (0..board.states.len()).filter(|state| board.states[*state].valid).collect();
    rng.shuffle(&mut everywhere);
    everywhere.truncate(ROOTS);
    let everywhere: Vec<_> = everywhere.iter().map(|state| (*state, board.root(*state))).collect();
    let mut compared = 0;
    for terms in objectives.iter().flat_map(questions) {
        let expected = ranks(&board, model, &terms);
        let reachable = board.reachable(&is_over(&board, model, &terms));
        for (from_all, asked) in [(true, &everywhere), (false, &reachable)] {
            let mut roots = vec![Root::initial(model)];
            roots.extend(asked.iter().filter(|_| from_all).map(|(_, root)| root.clone()));
            for method in [Method::OnTheFly, Method::Backward] {
                let options = SolveOptions { method, ..SolveOptions::default() };
                let found =
                    solve(model, terms.clone(), Span::default(), &roots, &options, &mut |_| {})?;
                assert!(found.complete);
                for (state, root) in asked {
                    let fails = terms.concept == Concept::Fair && board.states[*state].marked;
                    let standing = match expected[*state] {
                        _ if fails => Standing::Fail,
                        Some(rank) => Standing::Rank(rank),
                        None => Standing::None,
                    };
                    assert_eq!(
                        found.standing(root),
                        standing,
                        "left: solver, right: reference, in {root:?}\n{terms:?}\n{method:?}, all \
                         states as roots: {from_all}\n{context}",
                    );
                    compared += 1;
                }
            }
        }
    }
    Ok(compared)
}

#[test]
fn ranks_of_random_games_are_those_of_the_region_graph() {
    let first = number("TIOGA_FIRST_GAME", 0);
    let games = number("TIOGA_GAMES", 500);
    let (mut refused, mut compared) = (0, 0);
    for seed in first..first + games {
        let text = random::game(seed);
        let model = support::model(&text);
        match compare(&model, seed, &format!("game {seed}:\n{text}")) {
            Ok(count) => compared += count,
            Err(_) => refused += 1,
        }
    }
    println!("{games} games, {refused} refused, {compared} answers compared");
    assert!(refused * 10 < games, "{refused} of {games} games were refused");
}
