//! KHO Proposition 4.1: without Set and Exp, SetExp(A) has exactly the timed words of A.
//!
//! The reference plays both automata side by side on a grid of time that is finer than the order of
//! fractional parts needs, with values of clocks cut off above all constants: the joint graph is finite, and
//! most often all of it is visited: words of any length are then compared, at all instants of the grid.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Budget, Id, Rational};
use tioga_setexp::{
    ActionId, EdgeId, Expiration, Kind, LocationId, Relation, SetExp, SetExpState, StateId, Tiosa,
    hold,
};

use crate::build::{Build, atom};

/// Steps of the grid per time unit.
const GRID: i64 = 4;

/// How many joint states are visited at most, for each automaton.
const LIMIT: usize = 1500;

/// Values of the clocks, in steps of the grid.
type Clocks = Vec<i64>;

fn ceiling(tiosa: &Tiosa) -> i64 {
    let atoms = tiosa.locations.ids().flat_map(|location| tiosa.atoms(location));
    let largest = atoms.filter_map(|atom| atom.threshold.as_number()?.to_integer()).max();
    (largest.unwrap_or(0) + 1) * GRID
}

fn later(clocks: &Clocks, ceiling: i64) -> Clocks {
    clocks.iter().map(|value| (value + 1).min(ceiling)).collect()
}

/// Whether an edge is enabled by its clock guard alone, as KHO 2.4 says it.
fn enabled(tiosa: &Tiosa, edge: EdgeId, clocks: &Clocks) -> bool {
    tiosa.edges[edge].guard.iter().all(|atom| {
        let value = Rational::new(clocks[atom.clock.index()], GRID).unwrap();
        atom.relation.holds(value.cmp(&atom.threshold.as_number().unwrap()))
    })
}

fn invariant(tiosa: &Tiosa, location: LocationId, clocks: &Clocks) -> bool {
    tiosa.locations[location].invariant.iter().all(|atom| {
        let value = Rational::new(clocks[atom.clock.index()], GRID).unwrap();
        atom.relation.holds(value.cmp(&atom.threshold.as_number().unwrap()))
    })
}

fn reset(tiosa: &Tiosa, edge: EdgeId, clocks: &Clocks) -> Clocks {
    let mut clocks = clocks.clone();
    for clock in &tiosa.edges[edge].resets {
        clocks[clock.index()] = 0;
    }
    clocks
}

/// What is due now: pending expirations whose clock has reached its threshold.
fn due(setexp: &SetExp, state: StateId, clocks: &Clocks) -> Vec<Expiration> {
    let due = setexp.states[state].pending.iter().filter(|one| {
        let at = one.threshold.as_number().unwrap().to_integer().unwrap() * GRID;
        clocks[one.clock.index()] == at
    });
    due.cloned().collect()
}

type Automaton = BTreeSet<(LocationId, Clocks)>;
type Transformed = BTreeSet<(StateId, Clocks)>;

/// Compares the words of both; gives the number of joint states visited.
pub fn same_words(tiosa: &Tiosa, setexp: &SetExp) -> usize {
    let ceiling = ceiling(tiosa);
    let zero: Clocks = vec![0; tiosa.clocks.len()];
    let start: (Automaton, Transformed, bool) = (
        BTreeSet::from([(tiosa.initial, zero.clone())]),
        BTreeSet::from([(setexp.initial, zero)]),
        false,
    );
    let mut known = BTreeSet::from([start.clone()]);
    let mut waiting = std::collections::VecDeque::from([(start, Vec::<String>::new())]);
    while let Some(((automaton, transformed, passed), word)) = waiting.pop_front() {
        let mut next: BTreeMap<String, (Automaton, Transformed, bool)> = BTreeMap::new();
        if passed {
            for action in tiosa.actions.ids() {
                let one = act(tiosa, &automaton, action);
                let other = act_transformed(tiosa, setexp, &transformed, action);
                let name = tiosa.actions[action].name.clone();
                assert_eq!(
                    one.is_empty(),
                    other.is_empty(),
                    "{name} after {word:?}: {}",
                    tioga_setexp::View::tiosa(tiosa).text()
                );
                if !one.is_empty() {
                    next.insert(name, (one, other, false));
                }
            }
        }
        let one: Automaton = automaton
            .iter()
            .map(|(location, clocks)| (*location, later(clocks, ceiling)))
            .filter(|(location, clocks)| invariant(tiosa, *location, clocks))
            .collect();
        let other = pass(tiosa, setexp, &transformed, ceiling);
        assert_eq!(one.is_empty(), other.is_empty(), "time after {word:?}");
        if !one.is_empty() {
            next.insert("+".to_owned(), (one, other, true));
        }
        for (name, state) in next {
            if known.len() < LIMIT && known.insert(state.clone()) {
                let mut word = word.clone();
                word.push(name);
                waiting.push_back((state, word));
            }
        }
    }
    known.len()
}

fn act(tiosa: &Tiosa, from: &Automaton, action: ActionId) -> Automaton {
    let mut reached = BTreeSet::new();
    for (location, clocks) in from {
        for (id, edge) in tiosa.leaving(*location) {
            if edge.action == action && enabled(tiosa, id, clocks) {
                let clocks = reset(tiosa, id, clocks);
                if invariant(tiosa, edge.target, &clocks) {
                    reached.insert((edge.target, clocks));
                }
            }
        }
    }
    reached
}

