//! What is determinized: a model, and what is to be reached in it.

use tioga_base::Span;
use tioga_model::{Condition, Model, TimeBound};

use crate::Resources;

/// A model, and the states in which it accepts.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'m> {
    /// The model.
    pub model: &'m Model,
    /// A condition that holds where it accepts, and where that was written; otherwise its locations marked
    /// `accept` count.
    pub goal: Option<(&'m Condition, Span)>,
}

impl<'m> From<&'m Model> for Subject<'m> {
    fn from(model: &'m Model) -> Self {
        Self { model, goal: None }
    }
}

impl Subject<'_> {
    /// The resources of the model; the greatest constant counts those of the goal.
    #[must_use]
    pub fn resources(&self) -> Option<Resources> {
        let own = Resources::of(self.model)?;
        let mut greatest = own.max_constant;
        for bound in self.goal_bounds() {
            let TimeBound::Constant(value) = bound else { return None };
            greatest = greatest.max(u32::try_from(value.unsigned_abs()).ok()?);
        }
        Some(Resources { max_constant: greatest, ..own })
    }

    /// The bounds that the goal compares clocks with.
    pub(crate) fn goal_bounds(&self) -> impl Iterator<Item = TimeBound> {
        let disjuncts = self.goal.into_iter().flat_map(|(condition, _)| &condition.disjuncts);
        disjuncts.flat_map(|conjunct| &conjunct.clocks).map(|constraint| constraint.bound)
    }
}
