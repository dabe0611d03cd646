//! Printing a zone as a conjunction of its minimal constraints, in the syntax of guards.

use std::fmt;

use crate::constrain::Constraint;
use crate::zone::Zone;

/// Prints a zone over given clock names, as in `x >= 1 && x < 5 && y - x == 2`.
///
/// A zone without constraints prints as `true`.
#[derive(Clone, Copy)]
pub struct ZoneDisplay<'a, S> {
    zone: &'a Zone,
    names: &'a [S],
}

impl Zone {
    /// A form that prints the zone as constraints over the given clock names; `names[0]` is the
    /// name of clock 1.
    ///
    /// # Panics
    /// If there are fewer names than clocks.
    #[must_use]
    pub fn display<'a, S: AsRef<str>>(&'a self, names: &'a [S]) -> ZoneDisplay<'a, S> {
        assert!(names.len() + 1 >= self.dimension(), "a clock has no name");
        ZoneDisplay { zone: self, names }
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = (1..self.dimension()).map(|i| format!("x{i}")).collect();
        write!(f, "{{{}}}", self.display(&names))
    }
}

impl<S: AsRef<str>> fmt::Display for ZoneDisplay<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let representatives: Vec<usize> =
            (0..self.zone.dimension()).map(|i| self.zone.representative(i)).collect();
        let mut constraints = self.zone.minimal_constraints();
        // Clocks at a fixed difference are said to be so, each with regard to the least of them.
        constraints.retain(|c| representatives[c.left] != representatives[c.right]);
        for (i, &representative) in representatives.iter().enumerate() {
            if i != representative {
                let bound = self.zone.bound(i, representative);
                constraints.push(Constraint::new(i, representative, bound));
            }
        }
        // By the later clock of each constraint, lower bounds before upper bounds.
        constraints.sort_by_key(|c| (c.left.max(c.right), c.left.min(c.right), c.left > c.right));
        for (index, &constraint) in constraints.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { " && " })?;
            let equality = representatives[constraint.left] == representatives[constraint.right];
            self.write(f, constraint, equality)?;
        }
        f.write_str(if constraints.is_empty() { "true" } else { "" })
    }
}

impl<S: AsRef<str>> ZoneDisplay<'_, S> {
    fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        Constraint { left, right, bound }: Constraint,
        equality: bool,
    ) -> fmt::Result {
        let constant = bound.constant().map_or(0, i64::from);
        let (mut left, mut right, mut constant, mut upper) = (left, right, constant, true);
        if left == 0 || !equality && constant < 0 {
            // Lower bounds read better as such, and so do differences above a constant.
            (left, right, constant, upper) = (right, left, -constant, false);
        }
        let operator = match (equality, upper, bound.is_strict()) {
            (true, ..) => "==",
            (false, true, true) => "<",
            (false, true, false) => "<=",
            (false, false, true) => ">",
            (false, false, false) => ">=",
        };
        let name = |clock: usize| self.names[clock - 1].as_ref();
        if right == 0 {
            write!(f, "{} {operator} {constant}", name(left))
        } else {
            write!(f, "{} - {} {operator} {constant}", name(left), name(right))
        }
    }
}
