//! Checking a table of ranks or a trap: in all regions if there are few enough, else in samples.

use tioga_model::Model;
use tioga_testcase::{RankTable, Trap};

use super::checker::Checker;
use super::exhaustive::{self, Walked};
use super::{sampled, well_formed};
use crate::states::{CheckedStates, Claims};
use crate::{CheckCoverage, CheckOptions, CheckReport, Error, Extent};

/// Checks what a table says about the states that can be reached from the initial state.
///
/// If the table is complete: each rank is the least one by the definition, and states without a rank
/// have none. If it is not: no rank is too low. (With safety first, whether a risk is taken cannot be
/// told from a table that is not complete, and is not checked.) If there are rules, the advice
/// lowers the rank as it should.
///
/// The same model, table and options give the same answer.
pub fn check(
    model: &Model,
    table: &RankTable,
    options: &CheckOptions,
) -> Result<CheckReport, Error> {
    if let Some(flaw) = well_formed::flaw(model, table) {
        return Err(Error::Refuted(Box::new(flaw)));
    }
    run(model, Claims::Table(table), table.complete, options)
}

/// Checks that a trap keeps the tester from its objective, from the initial state on.
///
/// At every state that plays against the lazy system of the trap reach: the trap contains it, and
/// what time, the tester and the steps the system sticks to make of it; the objective is not
/// reached; and if time ends while the system has steps, it sticks to one of them. Where random
/// plays are sampled, so are points of the trap, reachable or not.
///
/// Traps answer strict games about what to reach, without cooperation; others are refused as not
/// well formed. The same model, trap and options give the same answer.
pub fn check_trap(
    model: &Model,
    trap: &Trap,
    options: &CheckOptions,
) -> Result<CheckReport, Error> {
    if let Some(flaw) = well_formed::trap_flaw(model, trap) {
        return Err(Error::Refuted(Box::new(flaw)));
    }
    run(model, Claims::Trap(trap), true, options)
}

/// Checks a certificate that is well formed.
fn run(
    model: &Model,
    claims: Claims<'_>,
    exact: bool,
    options: &CheckOptions,
) -> Result<CheckReport, Error> {
    let mut checker = Checker::new(CheckedStates::new(model, claims, options.span));
    let all = options.extent == Extent::Feasible
        && matches!(exhaustive::check(&mut checker, options)?, Walked::All);
    let coverage =
        if all { CheckCoverage::Exhaustive } else { sampled::check(&mut checker, options)? };
    Ok(CheckReport {
        coverage,
        states: checker.states,
        advised: checker.advised,
        discrete_states: checker.known_states.len(),
        exact,
        left_open: (!exact).then_some("the table is not complete, so ranks may be too high"),
    })
}
