//! Channels with parameters of finite types as arrays of channels.
//!
//! `chan set(int[2, 5] level)` becomes `chan set[4]`; a sender of `e` uses `set[e - 2]!`, a
//! receiver into a fresh name selects that name from the type and uses `set[level - 2]?`.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Diagnostics, Span};

use super::inexpressible::inexpressible;
use crate::syntax::{
    BinaryOp, Communication, Declaration, DeclarationKind, Declarator, Document, EdgeDecl, Expr,
    ExprKind, Item, Name, Parameter, Select, TemplateItem, TypeExpr, TypeKind,
};

/// How many channels an array may have: as many as are read again.
const CHANNELS: u128 = 1 << 20;

/// A bounded range and the type it was written as.
#[derive(Clone)]
struct Finite {
    low: Expr,
    high: Expr,
    ty: TypeExpr,
}

/// The channels with parameters; nothing for those already refused.
type Channels = BTreeMap<String, Option<Vec<Finite>>>;

/// Replaces the parameters of channels by array dimensions.
pub(super) fn encode(document: &mut Document, diagnostics: &mut Diagnostics) {
    let ranges = typedef_ranges(document);
    let globals = declared_names(document.declarations());
    let mut channels = Channels::new();
    for item in &mut document.items {
        let Item::Declaration(declaration) = item else { continue };
        let DeclarationKind::Variables { declarators, .. } = &mut declaration.kind else {
            continue;
        };
        for declarator in declarators.iter_mut().filter(|one| !one.parameters.is_empty()) {
            let parameters = std::mem::take(&mut declarator.parameters);
            let finite: Option<Vec<Finite>> =
                parameters.iter().map(|one| finite(one, &ranges, diagnostics)).collect();
            let finite = finite.filter(|finite| few(declarator, finite, diagnostics));
            if let Some(finite) = &finite {
                declarator.dimensions.extend(finite.iter().map(dimension));
            }
            channels.insert(declarator.name.text.clone(), finite);
        }
    }
    for item in &mut document.items {
        let Item::Template(template) = item else { continue };
        let mut known = globals.clone();
        known.extend(template.params.iter().map(|parameter| parameter.name.text.clone()));
        known.extend(declared_names(template.items.iter().filter_map(|item| match item {
            TemplateItem::Declaration(declaration) => Some(declaration),
            _ => None,
        })));
        for item in &mut template.items {
            if let TemplateItem::Edge(edge) = item {
                index(edge, &channels, &known, diagnostics);
            }
        }
    }
}

fn declared_names<'a>(declarations: impl Iterator<Item = &'a Declaration>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for declaration in declarations {
        if let DeclarationKind::Variables { declarators, .. } = &declaration.kind {
            names.extend(declarators.iter().map(|declarator| declarator.name.text.clone()));
        }
    }
    names
}

/// The ranges of global type names.
fn typedef_ranges(document: &Document) -> BTreeMap<String, (Expr, Expr)> {
    let mut ranges = BTreeMap::new();
    for declaration in document.declarations() {
        if let DeclarationKind::Typedef(ty, declarators) = &declaration.kind
            && let TypeKind::Int(Some(range)) = &ty.kind
        {
            for Declarator { name, dimensions, .. } in declarators {
                if dimensions.is_empty() {
                    ranges.insert(name.text.clone(), (**range).clone());
                }
            }
        }
    }
    ranges
}

fn finite(
    parameter: &Parameter,
    ranges: &BTreeMap<String, (Expr, Expr)>,
    diagnostics: &mut Diagnostics,
) -> Option<Finite> {
    let range = match &parameter.ty.kind {
        TypeKind::Int(Some(range)) => Some((**range).clone()),
        TypeKind::Named(name) => ranges.get(&name.text).cloned(),
        _ => None,
    };
    match range.filter(|_| parameter.dimensions.is_empty()) {
        Some((low, high)) => Some(Finite { low, high, ty: parameter.ty.clone() }),
        None => {
            diagnostics.push(
                inexpressible(parameter.ty.span, "a communication parameter of this type")
                    .help("give it a bounded type such as `int[0, 5]`"),
            );
            None
        }
    }
}

