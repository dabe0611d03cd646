//! A network that was made from another one, written into the document of that one.
//!
//! Only what changed is written anew: a condition, an update, an edge. Everything else stays as its
//! author wrote it, with comments. A process that shares its template with others gets a copy of its own.

mod edges;
mod locations;
mod template;

use std::collections::BTreeMap;

use tioga_base::{Diagnostics, Rational, Span};
use tioga_model::{Home, Network, Process, ProcessId, Type};

use super::arrays::rows;
use super::names::Taken;
use super::naming::{clock_rows, own};
use super::refused::{Raised, Refused};
use super::same::difference;
use super::view::{Called, Root, View};
use crate::syntax::{Comment, Dialect, Document, Item, Template, TemplateItem, TemplateKind};
use crate::{Options, declare_interface, lower};

/// The document of a network, changed into one of another network, with comments at its top. It
/// declares the interface of the system under test and can be printed in our own language.
///
/// Pre: `original` was lowered from the document. The other network has the same declarations; its
/// expressions begin with those of the original, and further locations and edges follow after those
/// of the original. These edges leave further locations or have no place in the text.
///
/// # Errors
/// What cannot be written into the document, or if the result would mean something else.
pub fn rewrite(
    document: &Document,
    original: &Network,
    changed: &Network,
    comments: &[String],
) -> Result<Document, Diagnostics> {
    let mut written = rewritten(document, original, changed).map_err(Refused::diagnostics)?;
    let lines = comments.iter().flat_map(|text| text.lines()).map(|line| Comment {
        text: format!("// {line}"),
        span: Span::default(),
        trailing: false,
    });
    written.comments.splice(0..0, lines.collect::<Vec<_>>());
    let written = declare_interface(&written, original)?;
    check(&written, changed)?;
    Ok(written)
}

/// The document without queries and purposes, and without the comments on them.
pub fn without_goals(document: &Document) -> Document {
    let mut document = document.clone();
    let is_goal = |item: &Item| match item {
        Item::Query(_) => true,
        Item::Template(template) => template.kind == TemplateKind::Purpose,
        _ => false,
    };
    // A comment stands before what it is about, or follows it on its line.
    let place = |comment: &Comment, item: &Item| match comment.trailing {
        true => item.span().start > comment.span.start,
        false => item.span().end > comment.span.start,
    };
    let items = &document.items;
    document.comments.retain(|comment| {
        let next = items.iter().position(|item| place(comment, item)).unwrap_or(items.len());
        let about = if comment.trailing { next.checked_sub(1) } else { Some(next) };
        !about.and_then(|about| items.get(about)).is_some_and(is_goal)
    });
    document.items.retain(|item| !is_goal(item));
    document
}

fn rewritten(document: &Document, original: &Network, changed: &Network) -> Raised<Document> {
    comparable(original, changed)?;
    let mut written = document.clone();
    let mut users: BTreeMap<Span, usize> = BTreeMap::new();
    for process in &original.processes {
        *users.entry(process.span).or_default() += 1;
    }
    for (id, process) in changed.processes.iter_ids() {
        let before = &original.processes[id];
        if (&before.locations, &before.edges) == (&process.locations, &process.edges) {
            continue;
        }
        let place = format!("process `{}`", process.name);
        let template = template::own(&mut written, original, id, &mut users);
        let template = template.map_err(|refused| refused.within(&place))?;
        let view = view(changed, id, document, template);
        let mut writer = Writer { view, document, before, process, template };
        let done = writer.locations().and_then(|()| writer.edges());
        done.map_err(|refused| refused.within(&place))?;
    }
    Ok(written)
}

/// Writes the changes of one process into its template.
struct Writer<'w> {
    view: View<'w>,
    /// The document as it was.
    document: &'w Document,
    before: &'w Process,
    process: &'w Process,
    template: &'w mut Template,
}

/// Refuses changes other than those of locations and edges.
fn comparable(original: &Network, changed: &Network) -> Raised<()> {
    let same = (&original.clocks, &original.variables, &original.slots, &original.channels)
        == (&changed.clocks, &changed.variables, &changed.slots, &changed.channels)
        && (&original.actions, &original.syncs, original.scale, original.time_unit)
            == (&changed.actions, &changed.syncs, changed.scale, changed.time_unit)
        && original.code.functions == changed.code.functions
        && original.code.tables == changed.code.tables
        && original.processes.len() == changed.processes.len();
    let nodes = (original.code.nodes.as_slice(), changed.code.nodes.as_slice());
    if !same || !nodes.1.starts_with(nodes.0) {
        return Err(Refused::new("more than locations and edges changed"));
    }
    for (one, other) in original.processes.iter().zip(&changed.processes) {
        let head = |process: &Process| (process.name.clone(), process.role, process.initial);
        if head(one) != head(other) || one.locations.len() > other.locations.len() {
            let message = format!("more than locations and edges of `{}` changed", one.name);
            return Err(Refused::new(message));
        }
    }
    Ok(())
}

