//! Runs: [`driver`] makes one, [`kept_system`] keeps the system from one to the next, [`campaign`]
//! makes many, and [`tally`] counts their results.

pub(crate) mod campaign;
pub(crate) mod driver;
pub(crate) mod kept_system;
pub(crate) mod tally;
