//! Checking game answers: ranks, the strategies that lower them, and traps.

mod advice;
mod check;
mod checker;
mod exhaustive;
mod hierarchy;
mod sampled;
mod teller;
mod trap;
mod well_formed;

pub use check::{check, check_trap};
pub(crate) use hierarchy::{
    below, cornered, enforce, hope, loss_above, risk_above, step_above, within,
};
