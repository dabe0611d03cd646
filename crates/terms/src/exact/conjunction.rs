//! Conjunctions of equations, inequalities and divisibility: values that satisfy them, or the proof that there
//! are none. Rationals go by Fourier–Motzkin elimination, integers by the Omega test (Pugh, 1991): equations
//! by changes of variables that keep integers, then shadows; both are complete.

use super::domain::{Change, Domain};
use super::number::{Number, add, floor_div, mul};
use super::row::{Atom, Kind, Normal, Row, Var};
use super::state::{State, narrow};
use super::stop::{Steps, Stop};

/// Rows over variables some of which are gone, with the way back to their values.
#[derive(Clone, Debug, Default)]
struct System {
    integer: Vec<bool>,
    /// Each is zero.
    equal: Vec<Row>,
    /// Each is at most zero, or below it.
    rows: Vec<(Row, bool)>,
    /// How the variables that are gone get their values, the last one first.
    gone: Vec<Gone>,
}

/// A variable that is gone.
#[derive(Clone, Debug)]
enum Gone {
    /// Its value is that of the row divided by the number.
    Equal(Var, Row, i128),
    /// Its value lies between what these rows say.
    Between(Var, Vec<(Row, bool)>),
}

/// What elimination of a variable does to the inequalities.
struct Shadow {
    /// Without the variable.
    others: Vec<(Row, bool)>,
    /// With the variable: those that bound it from below, and from above.
    low: Vec<(Row, bool)>,
    high: Vec<(Row, bool)>,
}

/// Values for all variables that satisfy the intervals and atoms of a state, but for those that say `≠`.
pub(super) fn solve(state: &State, steps: &mut Steps) -> Result<Option<Vec<Number>>, Stop> {
    let mut values = Vec::with_capacity(state.domains.len());
    for domain in &state.domains {
        let Some(value) = domain.value()? else { return Ok(None) };
        values.push(value);
    }
    if settled(&state.atoms, &values) {
        return Ok(Some(values));
    }
    if let Some(values) = dive(state, steps)? {
        return Ok(Some(values));
    }
    let mut system = System::default();
    system.integer.extend(state.domains.iter().map(|domain| domain.integer));
    let mut used = vec![false; state.domains.len()];
    for atom in &state.atoms {
        for (var, _) in &atom.row.parts {
            used[*var as usize] = true;
        }
        system.assume(atom)?;
    }
    for (var, domain) in state.domains.iter().enumerate().filter(|(var, _)| used[*var]) {
        system.within(var as Var, domain);
    }
    let Some(found) = system.solve(steps)? else { return Ok(None) };
    for (var, value) in values.iter_mut().enumerate().filter(|(var, _)| used[*var]) {
        *value = found[var];
    }
    Ok(Some(values))
}

/// Values found by fixing one variable after the other and narrowing the intervals of the rest; nothing if that
/// leads to a contradiction, which proves nothing.
fn dive(state: &State, steps: &mut Steps) -> Result<Option<Vec<Number>>, Stop> {
    let mut domains = state.domains.clone();
    let mut values = Vec::with_capacity(domains.len());
    for var in 0..domains.len() {
        let Some(value) = domains[var].value()? else { return Ok(None) };
        values.push(value);
        let domain = &mut domains[var];
        if domain.low == Some(value) && domain.high == Some(value) {
            continue;
        }
        (domain.low, domain.high) = (Some(value), Some(value));
        (domain.low_open, domain.high_open) = (false, false);
        for atom in &state.atoms {
            if atom.row.mentions(var as Var) {
                steps.take(1)?;
                // What does not fit is not concluded here.
                if narrow(atom, &mut domains).is_ok_and(|change| change == Change::Empty) {
                    return Ok(None);
                }
            }
        }
    }
    Ok(settled(&state.atoms, &values).then_some(values))
}

/// Whether values that come for nothing will do.
fn settled(atoms: &[Atom], values: &[Number]) -> bool {
    atoms.iter().all(|atom| atom.kind == Kind::NotZero || atom.holds(values).unwrap_or(false))
}

impl System {
    fn fresh(&mut self) -> Var {
        self.integer.push(true);
        self.integer.len() as Var - 1
    }

