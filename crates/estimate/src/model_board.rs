//! A model as a board: nondeterministic, with silent steps, as it is.
//!
//! A Mealy step is an input followed at once by an output: between the two the system *owes* the
//! output, and no time passes.

use std::collections::BTreeSet;

use tioga_base::{Rational, Span};
use tioga_concrete::{TraceEvent, label_of, observable};
use tioga_model::{
    ClockConjunction, ClockUpdate, Composer, Condition, DiscreteState, Kind, Model, Step, Steps,
    TimeBound, Update,
};
use tioga_symbolic::{ClockBounds, alternatives};
use tioga_testcase::Action;

use crate::{Board, BoardLabel, BoardState, BoardStep, Error};

/// A model as a board.
#[derive(Clone, Debug)]
pub struct ModelBoard<'m> {
    composer: Composer<'m>,
    bounds: ClockBounds,
    /// The largest constant of comparisons between clocks and others, if nothing is in the way.
    widest: Option<u32>,
    /// Inputs under way that carry values: where the values are too many to be tried, these are.
    announced: BTreeSet<Action>,
    /// The inputs of states that were met whose values are too many to be tried.
    awaiting: BTreeSet<String>,
}

/// A discrete state of a model under observation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ModelState {
    /// Where the processes are, and the data.
    pub discrete: DiscreteState,
    /// The output of a Mealy step whose input has been taken.
    pub owes: Option<Action>,
}

impl<'m> ModelBoard<'m> {
    /// The board of a model. The conditions will be asked of its states; their clock constants
    /// count as constants of the model.
    pub fn new(model: &'m Model, asked: &[&Condition]) -> Result<Self, Error> {
        let bounds = ClockBounds::new(model, asked)?;
        let composer = Composer::new(model);
        let widest = if bounds.has_diagonals() { widest(model, asked) } else { None };
        Ok(Self { composer, bounds, widest, announced: BTreeSet::new(), awaiting: BTreeSet::new() })
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.composer.model()
    }

    /// The inputs, of states that were met so far, whose values are too many to be enumerated. No question
    /// about inputs that may be sent is answered with them.
    pub fn unlisted_inputs(&self) -> impl Iterator<Item = &str> {
        self.awaiting.iter().map(String::as_str)
    }

    /// Every discrete state that steps lead to, whatever the clocks show. Nothing if there are more than
    /// `limit`, or if inputs have too many values to follow all.
    pub fn discrete_states(&mut self, limit: usize) -> Result<Option<Vec<ModelState>>, Error> {
        let initial = self.initial();
        let mut seen = BTreeSet::from([initial.clone()]);
        let mut waiting = vec![initial];
        while let Some(state) = waiting.pop() {
            for step in self.board_state(&state)?.steps {
                if seen.insert(step.target.clone()) {
                    waiting.push(step.target);
                }
            }
            if seen.len() > limit || !self.awaiting.is_empty() {
                return Ok(None);
            }
        }
        Ok(Some(seen.into_iter().collect()))
    }

    /// A condition of the model in a discrete state, as alternatives for the clocks.
    pub fn condition(
        &mut self,
        state: &DiscreteState,
        condition: &Condition,
        span: Span,
    ) -> Result<Vec<ClockConjunction>, Error> {
        let guard = self.composer.condition(state, condition, span);
        Ok(guard.map_err(tioga_symbolic::Error::from)?.disjuncts.to_vec())
    }

    /// Notes the inputs whose values are too many to be tried.
    fn note_awaiting(&mut self, steps: &Steps) {
        let model = self.composer.model();
        for awaiting in &steps.awaiting {
            let name = &model.channels[awaiting.channel].name;
            if !self.awaiting.contains(name) {
                self.awaiting.insert(name.clone());
            }
        }
    }

    /// Adds the steps of inputs whose values were announced.
    fn supply(&mut self, state: &DiscreteState, steps: &mut Steps) {
        supply(&mut self.composer, state, self.announced.iter(), steps);
    }

    fn board_state_of(&mut self, state: &DiscreteState) -> Result<BoardState<ModelState>, Error> {
        let mut steps = Steps::new();
        self.composer.steps(state, &mut steps);
        self.note_awaiting(&steps);
        let invariant = self.composer.invariant(state).map_err(tioga_symbolic::Error::from)?;
        let urgent = steps.list.iter().filter(|step| step.urgent).flat_map(alternatives).collect();
        let list = self.board_steps(state, &steps.list);
        let bounds = (!self.bounds.has_diagonals()).then(|| {
            let mut bounds = self.bounds.empty();
            self.bounds.fill(&state.locations, &mut bounds);
            bounds
        });
        Ok(BoardState {
            invariant: invariant.disjuncts.to_vec(),
            urgent,
            passes: !self.composer.stops_time(state),
            steps: list,
            awaits: !steps.awaiting.is_empty(),
            bounds,
            ends: Vec::new(),
            over: false,
        })
    }

    /// Steps of a state, for zones. A step whose update cannot be carried out is no step.
    fn board_steps(&mut self, state: &DiscreteState, steps: &[Step]) -> Vec<BoardStep<ModelState>> {
        let mut list = Vec::new();
        for step in steps {
            let Ok(applied) = self.composer.apply(state, step) else { continue };
            let (label, owes) = label(self.composer.model(), step);
            list.push(BoardStep {
                label,
                guard: alternatives(step).to_vec(),
                assignments: applied.assignments.to_vec(),
                target: ModelState { discrete: applied.target, owes },
            });
        }
        list
    }
}

