//! Conditions as unions of boxes: with the context known, a condition over clocks is a finite union of products of
//! intervals, one for each clock.

use tioga_base::{Overflow, Rational};

use crate::condition::Condition;
use crate::form::Form;

/// The values of one clock: between two ends, each excluded if its flag is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockRange {
    /// The lower end.
    pub lower: (Rational, bool),
    /// The upper end; nothing if there is none.
    pub upper: Option<(Rational, bool)>,
}

impl ClockRange {
    /// All values of a clock.
    pub const ALL: Self = Self { lower: (Rational::ZERO, false), upper: None };

    fn intersect(self, other: Self) -> Option<Self> {
        let lower = self.lower.max(other.lower);
        let upper = match (self.upper, other.upper) {
            (None, one) | (one, None) => one,
            // The lower of two ends; excluded if one of equal ends is.
            (Some(one), Some(two)) => Some(match one.0.cmp(&two.0) {
                std::cmp::Ordering::Less => one,
                std::cmp::Ordering::Greater => two,
                std::cmp::Ordering::Equal => (one.0, one.1 || two.1),
            }),
        };
        let fits =
            upper.is_none_or(|(end, open)| lower.0 < end || lower.0 == end && !open && !lower.1);
        fits.then_some(Self { lower, upper })
    }
}

/// Whether a box lies in another one.
fn within(one: &[ClockRange], other: &[ClockRange]) -> bool {
    one.iter().zip(other).all(|(one, other)| one.intersect(*other) == Some(*one))
}

/// The value of a sum for known context and parameters.
pub fn value_of(
    form: &Form,
    data: &[Rational],
    parameters: &[Rational],
) -> Result<Rational, Overflow> {
    let mut sum = form.constant;
    for (at, factor) in &form.variables {
        sum = sum.add(data[*at].mul(Rational::integer(*factor))?)?;
    }
    for (at, factor) in &form.parameters {
        sum = sum.add(parameters[*at].mul(Rational::integer(*factor))?)?;
    }
    Ok(sum)
}

impl Condition {
    /// The condition on clocks that is left for known context and parameters.
    ///
    /// # Errors
    /// If a number is too large.
    pub fn known(&self, data: &[Rational], parameters: &[Rational]) -> Result<Self, Overflow> {
        let all = |parts: &[Self]| -> Result<Vec<Self>, Overflow> {
            parts.iter().map(|part| part.known(data, parameters)).collect()
        };
        Ok(match self {
            Self::All(parts) => Self::All(all(parts)?),
            Self::Any(parts) => Self::Any(all(parts)?),
            Self::Not(inner) => inner.known(data, parameters)?.not(),
            Self::Clock { .. } => self.clone(),
            Self::Data { form, strict, bound } => {
                let value = value_of(form, data, parameters)?;
                let holds = if *strict { value < *bound } else { value <= *bound };
                if holds { Self::always() } else { Self::never() }
            }
        })
    }

    /// The condition before clocks are set that makes this one hold afterwards.
    #[must_use]
    pub fn before(&self, resets: &[(usize, Rational)]) -> Self {
        let all = |parts: &[Self]| parts.iter().map(|part| part.before(resets)).collect();
        match self {
            Self::All(parts) => Self::All(all(parts)),
            Self::Any(parts) => Self::Any(all(parts)),
            Self::Not(inner) => inner.before(resets).not(),
            Self::Clock { clock, strict, bound } => {
                match resets.iter().find(|(set, _)| set == clock) {
                    None => self.clone(),
                    Some((_, value)) => {
                        let holds = if *strict { value < bound } else { value <= bound };
                        if holds { Self::always() } else { Self::never() }
                    }
                }
            }
            Self::Data { .. } => self.clone(),
        }
    }

    /// The boxes that a condition on so many clocks is the union of. Comparisons of context count as true.
    pub fn boxes(&self, clocks: usize) -> Vec<Vec<ClockRange>> {
        let all = self.boxes_of(clocks, false);
        let mut kept: Vec<Vec<ClockRange>> = Vec::new();
        // A box within another one adds nothing.
        for one in all {
            if !kept.iter().any(|other| within(&one, other)) {
                kept.retain(|other| !within(other, &one));
                kept.push(one);
            }
        }
        kept
    }

    fn boxes_of(&self, clocks: usize, negated: bool) -> Vec<Vec<ClockRange>> {
        let everything = || vec![vec![ClockRange::ALL; clocks]];
        match (self, negated) {
            (Self::Not(inner), _) => inner.boxes_of(clocks, !negated),
            (Self::All(parts), false) | (Self::Any(parts), true) => {
                parts.iter().fold(everything(), |all, part| {
                    let own = part.boxes_of(clocks, negated);
                    let pairs =
                        all.iter().flat_map(|one| own.iter().map(move |other| (one, other)));
                    let both = pairs.filter_map(|(one, other)| {
                        one.iter().zip(other).map(|(one, other)| one.intersect(*other)).collect()
                    });
                    both.collect()
                })
            }
            (Self::Any(parts), false) | (Self::All(parts), true) => {
                parts.iter().flat_map(|part| part.boxes_of(clocks, negated)).collect()
            }
            (Self::Clock { clock, strict, bound }, _) => {
                let mut one = vec![ClockRange::ALL; clocks];
                one[*clock] = match negated {
                    false => ClockRange { upper: Some((*bound, *strict)), ..ClockRange::ALL },
                    true => ClockRange { lower: (*bound, !strict), upper: None },
                };
                let empty = !negated && *strict && bound.is_zero();
                if empty { Vec::new() } else { vec![one] }
            }
            (Self::Data { .. }, _) => everything(),
        }
    }
}
