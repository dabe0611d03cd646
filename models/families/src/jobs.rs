//! Jobs of uncertain duration on one machine, as a game with a deadline.
//!
//! Job i of 1 … n lasts between 1 + (i mod 3) and 3 + (2 i mod 5) units; when it ends within these
//! limits is not the controller's choice. The controller only starts jobs, in any order. All are to
//! be done within the sum of the longest durations plus a slack. The best the controller can do is
//! never to let the machine rest, and the worst that can happen is that every job takes its longest:
//! the game is won if and only if the slack is not negative. With help, the sum of the shortest
//! durations is enough.

use clap::{Args, value_parser};

use crate::text::fill;

/// N jobs on one machine, to be done in time.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct Jobs {
    /// Number of jobs
    #[arg(value_name = "N", value_parser = value_parser!(u32).range(1..=1000))]
    pub jobs: u32,
    /// Time beyond the sum of the longest durations; may be negative
    #[arg(value_name = "SLACK", default_value_t = 0, allow_negative_numbers = true, value_parser = value_parser!(i32).range(-1_000_000..=1_000_000))]
    pub slack: i32,
}

impl Jobs {
    /// The shortest and the longest time all jobs can take, one after the other.
    pub fn durations(&self) -> (u32, u32) {
        let shortest = (1..=self.jobs).map(|job| 1 + job % 3).sum();
        let longest = (1..=self.jobs).map(|job| 3 + 2 * job % 5).sum();
        (shortest, longest)
    }

    /// The model in Tioga's own language.
    pub fn tioga(&self) -> String {
        let (shortest, longest) = self.durations();
        let limit = i64::from(longest) + i64::from(self.slack);
        let answer = |holds| if holds { "holds" } else { "fails" };
        let forced = answer(self.slack >= 0);
        let helped = answer(limit >= i64::from(shortest));
        let values: [(&str, &dyn std::fmt::Display); 6] = [
            ("n", &self.jobs),
            ("limit", &limit),
            ("longest", &longest),
            ("shortest", &shortest),
            ("forced", &forced),
            ("helped", &helped),
        ];
        fill(TIOGA, &values)
    }
}

const TIOGA: &str = "\
// Jobs on one machine, as a game. The controller starts a job whenever the machine is free; when
// the job ends within its limits is not the controller's choice. All jobs are to be done by D.
model jobs;

const int N = $n;
const int D = $limit; // all jobs together take $shortest at least and $longest at most

typedef int[1, N] Id;

bool busy;
clock t; // since the start
clock x; // since the machine started a job

automaton Job(const Id id) {
  const int AT_LEAST = 1 + id % 3;
  const int AT_MOST = 3 + 2 * id % 5;

  init location Waiting;
  location Running invariant x <= AT_MOST;
  location Done;

  Waiting -c-> Running : when !busy do busy = true, x = 0;
  Running -u-> Done : when x >= AT_LEAST do busy = false;
}

system Job;

query \"$forced: each job may take its longest\" control: A<> t <= D && forall (i : Id) Job(i).Done;
query \"$helped: each job may take its shortest\"
    E<> control: A<> t <= D && forall (i : Id) Job(i).Done;
query \"holds\" control: A<> forall (i : Id) Job(i).Done;
";
