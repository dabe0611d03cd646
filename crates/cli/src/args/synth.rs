//! Options of `tioga synth`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tioga::{Aim, Cover, Criterion, Effort, GivenPurpose, SuiteOptions, SynthesisOptions};
use tioga_base::{GivenTime, Rational};
use tioga_testcase::Shape;

use super::grid::granularity;
use super::help::paragraphs;
use super::method::{CompleteArgs, ConfirmArgs};
use super::values::{duration, percent, time, time_limit};
use super::{MemoryArgs, ModelArgs, SynthMethodArg, ViewArgs};
use crate::output::Session;

/// What the suite of `tioga test` is made by if nothing is said.
const DEFAULT_CRITERIA: [Criterion; 4] = [
    Criterion::Cover(Cover::Edges),
    Criterion::Cover(Cover::Boundaries),
    Criterion::Cover(Cover::DefinitionsUses),
    Criterion::Mutants,
];

/// How many percent of the mutants it kills.
pub const DEFAULT_KILLED: u32 = 95;

/// How often each test case of a suite is run against a mutant, unless something else is asked for.
pub const KILL_RUNS: u64 = 10;

/// Options of `tioga synth`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct SynthArgs {
    /// What to make test cases of
    #[command(flatten)]
    pub wanted: WantedArgs,

    /// What a suite by a method other than `grid` is complete for
    #[command(flatten)]
    pub complete: CompleteArgs,

    /// With `--method`: go on with the minimal machine if states are equivalent or cannot be reached
    #[arg(long, alias = "minimize")]
    pub minimise: bool,

    /// With `--cover mutants`: maximum of runs of each test case against a mutant; the suite keeps it
    #[arg(long, value_name = "COUNT", default_value_t = KILL_RUNS, requires = "cover")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub kill_runs: u64,

    /// Write the suite to a file, as JSON
    #[arg(short, long = "out", value_name = "SUITE", id = "out")]
    pub out: Option<PathBuf>,

    /// Write the tester of the first test case to a file: as a model if its name ends in .tioga, .xml,
    /// .xta or .tck, as a picture if in .dot or .svg
    #[arg(long, value_name = "FILE")]
    pub tester: Option<PathBuf>,
}

impl SynthArgs {
    /// An option about complete suites that was given, if one was.
    pub fn of_complete(&self) -> Option<&'static str> {
        self.complete.given().or(self.minimise.then_some("--minimise"))
    }
}

/// What to make test cases of, and which.
#[derive(Args, Debug)]
pub struct WantedArgs {
    /// Which model, and how to read it
    #[command(flatten)]
    pub model: ModelArgs,

    /// What to test: the name of a purpose of the model, `reach CONDITION`, `reach CONDITION within TIME`, or
    /// `walk TIME` for any inputs at any moments; may be repeated [default: every purpose of the model, or its control queries]
    #[arg(short, long, value_name = "PURPOSE")]
    pub purpose: Vec<GivenPurpose>,

    /// Test what happens in a run: a trace, such as `tioga simulate` and `tioga conform` write, or a run of a
    /// journal, `JOURNAL` or `JOURNAL:NUMBER`. The purpose accepts when the same inputs and outputs are observed:
    /// outputs at any moment, inputs after the same wait or up to a time unit of the model later. If the model does
    /// not allow the end of the run, it accepts when something else is observed instead
    #[arg(long, value_name = "RUN", conflicts_with = "cover")]
    pub purpose_from: Option<String>,

    /// With `--purpose-from`: maximum difference of each wait, of inputs and outputs, from that in the run; 0 for the
    /// very same instants
    #[arg(long, value_name = "TIME", value_parser = time)]
    #[arg(requires = "purpose_from")]
    pub purpose_slack: Option<Rational>,

