//! A mutant as `.tioga` text: the text of the model with the changed edge or location, so that data,
//! functions and templates stay as they were written.
//!
//! A process that shares its template with others gets a copy of its own. Queries and purposes are
//! left out: a mutant stands for a system.

use std::collections::BTreeMap;

use tioga_base::{Diagnostics, FileId, Span};
use tioga_model::{Edge, EdgeId, LocationId, Marks, Model, Network, ProcessId, Type};
use tioga_mutate::{Change, Mutant, Wording};
use tioga_parse::syntax::{
    ActionUse, Comment, Dialect, Document, EdgeDecl, Expr, ExprKind, Item, LocationDecl, Name,
    ProcessUse, Target, Template, TemplateItem, TemplateKind,
};
use tioga_parse::{Format, Options, declare_interface, lower, parse, tioga};

use crate::args::ModelArgs;
use crate::exit::Stop;
use crate::output::Session;

/// The model as text of our own language, without queries and purposes, read again.
pub fn own_text(
    session: &mut Session,
    document: &Document,
    model: &Model,
    args: &ModelArgs,
) -> Result<(Document, Model), Stop> {
    let mut document = document.clone();
    leave_out_goals(&mut document);
    let text = declare_interface(&document, model).and_then(|document| tioga::print(&document));
    let text = text.map_err(|diagnostics| {
        session.diagnostics.append(diagnostics);
        Stop::Diagnosed
    })?;
    let file = session.sources.add("model", text.as_str());
    let settings = args.load.settings.iter().map(|one| (one.name.clone(), one.value));
    let options = Options {
        parameters: settings.collect(),
        name: Some(model.name.clone()),
        ..Options::default()
    };
    let mut diagnostics = Diagnostics::new();
    let read = parse(Format::Tioga, file, &text, &mut diagnostics).and_then(|document| {
        let network = lower(&document, &options, &mut diagnostics)?;
        Some((document, network.validate().ok()?))
    });
    read.ok_or_else(|| {
        session.diagnostics.append(diagnostics);
        Stop::Diagnosed
    })
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

/// The template of a process that no other process uses; a copy if others do.
fn own_template<'d>(
    document: &'d mut Document,
    model: &Model,
    process: ProcessId,
) -> Result<&'d mut Template, String> {
    let span = model.processes[process].span;
    let users = model.processes.iter().filter(|other| other.span == span).count();
    let position = document.items.iter().position(|item| {
        matches!(item, Item::Template(template)
            if template.kind == TemplateKind::Automaton && template.span == span)
    });
    let position = position.ok_or("the process has no template")?;
    let position = if users == 1 { position } else { copied(document, model, process, position)? };
    match &mut document.items[position] {
        Item::Template(template) => Ok(template),
        _ => unreachable!("a template stands there"),
    }
}

/// Gives a process a copy of its template, and says where that is.
fn copied(
    document: &mut Document,
    model: &Model,
    process: ProcessId,
    position: usize,
) -> Result<usize, String> {
    let name = model.processes[process].name.clone();
    let Item::Template(template) = &document.items[position] else {
        unreachable!("a template stands there")
    };
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let mut copy = template.clone();
    copy.name.text = format!("{}_of_{}", copy.name.text, plain.trim_end_matches('_'));
    let (old, new) = (template.name.text.clone(), copy.name.text.clone());
    let instance = document.items.iter_mut().find_map(|item| match item {
        Item::Instance(instance) if instance.name.text == name => Some(instance),
        _ => None,
    });
    match instance {
        Some(instance) if instance.template.text == old => instance.template.text = new,
        Some(_) => return Err("the process is an instance of an instance".to_owned()),
        None => use_template(document, model, process, &old, new)?,
    }
    document.items.insert(position + 1, Item::Template(copy));
    Ok(position + 1)
}

