//! The embedded decision procedure: exact and complete for linear conditions over integers and rationals.
//!
//! A question becomes a [`problem`]: rows of 128-bit integers over variables of its own. A [`search`] branches
//! over disjunctions, after intervals have been narrowed as far as that goes ([`state`]); what is left is a
//! [`conjunction`], which is solved by elimination of one variable after the other. Quotients and remainders
//! by a constant are linear, too, with a variable for the quotient.
//!
//! What is not decided is `Unknown`, with the reason: an operation that is not linear, a number beyond 128 bits,
//! or the limit on steps.

mod conjunction;
mod cube;
mod domain;
mod number;
mod problem;
mod procedure;
mod project;
mod row;
mod search;
mod simplify;
mod solutions;
mod state;
mod stop;

pub use procedure::{Exact, Under};
pub use solutions::Interval;
pub use stop::Unknown;
