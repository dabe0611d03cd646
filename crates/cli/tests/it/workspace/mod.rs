//! What the tests of the whole workspace share: where it is and what cargo knows about it.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// The root of the workspace.
pub fn root() -> PathBuf {
    let crates = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    crates.ancestors().nth(2).expect("the crate lies two folders below the root").to_owned()
}

/// What `cargo metadata` says about this platform, with the versions of the lock file.
pub fn metadata(options: &[&str]) -> Value {
    let version = cargo(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.expect("cargo -vV names the host");
    let mut arguments = vec!["metadata", "--format-version", "1", "--locked"];
    arguments.extend(["--filter-platform", host]);
    arguments.extend(options);
    serde_json::from_str(&cargo(&arguments)).expect("cargo metadata prints JSON")
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {}: {message}", arguments.join(" "));
    String::from_utf8(output.stdout).expect("cargo prints UTF-8")
}
