//! The intermediate model: networks of timed automata with data.
//!
//! Front ends produce a [`Network`]; [`Network::validate`] turns it into a [`Model`], the only form
//! later stages accept. A model is fully resolved: templates are instantiated, names are ids,
//! types are checked, constants are folded, choices (`select`) are unrolled and guards are in
//! disjunctive normal form. It knows no file format.
//!
//! # Meaning
//! A *state* is a location per process, a value per data slot and a value per clock. Time passes
//! for all clocks alike as long as every invariant holds, no process is in an urgent or committed
//! location and no urgent synchronisation is enabled. A *step* is one edge, a sender with its
//! receivers, or the edges of a synchronisation vector; its guards hold before it, its updates run
//! in order (sender first, then receivers in process order), and the target invariants hold after
//! it. While a process is in a committed location, every step involves such a process.
//! A step whose update leaves the range of a variable, divides by zero or indexes outside an array
//! is not possible; the caller that enumerates steps is told.
//!
//! # Interface
//! A channel with a [`Direction`] crosses the interface of the system under test. It is *open* when
//! no environment process uses it: then the system's edge moves alone and the tester is the
//! partner. Otherwise the environment process is the partner.
//!
//! # Properties
//! [`properties()`] decides the properties that follow from the text of a process alone:
//! determinism, input-completeness, classes of automata that can be determinized, and the like.
//!
//! # Time
//! Clock constants are integers in units of `1 / scale` of the written time unit, so that rational
//! constants cost nothing later.

mod accesses;
mod alone;
mod classes;
mod code;
mod compose;
mod condition;
mod coverage;
mod decision;
mod discrete;
mod eval;
mod fault;
mod ids;
mod index;
mod limits;
mod milestones;
mod model;
mod network;
mod own_moves;
mod product;
mod properties;
mod purposes;
mod query;
mod reads;
mod relevant;
mod scalars;
mod symmetry;
mod types;
mod validate;
mod values;

pub use accesses::{Accessed, Accesses};
pub use classes::DataClasses;
pub use code::{
    Argument, Base, BinaryOp, Code, ConstantTable, Dynamic, Expr, Function, Home, Kind, Local,
    Lvalue, Node, Quantifier, Range, Statement, UnaryOp,
};
pub use compose::{
    Applied, Awaiting, Blocked, ClockAssignment, ClockBound, ClockConjunction, ClockGuard,
    Composer, Hidden, Participant, Step, StepLabel, Steps, VALUE_LIMIT,
};
pub use condition::{
    ClockConstraint, ClockTerm, ClockUpdate, Condition, Conjunct, TimeBound, Update,
};
pub use decision::{Deciding, Decision, Margin};
pub use discrete::{DiscreteState, Values};
pub use eval::{Evaluator, Stack, Value};
pub use fault::{EvalFault, EvalFaultKind};
pub use ids::{
    ActionId, ChannelId, ClockId, EdgeId, ExprId, FunctionId, LocationId, ProcessId, VariableId,
};
pub use limits::{CALL_LIMIT, NESTING_LIMIT, STEP_LIMIT};
pub use milestones::{EdgePlace, Milestone, Milestones};
pub use model::{Entangled, Model};
pub use network::{
    Channel, ChannelUse, Clock, Control, Direction, Edge, Label, Location, Marks, Network,
    Observing, PlainAction, Process, Purpose, Role, Slot, SyncPart, SyncVector, Variable,
};
pub use properties::{
    ClockValue, DataValue, MaximalConstant, POINT_LIMIT, Property, PropertyReport, PropertySubject,
    PropertyVerdict, PropertyWitness, maximal_constants, properties, properties_among,
    properties_until,
};
pub use query::{Ends, Formula, Measured, Objective, Predicate, Query};
pub use relevant::RelevantPart;
pub use scalars::{ScalarSet, ScalarSets};
pub use symmetry::{Interchange, Permutation, Symmetry};
pub use tioga_base::{TimeUnit, WallUnit};
pub use types::Type;
