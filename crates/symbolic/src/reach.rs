//! Reachability: is there a run to a state that satisfies a predicate?

use std::ops::ControlFlow;

use tioga_base::Span;
use tioga_explore::{NodeId, Outcome, SearchOptions, Statistics, Stop, Visitor, search};
use tioga_model::{Composer, DiscreteState, Predicate};
use tioga_zones::PackedZone;

use crate::witness::{TimedStep, concrete_run};
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
    pub outcome: Outcome<ZoneGraph<'m>>,
    /// The graph that was searched.
    pub graph: &'g ZoneGraph<'m>,
}

/// Looks for a predicate and passes progress on.
struct Looking<'l, 'm> {
    graph: &'l ZoneGraph<'m>,
    composer: Composer<'m>,
    state: DiscreteState,
    goal: Option<(&'l Predicate, Span)>,
    error: Option<Error>,
    report: &'l mut dyn FnMut(&Statistics),
}

impl<'m> Visitor<ZoneGraph<'m>> for Looking<'_, 'm> {
    fn stored(&mut self, _: NodeId, key: &PackedState, part: &PackedZone) -> ControlFlow<()> {
        let Some((predicate, span)) = self.goal else { return ControlFlow::Continue(()) };
        self.graph.codec().unpack(key, &mut self.state);
        let zones = goal::satisfying(self.graph, &mut self.composer, &self.state, predicate, span);
        let met = zones.map(|zones| {
            if zones.is_empty() {
                return false;
            }
            let part = self.graph.unpack(&self.state, part);
            zones.zones().iter().any(|zone| zone.intersects(&part))
        });
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
        let mut looking = Looking { graph, composer, state, goal, error: None, report };
        let outcome = search(graph, options, &mut looking);
        let answer = match (looking.error, &outcome.stop) {
            (Some(error), _) => ReachAnswer::Unknown(error.to_string()),
            (None, Stop::Found(node)) => {
                let goal = goal.expect("only what is looked for is found");
                match concrete_run(graph, &outcome.store.path(*node), goal) {
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
            (None, Stop::Cancelled) => ReachAnswer::Unknown("cancelled".to_owned()),
            (None, Stop::Failed(_, error)) => ReachAnswer::Unknown(error.to_string()),
        };
        Self { answer, outcome, graph }
    }
}
