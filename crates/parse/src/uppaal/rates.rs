//! Rates of clocks and costs, set aside where nothing can tell.
//!
//! In a timed automaton every clock runs at rate 1. An invariant `x' == 1` says just that. Another rate
//! changes the value of a clock and nothing else, so if no guard, invariant, update or function reads
//! the clock, the model without the clock has the same runs: the clock is taken out, with its rates and
//! resets. If something reads it, the file is refused, for zones would not be exact. The same holds for
//! `cost` (and `reward`), which UPPAAL CORA declares by itself and which no condition may read.

use std::collections::BTreeMap;

use tioga_base::{Diagnostic, Diagnostics, Span};

use super::ignored::set_aside;
use crate::clike::RATE;
use crate::syntax::{
    AssignOp, BinaryOp, Block, Change, Declaration, DeclarationKind, Document, Expr, ExprKind,
    Item, Quantifier, Statement, StatementKind, Template, TemplateItem, TypeKind,
};

/// The variables that UPPAAL CORA and its descendants declare by themselves.
const COSTS: [&str; 2] = ["cost", "reward"];

/// The rates other than 1 that were found, by clock, with the first place.
type Found = BTreeMap<String, Span>;

/// Takes rates out of a document, with the clocks that only rates need. Complains about other rates.
pub(super) fn settle(document: &mut Document, diagnostics: &mut Diagnostics) {
    let mut found = Found::new();
    for template in templates(document) {
        for item in &mut template.items {
            if let TemplateItem::Locations(location) = item
                && let Some(invariant) = location.invariant.take()
            {
                location.invariant = without_rates(invariant, &mut found);
            }
        }
    }
    for cost in COSTS {
        let set = first_set(document, cost);
        if let Some(span) = found.get(cost).copied().or(set).filter(|_| !declares(document, cost)) {
            found.remove(cost);
            take_out(document, cost);
            let message = format!("`{cost}` is ignored");
            diagnostics.push(set_aside("cost", span, message).note("no run depends on costs"));
        }
    }
    let mut ignored = Vec::new();
    for (clock, span) in found {
        let free = only_reset(document, &clock);
        if free {
            take_out(document, &clock);
            ignored.push((clock, span));
        } else {
            diagnostics.push(refused(&clock, span));
        }
    }
    if let Some((_, span)) = ignored.first() {
        let names: Vec<String> = ignored.iter().map(|(name, _)| format!("`{name}`")).collect();
        let message =
            format!("clocks with rates that nothing reads are left out: {}", names.join(", "));
        diagnostics.push(set_aside("clock-rate", *span, message).note("no run depends on them"));
    }
    let queries = document.queries().map(|query| query.span).collect();
    let mut left = Left { queries, first: None };
    document.change(&mut left);
    if let Some(span) = left.first {
        diagnostics.push(
            Diagnostic::unsupported("clock-rate", span, "a rate stands alone in an invariant only")
                .note("it must be one of several conditions that all hold, such as `x' == 0 && x <= 5`"),
        );
    }
}

fn refused(clock: &str, span: Span) -> Diagnostic {
    let message = format!("`{clock}` has a rate other than 1, and the model reads it");
    Diagnostic::unsupported("clock-rate", span, message)
        .note("with stopwatches and other rates, what can be reached cannot be computed exactly")
        .help("count the time that matters with a clock that is reset instead of stopped")
}

fn templates(document: &mut Document) -> impl Iterator<Item = &mut Template> {
    document.items.iter_mut().filter_map(|item| match item {
        Item::Template(template) => Some(template),
        _ => None,
    })
}

/// The clock that a rate is about: `x'` or `x[i]'`.
fn rated(expr: &Expr) -> Option<&str> {
    let ExprKind::Call(callee, arguments) = &expr.kind else { return None };
    match (&callee.kind, arguments.first()) {
        (ExprKind::Name(name), Some(clock)) if name == RATE => base(clock),
        _ => None,
    }
}

/// The name in `x`, `x[i]`, `x[i][j]`.
fn base(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Index(array, _) => base(array),
        _ => None,
    }
}

/// An invariant without those of its conjuncts that are rates; nothing if there are no others.
fn without_rates(expr: Expr, found: &mut Found) -> Option<Expr> {
    let span = expr.span;
    match expr.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            let (left, right) = (without_rates(*left, found), without_rates(*right, found));
            match (left, right) {
                (Some(left), Some(right)) => {
                    let kind = ExprKind::Binary(BinaryOp::And, Box::new(left), Box::new(right));
                    Some(Expr::new(kind, span))
                }
                (left, right) => left.or(right),
            }
        }
        ExprKind::Quantified(Quantifier::Forall, name, ty, body) => {
            let body = without_rates(*body, found)?;
            let kind = ExprKind::Quantified(Quantifier::Forall, name, ty, Box::new(body));
            Some(Expr::new(kind, span))
        }
        ExprKind::Binary(BinaryOp::Eq, left, right) => {
            let parts = match (rated(&left), rated(&right)) {
                (Some(clock), None) => Some((clock, &right)),
                (None, Some(clock)) => Some((clock, &left)),
                _ => None,
            };
            if let Some((clock, rate)) = parts {
                if rate.kind != ExprKind::Int(1) {
                    found.entry(clock.to_owned()).or_insert(span);
                }
                return None;
            }
            Some(Expr::new(ExprKind::Binary(BinaryOp::Eq, left, right), span))
        }
        kind => Some(Expr::new(kind, span)),
    }
}

