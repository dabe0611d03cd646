//! FDDI: a token ring in which every station may send urgent data on each visit of the token, and
//! other data only while the token is early.
//!
//! Each station keeps the time since the token came (`trt`) and, in two clocks used in turn, the
//! time since the visit before, which bounds how long it may keep the token.

use clap::{Args, value_parser};

use crate::text::{fill, repeat};

/// A token ring of N stations.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct Fddi {
    /// Number of stations
    #[arg(value_name = "N", value_parser = value_parser!(u32).range(1..=1000))]
    pub stations: u32,
    /// Target time of a rotation of the token [default: 50 for each station]
    #[arg(value_name = "TTRT", value_parser = value_parser!(u32).range(0..=1_000_000))]
    pub rotation: Option<u32>,
    /// Time a station sends urgent data on each visit
    #[arg(value_name = "SA", default_value_t = 20, value_parser = value_parser!(u32).range(0..=1_000_000))]
    pub allocation: u32,
    /// Time the token takes from one station to the next
    #[arg(value_name = "TD", default_value_t = 0, value_parser = value_parser!(u32).range(0..=1_000_000))]
    pub delay: u32,
}

impl Fddi {
    fn target(&self) -> u64 {
        self.rotation.map_or(50 * u64::from(self.stations), u64::from)
    }

    /// The model for TChecker.
    pub fn tck(&self) -> String {
        let (n, target, sa, td) = (self.stations, self.target(), self.allocation, self.delay);
        let most = target + u64::from(sa);
        let mut text = fill(TCK_HEAD, &[("n", &n), ("target", &target), ("sa", &sa), ("td", &td)])
            + &repeat("event:TT$i\nevent:RT$i\n", n, &[])
            + &repeat(TCK_STATION, n, &[("target", &target), ("sa", &sa), ("most", &most)])
            + "\nprocess:R\nclock:1:t\n";
        for i in 1..=n {
            let initial = if i == 1 { "initial: : " } else { "" };
            let attributes = format!("{initial}invariant:t<={td}");
            text += &fill(TCK_RING_LOCATIONS, &[("i", &i), ("attributes", &attributes)]);
        }
        for i in 1..=n {
            text += &fill(TCK_RING_EDGES, &[("i", &i), ("next", &(i % n + 1)), ("td", &td)]);
        }
        text + "\n" + &repeat(TCK_SYNC, n, &[])
    }

    /// The model in Tioga's own language.
    pub fn tioga(&self) -> String {
        let values: [(&str, &dyn std::fmt::Display); 4] = [
            ("n", &self.stations),
            ("target", &self.target()),
            ("sa", &self.allocation),
            ("td", &self.delay),
        ];
        fill(TIOGA, &values)
    }
}

const TCK_HEAD: &str = "\
# A token ring of $n stations: rotation $target, urgent data $sa, from station to station $td.
system:fddi_$n_$target_$sa_$td

event:tau
event:TT
event:RT
";

const TCK_STATION: &str = "
process:P$i
clock:1:trt$i
clock:1:xA$i
clock:1:xB$i
location:P$i:q0{initial:}
location:P$i:q1{invariant:trt$i<=$sa}
location:P$i:q2{invariant:trt$i<=$sa}
location:P$i:q3{invariant:xA$i<=$most}
location:P$i:q4{}
location:P$i:q5{invariant:trt$i<=$sa}
location:P$i:q6{invariant:trt$i<=$sa}
location:P$i:q7{invariant:xB$i<=$most}
edge:P$i:q0:q1:TT{provided:trt$i>=$target : do:trt$i=0;xB$i=0}
edge:P$i:q0:q2:TT{provided:trt$i<$target : do:trt$i=0;xB$i=0}
edge:P$i:q1:q4:RT{provided:trt$i==$sa}
edge:P$i:q2:q3:tau{provided:trt$i==$sa}
edge:P$i:q3:q4:RT{}
edge:P$i:q4:q5:TT{provided:trt$i>=$target : do:trt$i=0;xA$i=0}
edge:P$i:q4:q6:TT{provided:trt$i<$target : do:trt$i=0;xA$i=0}
edge:P$i:q5:q0:RT{provided:trt$i==$sa}
edge:P$i:q6:q7:tau{provided:trt$i==$sa}
edge:P$i:q7:q0:RT{}
";

const TCK_RING_LOCATIONS: &str = "\
location:R:q$i{$attributes}
location:R:r$i{}
";

const TCK_RING_EDGES: &str = "\
edge:R:q$i:r$i:TT$i{provided:t==$td}
edge:R:r$i:q$next:RT$i{do:t=0}
";

const TCK_SYNC: &str = "\
sync:P$i@TT:R@TT$i
sync:P$i@RT:R@RT$i
";

const TIOGA: &str = "\
// FDDI. A token goes round a ring of stations. The station that holds it first sends its urgent
// data; if the token came early, other data may follow until the rotation is due.
model fddi;

const int N = $n;
const int TTRT = $target; // target time of a rotation
const int SA = $sa; // time for urgent data on each visit
const int TD = $td; // time from one station to the next

typedef int[0, N - 1] Id;

chan take[N], release[N];

automaton Ring {
  clock t; // since the token was released
  Id turn; // the station the token comes to, or is at

  init location Moving invariant t <= TD;
  location Held;

  Moving -> Held : take[i]! for i : Id when i == turn && t == TD;
  Held -> Moving : release[i]? for i : Id when i == turn do turn = (turn + 1) % N, t = 0;
}

// Visits of the token alternate between A and B; each starts a clock of its own, which the next
// visit still needs.
automaton Station(const Id id) {
  clock rotation; // since the token came
  clock a, b; // since the last visit of that kind began

  init location AwayA;
  location LateA, EarlyA invariant rotation <= SA;
  location OtherA invariant b <= TTRT + SA;
  location AwayB;
  location LateB, EarlyB invariant rotation <= SA;
  location OtherB invariant a <= TTRT + SA;

  AwayA -> LateA : take[id]? when rotation >= TTRT do rotation = 0, a = 0;
  AwayA -> EarlyA : take[id]? when rotation < TTRT do rotation = 0, a = 0;
  LateA -> AwayB : release[id]! when rotation == SA;
  EarlyA -> OtherA : when rotation == SA;
  OtherA -> AwayB : release[id]!;

  AwayB -> LateB : take[id]? when rotation >= TTRT do rotation = 0, b = 0;
  AwayB -> EarlyB : take[id]? when rotation < TTRT do rotation = 0, b = 0;
  LateB -> AwayA : release[id]! when rotation == SA;
  EarlyB -> OtherB : when rotation == SA;
  OtherB -> AwayA : release[id]!;
}

system Station, Ring;

query \"one station has the token\"
    A[] Ring.Held == exists (i : Id) !Station(i).AwayA && !Station(i).AwayB;
";
