//! How two models relate, through an exact deterministic view of the specification where the plain
//! comparison leaves it open.

use std::time::{Duration, Instant};

use tioga_conform::{Answer, Decided, Relation, decide};
use tioga_determinize::{Exactness, determinize_auto};
use tioga_explore::SearchOptions;
use tioga_model::Model;

use crate::{Effort, Failure};

/// How many steps determinization may take.
const EFFORT: u64 = 200_000;

/// How two models relate.
#[derive(Debug)]
pub struct Compared {
    /// The answer, with what was explored for it.
    pub decided: Decided,
    /// The deterministic view that was taken for the specification, if one was needed. It has the
    /// same traces.
    pub view: Option<Model>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Compares an implementation with a specification. At most so many states are visited.
pub fn compare(
    implementation: &Model,
    specification: &Model,
    relation: Relation,
    max_states: Option<u64>,
    effort: &mut Effort<'_>,
) -> Result<Compared, Failure> {
    let start = Instant::now();
    let options = effort.options(max_states);
    let mut decided =
        decide(implementation, specification, relation, &options, &mut |at| effort.search(at))?;
    let mut view = None;
    if let Answer::Unknown(_) = decided.answer
        && let Some(exact) = exact_view(specification, &options)
    {
        // A view with the same traces allows the same.
        let again = decide(implementation, &exact, relation, &options, &mut |_| {});
        if let Ok(again) = again {
            (decided, view) = (again, Some(exact));
        }
    }
    Ok(Compared { decided, view, elapsed: start.elapsed() })
}

/// A deterministic model with exactly the traces of this one, if there is one and it is found with
/// little effort.
pub(crate) fn exact_view(model: &Model, options: &SearchOptions) -> Option<Model> {
    let view = determinize_auto(model, None, EFFORT, &options.limits.cancel).ok()?;
    if view.exactness != Exactness::Exact {
        return None;
    }
    view.network.validate().ok()
}
