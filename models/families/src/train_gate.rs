//! The train gate: trains share a bridge, and a controller stops those that come too soon.
//!
//! The controller keeps the waiting trains in a ring buffer of N places.

use clap::{Args, value_parser};

use crate::text::{fill, repeat};

/// A bridge for one train at a time, and N trains.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct TrainGate {
    /// Number of trains, at least 2
    #[arg(value_name = "N", value_parser = value_parser!(u32).range(2..=1000))]
    pub trains: u32,
}

impl TrainGate {
    /// The model for TChecker.
    pub fn tck(&self) -> String {
        let n = self.trains;
        fill(TCK_HEAD, &[("n", &n)])
            + &repeat("event:go$i\nevent:appr$i\nevent:leave$i\nevent:stop$i\n", n, &[])
            + &fill(TCK_GATE, &[("n", &n), ("last", &n.saturating_sub(1))])
            + &repeat(TCK_GATE_EDGES, n, &[("n", &n)])
            + &repeat(TCK_TRAIN, n, &[])
    }

    /// The model in Tioga's own language.
    pub fn tioga(&self) -> String {
        fill(TIOGA, &[("n", &self.trains)])
    }
}

const TCK_HEAD: &str = "\
# $n trains that share a bridge.
system:train_gate_$n

event:tau
event:go
event:appr
event:leave
event:stop
";

const TCK_GATE: &str = "
process:Gate
int:$n:1:$n:1:buffer
int:1:0:$last:0:head
int:1:0:$n:0:length
location:Gate:Free{initial:}
location:Gate:Occ{}
location:Gate:Transient{committed:}
";

const TCK_GATE_EDGES: &str = "\
edge:Gate:Free:Occ:go$i{provided:length>0&&buffer[head]==$i}
edge:Gate:Free:Occ:appr$i{provided:length==0 : do:buffer[(head+length)%$n]=$i;length=length+1}
edge:Gate:Occ:Transient:appr$i{do:buffer[(head+length)%$n]=$i;length=length+1}
edge:Gate:Occ:Free:leave$i{provided:length>0&&buffer[head]==$i : do:head=(head+1)%$n;length=length-1}
edge:Gate:Transient:Occ:stop$i{provided:length>0&&buffer[(head+length-1)%$n]==$i}
";

const TCK_TRAIN: &str = "
process:Train$i
clock:1:x$i
location:Train$i:Safe{initial:}
location:Train$i:Appr{invariant:x$i<=20}
location:Train$i:Stop{}
location:Train$i:Start{invariant:x$i<=15}
location:Train$i:Cross{invariant:x$i<=5 : labels:cross$i}
edge:Train$i:Safe:Appr:appr{do:x$i=0}
edge:Train$i:Appr:Cross:tau{provided:x$i>=10 : do:x$i=0}
edge:Train$i:Appr:Stop:stop{provided:x$i<=10}
edge:Train$i:Stop:Start:go{do:x$i=0}
edge:Train$i:Start:Cross:tau{provided:x$i>=7 : do:x$i=0}
edge:Train$i:Cross:Safe:leave{provided:x$i>=3}
sync:Train$i@appr:Gate@appr$i
sync:Train$i@stop:Gate@stop$i
sync:Train$i@go:Gate@go$i
sync:Train$i@leave:Gate@leave$i
";

const TIOGA: &str = "\
// The train gate. One train at a time may cross the bridge. A train that approaches while the
// bridge is taken is stopped, as long as it can still brake, and sent on in order of arrival.
model train_gate;

const int N = $n;

typedef int[0, N - 1] Id;

chan approach[N], stop[N], go[N], leave[N];

automaton Gate {
  Id queue[N]; // a ring: the trains that were let in or have to wait, in order of arrival
  Id head;
  int[0, N] length;

  void arrive(Id train) {
    queue[(head + length) % N] = train;
    length++;
  }

  void depart() {
    head = (head + 1) % N;
    length--;
  }

  init location Free;
  location Occupied;
  committed location Stopping;

  Free -> Occupied : go[i]! for i : Id when length > 0 && queue[head] == i;
  Free -> Occupied : approach[i]? for i : Id when length == 0 do arrive(i);
  Occupied -> Stopping : approach[i]? for i : Id do arrive(i);
  Occupied -> Free : leave[i]? for i : Id when length > 0 && queue[head] == i do depart();
  Stopping -> Occupied : stop[i]! for i : Id when length > 0 && queue[(head + length - 1) % N] == i;
}

automaton Train(const Id id) {
  clock x; // since the last move

  init location Away;
  location Near invariant x <= 20; // can brake for the first 10
  location Halted;
  location Starting invariant x <= 15;
  location Crossing invariant x <= 5 labels crossing;

  Away -> Near : approach[id]! do x = 0;
  Near -> Crossing : when x >= 10 do x = 0;
  Near -> Halted : stop[id]? when x <= 10;
  Halted -> Starting : go[id]? do x = 0;
  Starting -> Crossing : when x >= 7 do x = 0;
  Crossing -> Away : leave[id]! when x >= 3;
}

system Gate, Train;

query \"one at a time\"
    A[] forall (i : Id) forall (j : Id) Train(i).Crossing && Train(j).Crossing imply i == j;
";
