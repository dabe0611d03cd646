//! Sums of variables with integer coefficients, and conditions on them.

use smallvec::SmallVec;

use super::number::{Number, add, ceil_div, gcd, mul};
use super::stop::Stop;

/// A variable of one question: a number that means something to this question only.
pub(super) type Var = u32;

/// `Σ coefficient · variable + constant`; the parts are in order of the variables, without zeros.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Row {
    pub(super) parts: SmallVec<[(Var, i128); 4]>,
    pub(super) constant: i128,
}

/// What is said of a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// `= 0`
    Zero,
    /// `≤ 0`
    AtMost,
    /// `< 0`, for a row that has a rational variable.
    Below,
    /// `≠ 0`
    NotZero,
    /// The number divides it.
    Divides(i128),
    /// The number does not divide it.
    NotDivides(i128),
}

/// A condition on a row.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Atom {
    pub(super) row: Row,
    pub(super) kind: Kind,
}

/// A condition in normal form.
#[expect(clippy::large_enum_variant, reason = "taken apart at once; a box would cost more")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Normal {
    True,
    False,
    Atom(Atom),
}

impl Row {
    pub(super) fn constant(constant: i128) -> Self {
        Self { parts: SmallVec::new(), constant }
    }

    pub(super) fn variable(var: Var, factor: i128) -> Self {
        let mut parts = SmallVec::new();
        parts.push((var, factor));
        Self { parts, constant: 0 }
    }

    pub(super) fn factor(&self, var: Var) -> i128 {
        self.parts.iter().find(|(one, _)| *one == var).map_or(0, |(_, factor)| *factor)
    }

    pub(super) fn mentions(&self, var: Var) -> bool {
        self.parts.iter().any(|(one, _)| *one == var)
    }

    /// `self · one + other · two`.
    pub(super) fn combine(&self, one: i128, other: &Self, two: i128) -> Result<Self, Stop> {
        let mut parts = SmallVec::new();
        let (mut left, mut right) = (self.parts.iter().peekable(), other.parts.iter().peekable());
        loop {
            let (var, factor) = match (left.peek(), right.peek()) {
                (Some((var, factor)), Some((next, second))) if var == next => {
                    let sum = add(mul(*factor, one)?, mul(*second, two)?)?;
                    let var = *var;
                    left.next();
                    right.next();
                    (var, sum)
                }
                (Some((var, factor)), Some((next, _))) if var < next => {
                    let part = (*var, mul(*factor, one)?);
                    left.next();
                    part
                }
                (Some((var, factor)), None) => {
                    let part = (*var, mul(*factor, one)?);
                    left.next();
                    part
                }
                (_, Some((var, factor))) => {
                    let part = (*var, mul(*factor, two)?);
                    right.next();
                    part
                }
                (None, None) => break,
            };
            if factor != 0 {
                parts.push((var, factor));
            }
        }
        let constant = add(mul(self.constant, one)?, mul(other.constant, two)?)?;
        Ok(Self { parts, constant })
    }

    pub(super) fn plus(&self, constant: i128) -> Result<Self, Stop> {
        Ok(Self { parts: self.parts.clone(), constant: add(self.constant, constant)? })
    }

    pub(super) fn negative(&self) -> Self {
        let parts = self.parts.iter().map(|(var, factor)| (*var, -factor)).collect();
        Self { parts, constant: -self.constant }
    }

    /// The row with `var` replaced by `by / divisor`, times the size of the divisor.
    ///
    /// Pre: the divisor is not zero.
    pub(super) fn replace(&self, var: Var, by: &Self, divisor: i128) -> Result<Self, Stop> {
        let factor = self.factor(var);
        if factor == 0 {
            return Ok(self.clone());
        }
        let mut rest = self.clone();
        rest.parts.retain(|(one, _)| *one != var);
        rest.combine(divisor.abs(), by, mul(factor, divisor.signum())?)
    }

