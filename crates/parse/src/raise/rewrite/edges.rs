//! Changed, missing and further edges.

use tioga_base::Id;
use tioga_model::{BinaryOp, Edge, Label};

use super::Writer;
use super::locations::span;
use crate::raise::edge::{Asking, usual_control};
use crate::raise::refused::{Raised, Refused};
use crate::raise::tree::{binary, int, joined, named, not, truth};
use crate::syntax::{
    ActionUse, DeclarationKind, EdgeDecl, Expr, ExprKind, Name, Target, TemplateItem,
};

/// An edge of the original with what became of it: nothing if it is missing.
type Fate<'w> = (&'w Edge, Option<&'w Edge>);

impl<'w> Writer<'w> {
    /// Writes the edges that changed, leaves out those that are missing and adds new ones.
    pub fn edges(&mut self) -> Raised<()> {
        let (fates, added) = self.fates()?;
        let mut items = Vec::new();
        for item in std::mem::take(&mut self.template.items) {
            let TemplateItem::Edge(written) = item else {
                items.push(item);
                continue;
            };
            let own = fates.iter().filter(|(old, _)| old.span == written.span);
            let own: Vec<Fate<'w>> = own.copied().collect();
            if own.iter().all(|(old, new)| Some(*old) == *new) {
                items.push(TemplateItem::Edge(written));
            } else {
                self.parts(&written, &own, &mut items)?;
            }
        }
        let place = items.last().map_or(self.template.span, span);
        for edge in added {
            let names = self.declared_names(edge);
            let usual = usual_control(self.view.network, self.process.role, edge);
            let mut written = self.view.edge(edge, &names, usual)?;
            written.span = place;
            items.push(TemplateItem::Edge(Box::new(written)));
        }
        self.template.items = items;
        Ok(())
    }

    /// What became of each edge, and the edges that are new.
    fn fates(&self) -> Raised<(Vec<Fate<'w>>, &'w [Edge])> {
        let written = |edge: &Edge| {
            let mut items = self.template.items.iter();
            items.any(|item| matches!(item, TemplateItem::Edge(decl) if decl.span == edge.span))
        };
        let (before, after) = (self.before.edges.as_slice(), self.process.edges.as_slice());
        if !before.iter().all(written) {
            return Err(Refused::new("an edge is not written anywhere"));
        }
        let known = |edge: &Edge| edge.source.index() < self.before.locations.len();
        let kept = after.iter().take_while(|edge| written(edge) && known(edge)).count();
        let (kept, added) = after.split_at(kept);
        let mut rest = kept.iter().peekable();
        let mut fates = Vec::new();
        for (position, old) in before.iter().enumerate() {
            // Those that are fewer are missing as soon as something differs.
            let fewer = rest.len() < before.len() - position;
            let new = rest.next_if(|new| !fewer || *new == old);
            fates.push((old, new));
        }
        if rest.peek().is_some() {
            return Err(Refused::new("there are more edges than were written"));
        }
        Ok((fates, added))
    }

