//! Models in other languages, and as pictures.

use std::path::Path;

use tioga_base::{Diagnostic, Diagnostics, ModelFormat};
use tioga_model::Model;
use tioga_parse::syntax::{Document, Formula, Item};
use tioga_parse::{declare_interface, tchecker, tioga, uppaal};
use tioga_report::picture;

use crate::{Failure, Loaded};

/// What a model can be written as.
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

/// A picture of what a file says; it need not be a valid model.
pub fn drawn(document: &Document, svg: bool) -> String {
    if svg { picture::svg(document) } else { picture::dot(document) }
}

/// A document with its model in another form. A text is only made from a valid model, so that it can be
/// read again; what the language cannot say is a failure.
pub fn converted(
    document: &Document,
    model: &Model,
    target: TargetFormat,
) -> Result<String, Failure> {
    let text: Result<String, Diagnostics> = match target {
        TargetFormat::Dot => return Ok(drawn(document, false)),
        TargetFormat::Svg => return Ok(drawn(document, true)),
        TargetFormat::Model(ModelFormat::Tioga) => {
            declare_interface(document, model).and_then(|document| tioga::print(&document))
        }
        TargetFormat::Model(ModelFormat::UppaalXml) => uppaal::print_xml(document),
        TargetFormat::Model(ModelFormat::Xta) => uppaal::print_xta(document),
        TargetFormat::Model(ModelFormat::Tchecker) => tchecker::print(model),
    };
    text.map_err(Failure::from)
}

/// The document of a model without queries that could not be understood, of which there were warnings.
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
