//! What is observed, and a run that explains it.

use std::collections::BTreeMap;

use tioga_base::{Moment, Rational};
use tioga_concrete::State;
use tioga_model::{EdgeId, LocationId, ProcessId, Step};
use tioga_testcase::Action;

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
