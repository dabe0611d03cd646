//! The status of a mutant: whether a test can distinguish it from the model, and how.

use std::sync::OnceLock;

use tioga_base::{Diagnostic, closest};
use tioga_concrete::{Record, Trace, TraceEvent};
use tioga_conform::{Decided, ObservedViolation, Relation, RelationAnswer, mismatches};
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
#[derive(Clone, Debug)]
struct Tester {
    /// The model in which those steps have names.
    specification: Model,
    own_moves: Vec<String>,
    view: View,
}

/// The deterministic view of a model, looked for once, and only if it is needed.
type View = OnceLock<Option<Model>>;

impl Tester {
    /// Nothing if there is no environment, or it acts on the system or learns of it other than through the interface.
    fn of(model: &Model) -> Option<Self> {
        model.system_alone().ok()??;
        if !model.is_environment_separate() {
            return None;
        }
        let (network, own_moves) = Network::clone(model).with_own_moves();
        Some(Self { specification: network.validate().ok()?, own_moves, view: View::new() })
    }
}

/// What a comparison found out.
struct Found {
    answer: RelationAnswer,
    /// Whether the mutant computes values outside their range.
    faulty: bool,
    /// Whether its time stops where that of the model does not.
    stops: bool,
    /// What the tester ran in the place of the mutant, if it did.
    running: Option<Model>,
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
    /// The tester that plays the environment, if its systems can be judged.
    tester: Option<Tester>,
    view: View,
}

impl Judge {
    /// Whether mutants are judged to refuse inputs that they do not take. As systems, they ignore them.
    pub fn refuses(&self) -> bool {
        !self.completion.inputs
    }

    /// For the mutants of a model, completed unless they are judged unchanged. Each comparison uses one thread, as
    /// several are made at the same time.
    pub fn new(model: &Model, as_is: bool, options: SearchOptions) -> Self {
        let options = SearchOptions { threads: 1, ..options };
        let incomparable = incomparable(model);
        if incomparable.is_some() {
            return Self { incomparable, options, ..Self::idle(model, as_is) };
        }
        let [.., none] = Completion::ALL;
        let tester = Tester::of(model);
        let mut judge =
            Self { completion: none, as_is, incomparable, options, tester, view: View::new() };
        // A system that sends what its environment does not expect is wrong already; then only the change counts.
        if let Some(Ok(Found { answer: RelationAnswer::Violated(_), .. })) =
            judge.found_by_tester(model)
        {
            judge.tester = None;
        }
        judge.completion = completion(model, as_is, |network| {
            let changed = network.validate();
            changed.is_ok_and(|changed| {
                let found = judge.found(model, &changed);
                matches!(found, Ok(Found { answer: RelationAnswer::Violated(_), .. }))
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
        Self { completion, as_is, incomparable: None, options, tester: None, view: View::new() }
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
            Ok(changed) => self.compared(model, &changed),
            Err(_) => Status::Unknown("the completed mutant is no valid model".to_owned()),
        }
    }

    /// What the tester finds out about a mutant that it runs in the place of the system, or why that is not known;
    /// nothing if there is no such tester.
    fn found_by_tester(&self, changed: &Model) -> Option<Result<Found, String>> {
        let Tester { specification, own_moves, view } = self.tester.as_ref()?;
        let (network, own) = changed.taking_every_output().with_own_moves();
        let running = network.validate().ok()?;
        if own != *own_moves {
            return None;
        }
        let options = &self.options;
        let found =
            answered(specification, &running, view, options).and_then(|found| match found {
                Found { answer: RelationAnswer::Unknown(reason), .. } => Err(reason),
                // After an output that is taken so, everything stops. Whether the mutant does is seen without; if
                // nothing stops, no output was taken so.
                Found { answer: RelationAnswer::Holds, stops: true, .. } => {
                    let (network, _) = Network::clone(changed).with_own_moves();
                    let within = network.validate().map_err(|_| "no valid model".to_owned())?;
                    let Found { stops, .. } = answered(specification, &within, view, options)?;
                    Ok(Found { stops, ..found })
                }
                found => Ok(Found { running: Some(running), ..found }),
            });
        Some(found)
    }

    /// What is found out about a mutant: by the tester that plays the environment, or within the environment.
    fn found(&self, model: &Model, changed: &Model) -> Result<Found, String> {
        let undecided = match self.found_by_tester(changed) {
            Some(Ok(found)) => return Ok(found),
            Some(Err(reason)) => Some(reason),
            None => None,
        };
        let found = answered(model, changed, &self.view, &self.options)?;
        match (&found.answer, undecided) {
            // The environment takes only outputs that it expects, so it may have hidden a wrong one.
            (RelationAnswer::Holds, Some(reason)) => Err(reason),
            _ => Ok(found),
        }
    }

    fn compared(&self, model: &Model, changed: &Model) -> Status {
        let Found { answer, faulty, stops, running } = match self.found(model, changed) {
            Ok(found) => found,
            Err(reason) => return Status::Unknown(reason),
        };
        match answer {
            // The behaviour of such a system is undefined.
            RelationAnswer::Holds if faulty => {
                Status::Unknown("the mutant computes a value outside its range".to_owned())
            }
            // No system stops time. Time goes on when it is run, and what it does then was not compared.
            RelationAnswer::Holds if stops => {
                Status::Unknown("the mutant stops time where the model does not".to_owned())
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

/// Whether a model conforms to a specification.
fn answered(
    specification: &Model,
    changed: &Model,
    view: &View,
    options: &SearchOptions,
) -> Result<Found, String> {
    let decided = |specification: &Model| {
        related(changed, specification, Relation::ConformsWhenServed, options, &mut |_| {})
    };
    let mut decision = decided(specification).map_err(|diagnostics| {
        diagnostics.iter().next().map(|first| first.message.clone()).unwrap_or_default()
    })?;
    if let RelationAnswer::Unknown(_) = decision.answer
        && !options.limits.cancel.is_cancelled()
        && !follows_classes(specification)
        && let Some(view) = view.get_or_init(|| exact_view(specification, options))
        && let Ok(again) = decided(view)
    {
        decision = again;
    }
    let Decided { answer, faulty, stops, .. } = decision;
    Ok(Found { answer, faulty, stops, running: None })
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
