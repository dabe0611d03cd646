//! Timed games between a tester, which plays inputs, and a system, which plays outputs.
//!
//! A tester wants to reach a goal. [`Arena`] is the game board: the discrete states of a model, each
//! with a convex set of clock valuations that contains everything reachable. On it the sets W(j,i)
//! of HJM22 are computed: W(0,0) is the goal; one step of `π_d` ([`operators`]) adds the states from
//! which the tester can enforce it, one step of `π_cl` those that need cooperation. [`on_the_fly`]
//! computes them while the arena is being explored, [`backward`] layer by layer, plainly, for
//! comparison. [`spoil`] looks for a quick proof that nothing can be enforced. For safety
//! objectives, [`avoid`] computes the states that the system can enforce.
//!
//! Why the answers are exact although the arena is coarse: the rank of a state depends on its
//! successors only, every set of the arena is closed under successors, and predecessors are
//! computed exactly. Abstraction and convex hulls only add irrelevant states.

mod arena;
pub mod avoid;
pub mod backward;
mod error;
mod game;
mod levels;
pub mod on_the_fly;
pub mod operators;
mod solve;
pub mod spoil;
mod strategy;
mod trap;

pub use arena::{Arena, ArenaStep, Candidate, NodeId};
pub use error::Error;
pub use game::Game;
pub use levels::Levels;
pub use on_the_fly::before as below;
pub use solve::{Root, Solution, SolveMethod, SolveOptions, SolveProgress, Standing, solve};
pub use strategy::{NodeRule, conjunctions};
