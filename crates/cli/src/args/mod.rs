//! The command line: commands, options and their help. Each command has a struct of options in a
//! file of its own; the help of each ends with examples, and a test parses them all.

mod calibrate;
mod certify;
mod check;
mod conform;
mod convert;
mod corpus;
mod determinize;
mod diff;
mod examples;
mod explain;
mod fmt;
mod grid;
mod help;
mod latency;
mod limits;
mod machine;
mod method;
mod model;
mod monitor;
mod mutate;
mod mutation;
mod new;
mod play;
mod product;
mod project;
mod reach;
mod replay;
mod report;
mod run;
mod search;
mod shell;
mod shrink;
mod simulate;
mod solve;
mod studio;
mod symbolic;
mod synth;
mod test;
mod values;
mod view;

pub use calibrate::CalibrateArgs;
pub use certify::CertifyArgs;
pub use check::CheckArgs;
pub use conform::{CompareArgs, ConformArgs, RefinesArgs};
pub use convert::ConvertArgs;
pub use corpus::CorpusArgs;
pub use determinize::DeterminizeArgs;
pub use diff::DiffArgs;
pub use examples::ExamplesArgs;
pub use explain::ExplainArgs;
pub use fmt::FmtArgs;
pub use grid::{
    GridArgs, GridBuildArgs, GridCommand, GridCountArgs, GridInfoArgs, GridObserveArgs,
    GridProductArgs, GridReplayArgs, GridWordsArgs, OneGridArgs,
};
pub use latency::LatencyArgs;
pub use limits::LimitArgs;
pub use machine::{
    MachineArgs, MachineCheckArgs, MachineCommand, MachineConvertArgs, MachineExtendedArgs,
    MachineFormatArg, MachineInfoArgs, MachineSuiteArgs, OneMachineArgs,
};
pub use method::{CompleteArgs, MethodArg, SynthMethodArg};
pub use model::{LoadArgs, ModelArgs};
pub use monitor::MonitorArgs;
pub use mutate::MutateArgs;
pub use mutation::MutationArgs;
pub use new::NewArgs;
pub use play::{OpponentArg, PlayArgs};
pub use product::ProductArgs;
pub use project::{Refused, parsed};
pub use reach::{AbstractionArg, OrderArg, ReachArgs};
pub use replay::ReplayArgs;
pub use report::{InconclusiveArg, ReportArgs};
pub use run::{PaceArgs, PolicyArg, ResumeArgs, RunArgs, RunsArgs, SystemArgs, run_options};
pub use search::{MemoryArgs, SearchArgs};
pub use shell::{CompletionsArgs, ManArgs};
pub use shrink::ShrinkArgs;
pub use simulate::SimulateArgs;
pub use solve::{GameArgs, SolveArgs};
pub use studio::StudioArgs;
pub use symbolic::{SymbolicArgs, WhichArg};
pub use synth::{CoverArg, DEFAULT_KILLED, ShapeArg, SynthArgs, WantedArgs};
pub use test::TestArgs;
pub use view::ViewArgs;

use clap::{Parser, Subcommand};
use help::paragraphs;

use crate::output::{Colour, OutputFormat};

/// Test timed systems against a model of how they must behave in time.
///
/// From a model (Tioga's own language, UPPAAL's or TChecker's) and a purpose, Tioga makes test cases
/// that drive a real system to the purpose, relying on its cooperation as little as possible. It runs
/// them against a process, a socket or another model with exact verdicts (pass, fail, inconclusive),
/// explains every run, and measures with mutants which faults the tests find.
#[derive(Parser, Debug)]
#[command(name = "tioga", version, after_help = paragraphs(AFTER_HELP), max_term_width = 100)]
#[command(subcommand_required = true, arg_required_else_help = true, propagate_version = true)]
pub struct Cli {
    /// How results and diagnostics are written
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t)]
    #[arg(help_heading = "Output")]
    pub format: OutputFormat,

    /// When diagnostics are coloured
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    #[arg(help_heading = "Output")]
    pub color: Colour,

    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

const AFTER_HELP: &str = "\
A model is a file, `-` for standard input, or `@NAME` for an embedded example.

Exit codes:
  0  done, and the answer is positive
  1  done, and the answer is negative (a property or a test run fails, a file is not formatted)
  2  the command line or an input is wrong
  3  a limit was reached before there was an answer
  4  an error in tioga itself; please report it
  5  no test run failed, but one was inconclusive or could not be made; or a log has an input that is
     not specified
  6  no test run failed, but one was an error of the system or of the connection to it

Examples:
  tioga new demo --python
  tioga simulate
  tioga check @train-gate
  tioga reach @train-gate
  tioga solve @conveyor-game
  tioga test @smart-light
  tioga certify @smart-light light.json
  tioga run light.json --sut model:@smart-light
  tioga explain light.journal
  tioga monitor @smart-light < light.log
  tioga conform @problematic-light @smart-light
  tioga diff old.tioga new.tioga --suite suite.json
  tioga convert train-gate.xml -o train-gate.tioga
  tioga studio @conveyor-game
  tioga --format json examples
  tioga help simulate";

