//! One of the two models, seen on the clocks of both: what it may do in a discrete state.
//!
//! The clocks of the implementation come first, those of the specification after them. Constants are
//! in units of a common fraction of the written time unit.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use tioga_base::Id;
use tioga_model::{
    ChannelId, ClockAssignment, ClockBound, ClockConjunction, ClockId, Composer, DiscreteState,
    Model, Step, StepLabel, Steps, Values,
};
use tioga_symbolic::{ClockBounds, Codec, Elapse, Error, Jump, PackedState, alternatives};
use tioga_zones::{Bound, Federation, LuBounds};

use crate::waiting::may_wait;

/// A model on the clocks of both.
pub struct Side<'m> {
    /// The model.
    pub model: &'m Model,
    /// How its discrete states are packed.
    pub codec: Codec,
    /// What its clocks are compared with.
    bounds: ClockBounds,
    /// Whether its guards must also be false where they are.
    pub maximal: bool,
    /// How many clocks of the other model come before its own.
    pub before: usize,
    /// Common units in one of its own.
    factor: i64,
    /// The number of clocks of both plus one.
    dimension: usize,
    /// What its channels are called in the implementation.
    channels: Vec<ChannelId>,
    /// Whether a step was met that its data forbids: a value out of its range, or none at all.
    faulty: AtomicBool,
}

/// A visible action: channels are those of the implementation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Action {
    label: StepLabel,
    arguments: Values,
    reply: Values,
}

/// A step of one model.
#[derive(Clone, Debug)]
pub struct Act {
    /// What it shows; nothing if it is internal.
    pub action: Option<Action>,
    /// The step itself.
    pub step: Step,
    /// Where it is possible, invariants before and after included.
    pub enabled: Federation,
    /// What it does to clocks.
    pub jump: Jump,
    /// Where it leads.
    pub target: PackedState,
    /// The assignments in a form that is the same for the same effect, where that is easy.
    assignments: Vec<ClockAssignment>,
}

/// What a model may do in a discrete state.
#[derive(Clone, Debug)]
pub struct View {
    /// Where clocks may be, and how time passes.
    pub place: Elapse,
    /// From where time may pass.
    pub may_wait: Federation,
    /// Where neither time passes nor anything happens unless an input comes.
    pub stuck: Federation,
    /// The steps.
    pub acts: Vec<Act>,
}

impl Action {
    /// Whether an input is part of it.
    pub fn has_input(&self) -> bool {
        matches!(self.label, StepLabel::Input(_) | StepLabel::Exchange(..))
    }

    /// Whether an output is part of it.
    pub fn has_output(&self) -> bool {
        matches!(self.label, StepLabel::Output(_) | StepLabel::Exchange(..))
    }

    /// The channel of the input that it begins with.
    pub fn input(&self) -> Option<ChannelId> {
        match self.label {
            StepLabel::Input(channel) | StepLabel::Exchange(channel, _) => Some(channel),
            StepLabel::Output(_) | StepLabel::Internal(_) => None,
        }
    }

    /// What the input carries that it begins with, or the output that it is.
    pub fn arguments(&self) -> &Values {
        &self.arguments
    }

    /// Whether both begin with the same input and values.
    pub fn same_input(&self, other: &Self) -> bool {
        self.has_input() && self.input() == other.input() && self.arguments == other.arguments
    }
}

impl Act {
    /// Whether both lead to the same state from every point.
    pub fn same_effect(&self, other: &Self) -> bool {
        self.target == other.target && self.assignments == other.assignments
    }
}

impl<'m> Side<'m> {
    /// A model whose clocks follow after `before` others, of `dimension - 1` in all. Its constants
    /// are multiplied by `factor`, and its channels translated.
    pub fn new(
        model: &'m Model,
        (before, dimension): (usize, usize),
        factor: i64,
        channels: Vec<ChannelId>,
        maximal: bool,
    ) -> Result<Self, Error> {
        let bounds = ClockBounds::new(model, &[])?;
        let codec = Codec::new(model);
        let faulty = AtomicBool::new(false);
        Ok(Self { model, codec, bounds, maximal, before, factor, dimension, channels, faulty })
    }

    /// Whether its clocks are compared with each other.
    pub fn has_diagonals(&self) -> bool {
        self.bounds.has_diagonals()
    }

    /// Adds to `joint` what the clocks of this model are compared with from a state on.
    pub fn raise(&self, state: &DiscreteState, joint: &mut LuBounds) -> Result<(), Error> {
        let mut own = self.bounds.empty();
        self.bounds.fill(&state.locations, &mut own);
        for clock in 1..own.dimension() {
            let (mut lower, mut upper) = (own.lower(clock), own.upper(clock));
            if self.maximal {
                (lower, upper) = (lower.max(upper), lower.max(upper));
            }
            let index = clock + self.before;
            if let Some(lower) = lower {
                joint.raise_lower(index, self.constant(lower)?);
            }
            if let Some(upper) = upper {
                joint.raise_upper(index, self.constant(upper)?);
            }
        }
        Ok(())
    }

    fn constant(&self, constant: u32) -> Result<u32, Error> {
        let scaled = self.scaled(i64::from(constant))?;
        // Sums of constants must be exact, too.
        let fits = i32::try_from(scaled)
            .is_ok_and(|largest| Bound::constants_fit(self.dimension, largest).is_ok());
        u32::try_from(scaled).ok().filter(|_| fits).ok_or_else(|| too_large(scaled))
    }

