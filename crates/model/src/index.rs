//! Look-up tables over a valid network that make the enumeration of steps fast.

use std::collections::BTreeMap;

use tioga_base::{Id, IdVec};

use crate::{ActionId, ChannelId, EdgeId, Expr, Label, LocationId, Network, Process, ProcessId};

/// The edges of a location with each plain label.
type Labelled = Vec<(ActionId, Vec<EdgeId>)>;

/// The tables, built once by validation.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Index {
    /// Frame slots that conditions outside functions may use for bound variables.
    pub frame: u32,
    /// For each channel, the processes with an edge that may receive on it, in order.
    pub receivers: IdVec<ChannelId, Vec<ProcessId>>,
    /// For each process and location, the edges that receive.
    receiving: IdVec<ProcessId, IdVec<LocationId, Vec<EdgeId>>>,
    /// For each process and location, the edges with plain labels by label, in order of labels.
    labelled: IdVec<ProcessId, IdVec<LocationId, Labelled>>,
    /// For each process, the plain labels that occur in synchronisation vectors.
    bound: IdVec<ProcessId, IdVec<ActionId, bool>>,
    /// The open broadcast inputs, in order.
    pub open_broadcasts: Vec<ChannelId>,
}

impl Index {
    /// The tables of a network whose ids are all in range and whose `outgoing` is filled.
    pub fn new(network: &Network) -> Self {
        let receiving = network.processes.iter().map(|process| {
            let receives =
                |edge: &&EdgeId| matches!(process.edges[**edge].label, Label::Receive(_));
            let at = |edges: &Vec<EdgeId>| edges.iter().filter(receives).copied().collect();
            process.outgoing.iter().map(at).collect()
        });
        Self {
            frame: frame(network),
            receivers: receivers(network),
            receiving: receiving.collect(),
            labelled: network.processes.iter().map(labelled).collect(),
            bound: bound(network),
            open_broadcasts: network
                .channels
                .iter_ids()
                .filter(|(_, channel)| {
                    let input = channel.direction == Some(crate::Direction::Input);
                    channel.open && channel.broadcast && input
                })
                .map(|(id, _)| id)
                .collect(),
        }
    }

    /// The edges of a process that receive in a location.
    pub fn receiving(&self, process: ProcessId, location: LocationId) -> &[EdgeId] {
        &self.receiving[process][location]
    }

    /// The edges of a process with a plain label in a location.
    pub fn labelled(
        &self,
        process: ProcessId,
        location: LocationId,
        action: ActionId,
    ) -> &[EdgeId] {
        let edges = &self.labelled[process][location];
        match edges.binary_search_by_key(&action, |(action, _)| *action) {
            Ok(position) => &edges[position].1,
            Err(_) => &[],
        }
    }

    /// Whether a plain label of a process occurs in a synchronisation vector.
    pub fn is_bound(&self, process: ProcessId, action: ActionId) -> bool {
        self.bound[process][action]
    }
}

fn labelled(process: &Process) -> IdVec<LocationId, Labelled> {
    let at = |edges: &Vec<EdgeId>| {
        let mut by_label: BTreeMap<ActionId, Vec<EdgeId>> = BTreeMap::new();
        for &edge in edges {
            if let Label::Plain(action) = process.edges[edge].label {
                by_label.entry(action).or_default().push(edge);
            }
        }
        by_label.into_iter().collect()
    };
    process.outgoing.iter().map(at).collect()
}

/// Quantifiers are the only expressions that write the frame outside functions.
fn frame(network: &Network) -> u32 {
    let slots = network.code.nodes.iter().map(|node| match node.expr {
        Expr::Quantified(_, slot, _, _) => slot.saturating_add(1),
        _ => 0,
    });
    slots.max().unwrap_or(0)
}

fn receivers(network: &Network) -> IdVec<ChannelId, Vec<ProcessId>> {
    let mut receivers: IdVec<ChannelId, Vec<ProcessId>> =
        network.channels.iter().map(|_| Vec::new()).collect();
    let observer = network.observing.as_ref().map(|observing| observing.process);
    for (process, automaton) in network.processes.iter_ids() {
        if Some(process) == observer {
            continue;
        }
        for edge in &automaton.edges {
            let Label::Receive(channel_use) = &edge.label else { continue };
            let length = channel_use.index.map_or(1, |(_, length)| length as usize);
            for offset in 0..length {
                let channel = ChannelId::from_index(channel_use.channel.index() + offset);
                if receivers[channel].last() != Some(&process) {
                    receivers[channel].push(process);
                }
            }
        }
    }
    receivers
}

fn bound(network: &Network) -> IdVec<ProcessId, IdVec<ActionId, bool>> {
    let none = || network.actions.iter().map(|_| false).collect();
    let mut bound: IdVec<ProcessId, IdVec<ActionId, bool>> =
        network.processes.iter().map(|_| none()).collect();
    for part in network.syncs.iter().flat_map(|sync| &sync.parts) {
        bound[part.process][part.action] = true;
    }
    bound
}
