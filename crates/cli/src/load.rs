//! From an argument to a model: read, parse, lower, validate. What each stage has to say goes into
//! the session; warnings do not stop the way.

use std::path::Path;

use tioga_base::{Diagnostic, Rational, closest};
use tioga_model::{Bound, Clock, Constraint, Formula, Model, Objective, Predicate};
use tioga_parse::clike::Origin;
use tioga_parse::query::{parse_formula, parse_query_file, print_formula};
use tioga_parse::syntax::{Dialect, Document, Item, Query};
use tioga_parse::{Format, Options, lower, parse};

use crate::args::{LoadArgs, ModelArgs};
use crate::exit::Stop;
use crate::format::ModelFormat;
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

/// Reads the model named by the arguments of a command and adds queries given there.
pub fn asked(session: &mut Session, args: &ModelArgs, queries: &[String]) -> Result<Loaded, Stop> {
    with_queries(session, &args.model, &args.load, queries)
}

/// The product of a model with the purpose of this name; a warning-free model stays one.
pub fn with_purpose(session: &mut Session, model: Model, name: &str) -> Result<Model, Stop> {
    let network = model.into_network();
    let names: Vec<&str> = network.purposes.iter().map(|one| one.process.name.as_str()).collect();
    let Some(position) = names.iter().position(|own| *own == name) else {
        let diagnostic =
            Diagnostic::global("unknown-purpose", format!("there is no purpose `{name}`"));
        let help = match (closest(name, names.iter().copied()), &names[..]) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, []) => "the model has no purposes".to_owned(),
            (None, names) => format!("the model has {}", names.join(", ")),
        };
        return Err(session.stop(diagnostic.help(help)));
    };
    let product = network.observed_by(position);
    let product =
        product.map_err(|reason| session.stop(Diagnostic::global("wrong-purpose", reason)))?;
    product.validate().map_err(|diagnostics| {
        session.diagnostics.append(diagnostics);
        Stop::Diagnosed
    })
}

/// Reads a model as [`asked`] does; then every objective must be reached before so much time has
/// passed, which a clock of its own measures.
pub fn asked_within(
    session: &mut Session,
    args: &ModelArgs,
    queries: &[String],
    time: Option<Rational>,
) -> Result<Loaded, Stop> {
    let loaded = asked(session, args, queries)?;
    let Some(time) = time else { return Ok(loaded) };
    let Loaded { document, model } = loaded;
    let bound = time.mul(Rational::integer(model.scale)).ok().and_then(Rational::to_integer);
    let Some(bound) = bound else {
        let message = format!("the time {time} is not a multiple of the model's finest unit");
        let unit = format!("clock constants are multiples of 1/{}", model.scale);
        return Err(session.stop(Diagnostic::global("bad-time", message).note(unit)));
    };
    let mut network = model.into_network();
    network.purposes.clear();
    let name = "elapsed".to_owned();
    let clock = network.clocks.push(Clock { name, owner: None });
    let constraint = Constraint {
        left: Some(clock.into()),
        right: None,
        strict: false,
        bound: Bound::Constant(bound),
    };
    for query in &mut network.queries {
        let (Formula::Control(objective) | Formula::Cooperative(objective)) = &mut query.formula
        else {
            continue;
        };
        let (Objective::Reach(goal) | Objective::Until(_, goal)) = objective else { continue };
        if let Predicate::Holds(condition) = goal {
            condition.disjuncts.iter_mut().for_each(|one| one.clocks.push(constraint.clone()));
        }
    }
    match network.validate() {
        Ok(model) => Ok(Loaded { document, model }),
        Err(diagnostics) => {
            session.diagnostics.append(diagnostics);
            Err(Stop::Diagnosed)
        }
    }
}

/// Reads the model an argument names.
pub fn named(session: &mut Session, argument: &str, args: &LoadArgs) -> Result<Loaded, Stop> {
    with_queries(session, argument, args, &[])
}

fn with_queries(
    session: &mut Session,
    argument: &str,
    args: &LoadArgs,
    queries: &[String],
) -> Result<Loaded, Stop> {
    let text = input::read_model(session, argument, args.from)?;
    from_text(session, &text, argument, args, queries)
}

/// The model that a journal keeps, with queries.
pub fn kept(
    session: &mut Session,
    kept: &tioga_execute::ModelText,
    args: &LoadArgs,
    queries: &[String],
) -> Result<Loaded, Stop> {
    let Some(format) = args.from.or_else(|| ModelFormat::of_path(Path::new(&kept.name))) else {
        let message = format!("the name `{}` does not say what format the model has", kept.name);
        return Err(session.stop(Diagnostic::global("unknown-format", message)));
    };
    let file = session.sources.add(kept.name.as_str(), kept.contents.as_str());
    let text = ModelText { file, format, path: None };
    from_text(session, &text, &kept.name, args, queries)
}

fn from_text(
    session: &mut Session,
    text: &ModelText,
    argument: &str,
    args: &LoadArgs,
    queries: &[String],
) -> Result<Loaded, Stop> {
    let mut document = document(session, text, args)?;
    for query in queries {
        let file = session.sources.add("query", query.as_str());
        let origin = Origin::whole(file);
        let formula = parse_formula(query, &origin, document.dialect, &mut session.diagnostics);
        let span = origin.span(0, query.len());
        document.items.push(Item::Query(Query { formula, comment: None, span }));
    }
    if session.diagnostics.has_errors() {
        return Err(Stop::Diagnosed);
    }
    let known = |model: &Model| {
        let files: Vec<_> = model.queries.iter().map(|query| query.span).collect();
        document.items.iter().rev().take(queries.len()).all(|item| files.contains(&item.span()))
    };
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
        Ok(model) if known(&model) => Ok(Loaded { document, model }),
        // In a foreign dialect a wrong query is only a warning, but these were asked for.
        Ok(_) => {
            let message = "a query on the command line cannot be answered";
            Err(session.stop(Diagnostic::global("wrong-query", message)))
        }
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

/// A query as it was written; empty if it was not, but made.
pub fn query_text(document: &Document, query: &tioga_model::Query) -> String {
    let written = document.queries().find(|written| written.span == query.span);
    written.map_or_else(String::new, |written| print_formula(&written.formula, Dialect::Tioga))
}

/// What a model is called that does not say its name: the file without folder and extension.
fn name(argument: &str) -> Option<String> {
    let path = argument.strip_prefix('@').unwrap_or(argument);
    let stem = Path::new(path).file_stem()?.to_str()?;
    (stem != "-").then(|| stem.to_owned())
}
