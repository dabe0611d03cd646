//! What a pass of a deterministic view is worth.
//!
//! After an observation, all configurations that explain it may accept, or some run of the model certainly does, or only
//! some configurations do, which may be approximations: then a test passes with an uncertain verdict
//! ([`Verdict::Uncertain`]). A test aims at the surest of these that can be reached, and goes on
//! past the others. It settles for them where its goal is out of reach.

use tioga_model::{ClockConjunction, LocationId};

use crate::Verdict;

/// What counts as a pass in a view.
#[derive(Clone, PartialEq, Debug)]
pub struct ViewPass {
    /// The verdict where the goal of the game is reached.
    pub goal: Verdict,
    /// Where the test settles for less, if the goal is out of reach.
    pub settled: Vec<Settled>,
}

impl Default for ViewPass {
    fn default() -> Self {
        Self { goal: Verdict::Pass, settled: Vec::new() }
    }
}

/// A location of the only process of a view, with bounds on its clocks, and the verdict there.
#[derive(Clone, PartialEq, Debug)]
pub struct Settled {
    /// The location.
    pub location: LocationId,
    /// The bounds.
    pub clocks: ClockConjunction,
    /// The verdict: pass, or uncertain.
    pub verdict: Verdict,
}
