//! What recorded or observed runs mean, and what becomes of them when they are made again.
//!
//! [`watcher`] follows observations and says in a [`finding`] what was expected instead; [`explain`]
//! does so for the runs of a journal. On a [`stand`], [`replay`] makes a run again and [`shrink`]
//! minimises a failing one: a [`script`] holds the inputs, [`script_tester`] sends them, and
//! [`difference`] compares.

pub(crate) mod difference;
pub(crate) mod explain;
pub(crate) mod finding;
pub(crate) mod replay;
pub(crate) mod script;
pub(crate) mod script_tester;
pub(crate) mod shrink;
pub(crate) mod stand;
pub(crate) mod watcher;
