//! A script: what a tester carries of a test graph and its game, and nothing of the automaton behind it.

use std::collections::BTreeSet;

use tioga_base::{Id, IdVec, Rational};
use tioga_terms::{Formula, Sort, SymbolId, Symbols};

use crate::determinize::{NodeId, ObservableStep, Programmed};
use crate::error::Refusal;
use crate::game::{Choice, Game};
use crate::graph::{Role, TestGraph, Verdict, role};
use crate::subgraph::Subgraph;
use crate::tiosa::{Action, ActionId, ClockId, Tiosa};

/// What a tester carries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// The symbols, each with a name of its own.
    pub symbols: Symbols,
    /// The symbolic constants.
    pub constants: Vec<SymbolId>,
    /// What holds at the start.
    pub initially: Formula,
    /// The names of the clocks.
    pub clocks: IdVec<ClockId, String>,
    /// The actions.
    pub actions: IdVec<ActionId, Action>,
    /// The nodes.
    pub nodes: IdVec<NodeId, ScriptNode>,
    /// Where tests start.
    pub initial: NodeId,
    /// What is programmed at the start.
    pub start: Vec<Programmed>,
    /// The steps, in order of their sources.
    pub steps: Vec<ObservableStep>,
    /// Whether the choices are those of the whole game.
    pub complete: bool,
    /// Whether the model may compare a clock with zero, so that what happens at the instant of a message is
    /// another matter than what happens after it.
    pub instants: bool,
}

/// A node of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptNode {
    /// What it is called.
    pub name: String,
    /// The verdict, if the test ends here.
    pub verdict: Option<Verdict>,
    /// Whether only a timeout ends silence.
    pub timeout: bool,
    /// What to do, in order.
    pub advice: Vec<Advised>,
}

/// What to do in a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advised {
    /// The control losses on the way to Pass, at most.
    pub losses: usize,
    /// Of what that is true, over registers and constants.
    pub reached: Formula,
    /// What to do.
    pub choice: Choice,
    /// With which values.
    pub when: Formula,
}

impl Script {
    /// The script of a test graph with its game; `names` says what nodes are called.
    pub fn of(
        graph: &TestGraph,
        game: &Game,
        names: impl Fn(NodeId) -> String,
    ) -> Result<Self, Refusal> {
        let mut nodes = IdVec::new();
        for (id, node) in graph.nodes.iter_ids() {
            let advice = match node.verdict {
                None => advice(graph, game, id)?,
                Some(_) => Vec::new(),
            };
            let (verdict, timeout) = (node.verdict, node.timeout);
            nodes.push(ScriptNode { name: names(id), verdict, timeout, advice });
        }
        Ok(Self {
            symbols: with_own_names(&graph.symbols),
            constants: graph.tiosa.constants.clone(),
            initially: graph.tiosa.initial_condition.clone(),
            clocks: graph.tiosa.clocks.clone(),
            actions: graph.tiosa.actions.clone(),
            nodes,
            initial: graph.initial,
            start: graph.start.clone(),
            steps: graph.steps.clone(),
            complete: game.complete,
            instants: compares_with_zero(&graph.tiosa),
        })
    }

    /// The script that keeps to a controllable subgraph, with any values that its steps allow; where the system
    /// leaves it, the game decides.
    pub fn of_subgraph(
        graph: &TestGraph,
        game: &Game,
        subgraph: &Subgraph,
        names: impl Fn(NodeId) -> String,
    ) -> Result<Self, Refusal> {
        let mut script = Self::of(graph, game, names)?;
        for (node, choice) in &subgraph.choices {
            let when = match choice {
                Choice::Wait => Formula::True,
                Choice::Send(step) | Choice::SendAt(step) => graph.steps[*step].guard.clone(),
            };
            let losses = script.nodes[*node].advice.last().map_or(0, |last| last.losses);
            let kept = Advised { losses, reached: Formula::True, choice: *choice, when };
            script.nodes[*node].advice.insert(0, kept);
        }
        Ok(script)
    }

