//! Which clocks and variables an edge decides by, and which it sets: definitions and uses.
//!
//! The answer may be too large (an index known only when evaluated counts as every element) but never too small.

use std::collections::BTreeSet;

use crate::reads::{Reads, Variable};
use crate::{ChannelUse, ClockId, Condition, EdgePlace, Label, Model, Update, VariableId};

/// Something that edges read and write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Accessed {
    /// A clock.
    Clock(ClockId),
    /// A variable; an array or record as a whole.
    Variable(VariableId),
}

/// What an edge reads and writes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Accesses {
    /// What it is decided by: its guard, the values that it sends, the invariant of the location it leaves, and the
    /// conditions under which it sets clocks.
    pub used: BTreeSet<Accessed>,
    /// What it sets.
    pub defined: BTreeSet<Accessed>,
    /// The clocks that it sets only under a condition.
    pub perhaps: BTreeSet<Accessed>,
}

impl Accesses {
    /// Whether the edge may set something.
    pub fn may_define(&self, what: &Accessed) -> bool {
        self.defined.contains(what) || self.perhaps.contains(what)
    }
}

impl Model {
    /// What an edge reads and writes.
    pub fn accesses(&self, (process, edge): EdgePlace) -> Accesses {
        let body = &self.processes[process];
        let edge = &body.edges[edge];
        let mut found = Accesses::default();
        let mut reads = Reads::new(self, self.slots.len(), 0);
        let mut condition = |condition: &Condition| {
            reads.condition(condition);
            let bounds = condition.disjuncts.iter().flat_map(|conjunct| &conjunct.clocks);
            for term in bounds.flat_map(|bound| bound.left.iter().chain(&bound.right)) {
                found.used.extend(term.elements().map(Accessed::Clock));
            }
        };
        condition(&body.locations[edge.source].invariant);
        condition(&edge.guard);
        let used: Option<&ChannelUse> = match &edge.label {
            Label::Send(used) | Label::Receive(used) => Some(used),
            Label::Silent | Label::Plain(_) => None,
        };
        for used in used.into_iter().chain(&edge.reply) {
            used.index.iter().for_each(|(index, _)| reads.expr(*index));
            used.arguments.iter().for_each(|argument| reads.expr(*argument));
        }
        let clocks = edge.updates.iter().filter_map(|update| match update {
            Update::Clock(update) => Some(update),
            Update::Data(_) => None,
        });
        clocks.clone().filter_map(|update| update.when).for_each(|when| reads.expr(when));
        found.used.extend(self.variables_of(reads.finish()));
        for update in clocks {
            let elements = update.clock.elements().map(Accessed::Clock);
            match update.when {
                None => found.defined.extend(elements),
                Some(_) => found.perhaps.extend(elements),
            }
        }
        found.perhaps.retain(|clock| !found.defined.contains(clock));
        let mut changes = Reads::new(self, self.slots.len(), 0);
        for update in &edge.updates {
            if let Update::Data(statement) = update {
                changes.statement(statement);
            }
        }
        let (_, changed) = changes.finish_with_changes();
        found.defined.extend(self.variables_of(changed));
        found
    }

    fn variables_of(&self, slots: BTreeSet<Variable>) -> BTreeSet<Accessed> {
        let variable = |slot: u32| {
            let holds = |variable: &crate::Variable| {
                let first = variable.first_slot;
                slot >= first && u64::from(slot - first) < variable.ty.slots()
            };
            self.variables.iter_ids().find(|(_, own)| holds(own)).map(|(id, _)| id)
        };
        let slots = slots.into_iter().filter_map(|part| match part {
            Variable::Slot(slot) => variable(slot),
            Variable::Frame(_) | Variable::Location(_) => None,
        });
        slots.map(Accessed::Variable).collect()
    }
}
