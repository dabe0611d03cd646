//! Documents as `.tioga` text: the formatter, and the last step of every conversion to `.tioga`.
//!
//! Formatting keeps the content, every comment, and blank lines up to one; formatting twice is
//! formatting once. Documents of other dialects get blank lines between groups of items, and names
//! that mean something in `.tioga` get an underscore.

use std::borrow::Cow;

use tioga_base::{Diagnostic, Diagnostics, FileId};

use super::item::UNITS;
use crate::clike::{Origin, TokenKind, is_keyword, lex};
use crate::print::Printer;
use crate::rename::rename_reserved;
use crate::syntax::{
    Control, Dialect, Direction, Document, EdgeDecl, Formula, Instance, Item, LocationDecl, Name,
    ProcessUse, Query, SyncVector, System, Target, Template, TemplateItem, TemplateKind,
};

/// Words that are names in most places only; foreign documents do not use them at all.
const CONTEXTUAL: [&str; 6] = ["fail", "labels", "model", "query", "restart", "self"];

/// Whether a word cannot be a name everywhere.
pub fn is_reserved(name: &str) -> bool {
    is_keyword(name, Dialect::Tioga) || CONTEXTUAL.contains(&name)
}

/// The `.tioga` text of a document, or what of it cannot be expressed.
pub fn print(document: &Document) -> Result<String, Diagnostics> {
    let document = if document.dialect == Dialect::Tioga {
        Cow::Borrowed(document)
    } else {
        let mut renamed = document.clone();
        rename_reserved(&mut renamed, is_reserved);
        Cow::Owned(renamed)
    };
    let mut printer = Printer::with_comments(Dialect::Tioga, &document.comments);
    let grouped = document.dialect != Dialect::Tioga;
    let mut previous: Option<&Item> = None;
    for item in &document.items {
        if let Some(previous) = previous {
            let template = |item: &Item| matches!(item, Item::Template(_));
            let changes = std::mem::discriminant(previous) != std::mem::discriminant(item);
            if template(previous) || template(item) || (grouped && changes) {
                printer.blank();
            }
        }
        printer.item(item, grouped);
        previous = Some(item);
    }
    printer.finish()
}

