//! Options of `tioga monitor`.

use std::path::PathBuf;

use clap::Args;
use tioga_base::{GivenTime, Rational};

use super::help::paragraphs;
use super::values::time;
use super::{LatencyArgs, ModelArgs};

/// Options of `tioga monitor`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct MonitorArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,

    /// The log, one observation per line: a file, or `-` for standard input
    #[arg(value_name = "LOG", default_value = "-")]
    pub log: PathBuf,

    /// How long messages are under way
    #[command(flatten)]
    pub latency: LatencyArgs,

    /// Multiply the times of the log by this, such as 1/1000 for milliseconds in a model of seconds
    #[arg(long, value_name = "FACTOR", value_parser = factor, default_value = "1")]
    pub scale: Rational,

    /// Subtract the first time of the log from all, for logs that begin at any epoch
    #[arg(long)]
    pub from_first: bool,

    /// Coarsest rounding of times, in time units of the model, where exact ones do not fit; 0 allows none
    #[arg(long, value_name = "TIME", default_value = "1/1000")]
    pub resolution: GivenTime,

    /// Show the states that explain the log after each observation
    #[arg(long)]
    pub follow_states: bool,
}

/// A number above zero.
fn factor(text: &str) -> Result<Rational, String> {
    let factor = time(text)?;
    if factor.is_zero() { Err("a number above zero is needed".to_owned()) } else { Ok(factor) }
}

const AFTER_HELP: &str = "\
A line of the log is a moment and what was seen: `3/2 touch?` for an input, `2..5/2 level(3)!` for an
output between two moments, `10 end` if nothing else was seen up to then. The marks may be left out; `#`
begins a comment. JSON is read as well: {\"at\": \"2..5/2\", \"output\": \"level\", \"values\": [3]}. So
are the traces that `tioga simulate` writes.

Times are exact, also in JSON. Where a model sets clocks at different times that are finer than can be
counted with beside its largest constant, they are rounded in favour of the system; the result says within
what, and a log that would need more than `--resolution` is refused.

Exits with 0 if the model explains the log, with 1 if it does not, and with 5 if the log has an input
that the model does not specify, after which anything conforms.

Examples:
  tioga monitor @smart-light < light.log
  tioga monitor @conveyor conveyor.log --follow-states
  tioga monitor @smart-light epoch.log --from-first --scale 1/1000000000
  tioga monitor light.tioga light.log --scale 1/1000 --in-latency 0..1/10 --out-latency 0..1/10";
