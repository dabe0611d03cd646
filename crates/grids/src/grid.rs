//! Grid automata: all configurations that are reached in whole units of time, as a finite transition system
//! (BON09, chapter 3, Algorithm 2, and chapter 5, Algorithm 5).
//!
//! A state is one number: its location, clocks and context as digits of a mixed radix, so that all numbers
//! are below the bound of Lemma 22. Transitions lie one after the other in order of their sources.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use tioga_base::{Budget, Rational};

use crate::automaton::Automaton;
use crate::error::Error;
use crate::key_table::KeyTable;
use crate::resolution::Resolution;
use crate::stepper::{Configuration, Stepper, Values};

/// The number of a state.
pub type StateIndex = u32;

/// The label of a tick, the passing of one unit of time. Others are [`GridAutomaton::label`]s.
pub const TICK: u32 = 0;

/// After how many states the construction reports again.
const REPORTED: u32 = 1 << 14;

/// A grid automaton.
#[derive(Clone, Debug)]
pub struct GridAutomaton {
    automaton: Automaton,
    stepper: Stepper,
    radix: Radix,
    states: KeyTable,
    /// Where the transitions of each state begin, and after the last one where they end.
    first: Vec<u32>,
    labels: Vec<u32>,
    targets: Vec<u32>,
    /// The actions with their values that labels above [`TICK`] stand for.
    actions: Vec<(u32, Values)>,
    taken: Vec<bool>,
    deterministic: bool,
}

/// How many values each digit of a state has, and how states become numbers.
#[derive(Clone, Debug)]
struct Radix(Vec<u128>);

impl Radix {
    fn number(&self, at: &Configuration) -> u128 {
        let digits = at.values.iter().zip(&self.0);
        digits.fold(u128::from(at.location), |number, (value, size)| {
            number * size + u128::try_from(*value).unwrap_or(0)
        })
    }

    fn configuration(&self, mut number: u128) -> Configuration {
        let mut values: SmallVec<[i64; 6]> = SmallVec::from_elem(0, self.0.len());
        for (value, size) in values.iter_mut().zip(&self.0).rev() {
            *value = i64::try_from(number % size).unwrap_or(i64::MAX);
            number /= size;
        }
        Configuration { location: u32::try_from(number).unwrap_or(u32::MAX), values }
    }
}

/// Whether the construction goes on after an end of a purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends {
    /// As after every other state.
    Expanded,
    /// It does not.
    Final,
}

impl GridAutomaton {
    /// The grid automaton of an automaton. Each state counts as a step of the budget.
    ///
    /// # Errors
    /// If the automaton cannot start, numbers are too large, or the budget is used up.
    pub fn new(
        automaton: Automaton,
        resolution: &Resolution,
        ends: Ends,
        budget: &mut Budget,
    ) -> Result<Self, Error> {
        Self::reporting(automaton, resolution, ends, budget, &mut |_| ())
    }

    /// The grid automaton, as [`GridAutomaton::new`] makes it. A function is called regularly with the number of
    /// finished states.
    ///
    /// # Errors
    /// If the automaton cannot start, numbers are too large, or the budget is used up.
    pub fn reporting(
        automaton: Automaton,
        resolution: &Resolution,
        ends: Ends,
        budget: &mut Budget,
        report: &mut dyn FnMut(usize),
    ) -> Result<Self, Error> {
        resolution.most_states(automaton.locations.len()).ok_or(Error::TooManyStates)?;
        let stepper = Stepper::bounded(&automaton, resolution)?;
        let limits = stepper.limits().unwrap_or_default().iter();
        let size = |(limit, parts): &(i64, i64)| u128::try_from(limit + parts).unwrap_or(1);
        let radix = Radix(limits.map(size).collect());
        let mut grid = Self {
            radix,
            states: KeyTable::new(),
            first: vec![0],
            labels: Vec::new(),
            targets: Vec::new(),
            actions: Vec::new(),
            taken: vec![false; stepper.edge_count()],
            deterministic: true,
            automaton,
            stepper,
        };
        grid.fill(ends, budget, report)?;
        Ok(grid)
    }

    fn fill(
        &mut self,
        ends: Ends,
        budget: &mut Budget,
        report: &mut dyn FnMut(usize),
    ) -> Result<(), Error> {
        let mut known: FxHashMap<(u32, Values), u32> = FxHashMap::default();
        let start = self.radix.number(self.stepper.initial());
        self.states.number(start).ok_or(Error::TooManyStates)?;
        let mut found: Vec<(u32, u128)> = Vec::new();
        let mut next = 0u32;
        while (next as usize) < self.states.len() {
            budget.step()?;
            if next.is_multiple_of(REPORTED) {
                report(next as usize);
            }
            let at = self.radix.configuration(self.states.key(next));
            found.clear();
            let location = &self.automaton.locations[at.location as usize];
            if ends == Ends::Expanded || !(location.fail || location.desired) {
                let (radix, taken, actions) = (&self.radix, &mut self.taken, &mut self.actions);
                self.stepper.each_step(&at, &mut |edge, action, values, after| {
                    taken[edge as usize] = true;
                    let label = *known.entry((action, values)).or_insert_with_key(|key| {
                        actions.push(key.clone());
                        u32::try_from(actions.len()).unwrap_or(u32::MAX)
                    });
                    found.push((label, radix.number(&after)));
                })?;
                if self.stepper.may_tick(&at) {
                    found.push((TICK, self.radix.number(&self.stepper.later(&at, 1)?)));
                }
            }
            self.add(&mut found)?;
            next += 1;
        }
        Ok(())
    }