    /// The edges that were written together, with the changed ones apart.
    fn parts(
        &mut self,
        written: &EdgeDecl,
        fates: &[Fate<'w>],
        items: &mut Vec<TemplateItem>,
    ) -> Raised<()> {
        let mut together: Vec<Name> = Vec::new();
        let push = |sources: &mut Vec<Name>, items: &mut Vec<TemplateItem>| {
            if !sources.is_empty() {
                let sources = std::mem::take(sources);
                items.push(TemplateItem::Edge(Box::new(EdgeDecl { sources, ..written.clone() })));
            }
        };
        for source in &written.sources {
            let own = fates
                .iter()
                .filter(|(old, _)| self.before.locations[old.source].name == source.text);
            let changed = own.filter(|(old, new)| Some(*old) != *new);
            let changed: Vec<Fate<'w>> = changed.copied().collect();
            if changed.is_empty() {
                together.push(source.clone());
                continue;
            }
            push(&mut together, items);
            if !written.selects.is_empty() {
                let guard = Some(other_choices(written, &changed));
                let sources = vec![source.clone()];
                let others = EdgeDecl { sources, guard, ..written.clone() };
                items.push(TemplateItem::Edge(Box::new(others)));
            }
            for (old, new) in changed {
                let Some(new) = new else { continue };
                let decl = self.rewritten(old, new, written)?;
                items.push(TemplateItem::Edge(Box::new(decl)));
            }
        }
        push(&mut together, items);
        Ok(())
    }

    /// The new edge, with what did not change as it was written.
    fn rewritten(&mut self, old: &Edge, new: &Edge, written: &EdgeDecl) -> Raised<EdgeDecl> {
        let names = self.bound_names(written);
        let usual = usual_control(self.view.network, self.process.role, new);
        let anew = self.view.edge(new, &names, usual)?;
        let mut decl = if written.selects.is_empty() {
            self.patched(old, new, written, &names, anew)?
        } else {
            // What a choice bound is known by its value.
            anew
        };
        if (old.control, &old.label) == (new.control, &new.label) {
            decl.control = written.control;
        }
        let own = self.view.location(self.view.own, new.source)?;
        decl.sources = vec![Name::new(own, written.span)];
        if (old.source, old.target) == (new.source, new.target) {
            decl.target = written.target.clone();
        } else if new.source == new.target {
            decl.target = Target::Same(written.span);
        } else {
            let target = self.view.location(self.view.own, new.target)?;
            decl.target = Target::Location(Name::new(target, written.span));
        }
        decl.span = written.span;
        Ok(decl)
    }

    /// The edge as it was written, with the parts that changed; `anew` is the whole of it as a
    /// network would be written.
    fn patched(
        &mut self,
        old: &Edge,
        new: &Edge,
        written: &EdgeDecl,
        names: &[String],
        anew: EdgeDecl,
    ) -> Raised<EdgeDecl> {
        let mut decl = written.clone();
        if (&old.label, &old.reply) != (&new.label, &new.reply) {
            decl.action = renamed(written.action.as_ref(), anew.action.clone());
            decl.reply = renamed(written.reply.as_ref(), anew.reply.clone());
        }
        let values: Vec<bool> = names.iter().map(String::is_empty).collect();
        let (before, after) = (
            self.view.asked(old, Asking::For(&values)),
            self.view.asked(new, Asking::For(&values)),
        );
        // A value that is asked for instead of a name stands in the action.
        if before.values != after.values {
            return Ok(anew);
        }
        let bound = self.view.bind(new, names);
        self.view.frame_read = false;
        if old.guard != new.guard {
            decl.guard = self.view.condition(&after.rest)?;
        }
        if old.updates != new.updates {
            decl.updates = self.view.updates(&new.updates)?;
        }
        self.view.frame.truncate(bound);
        // Received values that had no names have some now.
        let unnamed = written.action.as_ref().is_some_and(|action| action.arguments.is_empty());
        Ok(if self.view.frame_read && unnamed { anew } else { decl })
    }

    /// The names an action binds, by parameter; empty where it asks for a value.
    fn bound_names(&self, written: &EdgeDecl) -> Vec<String> {
        let Some(action) = &written.action else { return Vec::new() };
        let known = |text: &str| {
            let selected = written.selects.iter().any(|select| select.name.text == text);
            selected || self.view.taken.has(text)
        };
        let names = action.arguments.iter().map(|argument| match &argument.kind {
            ExprKind::Name(text) if !known(text) => text.clone(),
            _ => String::new(),
        });
        names.collect()
    }

    /// What the parameters of the channel of an edge are called where it is declared.
    fn declared_names(&self, edge: &Edge) -> Vec<String> {
        let (Label::Send(used) | Label::Receive(used)) = &edge.label else { return Vec::new() };
        let parameters = |text: &str, item: &crate::syntax::Declaration| match &item.kind {
            DeclarationKind::Variables { declarators, .. } => declarators
                .iter()
                .find(|declarator| declarator.name.text == text)
                .map(|declarator| declarator.parameters.clone()),
            _ => None,
        };
        let Ok((text, ..)) = self.view.channel(used.channel) else {
            return Vec::new();
        };
        let inside = self.template.items.iter().filter_map(|item| match item {
            TemplateItem::Declaration(declaration) => Some(declaration),
            _ => None,
        });
        let mut declarations = inside.chain(self.document.declarations());
        let found = declarations.find_map(|declaration| parameters(&text, declaration));
        found.unwrap_or_default().into_iter().map(|parameter| parameter.name.text).collect()
    }
}

/// The guard of an edge for all choices but those of some edges.
fn other_choices(written: &EdgeDecl, changed: &[Fate<'_>]) -> Expr {
    let excluded = changed.iter().filter_map(|(old, _)| {
        let values = old.choices.iter();
        let values = values.map(|(text, value)| binary(BinaryOp::Eq, named(text), int(*value)));
        joined(BinaryOp::And, values).map(not)
    });
    let mut parts = Vec::new();
    written.guard.iter().for_each(|guard| conjuncts(guard, &mut parts));
    let guard = excluded.chain(parts);
    joined(BinaryOp::And, guard).unwrap_or_else(|| truth(true))
}

/// The parts of a conjunction, in order.
fn conjuncts(guard: &Expr, parts: &mut Vec<Expr>) {
    match &guard.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            conjuncts(left, parts);
            conjuncts(right, parts);
        }
        _ => parts.push(guard.clone()),
    }
}

/// An action on another channel; what it carries stays.
fn renamed(action: Option<&ActionUse>, other: Option<ActionUse>) -> Option<ActionUse> {
    match (action, other) {
        (Some(action), Some(other)) if action.communication == other.communication => {
            let (name, indices) = (other.name, other.indices);
            Some(ActionUse { name, indices, ..action.clone() })
        }
        (_, other) => other,
    }
}
