//! Which runs of a model explain what was observed, edge by edge.
//!
//! An estimate says where a model may be; this says how it got there. Every explanation is a sequence of steps of the
//! model: [`RunFinder`] gives one with exact times, and of each edge and location how often *every* explanation takes or
//! enters it at least. With exact moments and without silent steps there is usually one explanation only.
//!
//! Each message may take any time within the latencies. An estimate also knows that the constant part is the same for
//! all messages of a run, so there may be explanations here that it excludes; it excludes none that are here missing.

mod explained;
mod finder;
mod instants;
mod search;
mod trails;

pub use explained::{Certain, ModelRun, RunStep, Seen};
pub use finder::RunFinder;