/// Whether something declares the name, anywhere.
fn declares(document: &Document, name: &str) -> bool {
    let globally = document.declarations().any(|one| declared_names(one).any(|own| own == name));
    globally
        || document.templates().any(|template| {
            template.declares(name) || template.params.iter().any(|one| one.name.text == name)
        })
}

fn declared_names(declaration: &Declaration) -> impl Iterator<Item = &str> {
    let declarators = match &declaration.kind {
        DeclarationKind::Variables { declarators, .. }
        | DeclarationKind::Typedef(_, declarators) => declarators.as_slice(),
        _ => &[],
    };
    declarators.iter().map(|one| one.name.text.as_str())
}

/// Whether an update is an assignment to the name.
fn assigns(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Assign(_, target, _) if base(target) == Some(name))
}

/// Whether an update only resets a clock: to a value that is computed without effect.
fn resets(expr: &Expr, name: &str) -> bool {
    let ExprKind::Assign(AssignOp::Set, target, value) = &expr.kind else { return false };
    let plain = matches!(value.kind, ExprKind::Int(_) | ExprKind::Rational(_) | ExprKind::Name(_));
    let indices = match &target.kind {
        ExprKind::Index(_, index) => {
            matches!(index.kind, ExprKind::Int(_) | ExprKind::Name(_))
        }
        _ => true,
    };
    base(target) == Some(name) && plain && indices
}

/// Where a name is assigned first, by an edge or a function.
fn first_set(document: &mut Document, name: &str) -> Option<Span> {
    struct First<'n>(&'n str, Option<Span>);
    impl Change for First<'_> {
        fn expr(&mut self, expr: &mut Expr) {
            if assigns(expr, self.0) {
                self.1.get_or_insert(expr.span);
            }
        }
    }
    let mut first = First(name, None);
    document.change(&mut first);
    first.1
}

/// Whether a declared clock is mentioned in resets and nowhere else.
fn only_reset(document: &Document, clock: &str) -> bool {
    let is_clock = |declaration: &Declaration| match &declaration.kind {
        DeclarationKind::Variables { ty, .. } => {
            ty.kind == TypeKind::Clock && declared_names(declaration).any(|own| own == clock)
        }
        _ => false,
    };
    let local = document.templates().flat_map(|template| &template.items).any(|item| match item {
        TemplateItem::Declaration(declaration) => is_clock(declaration),
        _ => false,
    });
    if !local && !document.declarations().any(is_clock) {
        return false;
    }
    // What is left after the clock is taken out must not know its name.
    let mut rest = document.clone();
    take_out_if(&mut rest, clock, |update| resets(update, clock));
    let mut mentions = Mentions { name: clock, found: false };
    rest.items.retain(|item| !matches!(item, Item::Query(_)));
    rest.change(&mut mentions);
    !mentions.found
}

struct Mentions<'n> {
    name: &'n str,
    found: bool,
}

impl Change for Mentions<'_> {
    fn identifier(&mut self, text: &mut String) {
        self.found |= text == self.name;
    }
}

/// The first rate that is left outside queries.
struct Left {
    queries: Vec<Span>,
    first: Option<Span>,
}

impl Change for Left {
    fn expr(&mut self, expr: &mut Expr) {
        let span = expr.span;
        let inside = |query: &Span| query.start <= span.start && span.end <= query.end;
        if rated(expr).is_some() && !self.queries.iter().any(inside) {
            self.first.get_or_insert(span);
        }
    }
}

/// Removes a clock: its declarations and the assignments to it, in edges and functions.
fn take_out(document: &mut Document, name: &str) {
    take_out_if(document, name, |update| assigns(update, name));
}

fn take_out_if(document: &mut Document, name: &str, removed: impl Fn(&Expr) -> bool) {
    let keep = |declaration: &mut Declaration| match &mut declaration.kind {
        DeclarationKind::Function(function) => {
            take_out_of(&mut function.body, &removed);
            true
        }
        DeclarationKind::Variables { ty, declarators, .. } if ty.kind == TypeKind::Clock => {
            declarators.retain(|one| one.name.text != name);
            !declarators.is_empty()
        }
        _ => true,
    };
    document.items.retain_mut(|item| match item {
        Item::Declaration(declaration) => keep(declaration),
        _ => true,
    });
    for template in templates(document) {
        template.items.retain_mut(|item| match item {
            TemplateItem::Declaration(declaration) => keep(declaration),
            TemplateItem::Edge(edge) => {
                edge.updates.retain(|update| !removed(update));
                true
            }
            _ => true,
        });
    }
}

/// Removes statements from a function.
fn take_out_of(block: &mut Block, removed: &impl Fn(&Expr) -> bool) {
    fn walk(statement: &mut Statement, removed: &impl Fn(&Expr) -> bool) {
        match &mut statement.kind {
            StatementKind::Expr(expr) => {
                if removed(expr) {
                    statement.kind = StatementKind::Empty;
                }
            }
            StatementKind::Block(block) => take_out_of(block, removed),
            StatementKind::If(_, yes, no) => {
                walk(yes, removed);
                no.iter_mut().for_each(|no| walk(no, removed));
            }
            StatementKind::While(_, body)
            | StatementKind::DoWhile(body, _)
            | StatementKind::For(_, _, _, body)
            | StatementKind::ForEach(_, _, body) => walk(body, removed),
            StatementKind::Empty | StatementKind::Return(_) => {}
        }
    }
    block.statements.iter_mut().for_each(|statement| walk(statement, removed));
}
