//! Options of `tioga grid`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use tioga::grids::DEFAULT_GRID_STATES;
use tioga_base::Rational;
use tioga_grids::GridOptions;
use tioga_grids::words::{Criterion, Wanted};

use super::help::paragraphs;
use super::values::time_limit;
use super::{MemoryArgs, ModelArgs};

/// Options of `tioga grid`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct GridArgs {
    /// What to do
    #[command(subcommand)]
    pub command: GridCommand,
}

const AFTER_HELP: &str = "\
A grid is a timed automaton in which time passes in units of its granularity 1/k, and clocks stop counting
above a bound: a finite transition system. It has exactly the runs of the model whose delays are multiples of
1/k. Bounds are integers above every constant; context variables may be added up, with a granularity and bounds
of their own.

A purpose for a grid is an automaton that marks its ends with `fail` or `desired`. It restricts the model: an
action that both know is taken together, and invariants of both hold. Words of the grid lead from the start to
the first end.

Examples:
  tioga grid info @switch/sw5 --granularity 1/2
  tioga grid words @switch-purpose/sw5 --granularity 1/3 --limit 10
  tioga grid count @switch-purpose/swle5 --granularity 1/3
  tioga grid product @switch-purpose/sw5
  tioga grid replay @switch-purpose/sw5 runs.txt
  tioga synth @switch-purpose/sw5 --method grid --words 5 -o suite.json";

/// What to do with a grid.
#[derive(Subcommand, Debug)]
pub enum GridCommand {
    /// Say how large a grid is, against its bound, and what its granularity hides
    Info(GridInfoArgs),
    /// Write a small grid as a graph
    Build(GridBuildArgs),
    /// Print the product of a model with a purpose: its locations with their invariants, and its edges
    Product(GridProductArgs),
    /// List words from the start to the first end of a purpose, or make test cases of them
    Words(GridWordsArgs),
    /// Count these words without listing them
    Count(GridCountArgs),
    /// List what a model may do while a test case is applied to it
    Observe(GridObserveArgs),
    /// Replay observed runs, and say what they mean for the purpose
    Replay(GridReplayArgs),
}

/// A grid.
#[derive(Args, Debug)]
pub struct OneGridArgs {
    /// Which model, and how to read it
    #[command(flatten)]
    pub model: ModelArgs,

    /// The purpose of the model, with which its product is taken
    #[arg(short, long, value_name = "PURPOSE")]
    pub purpose: Option<String>,

    /// How fine and how far
    #[command(flatten)]
    pub fineness: FinenessArgs,

    /// Maximum of states of the grid
    #[arg(long, value_name = "COUNT", default_value_t = DEFAULT_GRID_STATES)]
    pub max_states: u64,

    /// How much memory the grid may take
    #[command(flatten)]
    pub memory: MemoryArgs,

    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS", value_parser = time_limit)]
    pub timeout: Option<Duration>,
}

/// How fine a grid is, and how far it reaches.
#[derive(Args, Debug, Default, Clone)]
pub struct FinenessArgs {
    /// The granularity of time, 1/k [default: the coarsest that all constants are multiples of]
    #[arg(long, value_name = "1/K", value_parser = granularity)]
    pub granularity: Option<i64>,

    /// The bound of all clocks, or with NAME= that of one clock or variable; may be repeated [default: the
    /// least integers above all constants]
    #[arg(long, value_name = "[NAME=]BOUND", value_delimiter = ',')]
    pub bound: Vec<BoundArg>,

    /// The granularity of context variables and parameters, 1/l [default: the coarsest that all constants
    /// are multiples of]
    #[arg(long, value_name = "1/L", value_parser = granularity)]
    pub context_granularity: Option<i64>,

    /// The bound of all context variables and parameters [default: the least integers above all constants]
    #[arg(long, value_name = "BOUND")]
    pub context_bound: Option<Rational>,
}

impl FinenessArgs {
    /// The options as the library takes them.
    pub fn options(&self) -> GridOptions {
        let all = self.bound.iter().rev().find(|one| one.name.is_none());
        let named = |one: &BoundArg| Some((one.name.clone()?, one.bound));
        GridOptions {
            parts: self.granularity,
            context_parts: self.context_granularity,
            bound: all.map(|one| one.bound),
            context_bound: self.context_bound,
            bounds: self.bound.iter().filter_map(named).collect(),
        }
    }
}

