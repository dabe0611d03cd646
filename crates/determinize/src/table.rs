//! The discrete states of the model with all that the game asks of them, computed once each.
//!
//! Zones of the game are over the clocks of the model, followed by those of the result.

use std::hash::BuildHasherDefault;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHasher;
use tioga_base::Span;
use tioga_model::{
    Composer, Condition, DiscreteState, Marks, Model, Step, StepLabel, Steps, Values,
};
use tioga_symbolic::{ClockBounds, Elapse, Jump};
use tioga_zones::{Federation, LuBounds, Zone};

use crate::Error;
use crate::region::{Grid, Region};
use crate::subject::Subject;

/// States and actions are numbered as they are met, so the hash decides about nothing but time.
pub(crate) type Hasher = BuildHasherDefault<FxHasher>;

/// A visible action with its values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Visible {
    /// Input, output or both.
    pub label: StepLabel,
    /// The values of the first.
    pub arguments: Values,
    /// The values of the reply.
    pub reply: Values,
}

/// A step out of a discrete state.
#[derive(Debug)]
pub(crate) struct TableStep {
    /// The number of the visible action; nothing if the step is internal.
    pub action: Option<usize>,
    /// What it does to clocks.
    pub jump: Jump,
    /// The number of the discrete state it leads to.
    pub target: usize,
    /// Where it is possible and leads within the invariants of the target.
    pub enabled: Federation,
}

/// A discrete state.
#[derive(Debug)]
pub(crate) struct Entry {
    /// How clocks may move.
    pub elapse: Elapse,
    /// The steps in order.
    pub steps: Vec<TableStep>,
    /// Beyond which constants clocks need not be told apart.
    pub bounds: LuBounds,
}

/// All discrete states met so far.
pub(crate) struct Table<'m> {
    composer: Composer<'m>,
    states: IndexMap<DiscreteState, Option<std::rc::Rc<Entry>>, Hasher>,
    elapses: Vec<Option<Elapse>>,
    /// The visible actions met so far.
    pub actions: IndexSet<Visible, Hasher>,
    bounds: ClockBounds,
    /// The clocks of the result.
    pub clocks: usize,
    /// What the clocks of the result may be compared with.
    pub grid: Grid,
    goal: Option<(&'m Condition, Span)>,
    /// Where each discrete state accepts, over the clocks of both sides.
    accepting: Vec<Federation>,
}

impl<'m> Table<'m> {
    /// The table of a model, with the initial state as number 0.
    pub(crate) fn new(subject: Subject<'m>, clocks: usize, grid: Grid) -> Result<Self, Error> {
        let Subject { model, goal } = subject;
        let composer = Composer::new(model);
        let initial = composer.initial();
        let asked: Vec<_> = goal.iter().map(|(condition, _)| *condition).collect();
        let mut table = Self {
            composer,
            states: IndexMap::from_iter([(initial, None)]),
            elapses: vec![None],
            actions: IndexSet::default(),
            bounds: ClockBounds::new(model, &asked)?,
            clocks,
            grid,
            goal,
            accepting: Vec::new(),
        };
        table.accept_new()?;
        Ok(table)
    }

