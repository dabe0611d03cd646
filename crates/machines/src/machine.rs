//! Mealy machines: states, inputs and outputs by number, with their names.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use crate::error::Error;

/// A state, by its position.
pub type StateIndex = u32;
/// An input, by its position.
pub type Input = u32;
/// An output, by its position.
pub type Output = u32;

/// An input word.
pub type Word = Vec<Input>;

const NONE: u32 = u32::MAX;

/// A deterministic Mealy machine. It may be partial: a state may have no transition for an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Its name.
    pub name: String,
    inputs: IndexSet<String>,
    outputs: IndexSet<String>,
    states: IndexSet<String>,
    initial: StateIndex,
    /// Target and output of each state and input.
    cells: Vec<(StateIndex, Output)>,
}

/// A transition as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The name of the source.
    pub source: String,
    /// The input.
    pub input: String,
    /// The output.
    pub output: String,
    /// The name of the target.
    pub target: String,
}

impl Machine {
    /// The machine with these transitions. States, inputs and outputs are numbered as they first occur,
    /// the states in `states` before all others.
    ///
    /// # Errors
    /// If two transitions of a state have the same input and do not agree, if there is none, or if
    /// the initial state is in none.
    pub fn new(
        name: impl Into<String>,
        states: impl IntoIterator<Item = String>,
        initial: &str,
        transitions: &[Transition],
    ) -> Result<Self, Error> {
        let mut states: IndexSet<String> = states.into_iter().collect();
        let (mut inputs, mut outputs) = (IndexSet::new(), IndexSet::new());
        for transition in transitions {
            states.insert(transition.source.clone());
            states.insert(transition.target.clone());
            inputs.insert(transition.input.clone());
            outputs.insert(transition.output.clone());
        }
        if transitions.is_empty() {
            return Err(Error::NoTransitions);
        }
        let initial = states.get_index_of(initial).ok_or(Error::NoInitial)?;
        let number = |position: usize| u32::try_from(position).map_err(|_| Error::TooLarge);
        let cell_count = states.len().checked_mul(inputs.len()).filter(|n| *n < NONE as usize);
        let mut cells = vec![(NONE, NONE); cell_count.ok_or(Error::TooLarge)?];
        for transition in transitions {
            let of =
                |set: &IndexSet<String>, name: &str| number(set.get_index_of(name).unwrap_or(0));
            let source = of(&states, &transition.source)? as usize;
            let input = of(&inputs, &transition.input)? as usize;
            let cell = &mut cells[source * inputs.len() + input];
            let new = (of(&states, &transition.target)?, of(&outputs, &transition.output)?);
            if *cell != (NONE, NONE) && *cell != new {
                let (state, input) = (transition.source.clone(), transition.input.clone());
                return Err(Error::Nondeterministic { state, input });
            }
            *cell = new;
        }
        Ok(Self { name: name.into(), inputs, outputs, states, initial: number(initial)?, cells })
    }

    /// How many states it has.
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// How many inputs it has.
    pub fn input_count(&self) -> usize {
        self.inputs.len()
    }

    /// How many outputs it has.
    pub fn output_count(&self) -> usize {
        self.outputs.len()
    }