/// A bound of everything, or of one clock or variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundArg {
    /// The clock or variable.
    pub name: Option<String>,
    /// Its bound.
    pub bound: Rational,
}

impl FromStr for BoundArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, bound) = match text.split_once('=') {
            Some((name, bound)) => (Some(name.trim().to_owned()), bound),
            None => (None, text),
        };
        let bound = bound.trim().parse().map_err(|error| format!("`{bound}`: {error}"))?;
        Ok(Self { name, bound })
    }
}

/// The parts of a unit that a granularity makes: 1/k.
pub fn granularity(text: &str) -> Result<i64, String> {
    let value: Rational = text.parse().map_err(|error| format!("{error}"))?;
    match (value.numerator(), value.denominator()) {
        (1, parts) => Ok(parts),
        _ => Err("write 1/k with a positive integer k, such as 1/2".to_owned()),
    }
}

/// Options of `tioga grid info`.
#[derive(Args, Debug)]
pub struct GridInfoArgs {
    /// The grid
    #[command(flatten)]
    pub grid: OneGridArgs,
}

/// Options of `tioga grid build`.
#[derive(Args, Debug)]
pub struct GridBuildArgs {
    /// The grid
    #[command(flatten)]
    pub grid: OneGridArgs,

    /// Do not go on after an end of the purpose
    #[arg(long)]
    pub final_ends: bool,

    /// The file to write, as .dot [default: standard output]
    #[arg(short, long = "out", value_name = "FILE", id = "out")]
    pub out: Option<PathBuf>,
}

/// Options of `tioga grid product`.
#[derive(Args, Debug)]
pub struct GridProductArgs {
    /// Which model, and how to read it
    #[command(flatten)]
    pub model: ModelArgs,

    /// The purpose of the model [default: the only one for grids]
    #[arg(short, long, value_name = "PURPOSE")]
    pub purpose: Option<String>,
}

/// Which words.
#[derive(Args, Debug, Default, Clone)]
pub struct CriterionArgs {
    /// Maximum of symbols of a word, units of time included [default: all words on which no state
    /// of the grid comes twice]
    #[arg(long, value_name = "COUNT", group = "criterion")]
    pub length: Option<usize>,

    /// Words that together visit every state, or take every transition
    #[arg(long, value_name = "WHAT", value_enum, group = "criterion")]
    pub cover: Option<GridCoverArg>,

    /// Number of shortest words to each end state
    #[arg(long, value_name = "COUNT", group = "criterion")]
    pub per_end: Option<usize>,

    /// Number of shortest words
    #[arg(long, value_name = "COUNT", group = "criterion")]
    pub shortest: Option<usize>,

    /// Only words with these actions in this order, whatever their delays and values
    #[arg(long, value_name = "ACTION", value_delimiter = ',')]
    pub actions: Option<Vec<String>>,
}

impl CriterionArgs {
    /// The criterion as the library takes it.
    pub fn criterion(&self) -> Criterion {
        match (self.length, self.cover, self.per_end, self.shortest) {
            (Some(most), ..) => Criterion::UpTo(most),
            (_, Some(GridCoverArg::States), ..) => Criterion::States,
            (_, Some(GridCoverArg::Transitions), ..) => Criterion::Transitions,
            (_, _, Some(most), _) => Criterion::PerEnd(most),
            (_, _, _, Some(most)) => Criterion::Shortest(most),
            _ => Criterion::LoopFree,
        }
    }

    /// What the actions of words must be.
    pub fn wanted(&self) -> Wanted {
        Wanted { actions: self.actions.clone() }
    }
}

/// What words of a grid cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum GridCoverArg {
    /// Every state on a way to an end
    States,
    /// Every transition on a way to an end
    Transitions,
}

/// Options of `tioga grid words`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_WORDS))]
pub struct GridWordsArgs {
    /// The grid
    #[command(flatten)]
    pub grid: OneGridArgs,

    /// Which words
    #[command(flatten)]
    pub which: CriterionArgs,

    /// Maximum of words listed [default: all; with --format json and -o, 1000]
    #[arg(long, value_name = "COUNT")]
    pub limit: Option<usize>,

