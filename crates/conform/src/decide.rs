//! The question and its answer.

use std::sync::atomic::AtomicBool;

use tioga_base::{Diagnostic, Diagnostics};
use tioga_explore::{Order, SearchOptions, Statistics, Stop, search};
use tioga_model::Model;
use tioga_symbolic::Error;

use crate::alphabet::{has_environment, mismatches, translation};
use crate::check::Finding;
use crate::estimates::Nondeterministic;
use crate::product::{Halt, Pair, PairData, Product};
use crate::question::Question;
use crate::relation::Relation;
use crate::side::Side;
use crate::simulation::{Simulated, simulate};
use crate::two_runs::two_runs;
use crate::watching::Watching;
use crate::witness::{Violation, Witnessed, witness};

/// Whether the relation holds.
#[derive(Clone, PartialEq, Debug)]
pub enum RelationAnswer {
    /// It does.
    Holds,
    /// It does not; here is a run of the implementation that shows it.
    Violated(Box<Violation>),
    /// That could not be decided.
    Unknown(String),
}

impl RelationAnswer {
    /// Whether a run shows that the relation does not hold.
    pub fn is_violated(&self) -> bool {
        matches!(self, Self::Violated(_))
    }

    /// Whether the question is open.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown(_))
    }
}

/// A decided question.
#[derive(Clone, PartialEq, Debug)]
pub struct Decided {
    /// The answer.
    pub answer: RelationAnswer,
    /// What the search did.
    pub statistics: Statistics,
    /// Whether the implementation would have made a step that its data forbids, such as a value out
    /// of its range, and the specification would not. Such a step counts as impossible.
    pub faulty: bool,
    /// Whether the time of an implementation that [conforms when served](Relation::ConformsWhenServed) stops where that of
    /// the specification does not, or may for lack of a search to the end. No system does that: one that is built so stays
    /// silent for ever, which the relation does not tell.
    pub stops: bool,
}

/// Decides whether `implementation` relates to `specification` as asked. The search is breadth-first,
/// whatever the options say, so that violations are found after few steps.
///
/// Post: [`RelationAnswer::Holds`] and [`RelationAnswer::Violated`] are exact. The run of a violation has been
/// made concrete: the implementation can take it, and the specification can follow it up to the
/// last thing observed.
///
/// # Errors
/// If the models cannot be compared, see [`mismatches`].
pub fn decide(
    implementation: &Model,
    specification: &Model,
    relation: Relation,
    options: &SearchOptions,
    report: &mut dyn FnMut(&Statistics),
) -> Result<Decided, Diagnostics> {
    decide_classes(implementation, specification, relation, None, options, report)
}

/// The same on one pair of states of each class of data, where messages carry many values. The runs of a violation
/// are then runs over representatives.
///
/// # Errors
/// If the models cannot be compared, see [`mismatches`].
pub fn decide_classes(
    implementation: &Model,
    specification: &Model,
    relation: Relation,
    data: Option<PairData<'_>>,
    options: &SearchOptions,
    report: &mut dyn FnMut(&Statistics),
) -> Result<Decided, Diagnostics> {
    let mut diagnostics = mismatches(implementation, specification);
    if relation == Relation::Refines
        && has_environment(implementation)
        && !has_environment(specification)
    {
        let message = "the implementation has an environment, and the specification has none";
        let note = "which inputs an implementation takes cannot be told from what it is asked";
        diagnostics.push(Diagnostic::global("closed-model", message).note(note));
    }
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let models = (implementation, specification);
    let allowed = options.limits.visited;
    let mut options = SearchOptions { order: Order::BreadthFirst, ..options.clone() };
    let outputs = match relation {
        Relation::Conforms | Relation::Refines => Question::Outputs,
        Relation::ConformsWhenServed => Question::OutputsWhenServed,
    };
    let mut decided = ask(models, data, outputs, allowed, &mut options, report);
    if relation == Relation::Refines && decided.answer == RelationAnswer::Holds {
        let before = decided.statistics;
        decided = ask(models, data, Question::Inputs, allowed, &mut options, report);
        add(&mut decided.statistics, &before);
    }
    Ok(decided)
}

impl Nondeterministic<'_> {
    /// Shows by a simulation that the relation holds. `None` if there is none, which shows nothing.
    ///
    /// Pre: the models can be compared. Inputs carry few enough values to be enumerated, or `data` covers the pairs of
    /// states of both models.
    pub fn decide_by_simulation(
        &self,
        data: Option<PairData<'_>>,
        options: &SearchOptions,
        report: &mut dyn FnMut(&Statistics),
    ) -> Option<Decided> {
        let Self { implementation, specification, relation, .. } = *self;
        if implementation == specification {
            let (answer, statistics) = (RelationAnswer::Holds, Statistics::default());
            return Some(Decided { answer, statistics, faulty: false, stops: false });
        }
        let mut by = |following: &Model| {
            let (product, _) = product(implementation, following, data, Question::Outputs).ok()?;
            let (Simulated { stops }, statistics) = simulate(&product, relation, options, report)?;
            let faulty = product.implementation.is_faulty() && !product.specification.is_faulty();
            Some(Decided { answer: RelationAnswer::Holds, statistics, faulty, stops })
        };
        let twice = || two_runs(specification).filter(|_| data.is_none());
        by(specification).or_else(|| by(&twice()?))
    }
}

/// Adds what an earlier search did.
fn add(statistics: &mut Statistics, before: &Statistics) {
    statistics.visited += before.visited;
    statistics.stored += before.stored;
    statistics.covered += before.covered;
    statistics.transitions += before.transitions;
    statistics.peak_bytes = statistics.peak_bytes.max(before.peak_bytes);
}

