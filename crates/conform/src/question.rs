//! What one search in the product of two models looks for.

/// What a search looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Question {
    /// Outputs and delays that are not specified.
    Outputs,
    /// The same, except for delays that an input would have ended.
    OutputsWhenServed,
    /// Inputs that are specified and refused.
    Inputs,
}
