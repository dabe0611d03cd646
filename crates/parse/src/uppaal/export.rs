//! Turns any document into one UPPAAL's language can express, or says what stands in the way.
//!
//! Exact rewritings: an edge with several sources becomes one edge each, `self` the source itself,
//! locations declared together are declared apart, processes with arguments in the system line
//! become instances, a missing system line is written out, channels with parameters become arrays
//! of channels (`parameters`), synchronisation vectors become channels (`vectors`), rational times
//! become integers (`scale`), reserved words get an underscore (`rename`). What markers can keep is
//! left as it is for the printers.

use std::collections::BTreeSet;

use tioga_base::{Diagnostic, Diagnostics, Span};

use super::inexpressible::inexpressible;
use super::{parameters, rename, scale, vectors};
use crate::print::Printer;
use crate::syntax::{
    Change, Communication, Dialect, Document, EdgeDecl, Expr, ExprKind, Instance, Item,
    LocationDecl, Name, ProcessUse, System, Target, Template, TemplateItem, TemplateKind,
};

/// A document UPPAAL can express, markers aside.
pub(super) struct Exported {
    /// The document.
    pub document: Document,
    /// How many units of its time make one of the original's.
    pub scale: i64,
}

/// The document as UPPAAL can say it.
pub(super) fn export(document: &Document) -> Result<Exported, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut document = document.clone();
    document.comments.clear();
    for item in &mut document.items {
        if let Item::Template(template) = item
            && template.kind == TemplateKind::Automaton
        {
            flatten(template, &mut diagnostics);
        }
    }
    vectors::encode(&mut document, &mut diagnostics);
    parameters::encode(&mut document, &mut diagnostics);
    let scale = scale::encode(&mut document, &mut diagnostics);
    complete_system(&mut document, &mut diagnostics);
    rename::rename(&mut document);
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(Exported { document, scale }) }
}

/// Declares locations apart, splits edges by source and makes targets explicit.
fn flatten(template: &mut Template, diagnostics: &mut Diagnostics) {
    let mut declarations = Vec::new();
    let mut locations = Vec::new();
    let mut edges = Vec::new();
    for item in std::mem::take(&mut template.items) {
        match item {
            TemplateItem::Declaration(_) => declarations.push(item),
            TemplateItem::Locations(group) => {
                for name in &group.names {
                    let names = vec![name.clone()];
                    locations
                        .push(TemplateItem::Locations(LocationDecl { names, ..group.clone() }));
                }
            }
            TemplateItem::Edge(edge) => {
                check_edge(&edge, diagnostics);
                edges.extend(split(&edge).map(|edge| TemplateItem::Edge(Box::new(edge))));
            }
            TemplateItem::Otherwise(otherwise) => {
                diagnostics.push(inexpressible(otherwise.span, "`otherwise` in an automaton"));
            }
            TemplateItem::Restart(action) => {
                diagnostics.push(inexpressible(action.span, "`restart` in an automaton"));
            }
        }
    }
    template.items = declarations;
    template.items.extend(locations);
    template.items.extend(edges);
}

fn check_edge(edge: &EdgeDecl, diagnostics: &mut Diagnostics) {
    let mealy = "an input and an output in one step";
    // Where one step is a pair, most are; one complaint says it all.
    let said = |one: &Diagnostic| one.message.starts_with(mealy);
    if let Some(reply) = &edge.reply
        && !diagnostics.iter().any(said)
    {
        diagnostics.push(
            inexpressible(reply.span, mealy)
                .note("UPPAAL's edges carry one synchronisation; two edges would be two steps")
                .help("split the edge with a committed location if two steps are acceptable"),
        );
    }
    if let Some(action) = &edge.action
        && action.communication == Communication::Plain
        && !(action.indices.is_empty() && action.arguments.is_empty())
    {
        diagnostics.push(inexpressible(action.span, "a plain action with indices or arguments"));
    }
}

fn split(edge: &EdgeDecl) -> impl Iterator<Item = EdgeDecl> {
    edge.sources.iter().map(|source| {
        let target = match &edge.target {
            Target::Location(name) => name.clone(),
            Target::Same(span) => Name::new(source.text.clone(), *span),
        };
        let sources = vec![source.clone()];
        EdgeDecl { sources, target: Target::Location(target), ..edge.clone() }
    })
}

/// Leaves exactly one system line, whose processes are bare names.
fn complete_system(document: &mut Document, diagnostics: &mut Diagnostics) {
    let mut names = rename::all_names(document);
    let mut whole: Option<System> = None;
    let mut instances = Vec::new();
    let mut at = None;
    let mut items = Vec::new();
    for item in std::mem::take(&mut document.items) {
        let Item::System(mut system) = item else {
            items.push(item);
            continue;
        };
        for process in system.system.iter_mut().chain(&mut system.environment) {
            instances.extend(name_process(process, &mut names));
        }
        at.get_or_insert(items.len());
        match &mut whole {
            Some(whole) => {
                whole.system.append(&mut system.system);
                whole.environment.append(&mut system.environment);
            }
            None => whole = Some(system),
        }
    }
    let system = whole.unwrap_or_else(|| default_system(&items));
    if system.system.is_empty() && system.environment.is_empty() {
        let message = "no process runs, and UPPAAL's system line needs one";
        diagnostics.push(Diagnostic::global("inexpressible", message));
    }
    let after_templates =
        items.iter().rposition(|item| !matches!(item, Item::Query(_))).map_or(0, |last| last + 1);
    let at = at.unwrap_or(after_templates);
    document.items = items;
    document.change(&mut NameProcesses(&instances));
    let line = instances.into_iter().map(Item::Instance).chain([Item::System(system)]);
    document.items.splice(at..at, line);
}

/// Calls processes by the instances made for them: `P(3).x` becomes `P_1.x`.
struct NameProcesses<'i>(&'i [Instance]);

impl Change for NameProcesses<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        let ExprKind::Field(base, _) = &mut expr.kind else { return };
        let ExprKind::Call(callee, arguments) = &base.kind else { return };
        let ExprKind::Name(template) = &callee.kind else { return };
        let text = |arguments: &[Expr]| Printer::new(Dialect::Tioga).exprs(arguments);
        let instance = self.0.iter().find(|instance| {
            instance.template.text == *template && text(&instance.arguments) == text(arguments)
        });
        if let Some(instance) = instance {
            base.kind = ExprKind::Name(instance.name.text.clone());
        }
    }
}

/// Every automaton without parameters, as `.tioga` means a missing system line.
fn default_system(items: &[Item]) -> System {
    let automata = items.iter().filter_map(|item| match item {
        Item::Template(template)
            if template.kind == TemplateKind::Automaton && template.params.is_empty() =>
        {
            Some(ProcessUse {
                name: template.name.clone(),
                arguments: None,
                span: template.name.span,
            })
        }
        _ => None,
    });
    System { system: automata.collect(), environment: Vec::new(), span: Span::default() }
}

/// UPPAAL's system line takes names only.
fn name_process(process: &mut ProcessUse, names: &mut BTreeSet<String>) -> Option<Instance> {
    let arguments = process.arguments.take()?;
    if arguments.is_empty() {
        return None;
    }
    let mut number = 1;
    let fresh = loop {
        let candidate = format!("{}_{number}", process.name.text);
        if names.insert(candidate.clone()) {
            break candidate;
        }
        number += 1;
    };
    let template = process.name.clone();
    let name = Name::new(fresh, template.span);
    process.name = name.clone();
    Some(Instance { name, params: Vec::new(), template, arguments, span: process.span })
}
