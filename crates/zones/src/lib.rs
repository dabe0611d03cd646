//! Zones and federations.

mod alu;
mod bound;
mod compact;
mod constrain;
mod display;
mod extrapolate;
mod federation;
mod kernel;
mod open;
mod point;
mod reduce;
mod relation;
mod subtract;
mod timed_predecessor;
mod zone;

pub use bound::{Bound, MAX_CONSTANT, OutOfRange};
pub use compact::CompactZone;
pub use constrain::Constraint;
pub use display::ZoneDisplay;
pub use extrapolate::LuBounds;
pub use federation::{Federation, FederationDisplay};
pub use open::OpenZone;
pub use point::Point;
pub use relation::Relation;
pub use timed_predecessor::Arrival;
pub use zone::{Empty, Zone};
