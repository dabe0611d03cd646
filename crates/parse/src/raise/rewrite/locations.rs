//! Changed and further locations.

use tioga_base::Span;
use tioga_model::{Location, LocationId};

use super::Writer;
use crate::raise::refused::Raised;
use crate::raise::tree::name;
use crate::syntax::{LocationDecl, TemplateItem};

impl<'w> Writer<'w> {
    /// Gives locations their new invariants, and adds those that the document does not have.
    pub fn locations(&mut self) -> Raised<()> {
        let mut items = Vec::new();
        for item in std::mem::take(&mut self.template.items) {
            match item {
                TemplateItem::Locations(declared) => self.declared(declared, &mut items)?,
                other => items.push(other),
            }
        }
        let last = items.iter().rposition(|item| matches!(item, TemplateItem::Locations(_)));
        let span = last.map_or(self.template.span, |last| span(&items[last]));
        let known = self.before.locations.len();
        let after = last.map_or(0, |last| last + 1);
        let further = self.process.locations.iter().skip(known);
        for (position, location) in (after..).zip(further) {
            let declared = LocationDecl {
                names: vec![name(&location.name)],
                marks: location.marks,
                labels: location.labels.iter().map(name).collect(),
                invariant: self.view.condition(&location.invariant)?,
                span,
            };
            items.insert(position, TemplateItem::Locations(declared));
        }
        self.template.items = items;
        Ok(())
    }

    /// Locations that were declared together, in order; those that changed are apart now.
    fn declared(&mut self, declared: LocationDecl, items: &mut Vec<TemplateItem>) -> Raised<()> {
        let mut together: Vec<crate::syntax::Name> = Vec::new();
        let part = |names, declared: &LocationDecl| {
            TemplateItem::Locations(LocationDecl { names, ..declared.clone() })
        };
        for one in &declared.names {
            let Some((before, after)) = self.found(&one.text).filter(|(a, b)| a != b) else {
                together.push(one.clone());
                continue;
            };
            if !together.is_empty() {
                items.push(part(std::mem::take(&mut together), &declared));
            }
            let mut alone = LocationDecl { names: vec![one.clone()], ..declared.clone() };
            if before.invariant != after.invariant {
                alone.invariant = self.view.condition(&after.invariant)?;
            }
            alone.marks = after.marks;
            alone.labels = after.labels.iter().map(name).collect();
            items.push(TemplateItem::Locations(alone));
        }
        if !together.is_empty() {
            items.push(part(together, &declared));
        }
        Ok(())
    }

    /// A location before and after the change.
    fn found(&self, text: &str) -> Option<(&'w Location, &'w Location)> {
        let (id, before): (LocationId, _) =
            self.before.locations.iter_ids().find(|(_, location)| location.name == text)?;
        Some((before, &self.process.locations[id]))
    }
}

/// Where an item of a template stands.
pub fn span(item: &TemplateItem) -> Span {
    match item {
        TemplateItem::Declaration(declaration) => declaration.span,
        TemplateItem::Locations(locations) => locations.span,
        TemplateItem::Edge(edge) => edge.span,
        TemplateItem::Otherwise(otherwise) => otherwise.span,
        TemplateItem::Restart(action) => action.span,
    }
}
