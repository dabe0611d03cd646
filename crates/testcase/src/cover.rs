//! Coverage criteria.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What test cases cover.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "criterion")]
pub enum Cover {
    /// Every location is entered.
    Locations,
    /// Every edge is taken.
    Edges,
    /// Every two edges of a process that can follow each other are taken one after the other.
    EdgePairs,
    /// Every output is given.
    Outputs,
    /// Every edge is taken at the ends of its windows: with a clock at a bound, just below and just above it; and
    /// at the boundary values of the data that decides about it.
    Boundaries,
    /// Every clock that is set and every variable that is written is used by every edge that can see it.
    DefinitionsUses,
}

impl Cover {
    /// All criteria.
    pub const ALL: [Self; 6] = [
        Self::Locations,
        Self::Edges,
        Self::EdgePairs,
        Self::Outputs,
        Self::Boundaries,
        Self::DefinitionsUses,
    ];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Locations => "locations",
            Self::Edges => "edges",
            Self::EdgePairs => "edge-pairs",
            Self::Outputs => "outputs",
            Self::Boundaries => "boundaries",
            Self::DefinitionsUses => "definitions-uses",
        }
    }

    /// Whether its test cases go on after what they cover in any case: what it is about shows only later.
    pub fn looks_further(self) -> bool {
        matches!(self, Self::EdgePairs | Self::Boundaries | Self::DefinitionsUses)
    }

    /// What one thing to cover is called.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Locations => "location",
            Self::Edges => "edge",
            Self::EdgePairs => "edge pair",
            Self::Outputs => "output",
            Self::Boundaries => "boundary value",
            Self::DefinitionsUses => "definition-use pair",
        }
    }
}
