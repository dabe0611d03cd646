//! Job shops: jobs are sequences of tasks, each of which needs one machine for some time.
//!
//! How many tasks a job has, and the machine and the duration of each, are drawn at random from a
//! seed. A task lasts at least its duration; whether all jobs can be done within `makespan` units
//! is a question of reachability.

use clap::{Args, value_parser};

use crate::random::Random;
use crate::text::{fill, repeat};

/// Scheduling of jobs whose tasks need machines.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct JobShop {
    /// Number of machines
    #[arg(value_name = "MACHINES", value_parser = value_parser!(u32).range(1..=1000))]
    pub machines: u32,
    /// Number of jobs; each has one task or more, up to one less than there are machines
    #[arg(value_name = "JOBS", value_parser = value_parser!(u32).range(1..=1000))]
    pub jobs: u32,
    /// Longest duration of a task
    #[arg(value_name = "DURATION", value_parser = value_parser!(u32).range(1..=32768))]
    pub duration: u32,
    /// Time within which everything should be done
    #[arg(value_name = "MAKESPAN", value_parser = value_parser!(u32).range(0..=1_000_000))]
    pub makespan: u32,
    /// Seed of the random choices
    #[arg(value_name = "SEED", default_value_t = 1, value_parser = value_parser!(u32).range(0..=0x7fff_fffe))]
    pub seed: u32,
}

/// A task: the machine it needs, counted from 1, and for how long.
struct Task {
    machine: u32,
    duration: u32,
}

impl JobShop {
    /// The tasks of each job.
    fn drawn(&self) -> Vec<Vec<Task>> {
        let mut random = Random::new(self.seed);
        let mut jobs = Vec::new();
        for _ in 0..self.jobs {
            let count = random.below(self.machines).max(1);
            let mut tasks = Vec::new();
            for _ in 0..count {
                let machine = random.below(self.machines) + 1;
                let duration = random.below(self.duration) + 1;
                tasks.push(Task { machine, duration });
            }
            jobs.push(tasks);
        }
        jobs
    }

    /// The model for TChecker.
    pub fn tck(&self) -> String {
        let (machines, jobs, makespan) = (self.machines, self.jobs, self.makespan);
        let mut text = fill(
            TCK_HEAD,
            &[("m", &machines), ("j", &jobs), ("d", &self.duration), ("makespan", &makespan)],
        );
        text += &repeat("event:get$i\nevent:rel$i\n", machines, &[]);
        text += &repeat("event:done$i\n", jobs, &[]);
        text += &repeat(TCK_MACHINE, machines, &[]);
        for (job, tasks) in (1..).zip(self.drawn()) {
            text += &tck_job(job, &tasks);
        }
        let others = jobs.saturating_sub(1);
        text +=
            &fill(TCK_CONTROLLER, &[("j", &jobs), ("others", &others), ("makespan", &makespan)]);
        for job in 1..=jobs {
            text += &fill("sync:J$j@done$j:C@count\n", &[("j", &job)]);
            text += &repeat(TCK_SYNC, machines, &[("j", &job)]);
        }
        text
    }

    /// The model in Tioga's own language.
    pub fn tioga(&self) -> String {
        let jobs = self.drawn();
        let most = jobs.iter().map(Vec::len).max().unwrap_or(0);
        let counts: Vec<String> = jobs.iter().map(|tasks| tasks.len().to_string()).collect();
        // Rows are filled up to a common length; what is filled in is never read.
        let table = |value: &dyn Fn(&Task) -> u32, filling: u32| {
            let row = |tasks: &Vec<Task>| {
                let mut values: Vec<u32> = tasks.iter().map(value).collect();
                values.resize(most, filling);
                let values: Vec<String> = values.iter().map(u32::to_string).collect();
                format!("{{ {} }}", values.join(", "))
            };
            jobs.iter().map(row).collect::<Vec<_>>().join(",\n  ")
        };
        let machine = table(&|task| task.machine - 1, 0);
        let duration = table(&|task| task.duration, 0);
        let counts = counts.join(", ");
        let values: [(&str, &dyn std::fmt::Display); 8] = [
            ("m", &self.machines),
            ("j", &self.jobs),
            ("d", &self.duration),
            ("most", &most),
            ("makespan", &self.makespan),
            ("counts", &counts),
            ("machine", &machine),
            ("duration", &duration),
        ];
        fill(TIOGA, &values)
    }
}