    /// Make test cases that cover the processes of the system by these criteria instead; several are separated by
    /// commas
    #[arg(
        long,
        value_enum,
        value_name = "CRITERIA",
        conflicts_with = "purpose",
        value_delimiter = ','
    )]
    pub cover: Vec<CoverArg>,

    /// With `--cover`: continue until the next output of the process, or until a silence longer than every bound of the
    /// model, so that the test sees where an edge leads; always on for edge-pairs, boundaries and definitions-uses
    #[arg(long, requires = "cover")]
    pub then: bool,

    /// With `--cover`: one test case for each coverage item; redundant ones stay
    #[arg(long, requires = "cover")]
    pub each: bool,

    /// With `--cover`: only test cases that need no cooperation of the system, so that every conforming system passes
    #[arg(long, requires = "cover")]
    pub certain: bool,

    /// With `--cover`: the percentage of reachable coverage items of each criterion, and of distinguishable mutants, that
    /// is enough; online, no more runs are made then
    #[arg(long, value_name = "PERCENT", value_parser = percent, default_value = "100%", requires = "cover")]
    #[arg(allow_hyphen_values = true, conflicts_with = "each")]
    pub until: u32,

    /// With `--cover`: time limit of making the suite, such as 60s; what was made until then is kept. Online it is the
    /// time limit of the whole command
    #[arg(long, value_name = "DURATION", value_parser = duration, conflicts_with = "synth_timeout")]
    #[arg(allow_hyphen_values = true)]
    pub budget: Option<Duration>,

    /// Make test cases in another way [default: by solving the game between tester and system]: words of a
    /// grid; of a model whose every step answers an input, sequences that confirm configurations, or, without clocks,
    /// a complete suite; of a model with clocks whose outputs follow from the inputs, a complete suite in units of
    /// time. It finds every fault of systems that have few states more
    #[arg(long, value_enum, value_name = "METHOD")]
    #[arg(conflicts_with_all = ["cover", "purpose_from", "window", "clocks", "max_constant", "max_steps", "safety_first"])]
    pub method: Option<SynthMethodArg>,

    /// With `--method`: the granularity of the grid, or of the units of time that a complete suite of a model with
    /// clocks has, 1/k [default: the coarsest that all constants are multiples of]
    #[arg(long, value_name = "1/K", value_parser = granularity, requires = "method")]
    pub granularity: Option<i64>,

    /// With `--method grid`: how many words become test cases, the shortest first [default: 10]
    #[arg(long, value_name = "COUNT", requires = "method")]
    pub words: Option<usize>,

    /// Which configurations are confirmed
    #[command(flatten)]
    pub confirm: ConfirmArgs,

    /// How much the test cases decide
    #[arg(long, value_enum, value_name = "SHAPE", default_value_t)]
    pub shape: ShapeArg,

    /// Avoid answers that could make the test inconclusive, even if that takes more cooperation
    #[arg(long)]
    pub safety_first: bool,

    /// How long a tree waits for an optional output [default: one more than the largest
    /// constant of the model]
    #[arg(long, value_name = "TIME")]
    pub window: Option<GivenTime>,

    /// Time limit of synthesis in seconds
    #[arg(long, value_name = "SECONDS", value_parser = time_limit)]
    pub synth_timeout: Option<Duration>,

    /// Number of threads that make test cases; the result does not depend on it [default: as many as there are
    /// cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,

    /// How much memory synthesis may take
    #[command(flatten)]
    pub memory: MemoryArgs,

    /// Maximum of discrete states explored for one test case
    #[arg(long, value_name = "COUNT", default_value_t = tioga::DEFAULT_MAX_STATES)]
    pub max_states: usize,

    /// The resources of a deterministic view
    #[command(flatten)]
    pub view: ViewArgs,
}

/// What is covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CoverArg {
    /// Every location is entered
    Locations,
    /// Every edge is taken
    Edges,
    /// Every two edges of a process that can follow each other are taken one after the other
    EdgePairs,
    /// Every output is given
    Outputs,
    /// Every edge is taken at the ends of its windows: at each bound of a clock, just below and just above it; and
    /// where a comparison of data decides about it, with sides that are equal or differ by one
    Boundaries,
    /// Every clock that is set and variable that is written is used by every edge that can see it
    DefinitionsUses,
    /// Every non-equivalent mutant of the model is killed
    Mutants,
}

/// How much a test case decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ShapeArg {
    /// Timing and choice of inputs stay open, within what keeps the purpose in reach
    Automaton,
    /// What to do is said for every situation
    #[default]
    Strategy,
    /// A finite tree; leaving the intended way ends the test
    Tree,
}

