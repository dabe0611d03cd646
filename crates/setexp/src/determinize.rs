//! Symbolic determinization (KHO 6.3, substeps 3b and 3c).
//!
//! A node is what the tester knows after an observation: a list of members, each a state of SetExp with a
//! store, which gives the variables in terms of *registers*, and a condition over registers and constants.
//! Registers are variables of the tester; it can compute them from what it saw. Where an action leads a node
//! to several states, the guard is split by satisfiability: each satisfiable combination of the conditions
//! leads to the node of exactly the states it allows. So after an action, members are unconditional, and two
//! steps with the same label never have guards that hold together. Expirations are not split: the members
//! after them keep conditions.
//!
//! The node is refused if one of its members is, and accepted if all of them are.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Budget, Id, IdVec};
use tioga_terms::{Comparison, Formula, Relation as Sign, SymbolId, Symbols, Term};

use crate::error::Refusal;
use crate::live::live_variables;
use crate::projection::{Projection, Seen, Store};
use crate::setexp::{Expiration, Set, SetExp, StateId};
use crate::solver::{Solver, possible};
use crate::tiosa::{ActionId, ClockId, LocationId, Mark, Tiosa};

tioga_base::define_id! {
    /// Names a node of [`ObservableGraph`].
    NodeId = "n";
}

/// The deterministic observable automaton.
#[derive(Clone, Debug)]
pub struct ObservableGraph {
    /// The symbols of the automaton, and further registers.
    pub symbols: Symbols,
    /// The nodes.
    pub nodes: IdVec<NodeId, Node>,
    /// Where it starts.
    pub initial: NodeId,
    /// What is programmed at the start, with the values.
    pub start: Vec<Programmed>,
    /// The steps, in order of their sources.
    pub steps: Vec<ObservableStep>,
    /// Expirations after which the system is late unless the guard of a step with them holds.
    pub late: Vec<(NodeId, Vec<Expiration>)>,
}

/// What the tester knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The states the specification may be in, in order.
    pub members: Vec<Member>,
    /// What the purpose says.
    pub mark: Mark,
}

/// A state the specification may be in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Member {
    /// The state of SetExp.
    pub state: StateId,
    /// The variables that matter, in terms of registers and constants.
    pub store: Store,
    /// When it may be this one.
    pub condition: Formula,
}

/// A step of the deterministic automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservableStep {
    /// The node it leaves.
    pub source: NodeId,
    /// The node it enters.
    pub target: NodeId,
    /// The expirations that happen, all at the same instant.
    pub expirations: Vec<Expiration>,
    /// The input or output, if one happens.
    pub action: Option<ActionId>,
    /// What is programmed, at the same instant.
    pub sets: Vec<Programmed>,
    /// When it is possible: over registers, constants and the action's parameters.
    pub guard: Formula,
    /// New values of registers, all from the old ones.
    pub updates: Vec<(SymbolId, Term)>,
}

/// A clock is reset, and expirations are programmed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Programmed {
    /// The clock.
    pub clock: ClockId,
    /// The thresholds as the automaton names them, and their values over registers, constants and
    /// parameters before the step.
    pub thresholds: Vec<(Term, Term)>,
}

impl ObservableGraph {
    /// Determinizes a projection.
    pub fn of(
        tiosa: &Tiosa,
        setexp: &SetExp,
        projection: &Projection,
        solver: &mut dyn Solver,
        budget: &mut Budget,
    ) -> Result<Self, Refusal> {
        Work {
            tiosa,
            setexp,
            projection,
            solver,
            live: live_variables(tiosa),
            registers: BTreeMap::new(),
            ids: BTreeMap::new(),
            result: Self {
                symbols: tiosa.symbols.clone(),
                nodes: IdVec::new(),
                initial: NodeId(0),
                start: Vec::new(),
                steps: Vec::new(),
                late: Vec::new(),
            },
        }
        .run(budget)
    }

    /// The steps that leave a node, in order.
    pub fn leaving(&self, node: NodeId) -> impl Iterator<Item = &ObservableStep> {
        let start = self.steps.partition_point(|step| step.source < node);
        self.steps[start..].iter().take_while(move |step| step.source == node)
    }
}

