//! Mutants as systems: they take every input at any time, and time never stops for them.
//!
//! Conformance is a relation between a specification and such systems. A mutant that lost an input
//! would otherwise never be asked: the tester's input would simply not be possible. And one that lost
//! an output would stop time where its invariant ends, so that no observer could ever see it be late. So a
//! mutant is completed before it is judged:
//!
//! - Where an input is taken by no edge, an edge back to the same location takes it and changes
//!   nothing. That is done for inputs which one process alone receives: if several do, or all listen to
//!   a broadcast, an input is taken as soon as one takes it. Urgent inputs are left alone, too, because
//!   one that is always possible would stop time.
//! - Where an invariant ends, or a location is urgent, and the process has no edge of its own to take, it
//!   gets stuck: it goes to a copy of the location in which time passes, which still takes the inputs
//!   of the location and otherwise stays silent.
//!
//! Both are done where it can be said with constants. Neither fits every model: one whose silent steps
//! decide which inputs it takes, or that stops time in other ways, would not conform to itself when
//! completed. The caller that judges mutants has to ask for the parts that leave the model as it is.

use tioga_model::{
    ChannelId, Control, Direction, Edge, Label, LocationId, Network, ProcessId, Role, Type,
};

use crate::mutant::ignoring;
use crate::possible::{available, meets, otherwise, position};
use crate::stuck::get_stuck;

/// What is completed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Completion {
    /// Inputs that are not taken are ignored.
    pub inputs: bool,
    /// A process gets stuck where it would stop time.
    pub time: bool,
}

impl Completion {
    /// From everything to nothing.
    pub const ALL: [Self; 4] = [
        Self { inputs: true, time: true },
        Self { inputs: true, time: false },
        Self { inputs: false, time: true },
        Self { inputs: false, time: false },
    ];
}

/// Completes a network as described above. New locations and edges follow after those of each
/// process.
pub fn complete(network: &mut Network, completion: Completion) {
    if completion.time {
        get_stuck(network);
    }
    if completion.inputs {
        ignore_inputs(network);
    }
}

/// Adds edges that ignore inputs where they are not taken.
fn ignore_inputs(network: &mut Network) {
    let channels: Vec<ChannelId> = network.channels.ids().collect();
    for channel in channels {
        let declared = &network.channels[channel];
        let usual = !declared.broadcast && !declared.urgent;
        if !usual || declared.direction != Some(Direction::Input) {
            continue;
        }
        if let Some(process) = only_receiver(network, channel) {
            ignore_input(network, process, channel);
        }
    }
}

/// Adds edges that ignore a channel where a process does not receive on it, within the invariant, however others
/// communicate on it. They come after all edges of the process. Returns the locations where that is too much to say
/// with constants, which stay as they are.
pub fn ignore_input(
    network: &mut Network,
    process: ProcessId,
    channel: ChannelId,
) -> Vec<LocationId> {
    let slots: u64 = network.channels[channel].parameters.iter().map(Type::slots).sum();
    let frame = u32::try_from(slots).unwrap_or(u32::MAX);
    let locations: Vec<LocationId> = network.processes[process].locations.ids().collect();
    let mut unsaid = Vec::new();
    for location in locations {
        let taking = |edge: &Edge| matches!(edge.label, Label::Receive(_));
        let taken = available(network, process, location, Some(channel), taking);
        let Some(mut guard) = otherwise(network, &taken) else {
            unsaid.push(location);
            continue;
        };
        let invariant = &network.processes[process].locations[location].invariant;
        guard.disjuncts.retain(|conjunct| meets(conjunct, invariant));
        if guard.disjuncts.is_empty() {
            continue;
        }
        let edge = ignoring(channel, location, guard, frame, Control::Controllable);
        network.processes[process].edges.push(edge);
    }
    unsaid
}

/// The process of the system that alone receives on a channel, or the first one if none does.
fn only_receiver(network: &Network, channel: ChannelId) -> Option<ProcessId> {
    let system = || network.processes.iter_ids().filter(|(_, body)| body.role == Role::System);
    let mut receivers = system().filter(|(_, body)| {
        body.edges.iter().any(
            |edge| matches!(&edge.label, Label::Receive(used) if position(used, channel).is_some()),
        )
    });
    match (receivers.next(), receivers.next()) {
        (Some((process, _)), None) => Some(process),
        (None, None) => system().next().map(|(process, _)| process),
        _ => None,
    }
}
