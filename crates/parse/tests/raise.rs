//! Raising: a network written as a document and read again is the same network.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::path::{Path, PathBuf};

use tioga_base::{Diagnostics, FileId};
use tioga_model::Network;
use tioga_parse::raise::{difference, raise};
use tioga_parse::syntax::Document;
use tioga_parse::{Format, Options, lower, parse, tioga};

fn read(format: Format, text: &str) -> Document {
    let mut diagnostics = Diagnostics::new();
    let document = parse(format, FileId(0), text, &mut diagnostics);
    document.unwrap_or_else(|| panic!("{diagnostics:#?}\n{text}"))
}

fn network(document: &Document) -> Result<Network, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    lower(document, &Options::default(), &mut diagnostics).ok_or(diagnostics)
}

fn tioga_network(text: &str) -> Network {
    network(&read(Format::Tioga, text)).unwrap_or_else(|d| panic!("{d:#?}\n{text}"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// All examples and, where they are installed, all shared models.
fn documents() -> Vec<(String, Document)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths: Vec<PathBuf> =
        files(&root.join("examples")).iter().flat_map(|folder| files(folder)).collect();
    paths.extend(files(&root.join("../shared/models/uppaal")));
    paths.extend(files(&root.join("../shared/models/tck")));
    let mut documents = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(format) = Format::from_file_name(&name) else { continue };
        documents.push((name, read(format, &std::fs::read_to_string(&path).unwrap())));
    }
    documents
}

/// Raises a network, prints, reads and lowers it, and says in what the result differs.
fn round_trip(network: &Network) -> Result<String, String> {
    let document = raise(network, &[]).map_err(|refused| format!("{refused:#?}"))?;
    let text = tioga::print(&document).map_err(|refused| format!("{refused:#?}"))?;
    let mut diagnostics = Diagnostics::new();
    let read = parse(Format::Tioga, FileId(0), &text, &mut diagnostics);
    let again = read.and_then(|read| lower(&read, &Options::default(), &mut diagnostics));
    let Some(again) = again else { return Err(format!("{diagnostics:#?}\n{text}")) };
    // What is printed and read is what was raised.
    assert!(read_again(&text) == document.without_spans(), "{text}");
    match difference(network, &again) {
        Some(what) => Err(format!("{what} differ\n{text}")),
        None => Ok(text),
    }
}

fn read_again(text: &str) -> Document {
    read(Format::Tioga, text).without_spans()
}

#[test]
fn examples_and_shared_models_are_the_same_when_raised() {
    let mut failures = Vec::new();
    let documents = documents();
    let count = documents.len();
    for (name, document) in documents {
        let network = network(&document).unwrap();
        match round_trip(&network) {
            Err(failure) => failures.push(format!("{name}: {failure}")),
            Ok(text) => {
                // Raised once, nothing changes any more.
                let again = tioga_network(&text);
                assert_eq!(round_trip(&again).unwrap(), text, "{name}");
            }
        }
    }
    let short: Vec<&str> = failures.iter().map(|one| &one[..one.len().min(2500)]).collect();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), short.join("\n\n"));
    assert!(count >= 20, "only {count} models");
}
