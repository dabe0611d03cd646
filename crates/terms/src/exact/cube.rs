//! Projection of one conjunction of atoms, guided by values that satisfy it: what is left holds with the
//! values of the other variables, and implies that the conjunction can hold.

use super::number::{Number, add, ceil_div, gcd, mul};
use super::problem::Problem;
use super::row::{Atom, Kind, Normal, Row, Var};
use super::stop::{Steps, Stop};

/// A conjunction, with values that satisfy it.
pub(super) struct Cube {
    pub(super) atoms: Vec<Atom>,
    /// Which variables are to be eliminated.
    pub(super) leaves: Vec<bool>,
    pub(super) values: Vec<Number>,
}

/// How hard it is to eliminate a variable; the easiest goes first, but rationals before integers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Way {
    /// An equation defines it.
    Definition,
    /// Nothing bounds it from one side.
    Free,
    /// The rows that remain say it all.
    Exact,
    /// An equation defines a multiple of it.
    Multiple,
    /// Only a part of the projection is a conjunction: that with room for an integer, or a case.
    Dark,
    /// Only cases by residues are conjunctions.
    Residue,
    /// It lies between rationals.
    Mixed,
}

/// The atoms without the variables that leave.
pub(super) fn project(
    problem: &Problem,
    mut cube: Cube,
    steps: &mut Steps,
) -> Result<Vec<Atom>, Stop> {
    loop {
        steps.take(1 + cube.atoms.len() as u64)?;
        cube.tidy(problem)?;
        let leaving = (0..cube.leaves.len()).filter(|var| cube.leaves[*var]);
        let leaving = leaving.map(|var| var as Var);
        let mut best = None;
        for var in leaving {
            let rows = cube.atoms.iter().filter(|atom| atom.row.mentions(var)).count();
            if rows == 0 {
                continue;
            }
            let key = (problem.integer(var), cube.way(problem, var), rows, var);
            if best.is_none_or(|best| key < best) {
                best = Some(key);
            }
        }
        let Some((_, way, rows, var)) = best else { return Ok(cube.atoms) };
        steps.take((rows * rows) as u64)?;
        match way {
            Way::Definition | Way::Multiple => cube.define(problem, var)?,
            Way::Free => cube.free(var)?,
            Way::Exact => cube.shadow(var, false)?,
            Way::Dark => cube.dark(problem, var)?,
            Way::Residue => cube.residue(problem, var)?,
            Way::Mixed => return Err(Stop::Mixed),
        }
    }
}

fn whole(problem: &Problem, row: &Row) -> bool {
    row.parts.iter().all(|(var, _)| problem.integer(*var))
}

impl Cube {
    /// Brings the atoms into normal form, without repetition.
    fn tidy(&mut self, problem: &Problem) -> Result<(), Stop> {
        let mut atoms = Vec::with_capacity(self.atoms.len());
        for atom in self.atoms.drain(..) {
            match atom.normal(|var| problem.integer(var))? {
                Normal::True => {}
                Normal::False => return Err(Stop::Internal),
                Normal::Atom(atom) => atoms.push(atom),
            }
        }
        // Of inequalities that differ in the constant only, the sharpest comes first and stays.
        atoms.sort_unstable_by(|one, other| {
            let kinds = one.kind.cmp(&other.kind);
            let constants = other.row.constant.cmp(&one.row.constant);
            kinds.then(one.row.parts.cmp(&other.row.parts)).then(constants)
        });
        atoms.dedup_by(|later, earlier| {
            later == earlier
                || (later.kind == earlier.kind
                    && matches!(later.kind, Kind::AtMost | Kind::Below)
                    && later.row.parts == earlier.row.parts)
        });
        self.atoms = atoms;
        Ok(())
    }

    fn way(&self, problem: &Problem, var: Var) -> Way {
        let integer = problem.integer(var);
        let mut equation: Option<i128> = None;
        let (mut divided, mut mixed_equation) = (false, false);
        // From below and from above: whether there are rows, and whether each has a factor of one and only
        // integers; and whether any row has rationals.
        let (mut some, mut sharp, mut mixed) = ([false; 2], [true; 2], false);
        for atom in &self.atoms {
            let factor = atom.row.factor(var);
            if factor == 0 {
                continue;
            }
            match atom.kind {
                Kind::Zero if integer && !whole(problem, &atom.row) => mixed_equation = true,
                Kind::Zero => {
                    let size = factor.abs();
                    equation = Some(equation.map_or(size, |least| least.min(size)));
                }
                Kind::Divides(_) | Kind::NotDivides(_) => divided = true,
                Kind::AtMost | Kind::Below | Kind::NotZero => {
                    let side = usize::from(factor > 0);
                    let pure = whole(problem, &atom.row);
                    some[side] = true;
                    sharp[side] &= pure && factor.abs() == 1;
                    mixed |= !pure;
                }
            }
        }
        match equation {
            Some(size) if !integer || size == 1 => return Way::Definition,
            Some(_) => return Way::Multiple,
            None if mixed_equation => return Way::Mixed,
            None => {}
        }
        if !integer {
            return Way::Exact;
        }
        let one_sided = !(some[0] && some[1]);
        match (divided, one_sided) {
            (_, true) => Way::Free,
            (false, false) if sharp[0] || sharp[1] => Way::Exact,
            (_, false) if mixed => Way::Mixed,
            (false, false) => Way::Dark,
            (true, false) => Way::Residue,
        }
    }

