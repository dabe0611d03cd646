//! Options of `tioga machine`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::help::paragraphs;
use super::method::{CompleteArgs, MethodArg};
use super::{LoadArgs, ModelArgs};

/// Options of `tioga machine`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct MachineArgs {
    /// What to do
    #[command(subcommand)]
    pub command: MachineCommand,
}

const AFTER_HELP: &str = "\
A machine is deterministic and has no time: in each state, an input leads to a state and is answered
by an output. It is read from Graphviz DOT as learning tools write it (edges labelled `input/output`, and
an edge from `__start0` to the initial state), from KISS2, or from a model whose every edge answers an
input (`a? / b!`).

Examples:
  tioga machine info coffee.dot
  tioga machine suite coffee.dot --method h --extra-states 1 > coffee.tests
  tioga machine check coffee.dot coffee.tests --extra-states 1
  tioga machine convert coffee.dot -o coffee.tioga";

/// What to do with a machine.
#[derive(Subcommand, Debug)]
pub enum MachineCommand {
    /// Say what a machine is: its size, whether it is complete and minimal, how its states are told apart
    Info(MachineInfoArgs),
    /// Make a suite that finds every fault of implementations that are not much larger
    Suite(MachineSuiteArgs),
    /// Say whether a suite is complete, with a faulty machine that passes it if not
    Check(MachineCheckArgs),
    /// Write a machine in another format
    Convert(MachineConvertArgs),
    /// Say which properties a timed extended machine has, and print its product with itself
    Extended(MachineExtendedArgs),
}

/// A machine.
#[derive(Args, Debug)]
pub struct OneMachineArgs {
    /// The machine: a file, `-` for standard input, or `@NAME` for an embedded example
    #[arg(value_name = "MACHINE")]
    pub machine: String,

    /// The format of the machine, if its name does not say it
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub machine_format: Option<MachineFormatArg>,

    /// Go on with the minimal machine if states are equivalent or cannot be reached
    #[arg(long, alias = "minimize")]
    pub minimise: bool,

    /// How a model is read
    #[command(flatten)]
    pub load: LoadArgs,
}

/// How a machine is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MachineFormatArg {
    /// Graphviz DOT
    Dot,
    /// KISS2
    Kiss2,
    /// A model of any language that Tioga reads
    Model,
}

/// Options of `tioga machine info`.
#[derive(Args, Debug)]
pub struct MachineInfoArgs {
    /// The machine
    #[command(flatten)]
    pub machine: OneMachineArgs,
}

/// Options of `tioga machine suite`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_SUITE))]
pub struct MachineSuiteArgs {
    /// The machine
    #[command(flatten)]
    pub machine: OneMachineArgs,

    /// How the suite is made
    #[arg(long, value_name = "METHOD", value_enum, default_value_t = MethodArg::Spyh)]
    pub method: MethodArg,

    /// What it is complete for
    #[command(flatten)]
    pub complete: CompleteArgs,

    /// For the method g: a machine to count these answers in, with a warning if they are fewer
    #[arg(long, value_name = "MACHINE")]
    pub implementation: Option<String>,

    /// For the method g: print what the tests are made of instead: the transition cover P, the words Z behind it, and the
    /// classes of states that the given words make
    #[arg(long, conflicts_with = "out")]
    pub parts: bool,

    /// Write test cases that `tioga run` runs, as JSON, instead of printing the tests
    #[arg(short, long, value_name = "SUITE")]
    pub out: Option<PathBuf>,
}

const AFTER_SUITE: &str = "\
Prints one test per line: inputs separated by blanks, each line after a reset. An input that is empty or
holds a blank or a double quote stands in double quotes, with \\\" and \\\\ inside. A test that is the
beginning of another one is left out.

A system that answers all tests as the machine does, and that is a machine with at most so many states,
is equivalent to it. With --format json, the number of tests, their cost (all inputs, and one reset for
each test) and the time it took are given instead.

Examples:
  tioga machine suite coffee.dot
  tioga machine suite coffee.dot --method w --extra-states 2
  tioga machine suite coffee.dot -o coffee.json
  tioga machine suite @fsm-29 --method g --word 'a a' --word 'b a' --classes 3 --extra-states 1
  tioga machine suite @fsm-29 --method g --word 'a a' --classes 3 --parts
  tioga machine suite @fsm-29 --method g --word 'a a' --classes 3 --second-stage s -o fsm.json";

/// Options of `tioga machine check`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_CHECK))]
pub struct MachineCheckArgs {
    /// The machine
    #[command(flatten)]
    pub machine: OneMachineArgs,

    /// The suite: a file with one test per line
    #[arg(value_name = "SUITE")]
    pub suite: PathBuf,

    /// Number of extra states that an implementation may have
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub extra_states: usize,

    /// Maximum of comparisons of tests
    #[arg(long, value_name = "COUNT", default_value_t = 1_000_000_000)]
    pub max_steps: u64,
}

const AFTER_CHECK: &str = "\
Searches for a machine that passes all tests and is not equivalent. The search shares no code with the
methods that make suites.

Exits with 0 if there is none, with 1 and such a machine if there is one, and with 3 if the search was
given up.

Examples:
  tioga machine check coffee.dot coffee.tests
  tioga machine check coffee.dot coffee.tests --extra-states 1 --max-steps 10000000000";

/// Options of `tioga machine extended`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_EXTENDED))]
pub struct MachineExtendedArgs {
    /// Which model, and how to read it
    #[command(flatten)]
    pub model: ModelArgs,

    /// Use the product as BON09 prints it, which is not sound, for comparison
    #[arg(long)]
    pub as_printed: bool,
}

const AFTER_EXTENDED: &str = "\
The model is one process whose every edge takes an input and answers it, perhaps with clocks and data. A property that
it does not have comes with a configuration that shows it. Each edge of the product is an edge of the first component,
with the edge that the second component takes, or without those that it does not take.

Examples:
  tioga machine extended @tefsm
  tioga machine extended @tefsm --as-printed";

/// Options of `tioga machine convert`.
#[derive(Args, Debug)]
pub struct MachineConvertArgs {
    /// The machine
    #[command(flatten)]
    pub machine: OneMachineArgs,

    /// The file to write, as .dot, .kiss2, .tioga or .svg [default: .dot on standard output]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
