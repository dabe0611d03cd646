//! The product of two models as a transition system: keys are the discrete states of both, parts are
//! zones over the clocks of both, closed under the delays that both allow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashMap;
use tioga_explore::{Successor, TransitionSystem};
use tioga_model::{ChannelId, Composer, DataClasses, DiscreteState, Values};
use tioga_symbolic::{Elapse, Error, PackedState};
use tioga_zones::{Federation, LuBounds, PackedZone, Zone};

use crate::check::{self, Finding};
use crate::question::Question;
use crate::side::{Act, Side, View};

/// The product of an implementation and a specification.
pub struct Product<'m> {
    /// The implementation.
    pub implementation: Side<'m>,
    /// The specification.
    pub specification: Side<'m>,
    /// What is looked for.
    pub question: Question,
    /// The number of clocks of both plus one.
    pub dimension: usize,
    /// Findings that turned out not to show a violation, with where they were made.
    pub dismissed: Vec<(Pair, Finding)>,
    /// The classes of the data of both, if one pair of states of each class is looked at.
    pub data: Option<PairData<'m>>,
    /// Whether the implementation was met where its time stops and that of the specification does not.
    pub stops: AtomicBool,
}

/// Classes of the data of two models side by side, where messages carry many values.
#[derive(Clone, Copy, Debug)]
pub struct PairData<'d> {
    /// Which states stand for all, side by side, and which values of inputs of the implementation.
    pub classes: &'d DataClasses,
    /// How many combinations of values an input has at most that is tried with all of them.
    pub unroll: u64,
}

/// A step: the position of the step of each model among its acts. The specification does not take
/// part in internal steps of the implementation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairStep {
    /// The step of the implementation.
    pub implementation: u32,
    /// The step of the specification.
    pub specification: Option<u32>,
}

/// Why the search ends early.
#[derive(Clone, PartialEq, Debug)]
pub enum Halt {
    /// The relation is violated in this state.
    Found(Finding),
    /// The question cannot be decided this way.
    Undecided(String),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Undecided(error.to_string())
    }
}

/// Views kept by a worker at most, for each side.
const MOST_VIEWS: usize = 1 << 12;

/// One model with the views of its states that were needed lately.
pub struct Viewer<'m> {
    composer: Composer<'m>,
    state: DiscreteState,
    views: FxHashMap<PackedState, Arc<View>>,
}

impl<'m> Viewer<'m> {
    /// For a model.
    pub fn new(side: &Side<'m>, data: Option<PairData<'_>>) -> Self {
        let composer = match data {
            Some(data) => Composer::unrolling(side.model, data.unroll),
            None => Composer::new(side.model),
        };
        Self { state: composer.initial(), composer, views: FxHashMap::default() }
    }

    /// The initial state.
    pub fn initial(&self, side: &Side<'m>) -> PackedState {
        side.codec.pack(&self.composer.initial())
    }

    /// What the model may do in a state.
    pub fn view(&mut self, side: &Side<'m>, state: &PackedState) -> Result<Arc<View>, Error> {
        if let Some(view) = self.views.get(state) {
            return Ok(view.clone());
        }
        side.codec.unpack(state, &mut self.state);
        let view = Arc::new(side.view(&mut self.composer, &self.state, &|_| None)?);
        if self.views.len() >= MOST_VIEWS {
            self.views.clear();
        }
        self.views.insert(state.clone(), view.clone());
        Ok(view)
    }

    /// The same where values of inputs are offered for a pair of states.
    fn offered(
        &mut self,
        side: &Side<'m>,
        state: &DiscreteState,
        joint: &DiscreteState,
        data: PairData<'_>,
    ) -> Result<Arc<View>, Error> {
        let values = |channel| data.classes.values(joint, channel);
        Ok(Arc::new(side.view(&mut self.composer, state, &values)?))
    }

    fn raise(
        &mut self,
        side: &Side<'m>,
        state: &PackedState,
        bounds: &mut LuBounds,
    ) -> Result<(), Error> {
        side.codec.unpack(state, &mut self.state);
        side.raise(&self.state, bounds)
    }
}

/// Scratch memory of one thread.
pub struct Worker<'m> {
    implementation: Viewer<'m>,
    specification: Viewer<'m>,
    /// Views of pairs, where what is offered depends on both.
    pairs: FxHashMap<Pair, (Arc<View>, Arc<View>)>,
}

/// The discrete states of both.
pub type Pair = (PackedState, PackedState);

impl<'m> Product<'m> {
    /// The initial states.
    pub fn start(&self, worker: &Worker<'m>) -> Pair {
        (
            worker.implementation.initial(&self.implementation),
            worker.specification.initial(&self.specification),
        )
    }

