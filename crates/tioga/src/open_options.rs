//! Options for opening a model.

use std::collections::BTreeMap;
use std::path::PathBuf;

use tioga_base::{ModelFormat, Rational};

/// Options for opening a model, beyond its name and its text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpenOptions {
    /// The format, if the name does not decide it.
    pub format: Option<ModelFormat>,
    /// Values of symbolic constants.
    pub settings: BTreeMap<String, Rational>,
    /// A file with further queries; by default, for an UPPAAL model, the one beside it with the
    /// extension .q, if it exists.
    pub queries: Option<PathBuf>,
    /// A TOML file with the lists `environment`, `input`, `output` and `internal`; by default the one beside the
    /// model with the extension .interface.toml, if it exists.
    pub interface: Option<PathBuf>,
    /// Processes that belong to the environment; replaces the list of the file.
    pub environment: Vec<String>,
    /// Channels the system under test receives on; replaces the list of the file.
    pub input: Vec<String>,
    /// Channels the system under test sends on; replaces the list of the file.
    pub output: Vec<String>,
    /// Channels that stay internal, for all processes; replaces the list of the file.
    pub internal: Vec<String>,
    /// Whether an UPPAAL model that declares no interface is a closed system, as in UPPAAL; otherwise
    /// channels without partner are actions of the environment.
    pub closed: bool,
}
