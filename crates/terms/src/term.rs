//! Terms: sums with rational coefficients, in one normal form.

use std::collections::BTreeMap;

use tioga_base::{Overflow, Rational};

use crate::{Assignment, Sort, SymbolId, Symbols};

/// A number: a constant and a sum of parts with coefficients that are not zero, in order of the parts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term {
    parts: Vec<(Part, Rational)>,
    constant: Rational,
}

/// What a term adds up.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// A symbol.
    Symbol(SymbolId),
    /// The result of an operation that is not linear.
    Operation(Box<Operation>),
}

/// An operation that is not linear, on two terms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Operation {
    /// Which one.
    pub operator: Operator,
    /// The left operand.
    pub left: Term,
    /// The right operand.
    pub right: Term,
}

/// Operations that are not linear.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operator {
    /// `*` of two terms neither of which is a constant.
    Product,
    /// `/` of integers, rounded towards zero.
    Quotient,
    /// `%` of integers, with the sign of the left side.
    Remainder,
    /// `/` of rationals.
    Ratio,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `&` of bits.
    BitAnd,
    /// `|` of bits.
    BitOr,
    /// `^` of bits.
    BitXor,
}

impl Term {
    /// A constant.
    pub fn number(value: Rational) -> Self {
        Self { parts: Vec::new(), constant: value }
    }

    /// An integer constant.
    pub fn int(value: i64) -> Self {
        Self::number(Rational::from(value))
    }

    /// A symbol.
    pub fn symbol(symbol: SymbolId) -> Self {
        Self { parts: vec![(Part::Symbol(symbol), Rational::ONE)], constant: Rational::ZERO }
    }

    /// The result of an operation, computed if both operands are constants.
    pub fn operation(operator: Operator, left: Self, right: Self) -> Result<Self, Overflow> {
        if operator == Operator::Product {
            if let Some(factor) = left.as_number() {
                return right.times(factor);
            }
            if let Some(factor) = right.as_number() {
                return left.times(factor);
            }
        }
        if operator == Operator::Ratio
            && let Some(divisor) = right.as_number()
            && !divisor.is_zero()
        {
            return left.times(Rational::ONE.div(divisor)?);
        }
        if let (Some(one), Some(other)) = (left.as_number(), right.as_number())
            && let Some(value) = operator.compute(one, other)?
        {
            return Ok(Self::number(value));
        }
        let part = Part::Operation(Box::new(Operation { operator, left, right }));
        Ok(Self { parts: vec![(part, Rational::ONE)], constant: Rational::ZERO })
    }

    /// A term of parts that are in order, without repetition, and have coefficients other than zero.
    pub(crate) fn from_parts(parts: Vec<(Part, Rational)>, constant: Rational) -> Self {
        Self { parts, constant }
    }

    /// The parts with their coefficients, in order.
    pub fn parts(&self) -> &[(Part, Rational)] {
        &self.parts
    }

    /// The constant part.
    pub fn constant(&self) -> Rational {
        self.constant
    }

    /// The value of a term that is a constant.
    pub fn as_number(&self) -> Option<Rational> {
        self.parts.is_empty().then_some(self.constant)
    }

    /// The symbol, if the term is one.
    pub fn as_symbol(&self) -> Option<SymbolId> {
        match &self.parts[..] {
            [(Part::Symbol(symbol), factor)]
                if *factor == Rational::ONE && self.constant.is_zero() =>
            {
                Some(*symbol)
            }
            _ => None,
        }
    }

    /// The coefficient of a symbol.
    pub fn coefficient(&self, symbol: SymbolId) -> Rational {
        let found = self.parts.iter().find(|(part, _)| *part == Part::Symbol(symbol));
        found.map_or(Rational::ZERO, |(_, factor)| *factor)
    }

    /// The first operation that is not linear, if there is one.
    pub fn nonlinear(&self) -> Option<&Operation> {
        self.parts.iter().find_map(|(part, _)| match part {
            Part::Operation(operation) => Some(&**operation),
            Part::Symbol(_) => None,
        })
    }

    /// The sum of two terms.
    pub fn plus(&self, other: &Self) -> Result<Self, Overflow> {
        let mut sum: BTreeMap<Part, Rational> = self.parts.iter().cloned().collect();
        for (part, factor) in &other.parts {
            match sum.get_mut(part) {
                Some(so_far) => *so_far = so_far.add(*factor)?,
                None => {
                    sum.insert(part.clone(), *factor);
                }
            }
        }
        let parts = sum.into_iter().filter(|(_, factor)| !factor.is_zero()).collect();
        Ok(Self { parts, constant: self.constant.add(other.constant)? })
    }

    /// The difference of two terms.
    pub fn minus(&self, other: &Self) -> Result<Self, Overflow> {
        self.plus(&other.times(Rational::from(-1))?)
    }

