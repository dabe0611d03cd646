//! Symbolic states and their successors.

use smallvec::SmallVec;
use tioga_base::Id;
use tioga_explore::{Successor, System};
use tioga_model::{
    ClockAssignment, ClockBound, ClockConjunction, Composer, Condition, DiscreteState, Model, Move,
    Moves, Predicate,
};
use tioga_zones::{Bound, LuBounds, PackedZone, Zone};

use crate::{ClockBounds, Codec, Error, PackedState};

/// How zones are coarsened so that finitely many suffice. None changes which discrete states and
/// moves are reachable.
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

/// A step: which of the state's joint moves, and which alternative of its clock condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StepLabel {
    /// The position in the enumeration of [`Composer::moves`].
    pub step: u32,
    /// The position in [`alternatives`].
    pub alternative: u32,
}

/// The zone graph of a model.
#[derive(Debug)]
pub struct ZoneGraph<'m> {
    model: &'m Model,
    codec: Codec,
    bounds: ClockBounds,
    abstraction: Abstraction,
    has_urgent_channels: bool,
}

/// Scratch memory of one thread.
#[derive(Debug)]
pub struct Worker<'m> {
    composer: Composer<'m>,
    state: DiscreteState,
    moves: Moves,
    target_moves: Moves,
    bounds: LuBounds,
    /// The clocks that matter in the state at hand.
    active: Vec<usize>,
    /// The zone whose successors are computed, within its invariant.
    source: Zone,
    zone: Zone,
}

