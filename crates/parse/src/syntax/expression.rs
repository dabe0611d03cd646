//! Expressions as written. One language serves all dialects: UPPAAL's, which is C's with
//! quantifiers and word operators.

use tioga_base::{Rational, Span};

use super::{BinaryOp, Name, Quantifier, TypeExpr, UnaryOp};

/// An expression and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its place, without surrounding parentheses.
    pub span: Span,
}

/// The kinds of expressions. Parentheses leave no trace; printers put them back by precedence.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// An integer literal.
    Int(i64),
    /// A rational literal that is not an integer: `0.5`, or in `.tioga` `1/3`.
    Rational(Rational),
    /// `true` or `false`.
    Bool(bool),
    /// An identifier.
    Name(String),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `r.f`, also `Process.location` and `Process.variable` in queries and purposes.
    Field(Box<Expr>, Name),
    /// `f(a, b)`, also `Template(3)` before a field in queries.
    Call(Box<Expr>, Vec<Expr>),
    /// A prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// An infix operator.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a = b`, `a += b`, …
    Assign(AssignOp, Box<Expr>, Box<Expr>),
    /// `i++`, `--i`, …
    Count(CountOp, CountPosition, Box<Expr>),
    /// `forall (i : T) e`, `exists (i : T) e`, `sum (i : T) e`
    Quantified(Quantifier, Name, Box<TypeExpr>, Box<Expr>),
    /// `deadlock`, in queries.
    Deadlock,
}

/// Assignment operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AssignOp {
    /// `=`, `:=`
    Set,
    /// A compound such as `+=`; one of the arithmetic or bit operators.
    Compound(BinaryOp),
}

/// `++` or `--`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CountOp {
    /// `++`
    Increment,
    /// `--`
    Decrement,
}

/// Before or after the operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CountPosition {
    /// `++i`: the value is the new one.
    Before,
    /// `i++`: the value is the old one.
    After,
}

impl Expr {
    /// An expression at a place.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        Self { kind, span }
    }
}
