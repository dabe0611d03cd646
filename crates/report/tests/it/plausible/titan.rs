//! The TTCN-3 compiler of Eclipse Titan, where it is installed.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Whether it is installed; said once if it is not.
fn installed() -> bool {
    static INSTALLED: OnceLock<bool> = OnceLock::new();
    *INSTALLED.get_or_init(|| {
        let found = Command::new("ttcn3_compiler").arg("-v").output().is_ok();
        if !found {
            eprintln!("skipped: there is no ttcn3_compiler (Eclipse Titan) to compile TTCN-3");
        }
        found
    })
}

/// Compiles a module to C++, and panics if that is refused.
pub fn compile(text: &str) {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    if !installed() {
        return;
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("titan-{}-{number}", std::process::id());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("suite.ttcn"), text).unwrap();
    let run = Command::new("ttcn3_compiler").arg("suite.ttcn").current_dir(&folder).output();
    fs::remove_dir_all(&folder).unwrap();
    let run = run.unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}\n{text}");
    // A warning with a line is about the module, one without is about the compiler. Only constraints
    // that never hold may make code that is never reached.
    let known =
        "Control never reaches this code because the conditional expression evaluates to false";
    let mut warnings = said.lines().filter(|line| line.contains("suite.ttcn:"));
    let other = warnings.find(|line| line.contains("warning:") && !line.ends_with(known));
    assert!(other.is_none(), "{said}\n{text}");
}
