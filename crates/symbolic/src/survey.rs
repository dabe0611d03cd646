//! A survey of everything reachable: which locations and edges occur, where time stops for ever, where
//! nothing happens any more, what cannot be evaluated, where one observation leads to different states, and where something happens that no observer sees.
//!
//! Zones are abstracted with [`Abstraction::M`] at most, which adds only
//! valuations that some reachable one cannot be told apart from, so what is found in a zone is real.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use tioga_base::{Cancel, Id, StopReason};
use tioga_explore::{NodeId, SearchOptions, Statistics, Stop, Store, Visitor, search};
use tioga_model::{
    Composer, Control, DiscreteState, EdgeId, EvalFault, LocationId, Model, ProcessId, Step,
    StepLabel, Steps,
};
use tioga_zones::{Federation, PackedZone, Zone};

use crate::effort::Effort;
use crate::goal;
use crate::witness::{Path, TimedStep};
use crate::{Abstraction, Elapse, Error, Jump, PackedState, ZoneGraph};

/// How many pieces of a set are tried before the run to one of them is given up.
const MOST_PIECES: u64 = 10_000;

/// What is reachable.
#[derive(Clone, PartialEq, Debug)]
pub struct Survey {
    /// The locations of each process that are reached.
    pub locations: Vec<BTreeSet<LocationId>>,
    /// The edges of each process that are taken.
    pub edges: Vec<BTreeSet<EdgeId>>,
    /// What an observer may see.
    pub labels: BTreeSet<StepLabel>,
    /// A run to a state in which time cannot pass further and nothing but an input can happen.
    pub timelock: Option<Vec<TimedStep>>,
    /// A run to a state from which nothing is possible any more, not even an input, and time passes.
    pub deadlock: Option<Vec<TimedStep>>,
    /// A run to a state in which something cannot be evaluated, so that a step which is written is not
    /// possible: what, and the step if its update is at fault.
    pub fault: Option<(Vec<TimedStep>, EvalFault, Option<Box<Step>>)>,
    /// A run to a state in which two steps look the same and lead to different states.
    pub nondeterminism: Option<(Vec<TimedStep>, Box<[Step; 2]>)>,
    /// A run to a state from which the system makes an internal step that an observer cannot take
    /// for granted: one that need not come at once, or is not all that can happen.
    pub internal: Option<(Vec<TimedStep>, Box<Step>)>,
    /// Why the survey is not complete, if it is not.
    pub incomplete: Option<String>,
    /// The search behind it.
    pub statistics: Statistics,
}

impl Survey {
    /// Surveys a model.
    pub fn of(
        model: &Model,
        options: &SearchOptions,
        report: &mut dyn FnMut(&Statistics),
    ) -> Result<Self, Error> {
        let graph = ZoneGraph::new(model, Abstraction::M, &[])?;
        Ok(Self::in_graph(&graph, options, report).0)
    }

    /// Surveys a graph whose abstraction is [`Abstraction::M`] at most; also what the search found.
    pub fn in_graph<'m>(
        graph: &ZoneGraph<'m>,
        options: &SearchOptions,
        report: &mut dyn FnMut(&Statistics),
    ) -> (Self, Store<ZoneGraph<'m>>) {
        let model = graph.model();
        let composer = Composer::new(model);
        let mut surveyor = Surveyor {
            graph,
            state: composer.initial(),
            composer,
            steps: Steps::new(),
            locations: vec![BTreeSet::new(); model.processes.len()],
            edges: vec![BTreeSet::new(); model.processes.len()],
            labels: BTreeSet::new(),
            timelock: None,
            deadlock: None,
            fault: None,
            nondeterminism: None,
            internal: None,
            effort: Effort::unlimited(options.limits.cancel.clone()),
            error: None,
            report,
        };
        let outcome = search(graph, options, &mut surveyor);
        let cancel = &options.limits.cancel;
        let incomplete = match (surveyor.error, outcome.stop) {
            (Some(error), _) | (None, Stop::Failed(_, error)) => Some(error.to_string()),
            (None, Stop::Exhausted) => None,
            (None, Stop::VisitedLimit(limit)) => Some(format!("more than {limit} states")),
            (None, Stop::MemoryLimit(limit)) => Some(format!("more than {limit} bytes")),
            (None, Stop::Cancelled | Stop::Found(_)) => {
                Some(cancel.reason().unwrap_or(StopReason::Asked).to_string())
            }
        };
        let run = |node: NodeId, zones: &Federation| {
            Path::new(graph, &outcome.store.path(node)).ok()?.run_into(zones).ok()
        };
        let survey = Self {
            timelock: surveyor.timelock.and_then(|(node, part)| {
                run_to(graph, &outcome.store, (node, &part), Stuck::Timelock)
            }),
            deadlock: surveyor.deadlock.and_then(|(node, part)| {
                run_to(graph, &outcome.store, (node, &part), Stuck::Deadlock)
            }),
            fault: surveyor
                .fault
                .and_then(|(node, zones, fault, step)| Some((run(node, &zones)?, fault, step))),
            nondeterminism: surveyor
                .nondeterminism
                .and_then(|(node, zones, steps)| Some((run(node, &zones)?, steps))),
            internal: surveyor
                .internal
                .and_then(|(node, zones, step)| Some((run(node, &zones)?, step))),
            locations: surveyor.locations,
            edges: surveyor.edges,
            labels: surveyor.labels,
            incomplete,
            statistics: outcome.statistics,
        };
        (survey, outcome.store)
    }
}

