//! Events and synchronisations for the channels, labels and vectors of a model.
//!
//! A binary channel becomes one `sync` per pair of sending and receiving process, a broadcast
//! channel one `sync` per sender with all receivers weak. Where a process both sends and receives
//! on a channel the two sides get events of their own. An edge whose channel has no partner can
//! never be taken and is left out: as an event without `sync` it would move alone.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Id, Span};
use tioga_model::{ActionId, ChannelId, ChannelUse, Direction, Edge, Label, ProcessId, Role};

use super::formula::Formulas;
use super::naming::Scope;

/// The event of an edge, and the condition under which its index selects this event.
pub struct Event {
    pub name: String,
    pub condition: Option<String>,
    /// Whether the tester is the partner and offers it.
    pub offered: bool,
}

/// The two sides of a channel.
#[derive(Default)]
struct Sides {
    senders: BTreeSet<ProcessId>,
    receivers: BTreeSet<ProcessId>,
    send_event: String,
    receive_event: String,
}

/// The events and synchronisations of the printed file.
#[derive(Default)]
pub struct Events {
    channels: BTreeMap<ChannelId, Sides>,
    actions: Vec<String>,
    silent: String,
    /// The `event` declarations.
    pub text: String,
    /// The `sync` declarations.
    pub syncs: String,
}

