//! Options of `tioga run` and `tioga resume`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use tioga::RunOptions;
use tioga_adapters::{Policy, Protocol};
use tioga_base::GivenTime;

use super::help::paragraphs;
use super::values::duration;
use super::{InconclusiveArg, LatencyArgs, LimitArgs};

/// Options of `tioga run`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(RUN_HELP), override_usage = "tioga run [OPTIONS] [SUITE]")]
pub struct RunArgs {
    /// The suite, as `tioga synth -o` writes it [default: the one that `tioga.toml` names]
    #[arg(value_name = "SUITE")]
    pub suite: PathBuf,

    /// What to test: `model:FILE` or `model:@NAME` for a model, `tcp:HOST:PORT`, `unix:PATH`, or else
    /// a command for the shell [default: the one that `tioga.toml` names]
    #[arg(long, value_name = "SYSTEM")]
    pub sut: String,

    /// Only the test case of this name; may be repeated [default: all]
    #[arg(long = "case", value_name = "NAME")]
    pub cases: Vec<String>,

    /// How the runs are made
    #[command(flatten)]
    pub runs: RunsArgs,

    /// The model the suite was made from, to be kept in the journal for explanations and `tioga shrink`
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,

    /// How the system is reached
    #[command(flatten)]
    pub reach: SystemArgs,

    /// How fast and how long
    #[command(flatten)]
    pub pace: PaceArgs,
}

/// How the runs of a campaign are made, and what is written about them.
#[derive(Args, Debug)]
pub struct RunsArgs {
    /// A command for the shell that builds the system, run once before the first run
    #[arg(long, value_name = "COMMAND", help_heading = "Runs")]
    pub build: Option<String>,

    /// Number of runs of each test case [default: as the suite says, or 1]
    #[arg(long, value_name = "COUNT", help_heading = "Runs")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub repeat: Option<u64>,

    /// Maximum of value choices for a test case over data: the ends of the allowed ranges first, then
    /// random values
    #[arg(long, value_name = "COUNT", default_value_t = tioga::SAMPLES, help_heading = "Runs")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub samples: u64,

    /// Seed of the random choices; with virtual time the same seed gives the same runs
    #[arg(long, value_name = "NUMBER", default_value_t = 0, help_heading = "Runs")]
    pub seed: u64,

    /// Continue after a run that failed or was an error
    #[arg(long, help_heading = "Runs")]
    pub keep_going: bool,

    /// Wall-clock limit of a run, such as 30s
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = "Runs")]
    pub timeout: Option<Duration>,

    /// Time limit of waits that the model does not bound, such as 10 or 2.5s [default: the largest
    /// constant of the test case]
    #[arg(long, value_name = "TIME", help_heading = "Runs")]
    pub patience: Option<GivenTime>,

    /// Send inputs at multiples of this time only, such as 1/50 or 20ms [default: at any time]
    #[arg(long, value_name = "TIME", help_heading = "Runs")]
    pub grid: Option<GivenTime>,

    /// Start or connect the system anew for each run
    #[arg(long, help_heading = "Runs")]
    pub fresh: bool,

    /// The journal to write; an existing journal is renamed to FILE.old
    /// [default: the name of the suite or model with the extension .journal, in the current directory;
    /// none if a model is tested against itself]
    #[arg(long, value_name = "FILE", conflicts_with = "no_journal", help_heading = "Runs")]
    pub journal: Option<PathBuf>,

    /// Write no journal; the campaign cannot be resumed or explained
    #[arg(long, help_heading = "Runs")]
    pub no_journal: bool,

    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE", conflicts_with = "no_journal", help_heading = "Runs")]
    pub junit: Option<PathBuf>,

    /// Write the results as TAP, version 14
    #[arg(long, value_name = "FILE", conflicts_with = "no_journal", help_heading = "Runs")]
    pub tap: Option<PathBuf>,

    /// Write the results as a page of HTML with diagrams and coverage
    #[arg(long, value_name = "FILE", conflicts_with = "no_journal", help_heading = "Runs")]
    pub html: Option<PathBuf>,

    /// What JUnit XML and TAP say of inconclusive runs
    #[arg(long, value_enum, value_name = "WHAT", default_value_t, help_heading = "Runs")]
    pub inconclusive: InconclusiveArg,
}

impl RunsArgs {
    /// Where the journal goes, unless none is wanted; by default it is named after a file.
    pub fn journal_beside(&self, file: &Path) -> Option<PathBuf> {
        if self.no_journal {
            return None;
        }
        Some(self.journal.clone().unwrap_or_else(|| {
            let mut name = file.file_stem().unwrap_or("suite".as_ref()).to_owned();
            name.push(".journal");
            name.into()
        }))
    }
}

/// How a system is reached, and where time comes from.
#[derive(Args, Debug)]
pub struct SystemArgs {
    /// Protocol of a system that is not a model [default: json]
    #[arg(long, value_enum, value_name = "PROTOCOL", help_heading = "System")]
    pub protocol: Option<ProtocolArg>,

