//! Why there are no classes, and why a block of states cannot stay as it is.

use tioga_base::{LimitReached, Span};
use tioga_terms::Formula;

use crate::run::Stop;

/// Why there are no classes.
#[derive(Clone, PartialEq, Debug)]
pub enum NoClasses {
    /// The data cannot be followed, and why; with the place in the text, if there is one.
    Beyond(String, Option<Span>),
    /// A limit was reached.
    Limit(LimitReached),
}

impl From<LimitReached> for NoClasses {
    fn from(limit: LimitReached) -> Self {
        Self::Limit(limit)
    }
}

impl From<String> for NoClasses {
    fn from(why: String) -> Self {
        Self::Beyond(why, None)
    }
}

impl From<Stop> for NoClasses {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Beyond(why, span) => Self::Beyond(why, Some(span)),
            Stop::Fault(fault) => Self::Beyond(fault.to_string(), Some(fault.span)),
            Stop::OutOfRange(range, span) => {
                let (min, max) = (range.min, range.max);
                Self::Beyond(format!("a value may leave the range [{min},{max}]"), Some(span))
            }
        }
    }
}

/// Why a block cannot stay as it is.
pub(crate) enum Halt {
    /// The formula holds in some of its states only.
    Split(Formula),
    Stop(NoClasses),
}

impl<E: Into<NoClasses>> From<E> for Halt {
    fn from(error: E) -> Self {
        Self::Stop(error.into())
    }
}

impl std::fmt::Display for NoClasses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Beyond(why, _) => f.write_str(why),
            Self::Limit(limit) => write!(f, "{limit}"),
        }
    }
}
