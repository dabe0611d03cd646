//! What is assumed at one point of the search, and what follows from it at once.

use super::domain::{Change, Domain, Extreme, end, extreme, extremes, judge, verdict};
use super::problem::{Node, NodeId, Problem};
use super::row::{Atom, Kind, Normal};
use super::stop::Stop;

/// A conjunction of intervals, conditions on several variables, and choices that are still open.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) domains: Vec<Domain>,
    pub(super) atoms: Vec<Atom>,
    pub(super) choices: Vec<NodeId>,
    /// Whether an operation that is not linear is taken to hold (or else not to hold).
    pub(super) generous: bool,
}

/// How often bounds are passed on between rows. Rows may do so for ever without coming to an end.
const ROUNDS: usize = 4;

impl State {
    /// Assumes a node; false if it cannot hold.
    pub(super) fn assume(&mut self, problem: &Problem, node: NodeId) -> Result<bool, Stop> {
        match &problem.nodes[node as usize] {
            Node::True => Ok(true),
            Node::False => Ok(false),
            Node::Opaque => Ok(self.generous),
            Node::Atom(atom) => self.assume_atom(atom),
            Node::And(parts) => {
                for part in parts {
                    if !self.assume(problem, *part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Node::Or(_) => {
                self.choices.push(node);
                Ok(true)
            }
        }
    }

    /// Assumes an atom; false if it cannot hold.
    pub(super) fn assume_atom(&mut self, atom: &Atom) -> Result<bool, Stop> {
        if let [(var, factor)] = atom.row.parts[..] {
            let domain = &mut self.domains[var as usize];
            let (change, all) = domain.restrict(factor, atom.row.constant, atom.kind)?;
            if change == Change::Empty {
                return Ok(false);
            }
            if all {
                return Ok(true);
            }
        }
        self.atoms.push(atom.clone());
        Ok(true)
    }

    /// Assumes the opposite of a node if that is one atom.
    pub(super) fn deny(&mut self, problem: &Problem, node: NodeId) -> Result<bool, Stop> {
        let Node::Atom(atom) = &problem.nodes[node as usize] else { return Ok(true) };
        match atom.opposite(|var| problem.integer(var))? {
            Normal::True => Ok(true),
            Normal::False => Ok(false),
            Normal::Atom(atom) => self.assume_atom(&atom),
        }
    }

    /// Draws conclusions until nothing changes, or for some rounds; false if there is a contradiction.
    pub(super) fn propagate(&mut self, problem: &Problem) -> Result<bool, Stop> {
        for _ in 0..ROUNDS {
            let mut changed = false;
            let mut position = 0;
            while position < self.atoms.len() {
                match narrow(&self.atoms[position], &mut self.domains) {
                    Ok(Change::Empty) => return Ok(false),
                    Ok(Change::Settled) => {
                        self.atoms.swap_remove(position);
                        continue;
                    }
                    Ok(Change::Smaller) => changed = true,
                    // What does not fit is not concluded here.
                    Ok(Change::None) | Err(_) => {}
                }
                position += 1;
            }
            let mut position = 0;
            while position < self.choices.len() {
                let choice = self.choices[position];
                let Some(live) = self.live(problem, choice) else {
                    self.choices.swap_remove(position);
                    continue;
                };
                match live[..] {
                    [] => return Ok(false),
                    [only] => {
                        self.choices.swap_remove(position);
                        if !self.assume(problem, only)? {
                            return Ok(false);
                        }
                        changed = true;
                    }
                    _ => position += 1,
                }
            }
            if !changed {
                break;
            }
        }
        Ok(true)
    }

    /// The members of a choice that the domains do not refute; nothing if one of them holds for sure.
    pub(super) fn live(&self, problem: &Problem, choice: NodeId) -> Option<Vec<NodeId>> {
        let Node::Or(parts) = &problem.nodes[choice as usize] else { return Some(vec![choice]) };
        let mut live = Vec::new();
        for part in parts {
            match self.judge(problem, *part) {
                Some(true) => return None,
                Some(false) => {}
                None => live.push(*part),
            }
        }
        Some(live)
    }

    fn judge(&self, problem: &Problem, node: NodeId) -> Option<bool> {
        match &problem.nodes[node as usize] {
            Node::True => Some(true),
            Node::False => Some(false),
            Node::Opaque => Some(self.generous),
            Node::Atom(atom) => judge(atom, &self.domains).unwrap_or(None),
            Node::And(parts) => {
                let mut all = true;
                for part in parts {
                    match self.judge(problem, *part) {
                        Some(false) => return Some(false),
                        Some(true) => {}
                        None => all = false,
                    }
                }
                all.then_some(true)
            }
            Node::Or(parts) => {
                let mut none = true;
                for part in parts {
                    match self.judge(problem, *part) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => none = false,
                    }
                }
                none.then_some(false)
            }
        }
    }
}

/// What an atom says of the intervals of its variables.
pub(super) fn narrow(atom: &Atom, domains: &mut [Domain]) -> Result<Change, Stop> {
    if let Kind::Divides(_) | Kind::NotDivides(_) = atom.kind {
        return Ok(match judge(atom, domains)? {
            Some(true) => Change::Settled,
            Some(false) => Change::Empty,
            None => Change::None,
        });
    }
    let (least, most) = extremes(&atom.row, domains)?;
    match verdict(atom.kind, least, most) {
        Some(true) => return Ok(Change::Settled),
        Some(false) => return Ok(Change::Empty),
        None => {}
    }
    match atom.kind {
        Kind::NotZero => narrow_differs(atom, domains),
        Kind::Zero => {
            let one = narrow_side(atom, domains, least, false)?;
            if one == Change::Empty {
                return Ok(one);
            }
            // The greatest value is another one now.
            let most = if one == Change::None { most } else { extreme(&atom.row, domains, true)? };
            let other = narrow_side(atom, domains, most, true)?;
            Ok(if other == Change::None { one } else { other })
        }
        _ => narrow_side(atom, domains, least, false),
    }
}

/// What follows from one extreme of a row: its least value is at most zero, or its greatest at least.
fn narrow_side(
    atom: &Atom,
    domains: &mut [Domain],
    all: Extreme,
    greatest: bool,
) -> Result<Change, Stop> {
    let mut result = Change::None;
    if all.unbounded > 1 {
        return Ok(result);
    }
    let all_open = all.open + u32::from(atom.kind == Kind::Below);
    for (var, factor) in &atom.row.parts {
        let domain = &mut domains[*var as usize];
        let (rest, open) = match end(domain, *factor, greatest) {
            Some((value, open)) if all.unbounded == 0 => {
                let mut rest = all.sum;
                rest.add_product(&value, -factor)?;
                (rest, all_open - u32::from(open))
            }
            None => (all.sum, all_open),
            Some(_) => continue,
        };
        // factor · variable + rest ≤ 0, or ≥ 0 for the greatest.
        let bound = rest.negative().over(*factor)?;
        let change = if (*factor > 0) == greatest {
            domain.at_least(bound, open > 0)?
        } else {
            domain.at_most(bound, open > 0)?
        };
        match change {
            Change::Empty => return Ok(Change::Empty),
            Change::Smaller => result = Change::Smaller,
            Change::None | Change::Settled => {}
        }
    }
    Ok(result)
}

/// `row ≠ 0` with all variables fixed but one.
fn narrow_differs(atom: &Atom, domains: &mut [Domain]) -> Result<Change, Stop> {
    let mut rest = super::number::Number::int(atom.row.constant);
    let mut free = None;
    for (var, factor) in &atom.row.parts {
        let domain = &domains[*var as usize];
        match domain.fixed() {
            Some(value) => rest = rest.plus(value.times(*factor)?)?,
            None if free.is_some() => return Ok(Change::None),
            None => free = Some((*var, *factor)),
        }
    }
    let Some((var, factor)) = free else { return Ok(Change::None) };
    let value = rest.negative().over(factor)?;
    domains[var as usize].differs(value)
}
