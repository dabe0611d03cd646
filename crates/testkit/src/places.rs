//! Where things are: the workspace, its examples, and the public models next to it.

use std::path::{Path, PathBuf};

use tioga_model::Model;

/// The root of the workspace.
pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).expect("the crate lies two folders below the root").to_owned()
}

/// The text of a file that has to be there.
pub(crate) fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of an example by the name the binary has for it, without its `@`: `switch`, or
/// `two-clock-switch/off5`.
pub fn example_text(name: &str) -> String {
    let file = match name.split_once('/') {
        Some(_) => format!("{name}.tioga"),
        None => format!("{name}/{name}.tioga"),
    };
    text(&root().join("examples").join(file))
}

/// An example by its name, as in [`example_text`].
pub fn example(name: &str) -> Model {
    crate::model(&example_text(name))
}

/// The files of all examples in Tioga's language, in order.
pub fn example_files() -> Vec<PathBuf> {
    let mut files = files_below(&root().join("examples"));
    files.retain(|path| path.extension().is_some_and(|extension| extension == "tioga"));
    assert!(!files.is_empty(), "the workspace has examples");
    files
}

/// All examples with the names of their files, in order.
pub fn all_examples() -> Vec<(String, Model)> {
    let named = |path: PathBuf| {
        let name = path.file_stem()?.to_str()?.to_owned();
        Some((name, crate::model_file(&path)?))
    };
    example_files().into_iter().filter_map(named).collect()
}

/// The public models in a folder next to the workspace, and in the folders below, in order; none
/// where they are not installed.
pub fn shared_models(folder: &str) -> Vec<PathBuf> {
    files_below(&root().join("../shared/models").join(folder))
}

/// The files in a folder and the folders below it, in order; none if there is no such folder.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let below = |path: PathBuf| if path.is_dir() { files_below(&path) } else { vec![path] };
    paths.into_iter().flat_map(below).collect()
}
