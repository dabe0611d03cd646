//! Checking a certificate: how much, and what came of it.

use std::fmt;

use thiserror::Error;
use tioga_base::{Cancel, Overflow, Span};
use tioga_model::{Fault, Model};
use tioga_testcase::{RankTable, Trap};

use crate::checker::Checker;
use crate::claims::Claims;
use crate::exhaustive::Walked;
use crate::site::Sites;
use crate::{Refutation, exhaustive, sampled, well_formed};

/// Which states to check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Extent {
    /// One of each region that can be reached, or samples if there are too many.
    #[default]
    Feasible,
    /// Samples only.
    Sampled,
}

/// How to check.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Which states to check.
    pub extent: Extent,
    /// How many regions are few enough to check them all.
    pub max_regions: usize,
    /// How many random plays to sample.
    pub plays: u32,
    /// How many moves a random play has at most.
    pub moves: u32,
    /// How many points to sample in each zone of the certificate that a play comes across.
    pub points: u32,
    /// Decides every random choice.
    pub seed: u64,
    /// Where the objective was written, for complaints about it.
    pub span: Span,
    /// Ends the check when set from outside.
    pub cancel: Cancel,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self {
            extent: Extent::default(),
            max_regions: 20_000,
            plays: 200,
            moves: 30,
            points: 2,
            seed: 0,
            span: Span::default(),
            cancel: Cancel::new(),
        }
    }
}

/// A certificate that passed, and what that means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// What was looked at.
    pub coverage: Coverage,
    /// How many states were checked.
    pub states: u64,
    /// For how many of these advice was checked; none if there are no rules.
    pub advised: u64,
    /// How many discrete states they have.
    pub discrete_states: usize,
    /// Whether everything was checked: ranks of a table that is not complete are only checked not
    /// to be too low, and in a test case for a large model it is not known where the purpose is out
    /// of reach. A trap is always exact.
    pub exact: bool,
    /// What was not checked, and why; none if exact.
    pub left_open: Option<&'static str>,
}

/// What a check looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Every region that can be reached: the certificate is right.
    Exhaustive,
    /// States of random plays, and points of the certificate's zones.
    Sampled {
        /// How many regions were checked before it turned out that there are too many.
        regions: u64,
        /// The plays.
        plays: u32,
        /// The points.
        points: u64,
    },
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { states, discrete_states, .. } = self;
        match self.coverage {
            Coverage::Exhaustive => write!(f, "checked all {states} regions")?,
            Coverage::Sampled { regions, plays, points } => {
                write!(f, "checked {states} states ({regions} regions, {plays} random plays, ")?;
                write!(f, "{points} points)")?;
            }
        }
        write!(f, " of {discrete_states} discrete states")?;
        if self.advised > 0 {
            write!(f, ", with advice in {}", self.advised)?;
        }
        if let Some(left_open) = self.left_open {
            write!(f, "; {left_open}")?;
        }
        Ok(())
    }
}

/// Why a table, a trap or a test case did not pass.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Error {
    /// It is wrong.
    #[error("{0}")]
    Refuted(Box<Refutation>),
    /// The reference semantics gives no answer.
    #[error(transparent)]
    Semantics(#[from] tioga_concrete::Error),
    /// The model uses something that is not supported.
    #[error("{0}")]
    Unsupported(String),
    /// Somebody cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl From<Overflow> for Error {
    fn from(overflow: Overflow) -> Self {
        Self::Semantics(overflow.into())
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Semantics(fault.into())
    }
}

/// Checks what a table says about the states that can be reached from the initial state.
///
/// If the table is complete: each rank is the least one by the definition, and states without a rank
/// have none. If it is not: no rank is too low. (With safety first, whether a risk is taken cannot be
/// told from a table that is not complete, and is not checked.) If there are rules, the advice
/// lowers the rank as it should.
///
/// The same model, table and options give the same answer.
pub fn check(model: &Model, table: &RankTable, options: &CheckOptions) -> Result<Report, Error> {
    if let Some(flaw) = well_formed::flaw(model, table) {
        return Err(Error::Refuted(Box::new(flaw)));
    }
    run(model, Claims::Table(table), table.complete, options)
}

/// Checks that a trap keeps the tester from its objective, from the initial state on.
///
/// At every state that plays against the lazy system of the trap reach: the trap contains it, and
/// what time, the tester and the moves the system sticks to make of it; the objective is not
/// reached; and if time ends while the system has moves, it sticks to one of them. Where random
/// plays are sampled, so are points of the trap, reachable or not.
///
/// Traps answer strict games about what to reach, without cooperation; others are refused as not
/// well formed. The same model, trap and options give the same answer.
pub fn check_trap(model: &Model, trap: &Trap, options: &CheckOptions) -> Result<Report, Error> {
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
) -> Result<Report, Error> {
    let mut checker = Checker::new(Sites::new(model, claims, options.span));
    let all = options.extent == Extent::Feasible
        && matches!(exhaustive::check(&mut checker, options)?, Walked::All);
    let coverage = if all { Coverage::Exhaustive } else { sampled::check(&mut checker, options)? };
    Ok(Report {
        coverage,
        states: checker.states,
        advised: checker.advised,
        discrete_states: checker.sites.len(),
        exact,
        left_open: (!exact).then_some("the table is not complete, so ranks may be too high"),
    })
}
