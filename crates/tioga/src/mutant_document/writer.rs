//! Changes to the text of one template: an edge, a location, and what is added to complete it.

use tioga_base::{Diagnostics, FileId, Span};
use tioga_model::{
    Condition, Edge, EdgeId, Label, LocationId, Marks, Model, Network, ProcessId, Type,
};
use tioga_mutate::{Change, Wording};
use tioga_parse::syntax::{
    ActionUse, Dialect, EdgeDecl, Expr, Item, LocationDecl, Name, Target, Template, TemplateItem,
};
use tioga_parse::{Format, parse};

/// Changes the template of one process.
pub struct Writer<'w> {
    pub model: &'w Model,
    pub network: &'w Network,
    pub process: ProcessId,
    pub template: &'w mut Template,
}

impl Writer<'_> {
    /// Makes the change of a mutant.
    pub fn change(&mut self, change: &Change) -> Result<(), String> {
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
            // Only what changed is put into words.
            let bare = Edge { label: Label::Silent, reply: None, ..new.clone() };
            if old.guard != new.guard {
                let updates = Vec::new();
                decl.guard = self.printed(&Edge { updates, ..bare.clone() })?.guard;
            }
            if old.updates != new.updates {
                let guard = Condition::always();
                decl.updates = self.printed(&Edge { guard, ..bare })?.updates;
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
    pub fn add_location(&mut self, name: &str) {
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
    pub fn add(&mut self, edge: &Edge) -> Result<(), String> {
        let mut decl = self.printed(edge)?;
        decl.span = self.template.items.last().map_or(self.template.span, item_span);
        self.template.items.push(TemplateItem::Edge(Box::new(decl)));
        Ok(())
    }

    /// What the edge shows, in the words of the network.
    fn printed_label(&self, edge: &Edge) -> Result<EdgeDecl, String> {
        let plain = Edge { guard: Condition::always(), ..edge.clone() };
        self.printed(&Edge { updates: Vec::new(), ..plain })
    }

    /// The whole edge in the words of the network.
    fn printed(&self, edge: &Edge) -> Result<EdgeDecl, String> {
        let mut wording = Wording::new(self.network, self.process);
        let (source, target) = (self.location(edge.source), self.location(edge.target));
        let target = if edge.source == edge.target { "self".to_owned() } else { target };
        let mut label = wording.label(&edge.label, edge.reply.as_ref());
        if let Label::Receive(used) = &edge.label
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
