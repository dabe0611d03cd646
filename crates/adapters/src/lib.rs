//! Systems: what a system is to the tester, and how processes, sockets and models become one.
//!
//! A [`System`] takes inputs, waits for outputs and keeps the time, because that is where time comes
//! from: with *virtual* time the system moves when it is told to, and everything is exact; with *real*
//! time the clock of the machine runs, and what happened when is known within bounds (a
//! [`Moment`](tioga_base::Moment)). What a system does wrong is a [`Fault`], and when the host held it or
//! the tester up is a [`SchedulingDelay`]. [`ModelSystem`] makes a system of a model.
//!
//! [`Protocol::connect`] reaches the systems outside. Below it, a `Channel` moves bytes with deadlines,
//! a `Process` is a command with everything it started, a `Peer` is both together and says what is
//! wrong when they end, and one file for each protocol makes a system of a peer. No thread reads ahead:
//! while the tester does not listen, what the system says stays in the pipe, so memory is bounded
//! whatever the system does; the virtual clock of TRON alone has threads, which do one thing after the
//! other for each connection. With real time, a `Watch` notices the scheduling delays of tester and
//! system.
//!
//! Process groups and `poll` are of Unix; elsewhere every system outside is unreachable.

mod alphabet;
#[cfg(unix)]
mod channel;
#[cfg(unix)]
mod clock_server;
mod connect;
#[cfg(unix)]
mod ecdar;
mod fault;
#[cfg(unix)]
mod heartbeat;
#[cfg(unix)]
mod json_lines;
#[cfg(unix)]
mod json_message;
mod limits;
mod model_system;
mod own_moves;
#[cfg(unix)]
mod peer;
#[cfg(unix)]
mod process;
mod protocol;
#[cfg(unix)]
mod real_clock;
#[cfg(unix)]
mod run_queue;
mod scheduling_delay;
mod system;
mod system_ref;
#[cfg(unix)]
mod torx;
#[cfg(unix)]
mod tron;
#[cfg(unix)]
mod tron_line;
#[cfg(unix)]
mod tron_virtual;
mod turns;
#[cfg(unix)]
mod virtual_clock;
#[cfg(unix)]
mod watch;

pub use alphabet::{Alphabet, Carried};
pub use fault::{Fault, FaultKind};
pub use limits::AdapterLimits;
pub use model_system::{ModelSystem, Policy, TakenStep};
pub use own_moves::WithoutOwnMoves;
#[cfg(unix)]
pub use process::{Survivor, adopt_orphans, end_descendants, kill_children};
pub use protocol::{Protocol, TimeBase};
pub use scheduling_delay::{LongestDelays, SchedulingDelay, SchedulingDelays};
pub use system::{Heard, Ignored, System};
pub use system_ref::SystemRef;
pub use turns::Turns;
