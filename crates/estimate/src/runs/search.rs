//! The search for explanations: symbolic states with the ways that lead to them, observation by observation.
//!
//! A piece is a discrete state, how many of the inputs under way have arrived, and a zone of the model's clocks and the
//! time. Between observations pieces advance by delays, silent steps and arrivals of inputs. A piece that is included in
//! another is dropped, and the other takes over its ways: so what all ways have in common may be underestimated, and
//! never the other way round. Where only one piece is left, what came before is settled.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use indexmap::IndexMap;
use tioga_base::Rational;
use tioga_model::{ClockAssignment, ClockConjunction, Composer, Model, Step, Steps};
use tioga_symbolic::{ClockBounds, Elapse, Jump, alternatives};
use tioga_testcase::Action;
use tioga_zones::{Bound, Federation, LuBounds, Zone};

use super::explained::{Certain, Seen};
use super::trails::{Taken, TrailId, Trails, Window};
use crate::frame::{Frame, LARGEST, Units, common_multiple, just_reached};
use crate::model_board::{label, supply};
use crate::node::{lifted, scaled, set, times};
use crate::{BoardLabel, Error, Latencies, ModelState};

/// How many pieces may be met between two observations.
const LIMIT: usize = 4000;

/// What was found.
pub struct Found {
    pub path: Vec<Taken>,
    pub certain: Certain,
    pub alone: bool,
    pub explained: usize,
    /// The time that the run lasts at least.
    pub reached: Rational,
}

/// A discrete state, ready for zones.
struct Place {
    elapse: Elapse,
    moves: Vec<Move>,
    bounds: Option<LuBounds>,
}

#[derive(Clone)]
struct Move {
    label: BoardLabel,
    jump: Jump,
    taken: Option<(Rc<Step>, Rc<ClockConjunction>)>,
    target: usize,
}

#[derive(Clone)]
struct Piece {
    place: usize,
    arrived: usize,
    zone: Zone,
    trail: TrailId,
}

/// An input that may not have arrived yet.
struct Sent {
    action: Action,
    window: Window,
    seen: usize,
}

pub struct Search<'m, 'b> {
    composer: Composer<'m>,
    bounds: &'b ClockBounds,
    latencies: Latencies,
    frame: Frame,
    units: Units,
    places: IndexMap<ModelState, Option<Place>>,
    /// The inputs that carry values, which steps are made for where all values are too many.
    inputs: Vec<Action>,
    trails: Trails,
    pieces: Vec<Piece>,
    pending: VecDeque<Sent>,
    path: Vec<Taken>,
    certain: Certain,
    alone: bool,
    reached: Rational,
}

impl<'m, 'b> Search<'m, 'b> {
    pub fn new(
        model: &'m Model,
        bounds: &'b ClockBounds,
        latencies: &Latencies,
        seen: &[Seen],
    ) -> Result<Self, Error> {
        let frame = Frame::new(model.clocks.len(), true);
        let largest = i64::from(bounds.largest()).max(1);
        let units =
            Units { scale: scale(model.scale, largest, latencies, seen)?, origin: Rational::ZERO };
        let composer = Composer::new(model);
        let inputs = seen.iter().filter_map(|one| match one {
            Seen::Input(action, _) if !action.values.is_empty() => Some(action.clone()),
            _ => None,
        });
        let mut inputs: Vec<Action> = inputs.collect();
        inputs.sort();
        inputs.dedup();
        let initial = ModelState { discrete: composer.initial(), owes: None };
        let mut search = Self {
            composer,
            bounds,
            latencies: *latencies,
            frame,
            units,
            places: IndexMap::from([(initial, None)]),
            inputs,
            trails: Trails::new(),
            pieces: Vec::new(),
            pending: VecDeque::new(),
            path: Vec::new(),
            certain: Certain::default(),
            alone: true,
            reached: Rational::ZERO,
        };
        search.ready(0)?;
        let mut start = Federation::from(Zone::zero(frame.dimension));
        start.intersect(search.place(0).elapse.invariant());
        let pieces = start.into_zones().into_iter();
        search.pieces = pieces.map(|zone| Piece { place: 0, arrived: 0, zone, trail: 0 }).collect();
        Ok(search)
    }