    /// The zones that time makes of the points of `set` in a state, coarsened.
    pub fn settle(
        &self,
        worker: &mut Worker<'m>,
        pair: &Pair,
        set: &Federation,
    ) -> Result<Vec<PackedZone>, Error> {
        let place = self.place(worker, pair)?;
        let mut later = Federation::empty(self.dimension);
        for zone in set.zones() {
            later.unite(&place.delay(zone));
        }
        if later.len() > 1 {
            later.merge();
        }
        let exact = self.implementation.has_diagonals() || self.specification.has_diagonals();
        let mut bounds = LuBounds::none(self.dimension);
        worker.implementation.raise(&self.implementation, &pair.0, &mut bounds)?;
        worker.specification.raise(&self.specification, &pair.1, &mut bounds)?;
        let coarsened = later.into_zones().into_iter().map(|mut zone| {
            if !exact {
                zone.extrapolate_lu_plus(&bounds);
            }
            zone.pack()
        });
        Ok(coarsened.collect())
    }

    fn place(&self, worker: &mut Worker<'m>, pair: &Pair) -> Result<Elapse, Error> {
        let (one, other) = self.views(worker, pair)?;
        Ok(one.place.beside(&other.place))
    }

    /// What both models may do in a pair of states.
    pub fn views(
        &self,
        worker: &mut Worker<'m>,
        pair: &Pair,
    ) -> Result<(Arc<View>, Arc<View>), Error> {
        if let Some(data) = self.data {
            if let Some((one, other)) = worker.pairs.get(pair) {
                return Ok((one.clone(), other.clone()));
            }
            let (first, second) = self.unpacked(pair);
            let joint = first.beside(&second);
            let one = worker.implementation.offered(&self.implementation, &first, &joint, data)?;
            let other = worker.specification.offered(&self.specification, &second, &joint, data)?;
            if worker.pairs.len() >= MOST_VIEWS {
                worker.pairs.clear();
            }
            worker.pairs.insert(pair.clone(), (one.clone(), other.clone()));
            return Ok((one, other));
        }
        let one = worker.implementation.view(&self.implementation, &pair.0)?;
        let other = worker.specification.view(&self.specification, &pair.1)?;
        Ok((one, other))
    }

    fn unpacked(&self, pair: &Pair) -> (DiscreteState, DiscreteState) {
        let mut one = Composer::new(self.implementation.model).initial();
        let mut other = Composer::new(self.specification.model).initial();
        self.implementation.codec.unpack(&pair.0, &mut one);
        self.specification.codec.unpack(&pair.1, &mut other);
        (one, other)
    }

    /// The pair that stands for a pair of states.
    pub fn canonical(&self, pair: Pair) -> Pair {
        let Some(data) = self.data else { return pair };
        let (one, other) = self.unpacked(&pair);
        let joint = data.classes.canonical(one.beside(&other));
        let (one, other) = one.apart(&joint);
        (self.implementation.codec.pack(&one), self.specification.codec.pack(&other))
    }

    /// The pairs to which steps lead from a pair.
    pub fn beyond(&self, pair: &Pair, own: Option<&Act>, other: Option<&Act>) -> Vec<Pair> {
        if let Some(data) = self.data {
            let (first, second) = self.unpacked(pair);
            let by = [own, other].map(|act| act.map(|act| act.step.taking()));
            if let Some(all) = data.classes.led_to(&first.beside(&second), by) {
                let packed = |joint: &DiscreteState| {
                    let (one, other) = first.apart(joint);
                    (self.implementation.codec.pack(&one), self.specification.codec.pack(&other))
                };
                return all.iter().map(packed).collect();
            }
        }
        let to = (
            own.map_or_else(|| pair.0.clone(), |act| act.target.clone()),
            other.map_or_else(|| pair.1.clone(), |act| act.target.clone()),
        );
        vec![self.canonical(to)]
    }

    /// Whether values that an input is tried with in two pairs surely stand for different ones, or the states of the
    /// implementation do.
    pub fn are_apart(
        &self,
        channel: ChannelId,
        one: (&Pair, &Values),
        other: (&Pair, &Values),
    ) -> bool {
        let Some(data) = self.data else { return false };
        let offer = |(pair, values): (&Pair, &Values)| {
            let (one, other) = self.unpacked(pair);
            (one.beside(&other), values.clone())
        };
        data.classes.are_apart(channel, offer(one), offer(other))
    }

    /// A pair without the values that stand for others.
    pub fn without_values(&self, pair: Pair) -> Pair {
        let Some(data) = self.data else { return pair };
        let (one, other) = self.unpacked(&pair);
        let initial = |model| Composer::new(model).initial();
        let (first, second) =
            (initial(self.implementation.model), initial(self.specification.model));
        let joint = data.classes.without_values(one.beside(&other), &first.beside(&second));
        let (one, other) = one.apart(&joint);
        (self.implementation.codec.pack(&one), self.specification.codec.pack(&other))
    }

