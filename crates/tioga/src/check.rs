//! Which properties a model has, what is reachable in it, and whether testing may rely on it.

use tioga_model::{
    Model, Property, PropertyReport, PropertySubject, PropertyVerdict, properties_until,
};
use tioga_symbolic::{Abstraction, Assumptions, Error, Survey, TimedStep, ZoneGraph};

use crate::Effort;

/// What is known about a model.
#[derive(Debug)]
pub struct Checked {
    /// The properties that its text decides.
    pub properties: Vec<PropertyReport>,
    /// What exploring it showed; nothing if it was not explored.
    pub explored: Option<Result<Explored, Error>>,
}

/// What exploring a model showed.
#[derive(Debug)]
pub struct Explored {
    /// What is reachable.
    pub survey: Survey,
    /// What testing may rely on.
    pub assumptions: Assumptions,
}

/// Looks at a model; at most so many states are explored, and none if there may be none. What is not
/// known when a limit ends the work is unknown, for that reason.
pub fn check(model: &Model, max_states: u64, effort: &mut Effort<'_>) -> Checked {
    let watch = effort.watch_memory();
    let properties = properties_until(model, &effort.cancel);
    let explored = (max_states > 0).then(|| explore(model, &properties, max_states, effort));
    drop(watch);
    Checked { properties, explored }
}

fn explore(
    model: &Model,
    properties: &[PropertyReport],
    max_states: u64,
    effort: &mut Effort<'_>,
) -> Result<Explored, Error> {
    let mut options = effort.options(Some(max_states));
    // Which run refutes something shall not depend on the number of cores.
    options.threads = 1;
    let graph = ZoneGraph::new(model, Abstraction::M, &[])?;
    let mut report = |statistics: &_| effort.search(statistics);
    let (survey, found) = Survey::in_graph(&graph, &options, &mut report);
    let strongly_non_zeno = properties
        .iter()
        .filter(|report| report.property == Property::StronglyNonZeno)
        .filter(|report| matches!(report.scope, PropertySubject::Process(_)))
        .all(|report| report.verdict == PropertyVerdict::Holds);
    let assumptions = Assumptions::after(&survey, &graph, &found, strongly_non_zeno, &options)
        .unwrap_or_else(|error| Assumptions::unknown(model, &error.to_string()));
    Ok(Explored { survey, assumptions })
}

/// How many states are explored to find a timelock before a test.
const STATES_BEFORE_A_TEST: u64 = 1000;

/// A run to a state in which time cannot pass further and nothing but an input can happen, if the first
/// states of a model have one.
pub fn timelock(model: &Model, effort: &mut Effort<'_>) -> Option<Vec<TimedStep>> {
    let mut options = effort.options(Some(STATES_BEFORE_A_TEST));
    options.threads = 1;
    let survey = Survey::of(model, &options, &mut |statistics| effort.search(statistics)).ok()?;
    survey.timelock
}
