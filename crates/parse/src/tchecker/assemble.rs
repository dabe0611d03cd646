//! The last step of reading: expressions are parsed, and everything is put into the document.

use std::collections::BTreeSet;

use tioga_base::{Diagnostic, Span};

use super::expression::expression;
use super::reading::{EdgeDraft, LocationDraft, Reading};
use super::scan::Raw;
use super::statement::effect;
use crate::syntax::{
    ActionUse, BinaryOp, ChannelType, Communication, Declaration, DeclarationKind, Direction,
    Document, EdgeDecl, Expr, ExprKind, Item, LocationDecl, Marks, Name, ProcessUse, SyncPart,
    SyncVector, System, Target, Template, TemplateItem, TemplateKind,
};

/// How the edges of a process with an event act.
struct Labels {
    /// The pairs of process and event that never move alone.
    synchronised: BTreeSet<(usize, usize)>,
    /// The plain label of each event.
    plain: Vec<String>,
}

/// Puts the document together.
pub(super) fn assemble(reading: &mut Reading<'_, '_>) -> Document {
    let mut document =
        std::mem::replace(&mut reading.document, Document::new(crate::syntax::Dialect::Tchecker));
    reading.check_weak();
    let labels = reading.declare_events(&mut document);
    for process in 0..reading.processes.len() {
        let template = reading.template(process, &labels);
        document.items.push(Item::Template(template));
    }
    for sync in 0..reading.syncs.len() {
        let shown = reading.shown(sync);
        let draft = &reading.syncs[sync];
        let parts = draft.parts.iter().map(|part| SyncPart {
            process: Name::new(
                reading.processes[part.process].name.text.clone(),
                part.process_span,
            ),
            action: Name::new(labels.plain[part.event].clone(), part.span),
            weak: part.weak,
        });
        let vector = SyncVector { parts: parts.collect(), shown, span: draft.span };
        document.items.push(Item::Sync(vector));
    }
    if let (Some(first), Some(last)) = (reading.processes.first(), reading.processes.last()) {
        let span = first.name.span.to(last.name.span);
        let system = reading
            .processes
            .iter()
            .map(|process| ProcessUse {
                name: process.name.clone(),
                arguments: None,
                span: process.name.span,
            })
            .collect();
        document.items.push(Item::System(System { system, environment: Vec::new(), span }));
    } else {
        let span = Span::new(reading.file, 0, 0);
        let message = "there is no process";
        reading.diagnostics.push(Diagnostic::error("missing-process", span, message));
    }
    document
}

impl Reading<'_, '_> {
    /// Declares channels for the events of the interface and plain labels for all that need one.
    /// An event of the interface that also synchronises gets a label of its own.
    fn declare_events(&mut self, document: &mut Document) -> Labels {
        let synchronised: BTreeSet<(usize, usize)> = self
            .syncs
            .iter()
            .flat_map(|sync| &sync.parts)
            .map(|part| (part.process, part.event))
            .collect();
        let mut plain = Vec::new();
        for (index, event) in self.events.iter().enumerate() {
            let mut label = event.name.clone();
            let mut needs_label = true;
            if let Some(direction) = event.direction {
                document.items.push(Item::Declaration(channel(&event.name, direction, event.span)));
                needs_label = synchronised.iter().any(|(_, event)| *event == index);
                if needs_label {
                    label.text = self.names.fresh(&label.text);
                }
            }
            if needs_label {
                let kind = DeclarationKind::Internal(vec![label.clone()]);
                let declaration = Declaration { kind, span: event.span };
                document.items.push(Item::Declaration(declaration));
            }
            plain.push(label.text);
        }
        Labels { synchronised, plain }
    }

    fn template(&mut self, process: usize, labels: &Labels) -> Template {
        let name = self.processes[process].name.clone();
        let locations = std::mem::take(&mut self.processes[process].locations);
        let edges = std::mem::take(&mut self.processes[process].edges);
        self.check_initial(&name, &locations);
        let mut functions = Vec::new();
        let mut items = Vec::new();
        let mut span = name.span;
        for location in &locations {
            span = span.to(location.raw.span);
            let location = self.location_decl(location);
            items.push(TemplateItem::Locations(location));
        }
        for edge in &edges {
            span = span.to(edge.raw.span);
            let action = self.action(process, edge, labels);
            let edge = self.edge_decl(edge, &locations, action, &mut functions);
            items.push(TemplateItem::Edge(Box::new(edge)));
        }
        let items = functions.into_iter().map(TemplateItem::Declaration).chain(items).collect();
        Template { kind: TemplateKind::Automaton, name, params: Vec::new(), items, span }
    }

