//! The rules of the house, checked on every build: who may depend on whom, which Rust is
//! needed, and what the sources may not do. `ARCHITECTURE.md` says why.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::workspace::metadata;
use serde_json::Value;
use tioga_testkit::root;

/// The workspace crates each crate may depend on directly. A crate that is not in this table is an
/// error, so that its place is decided when it appears; rows for crates still to come do no harm.
const ALLOWED: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("model", &["base"]),
    ("parse", &["base", "model"]),
    ("concrete", &["base", "model"]),
    ("zones", &["base"]),
    ("explore", &["base"]),
    ("symbolic", &["base", "model", "zones", "explore"]),
    ("games", &["base", "model", "zones", "explore", "symbolic", "testcase"]),
    (
        "conform",
        &["base", "model", "concrete", "zones", "explore", "symbolic", "testcase", "estimate"],
    ),
    ("mutate", &["base", "model"]),
    ("determinize", &["base", "model", "zones", "explore", "symbolic"]),
    ("testcase", &["base", "model", "concrete", "terms"]),
    (
        "synthesize",
        &[
            "base",
            "model",
            "concrete",
            "zones",
            "explore",
            "symbolic",
            "games",
            "determinize",
            "testcase",
        ],
    ),
    (
        "setexp",
        &["base", "model", "terms", "data", "concrete", "zones", "explore", "symbolic", "testcase"],
    ),
    ("machines", &[]),
    ("terms", &["base"]),
    ("smt", &["base", "terms"]),
    ("data", &["base", "model", "terms"]),
    ("grids", &["base", "model"]),
    ("confirm", &["base", "model", "concrete", "zones", "terms", "data"]),
    ("estimate", &["base", "model", "concrete", "zones", "explore", "symbolic", "testcase"]),
    ("adapters", &["base", "model", "concrete", "testcase"]),
    ("observe", &["base", "model", "testcase", "estimate", "adapters"]),
    (
        "execute",
        &[
            "base", "model", "concrete", "testcase", "estimate", "adapters", "observe", "data",
            "terms",
        ],
    ),
    ("certify", &["base", "model", "concrete", "testcase"]),
    (
        "report",
        &[
            "base", "model", "parse", "concrete", "testcase", "estimate", "adapters", "observe",
            "execute",
        ],
    ),
    (
        "views",
        &[
            "base", "model", "parse", "concrete", "zones", "explore", "symbolic", "testcase",
            "games", "certify", "adapters", "execute", "report", "tioga",
        ],
    ),
    ("viewer", &["base", "testcase", "adapters", "report", "tioga", "views"]),
    (
        "tioga",
        &[
            "base",
            "model",
            "parse",
            "concrete",
            "zones",
            "explore",
            "symbolic",
            "testcase",
            "games",
            "determinize",
            "certify",
            "synthesize",
            "conform",
            "mutate",
            "estimate",
            "adapters",
            "observe",
            "execute",
            "report",
            "machines",
            "terms",
            "data",
            "smt",
            "setexp",
            "grids",
            "confirm",
        ],
    ),
    ("families", &[]),
    // For tests only: no crate depends on it but for its tests.
    ("testkit", &["base", "model", "parse", "testcase", "games", "synthesize"]),
];

/// What a crate may not reach, not even through others.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("certify", &["zones", "explore", "symbolic", "games", "determinize", "synthesize"]),
    ("execute", &["synthesize"]),
    ("adapters", &["estimate", "symbolic", "zones"]),
    ("synthesize", &["execute"]),
    ("zones", &["model"]),
    ("explore", &["model", "zones"]),
    ("model", &["parse"]),
];

/// The crates that may touch files, clocks, threads and the terminal.
const OUTWARD: &[&str] =
    &["adapters", "execute", "report", "tioga", "views", "viewer", "cli", "families", "testkit"];

/// The crates that may print; `testkit` says which test is skipped.
const PRINTING: &[&str] = &["cli", "families", "testkit"];

/// What the others may not mention.
const PRINTS: &[&str] = &["println!", "print!", "eprintln!", "eprint!", "dbg!"];

/// What the others may not mention.
const OUTWARD_ONLY: &[&str] =
    &["std::fs", "std::thread", "std::process", "std::env", "Instant::now", "SystemTime"];

