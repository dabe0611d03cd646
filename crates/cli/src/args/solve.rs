//! Options of `tioga solve`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tioga::games::{GameOptions, Thoroughness};
use tioga_base::GivenTime;
use tioga_games::SolveMethod;

use super::help::paragraphs;
use super::values::time_limit;
use super::{MemoryArgs, ModelArgs};

/// Options of `tioga solve`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct SolveArgs {
    /// Which model, and how to read it
    #[command(flatten)]
    pub model: ModelArgs,

    /// How the game is played
    #[command(flatten)]
    pub game: GameArgs,

    /// Print only the rank of this state, reachable or not: locations, then clocks and variables
    /// as NAME=VALUE, separated by semicolons; what is not named is as it is initially; may be
    /// repeated
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    pub at: Vec<String>,

    /// Write the strategy to a file: JSON if its name ends in .json, a graph in .dot, text otherwise
    #[arg(long, value_name = "FILE")]
    pub strategy: Option<PathBuf>,

    /// Which algorithm
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    pub method: MethodArg,

    /// Thoroughness of the independent checker
    #[arg(long, value_enum, value_name = "EXTENT", default_value_t)]
    pub check: CheckArg,
}

/// How a game is played; shared by the commands that solve games.
#[derive(Args, Debug, Default, Clone)]
pub struct GameArgs {
    /// What to ask instead of the model's own queries: `control: …` or `E<> control: …`; may be
    /// repeated
    #[arg(short, long = "query", value_name = "QUERY")]
    pub query: Vec<String>,

    /// Play for a test purpose of the model: to accept
    #[arg(long, value_name = "NAME", conflicts_with = "query")]
    pub purpose: Option<String>,

    /// Compute ranks: how often the system must cooperate, and how many steps can be enforced
    #[arg(long, conflicts_with_all = ["safety_first", "strict_only"])]
    pub ranks: bool,

    /// Compute ranks that first count moves which could make the test inconclusive
    #[arg(long, conflicts_with = "strict_only")]
    pub safety_first: bool,

    /// Answer as UPPAAL-TIGA would, and say nothing about cooperation
    #[arg(long)]
    pub strict_only: bool,

    /// Play as if the tester saw every move, also internal ones, and every choice of the system
    #[arg(long)]
    pub full_information: bool,

    /// Time limit of the objective in model time, such as 5 or 2.5s
    #[arg(long, value_name = "TIME")]
    pub within: Option<GivenTime>,

    /// Number of threads; the answer does not depend on it [default: as many as there are
    /// cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,

    /// How much memory the game may take
    #[command(flatten)]
    pub memory: MemoryArgs,

    /// Maximum of discrete states explored
    #[arg(long, value_name = "COUNT")]
    pub max_states: Option<usize>,

    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS", value_parser = time_limit)]
    pub timeout: Option<Duration>,
}

impl GameArgs {
    /// The options as the library takes them.
    pub fn options(&self) -> GameOptions {
        GameOptions {
            ranks: self.ranks,
            safety_first: self.safety_first,
            strict_only: self.strict_only,
            max_states: self.max_states,
            ..GameOptions::default()
        }
    }
}

impl SolveArgs {
    /// The options as the library takes them.
    pub fn options(&self) -> GameOptions {
        let method = match self.method {
            MethodArg::OnTheFly => SolveMethod::OnTheFly,
            MethodArg::Backward => SolveMethod::Backward,
        };
        let check = match self.check {
            CheckArg::None => Thoroughness::None,
            CheckArg::Quick => Thoroughness::Quick,
            CheckArg::Full => Thoroughness::Full,
        };
        GameOptions { method, check, ..self.game.options() }
    }
}

/// Which algorithm solves a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum MethodArg {
    /// Ranks while the states are explored; ends early if it can
    #[default]
    OnTheFly,
    /// Layer by layer after exploring all states; slow, for comparison
    Backward,
}

/// How thoroughly an answer is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum CheckArg {
    /// Not at all
    None,
    /// As far as it takes little time: all regions of small games, samples of larger ones
    #[default]
    Quick,
    /// All regions, up to a million, or many samples
    Full,
}

const AFTER_HELP: &str = "\
The tester plays inputs and controllable edges, the system outputs and uncontrollable ones. A query
`control: A<> p` asks whether the tester can enforce p; `E<> control: A<> p` whether it can if the
system cooperates. A rank (j, i) says that the system must cooperate j times and that until the first
time the tester can enforce i steps; `--at` prints it as `j i`, or `none`, or `fail` where the
invariant does not hold.

Exits with 0 if every query holds, with 1 if one does not, and with 3 if one has no answer within the
limits.

Examples:
  tioga solve @smart-light
  tioga solve @conveyor-game --ranks
  tioga solve @conveyor-game --at 'St; x=5/2; y=1' --at 'Wa'
  tioga solve @problematic-light -q 'E<> control: A<> Light.Bright' --strategy bright.txt
  tioga solve @smart-light -q 'control: A[ !Light.Dim U Light.Bright ]' --strict-only
  tioga solve @smart-light --within 8";
