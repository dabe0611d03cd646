//! Options of `tioga play`.

use std::path::PathBuf;
use tioga_adapters::Policy;

use clap::{Args, ValueEnum};

use super::help::paragraphs;
use super::{GameArgs, ModelArgs};

/// Options of `tioga play`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct PlayArgs {
    /// Which model, and how to read it
    #[command(flatten)]
    pub model: ModelArgs,

    /// How the game is played
    #[command(flatten)]
    pub game: GameArgs,

    /// Who plays the system
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    pub opponent: OpponentArg,

    /// What decides the random choices: the same seed gives the same game
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub seed: u64,

    /// Play the system yourself, by commands on standard input
    #[arg(short, long, conflicts_with_all = ["seed", "opponent"])]
    pub interactive: bool,

    /// How many moves both sides make at most
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    pub steps: usize,

    /// Write the run to a file, as JSON Lines if its name ends in .jsonl
    #[arg(short, long = "out", value_name = "TRACE", id = "out")]
    pub out: Option<PathBuf>,
}

/// Who plays the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum OpponentArg {
    /// Moves by chance, or lets the tester go on
    #[default]
    Random,
    /// Moves only when time ends, as late as possible
    Lazy,
    /// Makes the first possible move at once
    Eager,
    /// Makes the move that sets the tester back most
    Hostile,
    /// Makes every move in turn, and lets the tester go on in turn
    Fair,
}

impl PlayArgs {
    /// Who plays the system.
    pub fn player(&self) -> &'static str {
        match (self.interactive, self.opponent) {
            (true, _) => "person",
            (_, OpponentArg::Random) => "random",
            (_, OpponentArg::Lazy) => "lazy",
            (_, OpponentArg::Eager) => "eager",
            (_, OpponentArg::Hostile) => "hostile",
            (_, OpponentArg::Fair) => "fair",
        }
    }
}

impl From<OpponentArg> for Policy {
    fn from(opponent: OpponentArg) -> Self {
        match opponent {
            OpponentArg::Random => Self::Random,
            OpponentArg::Lazy => Self::Lazy,
            OpponentArg::Eager => Self::Eager,
            OpponentArg::Hostile => Self::Hostile,
            OpponentArg::Fair => Self::Fair,
        }
    }
}

const AFTER_HELP: &str = "\
The tester follows the strategy of `tioga solve`; each round shows its rank, what it is about to do
and what it hopes for. The system may move first, also at the very moment at which the tester moves.
The first query about a game is played, by default for ranks: the tester counts on the system's help
where it cannot do without. With `--strict-only` it plays only what it can enforce.

With `--interactive`, commands are lines on standard input: the number of a move, perhaps followed by
a delay, makes it, `n` lets the tester go on, and `?` lists the rest.

Exits with 0 if the objective is reached or, where it says what to avoid, was kept to; with 1 if it
is out of reach or no step is possible any more; and with 3 if --steps or another limit ended the game.

Examples:
  tioga play @conveyor-game
  tioga play @smart-light --strict-only --opponent hostile
  tioga play @problematic-light --seed 3 -o run.trace
  tioga play @concur05 -q 'control: A[] !Main.L4' --steps 20
  tioga play @conveyor-game --interactive";
