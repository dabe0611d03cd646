//! Options that say how long messages are under way.

use clap::Args;
use tioga_base::{Moment, Rational};
use tioga_execute::Latencies;

use super::values::{moment, time};

/// How long messages between a tester and a system are under way.
#[derive(Args, Debug, Default)]
pub struct LatencyArgs {
    /// How long an input is under way, in time units of the model, such as 0..1/10
    #[arg(long, value_name = "FROM..TO", value_parser = moment, help_heading = "Latencies")]
    pub in_latency: Option<Moment>,

    /// How long an output is under way
    #[arg(long, value_name = "FROM..TO", value_parser = moment, help_heading = "Latencies")]
    pub out_latency: Option<Moment>,

    /// What each message may take in addition
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Latencies")]
    pub jitter: Option<Rational>,
}

impl LatencyArgs {
    /// The latencies that are given; others are none.
    pub fn latencies(&self) -> Latencies {
        let usual = Latencies::default();
        Latencies {
            input: self.in_latency.unwrap_or(usual.input),
            output: self.out_latency.unwrap_or(usual.output),
            jitter: self.jitter.unwrap_or(usual.jitter),
        }
    }
}
