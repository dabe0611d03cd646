//! Conditions over terms, in one normal form without negation.

use std::collections::BTreeSet;

use tioga_base::{Overflow, Rational};

use crate::{Assignment, SymbolId, Symbols, Term};

/// A condition. Made by the functions below, which keep it in normal form: comparisons that are decided are
/// `True` or `False`; `And` and `Or` have at least two members, none of which is a constant or of the same
/// connective, in order and without repetition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
    /// Always.
    True,
    /// Never.
    False,
    /// A comparison with zero.
    Compare(Comparison),
    /// A whole number divides an integer term, or does not.
    Divides {
        /// The divisor, at least 2.
        divisor: i64,
        /// What it divides; an integer for all integer values of its symbols.
        term: Term,
        /// Whether it does.
        holds: bool,
    },
    /// All of them.
    And(Vec<Formula>),
    /// One of them.
    Or(Vec<Formula>),
}

/// A term compared with zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Comparison {
    /// The term.
    pub term: Term,
    /// How it compares with zero.
    pub relation: Relation,
}

/// How a term compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// `= 0`
    Zero,
    /// `≠ 0`
    NotZero,
    /// `≤ 0`; for an integer term, `< 0` is written as `+ 1 ≤ 0`.
    AtMostZero,
    /// `< 0`, for a term that may be no integer.
    BelowZero,
}

impl Formula {
    /// True or false.
    pub fn constant(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }

    /// `term ⋈ 0`.
    pub fn compare(symbols: &Symbols, term: Term, relation: Relation) -> Result<Self, Overflow> {
        if let Some(number) = term.as_number() {
            return Ok(Self::constant(relation.holds(number)));
        }
        let symmetric = matches!(relation, Relation::Zero | Relation::NotZero);
        let mut term = term.primitive(symmetric)?;
        let mut relation = relation;
        if term.is_integer(symbols) {
            if relation == Relation::BelowZero {
                term = term.plus(&Term::int(1))?;
                relation = Relation::AtMostZero;
            }
            // Divide by what the coefficients have in common; the bound moves to a whole number.
            let whole = term.minus(&Term::number(term.constant()))?;
            let primitive = whole.primitive(symmetric)?;
            let (Some((_, had)), Some((_, has))) =
                (whole.parts().first(), primitive.parts().first())
            else {
                return Ok(Self::compare_parts(term, relation));
            };
            let constant = term.constant().mul(has.div(*had)?)?;
            let bound = match (relation, constant.to_integer()) {
                (_, Some(bound)) => bound,
                (Relation::Zero, None) => return Ok(Self::False),
                (Relation::NotZero, None) => return Ok(Self::True),
                (_, None) => constant.ceil(),
            };
            term = primitive.plus(&Term::int(bound))?;
        }
        Ok(Self::compare_parts(term, relation))
    }

    fn compare_parts(term: Term, relation: Relation) -> Self {
        Self::Compare(Comparison { term, relation })
    }

    /// `left ≤ right`.
    pub fn at_most(symbols: &Symbols, left: &Term, right: &Term) -> Result<Self, Overflow> {
        Self::compare(symbols, left.minus(right)?, Relation::AtMostZero)
    }

    /// `left < right`.
    pub fn below(symbols: &Symbols, left: &Term, right: &Term) -> Result<Self, Overflow> {
        Self::compare(symbols, left.minus(right)?, Relation::BelowZero)
    }

    /// `left = right`.
    pub fn equal(symbols: &Symbols, left: &Term, right: &Term) -> Result<Self, Overflow> {
        Self::compare(symbols, left.minus(right)?, Relation::Zero)
    }

    /// Whether a whole number divides a term, or does not.
    ///
    /// Pre: the divisor is positive; the term is an integer for all values of its symbols.
    pub fn divides(divisor: i64, term: Term, holds: bool) -> Result<Self, Overflow> {
        if divisor == 1 {
            return Ok(Self::constant(holds));
        }
        if let Some(number) = term.as_number() {
            let divided = number.to_integer().is_some_and(|number| number % divisor == 0);
            return Ok(Self::constant(divided == holds));
        }
        Ok(Self::Divides { divisor, term, holds })
    }

