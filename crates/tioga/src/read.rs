//! From a source to a model: parse, lower, validate, once. Other models are made from this one: its
//! product with a purpose, or with a bound on the time.

use std::ops::RangeInclusive;

use tioga_base::{Diagnostic, Diagnostics, ModelFormat, Rational, Sources, closest, decimal};
use tioga_model::{
    Clock, ClockConstraint, Condition, Conjunct, Formula, Measured, Model, Network, Objective,
    Predicate, Query as ModelQuery, TimeBound,
};
use tioga_parse::clike::Origin;
use tioga_parse::query::{parse_formula, parse_query_file, print_formula};
use tioga_parse::syntax::{Dialect, Document, Formula as Written, Item, Query, TemplateKind};
use tioga_parse::tchecker::{self, Events};
use tioga_parse::{ChosenValues, Options, lower, parse, print_expr};
use tioga_testcase::{ModelSource, Suite};

use crate::Failure;
use crate::constants;
use crate::view::SharedView;

/// A model with its source and document.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The source it was read from.
    pub source: ModelSource,
    /// The document of the source.
    pub document: Document,
    /// The model.
    pub model: Model,
    /// The warnings.
    pub warnings: Diagnostics,
    /// The queries that were added, as text; they stand last.
    asked: Vec<String>,
    /// The initial conditions of symbolic constants, as questions whether they can hold.
    pub initially: Vec<ModelQuery>,
    /// What suits the model as a deterministic view, for all test cases that are made from it.
    pub(crate) view: SharedView,
}

impl Loaded {
    /// The model, or the other one if both were read from the same text: then places in the text are the same as well.
    pub fn model_or_same<'m>(&'m self, other: &'m Self) -> &'m Model {
        let read = |one: &'m Self| (&one.source.text, one.source.format, &one.source.options);
        if read(self) == read(other) { &other.model } else { &self.model }
    }

    /// The queries that were added when the model was read.
    pub fn asked(&self) -> &[ModelQuery] {
        let queries = &self.model.queries[..];
        &queries[queries.len().saturating_sub(self.asked.len())..]
    }

    /// The query that was added with this text.
    pub(crate) fn asked_as(&self, text: &str) -> Option<&ModelQuery> {
        let position = self.asked.iter().position(|asked| asked == text)?;
        self.asked().get(position)
    }

    /// A query as it was written; empty for a generated one.
    pub fn query_text(&self, query: &ModelQuery) -> String {
        let written = self.document.queries().find(|written| written.span == query.span);
        written.map_or_else(String::new, |written| print_formula(&written.formula, Dialect::Tioga))
    }

    /// The measured values of a query as written, and whether each is an amount of time.
    pub fn measured_texts(&self, query: &ModelQuery) -> Vec<(String, bool)> {
        let written = self.document.queries().find(|written| written.span == query.span);
        let Some(Written::Extent(_, _, texts)) = written.map(|written| &written.formula) else {
            return Vec::new();
        };
        let texts = texts.iter().map(|one| print_expr(one, Dialect::Tioga));
        let times = query.formula.measured().iter().map(|one| matches!(one, Measured::Time { .. }));
        texts.zip(times).collect()
    }
}

/// Reads a model, and adds queries to its own. This is the only way from a text to a model; the
/// text is kept in `texts`, where diagnostics point to.
///
/// Symbolic constants have their values: those of the source's options, or their defaults. One that has an initial
/// condition needs a value, and values have to satisfy the conditions.
pub fn read(
    source: ModelSource,
    queries: &[String],
    texts: &mut Sources,
) -> Result<Loaded, Failure> {
    let loaded = read_with(source, queries, ChosenValues::Enumerated, texts)?;
    constants::fixed(&loaded)?;
    Ok(loaded)
}

/// Reads a model as [`read`], but of values without end that the system chooses for outputs only some. What it does
/// with these values is what the model does.
pub(crate) fn read_within(
    source: ModelSource,
    values: RangeInclusive<i64>,
    texts: &mut Sources,
) -> Result<Loaded, Failure> {
    let loaded = read_with(source, &[], ChosenValues::Within(values), texts)?;
    constants::fixed(&loaded)?;
    Ok(loaded)
}

