//! Rational time constants as integers: all times are multiplied by the common denominator.
//!
//! A clock `x` of the result runs as many times faster than the original's; so `x <= e` becomes
//! `x <= n * e` and `x = e` becomes `x = n * e`, wherever they stand. A unit of time is then the
//! original's divided by `n`.

use std::collections::BTreeMap;

use tioga_base::{Diagnostic, Diagnostics, Rational};

use super::inexpressible::inexpressible;
use crate::syntax::{
    AssignOp, BinaryOp, Change, Declaration, DeclarationKind, Document, Expr, ExprKind, Item, Name,
    Parameter, TemplateItem, TemplateKind, TypeExpr, TypeKind, UnaryOp,
};

/// Scales a document and returns by how much; 1 if nothing had to change.
pub(super) fn encode(document: &mut Document, diagnostics: &mut Diagnostics) -> i64 {
    let mut constants = Constants { common: Some(1) };
    // Purposes are kept as `.tioga` text, which has rational numbers.
    let mut printed = document.clone();
    printed.items.retain(|item| !is_purpose(item));
    printed.change(&mut constants);
    let factor = match constants.common {
        Some(1) => return 1,
        Some(factor) => factor,
        None => {
            let message = "the common denominator of the time constants is too large";
            diagnostics.push(Diagnostic::global("inexpressible", message));
            return 1;
        }
    };
    let clocks = clocks(document, diagnostics);
    document.change(&mut Scale { factor, clocks: &clocks, diagnostics });
    for item in &mut document.items {
        if let Item::TimeUnit(unit) = item {
            match unit.amount.div(Rational::integer(factor)) {
                Ok(amount) => unit.amount = amount,
                Err(overflow) => {
                    let message =
                        format!("the time unit cannot be divided by {factor}: {overflow}");
                    diagnostics.push(Diagnostic::error("inexpressible", unit.span, message));
                }
            }
        }
    }
    factor
}

fn is_purpose(item: &Item) -> bool {
    matches!(item, Item::Template(template) if template.kind == TemplateKind::Purpose)
}

/// Collects the common denominator of all rational literals; nothing if it is too large.
struct Constants {
    common: Option<i64>,
}

impl Change for Constants {
    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Rational(value) = expr.kind {
            self.common = self.common.and_then(|common| {
                let divisor = greatest_common_divisor(common, value.denominator());
                common.checked_mul(value.denominator() / divisor)
            });
        }
    }
}

fn greatest_common_divisor(left: i64, right: i64) -> i64 {
    if right == 0 { left } else { greatest_common_divisor(right, left % right) }
}

/// Which names are clocks. A name that is a clock here and something else there would be scaled
/// wrongly, so it is refused.
fn clocks(document: &Document, diagnostics: &mut Diagnostics) -> BTreeMap<String, bool> {
    let mut names = BTreeMap::new();
    let mut note = |name: &Name, ty: &TypeExpr| {
        let clock = ty.kind == TypeKind::Clock;
        if *names.entry(name.text.clone()).or_insert(clock) != clock {
            let message = format!("`{}` is a clock in one place and not in another", name.text);
            diagnostics.push(
                Diagnostic::error("inexpressible", name.span, message)
                    .note("rational times have to be scaled to integers, clock by clock")
                    .help("give the clock a name of its own"),
            );
        }
    };
    for declaration in document.declarations() {
        declared(declaration, &mut note);
    }
    for template in document.templates() {
        for Parameter { ty, name, .. } in &template.params {
            note(name, ty);
        }
        for item in &template.items {
            match item {
                TemplateItem::Declaration(declaration) => declared(declaration, &mut note),
                TemplateItem::Edge(edge) => {
                    edge.selects.iter().for_each(|select| note(&select.name, &select.ty));
                }
                _ => {}
            }
        }
    }
    names
}

/// Calls `note` for every variable a declaration introduces, also inside functions.
fn declared(declaration: &Declaration, note: &mut impl FnMut(&Name, &TypeExpr)) {
    match &declaration.kind {
        DeclarationKind::Variables { ty, declarators, .. } => {
            declarators.iter().for_each(|declarator| note(&declarator.name, ty));
        }
        DeclarationKind::Function(function) => {
            function.parameters.iter().for_each(|one| note(&one.name, &one.ty));
            for local in &function.body.declarations {
                declared(local, note);
            }
        }
        DeclarationKind::Typedef(..) | DeclarationKind::Internal(_) => {}
    }
}

struct Scale<'s> {
    factor: i64,
    clocks: &'s BTreeMap<String, bool>,
    diagnostics: &'s mut Diagnostics,
}

impl Change for Scale<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Binary(
                BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Ge
                | BinaryOp::Gt,
                left,
                right,
            ) if self.is_time(left) || self.is_time(right) => {
                self.scale(left);
                self.scale(right);
            }
            ExprKind::Assign(op, place, value) if self.is_time(place) => match op {
                AssignOp::Set | AssignOp::Compound(BinaryOp::Add | BinaryOp::Sub) => {
                    self.scale(value);
                }
                AssignOp::Compound(_) => {
                    self.diagnostics.push(inexpressible(expr.span, "this change of a clock"));
                }
            },
            _ => {}
        }
    }
}

impl Scale<'_> {
    /// Whether an expression is a clock, or a sum or choice with one.
    fn is_time(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(text) => self.clocks.get(text).copied().unwrap_or(false),
            ExprKind::Field(_, name) => self.clocks.get(&name.text).copied().unwrap_or(false),
            ExprKind::Index(base, _) => self.is_time(base),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
                self.is_time(left) || self.is_time(right)
            }
            ExprKind::Unary(UnaryOp::Neg | UnaryOp::Plus, operand) => self.is_time(operand),
            ExprKind::Conditional(_, yes, no) => self.is_time(yes) || self.is_time(no),
            _ => false,
        }
    }

    /// Multiplies a time; clocks themselves already count in the smaller unit.
    fn scale(&mut self, expr: &mut Expr) {
        let time = self.is_time(expr);
        match &mut expr.kind {
            ExprKind::Int(_) | ExprKind::Rational(_) => self.scale_literal(expr),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
                self.scale(left);
                self.scale(right);
            }
            ExprKind::Unary(UnaryOp::Neg | UnaryOp::Plus, operand) => self.scale(operand),
            ExprKind::Conditional(_, yes, no) => {
                self.scale(yes);
                self.scale(no);
            }
            _ if time => {}
            _ => {
                let span = expr.span;
                let value = std::mem::replace(expr, Expr::new(ExprKind::Int(self.factor), span));
                let factor = Box::new(expr.clone());
                expr.kind = ExprKind::Binary(BinaryOp::Mul, factor, Box::new(value));
            }
        }
    }

    fn scale_literal(&mut self, expr: &mut Expr) {
        let value = match expr.kind {
            ExprKind::Int(value) => Rational::integer(value),
            ExprKind::Rational(value) => value,
            _ => return,
        };
        expr.kind = match value.mul(Rational::integer(self.factor)) {
            Ok(scaled) => match scaled.to_integer() {
                Some(value) => ExprKind::Int(value),
                None => ExprKind::Rational(scaled),
            },
            Err(_) => {
                let what = format!("the time {value} multiplied by {}", self.factor);
                self.diagnostics.push(inexpressible(expr.span, &what));
                return;
            }
        };
    }
}
