//! Options of `tioga shrink`.

use std::path::PathBuf;

use clap::Args;

use super::help::paragraphs;
use super::{LimitArgs, LoadArgs};

/// Options of `tioga shrink`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct ShrinkArgs {
    /// The journal of a campaign
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,

    /// Which run of the journal [default: the first that failed or was an error]
    #[arg(long, value_name = "NUMBER")]
    pub run: Option<u64>,

    /// What to run it on [default: the system of the journal]
    #[arg(long, value_name = "SYSTEM")]
    pub sut: Option<String>,

    /// Maximum of runs [default: 2000; with real time 200]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub attempts: Option<u64>,

    /// Number of failures after which a shorter run counts [default: 1; with real time 3]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub confirm: Option<u64>,

    /// Maximum of attempts at a shorter run until it has failed so often [default: 5 if the system
    /// does not repeat itself, else once]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub tries: Option<u64>,

    /// Count runs that fail in another way, too
    #[arg(long)]
    pub any_failure: bool,

    /// Write the recorded and the shrunk run here, as a journal [default: the name of the journal with
    /// the extension .shrunk.journal, in the current directory]
    #[arg(short, long = "out", value_name = "FILE", id = "out")]
    pub out: Option<PathBuf>,

    /// The model the suite was made from [default: the one the journal keeps, if it does]
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,

    /// How to read the model
    #[command(flatten)]
    pub load: LoadArgs,

    /// Other limits than those in the journal
    #[command(flatten)]
    pub limits: LimitArgs,
}

impl ShrinkArgs {
    /// Where the shrunk run goes.
    pub fn out(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| {
            let mut name = self.journal.file_stem().unwrap_or("run".as_ref()).to_owned();
            name.push(".shrunk.journal");
            name.into()
        })
    }
}

const AFTER_HELP: &str = "\
Inputs are left out and waits made shorter as long as the system still fails in the same way: with the
same unexpected output, with silence, or with the same kind of fault; with --any-failure also with
another unexpected output, or silence instead of one. A shorter run usually leaves the
test case, so the model says what may be sent and what the answers mean; without it only runs within
the test case are tried.

Inputs are sent at the times of the recorded run, or, where answers come at other times, as long after
the answer before them as in the recorded run. If the system does another thing with another seed, a
shorter run is tried with several seeds. At the end the shortest run is made again, 10 times (5 with
real time), and it is said how often it failed.

Exits with 0 if the failure was seen again, with 5 if it was not, and with 3 if interrupted; what was
found until then is kept.

Examples:
  tioga shrink light.journal
  tioga shrink light.journal --run 17 --model @smart-light -o short.journal
  tioga shrink light.journal --sut './light --json' --attempts 50 --confirm 5";
