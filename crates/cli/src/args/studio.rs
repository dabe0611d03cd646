//! Options of `tioga studio`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use tioga::RunOptions;
use tioga_adapters::{Policy, Protocol};

use super::help::paragraphs;
use super::values::time_limit;
use super::{LoadArgs, SystemArgs};

/// Options of `tioga studio`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct StudioArgs {
    /// What to show: a model, suite, journal or trace, a folder with such files, or `@NAME` for an
    /// embedded example
    #[arg(value_name = "FILE", default_value = ".")]
    pub what: String,

    /// The port to listen on, on the loopback interface only [default: any free port]
    #[arg(long, value_name = "NUMBER", default_value_t = 0, hide_default_value = true)]
    pub port: u16,

    /// Open no browser
    #[arg(long)]
    pub no_open: bool,

    /// Time limit in seconds of each computation a page asks for
    #[arg(long, value_name = "SECONDS", value_parser = time_limit, default_value = "30")]
    pub timeout: Duration,

    /// The system that the page may run, as for `tioga run`: FILE is a suite to run against it, or a journal
    /// whose failing runs are shrunk on it
    #[arg(long, value_name = "SYSTEM", help_heading = "Campaign")]
    pub sut: Option<String>,

    /// Number of runs of each test case [default: as the suite says, or 1]
    #[arg(long, value_name = "COUNT", requires = "sut", help_heading = "Campaign")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub repeat: Option<u64>,

    /// What decides the random choices
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 0,
        requires = "sut",
        help_heading = "Campaign"
    )]
    pub seed: u64,

    /// Go on after a run that failed or was an error
    #[arg(long, requires = "sut", help_heading = "Campaign")]
    pub keep_going: bool,

    /// The journal to write [default: the name of the suite with the extension .journal, beside it]
    #[arg(long, value_name = "FILE", requires = "sut", help_heading = "Campaign")]
    pub journal: Option<PathBuf>,

    /// How the system is reached
    #[command(flatten)]
    pub reach: SystemArgs,

    /// How to read models
    #[command(flatten)]
    pub load: LoadArgs,
}

impl StudioArgs {
    /// Whether a journal is shown, as its name says; then no campaign writes one.
    pub fn shows_journal(&self) -> bool {
        let extension = Path::new(&self.what).extension();
        extension.is_some_and(|extension| extension == "journal" || extension == "old")
    }

    /// The journal of a campaign.
    pub fn journal(&self) -> PathBuf {
        self.journal.clone().unwrap_or_else(|| PathBuf::from(&self.what).with_extension("journal"))
    }

    /// How the runs of a campaign are made.
    pub fn run_options(&self) -> RunOptions {
        let reach = &self.reach;
        RunOptions {
            protocol: reach.protocol.map(Protocol::from),
            real_time: reach.real_time,
            unit: reach.unit,
            policy: reach.policy.map(Policy::from),
            latencies: reach.latency.latencies(),
            limits: reach.limits.limits(),
            repeat: self.repeat,
            seed: self.seed,
            keep_going: self.keep_going,
            ..RunOptions::default()
        }
    }
}

const AFTER_HELP: &str = "\
Serves a page on the loopback interface until Ctrl-C: models with diagnostics and pictures, a simulator
with zones, state spaces, games with ranks, test cases and runs. Its address has a random token, which
other programs and pages do not know. The page reads only FILE, or what is in the folder, and the
embedded examples. It starts no process but the system of --sut.

Examples:
  tioga studio
  tioga studio @conveyor-game
  tioga studio car-alarm.journal --port 8080 --no-open
  tioga studio light.journal --sut './light --json'
  tioga studio light.json --sut './light --json' --repeat 10 --keep-going";
