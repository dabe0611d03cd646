//! Expressions that are being made for one mutant, after those of the model.

use tioga_base::{Id, Span};
use tioga_model::{Argument, BinaryOp, Expr, ExprId, Kind, Model, Node, UnaryOp};

/// New expressions of one mutant.
#[derive(Debug)]
pub struct Draft<'m> {
    model: &'m Model,
    /// What follows after the expressions of the model.
    pub nodes: Vec<Node>,
}

impl<'m> Draft<'m> {
    /// Nothing new yet.
    pub fn new(model: &'m Model) -> Self {
        Self { model, nodes: Vec::new() }
    }

    /// An expression of the model, or a new one.
    pub fn node(&self, expr: ExprId) -> &Node {
        let known = self.model.code.nodes.len();
        match expr.index().checked_sub(known) {
            None => &self.model.code.nodes[expr],
            Some(position) => &self.nodes[position],
        }
    }

    /// How many units of clock constants are one written time unit.
    pub fn scale(&self) -> i64 {
        self.model.scale
    }

    /// Adds an expression.
    pub fn push(&mut self, expr: Expr, kind: Kind, span: Span) -> ExprId {
        let id = ExprId::from_index(self.model.code.nodes.len() + self.nodes.len());
        self.nodes.push(Node { expr, kind, span });
        id
    }

    /// Adds an integer.
    pub fn int(&mut self, value: i64) -> ExprId {
        self.push(Expr::Int(value), Kind::Int, Span::default())
    }

    /// The negation of a truth value.
    pub fn not(&mut self, expr: ExprId) -> ExprId {
        if let Expr::Unary(UnaryOp::Not, inner) = self.node(expr).expr {
            return inner;
        }
        self.push(Expr::Unary(UnaryOp::Not, expr), Kind::Bool, Span::default())
    }

    /// An integer expression plus a number; nothing if that does not fit.
    pub fn plus(&mut self, expr: ExprId, by: i64) -> Option<ExprId> {
        Some(match self.node(expr).expr {
            Expr::Int(value) => {
                let value = value.checked_add(by)?;
                self.int(value)
            }
            Expr::Unary(UnaryOp::Neg, inner) => {
                let inner = self.plus(inner, by.checked_neg()?)?;
                self.push(Expr::Unary(UnaryOp::Neg, inner), Kind::Int, Span::default())
            }
            // So lower bounds are computed.
            Expr::Binary(BinaryOp::Sub, zero, inner)
                if matches!(self.node(zero).expr, Expr::Int(0)) =>
            {
                let inner = self.plus(inner, by.checked_neg()?)?;
                self.push(Expr::Binary(BinaryOp::Sub, zero, inner), Kind::Int, Span::default())
            }
            _ => {
                let (op, by) = if by < 0 { (BinaryOp::Sub, -by) } else { (BinaryOp::Add, by) };
                let by = self.int(by);
                self.push(Expr::Binary(op, expr, by), Kind::Int, Span::default())
            }
        })
    }

    /// The expression with one of its parts replaced. Conditions, operators, assigned values and
    /// arguments are looked into, indices are not.
    pub fn replaced(&mut self, expr: ExprId, part: ExprId, by: ExprId) -> ExprId {
        if expr == part {
            return by;
        }
        let Node { expr: old, kind, span } = self.node(expr).clone();
        let mut again = |one: ExprId| self.replaced(one, part, by);
        let new = match old.clone() {
            Expr::Unary(op, operand) => Expr::Unary(op, again(operand)),
            Expr::Binary(op, left, right) => Expr::Binary(op, again(left), again(right)),
            Expr::Conditional(condition, yes, no) => {
                Expr::Conditional(again(condition), again(yes), again(no))
            }
            Expr::Assign(place, value, range) => Expr::Assign(place, again(value), range),
            Expr::Exchange(place, value, range) => Expr::Exchange(place, again(value), range),
            Expr::Call(function, arguments) => {
                let arguments = arguments.into_iter().map(|argument| match argument {
                    Argument::Value(value, range) => Argument::Value(again(value), range),
                    other => other,
                });
                Expr::Call(function, arguments.collect())
            }
            other => other,
        };
        if new == old { expr } else { self.push(new, kind, span) }
    }

    /// The literals in an expression, where [`Self::replaced`] reaches them.
    pub fn literals(&self, expr: ExprId, found: &mut Vec<ExprId>) {
        match &self.node(expr).expr {
            Expr::Int(_) => found.push(expr),
            Expr::Unary(_, operand) => self.literals(*operand, found),
            Expr::Binary(_, left, right) => {
                self.literals(*left, found);
                self.literals(*right, found);
            }
            Expr::Conditional(condition, yes, no) => {
                for part in [condition, yes, no] {
                    self.literals(*part, found);
                }
            }
            Expr::Assign(_, value, _) | Expr::Exchange(_, value, _) => self.literals(*value, found),
            Expr::Call(_, arguments) => {
                for argument in arguments {
                    if let Argument::Value(value, _) = argument {
                        self.literals(*value, found);
                    }
                }
            }
            _ => {}
        }
    }
}