fn act_transformed(
    tiosa: &Tiosa,
    setexp: &SetExp,
    from: &Transformed,
    action: ActionId,
) -> Transformed {
    let mut reached = BTreeSet::new();
    for (state, clocks) in from {
        let due = due(setexp, *state, clocks);
        for transition in setexp.leaving(*state).filter(|t| t.expirations == due) {
            if let [edge] = transition.edges[..]
                && tiosa.edges[edge].action == action
            {
                reached.insert((transition.target, reset(tiosa, edge, clocks)));
            }
        }
    }
    reached
}

/// One step of the grid: what is due happens first, by a transition of type 1.
fn pass(tiosa: &Tiosa, setexp: &SetExp, from: &Transformed, ceiling: i64) -> Transformed {
    let mut reached = BTreeSet::new();
    for (state, clocks) in from {
        let SetExpState { location, pending, .. } = &setexp.states[*state];
        if !hold(&tiosa.locations[*location].invariant, pending, &[]) {
            continue;
        }
        let due = due(setexp, *state, clocks);
        let state = if due.is_empty() {
            Some(*state)
        } else {
            let found = setexp.leaving(*state).find(|t| t.edges.is_empty() && t.expirations == due);
            let late = setexp.overdue.iter().any(|(at, now)| at == state && *now == due);
            assert!(found.is_some() || late, "the order of expirations was thought impossible");
            found.map(|t| t.target)
        };
        if let Some(state) = state {
            let clocks = later(clocks, ceiling);
            reached.insert((state, clocks));
        }
    }
    reached
}

/// A random automaton without data.
pub fn random(rng: &mut fastrand::Rng, invariants: bool) -> Tiosa {
    let mut b = Build::new("random", "l0");
    let mut locations = vec![b.tiosa.initial];
    for index in 1..rng.usize(1..4) {
        locations.push(b.location(&format!("l{index}")));
    }
    let clocks: Vec<_> = (0..rng.usize(1..4)).map(|i| b.clock(&format!("c{i}"))).collect();
    let kinds = [Kind::Input, Kind::Output];
    let actions: Vec<_> = (0..2).map(|i| b.action(&format!("a{i}"), kinds[i], &[])).collect();
    let relations =
        [Relation::Below, Relation::AtMost, Relation::Equal, Relation::AtLeast, Relation::Above];
    for _ in 0..rng.usize(1..7) {
        let (source, target) = (*rng.choice(&locations).unwrap(), *rng.choice(&locations).unwrap());
        let action = *rng.choice(&actions).unwrap();
        let resets = clocks.iter().copied().filter(|_| rng.u8(0..3) == 0).collect();
        let guard = (0..rng.usize(0..3))
            .map(|_| {
                let relation = relations[rng.usize(0..relations.len())];
                atom(clocks[rng.usize(0..clocks.len())], relation, rng.i64(0..4))
            })
            .collect();
        let edge = b.edge(source, target, action);
        (edge.resets, edge.guard) = (resets, guard);
    }
    if invariants {
        for location in &locations {
            if rng.bool() {
                let clock = clocks[rng.usize(0..clocks.len())];
                b.tiosa.locations[*location].invariant =
                    vec![atom(clock, Relation::AtMost, rng.i64(1..4))];
            }
        }
    }
    b.tiosa
}

#[test]
fn random_automata_have_the_words_of_their_transformation() {
    let mut visited = 0;
    for seed in 0..150 {
        let tiosa = random(&mut fastrand::Rng::with_seed(seed), false);
        let setexp = SetExp::of(&tiosa, &mut Budget::steps(100_000)).unwrap();
        visited += same_words(&tiosa, &setexp);
    }
    assert!(visited > 10_000, "only {visited} joint states were compared");
}

#[test]
fn random_automata_with_invariants_have_the_words_of_their_transformation() {
    for seed in 1000..1100 {
        let tiosa = random(&mut fastrand::Rng::with_seed(seed), true);
        match SetExp::of(&tiosa, &mut Budget::steps(100_000)) {
            Ok(setexp) => drop(same_words(&tiosa, &setexp)),
            Err(refusal) => panic!("{refusal}"),
        }
    }
}

/// The comparison notices what is missing. Only `beta` to l3 between 2 and 3 may go: to l4 it is possible, too,
/// and l3 allows nothing that l4 does not.
#[test]
fn a_missing_transition_is_noticed() {
    let tiosa = crate::build::figure_1();
    let setexp = SetExp::of(&tiosa, &mut Budget::steps(1000)).unwrap();
    let mut unnoticed = Vec::new();
    for position in 0..setexp.transitions.len() {
        let mut broken = setexp.clone();
        let removed = broken.transitions.remove(position);
        let compared = std::panic::catch_unwind(|| same_words(&tiosa, &broken));
        if compared.is_ok() {
            unnoticed.push((removed.source, removed.target));
        }
    }
    assert_eq!(unnoticed, [(StateId(4), StateId(5))]);
}
