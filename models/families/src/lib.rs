//! Families of benchmark models: the same system for any number of parts, as a TChecker file and
//! as a Tioga file with the same behaviour.
//!
//! The TChecker files describe, name by name and in the same order, the automata that the scripts
//! shipped with TChecker describe for the same parameters, so that counts of states can be
//! compared. The Tioga files say the same with templates, arrays and channels. Each family is a
//! file: its parameters, which are also its command line, and its two texts.

mod critical_region;
mod csmacd;
mod fddi;
mod fischer;
mod job_shop;
mod leader_election;
mod random;
mod text;
mod train_gate;

use clap::{Subcommand, ValueEnum};

pub use critical_region::CriticalRegion;
pub use csmacd::CsmaCd;
pub use fddi::Fddi;
pub use fischer::Fischer;
pub use job_shop::JobShop;
pub use leader_election::LeaderElection;
pub use train_gate::TrainGate;

/// The language a model is written in.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// TChecker's language, with synchronisation vectors
    Tck,
    /// Tioga's language, with templates, arrays and channels
    Tioga,
}

/// A family with the parameters of one member.
#[derive(Subcommand, Clone, PartialEq, Eq, Debug)]
pub enum Family {
    /// Mutual exclusion of N processes by timing alone (Fischer)
    Fischer(Fischer),
    /// Collision detection on a bus of N stations (CSMA/CD)
    #[command(name = "csmacd")]
    CsmaCd(CsmaCd),
    /// A token ring of N stations (FDDI)
    Fddi(Fddi),
    /// N trains that share a bridge, and its controller
    #[command(name = "train_gate", alias = "train-gate")]
    TrainGate(TrainGate),
    /// N production cells that share a region under arbiters
    CriticalRegion(CriticalRegion),
    /// Election of a leader in a ring of N candidates
    LeaderElection(LeaderElection),
    /// Random jobs on shared machines, to be done in time
    JobShop(JobShop),
}

impl Family {
    /// The model in the given language.
    pub fn text(&self, format: Format) -> String {
        match (self, format) {
            (Self::Fischer(family), Format::Tck) => family.tck(),
            (Self::Fischer(family), Format::Tioga) => family.tioga(),
            (Self::CsmaCd(family), Format::Tck) => family.tck(),
            (Self::CsmaCd(family), Format::Tioga) => family.tioga(),
            (Self::Fddi(family), Format::Tck) => family.tck(),
            (Self::Fddi(family), Format::Tioga) => family.tioga(),
            (Self::TrainGate(family), Format::Tck) => family.tck(),
            (Self::TrainGate(family), Format::Tioga) => family.tioga(),
            (Self::CriticalRegion(family), Format::Tck) => family.tck(),
            (Self::CriticalRegion(family), Format::Tioga) => family.tioga(),
            (Self::LeaderElection(family), Format::Tck) => family.tck(),
            (Self::LeaderElection(family), Format::Tioga) => family.tioga(),
            (Self::JobShop(family), Format::Tck) => family.tck(),
            (Self::JobShop(family), Format::Tioga) => family.tioga(),
        }
    }
}
