//! Templates that one process alone uses, so that it can be changed without the others.

use std::collections::BTreeMap;

use tioga_base::Span;
use tioga_model::{Network, ProcessId};

use crate::raise::names::Taken;
use crate::raise::refused::{Raised, Refused};
use crate::syntax::{Document, Expr, ExprKind, Item, ProcessUse, Template, TemplateKind};

/// The template of a process that no other process uses; a copy if others do. `users` counts who
/// uses the template of a place.
pub fn own<'d>(
    document: &'d mut Document,
    network: &Network,
    process: ProcessId,
    users: &mut BTreeMap<Span, usize>,
) -> Raised<&'d mut Template> {
    let span = network.processes[process].span;
    let position = document.items.iter().position(|item| {
        matches!(item, Item::Template(template)
            if template.kind == TemplateKind::Automaton && template.span == span)
    });
    let position = position.ok_or_else(|| Refused::new("the process has no template"))?;
    let users = users.entry(span).or_insert(1);
    let position = if *users > 1 {
        *users -= 1;
        copied(document, network, process, position)?
    } else {
        position
    };
    match &mut document.items[position] {
        Item::Template(template) => Ok(template),
        _ => Err(Refused::new("the process has no template")),
    }
}

/// Gives a process a copy of its template, and says where that is.
fn copied(
    document: &mut Document,
    network: &Network,
    process: ProcessId,
    position: usize,
) -> Raised<usize> {
    let name = network.processes[process].name.clone();
    let Item::Template(template) = &document.items[position] else {
        return Err(Refused::new("the process has no template"));
    };
    let mut copy = template.clone();
    let old = template.name.text.clone();
    let mut taken = Taken::default();
    for item in &document.items {
        match item {
            Item::Template(template) => taken.reserve(&template.name.text),
            Item::Instance(instance) => taken.reserve(&instance.name.text),
            Item::Declaration(one) => one.names().for_each(|name| taken.reserve(&name.text)),
            _ => {}
        }
    }
    copy.name.text = taken.give(&format!("{old}_of_{name}"));
    let new = copy.name.text.clone();
    let instance = document.items.iter_mut().find_map(|item| match item {
        Item::Instance(instance) if instance.name.text == name => Some(instance),
        _ => None,
    });
    match instance {
        Some(instance) if instance.template.text == old => instance.template.text = new,
        Some(_) => return Err(of_an_instance()),
        None => use_template(document, network, process, &old, new)?,
    }
    document.items.insert(position + 1, Item::Template(copy));
    Ok(position + 1)
}

/// Lets one process of the system line use another template.
fn use_template(
    document: &mut Document,
    network: &Network,
    process: ProcessId,
    old: &str,
    new: String,
) -> Raised<()> {
    let mut open: BTreeMap<String, bool> = BTreeMap::new();
    for template in document.templates() {
        open.insert(template.name.text.clone(), !template.params.is_empty());
    }
    let system = document.items.iter_mut().find_map(|item| match item {
        Item::System(system) => Some(system),
        _ => None,
    });
    let system = system.ok_or_else(|| Refused::new("there is no system line"))?;
    for line in [&mut system.system, &mut system.environment] {
        let mut uses = Vec::new();
        for one in line.drain(..) {
            if one.arguments.is_some() || open.get(&one.name.text) != Some(&true) {
                uses.push(one);
                continue;
            }
            // A bare name stands for a process for each value.
            let prefix = format!("{}(", one.name.text);
            for process in &network.processes {
                let Some(values) = process.name.strip_prefix(&prefix) else { continue };
                let values = values.trim_end_matches(')').split(',');
                let values: Result<Vec<Expr>, std::num::ParseIntError> = values
                    .map(|value| Ok(Expr::new(ExprKind::Int(value.parse()?), one.span)))
                    .collect();
                let values = values.map_err(|_| Refused::new("a parameter is no whole number"))?;
                uses.push(ProcessUse { arguments: Some(values), ..one.clone() });
            }
        }
        *line = uses;
    }
    // Every use is one process now, and they stand in the order of the network.
    let uses = system.system.iter_mut().chain(&mut system.environment);
    let used = uses.zip(network.processes.ids()).find(|(_, id)| *id == process);
    match used {
        Some((used, _)) if used.name.text == old => {
            used.name.text = new;
            Ok(())
        }
        _ => Err(of_an_instance()),
    }
}

fn of_an_instance() -> Refused {
    Refused::new("the process is an instance of an instance")
}
