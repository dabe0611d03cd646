//! A survey of everything reachable: which locations and edges occur, where time stops for ever,
//! where one observation leads to different states, and where something happens that nobody sees.
//!
//! Zones are abstracted with [`Abstraction::M`] at most, which adds only
//! valuations that some reachable one cannot be told apart from, so what is found in a zone is real.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use tioga_base::Id;
use tioga_explore::{NodeId, SearchOptions, Statistics, Stop, Store, Visitor, search};
use tioga_model::{
    Composer, Control, DiscreteState, EdgeId, LocationId, Model, ProcessId, Step, StepLabel, Steps,
};
use tioga_zones::{Federation, PackedZone, Zone};

use crate::elapse::invariant;
use crate::goal;
use crate::witness::{TimedStep, along_path};
use crate::{Abstraction, Error, PackedState, ZoneGraph};

/// What is reachable.
#[derive(Clone, PartialEq, Debug)]
pub struct Survey {
    /// The locations of each process that are reached.
    pub locations: Vec<BTreeSet<LocationId>>,
    /// The edges of each process that are taken.
    pub edges: Vec<BTreeSet<EdgeId>>,
    /// A run to a state in which time cannot pass further and nothing but an input can happen.
    pub timelock: Option<Vec<TimedStep>>,
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
            timelock: None,
            nondeterminism: None,
            internal: None,
            error: None,
            report,
        };
        let outcome = search(graph, options, &mut surveyor);
        let incomplete = match (surveyor.error, outcome.stop) {
            (Some(error), _) | (None, Stop::Failed(_, error)) => Some(error.to_string()),
            (None, Stop::Exhausted) => None,
            (None, Stop::VisitedLimit(limit)) => Some(format!("more than {limit} states")),
            (None, Stop::MemoryLimit(limit)) => Some(format!("more than {limit} bytes")),
            (None, Stop::Cancelled | Stop::Found(_)) => Some("cancelled".to_owned()),
        };
        let run = |node: NodeId, zones: &Federation| {
            along_path(graph, &outcome.store.path(node), zones).ok()
        };
        let survey = Self {
            timelock: surveyor.timelock.and_then(|(node, zones)| run(node, &zones)),
            nondeterminism: surveyor
                .nondeterminism
                .and_then(|(node, zones, steps)| Some((run(node, &zones)?, steps))),
            internal: surveyor
                .internal
                .and_then(|(node, zones, step)| Some((run(node, &zones)?, step))),
            locations: surveyor.locations,
            edges: surveyor.edges,
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
    timelock: Option<(NodeId, Federation)>,
    nondeterminism: Option<(NodeId, Federation, Box<[Step; 2]>)>,
    internal: Option<(NodeId, Federation, Box<Step>)>,
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
        for (process, location) in self.state.locations.iter().enumerate() {
            self.locations[process].insert(*location);
        }
        if self.timelock.is_none() {
            let zones = goal::timelocked(self.graph, &mut self.composer, &self.state)?;
            if zones.zones().iter().any(|zone| zone.intersects(part)) {
                self.timelock = Some((node, zones));
            }
        }
        let mut inside = invariant(&mut self.composer, &self.state)?;
        inside.intersect_zone(part);
        let mut steps = std::mem::take(&mut self.steps);
        self.composer.steps(&self.state, &mut steps);
        let result = self
            .note_edges(&steps.list, &inside)
            .and_then(|()| self.look_for_nondeterminism(node, &steps.list, &inside))
            .and_then(|()| self.look_for_internal_steps(node, &steps, &inside));
        self.steps = steps;
        result
    }

    /// Notes the edges of the steps that are possible somewhere.
    fn note_edges(&mut self, steps: &[Step], inside: &Federation) -> Result<(), Error> {
        for step in steps {
            let mut edges = step.participants.iter();
            let is_news = edges.any(|one| !self.edges[one.process.index()].contains(&one.edge));
            if !is_news || self.possible(step, inside)?.is_empty() {
                continue;
            }
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
