//! Conformance of two models.
//!
//! An implementation conforms to a specification (*tioco*) if, after every trace of the
//! specification, the specification allows every output and every delay of the implementation. Inputs
//! that the specification does not accept are free: after one, every behaviour conforms. It
//! *io-refines* the specification (BJSK11, Definition 6) if, after every trace of both, it also
//! accepts every input that the specification accepts.
//!
//! Both are decided by forward exploration of the product of the two models: their discrete states
//! side by side, and zones over the clocks of both. Time passes as far as both allow, and both make
//! the same visible steps at the same moments; internal steps of the implementation are its own. The
//! specification must be deterministic and without internal steps in the explored part: then its
//! state after a trace is known, and so are all allowed continuations. Otherwise [`decide()`] answers
//! [`RelationAnswer::Unknown`], and never guesses. Then [`Nondeterministic`] may show by a simulation that the
//! relation holds, or find a run that violates it.
//!
//! Zones are coarsened by lower and upper bounds. Guards of the specification also count where they
//! are false, so its clocks use their maximal constants; so do those of the implementation when its
//! refused inputs are computed. With comparisons between clocks nothing is coarsened, and the
//! search may not end without a limit.

mod alphabet;
mod check;
mod decide;
mod estimates;
mod product;
mod question;
mod relation;
mod side;
mod simulation;
mod two_runs;
mod waiting;
mod watching;
mod witness;
mod zeno;

pub use alphabet::mismatches;
pub use decide::{Decided, RelationAnswer, decide, decide_classes};
pub use estimates::Nondeterministic;
pub use product::PairData;
pub use relation::Relation;
pub use witness::{ObservedViolation, Violation};
