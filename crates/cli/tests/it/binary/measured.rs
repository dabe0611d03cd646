//! Running the binary while looking at how much processor time and memory it takes, or counting the bytes that it
//! allocates. They are the same on a machine with much else to do, unlike the time by the clock.

use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::{Folder, Run, TIOGA};

/// A run of the binary with what it took.
#[derive(Debug)]
pub struct Measured {
    /// How it ended; the code is -1 after a signal.
    pub run: Run,
    /// How long processors worked for it.
    pub worked: Duration,
    /// The most memory it had while it was looked at, in bytes.
    pub peak: u64,
}

/// A binary that runs.
pub struct Running<'f> {
    child: Child,
    folder: &'f Folder,
    peak: u64,
}

/// No command of these tests needs more than this; one that does is ended.
const FAR_TOO_LONG: Duration = Duration::from_secs(60);

impl Folder {
    /// Starts `tioga` in the folder; `limit` is a command of the shell that sets limits first.
    pub fn start(&self, limit: &str, arguments: &[&str]) -> Running<'_> {
        let file = |name: &str| File::create(self.0.join(name)).unwrap();
        let script = format!("{limit} exec \"$0\" \"$@\"");
        let child = Command::new("sh")
            .args(["-c", &script, TIOGA])
            .args(arguments)
            .current_dir(&self.0)
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(file("stdout"))
            .stderr(file("stderr"))
            .spawn()
            .unwrap();
        Running { child, folder: self, peak: 0 }
    }

    /// Runs `tioga` in the folder to its end.
    pub fn measured(&self, arguments: &[&str]) -> Measured {
        self.start("", arguments).finish()
    }

    /// Runs `tioga` in the folder to its end, with the most bytes that it had allocated at a time, where they can be
    /// counted. Scheduling decides about that number unless one thread does the work.
    pub fn allocated(&self, arguments: &[&str]) -> Option<(Run, u64)> {
        let mut command = Command::new(TIOGA);
        command.args(arguments).current_dir(&self.0).env("NO_COLOR", "1");
        tioga_testkit::run_counting(&mut command, b"")
    }
}

impl Running<'_> {
    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How long processors have worked for it, and whether it has ended.
    pub fn worked(&mut self) -> (Duration, bool) {
        let read = |name: &str| {
            std::fs::read_to_string(format!("/proc/{}/{name}", self.child.id())).unwrap_or_default()
        };
        let status = read("status");
        let field =
            |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        // Before it is the binary, it is a copy of this process with all its memory, then the shell.
        if field("Name:") == Some("tioga")
            && let Some(kib) = field("VmHWM:").and_then(|size| size.strip_suffix(" kB"))
        {
            self.peak = kib.parse::<u64>().unwrap() * 1024;
        }
        // What has ended and was not waited for is still there, with what it took.
        let stat = read("stat");
        let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
        let ticks = |position: usize| fields[position].parse::<u64>().unwrap();
        (Duration::from_millis((ticks(11) + ticks(12)) * 10), fields[0] == "Z")
    }

    /// Waits until processors have worked for it for so long, or it has ended.
    pub fn work(&mut self, enough: Duration) {
        tioga_testkit::wait_for("the work of a command", || {
            let (worked, ended) = self.worked();
            (worked >= enough || ended).then_some(())
        });
    }

    /// Waits for its end.
    pub fn finish(mut self) -> Measured {
        let worked = tioga_testkit::wait_for("the end of a command", || {
            let (worked, ended) = self.worked();
            if worked > FAR_TOO_LONG {
                self.child.kill().unwrap();
            }
            ended.then_some(worked)
        });
        let code = self.child.wait().unwrap().code().unwrap_or(-1);
        let (out, err) = (self.folder.read("stdout"), self.folder.read("stderr"));
        Measured { run: Run { code, out, err }, worked, peak: self.peak }
    }
}
