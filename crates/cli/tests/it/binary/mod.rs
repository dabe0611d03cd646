//! Running the built binary in a folder of its own.

mod measured;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

pub use measured::{Measured, Running};
pub use tioga_testkit::Run;

/// The built binary.
pub const TIOGA: &str = env!("CARGO_BIN_EXE_tioga");

/// A folder for one test, empty at the start.
pub struct Folder(pub PathBuf);

impl Folder {
    /// The folder of this name of the running test.
    pub fn new(name: &str) -> Self {
        Self(tioga_testkit::folder(name))
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
        let mut command = Command::new(TIOGA);
        command.args(arguments).current_dir(&self.0).env("NO_COLOR", "1");
        tioga_testkit::run(&mut command, input.as_bytes())
    }
}

/// Lets the runs of a new project wait longer than usual, so that no verdict depends on how busy the machine is.
pub fn be_patient(project: &std::path::Path) {
    let file = project.join("tioga.toml");
    let limits = ["--start-timeout", "60s", "--answer-timeout", "60s", "--exit-timeout", "60s"];
    let text = fs::read_to_string(&file).unwrap();
    fs::write(file, format!("{text}options = {limits:?}\n")).unwrap();
}

/// The JSON object a run printed.
pub trait Json {
    /// Reads standard output.
    fn json(&self) -> serde_json::Value;
}

impl Json for Run {
    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap()
    }
}
