//! Symbolic states and their successors.

use tioga_base::Span;
use tioga_explore::{Sketch, Successor, TransitionSystem};
use tioga_model::{ClockBound, Composer, Condition, DiscreteState, Model, Predicate, Steps};
use tioga_zones::{LuBounds, PackedZone, Zone};

use crate::canonical::{Canonical, clock_sources};
use crate::conditions::{alternatives, assign, constrain};
use crate::tracked::Tracked;
use crate::{ClockBounds, Codec, Elapse, Error, PackedState};

/// How zones are coarsened so that finitely many suffice. None changes which discrete states and
/// steps are reachable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Abstraction {
    /// Not at all; exploration may not end.
    None,
    /// By maximal constants.
    M,
    /// By maximal constants, coarser.
    MPlus,
    /// By lower and upper bounds.
    Lu,
    /// By lower and upper bounds, coarser.
    #[default]
    LuPlus,
    /// Zones stay exact; inclusion is tested modulo the coarsest abstraction by lower and upper
    /// bounds.
    Alu,
}

/// A step: its number in the state, and which alternative of its clock condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StepChoice {
    /// The position in the enumeration of [`Composer::steps`].
    pub step: u32,
    /// The position in [`alternatives`].
    pub alternative: u32,
    /// The number of the exchange of values of scalar sets after it; 0 if there is none.
    pub exchange: u64,
}

impl StepChoice {
    /// How the initial state is reached.
    const INITIAL: Self = Self { step: u32::MAX, alternative: 0, exchange: 0 };
}

/// Whether time may pass in a discrete state.
enum Time {
    /// Never.
    Stands,
    /// As long as the invariant holds.
    Passes,
    /// Until the clocks allow an urgent step.
    DependsOnClocks,
}

/// The zone graph of a model.
#[derive(Debug)]
pub struct ZoneGraph<'m> {
    model: &'m Model,
    codec: Codec,
    bounds: ClockBounds,
    abstraction: Abstraction,
    has_urgent_channels: bool,
    canonical: Option<Canonical<'m>>,
    tracked: Tracked,
    /// The condition within which runs are followed, or outside of which if so said.
    within: Option<(Condition, bool, Span)>,
}

/// Scratch memory of one thread.
#[derive(Debug)]
pub struct Worker<'m> {
    composer: Composer<'m>,
    state: DiscreteState,
    steps: Steps,
    target_steps: Steps,
    bounds: LuBounds,
    /// The clocks that matter in the state at hand.
    active: Vec<usize>,
    /// The zone whose successors are computed, within its invariant.
    source: Zone,
    zone: Zone,
    /// Which comparisons of clocks hold in the state at hand, and in the one it is stored for.
    source_bits: u8,
    bits: u8,
}

impl<'m> ZoneGraph<'m> {
    /// The zone graph of a model. The predicates asked later must be given now, because the
    /// abstraction has to respect them: for deadlocks it is at most [`Abstraction::M`], which keeps
    /// every choice of steps, and the clock constants of conditions count as constants of the model.
    ///
    /// With comparisons between clocks no abstraction is sound; then zones are kept exact.
    pub fn new(
        model: &'m Model,
        abstraction: Abstraction,
        asked: &[&Predicate],
    ) -> Result<Self, Error> {
        let conditions: Vec<&Condition> =
            asked.iter().flat_map(|predicate| predicate.conditions()).collect();
        let plain = asked.iter().all(|predicate| matches!(predicate, Predicate::Holds(_)));
        let bounds = ClockBounds::new(model, &conditions)?;
        let abstraction = if bounds.has_diagonals() {
            Abstraction::None
        } else if !plain && abstraction != Abstraction::None {
            Abstraction::M
        } else {
            abstraction
        };
        let has_urgent_channels = model.channels.iter().any(|channel| channel.urgent);
        let (codec, tracked) = (Codec::new(model), Tracked::default());
        let (canonical, within) = (None, None);
        Ok(Self {
            model,
            codec,
            bounds,
            abstraction,
            has_urgent_channels,
            canonical,
            tracked,
            within,
        })
    }