/// Reads a model in which symbolic constants need no values, and values that the system chooses for outputs stay
/// open: for symbolic testing.
pub fn read_open(
    source: ModelSource,
    queries: &[String],
    texts: &mut Sources,
) -> Result<Loaded, Failure> {
    read_with(source, queries, ChosenValues::Open, texts)
}

/// Reads the model of a suite: symbolic test cases need no values of constants.
pub fn read_of_suite(
    suite: &Suite,
    source: ModelSource,
    queries: &[String],
    texts: &mut Sources,
) -> Result<Loaded, Failure> {
    match suite.cases.iter().any(|case| case.symbolic.is_some()) {
        true => read_open(source, queries, texts),
        false => read(source, queries, texts),
    }
}

fn read_with(
    source: ModelSource,
    queries: &[String],
    chosen: ChosenValues,
    texts: &mut Sources,
) -> Result<Loaded, Failure> {
    let (document, mut warnings) = read_document(&source, texts)?;
    let written = document.clone();
    let mut document = document;
    let conditions = constants::conditions(&document);
    document.items.extend(conditions.iter().cloned().map(Item::Query));
    for query in queries {
        let file = texts.add("query", query.as_str());
        let origin = Origin::whole(file);
        let formula = parse_formula(query, &origin, document.dialect, &mut warnings);
        let span = origin.span(0, query.len());
        document.items.push(Item::Query(Query { formula, comment: None, span }));
    }
    if warnings.has_errors() {
        return Err(warnings.into());
    }
    let known = |model: &Model| {
        let files: Vec<_> = model.queries.iter().map(|query| query.span).collect();
        document.items.iter().rev().take(queries.len()).all(|item| files.contains(&item.span()))
    };
    let settings = source.options.settings.iter();
    // The reader of TChecker's files has used the names of events.
    let events = source.format == ModelFormat::Tchecker;
    let channels = |names: &[String]| if events { Vec::new() } else { names.to_vec() };
    let options = Options {
        environment: source.options.environment.clone(),
        inputs: channels(&source.options.input),
        outputs: channels(&source.options.output),
        internals: channels(&source.options.internal),
        closed: source.options.closed,
        parameters: settings.map(|(name, value)| (name.clone(), *value)).collect(),
        lenient: source.options.lenient,
        name: source.stem().map(str::to_owned),
        chosen,
    };
    let Some(mut network) = lower(&document, &options, &mut warnings) else {
        return Err(warnings.into());
    };
    let is_condition =
        |query: &ModelQuery| conditions.iter().any(|condition| condition.span == query.span);
    let all = std::mem::take(&mut network.queries);
    let (initially, others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_condition);
    network.queries = others;
    match validated(network) {
        Ok(model) if known(&model) => {
            // Queries on the command line belong to the document, conditions are there already.
            let mut document = document;
            document.items.drain(written.items.len()..written.items.len() + conditions.len());
            let (asked, view) = (queries.to_vec(), SharedView::default());
            Ok(Loaded { source, document, model, warnings, asked, initially, view })
        }
        // In a foreign dialect a wrong query is only a warning, but these were asked for.
        Ok(_) => {
            let message = "a query on the command line cannot be answered";
            Err(Failure::from(Diagnostic::global("wrong-query", message)).after(warnings))
        }
        Err(failure) => Err(failure.after(warnings)),
    }
}

/// The document of a source, and its diagnostics. It need not be a valid model.
pub fn read_document(
    source: &ModelSource,
    texts: &mut Sources,
) -> Result<(Document, Diagnostics), Failure> {
    let mut warnings = Diagnostics::new();
    let name = if source.name == "-" { "standard input" } else { source.name.as_str() };
    let file = texts.add(name, source.text.as_str());
    let parsed = match source.format {
        ModelFormat::Tchecker => {
            let options = &source.options;
            let events = Events {
                inputs: &options.input,
                outputs: &options.output,
                internals: &options.internal,
                lenient: options.lenient,
            };
            tchecker::parse_with(file, &source.text, &events, &mut warnings)
        }
        format => parse(format, file, &source.text, &mut warnings),
    };
    let Some(mut document) = parsed else {
        return Err(warnings.into());
    };
    if let Some(queries) = &source.options.queries {
        let file = texts.add(queries.name.as_str(), queries.text.as_str());
        let queries = parse_query_file(file, &queries.text, &mut warnings);
        document.items.extend(queries.into_iter().map(Item::Query));
    }
    if let Some(purposes) = &source.options.purposes {
        document.items.extend(further_purposes(purposes, texts, &mut warnings));
    }
    Ok((document, warnings))
}

