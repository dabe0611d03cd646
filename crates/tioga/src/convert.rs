//! Models in other languages, and as pictures.

use std::path::Path;

use tioga_base::{Diagnostic, Diagnostics, ModelFormat};
use tioga_model::{Model, Network};
use tioga_parse::raise::{raise, rewrite, without_goals};
use tioga_parse::syntax::{Document, Formula, Item};
use tioga_parse::{Options, declare_interface, lower, tchecker, tioga, uppaal};
use tioga_report::picture;
use tioga_testcase::TestCase;

use crate::{Failure, Loaded, tester};

/// The output formats of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TargetFormat {
    /// A text in this language.
    Model(ModelFormat),
    /// A picture as GraphViz source.
    Dot,
    /// A picture as SVG.
    Svg,
}

impl TargetFormat {
    /// The format a file of this name should get.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "dot" | "gv" => Some(Self::Dot),
            "svg" => Some(Self::Svg),
            _ => ModelFormat::from_file_name(path.file_name()?.to_str()?).map(Self::Model),
        }
    }
}

/// A picture of a document; it need not be a valid model.
pub fn drawn(document: &Document, svg: bool) -> Result<String, Failure> {
    let graphs = picture::graphs(document);
    if svg { picture_text(&graphs) } else { Ok(picture::draw_dot(&graphs)) }
}

/// Graphs as a picture.
///
/// # Errors
/// If they are too large.
pub fn picture_text(graphs: &[picture::Graph]) -> Result<String, Failure> {
    match picture::refused(graphs) {
        Some(reason) => {
            let diagnostic = Diagnostic::global("too-large", reason);
            Err(Failure::limit(diagnostic.note("GraphViz source has no such limit")))
        }
        None => Ok(picture::draw(graphs)),
    }
}

/// A document with its model in another form. A text is only made from a valid model, so that it can be
/// read again; inexpressible constructs are a failure.
pub fn converted(
    document: &Document,
    model: &Model,
    target: TargetFormat,
) -> Result<String, Failure> {
    let text: Result<String, Diagnostics> = match target {
        TargetFormat::Dot => return drawn(document, false),
        TargetFormat::Svg => return drawn(document, true),
        TargetFormat::Model(ModelFormat::Tioga) => {
            declare_interface(document, model).and_then(|document| tioga::print(&document))
        }
        TargetFormat::Model(ModelFormat::UppaalXml) => uppaal::print_xml(document),
        TargetFormat::Model(ModelFormat::Xta) => uppaal::print_xta(document),
        TargetFormat::Model(ModelFormat::Tchecker) => tchecker::print(model),
        TargetFormat::Model(ModelFormat::Xlia) => return Err(not_written()),
    };
    text.map_err(Failure::from)
}

/// A generated document in our own language, in another form.
pub fn made(document: &Document, target: TargetFormat) -> Result<String, Failure> {
    let printed = match target {
        TargetFormat::Dot => return drawn(document, false),
        TargetFormat::Svg => return drawn(document, true),
        TargetFormat::Model(ModelFormat::Tioga) => tioga::print(document),
        TargetFormat::Model(ModelFormat::UppaalXml) => uppaal::print_xml(document),
        TargetFormat::Model(ModelFormat::Xta) => uppaal::print_xta(document),
        TargetFormat::Model(ModelFormat::Tchecker) => {
            meaning(document).and_then(|model| tchecker::print(&model))
        }
        TargetFormat::Model(ModelFormat::Xlia) => return Err(not_written()),
    };
    printed.map_err(|diagnostics| {
        // There is no text that a place could be shown in.
        let mut plain = Diagnostics::new();
        for diagnostic in &diagnostics {
            let mut one = diagnostic.clone();
            (one.primary, one.fix) = (None, None);
            one.secondary.clear();
            plain.push(one);
        }
        plain.into()
    })
}

fn not_written() -> Failure {
    let message = "models are not written in SPTG's language";
    Diagnostic::global("inexpressible", message).into()
}

fn meaning(document: &Document) -> Result<Model, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let network = lower(document, &Options::default(), &mut diagnostics);
    network.ok_or(diagnostics)?.validate()
}

/// The tester of a test case as a model, in the form asked for; a picture shows the places of the test case.
pub fn tester_text(case: &TestCase, target: TargetFormat) -> Result<String, Failure> {
    if case.is_online() {
        let message = format!("`{}` follows the model, so there is no tester to write", case.name);
        return Err(Diagnostic::global("unsupported", message).into());
    }
    match target {
        TargetFormat::Dot => return Ok(picture::draw_dot(&[picture::case(case)])),
        TargetFormat::Svg => return picture_text(&[picture::case(case)]),
        TargetFormat::Model(_) => {}
    }
    let document = tester::document(case)
        .map_err(|error| Diagnostic::global("unsupported", error.to_string()))?;
    made(&document, target)
}

/// A network that was made from a model, opened by these comment lines, in the form asked for.
pub fn network_text(
    network: &Network,
    comments: &[String],
    target: TargetFormat,
) -> Result<String, Failure> {
    let document = raise(network, comments).map_err(|refused| {
        let diagnostic = Diagnostic::global("raise", "the result cannot be written");
        Failure::internal(diagnostic.note(reason(&refused)))
    })?;
    made(&document, target)
}

/// A changed model as text of our own language, unchanged except for the change, or why it cannot be
/// written. A mutant stands for a system, so queries and purposes are left out.
pub fn rewritten(
    loaded: &Loaded,
    changed: &Network,
    comments: &[String],
) -> Result<String, String> {
    let document = without_goals(&loaded.document);
    rewrite(&document, &loaded.model, changed, comments)
        .and_then(|document| tioga::print(&document))
        .map_err(|refused| reason(&refused))
}

/// Why a document could not be made, as one sentence.
fn reason(refused: &Diagnostics) -> String {
    let one = |one: &Diagnostic| {
        let parts = std::iter::once(&one.message).chain(&one.notes);
        parts.map(String::as_str).collect::<Vec<_>>().join(", ")
    };
    refused.iter().next().map_or_else(String::new, one)
}

/// The document of a model without the queries that were not understood; warnings name these.
pub fn understood(loaded: &Loaded) -> Document {
    let mut document = loaded.document.clone();
    document.items.retain(|item| match item {
        Item::Query(query) => {
            let known = loaded.model.queries.iter().any(|kept| kept.span == query.span);
            known || matches!(query.formula, Formula::Other(_))
        }
        _ => true,
    });
    document
}

/// The format that the name of a file asks for.
pub fn target_of(path: &Path) -> Result<TargetFormat, Failure> {
    TargetFormat::of_path(path).ok_or_else(|| {
        let message = format!("the name `{}` does not say what to write", path.display());
        let note = "known extensions are .tioga, .xml, .xta, .tck, .dot and .svg";
        Diagnostic::global("unknown-format", message).note(note).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_decide_in_any_case() {
        let target = |name: &str| TargetFormat::of_path(Path::new(name));
        assert_eq!(target("light.gv"), Some(TargetFormat::Dot));
        assert_eq!(target("LIGHT.tck"), Some(TargetFormat::Model(ModelFormat::Tchecker)));
        assert_eq!(target("light.png"), None);
    }
}