/// Whether an array has room for all values, as far as their number is written; refused otherwise.
fn few(declarator: &Declarator, finite: &[Finite], diagnostics: &mut Diagnostics) -> bool {
    let size = |finite: &Finite| match dimension(finite).kind {
        TypeKind::Size(size) => match size.kind {
            ExprKind::Int(size) => u128::try_from(size).unwrap_or(0),
            _ => 1,
        },
        _ => 1,
    };
    let all = finite.iter().map(size).fold(1, u128::saturating_mul);
    if all <= CHANNELS {
        return true;
    }
    let Name { text, span } = &declarator.name;
    let what = format!("`{text}` with {all} different values");
    let refused = inexpressible(*span, &what);
    let note = format!("each value would become a channel of its own, and {CHANNELS} are allowed");
    diagnostics.push(refused.note(note));
    false
}

fn dimension(finite: &Finite) -> TypeExpr {
    let span = finite.ty.span;
    let size = arithmetic(BinaryOp::Sub, finite.high.clone(), finite.low.clone());
    let size = arithmetic(BinaryOp::Add, size, Expr::new(ExprKind::Int(1), span));
    TypeExpr { kind: TypeKind::Size(Box::new(size)), span }
}

/// A sum or difference, computed where both sides are numbers.
fn arithmetic(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span;
    let folded = match (op, &left.kind, &right.kind) {
        (BinaryOp::Add, ExprKind::Int(left), ExprKind::Int(right)) => left.checked_add(*right),
        (BinaryOp::Sub, ExprKind::Int(left), ExprKind::Int(right)) => left.checked_sub(*right),
        _ => None,
    };
    match (folded, &right.kind) {
        (Some(value), _) => Expr::new(ExprKind::Int(value), span),
        (None, ExprKind::Int(0)) => left,
        _ => Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), span),
    }
}

fn index(
    edge: &mut EdgeDecl,
    channels: &Channels,
    known: &BTreeSet<String>,
    diagnostics: &mut Diagnostics,
) {
    let Some(action) = &mut edge.action else { return };
    let Some(finite) = channels.get(&action.name.text) else {
        if action.communication != Communication::Plain && !action.arguments.is_empty() {
            diagnostics.push(inexpressible(action.span, "an argument of this action"));
        }
        return;
    };
    let Some(finite) = finite else { return };
    let mut arguments = std::mem::take(&mut action.arguments);
    let receives = action.communication == Communication::Receive;
    if arguments.is_empty() && receives {
        // A receiver that ignores the values takes all of them.
        let fresh = |number| unused(&format!("{}_{number}", action.name.text), known);
        arguments =
            (1..=finite.len()).map(|number| name_expr(fresh(number), action.span)).collect();
    }
    if arguments.len() != finite.len() {
        diagnostics
            .push(inexpressible(action.span, "an action with too few or too many arguments"));
        return;
    }
    for (argument, finite) in arguments.into_iter().zip(finite) {
        if let ExprKind::Name(text) = &argument.kind
            && receives
            && !known.contains(text)
            && edge.selects.iter().all(|select| select.name.text != *text)
        {
            let name = Name::new(text.clone(), argument.span);
            edge.selects.push(Select { name, ty: finite.ty.clone() });
        }
        action.indices.push(arithmetic(BinaryOp::Sub, argument, finite.low.clone()));
    }
}

fn name_expr(text: String, span: Span) -> Expr {
    Expr::new(ExprKind::Name(text), span)
}

fn unused(name: &str, known: &BTreeSet<String>) -> String {
    let mut name = name.to_owned();
    while known.contains(&name) {
        name.push('_');
    }
    name
}
