//! Single states of a model, exactly: what both checks look at.

mod claims;
mod naming;
mod ray;
mod regions;
mod site;
mod valuation;

pub(crate) use claims::{Claims, Said};
pub(crate) use naming::{after, move_name};
pub(crate) use ray::{Landing, Piece, Ray, landing, moments};
pub(crate) use regions::{Grid, simplest};
pub(crate) use site::{Site, SiteMove, Sites};
pub(crate) use valuation::{Valuation, written};
