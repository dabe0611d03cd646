//! Replay: whether a model can do what a trace says, and where and why it cannot.
//!
//! A trace with steps, all of which name their edges, is followed exactly, state by state. Any other
//! trace is followed as an observer would: internal steps in it are skipped, and the model may take any
//! (see [`Observer`] for what is guaranteed).

use std::fmt;

use tioga_base::{Budget, Id, Rational};
use tioga_model::{Model, Step};

use crate::interval::Intervals;
use crate::observable::{Observable, Observed};
use crate::observe::{Observer, common_multiple};
use crate::record::{label_of, observable, step_record};
use crate::state::{Error, State};
use crate::step::{Allowed, Semantics};
use crate::trace::{EdgeRecord, Record, StepRecord, Trace, TraceEvent};

/// Limits on a replay that has to guess internal steps.
#[derive(Clone, Debug)]
pub struct ReplayLimits {
    /// The greatest number of internal steps in a run.
    pub internal_steps: u32,
    /// The work to spend.
    pub budget: Budget,
}

/// A trace the model can do.
#[derive(Clone, PartialEq, Debug)]
pub struct Replay {
    /// Where it ends: one state if it was followed exactly.
    pub states: Vec<State>,
    /// Whether it was followed exactly.
    pub exact: bool,
    /// Whether no run was cut off for having used up its internal steps.
    pub complete: bool,
}

/// Where a trace leaves the model.
#[derive(Clone, PartialEq, Debug)]
pub struct Stuck {
    /// The position of the first impossible record, from 0.
    pub record: usize,
    /// What it asked for.
    pub why: Why,
    /// Where the model may be before that record.
    pub states: Vec<State>,
    /// The delays possible there.
    pub delays: Intervals,
    /// The steps possible there, and after which delays.
    pub offers: Vec<Offer>,
    /// Whether no run was cut off for having used up its internal steps; if not, more internal
    /// steps might make the record possible.
    pub complete: bool,
}

/// What an impossible record asked for.
#[derive(Clone, PartialEq, Debug)]
pub enum Why {
    /// Time cannot pass this far.
    Delay(Rational),
    /// The step is not possible now.
    Step(TraceEvent),
    /// The model has nothing of that name, or of that type.
    Unknown(String),
}

/// A step that is possible, and when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// What it shows.
    pub event: TraceEvent,
    /// The edges it takes.
    pub edges: Vec<EdgeRecord>,
    /// The delays after which it is possible.
    pub windows: Intervals,
}

/// Follows a trace through a model.
///
/// Post: the inner result says whether the model can do the trace; the outer error that it could
/// not be decided.
pub fn replay(
    model: &Model,
    trace: &Trace,
    limits: ReplayLimits,
) -> Result<Result<Replay, Stuck>, Error> {
    let semantics = Semantics::new(model);
    if trace.is_exact() {
        replay_exactly(semantics, trace)
    } else {
        replay_observably(semantics, trace, limits)
    }
}

fn replay_exactly(
    mut semantics: Semantics<'_>,
    trace: &Trace,
) -> Result<Result<Replay, Stuck>, Error> {
    let mut state = semantics.initial()?;
    for (position, record) in trace.records.iter().enumerate() {
        let next = match record {
            Record::Delay(delay) => match semantics.delay(&state, *delay)? {
                Ok(next) => Ok(next),
                Err(_) => Err(Why::Delay(*delay)),
            },
            Record::Step(taken) => exact_step(&mut semantics, &state, taken)?,
        };
        match next {
            Ok(next) => state = next,
            Err(why) => {
                let options = vec![semantics.options(&state)?];
                let model = semantics.model();
                return Ok(Err(stuck(model, position, why, vec![state], &options, true)));
            }
        }
    }
    Ok(Ok(Replay { states: vec![state], exact: true, complete: true }))
}

/// The state after a step that names its edges, or why there is none.
fn exact_step(
    semantics: &mut Semantics<'_>,
    state: &State,
    taken: &StepRecord,
) -> Result<Result<State, Why>, Error> {
    let model = semantics.model();
    let wanted = match observable(model, &taken.event) {
        Ok(wanted) => wanted,
        Err(message) => return Ok(Err(Why::Unknown(message))),
    };
    let edges = taken.edges.as_deref().unwrap_or_default();
    if let Some(message) = edges.iter().find_map(|edge| unknown_edge(model, edge)) {
        return Ok(Err(Why::Unknown(message)));
    }
    let options = semantics.options_for(state, wanted.as_ref())?;
    let same = |step: &&Step| {
        Observable::of(step) == wanted
            && step_record(model, step).edges.as_deref() == Some(edges)
            && label_of(model, step) == taken.event
    };
    match options.now().find(same) {
        Some(step) => Ok(Ok(semantics.step(state, step)?)),
        None => Ok(Err(Why::Step(taken.event.clone()))),
    }
}

