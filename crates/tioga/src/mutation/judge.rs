//! The status of a mutant: whether a test can distinguish it from the model, and how.

use tioga_base::{Diagnostic, closest};
use tioga_concrete::{Record, Trace, TraceEvent};
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

/// A tester that plays the environment of a closed model and runs mutants in the place of the system. It hears every
/// output, also one that the environment does not expect, and knows the steps that the environment makes alone: they
/// are inputs. The environment does the same with any system that shows the same, so a mutant that conforms with
/// them conforms without them.
#[derive(Debug)]
struct Tester {
    /// The model in which those steps have names.
    specification: Model,
    own_moves: Vec<String>,
}

impl Tester {
    /// Nothing if there is no environment, or it acts on the system or learns of it other than through the interface.
    fn of(model: &Model) -> Option<Self> {
        model.system_alone().ok()??;
        if !model.is_environment_separate() {
            return None;
        }
        let (network, own_moves) = Network::clone(model).with_own_moves();
        Some(Self { specification: network.validate().ok()?, own_moves })
    }
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
    /// The tester that plays the environment, if its systems can be judged.
    tester: Option<Tester>,
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
        let tester = Tester::of(model);
        let mut judge = Self { completion: none, as_is, incomparable, options, tester, view: None };
        // A system that sends what its environment does not expect is wrong already; then only the change counts.
        if let Some((RelationAnswer::Violated(_), ..)) = judge.found_by_tester(model) {
            judge.tester = None;
        }
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
        Self { completion, as_is, incomparable: None, options, tester: None, view: None }
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

    /// Whether a mutant conforms, and whether it computes values outside their range.
    fn answered(
        &mut self,
        model: &Model,
        changed: &Model,
    ) -> Result<(RelationAnswer, bool), String> {
        let Self { options, view, .. } = self;
        let decided = |specification: &Model| {
            related(changed, specification, Relation::ConformsWhenServed, options, &mut |_| {})
        };
        let first = decided(model).map_err(|diagnostics| {
            diagnostics.iter().next().map(|first| first.message.clone()).unwrap_or_default()
        })?;
        if let RelationAnswer::Unknown(_) = first.answer
            && !options.limits.cancel.is_cancelled()
            && !follows_classes(model)
            && let Some(view) = view.get_or_insert_with(|| exact_view(model, options))
            && let Ok(again) = decided(view)
        {
            return Ok((again.answer, again.faulty));
        }
        Ok((first.answer, first.faulty))
    }

    /// What the tester finds out about a mutant that it runs in the place of the system; nothing if that is not known.
    fn found_by_tester(&self, changed: &Model) -> Option<(RelationAnswer, bool, Model)> {
        let Tester { specification, own_moves } = self.tester.as_ref()?;
        let (network, own) = changed.taking_every_output().with_own_moves();
        let running = network.validate().ok()?;
        if own != *own_moves {
            return None;
        }
        let how = Relation::ConformsWhenServed;
        let decided = related(&running, specification, how, &self.options, &mut |_| {}).ok()?;
        match decided.answer {
            RelationAnswer::Unknown(_) => None,
            answer => Some((answer, decided.faulty, running)),
        }
    }

    fn compared(&mut self, model: &Model, changed: &Model) -> Status {
        let (answer, faulty, running) = match self.found_by_tester(changed) {
            Some((answer, faulty, running)) => (answer, faulty, Some(running)),
            None => match self.answered(model, changed) {
                Err(reason) => return Status::Unknown(reason),
                // The environment takes only outputs that it expects, so it may have hidden a wrong one.
                Ok((RelationAnswer::Holds, _)) if self.tester.is_some() => {
                    return Status::Unknown("the comparison was too large".to_owned());
                }
                Ok((answer, faulty)) => (answer, faulty, None),
            },
        };
        match answer {
            // The behaviour of such a system is undefined.
            RelationAnswer::Holds if faulty => {
                Status::Unknown("the mutant computes a value outside its range".to_owned())
            }
            RelationAnswer::Holds => Status::Equivalent,
            RelationAnswer::Unknown(reason) => Status::Unknown(reason),
            RelationAnswer::Violated(violation) => Status::NonConforming {
                run: match (running, &self.tester) {
                    (Some(running), Some(tester)) => {
                        in_model(changed, trace(&running, &violation.run), &tester.own_moves)
                    }
                    _ => trace(changed, &violation.run),
                },
                kind: match violation.observed {
                    ObservedViolation::Output(_) => "output",
                    ObservedViolation::Delay => "delay",
                    ObservedViolation::Refusal(_) => "refusal",
                },
            },
        }
    }
}

/// A trace as one of the mutant itself: steps that the environment makes alone show nothing, and what only the tester
/// takes has no edges.
fn in_model(changed: &Model, mut trace: Trace, own_moves: &[String]) -> Trace {
    let known = |name: &str| changed.processes.iter().any(|process| process.name == name);
    for record in &mut trace.records {
        let Record::Step(step) = record else { continue };
        if matches!(&step.event, TraceEvent::Input(channel, _) if own_moves.contains(channel)) {
            step.event = TraceEvent::Internal(None);
        }
        let edges = step.edges.take();
        step.edges = edges.filter(|edges| edges.iter().all(|edge| known(&edge.process)));
    }
    trace
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
