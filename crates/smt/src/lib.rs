//! External SMT solvers behind [`Decide`](tioga_terms::Decide): a process that reads and writes SMT-LIB 2.6.
//!
//! [`Solver`] starts the process at the first question, keeps it for later ones, and restarts it after a
//! fault. A solver that is missing, dies, runs out of time or gives an invalid answer is `Unknown` with the
//! reason. The values of an answer are read exactly and checked with the formula before they are passed on.
//!
//! [`Either`] asks the embedded procedure first, and the process only if that gives no answer.

mod either;
mod expression;
mod process;
mod solver;

pub use either::Either;
pub use solver::Solver;
