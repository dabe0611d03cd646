//! What the first line of a journal says about its form.

/// What the first line says it is.
pub const JOURNAL_FORMAT: &str = "tioga-journal";

/// What the first line of the journal of a mutation campaign says it is.
pub const MUTATION_FORMAT: &str = "tioga-mutation-journal";

/// The version of the form.
pub const JOURNAL_VERSION: u32 = 3;

/// The oldest version that is read. Its test cases have sentences for goals.
pub const OLDEST_JOURNAL_VERSION: u32 = 2;
