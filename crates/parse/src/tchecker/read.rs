//! From declarations to a document: the order of reading, and the resolution of names.
//!
//! Names of processes, locations and events must be declared before their use; variables in
//! expressions only somewhere in the file.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Diagnostic, Diagnostics, FileId, Span};

use super::SIZE_LIMIT;
use super::assemble::assemble;
use super::events::Events;
use super::expression::{Variable, Variables};
use super::names::{Names, Sort, duplicate, unknown};
use super::reading::{EdgeDraft, EventDraft, LocationDraft, ProcessDraft, Reading, SyncDraft};
use super::scan::{Attribute, Piece, Raw, is_identifier, scan};
use crate::syntax::{
    Control, Declaration, DeclarationKind, Declarator, Dialect, Direction, Document, Expr,
    ExprKind, Initializer, Item, Name, TypeExpr, TypeKind,
};

/// Reads a `.tck` text. Nothing comes back if it has errors; they are among the diagnostics.
pub fn parse(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Option<Document> {
    parse_with(file, text, &Events::default(), diagnostics)
}

/// Reads a `.tck` text whose events also get directions from elsewhere.
pub fn parse_with(
    file: FileId,
    text: &str,
    given: &Events<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Document> {
    let before = diagnostics.error_count();
    let declarations = scan(file, text, diagnostics);
    let mut reading = Reading {
        file,
        given,
        diagnostics,
        names: Names::default(),
        variables: Variables::new(),
        processes: Vec::new(),
        events: Vec::new(),
        syncs: Vec::new(),
        sync_keys: BTreeMap::new(),
        effects: 0,
        document: Document::new(Dialect::Tchecker),
        cells: 0,
        system: None,
    };
    for raw in declarations {
        reading.declaration(raw);
    }
    if reading.system.is_none() {
        let start = Span::new(file, 0, 0);
        reading.diagnostics.push(
            Diagnostic::error("missing-system", start, "there is no `system` declaration")
                .help("start the file with `system:name`"),
        );
    }
    reading.check_given();
    let document = assemble(&mut reading);
    (reading.diagnostics.error_count() == before).then_some(document)
}

impl<'t> Reading<'t, '_> {
    /// Complains about names of events that the file does not declare.
    fn check_given(&mut self) {
        for name in self.given.names().filter(|_| !self.given.lenient) {
            let known = || self.events.iter().map(|event| event.name.text.as_str());
            if known().any(|own| own == name) {
                continue;
            }
            let message = format!("the model has no event `{name}`");
            let mut diagnostic = Diagnostic::global("unknown-name", message);
            if let Some(close) = tioga_base::closest(name, known()) {
                diagnostic = diagnostic.help(format!("did you mean `{close}`?"));
            }
            self.diagnostics.push(diagnostic);
        }
    }

    fn declaration(&mut self, raw: Raw<'t>) {
        if raw.keyword.text != "system" && self.system.is_none() {
            let message = "the `system` declaration must come first";
            self.diagnostics.push(Diagnostic::error("missing-system", raw.keyword.span, message));
            self.system = Some(raw.keyword.span);
        }
        match raw.keyword.text {
            "system" => self.system(&raw),
            "process" => self.process(&raw),
            "event" => self.event(&raw),
            "clock" => self.clock(&raw),
            "int" => self.int(&raw),
            "location" => self.location(raw),
            "edge" => self.edge(raw),
            _ => self.sync(&raw),
        }
    }

    /// The fields of a declaration, if there are as many as its form has.
    fn fields<const N: usize>(&mut self, raw: &Raw<'t>, form: &str) -> Option<[Piece<'t>; N]> {
        let fields: Result<[Piece<'t>; N], _> = raw.fields.clone().try_into();
        fields
            .inspect_err(|fields| {
                let (span, message) = match fields.get(N) {
                    Some(extra) => (extra.span, "there is more than the declaration takes"),
                    None => (raw.span.after(), "this declaration is incomplete"),
                };
                self.diagnostics.push(
                    Diagnostic::error("syntax", span, message).help(format!("write `{form}`")),
                );
            })
            .ok()
    }

    fn identifier(&mut self, piece: Piece<'t>, what: &str) -> Option<Piece<'t>> {
        if is_identifier(piece.text) {
            return Some(piece);
        }
        let message = match piece.text {
            "" => format!("expected the name of {what}"),
            text => format!("`{text}` cannot name {what}"),
        };
        self.diagnostics.push(
            Diagnostic::error("syntax", piece.span, message)
                .note("a name has letters, digits, `_` and `.`, and starts with a letter or `_`"),
        );
        None
    }

    fn number(&mut self, piece: Piece<'t>, what: &str) -> Option<i64> {
        let digits = piece.text.strip_prefix(['-', '+']).unwrap_or(piece.text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = format!("expected {what}, found `{}`", piece.text);
            self.diagnostics.push(Diagnostic::error("syntax", piece.span, message));
            return None;
        }
        let value = piece.text.parse::<i32>().ok().map(i64::from);
        if value.is_none() {
            let message = "this number does not fit in 32 bits";
            self.diagnostics.push(Diagnostic::error("number-too-large", piece.span, message));
        }
        value
    }

    /// Warns of attributes that mean nothing here.
    fn check_attributes(&mut self, raw: &Raw<'t>, known: &[&'static str]) {
        const WITHOUT_VALUE: [&str; 7] =
            ["initial", "committed", "urgent", "input", "output", "controllable", "uncontrollable"];
        for Attribute { key, value } in &raw.attributes {
            if !known.contains(&key.text) {
                let message =
                    format!("attribute `{}` of {} is ignored", key.text, raw.keyword.text);
                self.diagnostics.push(
                    Diagnostic::warning("unknown-attribute", key.span, message).suggest(
                        key.span,
                        key.text,
                        known.iter().copied(),
                    ),
                );
            } else if WITHOUT_VALUE.contains(&key.text) && !value.text.is_empty() {
                let message = format!("attribute `{}` takes no value", key.text);
                self.diagnostics.push(
                    Diagnostic::warning("unused-value", value.span, message).fix(value.span, ""),
                );
            }
        }
    }

    fn system(&mut self, raw: &Raw<'t>) {
        self.check_attributes(raw, &[]);
        if let Some(first) = self.system {
            let message = "a file declares one system";
            self.diagnostics.push(
                Diagnostic::error("duplicate-name", raw.span, message)
                    .also(first, "the file starts here"),
            );
            return;
        }
        self.system = Some(raw.span);
        let Some([name]) = self.fields::<1>(raw, "system:name") else { return };
        if let Some(name) = self.identifier(name, "a system") {
            self.document.items.push(Item::Name(name.name()));
        }
    }

    fn process(&mut self, raw: &Raw<'t>) {
        self.check_attributes(raw, &[]);
        let Some([name]) = self.fields::<1>(raw, "process:name") else { return };
        let Some(name) = self.identifier(name, "a process") else { return };
        let index = self.processes.len();
        if let Some(name) = self.names.declare(Sort::Process, name, index, self.diagnostics) {
            self.processes.push(ProcessDraft {
                name,
                locations: Vec::new(),
                by_name: BTreeMap::new(),
                taken: BTreeSet::new(),
                edges: Vec::new(),
            });
        }
    }

    fn event(&mut self, raw: &Raw<'t>) {
        self.check_attributes(raw, &["input", "output"]);
        let direction = match (raw.attribute("input"), raw.attribute("output")) {
            (Some(input), Some(output)) => {
                let message = "an event is an input or an output, not both";
                self.diagnostics.push(
                    Diagnostic::error("conflicting-attributes", output.key.span, message)
                        .also(input.key.span, "an input here"),
                );
                None
            }
            (Some(_), None) => Some(Direction::Input),
            (None, Some(_)) => Some(Direction::Output),
            (None, None) => None,
        };
        let Some([name]) = self.fields::<1>(raw, "event:name") else { return };
        let Some(name) = self.identifier(name, "an event") else { return };
        let direction = self.given.direction(name.text).unwrap_or(direction);
        let index = self.events.len();
        if let Some(name) = self.names.declare(Sort::Event, name, index, self.diagnostics) {
            self.events.push(EventDraft { name, direction, span: raw.span });
        }
    }

    fn clock(&mut self, raw: &Raw<'t>) {
        self.check_attributes(raw, &[]);
        let Some([size, name]) = self.fields::<2>(raw, "clock:size:name") else { return };
        let ty = TypeExpr { kind: TypeKind::Clock, span: raw.keyword.span };
        self.variable(raw, size, name, ty, None);
    }

    fn int(&mut self, raw: &Raw<'t>) {
        self.check_attributes(raw, &[]);
        let form = "int:size:min:max:initial:name";
        let Some([size, min, max, initial, name]) = self.fields::<5>(raw, form) else { return };
        let low = self.number(min, "the least value");
        let high = self.number(max, "the greatest value");
        let start = self.number(initial, "the initial value");
        let (Some(low), Some(high), Some(start)) = (low, high, start) else { return };
        if low > high {
            let message = format!("the range from {low} to {high} is empty");
            self.diagnostics.push(Diagnostic::error("empty-range", min.span.to(max.span), message));
        } else if start < low || start > high {
            let message = format!("the initial value {start} is outside {low} to {high}");
            self.diagnostics.push(
                Diagnostic::error("out-of-range", initial.span, message)
                    .also(min.span.to(max.span), "the range"),
            );
        }
        let literal = |value, piece: Piece<'_>| Expr::new(ExprKind::Int(value), piece.span);
        let range = Some(Box::new((literal(low, min), literal(high, max))));
        let ty = TypeExpr { kind: TypeKind::Int(range), span: min.span.to(max.span) };
        self.variable(raw, size, name, ty, Some(literal(start, initial)));
    }

    fn variable(
        &mut self,
        raw: &Raw<'t>,
        size: Piece<'t>,
        name: Piece<'t>,
        ty: TypeExpr,
        initial: Option<Expr>,
    ) {
        let count = self.number(size, "the size");
        let Some(piece) = self.identifier(name, "a variable") else { return };
        let index = self.variables.len();
        let name = self.names.declare(Sort::Variable, piece, index, self.diagnostics);
        let Some(name) = name else { return };
        let variable = Variable {
            name: name.text.clone(),
            clock: initial.is_none(),
            array: count.is_some_and(|count| count > 1),
            span: piece.span,
        };
        self.variables.insert(piece.text.to_owned(), variable);
        let Some(count) = count else { return };
        if count < 1 || count > SIZE_LIMIT - self.cells {
            let message = match count {
                ..1 => "the size must be at least 1".to_owned(),
                _ => format!("more than {SIZE_LIMIT} clocks and integers are not supported"),
            };
            self.diagnostics.push(Diagnostic::error("size", size.span, message));
            return;
        }
        self.cells += count;
        let mut declarator =
            Declarator { name, dimensions: Vec::new(), parameters: Vec::new(), initializer: None };
        declarator.initializer = initial.map(|initial| match count {
            1 => Initializer::Expr(initial),
            _ => {
                let span = initial.span;
                let all = (0..count).map(|_| (None, Initializer::Expr(initial.clone())));
                Initializer::List(all.collect(), span)
            }
        });
        if count > 1 {
            let length = Expr::new(ExprKind::Int(count), size.span);
            let kind = TypeKind::Size(Box::new(length));
            declarator.dimensions.push(TypeExpr { kind, span: size.span });
        }
        let kind = DeclarationKind::Variables {
            constant: false,
            symbolic: false,
            meta: false,
            ty,
            declarators: vec![declarator],
            condition: None,
        };
        self.document.items.push(Item::Declaration(Declaration { kind, span: raw.span }));
    }

    fn location(&mut self, raw: Raw<'t>) {
        const KNOWN: [&str; 5] = ["initial", "invariant", "labels", "committed", "urgent"];
        self.check_attributes(&raw, &KNOWN);
        let Some([process, name]) = self.fields::<2>(&raw, "location:process:name") else {
            return;
        };
        let process = self.names.find(Sort::Process, process, self.diagnostics);
        let process = process.map(|entry| entry.index);
        let Some(name) = self.identifier(name, "a location") else { return };
        let Some(process) = process else { return };
        let draft = &mut self.processes[process];
        if let Some(first) = draft.by_name.get(name.text) {
            let first = draft.locations[*first].name.span;
            self.diagnostics.push(duplicate("location", name, first));
            return;
        }
        draft.by_name.insert(name.text, draft.locations.len());
        let mut text = name.text.replace('.', "_");
        while !draft.taken.insert(text.clone()) {
            text.push('_');
        }
        draft.locations.push(LocationDraft { name: Name::new(text, name.span), raw });
    }

    fn edge(&mut self, raw: Raw<'t>) {
        const KNOWN: [&str; 4] = ["provided", "do", "controllable", "uncontrollable"];
        self.check_attributes(&raw, &KNOWN);
        let form = "edge:process:source:target:event";
        let Some([process, source, target, event]) = self.fields::<4>(&raw, form) else { return };
        let event = self.names.find(Sort::Event, event, self.diagnostics).map(|entry| entry.index);
        let process = self.names.find(Sort::Process, process, self.diagnostics);
        let Some(process) = process.map(|entry| entry.index) else { return };
        let draft = &self.processes[process];
        let mut end = |piece: Piece<'t>| {
            let found = draft.by_name.get(piece.text).copied();
            if found.is_none() {
                let what = format!("location of process `{}`", draft.name.text);
                self.diagnostics.push(unknown(&what, piece, draft.by_name.keys().copied()));
            }
            found
        };
        let (source, target) = (end(source), end(target));
        let control = match (raw.attribute("controllable"), raw.attribute("uncontrollable")) {
            (Some(first), Some(second)) => {
                let message = "an edge is controllable or uncontrollable, not both";
                self.diagnostics.push(
                    Diagnostic::error("conflicting-attributes", second.key.span, message)
                        .also(first.key.span, "controllable here"),
                );
                None
            }
            (Some(_), None) => Some(Control::Controllable),
            (None, Some(_)) => Some(Control::Uncontrollable),
            (None, None) => None,
        };
        let (Some(source), Some(target), Some(event)) = (source, target, event) else { return };
        self.processes[process].edges.push(EdgeDraft { source, target, event, control, raw });
    }

    fn sync(&mut self, raw: &Raw<'t>) {
        self.check_attributes(raw, &[]);
        let before = self.diagnostics.error_count();
        let parts: Vec<_> = raw.fields.iter().filter_map(|field| self.part(*field)).collect();
        if self.diagnostics.error_count() == before {
            self.check_sync(&parts, raw.span);
            self.syncs.push(SyncDraft { parts, span: raw.span });
        }
    }
}
