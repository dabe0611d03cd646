//! The region graph of a model: all regions of all discrete states that can be reached, and how
//! time and moves lead from one to another.

use std::collections::{BTreeMap, VecDeque};

use tioga_base::{Id, Rational, Span};
use tioga_games::Root;
use tioga_model::{
    Applied, ClockAssignment, ClockBound, ClockGuard, ClockId, Composer, Control, DiscreteState,
    Model, Objective, Predicate, Step, Steps,
};

use super::regions::{Region, Regions};

/// A set of states, by position.
pub type Set = Vec<bool>;

/// The region graph of a model.
pub struct Board {
    pub regions: Regions,
    pub states: Vec<State>,
}

/// A region of a discrete state.
pub struct State {
    pub place: DiscreteState,
    pub region: Region,
    /// Whether the invariant holds. What it does not hold in is Fail, and nothing leads there.
    pub valid: bool,
    /// Whether a location is marked `fail`.
    pub marked: bool,
    /// Where time leads next, itself if time passes for ever here.
    pub next: Option<usize>,
    /// Where the tester's moves lead.
    pub inputs: Vec<usize>,
    /// Where the system's moves lead.
    pub outputs: Vec<usize>,
    moves: Vec<BoardStep>,
}

/// A move from a state.
struct BoardStep {
    /// Its position in the enumeration of the discrete state's moves.
    position: u32,
    control: Control,
    target: usize,
    assignments: Vec<ClockAssignment>,
}

/// A discrete state with all that can be said without clock values.
struct Place {
    state: DiscreteState,
    invariant: ClockGuard,
    /// The moves with their positions in the enumeration.
    moves: Vec<(u32, Step, Applied)>,
    stops_time: bool,
    marked: bool,
}

impl Board {
    /// The region graph from the model's initial state on. The objectives add their constants.
    pub fn of(model: &Model, objectives: &[Objective]) -> Self {
        assert_eq!(model.scale, 1, "constants are integers");
        let places = places(model);
        let objectives = objectives.iter().flat_map(predicates);
        let asked = objectives.flat_map(|predicate| {
            places.iter().map(|place| condition(model, &place.state, predicate))
        });
        let asked: Vec<ClockGuard> = asked.collect();
        let guards: Vec<&ClockGuard> = places.iter().flat_map(conditions).chain(&asked).collect();
        let moves = places.iter().flat_map(|place| &place.moves);
        let resets = moves.flat_map(|(_, _, applied)| &applied.assignments);
        let constants = guards.iter().map(|guard| constant(guard));
        let largest = constants.chain(resets.map(|reset| reset.value)).max().unwrap_or(0);
        let differences = guards.iter().any(|guard| compares_clocks(guard));
        let regions = Regions::new(model.clocks.len(), largest);
        let all = regions.all();
        let positions: BTreeMap<&Region, usize> =
            all.iter().enumerate().map(|(index, region)| (region, index)).collect();
        let first: BTreeMap<&DiscreteState, usize> = places
            .iter()
            .enumerate()
            .map(|(index, place)| (&place.state, index * all.len()))
            .collect();
        let invariant = |place: &DiscreteState, region: &Region| {
            let place = &places[first[place] / all.len()];
            holds(&place.invariant, region, regions.unit())
        };
        let mut states = Vec::new();
        for place in &places {
            let unit = regions.unit();
            let urgent = |region: &Region| {
                place.moves.iter().any(|(_, step, _)| step.urgent && possible(step, region, unit))
            };
            for region in &all {
                let mut state = State {
                    place: place.state.clone(),
                    region: region.clone(),
                    valid: invariant(&place.state, region),
                    marked: place.marked,
                    next: None,
                    inputs: Vec::new(),
                    outputs: Vec::new(),
                    moves: Vec::new(),
                };
                for (position, step, applied) in &place.moves {
                    let after = regions.canonical(&assigned(region, &applied.assignments, unit));
                    if possible(step, region, unit) && invariant(&applied.target, &after) {
                        let target = first[&applied.target] + positions[&after];
                        let assignments = applied.assignments.to_vec();
                        let control = step.control;
                        state.moves.push(BoardStep {
                            position: *position,
                            control,
                            target,
                            assignments,
                        });
                        match step.control {
                            Control::Controllable => state.inputs.push(target),
                            Control::Uncontrollable => state.outputs.push(target),
                        }
                    }
                }
                // A region without a first moment is entered only past moments of itself.
                let next = regions.next(region);
                let reachable = !urgent(&next) || regions.is_momentary(&next);
                if !place.stops_time
                    && !urgent(region)
                    && reachable
                    && invariant(&place.state, &next)
                {
                    state.next = Some(first[&place.state] + positions[&next]);
                }
                states.push(state);
            }
        }
        let bounded =
            || states.iter().all(|state| !state.valid || regions.is_bounded(&state.region));
        assert!(!differences || bounded(), "regions know differences of bounded clocks only");
        Self { regions, states }
    }

    /// The states where a predicate holds.
    pub fn satisfying(&self, model: &Model, predicate: &Predicate) -> Set {
        let mut guards = BTreeMap::new();
        let unit = self.regions.unit();
        let mut test = |state: &State| {
            let guard = guards
                .entry(state.place.clone())
                .or_insert_with(|| condition(model, &state.place, predicate));
            state.valid && holds(guard, &state.region, unit)
        };
        self.states.iter().map(&mut test).collect()
    }

    /// A state as a root of a game.
    pub fn root(&self, state: usize) -> Root {
        let state = &self.states[state];
        let clocks = state.region.iter().map(|v| Rational::new(*v, self.regions.unit()).unwrap());
        Root { state: state.place.clone(), clocks: clocks.collect() }
    }

