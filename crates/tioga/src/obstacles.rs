//! Obstacles to testing with a model: time that stops, faults of evaluation, states that the tester
//! cannot distinguish, and unused parts.

use std::collections::BTreeSet;

use tioga_base::Id;
use tioga_concrete::TraceEvent;
use tioga_model::{
    ChannelId, Direction, Edge, EdgeId, EvalFault, Label, LocationId, Model, ProcessId, Step,
    StepLabel,
};
use tioga_symbolic::{AssumptionAnswer, Endless, Lasso, Survey, TimedStep, missing};

use crate::Explored;

/// An obstacle to testing. Runs end in the state it is about.
#[derive(Clone, PartialEq, Debug)]
pub enum Obstacle {
    /// Time cannot pass further, and only an input is possible.
    Timelock(Vec<TimedStep>),
    /// An expression cannot be evaluated, so a written move is not possible: the update of this
    /// move, or a condition.
    Fault(Vec<TimedStep>, EvalFault, Option<Box<Step>>),
    /// The system sends this, and its environment cannot take it then.
    UntakenOutput(Vec<TimedStep>, TraceEvent),
    /// The model can always move, but time comes to an end.
    TimeEnds(Vec<TimedStep>),
    /// Outputs and internal steps without end in bounded time.
    Flood(Lasso),
    /// No step is possible any more.
    Deadlock(Vec<TimedStep>),
    /// Steps are possible, but none is observable.
    Unobservable(Vec<TimedStep>),
    /// A restart action leads somewhere else than to the start.
    RestartElsewhere(StepLabel, Vec<TimedStep>),
    /// A restart action cannot be taken any more.
    NoRestart(StepLabel, Vec<TimedStep>),
    /// Two moves that look the same lead to different states.
    Ambiguous(Vec<TimedStep>, Box<[Step; 2]>),
    /// An internal step that is optional and invisible to the tester.
    Hidden(Vec<TimedStep>, Box<Step>),
    /// Locations that no run reaches.
    Unreached(Vec<(ProcessId, LocationId)>),
    /// Edges from reachable locations that no run takes.
    Untaken(Vec<(ProcessId, EdgeId)>),
    /// Inputs that are never accepted, or outputs that are never sent.
    Unused(Direction, Vec<ChannelId>),
    /// No output ever has to come.
    NeverForced,
}

impl Explored {
    /// The obstacles to testing, the worst first. Undecided ones are left out.
    pub fn obstacles(&self, model: &Model) -> Vec<Obstacle> {
        let Self { survey, assumptions, .. } = self;
        let mut found = Vec::new();
        found.extend(survey.timelock.clone().map(Obstacle::Timelock));
        let fault = survey.fault.clone();
        found.extend(fault.map(|(run, fault, step)| Obstacle::Fault(run, fault, step)));
        let untaken = self.untaken_output.clone();
        found.extend(untaken.map(|(run, event)| Obstacle::UntakenOutput(run, event)));
        let refuted = |answer: &AssumptionAnswer| match answer {
            AssumptionAnswer::Fails(run) => Some(run.clone()),
            AssumptionAnswer::Holds | AssumptionAnswer::Unknown(_) => None,
        };
        if survey.timelock.is_none() {
            found.extend(refuted(&assumptions.non_blocking).map(Obstacle::TimeEnds));
        }
        if let Endless::Found(lasso) = &assumptions.zeno_alone {
            found.push(Obstacle::Flood(lasso.clone()));
        }
        found.extend(survey.deadlock.clone().map(Obstacle::Deadlock));
        let shows = model.channels.iter().any(|channel| channel.direction.is_some());
        if survey.deadlock.is_none() && survey.timelock.is_none() && shows {
            let silent = refuted(&assumptions.repeatedly_observable);
            found.extend(silent.map(Obstacle::Unobservable));
        }
        for restart in &assumptions.restarts {
            let elsewhere = refuted(&restart.returns);
            found.extend(elsewhere.map(|run| Obstacle::RestartElsewhere(restart.action, run)));
            let none = refuted(&restart.possible);
            found.extend(none.map(|run| Obstacle::NoRestart(restart.action, run)));
        }
        let ambiguous = survey.nondeterminism.clone();
        found.extend(ambiguous.map(|(run, moves)| Obstacle::Ambiguous(run, moves)));
        found.extend(survey.internal.clone().map(|(run, step)| Obstacle::Hidden(run, step)));
        never(model, survey, &mut found);
        found.extend(model.forces_no_output().then_some(Obstacle::NeverForced));
        found
    }
}

/// What never happens. If not everything was explored, only what no edge mentions is known.
fn never(model: &Model, survey: &Survey, found: &mut Vec<Obstacle>) {
    let complete = survey.incomplete.is_none();
    let (mut unreached, mut untaken) = (Vec::new(), Vec::new());
    for (process, automaton) in model.processes.iter_ids() {
        let (locations, edges) = missing(survey, model, process);
        let reached = &survey.locations[process.index()];
        let edges =
            edges.into_iter().filter(|edge| reached.contains(&automaton.edges[*edge].source));
        untaken.extend(edges.map(|edge| (process, edge)));
        unreached.extend(locations.into_iter().map(|location| (process, location)));
    }
    let (mut accepted, mut sent) = (BTreeSet::new(), BTreeSet::new());
    for label in &survey.labels {
        match *label {
            StepLabel::Input(channel) => drop(accepted.insert(channel)),
            StepLabel::Output(channel) => drop(sent.insert(channel)),
            StepLabel::Exchange(input, output) => {
                accepted.insert(input);
                sent.insert(output);
            }
            StepLabel::Internal(_) => {}
        }
    }
    if !complete {
        let mentioned = |id: &ChannelId| {
            let edges = model.processes.iter().flat_map(|process| process.edges.iter());
            let uses = |label: &Label| match label {
                Label::Send(used) | Label::Receive(used) => used.covers(*id),
                Label::Silent | Label::Plain(_) => false,
            };
            let replies = |edge: &Edge| edge.reply.as_ref().is_some_and(|used| used.covers(*id));
            !model.syncs.is_empty()
                || edges.into_iter().any(|edge| uses(&edge.label) || replies(edge))
        };
        let all: Vec<ChannelId> = model.channels.ids().filter(mentioned).collect();
        sent.extend(&all);
        accepted.extend(all);
    }
    for (direction, used) in [(Direction::Output, sent), (Direction::Input, accepted)] {
        let channels = model.channels.iter_ids();
        let channels = channels.filter(|(_, channel)| channel.direction == Some(direction));
        let unused: Vec<ChannelId> =
            channels.map(|(id, _)| id).filter(|id| !used.contains(id)).collect();
        if !unused.is_empty() {
            found.push(Obstacle::Unused(direction, unused));
        }
    }
    if !complete {
        return;
    }
    if !unreached.is_empty() {
        found.push(Obstacle::Unreached(unreached));
    }
    if !untaken.is_empty() {
        found.push(Obstacle::Untaken(untaken));
    }
}
