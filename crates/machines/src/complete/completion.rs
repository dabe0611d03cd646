//! The machines that a table with missing transitions can become, for an assumption about all their states.
//!
//! States that are not reached count, too: an assumption speaks of all states of a machine.

use std::collections::BTreeSet;

use super::budget::{Budget, Stop};
use super::difference::difference;
use super::domain::Assumption;
use super::table::Table;
use crate::machine::{Machine, Output, Word};

/// A machine that a table can become, that fits the assumption and is not equivalent, and a word that it answers
/// differently. `None` if there is no such machine.
pub(super) fn complete(
    machine: &Machine,
    table: &Table,
    assumption: &Assumption,
    budget: &mut Budget<'_>,
) -> Result<Option<(Table, Word)>, Stop> {
    let first = Output::try_from(machine.output_count()).map_err(|_| Stop)?;
    fill(machine, &mut table.clone(), assumption, first, budget)
}

/// Tries all that can be missing where the words lead. Outputs that the specification does not have are numbered from
/// `new` on in the order in which they are used.
fn fill(
    machine: &Machine,
    table: &mut Table,
    assumption: &Assumption,
    new: Output,
    budget: &mut Budget<'_>,
) -> Result<Option<(Table, Word)>, Stop> {
    budget.spend(table.state_count() * (1 + assumption.words.len()))?;
    // A table whose missing transitions are not reached stays equivalent, whatever they become.
    let Some(word) = difference(machine, table) else { return Ok(None) };
    let (mut known, mut unknown, mut missing) = (BTreeSet::new(), 0, None);
    for state in 0..table.state_count() {
        let answers = assumption.words.iter().map(|word| table.answers(state, word));
        match answers.collect::<Result<Vec<_>, _>>() {
            Ok(answers) => {
                known.insert(answers);
            }
            Err(cell) => {
                unknown += 1;
                missing = missing.or(Some(cell));
            }
        }
    }
    if known.len() + unknown < assumption.classes {
        return Ok(None);
    }
    let Some((state, input)) = missing else { return Ok(Some((table.clone(), word))) };
    for output in (0..=new).rev() {
        for target in 0..table.state_count() {
            table.set(state, input, Some((target, output)));
            let new = if output == new { new + 1 } else { new };
            let found = fill(machine, table, assumption, new, budget)?;
            if found.is_some() {
                return Ok(found);
            }
        }
    }
    table.set(state, input, None);
    Ok(None)
}