    /// List the inputs and delays of words only, each once: test cases for `tioga grid observe`
    #[arg(long, conflicts_with = "shared")]
    pub inputs: bool,

    /// Begin each line with how many symbols, units of time included, it shares with the one before, and leave
    /// these out
    #[arg(long)]
    pub shared: bool,

    /// Write test cases that `tioga run` runs, as JSON, instead of listing the words
    #[arg(short, long = "out", value_name = "SUITE", id = "out")]
    pub out: Option<PathBuf>,
}

const AFTER_WORDS: &str = "\
Prints one word per line: delays and actions separated by blanks, such as `2/3 on 4/3 on 5 off`. Words are found
one by one, so the first come at once however many there are. Values of outputs are bounded as the grid bounds them.

With -o, each word becomes a test case: the tester sends its inputs and waits for its outputs. Another output that
the model allows makes the test inconclusive, and what the model does not allow makes it fail.

Exits with 1 if no end can be reached.

Examples:
  tioga grid words @switch-purpose/sw5 --granularity 1/3 --actions on,on,off
  tioga grid words @switch-purpose/swle5 --granularity 1/3 --shared --limit 20
  tioga grid words @multimedia --cover transitions --inputs
  tioga grid words @multimedia --shortest 5 -o suite.json";

/// Options of `tioga grid count`.
#[derive(Args, Debug)]
pub struct GridCountArgs {
    /// The grid
    #[command(flatten)]
    pub grid: OneGridArgs,

    /// Which words
    #[command(flatten)]
    pub which: CriterionArgs,

    /// Maximum of steps of work
    #[arg(long, value_name = "COUNT", default_value_t = 100_000_000)]
    pub max_steps: u64,
}

/// Options of `tioga grid observe`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_OBSERVE))]
pub struct GridObserveArgs {
    /// Which model, and how to read it
    #[command(flatten)]
    pub model: ModelArgs,

    /// The test case: inputs and delays, such as `on 5 on 2`
    #[arg(value_name = "CASE")]
    pub case: String,

    /// How fine and how far
    #[command(flatten)]
    pub fineness: FinenessArgs,

    /// Let outputs come at every unit of time within a delay, not only before and after it
    #[arg(long)]
    pub within_delays: bool,

    /// List runs, too, that end early because the model does not go on
    #[arg(long)]
    pub cut: bool,

    /// Maximum of runs listed
    #[arg(long, value_name = "COUNT", default_value_t = 10_000)]
    pub limit: usize,
}

const AFTER_OBSERVE: &str = "\
Prints the runs of the model whose inputs and delays are those of the test case, one per line. With
--format json, what is observed of each (its outputs and delays) is given, too. With a model of an implementation,
--within-delays and --cut, these are the runs that `tioga grid replay` takes.

Examples:
  tioga grid observe @switch/sw5 'on 5 3 on 2'
  tioga grid observe implementation.tioga '8/3 on 7/3 on 5' --within-delays --cut > runs.txt";

/// Options of `tioga grid replay`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_REPLAY))]
pub struct GridReplayArgs {
    /// The grid
    #[command(flatten)]
    pub grid: OneGridArgs,

    /// The runs: a file with one run per line, or `-` for standard input
    #[arg(value_name = "RUNS")]
    pub runs: PathBuf,

    /// Build the grid and replay on it; delays must be multiples of its granularity, and values are bounded
    #[arg(long)]
    pub on_grid: bool,
}

const AFTER_REPLAY: &str = "\
Replays runs on the model and on its product with the purpose. No grid is built: delays and values may be any
exact numbers, and memory does not grow with the length of a run.

If the purpose has fail locations, it is positive when some run reaches one. If it has desired locations, it is
positive when every run ends in one. Otherwise it is inconclusive. Besides, each run that the model itself does not
allow is said not to conform. Without a purpose, the runs are only compared with the model.

Exits with 0 if the purpose is positive, or all runs conform and there is no purpose; with 1 if a run does not
conform; and otherwise with 5.

Examples:
  tioga grid replay @switch-purpose/sw5 runs.txt
  tioga grid replay @multimedia - --on-grid --granularity 1/2 --context-bound 3 < runs.txt";
