//! Discrete composition: which steps a network has in a discrete state, and what they do.
//!
//! Nothing here knows clock values. A [`Step`] carries the clock conditions under which it is
//! possible, with all data filled in; the caller, which knows clock values or zones, decides. The reference
//! semantics and the symbolic engine share this enumeration.
//!
//! # Steps, in order of enumeration
//! 1. For each process in order, for each edge of its location in order:
//!    a silent edge or a plain label bound in no synchronisation vector moves alone; a send moves
//!    alone on an open binary channel, with one receiver of another process on any other binary
//!    channel (receivers in order of process, then edge), and with every process that can receive
//!    on a broadcast channel; a receive on an open binary channel moves alone, once for each value
//!    of the parameters; with a reply it is a Mealy step.
//! 2. For each open broadcast input in order, what the tester can send: every process that can
//!    receive takes part, and at least one does.
//! 3. For each synchronisation vector in order, its steps: strong parts all take part, weak
//!    parts exactly if they can; a vector of weak parts needs one of them.
//!
//! "Can" includes clock guards. Since these are not known here, a step is enumerated for each set
//! of participants, and [`Step::blocked`] lists the edges whose clock guards must be false because
//! their process stands aside. (TChecker's implementation lets a weak part take part whenever an
//! edge with its label leaves its location, and blocks the step if that edge's guard is false; its
//! documentation speaks of an enabled edge, which is the reading here.)
//!
//! A test purpose that observes the network ([`crate::Observing`]) takes part in each of these steps
//! by one of its edges that name what the step shows, and stands aside if none is enabled.
//!
//! While some process is in a committed location, only steps in which such a process takes part
//! are enumerated.
//!
//! # Arguments
//! Arguments of a send or reply are evaluated before any update and must fit the types of the
//! channel's parameters. Received values fill the frame of the receiving edge from slot 0. An open
//! input whose parameters have more than [`VALUE_LIMIT`] value combinations is not unrolled: it is
//! listed in [`Steps::awaiting`], and [`Composer::supply`] makes the steps for given values.
//!
//! # Faults
//! A guard, argument or index that faults makes its edge unavailable; the fault is listed in
//! [`Steps::faults`]. An update that faults is reported by [`Composer::apply`].
//!
//! # Urgency
//! [`Step::urgent`] marks steps on urgent channels: time does not pass while the clock conditions
//! of such a step hold (its target is not considered). An open input is never urgent, because the
//! tester decides when to send.

mod apply;
mod clocks;
mod enumerate;
mod instant;
mod joint;
mod observe;
mod values;

use smallvec::SmallVec;

use crate::{
    ActionId, ChannelId, Control, DiscreteState, EdgeId, EvalFault, Evaluator, Model, ProcessId,
    Stack, Values,
};

pub use clocks::{ClockAssignment, ClockBound, ClockConjunction, ClockGuard};

/// How many value combinations of an open input's parameters are unrolled into steps.
pub const VALUE_LIMIT: u64 = 4096;

/// A joint step that is possible as far as locations and data are concerned.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The edges taken, in the order in which they update: the sender first, others in process
    /// order; for a synchronisation vector, in the order of its parts.
    pub participants: SmallVec<[Participant; 2]>,
    /// What an observer of the interface sees.
    pub label: StepLabel,
    /// The values communicated.
    pub arguments: Values,
    /// The values of a Mealy step's reply.
    pub reply: Values,
    /// What the clocks must satisfy.
    pub guard: ClockGuard,
    /// What the clocks must not satisfy: otherwise a process that could take part would stand aside.
    pub blocked: SmallVec<[Blocked; 1]>,
    /// Whether time stands still while the clock conditions hold.
    pub urgent: bool,
    /// The side that decides: inputs are the tester's, outputs the system's, and an internal step
    /// belongs to the side of its first edge.
    pub control: Control,
}

impl Step {
    /// The edges taken, and the values communicated.
    pub fn taking(&self) -> (Box<[(ProcessId, EdgeId)]>, Values) {
        let edges = self.participants.iter().map(|one| (one.process, one.edge));
        (edges.collect(), self.arguments.clone())
    }
}