/// What some crates may mention all the same, with good reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    // Threads change how long a search takes, never its result.
    ("explore", "std::thread"),
    // A solver is a process, with threads that move text and a time limit.
    ("smt", "std::thread"),
    ("smt", "std::process"),
    ("smt", "Instant::now"),
];

const LINES_LIMIT: usize = 600;

/// Direct dependencies among the crates of the workspace, by short name. Dependencies for tests
/// are left out: a test may compare with anything.
fn graph() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = metadata(&["--no-deps"]);
    let mut graph = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap() {
        let dependencies = package["dependencies"].as_array().unwrap();
        let inside = dependencies
            .iter()
            .filter(|dependency| dependency["kind"] != "dev")
            .filter_map(|dependency| short(&dependency["name"]));
        graph.insert(short(&package["name"]).unwrap(), inside.collect());
    }
    graph
}

fn short(name: &Value) -> Option<String> {
    let name = name.as_str()?;
    // The library of them all has no other name.
    if name == "tioga" {
        return Some(name.to_owned());
    }
    name.strip_prefix("tioga-").map(str::to_owned)
}

fn reachable(graph: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from.to_owned()];
    while let Some(next) = waiting.pop() {
        for dependency in graph.get(&next).into_iter().flatten() {
            if reached.insert(dependency.clone()) {
                waiting.push(dependency.clone());
            }
        }
    }
    reached
}

#[test]
fn dependencies_point_one_way() {
    for (name, dependencies) in graph() {
        if name == "cli" {
            continue; // The binary brings everything together.
        }
        let allowed = ALLOWED.iter().find(|(crate_, _)| *crate_ == name);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("say where crate `{name}` belongs"));
        for dependency in dependencies {
            assert!(allowed.contains(&dependency.as_str()), "{name} must not use {dependency}");
        }
    }
}

#[test]
fn the_rules_do_not_contradict_each_other() {
    let rules: BTreeMap<String, BTreeSet<String>> = ALLOWED
        .iter()
        .map(|(name, allowed)| (name.to_string(), allowed.iter().map(|a| a.to_string()).collect()))
        .collect();
    for name in rules.keys() {
        assert!(!reachable(&rules, name).contains(name), "{name} may reach itself");
    }
    for (name, forbidden) in FORBIDDEN {
        for other in *forbidden {
            assert!(!reachable(&rules, name).contains(*other), "{name} may reach {other}");
        }
    }
}

#[test]
fn no_crate_reaches_what_it_must_not_know() {
    let graph = graph();
    for (name, forbidden) in FORBIDDEN {
        let reached = reachable(&graph, name);
        for other in *forbidden {
            assert!(!reached.contains(*other), "{name} reaches {other}");
        }
    }
}

#[test]
fn no_dependency_needs_a_newer_rust() {
    let metadata = metadata(&[]);
    let version = |package: &Value| -> Option<Vec<u32>> {
        let version = package["rust_version"].as_str()?;
        let mut parts: Vec<u32> = version.split('.').map(|part| part.parse().unwrap()).collect();
        parts.resize(3, 0);
        Some(parts)
    };
    let (ours, others): (Vec<&Value>, Vec<&Value>) = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .partition(|package| package["source"].is_null());
    let oldest = version(ours[0]).expect("the workspace says which Rust it needs");
    assert!(ours.iter().all(|package| version(package).as_ref() == Some(&oldest)));
    for package in others {
        let needed = version(package);
        let fits = needed.as_ref().is_none_or(|needed| *needed <= oldest);
        assert!(fits, "{} {} needs Rust {needed:?}", package["name"], package["version"]);
    }
}

#[test]
fn every_crate_inherits_the_lints_of_the_workspace() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    for lint in ["unsafe_code = \"forbid\"", "unwrap_used = \"deny\"", "iter_over_hash_type"] {
        assert!(manifest.contains(lint), "the workspace lost its lint {lint}");
    }
    for folder in crates() {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let inherits = manifest.contains("[lints]\nworkspace = true");
        assert!(inherits, "{} does not inherit the lints", folder.display());
    }
}

/// The folders of all crates, in order.
pub fn crates() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("Cargo.toml").is_file())
        .collect();
    folders.push(root().join("models/families"));
    folders.sort();
    folders
}