/// Whether a command line that cannot be parsed asks for JSON.
pub fn wants_json(arguments: impl IntoIterator<Item = String>) -> bool {
    let arguments: Vec<String> = arguments.into_iter().collect();
    let two = arguments.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json");
    two || arguments.iter().any(|one| one == "--format=json")
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Say whether a model is well-formed, what is in it, and what testing can rely on
    Check(CheckArgs),
    /// Run a model, randomly or step by step
    Simulate(SimulateArgs),
    /// Say whether a trace is a run of a model, or make a recorded run again
    Replay(ReplayArgs),
    /// Say whether states can be reached, with a run that reaches them
    Reach(ReachArgs),
    /// Say what a tester can enforce, with what strategy and how much cooperation
    Solve(SolveArgs),
    /// Play the system against the tester's strategy, or watch a policy play it
    Play(PlayArgs),
    /// Make test cases for the purposes of a model
    Synth(SynthArgs),
    /// Say whether a suite, a strategy or ranks are right, by the independent checker
    Certify(CertifyArgs),
    /// Make test cases and run them, or choose inputs on the fly from the model (--online)
    Test(Box<TestArgs>),
    /// Run the test cases of a suite against a system
    Run(RunArgs),
    /// Measure the latencies between tester and system
    Calibrate(CalibrateArgs),
    /// Continue an interrupted campaign
    Resume(ResumeArgs),
    /// Minimise a failing run by running shorter ones
    Shrink(ShrinkArgs),
    /// Report the results of a campaign: JUnit XML, TAP, HTML, JSON, diagrams
    Report(ReportArgs),
    /// Explain a run: what was expected when, and what came instead
    Explain(ExplainArgs),
    /// Say whether an existing log conforms to a model
    Monitor(MonitorArgs),
    /// Write the product of a model with one of its purposes, as a model
    Product(ProductArgs),
    /// Say what an observer can know of a model: a deterministic view of it
    Determinize(DeterminizeArgs),
    /// Synthesise tests with data that stays symbolic: time as events, test graphs, subgraphs
    Symbolic(SymbolicArgs),
    /// Say whether a model conforms to another, with a run that shows why not
    Conform(ConformArgs),
    /// Say whether a model conforms to another and takes all its inputs
    Refines(RefinesArgs),
    /// Say what a change of a model affects: its edges, its behaviour, the tests of a suite
    Diff(DiffArgs),
    /// Make faulty variants of a model, and say which of them a test can detect
    Mutate(MutateArgs),
    /// Run a suite against all mutants of a model, and say which of them it kills
    #[command(alias = "campaign")]
    Mutation(MutationArgs),
    /// Finite machines: what one is, complete suites for it, and whether a suite is complete
    Machine(MachineArgs),
    /// Grids: a timed automaton in units of time, its words as tests, and runs replayed on it
    Grid(Box<GridArgs>),
    /// Show models, games, test cases and runs in the browser
    Studio(Box<StudioArgs>),
    /// Convert a model to another language or to a picture
    Convert(ConvertArgs),
    /// Say which files of a folder are read as models, and what keeps the others from it
    Corpus(CorpusArgs),
    /// Format .tioga files
    Fmt(FmtArgs),
    /// Start a project: a model, a system with its adapter, a suite and a CI file that run at once
    New(NewArgs),
    /// List or print the embedded example models
    Examples(ExamplesArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Write the manual pages
    Man(ManArgs),
}

impl Command {
    /// The name it is called by.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Check(_) => "check",
            Self::Simulate(_) => "simulate",
            Self::Replay(_) => "replay",
            Self::Reach(_) => "reach",
            Self::Solve(_) => "solve",
            Self::Play(_) => "play",
            Self::Synth(_) => "synth",
            Self::Certify(_) => "certify",
            Self::Test(_) => "test",
            Self::Run(_) => "run",
            Self::Calibrate(_) => "calibrate",
            Self::Resume(_) => "resume",
            Self::Shrink(_) => "shrink",
            Self::Report(_) => "report",
            Self::Explain(_) => "explain",
            Self::Monitor(_) => "monitor",
            Self::Product(_) => "product",
            Self::Determinize(_) => "determinize",
            Self::Symbolic(_) => "symbolic",
            Self::Conform(_) => "conform",
            Self::Refines(_) => "refines",
            Self::Diff(_) => "diff",
            Self::Mutate(_) => "mutate",
            Self::Mutation(_) => "mutation",
            Self::Machine(_) => "machine",
            Self::Grid(_) => "grid",
            Self::Studio(_) => "studio",
            Self::Convert(_) => "convert",
            Self::Corpus(_) => "corpus",
            Self::Fmt(_) => "fmt",
            Self::New(_) => "new",
            Self::Examples(_) => "examples",
            Self::Completions(_) => "completions",
            Self::Man(_) => "man",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples_and_all_of_them_parse() {
        let mut command = Cli::command();
        command.build();
        let mut texts = vec![("tioga".to_owned(), command.get_after_help().cloned())];
        for one in command.get_subcommands().filter(|one| one.get_name() != "help") {
            texts.push((one.get_name().to_owned(), one.get_after_help().cloned()));
        }
        for (name, text) in texts {
            let text = text.unwrap_or_else(|| panic!("`{name}` has no examples")).to_string();
            let lines: Vec<&str> =
                text.lines().map(str::trim).filter(|line| line.starts_with("tioga ")).collect();
            assert!(!lines.is_empty(), "`{name}` has no examples");
            for line in lines {
                // In the folder of a project, its file says the rest.
                if ["tioga test", "tioga run"].contains(&line) {
                    continue;
                }
                let line = line.split(" > ").next().unwrap_or(line);
                let line = line.split(" < ").next().unwrap_or(line);
                if let Err(error) = Cli::command().try_get_matches_from(words(line)) {
                    assert_eq!(error.exit_code(), 0, "`{line}`: {error}");
                }
            }
        }
    }

    /// Splits at spaces outside single quotes, as a shell does.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut quoted = false;
        for character in line.chars() {
            match character {
                '\'' => quoted = !quoted,
                ' ' if !quoted => words.push(String::new()),
                other => words.last_mut().expect("there is always a word").push(other),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }
}
