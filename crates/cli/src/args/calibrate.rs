//! Options of `tioga calibrate`.

use std::time::Duration;

use clap::Args;

use super::help::paragraphs;
use super::run::ProtocolArg;
use super::values::duration;
use super::{LimitArgs, LoadArgs};

/// Options of `tioga calibrate`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct CalibrateArgs {
    /// A model of the system, whose runs tell when outputs come [default: none; only resets are timed]
    #[arg(value_name = "MODEL")]
    pub model: Option<String>,

    /// The system: `tcp:HOST:PORT`, `unix:PATH`, or else a command for the shell
    #[arg(long, value_name = "SYSTEM")]
    pub sut: String,

    /// Protocol of the system [default: json]
    #[arg(long, value_enum, value_name = "PROTOCOL")]
    pub protocol: Option<ProtocolArg>,

    /// Duration of a time unit of the model, such as 10ms [default: what the model declares]
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub unit: Option<Duration>,

    /// Number of resets timed
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub exchanges: u32,

    /// Number of runs of the model
    #[arg(long, value_name = "COUNT", default_value_t = 5, requires = "model")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub runs: u64,

    /// Maximum of inputs and outputs in a run
    #[arg(long, value_name = "COUNT", default_value_t = 20, requires = "model")]
    pub actions: u64,

    /// Wall-clock limit of a run, such as 30s
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "10s")]
    pub timeout: Duration,

    /// Seed of the choice of inputs
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "model")]
    pub seed: u64,

    /// How to read the model
    #[command(flatten)]
    pub load: LoadArgs,

    /// How much patience there is with the system
    #[command(flatten)]
    pub limits: LimitArgs,
}

const AFTER_HELP: &str = "\
Without a model, resets are timed: each is a message and its answer, and no more than the round trip is
seen. With a model, inputs are sent in real time as `tioga test --online` sends them, and latencies are
raised until the model explains everything that the system does. So the system is taken to be right; a
late system looks as a slow connection does. The last line has the options for `tioga run` and `tioga test`.

What was measured is no bound on what may come: measure on the machine and under the load of the tests.

Exits with 0 if there are latencies to suggest, and with 1 if no latencies explain what the system does.

Examples:
  tioga calibrate --sut './light --json'
  tioga calibrate light.tioga --sut './light --json' --unit 10ms
  tioga calibrate @car-alarm --sut tcp:localhost:4711 --runs 20 --exchanges 1000";
