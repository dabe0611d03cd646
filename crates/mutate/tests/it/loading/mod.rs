//! Models from text and from the examples.

use std::path::Path;

use tioga_base::{Diagnostics, FileId};
use tioga_model::Model;
use tioga_parse::{Format, Options, lower, parse};

/// The model a text describes.
pub fn model(text: &str) -> Model {
    let mut diagnostics = Diagnostics::new();
    let document = parse(Format::Tioga, FileId(0), text, &mut diagnostics)
        .unwrap_or_else(|| panic!("{diagnostics:?}"));
    let network = lower(&document, &Options::default(), &mut diagnostics)
        .unwrap_or_else(|| panic!("{diagnostics:?}"));
    network.validate().unwrap()
}

/// An example by its folder.
pub fn example(name: &str) -> Model {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let path = root.join(format!("examples/{name}/{name}.tioga"));
    model(&std::fs::read_to_string(path).unwrap())
}
