//! The solver against the region graph, on random games and on the examples.
//!
//! `TIOGA_GAMES` is how many random games are played and `TIOGA_FIRST_GAME` the number of the
//! first. A failure shows the number and the text of its game.

use crate::random;
use crate::reference::{Board, Strategy, is_over, ranks};
use crate::support;
use fastrand::Rng;
use tioga_base::Span;
use tioga_games::{Error, Root, Solution, SolveMethod, SolveOptions, Standing, solve};
use tioga_model::{Formula, Model, Objective};
use tioga_testcase::{Concept, Rank, Scope, Terms};

/// How many states are roots at most when not only the initial one is.
const ROOTS: usize = 300;

/// States of the reference, each with a valuation of its region.
type States = Vec<(usize, Root)>;

/// One question about a game, and its answer by the reference.
struct Question<'a> {
    model: &'a Model,
    board: &'a Board,
    terms: Terms,
    expected: Vec<Option<Rank>>,
    /// Which game it is, for those who read about a failure.
    game: &'a str,
}

impl<'a> Question<'a> {
    fn solve(
        &self,
        roots: &[Root],
        method: SolveMethod,
        early: bool,
    ) -> Result<Solution<'a>, Error> {
        let options = SolveOptions { method, early, ..SolveOptions::default() };
        solve(self.model, self.terms.clone(), Span::default(), roots, &options, &mut |_| {})
    }

    fn expected(&self, state: usize) -> Standing {
        let fails = self.terms.concept == Concept::Fair && self.board.states[state].marked;
        match self.expected[state] {
            _ if fails => Standing::Fail,
            Some(rank) => Standing::Rank(rank),
            None => Standing::None,
        }
    }

    /// Both algorithms know the ranks of the states asked about.
    fn compare(&self, roots: &[Root], asked: &States) -> Result<(), Error> {
        for method in [SolveMethod::OnTheFly, SolveMethod::Backward] {
            let solution = self.solve(roots, method, false)?;
            assert!(solution.complete);
            for (state, root) in asked {
                let (found, expected) = (solution.standing(root), self.expected(*state));
                assert!(
                    found == expected,
                    "{found:?} instead of {expected:?} by {method:?} from {} roots {}",
                    roots.len(),
                    self.describe(root)
                );
            }
        }
        Ok(())
    }

    /// Ending early yields a rank of the start if there is one, and no rank that is too low.
    /// A trap contains the start, and nothing that can be won. Whether there is a trap.
    fn compare_early(&self, asked: &States, everywhere: &States) -> Result<bool, Error> {
        let start = Root::initial(self.model);
        let solution = self.solve(std::slice::from_ref(&start), SolveMethod::OnTheFly, true)?;
        let known = matches!(solution.standing(&start), Standing::Rank(_));
        let ranked = self.expected[self.board.initial()].is_some();
        assert!(known == ranked, "ended early with {known} {}", self.describe(&start));
        for (state, root) in asked {
            if let Standing::Rank(rank) = solution.standing(root) {
                let least = self.expected[*state];
                assert!(
                    least.is_some_and(|least| least <= rank),
                    "{rank:?} below {least:?} when ended early {}",
                    self.describe(root)
                );
            }
        }
        let Some(trap) = solution.trap() else { return Ok(false) };
        let contains = |root: &Root| {
            trap.contains(&root.state, |bound| support::meets(self.model, bound, &root.clocks))
        };
        assert!(contains(&start), "outside its trap {}", self.describe(&start));
        assert_eq!(solution.is_won(&start), Some(false));
        for (state, root) in everywhere {
            let won = contains(root) && self.expected[*state].is_some();
            assert!(!won, "won in a trap {}", self.describe(root));
        }
        Ok(true)
    }

    /// Both algorithms' strategies, from all states, do what their ranks promise.
    fn check_strategies(&self, roots: &[Root]) -> Result<(), Error> {
        for method in [SolveMethod::OnTheFly, SolveMethod::Backward] {
            let table = self.solve(roots, method, false)?.table();
            let Self { board, model, terms, expected, .. } = self;
            if let Some(state) = Strategy::new(board, model, terms, expected, &table).flaw() {
                let root = board.root(state);
                panic!("a flaw of the strategy by {method:?} {}", self.describe(&root));
            }
        }
        Ok(())
    }

    fn describe(&self, root: &Root) -> String {
        let clocks: Vec<String> = root.clocks.iter().map(ToString::to_string).collect();
        let Terms { objective, concept, scope } = &self.terms;
        let locations = &root.state.locations;
        format!("in {locations:?} {clocks:?}\n{concept:?} {scope:?} {objective:?}\n{}", self.game)
    }
}

/// Compares all answers about a model's objectives; how many states were asked about,
/// and how many games were lost in a trap.
fn compare(model: &Model, seed: u64, game: &str) -> Result<(usize, usize), Error> {
    let objectives = objectives(model);
    let board = Board::of(model, &objectives);
    let everywhere = sample(&board, seed);
    let mut roots = vec![Root::initial(model)];
    roots.extend(everywhere.iter().map(|(_, root)| root.clone()));
    let (mut asked, mut traps) = (0, 0);
    for terms in objectives.iter().flat_map(questions) {
        let expected = ranks(&board, model, &terms);
        let reachable = board.reachable(&is_over(&board, model, &terms));
        let question = Question { model, board: &board, terms, expected, game };
        question.compare(&roots, &everywhere)?;
        question.compare(&roots[..1], &reachable)?;
        traps += usize::from(question.compare_early(&reachable, &everywhere)?);
        if everywhere.len() < ROOTS {
            question.check_strategies(&roots)?;
        }
        asked += everywhere.len() + reachable.len();
    }
    Ok((asked, traps))
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

/// States within their invariant, reachable or not: all of them if they are not too many.
fn sample(board: &Board, seed: u64) -> States {
    let mut states: Vec<usize> =
        (0..board.states.len()).filter(|state| board.states[*state].valid).collect();
    Rng::with_seed(seed).shuffle(&mut states);
    states.truncate(ROOTS);
    states.into_iter().map(|state| (state, board.root(state))).collect()
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}

#[test]
fn ranks_of_random_games_are_those_of_the_region_graph() {
    let (first, games) = (number("TIOGA_FIRST_GAME", 0), number("TIOGA_GAMES", 1000));
    let (mut asked, mut refused, mut trapped) = (0, 0, 0);
    for seed in first..first + games {
        let text = random::game(seed);
        match compare(&tioga_testkit::model(&text), seed, &format!("game {seed}:\n{text}")) {
            Ok((states, traps)) => (asked, trapped) = (asked + states, trapped + traps),
            Err(_) => refused += 1,
        }
    }
    println!("{games} games, {refused} refused, {asked} states asked about, {trapped} traps");
    assert_eq!(refused, 0, "the solver supports all that these games use");
    assert!(games < 100 || trapped > 0, "some games are lost in a trap");
}

#[test]
fn ranks_of_the_examples_are_those_of_the_region_graph() {
    for name in ["complex", "conveyor-game", "smart-light", "problematic-light"] {
        assert_ne!(compare(&tioga_testkit::example(name), 0, name).unwrap().0, 0);
    }
}