    /// Explains as many observations as possible.
    pub fn run(mut self, seen: &[Seen]) -> Result<Found, Error> {
        let mut explained = 0;
        for (index, one) in seen.iter().enumerate() {
            let Some(pieces) = self.explain(index, one)? else {
                self.wait_for(one)?;
                break;
            };
            self.settle(pieces)?;
            explained += 1;
        }
        // Inputs under way that have arrived in no explanation are no part of the run.
        let ends: Vec<TrailId> = self.pieces.iter().map(|piece| piece.trail).collect();
        let (certain, alone) = self.trails.certain(self.composer.model(), &ends);
        if let Some(first) = ends.first() {
            self.path.extend(self.trails.path(*first));
        }
        self.certain.add(&certain);
        Ok(Found {
            path: self.path,
            certain: self.certain,
            alone: self.alone && alone,
            explained,
            reached: self.reached,
        })
    }

    /// Lets time pass, as far as the model allows, towards an observation that nothing explains.
    fn wait_for(&mut self, seen: &Seen) -> Result<(), Error> {
        let time = match seen {
            Seen::Input(_, at) | Seen::Output(_, at) => at.earliest(),
            Seen::Quiet(until) => *until,
        };
        let clock = self.frame.time;
        if time <= self.units.origin {
            return Ok(());
        }
        let mut pieces =
            self.advance(self.pieces.clone(), self.units.upper(time, Rational::ZERO)?)?;
        let Some(latest) = pieces.iter().map(|piece| piece.zone.bound(clock, 0)).max() else {
            return Ok(());
        };
        let Some(units) = latest.constant().map(i64::from) else { return Ok(()) };
        // Where the last moment is excluded, one unit before it.
        let units = if latest.is_strict() { units - 1 } else { units };
        let from = self.units.at(units)?.max(self.units.origin);
        let bound = self.units.lower(from, Rational::ZERO)?;
        pieces.retain_mut(|piece| piece.zone.constrain(0, clock, bound).is_ok());
        if pieces.is_empty() {
            return Ok(());
        }
        self.reached = self.reached.max(from);
        self.settle(pieces)
    }

    /// The pieces right after an observation; nothing if none explains it.
    fn explain(&mut self, index: usize, seen: &Seen) -> Result<Option<Vec<Piece>>, Error> {
        let latencies = self.latencies;
        let pieces = match seen {
            Seen::Input(action, at) if latencies.is_none() => {
                let window = (at.earliest(), at.latest());
                self.take(&BoardLabel::Input(action.clone()), window, index)?
            }
            Seen::Input(action, at) => {
                let latest = at.latest().add(latencies.input.latest())?.add(latencies.jitter)?;
                let window = (at.earliest().add(latencies.input.earliest())?, latest);
                self.pending.push_back(Sent { action: action.clone(), window, seen: index });
                return Ok(Some(self.pieces.clone()));
            }
            Seen::Output(action, at) => {
                let under_way = latencies.output.latest().add(latencies.jitter)?;
                let earliest = at.earliest().sub(under_way)?.max(Rational::ZERO);
                let latest = at.latest().sub(latencies.output.earliest())?.max(Rational::ZERO);
                self.take(&BoardLabel::Output(action.clone()), (earliest, latest), index)?
            }
            Seen::Quiet(until) => {
                let under_way = latencies.output.latest().add(latencies.jitter)?;
                self.quiet(until.sub(under_way)?)?
            }
        };
        Ok((!pieces.is_empty()).then_some(pieces))
    }

