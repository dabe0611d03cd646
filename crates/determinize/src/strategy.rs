//! Solving the game: Determinizator avoids states from which exactness may be lost.
//!
//! This is a safety game on a finite graph. The *rank* of a state is the number of challenges
//! after which Spoiler can force a loss; states without a rank are won. A strategy that takes the
//! answer of the highest rank wins where it can and postpones the loss elsewhere. Among equal
//! answers the order of preference decides, and of several orders the smallest result is taken.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::game::Game;

/// Which of equally good answers is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Preference {
    /// The one that resets the fewest clocks.
    FewResets,
    /// The one that resets the most clocks.
    ManyResets,
    /// One that leads to a state that is needed anyway.
    KnownStates,
    /// The first that was tried, of those that lead to states that were opened.
    First,
}

impl Preference {
    /// The orders of preference among answers that have all been tried.
    pub(crate) const ALL: [Self; 3] = [Self::FewResets, Self::ManyResets, Self::KnownStates];
}

/// A choice of answers, and the states it leads to.
#[derive(Debug)]
pub(crate) struct Strategy {
    /// For each state that is reached: for each challenge, the clocks to reset and the state that
    /// follows.
    pub answers: BTreeMap<usize, Vec<(u32, usize)>>,
    /// The states that are reached, in the order of reaching.
    pub reached: Vec<usize>,
}

/// The ranks of all states; nothing for states that are won.
pub(crate) fn ranks(game: &Game) -> Vec<Option<u32>> {
    let mut ranks: Vec<Option<u32>> = Vec::with_capacity(game.nodes.len());
    let mut leading: Vec<Vec<(usize, usize)>> = vec![Vec::new(); game.nodes.len()];
    let mut open: Vec<Vec<usize>> = Vec::with_capacity(game.nodes.len());
    for (number, node) in game.nodes.iter().enumerate() {
        ranks.push((node.lost || !node.losses.is_empty()).then_some(0));
        // Answers that have not been tried may be good ones.
        let left = node.challenges.iter().map(|one| one.answers.len() + one.untried.len());
        open.push(left.collect());
        for (position, challenge) in node.challenges.iter().enumerate() {
            for (_, target) in &challenge.answers {
                leading[*target].push((number, position));
            }
        }
    }
    let mut layer: Vec<usize> = (0..ranks.len()).filter(|node| ranks[*node].is_some()).collect();
    let mut rank = 0;
    while !layer.is_empty() {
        rank += 1;
        let mut next = Vec::new();
        for target in layer {
            for &(number, position) in &leading[target] {
                open[number][position] -= 1;
                if open[number][position] == 0 && ranks[number].is_none() {
                    ranks[number] = Some(rank);
                    next.push(number);
                }
            }
        }
        layer = next;
    }
    ranks
}

impl Strategy {
    /// The best answers by rank, equal ones by preference.
    pub(crate) fn choose(game: &Game, ranks: &[Option<u32>], preference: Preference) -> Self {
        let mut answers: BTreeMap<usize, Vec<(u32, usize)>> = BTreeMap::new();
        let mut known = vec![false; game.nodes.len()];
        let mut reached = vec![0];
        known[0] = true;
        while let Some(&number) = reached.get(answers.len()) {
            let mut chosen = Vec::new();
            for challenge in &game.nodes[number].challenges {
                let tried = challenge.answers.iter().enumerate();
                let best = tried.min_by_key(|(position, (reset, target))| {
                    let rank = Reverse(ranks[*target].unwrap_or(u32::MAX));
                    let count = reset.count_ones();
                    let order = match preference {
                        Preference::FewResets => (false, count),
                        Preference::ManyResets => (false, u32::BITS - count),
                        Preference::KnownStates => (!known[*target], count),
                        Preference::First => (!game.nodes[*target].opened, 0),
                    };
                    let place = if preference == Preference::First { *position } else { 0 };
                    (rank, order, place, *reset)
                });
                let (reset, target) = *best.expect("Determinizator always has an answer").1;
                chosen.push((reset, target));
                if !known[target] {
                    known[target] = true;
                    reached.push(target);
                }
            }
            answers.insert(number, chosen);
        }
        Self { answers, reached }
    }
}