impl Printer<'_> {
    fn item(&mut self, item: &Item, grouped: bool) {
        let span = item.span();
        let text = match item {
            Item::Declaration(declaration) => return self.declaration(declaration),
            Item::Template(template) => return self.template(template, grouped),
            Item::Name(name) => format!("model {};", name.text),
            Item::TimeUnit(unit) => {
                let word = UNITS.iter().find(|(_, known)| *known == unit.unit);
                let word = word.map_or("s", |(word, _)| word);
                format!("time unit {} {word};", unit.amount)
            }
            Item::Instance(instance) => self.instance(instance),
            Item::System(system) => self.system(system),
            Item::Sync(sync) => sync_text(sync),
            Item::Query(query) => self.query(query),
        };
        self.line(span, &text);
    }

    fn instance(&mut self, instance: &Instance) -> String {
        let mut text = instance.name.text.clone();
        if !instance.params.is_empty() {
            text.push_str(&format!("({})", self.parameters(&instance.params)));
        }
        let arguments = self.exprs(&instance.arguments);
        format!("{text} = {}({arguments});", instance.template.text)
    }

    fn system(&mut self, system: &System) -> String {
        if system.system.is_empty() {
            self.diagnostics.push(
                Diagnostic::error("inexpressible", system.span, "the system has no process")
                    .note("an environment needs a system to be tested"),
            );
        }
        let mut text = format!("system {}", self.processes(&system.system));
        if !system.environment.is_empty() {
            text.push_str(" environment ");
            text.push_str(&self.processes(&system.environment));
        }
        text.push(';');
        text
    }

    fn processes(&mut self, uses: &[ProcessUse]) -> String {
        let mut texts = Vec::new();
        for one in uses {
            texts.push(match &one.arguments {
                Some(arguments) => format!("{}({})", one.name.text, self.exprs(arguments)),
                None => one.name.text.clone(),
            });
        }
        texts.join(", ")
    }

    fn query(&mut self, query: &Query) -> String {
        let comment = match &query.comment {
            Some(comment) => {
                let words: Vec<&str> = comment.split_whitespace().collect();
                let comment =
                    if comment.contains('\n') { words.join(" ") } else { comment.clone() };
                format!("\"{}\" ", comment.replace('"', "'"))
            }
            None => String::new(),
        };
        if let Formula::Other(text) = &query.formula
            && (!is_formula_text(text) || (text.starts_with('"') && query.comment.is_none()))
        {
            self.diagnostics.push(Diagnostic::error(
                "inexpressible",
                query.span,
                "this formula cannot be expressed in .tioga",
            ));
        }
        format!("query {comment}{};", self.formula(&query.formula))
    }

    fn template(&mut self, template: &Template, grouped: bool) {
        let word = match template.kind {
            TemplateKind::Automaton => "automaton",
            TemplateKind::Purpose => "purpose",
        };
        let mut text = format!("{word} {}", template.name.text);
        if !template.params.is_empty() {
            text.push_str(&format!("({})", self.parameters(&template.params)));
        }
        let mut head = template.span;
        let last = template.params.last().map_or(template.name.span, |param| param.name.span);
        head.end = last.end;
        self.open(head, &format!("{text} {{"));
        let mut previous: Option<&TemplateItem> = None;
        for item in &template.items {
            let changes = previous.is_some_and(|previous| {
                std::mem::discriminant(previous) != std::mem::discriminant(item)
            });
            if grouped && changes {
                self.blank();
            }
            self.template_item(item);
            previous = Some(item);
        }
        self.close(template.span.end, "}");
    }

    fn template_item(&mut self, item: &TemplateItem) {
        let (span, text) = match item {
            TemplateItem::Declaration(declaration) => return self.declaration(declaration),
            TemplateItem::Locations(locations) => (locations.span, self.locations(locations)),
            TemplateItem::Edge(edge) => (edge.span, self.edge(edge)),
            TemplateItem::Otherwise(otherwise) => {
                let target = match &otherwise.target {
                    Target::Same(_) => "self".to_owned(),
                    Target::Location(name) => format!("-> {}", name.text),
                };
                (otherwise.span, format!("otherwise {target};"))
            }
            TemplateItem::Restart(action) => {
                (action.span, format!("restart {};", self.action(action)))
            }
        };
        self.line(span, &text);
    }

    fn locations(&mut self, locations: &LocationDecl) -> String {
        let mut text = String::new();
        for word in locations.marks.names() {
            text.push_str(word);
            text.push(' ');
        }
        text.push_str("location ");
        text.push_str(&names(&locations.names));
        if let Some(invariant) = &locations.invariant {
            text.push_str(" invariant ");
            text.push_str(&self.condition(invariant));
        }
        if !locations.labels.is_empty() {
            text.push_str(" labels ");
            text.push_str(&names(&locations.labels));
        }
        text.push(';');
        text
    }

    fn edge(&mut self, edge: &EdgeDecl) -> String {
        let arrow = match edge.control {
            None => "->",
            Some(Control::Controllable) => "-c->",
            Some(Control::Uncontrollable) => "-u->",
        };
        let target = match &edge.target {
            Target::Same(_) => "self",
            Target::Location(name) => &name.text,
        };
        let mut text = format!("{} {arrow} {target}", names(&edge.sources));
        let mut parts = Vec::new();
        if let Some(action) = &edge.action {
            parts.push(self.action(action));
            if let Some(reply) = &edge.reply {
                parts.push(format!("/ {}", self.action(reply)));
            }
        }
        if !edge.selects.is_empty() {
            let mut selects = Vec::new();
            for select in &edge.selects {
                selects.push(format!("{} : {}", select.name.text, self.type_expr(&select.ty)));
            }
            parts.push(format!("for {}", selects.join(", ")));
        }
        if let Some(guard) = &edge.guard {
            parts.push(format!("when {}", self.condition(guard)));
        }
        if !edge.updates.is_empty() {
            parts.push(format!("do {}", self.exprs(&edge.updates)));
        }
        if !parts.is_empty() {
            text.push_str(" : ");
            text.push_str(&parts.join(" "));
        }
        text.push(';');
        text
    }
}

fn sync_text(sync: &SyncVector) -> String {
    let mut parts = Vec::new();
    for part in &sync.parts {
        let weak = if part.weak { "?" } else { "" };
        parts.push(format!("{}.{}{weak}", part.process.text, part.action.text));
    }
    let shown = match &sync.shown {
        Some((Direction::Input, name)) => format!(" as input {}", name.text),
        Some((Direction::Output, name)) => format!(" as output {}", name.text),
        None => String::new(),
    };
    format!("sync {}{shown};", parts.join(", "))
}

fn names(names: &[Name]) -> String {
    let texts: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
    texts.join(", ")
}

/// Whether a formula kept as text ends where a `.tioga` query ends.
fn is_formula_text(text: &str) -> bool {
    let lexed = lex(text, &Origin::whole(FileId(0)));
    let mut depth = 0usize;
    for token in &lexed.tokens {
        match (token.kind, token.text) {
            (TokenKind::Unknown, _) => return false,
            (TokenKind::Symbol, "(" | "[" | "{") => depth += 1,
            (TokenKind::Symbol, ")" | "]" | "}") if depth == 0 => return false,
            (TokenKind::Symbol, ")" | "]" | "}") => depth -= 1,
            (TokenKind::Symbol, ";") if depth == 0 => return false,
            _ => {}
        }
    }
    depth == 0 && lexed.tokens.len() > 1 && lexed.comments.is_empty()
}
