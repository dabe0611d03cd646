//! Mutants of a model: which of them behave differently, and which a suite kills.

mod judge;
mod matrix;
mod options;
mod record;
mod trials;

pub use judge::{JUDGED_STATES, Judge, Status, operators};
pub(crate) use matrix::unfit;
pub use matrix::{Matrix, Score, Tried, mutation};
pub use options::MutationOptions;
pub use record::{MutationRecord, MutationSettings};
pub(crate) use trials::Trials;
pub use trials::{Cell, Kill, Row};

use std::ops::ControlFlow;

use tioga_base::StopReason;
use tioga_model::Model;
use tioga_mutate::{Mutant, MutantOptions, Operator, each_mutant};

use crate::side_by_side::side_by_side;
use crate::{Effort, Failure};

/// How many mutants are judged at the same time. The memory does not grow with their number.
const TOGETHER: usize = 64;

/// A mutant with its status; without a status if no comparison was requested.
pub type JudgedMutant = (Mutant, Option<Status>);

/// How all mutants of a model were made and compared with it.
#[derive(Debug)]
pub struct Judged {
    /// Completes and judges them.
    pub judge: Judge,
    /// How many changes were not possible.
    pub skipped: usize,
    /// Why synthesis of mutants stopped early, if it did.
    pub stopped: Option<StopReason>,
}

/// How mutants are made and compared with the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgeOptions {
    /// The kinds of changes.
    pub operators: Vec<Operator>,
    /// Whether processes of the environment are changed, too.
    pub environment: bool,
    /// Whether mutants are judged unchanged; otherwise they are first completed to systems.
    pub as_is: bool,
    /// Whether they are compared with the model at all.
    pub compare: bool,
    /// How many states each comparison may visit.
    pub max_states: u64,
}

/// Makes the mutants of a model, compares each with it, and passes it on with its completion. The
/// failure of `take` ends it.
pub fn judged_each(
    model: &Model,
    options: &JudgeOptions,
    effort: &mut Effort<'_>,
    take: &mut dyn FnMut(&Judge, JudgedMutant) -> Result<(), Failure>,
) -> Result<Judged, Failure> {
    let wanted =
        MutantOptions { operators: options.operators.clone(), environment: options.environment };
    let judge = if options.compare {
        Judge::new(model, options.as_is, effort.options(Some(options.max_states)), effort.view)
    } else {
        Judge::idle(model, options.as_is)
    };
    let (mut done, mut failure) = (0, None);
    let mut waiting = Vec::with_capacity(TOGETHER);
    let mut judge_waiting = |waiting: &mut Vec<Mutant>| {
        let cancel = effort.cancel.clone();
        let statuses = side_by_side(
            waiting,
            effort.threads,
            |mutant| {
                let goes_on = !cancel.is_cancelled();
                goes_on.then(|| options.compare.then(|| judge.status(model, mutant)))
            },
            |finished, _, _| {
                effort.done(done + finished, "mutants judged");
                effort.stop_if_too_large();
            },
        );
        done += waiting.len();
        for (mutant, status) in waiting.drain(..).zip(statuses) {
            let Some(status) = status else { return ControlFlow::Break(()) };
            if let Err(wrong) = take(&judge, (mutant, status)) {
                failure = Some(wrong);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    let skipped = each_mutant(model, &wanted, &mut |mutant| {
        waiting.push(mutant);
        if waiting.len() < TOGETHER {
            return ControlFlow::Continue(());
        }
        judge_waiting(&mut waiting)
    });
    let _ = judge_waiting(&mut waiting);
    let stopped = effort.cancel.reason();
    failure.map_or(Ok(Judged { judge, skipped, stopped }), Err)
}
