//! Concrete runs along a symbolic path.
//!
//! The zones of a search are coarsened, so a path is made concrete in two passes. Backwards, the
//! exact sets are computed from which the rest of the path can be taken (delay, guard, assignments,
//! invariants, in reverse). Forwards, from the initial valuation, the least delay that leads into
//! these sets is chosen at each step; where the least delay is excluded by a strict bound, a point
//! shortly after it is taken.

use tioga_base::{Id, Overflow, Rational};
use tioga_explore::NodeId;
use tioga_model::{
    Applied, ClockAssignment, ClockBound, ClockConjunction, ClockId, Composer, DiscreteState,
    Permutation, Step, Steps,
};
use tioga_zones::{Federation, PackedZone, Point, Zone};

use crate::canonical::{Canonical, clock_sources, opposite};
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

impl ZoneGraph<'_> {
    /// A run from the initial state along labels of the graph, each after the least delay that leaves the next possible.
    ///
    /// Pre: each label is one of a successor of the state before it.
    ///
    /// # Errors
    /// If a step cannot be computed.
    pub fn run_along(&self, labels: &[StepChoice]) -> Result<Vec<TimedStep>, Error> {
        let everything = Federation::universal(self.dimension());
        Path::along(self, labels)?.run_into(&everything)
    }
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
    /// In a graph up to symmetry, which values of scalar sets stand for which ones at the end.
    exchanged: Option<Vec<Vec<usize>>>,
}

impl<'g, 'm> Path<'g, 'm> {
    /// Follows the labels that a search found.
    ///
    /// Pre: the path was found in this graph.
    pub fn new(graph: &'g ZoneGraph<'m>, path: &[(NodeId, StepChoice)]) -> Result<Self, Error> {
        let labels: Vec<StepChoice> = path.iter().map(|(_, label)| *label).collect();
        Self::along(graph, &labels)
    }

    /// Follows labels from the initial state.
    fn along(graph: &'g ZoneGraph<'m>, labels: &[StepChoice]) -> Result<Self, Error> {
        if let Some(canonical) = graph.canonical() {
            return Self::restored(graph, canonical, labels);
        }
        let mut composer = Composer::new(graph.model());
        let mut state = composer.initial();
        let mut steps = Steps::new();
        let mut stages = Vec::new();
        for label in labels {
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
        Ok(Self { graph, stages, last, state, exchanged: None })
    }

    /// Follows labels between states that stand for others, with the steps of the model itself. By the
    /// symmetry of the model, each step has a counterpart: one with the same guard, assignments and target
    /// up to the exchanges made so far.
    fn restored(
        graph: &'g ZoneGraph<'m>,
        canonical: &Canonical<'m>,
        labels: &[StepChoice],
    ) -> Result<Self, Error> {
        let mut composer = Composer::new(graph.model());
        let mut state = composer.initial();
        let mut stands = state.clone();
        let mut values = canonical.identity();
        let (mut steps, mut own) = (Steps::new(), Steps::new());
        let mut stages = Vec::new();
        for label in labels {
            composer.steps(&stands, &mut steps);
            composer.steps(&state, &mut own);
            let back = canonical.permutation(opposite(&values));
            let step = &steps.list[label.step as usize];
            let applied = composer.apply(&stands, step)?;
            let guard = back_bounds(&back, &alternatives(step)[label.alternative as usize]);
            let assignments = back_assignments(&back, &applied.assignments);
            let target = canonical.state(&back, &applied.target);
            let elapse = Elapse::of(&mut composer, &state, &own)?;
            let counterpart = own.list.iter().find(|one| {
                let found = composer.apply(&state, one);
                let same = |found: &Applied| {
                    found.target == target && found.assignments[..] == assignments[..]
                };
                found.is_ok_and(|found| same(&found))
                    && alternatives(one).iter().any(|one| same_bounds(one, &guard))
            });
            let Some(step) = counterpart else {
                let reason = "a step has no counterpart: the model is not symmetric".to_owned();
                return Err(Error::Unsupported(reason));
            };
            let jump = Jump::new(&[guard], &assignments)?;
            stages.push(Stage { elapse, step: step.clone(), jump });
            let exchange = canonical.unrank(label.exchange);
            stands = canonical.state(&exchange, &applied.target);
            values = exchange.after(&values);
            state = target;
        }
        composer.steps(&state, &mut own);
        let last = Elapse::of(&mut composer, &state, &own)?;
        Ok(Self { graph, stages, last, state, exchanged: Some(values) })
    }

    /// The zone of a stored state at the end of the path, in terms of the model itself.
    pub fn end_zone(&self, part: &PackedZone) -> Zone {
        let (Some(values), Some(canonical)) = (&self.exchanged, self.graph.canonical()) else {
            return self.graph.unpack(&self.state, part);
        };
        let there = canonical.permutation(values.clone());
        let zone = self.graph.unpack(&canonical.state(&there, &self.state), part);
        zone.permuted(&clock_sources(&canonical.permutation(opposite(values))))
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

/// The clock that takes the place of another by an exchange.
fn moved(permutation: &Permutation, clock: ClockId) -> ClockId {
    let place = permutation.clocks().iter().position(|source| *source == clock.index());
    place.map_or(clock, ClockId::from_index)
}

fn back_bounds(back: &Permutation, bounds: &ClockConjunction) -> ClockConjunction {
    let clock = |clock: Option<ClockId>| clock.map(|clock| moved(back, clock));
    bounds
        .iter()
        .map(|one| ClockBound { left: clock(one.left), right: clock(one.right), ..*one })
        .collect()
}

fn back_assignments(back: &Permutation, all: &[ClockAssignment]) -> Vec<ClockAssignment> {
    let moved = |clock| moved(back, clock);
    all.iter()
        .map(|one| ClockAssignment {
            clock: moved(one.clock),
            source: one.source.map(moved),
            value: one.value,
        })
        .collect()
}

/// Whether two conjunctions have the same parts.
fn same_bounds(one: &ClockConjunction, other: &ClockConjunction) -> bool {
    one.iter().all(|bound| other.contains(bound)) && other.iter().all(|bound| one.contains(bound))
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
