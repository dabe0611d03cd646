//! Files that a command reads and files that it writes, so that none is destroyed: what is written must be
//! neither read nor written twice.

use std::path::{Path, PathBuf};

use tioga::followed;
use tioga_base::Diagnostic;

/// The files of a command, as far as its arguments name them.
#[derive(Clone, Default, Debug)]
pub struct Files {
    /// Those that are read.
    pub inputs: Vec<PathBuf>,
    /// Those that are written.
    pub outputs: Vec<PathBuf>,
}

impl Files {
    /// Why these files cannot all be used so, if they cannot.
    pub fn conflict(&self) -> Option<Diagnostic> {
        for (position, output) in self.outputs.iter().enumerate() {
            let refused = |code, what: &str| {
                let message = format!("`{}` {what}", output.display());
                let help = "give the name of another file";
                Some(Diagnostic::global(code, message).help(help))
            };
            if self.inputs.iter().any(|input| is_same(input, output)) {
                return refused("output-is-input", "would be written over what is read from it");
            }
            if self.outputs[..position].iter().any(|other| is_same(other, output)) {
                return refused("same-output", "would be written twice, with different contents");
            }
        }
        None
    }
}

/// Whether two names lead to the same file, there or not there yet. Devices and pipes may be used twice.
fn is_same(one: &Path, other: &Path) -> bool {
    let there = (std::fs::metadata(one), std::fs::metadata(other));
    if let (Ok(one), Ok(other)) = &there {
        if !one.is_file() {
            return false;
        }
        if is_one_file(one, other) {
            return true;
        }
    }
    followed(one) == followed(other)
}

/// Hard links have the same number on the same device.
#[cfg(unix)]
fn is_one_file(one: &std::fs::Metadata, other: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_one_file(_: &std::fs::Metadata, _: &std::fs::Metadata) -> bool {
    false
}
