//! Options of `tioga convert`.

use std::path::PathBuf;

use clap::Args;

use super::ModelArgs;
use crate::format::TargetFormat;

/// Options of `tioga convert`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct ConvertArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,

    /// The format to write [default: what the name of the output file says]
    #[arg(long, value_enum, value_name = "FORMAT", required_unless_present = "out")]
    pub to: Option<TargetFormat>,

    /// The file to write [default: standard output]
    #[arg(short, long = "out", value_name = "FILE", id = "out")]
    pub out: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  tioga convert train-gate.xml -o train-gate.tioga
  tioga convert model.tioga --to xml > model.xml
  tioga convert @smart-light -o light.svg
  tioga convert - --from xta --to tck < model.xta";
