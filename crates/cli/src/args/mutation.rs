//! Options of `tioga mutation`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use tioga::{Cover, Criterion};
use tioga_base::GivenTime;

use super::help::paragraphs;
use super::{CoverArg, ModelArgs, PolicyArg, SearchArgs, ShapeArg, ViewArgs};

/// Options of `tioga mutation`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct MutationArgs {
    /// Which model, and how to read it
    #[command(flatten)]
    pub model: ModelArgs,

    /// A suite to run, as `tioga synth -o` writes it; may be repeated [default: one is made]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cover", "shape"])]
    pub suite: Vec<PathBuf>,

    /// Make a test case for every edge or location; those for edges go on until an output or a silence
    /// shows where the edge led. A suite that kills mutants is made by `tioga synth --cover mutants` [default: edges]
    #[arg(long, value_name = "WHAT", value_parser = covered())]
    pub cover: Option<Cover>,

    /// How much the test cases made decide [default: automaton]
    #[arg(long, value_enum, value_name = "SHAPE")]
    pub shape: Option<ShapeArg>,

    /// The kinds of changes to make, by name or by group, such as `guard,reset-missing` [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub operators: Vec<String>,

    /// Also change processes of the environment
    #[arg(long)]
    pub all: bool,

    /// Run mutants as they are; otherwise they are first completed to systems
    #[arg(long)]
    pub as_is: bool,

    /// Maximum of runs of each test case against a mutant [default: as the suite says, or 1; 1000 for a suite that
    /// is made]
    #[arg(long, value_name = "COUNT")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub repeat: Option<u64>,

    /// What decides the random choices: the same seed gives the same runs
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub seed: u64,

    /// How mutants resolve their choices
    #[arg(long, value_enum, value_name = "POLICY", default_value = "random")]
    pub policy: PolicyArg,

    /// How long to wait, in time units of the model, where nothing bounds the wait [default: the
    /// largest constant of the test case]
    #[arg(long, value_name = "TIME")]
    pub patience: Option<GivenTime>,

    /// Run every test case against every mutant; otherwise a mutant that failed one is not run again
    #[arg(long)]
    pub full: bool,

    /// Compare all mutants with the model, not only those that survive
    #[arg(long)]
    pub judge_all: bool,

    /// Write the kill matrix to a file: .json or .csv
    #[arg(short, long = "out", value_name = "FILE", id = "out")]
    pub out: Option<PathBuf>,

    /// Journal of the campaign, for `tioga resume` after an interruption; an existing journal is renamed to
    /// FILE.old [default: none]
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// How many mutants are run at the same time; the results do not depend on it [default: as many
    /// as there are cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,

    /// How long to compare survivors with the model
    #[command(flatten)]
    pub search: SearchArgs,

    /// The resources of a deterministic view
    #[command(flatten)]
    pub view: ViewArgs,
}

/// What is covered without looking at mutants.
fn covered() -> impl TypedValueParser<Value = Cover> {
    let cover = |one: CoverArg| match Criterion::from(one) {
        Criterion::Cover(cover) => Some(cover),
        Criterion::Mutants => None,
    };
    let all = CoverArg::value_variants().iter().filter(move |one| cover(**one).is_some());
    PossibleValuesParser::new(all.filter_map(ValueEnum::to_possible_value)).try_map(move |name| {
        let known = CoverArg::from_str(&name, false)?;
        cover(known).ok_or_else(|| format!("`{name}` is made by `tioga synth`"))
    })
}

const AFTER_HELP: &str = "\
All mutants of the model (see `tioga mutate`) are systems under test here: each test case is run against
each mutant, with virtual time, until one run fails, which kills the mutant. Survivors are compared with
the model. An equivalent one behaves as the model allows, so no sound test kills it; for a non-conforming
one, the shortest distinguishing run is shown. First, the model itself must pass with every policy.

In the matrix, K is a test case that killed the mutant, `.` one that passed, `?` one that was never
conclusive, `!` one in which the mutant could not go on, and `-` one that was not run because the mutant
was dead already.

`--max-states` (10000 if not given) holds for each comparison, `--memory` and `--timeout` for
everything together. With `--journal`, `tioga resume` goes on after an interruption.

Exits with 0 if all non-equivalent mutants were killed, with 1 if a non-conforming one survived, and with 3
if some survivors are undecided. A campaign that was interrupted, by Ctrl-C or `--timeout`, says so, and
exits with 3 unless everything was killed already.

Examples:
  tioga mutation @smart-light
  tioga mutation @smart-light --suite light.json --operators guard,invariant --repeat 20
  tioga mutation @smart-light --shape tree --full --judge-all -o matrix.csv
  tioga mutation light.tioga --policy hostile --seed 7 --jobs 4 -o matrix.json
  tioga mutation light.tioga --journal light.mutation --timeout 10m";
