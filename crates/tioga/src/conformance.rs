//! The relation of two models: the one that every command asks.
//!
//! The plain comparison decides it where the state of the specification is known after each trace. Otherwise an exact
//! deterministic view replaces the specification; or a simulation shows that the relation holds; or a run that an
//! approximate view refuses, or a random one, is followed on all states of the specification that explain it.
//!
//! Closed models are compared twice: within their environment, and as a tester sees them that plays the environment and
//! hears everything. So a late output counts whether or not the environment can take it.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tioga_base::Diagnostics;
use tioga_concrete::{Intervals, Record, Semantics, Trace, TraceEvent, label_of};
use tioga_conform::{
    Decided, Nondeterministic, ObservedViolation, Relation, RelationAnswer, Violation,
};
use tioga_determinize::{Exactness, Subject};
use tioga_explore::{SearchOptions, Statistics};
use tioga_model::{Model, Network, StepLabel};

use crate::data::{decide_by_covers, follows_classes, is_needed, related};
use crate::trace::{run_end, trace};
use crate::{Effort, Failure, ViewOptions};

/// How many random runs look for a violation, and how many steps each has.
const RANDOM_RUNS: (u64, u64) = (100, 20);

/// How two models relate.
#[derive(Debug)]
pub struct Compared {
    /// The answer, with the statistics of the search.
    pub decided: Decided,
    /// The model that replaced the specification, if one was needed: a deterministic view with the same traces, or the
    /// model in which the tester makes the steps of the environment.
    pub view: Option<Model>,
    /// The model that replaced the implementation, likewise. Refinement asks which inputs it takes after a trace.
    pub implementation: Option<Model>,
    /// If there is no answer: why determinization did not help, and possible remedies.
    pub note: Option<String>,
    /// The inputs that stand for steps of the environment alone.
    own_moves: Vec<String>,
}

impl Compared {
    fn plain(decided: Decided) -> Self {
        let (view, implementation, note) = (None, None, None);
        Self { decided, view, implementation, note, own_moves: Vec::new() }
    }

    /// The run that shows the violation, as one of the implementation that was compared: steps that the environment
    /// makes alone show nothing, and outputs that only the tester takes have no edges.
    pub fn violating_run(&self, implementation: &Model) -> Option<Trace> {
        let RelationAnswer::Violated(violation) = &self.decided.answer else { return None };
        let Some(run) = &self.implementation else {
            return Some(trace(implementation, &violation.run));
        };
        let mut trace = trace(run, &violation.run);
        let known =
            |name: &str| implementation.processes.iter().any(|process| process.name == name);
        for record in &mut trace.records {
            let Record::Step(step) = record else { continue };
            if matches!(&step.event, TraceEvent::Input(channel, _) if self.own_moves.contains(channel))
            {
                step.event = TraceEvent::Internal(None);
            }
            let edges = step.edges.take();
            step.edges = edges.filter(|edges| edges.iter().all(|edge| known(&edge.process)));
        }
        Some(trace)
    }
}

/// A deterministic view of a model.
#[derive(Clone, Debug)]
struct View {
    model: Model,
    exact: bool,
}

/// A model with its view, looked for once, and only if it is needed.
#[derive(Clone, Debug)]
struct Viewed {
    model: Model,
    resources: ViewOptions,
    view: OnceLock<Result<View, String>>,
    /// Why the view is not exact, and what might help.
    note: OnceLock<String>,
}

/// A specification, with what comparisons with it share.
#[derive(Clone, Debug)]
pub struct Specification {
    own: Viewed,
    /// The model for a tester that plays the environment, and the inputs that stand for steps of the environment alone.
    /// `None` if there is no environment, or it acts on the system or learns of it other than through the interface.
    tested: Option<(Viewed, Vec<String>)>,
}

impl Viewed {
    fn new(model: Model, resources: ViewOptions) -> Self {
        Self { model, resources, view: OnceLock::new(), note: OnceLock::new() }
    }

    /// A deterministic view, exact or not; otherwise why there is none.
    fn view(&self, options: &SearchOptions) -> Result<&View, &String> {
        let found = self.view.get_or_init(|| {
            let view = self.resources.view_of(Subject::from(&self.model), &options.limits.cancel);
            let view = view.map_err(|error| format!("there is no deterministic view: {error}"))?;
            let exact = matches!(view.exactness, Exactness::Exact | Exactness::Unchanged);
            if let Some(note) = remedy(&view.exactness) {
                self.note.get_or_init(|| note);
            }
            let model = view.network.validate().map_err(|_| "its view is not valid".to_owned())?;
            Ok(View { model, exact })
        });
        found.as_ref()
    }

