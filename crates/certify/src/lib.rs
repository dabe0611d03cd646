//! An independent checker of game answers and test cases.
//!
//! A solver of timed games answers with a [`RankTable`](tioga_testcase::RankTable): the distance of
//! each state to the objective, and advice for it. [`check()`] verifies such a table against the
//! definition of ranks, with exact clock values and none of the solver's code: it uses the model,
//! its composition, and single states; no zones, no fixpoints.
//!
//! The definition is local: the rank of a state follows from the ranks of the states that time and
//! steps lead to (module `ranks::hierarchy`). These are found along the *ray* of delays from the
//! state (module `states::ray`), exactly. So states are checked one by one: one of each reachable
//! region (module `ranks::exhaustive`) if there are few enough, otherwise those of random plays and
//! of the table's own zones (module `ranks::sampled`). A wrong table is wrong at a state whose
//! successors it ranks correctly; the check names this state and gives the reason.
//!
//! The answer that an objective cannot be enforced may also be a [`Trap`](tioga_testcase::Trap).
//! [`check_trap`] verifies it in the same way, at the states that plays against the lazy system of
//! the trap reach.
//!
//! A [`TestCase`](tioga_testcase::TestCase) is checked side by side with the model it was made from:
//! [`check_case`] walks through both together (module `cases::look`), so the code that made it is not trusted
//! either. If the tester does not see all steps of the model, [`check_observed`] compares random plays with the
//! reference semantics of observers instead. A test case that follows one word of a grid, a machine or a
//! confirming sequence is played with exact time ([`check_plays`]).

mod cases;
mod error;
mod options;
mod ranks;
mod refutation;
mod report;
mod states;

pub use cases::{
    Judge, Played, check_case, check_case_of_view, check_observed, check_plays, start_rank,
};
pub use error::Error;
pub use options::{CheckOptions, Extent};
pub use ranks::{check, check_trap};
pub use refutation::{Flaw, Refutation};
pub use report::{CheckCoverage, CheckReport};