impl Board for ModelBoard<'_> {
    type State = ModelState;

    fn scale(&self) -> i64 {
        self.model().scale
    }

    fn clocks(&self) -> Vec<String> {
        self.model().clocks.iter().map(|clock| clock.name.clone()).collect()
    }

    fn largest(&self) -> u32 {
        self.bounds.largest()
    }

    fn widest_difference(&self) -> Option<u32> {
        self.widest
    }

    fn initial(&self) -> ModelState {
        ModelState { discrete: self.composer.initial(), owes: None }
    }

    fn board_state(&mut self, state: &ModelState) -> Result<BoardState<ModelState>, Error> {
        let mut found = self.board_state_of(&state.discrete)?;
        if let Some(owed) = &state.owes {
            (found.passes, found.awaits) = (false, false);
            found.steps = vec![BoardStep {
                label: BoardLabel::Output(owed.clone()),
                guard: vec![Default::default()],
                assignments: Vec::new(),
                target: ModelState { discrete: state.discrete.clone(), owes: None },
            }];
        }
        Ok(found)
    }

    fn announced_steps(&mut self, state: &ModelState) -> Result<Vec<BoardStep<ModelState>>, Error> {
        let mut steps = Steps::new();
        self.composer.steps(&state.discrete, &mut steps);
        let listed = steps.list.len();
        self.supply(&state.discrete, &mut steps);
        Ok(self.board_steps(&state.discrete, &steps.list[listed..]))
    }

    fn describe(&self, state: &ModelState) -> String {
        let (model, state, owed) = (self.model(), &state.discrete, &state.owes);
        let single = model.processes.len() == 1;
        let at = model.processes.iter().zip(&state.locations);
        let mut parts: Vec<String> = at
            .map(|(process, at)| {
                let location = &process.locations[*at].name;
                if single { location.clone() } else { format!("{}.{location}", process.name) }
            })
            .collect();
        let mut slots = model.slots.iter().zip(&state.data);
        while let Some((slot, value)) = slots.next() {
            let value = match slot.kind {
                Kind::Bool => (*value != 0).to_string(),
                Kind::Int => value.to_string(),
                // A rational takes two slots: the numerator, and the denominator after it.
                Kind::Rational => {
                    let denominator = slots.next().map_or(1, |(_, denominator)| *denominator);
                    Rational::new(*value, denominator).unwrap_or(Rational::ZERO).to_string()
                }
            };
            parts.push(format!("{} = {value}", slot.name));
        }
        parts.extend(owed.iter().map(|owed| format!("about to emit {}", owed.channel)));
        parts.join(", ")
    }

    fn announce(&mut self, inputs: &[&Action]) -> bool {
        let with_values = inputs.iter().filter(|input| !input.values.is_empty());
        let wanted: BTreeSet<Action> = with_values.map(|&input| input.clone()).collect();
        let new = !wanted.is_subset(&self.announced);
        if new {
            self.announced = wanted;
        }
        new && !self.awaiting.is_empty()
    }
}

/// What is seen of a step at first, and what is owed then.
pub(crate) fn label(model: &Model, step: &Step) -> (BoardLabel, Option<Action>) {
    match label_of(model, step) {
        TraceEvent::Input(channel, values) => {
            (BoardLabel::Input(Action::new(channel, &values)), None)
        }
        TraceEvent::Output(channel, values) => {
            (BoardLabel::Output(Action::new(channel, &values)), None)
        }
        TraceEvent::Exchange(input, taken, output, given) => {
            (BoardLabel::Input(Action::new(input, &taken)), Some(Action::new(output, &given)))
        }
        TraceEvent::Internal(_) => (BoardLabel::Silent, None),
    }
}

/// Adds the steps of inputs whose values are too many to be enumerated, for these inputs.
pub(crate) fn supply<'a>(
    composer: &mut Composer<'_>,
    state: &DiscreteState,
    inputs: impl Iterator<Item = &'a Action> + Clone,
    steps: &mut Steps,
) {
    let model = composer.model();
    for awaiting in steps.awaiting.clone() {
        let channel = &model.channels[awaiting.channel].name;
        for action in inputs.clone().filter(|action| action.channel == *channel) {
            let values: Result<Vec<Rational>, _> =
                action.values.iter().map(|value| value.parse()).collect();
            let Ok(values) = values else { continue };
            let event = TraceEvent::Input(action.channel.clone(), values);
            if let Ok(Some(seen)) = observable(model, &event) {
                composer.supply(state, awaiting, &seen.arguments, steps);
            }
        }
    }
}

/// The largest constant that clocks and their differences are compared with or set to. Nothing if
/// some depend on data, or if clocks are set to sums.
fn widest(model: &Model, asked: &[&Condition]) -> Option<u32> {
    let constant = |bound: &TimeBound| match bound {
        TimeBound::Constant(value) => u32::try_from(value.unsigned_abs()).ok(),
        TimeBound::Expr(_) => None,
    };
    let mut widest = 0;
    for process in &model.processes {
        let invariants = process.locations.iter().map(|location| &location.invariant);
        let guards = process.edges.iter().map(|edge| &edge.guard);
        let conditions = invariants.chain(guards).chain(asked.iter().copied());
        let conjuncts = conditions.flat_map(|condition| &condition.disjuncts);
        for constraint in conjuncts.flat_map(|conjunct| &conjunct.clocks) {
            widest = widest.max(constant(&constraint.bound)?);
        }
        for update in process.edges.iter().flat_map(|edge| &edge.updates) {
            let Update::Clock(ClockUpdate { source, value, .. }) = update else { continue };
            let value = constant(value)?;
            if source.is_some() && value != 0 {
                return None;
            }
            widest = widest.max(value);
        }
    }
    Some(widest)
}
