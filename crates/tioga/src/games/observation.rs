//! Whether the observations determine the state of a model. Ranks depend on the state, so they must.

use tioga_base::Diagnostic;
use tioga_concrete::step_record;
use tioga_explore::{Limits, SearchOptions};
use tioga_model::{
    ChannelUse, Edge, Label, Model, ProcessId, Property, PropertyReport, PropertySubject,
    PropertyVerdict, Role, properties_among,
};
use tioga_symbolic::Survey;

use crate::failure::stopped;
use crate::words::{action, edges};
use crate::{Effort, Failure};

/// Whether the text alone shows that the observations determine the state: every process of the system
/// is deterministic and observable, a purpose that observes it is deterministic, and no two processes
/// may take the same input or give the same output.
pub fn is_plain(model: &Model) -> bool {
    let observer = model.observing.as_ref().map(|observing| observing.process);
    let wanted = |id: ProcessId, property: Property| match property {
        Property::Deterministic => {
            model.processes[id].role != Role::Environment || observer == Some(id)
        }
        Property::Observable => model.processes[id].role != Role::Environment,
        _ => false,
    };
    let is_fine = |report: &PropertyReport| {
        let fine =
            matches!(report.verdict, PropertyVerdict::Holds | PropertyVerdict::NotApplicable(_));
        let PropertySubject::Process(name) = &report.scope else { return true };
        let id = model.processes.iter_ids().find(|(_, process)| process.name == *name);
        fine || id.is_some_and(|(id, _)| !wanted(id, report.property))
    };
    let asked = [Property::Deterministic, Property::Observable];
    !is_shared(model) && properties_among(model, &asked).iter().all(is_fine)
}

/// Whether several processes of the system may take the same input or give the same output. The
/// receivers of a broadcast take it together, and the process does not matter if its move changes
/// nothing.
fn is_shared(model: &Model) -> bool {
    let visible = model.channels.iter_ids().filter(|(_, channel)| channel.direction.is_some());
    visible.into_iter().any(|(id, channel)| {
        let uses = |pick: fn(&Label) -> Option<&ChannelUse>| {
            let system = model.processes.iter().filter(|one| one.role != Role::Environment);
            let (mut users, mut changes) = (0, false);
            for process in system {
                let own = |edge: &&Edge| pick(&edge.label).is_some_and(|used| used.covers(id));
                let mut edges = process.edges.iter().filter(own).peekable();
                users += u32::from(edges.peek().is_some());
                let idle = |edge: &Edge| {
                    edge.source == edge.target && edge.updates.is_empty() && edge.reply.is_none()
                };
                changes |= edges.any(|edge| !idle(edge));
            }
            users > 1 && changes
        };
        let vectors = model.syncs.iter().filter(|sync| sync.shown == Some(id)).count();
        uses(sent) || uses(received) && !channel.broadcast || vectors > 1
    })
}

fn sent(label: &Label) -> Option<&ChannelUse> {
    if let Label::Send(used) = label { Some(used) } else { None }
}

fn received(label: &Label) -> Option<&ChannelUse> {
    if let Label::Receive(used) = label { Some(used) } else { None }
}

/// The advice of ranks depends on the state, so the tester must know it: a model with an interface
/// must be deterministic and observable.
pub fn require_observation(model: &Model, limits: Limits) -> Result<(), Failure> {
    let has_interface = model.channels.iter().any(|channel| channel.direction.is_some());
    if !has_interface || is_plain(model) {
        return Ok(());
    }
    let cancel = limits.cancel.clone();
    match observation(model, limits) {
        _ if cancel.is_cancelled() => Err(stopped("the search", &cancel)),
        Err(error) => Err(Diagnostic::global("unsupported", error.to_string()).into()),
        Ok(Observation::Clear) => Ok(()),
        Ok(Observation::Hidden(message)) => {
            Err(Diagnostic::global("not-observable", message).into())
        }
        Ok(Observation::Ambiguous(message)) => {
            Err(Diagnostic::global("nondeterministic", message).into())
        }
        Ok(Observation::Unknown(message)) => {
            let help = "`--max-states` and `--memory` allow more";
            Err(Failure::limit(Diagnostic::global("limit", message).help(help)))
        }
    }
}

/// How many states are looked at unless more are allowed: the answer only saves a deterministic view.
const FEW: u64 = 100_000;
/// Where more than this many states are allowed, that many are looked at.
const MANY: u64 = 1_000_000;

/// How much of a model is looked at where so many states may be explored.
pub fn observation_limits(effort: &Effort<'_>, max_states: Option<usize>) -> Limits {
    let allowed = max_states.map(|most| u64::try_from(most).unwrap_or(u64::MAX));
    let visited = allowed.map_or(FEW, |most| if most > MANY { most } else { most.min(FEW) });
    effort.options(Some(visited)).limits
}

/// Whether the observations determine the state of a model.
pub enum Observation {
    /// Always.
    Clear,
    /// Not after some internal step.
    Hidden(String),
    /// Not after some visible move.
    Ambiguous(String),
    /// That is not known: a limit was reached before.
    Unknown(String),
}

/// Whether it is known that the observations determine the state of a model.
pub(crate) fn is_clear(model: &Model, limits: Limits) -> bool {
    matches!(observed(model, limits), Ok(Observation::Clear))
}

/// Whether the observations determine the state of a model, by its text or else by its reachable states.
pub fn observed(model: &Model, limits: Limits) -> Result<Observation, tioga_symbolic::Error> {
    if is_plain(model) { Ok(Observation::Clear) } else { observation(model, limits) }
}

/// Explores the reachable states, if the text of a model does not decide.
pub fn observation(model: &Model, limits: Limits) -> Result<Observation, tioga_symbolic::Error> {
    let options = SearchOptions { limits, threads: 1, ..SearchOptions::default() };
    let survey = Survey::of(model, &options, &mut |_| {})?;
    let taken =
        |step: &tioga_model::Step| edges(&step_record(model, step).edges.unwrap_or_default());
    if let Some((_, step)) = &survey.internal {
        return Ok(Observation::Hidden(format!(
            "ranks need a model without internal steps: no observer sees {}",
            taken(step)
        )));
    }
    if let Some((_, moves)) = &survey.nondeterminism {
        let [one, other] = &**moves;
        return Ok(Observation::Ambiguous(format!(
            "ranks need a deterministic model: after `{}` the tester cannot tell {} from {}",
            action(&step_record(model, one).event),
            taken(one),
            taken(other)
        )));
    }
    Ok(match survey.incomplete {
        None => Observation::Clear,
        Some(reason) => Observation::Unknown(format!(
            "ranks need a deterministic model, and that is unknown: {reason}"
        )),
    })
}