    /// Replaces a variable by what the equation with the least factor says.
    fn define(&mut self, problem: &Problem, var: Var) -> Result<(), Stop> {
        let integer = problem.integer(var);
        let usable = |atom: &Atom| {
            atom.kind == Kind::Zero
                && atom.row.mentions(var)
                && (!integer || whole(problem, &atom.row))
        };
        let equations = self.atoms.iter().enumerate().filter(|(_, atom)| usable(atom));
        let least = equations.min_by_key(|(_, atom)| atom.row.factor(var).abs());
        let Some(position) = least.map(|(position, _)| position) else {
            return Err(Stop::Internal);
        };
        let equation = self.atoms.swap_remove(position).row;
        let factor = equation.factor(var);
        let mut rest = equation;
        rest.parts.retain(|(one, _)| *one != var);
        let by = rest.negative();
        for atom in &mut self.atoms {
            if !atom.row.mentions(var) {
                continue;
            }
            atom.row = atom.row.replace(var, &by, factor)?;
            match &mut atom.kind {
                Kind::Divides(divisor) | Kind::NotDivides(divisor) => {
                    *divisor = mul(*divisor, factor.abs())?;
                }
                _ => {}
            }
        }
        if integer && factor.abs() > 1 {
            self.atoms.push(Atom { row: rest, kind: Kind::Divides(factor.abs()) });
        }
        Ok(())
    }

    /// Drops the inequalities of a variable that may be as large, or as small, as it likes; its residue stays.
    fn free(&mut self, var: Var) -> Result<(), Stop> {
        let period = self.period(var)?;
        let rest = self.values[var as usize].top().rem_euclid(period);
        self.atoms.retain(|atom| {
            !atom.row.mentions(var) || matches!(atom.kind, Kind::Divides(_) | Kind::NotDivides(_))
        });
        for atom in &mut self.atoms {
            if atom.row.mentions(var) {
                atom.row = atom.row.replace(var, &Row::constant(rest), 1)?;
            }
        }
        Ok(())
    }

    /// After how many integers divisibility repeats.
    fn period(&self, var: Var) -> Result<i128, Stop> {
        let mut period = 1;
        for atom in &self.atoms {
            let factor = atom.row.factor(var);
            if let (Kind::Divides(divisor) | Kind::NotDivides(divisor), true) =
                (atom.kind, factor != 0)
            {
                let own = divisor / gcd(divisor, factor);
                period = mul(period / gcd(period, own), own)?;
            }
        }
        Ok(period)
    }

    /// The inequalities of a variable: from below, from above, and all other atoms.
    fn parted(&self, var: Var) -> (Vec<Atom>, Vec<Atom>, Vec<Atom>) {
        let (mut low, mut high, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for atom in &self.atoms {
            let bounds = matches!(atom.kind, Kind::AtMost | Kind::Below);
            match atom.row.factor(var).signum() {
                1 if bounds => high.push(atom.clone()),
                -1 if bounds => low.push(atom.clone()),
                _ => others.push(atom.clone()),
            }
        }
        (low, high, others)
    }

    /// Combines all bounds from below with all from above, with room for an integer if that is asked for.
    fn shadow(&mut self, var: Var, room: bool) -> Result<(), Stop> {
        let (low, high, mut atoms) = self.parted(var);
        for below in &low {
            for above in &high {
                let (one, two) = (above.row.factor(var), -below.row.factor(var));
                let mut row = below.row.combine(one, &above.row, two)?;
                if room {
                    row = row.plus(mul(one - 1, two - 1)?)?;
                }
                let strict = below.kind == Kind::Below || above.kind == Kind::Below;
                atoms.push(Atom { row, kind: if strict { Kind::Below } else { Kind::AtMost } });
            }
        }
        self.atoms = atoms;
        Ok(())
    }

    /// The dark shadow if the values are in it, or else the splinter in which they are.
    fn dark(&mut self, problem: &Problem, var: Var) -> Result<(), Stop> {
        let (low, high, _) = self.parted(var);
        for below in &low {
            for above in &high {
                let (one, two) = (above.row.factor(var), -below.row.factor(var));
                let row = below.row.combine(one, &above.row, two)?;
                let row = row.plus(mul(one - 1, two - 1)?)?;
                if row.value(&self.values)?.signum() > 0 {
                    // Too narrow here: the variable is within a fixed distance of this bound from below.
                    return self.splinter(problem, var, below);
                }
            }
        }
        self.shadow(var, true)
    }

    /// Takes a bound from below and the distance that the values have from it for an equation.
    fn splinter(&mut self, problem: &Problem, var: Var, below: &Atom) -> Result<(), Stop> {
        let distance = below.row.value(&self.values)?.negative().top();
        let row = below.row.plus(distance)?;
        self.atoms.push(Atom { row, kind: Kind::Zero });
        self.define(problem, var)
    }

    /// Moves the value down to the least one with the same residue, and takes the distance from the bound
    /// below it for an equation.
    fn residue(&mut self, problem: &Problem, var: Var) -> Result<(), Stop> {
        let period = self.period(var)?;
        let (low, _, _) = self.parted(var);
        let old = self.values[var as usize].top();
        let mut least: Option<i128> = None;
        for below in &low {
            let value = below.row.value(&self.values)?;
            let factor = -below.row.factor(var);
            // The bound is old - (-value / factor).
            let bound = add(old, ceil_div(value.top(), factor))?;
            least = Some(least.map_or(bound, |least| least.max(bound)));
        }
        let Some(least) = least else { return Err(Stop::Internal) };
        let away = add(old, -least)?;
        self.values[var as usize] = Number::int(add(least, away.rem_euclid(period))?);
        let mut nearest: Option<(i128, &Atom)> = None;
        for below in &low {
            let distance = below.row.value(&self.values)?.negative().top();
            if nearest.is_none_or(|(best, _)| distance < best) {
                nearest = Some((distance, below));
            }
        }
        let Some((_, below)) = nearest else { return Err(Stop::Internal) };
        let below = below.clone();
        self.splinter(problem, var, &below)
    }
}
