//! Options of all commands that search states.

use std::time::Duration;

use clap::Args;
use tioga::Effort;

use super::values::{size, time_limit};
use crate::measure::WorkLimits;
use crate::output::Session;

/// How long to search, and with how many threads.
#[derive(Args, Debug, Default, Clone)]
pub struct SearchArgs {
    /// Number of threads; the answer does not depend on it [default: as many as there are
    /// cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,

    /// Maximum of states explored
    #[arg(long, value_name = "COUNT")]
    pub max_states: Option<u64>,

    /// How much memory the search may take
    #[command(flatten)]
    pub memory: MemoryArgs,

    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS", value_parser = time_limit)]
    pub timeout: Option<Duration>,
}

impl SearchArgs {
    /// How much work may be done.
    pub fn effort(&self, session: &Session) -> Effort<'static> {
        let effort = session.effort(self.memory.limits(self.timeout));
        let threads = self.threads.map_or(effort.threads, usize::from);
        Effort { threads, ..effort }
    }
}

/// How much memory a command may take.
#[derive(Args, Debug, Default, Clone, Copy)]
pub struct MemoryArgs {
    /// Memory limit of the process, such as 500M or 2G; what is known then is the result
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,

    /// Memory limit in MiB
    #[arg(long, value_name = "MIB", hide = true, conflicts_with = "memory")]
    pub max_memory: Option<u32>,
}

impl MemoryArgs {
    /// The limits of the work, with a time limit.
    pub fn limits(self, time: Option<Duration>) -> WorkLimits {
        let memory = self.memory.or(self.max_memory.map(|mib| u64::from(mib) << 20));
        WorkLimits { time, memory }
    }
}
