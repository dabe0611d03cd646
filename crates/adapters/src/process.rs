//! A command and everything it started: one process group, which ends with us.
//!
//! The shell that runs the command leads a new process group. Ending the system ends the group. The leader
//! is looked at without being reaped until then: while it is a zombie, no other group can have its number.
//! A descendant that left the group and lost its parents is found if this process [adopts](adopt_orphans)
//! it: such a child has the mark of its system in its environment.

use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, kill_process_group, waitid,
    waitpid,
};

use crate::fault::{Fault, FaultKind};

/// A running command.
pub(super) struct Process {
    child: Child,
    /// What its environment has, and that of everything it starts.
    mark: String,
    ended: bool,
}

/// The variable of the environment that says which system a process belongs to.
const MARK: &str = "TIOGA_SYSTEM";

/// Numbers the systems of this process.
static STARTED: AtomicU64 = AtomicU64::new(0);

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
        let mark = format!("{}.{}", std::process::id(), STARTED.fetch_add(1, Ordering::Relaxed));
        shell.arg("-c").arg(command).process_group(0).env(MARK, &mark);
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
        Ok((Self { child, mark, ended: false }, pipes))
    }

    /// The command itself.
    pub fn leader(&self) -> Pid {
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

    /// Ends the whole group and what left it, and waits until its leader is gone.
    pub fn end(&mut self) {
        if !self.ended {
            self.ended = true;
            // Neither can fail in a way that matters: a group that is gone is what we want.
            let _ = kill_process_group(self.leader(), Signal::KILL);
            let _ = self.child.wait();
            let mark = format!("{MARK}={}", self.mark);
            end_children(&|child| is_marked(child, &mark));
        }
    }
}

/// A process that should have ended and did not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survivor {
    /// Its number.
    pub process: u32,
    /// What it is called.
    pub name: String,
}

/// Makes this process the parent of descendants whose parents end, so that they can be ended with the
/// system they belong to. Whether the operating system can do that: only Linux can.
pub fn adopt_orphans() -> bool {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    return rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok();
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    false
}

/// Ends all children of this process and, if it [adopts orphans](adopt_orphans), all their descendants.
/// Returns those that could not be ended, such as processes of another user.
pub fn end_descendants() -> Vec<Survivor> {
    end_children(&|_| true)
}

/// Kills all children of this process with the groups they lead, and leaves it to those that started them to
/// see them end.
pub fn kill_children() {
    children().into_iter().filter_map(number).for_each(kill);
}

/// Kills a process and the group that it leads, if it does.
fn kill(process: Pid) {
    let _ = kill_process_group(process, Signal::KILL);
    let _ = kill_process(process, Signal::KILL);
}

fn number(process: u32) -> Option<Pid> {
    i32::try_from(process).ok().and_then(Pid::from_raw)
}

/// How long processes that were killed may take to disappear.
const DISAPPEARING: Duration = Duration::from_millis(500);

/// Ends the children that are meant, and their descendants as they become children.
fn end_children(meant: &dyn Fn(u32) -> bool) -> Vec<Survivor> {
    let deadline = Instant::now() + DISAPPEARING;
    loop {
        let mut left = Vec::new();
        for child in children().into_iter().filter(|child| meant(*child)) {
            let Some(process) = number(child) else { continue };
            kill(process);
            let ended = waitpid(Some(process), WaitOptions::NOHANG);
            if matches!(ended, Ok(None)) {
                let name = std::fs::read_to_string(format!("/proc/{child}/comm"));
                let name = name.unwrap_or_default().trim_end().to_owned();
                left.push(Survivor { process: child, name });
            }
        }
        if left.is_empty() || Instant::now() >= deadline {
            return left;
        }
        sleep(GLANCE);
    }
}

/// The children of this process, where the operating system tells.
fn children() -> Vec<u32> {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let numbers = |list: String| {
        list.split_whitespace().filter_map(|number| number.parse().ok()).collect::<Vec<u32>>()
    };
    lists.flat_map(numbers).collect()
}

/// Whether the environment of a process has an entry.
fn is_marked(process: u32, mark: &str) -> bool {
    let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|entry| entry == mark.as_bytes())
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}
