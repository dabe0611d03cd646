//! The train gate as a game: trains come when they like, and the controller stops and restarts them.
//!
//! There is no controller in the model; the moves that stop a train and send it on are the
//! controller's, all others are the trains'. What can be enforced: to stop every train that comes
//! while another one is on its way over the bridge, which is possible in the first 10 units, keeps
//! the bridge safe. If the bridge is free, a train that waits can be sent on, and as trains come back
//! within `AWAY` units and a started train must cross, all get across. What cannot be enforced is
//! that trains come at the same time.

use clap::{Args, value_parser};

use crate::text::fill;

/// N trains and a bridge for one of them.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct TrainGame {
    /// Number of trains, at least 2
    #[arg(value_name = "N", value_parser = value_parser!(u32).range(2..=1000))]
    pub trains: u32,
    /// Longest time a train stays away
    #[arg(value_name = "AWAY", default_value_t = 40, value_parser = value_parser!(u32).range(40..=1_000_000))]
    pub away: u32,
}

impl TrainGame {
    /// The model in Tioga's own language.
    pub fn tioga(&self) -> String {
        fill(TIOGA, &[("n", &self.trains), ("away", &self.away)])
    }
}

const TIOGA: &str = "\
// Trains and a bridge for one of them, as a game. The controller may stop a train soon after it
// comes near and send a stopped train on. When a train comes, and how fast it is, is its own choice.
model train_game;

const int N = $n;
const int AWAY = $away; // longest time between two visits of a train

typedef int[0, N - 1] Id;

bool crossed[N]; // has been on the bridge

automaton Train(const Id id) {
  clock x; // since the last move

  init location Away invariant x <= AWAY;
  location Near invariant x <= 20; // can brake for the first 10
  location Halted;
  location Starting invariant x <= 15;
  location Crossing invariant x <= 5;

  Away -u-> Near : do x = 0;
  Near -u-> Crossing : when x >= 10 do x = 0, crossed[id] = true;
  Near -c-> Halted : when x <= 10 do x = 0;
  Halted -c-> Starting : do x = 0;
  Starting -u-> Crossing : when x >= 7 do x = 0, crossed[id] = true;
  Crossing -u-> Away : when x >= 3 do x = 0;
}

system Train;

query \"holds: one at a time\"
    control: A[] forall (i : Id) forall (j : Id) Train(i).Crossing && Train(j).Crossing imply i ==
    j;
query \"holds: one at a time, until all have been across\"
    control: A[ forall (i : Id) forall (j : Id) Train(i).Crossing && Train(j).Crossing imply i == j
    U forall (i : Id) crossed[i] ];
query \"holds: all stand before the bridge\" control: A<> forall (i : Id) Train(i).Halted;
query \"fails: trains need not come together\" control: A<> forall (i : Id) Train(i).Near;
query \"holds: they may\" E<> control: A<> forall (i : Id) Train(i).Near;
";
