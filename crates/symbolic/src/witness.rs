//! Concrete runs along a symbolic path.
//!
//! The zones of a search are coarsened, so a path is made concrete in two passes. Backwards, the
//! exact sets are computed from which the rest of the path can be taken (delay, guard, assignments,
//! invariants, in reverse). Forwards, from the initial valuation, the least delay that leads into
//! these sets is chosen at each step; where the least delay is excluded by a strict bound, a point
//! shortly after it is taken.

use tioga_base::{Overflow, Rational};
use tioga_explore::NodeId;
use tioga_model::{Composer, DiscreteState, Step, Steps};
use tioga_zones::{Federation, Point, Zone};

use crate::conditions::alternatives;
use crate::ray::least_delay;
use crate::zone_graph::StepChoice;
use crate::{Elapse, Error, Jump, ZoneGraph};

/// One step of a concrete run, after a delay.
#[derive(Clone, PartialEq, Debug)]
pub struct TimedStep {
    /// How long to wait, in written time units.
    pub delay: Rational,
    /// The step then taken; none at the end, where the run only waits until the goal holds.
    pub step: Option<Step>,
}

/// One step of the symbolic path: where one waits, and how one leaves.
struct Stage {
    elapse: Elapse,
    step: Step,
    jump: Jump,
}

/// The symbolic path to a node of a search.
pub(crate) struct Path<'g, 'm> {
    graph: &'g ZoneGraph<'m>,
    stages: Vec<Stage>,
    last: Elapse,
    /// The discrete state where it ends.
    pub state: DiscreteState,
}

impl<'g, 'm> Path<'g, 'm> {
    /// Follows the labels that a search found.
    ///
    /// Pre: the path was found in this graph.
    pub fn new(graph: &'g ZoneGraph<'m>, path: &[(NodeId, StepChoice)]) -> Result<Self, Error> {
        let mut composer = Composer::new(graph.model());
        let mut state = composer.initial();
        let mut steps = Steps::new();
        let mut stages = Vec::new();
        for (_, label) in path {
            composer.steps(&state, &mut steps);
            let elapse = Elapse::of(&mut composer, &state, &steps)?;
            let step = steps.list[label.step as usize].clone();
            let guard = alternatives(&step)[label.alternative as usize].clone();
            let applied = composer.apply(&state, &step)?;
            let jump = Jump::new(&[guard], &applied.assignments)?;
            stages.push(Stage { elapse, step, jump });
            state = applied.target;
        }
        composer.steps(&state, &mut steps);
        let last = Elapse::of(&mut composer, &state, &steps)?;
        Ok(Self { graph, stages, last, state })
    }

    /// A run along the path that ends in the set.
    pub fn run_into(&self, goal: &Federation) -> Result<Vec<TimedStep>, Error> {
        for zone in goal.zones() {
            if let Some(run) = self.run_into_zone(zone.clone())? {
                return Ok(run);
            }
        }
        Err(Error::Unsupported("the path found has no concrete run".to_owned()))
    }

    /// A run along the path that ends in the zone, if there is one.
    pub fn run_into_zone(&self, goal: Zone) -> Result<Option<Vec<TimedStep>>, Error> {
        let Self { graph, stages, last, .. } = self;
        let goal = Federation::from(goal);
        // From `leave[i]` step i leads on; `arrive` is where the next stage may be entered.
        let mut arrive = last.past(&goal);
        let mut leave = vec![goal];
        for stage in stages.iter().rev() {
            let mut before = stage.jump.predecessor(&arrive);
            before.intersect(stage.elapse.invariant());
            if before.len() > 1 {
                before.merge();
            }
            arrive = stage.elapse.past(&before);
            leave.push(before);
        }
        let start = Point::new(&vec![0; graph.dimension() - 1], 1);
        if !arrive.contains(&start) {
            return Ok(None);
        }
        leave.reverse();
        forwards(graph, stages, last, &leave)
            .map_err(|_| Error::Unsupported("a delay is too large to be represented".to_owned()))
    }
}

fn forwards(
    graph: &ZoneGraph<'_>,
    stages: &[Stage],
    last: &Elapse,
    leave: &[Federation],
) -> Result<Option<Vec<TimedStep>>, Overflow> {
    let scale = Rational::integer(graph.model().scale);
    let mut clocks = vec![Rational::ZERO; graph.dimension()];
    let mut run = Vec::new();
    for (position, set) in leave.iter().enumerate() {
        let stage = stages.get(position);
        let elapse = stage.map_or(last, |stage| &stage.elapse);
        let Some(delay) = least_delay(&clocks, elapse.urgent(), set)? else { return Ok(None) };
        for clock in clocks.iter_mut().skip(1) {
            *clock = clock.add(delay)?;
        }
        if let Some(stage) = stage {
            stage.jump.assign(&mut clocks)?;
        }
        let step = stage.map(|stage| stage.step.clone());
        run.push(TimedStep { delay: delay.div(scale)?, step });
    }
    Ok(Some(run))
}
