//! Ranks and advice for the states of a game.

use std::collections::BTreeMap;

use tioga_model::{ClockBound, ClockConjunction, DiscreteState};

use crate::{Rank, Terms};

/// The ranks of a game with its advice.
///
/// For the objectives `A<> q` and `A[ p U q ]` the levels are the sets W(j,i) of the tester. For
/// `A[] p` and `A[ p W q ]` the system wants to reach a state, and the levels are the system's:
/// from a state with a rank it can enforce a violation of the objective, and the tester wins from
/// the others.
///
/// Ranks are exact for every state that is reachable from the initial state, or from the further
/// roots given to the solver, if the table is complete. For other states, and if it is not
/// complete, a rank is an upper bound, and a missing rank has no meaning.
#[derive(Clone, PartialEq, Debug)]
pub struct RankTable {
    /// The question.
    pub terms: Terms,
    /// Whether the solver came to an end.
    pub complete: bool,
    /// What is known of each discrete state. One that is missing has no ranks.
    pub places: BTreeMap<DiscreteState, Ranked>,
}

/// The ranks of one discrete state.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ranked {
    /// The levels, by rising rank. A valuation has the rank of the first level it is in.
    pub levels: Vec<Level>,
    /// Advice for the tester. The first rule that applies decides; without any, wait.
    pub rules: Vec<Rule>,
}

/// The valuations of a rank; it may include valuations of lower rank.
#[derive(Clone, PartialEq, Debug)]
pub struct Level {
    /// The rank.
    pub rank: Rank,
    /// One of these holds. Bounds are in units of `1 / scale` of the model.
    pub zones: Vec<ClockConjunction>,
}

/// Advice for some valuations.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// The rank of these valuations.
    pub rank: Rank,
    /// One of these holds.
    pub zones: Vec<ClockConjunction>,
    /// What to do.
    pub advice: Advice,
}

/// What to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advice {
    /// The objective is reached.
    Done,
    /// Make this move now: the position in the enumeration of the discrete state's moves.
    Play(u32),
    /// Let time pass, and be ready for the system's moves.
    Wait {
        /// Which moves of the system bring the tester nearer: positions in the enumeration.
        awaited: Vec<u32>,
        /// Which moves of the system would be harmful: positions in the enumeration.
        feared: Vec<u32>,
    },
}

impl RankTable {
    /// The rank of a state whose clocks satisfy exactly the bounds for which `test` is true.
    pub fn rank(&self, state: &DiscreteState, test: impl Fn(&ClockBound) -> bool) -> Option<Rank> {
        let ranked = self.places.get(state)?;
        ranked.levels.iter().find(|level| holds(&level.zones, &test)).map(|level| level.rank)
    }

    /// Advice for a state whose clocks satisfy exactly the bounds for which `test` is true.
    pub fn advice(
        &self,
        state: &DiscreteState,
        test: impl Fn(&ClockBound) -> bool,
    ) -> Option<&Rule> {
        let ranked = self.places.get(state)?;
        ranked.rules.iter().find(|rule| holds(&rule.zones, &test))
    }
}

/// Whether one of the zones holds if exactly the bounds for which `test` is true do.
pub fn holds(zones: &[ClockConjunction], test: impl Fn(&ClockBound) -> bool) -> bool {
    zones.iter().any(|zone| zone.iter().all(&test))
}