    /// Its value.
    pub(super) fn value(&self, values: &[Number]) -> Result<Number, Stop> {
        let mut sum = Number::int(self.constant);
        for (var, factor) in &self.parts {
            sum = sum.plus(values[*var as usize].times(*factor)?)?;
        }
        Ok(sum)
    }

    fn common(&self) -> i128 {
        let mut common = 0;
        for (_, factor) in &self.parts {
            if factor.abs() == 1 {
                return 1;
            }
            common = gcd(common, *factor);
        }
        common
    }

    fn divide(&mut self, divisor: i128) {
        for (_, factor) in &mut self.parts {
            *factor /= divisor;
        }
    }
}

impl Kind {
    pub(super) fn holds(self, value: Number) -> bool {
        match self {
            Self::Zero => value.signum() == 0,
            Self::NotZero => value.signum() != 0,
            Self::AtMost => value.signum() <= 0,
            Self::Below => value.signum() < 0,
            Self::Divides(divisor) => value.is_int() && value.top() % divisor == 0,
            Self::NotDivides(divisor) => value.is_int() && value.top() % divisor != 0,
        }
    }
}

impl Normal {
    fn constant(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

impl Atom {
    pub(super) fn holds(&self, values: &[Number]) -> Result<bool, Stop> {
        Ok(self.kind.holds(self.row.value(values)?))
    }

    /// The atom in normal form; `integer` says which variables are integers.
    pub(super) fn normal(mut self, integer: impl Fn(Var) -> bool) -> Result<Normal, Stop> {
        let row = &mut self.row;
        if let Kind::Divides(divisor) | Kind::NotDivides(divisor) = self.kind {
            for (_, factor) in &mut row.parts {
                *factor = factor.rem_euclid(divisor);
            }
            row.parts.retain(|(_, factor)| *factor != 0);
            row.constant = row.constant.rem_euclid(divisor);
            let holds = matches!(self.kind, Kind::Divides(_));
            let common = gcd(row.common(), divisor);
            if row.constant % common != 0 {
                return Ok(Normal::constant(!holds));
            }
            let divisor = divisor / common;
            if divisor == 1 {
                return Ok(Normal::constant(holds));
            }
            row.divide(common);
            row.constant /= common;
            self.kind = if holds { Kind::Divides(divisor) } else { Kind::NotDivides(divisor) };
            return Ok(Normal::Atom(self));
        }
        if row.parts.is_empty() {
            return Ok(Normal::constant(self.kind.holds(Number::int(row.constant))));
        }
        let common = row.common();
        if row.parts.iter().all(|(var, _)| integer(*var)) {
            if self.kind == Kind::Below {
                row.constant = add(row.constant, 1)?;
                self.kind = Kind::AtMost;
            }
            if common != 1 {
                if self.kind == Kind::AtMost {
                    row.constant = ceil_div(row.constant, common);
                } else if row.constant % common != 0 {
                    return Ok(Normal::constant(self.kind == Kind::NotZero));
                } else {
                    row.constant /= common;
                }
                row.divide(common);
            }
        } else {
            let common = gcd(common, row.constant);
            if common != 1 {
                row.divide(common);
                row.constant /= common;
            }
        }
        if matches!(self.kind, Kind::Zero | Kind::NotZero) && row.parts[0].1 < 0 {
            *row = row.negative();
        }
        Ok(Normal::Atom(self))
    }

    /// The opposite, for all kinds but those of several cases.
    pub(super) fn opposite(&self, integer: impl Fn(Var) -> bool) -> Result<Normal, Stop> {
        let (row, kind) = match self.kind {
            Kind::Zero => (self.row.clone(), Kind::NotZero),
            Kind::NotZero => (self.row.clone(), Kind::Zero),
            Kind::AtMost => (self.row.negative(), Kind::Below),
            Kind::Below => (self.row.negative(), Kind::AtMost),
            Kind::Divides(divisor) => (self.row.clone(), Kind::NotDivides(divisor)),
            Kind::NotDivides(divisor) => (self.row.clone(), Kind::Divides(divisor)),
        };
        Self { row, kind }.normal(integer)
    }
}
