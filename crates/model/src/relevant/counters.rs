//! Which values slots have, as far as the text says.
//!
//! A *counter* is a slot that edges change by constants only, at most once each, so that every cycle of every process leaves it as it
//! was. Then what a process has added depends on its location alone, and the value is the initial one plus what
//! all processes have added: it is between the sums of the least and of the greatest. That also holds between
//! the updates of the processes of one step, each of which is then before or after its own.

use std::collections::{BTreeMap, VecDeque};

use tioga_base::Id;

use crate::reads::{Reads, Variable};
use crate::values::LARGEST;
use crate::{
    Base, BinaryOp, Expr, ExprId, Kind, Lvalue, Model, Process, Range, Slot, Statement, Update,
};

/// The least and the greatest value of each slot, if they are known.
#[derive(Debug)]
pub(super) struct Bounds {
    slots: Vec<Option<(i64, i64)>>,
    counters: Vec<bool>,
}

impl Bounds {
    pub fn of(model: &Model) -> Self {
        let mut slots: Vec<Option<(i64, i64)>> = model.slots.iter().map(Slot::values).collect();
        let mut counters = vec![false; slots.len()];
        for (slot, deltas) in deltas(model) {
            let index = slot as usize;
            let kind = model.slots[index].kind;
            if let (Some(deltas), Kind::Int) = (deltas, kind)
                && let Some((low, high)) = counted(model, slot, &deltas)
                && slots[index].is_none_or(|(least, most)| least <= low && high <= most)
            {
                slots[index] = Some((low, high));
                counters[index] = true;
            }
        }
        Self { slots, counters }
    }

    /// Whether every update of the slot can be carried out in every state.
    pub fn is_counter(&self, slot: u32) -> bool {
        self.counters[slot as usize]
    }

    /// The least and the greatest value of a slot.
    pub fn of_slot(&self, slot: u32) -> Option<(i64, i64)> {
        self.slots.get(slot as usize).copied().flatten()
    }

    /// The least and the greatest value of an expression that has a value in every state and changes nothing.
    pub fn of_value(&self, model: &Model, expr: ExprId) -> Option<(i64, i64)> {
        model.code.values(expr, &|slot| self.of_slot(slot))
    }
}

/// What each edge adds to a slot: by process and edge.
type Deltas = BTreeMap<(usize, usize), i64>;

/// For each slot that something changes what edges add to it, or nothing if one does something else.
fn deltas(model: &Model) -> BTreeMap<u32, Option<Deltas>> {
    let mut found: BTreeMap<u32, Option<Deltas>> = BTreeMap::new();
    for (process, body) in model.processes.iter_ids() {
        for (edge, body) in body.edges.iter_ids() {
            for update in &body.updates {
                let Update::Data(statement) = update else { continue };
                let mut reads = Reads::new(model, model.slots.len(), 0);
                reads.statement(statement);
                let (_, changed) = reads.finish_with_changes();
                let step = added(model, update);
                for variable in changed {
                    let Variable::Slot(slot) = variable else { continue };
                    let deltas = found.entry(slot).or_insert_with(|| Some(Deltas::new()));
                    let place = (process.index(), edge.index());
                    let counts = match (step, deltas.as_mut()) {
                        (Some((own, delta)), Some(deltas)) if own == slot => {
                            deltas.insert(place, delta).is_none()
                        }
                        _ => false,
                    };
                    if !counts {
                        *deltas = None;
                    }
                }
            }
        }
    }
    // Guards and values that are sent change nothing; functions count as updates do.
    found
}

/// The slot that an update adds a constant to, and the constant.
fn added(model: &Model, update: &Update) -> Option<(u32, i64)> {
    let Update::Data(statement) = update else { return None };
    let (place, value, _) = assigned(model, statement)?;
    if place.base != Base::Global || !place.indices.is_empty() {
        return None;
    }
    let node = |expr: ExprId| &model.code.nodes[expr].expr;
    let own = |expr: ExprId| matches!(node(expr), Expr::Load(from) if from == place);
    let Expr::Binary(op, left, right) = node(value) else { return None };
    let delta = match (op, node(*left), node(*right)) {
        (BinaryOp::Add, _, Expr::Int(delta)) if own(*left) => *delta,
        (BinaryOp::Add, Expr::Int(delta), _) if own(*right) => *delta,
        (BinaryOp::Sub, _, Expr::Int(delta)) if own(*left) => -*delta,
        _ => return None,
    };
    (-LARGEST..=LARGEST).contains(&delta).then_some((place.offset, delta))
}

/// The least and the greatest value of a counter, if it is one.
fn counted(model: &Model, slot: u32, deltas: &Deltas) -> Option<(i64, i64)> {
    let initial = model.slots[slot as usize].initial;
    let (mut low, mut high) = (initial, initial);
    for (process, body) in model.processes.iter_ids() {
        let delta = |edge: usize| deltas.get(&(process.index(), edge)).copied().unwrap_or(0);
        let (least, most) = potential(body, delta)?;
        low = low.checked_add(least)?;
        high = high.checked_add(most)?;
    }
    Some((low, high))
}

/// The least and the greatest sum of a process over its ways from the start, if every location has just one.
fn potential(process: &Process, delta: impl Fn(usize) -> i64) -> Option<(i64, i64)> {
    let mut sums: Vec<Option<i64>> = vec![None; process.locations.len()];
    sums[process.initial.index()] = Some(0);
    let mut waiting = VecDeque::from([process.initial]);
    let (mut least, mut most) = (0, 0);
    while let Some(location) = waiting.pop_front() {
        let here = sums[location.index()]?;
        for edge in &process.outgoing[location] {
            let target = process.edges[*edge].target;
            let there = here.checked_add(delta(edge.index()))?;
            match sums[target.index()] {
                Some(known) if known != there => return None,
                Some(_) => {}
                None => {
                    sums[target.index()] = Some(there);
                    (least, most) = (least.min(there), most.max(there));
                    waiting.push_back(target);
                }
            }
        }
    }
    Some((least, most))
}

/// The place and the value of an assignment, with the range of the place.
pub(super) fn assigned<'m>(
    model: &'m Model,
    statement: &Statement,
) -> Option<(&'m Lvalue, ExprId, Option<Range>)> {
    let Statement::Expr(expr) = statement else { return None };
    match &model.code.nodes[*expr].expr {
        Expr::Assign(place, value, range) | Expr::Exchange(place, value, range) => {
            Some((place, *value, *range))
        }
        _ => None,
    }
}

/// The only slot that an assignment changes.
pub(super) fn target(model: &Model, statement: &Statement) -> Option<u32> {
    let (place, ..) = assigned(model, statement)?;
    (place.base == Base::Global && place.indices.is_empty()).then_some(place.offset)
}
