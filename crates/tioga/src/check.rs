//! The properties of a model, its reachable states, and the assumptions of testing on it.

use tioga_concrete::{TraceEvent, label_of};
use tioga_conform::{ObservedViolation, RelationAnswer};
use tioga_explore::SearchOptions;
use tioga_model::{
    Model, Property, PropertyReport, PropertySubject, PropertyVerdict, properties_until,
};
use tioga_symbolic::{
    Abstraction, AssumptionAnswer, Assumptions, Endless, Error, Restart, Survey, TimedStep,
    ZoneGraph,
};

use crate::Effort;
use crate::ViewOptions;
use crate::conformance::Specification;
use crate::data::DataView;
use crate::trace::with_same_edges;

/// The results about a model.
#[derive(Debug)]
pub struct Checked {
    /// The properties that its text decides.
    pub properties: Vec<PropertyReport>,
    /// The results of exploration; nothing if it was not explored.
    pub explored: Option<Result<Explored, Error>>,
}

/// The results of exploring a model.
#[derive(Debug)]
pub struct Explored {
    /// What is reachable.
    pub survey: Survey,
    /// The assumptions of testing.
    pub assumptions: Assumptions,
    /// An output of the system that its environment cannot take, with the run before it. `None` if there is none, or that
    /// is not known.
    pub untaken_output: Option<(Vec<TimedStep>, TraceEvent)>,
    /// How many classes of data there are, if they were explored instead of values.
    pub classes: Option<usize>,
}

/// How many states are explored to check a model.
const CHECKED_STATES: u64 = 20_000;
/// How much work exploring them may be: bounds of zones and locations looked at.
const CHECKED_WORK: u64 = 20_000_000_000;

/// How many states of a model are explored to check it if nothing else is asked. Fewer of a large one:
/// a state of `n` processes may have `n` successors with `n` steps each, which are applied to `n`
/// locations, and the tightest bounds of a zone take a time that is cubic in its clocks. None of a
/// model of several thousand processes.
pub fn states_to_check(model: &Model) -> u64 {
    let cubed = |count: usize| (count as u64).saturating_pow(3);
    let each = cubed(model.processes.len()).saturating_add(cubed(model.clocks.len() + 1));
    (CHECKED_WORK / each.max(1)).min(CHECKED_STATES)
}

/// Checks a model, with at most `max_states` explored states; 0 means no exploration. Properties
/// that are undecided when a limit ends the work are unknown, with that reason.
pub fn check(model: &Model, max_states: u64, effort: &mut Effort<'_>) -> Checked {
    let properties = properties_until(model, &effort.cancel);
    effort.stop_if_too_large();
    let explored = (max_states > 0).then(|| explore(model, &properties, max_states, effort));
    Checked { properties, explored }
}

fn explore(
    model: &Model,
    properties: &[PropertyReport],
    max_states: u64,
    effort: &mut Effort<'_>,
) -> Result<Explored, Error> {
    let view = DataView::of(model, &[], effort);
    let view = view.map_err(|failure| Error::Unsupported(failure.to_string()))?;
    let mut options = effort.options(Some(max_states));
    // Which run refutes something shall not depend on the number of cores.
    options.threads = 1;
    let untaken_output = untaken_output(model, &options, effort.view);
    let model = view.as_ref().map_or(model, DataView::model);
    let graph = ZoneGraph::new(model, Abstraction::M, &[])?;
    let mut report = |statistics: &_| {
        effort.stop_if_too_large();
        effort.search(statistics);
    };
    let (survey, found) = Survey::in_graph(&graph, &options, &mut report);
    let strongly_non_zeno = properties
        .iter()
        .filter(|report| report.property == Property::StronglyNonZeno)
        .filter(|report| matches!(report.scope, PropertySubject::Process(_)))
        .all(|report| report.verdict == PropertyVerdict::Holds);
    let assumptions = Assumptions::after(&survey, &graph, &found, strongly_non_zeno, &options)
        .unwrap_or_else(|error| Assumptions::unknown(model, &error.to_string()));
    let classes = view.as_ref().map(DataView::count);
    Ok(match &view {
        None => Explored { survey, assumptions, untaken_output, classes },
        Some(view) => {
            let assumptions = real_assumptions(view, assumptions);
            let survey = real_survey(view, survey);
            Explored { survey, assumptions, untaken_output, classes }
        }
    })
}

