//! The process or purpose whose properties are decided, with names and evaluation for its text.

use std::cell::Cell;

use smallvec::SmallVec;
use tioga_base::{Cancel, Id, Rational, Span, Times};

use super::closure::Point;
use super::marks::ClockMark;
use super::property::PropertySubject;
use super::shared::{BUDGET, Shared};
use super::verdict::{ClockValue, DataValue, PropertyVerdict, PropertyWitness};
use crate::{
    Channel, ChannelId, ChannelUse, ClockGuard, ClockId, Composer, Condition, DiscreteState, Edge,
    EdgeId, Label, LocationId, Model, Process, ProcessId, Purpose, Slot, Update,
};

/// How many further places a witness lists.
const OTHERS: usize = 20;

/// A process of a network, or a purpose beside it.
pub(super) struct Subject<'m> {
    pub model: &'m Model,
    pub process: &'m Process,
    /// The process's id; a purpose has none.
    pub id: Option<ProcessId>,
    purpose: Option<&'m Purpose>,
    shared: &'m Shared<'m>,
    budget: Cell<u64>,
    /// Stops the work.
    pub cancel: Cancel,
}

impl<'m> Subject<'m> {
    /// A process of the network.
    pub fn process(shared: &'m Shared<'m>, id: ProcessId, cancel: &Cancel) -> Self {
        let (process, cancel) = (&shared.model.processes[id], cancel.clone());
        let (model, budget) = (shared.model, Cell::new(BUDGET));
        Self { model, process, id: Some(id), purpose: None, shared, budget, cancel }
    }

    /// A purpose.
    pub fn purpose(shared: &'m Shared<'m>, purpose: &'m Purpose, cancel: &Cancel) -> Self {
        let (process, cancel) = (&purpose.process, cancel.clone());
        let (model, budget) = (shared.model, Cell::new(BUDGET));
        Self { model, process, id: None, purpose: Some(purpose), shared, budget, cancel }
    }

    pub fn is_purpose(&self) -> bool {
        self.purpose.is_some()
    }

    pub fn scope(&self) -> PropertySubject {
        let name = self.process.name.clone();
        if self.is_purpose() {
            PropertySubject::Purpose(name)
        } else {
            PropertySubject::Process(name)
        }
    }

    /// Begins with what other processes left of the budget of a property.
    pub fn take_budget(&self, property: usize) {
        self.budget.set(self.shared.budget(property).get());
    }

    /// Leaves the rest of the budget to other processes.
    pub fn return_budget(&self, property: usize) {
        self.shared.budget(property).set(self.budget.get());
    }

    /// Gives conjunctions back that were not looked at.
    pub fn refund(&self, conjunctions: u64) {
        self.budget.set(self.budget.get().saturating_add(conjunctions));
    }

    /// The first two processes that may set a clock.
    pub fn setters(&self, clock: ClockId) -> &'m [ProcessId] {
        self.shared.setters().get(clock.index()).map_or(&[], Vec::as_slice)
    }

    /// What the network does to each clock.
    pub fn marks(&self) -> &'m [ClockMark] {
        self.shared.marks()
    }

    /// Takes conjunctions from the budget, if there are that many.
    pub fn spend(&self, conjunctions: u64) -> bool {
        let rest = self.budget.get().checked_sub(conjunctions);
        self.budget.set(rest.unwrap_or_else(|| self.budget.get()));
        rest.is_some()
    }

    /// What is left of the budget.
    pub fn left(&self) -> u64 {
        self.budget.get()
    }

    /// The initial data with the process in a location.
    pub fn state(&self, location: LocationId) -> DiscreteState {
        let mut state = self.shared.initial.clone();
        if let Some(id) = self.id {
            state.locations[id.index()] = location;
        }
        if let Some(purpose) = self.purpose {
            let own = purpose.slots.iter().map(|slot| slot.initial);
            state.data = state.data.iter().copied().chain(own).collect();
        }
        state
    }

    /// How many data slots a state has.
    pub fn slot_count(&self) -> usize {
        self.model.slots.len() + self.purpose.map_or(0, |purpose| purpose.slots.len())
    }

    pub fn slot(&self, slot: u32) -> &'m Slot {
        let slot = slot as usize;
        match (self.model.slots.get(slot), self.purpose) {
            (None, Some(purpose)) => &purpose.slots[slot - self.model.slots.len()],
            _ => &self.model.slots[slot],
        }
    }

    pub fn clock_name(&self, clock: ClockId) -> &'m str {
        match (self.model.clocks.get(clock), self.purpose) {
            (None, Some(purpose)) => &purpose.clocks[clock.index() - self.model.clocks.len()].name,
            _ => &self.model.clocks[clock].name,
        }
    }

    /// The clock part of a condition; a condition that faults is never met.
    pub fn resolve(
        &self,
        composer: &mut Composer<'_>,
        state: &DiscreteState,
        condition: &Condition,
        frame: &[i64],
        edge: Option<&Edge>,
    ) -> ClockGuard {
        if condition.is_always() {
            return ClockGuard::always();
        }
        let (size, span) = edge.map_or((0, self.process.span), |edge| (edge.frame, edge.span));
        composer
            .resolve(state, condition, frame, size, span)
            .unwrap_or_else(|_| ClockGuard::never())
    }

    pub fn edge(&self, edge: EdgeId) -> &'m Edge {
        &self.process.edges[edge]
    }

    pub fn location_name(&self, location: LocationId) -> &'m str {
        &self.process.locations[location].name
    }

    /// The action of an edge as the user would write it, on this channel if it is known.
    pub fn action(&self, edge: &Edge, channel: Option<ChannelId>) -> String {
        match &edge.label {
            Label::Silent => "silent".into(),
            Label::Plain(action) => self.model.actions[*action].name.clone(),
            Label::Send(used) => format!("{}!", self.channel_name(used, channel)),
            Label::Receive(used) => format!("{}?", self.channel_name(used, channel)),
        }
    }

    fn channel_name(&self, used: &ChannelUse, channel: Option<ChannelId>) -> &'m str {
        let name = &self.model.channels[channel.unwrap_or(used.channel)].name;
        if channel.is_none() && used.index.is_some() {
            // Without the index only the name of the array is meant.
            return name.split('[').next().unwrap_or(name);
        }
        name
    }

    /// An edge in a few words: `touch?` from `Off` to `L1`.
    pub fn describe(&self, edge: &Edge) -> String {
        let (source, target) = (self.location_name(edge.source), self.location_name(edge.target));
        let choices: Vec<String> =
            edge.choices.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let choices =
            if choices.is_empty() { String::new() } else { format!(" ({})", choices.join(", ")) };
        match &edge.label {
            Label::Silent => format!("the silent edge from `{source}` to `{target}`{choices}"),
            _ => format!("`{}` from `{source}` to `{target}`{choices}", self.action(edge, None)),
        }
    }

    /// Clock values in written time units, with names. Values whose exact form does not fit are
    /// left out.
    pub fn clock_values(&self, point: &Point) -> Vec<ClockValue> {
        let scale = Rational::integer(self.model.scale);
        let values = point.iter().filter_map(|(clock, value)| {
            let name = self.clock_name(*clock).to_owned();
            Some(ClockValue { clock: *clock, name, value: value.div(scale).ok()? })
        });
        values.collect()
    }

    /// " when x = 1 and n = 2", or nothing.
    pub fn when(&self, clocks: &[ClockValue], data: &[DataValue]) -> String {
        let times = Times::of(self.model.time_unit);
        let clocks =
            clocks.iter().map(|clock| format!("{} = {}", clock.name, times.exact(clock.value)));
        let data = data.iter().map(|data| format!("{} = {}", data.name, data.text));
        let parts: SmallVec<[String; 4]> = clocks.chain(data).collect();
        match parts.split_last() {
            None => String::new(),
            Some((only, [])) => format!(" when {only}"),
            Some((last, others)) => format!(" when {} and {last}", others.join(", ")),
        }
    }
}