struct Surveyor<'g, 'm> {
    graph: &'g ZoneGraph<'m>,
    composer: Composer<'m>,
    state: DiscreteState,
    steps: Steps,
    locations: Vec<BTreeSet<LocationId>>,
    edges: Vec<BTreeSet<EdgeId>>,
    labels: BTreeSet<StepLabel>,
    /// Where time is locked, and where nothing happens any more: among the points of a zone, which the
    /// search may have dropped since for a larger one.
    timelock: Option<(NodeId, Zone)>,
    deadlock: Option<(NodeId, Zone)>,
    fault: Option<(NodeId, Federation, EvalFault, Option<Box<Step>>)>,
    nondeterminism: Option<(NodeId, Federation, Box<[Step; 2]>)>,
    internal: Option<(NodeId, Federation, Box<Step>)>,
    effort: Effort,
    error: Option<Error>,
    report: &'g mut dyn FnMut(&Statistics),
}

impl<'m> Visitor<ZoneGraph<'m>> for Surveyor<'_, 'm> {
    fn stored(&mut self, node: NodeId, key: &PackedState, part: &PackedZone) -> ControlFlow<()> {
        self.graph.codec().unpack(key, &mut self.state);
        let part = self.graph.unpack(&self.state, part);
        match self.look(node, &part) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.error = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn progress(&mut self, statistics: &Statistics) {
        (self.report)(statistics);
    }
}

impl Surveyor<'_, '_> {
    fn look(&mut self, node: NodeId, part: &Zone) -> Result<(), Error> {
        self.effort.go_on()?;
        for (process, location) in self.state.locations.iter().enumerate() {
            self.locations[process].insert(*location);
        }
        let mut steps = std::mem::take(&mut self.steps);
        self.composer.steps(&self.state, &mut steps);
        let result = self.look_at_steps(node, part, &steps);
        self.steps = steps;
        result
    }

    fn look_at_steps(&mut self, node: NodeId, part: &Zone, steps: &Steps) -> Result<(), Error> {
        let place = Elapse::of(&mut self.composer, &self.state, steps)?;
        if self.timelock.is_none() {
            let found = self.is_stuck(part, (&place, steps), Stuck::Timelock)?;
            self.timelock = found.then(|| (node, part.clone()));
        }
        if self.deadlock.is_none() && self.timelock.as_ref().is_none_or(|(at, _)| *at != node) {
            let found = self.is_stuck(part, (&place, steps), Stuck::Deadlock)?;
            self.deadlock = found.then(|| (node, part.clone()));
        }
        let mut inside = place.invariant().clone();
        inside.intersect_zone(part);
        self.note_edges(&steps.list, &inside)
            .and_then(|()| self.look_for_faults(node, steps, &inside))
            .and_then(|()| self.look_for_nondeterminism(node, &steps.list, &inside))
            .and_then(|()| self.look_for_internal_steps(node, steps, &inside))
    }

    /// Whether some point of a zone is stuck.
    fn is_stuck(
        &mut self,
        part: &Zone,
        place: (&Elapse, &Steps),
        how: Stuck,
    ) -> Result<bool, Error> {
        let Self { composer, state, effort, .. } = self;
        how.within(composer, (state, part), place, effort, &mut |_| Ok(true))
    }

    /// Looks for what cannot be evaluated.
    fn look_for_faults(
        &mut self,
        node: NodeId,
        steps: &Steps,
        inside: &Federation,
    ) -> Result<(), Error> {
        if self.fault.is_some() {
            return Ok(());
        }
        if let Some(fault) = steps.faults.first().filter(|_| !inside.is_empty()) {
            self.fault = Some((node, inside.clone(), *fault, None));
            return Ok(());
        }
        for step in &steps.list {
            let Err(fault) = self.composer.apply(&self.state, step) else { continue };
            let mut enabled =
                Jump::of(step, &[])?.predecessor(&Federation::universal(inside.dimension()));
            enabled.intersect(inside);
            if !enabled.is_empty() {
                self.fault = Some((node, enabled, fault, Some(Box::new(step.clone()))));
                break;
            }
        }
        Ok(())
    }