    fn assume(&mut self, atom: &Atom) -> Result<(), Stop> {
        match atom.kind {
            Kind::Zero => self.equal.push(atom.row.clone()),
            Kind::AtMost => self.rows.push((atom.row.clone(), false)),
            Kind::Below => self.rows.push((atom.row.clone(), true)),
            Kind::NotZero => {}
            Kind::Divides(divisor) => {
                let quotient = self.fresh();
                self.equal.push(atom.row.combine(1, &Row::variable(quotient, 1), -divisor)?);
            }
            Kind::NotDivides(divisor) => {
                let (quotient, rest) = (self.fresh(), self.fresh());
                let whole = atom.row.combine(1, &Row::variable(quotient, 1), -divisor)?;
                self.equal.push(whole.combine(1, &Row::variable(rest, 1), -1)?);
                self.rows.push((Row::variable(rest, -1).plus(1)?, false));
                self.rows.push((Row::variable(rest, 1).plus(1 - divisor)?, false));
            }
        }
        Ok(())
    }

    fn within(&mut self, var: Var, domain: &Domain) {
        if let Some(low) = domain.low {
            let mut row = Row::variable(var, -low.below());
            row.constant = low.top();
            self.rows.push((row, domain.low_open));
        }
        if let Some(high) = domain.high {
            let mut row = Row::variable(var, high.below());
            row.constant = -high.top();
            self.rows.push((row, domain.high_open));
        }
    }

    fn solve(mut self, steps: &mut Steps) -> Result<Option<Vec<Number>>, Stop> {
        loop {
            steps.take(1 + self.rows.len() as u64)?;
            if !self.equations(steps)? || !self.tidy()? {
                return Ok(None);
            }
            if !self.equal.is_empty() {
                continue;
            }
            if self.rows.is_empty() {
                return self.values();
            }
            let (var, exact) = self.next();
            let shadow = self.shadow(var);
            steps.take((shadow.low.len() * shadow.high.len()) as u64)?;
            if exact {
                self.rows = shadow.combined(var, false)?;
                self.gone.push(shadow.bounds(var));
                continue;
            }
            return self.inexact(var, shadow, steps);
        }
    }

    /// Eliminates an integer whose shadow may contain what it does not cast itself.
    fn inexact(
        self,
        var: Var,
        shadow: Shadow,
        steps: &mut Steps,
    ) -> Result<Option<Vec<Number>>, Stop> {
        let with = |rows: Vec<(Row, bool)>| Self { rows, equal: Vec::new(), ..self.clone() };
        let Some(mut values) = with(shadow.combined(var, false)?).solve_inner(steps)? else {
            return Ok(None);
        };
        // The rest of the values may leave room for an integer.
        if shadow.bounds(var).value(&self.integer, &mut values)? {
            return self.finish(values);
        }
        if let Some(mut values) = with(shadow.combined(var, true)?).solve_inner(steps)?
            && shadow.bounds(var).value(&self.integer, &mut values)?
        {
            return self.finish(values);
        }
        let most = shadow.high.iter().map(|(row, _)| row.factor(var)).max().unwrap_or(1);
        for (row, _) in &shadow.low {
            let factor = -row.factor(var);
            let last = floor_div(add(mul(most, factor)?, -add(most, factor)?)?, most);
            let mut away = 0;
            while away <= last {
                steps.take(1)?;
                let mut system = self.clone();
                system.equal.push(row.plus(away)?);
                if let Some(values) = system.solve(steps)? {
                    return Ok(Some(values));
                }
                away += 1;
            }
        }
        Ok(None)
    }

    /// Solves without looking at what is gone already; the values of those are not computed.
    fn solve_inner(mut self, steps: &mut Steps) -> Result<Option<Vec<Number>>, Stop> {
        self.gone.clear();
        self.solve(steps)
    }

    fn values(self) -> Result<Option<Vec<Number>>, Stop> {
        let values = vec![Number::ZERO; self.integer.len()];
        self.finish(values)
    }

