//! Words of a grid from its start to the first end of the purpose, always under a criterion: a grid has cycles, so
//! there may be infinitely many.

mod components;
mod cover;
mod criterion;
mod graph;
mod loop_free;
mod short;
mod way;

pub use cover::Covering;
pub use criterion::{Criterion, Words, count};
pub use graph::{Wanted, WordGraph};
pub use loop_free::{LoopFree, count_loop_free};
pub use short::{Shortest, UpTo, count_up_to};
pub use way::Way;