/// The clocks an edge sets, with the last assignment to each. `None` if the index of a clock, or
/// whether it is set, is known only when evaluated.
pub(super) fn assignments(edge: &Edge) -> Option<Vec<&crate::ClockUpdate>> {
    let mut last: Vec<&crate::ClockUpdate> = Vec::new();
    for update in &edge.updates {
        let Update::Clock(update) = update else { continue };
        update.certain()?;
        last.retain(|earlier| earlier.clock != update.clock);
        last.push(update);
    }
    Some(last)
}

/// The channel an edge communicates on, and whether it sends.
pub(super) fn communication(edge: &Edge) -> Option<(&ChannelUse, bool)> {
    match &edge.label {
        Label::Send(used) => Some((used, true)),
        Label::Receive(used) => Some((used, false)),
        Label::Silent | Label::Plain(_) => None,
    }
}

/// The channels of the model an edge may receive on.
pub(super) fn received<'m>(model: &'m Model, edge: &Edge) -> Option<&'m Channel> {
    match &edge.label {
        Label::Receive(used) => Some(&model.channels[used.channel]),
        _ => None,
    }
}

/// Gathers what single questions found into a verdict.
#[derive(Default)]
pub(super) struct Findings {
    witness: Option<PropertyWitness>,
    unknown: Option<String>,
}

impl Findings {
    /// Notes a failure; the first becomes the witness, later ones are listed in a few words.
    pub fn fail(&mut self, witness: PropertyWitness, short: String) {
        match &mut self.witness {
            None => self.witness = Some(witness),
            Some(first) if first.others.len() < OTHERS && !first.others.contains(&short) => {
                first.others.push(short);
            }
            Some(_) => {}
        }
    }

    /// Notes that a question was not decided.
    pub fn unknown(&mut self, reason: String) {
        self.unknown.get_or_insert(reason);
    }

    /// The verdict: a failure counts more than what is unknown.
    pub fn verdict(self) -> PropertyVerdict {
        match (self.witness, self.unknown) {
            (Some(witness), _) => PropertyVerdict::Fails(witness),
            (None, Some(reason)) => PropertyVerdict::Unknown(reason),
            (None, None) => PropertyVerdict::Holds,
        }
    }
}

/// A witness about one edge.
pub(super) fn edge_witness(
    subject: &Subject<'_>,
    id: EdgeId,
    sentence: String,
    words: &str,
) -> PropertyWitness {
    let edge = subject.edge(id);
    PropertyWitness {
        sentence,
        spans: vec![(edge.span, words.to_owned())],
        location: Some(edge.source),
        edges: vec![id],
        ..PropertyWitness::default()
    }
}

/// A witness about one location.
pub(super) fn location_witness(
    subject: &Subject<'_>,
    id: LocationId,
    sentence: String,
    words: &str,
) -> PropertyWitness {
    let span: Span = subject.process.locations[id].span;
    PropertyWitness {
        sentence,
        spans: vec![(span, words.to_owned())],
        location: Some(id),
        ..PropertyWitness::default()
    }
}
