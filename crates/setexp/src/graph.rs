//! The complete test graph (KHO 6.4): what a tester may do and see on the way to the purpose, with verdicts.
//!
//! Nodes are those from which an accepted node can be reached, the accepted ones (Pass), and those that a
//! single output or expiration leaves them to (Inconclusive). Outputs that the specification does not allow
//! fail; so do expirations after which the system is late. Where nothing but an output without expiration is
//! awaited, a timeout ends the test inconclusively.

use tioga_base::{Id, IdVec};
use tioga_terms::{Formula, SymbolId, Symbols};

use crate::determinize::{Member, NodeId, ObservableGraph, ObservableStep, Programmed};
use crate::error::Refusal;
use crate::setexp::Expiration;
use crate::solver::{Solver, possible, some};
use crate::tiosa::{Action, ActionId, Kind, Mark, Tiosa};

/// A verdict that ends a test.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// The purpose was reached, and all outputs were allowed.
    Pass,
    /// An output was not allowed, or did not come in time.
    Fail,
    /// All outputs were allowed, but the purpose can no longer be reached.
    Inconclusive,
}

/// A complete test graph.
#[derive(Clone, Debug)]
pub struct TestGraph {
    /// The automaton it was made from: the product.
    pub tiosa: Tiosa,
    /// The symbols of the automaton, and further registers.
    pub symbols: Symbols,
    /// The nodes.
    pub nodes: IdVec<NodeId, GraphNode>,
    /// Where tests start.
    pub initial: NodeId,
    /// What is programmed at the start.
    pub start: Vec<Programmed>,
    /// The steps, in order of their sources.
    pub steps: Vec<ObservableStep>,
    /// What fails, in order of the nodes.
    pub failures: Vec<Failure>,
}

/// A node of a test graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphNode {
    /// The states of SetExp the specification may be in.
    pub members: Vec<Member>,
    /// The verdict, if the test ends here.
    pub verdict: Option<Verdict>,
    /// Whether a timeout ends the test here.
    pub timeout: bool,
}

/// An output that is not allowed, or an expiration after which the system is late.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The node.
    pub node: NodeId,
    /// The expirations at the same instant.
    pub expirations: Vec<Expiration>,
    /// The output; without one, the system is late.
    pub action: Option<ActionId>,
    /// When it fails.
    pub guard: Formula,
}

impl TestGraph {
    /// The complete test graph of a deterministic automaton.
    pub fn of(
        tiosa: &Tiosa,
        observed: &ObservableGraph,
        solver: &mut dyn Solver,
    ) -> Result<Self, Refusal> {
        let leads = leads_to_accept(observed);
        if !leads[observed.initial] {
            return Err(Refusal::Unreachable(match observed.nodes[observed.initial].mark {
                Mark::Accept => "the purpose accepts before anything happens".to_owned(),
                _ => "no accepting location can be reached".to_owned(),
            }));
        }
        let mut kept: IdVec<NodeId, Option<Option<Verdict>>> = observed
            .nodes
            .iter_ids()
            .map(|(id, node)| match node.mark {
                _ if leads[id] => Some(None),
                Mark::Accept => Some(Some(Verdict::Pass)),
                _ => None,
            })
            .collect();
        for step in observed.steps.iter().filter(|step| leads[step.source]) {
            let system = role(&tiosa.actions, step) == Role::Output;
            if kept[step.target].is_none() && system {
                kept[step.target] = Some(Some(Verdict::Inconclusive));
            }
        }
        let reached: IdVec<NodeId, bool> =
            reached(tiosa, observed, &leads, &kept).into_iter().collect();
        let mut new: IdVec<NodeId, Option<NodeId>> = observed.nodes.ids().map(|_| None).collect();
        let mut nodes = IdVec::new();
        for (id, node) in observed.nodes.iter_ids() {
            if let (Some(verdict), true) = (kept[id], reached[id]) {
                let members = node.members.clone();
                new[id] = Some(nodes.push(GraphNode { members, verdict, timeout: false }));
            }
        }
        let mut steps = Vec::new();
        for step in observed.steps.iter().filter(|step| leads[step.source]) {
            if let (Some(source), Some(target)) = (new[step.source], new[step.target]) {
                let input = role(&tiosa.actions, step) != Role::Output;
                if !(input && kept[step.target] == Some(Some(Verdict::Inconclusive))) {
                    steps.push(ObservableStep { source, target, ..step.clone() });
                }
            }
        }
        let initial = new[observed.initial].ok_or(Refusal::Broken("the start was left out"))?;
        let mut graph = Self {
            tiosa: tiosa.clone(),
            symbols: observed.symbols.clone(),
            nodes,
            initial,
            start: observed.start.clone(),
            steps,
            failures: Vec::new(),
        };
        graph.add_timeouts();
        for old in observed.nodes.ids().filter(|id| leads[*id]) {
            if let Some(node) = new[old] {
                graph.add_failures(observed, old, node, solver)?;
            }
        }
        Ok(graph)
    }

    /// The steps that leave a node, in order.
    pub fn leaving(&self, node: NodeId) -> impl Iterator<Item = (usize, &ObservableStep)> {
        let start = self.steps.partition_point(|step| step.source < node);
        let steps = self.steps.iter().enumerate().skip(start);
        steps.take_while(move |(_, step)| step.source == node)
    }

