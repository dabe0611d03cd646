//! What a check that passed looked at.

use std::fmt;

/// A certificate that passed, and what that means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckReport {
    /// What was looked at.
    pub coverage: CheckCoverage,
    /// How many states were checked.
    pub states: u64,
    /// For how many of these advice was checked; none if there are no rules.
    pub advised: u64,
    /// How many discrete states they have.
    pub discrete_states: usize,
    /// Whether everything was checked: ranks of a table that is not complete are only checked not
    /// to be too low, and in a test case for a large model it is not known where the purpose is out
    /// of reach. A trap is always exact.
    pub exact: bool,
    /// What was not checked, and why; none if exact.
    pub left_open: Option<&'static str>,
}

/// What a check looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckCoverage {
    /// Every region that can be reached: the certificate is right.
    Exhaustive,
    /// States of random plays, and points of the certificate's zones.
    Sampled {
        /// How many regions were checked before it turned out that there are too many.
        regions: u64,
        /// The plays.
        plays: u32,
        /// The points.
        points: u64,
    },
}

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { states, discrete_states, .. } = self;
        match self.coverage {
            CheckCoverage::Exhaustive => write!(f, "checked all {states} regions")?,
            CheckCoverage::Sampled { regions, plays, points } => {
                write!(f, "checked {states} states ({regions} regions, {plays} random plays, ")?;
                write!(f, "{points} points)")?;
            }
        }
        write!(f, " of {discrete_states} discrete states")?;
        if self.advised > 0 {
            write!(f, ", with advice in {}", self.advised)?;
        }
        if let Some(left_open) = self.left_open {
            write!(f, "; {left_open}")?;
        }
        Ok(())
    }
}