    /// A view with exactly the traces of the model, or why there is none and what might help.
    fn exact(&self, options: &SearchOptions) -> Result<&Model, String> {
        let View { model, exact } = self.view(options).map_err(Clone::clone)?;
        if *exact {
            return Ok(model);
        }
        Err(self
            .note
            .get()
            .cloned()
            .unwrap_or_else(|| "its deterministic view is not exact".into()))
    }

    /// Compares an implementation, by all means.
    fn compare(
        &self,
        implementation: &Model,
        relation: Relation,
        options: &SearchOptions,
        report: &mut dyn FnMut(&Statistics),
    ) -> Result<Compared, Diagnostics> {
        let specification = &self.model;
        let decided = related(implementation, specification, relation, options, report)?;
        let mut compared = Compared::plain(decided);
        // Both relations are reflexive: what a model allows, it does.
        if compared.is_open(options) && **implementation == **specification {
            compared.decided.answer = RelationAnswer::Holds;
            compared.note = Some("both models are the same".to_owned());
            return Ok(compared);
        }
        let cancel = &options.limits.cancel;
        let asked = Nondeterministic { implementation, specification, relation, cancel };
        if compared.is_open(options)
            && (is_needed(implementation) || is_needed(specification))
            && let Some(shown) = decide_by_covers(&asked, RANDOM_RUNS, options, report)
        {
            compared.decided = shown;
        }
        // Views are made value by value, which is too much where messages carry many.
        let by_value = !follows_classes(implementation) && !follows_classes(specification);
        if !by_value {
            return Ok(compared);
        }
        if compared.is_open(options) {
            match self.exact(options) {
                // A view with the same traces allows the same.
                Ok(exact) => {
                    let again = related(implementation, exact, relation, options, report);
                    if let Ok(again) = again {
                        (compared.decided, compared.view) = (again, Some(exact.clone()));
                    }
                }
                Err(why) => compared.note = Some(format!("the specification: {why}")),
            }
        }
        if compared.is_open(options)
            && let Some(shown) = asked.decide_by_simulation(None, options, report)
        {
            (compared.decided, compared.view) = (shown, None);
        }
        if compared.is_open(options)
            && let Some(violation) = self.refute(&asked, options)
        {
            compared.decided.answer = RelationAnswer::Violated(violation);
            compared.view = None;
        }
        if compared.is_open(options) && relation == Relation::Refines {
            match Viewed::new(implementation.clone(), self.resources).exact(options) {
                // Refinement is about traces, so a view with the same traces refines the same.
                Ok(exact) => {
                    let other = compared.view.as_ref().unwrap_or(specification);
                    if let Ok(again) = related(exact, other, relation, options, report) {
                        compared.decided = again;
                        compared.implementation = Some(exact.clone());
                    }
                }
                Err(why) => {
                    compared.note.get_or_insert(format!("the implementation: {why}"));
                }
            }
        }
        compared.note = compared.note.filter(|_| compared.decided.answer.is_unknown());
        Ok(compared)
    }

    /// A violation that a run shows: one that an approximate view refuses, or a random one.
    fn refute(
        &self,
        asked: &Nondeterministic<'_>,
        options: &SearchOptions,
    ) -> Option<Box<Violation>> {
        let outputs = match asked.relation {
            Relation::Refines => Relation::Conforms,
            Relation::Conforms | Relation::ConformsWhenServed => asked.relation,
        };
        if let Ok(View { model, exact: false }) = self.view(options)
            && let Ok(refused) = related(asked.implementation, model, outputs, options, &mut |_| {})
            && let RelationAnswer::Violated(violation) = refused.answer
            && let Some(violation) = asked.refuted_by(&violation.run)
        {
            return Some(violation);
        }
        asked.refuted_at_random(RANDOM_RUNS, &BTreeMap::new())
    }
}

impl Compared {
    /// Whether more can be tried: there is no answer, and no limit was reached.
    fn is_open(&self, options: &SearchOptions) -> bool {
        let reached = |limit: u64| self.decided.statistics.visited >= limit;
        self.decided.answer.is_unknown()
            && !options.limits.visited.is_some_and(reached)
            && !options.limits.cancel.is_cancelled()
    }
}

/// Why a view is not exact, and what might help. `None` if it is.
fn remedy(exactness: &Exactness) -> Option<String> {
    let Exactness::Approximate { losses, suggestion, exhausted } = exactness else { return None };
    let first = losses.first().map_or_else(String::new, ToString::to_string);
    let help = match suggestion {
        Some(better) => format!(
            "`--clocks {}` and `--max-constant` with a larger constant make it exact",
            better.clocks
        ),
        None if *exhausted => "more steps may help: `--max-steps`".to_owned(),
        None => "no more clocks or larger constants were found to help".to_owned(),
    };
    Some(format!("its deterministic view is not exact: {first}; {help}"))
}

