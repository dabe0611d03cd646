//! TChecker's `.tck`: a front end ([`parse`]) and a printer ([`print()`]).
//!
//! # Weak synchronisation
//! In TChecker a process with a weak part `P@e?` takes part in the joint step exactly if its
//! current location has an edge labelled `e`, whether or not the guard of that edge holds; a guard
//! that does not hold then blocks the whole joint step. (TChecker builds the product of the edges
//! from the locations alone and evaluates guards, statements and target invariants afterwards.)
//! Tioga's weak part, like the receiver of a broadcast, takes part exactly if it *can*: an edge
//! whose guard does not hold does not count. The two agree when each location that has such edges
//! has one whose guard is always true. Both directions insist on that condition and refuse
//! everything else: a quiet change of meaning would be worse than a refusal.

mod assemble;
mod events;
mod expression;
mod names;
mod print;
mod read;
mod reading;
mod scan;
mod statement;
mod synchronise;

pub use events::Events;
pub use print::print;
pub use read::{parse, parse_with};

/// The most clocks and integers a file may have, elements of arrays counted.
const SIZE_LIMIT: i64 = 65_536;
