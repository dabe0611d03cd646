//! Functions that set clocks, written out where edges call them.
//!
//! Functions change data only. One without parameters, result and own variables that is nothing but a
//! list of assignments means the same as its assignments in the update of the edge that calls it, so
//! those that set clocks are replaced there. A function that is called from elsewhere, too, stays.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::{
    Change, Declaration, DeclarationKind, Document, Expr, ExprKind, Formula, Function, Item, Query,
    StatementKind, TemplateItem, TypeKind,
};

/// Replaces calls of functions that set clocks.
pub(super) fn settle(document: &mut Document) {
    let mut clocks = BTreeSet::new();
    document.declarations().for_each(|one| clock_names(one, &mut clocks));
    let global = functions(document.declarations(), &clocks);
    for item in &mut document.items {
        let Item::Template(template) = item else { continue };
        let own = || {
            template.items.iter().filter_map(|item| match item {
                TemplateItem::Declaration(declaration) => Some(declaration),
                _ => None,
            })
        };
        let mut known = clocks.clone();
        own().for_each(|one| clock_names(one, &mut known));
        let mut all = global.clone();
        // A name that the template declares means something else inside.
        all.retain(|name, updates| {
            let mut names = names(updates);
            names.insert(name.clone());
            let taken = |name: &String| {
                template.declares(name) || template.params.iter().any(|one| one.name.text == *name)
            };
            !names.iter().any(taken)
        });
        all.extend(functions(own(), &known));
        if all.is_empty() {
            continue;
        }
        for item in &mut template.items {
            if let TemplateItem::Edge(edge) = item {
                let selected: Vec<&str> =
                    edge.selects.iter().map(|select| select.name.text.as_str()).collect();
                let updates = edge.updates.drain(..);
                let updates = updates.flat_map(|one| inlined(one, &all, &selected)).collect();
                edge.updates = updates;
            }
        }
        let mut copy = Document::new(crate::syntax::Dialect::Uppaal);
        copy.items.push(Item::Template(template.clone()));
        let left: BTreeSet<&String> = all.keys().filter(|name| mentions(&mut copy, name)).collect();
        template.items.retain(|item| match item {
            TemplateItem::Declaration(Declaration {
                kind: DeclarationKind::Function(function),
                ..
            }) => !all.contains_key(&function.name.text) || left.contains(&function.name.text),
            _ => true,
        });
    }
    for name in global.keys() {
        let mut copy = document.clone();
        if !mentions(&mut copy, name) {
            document.items.retain(|item| match item {
                Item::Declaration(Declaration {
                    kind: DeclarationKind::Function(function),
                    ..
                }) => function.name.text != *name,
                _ => true,
            });
        }
    }
}

fn clock_names(declaration: &Declaration, names: &mut BTreeSet<String>) {
    if let DeclarationKind::Variables { ty, declarators, .. } = &declaration.kind {
        for declarator in declarators {
            // A local variable hides a global clock.
            names.remove(&declarator.name.text);
            if ty.kind == TypeKind::Clock {
                names.insert(declarator.name.text.clone());
            }
        }
    }
}

/// The functions that set clocks and can be written out, with their assignments.
fn functions<'d>(
    declarations: impl Iterator<Item = &'d Declaration>,
    clocks: &BTreeSet<String>,
) -> BTreeMap<String, Vec<Expr>> {
    let mut found = BTreeMap::new();
    for declaration in declarations {
        if let DeclarationKind::Function(function) = &declaration.kind
            && let Some(updates) = assignments(function)
            && updates.iter().any(|update| sets(update, clocks))
        {
            found.insert(function.name.text.clone(), updates);
        }
    }
    found
}

/// The assignments that a function consists of.
fn assignments(function: &Function) -> Option<Vec<Expr>> {
    let plain = function.parameters.is_empty()
        && function.result.kind == TypeKind::Void
        && function.body.declarations.is_empty();
    if !plain {
        return None;
    }
    let each = function.body.statements.iter().filter(|one| one.kind != StatementKind::Empty);
    each.map(|statement| match &statement.kind {
        StatementKind::Expr(expr) if matches!(expr.kind, ExprKind::Assign(..)) => {
            Some(expr.clone())
        }
        _ => None,
    })
    .collect()
}

fn sets(update: &Expr, clocks: &BTreeSet<String>) -> bool {
    let ExprKind::Assign(_, target, _) = &update.kind else { return false };
    let mut target = target.as_ref();
    while let ExprKind::Index(array, _) = &target.kind {
        target = array;
    }
    matches!(&target.kind, ExprKind::Name(name) if clocks.contains(name))
}

/// The names that occur in expressions.
fn names(exprs: &[Expr]) -> BTreeSet<String> {
    struct Names(BTreeSet<String>);
    impl Change for Names {
        fn identifier(&mut self, text: &mut String) {
            self.0.insert(text.clone());
        }
    }
    let mut names = Names(BTreeSet::new());
    let mut copy = Document::new(crate::syntax::Dialect::Uppaal);
    let queries = exprs.iter().map(|expr| Query {
        formula: Formula::Reachable(expr.clone()),
        comment: None,
        span: expr.span,
    });
    copy.items.extend(queries.map(Item::Query));
    copy.change(&mut names);
    names.0
}

fn inlined(update: Expr, all: &BTreeMap<String, Vec<Expr>>, selected: &[&str]) -> Vec<Expr> {
    if let ExprKind::Call(callee, arguments) = &update.kind
        && let (ExprKind::Name(name), true) = (&callee.kind, arguments.is_empty())
        && let Some(updates) = all.get(name)
        && !names(updates).iter().any(|name| selected.contains(&name.as_str()))
    {
        return updates.clone();
    }
    vec![update]
}

/// Whether something calls a function of this name.
fn mentions(document: &mut Document, name: &str) -> bool {
    struct Calls<'n>(&'n str, bool);
    impl Change for Calls<'_> {
        fn expr(&mut self, expr: &mut Expr) {
            if let ExprKind::Call(callee, _) = &expr.kind {
                self.1 |= matches!(&callee.kind, ExprKind::Name(own) if own == self.0);
            }
        }
    }
    let mut calls = Calls(name, false);
    document.change(&mut calls);
    calls.1
}
