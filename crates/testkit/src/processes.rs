//! Running programs to their end, tests in processes of their own, and waiting for what has to come.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// After this long a test hangs. It is far more than a busy machine needs, so that no verdict depends
/// on how fast the machine is.
pub const HANGING: Duration = Duration::from_secs(600);

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
    // Output is read while input is written: a process that fills one of them does not wait for the other.
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            // A program that does not read its input may be gone already.
            let _ = entrance.write_all(input);
        });
        process.wait_with_output()
    });
    ended(output.unwrap_or_else(|error| panic!("{command:?}: {error}")))
}

/// Part of the C library of GNU: counts what a program allocates, and says it at its end on standard error.
const COUNTER: &str = "libmemusage.so";

/// Runs a program with the most bytes that it had allocated at a time; `None` after saying so where they cannot be counted.
/// Unlike resident memory they depend on the program alone, if one thread does the work.
pub fn run_counting(command: &mut Command, input: &[u8]) -> Option<(Run, u64)> {
    command.env("LD_PRELOAD", COUNTER);
    // The counter may break a program off that ends while one of its threads does, too.
    for _ in 0..10 {
        let run = run(command, input);
        if run.err.contains("cannot be preloaded") {
            eprintln!("skipped: {COUNTER} is not installed");
            return None;
        }
        let peak = run.err.split_once("heap peak: ").and_then(|(_, rest)| rest.split_once(','));
        if let (0.., Some((peak, _))) = (run.code, peak) {
            let peak = peak.parse().expect("it is a number");
            return Some((run, peak));
        }
    }
    panic!("{command:?} is always broken off")
}

fn ended(output: Output) -> Run {
    let text = |bytes| String::from_utf8(bytes).expect("programs print UTF-8");
    Run {
        code: output.status.code().unwrap_or(-1),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// Waits until there is something, and returns it. Panics with a text if nothing ever comes.
pub fn wait_for<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = ask() {
            return found;
        }
        assert!(start.elapsed() < HANGING, "waiting without end for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether the test of this name, with its modules, is the only one in this process. If not, it is
/// run in a process of its own, where it has to pass with less than so many bytes allocated, and there is nothing left to
/// do here.
pub fn alone_with(most: u64, test: &str) -> bool {
    const KEY: &str = "TIOGA_TEST_ALONE";
    if std::env::var_os(KEY).is_some_and(|only| only == test) {
        return true;
    }
    let program = std::env::current_exe().expect("the test knows its executable");
    let mut command = Command::new(program);
    command.args([test, "--exact"]).env(KEY, test);
    let (run, peak) = match run_counting(&mut command, b"") {
        Some((run, peak)) => (run, Some(peak)),
        None => (run(command.env_remove("LD_PRELOAD"), b""), None),
    };
    let passed = run.code == 0 && run.out.contains("1 passed");
    assert!(passed, "{test} in a process of its own:\n{}{}", run.out, run.err);
    println!("{peak:?} bytes");
    assert!(peak.is_none_or(|peak| peak < most), "{test} allocates {peak:?} bytes");
    false
}
