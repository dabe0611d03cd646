//! Options of `tioga new`.

use clap::Args;
use tioga::ProjectLanguage;

use super::help::paragraphs;

/// Options of `tioga new`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct NewArgs {
    /// The name of the project and of its folder
    #[arg(value_name = "NAME")]
    pub name: String,

    /// The system and its adapter in Python [default]
    #[arg(long, group = "language")]
    pub python: bool,

    /// The system and its adapter in Rust
    #[arg(long, group = "language")]
    pub rust: bool,

    /// The system and its adapter in C, with a Makefile
    #[arg(long, group = "language")]
    pub c: bool,
}

impl NewArgs {
    /// The language that was chosen.
    pub fn language(&self) -> ProjectLanguage {
        match (self.rust, self.c) {
            (true, _) => ProjectLanguage::Rust,
            (_, true) => ProjectLanguage::C,
            _ => ProjectLanguage::Python,
        }
    }
}

const AFTER_HELP: &str = "\
The folder gets an automatic door as a small program, a model of it, an adapter between the door and
the tester, a suite, a project file `tioga.toml` and a CI file. `tioga test` in that folder makes tests
from the model and runs them against the door. The README of the project suggests a change that makes
them fail. Existing files are never overwritten.

Exits with 2 if a file exists already, or if the name cannot be one of a folder and a package.

Examples:
  tioga new demo
  tioga new demo --python
  tioga new garage-door --c
  tioga new demo --rust";