    /// The values of what is gone, from those of the others.
    fn finish(&self, mut values: Vec<Number>) -> Result<Option<Vec<Number>>, Stop> {
        values.resize(values.len().max(self.integer.len()), Number::ZERO);
        for gone in self.gone.iter().rev() {
            if !gone.value(&self.integer, &mut values)? {
                // Each elimination is exact, so there is a value; an error of ours must not become an answer.
                return Err(Stop::Internal);
            }
        }
        Ok(Some(values))
    }

    /// Uses up all equations; false if one cannot hold.
    fn equations(&mut self, steps: &mut Steps) -> Result<bool, Stop> {
        while let Some(row) = self.equal.pop() {
            let integer = &self.integer;
            let atom = Atom { row, kind: Kind::Zero }.normal(|var| integer[var as usize])?;
            let row = match atom {
                Normal::True => continue,
                Normal::False => return Ok(false),
                Normal::Atom(atom) => atom.row,
            };
            steps.take(1 + (self.rows.len() + self.equal.len()) as u64)?;
            let rational = row.parts.iter().find(|(var, _)| !self.integer[*var as usize]);
            let least = row.parts.iter().min_by_key(|(_, factor)| factor.abs());
            let Some(&(var, factor)) = rational.or(least) else { continue };
            let mut rest = row.clone();
            rest.parts.retain(|(one, _)| *one != var);
            if rational.is_some() || factor.abs() == 1 {
                // var = -rest / factor
                let by = rest.negative();
                self.replace(var, &by, factor)?;
                self.gone.push(Gone::Equal(var, by, factor));
                continue;
            }
            // With a new variable s = var + Σ qᵢ yᵢ + q, where qᵢ is the rounded quotient of the coefficients,
            // the coefficients that are left are smaller than that of s.
            let size = factor.abs();
            let sign = factor.signum();
            let nearest = |number: i128| {
                add(mul(2, mul(number, sign)?)?, size).map(|number| floor_div(number, 2 * size))
            };
            let new = self.fresh();
            let mut by = Row::variable(new, 1);
            for (other, own) in &rest.parts {
                by = by.combine(1, &Row::variable(*other, 1), -nearest(*own)?)?;
            }
            by.constant = -nearest(rest.constant)?;
            self.equal.push(row);
            self.replace(var, &by, 1)?;
            self.gone.push(Gone::Equal(var, by, 1));
        }
        Ok(true)
    }

    /// Replaces a variable by `by / divisor` everywhere.
    fn replace(&mut self, var: Var, by: &Row, divisor: i128) -> Result<(), Stop> {
        for row in &mut self.equal {
            if row.mentions(var) {
                *row = row.replace(var, by, divisor)?;
            }
        }
        for (row, _) in &mut self.rows {
            if row.mentions(var) {
                *row = row.replace(var, by, divisor)?;
            }
        }
        Ok(())
    }

    /// Brings the inequalities into normal form, keeps the sharpest of those that differ in the constant only,
    /// and makes equations of those that meet; false if there is a contradiction.
    fn tidy(&mut self) -> Result<bool, Stop> {
        let mut rows = Vec::with_capacity(self.rows.len());
        for (row, strict) in self.rows.drain(..) {
            let kind = if strict { Kind::Below } else { Kind::AtMost };
            match (Atom { row, kind }).normal(|var| self.integer[var as usize])? {
                Normal::True => {}
                Normal::False => return Ok(false),
                Normal::Atom(atom) => rows.push((atom.row, atom.kind == Kind::Below)),
            }
        }
        // The greatest constant is the sharpest, and strict is sharper.
        rows.sort_unstable_by(|(one, strict), (other, second)| {
            let constants = other.constant.cmp(&one.constant);
            one.parts.cmp(&other.parts).then(constants).then(second.cmp(strict))
        });
        rows.dedup_by(|(later, _), (earlier, _)| later.parts == earlier.parts);
        let mut meets = Vec::new();
        for (position, (row, strict)) in rows.iter().enumerate() {
            if row.parts[0].1 < 0 {
                continue;
            }
            let opposite = row.negative();
            let Ok(other) = rows.binary_search_by(|(one, _)| one.parts.cmp(&opposite.parts)) else {
                continue;
            };
            // The sum of the parts lies between the constant of the other and minus that of this one.
            let (low, high) = (rows[other].0.constant, -row.constant);
            if low > high || (low == high && (*strict || rows[other].1)) {
                return Ok(false);
            }
            if low == high {
                meets.push((position, other));
            }
        }
        for (position, _) in &meets {
            self.equal.push(rows[*position].0.clone());
        }
        if !meets.is_empty() {
            let mut position = 0;
            rows.retain(|_| {
                position += 1;
                !meets.iter().any(|(one, other)| position - 1 == *one || position - 1 == *other)
            });
        }
        self.rows = rows;
        Ok(true)
    }

