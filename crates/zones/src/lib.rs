//! Zones and federations.

mod alu;
mod bound;
mod compact;
mod constrain;
mod display;
mod extrapolate;
mod kernel;
mod open;
mod point;
mod relation;
mod zone;

pub use bound::{Bound, MAX_CONSTANT, OutOfRange};
pub use compact::CompactZone;
pub use constrain::Constraint;
pub use display::ZoneDisplay;
pub use extrapolate::LuBounds;
pub use open::OpenZone;
pub use point::Point;
pub use relation::Relation;
pub use zone::{Empty, Zone};
