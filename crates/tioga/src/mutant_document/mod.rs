//! A mutant as `.tioga` text: the text of the model with the changed edge or location, so that data,
//! functions and templates stay as they were written.
//!
//! A process that shares its template with others gets a copy of its own. Queries and purposes are
//! left out: a mutant stands for a system.

mod share;
mod writer;

use tioga_base::{Diagnostics, FileId, Rational, Sources, Span};
use tioga_model::{Model, Network, ProcessId};
use tioga_mutate::{Change, Mutant};
use tioga_parse::syntax::{Comment, Document, Item, TemplateKind};
use tioga_parse::{Format, Options, declare_interface, lower, parse, tioga};

use self::share::own_template;
use self::writer::Writer;
use crate::Failure;

/// The model as text of our own language, without queries and purposes, read again.
pub fn own_text(
    texts: &mut Sources,
    document: &Document,
    model: &Model,
    parameters: Vec<(String, Rational)>,
) -> Result<(Document, Model), Failure> {
    let mut document = document.clone();
    leave_out_goals(&mut document);
    let text = declare_interface(&document, model).and_then(|document| tioga::print(&document))?;
    let file = texts.add("model", text.as_str());
    let options = Options { parameters, name: Some(model.name.clone()), ..Options::default() };
    let mut diagnostics = Diagnostics::new();
    let read = parse(Format::Tioga, file, &text, &mut diagnostics).and_then(|document| {
        let network = lower(&document, &options, &mut diagnostics)?;
        Some((document, network.validate().ok()?))
    });
    read.ok_or_else(|| diagnostics.into())
}

/// Removes queries and purposes, with the comments on them.
fn leave_out_goals(document: &mut Document) {
    let is_goal = |item: &Item| match item {
        Item::Query(_) => true,
        Item::Template(template) => template.kind == TemplateKind::Purpose,
        _ => false,
    };
    let mut before = 0;
    let mut gone: Vec<(u32, u32)> = Vec::new();
    for item in &document.items {
        let span = item.span();
        if is_goal(item) {
            gone.push((before, span.end));
        }
        before = span.end;
    }
    document.comments.retain(|comment| {
        let inside = |(start, end): &(u32, u32)| {
            (*start..*end).contains(&comment.span.start) && !comment.trailing
        };
        !gone.iter().any(inside)
    });
    document.items.retain(|item| !is_goal(item));
}

/// The text of a mutant; `network` is what it makes of the model, perhaps completed. If it cannot be written, the reason.
pub fn text(
    document: &Document,
    model: &Model,
    mutant: &Mutant,
    network: &Network,
) -> Result<String, String> {
    let mut changed = document.clone();
    for (id, process) in network.processes.iter_ids() {
        let missing = id == mutant.process && matches!(mutant.change, Change::Missing(_));
        let kept = model.processes[id].edges.len() - usize::from(missing);
        let added = &process.edges.as_slice()[kept..];
        let locations = &process.locations.as_slice()[model.processes[id].locations.len()..];
        if id != mutant.process && added.is_empty() {
            continue;
        }
        let template = own_template(&mut changed, model, id)?;
        let mut writer = Writer { model, network, process: id, template };
        if id == mutant.process {
            writer.change(&mutant.change)?;
        }
        for location in locations {
            writer.add_location(&location.name);
        }
        for edge in added {
            writer.add(edge)?;
        }
    }
    let text = format!("// {}\n// {}", mutant.id, mutant.description);
    let comments = text.lines().map(|line| Comment {
        text: line.to_owned(),
        span: Span::default(),
        trailing: false,
    });
    changed.comments.splice(0..0, comments);
    let text = tioga::print(&changed).map_err(|diagnostics| first(&diagnostics))?;
    check(&text, network, unrolled(model, mutant))?;
    Ok(text)
}

/// The process of a changed edge that was written together with others by a choice. They are written
/// with a condition that is never true for the changed one, so one edge more is read.
fn unrolled(model: &Model, mutant: &Mutant) -> Option<ProcessId> {
    let (Change::Edge(edge, _) | Change::Missing(edge) | Change::Sink(edge)) = &mutant.change
    else {
        return None;
    };
    let choices = &model.processes[mutant.process].edges[*edge].choices;
    (!choices.is_empty()).then_some(mutant.process)
}

/// Whether the text can be read again and has as much in it as the network.
fn check(text: &str, network: &Network, unrolled: Option<ProcessId>) -> Result<(), String> {
    let mut diagnostics = Diagnostics::new();
    let document = parse(Format::Tioga, FileId(0), text, &mut diagnostics);
    let read =
        document.and_then(|document| lower(&document, &Options::default(), &mut diagnostics));
    let read = read.ok_or_else(|| first(&diagnostics))?;
    let size = |network: &Network, more: Option<ProcessId>| -> Vec<(usize, usize)> {
        let processes = network.processes.iter_ids();
        let size = processes.map(|(id, process)| {
            (process.locations.len(), process.edges.len() + usize::from(more == Some(id)))
        });
        size.collect()
    };
    if size(&read, None) == size(network, unrolled) {
        Ok(())
    } else {
        Err("the text would not mean the same".to_owned())
    }
}

fn first(diagnostics: &Diagnostics) -> String {
    diagnostics.iter().next().map_or_else(String::new, |one| one.message.clone())
}