    /// Whether something is wrong where the product may be.
    fn inspect(
        &self,
        pair: &Pair,
        (one, other): (&View, &View),
        here: &Federation,
    ) -> Result<(), Halt> {
        let model = self.specification.model;
        let unclear = check::hidden_choice(model, other, here)
            .or_else(|| check::mixed_styles(one, (model, other), here));
        if let Some(reason) = unclear {
            return Err(Halt::Undecided(reason));
        }
        for (finding, points) in check::violations(self.question, one, other) {
            let dismissed = |(place, what): &(Pair, Finding)| *what == finding && place == pair;
            if points.intersects(here) && !self.dismissed.iter().any(dismissed) {
                return Err(Halt::Found(finding));
            }
        }
        if !self.stops.load(Ordering::Relaxed) && one.stuck.intersects(here) {
            let mut stopped = one.stuck.clone();
            stopped.intersect(here);
            stopped.subtract(&other.stuck);
            self.stops.fetch_or(!stopped.is_empty(), Ordering::Relaxed);
        }
        match check::open_choice(model, other, here) {
            Some(reason) => Err(Halt::Undecided(reason)),
            None => Ok(()),
        }
    }
}

/// The points of `here` at which both steps are possible, after them.
pub fn after(here: &Federation, act: &Act, other: Option<&Act>) -> Federation {
    let mut points = here.clone();
    points.intersect(&act.enabled);
    if let Some(other) = other {
        points.intersect(&other.enabled);
        // The steps concern different clocks, so their order does not matter.
        points = other.jump.successor(&points);
    }
    act.jump.successor(&points)
}

impl<'m> TransitionSystem for Product<'m> {
    type Key = Pair;
    type Part = PackedZone;
    type Label = PairStep;
    type Worker = Worker<'m>;
    type Error = Halt;

    fn worker(&self) -> Worker<'m> {
        Worker {
            implementation: Viewer::new(&self.implementation, self.data),
            specification: Viewer::new(&self.specification, self.data),
            pairs: FxHashMap::default(),
        }
    }

    fn initial(
        &self,
        worker: &mut Worker<'m>,
        states: &mut Vec<Successor<Self>>,
    ) -> Result<(), Halt> {
        let pair = self.start(worker);
        let start = Federation::from(Zone::zero(self.dimension));
        let (one, other) = self.views(worker, &pair)?;
        for (name, view) in [("implementation", one), ("specification", other)] {
            if !view.place.invariant().intersects(&start) {
                let reason = format!("the invariants of the {name} do not hold at the start");
                return Err(Halt::Undecided(reason));
            }
        }
        let label = PairStep { implementation: 0, specification: None };
        Ok(self.step(worker, &pair, label, &start, states)?)
    }

    fn successors(
        &self,
        worker: &mut Worker<'m>,
        pair: &Pair,
        part: &PackedZone,
        successors: &mut Vec<Successor<Self>>,
    ) -> Result<(), Halt> {
        let (one, other) = self.views(worker, pair)?;
        // Coarsening may have left the invariants.
        let mut here = Federation::from(part.unpack());
        here.intersect(one.place.invariant());
        here.intersect(other.place.invariant());
        self.inspect(pair, (&one, &other), &here)?;
        for (index, act) in one.acts.iter().enumerate() {
            let implementation = number(index);
            let Some(action) = &act.action else {
                let points = after(&here, act, None);
                let label = PairStep { implementation, specification: None };
                let pair = self.canonical((act.target.clone(), pair.1.clone()));
                self.step(worker, &pair, label, &points, successors)?;
                continue;
            };
            for (index, partner) in other.acts.iter().enumerate() {
                if partner.action.as_ref() != Some(action) {
                    continue;
                }
                let points = after(&here, act, Some(partner));
                let label = PairStep { implementation, specification: Some(number(index)) };
                let pair = self.canonical((act.target.clone(), partner.target.clone()));
                self.step(worker, &pair, label, &points, successors)?;
            }
        }
        Ok(())
    }

    fn covers(&self, _: &Pair, larger: &PackedZone, smaller: &PackedZone) -> bool {
        larger.includes(smaller)
    }

    fn size(&self, _: &Pair, part: &PackedZone) -> usize {
        part.bytes() + 16
    }
}

impl<'m> Product<'m> {
    fn step(
        &self,
        worker: &mut Worker<'m>,
        pair: &Pair,
        label: PairStep,
        points: &Federation,
        successors: &mut Vec<Successor<Self>>,
    ) -> Result<(), Error> {
        if points.is_empty() {
            return Ok(());
        }
        let zones = self.settle(worker, pair, points)?;
        let successor = |part| Successor { label, key: pair.clone(), part };
        successors.extend(zones.into_iter().map(successor));
        Ok(())
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 steps")
}
