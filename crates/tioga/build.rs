//! Embeds the models under `examples/` in the library, so that adding one needs no change here. The
//! model `examples/light/light.tioga` is called `light`, and `examples/light/dim.tioga` is called
//! `light/dim`.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use tioga_base::ModelFormat;

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../examples");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut table = String::from("&[\n");
    for (name, path) in models(&root)? {
        let file = path.strip_prefix(&root)?;
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
            let file = path.file_name().and_then(|file| file.to_str());
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            let folder = folder.file_name().and_then(|folder| folder.to_str());
            let (Some(file), Some(stem), Some(folder)) = (file, stem, folder) else { continue };
            if ModelFormat::from_file_name(file).is_none() {
                continue;
            }
            let name = if stem == folder { stem.to_owned() } else { format!("{folder}/{stem}") };
            if let Some(other) = found.insert(name, path.clone()) {
                let (other, path) = (other.display(), path.display());
                return Err(format!("{other} and {path} would have the same name").into());
            }
        }
    }
    Ok(found)
}
