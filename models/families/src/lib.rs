//! Families of benchmark models: the same system for any number of parts, as a TChecker file and as
//! a Tioga file with the same behaviour. Games exist as Tioga files only, because TChecker's
//! language does not declare the control of moves.
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
mod jobs;
mod leader_election;
mod lep;
mod production_cell;
mod random;
mod text;
mod train_game;
mod train_gate;

use clap::{Subcommand, ValueEnum};
use thiserror::Error;

pub use critical_region::CriticalRegion;
pub use csmacd::CsmaCd;
pub use fddi::Fddi;
pub use fischer::Fischer;
pub use job_shop::JobShop;
pub use jobs::Jobs;
pub use leader_election::LeaderElection;
pub use lep::Lep;
pub use production_cell::ProductionCell;
pub use train_game::TrainGame;
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
    /// Game: a node of a leader election protocol among N, with lossy messages
    Lep(Lep),
    /// Game: N jobs of uncertain duration on one machine, with a deadline
    Jobs(Jobs),
    /// Game: N trains that come when they like, to be stopped before a bridge
    TrainGame(TrainGame),
    /// Game: a robot that carries N plates through a press
    ProductionCell(ProductionCell),
}

/// The model is a game, and the language has no games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("this family is a game, and TChecker's language cannot say who decides a move")]
pub struct NoGames;

impl Family {
    /// The model in the given language; games exist in Tioga's only.
    pub fn text(&self, format: Format) -> Result<String, NoGames> {
        match format {
            Format::Tck => self.tck(),
            Format::Tioga => Ok(self.tioga()),
        }
    }

    fn tck(&self) -> Result<String, NoGames> {
        Ok(match self {
            Self::Fischer(family) => family.tck(),
            Self::CsmaCd(family) => family.tck(),
            Self::Fddi(family) => family.tck(),
            Self::TrainGate(family) => family.tck(),
            Self::CriticalRegion(family) => family.tck(),
            Self::LeaderElection(family) => family.tck(),
            Self::JobShop(family) => family.tck(),
            Self::Lep(_) | Self::Jobs(_) | Self::TrainGame(_) | Self::ProductionCell(_) => {
                return Err(NoGames);
            }
        })
    }

    fn tioga(&self) -> String {
        match self {
            Self::Fischer(family) => family.tioga(),
            Self::CsmaCd(family) => family.tioga(),
            Self::Fddi(family) => family.tioga(),
            Self::TrainGate(family) => family.tioga(),
            Self::CriticalRegion(family) => family.tioga(),
            Self::LeaderElection(family) => family.tioga(),
            Self::JobShop(family) => family.tioga(),
            Self::Lep(family) => family.tioga(),
            Self::Jobs(family) => family.tioga(),
            Self::TrainGame(family) => family.tioga(),
            Self::ProductionCell(family) => family.tioga(),
        }
    }
}
