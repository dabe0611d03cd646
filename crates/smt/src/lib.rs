//! External SMT solvers behind [`Decide`](tioga_terms::Decide): a process that reads and writes SMT-LIB 2.6.
//!
//! [`Solver`] starts the process when it is first asked, keeps it for later questions, and starts it again
//! after a fault. A solver that is missing, dies, runs out of time or answers nonsense is `Unknown` with the
//! reason. The values of an answer are read exactly and checked with the formula before they are passed on.
//!
//! [`Either`] asks the embedded procedure first and the process only for what that does not know.

mod either;
mod expression;
mod process;
mod solver;

pub use either::Either;
pub use solver::Solver;
