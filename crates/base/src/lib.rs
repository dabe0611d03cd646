//! The foundation of all other crates of Tioga: typed ids, exact numbers, source positions,
//! diagnostics and limits. This crate is independent of timed automata.

mod diagnostic;
mod format;
mod ids;
mod limits;
mod moment;
mod rational;
mod source;
mod suggest;
mod times;
mod visible;
mod written;

pub use diagnostic::{Diagnostic, Diagnostics, Fix, Remark, Severity};
pub use format::ModelFormat;
pub use ids::{Id, IdVec};
pub use limits::{Budget, Cancel, LimitReached, StopReason};
pub use moment::{Moment, ParseMomentError};
pub use rational::{Overflow, ParseRationalError, Rational};
pub use source::{FileId, Source, Sources, Span};
pub use suggest::closest;
pub use times::{
    ConvertError, GivenBounds, GivenTime, GivenTimeError, TimeUnit, Times, WallUnit, decimal,
};
pub use visible::{one_line, visible, visible_json};
