//! The status of a mutant: whether a test can distinguish it from the model, and how.

use tioga_base::{Diagnostic, closest};
use tioga_concrete::Trace;
use tioga_conform::{ObservedViolation, Relation, RelationAnswer, mismatches};
use tioga_explore::SearchOptions;
use tioga_model::{Model, Network};
use tioga_mutate::{Completion, Mutant, Operator, complete};

use crate::Failure;
use crate::conformance::exact_view;
use crate::data::{follows_classes, related};
use crate::trace::trace;

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
#[derive(Debug)]
pub struct Judge {
    /// How mutants are completed to systems.
    pub completion: Completion,
    /// Whether they are left unchanged on request.
    pub as_is: bool,
    /// Why nothing can be compared.
    incomparable: Option<String>,
    options: SearchOptions,
    /// The deterministic view of the model, looked for once, and only if it is needed.
    view: Option<Option<Model>>,
}

impl Judge {
    /// For the mutants of a model, completed unless they are judged unchanged.
    pub fn new(model: &Model, as_is: bool, options: SearchOptions) -> Self {
        let incomparable = incomparable(model);
        if incomparable.is_some() {
            return Self { incomparable, options, ..Self::idle(model, as_is) };
        }
        let [.., none] = Completion::ALL;
        let mut judge = Self { completion: none, as_is, incomparable, options, view: None };
        judge.completion = completion(model, as_is, |network| {
            let changed = network.validate();
            changed.is_ok_and(|changed| {
                matches!(judge.compared(model, &changed), Status::NonConforming { .. })
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
        Self { completion, as_is, incomparable: None, options, view: None }
    }

    /// The mutant as it is judged, written and run.
    pub fn completed(&self, model: &Model, mutant: &Mutant) -> Network {
        let mut network = mutant.network(model);
        complete(&mut network, self.completion);
        network
    }

    /// Compares a mutant with the model.
    pub fn status(&mut self, model: &Model, mutant: &Mutant) -> Status {
        if let Some(reason) = &self.incomparable {
            return Status::Unknown(reason.clone());
        }
        if let Some(reason) = self.options.limits.cancel.reason() {
            return Status::Unknown(reason.to_string());
        }
        match self.completed(model, mutant).validate() {
            Ok(changed) => self.compared(model, &changed),
            Err(_) => Status::Unknown("the completed mutant is no valid model".to_owned()),
        }
    }

    fn compared(&mut self, model: &Model, changed: &Model) -> Status {
        let Self { options, view, .. } = self;
        let decided = |specification: &Model| {
            related(changed, specification, Relation::ConformsWhenServed, options, &mut |_| {})
        };
        let (mut answer, mut faulty) = match decided(model) {
            Ok(decided) => (decided.answer, decided.faulty),
            Err(diagnostics) => {
                let reason = diagnostics.iter().next().map(|first| first.message.clone());
                return Status::Unknown(reason.unwrap_or_default());
            }
        };
        if let RelationAnswer::Unknown(_) = answer
            && !options.limits.cancel.is_cancelled()
            && !follows_classes(model)
            && let Some(view) = view.get_or_insert_with(|| exact_view(model, options))
            && let Ok(again) = decided(view)
        {
            (answer, faulty) = (again.answer, again.faulty);
        }
        match answer {
            // Whoever builds such a system gets something, but nobody can say what.
            RelationAnswer::Holds if faulty => {
                Status::Unknown("the mutant computes a value outside its range".to_owned())
            }
            RelationAnswer::Holds => Status::Equivalent,
            RelationAnswer::Unknown(reason) => Status::Unknown(reason),
            RelationAnswer::Violated(violation) => Status::NonConforming {
                run: trace(changed, &violation.run),
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
