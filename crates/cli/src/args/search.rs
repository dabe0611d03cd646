//! Options of all commands that search states.

use clap::Args;
use tioga::Effort;

use crate::output::Session;

/// How long to search, and with how many threads.
#[derive(Args, Debug, Default, Clone)]
pub struct SearchArgs {
    /// How many threads search; the answer does not depend on it [default: as many as there are
    /// cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,

    /// Maximum of states explored
    #[arg(long, value_name = "COUNT")]
    pub max_states: Option<u64>,

    /// Memory limit of the states in MiB
    #[arg(long, value_name = "MIB")]
    pub max_memory: Option<usize>,

    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<u64>,
}

impl SearchArgs {
    /// How much work may be done.
    pub fn effort(&self, session: &Session) -> Effort<'static> {
        let memory = self.max_memory.map(|mib| (mib as u64) << 20);
        let effort = session.effort(self.timeout);
        let threads = self.threads.map_or(effort.threads, usize::from);
        Effort { memory, threads, ..effort }
    }
}