/// Lets one process of the system line use another template.
fn use_template(
    document: &mut Document,
    model: &Model,
    process: ProcessId,
    old: &str,
    new: String,
) -> Result<(), String> {
    let mut open: BTreeMap<String, bool> = BTreeMap::new();
    for template in document.templates() {
        open.insert(template.name.text.clone(), !template.params.is_empty());
    }
    let system = document.items.iter_mut().find_map(|item| match item {
        Item::System(system) => Some(system),
        _ => None,
    });
    let system = system.ok_or("there is no system line")?;
    for line in [&mut system.system, &mut system.environment] {
        let mut uses = Vec::new();
        for one in line.drain(..) {
            if one.arguments.is_some() || open.get(&one.name.text) != Some(&true) {
                uses.push(one);
                continue;
            }
            // A bare name stands for a process for each value.
            let prefix = format!("{}(", one.name.text);
            for process in &model.processes {
                let Some(values) = process.name.strip_prefix(&prefix) else { continue };
                let values = values.trim_end_matches(')').split(',');
                let values: Result<Vec<Expr>, _> = values
                    .map(|value| Ok(Expr::new(ExprKind::Int(value.parse()?), one.span)))
                    .collect::<Result<_, std::num::ParseIntError>>();
                let values = values.map_err(|_| "a parameter is no whole number")?;
                uses.push(ProcessUse { arguments: Some(values), ..one.clone() });
            }
        }
        *line = uses;
    }
    // Every use is one process now, and they stand in the order of the network.
    let uses = system.system.iter_mut().chain(&mut system.environment);
    let used = uses.zip(model.processes.ids()).find(|(_, id)| *id == process);
    match used {
        Some((used, _)) if used.name.text == old => used.name.text = new,
        _ => return Err("the process is an instance of an instance".to_owned()),
    }
    Ok(())
}

/// Changes the template of one process.
struct Writer<'w> {
    model: &'w Model,
    network: &'w Network,
    process: ProcessId,
    template: &'w mut Template,
}

