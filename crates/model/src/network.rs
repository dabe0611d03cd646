//! Networks: processes, locations, edges, channels, clocks and data slots.

use tioga_base::{IdVec, Span, TimeUnit};

use crate::{
    ActionId, ChannelId, ClockId, Code, Condition, EdgeId, ExprId, Kind, LocationId, ProcessId,
    Query, Range, ScalarSets, Type, Update, VariableId,
};

/// A network of automata, not yet validated.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    /// Its name.
    pub name: String,
    /// Clock constants count in units of `1 / scale`; positive.
    pub scale: i64,
    /// What one time unit is on the wall clock, if the model says.
    pub time_unit: Option<TimeUnit>,
    /// The clocks.
    pub clocks: IdVec<ClockId, Clock>,
    /// The variables and symbolic constants.
    pub variables: IdVec<VariableId, Variable>,
    /// The data slots the variables occupy, in order.
    pub slots: Vec<Slot>,
    /// The channels.
    pub channels: IdVec<ChannelId, Channel>,
    /// The plain action labels.
    pub actions: IdVec<ActionId, PlainAction>,
    /// The synchronisation vectors.
    pub syncs: Vec<SyncVector>,
    /// The processes, in the order in which receivers update.
    pub processes: IdVec<ProcessId, Process>,
    /// The test purposes.
    pub purposes: Vec<Purpose>,
    /// The questions and objectives.
    pub queries: Vec<Query>,
    /// The purpose that observes the other processes, in a product with it.
    pub observing: Option<Observing>,
    /// What is known of its scalar sets. Only as written is a network as symmetric as this says: a
    /// change of the network clears it.
    pub scalars: ScalarSets,
    /// The expressions and functions.
    pub code: Code,
}

/// A clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Its full name, such as `Train(0).x` or `time`.
    pub name: String,
    /// The process it belongs to; global clocks belong to none.
    pub owner: Option<ProcessId>,
}

/// A variable or symbolic constant.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// Its full name, such as `Gate.len`.
    pub name: String,
    /// The process it belongs to; global variables belong to none.
    pub owner: Option<ProcessId>,
    /// Its type.
    pub ty: Type,
    /// Its first slot.
    pub first_slot: u32,
    /// Whether it is a symbolic constant: fixed once at the start of every run.
    pub symbolic: bool,
    /// Where it was declared.
    pub span: Span,
}

/// One data slot of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Its full name, such as `Gate.list[2]`; a rational's denominator has the same name.
    pub name: String,
    /// What it holds. A rational takes two slots, both of this kind.
    pub kind: Kind,
    /// The values it admits, if they are bounded.
    pub range: Option<Range>,
    /// The initial value.
    pub initial: i64,
}

/// A channel, one element of an array of channels.
#[derive(Clone, PartialEq, Debug)]
pub struct Channel {
    /// Its full name, such as `appr[3]`.
    pub name: String,
    /// Time does not pass while a synchronisation is enabled.
    pub urgent: bool,
    /// One sender, all receivers that can.
    pub broadcast: bool,
    /// Which way it crosses the interface of the system under test, if it does.
    pub direction: Option<Direction>,
    /// Whether the tester is the partner: it crosses the interface and no process of the
    /// environment uses it.
    pub open: bool,
    /// The types of its parameters, all single values.
    pub parameters: Vec<Type>,
    /// What its parameters are called, as far as they have names.
    pub names: Vec<Option<String>>,
    /// Where it was declared.
    pub span: Span,
}

/// Which way an action crosses the interface of the system under test.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Into the system under test.
    Input,
    /// Out of the system under test.
    Output,
}

/// A plain action label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlainAction {
    /// Its name.
    pub name: String,
}

/// A set of processes that take edges with given plain labels together. A pair of process and
/// label that occurs in a vector never moves alone.
#[derive(Clone, PartialEq, Debug)]
pub struct SyncVector {
    /// The participants, in order of processes; at most one part per process. If all are weak, the
    /// step needs one that can take part.
    pub parts: Vec<SyncPart>,
    /// The interface channel the joint step shows, if any.
    pub shown: Option<ChannelId>,
    /// Where it was written.
    pub span: Span,
}

/// One participant of a synchronisation vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyncPart {
    /// The process.
    pub process: ProcessId,
    /// The plain label of its edge.
    pub action: ActionId,
    /// Whether the joint step also happens without it: it takes part exactly if it can.
    pub weak: bool,
}

/// A process of the network.
#[derive(Clone, PartialEq, Debug)]
pub struct Process {
    /// Its name, such as `Train(0)`.
    pub name: String,
    /// On which side of the interface it runs.
    pub role: Role,
    /// Where it starts.
    pub initial: LocationId,
    /// Its locations.
    pub locations: IdVec<LocationId, Location>,
    /// Its edges, in the order in which steps are enumerated.
    pub edges: IdVec<EdgeId, Edge>,
    /// The edges leaving each location, in order; filled by [`Network::validate`].
    pub outgoing: IdVec<LocationId, Vec<EdgeId>>,
    /// Where it was written.
    pub span: Span,
}

/// On which side of the interface a process runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Part of the system under test.
    System,
    /// Part of its environment, played by the tester.
    Environment,
}

/// A location.
#[derive(Clone, PartialEq, Debug)]
pub struct Location {
    /// Its name.
    pub name: String,
    /// Its marks.
    pub marks: Marks,
    /// Free labels.
    pub labels: Vec<String>,
    /// What holds while the process is here.
    pub invariant: Condition,
    /// The locations of the written model that this one stands for, as process and location, if it was
    /// made and not written; those that are certain.
    pub origin: Vec<(String, String)>,
    /// Where it was written.
    pub span: Span,
}

