//! A piece of an estimate.

use tioga_zones::Zone;

use crate::node::NodeId;

/// Points of one discrete state that explain what was observed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Entry {
    pub node: NodeId,
    /// How many of the inputs under way have arrived.
    pub arrived: u32,
    pub zone: Zone,
}
