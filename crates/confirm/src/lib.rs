//! Timed extended finite state machines, and timed inputs that separate configurations (BON09, chapter 4).
//!
//! A [`Machine`] is a model whose every edge takes an input and answers it. [`separate`] finds a sequence of inputs,
//! with delays and values, that two configurations answer differently: by reachability in the product with a fail
//! component, over zones for time and formulas for data, without a grid. [`Pairs`] is the same product by the
//! reference semantics, one exact step at a time. [`reach()`] leads to a configuration, and [`properties()`] decides
//! whether a machine is deterministic, observable and complete.
//!
//! # The product, as printed and in its sound form
//! As printed, the product goes to fail if *some* edge of the second component answers differently from the first
//! one. If the second component has several edges for an input and one of them matches, even equal configurations
//! seem to differ. Values of answers are compared as expressions, so `e(w)` with w = 2 and with w = 5 counts as the
//! same, and an input without an edge in the second component leads nowhere. In the sound form ([`Rule::Sound`]),
//! fail is reached if the first component answers and *no* answer of the second one is the same, values included; no
//! edge, or no time to pass, means no answer. This is the definition of distinguishable configurations (Definition
//! 5).

mod clocks;
mod error;
mod generic;
mod legs;
mod machine;
mod moves;
mod pairs;
mod past;
mod product;
mod properties;
mod reach;
mod search;
mod sequence;
mod store;

pub use clocks::{Set, Space};
pub use error::Error;
pub use machine::Machine;
pub use pairs::{Pair, Pairs, Reply, Rule, Second};
pub use product::{Other, Place, ProductEdge, product};
pub use properties::{Flaw, Properties, properties};
pub use reach::Goal;
pub use sequence::{Exchange, Reached, Run, Separation, configuration, reach, separate};
