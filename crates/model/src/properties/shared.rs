//! What the questions about all processes of a model have in common, computed once.

use std::cell::{Cell, OnceCell};

use tioga_base::Id;

use super::marks::{ClockMark, clock_marks};
use crate::{Composer, DiscreteState, Model, ProcessId, Update};

/// How many conjunctions of clock constraints are looked at for one property of all processes.
pub(super) const BUDGET: u64 = 1 << 22;

/// A model, and what every question about it needs.
pub(super) struct Shared<'m> {
    pub model: &'m Model,
    /// The initial state.
    pub initial: DiscreteState,
    marks: OnceCell<Vec<ClockMark>>,
    setters: OnceCell<Vec<Vec<ProcessId>>>,
    /// What is left of the budget of each property.
    budgets: Vec<Cell<u64>>,
}

impl<'m> Shared<'m> {
    pub fn new(model: &'m Model, properties: usize) -> Self {
        let initial = Composer::new(model).initial();
        let budgets = vec![Cell::new(BUDGET); properties];
        Self { model, initial, marks: OnceCell::new(), setters: OnceCell::new(), budgets }
    }

    /// What the network does to each clock.
    pub fn marks(&self) -> &[ClockMark] {
        self.marks.get_or_init(|| clock_marks(self.model))
    }

    /// For each clock the first two processes that may set it.
    pub fn setters(&self) -> &[Vec<ProcessId>] {
        self.setters.get_or_init(|| {
            let mut setters = vec![Vec::new(); self.model.clocks.len()];
            for (id, process) in self.model.processes.iter_ids() {
                let updates = process.edges.iter().flat_map(|edge| &edge.updates);
                for update in updates {
                    let Update::Clock(update) = update else { continue };
                    let first = update.clock.clock.index();
                    let length = update.clock.index.map_or(1, |(_, length)| length as usize);
                    for setters in &mut setters[first..first + length] {
                        if setters.len() < 2 && setters.last() != Some(&id) {
                            setters.push(id);
                        }
                    }
                }
            }
            setters
        })
    }

    /// The rest of the budget of the property at this position.
    pub fn budget(&self, property: usize) -> &Cell<u64> {
        &self.budgets[property]
    }
}
