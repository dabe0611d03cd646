//! Discrete states in the form in which zones are moved on them: constants at the present scale, and
//! the clocks of observation beside those of the board.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;
use tioga_model::{ClockAssignment, ClockConjunction};
use tioga_symbolic::{Elapse, Jump};
use tioga_testcase::{Action, Side};
use tioga_zones::{Arrival, Federation, LuBounds, MAX_CONSTANT, Zone};

use crate::frame::Frame;
use crate::{Board, BoardLabel, BoardState, BoardStep, Error};

/// The position of a discrete state among those that were met.
pub(crate) type NodeId = u32;
/// The position of an action among those that were met.
pub(crate) type ActionId = u32;

/// How many forms of discrete states are remembered.
const FORMS: usize = 32;

/// A discrete state, ready for zones.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub elapse: Arc<Elapse>,
    pub silent: Vec<(Jump, NodeId)>,
    inputs: Vec<(ActionId, Jump, NodeId)>,
    pub outputs: Vec<(ActionId, Jump, NodeId)>,
    /// How many of the inputs are there without being announced, and for which announcement the others were
    /// added; nothing if all are there.
    announced: Option<(usize, Option<u32>)>,
    /// The constants of the board's clocks; those of observation are never forgotten.
    pub bounds: Option<Arc<LuBounds>>,
    /// Where runs end, and in which state.
    pub ends: Vec<(Federation, NodeId)>,
    /// Whether runs have ended here, so that everything is possible.
    pub over: bool,
}

/// What clocks see of a discrete state, as the board says it and as zones need it. Where messages carry many values,
/// many states have the same.
#[derive(Clone, Debug)]
struct Form {
    invariant: Vec<ClockConjunction>,
    urgent: Vec<ClockConjunction>,
    passes: bool,
    bounds: Option<LuBounds>,
    elapse: Arc<Elapse>,
    lifted: Option<Arc<LuBounds>>,
}

/// The discrete states and actions that were met.
#[derive(Clone, Debug)]
pub(crate) struct Nodes<S> {
    states: IndexMap<S, Option<Node>, FxBuildHasher>,
    actions: IndexSet<Action, FxBuildHasher>,
    /// The states that were made ready, so that forgetting costs no more than making them did.
    made: Vec<NodeId>,
    /// How many announcements there were.
    announcement: u32,
    /// Forms of recent states.
    forms: Vec<Form>,
}

impl<S: Clone + Eq + std::hash::Hash> Nodes<S> {
    pub fn new() -> Self {
        let (made, forms) = (Vec::new(), Vec::new());
        let (states, actions) = (IndexMap::default(), IndexSet::default());
        Self { states, actions, made, announcement: 0, forms }
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
        self.id_of(state.clone())
    }

    /// The same for a state that is not needed any more.
    fn id_of(&mut self, state: S) -> NodeId {
        let entry = self.states.entry(state);
        let index = entry.index();
        entry.or_insert(None);
        narrow(index)
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
        self.forms.clear();
    }

    /// Other inputs are announced from now on.
    pub fn announce(&mut self) {
        self.announcement = self.announcement.wrapping_add(1);
    }

    /// The inputs of a state.
    ///
    /// Pre: it was supplied with those that are announced.
    pub fn inputs(&self, id: NodeId) -> &[(ActionId, Jump, NodeId)] {
        let node = self.get(id);
        let supplied = |(_, at): (usize, Option<u32>)| at == Some(self.announcement);
        debug_assert!(node.announced.is_none_or(supplied), "the node was supplied");
        &node.inputs
    }

    /// The inputs or the outputs of a state.
    ///
    /// Pre: as for [`Nodes::inputs`].
    pub fn visible(&self, id: NodeId, by: Side) -> &[(ActionId, Jump, NodeId)] {
        match by {
            Side::Tester => self.inputs(id),
            Side::System => &self.get(id).outputs,
        }
    }

    /// Makes a state ready, with the inputs that are announced.
    pub fn supply<B: Board<State = S>>(
        &mut self,
        board: &mut B,
        frame: &Frame,
        factor: i64,
        id: NodeId,
    ) -> Result<(), Error> {
        self.ready(board, frame, factor, id)?;
        let Some((listed, at)) = self.get(id).announced else { return Ok(()) };
        if at == Some(self.announcement) {
            return Ok(());
        }
        let steps = board.announced_steps(&self.state(id).clone())?;
        let mut inputs = Vec::new();
        for step in steps {
            let jump = jump(&step, factor)?;
            let target = self.id_of(step.target);
            if let BoardLabel::Input(action) = step.label {
                inputs.push((narrow(self.actions.insert_full(action).0), jump, target));
            }
        }
        let now = self.announcement;
        let node = self.states[id as usize].as_mut().expect("the node was made ready");
        node.inputs.truncate(listed);
        node.inputs.append(&mut inputs);
        node.announced = Some((listed, Some(now)));
        Ok(())
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

    /// What clocks see of a state.
    fn form(
        &mut self,
        state: &mut BoardState<S>,
        frame: &Frame,
        factor: i64,
    ) -> Result<(Arc<Elapse>, Option<Arc<LuBounds>>), Error> {
        let known = self.forms.iter().find(|form| {
            form.passes == state.passes
                && form.invariant == state.invariant
                && form.urgent == state.urgent
                && form.bounds == state.bounds
        });
        if let Some(form) = known {
            return Ok((form.elapse.clone(), form.lifted.clone()));
        }
        let invariant = set(&state.invariant, frame, factor)?;
        let urgent = set(&state.urgent, frame, factor)?;
        let elapse = Arc::new(Elapse::new(invariant, urgent, state.passes));
        let lifted = state.bounds.as_ref().map(|bounds| lifted(bounds, frame, factor));
        let lifted = lifted.transpose()?.map(Arc::new);
        if self.forms.len() >= FORMS {
            self.forms.clear();
        }
        self.forms.push(Form {
            invariant: std::mem::take(&mut state.invariant),
            urgent: std::mem::take(&mut state.urgent),
            passes: state.passes,
            bounds: state.bounds.take(),
            elapse: elapse.clone(),
            lifted: lifted.clone(),
        });
        Ok((elapse, lifted))
    }

    fn node(
        &mut self,
        mut state: BoardState<S>,
        frame: &Frame,
        factor: i64,
    ) -> Result<Node, Error> {
        let (elapse, bounds) = self.form(&mut state, frame, factor)?;
        let (mut silent, mut inputs, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
        for step in state.steps {
            let jump = jump(&step, factor)?;
            let target = self.id_of(step.target);
            match step.label {
                BoardLabel::Silent => silent.push((jump, target)),
                BoardLabel::Input(action) => {
                    inputs.push((narrow(self.actions.insert_full(action).0), jump, target));
                }
                BoardLabel::Output(action) => {
                    outputs.push((narrow(self.actions.insert_full(action).0), jump, target));
                }
            }
        }
        let mut ends = Vec::new();
        for (zones, target) in &state.ends {
            ends.push((set(zones, frame, factor)?, self.id(target)));
        }
        let announced = state.awaits.then_some((inputs.len(), None));
        Ok(Node { elapse, silent, inputs, outputs, announced, bounds, ends, over: state.over })
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

/// What a step does to clocks.
fn jump<S>(step: &BoardStep<S>, factor: i64) -> Result<Jump, Error> {
    let guard = scaled(&step.guard, factor)?;
    let assignments = step
        .assignments
        .iter()
        .map(|one| Ok(ClockAssignment { value: times(one.value, factor)?, ..*one }));
    Ok(Jump::new(&guard, &assignments.collect::<Result<Vec<_>, Error>>()?)?)
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