    fn check_initial(&mut self, name: &Name, locations: &[LocationDraft<'_>]) {
        let mut initial = locations.iter().filter_map(|location| location.raw.attribute("initial"));
        let Some(first) = initial.next() else {
            let message = format!("process `{}` has no initial location", name.text);
            self.diagnostics.push(
                Diagnostic::error("missing-initial", name.span, message)
                    .help("give one of its locations the attribute `initial:`"),
            );
            return;
        };
        for second in initial {
            let message =
                format!("several initial locations in process `{}` are not supported", name.text);
            self.diagnostics.push(
                Diagnostic::unsupported("several-initial-locations", second.key.span, message)
                    .also(first.key.span, "the first one")
                    .help("start in a committed location with an edge to each of them"),
            );
        }
    }

    /// The conjunction of the values of all attributes with this key.
    fn condition(&mut self, raw: &Raw<'_>, key: &str) -> Option<Expr> {
        let mut whole: Option<Expr> = None;
        for attribute in raw.attributes.iter().filter(|attribute| attribute.key.text == key) {
            if attribute.value.text.is_empty() {
                continue;
            }
            let expr = expression(self.file, &attribute.value, &self.variables, self.diagnostics)?;
            whole = Some(match whole {
                None => expr,
                Some(left) => {
                    let span = left.span.to(expr.span);
                    let kind = ExprKind::Binary(BinaryOp::And, Box::new(left), Box::new(expr));
                    Expr::new(kind, span)
                }
            });
        }
        whole
    }

    fn location_decl(&mut self, draft: &LocationDraft<'_>) -> LocationDecl {
        let has = |key| draft.raw.attribute(key).is_some();
        let marks = Marks {
            initial: has("initial"),
            urgent: has("urgent"),
            committed: has("committed"),
            ..Marks::default()
        };
        let mut labels = Vec::new();
        for attribute in draft.raw.attributes.iter().filter(|it| it.key.text == "labels") {
            let mut start = attribute.value.span.start as usize;
            for part in attribute.value.text.split(',') {
                let label = part.trim();
                let from = start + (part.len() - part.trim_start().len());
                if !label.is_empty() {
                    let span = Span::new(self.file, from, from + label.len());
                    labels.push(Name::new(label, span));
                }
                start += part.len() + 1;
            }
        }
        let invariant = self.condition(&draft.raw, "invariant");
        let names = vec![draft.name.clone()];
        LocationDecl { names, marks, labels, invariant, span: draft.raw.span }
    }

    fn action(&self, process: usize, edge: &EdgeDraft<'_>, labels: &Labels) -> ActionUse {
        let event = &self.events[edge.event];
        let alone = !labels.synchronised.contains(&(process, edge.event));
        let span = edge.raw.fields[3].span;
        let (text, communication) = match event.direction {
            Some(Direction::Input) if alone => (&event.name.text, Communication::Receive),
            Some(Direction::Output) if alone => (&event.name.text, Communication::Send),
            _ => (&labels.plain[edge.event], Communication::Plain),
        };
        let name = Name::new(text.clone(), span);
        ActionUse { name, indices: Vec::new(), arguments: Vec::new(), communication, span }
    }

    fn edge_decl(
        &mut self,
        edge: &EdgeDraft<'_>,
        locations: &[LocationDraft<'_>],
        action: ActionUse,
        functions: &mut Vec<Declaration>,
    ) -> EdgeDecl {
        let end = |index: usize, field: usize| {
            Name::new(locations[index].name.text.clone(), edge.raw.fields[field].span)
        };
        let guard = self.condition(&edge.raw, "provided");
        let mut updates = Vec::new();
        for attribute in edge.raw.attributes.iter().filter(|it| it.key.text == "do") {
            if attribute.value.text.is_empty() {
                continue;
            }
            let names = &mut self.names;
            let count = &mut self.effects;
            let mut fresh = || {
                *count += 1;
                names.fresh(&format!("effect_{count}"))
            };
            let (variables, value) = (&self.variables, &attribute.value);
            let part = effect(self.file, value, variables, self.diagnostics, &mut fresh);
            if let Some(part) = part {
                updates.extend(part.updates);
                functions.extend(part.functions);
            }
        }
        EdgeDecl {
            sources: vec![end(edge.source, 1)],
            target: Target::Location(end(edge.target, 2)),
            control: edge.control,
            action: Some(action),
            reply: None,
            selects: Vec::new(),
            guard,
            updates,
            span: edge.raw.span,
        }
    }
}

fn channel(name: &Name, direction: Direction, span: Span) -> Declaration {
    let channel = ChannelType { direction: Some(direction), ..ChannelType::default() };
    Declaration::channel(name.clone(), channel, span)
}
