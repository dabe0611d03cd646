//! Mutants of a model: which of them behave differently, and which a suite kills.

mod judge;
mod matrix;
mod trials;

pub use judge::{JUDGED_STATES, Judge, Status, operators};
pub use matrix::{Matrix, MutationOptions, Score, Tried, mutation};
pub use trials::{Cell, Kill, Row};

use tioga_model::Model;
use tioga_mutate::{Mutant, MutantOptions, Mutants, Operator, mutants};

use crate::Effort;

/// The mutants of a model, each with what is known about it.
#[derive(Debug)]
pub struct Judged {
    /// What completes and judges them.
    pub judge: Judge,
    /// The mutants; without a status if it was not asked for.
    pub mutants: Vec<(Mutant, Option<Status>)>,
    /// How many changes made no sense.
    pub skipped: usize,
}

/// How mutants are made and compared with the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgeOptions {
    /// The kinds of changes.
    pub operators: Vec<Operator>,
    /// Whether processes of the environment are changed, too.
    pub environment: bool,
    /// Whether mutants are judged as they are; otherwise they are first completed to systems.
    pub as_is: bool,
    /// Whether they are compared with the model at all.
    pub compare: bool,
    /// How many states each comparison may visit.
    pub max_states: u64,
}

/// Makes the mutants of a model and compares each with it.
pub fn judged(model: &Model, options: &JudgeOptions, effort: &mut Effort<'_>) -> Judged {
    let wanted =
        MutantOptions { operators: options.operators.clone(), environment: options.environment };
    let Mutants { list, skipped } = mutants(model, &wanted);
    let mut judge = if options.compare {
        Judge::new(model, options.as_is, effort.options(Some(options.max_states)))
    } else {
        Judge::idle(model, options.as_is)
    };
    let mut all = Vec::new();
    let total = list.len();
    for mutant in list {
        effort.part(all.len(), total, "mutants judged");
        let status = options.compare.then(|| judge.status(model, &mutant));
        all.push((mutant, status));
    }
    Judged { judge, mutants: all, skipped }
}
