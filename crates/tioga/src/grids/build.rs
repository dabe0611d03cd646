//! Grids: granularity and size, hidden edges, and words.

use tioga_base::{Budget, Diagnostic, closest};
use tioga_explore::{Limits, SearchOptions};
use tioga_grids::words::{Criterion, Wanted, WordGraph, count};
use tioga_grids::{
    Advice, Automaton, Ends, GridAutomaton, GridOptions, Natural, Resolution, hidden_edges,
};
use tioga_model::Model;
use tioga_symbolic::Survey;

use super::automata::GridModel;
use super::complaint::complaint;
use crate::failure::stopped;
use crate::{Effort, Failure};

/// How many states a grid may have by default.
pub const DEFAULT_GRID_STATES: u64 = 5_000_000;

/// How many states the zone graph and finer grids may have when what a grid hides is looked for.
const COMPARED_STATES: u64 = 200_000;

/// Granularities and bounds of a grid.
///
/// # Errors
/// If what is asked for does not fit the automaton.
pub fn grid_resolution(
    automaton: &Automaton,
    options: &GridOptions,
) -> Result<Resolution, Failure> {
    Resolution::of(automaton, options).map_err(complaint)
}

/// Granularities to choose from.
///
/// # Errors
/// If what is asked for does not fit the automaton.
pub fn grid_advice(automaton: &Automaton, options: &GridOptions) -> Result<Advice, Failure> {
    tioga_grids::advice(automaton, options).map_err(complaint)
}

/// Builds a grid with a limit on its states.
///
/// # Errors
/// If it is larger, or the work was stopped.
pub fn build_grid(
    automaton: &Automaton,
    resolution: &Resolution,
    ends: Ends,
    max_states: u64,
    effort: &mut Effort<'_>,
) -> Result<GridAutomaton, Failure> {
    let mut budget = Budget::steps(max_states).with_cancel(effort.cancel.clone());
    let report = &mut |states| effort.done(states, "states of the grid built");
    let built = GridAutomaton::reporting(automaton.clone(), resolution, ends, &mut budget, report);
    limited(built, "building the grid", "states", max_states, effort)
}

/// What came of work with a limit.
fn limited<T>(
    made: Result<T, tioga_grids::Error>,
    what: &str,
    counted: &str,
    most: u64,
    effort: &Effort<'_>,
) -> Result<T, Failure> {
    match made {
        Err(tioga_grids::Error::Limit(tioga_base::LimitReached::Cancelled)) => {
            Err(stopped(what, &effort.cancel))
        }
        Err(tioga_grids::Error::Limit(_)) => {
            let message = format!("{what} stopped at the limit of {most} {counted}");
            Err(Failure::limit(Diagnostic::global("limit", message)))
        }
        other => other.map_err(complaint),
    }
}

/// The edges that a granularity hides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hidden {
    /// The edges of the automaton that the grid never takes although they can be taken.
    pub edges: Vec<String>,
    /// How that is known.
    pub by: HiddenBy,
}

/// The method that found the hidden edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HiddenBy {
    /// By the zone graph: these are all such edges.
    Zones,
    /// By finer grids: there may be more such edges.
    FinerGrids,
    /// A limit was reached first.
    Unknown,
}

/// The edges that a grid hides. The zone graph decides exactly if the grid is that of a model alone and the
/// graph is small; otherwise the grid is compared with finer ones.
pub fn hidden(
    model: &Model,
    one: &GridModel,
    grid: &GridAutomaton,
    effort: &mut Effort<'_>,
) -> Hidden {
    let automaton = grid.automaton();
    let named = |edges: Vec<usize>, by: HiddenBy| {
        let name = |edge: usize| automaton.edge_name(&automaton.edges[edge]);
        Hidden { edges: edges.into_iter().map(name).collect(), by }
    };
    if grid.taken_edges().iter().all(|taken| *taken) {
        return named(Vec::new(), HiddenBy::Zones);
    }
    if one.purpose.is_none() {
        let limits =
            Limits { visited: Some(COMPARED_STATES), bytes: None, cancel: effort.cancel.clone() };
        let options = SearchOptions { threads: effort.threads, limits, ..SearchOptions::default() };
        let survey = Survey::of(model, &options, &mut |_| ());
        if let Some(survey) = survey.ok().filter(|survey| survey.incomplete.is_none()) {
            let possible = survey.edges.first().into_iter().flatten();
            let possible = possible.map(|edge| tioga_base::Id::index(*edge));
            return named(
                possible.filter(|edge| !grid.taken_edges()[*edge]).collect(),
                HiddenBy::Zones,
            );
        }
    }
    let mut budget = Budget::steps(COMPARED_STATES).with_cancel(effort.cancel.clone());
    match hidden_edges(grid, &mut budget) {
        Ok(edges) => named(edges, HiddenBy::FinerGrids),
        Err(_) => named(Vec::new(), HiddenBy::Unknown),
    }
}

/// The part of a grid that words are read from.
///
/// # Errors
/// If the work was stopped, or an action that is asked for does not exist.
pub fn word_graph(
    grid: &GridAutomaton,
    wanted: &Wanted,
    max_states: u64,
    effort: &mut Effort<'_>,
) -> Result<WordGraph, Failure> {
    let names = || grid.automaton().actions.iter().map(|action| action.name.as_str());
    let unknown = wanted.actions.iter().flatten().find(|name| !names().any(|own| own == **name));
    if let Some(unknown) = unknown {
        let message = format!("there is no action `{unknown}`");
        let diagnostic = Diagnostic::global("unknown-action", message);
        return Err(match closest(unknown, names()) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")).into(),
            None => diagnostic.into(),
        });
    }
    let mut budget = Budget::steps(max_states).with_cancel(effort.cancel.clone());
    let made = WordGraph::new(grid, wanted, &mut budget);
    limited(made, "looking for words", "states", max_states, effort)
}

/// The number of words of a grid under a criterion, with a limit on steps.
///
/// # Errors
/// If more steps would be needed, or the work was stopped.
pub fn count_words(
    graph: &WordGraph,
    criterion: Criterion,
    max_steps: u64,
    effort: &mut Effort<'_>,
) -> Result<Natural, Failure> {
    let mut budget = Budget::steps(max_steps).with_cancel(effort.cancel.clone());
    let made = count(graph, criterion, &mut budget);
    limited(made, "counting words", "steps", max_steps, effort)
}
