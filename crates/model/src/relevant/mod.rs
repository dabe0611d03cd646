//! The part of a model that decides a condition: processes that cannot influence it stand still.
//!
//! A process is *relevant* if the condition asks where it is, if it changes data or sets a clock that something
//! relevant reads, if it sends a broadcast that a relevant process receives, if they meet on another channel, or
//! if it could hold the others up. The last is excluded for a process that is *harmless* (see [`harmless`]): it
//! can always let time pass and always leave a location in which others have to wait, by steps of its own, and it
//! never makes a broadcast of another process impossible. Updates that nothing relevant reads are left out of
//! relevant processes, too, if they can always be carried out.
//!
//! # Why this is exact
//! Let `R` be the relevant processes and `H` the others, all harmless.
//!
//! *A run of the model is one of the part.* Leave out the steps of `H` alone. They change nothing that `R` reads,
//! and no delay becomes longer. A step with relevant processes is still possible: guards, values and
//! invariants of `R` read the same, no relevant process receives from `H`, and a step that is possible because a
//! process of `H` is in a committed location has no relevant process in it, for such locations receive nothing.
//!
//! *A run of the part is one of the model, with steps of `H` in between.* After each step, processes of `H` leave
//! their committed locations, and before each delay their urgent ones and those whose invariant would end it;
//! their steps are possible whatever the data is, and after them each can wait for at least one unit, unless it has no invariant at all. So finitely many
//! steps of `H` happen in finite time. A broadcast that is sent to `H` is possible: the updates of its receivers can be
//! carried out, and the invariants they come to hold.
//!
//! So the same valuations of what `R` reads are reachable. For conditions about whole maximal runs it is needed besides that `H`
//! alone makes finitely many steps in finite time, since infinitely many would be a maximal run on which `R` stands
//! still: every cycle of a process of `H`, without what relevant processes send it, takes at least one unit. A run of the model
//! that ends because nothing is possible ends so for `R`, too, because `H` never ends time.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use tioga_base::Id;

use crate::reads::{Reads, Variable};
use crate::{
    Base, ChannelId, ChannelUse, ClockId, ClockTerm, Condition, Edge, EdgeId, Label, Model,
    ProcessId, ScalarSets, TimeBound, Update,
};

mod counters;
mod cycles;
mod harmless;

use counters::{Bounds, assigned, target};

/// Larger models are needed as a whole: the analysis compares all processes with each other, again and again.
const MOST_PROCESSES: usize = 200;

/// The part of a model that decides conditions.
#[derive(Clone, Debug)]
pub struct RelevantPart {
    /// The model in which the other processes stand still. Ids stay what they are; queries and purposes are left
    /// out.
    pub model: Model,
    /// The processes that stand still.
    pub left_out: Vec<ProcessId>,
}

/// What something reads.
#[derive(Clone, Debug, Default)]
struct Read {
    data: BTreeSet<Variable>,
    clocks: BTreeSet<ClockId>,
}

/// What one process reads, changes and uses.
#[derive(Debug, Default)]
struct Uses {
    /// What it reads if it is relevant, whatever else is.
    read: Read,
    slots: BTreeSet<u32>,
    clocks: BTreeSet<ClockId>,
    sends: BTreeSet<ChannelId>,
    receives: BTreeSet<ChannelId>,
    /// Updates that matter only if what they change does.
    optional: Vec<Optional>,
    /// Whether it is relevant in any case.
    exposed: bool,
    /// Whether its own steps hold no other process up, once that was asked for.
    calm: OnceCell<bool>,
}

/// An update that matters only if what it changes does.
#[derive(Debug)]
struct Optional {
    edge: EdgeId,
    position: usize,
    changes: Changed,
    read: Read,
}

#[derive(Clone, Copy, Debug)]
enum Changed {
    Slot(u32),
    Clock(ClockId),
}

/// What was found out about a model.
struct Analysis<'m> {
    model: &'m Model,
    bounds: Bounds,
    uses: Vec<Uses>,
}

