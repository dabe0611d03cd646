//! Reachability: is there a run to a state that satisfies a predicate?

use std::ops::ControlFlow;

use tioga_base::{Cancel, Span, StopReason};
use tioga_explore::{NodeId, SearchOptions, SearchOutcome, Statistics, Stop, Visitor, search};
use tioga_model::{Composer, DiscreteState, Predicate};
use tioga_zones::PackedZone;

use crate::effort::Effort;
use crate::witness::{Path, TimedStep};
use crate::{Error, PackedState, ZoneGraph, goal};

/// The answer to a question of reachability.
#[derive(Clone, PartialEq, Debug)]
pub enum ReachAnswer {
    /// There is such a run; here is one with exact delays.
    Reachable(Vec<TimedStep>),
    /// There is none.
    Unreachable,
    /// A limit was reached first, or the model is not supported.
    Unknown(String),
}

/// A finished question.
pub struct Reach<'g, 'm> {
    /// The answer.
    pub answer: ReachAnswer,
    /// The search behind it.
    pub outcome: SearchOutcome<ZoneGraph<'m>>,
    /// The graph that was searched.
    pub graph: &'g ZoneGraph<'m>,
}

/// Looks for a predicate and passes progress on.
struct Looking<'l, 'm> {
    graph: &'l ZoneGraph<'m>,
    composer: Composer<'m>,
    state: DiscreteState,
    goal: Option<(&'l Predicate, Span)>,
    effort: Effort,
    error: Option<Error>,
    report: &'l mut dyn FnMut(&Statistics),
}

impl<'m> Visitor<ZoneGraph<'m>> for Looking<'_, 'm> {
    fn stored(&mut self, _: NodeId, key: &PackedState, part: &PackedZone) -> ControlFlow<()> {
        let Some((predicate, span)) = self.goal else { return ControlFlow::Continue(()) };
        if let Err(error) = self.effort.go_on() {
            self.error = Some(error);
            return ControlFlow::Break(());
        }
        self.graph.codec().unpack(key, &mut self.state);
        let part = self.graph.unpack(&self.state, part);
        let tracked = !self.graph.tracked().is_empty();
        let bits = tracked.then(|| self.graph.bits(key));
        let met = goal::within_stored(
            (self.graph, &mut self.composer),
            (&self.state, &part, bits),
            (predicate, span),
            &mut self.effort,
            &mut |_| Ok(true),
        );
        match met {
            Ok(false) => ControlFlow::Continue(()),
            Ok(true) => ControlFlow::Break(()),
            Err(error) => {
                self.error = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn progress(&mut self, statistics: &Statistics) {
        (self.report)(statistics);
    }
}

impl<'g, 'm> Reach<'g, 'm> {
    /// Looks for a state that satisfies the predicate, or explores everything if there is none.
    ///
    /// Pre: the graph was made with this predicate among those asked.
    pub fn ask(
        graph: &'g ZoneGraph<'m>,
        goal: Option<(&Predicate, Span)>,
        options: &SearchOptions,
        report: &mut dyn FnMut(&Statistics),
    ) -> Self {
        let composer = Composer::new(graph.model());
        let state = composer.initial();
        let cancel = &options.limits.cancel;
        let effort = Effort::unlimited(cancel.clone());
        let mut looking = Looking { graph, composer, state, goal, effort, error: None, report };
        let outcome = search(graph, options, &mut looking);
        let answer = match (looking.error, &outcome.stop) {
            (Some(error), _) => ReachAnswer::Unknown(error.to_string()),
            (None, Stop::Found(node)) => {
                let goal = goal.expect("only what is looked for is found");
                match concrete_run(graph, &outcome, *node, goal, cancel) {
                    Ok(run) => ReachAnswer::Reachable(run),
                    Err(error) => ReachAnswer::Unknown(error.to_string()),
                }
            }
            (None, Stop::Exhausted) => ReachAnswer::Unreachable,
            (None, Stop::VisitedLimit(limit)) => {
                ReachAnswer::Unknown(format!("the limit of {limit} visited states was reached"))
            }
            (None, Stop::MemoryLimit(limit)) => {
                ReachAnswer::Unknown(format!("the limit of {limit} bytes was reached"))
            }
            (None, Stop::Cancelled) => {
                let reason = cancel.reason().unwrap_or(StopReason::Asked);
                ReachAnswer::Unknown(reason.to_string())
            }
            (None, Stop::Failed(_, error)) => ReachAnswer::Unknown(error.to_string()),
        };
        Self { answer, outcome, graph }
    }
}

/// A run to a state of a node that was found, which satisfies the goal.
fn concrete_run<'m>(
    graph: &ZoneGraph<'m>,
    outcome: &SearchOutcome<ZoneGraph<'m>>,
    node: NodeId,
    goal: (&Predicate, Span),
    cancel: &Cancel,
) -> Result<Vec<TimedStep>, Error> {
    let path = Path::new(graph, &outcome.store.path(node))?;
    let (_, part) = outcome.store.get(node).expect("what was found is stored");
    let part = path.end_zone(part);
    let mut run = None;
    goal::within(
        (graph, &mut Composer::new(graph.model())),
        (&path.state, &part),
        goal,
        &mut Effort::unlimited(cancel.clone()),
        &mut |zone| {
            run = path.run_into_zone(zone)?;
            Ok(run.is_some())
        },
    )?;
    run.ok_or_else(|| Error::Unsupported("the path found has no concrete run".to_owned()))
}
