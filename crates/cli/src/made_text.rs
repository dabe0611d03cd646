//! A document that was made, and not read from a file, in every language and as a picture.

use tioga_base::{Diagnostic, Diagnostics};
use tioga_model::Model;
use tioga_parse::syntax::Document;
use tioga_parse::{Options, lower, tchecker, tioga, uppaal};
use tioga_report::picture;

use crate::exit::Stop;
use crate::format::TargetFormat;
use crate::output::Session;

/// The text of a document in our own language.
pub fn text(
    session: &mut Session,
    document: &Document,
    target: TargetFormat,
) -> Result<String, Stop> {
    let printed = match target {
        TargetFormat::Tioga => tioga::print(document),
        TargetFormat::Xml => uppaal::print_xml(document),
        TargetFormat::Xta => uppaal::print_xta(document),
        TargetFormat::Tck => meaning(document).and_then(|model| tchecker::print(&model)),
        TargetFormat::Dot => Ok(picture::dot(document)),
        TargetFormat::Svg => Ok(picture::svg(document)),
    };
    printed.map_err(|diagnostics| {
        // There is no text that a place could be shown in.
        for diagnostic in &diagnostics {
            let mut plain = diagnostic.clone();
            (plain.primary, plain.fix) = (None, None);
            plain.secondary.clear();
            session.diagnostics.push(plain);
        }
        Stop::Diagnosed
    })
}

fn meaning(document: &Document) -> Result<Model, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let network = lower(document, &Options::default(), &mut diagnostics);
    network.ok_or(diagnostics)?.validate()
}

/// Why a document could not be made, as one sentence.
pub fn reason(refused: &Diagnostics) -> String {
    let one = |one: &Diagnostic| {
        let parts = std::iter::once(&one.message).chain(&one.notes);
        parts.map(String::as_str).collect::<Vec<_>>().join(", ")
    };
    refused.iter().next().map_or_else(String::new, one)
}
