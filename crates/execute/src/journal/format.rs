//! What the first line of a journal says about its form.

/// What the first line says it is.
pub const JOURNAL_FORMAT: &str = "tioga-journal";

/// The version of the form.
pub const JOURNAL_VERSION: u32 = 2;
