//! Single states of a model, exactly: what both checks look at.

mod checked_state;
mod claims;
mod naming;
mod ray;
mod regions;
mod valuation;

pub(crate) use checked_state::{CheckedState, CheckedStates, CheckedStep};
pub(crate) use claims::{Claims, Said};
pub(crate) use naming::{after, step_name};
pub(crate) use ray::{Landing, Piece, Ray, landing, moments};
pub(crate) use regions::{Grid, simplest};
pub(crate) use valuation::{Valuation, written};