    /// The variable to eliminate next, and whether its shadow is exact. Rationals come first, then what is
    /// exact, then what makes the fewest rows.
    fn next(&self) -> (Var, bool) {
        #[derive(Clone, Copy, Default)]
        struct Count {
            low: usize,
            high: usize,
            low_wide: bool,
            high_wide: bool,
        }
        let mut counts = vec![Count::default(); self.integer.len()];
        for (row, _) in &self.rows {
            for (var, factor) in &row.parts {
                let count = &mut counts[*var as usize];
                if *factor > 0 {
                    count.high += 1;
                    count.high_wide |= *factor > 1;
                } else {
                    count.low += 1;
                    count.low_wide |= *factor < -1;
                }
            }
        }
        let used = counts.iter().enumerate().filter(|(_, count)| count.low + count.high > 0);
        let judged = used.map(|(var, count)| {
            let free = count.low == 0 || count.high == 0;
            let exact = free || !self.integer[var] || !count.low_wide || !count.high_wide;
            let cost = count.low * count.high;
            (!free && self.integer[var], !exact, cost, var as Var)
        });
        judged.min().map_or((0, true), |(_, inexact, _, var)| (var, !inexact))
    }

    fn shadow(&mut self, var: Var) -> Shadow {
        let mut shadow = Shadow { others: Vec::new(), low: Vec::new(), high: Vec::new() };
        for (row, strict) in &self.rows {
            let place = match row.factor(var).signum() {
                0 => &mut shadow.others,
                1 => &mut shadow.high,
                _ => &mut shadow.low,
            };
            place.push((row.clone(), *strict));
        }
        shadow
    }
}

impl Shadow {
    /// The inequalities without the variable: all that follows for rationals, or so much more (dark) that an
    /// integer fits between the bounds.
    fn combined(&self, var: Var, dark: bool) -> Result<Vec<(Row, bool)>, Stop> {
        let mut rows = self.others.clone();
        rows.reserve(self.low.len() * self.high.len());
        for (low, low_strict) in &self.low {
            let below = -low.factor(var);
            for (high, high_strict) in &self.high {
                let above = high.factor(var);
                let mut row = low.combine(above, high, below)?;
                if dark {
                    row = row.plus(mul(below - 1, above - 1)?)?;
                }
                rows.push((row, *low_strict || *high_strict));
            }
        }
        Ok(rows)
    }

    fn bounds(&self, var: Var) -> Gone {
        let rows = self.low.iter().chain(&self.high).cloned().collect();
        Gone::Between(var, rows)
    }
}

impl Gone {
    /// Computes the value from those of the others; false if there is none.
    fn value(&self, integer: &[bool], values: &mut [Number]) -> Result<bool, Stop> {
        match self {
            Self::Equal(var, row, divisor) => {
                values[*var as usize] = row.value(values)?.over(*divisor)?;
                Ok(true)
            }
            Self::Between(var, rows) => {
                let whole = integer[*var as usize];
                let mut domain = Domain { integer: whole, ..Domain::default() };
                values[*var as usize] = Number::ZERO;
                for (row, strict) in rows {
                    let factor = row.factor(*var);
                    let end = row.value(values)?.negative().over(factor)?;
                    if factor > 0 {
                        domain.at_most(end, *strict)?;
                    } else {
                        domain.at_least(end, *strict)?;
                    }
                }
                let Some(value) = domain.value()? else { return Ok(false) };
                if whole && !value.is_int() {
                    return Ok(false);
                }
                values[*var as usize] = value;
                Ok(true)
            }
        }
    }
}
