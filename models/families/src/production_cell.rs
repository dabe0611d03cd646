//! A production cell as a game: a robot carries plates from a belt through a press to a second belt.
//!
//! The controller turns the robot and makes its arms take and put down plates. How long a turn, the
//! press and the way of a plate along the belt take, and when the next plate comes, is uncertain
//! within limits. A plate that waits at the end of the belt for 5 units falls down.
//!
//! With a gap of 18 between plates the controller wins: a plate in arm A is in the press after 3
//! units at the latest, is ready 6 units later, while which arm B has been turned to the press, is at
//! the second belt after 3 more and the robot is back at the first belt after another 3. That makes
//! 15; the next plate reaches the end of the belt 16 units after the one before or later. Without
//! any gap and with two plates or more it loses: both may reach the end together, and a turn to the
//! press and back may take 6.

use clap::{Args, value_parser};

use crate::text::fill;

/// N plates on their way through a press.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct ProductionCell {
    /// Number of plates
    #[arg(value_name = "N", value_parser = value_parser!(u32).range(1..=1000))]
    pub plates: u32,
    /// Shortest time between two plates
    #[arg(value_name = "GAP", default_value_t = 18, value_parser = value_parser!(u32).range(0..=1_000_000))]
    pub gap: u32,
}

impl ProductionCell {
    /// The model in Tioga's own language.
    pub fn tioga(&self) -> String {
        let forced = match (self.plates, self.gap) {
            (1, _) | (_, 18..) => "holds:",
            (_, 0) => "fails:",
            _ => "unknown:",
        };
        let helped = if self.plates <= 2 || self.gap >= 18 { "holds:" } else { "unknown:" };
        let values: [(&str, &dyn std::fmt::Display); 4] =
            [("n", &self.plates), ("gap", &self.gap), ("forced", &forced), ("helped", &helped)];
        fill(TIOGA, &values)
    }
}

const TIOGA: &str = "\
// A production cell, as a game. Plates come on a belt, one after the other. A robot with two arms
// takes each from the belt to a press and from the press to a second belt, before the next one
// falls down. The controller moves the robot; how long everything takes is not its choice.
model production_cell;

const int N = $n; // plates
const int GAP = $gap; // shortest time between two plates

// Where the robot stands: arm A at the belt or at the press, or arm B at the press or at the
// second belt. The last number means that it turns.
const int FEED = 0;
const int LOAD = 1;
const int UNLOAD = 2;
const int DEPOSIT = 3;
const int TURNING = 4;

typedef int[1, N] Id;

int[0, N] came; // the last plate that was put on the belt
int[0, 4] place = FEED;
bool armA, armB, press; // hold a plate
clock g; // since a plate was put on the belt

automaton Robot {
  clock x; // since it began to turn
  int[0, 3] goal = FEED;

  init location Standing;
  location Turning invariant x <= 3;

  Standing -c-> Turning : for p : int[FEED, DEPOSIT] when p != place do goal = p, place = TURNING, x
      = 0;
  Turning -u-> Standing : when x >= 2 do place = goal, goal = FEED;
}

automaton Plate(const Id id) {
  clock x; // since the last step

  init location Ahead invariant came + 1 != id || g <= GAP + 4;
  location OnBelt invariant x <= 8;
  location AtEnd invariant x <= 5; // of the belt: it is about to fall
  location OnArmA;
  location InPress invariant x <= 6;
  location Pressed;
  location OnArmB;
  location Done;
  location Fallen;

  Ahead -u-> OnBelt : when came + 1 == id && g >= GAP do came = id, g = 0, x = 0;
  OnBelt -u-> AtEnd : when x >= 6 do x = 0;
  AtEnd -u-> Fallen : when x >= 5;
  AtEnd -c-> OnArmA : when place == FEED && !armA do armA = true;
  OnArmA -c-> InPress : when place == LOAD && !press do armA = false, press = true, x = 0;
  InPress -u-> Pressed : when x >= 4;
  Pressed -c-> OnArmB : when place == UNLOAD && !armB do press = false, armB = true;
  OnArmB -c-> Done : when place == DEPOSIT do armB = false;
}

system Robot, Plate;

query \"$forced no plate falls\" control: A[] forall (i : Id) !Plate(i).Fallen;
query \"$forced all plates get through\"
    control: A[ forall (i : Id) !Plate(i).Fallen U forall (i : Id) Plate(i).Done ];
query \"$helped all plates get through, if everything goes well\"
    E<> control: A[ forall (i : Id) !Plate(i).Fallen U forall (i : Id) Plate(i).Done ];
";
