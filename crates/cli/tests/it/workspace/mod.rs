//! What cargo knows about the workspace.

use std::process::Command;

use serde_json::Value;
use tioga_testkit::root;

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