    /// Follows runs only as long as they stay inside, or outside: states in which no clock value is there
    /// have no successors.
    #[must_use]
    pub(crate) fn within(self, predicate: &Predicate, outside: bool, span: Span) -> Self {
        let within = match predicate {
            Predicate::Holds(condition) => Some((condition.clone(), outside, span)),
            _ => None,
        };
        Self { within, ..self }
    }

    /// Whether a run that is here has left the states within which it is followed.
    fn has_left(&self, composer: &mut Composer<'m>, state: &DiscreteState) -> Result<bool, Error> {
        let Some((condition, outside, span)) = &self.within else { return Ok(false) };
        let guard = composer.condition(state, condition, *span)?;
        Ok(match outside {
            true => guard.is_always(),
            false => guard.is_never(),
        })
    }

    /// As [`ZoneGraph::new`], for [`Reach`](crate::Reach) only: if no two clocks are compared but in the
    /// predicates, zones are abstracted all the same, and whether those comparisons hold is part of the
    /// discrete state.
    pub fn for_reach(
        model: &'m Model,
        abstraction: Abstraction,
        asked: &[&Predicate],
    ) -> Result<Self, Error> {
        let graph = Self::new(model, abstraction, asked)?;
        if abstraction == Abstraction::None || !graph.bounds.has_diagonals() {
            return Ok(graph);
        }
        let Some((tracked, told)) = Tracked::of(model, asked) else { return Ok(graph) };
        // Whether a step is possible may decide more than comparisons.
        let plain = asked.iter().all(|predicate| matches!(predicate, Predicate::Holds(_)));
        let abstraction = if plain { abstraction } else { Abstraction::M };
        let without = Self::new(model, abstraction, &[&told])?;
        if without.bounds.has_diagonals() {
            return Ok(graph);
        }
        Ok(Self { tracked, ..without })
    }

    /// The comparisons of clocks that are part of discrete states.
    pub(crate) fn tracked(&self) -> &Tracked {
        &self.tracked
    }

    /// Which comparisons of clocks hold in a stored state.
    pub(crate) fn bits(&self, key: &PackedState) -> u8 {
        if self.tracked.is_empty() { 0 } else { key.as_slice().last().copied().unwrap_or(0) }
    }

    /// Packs a discrete state, with the comparisons of clocks that hold.
    fn key(&self, state: &DiscreteState, bits: u8) -> PackedState {
        let key = self.codec.pack(state);
        if self.tracked.is_empty() { key } else { key.with(bits) }
    }

    /// The same graph, in which one state stands for all that arise from it by exchanging values of scalar
    /// sets, as far as the model treats them alike. All predicates asked have to do so, too.
    #[must_use]
    pub fn up_to_symmetry(self) -> Self {
        // Exchanging clocks would exchange the comparisons that are kept, too.
        let canonical = if self.tracked.is_empty() { Canonical::new(self.model) } else { None };
        Self { canonical, ..self }
    }

    /// Whether one state stands for several.
    pub fn is_reduced(&self) -> bool {
        self.canonical.is_some()
    }

    pub(crate) fn canonical(&self) -> Option<&Canonical<'m>> {
        self.canonical.as_ref()
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// How discrete states are packed.
    pub fn codec(&self) -> &Codec {
        &self.codec
    }

    /// How zones are coarsened here.
    pub fn abstraction(&self) -> Abstraction {
        self.abstraction
    }

    /// The largest constant that clocks are compared with.
    pub(crate) fn largest_constant(&self) -> i64 {
        i64::from(self.bounds.largest())
    }

    /// The number of clocks plus one.
    pub fn dimension(&self) -> usize {
        self.model.clocks.len() + 1
    }

