//! How far an evaluation may go before it is a fault.

/// Steps one evaluation may take.
pub const STEP_LIMIT: u32 = 1_000_000;
/// How deeply calls may nest.
pub const CALL_LIMIT: u32 = 200;
/// How deeply expressions and statements may nest, calls included.
pub const NESTING_LIMIT: u32 = 500;
