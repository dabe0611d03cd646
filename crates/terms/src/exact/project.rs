//! Elimination of symbols: what a formula says of the others, exactly.
//!
//! Disjunctions go apart, and symbols that an equation defines are replaced. What is left is projected case
//! by case: values that satisfy it choose a conjunction of its atoms, that conjunction is projected, and the
//! search goes on outside of what was found. Where a projection of integers is a disjunction (a dark shadow
//! and splinters, or residues), the values choose the member; there are finitely many.

use std::collections::BTreeSet;

use crate::{Comparison, Formula, Relation, Sort, SymbolId, Symbols, Term};

use super::cube::{Cube, project};
use super::number::Number;
use super::problem::{Node, NodeId, Problem};
use super::procedure::{Exact, assume};
use super::row::{Atom, Kind, Normal, Row, Var};
use super::search::search;
use super::state::State;
use super::stop::{Steps, Stop, Unknown};

impl Exact {
    /// What a formula says of the other symbols: for their values, some values of the symbols to eliminate
    /// make it hold.
    pub fn project(
        &mut self,
        symbols: &Symbols,
        formula: &Formula,
        eliminate: &[SymbolId],
    ) -> Result<Formula, Unknown> {
        let gone: BTreeSet<SymbolId> = eliminate.iter().copied().collect();
        let empty = |symbol: &SymbolId| {
            let symbol = &symbols[*symbol];
            symbol.low.zip(symbol.high).is_some_and(|(low, high)| low > high)
        };
        if gone.iter().any(empty) {
            return Ok(Formula::False);
        }
        let mut steps = Steps::new(self.limit);
        let projected = without(symbols, formula, &gone, &mut steps)
            .map_err(|stop| stop.explain(symbols, formula))?;
        if projected == *formula {
            return Ok(projected);
        }
        Ok(self.simplify(symbols, &projected, &Formula::True))
    }
}

impl Exact {
    /// The same formula with divisibility in the place of quotients and remainders.
    pub(super) fn without_quotients(
        &mut self,
        symbols: &Symbols,
        formula: &Formula,
    ) -> Result<Formula, Unknown> {
        let mut linear = true;
        formula.each_term(&mut |term| linear &= term.nonlinear().is_none());
        if linear {
            return Ok(formula.clone());
        }
        by_values(symbols, formula, &BTreeSet::new(), &mut Steps::new(self.limit))
            .map_err(|stop| stop.explain(symbols, formula))
    }
}

fn mentions(formula: &Formula, gone: &BTreeSet<SymbolId>) -> bool {
    !formula.symbols().is_disjoint(gone)
}

fn without(
    symbols: &Symbols,
    formula: &Formula,
    gone: &BTreeSet<SymbolId>,
    steps: &mut Steps,
) -> Result<Formula, Stop> {
    if !mentions(formula, gone) {
        return Ok(formula.clone());
    }
    match formula {
        Formula::Or(parts) => {
            let parts = parts.iter().map(|part| without(symbols, part, gone, steps));
            Ok(Formula::any(parts.collect::<Result<Vec<_>, _>>()?))
        }
        Formula::And(parts) => {
            let (inside, mut outside): (Vec<_>, Vec<_>) =
                parts.iter().cloned().partition(|part| mentions(part, gone));
            for group in groups(inside, gone) {
                outside.push(conjunction(symbols, group, gone, steps)?);
            }
            Ok(Formula::all(outside))
        }
        atom => conjunction(symbols, vec![atom.clone()], gone, steps),
    }
}