    /// The term times a constant.
    pub fn times(&self, factor: Rational) -> Result<Self, Overflow> {
        if factor.is_zero() {
            return Ok(Self::int(0));
        }
        let parts = self.parts.iter().map(|(part, own)| Ok((part.clone(), own.mul(factor)?)));
        Ok(Self { parts: parts.collect::<Result<_, _>>()?, constant: self.constant.mul(factor)? })
    }

    /// The term with other terms in the place of symbols; a symbol that `with` does not know stays.
    pub fn substitute(&self, with: &impl Fn(SymbolId) -> Option<Self>) -> Result<Self, Overflow> {
        let mut sum = Self::number(self.constant);
        for (part, factor) in &self.parts {
            let value = match part {
                Part::Symbol(symbol) => with(*symbol).unwrap_or_else(|| Self::symbol(*symbol)),
                Part::Operation(operation) => Self::operation(
                    operation.operator,
                    operation.left.substitute(with)?,
                    operation.right.substitute(with)?,
                )?,
            };
            sum = sum.plus(&value.times(*factor)?)?;
        }
        Ok(sum)
    }

    /// Its value, if every symbol has one; nothing too if an operation has no result (a division by zero).
    pub fn value(&self, assignment: &Assignment) -> Result<Option<Rational>, Overflow> {
        let known = self.substitute(&|symbol| assignment.get(symbol).map(Self::number))?;
        Ok(known.as_number())
    }

    /// The symbols that occur in it, into `found`.
    pub fn symbols(&self, found: &mut std::collections::BTreeSet<SymbolId>) {
        for (part, _) in &self.parts {
            match part {
                Part::Symbol(symbol) => {
                    found.insert(*symbol);
                }
                Part::Operation(operation) => {
                    operation.left.symbols(found);
                    operation.right.symbols(found);
                }
            }
        }
    }

    /// Whether it is an integer whatever its symbols are.
    pub fn is_integer(&self, symbols: &Symbols) -> bool {
        self.constant.to_integer().is_some()
            && self.parts.iter().all(|(part, factor)| {
                factor.to_integer().is_some()
                    && match part {
                        Part::Symbol(symbol) => symbols.sort(*symbol) == Sort::Int,
                        Part::Operation(operation) => match operation.operator {
                            Operator::Ratio => false,
                            Operator::Product => {
                                operation.left.is_integer(symbols)
                                    && operation.right.is_integer(symbols)
                            }
                            _ => true,
                        },
                    }
            })
    }

    /// The term with its first coefficient positive and all numbers whole and without a common factor, and by
    /// which positive number and sign it was multiplied. Constants stay as they are.
    pub(crate) fn primitive(&self, signed: bool) -> Result<Self, Overflow> {
        let Some((_, first)) = self.parts.first() else { return Ok(self.clone()) };
        let numbers = self.parts.iter().map(|(_, factor)| *factor).chain([self.constant]);
        let (mut divisor, mut multiple) = (0_i64, 1_i64);
        for number in numbers {
            divisor = gcd(divisor, number.numerator());
            let step = number.denominator() / gcd(multiple, number.denominator());
            multiple = multiple.checked_mul(step).ok_or(Overflow)?;
        }
        let sign = if signed && first.is_negative() { -1 } else { 1 };
        self.times(Rational::new(multiple.checked_mul(sign).ok_or(Overflow)?, divisor.max(1))?)
    }
}

impl Operator {
    /// The result on two numbers; nothing if there is none.
    pub fn compute(self, left: Rational, right: Rational) -> Result<Option<Rational>, Overflow> {
        match self {
            Self::Product => return Ok(Some(left.mul(right)?)),
            Self::Ratio if right.is_zero() => return Ok(None),
            Self::Ratio => return Ok(Some(left.div(right)?)),
            _ => {}
        }
        let (Some(left), Some(right)) = (left.to_integer(), right.to_integer()) else {
            return Ok(None);
        };
        let shift = u32::try_from(right).ok().filter(|shift| *shift < 64);
        let value = match self {
            Self::Quotient => left.checked_div(right),
            Self::Remainder => left.checked_rem(right),
            Self::ShiftLeft => shift.and_then(|shift| {
                let moved = left.checked_shl(shift)?;
                (moved >> shift == left).then_some(moved)
            }),
            Self::ShiftRight => shift.and_then(|shift| left.checked_shr(shift)),
            Self::BitAnd => Some(left & right),
            Self::BitOr => Some(left | right),
            Self::BitXor => Some(left ^ right),
            Self::Product | Self::Ratio => None,
        };
        Ok(value.map(Rational::from))
    }
}

fn gcd(one: i64, other: i64) -> i64 {
    let (mut one, mut other) = (one.unsigned_abs(), other.unsigned_abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    i64::try_from(one).unwrap_or(1)
}
