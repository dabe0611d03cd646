//! What is kept of a campaign: its settings, the events of its runs, and the file that holds both.
//!
//! The first line of a journal is its [`settings`], each other line an [`event`]. [`writer`] appends,
//! [`reader`] reads line by line or run by run, [`sealed`] is a file of lines, and [`checksum`] tells whether
//! a line is whole. A [`record`] holds the events of one run. [`sent`] says which inputs were not
//! sent.

pub(crate) mod checksum;
pub(crate) mod coverage;
pub(crate) mod error;
pub(crate) mod event;
pub(crate) mod format;
pub(crate) mod reader;
pub(crate) mod record;
pub(crate) mod sealed;
pub(crate) mod seed;
pub(crate) mod sent;
pub(crate) mod settings;
pub(crate) mod writer;
