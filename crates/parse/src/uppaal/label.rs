//! The small texts at locations and edges: guards, invariants, synchronisations, updates, selects.

use tioga_base::Diagnostic;

use crate::clike::{Parsed, Parser};
use crate::syntax::{
    ActionUse, BinaryOp, Communication, Expr, ExprKind, Name, Parameter, Select, TypeExpr, TypeKind,
};

/// How many conditions may be separated by commas; their conjunction is as deep as they are many.
const CONJUNCT_LIMIT: usize = 1000;

/// Parses a guard or invariant. Old files separate conjuncts with commas.
pub(super) fn condition(parser: &mut Parser<'_>) -> Parsed<Expr> {
    let start = parser.peek().span;
    let conjuncts = parser.comma_separated(Parser::condition)?;
    if conjuncts.len() > CONJUNCT_LIMIT {
        let message = format!("more than {CONJUNCT_LIMIT} conjuncts");
        let span = parser.span_from(start);
        return parser.fail(Diagnostic::error("too-long", span, message));
    }
    let mut conjuncts = conjuncts.into_iter();
    let first = conjuncts.next().expect("a comma-separated list has at least one part");
    Ok(conjuncts.fold(first, |left, right| {
        let span = left.span.to(right.span);
        Expr::new(ExprKind::Binary(BinaryOp::And, Box::new(left), Box::new(right)), span)
    }))
}

/// Parses `chan[i]!` or `chan?`.
pub(super) fn synchronisation(parser: &mut Parser<'_>) -> Parsed<ActionUse> {
    let start = parser.peek().span;
    let channel = parser.condition()?;
    let communication = if parser.eat("!") {
        Communication::Send
    } else if parser.eat("?") {
        Communication::Receive
    } else if parser.at_end() || parser.at(";") {
        let message = "synchronisation without sender and receiver is not supported";
        return parser.fail(
            Diagnostic::unsupported("plain-synchronisation", channel.span, message)
                .help("write `!` after the channel for the sender, and `?` for each receiver"),
        );
    } else {
        return parser.complain("`!` or `?` after the channel");
    };
    let span = parser.span_from(start);
    let mut indices = Vec::new();
    let mut base = channel;
    loop {
        match base.kind {
            ExprKind::Index(array, index) => {
                indices.push(*index);
                base = *array;
            }
            ExprKind::Name(text) => {
                indices.reverse();
                let name = Name::new(text, base.span);
                return Ok(ActionUse { name, indices, arguments: Vec::new(), communication, span });
            }
            _ => {
                let message = "only a channel can synchronise";
                return parser.fail(
                    Diagnostic::error("syntax", base.span, message)
                        .help("write the name of a channel, with indices if it is an array"),
                );
            }
        }
    }
}

/// Parses `i : T, j : U`.
pub(super) fn selects(parser: &mut Parser<'_>) -> Parsed<Vec<Select>> {
    parser.comma_separated(|parser| {
        let name = parser.name("a selected value")?;
        parser.expect(":")?;
        Ok(Select { name, ty: parser.type_expr()? })
    })
}

/// Parses parameters. Old files separate groups with `;`, repeat a type by leaving it out
/// (`int a, b; chan c`) and write `const n` for `const int n`.
pub(super) fn parameters(parser: &mut Parser<'_>) -> Parsed<Vec<Parameter>> {
    let mut parameters: Vec<Parameter> = Vec::new();
    loop {
        let start = parser.peek().span;
        let constant = parser.eat("const");
        let bare = parser.is_name(0) && !parser.is_name(1) && !parser.is(1, "&");
        let parameter = match parameters.last() {
            _ if constant && bare => {
                let ty = TypeExpr { kind: TypeKind::Int(None), span: start };
                Parameter { constant, reference: false, ty, ..named(parser)? }
            }
            Some(previous) if bare => {
                let previous = previous.clone();
                Parameter { name: parser.name("a parameter")?, dimensions: Vec::new(), ..previous }
            }
            _ => {
                let ty = parser.type_expr()?;
                let reference = parser.eat("&");
                Parameter { constant, reference, ty, ..named(parser)? }
            }
        };
        let dimensions = parser.dimensions()?;
        parameters.push(Parameter { dimensions, ..parameter });
        if !parser.eat(",") && !parser.eat(";") {
            return Ok(parameters);
        }
    }
}

/// A parameter of which only the name is known.
fn named(parser: &mut Parser<'_>) -> Parsed<Parameter> {
    let name = parser.name("a parameter")?;
    let ty = TypeExpr { kind: TypeKind::Void, span: name.span };
    Ok(Parameter { constant: false, reference: false, ty, name, dimensions: Vec::new() })
}

/// Complains unless the whole text was parsed; `what` says what it should have been.
pub(super) fn finish<T>(parser: &mut Parser<'_>, what: &str, value: T) -> Parsed<T> {
    if parser.at_end() {
        return Ok(value);
    }
    parser.complain(&format!("the end of {what}"))
}
