//! Machines in the making: transitions may be missing.

use crate::machine::{Input, Machine, Output, Transition};

/// A machine in the making: its states are numbers, and 0 is the initial one.
#[derive(Clone)]
pub(super) struct Table {
    inputs: usize,
    cells: Vec<Option<(usize, Output)>>,
}

impl Table {
    pub fn new(states: usize, inputs: usize) -> Self {
        Self { inputs, cells: vec![None; states * inputs] }
    }

    pub fn get(&self, state: usize, input: Input) -> Option<(usize, Output)> {
        self.cells[state * self.inputs + input as usize]
    }

    pub fn set(&mut self, state: usize, input: Input, cell: Option<(usize, Output)>) {
        self.cells[state * self.inputs + input as usize] = cell;
    }

    pub fn state_count(&self) -> usize {
        self.cells.len() / self.inputs.max(1)
    }

    /// The states that are reached from the initial one.
    pub fn reached(&self) -> Vec<usize> {
        let mut order = vec![0];
        let mut next = 0;
        while let Some(state) = order.get(next).copied() {
            next += 1;
            let row = &self.cells[state * self.inputs..][..self.inputs];
            for (target, _) in row.iter().flatten() {
                if !order.contains(target) {
                    order.push(*target);
                }
            }
        }
        order
    }

    /// The answers of a state to a word.
    ///
    /// # Errors
    /// If a transition is missing: this one.
    pub fn answers(&self, state: usize, word: &[Input]) -> Result<Vec<Output>, (usize, Input)> {
        let mut at = state;
        let mut all = Vec::with_capacity(word.len());
        for input in word {
            let (target, output) = self.get(at, *input).ok_or((at, *input))?;
            all.push(output);
            at = target;
        }
        Ok(all)
    }

    /// The machine of some states, which no transition leaves; the first is the initial one. Outputs that the
    /// specification does not have get new names, and what is missing leads to the initial state with such an
    /// output. `None` if there are too many states or no inputs.
    pub fn to_machine(&self, machine: &Machine, order: &[usize]) -> Option<Machine> {
        let mut wrong = "wrong".to_owned();
        while machine.output(&wrong).is_some() {
            wrong.push('!');
        }
        let name = |output: Output| match (output as usize).checked_sub(machine.output_count()) {
            None => machine.output_name(output).to_owned(),
            Some(0) => wrong.clone(),
            Some(more) => format!("{wrong}!{more}"),
        };
        let new = Output::try_from(machine.output_count()).ok()?;
        let state_name = |state: usize| {
            format!("i{}", order.iter().position(|other| *other == state).unwrap_or(0))
        };
        let transitions: Vec<Transition> = order
            .iter()
            .flat_map(|state| machine.inputs().map(|input| (*state, input)))
            .map(|(state, input)| {
                let (target, output) = self.get(state, input).unwrap_or((0, new));
                Transition {
                    source: state_name(state),
                    input: machine.input_name(input).to_owned(),
                    output: name(output),
                    target: state_name(target),
                }
            })
            .collect();
        let states = order.iter().map(|state| state_name(*state));
        Machine::new(format!("{} survivor", machine.name), states, "i0", &transitions).ok()
    }
}
