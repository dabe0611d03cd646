//! Connections to systems outside: processes, sockets, and the languages spoken over them.
//!
//! [`connect()`] is the way in. Below it, a [`Channel`](channel::Channel) moves bytes with deadlines, a
//! [`Process`](process::Process) is a command with everything it started, a [`Peer`](peer::Peer) is
//! both together and says what is wrong when they end, and one file for each protocol makes a
//! [`System`](crate::System) of a peer. No thread reads ahead: while the tester does not listen, what
//! the system says stays in the pipe, so memory is bounded whatever the system does; the virtual clock
//! of TRON alone has threads, which do one thing after the other for each connection. With real time, a
//! [`Watch`](watch::Watch) tells when the machine let tester or system wait.
//!
//! Process groups and `poll` are of Unix; elsewhere every system outside is unreachable.

#[cfg(unix)]
mod channel;
#[cfg(unix)]
mod clock_server;
mod connect;
#[cfg(unix)]
mod ecdar;
#[cfg(unix)]
mod heartbeat;
#[cfg(unix)]
mod json_lines;
#[cfg(unix)]
mod json_message;
mod limits;
#[cfg(unix)]
mod peer;
#[cfg(unix)]
mod process;
#[cfg(unix)]
mod real_clock;
#[cfg(unix)]
mod run_queue;
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

pub use connect::connect;
pub use limits::AdapterLimits;
