//! Every shared UPPAAL and TChecker model is read, lowered and validated.

use tioga_base::{Diagnostics, Sources};
use tioga_parse::{Format, Options, lower, parse};
use tioga_testkit::shared_models;

fn complaints(diagnostics: &Diagnostics, sources: &Sources) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let place = diagnostic.primary.as_ref().map(|label| {
            let source = sources.get(label.span.file).unwrap();
            let (line, column) = source.line_column(label.span.range().start);
            format!("{line}:{column} `{}`", sources.slice(label.span))
        });
        text += &format!("  {:?} {} {place:?}\n", diagnostic.severity, diagnostic.message);
    }
    text
}

#[test]
fn every_shared_model_becomes_a_valid_model() {
    let mut failures = String::new();
    for path in shared_models("uppaal").into_iter().chain(shared_models("tck")) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let mut sources = Sources::new();
        let text = std::fs::read_to_string(&path).unwrap();
        let file = sources.add(&name, &text);
        let mut diagnostics = Diagnostics::new();
        let format = Format::from_file_name(&name).unwrap();
        let network = parse(format, file, &text, &mut diagnostics)
            .and_then(|document| lower(&document, &Options::default(), &mut diagnostics));
        let valid = match network.map(tioga_model::Network::validate) {
            Some(Ok(_)) => !diagnostics.has_errors(),
            Some(Err(more)) => {
                diagnostics.append(more);
                false
            }
            None => false,
        };
        if !valid {
            failures += &format!("{name}\n{}", complaints(&diagnostics, &sources));
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn every_query_of_the_shared_models_is_understood() {
    for path in shared_models("uppaal") {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let mut sources = Sources::new();
        let text = std::fs::read_to_string(&path).unwrap();
        let file = sources.add(&name, &text);
        let mut diagnostics = Diagnostics::new();
        let format = Format::from_file_name(&name).unwrap();
        let document = parse(format, file, &text, &mut diagnostics).unwrap();
        lower(&document, &Options::default(), &mut diagnostics).unwrap();
        let left_out = |diagnostic: &&tioga_base::Diagnostic| {
            diagnostic.notes.iter().any(|note| note.contains("query"))
        };
        let found = diagnostics.iter().find(left_out);
        assert!(found.is_none(), "{name}\n{}", complaints(&diagnostics, &sources));
    }
}
