//! The JSON schema of suites, derived from the types that are read and written.

use schemars::{Schema, schema_for};

use crate::Suite;

/// The JSON schema of the file form of a [`Suite`], as in `docs/suite.schema.json`.
pub fn suite_schema() -> Schema {
    schema_for!(Suite)
}