impl Process {
    /// Takes its edges away, and all that could keep time or others from going on.
    pub(crate) fn stand_still(&mut self) {
        self.edges = Default::default();
        for location in self.locations.iter_mut() {
            location.invariant = Condition::always();
            location.marks.urgent = false;
            location.marks.committed = false;
        }
    }

    /// The locations of the written model that a location stands for, as process and location: itself,
    /// unless it was made.
    pub fn origin(&self, location: LocationId) -> Vec<(String, String)> {
        let location = &self.locations[location];
        if location.origin.is_empty() && !location.name.is_empty() {
            return vec![(self.name.clone(), location.name.clone())];
        }
        location.origin.clone()
    }
}

/// The marks of a location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Marks {
    /// Runs start here.
    pub initial: bool,
    /// Time does not pass here.
    pub urgent: bool,
    /// Time does not pass here and this process moves next.
    pub committed: bool,
    /// A purpose is reached here.
    pub accept: bool,
    /// A purpose gives up here.
    pub refuse: bool,
    /// A fault is confirmed here (BON09).
    pub fail: bool,
    /// A wanted end (BON09).
    pub desired: bool,
}

/// The side that decides whether an edge is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Control {
    /// The tester.
    Controllable,
    /// The system under test.
    Uncontrollable,
}

/// An edge.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// The location it leaves.
    pub source: LocationId,
    /// The location it enters.
    pub target: LocationId,
    /// The side that decides.
    pub control: Control,
    /// What it does visibly.
    pub label: Label,
    /// The output of a Mealy step, in the same instant.
    pub reply: Option<ChannelUse>,
    /// Slots of the frame that received parameters fill.
    pub frame: u32,
    /// When it may be taken.
    pub guard: Condition,
    /// What it changes, in order.
    pub updates: Vec<Update>,
    /// The values of the choices this edge was unrolled for.
    pub choices: Vec<(String, i64)>,
    /// Where it was written; unrolled edges share it.
    pub span: Span,
}

/// What an edge does visibly.
#[derive(Clone, PartialEq, Debug)]
pub enum Label {
    /// Nothing.
    Silent,
    /// A plain label.
    Plain(ActionId),
    /// `a!`
    Send(ChannelUse),
    /// `a?`
    Receive(ChannelUse),
}

/// A channel on an edge.
#[derive(Clone, PartialEq, Debug)]
pub struct ChannelUse {
    /// The channel, or the first of the array.
    pub channel: ChannelId,
    /// The position in the array, counted from 0, and the length of the array. A position outside
    /// the array is a fault.
    pub index: Option<(ExprId, u32)>,
    /// The values sent; empty when receiving, where values fill the frame from slot 0.
    pub arguments: Vec<ExprId>,
}

/// A test purpose: a process beside the network that observes all its steps and constrains none.
#[derive(Clone, PartialEq, Debug)]
pub struct Purpose {
    /// The observing process. Its labels name actions of the network, and the values of the
    /// observed communication fill the frame whichever way it goes; its guards may read the
    /// network's clocks and data; its updates touch only its own.
    pub process: Process,
    /// Its own clocks; their ids follow after the network's.
    pub clocks: Vec<Clock>,
    /// Its own variables.
    pub variables: Vec<Variable>,
    /// Its own data slots; they follow after the network's.
    pub slots: Vec<Slot>,
    /// Where it goes on an action no edge of its matches: nowhere else if `None` inside `Some`.
    pub otherwise: Option<Option<LocationId>>,
    /// The action that resets its clocks and returns it to its start.
    pub restart: Option<Label>,
}

impl Network {
    /// An empty network with this name.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            scale: 1,
            time_unit: None,
            clocks: IdVec::new(),
            variables: IdVec::new(),
            slots: Vec::new(),
            channels: IdVec::new(),
            actions: IdVec::new(),
            syncs: Vec::new(),
            processes: IdVec::new(),
            purposes: Vec::new(),
            queries: Vec::new(),
            observing: None,
            scalars: ScalarSets::default(),
            code: Code::default(),
        }
    }

    /// Whether outputs may come and none ever has to: nothing in the system ends the time. Then a system that stays
    /// silent conforms.
    pub fn forces_no_output(&self) -> bool {
        let system = || self.processes.iter().filter(|process| process.role == Role::System);
        let ends = |place: &Location| {
            place.marks.urgent || place.marks.committed || !place.invariant.is_always()
        };
        let sends = |edge: &Edge| match &edge.label {
            Label::Send(used) => self.channels[used.channel].direction == Some(Direction::Output),
            _ => false,
        };
        let answers = |edge: &Edge| edge.reply.is_some();
        let mut edges = system().flat_map(|process| process.edges.iter());
        edges.any(sends)
            && !system().any(|process| process.edges.iter().any(answers))
            && !system().any(|process| process.locations.iter().any(ends))
            && !self.channels.iter().any(|channel| channel.urgent)
    }
}

impl Marks {
    /// The marks that are set, by name, in the order the language lists them.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        [
            (self.initial, "init"),
            (self.urgent, "urgent"),
            (self.committed, "committed"),
            (self.accept, "accept"),
            (self.refuse, "refuse"),
            (self.fail, "fail"),
            (self.desired, "desired"),
        ]
        .into_iter()
        .filter_map(|(set, name)| set.then_some(name))
    }
}

/// The process that observes a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Observing {
    /// The process.
    pub process: ProcessId,
    /// The edge it takes in each location when no other fits; it stands aside if there is none.
    pub otherwise: IdVec<LocationId, Option<EdgeId>>,
    /// The action that takes it back to its start, and by which edge from each location.
    pub restart: Option<(Label, IdVec<LocationId, EdgeId>)>,
}
