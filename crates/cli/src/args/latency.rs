//! Options that say how long messages are under way.

use clap::Args;
use tioga::GivenLatencies;
use tioga_base::{GivenBounds, GivenTime};

/// How long messages between a tester and a system are under way.
#[derive(Args, Debug, Default)]
pub struct LatencyArgs {
    /// Latency of inputs, such as 0..3ms, or 0..1/10 in time units of the model
    #[arg(long, value_name = "FROM..TO", help_heading = "Latencies")]
    pub in_latency: Option<GivenBounds>,

    /// Latency of outputs
    #[arg(long, value_name = "FROM..TO", help_heading = "Latencies")]
    pub out_latency: Option<GivenBounds>,

    /// Additional latency of single messages, such as 1ms
    #[arg(long, value_name = "TIME", help_heading = "Latencies")]
    pub jitter: Option<GivenTime>,
}

impl LatencyArgs {
    /// The latencies that are given.
    pub fn latencies(&self) -> GivenLatencies {
        let Self { in_latency: input, out_latency: output, jitter } = *self;
        GivenLatencies { input, output, jitter }
    }
}
