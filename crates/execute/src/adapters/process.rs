//! A command and everything it started: one process group, which ends with us.
//!
//! The shell that runs the command leads a new process group. Ending the system ends the group, so no
//! descendant survives unless it left the group on purpose. The leader is looked at without being
//! reaped until then: while it is a zombie, no other group can have its number.

use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::fault::{Fault, FaultKind};

/// A running command.
pub(super) struct Process {
    child: Child,
    ended: bool,
}

/// The ends of its pipes.
pub(super) struct Pipes {
    pub input: OwnedFd,
    pub output: OwnedFd,
    pub errors: OwnedFd,
}

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    Status(i32),
    Signal(i32),
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Status(status) => write!(f, "exit status {status}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// How often a process that should end is looked at.
const GLANCE: Duration = Duration::from_millis(2);

impl Process {
    /// Starts a command in a shell, with these variables in its environment.
    pub fn start(command: &str, environment: &[(&str, String)]) -> Result<(Self, Pipes), Fault> {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(command).process_group(0);
        shell.envs(environment.iter().map(|(name, value)| (*name, value)));
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let unreachable = |error: std::io::Error| {
            Fault::new(FaultKind::Unreachable, format!("`{command}` cannot be started: {error}"))
        };
        let mut child = shell.spawn().map_err(unreachable)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            unreachable!("the pipes were asked for");
        };
        let pipes = Pipes { input: input.into(), output: output.into(), errors: errors.into() };
        Ok((Self { child, ended: false }, pipes))
    }

    fn leader(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// The number of its process group, which is that of the leader.
    pub fn group(&self) -> u32 {
        self.child.id()
    }

    /// How the command ended, if it did.
    pub fn exit(&self) -> Option<Exit> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.leader()), options).ok()??;
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Some(Exit::Status(code)),
            (None, Some(signal)) => Some(Exit::Signal(signal)),
            (None, None) => None,
        }
    }

    /// How the command ended, if it does before the deadline.
    pub fn exit_before(&self, deadline: Instant) -> Option<Exit> {
        loop {
            let exit = self.exit();
            if exit.is_some() || Instant::now() >= deadline {
                return exit;
            }
            sleep(GLANCE);
        }
    }

    /// Ends the whole group and waits until its leader is gone.
    pub fn end(&mut self) {
        if !self.ended {
            self.ended = true;
            // Neither can fail in a way that matters: a group that is gone is what we want.
            let _ = kill_process_group(self.leader(), Signal::KILL);
            let _ = self.child.wait();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}