impl Specification {
    /// A model as a specification, with the resources of its deterministic view.
    pub fn new(model: &Model, view: ViewOptions) -> Self {
        Self { own: Viewed::new(model.clone(), view), tested: tested(model, view) }
    }

    /// Compares an implementation.
    ///
    /// # Errors
    /// If the models cannot be compared.
    pub fn compare(
        &self,
        implementation: &Model,
        relation: Relation,
        options: &SearchOptions,
        report: &mut dyn FnMut(&Statistics),
    ) -> Result<Compared, Diagnostics> {
        let tested = self.compare_as_tested(implementation, options, report);
        match tested {
            // The environment does the same with any system that shows the same.
            Some(Ok(tested))
                if tested.decided.answer.is_violated()
                    || tested.decided.answer == RelationAnswer::Holds
                        && relation == Relation::ConformsWhenServed =>
            {
                Ok(tested)
            }
            tested => {
                let mut compared = self.own.compare(implementation, relation, options, report)?;
                let undecided = tested.and_then(|tested| match tested {
                    Ok(tested) => match tested.decided.answer {
                        RelationAnswer::Unknown(reason) => Some((reason, tested.note)),
                        RelationAnswer::Holds | RelationAnswer::Violated(_) => None,
                    },
                    Err(reason) => Some((reason, None)),
                });
                // The environment takes only outputs that it expects, so it may have hidden a wrong one.
                if let Some((reason, note)) = undecided
                    && compared.decided.answer == RelationAnswer::Holds
                {
                    compared.decided.answer = RelationAnswer::Unknown(reason);
                    compared.note = note;
                }
                Ok(compared)
            }
        }
    }

    /// Compares an implementation as a tester sees it that plays the environment and hears every output. `None` if no
    /// tester can play the environment.
    pub fn compare_as_tested(
        &self,
        implementation: &Model,
        options: &SearchOptions,
        report: &mut dyn FnMut(&Statistics),
    ) -> Option<Result<Compared, String>> {
        let (specification, own_moves) = self.tested.as_ref()?;
        let (network, own) = implementation.taking_every_output().with_own_moves();
        let running = network.validate().ok()?;
        if own != *own_moves {
            return None;
        }
        let mut compare = |running: &Model| {
            let relation = Relation::ConformsWhenServed;
            specification.compare(running, relation, options, report).map_err(first_message)
        };
        let mut compared = match compare(&running) {
            Ok(compared) => compared,
            Err(reason) => return Some(Err(reason)),
        };
        // After an output that only the tester takes, everything stops. Whether the implementation does is seen without
        // such outputs; if nothing stops, there were none.
        if compared.decided.answer == RelationAnswer::Holds && compared.decided.stops {
            let (network, _) = Network::clone(implementation).with_own_moves();
            let within = network.validate().ok()?;
            match compare(&within) {
                Ok(within) => compared.decided.stops = within.decided.stops,
                Err(reason) => return Some(Err(reason)),
            }
        }
        compared.view.get_or_insert_with(|| specification.model.clone());
        (compared.implementation, compared.own_moves) = (Some(running), own);
        Some(Ok(compared))
    }

    /// The same specification, compared within its environment only: what the environment does not take stays unseen.
    #[must_use]
    pub fn within_environment(self) -> Self {
        Self { tested: None, ..self }
    }
}

fn first_message(diagnostics: Diagnostics) -> String {
    diagnostics.iter().next().map(|first| first.message.clone()).unwrap_or_default()
}

fn tested(model: &Model, view: ViewOptions) -> Option<(Viewed, Vec<String>)> {
    model.system_alone().ok()??;
    if !model.is_environment_separate() {
        return None;
    }
    let (network, own_moves) = Network::clone(model).with_own_moves();
    Some((Viewed::new(network.validate().ok()?, view), own_moves))
}

/// Compares an implementation with a specification, with a limit on visited states; with how long it took.
pub fn compare(
    implementation: &Model,
    specification: &Model,
    relation: Relation,
    max_states: Option<u64>,
    effort: &mut Effort<'_>,
) -> Result<(Compared, Duration), Failure> {
    let start = Instant::now();
    let options = effort.options(max_states);
    let specification = Specification::new(specification, effort.view);
    let compared =
        specification.compare(implementation, relation, &options, &mut |at| effort.search(at))?;
    Ok((compared, start.elapsed()))
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
/// waiting, outputs and, if one is refused, inputs. `None` if several states explain the run.
pub fn allowed(specification: &Model, violation: &Violation) -> Option<AllowedNext> {
    let state = run_end(specification, violation.followed.as_ref()?)?;
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