    /// The model.
    pub(crate) fn model(&self) -> &'m Model {
        self.composer.model()
    }

    /// Whether conditions compare clocks with each other.
    pub(crate) fn compares_clocks(&self) -> bool {
        self.bounds.has_diagonals()
    }

    /// Clocks of both sides and the reference clock.
    pub(crate) fn dimension(&self) -> usize {
        self.first() + self.clocks
    }

    /// The index of the first clock of the result.
    pub(crate) fn first(&self) -> usize {
        self.model().clocks.len() + 1
    }

    /// A region as a zone over the clocks of both sides.
    pub(crate) fn zone(&self, region: &Region) -> Zone {
        region.zone(&self.grid, self.dimension(), self.first())
    }

    /// The discrete state with a number.
    pub(crate) fn state(&self, number: usize) -> &DiscreteState {
        self.states.get_index(number).expect("numbers come from this table").0
    }

    /// What the game asks of a discrete state.
    pub(crate) fn entry(&mut self, number: usize) -> Result<std::rc::Rc<Entry>, Error> {
        if let Some((_, Some(entry))) = self.states.get_index(number) {
            return Ok(entry.clone());
        }
        let entry = std::rc::Rc::new(self.compute(number)?);
        self.states[number] = Some(entry.clone());
        Ok(entry)
    }

    fn compute(&mut self, number: usize) -> Result<Entry, Error> {
        let state = self.state(number).clone();
        let mut possible = Steps::new();
        self.composer.steps(&state, &mut possible);
        if let Some(awaiting) = possible.awaiting.first() {
            let name = &self.model().channels[awaiting.channel].name;
            let what = format!("the input `{name}` has too many values to try each");
            return Err(Error::Unsupported(what));
        }
        let elapse = self.elapse(number)?;
        let mut steps = Vec::new();
        for step in &possible.list {
            // An update that faults is no step.
            let Ok(applied) = self.composer.apply(&state, step) else { continue };
            let target = self.number(applied.target)?;
            let jump = Jump::of(step, &applied.assignments)?;
            let enabled = jump.predecessor(self.elapse(target)?.invariant());
            let action = visible(step).map(|visible| self.actions.insert_full(visible).0);
            steps.push(TableStep { action, jump, target, enabled });
        }
        let mut local = self.bounds.empty();
        self.bounds.fill(&state.locations, &mut local);
        let mut bounds = LuBounds::none(self.dimension());
        for clock in 1..self.first() {
            if let Some(constant) = local.lower(clock).max(local.upper(clock)) {
                bounds.raise_lower(clock, constant);
                bounds.raise_upper(clock, constant);
            }
        }
        for clock in self.first()..self.dimension() {
            bounds.raise_lower(clock, self.grid.greatest());
            bounds.raise_upper(clock, self.grid.greatest());
        }
        Ok(Entry { elapse, steps, bounds })
    }

    fn number(&mut self, state: DiscreteState) -> Result<usize, Error> {
        let (number, _) = match self.states.get_index_of(&state) {
            Some(number) => (number, None),
            None => self.states.insert_full(state, None),
        };
        self.elapses.resize(self.states.len(), None);
        self.accept_new()?;
        Ok(number)
    }

    /// Finds out where new discrete states accept.
    fn accept_new(&mut self) -> Result<(), Error> {
        while self.accepting.len() < self.states.len() {
            let number = self.accepting.len();
            let dimension = self.dimension();
            let accepting = match self.goal {
                Some((condition, span)) => {
                    let state = self.state(number).clone();
                    let guard = self.composer.condition(&state, condition, span);
                    let guard = guard.map_err(tioga_symbolic::Error::from)?;
                    Jump::new(&guard.disjuncts, &[])?.guard(dimension)
                }
                None if self.marks(number).accept => Federation::universal(dimension),
                None => Federation::empty(dimension),
            };
            self.accepting.push(accepting);
        }
        Ok(())
    }

    /// A discrete state as the clocks of both sides see it.
    fn elapse(&mut self, number: usize) -> Result<Elapse, Error> {
        if let Some(elapse) = &self.elapses[number] {
            return Ok(elapse.clone());
        }
        let state = self.state(number).clone();
        let mut steps = Steps::new();
        self.composer.steps(&state, &mut steps);
        let mut elapse = Elapse::of(&mut self.composer, &state, &steps)?;
        for _ in 0..self.clocks {
            elapse = elapse.with_clock();
        }
        self.elapses[number] = Some(elapse.clone());
        Ok(elapse)
    }
}

fn visible(step: &Step) -> Option<Visible> {
    if matches!(step.label, StepLabel::Internal(_)) {
        return None;
    }
    let (arguments, reply) = (step.arguments.clone(), step.reply.clone());
    Some(Visible { label: step.label, arguments, reply })
}

impl Table<'_> {
    /// A discrete state by the names of its locations.
    pub(crate) fn name(&self, number: usize) -> String {
        let state = self.state(number);
        let located = self.model().processes.iter().zip(&state.locations);
        let names: Vec<&str> =
            located.map(|(process, location)| process.locations[*location].name.as_str()).collect();
        names.join(".")
    }

    /// The locations of the written model that a discrete state stands for.
    pub(crate) fn origin(&self, number: usize) -> Vec<(String, String)> {
        let state = self.state(number);
        let located = self.model().processes.iter().zip(&state.locations);
        located.flat_map(|(process, location)| process.origin(*location)).collect()
    }

    /// The marks of the locations of a discrete state together.
    pub(crate) fn marks(&self, number: usize) -> Marks {
        let state = self.state(number);
        let mut all = Marks::default();
        for (process, location) in self.model().processes.iter().zip(&state.locations) {
            let marks = process.locations[*location].marks;
            all.accept |= marks.accept;
            all.refuse |= marks.refuse;
            all.fail |= marks.fail;
            all.desired |= marks.desired;
        }
        all
    }

    /// Where a discrete state met before accepts, over the clocks of both sides.
    pub(crate) fn accepting(&self, number: usize) -> &Federation {
        &self.accepting[number]
    }

    /// Whether the goal is a condition, and not only marked locations.
    pub(crate) fn has_condition(&self) -> bool {
        self.goal.is_some()
    }

    /// Whether nothing bounds the stay in a discrete state met before.
    pub(crate) fn is_endless(&self, number: usize) -> bool {
        let elapse = self.elapses.get(number).and_then(Option::as_ref);
        elapse.is_some_and(|elapse| {
            let invariant = elapse.invariant().zones();
            elapse.passes_time() && invariant.iter().any(Zone::is_universal)
        })
    }

    /// Whether some step of a discrete state met before shows the action.
    pub(crate) fn takes(&self, number: usize, action: Option<usize>) -> bool {
        let entry = self.states.get_index(number).and_then(|(_, entry)| entry.as_ref());
        entry.is_some_and(|entry| entry.steps.iter().any(|step| step.action == action))
    }
}
