//! The system under test without its environment.
//!
//! In a closed network the tester plays the environment. What it plays there, hidden steps included,
//! is its own choice; a system that is run instead of the model knows nothing of it. So the system
//! alone is the network whose environment stands still, with every channel of the interface open:
//! whatever comes in comes from the tester, and whatever goes out goes to it.
//!
//! That is the same system only if the environment acts on it through the interface and in no other
//! way: it changes no variable and no clock that the system looks at, and they do not synchronise
//! unseen. Otherwise system and environment are [`Entangled`]. What such a system may do by itself is said
//! by the model whose environment hinders nothing: it still acts on the system as it can, but ends no time
//! and refuses no output.

use std::collections::BTreeSet;

use tioga_base::{Id, IdVec, Span};

use crate::reads::{Reads, Variable};
use crate::{
    ChannelId, ChannelUse, ClockId, ClockTerm, Condition, Control, Edge, Entangled, Label,
    Location, LocationId, Marks, Model, Network, Process, ProcessId, Role, Type, Update,
};

/// What processes look at, what they change, and over which hidden channels they speak.
#[derive(Default)]
struct Uses {
    read: BTreeSet<Variable>,
    changed: BTreeSet<Variable>,
    clocks_read: BTreeSet<ClockId>,
    clocks_set: BTreeSet<ClockId>,
    sends: BTreeSet<ChannelId>,
    receives: BTreeSet<ChannelId>,
}

impl Model {
    /// The system under test alone; nothing if the model has no environment. It is made when it is
    /// asked for the first time.
    ///
    /// Ids of processes, locations, clocks and variables stay what they are. Queries and purposes,
    /// which may be about the environment, are left out.
    ///
    /// # Errors
    /// If the environment acts on the system other than through the interface.
    pub fn system_alone(&self) -> Result<Option<&Self>, &Entangled> {
        let made = self.alone.0.get_or_init(|| Box::new(self.make_alone()));
        made.as_ref().as_ref().map(Option::as_ref)
    }

    /// Of a model whose system and environment are [`Entangled`], the model whose environment hinders
    /// nothing; nothing if the system can be had [alone](Self::system_alone), or there is no environment. It
    /// is made when it is asked for the first time.
    ///
    /// Everything that the model does, this one does, too. It also does what the system may do and the
    /// environment would forbid: locations of the environment have no invariant and stop neither time nor
    /// others, channels between both are not urgent, and whatever the system sends to the environment is
    /// taken. Queries and purposes are left out.
    pub fn unhindered(&self) -> Option<&Self> {
        let made = self.unhindered.0.get_or_init(|| Box::new(self.make_unhindered()));
        made.as_ref().as_ref()
    }

    /// Whether the environment learns of the system through the interface and in no other way, and acts on it
    /// likewise: then its own steps are the same with any system that shows the same.
    pub fn is_environment_separate(&self) -> bool {
        let outside = self.outside();
        let inside = self.processes.ids().filter(|id| !outside.contains(id)).collect();
        self.check_separate(&outside).is_ok() && self.check_separate(&inside).is_ok()
    }

    fn make_unhindered(&self) -> Option<Self> {
        self.system_alone().err()?;
        let outside = self.outside();
        let (system, environment) = self.uses(&outside);
        let observer = self.observing.as_ref().map(|observing| observing.process);
        let mut network = self.clone().into_network();
        network.queries.clear();
        network.purposes.clear();
        network.observing = None;
        for &id in &outside {
            let process = &mut network.processes[id];
            if Some(id) == observer {
                process.edges = Default::default();
            }
            for location in process.locations.iter_mut() {
                location.invariant = Condition::always();
                location.marks.urgent = false;
                location.marks.committed = false;
            }
        }
        for sync in &mut network.syncs {
            let parts = &mut sync.parts;
            if parts.iter().any(|part| !outside.contains(&part.process)) {
                let hindering = parts.iter_mut().filter(|part| outside.contains(&part.process));
                hindering.for_each(|part| part.weak = true);
            }
        }
        for (own, other) in
            [(&system.sends, &environment.receives), (&system.receives, &environment.sends)]
        {
            for &channel in own.intersection(other) {
                network.channels[channel].urgent = false;
            }
        }
        let taken = self.waiting_for_environment(&system, &environment);
        network.processes.push(taker(taken));
        // What is left out and weakened here is valid where the model was.
        network.validate().ok()
    }

