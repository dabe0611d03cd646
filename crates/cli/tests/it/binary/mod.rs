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

    /// Runs `tioga` in the folder, with a text on standard input, and patiently.
    pub fn tioga(&self, arguments: &[&str], input: &str) -> Run {
        let mut command = Command::new(TIOGA);
        command.args(patiently(arguments)).current_dir(&self.0).env("NO_COLOR", "1");
        tioga_testkit::run(&mut command, input.as_bytes())
    }
}

/// Time limits of systems that are programs: far more than a busy machine needs.
const PATIENCE: [&str; 3] = ["--start-timeout", "--answer-timeout", "--exit-timeout"];

/// The arguments with longer time limits than usual for a system that is a program, so that no verdict depends on how
/// busy the machine is. Limits that are given stay.
pub fn patiently<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let mut all = arguments.to_vec();
    let runs = arguments.iter().any(|word| ["run", "test", "calibrate"].contains(word));
    let given = arguments.iter().zip(arguments.iter().skip(1));
    let system = given.filter(|(option, _)| **option == "--sut").map(|(_, system)| *system);
    let system =
        system.chain(arguments.iter().filter_map(|word| word.strip_prefix("--sut="))).next();
    if runs && system.is_some_and(|system| !system.starts_with("model:")) {
        for option in PATIENCE {
            if !arguments.iter().any(|word| word.starts_with(option)) {
                all.extend([option, "600s"]);
            }
        }
    }
    all
}

/// The same for the runs of a new project.
pub fn be_patient(project: &std::path::Path) {
    let file = project.join("tioga.toml");
    let limits: Vec<&str> = PATIENCE.iter().flat_map(|option| [option, "600s"]).collect();
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
