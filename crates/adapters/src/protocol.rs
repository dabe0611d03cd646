//! How to talk to a system, and where time comes from.

use serde::{Deserialize, Serialize};

/// How to talk to a system.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// One JSON object per line.
    #[default]
    Json,
    /// The lines that ECDAR's test runner uses.
    Ecdar,
    /// The lines that TorX and JTorX use.
    Torx,
    /// The binary protocol of UPPAAL TRON's socket adapter.
    Tron,
}

/// Where time comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeBase {
    /// The system moves when it is told to.
    #[default]
    Virtual,
    /// The clock of the machine.
    Real {
        /// How many nanoseconds a written time unit has.
        unit_ns: u64,
    },
}