/// An output that the tester hears and the environment cannot take then: the model does not conform to itself.
fn untaken_output(
    model: &Model,
    options: &SearchOptions,
    view: ViewOptions,
) -> Option<(Vec<TimedStep>, TraceEvent)> {
    let own = Specification::new(model, view);
    let own = own.compare_as_tested(model, options, &mut |_| {})?.ok()?;
    let RelationAnswer::Violated(violation) = &own.decided.answer else { return None };
    let ObservedViolation::Output(step) = &violation.observed else { return None };
    let (last, before) = violation.run.split_last()?;
    let mut run = with_same_edges(model, before)?;
    if !last.delay.is_zero() {
        run.push(TimedStep { delay: last.delay, step: None });
    }
    Some((run, label_of(own.implementation.as_ref()?, step)))
}

/// A survey of representatives with runs of the model; runs without values are left out.
fn real_survey(view: &DataView, survey: Survey) -> Survey {
    let run = |run: Option<Vec<TimedStep>>| run.and_then(|run| view.run(&run).ok());
    Survey {
        timelock: run(survey.timelock),
        deadlock: run(survey.deadlock),
        fault: survey.fault.and_then(|(run, fault, mut step)| {
            let mut further: Vec<_> = step.iter_mut().map(|step| &mut **step).collect();
            Some((view.run_and(&run, &mut further).ok()?, fault, step))
        }),
        nondeterminism: survey.nondeterminism.and_then(|(run, mut steps)| {
            let mut further: Vec<_> = steps.iter_mut().collect();
            Some((view.run_and(&run, &mut further).ok()?, steps))
        }),
        internal: survey
            .internal
            .and_then(|(run, mut step)| Some((view.run_and(&run, &mut [&mut *step]).ok()?, step))),
        ..survey
    }
}

/// What is known of representatives, with runs of the model.
fn real_assumptions(view: &DataView, assumptions: Assumptions) -> Assumptions {
    let answer = |answer: AssumptionAnswer| match answer {
        AssumptionAnswer::Fails(run) => match view.run(&run) {
            Ok(run) => AssumptionAnswer::Fails(run),
            Err(why) => AssumptionAnswer::Unknown(why),
        },
        other => other,
    };
    let endless = |endless: Endless| match endless {
        Endless::Found(lasso) => match view.lasso(&lasso) {
            Ok(lasso) => Endless::Found(lasso),
            Err(why) => Endless::Unknown(why),
        },
        other => other,
    };
    let restart = |restart: Restart| {
        let (possible, returns) = (answer(restart.possible), answer(restart.returns));
        Restart { action: restart.action, possible, returns }
    };
    Assumptions {
        non_blocking: answer(assumptions.non_blocking),
        repeatedly_observable: answer(assumptions.repeatedly_observable),
        zeno: endless(assumptions.zeno),
        zeno_alone: endless(assumptions.zeno_alone),
        restarts: assumptions.restarts.into_iter().map(restart).collect(),
    }
}

/// How many states are explored to find a timelock before a test.
const STATES_BEFORE_A_TEST: u64 = 1000;

/// A run to a state in which time cannot pass further and only an input is possible, if there is one
/// among the first states of a model.
pub fn timelock(model: &Model, effort: &mut Effort<'_>) -> Option<Vec<TimedStep>> {
    let view = DataView::of(model, &[], effort).ok()?;
    let over = view.as_ref().map_or(model, DataView::model);
    let mut options = effort.options(Some(STATES_BEFORE_A_TEST));
    options.threads = 1;
    let survey = Survey::of(over, &options, &mut |statistics| effort.search(statistics)).ok()?;
    match &view {
        Some(view) => view.run(&survey.timelock?).ok(),
        None => survey.timelock,
    }
}
