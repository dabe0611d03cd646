//! Sums of variables, parameters and a constant, with integer coefficients.

use tioga_base::{Overflow, Rational};

/// `Σ coefficient · variable + Σ coefficient · parameter + constant`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    /// Positions of context variables with their coefficients, none of them 0, in order.
    pub variables: Vec<(usize, i64)>,
    /// Positions of parameters of the action with their coefficients, none of them 0, in order.
    pub parameters: Vec<(usize, i64)>,
    /// The constant.
    pub constant: Rational,
}

impl Form {
    /// A constant.
    pub fn constant(constant: Rational) -> Self {
        Self { variables: Vec::new(), parameters: Vec::new(), constant }
    }

    /// The value of a variable.
    pub fn variable(position: usize) -> Self {
        Self { variables: vec![(position, 1)], ..Self::constant(Rational::ZERO) }
    }

    /// The value of a parameter.
    pub fn parameter(position: usize) -> Self {
        Self { parameters: vec![(position, 1)], ..Self::constant(Rational::ZERO) }
    }

    /// The constant it is, if it is one.
    pub fn to_constant(&self) -> Option<Rational> {
        (self.variables.is_empty() && self.parameters.is_empty()).then_some(self.constant)
    }

    /// Whether no coefficient and no constant is negative.
    pub fn is_non_negative(&self) -> bool {
        let coefficients = self.variables.iter().chain(&self.parameters);
        !self.constant.is_negative() && coefficients.into_iter().all(|(_, factor)| *factor >= 0)
    }

    /// The sum.
    pub fn add(&self, other: &Self) -> Result<Self, Overflow> {
        Ok(Self {
            variables: merged(&self.variables, &other.variables)?,
            parameters: merged(&self.parameters, &other.parameters)?,
            constant: self.constant.add(other.constant)?,
        })
    }

    /// The product with an integer.
    pub fn times(&self, factor: i64) -> Result<Self, Overflow> {
        if factor == 0 {
            return Ok(Self::constant(Rational::ZERO));
        }
        let scaled = |terms: &[(usize, i64)]| -> Result<Vec<(usize, i64)>, Overflow> {
            let times = |(at, own): &(usize, i64)| Some((*at, own.checked_mul(factor)?));
            terms.iter().map(|term| times(term).ok_or(Overflow)).collect()
        };
        Ok(Self {
            variables: scaled(&self.variables)?,
            parameters: scaled(&self.parameters)?,
            constant: self.constant.mul(Rational::integer(factor))?,
        })
    }

    /// The form with something else in the place of each variable and of each parameter.
    pub fn with(&self, variables: &[Self], parameters: &[Self]) -> Result<Self, Overflow> {
        let mut sum = Self::constant(self.constant);
        for (at, factor) in &self.variables {
            sum = sum.add(&variables[*at].times(*factor)?)?;
        }
        for (at, factor) in &self.parameters {
            sum = sum.add(&parameters[*at].times(*factor)?)?;
        }
        Ok(sum)
    }

    /// The form with its variables moved by this many positions.
    pub fn moved(mut self, by: usize) -> Self {
        self.variables.iter_mut().for_each(|(at, _)| *at += by);
        self
    }
}

fn merged(left: &[(usize, i64)], right: &[(usize, i64)]) -> Result<Vec<(usize, i64)>, Overflow> {
    let mut all: Vec<(usize, i64)> = left.to_vec();
    for (at, factor) in right {
        match all.binary_search_by_key(at, |(at, _)| *at) {
            Ok(position) => {
                let own = &mut all[position].1;
                *own = own.checked_add(*factor).ok_or(Overflow)?;
            }
            Err(position) => all.insert(position, (*at, *factor)),
        }
    }
    all.retain(|(_, factor)| *factor != 0);
    Ok(all)
}
