//! Options of `tioga convert`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tioga::TargetFormat;
use tioga_base::ModelFormat;

use super::ModelArgs;
use super::help::paragraphs;

/// Options of `tioga convert`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct ConvertArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,

    /// The format to write [default: what the name of the output file says]
    #[arg(long, value_name = "FORMAT", value_parser = targets(), required_unless_present = "out")]
    pub to: Option<TargetFormat>,

    /// The file to write [default: standard output]
    #[arg(short, long = "out", value_name = "FILE", id = "out")]
    pub out: Option<PathBuf>,
}

/// The names of what a model can be written as.
fn targets() -> impl TypedValueParser<Value = TargetFormat> {
    let names = ModelFormat::written().map(ModelFormat::name).chain(["dot", "svg"]);
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        "dot" => Ok(TargetFormat::Dot),
        "svg" => Ok(TargetFormat::Svg),
        name => name.parse().map(TargetFormat::Model),
    })
}

const AFTER_HELP: &str = "\
Examples:
  tioga convert train-gate.xml -o train-gate.tioga
  tioga convert model.tioga --to xml > model.xml
  tioga convert @smart-light -o light.svg
  tioga convert - --from xta --to tck < model.xta";
