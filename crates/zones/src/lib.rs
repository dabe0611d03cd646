//! Zones and federations: the sets of clock valuations on which the analysis of timed systems is
//! based. The crate uses no automata and is independent.
//!
//! # Zones
//!
//! A *clock* is a non-negative real number, and clocks advance together. A *zone* is a set of
//! values for all clocks given by bounds on clocks and on differences of clocks, such as
//! `1 ≤ x < 5 ∧ y − x ≤ 2`. With a reference clock `x_0` that is always zero, each bound has the
//! form `x_i − x_j < c` or `x_i − x_j ≤ c`, so a zone is a square matrix of bounds: a *difference
//! bound matrix*. Its *dimension* is the number of clocks plus one.
//!
//! Three notions matter throughout:
//!
//! - **Strictness.** `< 5` and `≤ 5` differ in one point, and that point decides whether a guard
//!   can be met at the deadline. Every [`Bound`] carries it, and every operation is exact about it.
//! - **Closed**, or *canonical*: each bound is the tightest that holds in the set, as after adding
//!   `y < 7` to the example. A non-empty zone has exactly one closed matrix, so sets are compared
//!   by comparing matrices.
//! - **Empty.** Bounds may contradict each other. A [`Zone`] never does: it is closed and has a
//!   point. Operations that might leave no point return `Err(`[`Empty`]`)`.
//!
//! Bounds that are still being gathered are an [`OpenZone`]; closing it gives a zone or nothing.
//! So whether a matrix is closed is a matter of types, not of discipline.
//!
//! ```
//! use tioga_zones::{Bound, Zone};
//!
//! // Two clocks start at zero; time passes; then `x` is set back when it is 2 at least.
//! let (x, y) = (1, 2);
//! let mut zone = Zone::zero(3);
//! zone.delay();
//! zone.constrain(0, x, Bound::le(-2)?)?;    // 0 − x ≤ −2
//! zone.reset(x, 0);
//! zone.delay();
//! zone.constrain(x, 0, Bound::lt(1)?)?;     // x − 0 < 1
//! assert_eq!(zone.display(&["x", "y"]).to_string(), "x < 1 && y - x >= 2");
//!
//! // An exact point of it, and one that touches no bound it need not touch.
//! assert_eq!(zone.sample().to_string(), "(0, 2)");
//! assert_eq!(zone.sample_interior().to_string(), "(1/2, 3)");
//!
//! // Nothing is left below `y = 2`, and the zone stays as it was.
//! assert!(zone.constrain(y, 0, Bound::lt(2)?).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Searching
//!
//! Zones of a running system can grow apart for ever. *Extrapolation* forgets differences beyond
//! the constants that the system compares its clocks with ([`LuBounds`],
//! [`Zone::extrapolate_lu_plus`]); the test [`Zone::includes_modulo_alu`] compares zones modulo a
//! still coarser abstraction without changing them. [`Zone::pack`] stores a zone in half the space and
//! compares faster; [`Zone::to_compact`] stores it as the few bounds that imply the others.
//!
//! # Federations
//!
//! The complement of a zone is not a zone, nor is the union of two. A [`Federation`] is a finite
//! union of zones, and union, intersection, difference, inclusion and equality of federations are
//! exact. The operation for games is [`Federation::timed_predecessor`]: the valuations from which
//! time can pass into a goal without meeting a bad valuation before. Its mirror image is
//! [`Federation::timed_successor`].
//!
//! ```
//! use tioga_zones::{Arrival, Bound, Federation};
//!
//! let mut goal = Federation::universal(3);
//! goal.constrain(0, 1, Bound::le(-4)?);     // x ≥ 4
//! let mut bad = Federation::universal(3);
//! bad.constrain(0, 2, Bound::le(-2)?);      // y ≥ 2
//! let safe = goal.timed_predecessor(&bad, Arrival::Safe);
//! assert_eq!(safe.display(&["x", "y"]).to_string(), "y < 2 && x - y > 2");
//! assert!(safe.complement().includes(&bad));
//! # Ok::<(), tioga_zones::OutOfRange>(())
//! ```
//!
//! # Numbers
//!
//! Constants are integers up to [`MAX_CONSTANT`], which constructors enforce; [`Bound::constants_fit`]
//! checks whether all sums of a model's constants fit too. Points are exact rationals. There is no
//! floating point, and nothing wraps around.

mod alu;
mod bound;
mod compact;
mod constrain;
mod display;
mod extrapolate;
mod federation;
mod kernel;
mod open;
mod packed;
mod point;
mod project;
mod reduce;
mod relation;
mod remainder;
mod subtract;
mod timed_predecessor;
mod timed_successor;
mod zone;

pub use bound::{Bound, MAX_CONSTANT, OutOfRange};
pub use compact::CompactZone;
pub use constrain::Constraint;
pub use display::ZoneDisplay;
pub use extrapolate::LuBounds;
pub use federation::{Federation, FederationDisplay};
pub use open::OpenZone;
pub use packed::PackedZone;
pub use point::Point;
pub use relation::SetRelation;
pub use remainder::{Remainder, RemainderStep};
pub use timed_predecessor::Arrival;
pub use zone::{Empty, Zone};

/// The examples of the crate's `README.md`, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
