//! Running the built binary in a folder of its own.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder for one test, empty at the start.
pub struct Folder(pub PathBuf);

impl Folder {
    /// The folder of this name of the running test: tests with equal names do not meet.
    pub fn new(name: &str) -> Self {
        let test = std::thread::current().name().unwrap_or("main").replace("::", "/");
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli").join(test).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a file into the folder.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), contents).unwrap();
    }

    /// Reads a file of the folder.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// Runs `tioga` in the folder, with a text on standard input.
    pub fn tioga(&self, arguments: &[&str], input: &str) -> Run {
        let mut process = Command::new(env!("CARGO_BIN_EXE_tioga"))
            .args(arguments)
            .current_dir(&self.0)
            .env("NO_COLOR", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Whoever does not read its input may be gone already.
        let _ = process.stdin.take().unwrap().write_all(input.as_bytes());
        Run::new(process.wait_with_output().unwrap())
    }
}

/// How a run of the binary ended.
#[derive(Debug)]
pub struct Run {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Run {
    fn new(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The JSON object on standard output.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap()
    }
}