    /// Notes the edges and labels of the steps that are possible somewhere.
    fn note_edges(&mut self, steps: &[Step], inside: &Federation) -> Result<(), Error> {
        for step in steps {
            let mut edges = step.participants.iter();
            let is_news = !self.labels.contains(&step.label)
                || edges.any(|one| !self.edges[one.process.index()].contains(&one.edge));
            if !is_news || self.possible(step, inside)?.is_empty() {
                continue;
            }
            self.labels.insert(step.label);
            for one in &step.participants {
                self.edges[one.process.index()].insert(one.edge);
            }
        }
        Ok(())
    }

    fn look_for_nondeterminism(
        &mut self,
        node: NodeId,
        steps: &[Step],
        inside: &Federation,
    ) -> Result<(), Error> {
        for (position, left) in steps.iter().enumerate() {
            for right in &steps[position + 1..] {
                if self.nondeterminism.is_some() {
                    return Ok(());
                }
                if !same_observation(left, right) {
                    continue;
                }
                let left_possible = self.possible(left, inside)?;
                let both = self.possible(right, &left_possible)?;
                if !both.is_empty() {
                    let steps = Box::new([left.clone(), right.clone()]);
                    self.nondeterminism = Some((node, both, steps));
                }
            }
        }
        Ok(())
    }

    fn look_for_internal_steps(
        &mut self,
        node: NodeId,
        steps: &Steps,
        inside: &Federation,
    ) -> Result<(), Error> {
        if self.internal.is_some() || self.composer.instant(&self.state, steps).is_some() {
            return Ok(());
        }
        let hidden = |step: &&Step| {
            matches!(step.label, StepLabel::Internal(_)) && step.control == Control::Uncontrollable
        };
        for step in steps.list.iter().filter(hidden) {
            let possible = self.possible(step, inside)?;
            if !possible.is_empty() {
                self.internal = Some((node, possible, Box::new(step.clone())));
                break;
            }
        }
        Ok(())
    }

    /// Where in a set a step is possible.
    fn possible(&mut self, step: &Step, inside: &Federation) -> Result<Federation, Error> {
        let mut possible = goal::possible(&mut self.composer, &self.state, step)?;
        possible.intersect(inside);
        Ok(possible)
    }
}

/// How a state can be stuck.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stuck {
    /// Time cannot pass further, and nothing but an input can happen.
    Timelock,
    /// Nothing can happen any more.
    Deadlock,
}

impl Stuck {
    /// Calls `found` with zones of points that are stuck, until it says true; whether it did.
    fn within(
        self,
        composer: &mut Composer<'_>,
        state: (&DiscreteState, &Zone),
        place: (&Elapse, &Steps),
        effort: &mut Effort,
        found: &mut dyn FnMut(Zone) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        match self {
            Self::Timelock => goal::timelocked_within(composer, state, place, effort, found),
            Self::Deadlock => goal::deadlocked_within(composer, state, place, effort, found),
        }
    }
}

/// A run to a state of a node that is stuck.
fn run_to<'m>(
    graph: &ZoneGraph<'m>,
    store: &Store<ZoneGraph<'m>>,
    (node, part): (NodeId, &Zone),
    how: Stuck,
) -> Option<Vec<TimedStep>> {
    let path = Path::new(graph, &store.path(node)).ok()?;
    let mut composer = Composer::new(graph.model());
    let (place, steps) = goal::placed(&mut composer, &path.state).ok()?;
    let mut run = None;
    let found = how.within(
        &mut composer,
        (&path.state, part),
        (&place, &steps),
        // What was found is told even if the search was stopped.
        &mut Effort::new(MOST_PIECES, Cancel::new()),
        &mut |zone| {
            run = path.run_into_zone(zone)?;
            Ok(run.is_some())
        },
    );
    found.ok().and(run)
}

/// Whether an observer of the interface sees the same, and different edges are taken.
fn same_observation(left: &Step, right: &Step) -> bool {
    let visible = !matches!(left.label, StepLabel::Internal(_));
    visible
        && left.label == right.label
        && left.arguments == right.arguments
        && left.reply == right.reply
        && left.participants != right.participants
}

/// Names the edges and locations of a process that a survey did not find.
pub fn missing(
    survey: &Survey,
    model: &Model,
    process: ProcessId,
) -> (Vec<LocationId>, Vec<EdgeId>) {
    let automaton = &model.processes[process];
    let locations = &survey.locations[process.index()];
    let edges = &survey.edges[process.index()];
    (
        automaton.locations.ids().filter(|id| !locations.contains(id)).collect(),
        automaton.edges.ids().filter(|id| !edges.contains(id)).collect(),
    )
}