    /// The same network whose environment refuses no output and ends no time, as a tester that plays it: time goes on
    /// beyond where the environment would have to act. An output that it does not expect stops everything: a committed
    /// location without a way out is entered.
    pub fn taking_every_output(&self) -> Network {
        let outside = self.outside();
        let (system, environment) = self.uses(&outside);
        let mut taker = taker(self.waiting_for_environment(&system, &environment));
        let mut end = taker.locations[taker.initial].clone();
        end.name = "stopped".to_owned();
        end.marks = Marks { committed: true, ..Marks::default() };
        let end = taker.locations.push(end);
        taker.edges.iter_mut().for_each(|edge| edge.target = end);
        let mut network = self.clone().into_network();
        for &id in &outside {
            for location in network.processes[id].locations.iter_mut() {
                location.invariant = Condition::always();
            }
        }
        network.processes.push(taker);
        network
    }

    /// What the edges of the system use, and those of the environment.
    fn uses(&self, outside: &BTreeSet<ProcessId>) -> (Uses, Uses) {
        let (mut system, mut environment) = (Uses::default(), Uses::default());
        for (id, process) in self.processes.iter_ids() {
            let uses = if outside.contains(&id) { &mut environment } else { &mut system };
            process.edges.iter().for_each(|edge| self.note_edge(process, edge, uses));
        }
        (system, environment)
    }

    /// The channels on which the system may have to wait for the environment, and how many slots their values fill.
    fn waiting_for_environment(&self, system: &Uses, environment: &Uses) -> Vec<(ChannelId, u32)> {
        let taken = system.sends.intersection(&environment.receives).copied();
        let taken = taken.filter(|channel| !self.channels[*channel].broadcast);
        let slots = |channel: ChannelId| {
            let slots = self.channels[channel].parameters.iter().map(Type::slots).sum::<u64>();
            u32::try_from(slots).unwrap_or(u32::MAX)
        };
        taken.map(|channel| (channel, slots(channel))).collect()
    }

    /// The processes that do not belong to the system.
    fn outside(&self) -> BTreeSet<ProcessId> {
        let observer = self.observing.as_ref().map(|observing| observing.process);
        let outside = |(id, process): &(ProcessId, &Process)| {
            process.role == Role::Environment || Some(*id) == observer
        };
        self.processes.iter_ids().filter(outside).map(|(id, _)| id).collect()
    }

    fn make_alone(&self) -> Result<Option<Self>, Entangled> {
        let outside = self.outside();
        if !self.processes.iter().any(|process| process.role == Role::Environment) {
            return Ok(None);
        }
        self.check_separate(&outside)?;
        let mut network = self.clone().into_network();
        network.queries.clear();
        network.drop_purposes();
        network.observing = None;
        for &id in &outside {
            network.processes[id].stand_still();
        }
        // Steps of the environment alone are gone with its edges.
        network.syncs.retain(|sync| sync.parts.iter().any(|part| !outside.contains(&part.process)));
        for sync in &mut network.syncs {
            sync.parts.retain(|part| !outside.contains(&part.process));
        }
        for channel in network.channels.iter_mut() {
            channel.open = channel.direction.is_some();
        }
        let sealed = network.validate().map_err(|diagnostics| {
            let first = diagnostics.iter().next();
            Entangled {
                clause: first.map_or_else(String::new, |first| first.message.clone()),
                span: first
                    .and_then(|first| first.primary.as_ref())
                    .map_or(Span::default(), |label| label.span),
            }
        })?;
        Ok(Some(sealed))
    }

    fn check_separate(&self, outside: &BTreeSet<ProcessId>) -> Result<(), Entangled> {
        let mut environment = Uses::default();
        for &id in outside {
            let process = &self.processes[id];
            for edge in &process.edges {
                self.note_edge(process, edge, &mut environment);
            }
        }
        for (id, process) in self.processes.iter_ids() {
            if outside.contains(&id) {
                continue;
            }
            for location in &process.locations {
                let mut uses = Uses::default();
                self.note_condition(&location.invariant, &mut uses);
                self.compare(process, &uses, &environment, outside, location.span)?;
            }
            for edge in &process.edges {
                let mut uses = Uses::default();
                self.note_edge(process, edge, &mut uses);
                self.compare(process, &uses, &environment, outside, edge.span)?;
            }
        }
        for sync in &self.syncs {
            let ours = sync.parts.iter().filter(|part| !outside.contains(&part.process)).count();
            if sync.shown.is_none() && ours > 0 && ours < sync.parts.len() {
                let clause = "the environment takes part in a hidden joint step".to_owned();
                return Err(Entangled { clause, span: sync.span });
            }
        }
        Ok(())
    }

