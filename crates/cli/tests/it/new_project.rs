//! `tioga new` and the project file: each template runs at once, fails after the change that its README suggests,
//! and nothing is overwritten.

use std::fs;
use std::path::Path;

use crate::binary::{Folder, Json, Run, TIOGA, be_patient};
use tioga_testkit::files_below;

/// A project of a language, with its folder.
fn project(language: &str) -> Folder {
    let folder = Folder::new(language);
    let run = folder.tioga(&["new", "demo", &format!("--{language}")], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.ends_with("try: cd demo && tioga test\n"), "{}", run.out);
    be_patient(&folder.0.join("demo"));
    Folder(folder.0.join("demo"))
}

/// Does what the README says: deletes the two lines that end with `count again`.
fn break_it(project: &Folder, system: &str) {
    let readme = project.read("README.md");
    let told = format!("In `{system}`, delete the two lines that end with `count again`.");
    assert!(readme.contains(&told), "{readme}");
    let text = project.read(system);
    let kept: Vec<&str> =
        text.lines().filter(|line| !line.trim_end().ends_with("count again")).collect();
    assert_eq!(text.lines().count(), kept.len() + 2, "{text}");
    project.write(system, kept.join("\n") + "\n");
}

/// The results that both commands have for the project.
fn tested(project: &Folder) -> [Run; 2] {
    [project.tioga(&["test"], ""), project.tioga(&["run", "--keep-going", "--no-journal"], "")]
}

fn passes_and_fails_after_the_change(language: &str, system: &str) {
    let project = project(language);
    for run in tested(&project) {
        assert_eq!(run.code, 0, "{language}: {}{}", run.out, run.err);
    }
    let ci = std::process::Command::new("./ci.sh")
        .current_dir(&project.0)
        .env("PATH", path_with_tioga())
        .output()
        .unwrap();
    assert!(ci.status.success(), "{ci:?}");
    assert!(project.read("results.xml").contains("<testsuite"));
    break_it(&project, system);
    for run in tested(&project) {
        assert_eq!(run.code, 1, "{language}: {}{}", run.out, run.err);
    }
    let explained = project.tioga(&["explain", "door.journal"], "");
    assert!(explained.out.contains("`close`"), "{}", explained.out);
    assert!(explained.out.contains("too early"), "{}", explained.out);
}

/// The search path with the binary on it.
fn path_with_tioga() -> String {
    let folder = Path::new(TIOGA).parent().unwrap().display().to_string();
    format!("{folder}:{}", std::env::var("PATH").unwrap())
}

#[test]
fn a_project_in_python_runs_at_once() {
    passes_and_fails_after_the_change("python", "door.py");
}

#[test]
fn a_project_in_c_runs_at_once() {
    passes_and_fails_after_the_change("c", "door.c");
}

#[test]
fn a_project_in_rust_runs_at_once() {
    passes_and_fails_after_the_change("rust", "src/door.rs");
}

/// With real time verdicts depend on how busy the machine is, so only the connection is checked: no run is an error
/// or fails to begin.
#[test]
fn the_adapters_know_real_time() {
    for language in ["python", "c", "rust"] {
        let project = project(language);
        let run = project.tioga(&["--format", "json", "test", "--unit", "20ms"], "");
        let result = run.json()["result"].clone();
        let cases = result["cases"].as_array().unwrap_or_else(|| panic!("{}", run.out));
        assert!(!cases.is_empty());
        assert_ne!(run.code, 6, "{language}: {}", run.out);
        assert_ne!(run.code, 2, "{language}: {}", run.out);
    }
}

#[test]
fn existing_files_are_never_overwritten() {
    let folder = Folder::new("kept");
    fs::create_dir(folder.0.join("demo")).unwrap();
    folder.write("demo/door.tioga", "mine");
    let run = folder.tioga(&["new", "demo"], "");
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(
        run.err.starts_with("error[file-exists]: `demo/door.tioga` exists already"),
        "{}",
        run.err
    );
    assert_eq!(folder.read("demo/door.tioga"), "mine");
    assert_eq!(files_below(&folder.0).len(), 1, "nothing else was written");
    // A folder with other files is fine.
    fs::remove_file(folder.0.join("demo/door.tioga")).unwrap();
    folder.write("demo/notes.txt", "mine");
    assert_eq!(folder.tioga(&["new", "demo"], "").code, 0);
    assert_eq!(folder.read("demo/notes.txt"), "mine");
    let twice = folder.tioga(&["new", "demo", "--c"], "");
    assert_eq!(twice.code, 2);
    assert!(twice.err.contains("more files exist already"), "{}", twice.err);
}

#[test]
fn a_bad_name_and_two_languages_are_refused() {
    let folder = Folder::new("bad");
    for name in ["../up", "a b", "2nd", ""] {
        let run = folder.tioga(&["new", name], "");
        assert_eq!(run.code, 2, "{name}");
        assert!(run.err.contains("cannot be the name of a project"), "{}", run.err);
    }
    assert_eq!(folder.tioga(&["new", "demo", "--c", "--rust"], "").code, 2);
    assert!(files_below(&folder.0).is_empty());
}

#[test]
fn without_a_project_the_error_says_what_to_do() {
    let folder = Folder::new("none");
    let run = folder.tioga(&["test"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.starts_with("error[no-project]: no model is given"), "{}", run.err);
    assert!(run.err.contains("tioga new NAME"), "{}", run.err);
    let run = folder.tioga(&["--format", "json", "run"], "");
    assert_eq!(run.code, 2);
    let value = run.json();
    assert_eq!(value["command"], "run");
    assert_eq!(value["diagnostics"][0]["code"], "no-project");
}

#[test]
fn what_is_given_wins_over_the_project() {
    let folder = Folder::new("wins");
    folder.write(
        "tioga.toml",
        "model = \"@smart-light\"\nsut = \"model:@problematic-light\"\nbuild = \"exit 9\"\noptions = [\"--repeat\", \"7\"]\n",
    );
    // The build command is the project's own, and fails.
    let built = folder.tioga(&["test"], "");
    assert_eq!(built.code, 2);
    assert!(
        built.err.starts_with("error[build-failed]: the build command `exit 9` failed"),
        "{}",
        built.err
    );
    // Another system needs no build, and another number of repetitions replaces the project's.
    let run = folder
        .tioga(&["--format", "json", "test", "--sut", "model:@smart-light", "--repeat", "3"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.json()["result"]["cases"][0]["runs"], 3, "{}", run.out);
    // The model of the project has its system, also where it is named; another one leaves the project aside.
    assert_eq!(folder.tioga(&["test", "@smart-light"], "").err, built.err);
    let other = folder.tioga(&["test", "@service-desk"], "");
    assert_eq!(other.code, 0, "{}", other.err);
    assert!(other.out.contains("no --sut: the model is tested against itself"), "{}", other.out);
    // There is no suite in the project.
    let run = folder.tioga(&["run"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("`tioga.toml` has no `suite`"), "{}", run.err);
}

#[test]
fn a_wrong_project_file_is_pointed_at() {
    let folder = Folder::new("wrong");
    folder.write("tioga.toml", "model = \"@smart-light\"\nsystem = \"./light\"\n");
    let run = folder.tioga(&["test"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.starts_with("error[bad-project]: unknown field `system`"), "{}", run.err);
    assert!(run.err.contains("tioga.toml:2:1"), "{}", run.err);
}
