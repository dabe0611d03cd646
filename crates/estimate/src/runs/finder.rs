//! From observations to a run: search for explanations, then exact times for one of them.

use tioga_model::Model;
use tioga_symbolic::ClockBounds;

use super::explained::{ModelRun, Seen};
use super::instants;
use super::search::Search;
use crate::{Error, Latencies};

/// Finds runs of a model that explain observations.
#[derive(Clone, Debug)]
pub struct RunFinder<'m> {
    model: &'m Model,
    bounds: ClockBounds,
}

impl<'m> RunFinder<'m> {
    /// For a model.
    ///
    /// # Errors
    /// If the model cannot be followed.
    pub fn new(model: &'m Model) -> Result<Self, Error> {
        Ok(Self { model, bounds: ClockBounds::new(model, &[])? })
    }

    /// A run that explains as many of the observations as possible, from the first on.
    ///
    /// # Errors
    /// If the model cannot be followed, or more explanations than a limit have to be kept apart.
    pub fn find(&self, latencies: &Latencies, seen: &[Seen]) -> Result<ModelRun, Error> {
        latencies.check()?;
        let model = self.model;
        let found = Search::new(model, &self.bounds, latencies, seen)?.run(seen)?;
        let mut certain = found.certain;
        for (process, body) in model.processes.iter_ids() {
            *certain.locations.entry((process, body.initial)).or_default() += 1;
        }
        let timed = instants::timed(model, &found.path, found.reached)?;
        Ok(ModelRun {
            steps: timed.steps,
            last: timed.last,
            end: timed.end,
            explained: found.explained,
            alone: found.alone,
            certain,
        })
    }
}
