//! What a condition says about clocks when its data is not looked at.
//!
//! Many questions are settled by constant clock bounds alone; only the rest needs data values.

use crate::{ClockBound, ClockConjunction, ClockConstraint, Condition, Conjunct, TimeBound};

/// The constant clock constraints of a conjunct. They follow from it; nothing else does if the flag
/// is set, for then they are all it says.
fn constant_part(conjunct: &Conjunct) -> (ClockConjunction, bool) {
    let bounds: ClockConjunction = conjunct.clocks.iter().filter_map(constant_bound).collect();
    let exact = conjunct.data.is_none() && bounds.len() == conjunct.clocks.len();
    (bounds, exact)
}

fn constant_bound(constraint: &ClockConstraint) -> Option<ClockBound> {
    let fixed = |term: &Option<crate::ClockTerm>| term.is_none_or(|term| term.index.is_none());
    let TimeBound::Constant(bound) = constraint.bound else { return None };
    (fixed(&constraint.left) && fixed(&constraint.right)).then_some(ClockBound {
        left: constraint.left.map(|term| term.clock),
        right: constraint.right.map(|term| term.clock),
        strict: constraint.strict,
        bound,
    })
}

/// Conjunctions one of which holds whenever the condition does.
pub(super) fn weakened(condition: &Condition) -> Vec<ClockConjunction> {
    condition.disjuncts.iter().map(|conjunct| constant_part(conjunct).0).collect()
}

/// Conjunctions each of which makes the condition hold.
pub(super) fn strengthened(condition: &Condition) -> Vec<ClockConjunction> {
    let parts = condition.disjuncts.iter().map(constant_part);
    parts.filter_map(|(bounds, exact)| exact.then_some(bounds)).collect()
}

/// The clock constraints of all disjuncts, if none depends on data.
pub(super) fn constant_clocks(condition: &Condition) -> Option<Vec<ClockBound>> {
    condition.disjuncts.iter().flat_map(|conjunct| &conjunct.clocks).map(constant_bound).collect()
}

/// Whether the condition depends on clocks and constants only.
pub(super) fn is_constant(condition: &Condition) -> bool {
    condition.disjuncts.iter().all(|conjunct| constant_part(conjunct).1)
}
