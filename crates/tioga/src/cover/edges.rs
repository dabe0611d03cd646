//! The edges of a model, as coverage looks at them.

use tioga_base::Rational;
use tioga_model::{ChannelId, Direction, Edge, EdgeId, EdgePlace, Label, Model, ProcessId, Role};
use tioga_mutate::edge_text;

/// Whether an edge does something at the interface.
pub(super) fn is_visible(model: &Model, edge: &Edge) -> bool {
    channel_of(edge).is_some_and(|channel| model.channels[channel].direction.is_some())
}

fn channel_of(edge: &Edge) -> Option<ChannelId> {
    match &edge.label {
        Label::Send(used) | Label::Receive(used) => Some(used.channel),
        Label::Silent | Label::Plain(_) => None,
    }
}

/// Whether an edge gives an output.
pub(super) fn gives_output(model: &Model, edge: &Edge) -> bool {
    let sends = match &edge.label {
        Label::Send(used) => model.channels[used.channel].direction == Some(Direction::Output),
        _ => false,
    };
    sends || edge.reply.is_some()
}

/// The edges of the processes of the system.
pub(super) fn system_edges(model: &Model) -> impl Iterator<Item = (EdgePlace, &Edge)> {
    let system = model.processes.iter_ids().filter(|(_, body)| body.role == Role::System);
    system.flat_map(|(process, body)| {
        body.edges.iter_ids().map(move |(edge, taken)| ((process, edge), taken))
    })
}

/// The edges that may be taken instead of one: itself, and those that leave the same location on the same action.
pub(super) fn rivals(model: &Model, (process, id): EdgePlace) -> impl Iterator<Item = EdgeId> {
    let body = &model.processes[process];
    let edge = &body.edges[id];
    let rivals = body.edges.iter_ids().filter(move |(_, other)| {
        let same_way = std::mem::discriminant(&other.label) == std::mem::discriminant(&edge.label);
        other.source == edge.source && same_way && channel_of(other) == channel_of(edge)
    });
    rivals.map(|(id, _)| id)
}

/// The edges of a process that give an output.
pub(super) fn outputs_of(model: &Model, process: ProcessId) -> Vec<EdgePlace> {
    let own = model.processes[process].edges.iter_ids();
    own.filter(|(_, edge)| gives_output(model, edge)).map(|(edge, _)| (process, edge)).collect()
}

/// An edge in words, told from others that look the same by its number.
pub(super) fn edge_words(model: &Model, (process, edge): EdgePlace) -> String {
    let body = &model.processes[process];
    let own = edge_text(model, process, edge);
    let same = body.edges.ids().filter(|other| edge_text(model, process, *other) == own).count();
    // Edges that differ in guards or updates only are told by their numbers.
    if same > 1 { format!("{own} ({edge})") } else { own }
}

/// A time in units of `1 / scale`, rounded up.
pub(crate) fn in_units(model: &Model, time: Rational) -> i64 {
    time.mul(Rational::integer(model.scale)).map_or(i64::from(i32::MAX), Rational::ceil)
}
