//! Expressions, by precedence climbing. The levels are UPPAAL's.

use tioga_base::{Diagnostic, ParseRationalError, Rational, Span};

use super::{POWER, Parsed, Parser, RATE, TokenKind};
use crate::syntax::{
    AssignOp, BinaryOp, CountOp, CountPosition, Dialect, Expr, ExprKind, Name, Quantifier, UnaryOp,
};

/// How many infix and postfix operators one expression may have. A chain `a + b + c …` is a tree as deep as it
/// is long, and trees are walked by recursion.
const OPERATOR_LIMIT: usize = 1000;

impl Parser<'_> {
    /// Parses an expression, assignments included.
    pub fn expression(&mut self) -> Parsed<Expr> {
        if self.open_expressions == 0 {
            self.operators = 0;
        }
        self.open_expressions += 1;
        let result = self.nested(Self::assignment);
        self.open_expressions -= 1;
        result
    }

    /// Parses expressions separated by commas, at least one.
    pub fn expressions(&mut self) -> Parsed<Vec<Expr>> {
        self.comma_separated(Self::expression)
    }

    fn assignment(&mut self) -> Parsed<Expr> {
        let left = self.conditional()?;
        let Some(op) = self.assignment_operator() else { return Ok(left) };
        self.advance();
        let right = self.nested(Self::assignment)?;
        let span = left.span.to(right.span);
        Ok(Expr::new(ExprKind::Assign(op, Box::new(left), Box::new(right)), span))
    }

    fn assignment_operator(&self) -> Option<AssignOp> {
        let token = self.peek();
        if token.kind != TokenKind::Symbol {
            return None;
        }
        let compound = match token.text {
            "=" | ":=" => return Some(AssignOp::Set),
            "+=" => BinaryOp::Add,
            "-=" => BinaryOp::Sub,
            "*=" => BinaryOp::Mul,
            "/=" => BinaryOp::Div,
            "%=" => BinaryOp::Mod,
            "&=" => BinaryOp::BitAnd,
            "|=" => BinaryOp::BitOr,
            "^=" => BinaryOp::BitXor,
            "<<=" => BinaryOp::ShiftLeft,
            ">>=" => BinaryOp::ShiftRight,
            _ => return None,
        };
        Some(AssignOp::Compound(compound))
    }

    /// Parses an expression that is no assignment, such as a guard.
    pub fn condition(&mut self) -> Parsed<Expr> {
        if self.open_expressions == 0 {
            self.operators = 0;
        }
        self.open_expressions += 1;
        let result = self.nested(Self::conditional);
        self.open_expressions -= 1;
        result
    }

    /// Parses an expression that is no assignment, as a part of a larger one.
    pub fn conditional(&mut self) -> Parsed<Expr> {
        let condition = self.binary(0)?;
        // In a synchronisation `a?` the question mark ends the expression.
        if !self.at("?") || self.ends_after_question() {
            return Ok(condition);
        }
        self.advance();
        let (yes, no) = self.nested(|parser| {
            let yes = parser.assignment()?;
            parser.expect(":")?;
            Ok((yes, parser.conditional()?))
        })?;
        let span = condition.span.to(no.span);
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
        Ok(Expr::new(kind, span))
    }

    fn ends_after_question(&self) -> bool {
        let next = self.peek_at(1);
        match next.kind {
            TokenKind::End => true,
            TokenKind::Symbol => matches!(next.text, ";" | "," | "}" | ")" | "/" | "]"),
            TokenKind::Word => matches!(next.text, "when" | "do" | "for"),
            _ => false,
        }
    }

    /// Parses operators of at least this level; level 0 binds weakest.
    fn binary(&mut self, level: u32) -> Parsed<Expr> {
        let mut left = self.power()?;
        while let Some((op, op_level)) = self.binary_operator() {
            if op_level < level {
                break;
            }
            self.count_operator(left.span)?;
            self.advance();
            let right = self.binary(op_level + 1)?;
            left = self.combine(op, left, right);
        }
        Ok(left)
    }

    fn count_operator(&mut self, span: Span) -> Parsed<()> {
        self.operators += 1;
        if self.operators <= OPERATOR_LIMIT {
            return Ok(());
        }
        let message = format!("more than {OPERATOR_LIMIT} operators in one expression");
        self.fail(
            Diagnostic::error("too-long", span, message)
                .help("split the expression with constants or functions"),
        )
    }

    /// In `.tioga` the quotient of two literals is a rational literal.
    fn combine(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let span = left.span.to(right.span);
        if let (Dialect::Tioga, BinaryOp::Div) = (self.dialect, op)
            && let (Some(numerator), Some(denominator)) = (literal(&left), literal(&right))
            && let Ok(quotient) = numerator.div(denominator)
        {
            let kind = match quotient.to_integer() {
                Some(value) => ExprKind::Int(value),
                None => ExprKind::Rational(quotient),
            };
            return Expr::new(kind, span);
        }
        Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), span)
    }

    fn binary_operator(&self) -> Option<(BinaryOp, u32)> {
        let token = self.peek();
        if !matches!(token.kind, TokenKind::Symbol | TokenKind::Word) {
            return None;
        }
        Some(match token.text {
            "||" | "or" => (BinaryOp::Or, 0),
            "imply" => (BinaryOp::Imply, 0),
            "&&" | "and" => (BinaryOp::And, 1),
            "|" => (BinaryOp::BitOr, 2),
            "^" => (BinaryOp::BitXor, 3),
            "&" => (BinaryOp::BitAnd, 4),
            "==" => (BinaryOp::Eq, 5),
            "!=" => (BinaryOp::Ne, 5),
            "<" => (BinaryOp::Lt, 6),
            "<=" => (BinaryOp::Le, 6),
            ">=" => (BinaryOp::Ge, 6),
            ">" => (BinaryOp::Gt, 6),
            "<?" => (BinaryOp::Min, 7),
            ">?" => (BinaryOp::Max, 7),
            "<<" => (BinaryOp::ShiftLeft, 8),
            ">>" => (BinaryOp::ShiftRight, 8),
            "+" => (BinaryOp::Add, 9),
            "-" => (BinaryOp::Sub, 9),
            "*" => (BinaryOp::Mul, 10),
            "/" => (BinaryOp::Div, 10),
            "%" => (BinaryOp::Mod, 10),
            _ => return None,
        })
    }

    /// Parses a power, which binds to the right and stronger than a product.
    fn power(&mut self) -> Parsed<Expr> {
        let base = self.unary()?;
        if !self.at(POWER) || self.dialect == Dialect::Tchecker {
            return Ok(base);
        }
        self.count_operator(base.span)?;
        let name = Expr::new(ExprKind::Name(POWER.to_owned()), self.advance().span);
        let exponent = self.nested(Self::power)?;
        let span = base.span.to(exponent.span);
        Ok(Expr::new(ExprKind::Call(Box::new(name), vec![base, exponent]), span))
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.peek();
        let step = |text| match text {
            "++" => Some(CountOp::Increment),
            "--" => Some(CountOp::Decrement),
            _ => None,
        };
        let kind = if start.kind == TokenKind::Symbol && step(start.text).is_some() {
            self.advance();
            let operand = self.nested(Self::unary)?;
            let step = step(start.text).expect("just checked");
            ExprKind::Count(step, CountPosition::Before, Box::new(operand))
        } else if self.at("-") || self.at("+") || self.at("!") || self.at("not") {
            self.advance();
            let operand = self.nested(Self::unary)?;
            match (start.text, &operand.kind) {
                ("-", ExprKind::Int(value)) => ExprKind::Int(-value),
                ("-", ExprKind::Rational(value)) if value.neg().is_ok() => {
                    ExprKind::Rational(value.neg().expect("just checked"))
                }
                ("-", _) => ExprKind::Unary(UnaryOp::Neg, Box::new(operand)),
                ("+", _) => ExprKind::Unary(UnaryOp::Plus, Box::new(operand)),
                _ => ExprKind::Unary(UnaryOp::Not, Box::new(operand)),
            }
        } else {
            return self.postfix();
        };
        Ok(Expr::new(kind, self.span_from(start.span)))
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut expr = self.primary()?;
        loop {
            let start = expr.span;
            let kind = if self.eat("[") {
                let index = self.expression()?;
                self.expect("]")?;
                ExprKind::Index(Box::new(expr), Box::new(index))
            } else if self.at("(") && matches!(expr.kind, ExprKind::Name(_) | ExprKind::Field(..)) {
                self.advance();
                let arguments = if self.at(")") { Vec::new() } else { self.expressions()? };
                self.expect(")")?;
                ExprKind::Call(Box::new(expr), arguments)
            } else if self.at(".") {
                self.advance();
                let field = self.member()?;
                ExprKind::Field(Box::new(expr), field)
            } else if self.eat("++") {
                ExprKind::Count(CountOp::Increment, CountPosition::After, Box::new(expr))
            } else if self.eat("--") {
                ExprKind::Count(CountOp::Decrement, CountPosition::After, Box::new(expr))
            } else if self.at("'") && self.dialect == Dialect::Uppaal {
                let rate = Expr::new(ExprKind::Name(RATE.to_owned()), self.advance().span);
                ExprKind::Call(Box::new(rate), vec![expr])
            } else if self.at("'") {
                let span = self.peek().span;
                return self.fail(
                    Diagnostic::unsupported("clock-rate", span, "clock rates are not supported")
                        .note("a clock runs at rate 1 in a timed automaton"),
                );
            } else {
                return Ok(expr);
            };
            self.count_operator(start)?;
            let span = self.span_from(start);
            expr = Expr::new(kind, span);
        }
    }

    /// The name behind a dot. TChecker knows none of our keywords, so a location may be called `init`.
    fn member(&mut self) -> Parsed<Name> {
        let token = self.peek();
        if self.dialect == Dialect::Tchecker && token.kind == TokenKind::Word {
            self.advance();
            return Ok(Name::new(token.text, token.span));
        }
        self.name("a field, location or variable")
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        let kind = match (token.kind, token.text) {
            (TokenKind::Number | TokenKind::Decimal, text) => self.number(text)?,
            (TokenKind::Symbol, "(") => {
                self.advance();
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(inner);
            }
            (TokenKind::Word, "true") => ExprKind::Bool(true),
            (TokenKind::Word, "false") => ExprKind::Bool(false),
            (TokenKind::Word, "deadlock") => ExprKind::Deadlock,
            (TokenKind::Word, "forall") => return self.quantified(Quantifier::Forall),
            (TokenKind::Word, "exists") => return self.quantified(Quantifier::Exists),
            (TokenKind::Word, "sum") => return self.quantified(Quantifier::Sum),
            (TokenKind::Word, "spawn") if self.peek_at(1).kind == TokenKind::Word => {
                return self.unsupported("dynamic-template", "dynamic templates are");
            }
            (TokenKind::Quoted, _) => return self.unsupported("string", "strings are"),
            (TokenKind::Word, text) if !self.is_keyword(text) => ExprKind::Name(text.to_owned()),
            _ => return self.complain("an expression"),
        };
        self.advance();
        Ok(Expr::new(kind, token.span))
    }

    fn unsupported(&mut self, feature: &'static str, what: &str) -> Parsed<Expr> {
        let span = self.peek().span;
        self.fail(Diagnostic::unsupported(feature, span, format!("{what} not supported")))
    }

    fn number(&mut self, text: &str) -> Parsed<ExprKind> {
        match text.parse::<Rational>() {
            Ok(value) => Ok(match value.to_integer() {
                Some(integer) => ExprKind::Int(integer),
                None => ExprKind::Rational(value),
            }),
            Err(ParseRationalError::Malformed) => self.complain("a number"),
            Err(ParseRationalError::Unrepresentable) => {
                let span = self.peek().span;
                self.fail(
                    Diagnostic::error("number-too-large", span, "this number is too large")
                        .note("numbers are exact and limited to 64 bits"),
                )
            }
        }
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Parsed<Expr> {
        let start = self.advance().span;
        self.expect("(")?;
        let name = self.name("a bound variable")?;
        self.expect(":")?;
        let ty = self.type_expr()?;
        self.expect(")")?;
        // The body reaches as far as it can: quantifiers bind weakest.
        let body = self.expression()?;
        let kind = ExprKind::Quantified(quantifier, name, Box::new(ty), Box::new(body));
        Ok(Expr::new(kind, self.span_from(start)))
    }
}

fn literal(expr: &Expr) -> Option<Rational> {
    match expr.kind {
        ExprKind::Int(value) => Some(Rational::integer(value)),
        ExprKind::Rational(value) => Some(value),
        _ => None,
    }
}
