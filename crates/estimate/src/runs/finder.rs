//! From observations to a run: search for explanations, then exact times for one of them.

use tioga_concrete::Semantics;
use tioga_model::Model;
use tioga_symbolic::ClockBounds;

use super::explained::{ModelRun, RunStep, Seen};
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
        let mut run = ModelRun {
            steps: timed.steps,
            last: timed.last,
            end: timed.end,
            explained: found.explained,
            alone: found.alone,
            certain,
        };
        if run.explained == seen.len() {
            settle(model, &mut run);
        }
        Ok(run)
    }
}

/// How many steps at once may follow the last observation.
const AT_ONCE: usize = 1000;

/// Adds the internal steps that come at once and alone at the end of a run: they belong to the step before, which ended
/// the test. They are certain if there is no other explanation.
fn settle(model: &Model, run: &mut ModelRun) {
    let mut semantics = Semantics::new(model);
    for _ in 0..AT_ONCE {
        let Some(step) = semantics.instant(&run.last) else { return };
        let Ok(after) = semantics.step(&run.last, &step) else { return };
        if run.alone {
            run.certain.count(model, &step);
        }
        let before = std::mem::replace(&mut run.last, after);
        run.steps.push(RunStep { step, at: run.end, before, seen: None });
    }
}
