//! The zone graph of a model.
//!
//! A symbolic state is a discrete state and a zone of clock valuations; the zones that a step leads to
//! are together closed under the delays that the discrete state allows ([`Elapse`]). There is one, unless
//! an invariant is a disjunction or a clock guard is urgent. [`ZoneGraph`] hands these states to
//! `tioga-explore`: its keys are packed discrete states ([`Codec`]), its parts are packed zones over the
//! clocks that matter, and each step is one of the network. Zones are abstracted
//! ([`Abstraction`]) with bounds found by static analysis ([`ClockBounds`]), so that finitely many
//! suffice. [`Reach`] looks for a state that satisfies a condition and turns the path there into a
//! concrete run with exact delays, [`Maximal`] for a run that never leaves a set of states; [`Extent`]
//! measures clocks and data; [`Survey`] examines all reachable states, and [`Assumptions`] decides the
//! assumptions of test synthesis on them.

mod arena;
mod assumptions;
mod canonical;
mod codec;
mod conditions;
mod constants;
mod effort;
mod elapse;
mod endless;
mod error;
mod eventually;
mod extent;
mod goal;
mod interval;
mod jump;
mod lasso;
mod liveness;
mod ray;
mod reach;
mod stay_walk;
mod stays;
mod survey;
mod symbolic_run;
mod tracked;
mod unbounded;
mod witness;
mod zone_graph;

pub use assumptions::{AssumptionAnswer, Assumptions, Endless, Restart};
pub use codec::{Codec, PackedState};
pub use conditions::alternatives;
pub use constants::ClockBounds;
pub use elapse::Elapse;
pub use error::Error;
pub use extent::{End, Extent, ExtentAnswer, ExtentQuestion, Range};
pub use goal::satisfying;
pub use jump::Jump;
pub use lasso::Lasso;
pub use liveness::{Maximal, MaximalAnswer, MaximalQuestion};
pub use ray::{Window, least_delay};
pub use reach::{Reach, ReachAnswer};
pub use stay_walk::{Goes, MaximalRun};
pub use survey::{Survey, missing};
pub use symbolic_run::symbolic_run;
pub use witness::TimedStep;
pub use zone_graph::{Abstraction, StepChoice, Worker, ZoneGraph};