    /// A discrete state as clocks see it. `steps` is scratch memory.
    pub(crate) fn elapse(
        &self,
        composer: &mut Composer<'m>,
        state: &DiscreteState,
        steps: &mut Steps,
    ) -> Result<Elapse, Error> {
        if self.has_urgent_channels {
            composer.steps(state, steps);
        } else {
            steps.clear();
        }
        Elapse::of(composer, state, steps)
    }

    /// Whether time may pass in a discrete state, as far as locations and urgent steps decide.
    fn time(&self, composer: &mut Composer<'m>, state: &DiscreteState, steps: &mut Steps) -> Time {
        if composer.stops_time(state) {
            return Time::Stands;
        }
        if !self.has_urgent_channels {
            return Time::Passes;
        }
        composer.steps(state, steps);
        let mut urgent = steps.list.iter().filter(|step| step.urgent);
        if urgent.clone().any(|step| step.guard.is_always() && step.blocked.is_empty()) {
            return Time::Stands;
        }
        if urgent.next().is_some() { Time::DependsOnClocks } else { Time::Passes }
    }

    /// Lets time pass, applies the invariant, coarsens and stores: what is done to the zone of a
    /// worker on arrival.
    fn settle(
        &self,
        worker: &mut Worker<'m>,
        target: &DiscreteState,
        label: StepChoice,
        successors: &mut Vec<Successor<Self>>,
    ) -> Result<(), Error> {
        let invariant = worker.composer.invariant(target)?;
        let [invariant] = &invariant.disjuncts[..] else {
            return self.settle_in_pieces(worker, target, label, successors);
        };
        if !constrain(&mut worker.zone, invariant)? {
            return Ok(());
        }
        match self.time(&mut worker.composer, target, &mut worker.target_steps) {
            Time::Stands => {}
            Time::Passes => {
                worker.zone.delay();
                constrain(&mut worker.zone, invariant)?;
            }
            Time::DependsOnClocks => {
                return self.settle_in_pieces(worker, target, label, successors);
            }
        }
        self.bounds.fill(&target.locations, &mut worker.bounds);
        self.store(worker, target, label, successors);
        Ok(())
    }

    /// As [`ZoneGraph::settle`], where what time leads to need not be convex: each zone of it is a
    /// successor of its own. All have the same label; a run finds its own way between them.
    fn settle_in_pieces(
        &self,
        worker: &mut Worker<'m>,
        target: &DiscreteState,
        label: StepChoice,
        successors: &mut Vec<Successor<Self>>,
    ) -> Result<(), Error> {
        let elapse = self.elapse(&mut worker.composer, target, &mut worker.target_steps)?;
        let mut pieces = elapse.delay(&worker.zone);
        pieces.merge();
        self.bounds.fill(&target.locations, &mut worker.bounds);
        for piece in pieces.into_zones() {
            worker.zone = piece;
            self.store(worker, target, label, successors);
        }
        Ok(())
    }

    /// Coarsens the zone of a worker and stores it. The worker's bounds are those of the target.
    fn store(
        &self,
        worker: &mut Worker<'m>,
        target: &DiscreteState,
        label: StepChoice,
        successors: &mut Vec<Successor<Self>>,
    ) {
        match self.abstraction {
            Abstraction::None | Abstraction::Alu => {}
            Abstraction::M => worker.zone.extrapolate_m(&worker.bounds),
            Abstraction::MPlus => worker.zone.extrapolate_m_plus(&worker.bounds),
            Abstraction::Lu => worker.zone.extrapolate_lu(&worker.bounds),
            Abstraction::LuPlus => worker.zone.extrapolate_lu_plus(&worker.bounds),
        }
        self.active(&worker.bounds, &mut worker.active);
        // The initial state stays as it is, so that runs begin there.
        let arranged = self.canonical.as_ref().filter(|_| label != StepChoice::INITIAL);
        let arranged = arranged.and_then(|canonical| {
            Some((canonical, canonical.arrange(target, &worker.zone, &worker.active)?))
        });
        let Some((canonical, exchange)) = arranged else {
            let key = self.key(target, worker.bits);
            successors.push(Successor { label, key, part: self.pack(worker) });
            return;
        };
        let target = canonical.state(&exchange, target);
        worker.zone = worker.zone.permuted(&clock_sources(&exchange));
        self.bounds.fill(&target.locations, &mut worker.bounds);
        let label = StepChoice { exchange: Canonical::rank(&exchange), ..label };
        let (key, part) = (self.codec.pack(&target), self.pack(worker));
        successors.push(Successor { label, key, part });
    }