impl<'m> ZoneGraph<'m> {
    /// The zone graph of a model. The predicates asked later must be given now, because the
    /// abstraction has to respect them: for deadlocks it is at most [`Abstraction::M`], which keeps
    /// every choice of moves, and the clock constants of conditions count as constants of the model.
    ///
    /// With comparisons between clocks no abstraction is sound; then zones are kept exact.
    pub fn new(
        model: &'m Model,
        abstraction: Abstraction,
        asked: &[&Predicate],
    ) -> Result<Self, Error> {
        let conditions: Vec<&Condition> = asked
            .iter()
            .filter_map(|predicate| match predicate {
                Predicate::Holds(condition) => Some(condition),
                Predicate::Deadlock | Predicate::NoDeadlock => None,
            })
            .collect();
        let bounds = ClockBounds::new(model, &conditions)?;
        let abstraction = if bounds.has_diagonals() {
            Abstraction::None
        } else if conditions.len() < asked.len() && abstraction != Abstraction::None {
            Abstraction::M
        } else {
            abstraction
        };
        let has_urgent_channels = model.channels.iter().any(|channel| channel.urgent);
        Ok(Self { model, codec: Codec::new(model), bounds, abstraction, has_urgent_channels })
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

    /// The number of clocks plus one.
    pub fn dimension(&self) -> usize {
        self.model.clocks.len() + 1
    }

    /// Whether time may pass in a discrete state, as far as locations and urgent moves decide.
    pub fn may_delay(
        &self,
        composer: &mut Composer<'m>,
        state: &DiscreteState,
        moves: &mut Moves,
    ) -> Result<bool, Error> {
        if composer.stops_time(state) {
            return Ok(false);
        }
        if !self.has_urgent_channels {
            return Ok(true);
        }
        composer.moves(state, moves);
        let mut urgent = moves.list.iter().filter(|step| step.urgent);
        if urgent.clone().any(|step| step.guard.is_always() && step.blocked.is_empty()) {
            return Ok(false);
        }
        if urgent.next().is_some() {
            return Err(Error::Unsupported(
                "an edge on an urgent channel has a clock guard".to_owned(),
            ));
        }
        Ok(true)
    }

    /// The invariant of a discrete state as one conjunction; `None` if it is false.
    pub fn invariant(
        &self,
        composer: &mut Composer<'m>,
        state: &DiscreteState,
    ) -> Result<Option<ClockConjunction>, Error> {
        let invariant = composer.invariant(state)?;
        let mut disjuncts = invariant.disjuncts.into_iter();
        match (disjuncts.next(), disjuncts.next()) {
            (first, None) => Ok(first),
            _ => Err(Error::Unsupported("an invariant is a disjunction over clocks".to_owned())),
        }
    }

    /// Lets time pass, applies the invariant and coarsens: what is done to a zone on arrival.
    /// False if nothing is left.
    fn settle(&self, worker: &mut Worker<'m>, target: &DiscreteState) -> Result<bool, Error> {
        let Some(invariant) = self.invariant(&mut worker.composer, target)? else {
            return Ok(false);
        };
        if !constrain(&mut worker.zone, &invariant)? {
            return Ok(false);
        }
        if self.may_delay(&mut worker.composer, target, &mut worker.target_moves)? {
            worker.zone.delay();
            constrain(&mut worker.zone, &invariant)?;
        }
        self.bounds.fill(&target.locations, &mut worker.bounds);
        match self.abstraction {
            Abstraction::None | Abstraction::Alu => {}
            Abstraction::M => worker.zone.extrapolate_m(&worker.bounds),
            Abstraction::MPlus => worker.zone.extrapolate_m_plus(&worker.bounds),
            Abstraction::Lu => worker.zone.extrapolate_lu(&worker.bounds),
            Abstraction::LuPlus => worker.zone.extrapolate_lu_plus(&worker.bounds),
        }
        Ok(true)
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

    fn step(
        &self,
        worker: &mut Worker<'m>,
        index: usize,
        successors: &mut Vec<Successor<Self>>,
    ) -> Result<(), Error> {
        let step = &worker.moves.list[index];
        let alternatives = alternatives(step);
        let mut applied = None;
        for (number, alternative) in alternatives.iter().enumerate() {
            worker.zone.clone_from(&worker.source);
            if !constrain(&mut worker.zone, alternative)? {
                continue;
            }
            if applied.is_none() {
                // A move whose update cannot be carried out is no move.
                let Ok(effect) = worker.composer.apply(&worker.state, &worker.moves.list[index])
                else {
                    return Ok(());
                };
                applied = Some(effect);
            }
            let Some(effect) = &applied else { continue };
            if !assign(&mut worker.zone, &effect.assignments)? {
                continue;
            }
            if self.settle(worker, &effect.target)? {
                let label = StepLabel {
                    step: u32::try_from(index).expect("fewer than 2^32 moves"),
                    alternative: u32::try_from(number).expect("fewer than 2^32 alternatives"),
                };
                let key = self.codec.pack(&effect.target);
                successors.push(Successor { label, key, part: self.pack(worker) });
            }
        }
        Ok(())
    }
}

impl<'m> System for ZoneGraph<'m> {
    type Key = PackedState;
    type Part = PackedZone;
    type Label = StepLabel;
    type Worker = Worker<'m>;
    type Error = Error;

    fn worker(&self) -> Worker<'m> {
        let composer = Composer::new(self.model);
        Worker {
            state: composer.initial(),
            composer,
            moves: Moves::new(),
            target_moves: Moves::new(),
            bounds: self.bounds.empty(),
            active: Vec::new(),
            source: Zone::zero(self.dimension()),
            zone: Zone::zero(self.dimension()),
        }
    }

    fn initial(
        &self,
        worker: &mut Worker<'m>,
        states: &mut Vec<Successor<Self>>,
    ) -> Result<(), Error> {
        let state = worker.composer.initial();
        worker.zone = Zone::zero(self.dimension());
        if self.settle(worker, &state)? {
            let label = StepLabel { step: 0, alternative: 0 };
            let key = self.codec.pack(&state);
            states.push(Successor { label, key, part: self.pack(worker) });
        }
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut Worker<'m>,
        key: &PackedState,
        part: &PackedZone,
        successors: &mut Vec<Successor<Self>>,
    ) -> Result<(), Error> {
        self.codec.unpack(key, &mut worker.state);
        let mut moves = std::mem::take(&mut worker.moves);
        worker.composer.moves(&worker.state, &mut moves);
        worker.moves = moves;
        if let Some(awaiting) = worker.moves.awaiting.first() {
            let name = &self.model.channels[awaiting.channel].name;
            return Err(Error::Unsupported(format!(
                "the values of the input `{name}` are too many to be enumerated"
            )));
        }
        self.bounds.fill(&worker.state.locations, &mut worker.bounds);
        self.active(&worker.bounds, &mut worker.active);
        part.unpack_clocks_into(&worker.active, &mut worker.source);
        // Coarsening may have left the invariant.
        let invariant = self.invariant(&mut worker.composer, &worker.state)?;
        if !constrain(&mut worker.source, &invariant.unwrap_or_default())? {
            return Ok(());
        }
        for index in 0..worker.moves.list.len() {
            self.step(worker, index, successors)?;
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

    fn size(&self, _: &PackedState, part: &PackedZone) -> usize {
        // Two bytes per bound almost always, and what the allocator adds.
        2 * part.dimension() * part.dimension() + 16
    }
}

/// The clock condition of a move as alternatives that exclude each other where some process has to
/// stand aside: the guard holds, and no guard of those who stand aside does.
pub fn alternatives(step: &Move) -> SmallVec<[ClockConjunction; 1]> {
    let mut all: SmallVec<[ClockConjunction; 1]> = step.guard.disjuncts.clone();
    for blocked in &step.blocked {
        for conjunction in &blocked.guard.disjuncts {
            all = outside(&all, conjunction);
        }
    }
    all
}

/// Splits each alternative into the parts in which the conjunction is false.
fn outside(
    all: &[ClockConjunction],
    conjunction: &ClockConjunction,
) -> SmallVec<[ClockConjunction; 1]> {
    let mut split = SmallVec::new();
    for alternative in all {
        let mut holding = alternative.clone();
        for bound in conjunction {
            let mut part = holding.clone();
            part.push(negated(*bound));
            split.push(part);
            holding.push(*bound);
        }
    }
    split
}

/// The bound that holds exactly where this one does not.
fn negated(bound: ClockBound) -> ClockBound {
    ClockBound { left: bound.right, right: bound.left, strict: !bound.strict, bound: -bound.bound }
}

/// A clock bound as zones have it: indices and a packed bound.
pub(crate) fn zone_bound(bound: &ClockBound) -> Result<(usize, usize, Bound), Error> {
    let index = |clock: Option<tioga_model::ClockId>| clock.map_or(0, |clock| clock.index() + 1);
    let constant = i32::try_from(bound.bound)
        .ok()
        .and_then(|constant| {
            let packed = if bound.strict { Bound::lt(constant) } else { Bound::le(constant) };
            packed.ok()
        })
        .ok_or_else(|| {
            Error::Unsupported(format!("the clock constant {} is too large", bound.bound))
        })?;
    Ok((index(bound.left), index(bound.right), constant))
}

/// Keeps what satisfies all bounds; false if nothing does.
pub(crate) fn constrain(zone: &mut Zone, bounds: &[ClockBound]) -> Result<bool, Error> {
    for bound in bounds {
        let (i, j, bound) = zone_bound(bound)?;
        if zone.constrain(i, j, bound).is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Carries out assignments in order; false if a clock would become negative everywhere.
pub(crate) fn assign(zone: &mut Zone, assignments: &[ClockAssignment]) -> Result<bool, Error> {
    let too_large =
        |value: i64| Error::Unsupported(format!("the clock constant {value} is too large"));
    for assignment in assignments {
        let clock = assignment.clock.index() + 1;
        let value = assignment.value;
        match assignment.source {
            None => {
                let value = u32::try_from(value).ok().filter(|v| *v < 1 << 27);
                zone.reset(clock, value.ok_or_else(|| too_large(assignment.value))?);
            }
            Some(source) => {
                let offset = i32::try_from(value).ok().filter(|v| v.abs() < 1 << 27);
                let offset = offset.ok_or_else(|| too_large(value))?;
                if zone.assign(clock, source.index() + 1, offset).is_err() {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}
