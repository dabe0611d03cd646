//! What the tests of UPPAAL's forms share.

use tioga_base::{Diagnostics, FileId};
use tioga_parse::syntax::Document;
use tioga_parse::uppaal::{parse_xml, parse_xta};

/// The public models next to the workspace, by file name; none if they are not there.
pub fn shared_models() -> Vec<(String, String)> {
    let named = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    tioga_testkit::shared_models("uppaal").iter().map(named).collect()
}

/// Reads a text in the form its file name stands for.
pub fn parse(name: &str, text: &str) -> (Option<Document>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let document = if name.ends_with(".xml") {
        parse_xml(FileId(0), text, &mut diagnostics)
    } else {
        parse_xta(FileId(0), text, &mut diagnostics)
    };
    (document, diagnostics)
}
