//! `tioga convert`: a model in another language, or as a picture.

use serde_json::json;
use tioga_base::{Diagnostic, Diagnostics};
use tioga_model::Model;
use tioga_parse::syntax::{Document, Formula, Item};
use tioga_parse::{declare_interface, tchecker, tioga, uppaal};
use tioga_report::picture;

use crate::args::ConvertArgs;
use crate::exit::{Exit, Stop};
use crate::format::TargetFormat;
use crate::input;
use crate::load::{self, Loaded};
use crate::output::Session;

/// Runs the command.
pub fn run(args: &ConvertArgs, session: &mut Session) -> Result<Exit, Stop> {
    let by_name = || args.out.as_deref().and_then(TargetFormat::of_path);
    let Some(target) = args.to.or_else(by_name) else {
        let name = args.out.as_deref().map(|path| path.display().to_string()).unwrap_or_default();
        let message = format!("the name `{name}` does not say what to convert to");
        let diagnostic = Diagnostic::global("unknown-format", message)
            .note("known extensions are .tioga, .xml, .xta, .tck, .dot and .svg")
            .help("add `--to tioga`, `xml`, `xta`, `tck`, `dot` or `svg`");
        return Err(session.stop(diagnostic));
    };
    let text = match target {
        TargetFormat::Dot | TargetFormat::Svg => drawn(args, target, session)?,
        _ => printed(args, target, session)?,
    };
    match &args.out {
        Some(path) => {
            session.write_file(path, text.as_bytes())?;
            session.set_result(json!({ "written": path.display().to_string() }));
        }
        None => {
            session.print(&text)?;
            session.set_result(json!({ "text": text }));
        }
    }
    Ok(Exit::Success)
}

/// A picture shows what the file says, so the file need not be a valid model.
fn drawn(args: &ConvertArgs, target: TargetFormat, session: &mut Session) -> Result<String, Stop> {
    let text = input::read_model(session, &args.model.model, args.model.load.from)?;
    let document = load::document(session, &text, &args.model.load)?;
    Ok(match target {
        TargetFormat::Dot => picture::dot(&document),
        _ => picture::svg(&document),
    })
}

/// A text is only made from a valid model, so that it can be read again.
fn printed(
    args: &ConvertArgs,
    target: TargetFormat,
    session: &mut Session,
) -> Result<String, Stop> {
    let Loaded { document, model } = load::model(session, &args.model)?;
    written(session, document, &model, target)
}

/// The text or picture of a document that a model was made from.
pub fn written(
    session: &mut Session,
    mut document: Document,
    model: &Model,
    target: TargetFormat,
) -> Result<String, Stop> {
    // Queries that cannot be understood have been warned about.
    document.items.retain(|item| match item {
        Item::Query(query) => {
            let known = model.queries.iter().any(|kept| kept.span == query.span);
            known || matches!(query.formula, Formula::Other(_))
        }
        _ => true,
    });
    let text: Result<String, Diagnostics> = match target {
        TargetFormat::Tioga => {
            declare_interface(&document, model).and_then(|document| tioga::print(&document))
        }
        TargetFormat::Xml => uppaal::print_xml(&document),
        TargetFormat::Xta => uppaal::print_xta(&document),
        TargetFormat::Tck => tchecker::print(model),
        TargetFormat::Dot => Ok(picture::dot(&document)),
        TargetFormat::Svg => Ok(picture::svg(&document)),
    };
    text.map_err(|diagnostics| {
        session.diagnostics.append(diagnostics);
        Stop::Diagnosed
    })
}