    /// The pieces right after a step that shows this, within a window.
    fn take(
        &mut self,
        label: &BoardLabel,
        window: Window,
        index: usize,
    ) -> Result<Vec<Piece>, Error> {
        let until = self.units.upper(window.1, Rational::ZERO)?;
        let mut taken = Vec::new();
        for piece in self.advance(self.pieces.clone(), until)? {
            self.make(&piece, label, window, index, piece.arrived, &mut taken)?;
        }
        if !taken.is_empty() {
            self.reached = self.reached.max(window.0);
        }
        Ok(taken)
    }

    /// The pieces that are left after silence up to a time.
    fn quiet(&mut self, until: Rational) -> Result<Vec<Piece>, Error> {
        if until <= self.units.origin {
            return Ok(self.pieces.clone());
        }
        let (clock, from) = (self.frame.time, self.units.lower(until, Rational::ZERO)?);
        let mut there = Vec::new();
        for piece in &self.pieces {
            let mut zone = piece.zone.clone();
            if zone.constrain(0, clock, from).is_ok() {
                there.push(Piece { zone, ..piece.clone() });
            }
        }
        for mut piece in self.advance(self.pieces.clone(), just_reached(from)?)? {
            if piece.zone.constrain(0, clock, from).is_ok() {
                there.push(piece);
            }
        }
        if !there.is_empty() {
            self.reached = self.reached.max(until);
        }
        Ok(there)
    }

    /// Takes every step of a piece that shows this within a window.
    fn make(
        &mut self,
        piece: &Piece,
        label: &BoardLabel,
        window: Window,
        index: usize,
        arrived: usize,
        taken: &mut Vec<Piece>,
    ) -> Result<(), Error> {
        let clock = self.frame.time;
        let mut zone = piece.zone.clone();
        let from = self.units.lower(window.0, Rational::ZERO)?;
        let until = self.units.upper(window.1, Rational::ZERO)?;
        if zone.constrain(0, clock, from).is_err() || zone.constrain(clock, 0, until).is_err() {
            return Ok(());
        }
        let moves = &self.place(piece.place).moves;
        let fitting: Vec<Move> = moves.iter().filter(|one| one.label == *label).cloned().collect();
        let before = Federation::from(zone);
        for one in fitting {
            let seen = Some((window, index));
            self.after(piece.trail, &one, &before, seen, arrived, taken)?;
        }
        Ok(())
    }

    /// Adds the pieces that a move leads to.
    fn after(
        &mut self,
        trail: TrailId,
        one: &Move,
        before: &Federation,
        seen: Option<(Window, usize)>,
        arrived: usize,
        pieces: &mut Vec<Piece>,
    ) -> Result<(), Error> {
        let mut after = one.jump.successor(before);
        if after.is_empty() {
            return Ok(());
        }
        self.ready(one.target)?;
        after.intersect(self.place(one.target).elapse.invariant());
        if after.is_empty() {
            return Ok(());
        }
        let taken = one.taken.clone().map(|(step, guard)| Taken { step, guard, seen });
        let trail = self.trails.add(trail, taken);
        let place = one.target;
        pieces.extend(after.into_zones().into_iter().map(|zone| Piece {
            place,
            arrived,
            zone,
            trail,
        }));
        Ok(())
    }

