//! Small changes to edges: what they set, where they begin and end, what they show, and that they
//! are there at all.

use std::collections::BTreeSet;

use tioga_model::{
    Argument, ChannelUse, ClockId, ClockTerm, ClockUpdate, Condition, Direction, Edge, EdgeId,
    Expr, ExprId, Kind, Label, Model, Node, Process, ProcessId, Statement, Update,
};

use crate::draft::Draft;
use crate::{Change, Operator};

/// A change, with the new expressions it uses; nothing if the change is not possible.
pub type Found = (Operator, Option<(Change, Vec<Node>)>);

/// All changes to one edge but those of its guard. Other ends, which are many, are looked for only if their
/// operators are wanted.
pub fn changes(
    model: &Model,
    process: ProcessId,
    id: EdgeId,
    wanted: &[Operator],
    found: &mut Vec<Found>,
) {
    let body = &model.processes[process];
    let edge = &body.edges[id];
    let mut put = |operator: Operator, new: Edge| {
        found.push((operator, Some((Change::Edge(id, Box::new(new)), Vec::new()))));
    };
    for (position, update) in edge.updates.iter().enumerate() {
        let mut updates = edge.updates.clone();
        updates.remove(position);
        let operator = match update {
            Update::Clock(_) => Operator::ResetMissing,
            Update::Data(_) => Operator::UpdateMissing,
        };
        put(operator, Edge { updates, ..edge.clone() });
    }
    for clock in clocks_of(model, process) {
        let set =
            |update: &Update| matches!(update, Update::Clock(one) if one.certain() == Some(clock));
        if edge.updates.iter().any(set) {
            continue;
        }
        let mut updates = edge.updates.clone();
        updates.push(Update::Clock(ClockUpdate::reset(clock)));
        put(Operator::ResetExtra, Edge { updates, ..edge.clone() });
    }
    for location in body.locations.ids().filter(|_| wanted.contains(&Operator::Target)) {
        if location != edge.target {
            put(Operator::Target, Edge { target: location, ..edge.clone() });
        }
    }
    for location in body.locations.ids().filter(|_| wanted.contains(&Operator::Source)) {
        if location != edge.source {
            put(Operator::Source, Edge { source: location, ..edge.clone() });
        }
    }
    for (label, reply) in other_actions(model, edge) {
        put(Operator::Action, Edge { label, reply, ..edge.clone() });
    }
    found.push((missing(model, edge), Some((Change::Missing(id), Vec::new()))));
    found.push((Operator::Sink, Some((Change::Sink(id), Vec::new()))));
    for (position, update) in edge.updates.iter().enumerate() {
        numbers(model, id, edge, position, update, found);
    }
}

/// The clocks a process owns or mentions, in order.
fn clocks_of(model: &Model, process: ProcessId) -> BTreeSet<ClockId> {
    let mut all = BTreeSet::new();
    let mut add = |term: ClockTerm| {
        let length = term.index.map_or(1, |(_, length)| length);
        all.extend((0..length).map(|i| ClockId(term.clock.0 + i)));
    };
    for (id, clock) in model.clocks.iter_ids() {
        if clock.owner == Some(process) {
            add(id.into());
        }
    }
    let body: &Process = &model.processes[process];
    let conditions = body.locations.iter().map(|location| &location.invariant);
    let conditions: Vec<&Condition> =
        conditions.chain(body.edges.iter().map(|edge| &edge.guard)).collect();
    for constraint in conditions.iter().flat_map(|one| &one.disjuncts).flat_map(|one| &one.clocks) {
        constraint.left.into_iter().chain(constraint.right).for_each(&mut add);
    }
    for update in body.edges.iter().flat_map(|edge| &edge.updates) {
        if let Update::Clock(update) = update {
            add(update.clock);
        }
    }
    all
}

/// The labels of an edge with another channel that crosses the interface the same way and carries
/// the same.
fn other_actions(model: &Model, edge: &Edge) -> Vec<(Label, Option<ChannelUse>)> {
    let others = |used: &ChannelUse| -> Vec<ChannelUse> {
        let one = &model.channels[used.channel];
        if one.direction.is_none() || used.index.is_some() {
            return Vec::new();
        }
        let fitting = model.channels.iter_ids().filter(|(id, other)| {
            *id != used.channel
                && other.direction == one.direction
                && other.open == one.open
                && other.broadcast == one.broadcast
                && other.parameters == one.parameters
        });
        fitting.map(|(channel, _)| ChannelUse { channel, ..used.clone() }).collect()
    };
    let mut all = Vec::new();
    match &edge.label {
        Label::Send(used) => {
            all.extend(others(used).into_iter().map(|one| (Label::Send(one), edge.reply.clone())));
        }
        Label::Receive(used) => {
            let labels = others(used).into_iter().map(Label::Receive);
            all.extend(labels.map(|label| (label, edge.reply.clone())));
        }
        Label::Silent | Label::Plain(_) => {}
    }
    if let Some(reply) = &edge.reply {
        all.extend(others(reply).into_iter().map(|one| (edge.label.clone(), Some(one))));
    }
    all
}

/// By which operator an edge is missing.
fn missing(model: &Model, edge: &Edge) -> Operator {
    let (Label::Send(used) | Label::Receive(used)) = &edge.label else {
        return Operator::InternalMissing;
    };
    match model.channels[used.channel].direction {
        Some(Direction::Input) => Operator::InputMissing,
        Some(Direction::Output) => Operator::OutputMissing,
        None => Operator::InternalMissing,
    }
}

/// Changes of the numbers and truth values in one update.
fn numbers(
    model: &Model,
    id: EdgeId,
    edge: &Edge,
    position: usize,
    update: &Update,
    found: &mut Vec<Found>,
) {
    let Update::Data(Statement::Expr(expr)) = update else { return };
    let mut literals = Vec::new();
    Draft::new(model).literals(*expr, &mut literals);
    for literal in literals {
        let Expr::Int(value) = model.code.nodes[literal].expr else { continue };
        let kind = model.code.nodes[literal].kind;
        let changes = match kind {
            Kind::Bool => vec![(Operator::UpdateNegate, Some(i64::from(value == 0)))],
            _ => vec![
                (Operator::UpdatePlus, value.checked_add(1)),
                (Operator::UpdateMinus, value.checked_sub(1)),
            ],
        };
        for (operator, value) in changes {
            let changed = value.and_then(|value| {
                let mut draft = Draft::new(model);
                let new = draft.push(Expr::Int(value), kind, model.code.nodes[literal].span);
                let expr = draft.replaced(*expr, literal, new);
                if leaves_its_range(&draft, expr) {
                    return None;
                }
                let mut edge = edge.clone();
                edge.updates[position] = Update::Data(Statement::Expr(expr));
                Some((Change::Edge(id, Box::new(edge)), draft.nodes))
            });
            found.push((operator, changed));
        }
    }
}

/// Whether a variable or argument is given a number that its type does not have, whatever happens.
fn leaves_its_range(draft: &Draft<'_>, expr: ExprId) -> bool {
    let outside = |value: ExprId, range: Option<tioga_model::Range>| {
        let (Expr::Int(value), Some(range)) = (&draft.node(value).expr, range) else {
            return false;
        };
        !(range.min..=range.max).contains(value)
    };
    match &draft.node(expr).expr {
        Expr::Assign(_, value, range) | Expr::Exchange(_, value, range) => outside(*value, *range),
        Expr::Call(_, arguments) => arguments.iter().any(
            |argument| matches!(argument, Argument::Value(value, range) if outside(*value, *range)),
        ),
        _ => false,
    }
}
