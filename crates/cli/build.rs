//! Embeds the models under `examples/` in the binary: every model file in `examples/<folder>/`
//! becomes an entry named by its file stem, so adding an example needs no change here.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

const MODEL_EXTENSIONS: [&str; 5] = ["tioga", "xml", "xta", "ta", "tck"];

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../examples");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut table = String::from("&[\n");
    for (name, path) in models(&root)? {
        let file = path.file_name().ok_or("a model file has a name")?;
        let path = path.canonicalize()?;
        writeln!(
            table,
            "    Example {{ name: {name:?}, file: {file:?}, text: include_str!({path:?}) }},"
        )?;
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("examples.rs"), table)?;
    Ok(())
}

/// The model files one folder below `root`, by name; two of the same name are an error.
fn models(root: &Path) -> Result<BTreeMap<String, PathBuf>, Box<dyn Error>> {
    let mut found = BTreeMap::new();
    if !root.is_dir() {
        return Ok(found);
    }
    for folder in fs::read_dir(root)? {
        let folder = folder?.path();
        if !folder.is_dir() {
            continue;
        }
        println!("cargo::rerun-if-changed={}", folder.display());
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            let (Some(extension), Some(stem)) = (extension, stem) else { continue };
            if !MODEL_EXTENSIONS.contains(&extension) {
                continue;
            }
            if let Some(other) = found.insert(stem.to_owned(), path.clone()) {
                let (other, path) = (other.display(), path.display());
                return Err(format!("two examples are named `{stem}`: {other} and {path}").into());
            }
        }
    }
    Ok(found)
}