    /// What fails in a node.
    pub fn failing(&self, node: NodeId) -> impl Iterator<Item = &Failure> {
        let start = self.failures.partition_point(|one| one.node < node);
        self.failures[start..].iter().take_while(move |one| one.node == node)
    }

    /// The side of a step.
    pub fn role(&self, step: &ObservableStep) -> Role {
        role(&self.tiosa.actions, step)
    }

    /// The parameters of a step's action.
    pub fn parameters(&self, step: &ObservableStep) -> &[SymbolId] {
        step.action.map_or(&[], |action| &self.tiosa.actions[action].parameters)
    }

    /// A timeout where only outputs of type 2 can happen.
    fn add_timeouts(&mut self) {
        for id in self.nodes.ids() {
            let only = self
                .leaving(id)
                .all(|(_, step)| self.role(step) == Role::Output && step.expirations.is_empty());
            let timeout = only && self.nodes[id].verdict.is_none();
            self.nodes[id].timeout = timeout;
        }
    }

    /// What fails in a node: the complement of what the deterministic automaton allows.
    fn add_failures(
        &mut self,
        observed: &ObservableGraph,
        old: NodeId,
        node: NodeId,
        solver: &mut dyn Solver,
    ) -> Result<(), Refusal> {
        let mut instants: Vec<Vec<Expiration>> = vec![Vec::new()];
        for step in observed.leaving(old).filter(|step| !step.expirations.is_empty()) {
            if !instants.contains(&step.expirations) {
                instants.push(step.expirations.clone());
            }
        }
        let late = observed.late.iter().filter(|(at, _)| *at == old).map(|(_, late)| late);
        let late: Vec<_> = late.cloned().collect();
        for expirations in &late {
            if !instants.contains(expirations) {
                instants.push(expirations.clone());
            }
        }
        for expirations in instants {
            let outputs = self.tiosa.actions.iter_ids();
            let outputs: Vec<_> = outputs
                .filter(|(_, action)| action.kind == Kind::Output)
                .map(|(id, _)| id)
                .collect();
            let mut labels: Vec<_> = outputs.into_iter().map(Some).collect();
            if late.contains(&expirations) {
                labels.push(None);
            }
            for action in labels {
                let own = observed
                    .leaving(old)
                    .filter(|step| step.action == action && step.expirations == expirations);
                let allowed = Formula::any(own.map(|step| step.guard.clone()));
                let guard = allowed.negated(&self.symbols)?;
                if possible(solver, &self.symbols, &guard)? {
                    let guard = solver.simplify(&self.symbols, &guard, &Formula::True);
                    let expirations = expirations.clone();
                    self.failures.push(Failure { node, expirations, action, guard });
                }
            }
        }
        Ok(())
    }

    /// When some values of a step's parameters make it possible.
    pub fn enabled(
        &self,
        step: &ObservableStep,
        solver: &mut dyn Solver,
    ) -> Result<Formula, Refusal> {
        some(solver, &self.symbols, &step.guard, self.parameters(step))
    }
}

/// The side of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The tester: an input without expiration.
    Input,
    /// The system or the clock handler: an output, an expiration, or both.
    Output,
    /// The tester, at the instant of an expiration.
    Mixed,
}

/// The side of a step of an alphabet.
pub(crate) fn role(actions: &IdVec<ActionId, Action>, step: &ObservableStep) -> Role {
    let input = step.action.is_some_and(|action| actions[action].kind == Kind::Input);
    match (input, step.expirations.is_empty()) {
        (false, _) => Role::Output,
        (true, true) => Role::Input,
        (true, false) => Role::Mixed,
    }
}

/// The nodes, neither accepted nor refused, from which an accepted one can be reached.
fn leads_to_accept(observed: &ObservableGraph) -> IdVec<NodeId, bool> {
    let mut leads: IdVec<NodeId, bool> = observed.nodes.ids().map(|_| false).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for step in observed.steps.iter().rev() {
            let good = leads[step.target] || observed.nodes[step.target].mark == Mark::Accept;
            if good && !leads[step.source] && observed.nodes[step.source].mark == Mark::Plain {
                leads[step.source] = true;
                changed = true;
            }
        }
    }
    leads
}

/// The nodes that a test can reach without leaving what is kept.
fn reached(
    tiosa: &Tiosa,
    observed: &ObservableGraph,
    leads: &IdVec<NodeId, bool>,
    kept: &IdVec<NodeId, Option<Option<Verdict>>>,
) -> Vec<bool> {
    let mut reached = vec![false; observed.nodes.len()];
    let mut waiting = vec![observed.initial];
    reached[observed.initial.index()] = true;
    while let Some(node) = waiting.pop() {
        if !leads[node] {
            continue;
        }
        for step in observed.leaving(node) {
            let away = kept[step.target] == Some(Some(Verdict::Inconclusive))
                && role(&tiosa.actions, step) != Role::Output;
            if kept[step.target].is_some() && !away && !reached[step.target.index()] {
                reached[step.target.index()] = true;
                waiting.push(step.target);
            }
        }
    }
    reached
}
