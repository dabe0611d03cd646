//! Systems under test for the tester: processes, sockets and models.
//!
//! A [`System`] takes inputs, waits for outputs and keeps the time. With *virtual* time the tester tells
//! it how much time passes, and everything is exact. With *real* time the clock of the machine runs, and
//! moments are known within bounds (a [`Moment`](tioga_base::Moment)). A [`Fault`] is a misbehaviour of
//! the system; a [`SchedulingDelay`] is a time in which the host delayed it or the tester.
//! [`ModelSystem`] makes a system of a model.
//!
//! [`Protocol::connect`] reaches external systems. Below it, a `Channel` moves bytes with deadlines, a
//! `Process` is a command with all its descendants, a `Peer` is both together and reports faults when
//! they end, and one file for each protocol makes a system of a peer. No thread reads ahead: while the
//! tester does not listen, messages of the system stay in the pipe, so memory is always bounded. Only
//! the virtual clock of TRON has threads, which work one after the other for each connection. With real
//! time, a `Watch` notices the scheduling delays of tester and system.
//!
//! Process groups and `poll` are features of Unix; elsewhere every external system is unreachable.

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
