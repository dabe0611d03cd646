//! What is to be checked: a table of ranks, or a trap.

use tioga_model::{ClockConjunction, DiscreteState};
use tioga_testcase::{RankTable, Ranked, Terms, Trap, TrapPlace};

/// A certificate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Claims<'t> {
    /// How far states are from the objective.
    Table(&'t RankTable),
    /// Why the objective cannot be enforced.
    Trap(&'t Trap),
    /// None: only the model and the objective matter.
    None(&'t Terms),
}

/// What a certificate says about a discrete state.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Said<'t> {
    /// Nothing.
    Nothing,
    /// Its ranks.
    Ranks(&'t Ranked),
    /// What of it is in the trap.
    Trap(&'t TrapPlace),
}

impl<'t> Claims<'t> {
    pub fn terms(self) -> &'t Terms {
        match self {
            Self::Table(table) => &table.terms,
            Self::Trap(trap) => &trap.terms,
            Self::None(terms) => terms,
        }
    }

    /// What is said about a discrete state.
    pub fn about(self, discrete: &DiscreteState) -> Said<'t> {
        match self {
            Self::Table(table) => table.places.get(discrete).map_or(Said::Nothing, Said::Ranks),
            Self::Trap(trap) => trap.places.get(discrete).map_or(Said::Nothing, Said::Trap),
            Self::None(_) => Said::Nothing,
        }
    }

    /// Whether a step of the system is to be looked at: in a trap, only those it sticks to.
    pub fn allows(self, discrete: &DiscreteState, index: u32) -> bool {
        match (self, self.about(discrete)) {
            (Self::Table(_) | Self::None(_), _) => true,
            (_, Said::Trap(place)) => place.moves.contains(&index),
            _ => false,
        }
    }
}

impl<'t> Said<'t> {
    pub fn ranks(self) -> Option<&'t Ranked> {
        if let Self::Ranks(ranked) = self { Some(ranked) } else { None }
    }

    /// The zones of states about which something is said.
    pub fn zones(self) -> Vec<&'t ClockConjunction> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Ranks(ranked) => ranked.levels.iter().flat_map(|level| &level.zones).collect(),
            Self::Trap(place) => place.zones.iter().collect(),
        }
    }

    /// The zones with advice.
    pub fn advised(self) -> Vec<&'t ClockConjunction> {
        let rules = self.ranks().map_or(&[][..], |ranked| &ranked.rules);
        rules.iter().flat_map(|rule| &rule.zones).collect()
    }
}