    /// All pieces that are reached unseen while the time is within a bound, closed under delay.
    fn advance(&mut self, start: Vec<Piece>, until: Bound) -> Result<Vec<Piece>, Error> {
        let clock = self.frame.time;
        let mut passed: BTreeMap<(usize, usize), Vec<Piece>> = BTreeMap::new();
        let mut waiting = VecDeque::from(start);
        let mut met = 0;
        while let Some(Piece { place, arrived, mut zone, trail }) = waiting.pop_front() {
            self.ready(place)?;
            let next = match self.pending.get(arrived) {
                Some(sent) => Some(self.units.upper(sent.window.1, Rational::ZERO)?),
                None => None,
            };
            let within = |zone: &mut Zone| {
                zone.constrain(clock, 0, until).is_ok()
                    && next.is_none_or(|next| zone.constrain(clock, 0, next).is_ok())
            };
            if !within(&mut zone) {
                continue;
            }
            for mut zone in self.place(place).elapse.delay(&zone).into_zones() {
                if !within(&mut zone) {
                    continue;
                }
                if let Some(bounds) = &self.place(place).bounds {
                    zone.extrapolate_lu_plus(bounds);
                }
                let seen = passed.entry((place, arrived)).or_default();
                if let Some(known) = seen.iter().find(|known| known.zone.includes(&zone)) {
                    self.trails.join(known.trail, trail);
                    continue;
                }
                met += 1;
                if met > LIMIT {
                    return Err(Error::TooMany(LIMIT));
                }
                let piece = Piece { place, arrived, zone: zone.clone(), trail };
                seen.push(piece.clone());
                let mut later = Vec::new();
                let before = Federation::from(zone);
                let moves = &self.place(place).moves;
                let silent = moves.iter().filter(|one| one.label == BoardLabel::Silent);
                for one in silent.cloned().collect::<Vec<Move>>() {
                    self.after(trail, &one, &before, None, arrived, &mut later)?;
                }
                if let Some(sent) = self.pending.get(arrived) {
                    let label = BoardLabel::Input(sent.action.clone());
                    let (window, index) = (sent.window, sent.seen);
                    self.make(&piece, &label, window, index, arrived + 1, &mut later)?;
                }
                waiting.extend(later);
            }
        }
        Ok(passed.into_values().flatten().collect())
    }

    /// Makes these pieces what is known: merges them, and settles what came before if there is one only.
    fn settle(&mut self, pieces: Vec<Piece>) -> Result<(), Error> {
        let mut kept: Vec<Piece> = Vec::new();
        for piece in pieces {
            let same = |other: &&Piece| {
                (other.place, other.arrived) == (piece.place, piece.arrived)
                    && other.zone.includes(&piece.zone)
            };
            match kept.iter().find(same) {
                Some(known) => self.trails.join(known.trail, piece.trail),
                None => kept.push(piece),
            }
        }
        let arrived = kept.iter().map(|piece| piece.arrived).min().unwrap_or(0);
        self.pending.drain(..arrived);
        kept.iter_mut().for_each(|piece| piece.arrived -= arrived);
        let clock = self.frame.time;
        let least = |piece: &Piece| piece.zone.bound(0, clock).constant().map_or(0, |low| -low);
        let least = kept.iter().map(least).min().unwrap_or(0);
        if least > 0 {
            self.units.origin = self.units.at(i64::from(least))?;
            for piece in &mut kept {
                let moved = piece.zone.assign(clock, clock, -least);
                debug_assert!(moved.is_ok(), "the time is not before the origin");
            }
        }
        let mut ends: Vec<TrailId> = kept.iter().map(|piece| piece.trail).collect();
        ends.dedup();
        if let [end] = ends[..]
            && end != 0
        {
            let (certain, alone) = self.trails.certain(self.composer.model(), &[end]);
            self.path.extend(self.trails.path(end));
            self.certain.add(&certain);
            self.alone &= alone;
            self.trails = Trails::new();
            kept.iter_mut().for_each(|piece| piece.trail = 0);
        }
        self.pieces = kept;
        Ok(())
    }

    fn place(&self, index: usize) -> &Place {
        self.places[index].as_ref().expect("the place was made ready")
    }

