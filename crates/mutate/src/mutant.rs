//! Mutants: one change to one process, and the network it makes of a model.

use tioga_base::{Diagnostics, IdVec, Span};
use tioga_model::{
    ChannelId, ChannelUse, Condition, Control, Edge, EdgeId, Label, Location, LocationId, Marks,
    Model, Network, Node, Process, ProcessId, ScalarSets, Type,
};

use crate::Operator;

/// A model with one small change.
#[derive(Clone, PartialEq, Debug)]
pub struct Mutant {
    /// What it is called: operator, process, place and number, as in
    /// `guard-plus-1@Light.edge3#0`. The same model always gives the same ids.
    pub id: String,
    /// The kind of change.
    pub operator: Operator,
    /// The process that is changed.
    pub process: ProcessId,
    /// The change in words.
    pub description: String,
    /// The change itself.
    pub change: Change,
    /// Expressions that follow after those of the model.
    pub(crate) nodes: Vec<Node>,
}

/// A change to one process. Ids are those of the model.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// An edge becomes another one.
    Edge(EdgeId, Box<Edge>),
    /// An edge is missing.
    Missing(EdgeId),
    /// A location has another invariant.
    Invariant(LocationId, Condition),
    /// An edge leads to a new location that takes everything the process can receive, and never
    /// does anything by itself.
    Sink(EdgeId),
}

impl Mutant {
    /// The changed network, not yet validated. `model` is the one the mutant was made from.
    pub fn network(&self, model: &Model) -> Network {
        let mut network: Network = (**model).clone();
        network.scalars = ScalarSets::default();
        for node in &self.nodes {
            network.code.nodes.push(node.clone());
        }
        let process = &mut network.processes[self.process];
        match &self.change {
            Change::Edge(id, edge) => process.edges[*id] = (**edge).clone(),
            Change::Missing(id) => {
                let kept = process.edges.iter_ids().filter(|(other, _)| other != id);
                process.edges = kept.map(|(_, edge)| edge.clone()).collect::<IdVec<_, _>>();
            }
            Change::Invariant(id, invariant) => {
                process.locations[*id].invariant = invariant.clone();
            }
            Change::Sink(id) => {
                let sink = silent_location(&mut network, self.process, "Sink");
                network.processes[self.process].edges[*id].target = sink;
            }
        }
        network
    }

    /// The changed model.
    ///
    /// # Errors
    /// Never for mutants that [`mutants`](crate::mutants) returns: those that are no valid models
    /// are left out there.
    pub fn model(&self, model: &Model) -> Result<Model, Diagnostics> {
        self.network(model).validate()
    }
}

/// An edge back to a location that receives and does nothing.
pub(crate) fn ignoring(
    channel: ChannelId,
    location: LocationId,
    guard: Condition,
    frame: u32,
    control: Control,
) -> Edge {
    Edge {
        source: location,
        target: location,
        control,
        label: Label::Receive(ChannelUse { channel, index: None, arguments: Vec::new() }),
        reply: None,
        frame,
        guard,
        updates: Vec::new(),
        choices: Vec::new(),
        span: Span::default(),
    }
}

/// The channels on which a process can receive, in order, with the side that decides there.
fn received(process: &Process) -> Vec<(ChannelId, Control)> {
    let mut all: Vec<(ChannelId, Control)> = Vec::new();
    for edge in &process.edges {
        let Label::Receive(used) = &edge.label else { continue };
        let length = used.index.map_or(1, |(_, length)| length);
        all.extend((0..length).map(|i| (ChannelId(used.channel.0 + i), edge.control)));
    }
    all.sort_by_key(|(channel, _)| *channel);
    all.dedup_by_key(|(channel, _)| *channel);
    all
}

/// Adds a location that takes everything its process can receive, and never does anything itself.
pub(crate) fn silent_location(network: &mut Network, process: ProcessId, name: &str) -> LocationId {
    let body = &mut network.processes[process];
    let mut name = name.to_owned();
    while body.locations.iter().any(|location| location.name == name) {
        name.push('_');
    }
    let loops = received(body);
    let location = body.locations.push(Location {
        name,
        marks: Marks::default(),
        labels: Vec::new(),
        invariant: Condition::always(),
        origin: Vec::new(),
        span: Span::default(),
    });
    for (channel, control) in loops {
        let slots: u64 = network.channels[channel].parameters.iter().map(Type::slots).sum();
        let frame = u32::try_from(slots).unwrap_or(u32::MAX);
        let edge = ignoring(channel, location, Condition::always(), frame, control);
        network.processes[process].edges.push(edge);
    }
    location
}
