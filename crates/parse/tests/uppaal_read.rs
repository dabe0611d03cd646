//! Reading UPPAAL files: real models, exact places of complaints, what is refused.

use tioga_base::{Diagnostic, Diagnostics, FileId};
use tioga_parse::syntax::Document;
use tioga_parse::uppaal::{parse_xml, parse_xta};

fn shared_models() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/models/uppaal");
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = entries
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

fn parse(name: &str, text: &str) -> (Option<Document>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let document = if name.ends_with(".xml") {
        parse_xml(FileId(0), text, &mut diagnostics)
    } else {
        parse_xta(FileId(0), text, &mut diagnostics)
    };
    (document, diagnostics)
}

#[test]
fn every_shared_model_is_read_without_complaint() {
    for (name, text) in shared_models() {
        let (document, diagnostics) = parse(&name, &text);
        assert!(diagnostics.is_empty(), "{name}: {diagnostics:#?}");
        let document = document.unwrap();
        assert!(document.templates().count() > 0, "{name}");
    }
}
