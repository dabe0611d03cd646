//! Which granularity to take, and what one hides.

use tioga_base::Budget;

use crate::automaton::Automaton;
use crate::error::Error;
use crate::grid::{Ends, GridAutomaton};
use crate::resolution::{GridOptions, Resolution};

/// Granularities to choose from, as parts of a time unit, with the bound on the number of states for each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// The coarsest one that all constants are multiples of.
    pub coarsest: (i64, Option<u128>),
    /// The classical one that BON09 quotes: `1/(n+1)` of the coarsest for one clock, `1/(n+2)` for more.
    pub classical: (i64, Option<u128>),
}

/// The granularities of an automaton.
///
/// # Errors
/// If what is asked for does not fit the automaton.
pub fn advice(automaton: &Automaton, options: &GridOptions) -> Result<Advice, Error> {
    let coarsest = Resolution::of(automaton, &GridOptions { parts: None, ..options.clone() })?;
    let classical = classical(automaton, &coarsest)?;
    let locations = automaton.locations.len();
    Ok(Advice {
        coarsest: (coarsest.parts, coarsest.most_states(locations)),
        classical: (classical.parts, classical.most_states(locations)),
    })
}

fn classical(automaton: &Automaton, coarsest: &Resolution) -> Result<Resolution, Error> {
    let clocks = i64::try_from(automaton.clocks.len()).map_err(|_| Error::Overflow)?;
    let finer = match clocks {
        0 => 1,
        1 => 2,
        more => more + 2,
    };
    let inputs = automaton.actions.iter().filter(|action| action.input);
    let rational = |action: &&crate::automaton::Action| {
        action.parameters.iter().filter(|parameter| !parameter.integer).count()
    };
    let parameters = inputs.map(|action| rational(&action)).max().unwrap_or(0);
    let finer_data = i64::try_from(parameters + 1).map_err(|_| Error::Overflow)?;
    let times = |parts: i64, by: i64| parts.checked_mul(by).ok_or(Error::Overflow);
    Ok(Resolution {
        parts: times(coarsest.parts, finer)?,
        context_parts: times(coarsest.context_parts, finer_data)?,
        ..coarsest.clone()
    })
}

/// The edges that a grid never takes, but one with the classical granularity or half the given one does: these
/// the granularity hides for certain. A finer granularity may show more.
///
/// # Errors
/// If the budget is used up, of which each state of the finer grids takes a step.
pub fn hidden_edges(grid: &GridAutomaton, budget: &mut Budget) -> Result<Vec<usize>, Error> {
    let (automaton, own) = (grid.automaton(), &grid.stepper().resolution);
    let mut hidden: Vec<usize> = Vec::new();
    let missing: Vec<usize> =
        (0..automaton.edges.len()).filter(|edge| !grid.taken_edges()[*edge]).collect();
    if missing.is_empty() {
        return Ok(hidden);
    }
    let coarsest = Resolution::of(automaton, &GridOptions::default())?;
    let classical = classical(automaton, &coarsest)?;
    let classical = Resolution {
        parts: classical.parts,
        context_parts: classical.context_parts.max(own.context_parts),
        ..own.clone()
    };
    let halved =
        Resolution { parts: own.parts.checked_mul(2).ok_or(Error::Overflow)?, ..own.clone() };
    for finer in [classical, halved] {
        if finer == *own {
            continue;
        }
        let finer = GridAutomaton::new(automaton.clone(), &finer, Ends::Expanded, budget)?;
        hidden.extend(missing.iter().filter(|edge| finer.taken_edges()[**edge]));
    }
    hidden.sort_unstable();
    hidden.dedup();
    Ok(hidden)
}