    /// The clocks that may be compared with something before they are next set; the others are
    /// not stored. The coarsest inclusion needs all, and so does an exact zone.
    fn active(&self, bounds: &LuBounds, active: &mut Vec<usize>) {
        let all = matches!(self.abstraction, Abstraction::None | Abstraction::Alu);
        let matters =
            |clock: &usize| all || bounds.lower(*clock).is_some() || bounds.upper(*clock).is_some();
        active.clear();
        active.extend((1..self.dimension()).filter(matters));
    }

    /// The clocks that matter in a discrete state: they may be compared with something before they are
    /// next set.
    pub(crate) fn clocks_that_matter(&self, state: &DiscreteState) -> Vec<usize> {
        let mut bounds = self.bounds.empty();
        self.bounds.fill(&state.locations, &mut bounds);
        let matters =
            |clock: &usize| bounds.lower(*clock).is_some() || bounds.upper(*clock).is_some();
        (1..self.dimension()).filter(matters).collect()
    }

    /// Packs the zone of a worker whose bounds are those of the state the zone belongs to.
    fn pack(&self, worker: &mut Worker<'m>) -> PackedZone {
        self.active(&worker.bounds, &mut worker.active);
        worker.zone.pack_clocks(&worker.active)
    }

    /// The zone of a stored state; clocks that do not matter there are free.
    pub fn unpack(&self, state: &DiscreteState, part: &PackedZone) -> Zone {
        let (mut bounds, mut active) = (self.bounds.empty(), Vec::new());
        self.bounds.fill(&state.locations, &mut bounds);
        self.active(&bounds, &mut active);
        let mut zone = Zone::zero(self.dimension());
        part.unpack_clocks_into(&active, &mut zone);
        zone
    }

    /// The successors by all steps of the part of the source that satisfies an alternative of the
    /// invariant, which coarsening may have left.
    fn steps(
        &self,
        worker: &mut Worker<'m>,
        invariant: &[ClockBound],
        successors: &mut Vec<Successor<Self>>,
    ) -> Result<(), Error> {
        if !constrain(&mut worker.source, invariant)? {
            return Ok(());
        }
        for index in 0..worker.steps.list.len() {
            self.step(worker, index, successors)?;
        }
        Ok(())
    }

    fn step(
        &self,
        worker: &mut Worker<'m>,
        index: usize,
        successors: &mut Vec<Successor<Self>>,
    ) -> Result<(), Error> {
        let step = &worker.steps.list[index];
        let alternatives = alternatives(step);
        let mut applied = None;
        for (number, alternative) in alternatives.iter().enumerate() {
            worker.zone.clone_from(&worker.source);
            if !constrain(&mut worker.zone, alternative)? {
                continue;
            }
            if applied.is_none() {
                // A step whose update cannot be carried out is no step.
                let Ok(effect) = worker.composer.apply(&worker.state, &worker.steps.list[index])
                else {
                    return Ok(());
                };
                applied = Some(effect);
            }
            let Some(effect) = &applied else { continue };
            let label = StepChoice {
                step: u32::try_from(index).expect("fewer than 2^32 steps"),
                alternative: u32::try_from(number).expect("fewer than 2^32 alternatives"),
                exchange: 0,
            };
            if self.tracked.is_empty() {
                if assign(&mut worker.zone, &effect.assignments)? {
                    self.settle(worker, &effect.target, label, successors)?;
                }
                continue;
            }
            let bits = worker.source_bits;
            for (zone, bits) in self.tracked.split(&worker.zone, bits, &effect.assignments)? {
                (worker.zone, worker.bits) = (zone, bits);
                if assign(&mut worker.zone, &effect.assignments)? {
                    self.settle(worker, &effect.target, label, successors)?;
                }
            }
        }
        Ok(())
    }
}

