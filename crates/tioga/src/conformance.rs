//! The relation of two models, through an exact deterministic view of the specification if the
//! plain comparison gives no answer.

use std::time::{Duration, Instant};

use tioga_concrete::{Intervals, Semantics, TraceEvent, label_of};
use tioga_conform::{Decided, ObservedViolation, Relation, RelationAnswer, Violation};
use tioga_determinize::{Exactness, determinize_auto};
use tioga_explore::SearchOptions;
use tioga_model::{Model, StepLabel};

use crate::data::{follows_classes, related};
use crate::trace::run_end;
use crate::{Effort, Failure};

/// How many steps determinization may take.
const EFFORT: u64 = 200_000;

/// How two models relate.
#[derive(Debug)]
pub struct Compared {
    /// The answer, with the statistics of the search.
    pub decided: Decided,
    /// The deterministic view that replaced the specification, if one was needed. It has the same
    /// traces.
    pub view: Option<Model>,
    /// The same for the implementation: refinement asks which inputs it takes after a trace.
    pub implementation: Option<Model>,
    /// If there is no answer: why determinization did not help, and possible remedies.
    pub note: Option<String>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Compares an implementation with a specification, with a limit on visited states.
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
        related(implementation, specification, relation, &options, &mut |at| effort.search(at))?;
    let (mut view, mut own, mut note) = (None, None, None);
    // Views are made value by value, which is too much where messages carry many.
    let by_value = !follows_classes(implementation) && !follows_classes(specification);
    if let (RelationAnswer::Unknown(_), true) = (&decided.answer, by_value) {
        match looked_for(specification, &options) {
            // A view with the same traces allows the same.
            Ok(exact) => {
                let again = related(implementation, &exact, relation, &options, &mut |_| {});
                if let Ok(again) = again {
                    (decided, view) = (again, Some(exact));
                }
            }
            Err(why) => note = Some(format!("the specification: {why}")),
        }
    }
    if let (RelationAnswer::Unknown(_), Relation::Refines, true) =
        (&decided.answer, relation, by_value)
    {
        match looked_for(implementation, &options) {
            // Refinement is about traces, so a view with the same traces refines the same.
            Ok(exact) => {
                let other = view.as_ref().unwrap_or(specification);
                if let Ok(again) = related(&exact, other, relation, &options, &mut |_| {}) {
                    (decided, own) = (again, Some(exact));
                }
            }
            Err(why) => {
                note.get_or_insert(format!("the implementation: {why}"));
            }
        }
    }
    let note = note.filter(|_| matches!(decided.answer, RelationAnswer::Unknown(_)));
    Ok(Compared { decided, view, implementation: own, note, elapsed: start.elapsed() })
}

/// A deterministic model with exactly the traces of this one, or why there is none and what might help.
fn looked_for(model: &Model, options: &SearchOptions) -> Result<Model, String> {
    let view = determinize_auto(model, None, EFFORT, &options.limits.cancel)
        .map_err(|error| format!("there is no deterministic view: {error}"))?;
    match &view.exactness {
        Exactness::Exact | Exactness::Unchanged => {
            view.network.validate().map_err(|_| "its view is not valid".to_owned())
        }
        Exactness::Approximate { losses, suggestion, exhausted } => {
            let first = losses.first().map_or_else(String::new, ToString::to_string);
            let help = match suggestion {
                Some(better) => format!(
                    "`tioga determinize --clocks {} --max-constant …` with a larger constant makes it exact",
                    better.clocks
                ),
                None if *exhausted => {
                    "more steps may help: see `tioga determinize --max-steps`".to_owned()
                }
                None => "no more clocks or larger constants were found to help".to_owned(),
            };
            Err(format!("its deterministic view is not exact: {first}; {help}"))
        }
    }
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

/// The continuations that the specification allows after its last move.
#[derive(Clone, PartialEq, Debug)]
pub struct AllowedNext {
    /// How long it may wait.
    pub waiting: Intervals,
    /// The allowed actions with their times.
    pub actions: Vec<(TraceEvent, Intervals)>,
}

/// The continuations that the specification allows after its last move, on the reference semantics:
/// waiting, outputs and, if one is refused, inputs.
pub fn allowed(specification: &Model, violation: &Violation) -> Option<AllowedNext> {
    let state = run_end(specification, &violation.followed)?;
    let options = Semantics::new(specification).options(&state).ok()?;
    let inputs = matches!(violation.observed, ObservedViolation::Refusal(_));
    let mut actions: Vec<(TraceEvent, Intervals)> = Vec::new();
    for choice in &options.choices {
        let wanted = match choice.step.label {
            StepLabel::Input(_) => inputs,
            StepLabel::Output(_) => !inputs,
            StepLabel::Exchange(..) => true,
            StepLabel::Internal(_) => false,
        };
        if !wanted {
            continue;
        }
        let event = label_of(specification, &choice.step);
        match actions.iter_mut().find(|(other, _)| *other == event) {
            Some((_, when)) => *when = when.unite(&choice.windows),
            None => actions.push((event, choice.windows.clone())),
        }
    }
    Some(AllowedNext { waiting: options.delays.into(), actions })
}