impl Model {
    /// The part of the model that decides in which states conditions hold, and, if `runs`, how they change
    /// along maximal runs. Nothing if all of the model is needed.
    pub fn relevant_to(&self, conditions: &[&Condition], runs: bool) -> Option<RelevantPart> {
        let joint = !self.syncs.is_empty() || self.observing.is_some();
        if joint || self.classes().is_some() || self.processes.len() > MOST_PROCESSES {
            return None;
        }
        let analysis = Analysis::of(self);
        let (relevant, read) = analysis.relevant(conditions, runs);
        let left_out: Vec<ProcessId> =
            self.processes.ids().filter(|id| !relevant.contains(id)).collect();
        if left_out.is_empty() {
            return None;
        }
        let mut network = self.clone().into_network();
        network.queries.clear();
        network.drop_purposes();
        network.scalars = ScalarSets::default();
        for &id in &left_out {
            network.processes[id].stand_still();
        }
        for &id in &relevant {
            let unread = |one: &&Optional| !read.has(one.changes);
            let optional: BTreeSet<(EdgeId, usize)> = analysis.uses[id.index()]
                .optional
                .iter()
                .filter(unread)
                .map(|one| (one.edge, one.position))
                .collect();
            for (edge, body) in network.processes[id].edges.iter_mut().enumerate() {
                let (edge, mut position) = (EdgeId::from_index(edge), 0);
                body.updates.retain(|_| {
                    position += 1;
                    !optional.contains(&(edge, position - 1))
                });
            }
        }
        let model = network.validate().ok()?;
        Some(RelevantPart { model, left_out })
    }
}

impl Read {
    fn has(&self, changed: Changed) -> bool {
        match changed {
            Changed::Slot(slot) => self.data.contains(&Variable::Slot(slot)),
            Changed::Clock(clock) => self.clocks.contains(&clock),
        }
    }

    fn covers(&self, other: &Self) -> bool {
        other.data.is_subset(&self.data) && other.clocks.is_subset(&self.clocks)
    }

    fn extend(&mut self, other: &Self) {
        self.data.extend(&other.data);
        self.clocks.extend(&other.clocks);
    }

    fn condition(&mut self, model: &Model, condition: &Condition) {
        let mut reads = Reads::new(model, model.slots.len(), 0);
        reads.condition(condition);
        self.data.extend(reads.finish());
        for constraint in condition.disjuncts.iter().flat_map(|conjunct| &conjunct.clocks) {
            for term in constraint.left.iter().chain(&constraint.right) {
                self.clocks.extend(term.elements());
            }
        }
    }
}

impl<'m> Analysis<'m> {
    fn of(model: &'m Model) -> Self {
        let mut analysis = Self { model, bounds: Bounds::of(model), uses: Vec::new() };
        analysis.uses = model.processes.ids().map(|id| analysis.uses_of(id)).collect();
        analysis
    }

    /// The relevant processes, and what they and the conditions read: the least that contains what it needs.
    fn relevant(&self, conditions: &[&Condition], runs: bool) -> (BTreeSet<ProcessId>, Read) {
        let mut relevant = BTreeSet::new();
        let mut read = Read::default();
        conditions.iter().for_each(|condition| read.condition(self.model, condition));
        loop {
            let needed =
                self.model.processes.ids().find(|id| {
                    !relevant.contains(id) && self.is_needed(*id, &relevant, &read, runs)
                });
            let Some(id) = needed else { return (relevant, read) };
            relevant.insert(id);
            read.extend(&self.uses[id.index()].read);
            while let Some(more) = relevant
                .iter()
                .flat_map(|id| &self.uses[id.index()].optional)
                .find(|one| read.has(one.changes) && !read.covers(&one.read))
            {
                read.extend(&more.read);
            }
        }
    }

    fn is_needed(
        &self,
        id: ProcessId,
        relevant: &BTreeSet<ProcessId>,
        read: &Read,
        runs: bool,
    ) -> bool {
        let own = &self.uses[id.index()];
        let broadcast = |channel: &&ChannelId| self.model.channels[**channel].broadcast;
        let meets = relevant.iter().map(|other| &self.uses[other.index()]).any(|other| {
            own.sends.intersection(&other.receives).next().is_some()
                || own.receives.intersection(&other.sends).any(|channel| !broadcast(&channel))
        });
        own.exposed
            || meets
            || read.data.contains(&Variable::Location(id))
            || own.slots.iter().any(|slot| read.has(Changed::Slot(*slot)))
            || own.clocks.iter().any(|clock| read.has(Changed::Clock(*clock)))
            || !self.is_harmless(id, relevant)
            || (runs && !self.cycles_take_time(id, relevant))
    }

