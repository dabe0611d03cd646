//! The game of a test graph: which inputs, with which values, lead to Pass relying on the system as little as
//! possible.
//!
//! A *layer* gives for each node the condition on registers and constants under which the tester reaches Pass
//! with at most so many control losses and in at most so many moves. A move of the tester is one of KHO's
//! three options: an input; waiting; waiting for an expiration in order to send an input at that instant.
//! Waiting is safe if everything that can come leads on, and something has to come: an expiration, or, under
//! fairness, an output, if every state that the system may be in leads to one. Otherwise the tester needs
//! cooperation, which counts as a control loss.

use std::collections::BTreeSet;
use std::sync::Arc;

use tioga_base::{Budget, Id, IdVec};
use tioga_terms::{Formula, SymbolId, Term};

use crate::determinize::{Member, NodeId, ObservableStep};
use crate::error::Refusal;
use crate::graph::{Role, TestGraph, Verdict};
use crate::projection::Projection;
use crate::solver::{Solver, implied, some};
use crate::tiosa::Kind;

/// How many control losses are looked at, at most.
const LOSSES: usize = 1000;

/// How many moves within one number of control losses are looked at, at most.
const MOVES: usize = 400;

/// How many comparisons the condition of a node may have; conditions that keep growing have no end.
const SIZE: usize = 24;

/// A solved game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The layers, each including those before.
    pub layers: Vec<Layer>,
    /// Whether there are no further layers.
    pub complete: bool,
}

/// For each node, when something can be reached from it. Layers share what they have in common.
pub type Wins = IdVec<NodeId, Arc<Formula>>;

/// Where Pass is reached with at most so many losses and moves.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The control losses.
    pub losses: usize,
    /// For each node, when.
    pub wins: Wins,
}

/// What the tester does in a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Choice {
    /// Sends the input of a step, by its position, at once.
    Send(usize),
    /// Waits for whatever comes.
    Wait,
    /// Waits in order to send the input of a step at the instant of its expirations.
    SendAt(usize),
}

impl Game {
    /// Solves the game of a test graph. Layers that are not reached within the budget are left out; those that
    /// are there are right.
    pub fn solve(
        graph: &TestGraph,
        projection: &Projection,
        solver: &mut dyn Solver,
        budget: &mut Budget,
    ) -> Result<Self, Refusal> {
        let mut layers = Vec::new();
        match Self::add_layers(graph, projection, solver, budget, &mut layers) {
            Ok(complete) => Ok(Self { layers, complete }),
            // What cannot be decided is not won.
            Err(Refusal::Undecided(_)) if !layers.is_empty() => {
                Ok(Self { layers, complete: false })
            }
            Err(refusal) => Err(refusal),
        }
    }

    /// Adds layers; says whether there are no others.
    fn add_layers(
        graph: &TestGraph,
        projection: &Projection,
        solver: &mut dyn Solver,
        budget: &mut Budget,
        layers: &mut Vec<Layer>,
    ) -> Result<bool, Refusal> {
        let start = graph.nodes.iter().map(|node| match node.verdict {
            Some(Verdict::Pass) => Arc::new(Formula::True),
            _ => Arc::new(Formula::False),
        });
        let mut wins: Wins = start.collect();
        layers.push(Layer { losses: 0, wins: wins.clone() });
        let progress = graph
            .nodes
            .ids()
            .map(|node| progress(graph, projection, node, solver))
            .collect::<Result<IdVec<NodeId, Formula>, Refusal>>()?;
        // A node is looked at again only if a node that it leads to has changed.
        let before = before(graph);
        let won = graph.nodes.ids().filter(|node| *wins[*node] != Formula::False);
        let first: BTreeSet<NodeId> = won.flat_map(|node| before[node].iter().copied()).collect();
        let (mut by_move, mut by_luck) = (first.clone(), first);
        for losses in 0..LOSSES {
            let mut moves = 0;
            while !by_move.is_empty() {
                let mut next = wins.clone();
                let mut changed = BTreeSet::new();
                for node in std::mem::take(&mut by_move) {
                    if budget.step().is_err() || size(&wins[node]) > SIZE {
                        return Ok(false);
                    }
                    let gained = controlled(graph, &wins, node, &progress[node], solver)?;
                    if widen(graph, &mut next[node], gained, solver)? {
                        changed.insert(node);
                    }
                }
                if changed.is_empty() {
                    break;
                }
                for node in changed.iter().flat_map(|node| &before[*node]) {
                    by_move.insert(*node);
                    by_luck.insert(*node);
                }
                wins = next;
                layers.push(Layer { losses, wins: wins.clone() });
                moves += 1;
                if moves == MOVES {
                    return Ok(false);
                }
            }
            let mut next = wins.clone();
            let mut changed = BTreeSet::new();
            for node in std::mem::take(&mut by_luck) {
                let mut gained = Vec::new();
                if budget.step().is_err() {
                    return Ok(false);
                }
                for (_, step) in graph.leaving(node) {
                    gained.push(may_lead(graph, &wins, step, solver)?);
                }
                if widen(graph, &mut next[node], Formula::any(gained), solver)? {
                    changed.insert(node);
                }
            }
            if changed.is_empty() {
                return Ok(true);
            }
            for node in changed.iter().flat_map(|node| &before[*node]) {
                by_move.insert(*node);
                by_luck.insert(*node);
            }
            wins = next;
            layers.push(Layer { losses: losses + 1, wins: wins.clone() });
        }
        Ok(false)
    }