/// One edge of a joint step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Participant {
    /// The process.
    pub process: ProcessId,
    /// Its edge.
    pub edge: EdgeId,
    /// Whether the communicated values fill its frame.
    pub receives: bool,
}

/// An edge that would have to take part if its clock guard held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocked {
    /// The process.
    pub process: ProcessId,
    /// Its edge.
    pub edge: EdgeId,
    /// The clock guard, which must be false.
    pub guard: ClockGuard,
}

/// What an observer of the interface sees of a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StepLabel {
    /// The system takes an input; the values are [`Step::arguments`].
    Input(ChannelId),
    /// The system emits an output; the values are [`Step::arguments`].
    Output(ChannelId),
    /// The system takes an input and emits an output in the same instant; the values are
    /// [`Step::arguments`] and [`Step::reply`].
    Exchange(ChannelId, ChannelId),
    /// Nothing.
    Internal(Hidden),
}

/// What an internal step is called inside the model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hidden {
    /// Nothing.
    Silent,
    /// A plain label.
    Action(ActionId),
    /// A channel inside the system or inside the environment.
    Channel(ChannelId),
    /// The synchronisation vector at this position.
    Sync(u32),
}

/// An open input whose values are the caller's to supply.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Awaiting {
    /// The channel.
    pub channel: ChannelId,
    /// The receivers; all that can receive, if none is named.
    pub receiver: Option<(ProcessId, EdgeId)>,
}

/// The result of an enumeration; reused between states to spare allocations.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Steps {
    /// The steps, in a fixed order.
    pub list: Vec<Step>,
    /// Open inputs that need values from the caller.
    pub awaiting: Vec<Awaiting>,
    /// What could not be evaluated.
    pub faults: Vec<EvalFault>,
}

/// What a step does to a discrete state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// The discrete state after the step.
    pub target: DiscreteState,
    /// The clock assignments, to be carried out in order.
    pub assignments: SmallVec<[ClockAssignment; 4]>,
}

/// Enumerates and applies the steps of a model. Cheap to create; one per thread.
#[derive(Clone, Debug)]
pub struct Composer<'m> {
    model: &'m Model,
    stack: Stack,
    unroll: u64,
}

impl<'m> Composer<'m> {
    /// A composer for a model.
    pub fn new(model: &'m Model) -> Self {
        Self { model, stack: Stack::default(), unroll: VALUE_LIMIT }
    }

    /// A composer that unrolls an open input only if it has at most this many value combinations.
    pub fn unrolling(model: &'m Model, unroll: u64) -> Self {
        Self { unroll, ..Self::new(model) }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Initial locations and data. Symbolic constants have the values of their slots' `initial`;
    /// the caller may set others before the first step.
    pub fn initial(&self) -> DiscreteState {
        DiscreteState {
            locations: self.model.processes.iter().map(|process| process.initial).collect(),
            data: self.model.slots.iter().map(|slot| slot.initial).collect(),
        }
    }

    /// Whether some process is in an urgent or committed location.
    pub fn stops_time(&self, state: &DiscreteState) -> bool {
        self.any_mark(state, |marks| marks.urgent || marks.committed)
    }

    /// Whether some process is in a committed location.
    pub fn is_committed(&self, state: &DiscreteState) -> bool {
        self.any_mark(state, |marks| marks.committed)
    }

    fn any_mark(&self, state: &DiscreteState, test: impl Fn(crate::Marks) -> bool) -> bool {
        let processes = self.model.processes.iter().zip(&state.locations);
        processes.into_iter().any(|(process, location)| test(process.locations[*location].marks))
    }

    /// An evaluator over the state with these values at the start of its frame.
    fn evaluator<'a>(
        &'a mut self,
        state: &'a DiscreteState,
        frame: &[i64],
        size: u32,
    ) -> Evaluator<'a> {
        let code = &self.model.code;
        let mut evaluator =
            Evaluator::reading(code, &state.locations, &state.data, &mut self.stack);
        let size = size.max(self.model.index().frame);
        if size > 0 || !frame.is_empty() {
            evaluator.set_frame(frame, size);
        }
        evaluator
    }
}

impl Steps {
    /// No steps.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.list.clear();
        self.awaiting.clear();
        self.faults.clear();
    }
}