/// The purposes of a text in the language of Tioga that contains nothing else; otherwise there is an error
/// among the diagnostics.
pub(crate) fn further_purposes(
    text: &str,
    texts: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Vec<Item> {
    let file = texts.add("purposes", text);
    let read = parse(ModelFormat::Tioga, file, text, diagnostics);
    let items = read.map_or_else(Vec::new, |document| document.items);
    let is_purpose = |item: &Item| match item {
        Item::Template(template) => template.kind == TemplateKind::Purpose,
        _ => false,
    };
    if let Some(other) = items.iter().find(|item| !is_purpose(item)) {
        let message = "only purposes can be added to a model";
        diagnostics.push(Diagnostic::error("not-a-purpose", other.span(), message));
    }
    items
}

/// A model, if a network is one.
pub(crate) fn validated(network: Network) -> Result<Model, Failure> {
    network.validate().map_err(Failure::from)
}

/// The product of a model with its purpose of this name.
pub fn with_purpose(model: &Model, name: &str) -> Result<Model, Failure> {
    validated(observed(model, name)?)
}

/// The same with final ends: what was reached or refused stays so.
pub(crate) fn with_final_purpose(model: &Model, name: &str) -> Result<Model, Failure> {
    validated(observed(model, name)?.with_final_ends())
}

fn observed(model: &Model, name: &str) -> Result<Network, Failure> {
    let names: Vec<&str> = model.purposes.iter().map(|one| one.process.name.as_str()).collect();
    let Some(position) = names.iter().position(|own| *own == name) else {
        let diagnostic =
            Diagnostic::global("unknown-purpose", format!("there is no purpose `{name}`"));
        let help = match (closest(name, names.iter().copied()), &names[..]) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, []) => "the model has no purposes".to_owned(),
            (None, names) => format!("the model has {}", names.join(", ")),
        };
        return Err(diagnostic.help(help).into());
    };
    let network: &Network = model;
    Ok(network.clone().observed_by(position).map_err(|wrong| *wrong)?)
}

/// The model with the objective that so much time passes.
pub fn walking(model: &Model, time: Rational) -> Result<Model, Failure> {
    let network: &Network = model;
    validated(network.clone().passing_time(scaled(model, time)?, format!("walk {time}")))
}

/// A time in the units of a model.
fn scaled(model: &Model, time: Rational) -> Result<i64, Failure> {
    let bound = time.mul(Rational::integer(model.scale)).ok().and_then(Rational::to_integer);
    bound.ok_or_else(|| {
        let message =
            format!("the time {} is not a multiple of the model's finest unit", decimal(time));
        let unit = format!("clock constants are multiples of 1/{}", model.scale);
        Diagnostic::global("bad-time", message).note(unit).into()
    })
}

/// The model with every objective to be reached before so much time has passed, which a clock of its
/// own measures.
pub fn within(model: &Model, time: Rational) -> Result<Model, Failure> {
    Ok(within_time(model, time)?.0)
}

/// The same, and where that time has not passed yet.
pub(crate) fn within_time(model: &Model, time: Rational) -> Result<(Model, Predicate), Failure> {
    let bound = scaled(model, time)?;
    let network: &Network = model;
    let mut network = network.clone();
    network.drop_purposes();
    let name = "elapsed".to_owned();
    let clock = network.clocks.push(Clock { name, owner: None });
    let constraint = ClockConstraint {
        left: Some(clock.into()),
        right: None,
        strict: false,
        bound: TimeBound::Constant(bound),
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
    let in_time = Conjunct { data: None, clocks: vec![constraint] };
    let in_time = Predicate::Holds(Condition { disjuncts: vec![in_time] });
    Ok((validated(network)?, in_time))
}