    /// The least number of control losses from the start, for some values.
    pub fn losses(&self, graph: &TestGraph) -> Option<usize> {
        self.layers
            .iter()
            .find(|layer| *layer.wins[graph.initial] != Formula::False)
            .map(|layer| layer.losses)
    }

    /// The choices in a node that the layer `at` needs from the one before, each with its condition over
    /// registers, constants and the parameters of the input.
    pub fn choices(
        &self,
        graph: &TestGraph,
        at: usize,
        node: NodeId,
    ) -> Result<Vec<(Choice, Formula)>, Refusal> {
        let mut found = Vec::new();
        let Some(before) = at.checked_sub(1).and_then(|before| self.layers.get(before)) else {
            return Ok(found);
        };
        for (position, step) in graph.leaving(node) {
            let condition = step.guard.clone().and(image(graph, &before.wins, step)?);
            match graph.role(step) {
                _ if condition == Formula::False => {}
                Role::Input => found.push((Choice::Send(position), condition)),
                Role::Mixed => found.push((Choice::SendAt(position), condition)),
                Role::Output => {}
            }
        }
        let waits = graph.leaving(node).any(|(_, step)| graph.role(step) == Role::Output);
        if waits {
            found.push((Choice::Wait, Formula::True));
        }
        Ok(found)
    }
}

fn size(formula: &Formula) -> usize {
    let mut count = 0;
    formula.each_term(&mut |_| count += 1);
    count
}

/// For each node, the nodes without verdict that lead to it.
fn before(graph: &TestGraph) -> IdVec<NodeId, BTreeSet<NodeId>> {
    let mut before: IdVec<NodeId, BTreeSet<NodeId>> =
        graph.nodes.ids().map(|_| BTreeSet::new()).collect();
    for step in &graph.steps {
        if graph.nodes[step.source].verdict.is_none() {
            before[step.target].insert(step.source);
        }
    }
    before
}

/// Adds a condition; says whether it was new.
fn widen(
    graph: &TestGraph,
    condition: &mut Arc<Formula>,
    gained: Formula,
    solver: &mut dyn Solver,
) -> Result<bool, Refusal> {
    if implied(solver, &graph.symbols, &gained, condition)? {
        return Ok(false);
    }
    let both = Formula::clone(condition).or(gained);
    *condition = Arc::new(solver.simplify(&graph.symbols, &both, &Formula::True));
    Ok(true)
}

/// What is to hold before a step so that its target wins after it.
fn image(graph: &TestGraph, wins: &Wins, step: &ObservableStep) -> Result<Formula, Refusal> {
    let update = |symbol: SymbolId| -> Option<Term> {
        step.updates.iter().find(|(register, _)| *register == symbol).map(|(_, term)| term.clone())
    };
    Ok(wins[step.target].substitute(&graph.symbols, &update)?)
}

/// When a step can be taken into the winning set, with some values.
fn may_lead(
    graph: &TestGraph,
    wins: &Wins,
    step: &ObservableStep,
    solver: &mut dyn Solver,
) -> Result<Formula, Refusal> {
    if *wins[step.target] == Formula::False {
        return Ok(Formula::False);
    }
    let whole = step.guard.clone().and(image(graph, wins, step)?);
    some(solver, &graph.symbols, &whole, graph.parameters(step))
}

