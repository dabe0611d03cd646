//! The certain part of the goal of a deterministic view.
//!
//! A view that approximates its model may not know whether the model accepts after an observation:
//! some of the configurations that explain it do, others do not. Then a test passes with an
//! uncertain verdict ([`Verdict::Uncertain`](crate::Verdict::Uncertain)).

use tioga_model::{ClockConjunction, LocationId};

/// A certain part of the goal: a location of the only process of a view, with bounds on its clocks.
#[derive(Clone, PartialEq, Debug)]
pub struct CertainGoal {
    /// The location.
    pub location: LocationId,
    /// The bounds.
    pub clocks: ClockConjunction,
}