/// Parts that share no symbol to eliminate are projected one by one.
fn groups(parts: Vec<Formula>, gone: &BTreeSet<SymbolId>) -> Vec<Vec<Formula>> {
    let mut groups: Vec<(BTreeSet<SymbolId>, Vec<Formula>)> = Vec::new();
    for part in parts {
        let mut shared: BTreeSet<SymbolId> = part.symbols().intersection(gone).copied().collect();
        let mut members = Vec::new();
        let mut position = 0;
        while position < groups.len() {
            if groups[position].0.is_disjoint(&shared) {
                position += 1;
            } else {
                let (also, others) = groups.remove(position);
                shared.extend(also);
                members.extend(others);
                position = 0;
            }
        }
        members.push(part);
        groups.push((shared, members));
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// Projects a conjunction all parts of which belong together.
fn conjunction(
    symbols: &Symbols,
    parts: Vec<Formula>,
    gone: &BTreeSet<SymbolId>,
    steps: &mut Steps,
) -> Result<Formula, Stop> {
    steps.take(1)?;
    for (position, part) in parts.iter().enumerate() {
        let Some((symbol, value)) = definition(symbols, part, gone) else { continue };
        let mut rest = Vec::with_capacity(parts.len() + 1);
        for other in parts.iter().take(position).chain(&parts[position + 1..]) {
            let with = |one: SymbolId| (one == symbol).then(|| value.clone());
            rest.push(other.substitute(symbols, &with).map_err(|_| Stop::Overflow)?);
        }
        let declared = &symbols[symbol];
        if let Some(low) = declared.low {
            let low = Formula::at_most(symbols, &Term::int(low), &value);
            rest.push(low.map_err(|_| Stop::Overflow)?);
        }
        if let Some(high) = declared.high {
            let high = Formula::at_most(symbols, &value, &Term::int(high));
            rest.push(high.map_err(|_| Stop::Overflow)?);
        }
        return without(symbols, &Formula::all(rest), gone, steps);
    }
    if let [Formula::Or(_)] = parts[..] {
        return without(symbols, &parts[0], gone, steps);
    }
    by_values(symbols, &Formula::all(parts), gone, steps)
}

/// The symbol to eliminate that an equation defines, and the term that it equals.
fn definition(
    symbols: &Symbols,
    part: &Formula,
    gone: &BTreeSet<SymbolId>,
) -> Option<(SymbolId, Term)> {
    let Formula::Compare(Comparison { term, relation: Relation::Zero }) = part else { return None };
    gone.iter().find_map(|symbol| {
        let factor = term.coefficient(*symbol);
        if factor.is_zero() {
            return None;
        }
        let own = Term::symbol(*symbol).times(factor).ok()?;
        let rest = term.minus(&own).ok()?;
        let mut inside = BTreeSet::new();
        rest.symbols(&mut inside);
        let inverse = tioga_base::Rational::from(-1).div(factor).ok()?;
        let value = rest.times(inverse).ok()?;
        let fits = symbols.sort(*symbol) == Sort::Rational || value.is_integer(symbols);
        (fits && !inside.contains(symbol)).then_some((*symbol, value))
    })
}

/// Projects case by case, each of which is found by values.
fn by_values(
    symbols: &Symbols,
    formula: &Formula,
    gone: &BTreeSet<SymbolId>,
    steps: &mut Steps,
) -> Result<Formula, Stop> {
    let mut problem = Problem::default();
    let state = assume(symbols, &mut problem, State::default(), formula)?;
    if let Some(operation) = problem.nonlinear(symbols) {
        return Err(operation);
    }
    let Some(mut state) = state else { return Ok(Formula::False) };
    let roots: Vec<NodeId> = problem.roots.iter().chain(&problem.sides).copied().collect();
    let leaving = |symbol: &Option<SymbolId>| symbol.is_none_or(|symbol| gone.contains(&symbol));
    let mut leaves = problem.symbols.iter().map(leaving).collect::<Vec<bool>>();
    let mut cases = Vec::new();
    while let Some(values) = search(&problem, state.clone(), steps)? {
        leaves.resize(problem.domains.len(), true);
        let mut cube = Cube { atoms: Vec::new(), leaves: leaves.clone(), values };
        for root in &roots {
            implicant(&problem, *root, &mut cube)?;
        }
        for var in 0..problem.domains.len() {
            if cube.leaves[var] {
                ends(&problem, var as Var, &mut cube);
            }
        }
        let atoms = project(&problem, cube, steps)?;
        let raised = atoms.iter().map(|atom| problem.raise(symbols, atom));
        cases.push(Formula::all(raised.collect::<Result<Vec<_>, _>>()?));
        let mut outside = Vec::new();
        for atom in &atoms {
            outside.push(match atom.opposite(|var| problem.integer(var))? {
                Normal::True => problem.node(Node::True),
                Normal::False => problem.node(Node::False),
                Normal::Atom(atom) => problem.node(Node::Atom(atom)),
            });
        }
        let outside = problem.node(Node::Or(outside));
        if !state.assume(&problem, outside)? {
            break;
        }
    }
    Ok(Formula::any(cases))
}

/// Atoms that hold with the values and of which the node follows.
fn implicant(problem: &Problem, node: NodeId, cube: &mut Cube) -> Result<(), Stop> {
    match &problem.nodes[node as usize] {
        Node::True => Ok(()),
        Node::False | Node::Opaque => Err(Stop::Internal),
        Node::And(parts) => parts.iter().try_for_each(|part| implicant(problem, *part, cube)),
        Node::Or(parts) => {
            for part in parts {
                if problem.holds(*part, &cube.values, false)? {
                    return implicant(problem, *part, cube);
                }
            }
            Err(Stop::Internal)
        }
        Node::Atom(atom) => {
            let mut atom = atom.clone();
            let inside = atom.row.parts.iter().any(|(var, _)| cube.leaves[*var as usize]);
            let value = atom.row.value(&cube.values)?;
            match atom.kind {
                Kind::NotZero if inside => {
                    if value.signum() > 0 {
                        atom.row = atom.row.negative();
                    }
                    atom.kind = Kind::Below;
                }
                Kind::NotDivides(divisor) if inside => {
                    atom.row = atom.row.plus(-value.top().rem_euclid(divisor))?;
                    atom.kind = Kind::Divides(divisor);
                }
                _ => {}
            }
            if !atom.kind.holds(atom.row.value(&cube.values)?) {
                return Err(Stop::Internal);
            }
            cube.atoms.push(atom);
            Ok(())
        }
    }
}

/// The ends of the range of a variable that leaves.
fn ends(problem: &Problem, var: Var, cube: &mut Cube) {
    let domain = &problem.domains[var as usize];
    let mut push = |number: Number, sign: i128| {
        let mut row = Row::variable(var, sign * number.below());
        row.constant = -sign * number.top();
        cube.atoms.push(Atom { row, kind: Kind::AtMost });
    };
    if let Some(low) = domain.low {
        push(low, -1);
    }
    if let Some(high) = domain.high {
        push(high, 1);
    }
}
