//! Templates that one process alone uses, so that it can be changed without the others.

use std::collections::BTreeMap;

use tioga_model::{Model, ProcessId};
use tioga_parse::syntax::{Document, Expr, ExprKind, Item, ProcessUse, Template, TemplateKind};

/// The template of a process that no other process uses; a copy if others do.
pub fn own_template<'d>(
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
