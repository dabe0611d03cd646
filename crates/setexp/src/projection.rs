//! The observable projection: SetExp without internal actions (KHO 6.3, substep 3a).
//!
//! An internal action at the instant of an expiration is erased from it. Other internal actions are
//! followed: what can be observed after some of them can be observed before them, under their conditions and
//! with their assignments.

use std::collections::{BTreeMap, VecDeque};

use tioga_base::{Budget, Overflow};
use tioga_terms::{Formula, SymbolId, Term};

use crate::error::Refusal;
use crate::setexp::{Expiration, Set, SetExp, SetExpTransition, StateId};
use crate::solver::{Solver, implied, possible};
use crate::tiosa::{ActionId, Kind, Tiosa};

/// New values of variables, in terms of the old ones; variables that are left out keep theirs.
pub type Store = BTreeMap<SymbolId, Term>;

/// How many internal steps with different data are followed from one state.
const SILENT_LIMIT: usize = 200;

/// The observable projection of SetExp, over the same states.
#[derive(Clone, Debug)]
pub struct Projection {
    /// The transitions, in order of their sources.
    pub transitions: Vec<Seen>,
    /// Expirations that end the invariant of a state or of one that it silently becomes.
    pub late: Vec<(StateId, Vec<Expiration>)>,
    /// What each state may silently become.
    pub silent: Vec<Vec<Silent>>,
}

/// A transition of the projection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The state it leaves.
    pub source: StateId,
    /// The state it enters.
    pub target: StateId,
    /// The expirations that happen, all at the same instant.
    pub expirations: Vec<Expiration>,
    /// The input or output, if one happens.
    pub action: Option<ActionId>,
    /// What is programmed, at the same instant.
    pub sets: Vec<Set>,
    /// When it is possible.
    pub condition: Formula,
    /// What it changes.
    pub store: Store,
}

/// A state that another may silently become.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Silent {
    /// The state.
    pub state: StateId,
    /// When.
    pub condition: Formula,
    /// What changes on the way.
    pub store: Store,
}

impl Projection {
    /// Eliminates internal actions.
    pub fn of(
        tiosa: &Tiosa,
        setexp: &SetExp,
        solver: &mut dyn Solver,
        budget: &mut Budget,
    ) -> Result<Self, Refusal> {
        let mut projection = Self { transitions: Vec::new(), late: Vec::new(), silent: Vec::new() };
        for source in setexp.states.ids() {
            let closure = closure(tiosa, setexp, source, solver)?;
            let first = projection.transitions.len();
            for silent in &closure {
                if budget.step().is_err() {
                    return Err(Refusal::Limit(format!(
                        "the observable projection has more than {} transitions",
                        projection.transitions.len()
                    )));
                }
                for transition in setexp.leaving(silent.state) {
                    if let Some(seen) = seen(tiosa, source, silent, transition, solver)?
                        && !projection.transitions[first..].contains(&seen)
                    {
                        projection.transitions.push(seen);
                    }
                }
                for (_, late) in setexp.overdue.iter().filter(|(state, _)| *state == silent.state) {
                    if !projection.late.contains(&(source, late.clone())) {
                        projection.late.push((source, late.clone()));
                    }
                }
            }
            projection.silent.push(closure);
        }
        Ok(projection)
    }

    /// The transitions that leave a state, in order.
    pub fn leaving(&self, state: StateId) -> impl Iterator<Item = &Seen> {
        let start = self.transitions.partition_point(|t| t.source < state);
        self.transitions[start..].iter().take_while(move |t| t.source == state)
    }
}

/// A term with the values of a store.
pub fn apply(store: &Store, term: &Term) -> Result<Term, Overflow> {
    term.substitute(&|symbol| store.get(&symbol).cloned())
}

/// The store after assignments.
pub fn assign(store: &Store, assignments: &[(SymbolId, Term)]) -> Result<Store, Overflow> {
    let mut next = store.clone();
    for (variable, term) in assignments {
        let value = apply(store, term)?;
        if value == Term::symbol(*variable) {
            next.remove(variable);
        } else {
            next.insert(*variable, value);
        }
    }
    Ok(next)
}

/// The input or output of a transition, if one happens.
fn observed(tiosa: &Tiosa, transition: &SetExpTransition) -> Option<ActionId> {
    let actions = transition.edges.iter().map(|edge| tiosa.edges[*edge].action);
    actions.into_iter().find(|action| tiosa.actions[*action].kind != Kind::Internal)
}

/// A condition with those of the edges of a transition, and a store after their assignments.
pub fn after(
    tiosa: &Tiosa,
    transition: &SetExpTransition,
    condition: &Formula,
    store: &Store,
) -> Result<(Formula, Store), Overflow> {
    let (mut condition, mut store) = (condition.clone(), store.clone());
    for edge in transition.edges.iter().map(|edge| &tiosa.edges[*edge]) {
        let own =
            edge.condition.substitute(&tiosa.symbols, &|symbol| store.get(&symbol).cloned())?;
        condition = condition.and(own);
        store = assign(&store, &edge.assignments)?;
    }
    Ok((condition, store))
}

/// What a state may silently become; itself first.
fn closure(
    tiosa: &Tiosa,
    setexp: &SetExp,
    source: StateId,
    solver: &mut dyn Solver,
) -> Result<Vec<Silent>, Refusal> {
    let start = Silent { state: source, condition: Formula::True, store: Store::new() };
    let mut found = vec![start];
    let mut waiting = VecDeque::from([0]);
    while let Some(position) = waiting.pop_front() {
        let from: Silent = found[position].clone();
        for transition in setexp.leaving(from.state).filter(|t| t.expirations.is_empty()) {
            if observed(tiosa, transition).is_some() {
                continue;
            }
            let (condition, store) = after(tiosa, transition, &from.condition, &from.store)?;
            if !possible(solver, &tiosa.symbols, &condition)? {
                continue;
            }
            let state = transition.target;
            let known = found.iter().position(|s| s.state == state && s.store == store);
            match known {
                Some(known) => {
                    let old = &found[known].condition;
                    if !implied(solver, &tiosa.symbols, &condition, old)? {
                        found[known].condition = old.clone().or(condition);
                        waiting.push_back(known);
                    }
                }
                None if found.len() == SILENT_LIMIT => {
                    return Err(Refusal::Limit(format!(
                        "internal actions change data in {} without end: more than {SILENT_LIMIT} \
                         ways lead on from there unseen",
                        tiosa.locations[setexp.states[source].location].name
                    )));
                }
                None => {
                    found.push(Silent { state, condition, store });
                    waiting.push_back(found.len() - 1);
                }
            }
        }
    }
    Ok(found)
}

/// A transition after silent steps, if it is observable and possible.
fn seen(
    tiosa: &Tiosa,
    source: StateId,
    silent: &Silent,
    transition: &SetExpTransition,
    solver: &mut dyn Solver,
) -> Result<Option<Seen>, Refusal> {
    let action = observed(tiosa, transition);
    if action.is_none() && transition.expirations.is_empty() {
        return Ok(None);
    }
    let (condition, store) = after(tiosa, transition, &silent.condition, &silent.store)?;
    if !possible(solver, &tiosa.symbols, &condition)? {
        return Ok(None);
    }
    Ok(Some(Seen {
        source,
        target: transition.target,
        expirations: transition.expirations.clone(),
        action,
        sets: transition.sets.clone(),
        condition,
        store,
    }))
}