/// The names of a network as the template of a process sees them.
fn view<'n>(
    network: &'n Network,
    id: ProcessId,
    document: &Document,
    template: &Template,
) -> View<'n> {
    let process = &network.processes[id].name;
    let called = |full: &str, owner: Option<ProcessId>| {
        let home = owner.map_or(Home::Global, Home::Process);
        let name = if owner == Some(id) { own(full, process) } else { full };
        Called { home, name: name.to_owned() }
    };
    let clocks = clock_rows(&network.clocks);
    let clock_names = clocks.iter().map(|row| {
        let owner = network.clocks.as_slice()[row.first].owner;
        called(&row.base, owner)
    });
    let clock_names = clock_names.collect();
    // A channel does not say whose it is, but its name does.
    let channels = rows(network.channels.iter().map(|channel| (channel.name.as_str(), ())));
    let channel_names = channels.iter().map(|row| {
        let mut processes = network.processes.iter_ids();
        let owner = processes.find(|(_, process)| own(&row.base, &process.name) != row.base);
        called(&row.base, owner.map(|(id, _)| id))
    });
    let channel_names = channel_names.collect();
    let roots = network.variables.iter().map(|variable| Root {
        called: called(&variable.name, variable.owner),
        first: variable.first_slot,
        ty: variable.ty.clone(),
    });
    let mut taken = Taken::default();
    let inside = template.items.iter().filter_map(|item| match item {
        TemplateItem::Declaration(declaration) => Some(declaration),
        _ => None,
    });
    for name in document.declarations().chain(inside).flat_map(|one| one.names()) {
        taken.reserve(&name.text);
    }
    template.params.iter().for_each(|parameter| taken.reserve(&parameter.name.text));
    let names = |process: &Process| process.locations.iter().map(|l| l.name.clone()).collect();
    View {
        network,
        here: Home::Process(id),
        observes: false,
        clocks,
        clock_names,
        channels,
        channel_names,
        roots: roots.collect(),
        tables: network.code.tables.iter().map(|table| table.name.clone()).collect(),
        actions: network.actions.iter().map(|action| action.name.clone()).collect(),
        functions: network.code.functions.iter().map(|one| one.name.clone()).collect(),
        processes: network.processes.iter().map(|process| process.name.clone()).collect(),
        locations: network.processes.iter().map(names).collect(),
        frame: Vec::new(),
        frame_read: false,
        slots_read: Vec::new(),
        own: tioga_base::Id::index(id),
        taken,
    }
}

/// Whether the document means the network, apart from its goals.
fn check(document: &Document, network: &Network) -> Result<(), Diagnostics> {
    let mut document = without_goals(document);
    // What is declared now is not found out again.
    document.dialect = Dialect::Tioga;
    let mut expected = network.clone();
    expected.purposes.clear();
    expected.queries.clear();
    let options = Options { parameters: parameters(network), ..Options::default() };
    let mut diagnostics = Diagnostics::new();
    let Some(found) = lower(&document, &options, &mut diagnostics) else {
        return Err(diagnostics);
    };
    match difference(&expected, &found) {
        None => Ok(()),
        Some(what) => {
            let message = format!("the text would not mean the same: {what}");
            Err(Refused::new(message).diagnostics())
        }
    }
}

/// The values of symbolic constants.
fn parameters(network: &Network) -> Vec<(String, Rational)> {
    let symbolic = network.variables.iter().filter(|variable| variable.symbolic);
    let values = symbolic.filter_map(|variable| {
        let first = variable.first_slot as usize;
        let value = network.slots.get(first)?.initial;
        let value = match variable.ty {
            Type::Rational => Rational::new(value, network.slots.get(first + 1)?.initial).ok()?,
            _ if variable.ty.is_scalar_value() => Rational::integer(value),
            _ => return None,
        };
        Some((variable.name.clone(), value))
    });
    values.collect()
}
