//! Runs: [`driver`] makes one, [`kept_system`] keeps the system from one to the next, [`campaign`]
//! makes many, [`tally`] counts their results, and [`round_trips`] times answers without a test.

pub(crate) mod campaign;
pub(crate) mod driver;
pub(crate) mod kept_system;
pub(crate) mod round_trips;
pub(crate) mod tally;
