//! How many clocks and which constants a result may use.

use tioga_base::Rational;
use tioga_model::{MaximalConstant, Model, maximal_constants};

/// The most clocks a result may have.
pub const MOST_CLOCKS: usize = 8;

/// The largest maximal constant, in units of `1 / scale`.
pub const LARGEST_CONSTANT: u32 = 1 << 20;

/// What a result may use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Resources {
    /// How many clocks.
    pub clocks: usize,
    /// The greatest constant in guards and invariants, in units of `1 / scale` of the model.
    pub max_constant: u32,
}

impl Resources {
    /// As many clocks as the model has, at least one, and its greatest constant, at least 1.
    /// Nothing if the constants depend on data in an unknown way or are too large.
    #[must_use]
    pub fn of(model: &Model) -> Option<Self> {
        let mut greatest = 1;
        for constant in &maximal_constants(model) {
            let value = match constant {
                MaximalConstant::None => continue,
                MaximalConstant::Unknown(_) => return None,
                MaximalConstant::Known(value) => *value,
            };
            let scaled = value.mul(Rational::integer(model.scale)).ok()?.to_integer()?;
            greatest = greatest.max(u32::try_from(scaled).ok()?);
        }
        Some(Self { clocks: model.clocks.len().clamp(1, MOST_CLOCKS), max_constant: greatest })
    }

    /// What is worth trying when these do not suffice, the cheapest first: one more constant, twice
    /// the constant, one more clock.
    pub(crate) fn larger(self) -> Vec<Self> {
        let Self { clocks, max_constant } = self;
        vec![
            Self { clocks, max_constant: max_constant.saturating_add(1) },
            Self { clocks, max_constant: max_constant.saturating_mul(2) },
            Self { clocks: clocks + 1, max_constant },
            Self { clocks: clocks + 1, max_constant: max_constant.saturating_add(1) },
        ]
    }
}