fn tck_job(job: u32, tasks: &[Task]) -> String {
    let last = tasks.len() + 1;
    let mut text = fill(TCK_JOB, &[("j", &job), ("last", &last)]);
    for step in 2..last {
        text += &fill("location:J$j:i$t\nlocation:J$j:w$t\n", &[("j", &job), ("t", &step)]);
    }
    for (step, task) in (1_usize..).zip(tasks) {
        let values: [(&str, &dyn std::fmt::Display); 5] = [
            ("j", &job),
            ("t", &step),
            ("next", &(step + 1)),
            ("m", &task.machine),
            ("d", &task.duration),
        ];
        text += &fill(TCK_TASK, &values);
    }
    text + &fill("edge:J$j:i$last:done:done$j\n", &[("j", &job), ("last", &last)])
}

const TCK_HEAD: &str = "\
# $j jobs on $m machines, tasks of at most $d, to be done within $makespan.
system:job_shop_$m_$j_$d_$makespan

event:tau
event:count
";

const TCK_MACHINE: &str = "
process:M$i
location:M$i:idle{initial:}
location:M$i:busy
edge:M$i:idle:busy:get$i
edge:M$i:busy:idle:rel$i
";

const TCK_JOB: &str = "
process:J$j
clock:1:x$j
location:J$j:i1{initial:}
location:J$j:w1
location:J$j:i$last{committed:}
location:J$j:done
";

const TCK_TASK: &str = "\
edge:J$j:i$t:w$t:get$m{do:x$j=0}
edge:J$j:w$t:i$next:rel$m{provided:x$j>=$d}
";

const TCK_CONTROLLER: &str = "
process:C
clock:1:z
int:1:0:$j:0:n
location:C:idle{initial:}
location:C:done{labels:scheduled}
edge:C:idle:idle:count{do:n=n+1}
edge:C:idle:done:count{provided:n==$others&&z<=$makespan : do:n=n+1}

";

const TCK_SYNC: &str = "\
sync:J$j@get$i:M$i@get$i
sync:J$j@rel$i:M$i@rel$i
";

const TIOGA: &str = "\
// A job shop. Each job is a sequence of tasks; a task takes a machine, keeps it for at least its
// duration and gives it back. The question is whether all jobs can be done in time.
model job_shop;

const int MACHINES = $m;
const int JOBS = $j;
const int TASKS = $most; // the most tasks a job has
const int MAKESPAN = $makespan; // everything should be done by then

typedef int[0, MACHINES - 1] Machine_id;
typedef int[0, JOBS - 1] Job_id;
typedef int[0, TASKS - 1] Step;

const int[1, TASKS] tasks[JOBS] = { $counts };
const Machine_id machine[JOBS][TASKS] = {
  $machine
};
const int[0, $d] duration[JOBS][TASKS] = {
  $duration
};

chan take[MACHINES], release[MACHINES];
chan done;

automaton Machine(const Machine_id id) {
  init location Idle;
  location Busy;

  Idle -> Busy : take[id]?;
  Busy -> Idle : release[id]?;
}

automaton Job(const Job_id id) {
  clock x; // since the task began
  Step step; // the task that runs, or is the next to run

  init location Ready;
  location Working;
  committed location Finishing;
  location Done;

  Ready -> Working : take[machine[id][s]]! for s : Step when s == step do x = 0;
  Working -> Ready : release[machine[id][s]]! for s : Step
    when s == step && x >= duration[id][s] && s + 1 < tasks[id] do step++;
  Working -> Finishing : release[machine[id][s]]! for s : Step
    when s == step && x >= duration[id][s] && s + 1 == tasks[id];
  Finishing -> Done : done!;
}

automaton Controller {
  clock z; // since the start
  int[0, JOBS] finished;

  init location Watching;
  location Scheduled labels scheduled;

  Watching -> self : done? do finished++;
  Watching -> Scheduled : done? when finished == JOBS - 1 && z <= MAKESPAN do finished++;
}

system Machine, Job, Controller;

query \"there is a schedule\" E<> Controller.Scheduled;
";
