//! Models from text.

use std::path::Path;

use tioga_base::{Diagnostics, FileId, Sources};
use tioga_model::{Formula, Model, Network, Objective};
use tioga_parse::{Format, Options, parse};

/// The network a text describes, or what is wrong with the text: a line for each complaint.
pub fn lower(format: Format, text: &str, options: &Options) -> Result<Network, String> {
    let mut diagnostics = Diagnostics::new();
    let document = parse(format, FileId(0), text, &mut diagnostics);
    let network =
        document.and_then(|document| tioga_parse::lower(&document, options, &mut diagnostics));
    network.ok_or_else(|| complaints(text, &diagnostics))
}

/// The diagnostics of a text, with the places they are about.
fn complaints(text: &str, diagnostics: &Diagnostics) -> String {
    let mut sources = Sources::new();
    let file = sources.add("text", text);
    let source = sources.get(file).expect("the text was just added");
    let line = |diagnostic: &tioga_base::Diagnostic| {
        let place = diagnostic.primary.as_ref().map(|label| {
            let (line, column) = source.line_column(label.span.range().start);
            format!("{line}:{column} `{}`: ", sources.slice(label.span))
        });
        let place = place.unwrap_or_default();
        format!("{place}{}: {}\n", diagnostic.code, diagnostic.message)
    };
    diagnostics.iter().map(line).collect()
}

fn expect_network(format: Format, text: &str) -> Network {
    let lowered = lower(format, text, &Options::default());
    lowered.unwrap_or_else(|complaints| panic!("{complaints}\n{text}"))
}

fn validated(network: Network, text: &str) -> Model {
    let checked = network.validate();
    checked.unwrap_or_else(|wrong| panic!("{}\n{text}", complaints(text, &wrong)))
}

/// The network that a text in Tioga's language describes.
pub fn network(text: &str) -> Network {
    expect_network(Format::Tioga, text)
}

/// The network that a text in some format describes.
pub fn network_in(format: Format, text: &str) -> Network {
    expect_network(format, text)
}

/// The model that a text in Tioga's language describes.
pub fn model(text: &str) -> Model {
    model_in(Format::Tioga, text)
}

/// The model that a text in some format describes.
pub fn model_in(format: Format, text: &str) -> Model {
    validated(expect_network(format, text), text)
}

/// The model in a file; nothing if it is no model by its name.
pub fn model_file(path: &Path) -> Option<Model> {
    let format = Format::from_file_name(path.to_str()?)?;
    let text = crate::places::text(path);
    let lowered = lower(format, &text, &Options::default());
    let network = lowered.unwrap_or_else(|wrong| panic!("{}:\n{wrong}", path.display()));
    Some(validated(network, &text))
}

/// The objectives of the control queries of a model in order, without repetitions.
pub fn objectives(model: &Model) -> Vec<Objective> {
    let mut objectives = Vec::new();
    for query in &model.queries {
        if let Formula::Control(objective) | Formula::Cooperative(objective) = &query.formula
            && !objectives.contains(objective)
        {
            objectives.push(objective.clone());
        }
    }
    objectives
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_names_its_place() {
        let wrong = lower(
            Format::Tioga,
            "automaton A {\n  init location L; M -> L; }",
            &Options::default(),
        );
        let complaints = wrong.expect_err("there is no M");
        assert!(complaints.starts_with("2:20 `M`: unknown-"), "{complaints}");
    }
}
