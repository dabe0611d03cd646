//! Discrete states in the form in which zones are moved on them: constants at the present scale, and
//! the clocks of observation beside those of the board.

use indexmap::{IndexMap, IndexSet};
use tioga_model::{ClockAssignment, ClockConjunction};
use tioga_symbolic::{Elapse, Jump};
use tioga_testcase::{Action, Side};
use tioga_zones::{Arrival, Federation, LuBounds, MAX_CONSTANT, Zone};

use crate::frame::Frame;
use crate::{Board, BoardLabel, BoardState, Error};

/// The position of a discrete state among those that were met.
pub(crate) type NodeId = u32;
/// The position of an action among those that were met.
pub(crate) type ActionId = u32;

/// A discrete state, ready for zones.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub elapse: Elapse,
    pub silent: Vec<(Jump, NodeId)>,
    pub inputs: Vec<(ActionId, Jump, NodeId)>,
    pub outputs: Vec<(ActionId, Jump, NodeId)>,
    /// The constants of the board's clocks; those of observation are never forgotten.
    pub bounds: Option<LuBounds>,
    /// Where runs end, and in which state.
    pub ends: Vec<(Federation, NodeId)>,
    /// Whether runs have ended here, so that everything is possible.
    pub over: bool,
}

impl Node {
    /// The inputs or the outputs.
    pub fn visible(&self, by: Side) -> &[(ActionId, Jump, NodeId)] {
        match by {
            Side::Tester => &self.inputs,
            Side::System => &self.outputs,
        }
    }
}

/// The discrete states and actions that were met.
#[derive(Clone, Debug)]
pub(crate) struct Nodes<S> {
    states: IndexMap<S, Option<Node>>,
    actions: IndexSet<Action>,
    /// The states that were made ready, so that forgetting costs no more than making them did.
    made: Vec<NodeId>,
}

impl<S: Clone + Eq + std::hash::Hash> Nodes<S> {
    pub fn new() -> Self {
        Self { states: IndexMap::new(), actions: IndexSet::new(), made: Vec::new() }
    }

    /// How many states or actions were met, whichever is more.
    pub fn len(&self) -> usize {
        self.states.len().max(self.actions.len())
    }

    /// The position of a state, known or new.
    pub fn id(&mut self, state: &S) -> NodeId {
        if let Some(index) = self.states.get_index_of(state) {
            return narrow(index);
        }
        narrow(self.states.insert_full(state.clone(), None).0)
    }

    pub fn state(&self, id: NodeId) -> &S {
        self.states.get_index(id as usize).expect("ids are positions").0
    }

    /// The position of an action, if some step that was met shows it.
    pub fn find_action(&self, action: &Action) -> Option<ActionId> {
        self.actions.get_index_of(action).map(narrow)
    }

    /// The position of an action, known or new.
    pub fn action_id(&mut self, action: &Action) -> ActionId {
        if let Some(index) = self.actions.get_index_of(action) {
            return narrow(index);
        }
        narrow(self.actions.insert_full(action.clone()).0)
    }

    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id as usize]
    }

    /// Forgets what was computed; positions stay.
    pub fn clear(&mut self) {
        for id in self.made.drain(..) {
            self.states[id as usize] = None;
        }
    }

    /// A state that was made ready.
    pub fn get(&self, id: NodeId) -> &Node {
        self.states[id as usize].as_ref().expect("the node was made ready")
    }

    /// Makes a state ready. Constants of the board are multiplied by `factor`.
    pub fn ready<B: Board<State = S>>(
        &mut self,
        board: &mut B,
        frame: &Frame,
        factor: i64,
        id: NodeId,
    ) -> Result<(), Error> {
        let (state, node) = self.states.get_index(id as usize).expect("ids are positions");
        if node.is_some() {
            return Ok(());
        }
        let state = board.board_state(&state.clone())?;
        let node = self.node(state, frame, factor)?;
        self.states[id as usize] = Some(node);
        self.made.push(id);
        Ok(())
    }

    fn node(&mut self, state: BoardState<S>, frame: &Frame, factor: i64) -> Result<Node, Error> {
        let invariant = set(&state.invariant, frame, factor)?;
        let urgent = set(&state.urgent, frame, factor)?;
        let elapse = Elapse::new(invariant, urgent, state.passes);
        let bounds = state.bounds.map(|bounds| lifted(&bounds, frame, factor)).transpose()?;
        let (mut silent, mut inputs, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
        for step in state.steps {
            let guard = scaled(&step.guard, factor)?;
            let assignments = step
                .assignments
                .iter()
                .map(|one| Ok(ClockAssignment { value: times(one.value, factor)?, ..*one }));
            let jump = Jump::new(&guard, &assignments.collect::<Result<Vec<_>, Error>>()?)?;
            let target = self.id(&step.target);
            match step.label {
                BoardLabel::Silent => silent.push((jump, target)),
                BoardLabel::Input(action) => inputs.push((self.action_id(&action), jump, target)),
                BoardLabel::Output(action) => outputs.push((self.action_id(&action), jump, target)),
            }
        }
        let mut ends = Vec::new();
        for (zones, target) in &state.ends {
            ends.push((set(zones, frame, factor)?, self.id(target)));
        }
        Ok(Node { elapse, silent, inputs, outputs, bounds, ends, over: state.over })
    }
}