    fn scaled(&self, constant: i64) -> Result<i64, Error> {
        constant.checked_mul(self.factor).ok_or_else(|| too_large(constant))
    }

    /// Whether a step was met so far that its data forbids.
    pub fn is_faulty(&self) -> bool {
        self.faulty.load(Ordering::Relaxed)
    }

    /// What the model may do in a discrete state.
    /// `offered` says which values an input with many is tried with; the channel is that of the implementation.
    pub fn view<'v>(
        &self,
        composer: &mut Composer<'m>,
        state: &DiscreteState,
        offered: &dyn Fn(ChannelId) -> Option<&'v [Values]>,
    ) -> Result<View, Error> {
        let mut steps = Steps::new();
        composer.steps(state, &mut steps);
        for awaiting in std::mem::take(&mut steps.awaiting) {
            let Some(values) = offered(self.channels[awaiting.channel.index()]) else {
                let name = &self.model.channels[awaiting.channel].name;
                return Err(Error::Unsupported(format!(
                    "the values of the input `{name}` are too many to be enumerated"
                )));
            };
            for values in values {
                composer.supply(state, awaiting, values, &mut steps);
            }
        }
        if !steps.faults.is_empty() {
            self.faulty.store(true, Ordering::Relaxed);
        }
        let invariant = self.invariant(composer, state)?;
        let mut urgent = Federation::empty(self.dimension);
        for step in steps.list.iter().filter(|step| step.urgent) {
            urgent.unite(&self.set(&alternatives(step))?);
        }
        let passes = !composer.stops_time(state);
        let place = Elapse::new(invariant, urgent, passes);
        let mut acts = Vec::new();
        for step in steps.list {
            // A step whose update cannot be carried out is no step.
            let Ok(applied) = composer.apply(state, &step) else {
                self.faulty.store(true, Ordering::Relaxed);
                continue;
            };
            let guards = self.lifted(&alternatives(&step))?;
            let assignments = self.assignments(&applied.assignments)?;
            let jump = Jump::new(&guards, &assignments)?;
            let mut enabled = jump.predecessor(&self.invariant(composer, &applied.target)?);
            enabled.intersect(place.invariant());
            if enabled.is_empty() {
                continue;
            }
            let target = self.codec.pack(&applied.target);
            let assignments = normal(assignments);
            let action = self.action(&step);
            acts.push(Act { action, step, enabled, jump, target, assignments });
        }
        let may_wait = may_wait(&place);
        let mut stuck = place.invariant().clone();
        stuck.subtract(&may_wait);
        let own = |act: &&Act| act.action.as_ref().is_none_or(|action| !action.has_input());
        for act in acts.iter().filter(own) {
            if stuck.is_empty() {
                break;
            }
            stuck.subtract(&act.enabled);
        }
        Ok(View { place, may_wait, stuck, acts })
    }

    fn action(&self, step: &Step) -> Option<Action> {
        let translated = |channel: ChannelId| self.channels[channel.index()];
        let label = match step.label {
            StepLabel::Input(channel) => StepLabel::Input(translated(channel)),
            StepLabel::Output(channel) => StepLabel::Output(translated(channel)),
            StepLabel::Exchange(input, output) => {
                StepLabel::Exchange(translated(input), translated(output))
            }
            StepLabel::Internal(_) => return None,
        };
        Some(Action { label, arguments: step.arguments.clone(), reply: step.reply.clone() })
    }

    fn invariant(
        &self,
        composer: &mut Composer<'m>,
        state: &DiscreteState,
    ) -> Result<Federation, Error> {
        self.set(&composer.invariant(state)?.disjuncts)
    }

    /// The points that satisfy one of the conjunctions.
    fn set(&self, disjuncts: &[ClockConjunction]) -> Result<Federation, Error> {
        Ok(Jump::new(&self.lifted(disjuncts)?, &[])?.guard(self.dimension))
    }

    fn lifted(&self, disjuncts: &[ClockConjunction]) -> Result<Vec<ClockConjunction>, Error> {
        let lift = |bound: &ClockBound| {
            let (left, right) = (self.clock(bound.left), self.clock(bound.right));
            Ok(ClockBound { left, right, bound: self.scaled(bound.bound)?, ..*bound })
        };
        disjuncts.iter().map(|conjunction| conjunction.iter().map(lift).collect()).collect()
    }

    fn assignments(&self, own: &[ClockAssignment]) -> Result<Vec<ClockAssignment>, Error> {
        let lift = |one: &ClockAssignment| {
            let clock = ClockId::from_index(one.clock.index() + self.before);
            let (source, value) = (self.clock(one.source), self.scaled(one.value)?);
            Ok(ClockAssignment { clock, source, value })
        };
        own.iter().map(lift).collect()
    }

    fn clock(&self, clock: Option<ClockId>) -> Option<ClockId> {
        clock.map(|clock| ClockId::from_index(clock.index() + self.before))
    }
}

/// Assignments of constants as one for each clock, in order of clocks; others as they are.
fn normal(assignments: Vec<ClockAssignment>) -> Vec<ClockAssignment> {
    if assignments.iter().any(|one| one.source.is_some()) {
        return assignments;
    }
    let last: BTreeMap<_, _> = assignments.into_iter().map(|one| (one.clock, one)).collect();
    last.into_values().collect()
}

fn too_large(constant: i64) -> Error {
    Error::Unsupported(format!("the clock constant {constant} is too large"))
}
