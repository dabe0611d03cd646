//! The search: the nodes of the tree of tests are distributed over the states of a machine in the making.
//!
//! Nodes that are the same state lead to the same states. Of the transitions that tests take and that are missing,
//! the one with the fewest possible targets is tried first; a new state is one of them. A machine that passes
//! everything and has a transition missing at a place that the specification reaches survives: that transition may
//! answer anything.

use super::budget::{Budget, Stop};
use super::completion::complete;
use super::difference::difference;
use super::domain::Domain;
use super::table::Table;
use super::tree::{Node, Nodes, Tree};
use crate::machine::{Input, Machine, Output, Word};

/// A machine that passes and a word that it answers differently.
pub(super) type Found = Option<(Machine, Word)>;

/// A missing transition and its possible targets.
type Choice = (usize, Input, Vec<usize>);

pub(super) struct Search<'s, 'b> {
    machine: &'s Machine,
    tree: &'s Tree,
    domain: &'s Domain,
    budget: &'s mut Budget<'b>,
    conflicts: Vec<Nodes>,
    table: Table,
    /// The nodes that are each state: as a list, and as a set.
    members: Vec<(Vec<Node>, Nodes)>,
    /// How many states there are so far.
    used: usize,
}

/// What was changed, to be taken back.
#[derive(Default)]
struct Trail {
    members: Vec<usize>,
    cells: Vec<(usize, Input)>,
}

impl<'s, 'b> Search<'s, 'b> {
    /// The search before its first step: the root of the tests is the initial state.
    pub fn new(
        machine: &'s Machine,
        tree: &'s Tree,
        domain: &'s Domain,
        budget: &'s mut Budget<'b>,
    ) -> Result<Self, Stop> {
        budget.spend(tree.len())?;
        let conflicts = tree.conflicts(budget)?;
        let mut members = vec![(Vec::new(), Nodes::none(tree.len())); domain.states];
        members[0].0.push(0);
        members[0].1.insert(0);
        Ok(Self {
            machine,
            tree,
            domain,
            budget,
            conflicts,
            table: Table::new(domain.states, machine.input_count()),
            members,
            used: 1,
        })
    }

    pub fn run(mut self) -> Result<Found, Stop> {
        self.search()
    }

    fn search(&mut self) -> Result<Found, Stop> {
        self.budget.spend(1)?;
        let Some((state, input, targets)) = self.tightest()? else { return self.survives() };
        for target in targets {
            let (used, mut trail) = (self.used, Trail::default());
            self.used = self.used.max(target + 1);
            if self.set(state, input, target, &mut trail)? {
                let found = self.search()?;
                if found.is_some() {
                    return Ok(found);
                }
            }
            self.used = used;
            for (state, input) in trail.cells {
                self.table.set(state, input, None);
            }
            for state in trail.members {
                let (list, set) = &mut self.members[state];
                set.remove(list.pop().expect("what was added is there"));
            }
        }
        Ok(None)
    }

    /// The missing transition with the fewest possible targets. `None` if no test takes a missing one.
    fn tightest(&mut self) -> Result<Option<Choice>, Stop> {
        let mut best: Option<Choice> = None;
        for state in 0..self.used {
            for input in self.machine.inputs() {
                if self.table.get(state, input).is_some() {
                    continue;
                }
                let mut excluded = Nodes::none(self.tree.len());
                let mut tested = 0;
                for (_, child) in self.behind(state, input) {
                    excluded.add_all(&self.conflicts[child]);
                    tested += 1;
                }
                self.budget.spend(self.members[state].0.len() + tested * self.tree.len() / 64)?;
                if tested == 0 {
                    continue;
                }
                let states = self.domain.states.min(self.used + 1);
                let targets: Vec<usize> = (0..states)
                    .filter(|target| !excluded.meets(&self.members[*target].1))
                    .collect();
                if targets.is_empty() {
                    return Ok(Some((state, input, targets)));
                }
                if best.as_ref().is_none_or(|(_, _, known)| targets.len() < known.len()) {
                    best = Some((state, input, targets));
                }
            }
        }
        Ok(best)
    }

    /// The answers and nodes behind a state after an input.
    fn behind(&self, state: usize, input: Input) -> impl Iterator<Item = (Output, Node)> + '_ {
        let nodes = self.members[state].0.iter();
        nodes.filter_map(move |node| {
            let following = self.tree.following(*node).iter();
            following
                .copied()
                .find(|(own, _, _)| *own == input)
                .map(|(_, answer, child)| (answer, child))
        })
    }

    /// Lets a transition lead to a state, with all that follows. Returns whether nothing contradicts.
    fn set(
        &mut self,
        state: usize,
        input: Input,
        target: usize,
        trail: &mut Trail,
    ) -> Result<bool, Stop> {
        let behind: Vec<(Output, Node)> = self.behind(state, input).collect();
        let Some((output, _)) = behind.first().copied() else { return Ok(false) };
        self.table.set(state, input, Some((target, output)));
        trail.cells.push((state, input));
        let mut waiting: Vec<(Node, usize)> =
            behind.into_iter().map(|(_, node)| (node, target)).collect();
        while let Some((node, state)) = waiting.pop() {
            self.budget.spend(1 + self.tree.len() / 64)?;
            let (list, set) = &mut self.members[state];
            if self.conflicts[node].meets(set) {
                return Ok(false);
            }
            list.push(node);
            set.insert(node);
            trail.members.push(state);
            for (input, _, child) in self.tree.following(node) {
                if let Some((target, _)) = self.table.get(state, *input) {
                    waiting.push((*child, target));
                }
            }
        }
        Ok(true)
    }

    /// The machine in the making, or one that it can become, if it is of the domain and not equivalent.
    fn survives(&mut self) -> Result<Found, Stop> {
        let Some(word) = difference(self.machine, &self.table) else { return Ok(None) };
        let Some(assumption) = &self.domain.assumption else {
            let reached = self.table.reached();
            return Ok(self.table.to_machine(self.machine, &reached).map(|found| (found, word)));
        };
        let found = complete(self.machine, &self.table, assumption, self.budget)?;
        Ok(found.and_then(|(table, word)| {
            let all: Vec<usize> = (0..table.state_count()).collect();
            Some((table.to_machine(self.machine, &all)?, word))
        }))
    }
}
