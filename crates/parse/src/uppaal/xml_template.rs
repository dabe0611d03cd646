//! One template of the XML form: its locations and transitions.

use roxmltree::Node;
use tioga_base::{Diagnostic, Span};

use super::ignored::{Ignored, ignore};
use super::marker::label_markers;
use super::scope::Scope;
use super::text::is_identifier;
use super::xml_reader::Reader;
use super::{branches, label, markers, xta_process};
use crate::syntax::{
    Control, EdgeDecl, Expr, Item, LocationDecl, Marks, Name, Target, Template, TemplateItem,
    TemplateKind,
};

/// Reads one template.
pub(super) struct TemplateReader<'r, 'x, 'd> {
    reader: &'r mut Reader<'x, 'd>,
    /// The ids of locations, with the names they stand for, in file order.
    ids: Vec<(String, Name)>,
    /// Ids of branchpoints.
    branchpoints: Vec<String>,
    items: Vec<TemplateItem>,
}

impl<'r, 'x, 'd> TemplateReader<'r, 'x, 'd> {
    /// A reader with nothing read.
    pub fn new(reader: &'r mut Reader<'x, 'd>) -> Self {
        Self { reader, ids: Vec::new(), branchpoints: Vec::new(), items: Vec::new() }
    }

    /// Reads a `template` element.
    pub fn template(mut self, element: Node<'_, '_>) -> Option<Template> {
        let name = self.name(element)?;
        let mut params = Vec::new();
        let mut initial = None;
        // Transitions name locations, so all locations are read first, whatever the order.
        for child in element.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "name" | "transition" | "edge" => {}
                "parameter" => {
                    let piece = self.reader.content(child);
                    params = (self.reader)
                        .label(&piece, "the parameters", label::parameters)
                        .unwrap_or_default();
                }
                "declaration" => self.declarations(child),
                "location" => self.location(child),
                "init" => {
                    initial.get_or_insert(child);
                }
                "branchpoint" => self.branchpoint(child),
                other => self.unexpected(child, other),
            }
        }
        self.set_initial(&name, initial);
        for child in element.children().filter(|node| node.has_tag_name("transition")) {
            self.transition(child);
        }
        let range = element.range();
        let span = Span::new(self.reader.file, range.start, range.end);
        Some(Template { kind: TemplateKind::Automaton, name, params, items: self.items, span })
    }

    fn unexpected(&mut self, element: Node<'_, '_>, name: &str) {
        let span = self.reader.open_tag(element);
        match name {
            "lsc" | "yloccoord" | "instance" | "message" | "condition" | "update" | "prechart" => {
                ignore(Ignored::Chart, span, self.reader.diagnostics);
            }
            "label" | "comment" => {}
            other => self.reader.unknown(element, other),
        }
    }

    fn name(&mut self, element: Node<'_, '_>) -> Option<Name> {
        let Some(child) = element.children().find(|node| node.has_tag_name("name")) else {
            let span = self.reader.open_tag(element);
            self.reader.error("xml", span, "a template without a name");
            return None;
        };
        let piece = self.reader.content(child);
        let text = piece.text.trim();
        if is_identifier(text) {
            return Some(Name::new(text, piece.span()));
        }
        self.bad_name(text, piece.span(), "template");
        None
    }

    fn bad_name(&mut self, text: &str, span: Span, what: &str) {
        let mut mended: String =
            text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if !mended.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            mended.insert(0, '_');
        }
        let message = format!("`{text}` cannot name a {what}");
        self.reader.diagnostics.push(
            Diagnostic::error("bad-name", span, message)
                .note("a name has letters, digits and `_` and does not start with a digit")
                .fix(span, mended),
        );
    }

    fn declarations(&mut self, element: Node<'_, '_>) {
        let piece = self.reader.content(element);
        let (items, _) = self.reader.section(&piece, Scope::Local);
        self.items.extend(items.into_iter().filter_map(|item| match item {
            Item::Declaration(declaration) => Some(TemplateItem::Declaration(declaration)),
            _ => None,
        }));
    }

    fn branchpoint(&mut self, element: Node<'_, '_>) {
        self.branchpoints.extend(element.attribute("id").map(str::to_owned));
    }

    fn location(&mut self, element: Node<'_, '_>) {
        let Some(id) = element.attribute("id") else {
            let span = self.reader.open_tag(element);
            self.reader.error("xml", span, "a location without an id");
            return;
        };
        let id_span = self.reader.attribute(element, "id");
        let piece = (element.children().find(|node| node.has_tag_name("name")))
            .map(|child| self.reader.content(child))
            .filter(|piece| !piece.is_blank());
        let name = match &piece {
            Some(piece) => Name::new(piece.text.trim(), piece.span()),
            None => Name::new(id, id_span),
        };
        if !is_identifier(&name.text) {
            self.bad_name(&name.text, name.span, "location");
        }
        if let Some((_, other)) = self.ids.iter().find(|(_, other)| other.text == name.text) {
            self.reader.diagnostics.push(xta_process::duplicate_location(&name, other.span));
        } else if self.ids.iter().any(|(other, _)| other == id) {
            let message = format!("a second location with the id `{id}`");
            self.reader.error("duplicate-name", id_span, message);
        }
        self.ids.push((id.to_owned(), name.clone()));
        let range = element.range();
        let span = Span::new(self.reader.file, range.start, range.end);
        let mut location = LocationDecl {
            names: vec![name],
            marks: Marks::default(),
            labels: Vec::new(),
            invariant: None,
            span,
        };
        for child in element.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "urgent" => location.marks.urgent = true,
                "committed" => location.marks.committed = true,
                "label" => self.location_label(child, &mut location),
                "name" => {}
                other => self.reader.unknown(child, other),
            }
        }
        self.items.push(TemplateItem::Locations(location));
    }

    fn location_label(&mut self, element: Node<'_, '_>, location: &mut LocationDecl) {
        let piece = self.reader.content(element);
        match element.attribute("kind") {
            Some("invariant") => {
                let parsed = self.reader.label(&piece, "the invariant", label::condition);
                location.invariant = location.invariant.take().or(parsed);
            }
            Some("exponentialrate") if !piece.is_blank() => {
                ignore(Ignored::ExponentialRate, piece.span(), self.reader.diagnostics);
            }
            Some("comments") => {
                let found = label_markers(&piece.text, piece.span());
                markers::mark_location(found, location, self.reader.diagnostics);
            }
            _ => {}
        }
    }

    fn set_initial(&mut self, template: &Name, element: Option<Node<'_, '_>>) {
        let Some(element) = element else {
            self.reader.diagnostics.push(xta_process::no_initial(template));
            return;
        };
        let Some(name) = self.reference(element) else { return };
        for item in &mut self.items {
            if let TemplateItem::Locations(location) = item {
                location.marks.initial |= location.names[0].text == name.text;
            }
        }
    }

    /// The location an element's `ref` attribute points to, at the place of that attribute.
    fn reference(&mut self, element: Node<'_, '_>) -> Option<Name> {
        let span = self.reader.attribute(element, "ref");
        let Some(id) = element.attribute("ref") else {
            let message = format!("`{}` without a `ref` attribute", element.tag_name().name());
            self.reader.error("xml", span, message);
            return None;
        };
        if let Some((_, name)) = self.ids.iter().find(|(other, _)| other == id) {
            return Some(Name::new(name.text.clone(), span));
        }
        if self.branchpoints.iter().any(|other| other == id) {
            return Some(Name::new(branches::name(id), span));
        } else {
            let known = self.ids.iter().map(|(id, _)| id.as_str());
            let message = format!("no location of this template has the id `{id}`");
            self.reader
                .diagnostics
                .push(Diagnostic::error("unknown-name", span, message).suggest(span, id, known));
        }
        None
    }

    fn transition(&mut self, element: Node<'_, '_>) {
        let mut ends = [None, None];
        for (end, tag) in ends.iter_mut().zip(["source", "target"]) {
            match element.children().find(|node| node.has_tag_name(tag)) {
                Some(child) => *end = self.reference(child),
                None => {
                    let span = self.reader.open_tag(element);
                    self.reader.error("xml", span, format!("a transition without a `{tag}`"));
                }
            }
        }
        let [Some(source), Some(target)] = ends else {
            self.labels(element);
            return;
        };
        let uncontrollable = element.attribute("controllable") == Some("false");
        let edge = self.labels(element);
        let range = element.range();
        let span = Span::new(self.reader.file, range.start, range.end);
        self.items.push(TemplateItem::Edge(Box::new(EdgeDecl {
            sources: vec![source],
            target: Target::Location(target),
            control: if uncontrollable { Some(Control::Uncontrollable) } else { edge.control },
            span,
            ..edge
        })));
    }

    /// What the labels of a transition say; its ends are left open.
    fn labels(&mut self, element: Node<'_, '_>) -> EdgeDecl {
        let mut edge = EdgeDecl {
            sources: Vec::new(),
            target: Target::Same(Span::default()),
            control: None,
            action: None,
            reply: None,
            selects: Vec::new(),
            guard: None,
            updates: Vec::new(),
            span: Span::default(),
        };
        let mut found = Vec::new();
        for child in element.children().filter(|node| node.has_tag_name("label")) {
            let piece = self.reader.content(child);
            let reader = &mut *self.reader;
            match child.attribute("kind") {
                Some("select") => {
                    let parsed = reader.label(&piece, "the select", label::selects);
                    edge.selects.extend(parsed.unwrap_or_default());
                }
                Some("guard") => {
                    let parsed: Option<Expr> = reader.label(&piece, "the guard", label::condition);
                    edge.guard = edge.guard.or(parsed);
                }
                Some("synchronisation") => {
                    let what = "the synchronisation";
                    let parsed = reader.label(&piece, what, label::synchronisation);
                    edge.action = edge.action.or(parsed);
                }
                Some("assignment") => {
                    let parsed = reader.label(&piece, "the update", |parser| parser.expressions());
                    edge.updates.extend(parsed.unwrap_or_default());
                }
                Some("probability") if !piece.is_blank() => {
                    ignore(Ignored::Weight, piece.span(), reader.diagnostics);
                }
                Some("comments") => {
                    found.extend(label_markers(&piece.text, piece.span()));
                }
                _ => {}
            }
        }
        markers::mark_edge(found, &mut edge, self.reader.diagnostics);
        edge
    }
}