impl Node {
    /// The points that allowed delays, or none, lead to from points of a zone: first those where the
    /// run goes on, then those where it ends, with the states after the end. A run ends at the first
    /// moment at which it can, so it does not go on from points that only lead through an end.
    pub fn elapsed(&self, zone: Zone, passes: bool) -> (Vec<Zone>, Vec<(NodeId, Federation)>) {
        let start = zone.clone();
        let reached =
            if passes { self.delayed(zone) } else { self.inside(zone.into()).into_zones() };
        if self.ends.is_empty() || reached.is_empty() {
            return (reached, Vec::new());
        }
        let reached = Federation::from_zones(start.dimension(), reached);
        // Of two ways to a point that are good in one respect each, the shorter is good in both.
        let avoiding = |bad: &Federation| {
            let mut part = reached.clone();
            if passes {
                part.intersect(
                    &Federation::from(start.clone()).timed_successor(bad, Arrival::Safe),
                );
            } else {
                part.subtract(bad);
            }
            part
        };
        let mut ended = Vec::new();
        let mut all = Federation::empty(start.dimension());
        for (position, (end, target)) in self.ends.iter().enumerate() {
            // What ends in another way before this one.
            let mut bad = Federation::empty(start.dimension());
            for (other, _) in &self.ends[position + 1..] {
                bad.unite(other);
            }
            bad.subtract(end);
            bad.unite(&all);
            let mut part = avoiding(&bad);
            part.intersect(end);
            ended.push((*target, part));
            all.unite(end);
        }
        (avoiding(&all).into_zones(), ended)
    }

    /// The points that allowed delays lead to from points of a zone.
    pub fn delayed(&self, mut zone: Zone) -> Vec<Zone> {
        let ([invariant], true, true) = (
            self.elapse.invariant().zones(),
            self.elapse.urgent().is_empty(),
            self.elapse.passes_time(),
        ) else {
            return self.elapse.delay(&zone).into_zones();
        };
        if zone.intersect(invariant).is_err() {
            return Vec::new();
        }
        zone.delay();
        match zone.intersect(invariant) {
            Ok(()) => vec![zone],
            Err(_) => Vec::new(),
        }
    }

    /// The points of a set where the clocks may be.
    pub fn inside(&self, mut set: Federation) -> Federation {
        set.intersect(self.elapse.invariant());
        set
    }
}

/// The points that satisfy one of the conjunctions.
pub(crate) fn set(
    conjunctions: &[ClockConjunction],
    frame: &Frame,
    factor: i64,
) -> Result<Federation, Error> {
    Ok(Jump::new(&scaled(conjunctions, factor)?, &[])?.guard(frame.dimension))
}

pub(crate) fn scaled(
    conjunctions: &[ClockConjunction],
    factor: i64,
) -> Result<Vec<ClockConjunction>, Error> {
    let scaled = |conjunction: &ClockConjunction| {
        let mut conjunction = conjunction.clone();
        for bound in &mut conjunction {
            bound.bound = times(bound.bound, factor)?;
        }
        Ok(conjunction)
    };
    conjunctions.iter().map(scaled).collect()
}

pub(crate) fn lifted(bounds: &LuBounds, frame: &Frame, factor: i64) -> Result<LuBounds, Error> {
    let mut lifted = LuBounds::none(frame.dimension);
    for clock in 1..bounds.dimension() {
        let largest = bounds.lower(clock).max(bounds.upper(clock));
        if let Some(largest) = largest {
            let constant = times(i64::from(largest), factor)?;
            let constant = u32::try_from(constant).map_err(|_| Error::Overflow)?;
            lifted.raise_lower(clock, constant);
            lifted.raise_upper(clock, constant);
        }
    }
    for clock in bounds.dimension()..frame.dimension {
        lifted.raise_lower(clock, MAX_CONSTANT.unsigned_abs());
        lifted.raise_upper(clock, MAX_CONSTANT.unsigned_abs());
    }
    Ok(lifted)
}

pub(crate) fn times(constant: i64, factor: i64) -> Result<i64, Error> {
    let product = constant.checked_mul(factor).ok_or(Error::Overflow)?;
    // Half the range leaves room for sums.
    if product.abs() > i64::from(MAX_CONSTANT) / 2 {
        return Err(Error::Overflow);
    }
    Ok(product)
}

fn narrow(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 states and actions")
}
