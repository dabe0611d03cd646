//! Raising: from a network back to a document, the opposite of lowering.
//!
//! [`raise`] writes a whole network; lowering the document gives an equal network. [`rewrite()`] writes a
//! network that was made from another one into the document of that one, which stays as it was
//! written where nothing changed. Both make values and never text; printers come after them.
//!
//! What a network can hold and a document cannot is refused, with a reason. A raised network differs
//! from the original only in this ([`difference`] says whether it does in more):
//!
//! - names are made identifiers and unique: `Train(0)` is `Train_0`, local channels are global;
//! - places in the text are new, and names of received values are `v1`, `v2`, …;
//! - scalar sets are ranges of integers;
//! - processes of the environment come after those of the system;
//! - time is counted in the coarsest unit that divides all constants;
//! - alternatives over data alone are one alternative, conjunctions may be grouped differently, and the
//!   sum a clock is compared with may have its terms on another side;
//! - choices are unrolled and templates are instantiated.

mod arrays;
mod condition;
mod document;
mod edge;
mod expression;
mod function;
mod names;
mod naming;
mod query;
mod refused;
mod rewrite;
mod same;
mod sheet;
pub mod tree;
mod types;
mod view;

pub use names::Taken;
pub use rewrite::{rewrite, without_goals};
pub use same::difference;
pub use sheet::Sheet;

use tioga_base::Diagnostics;
use tioga_model::Network;

use crate::syntax::Document;
use refused::Refused;

/// A document of a network in our own language, with comments at its top. Lowering it gives an equal
/// network, up to what the module says.
///
/// Pre: the network is valid.
///
/// # Errors
/// The first thing that a document cannot say.
pub fn raise(network: &Network, comments: &[String]) -> Result<Document, Diagnostics> {
    document::document(network, comments).map_err(Refused::diagnostics)
}
