//! What recorded or observed runs mean, and what becomes of them when they are made again.
//!
//! [`explain`] follows the runs of a journal and says what was expected before each step. On a [`stand`],
//! [`replay`] makes a run again and [`shrink`] minimises a failing one: a [`script`] holds the inputs,
//! [`script_tester`] sends them, and [`difference`] compares.

mod data_outlook;
pub(crate) mod difference;
pub(crate) mod explain;
pub(crate) mod replay;
pub(crate) mod script;
pub(crate) mod script_tester;
pub(crate) mod shrink;
pub(crate) mod stand;