impl Writer<'_> {
    fn change(&mut self, change: &Change) -> Result<(), String> {
        match change {
            Change::Edge(id, edge) => self.edge(*id, Some(edge)),
            Change::Missing(id) => self.edge(*id, None),
            Change::Sink(id) => {
                let edge = self.network.processes[self.process].edges[*id].clone();
                self.edge(*id, Some(&edge))
            }
            Change::Invariant(id, invariant) => {
                let mut wording = Wording::new(self.network, self.process);
                let text = wording.condition(invariant);
                faithful(&wording)?;
                let invariant = if invariant.is_always() { None } else { Some(condition(&text)?) };
                self.invariant(*id, invariant)
            }
        }
    }

    fn location(&self, id: LocationId) -> String {
        self.network.processes[self.process].locations[id].name.clone()
    }

    /// Gives a location another invariant, and leaves those declared with it alone.
    fn invariant(&mut self, id: LocationId, invariant: Option<Expr>) -> Result<(), String> {
        let name = self.location(id);
        let place =
            self.template.items.iter().enumerate().find_map(|(position, item)| match item {
                TemplateItem::Locations(declared) => {
                    let at = declared.names.iter().position(|one| one.text == name)?;
                    Some((position, at, declared.clone()))
                }
                _ => None,
            });
        let (position, at, declared) = place.ok_or("the location is not declared")?;
        let part = |names: &[Name], invariant: &Option<Expr>| {
            let (names, invariant) = (names.to_vec(), invariant.clone());
            TemplateItem::Locations(LocationDecl { names, invariant, ..declared.clone() })
        };
        // The order of locations is kept: the others before, this one, the others after.
        let (before, after) = (&declared.names[..at], &declared.names[at + 1..]);
        let mut parts = Vec::new();
        if !before.is_empty() {
            parts.push(part(before, &declared.invariant));
        }
        parts.push(part(&declared.names[at..=at], &invariant));
        if !after.is_empty() {
            parts.push(part(after, &declared.invariant));
        }
        self.template.items.splice(position..=position, parts);
        Ok(())
    }

    /// Replaces an edge, or removes it; those written together with it stay.
    fn edge(&mut self, id: EdgeId, new: Option<&Edge>) -> Result<(), String> {
        let old = self.model.processes[self.process].edges[id].clone();
        let source = self.model.processes[self.process].locations[old.source].name.clone();
        let place =
            self.template.items.iter().enumerate().find_map(|(position, item)| match item {
                TemplateItem::Edge(edge) if edge.span == old.span => Some((position, edge.clone())),
                _ => None,
            });
        let (position, written) = place.ok_or("the edge is not written anywhere")?;
        let at = written.sources.iter().position(|one| one.text == source);
        let at = at.ok_or("the edge is not written anywhere")?;
        let part = |sources: &[Name]| {
            TemplateItem::Edge(Box::new(EdgeDecl {
                sources: sources.to_vec(),
                ..(*written).clone()
            }))
        };
        let mut parts = Vec::new();
        if at > 0 {
            parts.push(part(&written.sources[..at]));
        }
        if !old.choices.is_empty() {
            parts.push(self.other_choices(&old, &written, at)?);
        }
        if let Some(new) = new {
            let decl = self.rewritten(&old, new, &written)?;
            parts.push(TemplateItem::Edge(Box::new(decl)));
        }
        if at + 1 < written.sources.len() {
            parts.push(part(&written.sources[at + 1..]));
        }
        self.template.items.splice(position..=position, parts);
        Ok(())
    }

    /// The edge for all other values of its choices.
    fn other_choices(
        &self,
        old: &Edge,
        written: &EdgeDecl,
        at: usize,
    ) -> Result<TemplateItem, String> {
        let chosen: Vec<String> =
            old.choices.iter().map(|(name, value)| format!("{name} == {value}")).collect();
        let mut text = format!("!({})", chosen.join(" && "));
        if let Some(guard) = &written.guard {
            let guard = tioga_parse::print_expr(guard, Dialect::Tioga);
            text.push_str(&format!(" && ({guard})"));
        }
        let guard = Some(condition(&text)?);
        let sources = vec![written.sources[at].clone()];
        Ok(TemplateItem::Edge(Box::new(EdgeDecl { sources, guard, ..written.clone() })))
    }

    /// The new edge, with what did not change as it was written.
    fn rewritten(&self, old: &Edge, new: &Edge, written: &EdgeDecl) -> Result<EdgeDecl, String> {
        let span = written.span;
        let conditions = (&old.guard, &old.updates) == (&new.guard, &new.updates);
        let mut decl = if old.choices.is_empty() && (conditions || new.frame == 0) {
            let mut decl = written.clone();
            if old.guard != new.guard || old.updates != new.updates {
                let fresh = self.printed(new)?;
                if old.guard != new.guard {
                    decl.guard = fresh.guard;
                }
                if old.updates != new.updates {
                    decl.updates = fresh.updates;
                }
            }
            if (&old.label, &old.reply) != (&new.label, &new.reply) {
                rename(decl.action.as_mut(), self.printed_label(new)?.action);
                rename(decl.reply.as_mut(), self.printed_label(new)?.reply);
            }
            decl
        } else {
            // Names that an action or a choice bound are not known any more.
            EdgeDecl { control: written.control, ..self.printed(new)? }
        };
        decl.sources = vec![Name::new(self.location(new.source), span)];
        decl.target = Target::Location(Name::new(self.location(new.target), span));
        decl.span = span;
        Ok(decl)
    }

    /// Adds a location that the model does not have, after the others.
    fn add_location(&mut self, name: &str) {
        let declared = |item: &TemplateItem| matches!(item, TemplateItem::Locations(_));
        let after = self.template.items.iter().rposition(declared);
        let span = after.map_or(self.template.span, |after| item_span(&self.template.items[after]));
        let location = LocationDecl {
            names: vec![Name::new(name, span)],
            marks: Marks::default(),
            labels: Vec::new(),
            invariant: None,
            span,
        };
        let position = after.map_or(0, |after| after + 1);
        self.template.items.insert(position, TemplateItem::Locations(location));
    }

    /// Adds an edge that the model does not have.
    fn add(&mut self, edge: &Edge) -> Result<(), String> {
        let mut decl = self.printed(edge)?;
        decl.span = self.template.items.last().map_or(self.template.span, item_span);
        self.template.items.push(TemplateItem::Edge(Box::new(decl)));
        Ok(())
    }

    /// What the edge shows, in the words of the network.
    fn printed_label(&self, edge: &Edge) -> Result<EdgeDecl, String> {
        let plain = Edge { guard: tioga_model::Condition::always(), ..edge.clone() };
        self.printed(&Edge { updates: Vec::new(), ..plain })
    }

    /// The whole edge in the words of the network.
    fn printed(&self, edge: &Edge) -> Result<EdgeDecl, String> {
        let mut wording = Wording::new(self.network, self.process);
        let (source, target) = (self.location(edge.source), self.location(edge.target));
        let target = if edge.source == edge.target { "self".to_owned() } else { target };
        let mut label = wording.label(&edge.label, edge.reply.as_ref());
        if let tioga_model::Label::Receive(used) = &edge.label
            && edge.frame > 0
        {
            let mut names = Vec::new();
            let mut slot = 0;
            for ty in &self.network.channels[used.channel].parameters {
                names.push(Wording::received(slot));
                slot += u32::try_from(Type::slots(ty)).unwrap_or(u32::MAX);
            }
            label = label.replacen('?', &format!("({})?", names.join(", ")), 1);
        }
        let mut text = format!("{source} -> {target} : {label}");
        if !edge.guard.is_always() {
            text.push_str(&format!(" when {}", wording.condition(&edge.guard)));
        }
        let updates: Vec<String> =
            edge.updates.iter().map(|update| wording.update(update)).collect();
        if !updates.is_empty() {
            text.push_str(&format!(" do {}", updates.join(", ")));
        }
        faithful(&wording)?;
        parsed(&format!("{};", text.trim_end_matches([' ', ':'])))
    }
}

