//! From an argument to a model: read, parse, lower, validate. What each stage has to say goes into
//! the session; warnings do not stop the way.

use std::path::Path;

use tioga_model::Model;
use tioga_parse::query::parse_query_file;
use tioga_parse::syntax::{Document, Item};
use tioga_parse::{Format, Options, lower, parse};

use crate::args::{LoadArgs, ModelArgs};
use crate::exit::Stop;
use crate::input::{self, ModelText};
use crate::interface;
use crate::output::Session;

/// A model with the document it comes from.
#[derive(Debug)]
pub struct Loaded {
    /// What the file says.
    pub document: Document,
    /// What it means.
    pub model: Model,
}

/// Reads the model named by the arguments of a command.
pub fn model(session: &mut Session, args: &ModelArgs) -> Result<Loaded, Stop> {
    named(session, &args.model, &args.load)
}

/// Reads the model an argument names.
pub fn named(session: &mut Session, argument: &str, args: &LoadArgs) -> Result<Loaded, Stop> {
    let text = input::read_model(session, argument, args.from)?;
    let document = document(session, &text, args)?;
    let interface = interface::read(session, &args.interface, text.path.as_deref())?;
    let options = Options {
        environment: interface.environment.unwrap_or_default(),
        inputs: interface.input.unwrap_or_default(),
        outputs: interface.output.unwrap_or_default(),
        parameters: args.settings.iter().map(|one| (one.name.clone(), one.value)).collect(),
        name: name(argument),
    };
    let network = lower(&document, &options, &mut session.diagnostics).ok_or(Stop::Diagnosed)?;
    match network.validate() {
        Ok(model) => Ok(Loaded { document, model }),
        Err(diagnostics) => {
            session.diagnostics.append(diagnostics);
            Err(Stop::Diagnosed)
        }
    }
}

/// Parses a text that was read, and adds the queries of UPPAAL's query file: the one given, or the
/// one beside an UPPAAL model.
pub fn document(
    session: &mut Session,
    text: &ModelText,
    args: &LoadArgs,
) -> Result<Document, Stop> {
    let source = session.sources.get(text.file).map_or("", |source| source.text.as_str());
    let format = text.format.front_end();
    let mut document =
        parse(format, text.file, source, &mut session.diagnostics).ok_or(Stop::Diagnosed)?;
    let beside = || {
        let uppaal = matches!(format, Format::UppaalXml | Format::Xta);
        let path = text.path.as_ref().filter(|_| uppaal)?.with_extension("q");
        path.is_file().then_some(path)
    };
    if let Some(path) = args.queries.clone().or_else(beside) {
        let file = input::read_path(session, &path)?;
        let source = session.sources.get(file).map_or("", |source| source.text.as_str());
        let queries = parse_query_file(file, source, &mut session.diagnostics);
        document.items.extend(queries.into_iter().map(Item::Query));
    }
    Ok(document)
}

/// What a model is called that does not say its name: the file without folder and extension.
fn name(argument: &str) -> Option<String> {
    let path = argument.strip_prefix('@').unwrap_or(argument);
    let stem = Path::new(path).file_stem()?.to_str()?;
    (stem != "-").then(|| stem.to_owned())
}