    /// Adds the transitions of the next state, each once.
    fn add(&mut self, found: &mut Vec<(u32, u128)>) -> Result<(), Error> {
        if found.len() <= 16 {
            let mut position = 0;
            while position < found.len() {
                match found[..position].contains(&found[position]) {
                    true => {
                        found.remove(position);
                    }
                    false => position += 1,
                }
            }
        } else {
            let mut seen = FxHashSet::default();
            found.retain(|one| seen.insert(*one));
        }
        let begin = self.labels.len();
        for (label, key) in found.drain(..) {
            self.labels.push(label);
            self.targets.push(self.states.number(key).ok_or(Error::TooManyStates)?);
        }
        let labels = &self.labels[begin..];
        if self.deterministic {
            self.deterministic = match labels.len() <= 16 {
                true => (1..labels.len()).all(|one| !labels[..one].contains(&labels[one])),
                false => labels.iter().collect::<FxHashSet<_>>().len() == labels.len(),
            };
        }
        self.first.push(u32::try_from(self.labels.len()).map_err(|_| Error::TooManyStates)?);
        Ok(())
    }

    /// The automaton it is made of.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The automaton in units, as the grid steps through it.
    pub fn stepper(&self) -> &Stepper {
        &self.stepper
    }

    /// How many states there are; they are numbered from 0, where it starts, in breadth-first order.
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// How many transitions there are.
    pub fn transition_count(&self) -> usize {
        self.labels.len()
    }

    /// The bound of Lemma 22 or Lemma 29 on the number of states.
    pub fn bound(&self) -> u128 {
        let most = self.stepper.resolution.most_states(self.automaton.locations.len());
        most.unwrap_or(u128::MAX)
    }

    /// Whether no state has two transitions with one label.
    pub fn is_deterministic(&self) -> bool {
        self.deterministic
    }

    /// The transitions of a state: label and target.
    pub fn transitions(
        &self,
        state: StateIndex,
    ) -> impl ExactSizeIterator<Item = (u32, StateIndex)> + '_ {
        let [begin, end] = [state as usize, state as usize + 1].map(|at| self.first[at] as usize);
        self.labels[begin..end].iter().copied().zip(self.targets[begin..end].iter().copied())
    }

    /// A state as a configuration.
    pub fn configuration(&self, state: StateIndex) -> Configuration {
        self.radix.configuration(self.states.key(state))
    }

    /// The state of a configuration that is bounded, if it is reached.
    pub fn state(&self, at: &Configuration) -> Option<StateIndex> {
        let fits = at.values.len() == self.radix.0.len();
        fits.then(|| self.states.find(self.radix.number(at))).flatten()
    }

    /// The location of a state.
    pub fn location(&self, state: StateIndex) -> usize {
        self.configuration(state).location as usize
    }

    /// How many labels there are, the tick included.
    pub fn label_count(&self) -> usize {
        self.actions.len() + 1
    }

    /// The action and its values that a label stands for; nothing for a tick.
    pub fn label(&self, label: u32) -> Option<(usize, &[i64])> {
        let (action, values) = self.actions.get((label as usize).checked_sub(1)?)?;
        Some((*action as usize, values))
    }

    /// The label of an action with values, in units and bounded.
    pub fn find_label(&self, action: usize, values: &[i64]) -> Option<u32> {
        let found = self
            .actions
            .iter()
            .position(|(known, with)| *known as usize == action && with.as_slice() == values);
        found.and_then(|position| u32::try_from(position + 1).ok())
    }

    /// Whether a state is an end of a purpose: a fail one, a desired one.
    pub fn ends(&self, state: StateIndex) -> (bool, bool) {
        let location = &self.automaton.locations[self.location(state)];
        (location.fail, location.desired)
    }

    /// Whether each edge of the automaton is taken somewhere.
    pub fn taken_edges(&self) -> &[bool] {
        &self.taken
    }

    /// The values of a configuration in written units: clocks, then context.
    pub fn values(&self, at: &Configuration) -> Vec<Rational> {
        let Resolution { parts, context_parts, .. } = self.stepper.resolution;
        let clocks = self.stepper.clocks();
        let value = |(number, value): (usize, &i64)| {
            let parts = if number < clocks { parts } else { context_parts };
            Rational::new(*value, parts).unwrap_or(Rational::ZERO)
        };
        at.values.iter().enumerate().map(value).collect()
    }

    /// A state in words: `q1; c=1/2; w=2`.
    pub fn state_name(&self, state: StateIndex) -> String {
        let at = self.configuration(state);
        let values = self.values(&at);
        let names = self.automaton.clocks.iter();
        let names: Vec<&String> =
            names.chain(self.automaton.context.iter().map(|one| &one.name)).collect();
        let values: Vec<String> =
            names.iter().zip(&values).map(|(name, value)| format!("{name}={value}")).collect();
        let location = &self.automaton.locations[at.location as usize].name;
        match values.is_empty() {
            true => location.clone(),
            false => format!("{location}; {}", values.join(", ")),
        }
    }

    /// A label in words: `1/2`, `on?`, `ack(1,1)!`.
    pub fn label_name(&self, label: u32) -> String {
        let Some((action, values)) = self.label(label) else {
            return tick(&self.stepper.resolution).to_string();
        };
        let action = &self.automaton.actions[action];
        let mark = if action.input { "?" } else { "!" };
        let parts = self.stepper.resolution.context_parts;
        let shown: Vec<String> = values
            .iter()
            .map(|value| Rational::new(*value, parts).unwrap_or(Rational::ZERO).to_string())
            .collect();
        match shown.is_empty() {
            true => format!("{}{mark}", action.name),
            false => format!("{}({}){mark}", action.name, shown.join(",")),
        }
    }
}

/// The granularity of time.
pub fn tick(resolution: &Resolution) -> Rational {
    Rational::new(1, resolution.parts).unwrap_or(Rational::ONE)
}
