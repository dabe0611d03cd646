//! Verdicts of observed runs, and possible observations.

use tioga_base::Diagnostic;
use tioga_grids::{
    Automaton, GridOptions, Replayed, SupportOptions, TimedWord, Verdict, replay, supports, verdict,
};

use super::automata::GridModel;
use super::build::grid_resolution;
use super::complaint::complaint;
use crate::Failure;

/// The verdicts of runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// Each run.
    pub runs: Vec<JudgedRun>,
    /// The verdict on fail locations, if the purpose has them.
    pub fail: Option<Verdict>,
    /// The verdict on desired locations, if the purpose has them.
    pub desired: Option<Verdict>,
}

/// The verdict of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedRun {
    /// How far the product with the purpose explains it.
    pub in_product: Replayed,
    /// How far the model alone explains it. A run that the model does not explain does not conform.
    pub in_model: Replayed,
}

/// Replays runs on the product and on the model, without building a grid.
///
/// # Errors
/// If a run names something that the model does not know.
pub fn judge(one: &GridModel, runs: &[TimedWord]) -> Result<Judged, Failure> {
    let options = GridOptions::default();
    let (both, alone) =
        (grid_resolution(&one.product, &options)?, grid_resolution(&one.model, &options)?);
    let mut judged = Vec::new();
    for run in runs {
        let in_product = replay(&one.product, &both, run).map_err(complaint)?;
        let in_model = replay(&one.model, &alone, run).map_err(complaint)?;
        judged.push(JudgedRun { in_product, in_model });
    }
    let explained: Vec<Replayed> = judged.iter().map(|run| run.in_product.clone()).collect();
    let (fail, desired) = verdict(&one.product, &explained);
    Ok(Judged { runs: judged, fail, desired })
}

/// Reads timed words, one per line. Empty lines and lines that begin with `#` do not count.
///
/// # Errors
/// If a line is none.
pub fn read_words(text: &str) -> Result<Vec<TimedWord>, Failure> {
    let mut words = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            let word = line.parse::<TimedWord>();
            words.push(word.map_err(|error| {
                Diagnostic::global("bad-word", format!("line {number}: {error}"))
            })?);
        }
    }
    Ok(words)
}

/// The runs of a model under a test case, in order, and whether these are all.
///
/// # Errors
/// If the test case names something that the model does not know.
pub fn test_supports(
    automaton: &Automaton,
    options: &GridOptions,
    case: &TimedWord,
    how: &SupportOptions,
) -> Result<(Vec<TimedWord>, bool), Failure> {
    let resolution = grid_resolution(automaton, options)?;
    supports(automaton, &resolution, case, how).map_err(complaint)
}
