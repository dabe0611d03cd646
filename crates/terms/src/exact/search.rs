//! Search through choices: which member of each disjunction holds, and on which side of each `≠` a value lies.

use super::conjunction;
use super::number::Number;
use super::problem::{NodeId, Problem};
use super::row::{Atom, Kind, Normal, Row};
use super::state::State;
use super::stop::{Steps, Stop};

/// How many forks may wait for their other branches; each keeps a state.
const DEEPEST: usize = 1000;

/// A state whose branches are searched one after the other.
struct Fork {
    state: State,
    branches: Branches,
    /// How many branches have been taken.
    taken: usize,
}

/// What a fork is about.
enum Branches {
    /// On which side of zero a row is.
    Sides(Row),
    /// Which member of a disjunction holds.
    Members(Vec<NodeId>),
}

/// What a look at a state shows.
#[expect(clippy::large_enum_variant, reason = "taken apart at once; a box would cost more")]
enum Look {
    Never,
    Holds(Vec<Number>),
    Fork(Fork),
}

/// Values of all variables that satisfy all that a state assumes; nothing if there are none.
///
/// The conjunction is solved first. If its values do not satisfy a choice, the search branches there; so it
/// never branches on what does not matter.
pub(super) fn search(
    problem: &Problem,
    state: State,
    steps: &mut Steps,
) -> Result<Option<Vec<Number>>, Stop> {
    let mut forks: Vec<Fork> = Vec::new();
    let mut next = Some(state);
    loop {
        if let Some(state) = next.take() {
            steps.take(1)?;
            match look(problem, state, steps)? {
                Look::Never => {}
                Look::Holds(values) => return Ok(Some(values)),
                Look::Fork(fork) => {
                    if forks.len() >= DEEPEST {
                        return Err(Stop::Depth(DEEPEST));
                    }
                    forks.push(fork);
                }
            }
        }
        let Some(mut fork) = forks.pop() else { return Ok(None) };
        next = fork.branch(problem)?;
        if fork.taken < fork.branches.count() {
            forks.push(fork);
        }
    }
}

/// Draws conclusions from a state, and solves what does not depend on choices.
fn look(problem: &Problem, mut state: State, steps: &mut Steps) -> Result<Look, Stop> {
    if !state.propagate(problem)? {
        return Ok(Look::Never);
    }
    let Some(values) = conjunction::solve(&state, steps)? else { return Ok(Look::Never) };
    let branches = if let Some(position) = violated(&state, &values)? {
        Branches::Sides(state.atoms.swap_remove(position).row)
    } else if let Some((position, members)) = open_choice(problem, &state, &values)? {
        if members.is_empty() {
            // What else is known excludes every member.
            return Ok(Look::Never);
        }
        state.choices.swap_remove(position);
        Branches::Members(members)
    } else {
        return Ok(Look::Holds(values));
    };
    Ok(Look::Fork(Fork { state, branches, taken: 0 }))
}

impl Branches {
    fn count(&self) -> usize {
        match self {
            Self::Sides(_) => 2,
            Self::Members(members) => members.len(),
        }
    }
}

impl Fork {
    /// The next branch; nothing if it is a contradiction at first sight.
    fn branch(&mut self, problem: &Problem) -> Result<Option<State>, Stop> {
        let position = self.taken;
        self.taken += 1;
        // The last branch needs no copy of the state.
        let last = self.taken == self.branches.count();
        let mut state = if last { std::mem::take(&mut self.state) } else { self.state.clone() };
        let possible = match &self.branches {
            Branches::Sides(row) => {
                let row = if position == 0 { row.clone() } else { row.negative() };
                match (Atom { row, kind: Kind::Below }).normal(|var| problem.integer(var))? {
                    Normal::True => true,
                    Normal::False => false,
                    Normal::Atom(atom) => state.assume_atom(&atom)?,
                }
            }
            Branches::Members(members) => {
                let mut possible = state.assume(problem, members[position])?;
                // What was tried before did not help, so it may be taken not to hold.
                for before in &members[..position] {
                    possible = possible && state.deny(problem, *before)?;
                }
                possible
            }
        };
        Ok(possible.then_some(state))
    }
}

/// The first `≠` that values do not satisfy.
fn violated(state: &State, values: &[Number]) -> Result<Option<usize>, Stop> {
    for (position, atom) in state.atoms.iter().enumerate() {
        if atom.kind == Kind::NotZero && !atom.holds(values)? {
            return Ok(Some(position));
        }
    }
    Ok(None)
}

/// Of the choices that values do not satisfy, the one with the fewest members that may hold.
fn open_choice(
    problem: &Problem,
    state: &State,
    values: &[Number],
) -> Result<Option<(usize, Vec<NodeId>)>, Stop> {
    let mut best: Option<(usize, Vec<NodeId>)> = None;
    for (position, choice) in state.choices.iter().enumerate() {
        if problem.holds(*choice, values, state.generous)? {
            continue;
        }
        let Some(live) = state.live(problem, *choice) else { continue };
        if best.as_ref().is_none_or(|(_, members)| live.len() < members.len()) {
            best = Some((position, live));
        }
    }
    Ok(best)
}
