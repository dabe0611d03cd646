//! Small trees, without places in any text.

use tioga_base::{Rational, Span};

use crate::syntax::{
    ActionUse, AssignOp, BinaryOp, Communication, Declaration, DeclarationKind, Declarator, Expr,
    ExprKind, Name, TypeExpr, TypeKind, UnaryOp,
};

/// An expression.
pub fn tree(kind: ExprKind) -> Expr {
    Expr::new(kind, Span::default())
}

/// A name.
pub fn name(text: impl Into<String>) -> Name {
    Name::new(text, Span::default())
}

/// A name as an expression.
pub fn named(text: impl Into<String>) -> Expr {
    tree(ExprKind::Name(text.into()))
}

/// An integer.
pub fn int(value: i64) -> Expr {
    tree(ExprKind::Int(value))
}

/// A rational number, as an integer where it is one.
pub fn rational(value: Rational) -> Expr {
    match value.to_integer() {
        Some(integer) => int(integer),
        None => tree(ExprKind::Rational(value)),
    }
}

/// A truth value.
pub fn truth(value: bool) -> Expr {
    tree(ExprKind::Bool(value))
}

/// An infix operator.
pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    tree(ExprKind::Binary(op, Box::new(left), Box::new(right)))
}

/// A negation of numbers.
pub fn negative(operand: Expr) -> Expr {
    match operand.kind {
        ExprKind::Int(value) if value != i64::MIN => int(-value),
        _ => tree(ExprKind::Unary(UnaryOp::Neg, Box::new(operand))),
    }
}

/// A negation of truth values.
pub fn not(operand: Expr) -> Expr {
    tree(ExprKind::Unary(UnaryOp::Not, Box::new(operand)))
}

/// An element of an array.
pub fn element(array: Expr, index: Expr) -> Expr {
    tree(ExprKind::Index(Box::new(array), Box::new(index)))
}

/// A part of a record or of a process.
pub fn field(whole: Expr, part: impl Into<String>) -> Expr {
    tree(ExprKind::Field(Box::new(whole), name(part)))
}

/// Expressions joined by an operator, from left to right; nothing for none.
pub fn joined(op: BinaryOp, parts: impl IntoIterator<Item = Expr>) -> Option<Expr> {
    parts.into_iter().reduce(|left, right| binary(op, left, right))
}

/// An assignment.
pub fn assign(target: Expr, value: Expr) -> Expr {
    tree(ExprKind::Assign(AssignOp::Set, Box::new(target), Box::new(value)))
}

/// An action without indices and values.
pub fn action(text: impl Into<String>, communication: Communication) -> ActionUse {
    let (indices, arguments) = (Vec::new(), Vec::new());
    ActionUse { name: name(text), indices, arguments, communication, span: Span::default() }
}

/// A declaration of names of one type.
pub fn declaration(kind: TypeKind, names: impl IntoIterator<Item = String>) -> Declaration {
    let declarator = |text: String| Declarator {
        name: name(text),
        dimensions: Vec::new(),
        parameters: Vec::new(),
        initializer: None,
    };
    let kind = DeclarationKind::Variables {
        constant: false,
        symbolic: false,
        meta: false,
        ty: TypeExpr { kind, span: Span::default() },
        declarators: names.into_iter().map(declarator).collect(),
        condition: None,
    };
    Declaration { kind, span: Span::default() }
}