impl WantedArgs {
    /// An option about test cases for purposes that was given, if one was.
    pub fn of_purposes(&self) -> Option<&'static str> {
        let options = [
            (!self.purpose.is_empty(), "--purpose"),
            (self.shape != ShapeArg::default(), "--shape"),
            (self.words.is_some(), "--words"),
        ];
        options.into_iter().find_map(|(given, name)| given.then_some(name))
    }

    /// An option about models with clocks that was given, if one was.
    pub fn of_clocks(&self) -> Option<&'static str> {
        let options = [
            (self.granularity.is_some(), "--granularity"),
            (self.max_states != tioga::DEFAULT_MAX_STATES, "--max-states"),
        ];
        options.into_iter().find_map(|(given, name)| given.then_some(name))
    }

    /// What to make test cases for, with the purpose that was made from a run.
    pub fn aim(&self, from_run: Option<String>) -> Aim {
        let mut purposes = self.purpose.clone();
        purposes.extend(from_run.map(GivenPurpose::Named));
        if !self.cover.is_empty() {
            Aim::Cover { what: self.covers(), then: self.then }
        } else if purposes.is_empty() {
            Aim::Model
        } else {
            Aim::Purposes(purposes)
        }
    }

    /// What to cover in the model; nothing if there are purposes.
    pub fn covers(&self) -> Vec<Cover> {
        self.criteria()
            .into_iter()
            .filter_map(|criterion| match criterion {
                Criterion::Cover(cover) => Some(cover),
                Criterion::Mutants => None,
            })
            .collect()
    }

    /// What to cover; nothing if there are purposes.
    pub fn criteria(&self) -> Vec<Criterion> {
        let mut all: Vec<Criterion> = self.cover.iter().copied().map(Criterion::from).collect();
        all.sort();
        all.dedup();
        all
    }

    /// How to make a suite by criteria; without any, the default of `tioga test`.
    pub fn suite_options(&self, repeat: u64, walk_time: Option<Rational>) -> SuiteOptions {
        let default = self.cover.is_empty();
        let criteria = if default { DEFAULT_CRITERIA.to_vec() } else { self.criteria() };
        SuiteOptions {
            criteria,
            until: self.until,
            killed: if default { DEFAULT_KILLED } else { self.until },
            then: self.then || default,
            certain: self.certain || default,
            walk_time,
            repeat,
            seed: 0,
            synthesis: self.options(),
        }
    }

    /// How much work may be done.
    pub fn effort(&self, session: &Session, time: Option<Duration>) -> Effort<'static> {
        let effort = session.effort(self.memory.limits(time));
        let threads = self.threads.map_or(effort.threads, usize::from);
        Effort { threads, view: self.view.options(), ..effort }
    }

    /// How to make them.
    pub fn options(&self) -> SynthesisOptions {
        SynthesisOptions {
            shape: self.shape.into(),
            safety_first: self.safety_first,
            window: self.window,
            max_states: self.max_states,
            ..SynthesisOptions::default()
        }
    }
}

impl From<CoverArg> for Criterion {
    fn from(cover: CoverArg) -> Self {
        Self::Cover(match cover {
            CoverArg::Locations => Cover::Locations,
            CoverArg::Edges => Cover::Edges,
            CoverArg::EdgePairs => Cover::EdgePairs,
            CoverArg::Outputs => Cover::Outputs,
            CoverArg::Boundaries => Cover::Boundaries,
            CoverArg::DefinitionsUses => Cover::DefinitionsUses,
            CoverArg::Mutants => return Self::Mutants,
        })
    }
}

impl From<ShapeArg> for Shape {
    fn from(shape: ShapeArg) -> Self {
        match shape {
            ShapeArg::Automaton => Self::Automaton,
            ShapeArg::Strategy => Self::Strategy,
            ShapeArg::Tree => Self::Tree,
        }
    }
}

const AFTER_HELP: &str = "\
A test case follows what happens between tester and system with exact time: what the model allows is
expected, everything else is a failure. It passes where the purpose is reached and is inconclusive where
that is not possible any more.

With `--cover edges`, test cases take every edge that can be reached; with `--then`, they go on until one more
output or a silence has followed. What cannot be covered is reported with the reason.

With `--method confirm` a test case leads the system to a configuration and applies timed inputs that a system
in a suspicious configuration would answer differently.

With other methods the model is taken as a finite machine, as `tioga machine` does, or, with clocks, in units of
`--granularity`, in which a unit of time is an input; and the suite is complete: a
system that is a machine with at most `--extra-states` more states and passes all tests answers every input
as the model does. A machine that does not fit the method is refused with exit code 2. `tioga run` stops at the
first test that shows a difference.

Exits with 0 if every purpose can be reached, perhaps with cooperation, and with 1 if one cannot; with
`--cover`, with 1 only if nothing can be reached; with 3 if `--synth-timeout`, `--memory`, `--max-states` or
Ctrl-C ended the search; the test cases made before are kept.

Examples:
  tioga synth @smart-light
  tioga synth @conveyor-game -p 'reach Belt.D2A' --shape tree -o conveyor.json
  tioga synth @smart-light -p 'reach Light.Bright within 8' --shape automaton
  tioga synth @problematic-light --shape tree --tester tree.svg
  tioga synth @bjsk --clocks 1 --max-constant 2
  tioga synth @smart-light --cover edges --shape tree -o suite.json
  tioga synth light.tioga --purpose-from wrong.trace
  tioga synth @fsm-29 --method s --extra-states 1 -o fsm.json
  tioga synth @stairs-light --method h --granularity 1/2 --extra-states 1 -o light.json
  tioga synth @fsm-29 --method g --word 'a a' --word 'b a' --classes 4 --second-stage s -o fsm.json
  tioga synth @tefsm --method confirm --at 's1, w = 2' --suspicious 's1, x = 4, y = 2, w = 5'
  tioga synth @switch-purpose/sw5 -p OnOnOff --method grid --granularity 1/3 --words 20 -o suite.json";