    /// The script with any one option in each node, and any values that its steps allow; `chance` gives positions
    /// below its argument.
    #[must_use]
    pub fn with_any_choices(&self, chance: &mut dyn FnMut(usize) -> usize) -> Self {
        let mut script = self.clone();
        for id in self.nodes.ids().filter(|id| self.nodes[*id].verdict.is_none()) {
            let mut options = vec![(Choice::Wait, Formula::True)];
            for (position, step) in self.leaving(id) {
                match self.role(step) {
                    Role::Input => options.push((Choice::Send(position), step.guard.clone())),
                    Role::Mixed => options.push((Choice::SendAt(position), step.guard.clone())),
                    Role::Output => {}
                }
            }
            // Where there is something to send, waiting is the exception.
            let least = if options.len() > 1 && chance(5) > 0 { 1 } else { 0 };
            let (choice, when) = options.swap_remove(least + chance(options.len() - least));
            let reached = Formula::True;
            script.nodes[id].advice.insert(0, Advised { losses: 0, reached, choice, when });
        }
        script
    }

    /// The steps that leave a node, with their positions.
    pub fn leaving(&self, node: NodeId) -> impl Iterator<Item = (usize, &ObservableStep)> {
        let start = self.steps.partition_point(|step| step.source < node);
        let steps = self.steps.iter().enumerate().skip(start);
        steps.take_while(move |(_, step)| step.source == node)
    }

    /// The side of a step.
    pub fn role(&self, step: &ObservableStep) -> Role {
        role(&self.actions, step)
    }

    /// The parameters of a step's action.
    pub fn parameters(&self, action: Option<ActionId>) -> &[SymbolId] {
        action.map_or(&[], |action| &self.actions[action].parameters)
    }

    /// The action of a name.
    pub fn action(&self, name: &str) -> Option<ActionId> {
        self.actions.iter_ids().find(|(_, action)| action.name == name).map(|(id, _)| id)
    }

    /// The numbers that values are compared with in guards, in order.
    pub fn numbers(&self) -> Vec<Rational> {
        let mut found = BTreeSet::new();
        for step in &self.steps {
            step.guard.each_term(&mut |term| {
                found.insert(term.constant());
                found.extend(term.constant().neg());
            });
        }
        found.into_iter().collect()
    }

    /// Whether a value has the type of a symbol.
    pub fn is_in_range(&self, symbol: SymbolId, value: Rational) -> bool {
        let symbol = &self.symbols[symbol];
        (symbol.sort == Sort::Rational || value.to_integer().is_some())
            && symbol.low.is_none_or(|low| Rational::integer(low) <= value)
            && symbol.high.is_none_or(|high| value <= Rational::integer(high))
    }
}

/// Whether a clock is compared with something that may not be above zero.
fn compares_with_zero(tiosa: &Tiosa) -> bool {
    let mut atoms = tiosa.locations.ids().flat_map(|location| tiosa.atoms(location));
    atoms.any(|atom| atom.threshold.as_number().is_none_or(|number| number <= Rational::ZERO))
}

/// What the game says of a node: the choices of each layer that wins more than the one before.
fn advice(graph: &TestGraph, game: &Game, node: NodeId) -> Result<Vec<Advised>, Refusal> {
    let mut all = Vec::new();
    let mut before = &Formula::False;
    for (at, layer) in game.layers.iter().enumerate() {
        let reached: &Formula = &layer.wins[node];
        if reached == before {
            continue;
        }
        before = reached;
        for (choice, when) in game.choices(graph, at, node)? {
            let losses = layer.losses;
            all.push(Advised { losses, reached: reached.clone(), choice, when });
        }
    }
    Ok(all)
}

/// The symbols, with a number behind names that more than one has.
fn with_own_names(symbols: &Symbols) -> Symbols {
    let mut taken = BTreeSet::new();
    let mut own = Symbols::new();
    for (id, symbol) in symbols.iter() {
        let mut name = symbol.name.clone();
        if !taken.insert(name.clone()) {
            name = format!("{name}#{}", id.index());
            taken.insert(name.clone());
        }
        own.add(tioga_terms::Symbol { name, ..symbol.clone() });
    }
    own
}