    /// The states.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateIndex> + Clone + use<> {
        0..u32::try_from(self.states.len()).unwrap_or(NONE)
    }

    /// The inputs.
    pub fn inputs(&self) -> impl DoubleEndedIterator<Item = Input> + Clone + use<> {
        0..u32::try_from(self.inputs.len()).unwrap_or(NONE)
    }

    /// Where it starts.
    pub fn initial(&self) -> StateIndex {
        self.initial
    }

    /// The name of a state.
    pub fn state_name(&self, state: StateIndex) -> &str {
        &self.states[state as usize]
    }

    /// The name of an input.
    pub fn input_name(&self, input: Input) -> &str {
        &self.inputs[input as usize]
    }

    /// The name of an output.
    pub fn output_name(&self, output: Output) -> &str {
        &self.outputs[output as usize]
    }

    /// The input of this name.
    pub fn input(&self, name: &str) -> Option<Input> {
        self.inputs.get_index_of(name).and_then(|position| u32::try_from(position).ok())
    }

    /// The state of this name.
    pub fn state(&self, name: &str) -> Option<StateIndex> {
        self.states.get_index_of(name).and_then(|position| u32::try_from(position).ok())
    }

    /// The output of this name.
    pub fn output(&self, name: &str) -> Option<Output> {
        self.outputs.get_index_of(name).and_then(|position| u32::try_from(position).ok())
    }

    /// Where an input leads, and what is answered.
    pub fn step(&self, state: StateIndex, input: Input) -> Option<(StateIndex, Output)> {
        let cell = self.cells[state as usize * self.inputs.len() + input as usize];
        (cell.0 != NONE).then_some(cell)
    }

    /// Where each input leads and what is answered, with numbers that are no state's for those that are not
    /// taken.
    pub(crate) fn row(&self, state: StateIndex) -> &[(StateIndex, Output)] {
        &self.cells[state as usize * self.inputs.len()..][..self.inputs.len()]
    }

    /// The state after a word.
    pub fn after(&self, state: StateIndex, word: &[Input]) -> Option<StateIndex> {
        word.iter().try_fold(state, |at, input| self.step(at, *input).map(|(target, _)| target))
    }

    /// The answers to a word.
    pub fn answers(&self, state: StateIndex, word: &[Input]) -> Option<Vec<Output>> {
        let mut at = state;
        let mut all = Vec::with_capacity(word.len());
        for input in word {
            let (target, output) = self.step(at, *input)?;
            all.push(output);
            at = target;
        }
        Some(all)
    }

    /// A state and an input without transition, if there is one.
    pub fn gap(&self) -> Option<(StateIndex, Input)> {
        let position = self.cells.iter().position(|cell| cell.0 == NONE)?;
        let (state, input) = (position / self.inputs.len(), position % self.inputs.len());
        Some((u32::try_from(state).ok()?, u32::try_from(input).ok()?))
    }

    /// How many transitions it has.
    pub fn transition_count(&self) -> usize {
        self.cells.iter().filter(|cell| cell.0 != NONE).count()
    }

    /// The transitions, by state and input.
    pub fn transitions(
        &self,
    ) -> impl Iterator<Item = (StateIndex, Input, Output, StateIndex)> + '_ {
        self.states().flat_map(move |state| {
            self.inputs().filter_map(move |input| {
                self.step(state, input).map(|(target, output)| (state, input, output, target))
            })
        })
    }

    /// The states that cannot be reached.
    pub fn unreachable(&self) -> Vec<StateIndex> {
        let mut seen = vec![false; self.state_count()];
        let mut waiting = vec![self.initial];
        seen[self.initial as usize] = true;
        while let Some(state) = waiting.pop() {
            for (target, _) in self.inputs().filter_map(|input| self.step(state, input)) {
                if !std::mem::replace(&mut seen[target as usize], true) {
                    waiting.push(target);
                }
            }
        }
        self.states().filter(|state| !seen[*state as usize]).collect()
    }

    /// The machine that has one state for each class, of those that can be reached. The first state of
    /// a class gives it its name.
    ///
    /// Pre: `classes` holds a number for each state, equal states have equal numbers, and all states of
    /// a class agree up to classes.
    #[must_use]
    pub fn quotient(&self, classes: &[u32]) -> Self {
        let unreachable: BTreeSet<StateIndex> = self.unreachable().into_iter().collect();
        let mut heads: indexmap::IndexMap<u32, StateIndex> = indexmap::IndexMap::new();
        for state in self.states().filter(|state| !unreachable.contains(state)) {
            heads.entry(classes[state as usize]).or_insert(state);
        }
        let position = |state: StateIndex| {
            let found = heads.get_index_of(&classes[state as usize]);
            u32::try_from(found.unwrap_or(0)).unwrap_or(NONE)
        };
        let cells = heads.values().flat_map(|head| {
            self.inputs().map(|input| match self.step(*head, input) {
                Some((target, output)) => (position(target), output),
                None => (NONE, NONE),
            })
        });
        let cells = cells.collect();
        let states = heads.values().map(|head| self.state_name(*head).to_owned()).collect();
        Self { states, initial: position(self.initial), cells, ..self.clone() }
    }

    /// The same machine with another target and output of a transition.
    #[must_use]
    pub fn with(
        &self,
        state: StateIndex,
        input: Input,
        target: StateIndex,
        output: Output,
    ) -> Self {
        let mut changed = self.clone();
        changed.cells[state as usize * self.inputs.len() + input as usize] = (target, output);
        changed
    }
}
