//! Conformance shown by a simulation, where the state of the specification is not known after each trace.
//!
//! A game on the product: the implementation moves, time passes as it allows, and one run of the specification
//! follows, choosing among the steps that show the same and making internal steps of its own at any moment. The points
//! at which it cannot go on following are a least fixed point of federations ([`Game::lost_at`]). If the start is not
//! among them, each trace of the implementation is one of the specification as far as inputs are specified, so the
//! implementation conforms. The converse does not hold: a specification may need to know what comes next.
//!
//! Two things depend on all runs of the specification with the same trace, and not only on the one that follows:
//! whether an input is specified at all, and whether the tester is to blame for waiting. They are decided on all
//! states of the specification that the product meets beside the same implementation, which are more.
//!
//! Where messages carry many values, pairs of states stand for others, and a step may lead to several of them (a *cover* of
//! the data). The run that follows chooses before it is known to which. Which inputs are specified is then asked of all
//! states that differ in such values only.
//!
//! The run that follows must not put a step off for ever by internal steps that take no time. Steps on cycles that may
//! take none ([`LastingSteps`]) are rationed: so many may be made between two steps of the implementation.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tioga_base::Cancel;
use tioga_explore::{SearchOptions, Statistics, Stop, Successor, TransitionSystem, search};
use tioga_model::ChannelId;
use tioga_symbolic::{Elapse, Error, PackedState};
use tioga_zones::{Arrival, Federation, PackedZone, Point, Zone};

use crate::check::{left_to_the_tester, outside, possible};
use crate::product::{Pair, Product, Worker, after};
use crate::relation::Relation;
use crate::side::{Act, Action, View};
use crate::watching::Watching;
use crate::zeno::LastingSteps;

/// How many zones the points of a state at which the game is lost have at most.
const MOST_ZONES: usize = 120;

/// How many zones may be computed until there is no answer, those that are computed again included.
const MOST_WORK: usize = 10_000;

/// How many internal steps on cycles that may take no time are made between two steps of the implementation.
const RATION: usize = 2;

/// What a simulation shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Simulated {
    /// Whether the time of the implementation may stop where that of the specification does not.
    pub stops: bool,
}

/// Both models with all steps of both: of the specification all that show the same, and internal ones at any moment.
struct Together<'p, 'm>(&'p Product<'m>);

impl<'m> TransitionSystem for Together<'_, 'm> {
    type Key = Pair;
    type Part = PackedZone;
    type Label = ();
    type Worker = Worker<'m>;
    type Error = Error;

    fn worker(&self) -> Worker<'m> {
        self.0.worker()
    }

    fn initial(
        &self,
        worker: &mut Worker<'m>,
        states: &mut Vec<Successor<Self>>,
    ) -> Result<(), Error> {
        let pair = self.0.start(worker);
        let start = Federation::from(Zone::zero(self.0.dimension));
        self.add(worker, pair, &start, states)
    }

    fn successors(
        &self,
        worker: &mut Worker<'m>,
        pair: &Pair,
        part: &PackedZone,
        successors: &mut Vec<Successor<Self>>,
    ) -> Result<(), Error> {
        let (own, other) = self.0.views(worker, pair)?;
        // Coarsening may have left the invariants.
        let mut here = Federation::from(part.unpack());
        here.intersect(own.place.invariant());
        here.intersect(other.place.invariant());
        for act in &own.acts {
            for partner in partners(act, &other) {
                let points = after(&here, act, partner);
                for pair in self.0.beyond(pair, Some(act), partner) {
                    self.add(worker, pair, &points, successors)?;
                }
            }
        }
        for act in other.acts.iter().filter(|act| act.action.is_none()) {
            let points = after(&here, act, None);
            for pair in self.0.beyond(pair, None, Some(act)) {
                self.add(worker, pair, &points, successors)?;
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

impl<'m> Together<'_, 'm> {
    fn add(
        &self,
        worker: &mut Worker<'m>,
        pair: Pair,
        points: &Federation,
        successors: &mut Vec<Successor<Self>>,
    ) -> Result<(), Error> {
        if points.is_empty() {
            return Ok(());
        }
        let zones = self.0.settle(worker, &pair, points)?;
        let successor = |part| Successor { label: (), key: pair.clone(), part };
        successors.extend(zones.into_iter().map(successor));
        Ok(())
    }
}

/// The ways in which the specification takes part in a step: not at all if it is internal.
fn partners<'v>(act: &Act, other: &'v View) -> Vec<Option<&'v Act>> {
    let Some(action) = &act.action else { return vec![None] };
    let fitting = other.acts.iter().filter(|partner| partner.action.as_ref() == Some(action));
    fitting.map(Some).collect()
}

