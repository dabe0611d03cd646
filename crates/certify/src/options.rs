//! How to check: which states, how many of them, and with which random choices.

use tioga_base::{Cancel, Span};

/// Which states to check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Extent {
    /// One of each region that can be reached, or samples if there are too many.
    #[default]
    Feasible,
    /// Samples only.
    Sampled,
}

/// How to check.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Which states to check.
    pub extent: Extent,
    /// How many regions are few enough to check them all.
    pub max_regions: usize,
    /// How many random plays to sample.
    pub plays: u32,
    /// How many steps a random play has at most.
    pub steps: u32,
    /// How many points to sample in each zone of the certificate that a play comes across.
    pub points: u32,
    /// Decides every random choice.
    pub seed: u64,
    /// Whether places are called after classes of values, one of which was chosen: then names are not compared.
    pub of_classes: bool,
    /// Where the objective was written, for complaints about it.
    pub span: Span,
    /// Ends the check when set from outside.
    pub cancel: Cancel,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self {
            extent: Extent::default(),
            max_regions: 20_000,
            plays: 200,
            steps: 30,
            points: 2,
            seed: 0,
            of_classes: false,
            span: Span::default(),
            cancel: Cancel::new(),
        }
    }
}
