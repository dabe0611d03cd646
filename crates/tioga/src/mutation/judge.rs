//! The status of a mutant: whether a test can distinguish it from the model, and how.

use tioga_base::{Diagnostic, closest};
use tioga_concrete::Trace;
use tioga_conform::{Decided, ObservedViolation, Relation, RelationAnswer, mismatches};
use tioga_explore::SearchOptions;
use tioga_model::{Model, Network};
use tioga_mutate::{Completion, Mutant, Operator, complete};

use crate::Failure;
use crate::ViewOptions;
use crate::conformance::{Compared, Specification};

/// How many states the comparison with a mutant may visit.
pub const JUDGED_STATES: u64 = 10_000;

/// The status of a mutant.
#[derive(Clone, PartialEq, Debug)]
pub enum Status {
    /// It behaves as the model allows.
    Equivalent,
    /// This run shows that it does not.
    NonConforming {
        /// The run.
        run: Trace,
        /// Its last event: `output`, `delay` or `refusal`.
        kind: &'static str,
    },
    /// It was not decided, for this reason.
    Unknown(String),
}

/// Judges the mutants of one model.
#[derive(Clone, Debug)]
pub struct Judge {
    /// How mutants are completed to systems.
    pub completion: Completion,
    /// Whether they are left unchanged on request.
    pub as_is: bool,
    /// Why nothing can be compared.
    incomparable: Option<String>,
    options: SearchOptions,
    specification: Specification,
}

impl Judge {
    /// Whether mutants are judged to refuse inputs that they do not take. As systems, they ignore them.
    pub fn refuses(&self) -> bool {
        !self.completion.inputs
    }

    /// For the mutants of a model, completed unless they are judged unchanged. Each comparison uses one thread, as
    /// several are made at the same time.
    pub fn new(model: &Model, as_is: bool, options: SearchOptions, view: ViewOptions) -> Self {
        let options = SearchOptions { threads: 1, ..options };
        let incomparable = incomparable(model);
        if incomparable.is_some() {
            return Self { incomparable, options, ..Self::idle(model, as_is) };
        }
        let [.., none] = Completion::ALL;
        let mut specification = Specification::new(model, view);
        // A system that sends what its environment does not expect is wrong already; then only the change counts.
        let own = specification.compare_as_tested(model, &options, &mut |_| {});
        if own.is_some_and(|own| own.is_ok_and(|own| own.decided.answer.is_violated())) {
            specification = specification.within_environment();
        }
        let mut judge = Self { completion: none, as_is, incomparable, options, specification };
        judge.completion = completion(model, as_is, |network| {
            let changed = network.validate();
            changed.is_ok_and(|changed| {
                judge.compare(&changed).is_ok_and(|found| found.decided.answer.is_violated())
            })
        });
        judge
    }

    /// One that only completes and compares nothing.
    pub fn idle(model: &Model, as_is: bool) -> Self {
        // Where nothing is compared, the model must not have to be completed at all in time.
        let locations = |network: &Network| -> usize {
            network.processes.iter().map(|process| process.locations.len()).sum()
        };
        let before = locations(model);
        let completion = completion(model, as_is, |network| locations(&network) != before);
        let options = SearchOptions::default();
        let specification = Specification::new(model, ViewOptions::default()).within_environment();
        Self { completion, as_is, incomparable: None, options, specification }
    }

    /// The mutant as it is judged, written and run.
    pub fn completed(&self, model: &Model, mutant: &Mutant) -> Network {
        let mut network = mutant.network(model);
        complete(&mut network, self.completion);
        network
    }

    /// Compares a mutant with the model. Several may be compared at the same time.
    pub fn status(&self, model: &Model, mutant: &Mutant) -> Status {
        if let Some(reason) = &self.incomparable {
            return Status::Unknown(reason.clone());
        }
        if let Some(reason) = self.options.limits.cancel.reason() {
            return Status::Unknown(reason.to_string());
        }
        match self.completed(model, mutant).validate() {
            Ok(changed) => self.judge(&changed),
            Err(_) => Status::Unknown("the completed mutant is no valid model".to_owned()),
        }
    }

    fn compare(&self, changed: &Model) -> Result<Compared, String> {
        let relation = Relation::ConformsWhenServed;
        let compared = self.specification.compare(changed, relation, &self.options, &mut |_| {});
        compared.map_err(|diagnostics| {
            diagnostics.iter().next().map(|first| first.message.clone()).unwrap_or_default()
        })
    }

    fn judge(&self, changed: &Model) -> Status {
        let compared = match self.compare(changed) {
            Ok(compared) => compared,
            Err(reason) => return Status::Unknown(reason),
        };
        let Decided { answer, faulty, stops, .. } = &compared.decided;
        match answer {
            // The behaviour of such a system is undefined.
            RelationAnswer::Holds if *faulty => {
                Status::Unknown("the mutant computes a value outside its range".to_owned())
            }
            // No system stops time. Time goes on when it is run, and what it does then was not compared.
            RelationAnswer::Holds if *stops => {
                Status::Unknown("the mutant stops time where the model does not".to_owned())
            }
            RelationAnswer::Holds => Status::Equivalent,
            RelationAnswer::Unknown(reason) => Status::Unknown(reason.clone()),
            RelationAnswer::Violated(violation) => Status::NonConforming {
                run: compared.violating_run(changed).expect("there is a violation"),
                kind: match violation.observed {
                    ObservedViolation::Output(_) => "output",
                    ObservedViolation::Delay => "delay",
                    ObservedViolation::Refusal(_) => "refusal",
                },
            },
        }
    }
}

/// Which completion leaves the model as it is, so that only the change of a mutant is judged:
/// the first with which `condemned` does not find the model guilty itself.
fn completion(
    model: &Model,
    as_is: bool,
    mut condemned: impl FnMut(Network) -> bool,
) -> Completion {
    let [.., none] = Completion::ALL;
    if as_is {
        return none;
    }
    let fits = |completion: &Completion| {
        let mut network: Network = (**model).clone();
        complete(&mut network, *completion);
        *completion == none || !condemned(network)
    };
    Completion::ALL.into_iter().find(fits).unwrap_or(none)
}

/// Why no mutant of a model can be compared with it.
fn incomparable(model: &Model) -> Option<String> {
    let diagnostics = mismatches(model, model);
    let first = diagnostics.iter().next()?;
    Some(first.message.replace("the implementation", "the model"))
}

/// The operators of these words; all if there are no words.
pub fn operators(words: &[String]) -> Result<Vec<Operator>, Failure> {
    if words.is_empty() {
        return Ok(Operator::ALL.to_vec());
    }
    let mut all = Vec::new();
    for word in words {
        let found = Operator::named(word.trim());
        if found.is_empty() {
            let message = format!("there is no operator `{word}`");
            let mut diagnostic = Diagnostic::global("unknown-operator", message)
                .note("`tioga mutate --help` lists the operators");
            if let Some(near) = closest(word, Operator::ALL.map(Operator::name)) {
                diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            }
            return Err(diagnostic.into());
        }
        all.extend(found);
    }
    Ok(all)
}
