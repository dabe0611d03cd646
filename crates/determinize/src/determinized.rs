//! A deterministic view of a model, with how it relates to the model.

use tioga_model::{
    ClockBound, ClockConjunction, ClockConstraint, LocationId, Network, ProcessId, TimeBound,
};

use crate::exactness::Exactness;
use crate::resources::Resources;

/// A deterministic view of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct Determinized {
    /// The view: one process over clocks `c1` to `ck` with the interface of the model, or the model
    /// itself if it was deterministic.
    pub network: Network,
    /// Where the model accepts, as the view sees it.
    pub goals: Vec<ViewGoal>,
    /// How it relates to the model.
    pub exactness: Exactness,
    /// What it was given.
    pub resources: Resources,
    /// The size of the game that was played; 0 if none was.
    pub game_states: usize,
}

/// Where a model accepts, as its deterministic view sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct ViewGoal {
    /// A location of the view.
    pub location: LocationId,
    /// Bounds on the clocks of the view.
    pub clocks: ClockConjunction,
    /// Which explanations of the observation accept there.
    pub acceptance: Acceptance,
}

/// Which explanations of an observation accept. It is the same for marked locations and for conditions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Acceptance {
    /// Some configurations, which may be approximations (BJSK12 marks these).
    Doubtful,
    /// Some run of the model certainly does, so that the observation is accepted (HJM22, Definition 10).
    SomeRun,
    /// All that explains the observation.
    Everywhere,
}

impl Acceptance {
    /// All kinds, the surest first.
    pub const SUREST_FIRST: [Self; 3] = [Self::Everywhere, Self::SomeRun, Self::Doubtful];

    /// Whether the observation is accepted for certain.
    pub fn is_certain(self) -> bool {
        self != Self::Doubtful
    }
}

impl Determinized {
    /// The view with the objective to get where these explanations accept, without entering a location marked
    /// `refuse` before.
    #[must_use]
    pub fn aimed(&self, acceptance: Acceptance, comment: impl Into<String>) -> Network {
        let constraint = |bound: &ClockBound| ClockConstraint {
            left: bound.left.map(Into::into),
            right: bound.right.map(Into::into),
            strict: bound.strict,
            bound: TimeBound::Constant(bound.bound),
        };
        let goals = self.goals.iter().filter(|goal| goal.acceptance == acceptance).map(|goal| {
            (ProcessId(0), goal.location, goal.clocks.iter().map(constraint).collect())
        });
        self.network.clone().aiming_at(goals.collect(), comment)
    }
}
