//! Confirming sequences (BON09, chapter 4): test cases that separate the configuration of a timed extended machine
//! from suspicious ones.

mod asked;
mod cases;
mod certified;
mod complaint;
mod extended;
mod form;
mod suite;

pub(crate) use certified::{claim, is_confirm_case};
pub use extended::{ExtendedMachine, extended_machine};
pub(crate) use form::form_flaw;
pub use suite::{ConfirmOptions, ConfirmSuite, Unconfirmed, WhyUnconfirmed, confirm_suite};