impl<'m> TransitionSystem for ZoneGraph<'m> {
    type Key = PackedState;
    type Part = PackedZone;
    type Label = StepChoice;
    type Worker = Worker<'m>;
    type Error = Error;

    fn worker(&self) -> Worker<'m> {
        let composer = Composer::new(self.model);
        Worker {
            state: composer.initial(),
            composer,
            steps: Steps::new(),
            target_steps: Steps::new(),
            bounds: self.bounds.empty(),
            active: Vec::new(),
            source: Zone::zero(self.dimension()),
            zone: Zone::zero(self.dimension()),
            source_bits: 0,
            bits: 0,
        }
    }

    fn initial(
        &self,
        worker: &mut Worker<'m>,
        states: &mut Vec<Successor<Self>>,
    ) -> Result<(), Error> {
        let state = worker.composer.initial();
        worker.zone = Zone::zero(self.dimension());
        worker.bits = self.tracked.initial();
        self.settle(worker, &state, StepChoice::INITIAL, states)
    }

    fn successors(
        &self,
        worker: &mut Worker<'m>,
        key: &PackedState,
        part: &PackedZone,
        successors: &mut Vec<Successor<Self>>,
    ) -> Result<(), Error> {
        self.codec.unpack(key, &mut worker.state);
        if self.has_left(&mut worker.composer, &worker.state)? {
            return Ok(());
        }
        worker.source_bits = self.bits(key);
        let mut steps = std::mem::take(&mut worker.steps);
        worker.composer.steps(&worker.state, &mut steps);
        worker.steps = steps;
        if let Some(awaiting) = worker.steps.awaiting.first() {
            let name = &self.model.channels[awaiting.channel].name;
            return Err(Error::Unsupported(format!(
                "the values of the input `{name}` are too many to be enumerated"
            )));
        }
        self.bounds.fill(&worker.state.locations, &mut worker.bounds);
        self.active(&worker.bounds, &mut worker.active);
        part.unpack_clocks_into(&worker.active, &mut worker.source);
        let invariant = worker.composer.invariant(&worker.state)?;
        if let [invariant] = &invariant.disjuncts[..] {
            return self.steps(worker, invariant, successors);
        }
        let whole = worker.source.clone();
        for conjunction in &invariant.disjuncts {
            worker.source.clone_from(&whole);
            self.steps(worker, conjunction, successors)?;
        }
        Ok(())
    }

    fn covers(&self, key: &PackedState, larger: &PackedZone, smaller: &PackedZone) -> bool {
        if self.abstraction != Abstraction::Alu {
            return larger.includes(smaller);
        }
        let mut state = Composer::new(self.model).initial();
        self.codec.unpack(key, &mut state);
        let mut bounds = self.bounds.empty();
        self.bounds.fill(&state.locations, &mut bounds);
        larger.includes_modulo_alu(smaller, &bounds)
    }

    fn sketch(&self, part: &PackedZone) -> Sketch {
        match self.abstraction {
            // A zone may cover another one that goes further.
            Abstraction::Alu => [0; 16],
            _ => part.sketch(),
        }
    }

    fn size(&self, _: &PackedState, part: &PackedZone) -> usize {
        // Two bytes per bound almost always, and what the allocator adds.
        2 * part.dimension() * part.dimension() + 16
    }
}