/// Every Rust file below a folder, with its text.
pub fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_file_says_what_it_is_and_is_short() {
    for (path, text) in crates().iter().flat_map(|folder| sources(folder)) {
        assert!(text.starts_with("//!"), "{} does not open with `//!`", path.display());
        let lines = text.lines().count();
        assert!(lines <= LINES_LIMIT, "{} has {lines} lines", path.display());
    }
}

/// The check whether a suite is complete knows machines, and nothing of the methods that make suites.
#[test]
fn the_check_of_complete_suites_shares_no_code_with_their_makers() {
    let folder = root().join("crates/machines/src/complete");
    let files = sources(&folder);
    assert!(files.len() > 3, "the check is in {}", folder.display());
    let foreign = |text: &str| -> Vec<String> {
        let parts = text.split("crate::").skip(1);
        parts
            .filter(|rest| !rest.starts_with("machine::"))
            .map(|rest| rest[..9].to_owned())
            .collect()
    };
    for (path, text) in files {
        assert!(foreign(&text).is_empty(), "{}: {:?}", path.display(), foreign(&text));
        assert!(!text.contains("super::super"), "{}", path.display());
    }
    let machine = fs::read_to_string(root().join("crates/machines/src/machine.rs")).unwrap();
    let uses = machine.split("crate::").skip(1).all(|rest| rest.starts_with("error::"));
    assert!(uses, "the type of machines needs nothing but its errors");
}

#[test]
fn nothing_is_unsafe() {
    // Built from parts, so that this file does not contain what it looks for.
    let word = ["un", "safe"].concat();
    for (path, text) in crates().iter().flat_map(|folder| sources(folder)) {
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
            let place = || format!("{}:{}", path.display(), number + 1);
            assert!(!words.any(|one| one == word), "{}", place());
        }
    }
}

#[test]
fn only_the_outer_crates_touch_the_world() {
    for folder in crates() {
        let name = folder.file_name().unwrap().to_str().unwrap();
        if OUTWARD.contains(&name) {
            continue;
        }
        for (path, text) in sources(&folder.join("src")) {
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or("");
            for (number, line) in code.lines().enumerate() {
                let code = line.split("//").next().unwrap_or("");
                for word in OUTWARD_ONLY {
                    if EXCEPTIONS.contains(&(name, *word)) {
                        continue;
                    }
                    let place = || format!("{}:{}", path.display(), number + 1);
                    assert!(!code.contains(word), "{}: `{word}`", place());
                }
            }
        }
    }
}

/// A test that is not run says nothing. Crates have one executable of tests, and switch off the
/// tests of their library only where it has none.
#[test]
fn every_test_is_run() {
    for folder in crates() {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let off = |what: &str| manifest.contains(&format!("\n{what} = false\n"));
        for (path, text) in sources(&folder.join("src")) {
            let unit = text.contains("#[test]") || text.contains("proptest!");
            assert!(!(unit && off("test")), "the tests of {} are not run", path.display());
            assert!(!(shows_rust(&text) && off("doctest")), "{} shows code", path.display());
        }
        for entry in fs::read_dir(folder.join("tests")).into_iter().flatten() {
            let path = entry.unwrap().path();
            let alone = path.extension().is_some_and(|extension| extension == "rs");
            assert!(!alone, "{} belongs into tests/it", path.display());
        }
    }
}

/// Whether a documentation comment has a block of Rust.
fn shows_rust(text: &str) -> bool {
    let mut inside = false;
    text.lines().filter_map(|line| line.trim_start().strip_prefix("//")).any(|line| {
        let Some(language) = line.trim_start_matches(['/', '!', ' ']).strip_prefix("```") else {
            return false;
        };
        inside = !inside;
        inside && ["", "rust", "should_panic", "no_run", "compile_fail"].contains(&language)
    })
}

#[test]
fn nothing_below_the_fronts_prints() {
    for folder in crates() {
        let name = folder.file_name().unwrap().to_str().unwrap();
        if PRINTING.contains(&name) {
            continue;
        }
        for (path, text) in sources(&folder.join("src")) {
            for (number, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or("");
                let prints = PRINTS.iter().find(|word| code.contains(*word));
                assert!(prints.is_none(), "{}:{}: {prints:?}", path.display(), number + 1);
            }
        }
    }
}

