//! Guards as sets: whether two meet, and the rest that a list of guards leaves, in disjoint parts.

use tioga_base::{Overflow, Rational};
use tioga_terms::{Formula, Symbols};

use crate::tiosa::{Atom, Relation};

/// A clock guard with a condition on data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    /// The clock guard: all of these.
    pub atoms: Vec<Atom>,
    /// The condition on data.
    pub condition: Formula,
}

/// Where none of the guards holds, as disjoint guards.
///
/// Post: for all values of clocks and data, exactly one of the given and the resulting guards holds if the
/// given ones are disjoint, and a resulting guard holds exactly where no given one does.
pub fn outside(symbols: &Symbols, guards: &[Guard]) -> Result<Vec<Guard>, Overflow> {
    let mut rest = vec![Guard { atoms: Vec::new(), condition: Formula::True }];
    for guard in guards {
        let refused = guard.condition.negated(symbols)?;
        let mut next = Vec::new();
        for part in rest {
            let mut inside = part.atoms.clone();
            for atom in &guard.atoms {
                for relation in atom.relation.opposites() {
                    let mut atoms = inside.clone();
                    add(&mut atoms, Atom { relation: *relation, ..atom.clone() });
                    if possible(&atoms) {
                        next.push(Guard { atoms, condition: part.condition.clone() });
                    }
                }
                add(&mut inside, atom.clone());
            }
            let condition = part.condition.and(refused.clone());
            if condition != Formula::False && possible(&inside) {
                next.push(Guard { atoms: inside, condition });
            }
        }
        rest = next;
    }
    Ok(rest)
}

/// Adds an atom unless another implies it.
fn add(atoms: &mut Vec<Atom>, atom: Atom) {
    if atoms.iter().any(|known| implies(known, &atom)) {
        return;
    }
    atoms.retain(|known| !implies(&atom, known));
    atoms.push(atom);
    atoms.sort();
}

/// Whether one comparison implies another, as far as numbers and equal terms tell.
fn implies(one: &Atom, other: &Atom) -> bool {
    if one.clock != other.clock {
        return false;
    }
    if one.threshold == other.threshold {
        return one.relation == other.relation
            || matches!(
                (one.relation, other.relation),
                (Relation::Below | Relation::Equal, Relation::AtMost)
                    | (Relation::Above | Relation::Equal, Relation::AtLeast)
            );
    }
    let (Some(at), Some(than)) = (one.threshold.as_number(), other.threshold.as_number()) else {
        return false;
    };
    match other.relation {
        Relation::Below | Relation::AtMost => at < than && upper(one.relation),
        Relation::Above | Relation::AtLeast => at > than && lower(one.relation),
        Relation::Equal => false,
    }
}

fn upper(relation: Relation) -> bool {
    matches!(relation, Relation::Below | Relation::AtMost | Relation::Equal)
}

fn lower(relation: Relation) -> bool {
    matches!(relation, Relation::Above | Relation::AtLeast | Relation::Equal)
}

/// Whether some values of the clocks satisfy all comparisons, for some values of thresholds that are no
/// numbers. Clocks are not negative.
pub fn possible(atoms: &[Atom]) -> bool {
    let some_time = atoms.iter().all(|atom| {
        let holds_at_zero = |number: Rational| match atom.relation {
            Relation::Below => number > Rational::ZERO,
            _ => number >= Rational::ZERO,
        };
        !upper(atom.relation) || atom.threshold.as_number().is_none_or(holds_at_zero)
    });
    some_time && atoms.iter().all(|low| atoms.iter().all(|high| meet(low, high)))
}

fn meet(low: &Atom, high: &Atom) -> bool {
    if low.clock != high.clock || !lower(low.relation) || !upper(high.relation) {
        return true;
    }
    let strict = low.relation == Relation::Above || high.relation == Relation::Below;
    if low.threshold == high.threshold {
        return !strict;
    }
    match (low.threshold.as_number(), high.threshold.as_number()) {
        (Some(low), Some(high)) => low < high || low == high && !strict,
        _ => true,
    }
}
