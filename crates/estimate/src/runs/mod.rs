//! Which runs of a model explain what was observed, edge by edge.
//!
//! An estimate says where a model may be; this says how it got there. Every explanation is a sequence of steps of the
//! model: [`RunFinder`] gives one with exact times, and of each edge and location how often *every* explanation takes or
//! enters it at least. With exact moments and without silent steps there is usually one explanation only.
//!
//! Each message may take any time within the latencies. An estimate also knows that the constant part is the same for
//! all messages of a run, so there may be explanations here that it excludes; it excludes none that are here missing.

mod instants;
mod search;
mod trails;

use std::collections::BTreeMap;

use tioga_base::{Moment, Rational};
use tioga_concrete::State;
use tioga_model::{EdgeId, LocationId, Model, ProcessId, Step};
use tioga_symbolic::ClockBounds;
use tioga_testcase::Action;

use self::search::Search;
use crate::{Error, Latencies};

/// Something that a tester observed.
#[derive(Clone, PartialEq, Debug)]
pub enum Seen {
    /// It sent an input.
    Input(Action, Moment),
    /// It saw an output.
    Output(Action, Moment),
    /// It saw nothing up to this time.
    Quiet(Rational),
}

/// A run of a model that explains what was observed.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelRun {
    /// The steps in order.
    pub steps: Vec<RunStep>,
    /// Where the run is at its end.
    pub last: State,
    /// The time of its end.
    pub end: Rational,
    /// How many of the observations it explains, from the first on.
    pub explained: usize,
    /// Whether no other sequence of steps explains the same.
    pub alone: bool,
    /// What all explanations have in common.
    pub certain: Certain,
}

/// A step of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct RunStep {
    /// What is taken.
    pub step: Step,
    /// When: the least time with which the whole run is possible.
    pub at: Rational,
    /// Where the run is right before.
    pub before: State,
    /// The position of the observation that shows the step; nothing if it is silent.
    pub seen: Option<usize>,
}

/// How often every explanation takes an edge and enters a location, at least. The start enters the initial locations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Certain {
    /// The edges.
    pub edges: BTreeMap<(ProcessId, EdgeId), u64>,
    /// The locations.
    pub locations: BTreeMap<(ProcessId, LocationId), u64>,
}

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
