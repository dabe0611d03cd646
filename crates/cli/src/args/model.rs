//! Options of all commands that read a model.

use std::path::PathBuf;

use clap::Args;

use crate::format::ModelFormat;

/// Which model, in which format.
#[derive(Args, Debug)]
pub struct ModelArgs {
    /// The model: a file, `-` for standard input, or `@NAME` for an embedded example
    #[arg(value_name = "MODEL")]
    pub model: String,

    /// The format of the model, if its name does not say it
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub from: Option<ModelFormat>,

    /// The interface of the system under test
    #[command(flatten)]
    pub interface: InterfaceArgs,
}

/// The interface of the system under test, for model languages that cannot say it.
#[derive(Args, Debug, Default, Clone)]
#[command(next_help_heading = "Interface of the system under test (UPPAAL and TChecker models)")]
pub struct InterfaceArgs {
    /// Processes that belong to the environment
    #[arg(long, value_name = "PROCESS", value_delimiter = ',')]
    pub environment: Vec<String>,

    /// Channels the system under test receives on
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',')]
    pub input: Vec<String>,

    /// Channels the system under test sends on
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',')]
    pub output: Vec<String>,

    /// A TOML file with the lists `environment`, `input` and `output` [default: MODEL with the
    /// extension .interface.toml, if it exists]
    #[arg(long, value_name = "FILE")]
    pub interface: Option<PathBuf>,
}
