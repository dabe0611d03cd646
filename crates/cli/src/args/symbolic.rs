//! Options of `tioga symbolic`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tioga::{SymbolicCases, SymbolicStage};

use super::help::paragraphs;
use super::values::time_limit;
use super::{MemoryArgs, ModelArgs};

/// Options of `tioga symbolic`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct SymbolicArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,

    /// The purpose of the model; needed from the stage `graph` on
    #[arg(short, long, value_name = "NAME")]
    pub purpose: Option<String>,

    /// How far to go
    #[arg(long, value_name = "STAGE", value_enum, default_value_t = StageArg::Graph)]
    pub stage: StageArg,

    /// Which controllable subgraphs to show, at stage `subgraphs`, or to write as test cases [default: `all` to
    /// show, `game` to write]
    #[arg(long, value_name = "WHICH", value_enum)]
    pub which: Option<WhichArg>,

    /// Let inputs that the model leaves open lead to a trap where everything is allowed
    #[arg(long)]
    pub complete: bool,

    /// What holds of the symbolic constants, such as 'p > 0'; may be repeated
    #[arg(long = "where", value_name = "CONDITION", id = "where")]
    pub initially: Vec<String>,

    /// An SMT solver, such as z3, for conditions that the embedded procedure does not decide
    #[arg(long, value_name = "PROGRAM")]
    pub solver: Option<String>,

    /// Write test cases to a file .json, or the stage as a picture to a file .dot [default: text on standard
    /// output]
    #[arg(short, long = "out", value_name = "FILE", id = "out")]
    pub out: Option<PathBuf>,

    /// Maximum of states in each stage
    #[arg(long, value_name = "COUNT", default_value_t = 100_000)]
    pub max_states: u64,

    /// Maximum of controllable subgraphs listed
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    pub max_subgraphs: usize,

    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS", value_parser = time_limit)]
    pub timeout: Option<Duration>,

    /// How much memory the computation may take
    #[command(flatten)]
    pub memory: MemoryArgs,
}

/// A stage of the method.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum StageArg {
    /// The product of model and purpose
    Product,
    /// Time as events: resets become Set, thresholds Exp
    Setexp,
    /// Without internal actions
    Projection,
    /// Deterministic, with guards split by satisfiability
    Deterministic,
    /// The complete test graph, with verdicts
    Graph,
    /// Its controllable subgraphs: test cases
    Subgraphs,
}

/// Which controllable subgraphs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum WhichArg {
    /// All of them, up to `--max-subgraphs`
    All,
    /// The one with the fewest control losses, then the fewest moves
    Best,
    /// What the game says in each node: inputs and values that minimise control losses
    Game,
}

impl From<WhichArg> for SymbolicCases {
    fn from(which: WhichArg) -> Self {
        match which {
            WhichArg::All => Self::All,
            WhichArg::Best => Self::Best,
            WhichArg::Game => Self::Game,
        }
    }
}

impl From<StageArg> for SymbolicStage {
    fn from(stage: StageArg) -> Self {
        match stage {
            StageArg::Product => Self::Product,
            StageArg::Setexp => Self::SetExp,
            StageArg::Projection => Self::Projection,
            StageArg::Deterministic => Self::Deterministic,
            StageArg::Graph => Self::Graph,
            StageArg::Subgraphs => Self::Subgraphs,
        }
    }
}

const AFTER_HELP: &str = "\
Symbolic real-time testing: variables, parameters of messages and symbolic constants keep their names; no
value is enumerated. Time becomes events: a reset programs expirations of the clock at the constants it is
compared with, and a clock handler reports them. The complete test graph says what a tester may send and what
it may see on the way to the purpose, and which verdict ends a test.

In the text, `<a, b>` happens at one instant and `[guard; updates]` speaks of data. An output that no line
allows, or that a line leads to `fail`, fails.

A file .json is a suite, which `tioga run` executes against a system and `tioga certify` checks.

Exits with 2 if the model does not fit the method, and says why; with 3 if a limit ended the computation.

Examples:
  tioga symbolic @khoumsi/fig1 --stage setexp
  tioga symbolic @khoumsi/fig5 -p FirstRho
  tioga symbolic @khoumsi/fig5 -p FirstRho --stage subgraphs --which best
  tioga symbolic @khoumsi/fig5 -p FirstRho --where 'p > 0'
  tioga symbolic @khoumsi/fig5 -p FirstRho -o graph.dot
  tioga symbolic @khoumsi/fig5 -p FirstRho -o first.json
  tioga --format json symbolic @khoumsi/fig5 -p FirstRho";