    /// Whether something that the system uses is in the hands of the environment.
    fn compare(
        &self,
        process: &Process,
        uses: &Uses,
        environment: &Uses,
        outside: &BTreeSet<ProcessId>,
        span: Span,
    ) -> Result<(), Entangled> {
        let name = &process.name;
        let entangled = |clause: String| Err(Entangled { clause, span });
        for variable in &uses.read {
            match variable {
                Variable::Slot(slot) if environment.changed.contains(variable) => {
                    let shared = &self.slots[*slot as usize].name;
                    return entangled(format!(
                        "the environment changes `{shared}`, which `{name}` uses"
                    ));
                }
                Variable::Location(other) if outside.contains(other) => {
                    let other = &self.processes[*other].name;
                    return entangled(format!("`{name}` looks where `{other}` is"));
                }
                _ => {}
            }
        }
        if let Some(clock) = uses.clocks_read.intersection(&environment.clocks_set).next() {
            let clock = &self.clocks[*clock].name;
            return entangled(format!(
                "the environment sets the clock `{clock}`, which `{name}` reads"
            ));
        }
        for (own, other) in
            [(&uses.receives, &environment.sends), (&uses.sends, &environment.receives)]
        {
            for &channel in own.intersection(other) {
                let declared = &self.channels[channel];
                // A broadcast does not wait for its receivers.
                let unheard = declared.broadcast && uses.sends.contains(&channel);
                if declared.direction.is_none() && !unheard {
                    let channel = &declared.name;
                    let clause =
                        format!("`{name}` meets the environment on the hidden `{channel}`");
                    return entangled(clause);
                }
            }
        }
        Ok(())
    }

    fn note_condition(&self, condition: &Condition, uses: &mut Uses) {
        let mut reads = Reads::new(self, self.slots.len(), 0);
        reads.condition(condition);
        uses.read.extend(reads.finish());
        for constraint in condition.disjuncts.iter().flat_map(|conjunct| &conjunct.clocks) {
            for term in constraint.left.iter().chain(&constraint.right) {
                uses.clocks_read.extend(term.elements());
            }
        }
    }

    fn note_edge(&self, process: &Process, edge: &Edge, uses: &mut Uses) {
        // The invariant of the target decides whether the edge can be taken.
        self.note_condition(&process.locations[edge.target].invariant, uses);
        self.note_condition(&edge.guard, uses);
        let mut reads = Reads::new(self, self.slots.len(), 0);
        let mut note_use = |used: &ChannelUse, channels: Option<&mut BTreeSet<ChannelId>>| {
            let (index, length) = used.index.map_or((None, 1), |(index, n)| (Some(index), n));
            index.iter().chain(&used.arguments).for_each(|expr| reads.expr(*expr));
            let first = used.channel.index();
            let all = (first..first + length as usize).map(ChannelId::from_index);
            channels.into_iter().for_each(|channels| channels.extend(all.clone()));
        };
        match &edge.label {
            Label::Send(used) => note_use(used, Some(&mut uses.sends)),
            Label::Receive(used) => note_use(used, Some(&mut uses.receives)),
            Label::Silent | Label::Plain(_) => {}
        }
        edge.reply.iter().for_each(|reply| note_use(reply, None));
        for update in &edge.updates {
            match update {
                Update::Data(statement) => reads.statement(statement),
                Update::Clock(update) => {
                    reads.clock_update(update);
                    uses.clocks_set.extend(update.clock.elements());
                    uses.clocks_read.extend(update.source.iter().flat_map(ClockTerm::elements));
                }
            }
        }
        let (read, changed) = reads.finish_with_changes();
        uses.read.extend(read);
        uses.changed.extend(changed);
    }
}

/// A process of the environment that takes everything on these channels, whose values fill so many slots.
fn taker(channels: Vec<(ChannelId, u32)>) -> Process {
    let (initial, span) = (LocationId::from_index(0), Span::default());
    let location = Location {
        name: "taking".to_owned(),
        marks: Marks { initial: true, ..Marks::default() },
        labels: Vec::new(),
        invariant: Condition::always(),
        origin: Vec::new(),
        span,
    };
    let edges = channels.into_iter().map(|(channel, frame)| Edge {
        source: initial,
        target: initial,
        control: Control::Uncontrollable,
        label: Label::Receive(ChannelUse { channel, index: None, arguments: Vec::new() }),
        reply: None,
        frame,
        guard: Condition::always(),
        updates: Vec::new(),
        choices: Vec::new(),
        span,
    });
    Process {
        // No name of a model has a space.
        name: "taker of outputs".to_owned(),
        role: Role::Environment,
        initial,
        locations: IdVec::from_iter([location]),
        edges: edges.collect(),
        outgoing: IdVec::new(),
        span,
    }
}