    /// How a model resolves its choices [default: random]
    #[arg(long, value_enum, value_name = "POLICY", help_heading = "System")]
    pub policy: Option<PolicyArg>,

    /// Use the clock of the machine, with the time unit that the model declares [default: virtual time,
    /// in which the system moves when it is told to]
    #[arg(long, help_heading = "System")]
    pub real_time: bool,

    /// Duration of a time unit of the model, such as 10ms; implies --real-time
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = "System")]
    pub unit: Option<Duration>,

    /// How long messages are under way
    #[command(flatten)]
    pub latency: LatencyArgs,

    /// How much patience there is with it
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// The options of the runs as the library takes them.
pub fn run_options(runs: &RunsArgs, reach: &SystemArgs) -> RunOptions {
    RunOptions {
        protocol: reach.protocol.map(Protocol::from),
        real_time: reach.real_time,
        unit: reach.unit,
        policy: reach.policy.map(Policy::from),
        latencies: reach.latency.latencies(),
        limits: reach.limits.limits(),
        repeat: runs.repeat,
        samples: runs.samples,
        seed: runs.seed,
        patience: runs.patience,
        grid: runs.grid,
        fresh: runs.fresh,
        keep_going: runs.keep_going,
        timeout: runs.timeout,
    }
}

/// How fast and how long a campaign goes on.
#[derive(Args, Debug)]
pub struct PaceArgs {
    /// Number of parallel runs, each with a system of its own
    #[arg(long, value_name = "COUNT", default_value_t = 1, help_heading = "Campaign")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,

    /// Time limit of the campaign, such as 10m; `tioga resume` goes on
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = "Campaign")]
    pub stop_after: Option<Duration>,
}

/// Options of `tioga resume`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(RESUME_HELP))]
pub struct ResumeArgs {
    /// The journal of the campaign, also of `tioga mutation`
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,

    /// What to test, if it is reached in another way now
    #[arg(long, value_name = "SYSTEM")]
    pub sut: Option<String>,

    /// Continue after a run that failed or was an error, overriding the original setting
    #[arg(long)]
    pub keep_going: bool,

    /// How fast and how long
    #[command(flatten)]
    pub pace: PaceArgs,

    /// Other limits than those in the journal
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// How to talk to a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ProtocolArg {
    /// One JSON object per line
    Json,
    /// The lines of ECDAR's test runner
    Ecdar,
    /// The lines of TorX and JTorX
    Torx,
    /// The binary protocol of UPPAAL TRON
    Tron,
}

impl From<ProtocolArg> for Protocol {
    fn from(protocol: ProtocolArg) -> Self {
        match protocol {
            ProtocolArg::Json => Self::Json,
            ProtocolArg::Ecdar => Self::Ecdar,
            ProtocolArg::Torx => Self::Torx,
            ProtocolArg::Tron => Self::Tron,
        }
    }
}

/// How a model resolves its choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PolicyArg {
    /// Any move at any moment
    Random,
    /// As late as possible; optional outputs never
    Lazy,
    /// As early as possible
    Eager,
    /// Moves that lead away from the purpose
    Hostile,
    /// Each possible step in turn; never silent for ever
    Fair,
}

impl From<PolicyArg> for Policy {
    fn from(policy: PolicyArg) -> Self {
        match policy {
            PolicyArg::Random => Self::Random,
            PolicyArg::Lazy => Self::Lazy,
            PolicyArg::Eager => Self::Eager,
            PolicyArg::Hostile => Self::Hostile,
            PolicyArg::Fair => Self::Fair,
        }
    }
}

const RUN_HELP: &str = "\
Every event is written to a journal before it is acted upon; after an interruption `tioga resume` goes
on where the campaign was. Without --keep-going the campaign ends with the first run that failed or was
an error.

Exits with 0 if all runs passed, 1 if one failed, 6 if none failed and one was an error (the system
crashed, did not answer, or broke the protocol), 5 if neither and one was inconclusive, and 3 if the campaign
was interrupted before its end without a failure or an error.

Without SUITE or --sut, the project file `tioga.toml` of the current folder names them, and further
options; `tioga new` makes one.

Examples:
  tioga run
  tioga run light.json --sut model:@smart-light
  tioga run light.json --sut model:light.tioga --policy hostile --repeat 100 --jobs 4 --keep-going
  tioga run light.json --sut './light --json' --unit 10ms --timeout 30s --case smart_light-1
  tioga run light.json --sut tcp:localhost:4711 --in-latency 0..3ms --out-latency 0..3ms --unit 1s";

const RESUME_HELP: &str = "\
The journal says what was to be run, and how; limits of the system may be changed. Runs that ended are not repeated; those that were under way begin
again. A last line that was cut off is removed. Exit codes are those of `tioga run`.

Examples:
  tioga resume light.journal
  tioga resume light.journal --jobs 4 --keep-going";