    fn uses_of(&self, id: ProcessId) -> Uses {
        let process = &self.model.processes[id];
        let mut uses = Uses::default();
        for location in &process.locations {
            uses.read.condition(self.model, &location.invariant);
        }
        for (number, edge) in process.edges.iter_ids() {
            uses.read.condition(self.model, &edge.guard);
            self.note_label(edge, &mut uses);
            for (position, update) in edge.updates.iter().enumerate() {
                self.note_update(number, position, update, &mut uses);
            }
        }
        uses
    }

    fn note_label(&self, edge: &Edge, uses: &mut Uses) {
        let (used, channels) = match &edge.label {
            Label::Silent | Label::Plain(_) => return,
            Label::Send(used) => (used, &mut uses.sends),
            Label::Receive(used) => (used, &mut uses.receives),
        };
        let all = channels_of(used);
        channels.extend(all.clone());
        let mut reads = Reads::new(self.model, self.model.slots.len(), 0);
        used.index.iter().for_each(|(index, _)| reads.expr(*index));
        used.arguments.iter().for_each(|argument| reads.expr(*argument));
        uses.read.data.extend(reads.finish());
        uses.exposed |= edge.reply.is_some()
            || all
                .map(|channel| &self.model.channels[channel])
                .any(|channel| channel.urgent || channel.open || channel.direction.is_some());
    }

    fn note_update(&self, edge: EdgeId, position: usize, update: &Update, uses: &mut Uses) {
        let mut reads = Reads::new(self.model, self.model.slots.len(), 0);
        let mut read = Read::default();
        let changes = match update {
            Update::Clock(set) => {
                reads.clock_update(set);
                read.clocks.extend(set.source.iter().flat_map(ClockTerm::elements));
                uses.clocks.extend(set.clock.elements());
                self.is_safe(update).then_some(Changed::Clock(set.clock.clock))
            }
            Update::Data(statement) => {
                reads.statement(statement);
                self.is_safe(update)
                    .then(|| target(self.model, statement))
                    .flatten()
                    .map(Changed::Slot)
            }
        };
        let (data, changed) = reads.finish_with_changes();
        let slots = changed.iter().filter_map(|one| match one {
            Variable::Slot(slot) => Some(*slot),
            _ => None,
        });
        uses.slots.extend(slots);
        read.data.extend(data);
        match changes {
            // That it changes something is no reason to read it.
            Some(changes) => uses.optional.push(Optional { edge, position, changes, read }),
            None => uses.read.extend(&read),
        }
    }

    /// Whether an update can be carried out in every state.
    fn is_safe(&self, update: &Update) -> bool {
        match update {
            Update::Clock(set) => {
                let constant = matches!(set.value, TimeBound::Constant(value) if value >= 0);
                let known = |when| self.bounds.of_value(self.model, when).is_some();
                let plain = set.clock.index.is_none() && set.source.is_none();
                constant && plain && set.when.is_none_or(known)
            }
            Update::Data(statement) => {
                let Some((place, value, range)) = assigned(self.model, statement) else {
                    return false;
                };
                if place.base != Base::Global || !place.indices.is_empty() {
                    return false;
                }
                let fits = |(low, high): (i64, i64)| {
                    range.is_none_or(|range| range.min <= low && high <= range.max)
                };
                self.bounds.is_counter(place.offset)
                    || self.bounds.of_value(self.model, value).is_some_and(fits)
            }
        }
    }
}

fn channels_of(used: &ChannelUse) -> impl Iterator<Item = ChannelId> + Clone + use<> {
    let first = used.channel.index();
    let length = used.index.map_or(1, |(_, length)| length as usize);
    (first..first + length).map(ChannelId::from_index)
}
