//! What explains a run: the states of the model, of the system alone, and of a system that nothing hinders.

use tioga_base::Cancel;
use tioga_estimate::{Estimator, Latencies, ModelBoard};
use tioga_model::{Condition, Model, Predicate};

use crate::error::Error;

/// How estimates are made.
#[derive(Clone, Copy)]
pub(super) struct Terms<'t> {
    pub latency: Latencies,
    /// Whether single messages may take longer.
    pub lenient: bool,
    /// Ends their steps.
    pub cancel: &'t Cancel,
}

/// What explains a run of this model that has not begun yet; these sets of states are asked about.
pub(super) fn estimator<'m>(
    model: &'m Model,
    asked: &[Option<&Predicate>],
    terms: Terms<'_>,
) -> Result<Estimator<ModelBoard<'m>>, Error> {
    let asked: Vec<&Condition> =
        asked.iter().flatten().flat_map(|predicate| predicate.conditions()).collect();
    let board = ModelBoard::new(model, &asked)?;
    let Terms { latency, lenient, cancel } = terms;
    let mut estimator = match lenient {
        true => Estimator::lenient(board, latency)?,
        false => Estimator::new(board, latency)?,
    };
    estimator.stop_with(cancel);
    Ok(estimator)
}

/// What explains a run by the system alone, if it is only a part of the model.
pub(super) fn alone<'m>(
    model: &'m Model,
    terms: Terms<'_>,
) -> Result<Option<Estimator<ModelBoard<'m>>>, Error> {
    let alone = model.system_alone().ok().flatten();
    alone.map(|alone| estimator(alone, &[], terms)).transpose()
}

/// What explains a run by a system that is hindered by nothing, if it cannot be had alone.
pub(super) fn unhindered<'m>(
    model: &'m Model,
    terms: Terms<'_>,
) -> Result<Option<Estimator<ModelBoard<'m>>>, Error> {
    let unhindered = model.unhindered();
    unhindered.map(|unhindered| estimator(unhindered, &[], terms)).transpose()
}

/// What explains a run by all that belongs to the system.
pub(super) fn whole<'m>(
    model: &'m Model,
    terms: Terms<'_>,
) -> Result<Estimator<ModelBoard<'m>>, Error> {
    match alone(model, terms)? {
        Some(alone) => Ok(alone),
        None => estimator(model, &[], terms),
    }
}