/// One pair of discrete states in the game.
struct Node {
    pair: Pair,
    /// The state of the implementation, without values that stand for others.
    same: PackedState,
    own: Arc<View>,
    other: Arc<View>,
    /// The positions of the internal steps of the specification, and whether each is rationed.
    silent: Vec<(usize, bool)>,
    joint: Elapse,
    /// Where the product may be.
    reached: Federation,
    /// Where the game is lost, by how many rationed steps are left.
    lost: Vec<Federation>,
    /// The pairs in which this one matters.
    before: Vec<usize>,
}

impl Node {
    fn silent(&self) -> impl Iterator<Item = (&Act, bool)> {
        self.silent.iter().map(|(index, rationed)| (&self.other.acts[*index], *rationed))
    }
}

/// The game.
struct Game<'p, 'm> {
    product: &'p Product<'m>,
    nodes: Vec<Node>,
    positions: FxHashMap<Pair, usize>,
    /// The positions of the nodes that have the same state of the implementation, up to values that stand for others.
    beside: FxHashMap<PackedState, Vec<usize>>,
    /// The inputs whose values stand for others.
    standing: Vec<ChannelId>,
    /// Whether waiting for an input that the tester owes is excused.
    served: bool,
    /// Whether the specification must have stopped its time where the implementation has.
    stopping: bool,
    /// How many rationed steps there are after a step of the implementation.
    ration: usize,
}

/// Looks for a simulation. `None` if none was found, which shows nothing.
pub fn simulate(
    product: &Product<'_>,
    relation: Relation,
    options: &SearchOptions,
    report: &mut dyn FnMut(&Statistics),
) -> Option<(Simulated, Statistics)> {
    let together = Together(product);
    let outcome = search(&together, options, &mut Watching(report));
    if outcome.stop != Stop::Exhausted {
        return None;
    }
    let zones = outcome.store.stored().map(|(_, pair, part)| (pair, part));
    let served = relation == Relation::ConformsWhenServed;
    let mut game = Game::new(product, zones, served).ok()?;
    if relation == Relation::Refines && !game.inputs_are_taken() {
        return None;
    }
    let cancel = &options.limits.cancel;
    let stops = served && game.nodes.iter().any(|node| node.own.stuck.intersects(&node.reached));
    if stops {
        game.stopping = true;
        if game.is_won(cancel)? {
            return Some((Simulated { stops: false }, outcome.statistics));
        }
        game.stopping = false;
        game.forget();
    }
    game.is_won(cancel)?.then_some((Simulated { stops }, outcome.statistics))
}