/// How many lines of Rust are below a folder, to the nearest hundred.
fn size(folder: &Path) -> usize {
    if !folder.is_dir() {
        return 0;
    }
    let lines: usize = sources(folder).iter().map(|(_, text)| text.lines().count()).sum();
    (lines + 50) / 100 * 100
}

/// The table of crates in ARCHITECTURE.md lists every crate, with its size within a fifth or 200 lines.
#[test]
fn the_table_of_crates_is_complete_and_about_right() {
    let path = root().join("ARCHITECTURE.md");
    let mut text = fs::read_to_string(&path).unwrap();
    for folder in crates().iter().filter(|folder| folder.starts_with(root().join("crates"))) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let row = text.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for `{name}`"));
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let sizes = [size(&folder.join("src")), size(&folder.join("tests"))];
        if std::env::var_os("TIOGA_BLESS").is_some() {
            let [sources, tests] = sizes;
            let new = format!("| `{name}` | {sources} | {tests} | {} |", cells[4]);
            text = text.replace(row, &new);
            continue;
        }
        for (cell, size) in cells[2..4].iter().zip(sizes) {
            let said: usize = cell.parse().unwrap();
            assert!(said.abs_diff(size) <= (size / 5).max(200), "{name}: {said}, but {size}");
        }
    }
    if std::env::var_os("TIOGA_BLESS").is_some() {
        fs::write(path, text).unwrap();
    }
}

/// Documents become networks in one place above the parser; another only looks at documents that were
/// made and not read.
#[test]
fn models_are_lowered_in_one_place() {
    let allowed = ["tioga/src/read.rs", "tioga/src/convert.rs"];
    for name in ["adapters", "observe", "execute", "report", "tioga", "cli"] {
        let folder = root().join("crates").join(name).join("src");
        for (path, text) in sources(&folder) {
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or("");
            let lowers = code.contains(" lower(&") || code.contains(" lower(document");
            let known = allowed.iter().any(|file| path.ends_with(file));
            assert!(!lowers || known, "{} lowers a model", path.display());
        }
    }
}

/// What a test case is for is a value. Its sentence is for people; only the readers of older suites take one apart.
#[test]
fn no_goal_is_read_from_its_sentence() {
    let starts = ["purpose ", "walk ", "inputs ", "grid word of ", "confirm ", "; and then "];
    let readers = ["strip_prefix(\"", "starts_with(\"", "split(\"", "split_once(\"", "contains(\""];
    // The last reads what a user writes after `-p`.
    let allowed =
        ["testcase/src/older.rs", "tioga/src/older_goals.rs", "tioga/src/given_purpose.rs"];
    let mut found = 0;
    for (path, text) in crates().iter().flat_map(|folder| sources(&folder.join("src"))) {
        let reads = starts
            .iter()
            .any(|start| readers.iter().any(|reader| text.contains(&format!("{reader}{start}"))));
        let known = allowed.iter().any(|file| path.ends_with(file));
        assert!(!reads || known, "{} reads the sentence of a goal", path.display());
        found += u32::from(reads);
    }
    assert_eq!(found as usize, allowed.len(), "some reader is gone");
}

/// The checker looks a goal up in the model, without what makes test cases for it.
#[test]
fn certification_imports_nothing_from_synthesis() {
    for folder in ["crates/certify/src", "crates/tioga/src/certify"] {
        for (path, text) in sources(&root().join(folder)) {
            let imports = ["synthesis::", "tioga_synthesize", "suites::"];
            let found = imports.iter().find(|one| text.contains(**one));
            assert!(found.is_none(), "{} uses {found:?}", path.display());
        }
    }
}

/// A caller that goes on in another way after a failure asks for its reason. Codes are for people and machines outside.
#[test]
fn no_source_compares_the_code_of_a_diagnostic() {
    // Built from parts, so that this file does not contain what it looks for.
    let compared = ["code =", "= \""].concat();
    for (path, text) in crates().iter().flat_map(|folder| sources(&folder.join("src"))) {
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or("");
        assert!(!code.contains(&compared), "{} compares a code", path.display());
    }
}
