//! Whether following a strategy does what its ranks promise, on the region graph.

use std::collections::BTreeMap;

use tioga_model::{Model, Objective};
use tioga_testcase::{Advice, Concept, Rank, RankTable, Scope, Terms};

use super::board::{Board, Set, holds_bound};
use super::operators::{Play, union};

/// What the tester should do in each state, and what that is worth.
pub struct Strategy<'a> {
    play: Play<'a>,
    ranks: &'a [Option<Rank>],
    advice: Vec<Option<Advice>>,
    avoiding: bool,
    safety_first: bool,
    /// Where the objective releases a tester that should avoid something.
    done: Set,
}

/// How the states look from a rank.
struct Outlook {
    /// Those of lower rank.
    lower: Set,
    /// Where the system has a move to one of them.
    outputs: Set,
    /// What must not be met on the way.
    avoid: Set,
}

impl<'a> Strategy<'a> {
    /// The strategy of a table. Pre: the ranks are those of the terms, and the table covers all
    /// states.
    pub fn new(
        board: &'a Board,
        model: &Model,
        terms: &Terms,
        ranks: &'a [Option<Rank>],
        table: &RankTable,
    ) -> Self {
        let nothing = vec![false; board.states.len()];
        let mut play = Play { board, concept: terms.concept, forbidden: nothing.clone() };
        let holds = |predicate| board.satisfying(model, predicate);
        let (mut avoiding, mut done) = (false, nothing);
        match &terms.objective {
            Objective::Reach(_) => {}
            Objective::Until(keep, goal) => {
                play.forbidden = play.complement(&union(&holds(keep), &holds(goal)));
            }
            Objective::Stay(_) => avoiding = true,
            Objective::WeakUntil(_, released) => (avoiding, done) = (true, holds(released)),
        }
        let unit = board.regions.unit();
        let advice = board.states.iter().map(|state| {
            let rule = table.advice(&state.place, |bound| holds_bound(bound, &state.region, unit));
            rule.map(|rule| rule.advice.clone())
        });
        let advice = advice.collect();
        let safety_first = terms.scope == Scope::SafetyFirst;
        Self { play, ranks, advice, avoiding, safety_first, done }
    }

    /// The first state in which the strategy does not keep what it promises.
    pub fn flaw(&self) -> Option<usize> {
        if self.avoiding {
            return self.avoiding_flaw();
        }
        let mut outlooks = BTreeMap::new();
        let states = self.play.board.states.iter().enumerate();
        let mut states = states.filter(|(_, state)| self.play.is_on(state));
        let flaw = states.find(|(state, _)| match (self.ranks[*state], &self.advice[*state]) {
            (None, advice) => advice.is_some(),
            (Some(Rank::ZERO), advice) => *advice != Some(Advice::Done),
            (Some(rank), _) => {
                let outlook = outlooks.entry(rank).or_insert_with(|| self.outlook(rank));
                !self.lowers(*state, rank, outlook)
            }
        });
        flaw.map(|(state, _)| state)
    }

    fn outlook(&self, rank: Rank) -> Outlook {
        let lower = self.play.set(|index, _| self.ranks[index].is_some_and(|own| own < rank));
        let unwanted = if rank.is_controlled() {
            self.play.complement(&lower)
        } else {
            // A strategy that puts safety first hopes without a risk if it can.
            let safely = self.safety_first && rank.losses > 0;
            self.play.set(|index, _| safely && self.ranks[index].is_none())
        };
        let avoid = union(&self.play.by_output(&unwanted), &self.play.forbidden);
        Outlook { outputs: self.play.by_output(&lower), lower, avoid }
    }

    /// Whether a state of some rank is followed by a state of lower rank: in any case if that is
    /// the tester's to enforce, otherwise if the system agrees.
    fn lowers(&self, from: usize, rank: Rank, outlook: &Outlook) -> bool {
        let (met, endless) = self.play.ahead(from);
        for state in &met {
            if outlook.lower[*state] {
                return true;
            }
            if outlook.avoid[*state] {
                return false;
            }
            if !rank.is_controlled() && outlook.outputs[*state] {
                return true;
            }
            if self.ranks[*state] != Some(rank) {
                // A fair system has acted by now.
                break;
            }
            match &self.advice[*state] {
                Some(Advice::Play(step)) => {
                    let target = self.play.board.input(*state, *step);
                    return target.is_some_and(|target| outlook.lower[target]);
                }
                Some(Advice::Wait { .. }) => {}
                Some(Advice::Done) | None => return false,
            }
        }
        let acts = match self.play.concept {
            Concept::Strict => !endless && met.last().is_some_and(|last| outlook.outputs[*last]),
            Concept::Fair => met.iter().any(|state| outlook.outputs[*state]),
        };
        rank.is_controlled() && acts
    }

    fn avoiding_flaw(&self) -> Option<usize> {
        let lost = self.play.set(|index, _| self.ranks[index].is_some());
        let danger = union(&lost, &self.play.by_output(&lost));
        let states = self.play.board.states.iter().enumerate();
        let mut safe = states.filter(|(index, state)| state.valid && !lost[*index]);
        let flaw = safe.find(|(from, _)| {
            for state in self.play.ahead(*from).0 {
                match &self.advice[state] {
                    Some(Advice::Done) => return !self.done[state],
                    _ if danger[state] => return true,
                    Some(Advice::Play(step)) => {
                        let target = self.play.board.input(state, *step);
                        return target.is_none_or(|target| lost[target]);
                    }
                    Some(Advice::Wait { .. }) => {}
                    None => return true,
                }
            }
            false
        });
        flaw.map(|(state, _)| state)
    }
}