impl<'p, 'm> Game<'p, 'm> {
    fn new<'s>(
        product: &'p Product<'m>,
        zones: impl Iterator<Item = (&'s Pair, &'s PackedZone)>,
        served: bool,
    ) -> Result<Self, Error> {
        let mut worker = product.worker();
        let (positions, beside) = (FxHashMap::default(), FxHashMap::default());
        let offers = product.data.map(|data| data.classes.offers()).unwrap_or_default();
        let mut game = Self {
            product,
            nodes: Vec::new(),
            positions,
            beside,
            standing: offers.into_keys().collect(),
            served,
            stopping: false,
            ration: 0,
        };
        for (pair, zone) in zones {
            let position = match game.positions.get(pair) {
                Some(position) => *position,
                None => game.add(&mut worker, pair)?,
            };
            game.nodes[position].reached.add(zone.unpack());
        }
        game.link();
        game.forget();
        Ok(game)
    }

    fn forget(&mut self) {
        let none = vec![Federation::empty(self.product.dimension); self.ration + 1];
        self.nodes.iter_mut().for_each(|node| node.lost.clone_from(&none));
    }

    fn add(&mut self, worker: &mut Worker<'m>, pair: &Pair) -> Result<usize, Error> {
        let (own, other) = self.product.views(worker, pair)?;
        let joint = own.place.beside(&other.place);
        let (reached, lost) = (Federation::empty(self.product.dimension), Vec::new());
        let (pair, before, silent) = (pair.clone(), Vec::new(), Vec::new());
        let position = self.nodes.len();
        self.positions.insert(pair.clone(), position);
        let same = self.product.without_values(pair.clone()).0;
        self.beside.entry(same.clone()).or_default().push(position);
        self.nodes.push(Node { pair, same, own, other, silent, joint, reached, lost, before });
        Ok(position)
    }

    /// Finds the internal steps that are rationed, and notes which nodes depend on which.
    fn link(&mut self) {
        let clocks = 1 + self.product.specification.before..self.product.dimension;
        let states = self.nodes.iter().map(|node| (&node.pair.1, node.other.as_ref()));
        let (product, first) = (self.product, self.product.start(&self.product.worker()).0);
        let known_of =
            |state: &PackedState| product.without_values((first.clone(), state.clone())).1;
        let lasting = LastingSteps::new(states, known_of, clocks);
        for node in &mut self.nodes {
            let acts = node.other.acts.iter().enumerate();
            let silent = acts.filter(|(_, act)| act.action.is_none());
            let from = known_of(&node.pair.1);
            let rationed = |act: &Act| !lasting.contains(&from, &known_of(&act.target));
            node.silent = silent.map(|(index, act)| (index, rationed(act))).collect();
            if node.silent.iter().any(|(_, rationed)| *rationed) {
                self.ration = RATION;
            }
        }
        for position in 0..self.nodes.len() {
            let node = &self.nodes[position];
            let own = node.own.acts.iter().flat_map(|act| {
                let partners = partners(act, &node.other).into_iter();
                let all = partners.flat_map(|one| product.beyond(&node.pair, Some(act), one));
                all.collect::<Vec<_>>()
            });
            let other = node.silent();
            let other = other.flat_map(|(act, _)| product.beyond(&node.pair, None, Some(act)));
            let mut targets: Vec<usize> =
                own.chain(other).filter_map(|pair| self.positions.get(&pair).copied()).collect();
            targets.sort_unstable();
            targets.dedup();
            for target in targets {
                self.nodes[target].before.push(position);
            }
        }
    }

    /// Where the game is lost after these steps with so many rationed steps left, seen before them: in one of the pairs that
    /// they may lead to. A pair that the product never meets is not entered.
    fn lost_by(
        &self,
        node: &Node,
        (own, other): (Option<&Act>, Option<&Act>),
        left: usize,
    ) -> Federation {
        let mut points = Federation::empty(self.product.dimension);
        for pair in self.product.beyond(&node.pair, own, other) {
            if let Some(target) = self.positions.get(&pair) {
                points.unite(&self.nodes[*target].lost[left]);
            }
        }
        for act in [own, other].into_iter().flatten() {
            points = act.jump.predecessor(&points);
        }
        points
    }

    /// Whether the start is not lost; `None` if that takes too much work.
    fn is_won(&mut self, cancel: &Cancel) -> Option<bool> {
        let mut waiting: Vec<usize> = (0..self.nodes.len()).collect();
        let mut queued = vec![true; self.nodes.len()];
        let start = Point::new(&vec![0; self.product.dimension - 1], 1);
        let first = self.product.start(&self.product.worker());
        let first = *self.positions.get(&first)?;
        let mut work = 0;
        while let Some(position) = waiting.pop() {
            if cancel.is_cancelled() || work > MOST_WORK {
                return None;
            }
            queued[position] = false;
            let mut changed = false;
            for left in 0..=self.ration {
                let mut lost = self.lost_at(position, left);
                lost.merge();
                work += 1 + lost.len();
                if lost.len() > MOST_ZONES {
                    return None;
                }
                if self.nodes[position].lost[left].includes(&lost) {
                    continue;
                }
                if position == first && left == self.ration && lost.contains(&start) {
                    return Some(false);
                }
                self.nodes[position].lost[left] = lost;
                changed = true;
            }
            if !changed {
                continue;
            }
            for before in self.nodes[position].before.clone() {
                if !std::mem::replace(&mut queued[before], true) {
                    waiting.push(before);
                }
            }
        }
        Some(true)
    }

    /// The points of a pair of states at which the run of the specification cannot go on following.
    fn lost_at(&self, position: usize, left: usize) -> Federation {
        let node = &self.nodes[position];
        let (own, other) = (&node.own, &node.other);
        let mut unmatched = Federation::empty(self.product.dimension);
        for act in &own.acts {
            unmatched.unite(&self.unmatched(node, act));
        }
        if self.stopping {
            let mut stopped = own.stuck.clone();
            stopped.subtract(&other.stuck);
            unmatched.unite(&stopped);
        }
        unmatched.intersect(other.place.invariant());
        let mut ways = Federation::empty(self.product.dimension);
        for (act, rationed) in node.silent() {
            let Some(left) = left.checked_sub(usize::from(rationed)) else { continue };
            let mut good = act.enabled.clone();
            good.subtract(&self.lost_by(node, (None, Some(act)), left));
            ways.unite(&good);
        }
        // Where the specification lets no more time pass and the implementation does.
        let mut late = own.may_wait.clone();
        late.subtract(&other.may_wait);
        late.unite(&other.place.invariant().complement());
        let mut lost = own.place.timed_predecessor(&late, &ways, Arrival::Safe);
        if self.served && !lost.is_empty() {
            let mut excused = left_to_the_tester(other);
            excused.subtract(&self.elsewhere(node, |beside| {
                let mut points = beside.other.place.invariant().clone();
                points.subtract(&left_to_the_tester(&beside.other));
                points
            }));
            lost.subtract(&excused);
        }
        lost.unite(&node.joint.timed_predecessor(&unmatched, &ways, Arrival::Safe));
        lost.intersect(own.place.invariant());
        lost.intersect(other.place.invariant());
        lost.intersect(&node.reached);
        lost
    }

    /// Where the implementation makes a step that the specification does not match.
    fn unmatched(&self, node: &Node, act: &Act) -> Federation {
        let Some(action) = &act.action else {
            let mut points = self.lost_by(node, (Some(act), None), self.ration);
            points.intersect(&act.enabled);
            return points;
        };
        let mut points = act.enabled.clone();
        for partner in partners(act, &node.other).into_iter().flatten() {
            let mut good = act.enabled.clone();
            good.intersect(&partner.enabled);
            good.subtract(&self.lost_by(node, (Some(act), Some(partner)), self.ration));
            points.subtract(&good);
        }
        if action.has_input() && !points.is_empty() {
            // What follows an input that no run with this trace takes is not specified.
            points.intersect(&self.elsewhere(node, |beside| {
                possible(&beside.other, |other| self.may_be_same_input(node, action, beside, other))
            }));
        }
        points
    }

    /// Whether an input of the implementation and one of the specification beside it may be the same. Values that stand for
    /// others are the same unless they are known to be apart.
    fn may_be_same_input(
        &self,
        node: &Node,
        action: &Action,
        beside: &Node,
        other: &Action,
    ) -> bool {
        match action.input() {
            Some(channel) if self.standing.contains(&channel) => {
                other.input() == Some(channel) && {
                    let (one, other) = (action.arguments(), other.arguments());
                    !self.product.are_apart(channel, (&node.pair, one), (&beside.pair, other))
                }
            }
            _ => action.same_input(other),
        }
    }

    /// Where some state of the specification beside this state of the implementation has points as computed, seen on
    /// the clocks of the implementation.
    fn elsewhere(&self, node: &Node, points: impl Fn(&Node) -> Federation) -> Federation {
        let mut found = Federation::empty(self.product.dimension);
        for position in &self.beside[&node.same] {
            let other = &self.nodes[*position];
            let mut some = points(other);
            some.intersect(&other.reached);
            for clock in 1 + self.product.specification.before..self.product.dimension {
                some.free(clock);
            }
            found.unite(&some);
        }
        found
    }

    /// Whether the implementation takes each input that the specification takes in any pair of states.
    fn inputs_are_taken(&self) -> bool {
        self.nodes.iter().all(|node| {
            node.other.acts.iter().all(|act| {
                let Some(action) = act.action.as_ref().filter(|action| action.has_input()) else {
                    return true;
                };
                let refused = outside(act, &node.own, |own| own.same_input(action));
                !refused.intersects(&node.reached)
            })
        })
    }
}
