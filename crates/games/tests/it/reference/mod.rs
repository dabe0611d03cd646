//! Timed games solved on the region graph, straight from the definitions: slow and obvious.
//!
//! Sets are lists of yes and no, one for each region of each discrete state. Nothing is shared with
//! the solver but the model itself.

mod board;
mod operators;
mod regions;
mod strategy;

use tioga_model::{Model, Objective};
use tioga_testcase::{Concept, Rank, Scope, Terms};

pub use board::{Board, Set};
use operators::{Play, union};
pub use strategy::Strategy;

/// The rank of each state of the board, if it has one. Pre: it is the board of this model, and the
/// objective's constants are among its own.
pub fn ranks(board: &Board, model: &Model, terms: &Terms) -> Vec<Option<Rank>> {
    let nothing = vec![false; board.states.len()];
    let mut play = Play { board, concept: terms.concept, forbidden: nothing };
    let holds = |predicate| board.satisfying(model, predicate);
    match &terms.objective {
        Objective::Reach(goal) => hierarchy(&play, &holds(goal), terms.scope),
        Objective::Until(keep, goal) => {
            let goal = holds(goal);
            play.forbidden = play.complement(&union(&holds(keep), &goal));
            hierarchy(&play, &goal, terms.scope)
        }
        Objective::Stay(keep) => avoiding(&play, &holds(keep), &play.set(|_, _| false)),
        Objective::WeakUntil(keep, done) => avoiding(&play, &holds(keep), &holds(done)),
    }
}

/// Where a game is over, whoever has won.
pub fn is_over(board: &Board, model: &Model, terms: &Terms) -> Set {
    let holds = |predicate| board.satisfying(model, predicate);
    let over = match &terms.objective {
        Objective::Reach(goal) => holds(goal),
        Objective::Until(keep, goal) | Objective::WeakUntil(keep, goal) => {
            let outside: Set = holds(keep).iter().map(|keep| !keep).collect();
            union(&outside, &holds(goal))
        }
        Objective::Stay(keep) => holds(keep).iter().map(|keep| !keep).collect(),
    };
    let fair = terms.concept == Concept::Fair;
    let failed: Set = board.states.iter().map(|state| fair && state.marked).collect();
    union(&over, &failed)
}

/// A rising chain of sets, kept as the rank at which each state came in.
struct Chain {
    set: Set,
    ranks: Vec<Option<Rank>>,
}

impl Chain {
    fn new(set: Set) -> Self {
        let ranks = set.iter().map(|inside| inside.then_some(Rank::ZERO)).collect();
        Self { set, ranks }
    }

    /// Adds a larger set; whether it is one.
    fn grow(&mut self, rank: Rank, set: Set) -> bool {
        for (inside, own) in set.iter().zip(&mut self.ranks) {
            if *inside && own.is_none() {
                *own = Some(rank);
            }
        }
        let grows = set != self.set;
        self.set = union(&self.set, &set);
        grows
    }
}

/// The sets W(j,i), or W(n,j,i), from what is to be reached.
fn hierarchy(play: &Play<'_>, goal: &Set, scope: Scope) -> Vec<Option<Rank>> {
    let pass = play.set(|index, _| goal[index]);
    let nothing = play.set(|_, _| false);
    let risks = match scope {
        Scope::SafetyFirst => {
            let ranks = hierarchy(play, goal, Scope::Cooperative);
            let inconclusive = play.set(|index, _| ranks[index].is_none());
            play.by_output(&inconclusive)
        }
        Scope::Winning | Scope::Cooperative => nothing.clone(),
    };
    let mut chain = Chain::new(pass);
    let mut rank = Rank::ZERO;
    loop {
        rank.steps += 1;
        if chain.grow(rank, play.enforce(&chain.set)) {
            continue;
        }
        if scope == Scope::Winning {
            return chain.ranks;
        }
        rank = Rank { losses: rank.losses + 1, steps: 0, ..rank };
        if chain.grow(rank, play.hope(&chain.set, &risks)) {
            continue;
        }
        rank = Rank { risks: rank.risks + 1, losses: 0, steps: 0 };
        if scope != Scope::SafetyFirst || !chain.grow(rank, play.hope(&chain.set, &nothing)) {
            return chain.ranks;
        }
    }
}

/// From where the system can leave `keep` before `done`, by the number of steps it needs.
///
/// The tester is safe in `done`. Elsewhere it must not be lost already, and has two ways: to play an
/// input that leads to safety, with no chance for the system until and at that moment; or to wait,
/// if nothing can ever happen that way, until time is over or the state is one of `done`.
fn avoiding(play: &Play<'_>, keep: &Set, done: &Set) -> Vec<Option<Rank>> {
    let left = play.set(|index, _| !keep[index] && !done[index]);
    let mut chain = Chain::new(left);
    let mut rank = Rank::ZERO;
    loop {
        rank.steps += 1;
        let lost = &chain.set;
        let danger = union(lost, &play.by_output(lost));
        let danger = play.set(|index, _| danger[index] && !done[index]);
        let escape = play.by_input(&play.complement(lost));
        let arrives = play.by_delay(done, &danger, false);
        let escapes = play.by_delay(&escape, &danger, true);
        let next = play.set(|from, _| {
            let (met, _) = play.ahead(from);
            met.iter().any(|state| danger[*state]) && !arrives[from] && !escapes[from]
        });
        let next = union(lost, &next);
        if !chain.grow(rank, next) {
            return chain.ranks;
        }
    }
}
