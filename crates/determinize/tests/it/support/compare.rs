//! A view compared with the model it is of: on zones, and observation by observation with the
//! reference semantics.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use tioga_base::{Budget, Rational};
use tioga_concrete::{Observable, Observed, Observer, Semantics};
use tioga_conform::{Relation, RelationAnswer};
use tioga_model::{Direction, Model, Network, Property, PropertyVerdict, StepLabel, properties};

use super::{related, text};

/// All delays are multiples of a quarter, so that fractional parts of clocks come in several orders.
const QUARTERS: i64 = 4;

/// Internal steps the reference follows on one run.
const INTERNAL: u32 = 3;

fn observer(model: &Model, internal: u32) -> Observer<'_> {
    Observer::new(Semantics::new(model), QUARTERS, internal, Budget::steps(100_000)).unwrap()
}

/// Whether some state the model may be in is accepting.
fn accepts(model: &Model, observer: &Observer<'_>) -> bool {
    observer.states().any(|state| {
        let mut located = model.processes.iter().zip(&state.discrete.locations);
        located.any(|(process, location)| process.locations[*location].marks.accept)
    })
}

/// The network as a model, which must be deterministic, hide nothing and abstract the specification:
/// decided on zones for outputs and delays, and for inputs as far as they can be decided.
pub fn require_abstraction(
    specification: &Model,
    network: Network,
) -> Result<Model, TestCaseError> {
    let view = network.validate().unwrap();
    for report in properties(&view) {
        if matches!(report.property, Property::Deterministic | Property::Observable) {
            prop_assert_eq!(&report.verdict, &PropertyVerdict::Holds, "{}", text(&view));
        }
    }
    // With disjunctive invariants or an unbounded search there is no answer, and never a wrong one.
    let outputs = related(specification, &view, Relation::Conforms);
    prop_assert!(!matches!(outputs, RelationAnswer::Violated(_)), "{outputs:?}\n{}", text(&view));
    let inputs = related(specification, &view, Relation::Refines);
    prop_assert!(!matches!(inputs, RelationAnswer::Violated(_)), "{inputs:?}\n{}", text(&view));
    Ok(view)
}

/// What may be observed at a moment, in order.
fn labels(specification: &Model) -> Vec<StepLabel> {
    specification
        .channels
        .iter_ids()
        .filter_map(|(id, channel)| match channel.direction? {
            Direction::Input => Some(StepLabel::Input(id)),
            Direction::Output => Some(StepLabel::Output(id)),
        })
        .collect()
}

fn act(label: StepLabel) -> Observed {
    let (arguments, reply) = (Default::default(), Default::default());
    Observed::Action(Observable { label, arguments, reply })
}

/// Follows all observations of so many actions, each after one of a few delays, and requires that
/// both can make the same.
pub fn same_traces(specification: &Model, view: &Model, depth: u32) -> Result<(), TestCaseError> {
    let delays = [(1, 4), (1, 2), (1, 1)].map(|(n, d)| Rational::new(n, d).unwrap());
    let labels = labels(specification);
    let start = (observer(specification, INTERNAL), observer(view, 0), Vec::new());
    let mut waiting = vec![(start, 0, false)];
    while let Some(((real, seen, history), acted, delayed)) = waiting.pop() {
        let acts = labels.iter().filter(|_| acted < depth).map(|label| act(*label));
        let later = delays.iter().filter(|_| !delayed).map(|delay| Observed::Delay(*delay));
        for observed in later.chain(acts) {
            let (mut next, mut next_seen) = (real.clone(), seen.clone());
            if next.observe(&observed).is_err() {
                continue; // The reference has no more budget.
            }
            next_seen.observe(&observed).unwrap();
            let (can, shown) = (!next.is_empty(), !next_seen.is_empty());
            let mut longer: Vec<Observed> = history.clone();
            longer.push(observed.clone());
            if can || next.is_complete() {
                let (specified, found) = (text(specification), text(view));
                prop_assert_eq!(can, shown, "{:?}\n{}\n{}", longer, specified, found);
            }
            if can && shown {
                let passes = matches!(observed, Observed::Delay(_));
                waiting.push(((next, next_seen, longer), acted + u32::from(!passes), passes));
            }
        }
    }
    Ok(())
}

/// Follows one observation after the other in both, as long as both can, and compares.
pub fn compare(
    specification: &Model,
    view: &Model,
    exact: bool,
    choices: &[u8],
) -> Result<(), TestCaseError> {
    let labels = labels(specification);
    let mut real = observer(specification, INTERNAL);
    let mut seen = observer(view, 0);
    let mut history = Vec::new();
    for choice in choices {
        let choice = usize::from(*choice) % (labels.len() + 4);
        let observed = match labels.get(choice) {
            Some(label) => act(*label),
            None => {
                let delay = [(1, 2), (1, 1), (2, 1), (1, 4)][choice - labels.len()];
                Observed::Delay(Rational::new(delay.0, delay.1).unwrap())
            }
        };
        let (mut next, mut next_seen) = (real.clone(), seen.clone());
        if next.observe(&observed).is_err() {
            return Ok(()); // The reference has no more budget.
        }
        next_seen.observe(&observed).unwrap();
        let context = || format!("{history:?} then {observed:?}");
        prop_assert!(next_seen.states().len() <= 1, "{} is not deterministic", context());
        let input = matches!(&observed, Observed::Action(action) if action.input().is_some());
        let (can, shown) = (!next.is_empty(), !next_seen.is_empty());
        if can && (!input || exact) {
            prop_assert!(shown, "{} is possible but not in the view", context());
        }
        if shown && (input || exact) && next.is_complete() {
            prop_assert!(can, "{} is in the view but not possible", context());
        }
        if can && shown {
            let (reached, marked) = (accepts(specification, &next), accepts(view, &next_seen));
            let arrival = matches!(observed, Observed::Action(_));
            if marked && arrival && next.is_complete() {
                prop_assert!(reached, "{} is marked but does not accept", context());
            }
            if reached && exact {
                prop_assert!(marked, "{} accepts but is not marked", context());
            }
            (real, seen) = (next, next_seen);
            history.push(observed);
        }
    }
    Ok(())
}
