//! Leader election on a ring: every candidate learns the number its predecessor has seen.
//!
//! A candidate reads from its predecessor under a lock, passes on what it read, and has won when
//! its own number comes back. A stopwatch asks whether this happens within `timeout` units.

use clap::{Args, value_parser};

use crate::text::{fill, repeat};

/// Leader election among N candidates in a ring.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct LeaderElection {
    /// Number of candidates, at least 2
    #[arg(value_name = "N", value_parser = value_parser!(u32).range(2..=1000))]
    pub candidates: u32,
    /// Time after which the election counts as too slow
    #[arg(value_name = "TIMEOUT", default_value_t = 4, value_parser = value_parser!(u32).range(0..=1_000_000))]
    pub timeout: u32,
}

impl LeaderElection {
    /// The model for TChecker.
    pub fn tck(&self) -> String {
        let (n, timeout) = (self.candidates, self.timeout);
        let mut text = fill(TCK_HEAD, &[("n", &n), ("timeout", &timeout)])
            + &repeat("event:finished$i\nevent:lock$i\nevent:unlock$i\n", n, &[])
            + "\n"
            + &repeat("int:1:1:$n:$i:in$i\nint:1:1:$n:$i:out$i\n", n, &[("n", &n)]);
        let previous = |i: u32| if i == 1 { n } else { i - 1 };
        for i in 1..=n {
            text += &fill(TCK_CANDIDATE, &[("i", &i), ("p", &previous(i))]);
        }
        text += &fill(TCK_STOPWATCH, &[("timeout", &timeout)]);
        text += &repeat(TCK_STOPWATCH_FINISHED, n, &[("timeout", &timeout)]);
        text.push('\n');
        for i in 1..=n {
            text += &fill(TCK_SYNC, &[("i", &i), ("p", &previous(i))]);
        }
        text
    }

    /// The model in Tioga's own language.
    pub fn tioga(&self) -> String {
        let numbers: Vec<String> = (0..self.candidates).map(|i| i.to_string()).collect();
        let numbers = numbers.join(", ");
        let (n, timeout) = (self.candidates, self.timeout);
        fill(TIOGA, &[("n", &n), ("timeout", &timeout), ("numbers", &numbers)])
    }
}

const TCK_HEAD: &str = "\
# $n candidates in a ring elect a leader; more than $timeout is too slow.
system:leader_election_$n_$timeout

event:tau
";

const TCK_CANDIDATE: &str = "
process:C$i
clock:1:x$i
location:C$i:eval{invariant:x$i<=1}
location:C$i:init{initial: : invariant:x$i<=0}
location:C$i:leader
location:C$i:read{invariant:x$i<=1}
location:C$i:release{invariant:x$i<=1}
location:C$i:wait_prev{invariant:x$i<=0}
location:C$i:wait_succ
location:C$i:wait_succ_read_out
edge:C$i:eval:leader:finished$i{provided:in$i==$i}
edge:C$i:eval:wait_succ:tau{provided:in$i!=$i : do:out$i=in$i}
edge:C$i:init:read:lock$p{do:x$i=0}
edge:C$i:init:wait_succ_read_out:lock$i
edge:C$i:read:release:tau{do:in$i=out$p}
edge:C$i:release:eval:unlock$p
edge:C$i:wait_prev:read:lock$p{do:x$i=0}
edge:C$i:wait_succ:wait_succ_read_out:lock$i
edge:C$i:wait_succ_read_out:wait_prev:unlock$i{do:x$i=0}
";

const TCK_STOPWATCH: &str = "
process:S
clock:1:z
location:S:error{labels:error}
location:S:init{initial:}
location:S:safe
edge:S:init:error:tau{provided:z>$timeout}
";

const TCK_STOPWATCH_FINISHED: &str = "\
edge:S:init:safe:finished$i{provided:z<=$timeout}
";

const TCK_SYNC: &str = "\
sync:C$i@lock$p:C$p@lock$p
sync:C$i@unlock$p:C$p@unlock$p
sync:C$i@finished$i:S@finished$i
";

const TIOGA: &str = "\
// Leader election. The candidates stand in a ring. Each reads the number its predecessor passes
// on, while that one holds still, and passes it on itself; who reads its own number is the leader.
model leader_election;

const int N = $n;
const int TIMEOUT = $timeout; // an election that takes longer is too slow

typedef int[0, N - 1] Id;

Id seen[N] = { $numbers }; // the number each candidate read last
Id shown[N] = { $numbers }; // the number each candidate passes on

chan lock[N], unlock[N]; // the successor of a candidate starts and stops to read from it
chan finished;

automaton Candidate(const Id id) {
  const Id previous = (id + N - 1) % N;
  clock x; // since the last step

  init location Start invariant x <= 0;
  location Reading, Releasing, Comparing invariant x <= 1;
  location WaitingForSuccessor, ReadBySuccessor;
  location WaitingForPrevious invariant x <= 0;
  location Leader;

  Start, WaitingForPrevious -> Reading : lock[previous]! do x = 0;
  Start, WaitingForSuccessor -> ReadBySuccessor : lock[id]?;
  Reading -> Releasing : do seen[id] = shown[previous];
  Releasing -> Comparing : unlock[previous]!;
  Comparing -> Leader : finished! when seen[id] == id;
  Comparing -> WaitingForSuccessor : when seen[id] != id do shown[id] = seen[id];
  ReadBySuccessor -> WaitingForPrevious : unlock[id]? do x = 0;
}

automaton Stopwatch {
  clock z; // since the start

  init location Running;
  location InTime;
  location TooLate labels error;

  Running -> InTime : finished? when z <= TIMEOUT;
  Running -> TooLate : when z > TIMEOUT;
}

system Candidate, Stopwatch;

query \"the election may be too slow\" E<> Stopwatch.TooLate;
query \"at most one leader\" A[] 1 >= sum (i : Id) Candidate(i).Leader ? 1 : 0;
";
