//! Folders for the files of one test, in the build folder.

use std::path::PathBuf;

/// An empty folder of this name, which no other test uses: the tests of an executable run at the
/// same time, and executables one after the other. It stays, to be looked at after a failure.
pub fn folder(name: &str) -> PathBuf {
    let program = std::env::current_exe().expect("the test knows its executable");
    let build = program.ancestors().nth(3).expect("it lies in target/debug/deps");
    let thread = std::thread::current();
    // Tests run in threads that have their names.
    let test = thread.name().unwrap_or("main").replace("::", "/");
    let path = build.join("tmp").join(test).join(name);
    let _ = std::fs::remove_dir_all(&path);
    let made = std::fs::create_dir_all(&path);
    made.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}
