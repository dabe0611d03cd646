//! CSMA/CD: stations share a bus, listen before they talk and back off after a collision.
//!
//! A frame takes `frame` units. A signal needs `propagation` units to reach everybody: a second
//! station that begins within this time collides with the first.

use clap::{Args, value_parser};

use crate::text::{fill, repeat};

/// Collision detection on a bus of N stations.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct CsmaCd {
    /// Number of stations
    #[arg(value_name = "N", value_parser = value_parser!(u32).range(1..=1000))]
    pub stations: u32,
    /// Time to send a frame
    #[arg(value_name = "LAMBDA", default_value_t = 808, value_parser = value_parser!(u32).range(0..=1_000_000))]
    pub frame: u32,
    /// Time for a signal to cross the bus
    #[arg(value_name = "SIGMA", default_value_t = 26, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub propagation: u32,
}

impl CsmaCd {
    /// The model for TChecker.
    pub fn tck(&self) -> String {
        let (n, l, s) = (self.stations, self.frame, self.propagation);
        let after = u64::from(n) + 1;
        fill(TCK_HEAD, &[("n", &n), ("l", &l), ("s", &s)])
            + &repeat("event:cd$i\n", n, &[])
            + &fill(TCK_BUS, &[("s", &s), ("after", &after)])
            + &repeat(TCK_BUS_JAM, n, &[])
            + &repeat(TCK_STATION, n, &[("l", &l), ("s", &s), ("ss", &(2 * u64::from(s)))])
    }

    /// The model in Tioga's own language.
    pub fn tioga(&self) -> String {
        let values: [(&str, &dyn std::fmt::Display); 3] =
            [("n", &self.stations), ("l", &self.frame), ("s", &self.propagation)];
        fill(TIOGA, &values)
    }
}

const TCK_HEAD: &str = "\
# $n stations on a bus; a frame takes $l, a signal $s.
system:csmacd_$n_$l_$s

event:tau
event:begin
event:busy
event:end
event:cd
";

const TCK_BUS: &str = "
process:Bus
int:1:1:$after:1:j
clock:1:y
location:Bus:Idle{initial:}
location:Bus:Active{}
location:Bus:Collision{invariant:y<$s}
location:Bus:Loop{committed:}
edge:Bus:Idle:Active:begin{do:y=0}
edge:Bus:Active:Collision:begin{provided:y<$s : do:y=0}
edge:Bus:Active:Active:busy{provided:y>=$s}
edge:Bus:Active:Idle:end{do:y=0}
edge:Bus:Collision:Loop:tau{provided:y<$s : do:j=1}
edge:Bus:Loop:Idle:tau{provided:j==$after&&y<$s : do:y=0;j=1}
";

const TCK_BUS_JAM: &str = "\
edge:Bus:Loop:Loop:cd$i{provided:j==$i : do:j=j+1}
";

const TCK_STATION: &str = "
process:Station$i
clock:1:x$i
location:Station$i:Wait{initial:}
location:Station$i:Start{invariant:x$i<=$l}
location:Station$i:Retry{invariant:x$i<$ss}
edge:Station$i:Wait:Start:begin{do:x$i=0}
edge:Station$i:Wait:Retry:busy{do:x$i=0}
edge:Station$i:Wait:Wait:cd{do:x$i=0}
edge:Station$i:Wait:Retry:cd{do:x$i=0}
edge:Station$i:Start:Wait:end{provided:x$i==$l : do:x$i=0}
edge:Station$i:Start:Retry:cd{provided:x$i<$s : do:x$i=0}
edge:Station$i:Retry:Start:begin{provided:x$i<$ss : do:x$i=0}
edge:Station$i:Retry:Retry:busy{provided:x$i<$ss : do:x$i=0}
edge:Station$i:Retry:Retry:cd{provided:x$i<$ss : do:x$i=0}
sync:Bus@begin:Station$i@begin
sync:Bus@busy:Station$i@busy
sync:Bus@cd$i:Station$i@cd
sync:Bus@end:Station$i@end
";

const TIOGA: &str = "\
// CSMA/CD. A station that finds the bus silent starts to send. Until its signal has crossed the
// bus another one may start as well; the bus then tells every station of the collision.
model csmacd;

const int N = $n;
const int LAMBDA = $l; // time to send a frame
const int SIGMA = $s; // time for a signal to cross the bus

typedef int[1, N] Id;

chan begin, end; // a station starts and finishes to send
chan busy; // the bus is taken
chan collision[Id];

automaton Bus {
  clock y; // since the signal on the bus changed
  int[1, N + 1] next = 1; // the station to be told of the collision

  init location Idle;
  location Active;
  location Colliding invariant y < SIGMA;
  committed location Telling;

  Idle -> Active : begin? do y = 0;
  Active -> Colliding : begin? when y < SIGMA do y = 0;
  Active -> self : busy! when y >= SIGMA;
  Active -> Idle : end? do y = 0;
  Colliding -> Telling : when y < SIGMA do next = 1;
  Telling -> self : collision[i]! for i : Id when i == next do next++;
  Telling -> Idle : when next > N && y < SIGMA do y = 0, next = 1;
}

automaton Station(const Id id) {
  clock x; // since the last event

  init location Waiting;
  location Sending invariant x <= LAMBDA;
  location Retrying invariant x < 2 * SIGMA;

  Waiting -> Sending : begin! do x = 0;
  Waiting -> Retrying : busy? do x = 0;
  Waiting -> self : collision[id]? do x = 0;
  Waiting -> Retrying : collision[id]? do x = 0;
  Sending -> Waiting : end! when x == LAMBDA do x = 0;
  Sending -> Retrying : collision[id]? when x < SIGMA do x = 0;
  Retrying -> Sending : begin! when x < 2 * SIGMA do x = 0;
  Retrying -> self : busy? when x < 2 * SIGMA do x = 0;
  Retrying -> self : collision[id]? when x < 2 * SIGMA do x = 0;
}

system Bus, Station;

query \"at most two stations send at a time\" A[] 2 >= sum (i : Id) Station(i).Sending ? 1 : 0;
";
