//! Conformance of two models.
//!
//! An implementation conforms to a specification (*tioco*) if, after every trace of the
//! specification, every output and every delay of the implementation is one of the specification.
//! Inputs that the specification does not take are free: after one, anything conforms. It
//! *io-refines* the specification (BJSK11, Definition 6) if, after every trace of both, it also takes
//! every input that the specification takes.
//!
//! Both are decided by forward exploration of the product of the two models: their discrete states
//! side by side, and zones over the clocks of both. Time passes as far as both allow, and both make
//! the same visible steps at the same moments; internal steps of the implementation are its own.
//! The specification has to be deterministic and without internal steps as far as the product gets:
//! then its state after a trace is known, and what it does not allow there, it does not allow at all.
//! Otherwise the answer is [`RelationAnswer::Unknown`], and never a guess.
//!
//! What is coarsened: zones, by lower and upper bounds. Guards of the specification must also be
//! false where they are, so its clocks count with their maximal constants; so do those of the
//! implementation where it is asked which inputs it refuses. With comparisons between clocks
//! nothing is coarsened, and the search may not end without a limit.

mod alphabet;
mod check;
mod decide;
mod product;
mod question;
mod side;
mod waiting;
mod witness;

pub use alphabet::mismatches;
pub use decide::{Decided, Relation, RelationAnswer, decide, decide_classes};
pub use product::PairData;
pub use witness::{ObservedViolation, Violation};