impl Formulas<'_> {
    /// Plans the events; `processes` are the printed names of the processes.
    pub fn events(&mut self, processes: &[String]) -> Events {
        let mut events = Events::default();
        self.find_sides(&mut events);
        self.check_channels(&events);
        let mut scope = Scope::default();
        self.name_events(&mut events, &mut scope);
        self.channel_syncs(&mut events, processes);
        self.vector_syncs(&mut events, processes);
        events
    }

    fn find_sides(&mut self, events: &mut Events) {
        for (id, process) in self.network.processes.iter_ids() {
            for edge in &process.edges {
                let (channel_use, sends) = match &edge.label {
                    Label::Send(channel) => (channel, true),
                    Label::Receive(channel) => (channel, false),
                    _ => continue,
                };
                for channel in self.channels_of(channel_use) {
                    let sides = events.channels.entry(channel).or_default();
                    let side = if sends { &mut sides.senders } else { &mut sides.receivers };
                    side.insert(id);
                }
            }
        }
    }

    /// The channels an edge may use.
    fn channels_of(&self, channel_use: &ChannelUse) -> Vec<ChannelId> {
        let first = channel_use.channel.index();
        let last = self.network.channels.len();
        let range = match channel_use.index {
            None => first..first + 1,
            Some((index, length)) => match self.network.code.constant(index) {
                Some(value) => {
                    let chosen = usize::try_from(value).ok().filter(|at| *at < length as usize);
                    chosen.map_or(0..0, |at| first + at..first + at + 1)
                }
                None => first..first + length as usize,
            },
        };
        range.take_while(|index| *index < last).map(ChannelId::from_index).collect()
    }

    fn check_channels(&mut self, events: &Events) {
        for (id, sides) in &events.channels {
            let channel = &self.network.channels[*id];
            let (name, span) = (&channel.name, channel.span);
            let mut refuse = |what: &str, note: &str| {
                self.refuse::<()>(span, &format!("{what} `{name}`"), note);
            };
            if channel.urgent {
                refuse("urgent channel", "only locations can be urgent");
            }
            if !channel.parameters.is_empty() {
                refuse("the parameters of channel", "events carry no values");
            }
            if channel.open && !sides.senders.is_empty() && !sides.receivers.is_empty() {
                refuse("the two sides of interface channel", "its event would have two meanings");
            }
            if channel.broadcast && !channel.open {
                for receiver in &sides.receivers {
                    let used = |edge: &Edge| match &edge.label {
                        Label::Receive(used) => self.channels_of(used).contains(id),
                        _ => false,
                    };
                    if let Some(span) = self.sometimes_disabled(*receiver, used) {
                        self.refuse_weak(span, &format!("a guarded receiver of `{name}`"));
                    }
                }
            }
        }
    }

    /// The first edge of a location all of whose such edges may be disabled.
    fn sometimes_disabled(&self, process: ProcessId, used: impl Fn(&Edge) -> bool) -> Option<Span> {
        let mut locations: BTreeMap<_, (bool, Span)> = BTreeMap::new();
        for edge in self.network.processes[process].edges.iter().filter(|edge| used(edge)) {
            let fixed = match &edge.label {
                Label::Receive(ChannelUse { index: Some((index, _)), .. }) => {
                    self.network.code.constant(*index).is_some()
                }
                _ => true,
            };
            let free = fixed && edge.guard.is_always();
            locations.entry(edge.source).or_insert((false, edge.span)).0 |= free;
        }
        locations.into_values().find(|(free, _)| !free).map(|(_, span)| span)
    }

    fn refuse_weak(&mut self, span: Span, what: &str) {
        self.refuse::<()>(
            span,
            what,
            "TChecker blocks the whole move when the guard is false; here the receiver is left out",
        );
    }

    fn name_events(&mut self, events: &mut Events, scope: &mut Scope) {
        use std::fmt::Write;
        let network = self.network;
        let shown = self.shown_actions(events);
        for (id, channel) in network.channels.iter_ids() {
            let is_shown = shown.values().any(|channel| *channel == id);
            if !events.channels.contains_key(&id) && !is_shown && channel.direction.is_none() {
                continue;
            }
            let sides = events.channels.entry(id).or_default();
            let attribute = match channel.direction {
                Some(Direction::Input) => "{input:}",
                Some(Direction::Output) => "{output:}",
                None => "",
            };
            sides.send_event = scope.give(&channel.name);
            let _ = writeln!(events.text, "event:{}{attribute}", sides.send_event);
            if sides.senders.is_disjoint(&sides.receivers) {
                sides.receive_event = sides.send_event.clone();
            } else {
                sides.receive_event = scope.give(&format!("{}_receive", channel.name));
                let _ = writeln!(events.text, "event:{}", sides.receive_event);
            }
        }
        for (id, action) in network.actions.iter_ids() {
            let name = match shown.get(&id).and_then(|channel| events.channels.get(channel)) {
                Some(sides) => sides.send_event.clone(),
                None => {
                    let name = scope.give(&action.name);
                    let _ = writeln!(events.text, "event:{name}");
                    name
                }
            };
            events.actions.push(name);
        }
        let silent = |edge: &Edge| edge.label == Label::Silent;
        if network.processes.iter().any(|process| process.edges.iter().any(silent)) {
            let shared = network.actions.iter_ids().find(|(id, action)| {
                let parts = || network.syncs.iter().flat_map(|sync| &sync.parts);
                action.name == "tau" && !parts().any(|part| part.action == *id)
            });
            events.silent = match shared {
                Some((id, _)) => events.actions[id.index()].clone(),
                None => {
                    let name = scope.give("tau");
                    let _ = writeln!(events.text, "event:{name}");
                    name
                }
            };
        }
    }

    /// For each vector that shows an interface action, the label that will bear its name. It must
    /// occur in no other kind of vector and never alone, because the event is marked everywhere.
    fn shown_actions(&mut self, events: &Events) -> BTreeMap<ActionId, ChannelId> {
        let network = self.network;
        let mut chosen: BTreeMap<ActionId, ChannelId> = BTreeMap::new();
        for sync in &network.syncs {
            let Some(channel) = sync.shown else { continue };
            if sync.parts.iter().any(|part| chosen.get(&part.action) == Some(&channel)) {
                continue;
            }
            let suits = |action: ActionId| {
                let with = || {
                    network
                        .syncs
                        .iter()
                        .filter(move |sync| sync.parts.iter().any(|part| part.action == action))
                };
                let processes: BTreeSet<ProcessId> = with()
                    .flat_map(|sync| &sync.parts)
                    .filter(|part| part.action == action)
                    .map(|part| part.process)
                    .collect();
                let never_alone = network.processes.iter_ids().all(|(id, process)| {
                    let label = Label::Plain(action);
                    processes.contains(&id) || process.edges.iter().all(|edge| edge.label != label)
                });
                let apart = events.channels.get(&channel).is_none_or(|sides| {
                    sides.senders.is_disjoint(&processes) && sides.receivers.is_disjoint(&processes)
                });
                never_alone && apart && with().all(|sync| sync.shown == Some(channel))
            };
            let taken = chosen.values().any(|other| *other == channel);
            let part = sync.parts.iter().find(|part| !part.weak && suits(part.action));
            match part {
                Some(part) if !taken => {
                    chosen.insert(part.action, channel);
                }
                _ => {
                    let what = format!("a vector that shows `{}`", network.channels[channel].name);
                    self.refuse::<()>(
                        sync.span,
                        &what,
                        "no label of it is used by such vectors only",
                    );
                }
            }
        }
        chosen
    }

    fn channel_syncs(&mut self, events: &mut Events, processes: &[String]) {
        use std::fmt::Write;
        for (id, sides) in &events.channels {
            let channel = &self.network.channels[*id];
            if channel.open {
                continue;
            }
            for sender in &sides.senders {
                let from = format!("{}@{}", processes[sender.index()], sides.send_event);
                let receivers: Vec<String> = sides
                    .receivers
                    .iter()
                    .filter(|receiver| *receiver != sender)
                    .map(|receiver| {
                        format!("{}@{}", processes[receiver.index()], sides.receive_event)
                    })
                    .collect();
                if channel.broadcast {
                    if !receivers.is_empty() {
                        let _ = writeln!(events.syncs, "sync:{from}:{}?", receivers.join("?:"));
                    }
                    continue;
                }
                for receiver in receivers {
                    let _ = writeln!(events.syncs, "sync:{from}:{receiver}");
                }
            }
        }
    }

    fn vector_syncs(&mut self, events: &mut Events, processes: &[String]) {
        use std::fmt::Write;
        let network = self.network;
        for sync in &network.syncs {
            if sync.parts.len() < 2 {
                let what = "a vector with one participant";
                self.refuse::<()>(sync.span, what, "a `sync` has at least two");
            }
            let mut parts = Vec::new();
            for part in &sync.parts {
                let used = |edge: &Edge| edge.label == Label::Plain(part.action);
                let disabled = self.sometimes_disabled(part.process, used).filter(|_| part.weak);
                if let Some(span) = disabled {
                    self.refuse_weak(span, "a guarded edge of a weak participant");
                }
                let event = &events.actions[part.action.index()];
                let mark = if part.weak { "?" } else { "" };
                parts.push(format!("{}@{event}{mark}", processes[part.process.index()]));
            }
            let _ = writeln!(events.syncs, "sync:{}", parts.join(":"));
        }
    }

    /// The events an edge can be printed with; none if it can never be taken.
    pub fn events_of(
        &mut self,
        events: &Events,
        process: ProcessId,
        edge: &Edge,
    ) -> Option<Vec<Event>> {
        let (channel_use, sends) = match &edge.label {
            Label::Silent => return Some(vec![Event::plain(&events.silent)]),
            Label::Plain(action) => {
                return Some(vec![Event::plain(&events.actions[action.index()])]);
            }
            Label::Send(channel) => (channel, true),
            Label::Receive(channel) => (channel, false),
        };
        let mut result = Vec::new();
        for id in self.channels_of(channel_use) {
            let Some(sides) = events.channels.get(&id) else { continue };
            let channel = &self.network.channels[id];
            let others = if sends { &sides.receivers } else { &sides.senders };
            let partner = others.iter().any(|other| *other != process);
            let moves = channel.open || partner || (channel.broadcast && sends);
            if !moves {
                continue;
            }
            let position = id.index() - channel_use.channel.index();
            let condition = match channel_use.index {
                Some((index, _)) if self.network.code.constant(index).is_none() => {
                    Some(format!("{} == {position}", self.term(index)?))
                }
                _ => None,
            };
            let name = if sends { &sides.send_event } else { &sides.receive_event };
            let offered = channel.open && channel.direction == Some(Direction::Input);
            result.push(Event { name: name.clone(), condition, offered });
        }
        Some(result)
    }

    /// The names of the processes of the environment.
    pub fn environment(&self) -> impl Iterator<Item = &str> {
        let outside = |role| role == Role::Environment;
        let processes = self.network.processes.iter();
        processes.filter(move |process| outside(process.role)).map(|process| process.name.as_str())
    }
}

impl Event {
    fn plain(name: &str) -> Self {
        Self { name: name.to_owned(), condition: None, offered: false }
    }
}
