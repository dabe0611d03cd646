//! A solver as a process: text in, text out, never longer than a time limit.
//!
//! Two threads move the text, so that a process that neither reads nor writes cannot block the caller. They end
//! when their pipe is closed.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest answer that is read.
const LONGEST: usize = 16 << 20;

/// A running solver.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    input: Sender<String>,
    output: Receiver<Vec<u8>>,
    /// What was read and not yet answered with.
    buffer: Vec<u8>,
    asked: u64,
}

impl Process {
    /// Starts a program.
    pub(crate) fn start(program: &str, arguments: &[String]) -> Result<Self, String> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command
            .spawn()
            .map_err(|error| format!("the solver `{program}` cannot be started: {error}"))?;
        let (Some(mut stdin), Some(mut stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("the solver `{program}` has no pipes"));
        };
        let (input, texts) = channel::<String>();
        thread::spawn(move || {
            for text in texts {
                if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        // Few pieces may wait, so that a process that floods its output fills no memory.
        let (pieces, output) = sync_channel(4);
        thread::spawn(move || {
            let mut piece = vec![0; 1 << 14];
            while let Ok(length) = stdout.read(&mut piece) {
                if length == 0 || pieces.send(piece[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, input, output, buffer: Vec::new(), asked: 0 })
    }

    /// Sends commands and returns what the process writes until it has read them all.
    pub(crate) fn ask(&mut self, commands: &str, limit: Duration) -> Result<String, String> {
        let begin = Instant::now();
        self.asked += 1;
        let marker = format!("tioga-answer-{}.", self.asked);
        let text = format!("{commands}\n(echo \"{marker}\")\n");
        if self.input.send(text).is_err() {
            return Err("the solver ended".to_owned());
        }
        let mut searched = 0;
        loop {
            if let Some(end) = find(&self.buffer[searched..], marker.as_bytes()) {
                let end = searched + end;
                let answer = String::from_utf8_lossy(&self.buffer[..end]).into_owned();
                self.buffer.drain(..end + marker.len());
                // The marker may come with quotes, or without.
                let answer = answer.trim_end();
                return Ok(answer.strip_suffix('"').unwrap_or(answer).to_owned());
            }
            searched = self.buffer.len().saturating_sub(marker.len());
            if self.buffer.len() > LONGEST {
                return Err(format!("the solver answered with more than {LONGEST} bytes"));
            }
            let left = limit.saturating_sub(begin.elapsed());
            match self.output.recv_timeout(left) {
                Ok(piece) => self.buffer.extend(piece),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("the solver did not answer within {} s", Seconds(limit)));
                }
                Err(RecvTimeoutError::Disconnected) => return Err("the solver ended".to_owned()),
            }
        }
    }

    /// The number of the process.
    pub(crate) fn number(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where a marker begins.
fn find(text: &[u8], marker: &[u8]) -> Option<usize> {
    text.windows(marker.len()).position(|part| part == marker)
}

/// A duration in seconds with up to three decimals.
struct Seconds(Duration);

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let thousandths = format!("{}.{:03}", self.0.as_secs(), self.0.subsec_millis());
        f.write_str(thousandths.trim_end_matches('0').trim_end_matches('.'))
    }
}