    /// The states that can be reached from the start, going no further than some, each with a
    /// valuation that can be reached. It need not be the representative: above the largest
    /// constant, differences of clocks are not those of the region's other valuations.
    pub fn reachable(&self, ends: &Set) -> Vec<(usize, Root)> {
        let mut found = BTreeMap::new();
        let start = vec![Rational::ZERO; self.states[0].region.len()];
        let mut waiting = VecDeque::from([(self.initial(), start)]);
        while let Some((index, clocks)) = waiting.pop_front() {
            let state = &self.states[index];
            if found.contains_key(&index) || !state.valid {
                continue;
            }
            debug_assert_eq!(self.regions.of(&clocks), state.region);
            if !ends[index] {
                for step in &state.moves {
                    let mut clocks = clocks.clone();
                    for assignment in &step.assignments {
                        let value = Rational::integer(assignment.value);
                        clocks[assignment.clock.index()] = value;
                    }
                    waiting.push_back((step.target, clocks));
                }
                if let Some(next) = state.next {
                    // Beyond some precision a valuation is not followed further.
                    let later = self.regions.later(&clocks);
                    waiting.extend(later.map(|later| (next, later)));
                }
            }
            let clocks = clocks.into();
            found.insert(index, Root { state: state.place.clone(), clocks });
        }
        found.into_iter().collect()
    }

    /// Where an input leads, given by its position in the enumeration of moves.
    pub fn input(&self, state: usize, position: u32) -> Option<usize> {
        let mut inputs =
            self.states[state].moves.iter().filter(|step| step.control == Control::Controllable);
        inputs.find(|step| step.position == position).map(|step| step.target)
    }

    /// Where the model starts.
    pub fn initial(&self) -> usize {
        self.states.iter().position(|state| state.region.iter().all(|v| *v == 0)).unwrap()
    }
}

/// The discrete states that can be reached, clocks aside, the initial one first.
fn places(model: &Model) -> Vec<Place> {
    let mut composer = Composer::new(model);
    let mut places: Vec<Place> = Vec::new();
    let mut waiting = vec![composer.initial()];
    while let Some(state) = waiting.pop() {
        if places.iter().any(|place| place.state == state) {
            continue;
        }
        let mut moves = Steps::new();
        composer.steps(&state, &mut moves);
        let moves = (0..).zip(moves.list).filter_map(|(position, step)| {
            let applied = composer.apply(&state, &step).ok()?;
            Some((position, step, applied))
        });
        let moves: Vec<(u32, Step, Applied)> = moves.collect();
        waiting.extend(moves.iter().map(|(_, _, applied)| applied.target.clone()));
        let mut locations = model.processes.iter().zip(&state.locations);
        places.push(Place {
            invariant: composer.invariant(&state).unwrap(),
            moves,
            stops_time: composer.stops_time(&state),
            marked: locations.any(|(process, own)| process.locations[*own].marks.fail),
            state,
        });
    }
    places
}

fn conditions(place: &Place) -> impl Iterator<Item = &ClockGuard> {
    let guards = place.moves.iter().map(|(_, step, _)| &step.guard);
    let blocked = place.moves.iter().flat_map(|(_, step, _)| &step.blocked);
    guards.chain(blocked.map(|blocked| &blocked.guard)).chain([&place.invariant])
}

fn predicates(objective: &Objective) -> Vec<&Predicate> {
    match objective {
        Objective::Reach(p) | Objective::Stay(p) => vec![p],
        Objective::Until(p, q) | Objective::WeakUntil(p, q) => vec![p, q],
    }
}

fn condition(model: &Model, place: &DiscreteState, predicate: &Predicate) -> ClockGuard {
    let Predicate::Holds(condition) = predicate else { panic!("a predicate over states") };
    Composer::new(model).condition(place, condition, Span::default()).unwrap()
}

/// The largest constant of a condition.
fn constant(guard: &ClockGuard) -> i64 {
    let bounds = guard.disjuncts.iter().flatten();
    bounds.map(|bound| bound.bound.abs()).max().unwrap_or(0)
}

fn compares_clocks(guard: &ClockGuard) -> bool {
    let mut bounds = guard.disjuncts.iter().flatten();
    bounds.any(|bound| bound.left.is_some() && bound.right.is_some())
}

fn holds(guard: &ClockGuard, region: &Region, unit: i64) -> bool {
    let met = |bound: &ClockBound| holds_bound(bound, region, unit);
    guard.disjuncts.iter().any(|conjunction| conjunction.iter().all(met))
}

/// Whether a bound holds in a region.
pub fn holds_bound(bound: &ClockBound, region: &Region, unit: i64) -> bool {
    let value = |clock: Option<ClockId>| clock.map_or(0, |own| region[own.index()]);
    let difference = value(bound.left) - value(bound.right);
    if bound.strict { difference < bound.bound * unit } else { difference <= bound.bound * unit }
}

/// Whether a move is possible as far as the state before it is concerned.
fn possible(step: &Step, region: &Region, unit: i64) -> bool {
    holds(&step.guard, region, unit)
        && !step.blocked.iter().any(|blocked| holds(&blocked.guard, region, unit))
}

fn assigned(region: &Region, assignments: &[ClockAssignment], unit: i64) -> Vec<i64> {
    let mut values = region.clone();
    for assignment in assignments {
        assert!(assignment.source.is_none(), "clocks are set to constants");
        values[assignment.clock.index()] = assignment.value * unit;
    }
    values
}
