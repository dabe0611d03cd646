//! Systems: what a system is to the tester, and how processes, sockets and models become one.
//!
//! A [`System`](system::System) takes inputs, waits for outputs and keeps the time; what it does wrong
//! is a [`Fault`](fault::Fault), and when the host held it or the tester up is a
//! [`SchedulingDelay`](scheduling_delay::SchedulingDelay). [`ModelSystem`](model_system::ModelSystem)
//! makes a system of a model.
//!
//! [`Protocol::connect`](protocol::Protocol::connect) reaches the systems outside. Below it, a
//! [`Channel`](channel::Channel) moves bytes with deadlines, a [`Process`](process::Process) is a
//! command with everything it started, a [`Peer`](peer::Peer) is both together and says what is wrong
//! when they end, and one file for each protocol makes a system of a peer. No thread reads ahead: while
//! the tester does not listen, what the system says stays in the pipe, so memory is bounded whatever
//! the system does; the virtual clock of TRON alone has threads, which do one thing after the other for
//! each connection. With real time, a [`Watch`](watch::Watch) notices the scheduling delays of tester
//! and system.
//!
//! Process groups and `poll` are of Unix; elsewhere every system outside is unreachable.

pub(crate) mod alphabet;
#[cfg(unix)]
mod channel;
#[cfg(unix)]
mod clock_server;
mod connect;
#[cfg(unix)]
mod ecdar;
pub(crate) mod fault;
#[cfg(unix)]
mod heartbeat;
#[cfg(unix)]
mod json_lines;
#[cfg(unix)]
mod json_message;
pub(crate) mod limits;
pub(crate) mod model_system;
pub(crate) mod own_moves;
#[cfg(unix)]
mod peer;
#[cfg(unix)]
pub(crate) mod process;
pub(crate) mod protocol;
#[cfg(unix)]
mod real_clock;
#[cfg(unix)]
mod run_queue;
pub(crate) mod scheduling_delay;
pub(crate) mod system;
pub(crate) mod system_ref;
#[cfg(unix)]
mod torx;
#[cfg(unix)]
mod tron;
#[cfg(unix)]
mod tron_line;
#[cfg(unix)]
mod tron_virtual;
pub(crate) mod turns;
#[cfg(unix)]
mod virtual_clock;
#[cfg(unix)]
mod watch;