/// When a step cannot be taken out of the winning set, with any values.
fn must_lead(
    graph: &TestGraph,
    wins: &Wins,
    step: &ObservableStep,
    solver: &mut dyn Solver,
) -> Result<Formula, Refusal> {
    if *wins[step.target] == Formula::True {
        return Ok(Formula::True);
    }
    let away = image(graph, wins, step)?.negated(&graph.symbols)?;
    let whole = step.guard.clone().and(away);
    let some = some(solver, &graph.symbols, &whole, graph.parameters(step))?;
    Ok(some.negated(&graph.symbols)?)
}

/// When the tester reaches the winning set from a node without a control loss.
fn controlled(
    graph: &TestGraph,
    wins: &Wins,
    node: NodeId,
    progress: &Formula,
    solver: &mut dyn Solver,
) -> Result<Formula, Refusal> {
    let mut ways = Vec::new();
    let mut safe = Vec::new();
    for (_, step) in graph.leaving(node) {
        match graph.role(step) {
            Role::Input => ways.push(may_lead(graph, wins, step, solver)?),
            Role::Output => safe.push((step, must_lead(graph, wins, step, solver)?)),
            Role::Mixed => {}
        }
    }
    let all = Formula::all(safe.iter().map(|(_, safe)| safe.clone()));
    let something = some_output(graph, node, solver)?;
    ways.push(all.and(progress.clone()).and(something));
    for (_, step) in graph.leaving(node).filter(|(_, step)| graph.role(step) == Role::Mixed) {
        let others = safe.iter().filter(|(other, _)| other.expirations != step.expirations);
        let others = Formula::all(others.map(|(_, safe)| safe.clone()));
        if others != Formula::False {
            ways.push(may_lead(graph, wins, step, solver)?.and(others));
        }
    }
    Ok(Formula::any(ways))
}

/// When something that the system or the clock handler does is possible.
fn some_output(
    graph: &TestGraph,
    node: NodeId,
    solver: &mut dyn Solver,
) -> Result<Formula, Refusal> {
    let mut ways = Vec::new();
    for (_, step) in graph.leaving(node).filter(|(_, step)| graph.role(step) == Role::Output) {
        ways.push(graph.enabled(step, solver)?);
    }
    Ok(Formula::any(ways))
}

/// When something has to come: an expiration, or, under fairness, an output.
fn progress(
    graph: &TestGraph,
    projection: &Projection,
    node: NodeId,
    solver: &mut dyn Solver,
) -> Result<Formula, Refusal> {
    let expires = graph.leaving(node).any(|(_, step)| !step.expirations.is_empty());
    if expires || graph.failing(node).any(|one| one.action.is_none()) {
        return Ok(Formula::True);
    }
    let mut all = Vec::new();
    for member in &graph.nodes[node].members {
        for silent in &projection.silent[member.state.index()] {
            let here = within(graph, member, &silent.condition)?.and(member.condition.clone());
            let mut store = member.store.clone();
            for (variable, term) in &silent.store {
                let value = term.substitute(&|symbol| member.store.get(&symbol).cloned())?;
                store.insert(*variable, value);
            }
            let there = Member { state: silent.state, store, condition: Formula::True };
            let able = able(graph, projection, &there, solver)?;
            let stuck = here.and(able.negated(&graph.symbols)?);
            all.push(stuck.negated(&graph.symbols)?);
        }
    }
    Ok(solver.simplify(&graph.symbols, &Formula::all(all), &Formula::True))
}

fn within(graph: &TestGraph, member: &Member, formula: &Formula) -> Result<Formula, Refusal> {
    Ok(formula.substitute(&graph.symbols, &|symbol| member.store.get(&symbol).cloned())?)
}

/// When a state can send an output, perhaps after internal actions.
fn able(
    graph: &TestGraph,
    projection: &Projection,
    member: &Member,
    solver: &mut dyn Solver,
) -> Result<Formula, Refusal> {
    let mut ways = Vec::new();
    for step in projection.leaving(member.state) {
        let Some(action) = step.action else { continue };
        if graph.tiosa.actions[action].kind != Kind::Output || !step.expirations.is_empty() {
            continue;
        }
        let guard = within(graph, member, &step.condition)?;
        ways.push(some(solver, &graph.symbols, &guard, &graph.tiosa.actions[action].parameters)?);
    }
    Ok(Formula::any(ways))
}