/// Why the model has no such edge.
fn unknown_edge(model: &Model, edge: &EdgeRecord) -> Option<String> {
    let Some(process) = model.processes.iter().find(|process| process.name == edge.process) else {
        return Some(format!("the model has no process `{}`", edge.process));
    };
    let same = process.edges.get(tioga_model::EdgeId::from_index(edge.edge as usize));
    let same = same.is_some_and(|found| {
        process.locations[found.source].name == edge.source
            && process.locations[found.target].name == edge.target
    });
    (!same).then(|| format!("the model has no edge `{edge}`"))
}

fn replay_observably(
    semantics: Semantics<'_>,
    trace: &Trace,
    limits: ReplayLimits,
) -> Result<Result<Replay, Stuck>, Error> {
    let model = semantics.model();
    let mut denominator = 1;
    for record in &trace.records {
        if let Record::Delay(delay) = record {
            denominator = common_multiple(denominator, delay.denominator())?;
        }
    }
    let mut observer = Observer::new(semantics, denominator, limits.internal_steps, limits.budget)?;
    for (position, record) in trace.records.iter().enumerate() {
        let (observed, why) = match record {
            Record::Delay(delay) => (Ok(Some(Observed::Delay(*delay))), Why::Delay(*delay)),
            Record::Step(taken) => {
                let action = observable(model, &taken.event);
                (action.map(|action| action.map(Observed::Action)), Why::Step(taken.event.clone()))
            }
        };
        let observed = match observed {
            Ok(Some(observed)) => observed,
            Ok(None) => continue,
            Err(message) => {
                let why = Why::Unknown(message);
                return Ok(Err(stuck_observer(&mut observer, model, position, why)?));
            }
        };
        let mut before = observer.clone();
        observer.observe(&observed)?;
        if observer.is_empty() {
            return Ok(Err(stuck_observer(&mut before, model, position, why)?));
        }
    }
    let states = observer.states().cloned().collect();
    Ok(Ok(Replay { states, exact: false, complete: observer.is_complete() }))
}

fn stuck_observer(
    observer: &mut Observer<'_>,
    model: &Model,
    record: usize,
    why: Why,
) -> Result<Stuck, Error> {
    let options = observer.options()?;
    let states = observer.states().cloned().collect();
    Ok(stuck(model, record, why, states, &options, observer.is_complete()))
}

fn stuck(
    model: &Model,
    record: usize,
    why: Why,
    states: Vec<State>,
    options: &[Allowed],
    complete: bool,
) -> Stuck {
    let mut offers: Vec<Offer> = Vec::new();
    let delays = options.iter().map(|options| options.delays).collect();
    for choice in options.iter().flat_map(|options| &options.choices) {
        let StepRecord { event, edges } = step_record(model, &choice.step);
        let edges = edges.unwrap_or_default();
        match offers.iter_mut().find(|offer| offer.event == event && offer.edges == edges) {
            Some(offer) => offer.windows = offer.windows.unite(&choice.windows),
            None => offers.push(Offer { event, edges, windows: choice.windows.clone() }),
        }
    }
    Stuck { record, why, states, delays, offers, complete }
}

/// Says which record is impossible and what was possible instead, one thing per line.
impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {}: ", self.record + 1)?;
        match &self.why {
            Why::Delay(delay) => write!(f, "time cannot pass by {delay}")?,
            Why::Step(event) => write!(f, "`{event}` is not possible now")?,
            Why::Unknown(message) => f.write_str(message)?,
        }
        write!(f, "\npossible delays: {}", self.delays)?;
        for offer in &self.offers {
            write!(f, "\npossible: {} after {}", offer.event, offer.windows)?;
        }
        if self.offers.is_empty() {
            f.write_str("\nno step is possible after any delay")?;
        }
        if !self.complete {
            f.write_str("\nruns with more internal steps were not considered")?;
        }
        Ok(())
    }
}