    /// Computes a discrete state, unless it is known.
    fn ready(&mut self, index: usize) -> Result<(), Error> {
        let (state, place) = self.places.get_index(index).expect("indices are positions");
        if place.is_some() {
            return Ok(());
        }
        let state = state.clone();
        let factor = self.units.scale / self.composer.model().scale;
        let discrete = &state.discrete;
        let mut steps = Steps::new();
        self.composer.steps(discrete, &mut steps);
        supply(&mut self.composer, discrete, self.inputs.iter(), &mut steps);
        let invariant = self.composer.invariant(discrete).map_err(tioga_symbolic::Error::from)?;
        let urgent: Vec<ClockConjunction> =
            steps.list.iter().filter(|step| step.urgent).flat_map(alternatives).collect();
        let passes = state.owes.is_none() && !self.composer.stops_time(discrete);
        let elapse = Elapse::new(
            set(&invariant.disjuncts, &self.frame, factor)?,
            set(&urgent, &self.frame, factor)?,
            passes,
        );
        let bounds = if self.bounds.has_diagonals() {
            None
        } else {
            let mut bounds = self.bounds.empty();
            self.bounds.fill(&discrete.locations, &mut bounds);
            Some(lifted(&bounds, &self.frame, factor)?)
        };
        let mut moves = Vec::new();
        match &state.owes {
            Some(owed) => {
                let target = ModelState { discrete: discrete.clone(), owes: None };
                let target = self.places.position_of(target);
                let jump = Jump::new(&[ClockConjunction::default()], &[])?;
                moves.push(Move {
                    label: BoardLabel::Output(owed.clone()),
                    jump,
                    taken: None,
                    target,
                });
            }
            None => {
                for step in steps.list {
                    self.add_moves(&state, step, factor, &mut moves)?;
                }
            }
        }
        self.places[index] = Some(Place { elapse, moves, bounds });
        Ok(())
    }

    /// Adds a move for each alternative of the clock condition of a step.
    fn add_moves(
        &mut self,
        state: &ModelState,
        step: Step,
        factor: i64,
        moves: &mut Vec<Move>,
    ) -> Result<(), Error> {
        // A step whose update cannot be carried out is no step.
        let Ok(applied) = self.composer.apply(&state.discrete, &step) else { return Ok(()) };
        let (label, owes) = label(self.composer.model(), &step);
        let target = ModelState { discrete: applied.target, owes };
        let target = self.places.position_of(target);
        let assignments = applied
            .assignments
            .iter()
            .map(|one| Ok(ClockAssignment { value: times(one.value, factor)?, ..*one }));
        let assignments: Vec<ClockAssignment> = assignments.collect::<Result<_, Error>>()?;
        let step = Rc::new(step);
        for guard in alternatives(&step) {
            let jump = Jump::new(&scaled(std::slice::from_ref(&guard), factor)?, &assignments)?;
            let taken = Some((step.clone(), Rc::new(guard)));
            moves.push(Move { label: label.clone(), jump, taken, target });
        }
        Ok(())
    }
}

/// Adding a key without disturbing the value of one that is known.
trait Positions {
    fn position_of(&mut self, state: ModelState) -> usize;
}

impl Positions for IndexMap<ModelState, Option<Place>> {
    fn position_of(&mut self, state: ModelState) -> usize {
        let entry = self.entry(state);
        let index = entry.index();
        entry.or_insert(None);
        index
    }
}

/// Units in which all moments are whole, unless the numbers between two observations become too large; then times are
/// rounded outwards.
fn scale(own: i64, largest: i64, latencies: &Latencies, seen: &[Seen]) -> Result<i64, Error> {
    let (mut longest, mut before) = (Rational::new(largest, own)?, Rational::ZERO);
    let mut needed = Some(own);
    let mut need = |time: Rational| {
        needed = needed.and_then(|scale| common_multiple(scale, time.denominator()));
    };
    for number in latencies.numbers() {
        need(number);
        longest = longest.max(number.mul(Rational::integer(4))?);
    }
    for one in seen {
        let (earliest, latest) = match one {
            Seen::Input(_, at) | Seen::Output(_, at) => (at.earliest(), at.latest()),
            Seen::Quiet(until) => (*until, *until),
        };
        need(earliest);
        need(latest);
        longest = longest.max(latest.sub(before)?);
        before = before.max(earliest);
    }
    let room = Rational::integer(LARGEST).div(longest.max(Rational::ONE))?.floor();
    let parts = (room / own).max(1);
    Ok(match needed {
        Some(scale) if scale / own <= parts => scale,
        _ => own.checked_mul(parts).ok_or(Error::Overflow)?,
    })
}
