//! Conditions over clocks, context and parameters: comparisons with constants, and what is made of them.

use tioga_base::{Overflow, Rational};

use crate::form::Form;

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// All of these hold; true if there are none.
    All(Vec<Condition>),
    /// One of these holds; false if there are none.
    Any(Vec<Condition>),
    /// It does not hold.
    Not(Box<Condition>),
    /// A clock is at most a constant, or below it if strict.
    Clock {
        /// The position of the clock.
        clock: usize,
        /// Whether equality is excluded.
        strict: bool,
        /// The constant, not negative.
        bound: Rational,
    },
    /// A sum with non-negative coefficients and without a constant is at most a constant, or below it.
    Data {
        /// The sum.
        form: Form,
        /// Whether equality is excluded.
        strict: bool,
        /// The constant, not negative.
        bound: Rational,
    },
}

impl Condition {
    /// The condition that always holds.
    pub fn always() -> Self {
        Self::All(Vec::new())
    }

    /// The condition that never holds.
    pub fn never() -> Self {
        Self::Any(Vec::new())
    }

    /// `clock <= bound`, or `<`; a negative bound never holds.
    pub fn clock_up_to(clock: usize, strict: bool, bound: Rational) -> Self {
        if bound.is_negative() {
            return Self::never();
        }
        Self::Clock { clock, strict, bound }
    }

    /// `clock >= bound`, or `>`.
    pub fn clock_from(clock: usize, strict: bool, bound: Rational) -> Self {
        Self::clock_up_to(clock, !strict, bound).not()
    }

    /// The opposite.
    #[expect(clippy::should_implement_trait, reason = "a condition is no operand")]
    pub fn not(self) -> Self {
        match self {
            Self::Not(inner) => *inner,
            Self::All(parts) if parts.is_empty() => Self::never(),
            Self::Any(parts) if parts.is_empty() => Self::always(),
            other => Self::Not(Box::new(other)),
        }
    }

    /// Both hold.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::All(parts), other) | (other, Self::All(parts)) if parts.is_empty() => other,
            (Self::All(mut parts), other) => {
                parts.push(other);
                Self::All(parts)
            }
            (one, other) => Self::All(vec![one, other]),
        }
    }

    /// Whether it is literally true.
    pub fn is_always(&self) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(Self::is_always),
            Self::Any(parts) => parts.iter().any(Self::is_always),
            Self::Not(inner) => matches!(&**inner, Self::Any(parts) if parts.is_empty()),
            Self::Clock { .. } | Self::Data { .. } => false,
        }
    }

    /// Runs a function on every comparison.
    pub fn each_comparison<'c>(&'c self, take: &mut dyn FnMut(&'c Self)) {
        match self {
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().for_each(|part| part.each_comparison(take));
            }
            Self::Not(inner) => inner.each_comparison(take),
            Self::Clock { .. } | Self::Data { .. } => take(self),
        }
    }

    /// The condition with clocks and variables moved by so many positions, and something else in the place
    /// of the parameters.
    pub(crate) fn moved(
        &self,
        clocks: usize,
        variables: usize,
        parameters: Option<&[Form]>,
    ) -> Result<Self, Overflow> {
        let all = |parts: &[Self]| -> Result<Vec<Self>, Overflow> {
            parts.iter().map(|part| part.moved(clocks, variables, parameters)).collect()
        };
        Ok(match self {
            Self::All(parts) => Self::All(all(parts)?),
            Self::Any(parts) => Self::Any(all(parts)?),
            Self::Not(inner) => Self::Not(Box::new(inner.moved(clocks, variables, parameters)?)),
            Self::Clock { clock, strict, bound } => {
                Self::Clock { clock: clock + clocks, strict: *strict, bound: *bound }
            }
            Self::Data { form, strict, bound } => {
                let own = Form { parameters: Vec::new(), ..form.clone() }.moved(variables);
                let Some(values) = parameters else {
                    let form = Form { parameters: form.parameters.clone(), ..own };
                    return Ok(Self::Data { form, strict: *strict, bound: *bound });
                };
                let mut sum = own;
                for (at, factor) in &form.parameters {
                    sum = sum.add(&values[*at].times(*factor)?)?;
                }
                data_up_to(sum, *strict, *bound)?
            }
        })
    }
}

/// `form <= bound`, or `<`, for a form without negative coefficients: its constant goes to the other side.
pub(crate) fn data_up_to(form: Form, strict: bool, bound: Rational) -> Result<Condition, Overflow> {
    let bound = bound.sub(form.constant)?;
    let form = Form { constant: Rational::ZERO, ..form };
    if form.to_constant().is_some() {
        let holds = if strict { Rational::ZERO < bound } else { Rational::ZERO <= bound };
        return Ok(if holds { Condition::always() } else { Condition::never() });
    }
    if bound.is_negative() {
        return Ok(Condition::never());
    }
    Ok(Condition::Data { form, strict, bound })
}
