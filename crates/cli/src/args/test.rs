//! Options of `tioga test`.

use std::path::{Path, PathBuf};

use clap::Args;
use tioga_base::GivenTime;
use tioga_testcase::ModelSource;

use super::help::paragraphs;
use super::{PaceArgs, RunsArgs, ShapeArg, SystemArgs, WantedArgs};

/// Options of `tioga test`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP), override_usage = "tioga test [OPTIONS] [MODEL]")]
pub struct TestArgs {
    /// What to make test cases of
    #[command(flatten)]
    pub wanted: WantedArgs,

    /// What to test: `model:FILE` or `model:@NAME` for a model, `tcp:HOST:PORT`, `unix:PATH`, or else
    /// a command for the shell [default: the model itself]
    #[arg(long, value_name = "SYSTEM")]
    pub sut: Option<String>,

    /// Make no test cases: choose inputs on the fly from the model
    #[arg(long, conflicts_with_all = ["shape", "safety_first", "window", "patience", "method", "clocks", "max_constant", "max_steps", "then", "each", "certain"])]
    pub online: bool,

    /// Test only the purposes of the model, or its control queries if it has none
    #[arg(long, conflicts_with_all = ["purpose", "cover", "purpose_from", "method"])]
    pub purposes_only: bool,

    /// Maximum of inputs and outputs in an online run [default: 100; 10000 if all purposes are random walks, which end
    /// after their time]
    #[arg(long, value_name = "COUNT", requires = "online")]
    pub actions: Option<u64>,

    /// Maximum wait of an online tester between two inputs [default: the largest constant of
    /// the model]
    #[arg(long, value_name = "TIME", requires = "online")]
    pub longest_wait: Option<GivenTime>,

    /// How the runs are made
    #[command(flatten)]
    pub runs: RunsArgs,

    /// How the system is reached
    #[command(flatten)]
    pub reach: SystemArgs,

    /// How fast and how long
    #[command(flatten)]
    pub pace: PaceArgs,
}

impl TestArgs {
    /// Whether online runs aim at purposes.
    pub fn aims_online(&self) -> bool {
        let wanted = &self.wanted;
        !wanted.purpose.is_empty() || wanted.purpose_from.is_some() || self.purposes_only
    }

    /// Whether a suite by criteria is run: no purpose is given, or criteria are.
    pub fn takes_suite(&self) -> bool {
        let wanted = &self.wanted;
        let other = self.purposes_only || wanted.purpose_from.is_some() || wanted.method.is_some();
        let shaped = wanted.shape != ShapeArg::default() && wanted.cover.is_empty();
        wanted.purpose.is_empty() && !wanted.each && !other && !shaped
    }

    /// Where the journal goes, if there is one. What a model does to itself can be seen again at any time,
    /// so it leaves no file unless one is wanted.
    pub fn journal(&self) -> Option<PathBuf> {
        let runs = &self.runs;
        let wanted =
            [&runs.journal, &runs.junit, &runs.tap, &runs.html].into_iter().any(Option::is_some);
        let name = ModelSource::stem_of(&self.wanted.model.model).unwrap_or("model");
        runs.journal_beside(Path::new(name)).filter(|_| self.sut.is_some() || wanted)
    }
}

const AFTER_HELP: &str = "\
Makes test cases as `tioga synth` does and runs them as `tioga run` does. Without --sut the model is
tested against itself, which shows what the tests are like and proves nothing.

Without a purpose and without criteria, the suite has the purposes of the model or its control queries; tests for
edges, boundary values, and definitions and uses, as far as they need no cooperation of the system, so that every
system that conforms passes them; and random walks and tests against mutants of the model, within `--budget` (60 s
unless given). It is complete if it kills 95 % of the non-equivalent mutants, or if no more is possible without
cooperation. The output begins with the criteria and the kill ratio. `--purposes-only` takes the purposes alone.

With --online there are no test cases. The model may be nondeterministic: the tester knows the set of
all states that explain what it has seen. It sends inputs by chance. With purposes (`-p`, `--purposes-only`,
`--purpose-from`) there is a run for each, and the tester sends what leads there; `walk TIME` sends inputs by chance
for that time. With `--cover edges` and other criteria there is a run for each thing to cover that can be
reached; with `--cover mutants`, one for each way in which mutants differ from the model, and one for the effect of
each edge that they change. A run fails if nothing explains it. It passes if it reached its purpose in every
explanation, or without one if nothing was wrong.

Without MODEL, the project file `tioga.toml` of the current folder names the model, the system and
further options; `tioga new` makes one.

Exit codes are those of `tioga run`; 1 also if some purpose cannot be reached.

Examples:
  tioga test
  tioga test @smart-light
  tioga test @car-alarm --purpose FullAlarm --sut './alarm --json' --repeat 10
  tioga test @smart-light --cover edges --shape automaton --sut model:light.tioga --keep-going
  tioga test @problematic-light --online -p 'reach Light.Bright' --repeat 20
  tioga test @conveyor --online -p ShipToTwo -p 'walk 50'
  tioga test @conveyor --online --actions 500 --junit results.xml";
