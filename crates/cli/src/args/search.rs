//! Options of all commands that search states.

use clap::Args;

/// How long to search, and with how many threads.
#[derive(Args, Debug, Default, Clone)]
pub struct SearchArgs {
    /// How many threads search; the answer does not depend on it [default: as many as there are
    /// cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,

    /// Stop after so many states
    #[arg(long, value_name = "COUNT")]
    pub max_states: Option<u64>,

    /// Stop when the states take so many MiB
    #[arg(long, value_name = "MIB")]
    pub max_memory: Option<usize>,

    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<u64>,
}