/// Lets an action name another channel; what it carries stays.
fn rename(action: Option<&mut ActionUse>, other: Option<ActionUse>) {
    if let (Some(action), Some(other)) = (action, other) {
        (action.name, action.indices) = (other.name, other.indices);
    }
}

fn faithful(wording: &Wording<'_>) -> Result<(), String> {
    let reason = "it uses what has no name of its own, such as an element of a constant array";
    if wording.is_faithful() { Ok(()) } else { Err(reason.to_owned()) }
}

fn item_span(item: &TemplateItem) -> Span {
    match item {
        TemplateItem::Declaration(declaration) => declaration.span,
        TemplateItem::Locations(locations) => locations.span,
        TemplateItem::Edge(edge) => edge.span,
        TemplateItem::Otherwise(otherwise) => otherwise.span,
        TemplateItem::Restart(action) => action.span,
    }
}

/// An edge from its text.
fn parsed(line: &str) -> Result<EdgeDecl, String> {
    let mut diagnostics = Diagnostics::new();
    let text = format!("automaton A {{ {line} }}");
    let document = parse(Format::Tioga, FileId(0), &text, &mut diagnostics);
    let item = document.and_then(|mut document| match document.items.pop() {
        Some(Item::Template(mut template)) => template.items.pop(),
        _ => None,
    });
    match item {
        Some(TemplateItem::Edge(edge)) => Ok(*edge),
        _ => Err(format!("`{line}` cannot be read")),
    }
}

/// A guard or invariant from its text.
fn condition(text: &str) -> Result<Expr, String> {
    let edge = parsed(&format!("A -> A : when {text};"))?;
    edge.guard.ok_or_else(|| format!("`{text}` cannot be read"))
}