    /// All of them.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut members = BTreeSet::new();
        for part in parts {
            match part {
                Self::True => {}
                Self::False => return Self::False,
                Self::And(inner) => members.extend(inner),
                other => {
                    members.insert(other);
                }
            }
        }
        if contradict(&members) {
            return Self::False;
        }
        match members.len() {
            0 => Self::True,
            1 => members.pop_first().unwrap_or(Self::True),
            _ => Self::And(members.into_iter().collect()),
        }
    }

    /// One of them.
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut members = BTreeSet::new();
        for part in parts {
            match part {
                Self::False => {}
                Self::True => return Self::True,
                Self::Or(inner) => members.extend(inner),
                other => {
                    members.insert(other);
                }
            }
        }
        if contradict(&members) {
            return Self::True;
        }
        match members.len() {
            0 => Self::False,
            1 => members.pop_first().unwrap_or(Self::False),
            _ => Self::Or(members.into_iter().collect()),
        }
    }

    /// Both.
    pub fn and(self, other: Self) -> Self {
        Self::all([self, other])
    }

    /// One of two.
    pub fn or(self, other: Self) -> Self {
        Self::any([self, other])
    }

    /// The opposite.
    pub fn negated(&self, symbols: &Symbols) -> Result<Self, Overflow> {
        Ok(match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Compare(Comparison { term, relation }) => match relation {
                Relation::Zero => Self::compare_parts(term.clone(), Relation::NotZero),
                Relation::NotZero => Self::compare_parts(term.clone(), Relation::Zero),
                Relation::AtMostZero => {
                    Self::compare(symbols, term.times(Rational::from(-1))?, Relation::BelowZero)?
                }
                Relation::BelowZero => {
                    Self::compare(symbols, term.times(Rational::from(-1))?, Relation::AtMostZero)?
                }
            },
            Self::Divides { divisor, term, holds } => {
                Self::Divides { divisor: *divisor, term: term.clone(), holds: !holds }
            }
            Self::And(parts) => Self::any(negated(parts, symbols)?),
            Self::Or(parts) => Self::all(negated(parts, symbols)?),
        })
    }

    /// The formula with terms in the place of symbols.
    pub fn substitute(
        &self,
        symbols: &Symbols,
        with: &impl Fn(SymbolId) -> Option<Term>,
    ) -> Result<Self, Overflow> {
        let inside = |parts: &[Self]| {
            let parts = parts.iter().map(|part| part.substitute(symbols, with));
            parts.collect::<Result<Vec<_>, Overflow>>()
        };
        Ok(match self {
            Self::True => Self::True,
            Self::False => Self::False,
            Self::Compare(Comparison { term, relation }) => {
                Self::compare(symbols, term.substitute(with)?, *relation)?
            }
            Self::Divides { divisor, term, holds } => {
                Self::divides(*divisor, term.substitute(with)?, *holds)?
            }
            Self::And(parts) => Self::all(inside(parts)?),
            Self::Or(parts) => Self::any(inside(parts)?),
        })
    }

    /// Whether it holds with these values; nothing if a symbol that decides has no value, or an operation no
    /// result.
    pub fn holds(&self, assignment: &Assignment) -> Result<Option<bool>, Overflow> {
        Ok(match self {
            Self::True => Some(true),
            Self::False => Some(false),
            Self::Compare(Comparison { term, relation }) => {
                term.value(assignment)?.map(|value| relation.holds(value))
            }
            Self::Divides { divisor, term, holds } => term
                .value(assignment)?
                .and_then(Rational::to_integer)
                .map(|value| (value % divisor == 0) == *holds),
            Self::And(parts) => connected(parts, assignment, false)?,
            Self::Or(parts) => connected(parts, assignment, true)?,
        })
    }

    /// The symbols that occur in it, in order.
    pub fn symbols(&self) -> BTreeSet<SymbolId> {
        let mut found = BTreeSet::new();
        self.each_term(&mut |term| term.symbols(&mut found));
        found
    }

    /// Calls a function for every term that is compared or divided, from left to right.
    pub fn each_term<'f>(&'f self, each: &mut impl FnMut(&'f Term)) {
        match self {
            Self::True | Self::False => {}
            Self::Compare(Comparison { term, .. }) | Self::Divides { term, .. } => each(term),
            Self::And(parts) | Self::Or(parts) => {
                for part in parts {
                    part.each_term(each);
                }
            }
        }
    }
}

fn negated(parts: &[Formula], symbols: &Symbols) -> Result<Vec<Formula>, Overflow> {
    parts.iter().map(|part| part.negated(symbols)).collect()
}

/// The value of a conjunction or disjunction, which `decisive` members decide.
fn connected(
    parts: &[Formula],
    assignment: &Assignment,
    decisive: bool,
) -> Result<Option<bool>, Overflow> {
    let mut known = true;
    for part in parts {
        match part.holds(assignment)? {
            Some(value) if value == decisive => return Ok(Some(decisive)),
            Some(_) => {}
            None => known = false,
        }
    }
    Ok(known.then_some(!decisive))
}

/// Whether two members are opposites of each other, as far as their text tells.
fn contradict(members: &BTreeSet<Formula>) -> bool {
    members.iter().any(|member| match member {
        Formula::Compare(Comparison { term, relation: Relation::Zero }) => {
            members.contains(&Formula::compare_parts(term.clone(), Relation::NotZero))
        }
        Formula::Divides { divisor, term, holds: true } => members.contains(&Formula::Divides {
            divisor: *divisor,
            term: term.clone(),
            holds: false,
        }),
        _ => false,
    })
}

impl Relation {
    /// Whether a number compares so with zero.
    pub fn holds(self, number: Rational) -> bool {
        match self {
            Self::Zero => number.is_zero(),
            Self::NotZero => !number.is_zero(),
            Self::AtMostZero => number.is_zero() || number.is_negative(),
            Self::BelowZero => number.is_negative(),
        }
    }
}