/// So many combinations of conditions of one action in a node cost nothing; each more counts as a node.
const FREE: usize = 64;

/// What the tester sees of a step.
type Label = (Option<ActionId>, Vec<Expiration>);

/// Where a step of one label may lead: a state with its store, and when.
struct Branch {
    state: StateId,
    store: Store,
    /// The variables whose value was computed: a number there differs from visit to visit, and belongs in a
    /// register.
    computed: BTreeSet<SymbolId>,
    sets: Vec<Programmed>,
    condition: Formula,
}

struct Work<'a> {
    tiosa: &'a Tiosa,
    setexp: &'a SetExp,
    projection: &'a Projection,
    solver: &'a mut dyn Solver,
    live: IdVec<LocationId, BTreeSet<SymbolId>>,
    /// The registers of each variable; the first is the variable itself.
    registers: BTreeMap<SymbolId, Vec<SymbolId>>,
    ids: BTreeMap<Vec<Member>, NodeId>,
    result: ObservableGraph,
}

impl Work<'_> {
    fn run(mut self, budget: &mut Budget) -> Result<ObservableGraph, Refusal> {
        let initial = self.setexp.initial;
        let mut store = Store::new();
        let live = self.live[self.tiosa.initial].clone();
        for variable in live {
            let value = fixed(&self.tiosa.initial_condition, variable);
            store.insert(variable, value.unwrap_or_else(|| Term::symbol(variable)));
        }
        let start = self.setexp.start.clone();
        self.result.start = self.programmed(&start, &store)?;
        let member = Member { state: initial, store, condition: Formula::True };
        self.result.initial = self.node(vec![member]);
        let mut next = 0;
        while next < self.result.nodes.len() {
            if budget.step().is_err() {
                return Err(Refusal::Limit(format!(
                    "the deterministic automaton has more than {next} nodes; narrow the purpose, or \
                     raise the limit"
                )));
            }
            let id = NodeId::from_index(next);
            if self.result.nodes[id].mark == Mark::Plain {
                self.leave(id, budget)?;
            }
            next += 1;
        }
        Ok(self.result)
    }

    fn node(&mut self, mut members: Vec<Member>) -> NodeId {
        members.sort();
        if let Some(id) = self.ids.get(&members) {
            return *id;
        }
        let marks: Vec<_> = members
            .iter()
            .map(|member| self.tiosa.locations[self.setexp.states[member.state].location].mark)
            .collect();
        let mark = if marks.contains(&Mark::Refuse) {
            Mark::Refuse
        } else if marks.iter().all(|mark| *mark == Mark::Accept) {
            Mark::Accept
        } else {
            Mark::Plain
        };
        let id = self.result.nodes.push(Node { members: members.clone(), mark });
        self.ids.insert(members, id);
        id
    }

    fn leave(&mut self, source: NodeId, budget: &mut Budget) -> Result<(), Refusal> {
        let members = self.result.nodes[source].members.clone();
        let mut labels: BTreeMap<Label, Vec<(usize, &Seen)>> = BTreeMap::new();
        let projection = self.projection;
        for (position, member) in members.iter().enumerate() {
            for seen in projection.leaving(member.state) {
                let label = (seen.action, seen.expirations.clone());
                labels.entry(label).or_default().push((position, seen));
            }
            for (_, late) in projection.late.iter().filter(|(state, _)| *state == member.state) {
                if !self.result.late.contains(&(source, late.clone())) {
                    self.result.late.push((source, late.clone()));
                }
            }
        }
        for ((action, expirations), list) in labels {
            let mut branches: Vec<Branch> = Vec::new();
            for (position, seen) in list {
                self.branch(&members[position], seen, &mut branches)?;
            }
            match action {
                None => self.expire(source, expirations, branches)?,
                Some(action) => self.split((source, expirations), action, branches, budget)?,
            }
        }
        Ok(())
    }

    /// Adds where a transition leads a member.
    fn branch(
        &mut self,
        member: &Member,
        seen: &Seen,
        branches: &mut Vec<Branch>,
    ) -> Result<(), Refusal> {
        let own = seen
            .condition
            .substitute(&self.result.symbols, &|symbol| member.store.get(&symbol).cloned())?;
        let condition = member.condition.clone().and(own);
        if !possible(self.solver, &self.result.symbols, &condition)? {
            return Ok(());
        }
        let location = self.setexp.states[seen.target].location;
        let (mut store, mut computed) = (Store::new(), BTreeSet::new());
        for variable in &self.live[location] {
            let value = match seen.store.get(variable) {
                Some(term) => {
                    if term.as_number().is_none() && term.as_symbol().is_none() {
                        computed.insert(*variable);
                    }
                    term.substitute(&|symbol| member.store.get(&symbol).cloned())?
                }
                None => {
                    let unread = || Term::symbol(*variable);
                    member.store.get(variable).cloned().unwrap_or_else(unread)
                }
            };
            store.insert(*variable, value);
        }
        let sets = self.programmed(&seen.sets, &store)?;
        let state = seen.target;
        match branches.iter_mut().find(|b| b.state == state && b.store == store && b.sets == sets) {
            Some(branch) => {
                branch.condition = branch.condition.clone().or(condition);
                branch.computed.extend(computed);
            }
            None => branches.push(Branch { state, store, computed, sets, condition }),
        }
        Ok(())
    }

    /// What is programmed, with values after the step.
    fn programmed(&self, sets: &[Set], store: &Store) -> Result<Vec<Programmed>, Refusal> {
        let mut programmed = Vec::new();
        for set in sets {
            let mut thresholds = Vec::new();
            for threshold in &set.thresholds {
                let value = threshold.substitute(&|symbol| store.get(&symbol).cloned())?;
                thresholds.push((threshold.clone(), value));
            }
            programmed.push(Programmed { clock: set.clock, thresholds });
        }
        Ok(programmed)
    }

    /// Expirations: members keep conditions and terms over the same registers.
    fn expire(
        &mut self,
        source: NodeId,
        expirations: Vec<Expiration>,
        branches: Vec<Branch>,
    ) -> Result<(), Refusal> {
        let late = self.result.late.contains(&(source, expirations.clone()));
        let survive = Formula::any(branches.iter().map(|branch| branch.condition.clone()));
        let guard = match late {
            true => self.solver.simplify(&self.result.symbols, &survive, &Formula::True),
            false => Formula::True,
        };
        let mut members = Vec::new();
        for branch in branches {
            let condition = self.solver.simplify(&self.result.symbols, &branch.condition, &guard);
            members.push(Member { state: branch.state, store: branch.store, condition });
        }
        if members.is_empty() {
            return Ok(());
        }
        let target = self.node(members);
        self.result.steps.push(ObservableStep {
            source,
            target,
            expirations,
            action: None,
            sets: Vec::new(),
            guard,
            updates: Vec::new(),
        });
        Ok(())
    }

    /// An action: each satisfiable combination of branches is a step.
    fn split(
        &mut self,
        (source, expirations): (NodeId, Vec<Expiration>),
        action: ActionId,
        branches: Vec<Branch>,
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        let mut combinations: Vec<(Formula, Vec<usize>)> = vec![(Formula::True, Vec::new())];
        for (position, branch) in branches.iter().enumerate() {
            let refused = branch.condition.negated(&self.result.symbols)?;
            let mut next = Vec::new();
            for (guard, chosen) in combinations {
                let without = guard.clone().and(refused.clone());
                let with = guard.clone().and(branch.condition.clone());
                let mut more = chosen.clone();
                more.push(position);
                let possible_with = possible(self.solver, &self.result.symbols, &with)?;
                let possible_without = possible(self.solver, &self.result.symbols, &without)?;
                // What is implied needs no mention.
                let shorter = |long: Formula, other: bool| if other { long } else { guard.clone() };
                if possible_with {
                    next.push((shorter(with, possible_without), more));
                }
                if possible_without {
                    next.push((shorter(without, possible_with), chosen));
                }
            }
            combinations = next;
            if (FREE..combinations.len()).any(|_| budget.step().is_err()) {
                return Err(Refusal::Limit(format!(
                    "{} leads to too many states at once, with different data: {} combinations of \
                     their conditions can hold; make the model more deterministic, narrow the \
                     purpose, or raise the limit",
                    self.tiosa.action_text(action),
                    combinations.len()
                )));
            }
        }
        for (guard, chosen) in combinations.into_iter().filter(|(_, chosen)| !chosen.is_empty()) {
            let chosen: Vec<&Branch> = chosen.into_iter().map(|at| &branches[at]).collect();
            if let Some(other) = chosen.iter().find(|branch| branch.sets != chosen[0].sets) {
                return Err(self.ambiguous(action, chosen[0], other));
            }
            let guard = self.solver.simplify(&self.result.symbols, &guard, &Formula::True);
            let sets = chosen[0].sets.clone();
            let (members, updates) = self.stored(chosen);
            let target = self.node(members);
            let expirations = expirations.clone();
            self.result.steps.push(ObservableStep {
                source,
                target,
                expirations,
                action: Some(action),
                sets,
                guard,
                updates,
            });
        }
        Ok(())
    }

    /// Puts the values that matter into registers.
    fn stored(&mut self, mut chosen: Vec<&Branch>) -> (Vec<Member>, Vec<(SymbolId, Term)>) {
        chosen.sort_by(|one, other| (one.state, &one.store).cmp(&(other.state, &other.store)));
        let mut updates: Vec<(SymbolId, Term)> = Vec::new();
        let mut used: BTreeMap<SymbolId, Vec<Term>> = BTreeMap::new();
        let mut members = Vec::new();
        for Branch { state, store, computed, .. } in chosen {
            let mut kept = Store::new();
            for (&variable, term) in store {
                let constant =
                    term.as_symbol().is_some_and(|symbol| self.tiosa.constants.contains(&symbol));
                let number = term.as_number().is_some() && !computed.contains(&variable);
                if number || constant {
                    kept.insert(variable, term.clone());
                    continue;
                }
                let known = used.entry(variable).or_default();
                let position = known.iter().position(|other| other == term).unwrap_or(known.len());
                let register =
                    register(&mut self.registers, &mut self.result.symbols, variable, position);
                if position == known.len() {
                    known.push(term.clone());
                    if *term != Term::symbol(register) {
                        updates.push((register, term.clone()));
                    }
                }
                kept.insert(variable, Term::symbol(register));
            }
            members.push(Member { state: *state, store: kept, condition: Formula::True });
        }
        updates.sort();
        (members, updates)
    }

    fn ambiguous(&self, action: ActionId, one: &Branch, other: &Branch) -> Refusal {
        let name = |branch: &Branch| {
            let location = self.setexp.states[branch.state].location;
            self.tiosa.locations[location].name.clone()
        };
        Refusal::Hypothesis(format!(
            "{} may lead to {} or to {}, which need different clocks or thresholds, and nothing that \
             is observed tells them apart; let the action reset the same clocks everywhere",
            self.tiosa.action_text(action),
            name(one),
            name(other)
        ))
    }
}

fn register(
    registers: &mut BTreeMap<SymbolId, Vec<SymbolId>>,
    symbols: &mut Symbols,
    variable: SymbolId,
    position: usize,
) -> SymbolId {
    let own = registers.entry(variable).or_insert_with(|| vec![variable]);
    while own.len() <= position {
        let mut symbol = symbols[variable].clone();
        symbol.name = format!("{}_{}", symbol.name, own.len() + 1);
        own.push(symbols.add(symbol));
    }
    own[position]
}

/// The value that a conjunction fixes a symbol to.
fn fixed(condition: &Formula, symbol: SymbolId) -> Option<Term> {
    let parts = match condition {
        Formula::And(parts) => &parts[..],
        other => std::slice::from_ref(other),
    };
    parts.iter().find_map(|part| match part {
        Formula::Compare(Comparison { term, relation: Sign::Zero }) => {
            let solved = Term::symbol(symbol).minus(term).ok()?;
            solved.as_number().map(Term::number)
        }
        _ => None,
    })
}
