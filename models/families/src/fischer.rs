//! Fischer's protocol: mutual exclusion by timing alone.
//!
//! A process that sees the lock free writes its own number within `delay` units and enters if its
//! number is still there more than `delay` units later.

use clap::{Args, value_parser};

use crate::text::{fill, repeat};

/// Fischer's mutual exclusion of N processes.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct Fischer {
    /// Number of processes
    #[arg(value_name = "N", value_parser = value_parser!(u32).range(1..=1000))]
    pub processes: u32,
    /// Longest time to write, and time to wait before looking again
    #[arg(value_name = "K", default_value_t = 10, value_parser = value_parser!(u32).range(0..=1_000_000))]
    pub delay: u32,
}

impl Fischer {
    /// The model for TChecker.
    pub fn tck(&self) -> String {
        let (n, k) = (self.processes, self.delay);
        fill(TCK_HEAD, &[("n", &n), ("k", &k)]) + &repeat(TCK_PROCESS, n, &[("k", &k)])
    }

    /// The model in Tioga's own language.
    pub fn tioga(&self) -> String {
        fill(TIOGA, &[("n", &self.processes), ("k", &self.delay)])
    }
}

const TCK_HEAD: &str = "\
# Mutual exclusion of $n processes that write within $k and wait longer than $k.
system:fischer_$n_$k

event:tau
int:1:0:$n:0:id
";

const TCK_PROCESS: &str = "
process:P$i
clock:1:x$i
location:P$i:A{initial:}
location:P$i:req{invariant:x$i<=$k}
location:P$i:wait{}
location:P$i:cs{labels:cs$i}
edge:P$i:A:req:tau{provided:id==0 : do:x$i=0}
edge:P$i:req:wait:tau{provided:x$i<=$k : do:x$i=0;id=$i}
edge:P$i:wait:req:tau{provided:id==0 : do:x$i=0}
edge:P$i:wait:cs:tau{provided:x$i>$k&&id==$i}
edge:P$i:cs:A:tau{do:id=0}
";

const TIOGA: &str = "\
// Fischer's protocol. A process that sees the lock free puts its number there, waits until no
// slower process can still be writing, and enters if its number has survived.
model fischer;

const int N = $n;
const int K = $k; // longest time to write

typedef int[1, N] Pid;

int[0, N] lock; // the last process to write; 0 if free

automaton Process(const Pid id) {
  clock x; // since the last decision

  init location Idle;
  location Writing invariant x <= K;
  location Waiting;
  location Critical labels critical;

  Idle -> Writing : when lock == 0 do x = 0;
  Writing -> Waiting : when x <= K do x = 0, lock = id;
  Waiting -> Writing : when lock == 0 do x = 0;
  Waiting -> Critical : when x > K && lock == id;
  Critical -> Idle : do lock = 0;
}

system Process;

query \"mutual exclusion\"
    A[] forall (i : Pid) forall (j : Pid) Process(i).Critical && Process(j).Critical imply i == j;
";
