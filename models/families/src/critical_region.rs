//! The critical region: production cells ask arbiters for a region that a rotating counter grants.
//!
//! A cell that is let in must leave before `2 * limit` units have passed, and asks only while it
//! finds itself ready.

use clap::{Args, value_parser};

use crate::text::{fill, repeat};

/// N production cells with an arbiter each and a counter that goes round.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct CriticalRegion {
    /// Number of production cells
    #[arg(value_name = "N", value_parser = value_parser!(u32).range(1..=1000))]
    pub cells: u32,
    /// Longest time of a test; twice this is the longest stay in the region
    #[arg(value_name = "T", default_value_t = 10, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub limit: u32,
}

impl CriticalRegion {
    /// The model for TChecker.
    pub fn tck(&self) -> String {
        let (n, t) = (self.cells, self.limit);
        let twice = 2 * u64::from(t);
        let less = i64::from(t) - 1;
        fill(TCK_HEAD, &[("n", &n), ("t", &t)])
            + &repeat("event:enter$i\nevent:exit$i\n", n, &[])
            + &fill(TCK_COUNTER, &[("n", &n)])
            + &repeat(TCK_ARBITER, n, &[])
            + &repeat(TCK_CELL, n, &[("t", &t), ("twice", &twice), ("less", &less)])
            + "\n"
            + &repeat(TCK_SYNC, n, &[])
    }

    /// The model in Tioga's own language.
    pub fn tioga(&self) -> String {
        fill(TIOGA, &[("n", &self.cells), ("t", &self.limit)])
    }
}

const TCK_HEAD: &str = "\
# $n production cells that share a region; a test takes at most $t.
system:critical_region_$n_$t

event:tau
";

const TCK_COUNTER: &str = "
int:1:0:$n:0:id

process:counter
location:counter:I{initial:}
location:counter:C{}
edge:counter:I:C:tau{provided:id==0 : do:id=1}
edge:counter:C:C:tau{provided:id<$n : do:id=id+1}
edge:counter:C:C:tau{provided:id==$n : do:id=1}
";

const TCK_ARBITER: &str = "
process:arbiter$i
location:arbiter$i:req{initial:}
location:arbiter$i:ack{}
edge:arbiter$i:req:ack:enter$i{provided:id==$i : do:id=0}
edge:arbiter$i:ack:req:exit$i{do:id=$i}
";

const TCK_CELL: &str = "
process:prodcell$i
clock:1:x$i
location:prodcell$i:not_ready{initial:}
location:prodcell$i:testing{invariant:x$i<=$t}
location:prodcell$i:requesting{}
location:prodcell$i:critical{invariant:x$i<=$twice}
location:prodcell$i:testing2{invariant:x$i<=$t}
location:prodcell$i:safe{labels:safe$i}
location:prodcell$i:error{labels:error$i}
edge:prodcell$i:not_ready:testing:tau{provided:x$i<=$twice : do:x$i=0}
edge:prodcell$i:testing:not_ready:tau{provided:x$i>=$t : do:x$i=0}
edge:prodcell$i:testing:requesting:tau{provided:x$i<=$less}
edge:prodcell$i:requesting:critical:enter$i{do:x$i=0}
edge:prodcell$i:critical:error:tau{provided:x$i>=$twice}
edge:prodcell$i:critical:testing2:exit$i{provided:x$i<=$less : do:x$i=0}
edge:prodcell$i:testing2:error:tau{provided:x$i>=$t}
edge:prodcell$i:testing2:safe:tau{provided:x$i<=$less}
";

const TCK_SYNC: &str = "\
sync:arbiter$i@enter$i:prodcell$i@enter$i
sync:arbiter$i@exit$i:prodcell$i@exit$i
";

const TIOGA: &str = "\
// The critical region. A counter offers the region to the cells one after the other. A cell that
// is ready asks its arbiter, which lets it in when the counter has come to its number. The counter
// then goes round again from the start, and from this cell when it leaves.
model critical_region;

const int N = $n;
const int T = $t; // longest time of a test

typedef int[1, N] Id;

int[0, N] turn; // the cell the region is offered to; 0 when one was just let in
chan enter[Id], exit[Id];

automaton Counter {
  init location Start;
  location Counting;

  Start -> Counting : when turn == 0 do turn = 1;
  Counting -> self : when turn < N do turn++;
  Counting -> self : when turn == N do turn = 1;
}

automaton Arbiter(const Id id) {
  init location Free;
  location Granted;

  Free -> Granted : enter[id]? when turn == id do turn = 0;
  Granted -> Free : exit[id]? do turn = id;
}

automaton Cell(const Id id) {
  clock x; // since the last change

  init location NotReady;
  location Testing invariant x <= T;
  location Requesting;
  location Critical invariant x <= 2 * T;
  location TestingAgain invariant x <= T;
  location Safe labels safe;
  location Error labels error;

  NotReady -> Testing : when x <= 2 * T do x = 0;
  Testing -> NotReady : when x >= T do x = 0;
  Testing -> Requesting : when x <= T - 1;
  Requesting -> Critical : enter[id]! do x = 0;
  Critical -> Error : when x >= 2 * T;
  Critical -> TestingAgain : exit[id]! when x <= T - 1 do x = 0;
  TestingAgain -> Error : when x >= T;
  TestingAgain -> Safe : when x <= T - 1;
}

system Counter, Arbiter, Cell;

query \"a cell can be late\" E<> exists (i : Id) Cell(i).Error;
";
