//! Testers: each observes a run, plans what to send and when, and draws the conclusion.
//!
//! [`tester`] says what a tester is, and [`oracle`] what judges a run whose inputs are given.
//! [`case_tester`] follows a test case with exact time, [`estimating_tester`] follows one where moments
//! are uncertain, and [`online_tester`] needs only the model, whose
//! states that explain a run are [`estimates`]. [`planner`] makes the choices that a test
//! case leaves open, at points of a [`grid`] if there is one. [`choice`] picks a tester.

pub(crate) mod case_tester;
pub(crate) mod choice;
mod class_guide;
mod estimates;
pub(crate) mod estimating_tester;
pub(crate) mod grid;
pub(crate) mod online_tester;
pub(crate) mod oracle;
pub(crate) mod planner;
mod proposals;
pub(crate) mod tester;