/// How many refusals after ambiguous traces are passed over before there is no answer.
const MOST_DISMISSED: usize = 16;

/// Asks one question. What its searches visit is taken off the limit of the options, so that
/// `allowed` is one limit for all.
fn ask(
    models: (&Model, &Model),
    data: Option<PairData<'_>>,
    question: Question,
    allowed: Option<u64>,
    options: &mut SearchOptions,
    report: &mut dyn FnMut(&Statistics),
) -> Decided {
    let (mut product, scale) = match product(models.0, models.1, data, question) {
        Ok(product) => product,
        Err(error) => {
            let answer = RelationAnswer::Unknown(error.to_string());
            let statistics = Statistics::default();
            return Decided { answer, statistics, faulty: false, stops: false };
        }
    };
    let (mut unclear, mut all) = (None, Statistics::default());
    loop {
        let (mut answer, mut statistics, dismissed) =
            once(&product, scale, allowed, options, report);
        if let Some(left) = &mut options.limits.visited {
            *left = left.saturating_sub(statistics.visited);
        }
        add(&mut statistics, &all);
        all = statistics;
        match (&answer, dismissed) {
            (RelationAnswer::Unknown(reason), Some(dismissed))
                if product.dismissed.len() < MOST_DISMISSED
                    && options.limits.visited != Some(0) =>
            {
                product.dismissed.push(dismissed);
                unclear.get_or_insert_with(|| reason.clone());
                continue;
            }
            (RelationAnswer::Holds, _) => {
                answer = unclear.map_or(RelationAnswer::Holds, RelationAnswer::Unknown);
            }
            _ => {}
        }
        let faulty = product.implementation.is_faulty() && !product.specification.is_faulty();
        let holds = answer == RelationAnswer::Holds;
        let mut stops =
            holds && question == Question::OutputsWhenServed && *product.stops.get_mut();
        if stops {
            // Coarse zones have points that no run reaches, at which the time of the implementation would stop. Zones that
            // respect where its guards are false have none.
            product.implementation.maximal = true;
            *product.stops.get_mut() = false;
            let (answer, again, _) = once(&product, scale, allowed, options, report);
            if let Some(left) = &mut options.limits.visited {
                *left = left.saturating_sub(again.visited);
            }
            add(&mut statistics, &again);
            stops = answer != RelationAnswer::Holds || *product.stops.get_mut();
        }
        return Decided { answer, statistics, faulty, stops };
    }
}

/// One search, with a finding that did not show a violation, if that is why there is no answer.
fn once(
    product: &Product<'_>,
    scale: i64,
    allowed: Option<u64>,
    options: &SearchOptions,
    report: &mut dyn FnMut(&Statistics),
) -> (RelationAnswer, Statistics, Option<(Pair, Finding)>) {
    let outcome = search(product, options, &mut Watching(report));
    let mut dismissed = None;
    let answer = match &outcome.stop {
        Stop::Exhausted => RelationAnswer::Holds,
        Stop::Failed(Some(node), Halt::Found(finding)) => {
            let path: Vec<_> = outcome.store.path(*node).iter().map(|(_, step)| *step).collect();
            match witness(product, scale, &path, *finding) {
                Ok(Witnessed::Violation(violation)) => RelationAnswer::Violated(violation),
                Ok(Witnessed::Unclear(reason)) => {
                    dismissed = Some((outcome.store.key(*node).clone(), *finding));
                    RelationAnswer::Unknown(reason)
                }
                Err(error) => RelationAnswer::Unknown(error.to_string()),
            }
        }
        Stop::Failed(_, Halt::Undecided(reason)) => RelationAnswer::Unknown(reason.clone()),
        Stop::Failed(None, Halt::Found(_)) | Stop::Found(_) => {
            unreachable!("violations are found in stored states, and the visitor looks for nothing")
        }
        Stop::VisitedLimit(left) => {
            let limit = allowed.unwrap_or(*left);
            RelationAnswer::Unknown(format!("the limit of {limit} visited states was reached"))
        }
        Stop::MemoryLimit(limit) => {
            RelationAnswer::Unknown(format!("the limit of {limit} bytes was reached"))
        }
        Stop::Cancelled => RelationAnswer::Unknown("cancelled".to_owned()),
    };
    (answer, outcome.statistics, dismissed)
}

/// The product with the number of its units in a written time unit.
fn product<'m>(
    implementation: &'m Model,
    specification: &'m Model,
    data: Option<PairData<'m>>,
    question: Question,
) -> Result<(Product<'m>, i64), Error> {
    let scale = common_multiple(implementation.scale, specification.scale)
        .ok_or_else(|| Error::Unsupported("the constants are too fine".to_owned()))?;
    let before = implementation.clocks.len();
    let dimension = before + specification.clocks.len() + 1;
    let channels = implementation.channels.ids().collect();
    let maximal = question == Question::Inputs;
    let factor = scale / implementation.scale;
    let first = Side::new(implementation, (0, dimension), factor, channels, maximal)?;
    let channels = translation(specification, implementation);
    let factor = scale / specification.scale;
    let second = Side::new(specification, (before, dimension), factor, channels, true)?;
    let (implementation, specification, dismissed) = (first, second, Vec::new());
    let stops = AtomicBool::new(false);
    let product =
        Product { implementation, specification, question, dimension, dismissed, data, stops };
    Ok((product, scale))
}

/// The least common multiple of two positive numbers.
fn common_multiple(left: i64, right: i64) -> Option<i64> {
    let (mut divisor, mut rest) = (left, right);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (left / divisor).checked_mul(right)
}
