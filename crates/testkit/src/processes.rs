//! Running programs to their end.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// How a program ended.
#[derive(Debug)]
pub struct Run {
    /// The exit code; -1 after a signal.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Runs a program with a text on standard input, which it need not read.
pub fn run(command: &mut Command, input: &[u8]) -> Run {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = pipes.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut entrance = process.stdin.take().expect("it was asked for");
    // Output is read while input is written: whoever fills one of them does not wait for the other.
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            // A program that does not read its input may be gone already.
            let _ = entrance.write_all(input);
        });
        process.wait_with_output()
    });
    ended(output.unwrap_or_else(|error| panic!("{command:?}: {error}")))
}

fn ended(output: Output) -> Run {
    let text = |bytes| String::from_utf8(bytes).expect("programs print UTF-8");
    Run {
        code: output.status.code().unwrap_or(-1),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}
