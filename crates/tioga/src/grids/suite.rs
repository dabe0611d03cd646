//! Test cases of the words of a grid, one after the other.

use tioga_base::Diagnostic;
use tioga_grids::words::{Criterion, Wanted, Words};
use tioga_grids::{Ends, GridOptions, TimedWord, exact_word, replay};
use tioga_model::Model;
use tioga_testcase::TestCase;

use super::automata::GridModel;
use super::build::{build_grid, grid_resolution, hidden, word_graph};
use super::cases::{NoCase, Provenance, word_case};
use super::complaint::complaint;
use crate::failure::stopped;
use crate::{Effort, Failure};

/// How a suite is made of the words of a grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GridSuiteOptions {
    /// Granularities and bounds.
    pub grid: GridOptions,
    /// Which words.
    pub criterion: Criterion,
    /// What the actions of words must be.
    pub wanted: Wanted,
    /// The most words that become test cases.
    pub words: usize,
    /// The most states of the grid.
    pub max_states: u64,
}

/// The result of making a suite.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GridSuite {
    /// How many test cases there are.
    pub cases: usize,
    /// Words that have none, as they are no runs of the model.
    pub no_runs: usize,
    /// Words that have none, as the model has two edges for one action at one time.
    pub ambiguous: usize,
    /// Words that have the same inputs and outputs as an earlier one.
    pub repeated: usize,
    /// Whether no end of the purpose is reached.
    pub unreachable: bool,
    /// The warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Makes the test cases of the words of a grid, and gives each away.
///
/// # Errors
/// If there is no such grid, it is too large, or the work was stopped. The failure of `take` ends it.
pub fn grid_suite(
    model: &Model,
    one: &GridModel,
    options: &GridSuiteOptions,
    effort: &mut Effort<'_>,
    take: &mut dyn FnMut(TestCase) -> Result<(), Failure>,
) -> Result<GridSuite, Failure> {
    let resolution = grid_resolution(&one.product, &options.grid)?;
    let grid = build_grid(&one.product, &resolution, Ends::Expanded, options.max_states, effort)?;
    let mut suite = GridSuite::default();
    let parts = resolution.parts;
    for edge in hidden(model, one, &grid, effort).edges {
        let message = format!("the granularity 1/{parts} hides the edge `{edge}`");
        suite.warnings.push(warning(message));
    }
    let graph = word_graph(&grid, &options.wanted, options.max_states, effort)?;
    suite.unreachable = graph.is_empty();
    let purpose = one.purpose.clone().unwrap_or_default();
    let mut words = Words::new(&graph, options.criterion);
    let mut known: Vec<TimedWord> = Vec::new();
    while suite.cases < options.words
        && let Some(way) = words.next_way()
    {
        if effort.cancel.is_cancelled() {
            return Err(stopped("synthesis", &effort.cancel));
        }
        let Some(word) = exact_word(&grid, way.labels).map_err(complaint)? else { continue };
        if known.contains(&word) {
            suite.repeated += 1;
            continue;
        }
        let end = end_of(one, &word)?;
        let name = format!("{purpose}-{}", suite.cases + 1);
        let from = provenance(model, &end);
        match word_case(one, &word, &from, name) {
            Ok(case) => {
                suite.cases += 1;
                take(case)?;
                effort.done(suite.cases, "test cases made");
            }
            Err(NoCase::NoRun) => suite.no_runs += 1,
            Err(NoCase::Ambiguous) => suite.ambiguous += 1,
            Err(NoCase::Overflow) => return Err(complaint(tioga_grids::Error::Overflow)),
        }
        known.push(word);
    }
    if suite.no_runs > 0 {
        let message = format!(
            "{} no test case: the purpose takes an action that the model does not",
            match suite.no_runs {
                1 => "1 word has".to_owned(),
                several => format!("{several} words have"),
            }
        );
        suite.warnings.push(warning(message));
    }
    if suite.ambiguous > 0 {
        let message = format!(
            "words without test case, as the model has two edges for one action at one time: {}",
            suite.ambiguous
        );
        suite.warnings.push(warning(message));
    }
    Ok(suite)
}

/// The origin of test cases.
pub(super) fn provenance<'p>(model: &'p Model, end: &'p str) -> Provenance<'p> {
    let process = model.processes.iter().next().map_or("", |process| process.name.as_str());
    Provenance { model: &model.name, process, unit: model.time_unit, end }
}

fn warning(message: String) -> Diagnostic {
    Diagnostic { severity: tioga_base::Severity::Warning, ..Diagnostic::global("grid", message) }
}

/// The end of the purpose that a word reaches, in words.
pub(super) fn end_of(one: &GridModel, word: &TimedWord) -> Result<String, Failure> {
    let resolution = grid_resolution(&one.product, &GridOptions::default())?;
    let reached = replay(&one.product, &resolution, word).map_err(complaint)?;
    let places = reached.locations.iter().map(|at| &one.product.locations[*at]);
    let ends = places.filter(|location| location.fail || location.desired);
    let ends: Vec<String> = ends
        .map(|location| match location.fail {
            true => {
                format!("`{}` is reached: the fault of the purpose is confirmed", location.name)
            }
            false => format!("`{}` is reached: a desired end of the purpose", location.name),
        })
        .collect();
    Ok(ends.join(", or "))
}
