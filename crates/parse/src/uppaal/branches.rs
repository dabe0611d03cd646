//! Branchpoints: an edge into one and an edge out of it are one step.
//!
//! While a file is read, a branchpoint is a location with a name that no location can have. Here each
//! edge into it becomes one edge for each branch, which first makes the updates of the edge and then
//! those of the branch. Which branch is taken is the choice of the system, whatever the weights are.

use std::collections::BTreeMap;

use tioga_base::{Diagnostic, Diagnostics};

use crate::syntax::{
    BinaryOp, Control, Document, EdgeDecl, Expr, ExprKind, Item, Target, Template, TemplateItem,
};

/// What names of branchpoints begin with.
const PREFIX: &str = "branchpoint ";

/// How many edges the branches of one template may become.
const LIMIT: usize = 100_000;

/// The name of a branchpoint while a file is read.
pub(super) fn name(id: &str) -> String {
    format!("{PREFIX}{id}")
}

/// Whether a name is that of a branchpoint.
pub(super) fn is_branchpoint(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Replaces edges into and out of branchpoints by single edges. In a game, an edge with several
/// branches belongs to the system, which chooses among them.
pub(super) fn resolve(document: &mut Document, game: bool, diagnostics: &mut Diagnostics) {
    for item in &mut document.items {
        if let Item::Template(template) = item {
            resolve_template(template, game, diagnostics);
        }
    }
}

fn source(edge: &EdgeDecl) -> Option<&str> {
    edge.sources.first().map(|one| one.text.as_str()).filter(|one| is_branchpoint(one))
}

fn target(edge: &EdgeDecl) -> Option<&str> {
    match &edge.target {
        Target::Location(name) if is_branchpoint(&name.text) => Some(&name.text),
        _ => None,
    }
}

fn resolve_template(template: &mut Template, game: bool, diagnostics: &mut Diagnostics) {
    let mut branches: BTreeMap<String, Vec<EdgeDecl>> = BTreeMap::new();
    let mut items = Vec::new();
    for item in std::mem::take(&mut template.items) {
        match item {
            TemplateItem::Edge(edge) => match source(&edge).map(str::to_owned) {
                Some(point) => branches.entry(point).or_default().push(*edge),
                None => items.push(TemplateItem::Edge(edge)),
            },
            other => items.push(other),
        }
    }
    for point in branches.values() {
        for branch in point.iter().filter(|branch| target(branch).is_some()) {
            let message = "a branch leads to another branchpoint";
            diagnostics.push(Diagnostic::unsupported("nested-branchpoint", branch.span, message));
        }
    }
    let mut made = 0;
    for item in items {
        let TemplateItem::Edge(edge) = item else {
            template.items.push(item);
            continue;
        };
        let Some(point) = target(&edge) else {
            template.items.push(TemplateItem::Edge(edge));
            continue;
        };
        let Some(ways) = branches.get(point) else {
            let message = "no branch leads out of this branchpoint";
            diagnostics.push(Diagnostic::error("no-branch", edge.span, message));
            continue;
        };
        made += ways.len();
        if made > LIMIT {
            let message = format!("the branches of `{}` are too many", template.name.text);
            diagnostics.push(Diagnostic::error("too-large", edge.span, message));
            return;
        }
        for way in ways {
            let joined = joined(&edge, way, game && ways.len() > 1);
            template.items.push(TemplateItem::Edge(Box::new(joined)));
        }
    }
}

/// An edge and a branch as one edge.
fn joined(edge: &EdgeDecl, way: &EdgeDecl, systems_choice: bool) -> EdgeDecl {
    let guard = match (&edge.guard, &way.guard) {
        (Some(one), Some(other)) => {
            let span = one.span;
            let parts = (Box::new(one.clone()), Box::new(other.clone()));
            Some(Expr::new(ExprKind::Binary(BinaryOp::And, parts.0, parts.1), span))
        }
        (one, other) => one.clone().or_else(|| other.clone()),
    };
    EdgeDecl {
        sources: edge.sources.clone(),
        target: way.target.clone(),
        control: if systems_choice { Some(Control::Uncontrollable) } else { edge.control },
        action: edge.action.clone().or_else(|| way.action.clone()),
        reply: None,
        selects: edge.selects.iter().chain(&way.selects).cloned().collect(),
        guard,
        updates: edge.updates.iter().chain(&way.updates).cloned().collect(),
        span: way.span,
    }
}
