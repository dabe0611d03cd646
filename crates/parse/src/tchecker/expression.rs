//! The expressions of attribute values: conjunctions of comparisons of integer and clock terms.
//!
//! They look like C but bind differently, so they have a grammar of their own over the shared
//! tokens: `!` negates a whole comparison, `a <= x < b` is a conjunction, every word that is not
//! part of the grammar is a name, and there is no disjunction.

use std::collections::BTreeMap;

use tioga_base::{Diagnostic, Diagnostics, FileId, Span};

use super::names::unknown;
use super::scan::Piece;
use crate::clike::{Lexed, Origin, Parsed, Parser, TokenKind, lex};
use crate::syntax::{BinaryOp, Declaration, Dialect, Expr, ExprKind, UnaryOp};

/// How many operators may follow each other on one level.
const CHAIN_LIMIT: usize = 1000;

/// Words of the expression and statement grammar, which name nothing.
pub const WORDS: [&str; 8] = ["if", "then", "else", "end", "while", "do", "local", "nop"];

/// A clock or integer, or an array of them.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name in the document.
    pub name: String,
    /// Whether it is a clock.
    pub clock: bool,
    /// Whether it is an array.
    pub array: bool,
    /// Where it was declared.
    pub span: Span,
}

/// The variables of a file by the names they were written with.
pub type Variables = BTreeMap<String, Variable>;

/// Parses one attribute value.
#[derive(Debug)]
pub struct Reader<'p> {
    pub(super) parser: Parser<'p>,
    variables: &'p Variables,
    /// Local variables of the statement.
    pub(super) locals: Variables,
    /// Their declarations.
    pub(super) declarations: Vec<Declaration>,
    /// Where clocks were used.
    pub(super) clocks: Vec<Span>,
    /// How many loops surround the current statement.
    pub(super) loops: u32,
}

/// Splits an attribute value into tokens.
pub fn tokens<'t>(file: FileId, value: &Piece<'t>) -> Lexed<'t> {
    lex(value.text, &Origin::piece(file, vec![(0, value.span.start as usize)]))
}

/// Parses a value that is one expression.
pub fn expression(
    file: FileId,
    value: &Piece<'_>,
    variables: &Variables,
    diagnostics: &mut Diagnostics,
) -> Option<Expr> {
    let lexed = tokens(file, value);
    let mut reader = Reader::new(&lexed, variables, diagnostics)?;
    let expr = reader.conjunction().ok()?;
    reader.finish().ok()?;
    Some(expr)
}

impl<'p> Reader<'p> {
    /// A reader at the start of a value; nothing if the value holds a comment of the C kind.
    pub fn new(
        lexed: &'p Lexed<'p>,
        variables: &'p Variables,
        diagnostics: &'p mut Diagnostics,
    ) -> Option<Self> {
        if let Some(comment) = lexed.comments.first() {
            let message = format!("unexpected `{}`", &comment.text[..2]);
            diagnostics.push(
                Diagnostic::error("syntax", comment.span, message)
                    .note("a comment starts with `#` and cannot stand in an attribute"),
            );
            return None;
        }
        Some(Self {
            parser: Parser::new(lexed, Dialect::Tchecker, diagnostics),
            variables,
            locals: Variables::new(),
            declarations: Vec::new(),
            clocks: Vec::new(),
            loops: 0,
        })
    }

    /// Insists on the end of the value.
    pub fn finish(&mut self) -> Parsed<()> {
        if self.parser.at_end() {
            return Ok(());
        }
        let token = self.parser.peek();
        if matches!(token.text, "||" | "or" | "imply") {
            let message = format!("`{}` is no operator of this language", token.text);
            let diagnostic = Diagnostic::unsupported("operator", token.span, message)
                .note("guards and invariants are conjunctions")
                .help("write one edge for each alternative");
            return self.parser.fail(diagnostic);
        }
        self.parser.complain("an operator or the end of the attribute")
    }

    /// `e && e && …`
    pub fn conjunction(&mut self) -> Parsed<Expr> {
        let mut left = self.atomic()?;
        let mut length = 0;
        while self.parser.eat("&&") {
            self.bounded(&mut length, left.span)?;
            let right = self.atomic()?;
            left = binary(BinaryOp::And, left, right);
        }
        Ok(left)
    }

    fn bounded(&mut self, length: &mut usize, span: Span) -> Parsed<()> {
        *length += 1;
        if *length <= CHAIN_LIMIT {
            return Ok(());
        }
        let message = format!("more than {CHAIN_LIMIT} operators in a row");
        self.parser.fail(Diagnostic::error("too-long", span, message))
    }

    /// `! e`, or a comparison.
    fn atomic(&mut self) -> Parsed<Expr> {
        let start = self.parser.peek().span;
        if !self.parser.eat("!") {
            return self.comparison();
        }
        let operand = self.nested(Self::atomic)?;
        let span = start.to(operand.span);
        Ok(Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(operand)), span))
    }

    /// `t`, `t < t` or `t < t < t`.
    fn comparison(&mut self) -> Parsed<Expr> {
        let left = self.term()?;
        let Some(first) = self.comparison_operator() else { return Ok(left) };
        self.parser.advance();
        let middle = self.term()?;
        let Some(second) = self.comparison_operator() else {
            return Ok(binary(first, left, middle));
        };
        let token = self.parser.advance();
        let less = |op| matches!(op, BinaryOp::Lt | BinaryOp::Le);
        if !less(first) || !less(second) {
            let message = "only `<` and `<=` can be chained";
            return self.parser.fail(Diagnostic::error("syntax", token.span, message));
        }
        let right = self.term()?;
        let lower = binary(first, left, middle.clone());
        Ok(binary(BinaryOp::And, lower, binary(second, middle, right)))
    }

    fn comparison_operator(&self) -> Option<BinaryOp> {
        let token = self.parser.peek();
        if token.kind != TokenKind::Symbol {
            return None;
        }
        Some(match token.text {
            "==" => BinaryOp::Eq,
            "!=" => BinaryOp::Ne,
            "<" => BinaryOp::Lt,
            "<=" => BinaryOp::Le,
            ">=" => BinaryOp::Ge,
            ">" => BinaryOp::Gt,
            _ => return None,
        })
    }

    /// Sums and differences.
    pub fn term(&mut self) -> Parsed<Expr> {
        let mut left = self.product()?;
        let mut length = 0;
        loop {
            let token = self.parser.peek();
            let op = match token.text {
                "+" => BinaryOp::Add,
                // `a--b` is one token of the shared lexer and here means `a - -b`.
                "-" | "--" => BinaryOp::Sub,
                _ => return Ok(left),
            };
            self.parser.advance();
            self.bounded(&mut length, left.span)?;
            let mut right = self.product()?;
            if token.text == "--" {
                right = negate(token.span, right);
            }
            left = binary(op, left, right);
        }
    }

    fn product(&mut self) -> Parsed<Expr> {
        let mut left = self.factor()?;
        let mut length = 0;
        loop {
            let op = match self.parser.peek().text {
                "*" => BinaryOp::Mul,
                "/" => BinaryOp::Div,
                "%" => BinaryOp::Mod,
                _ => return Ok(left),
            };
            self.parser.advance();
            self.bounded(&mut length, left.span)?;
            let right = self.factor()?;
            left = binary(op, left, right);
        }
    }

    fn factor(&mut self) -> Parsed<Expr> {
        let token = self.parser.peek();
        match (token.kind, token.text) {
            (TokenKind::Symbol, "-") => {
                self.parser.advance();
                let operand = self.nested(Self::factor)?;
                Ok(negate(token.span, operand))
            }
            (TokenKind::Symbol, "--") => {
                self.parser.advance();
                let operand = self.nested(Self::factor)?;
                Ok(negate(token.span, negate(token.span, operand)))
            }
            (TokenKind::Symbol, "(") => {
                self.parser.advance();
                let inner = if self.parser.at("if") {
                    self.nested(Self::choice)?
                } else {
                    self.nested(Self::conjunction)?
                };
                self.parser.expect(")")?;
                Ok(inner)
            }
            (TokenKind::Number, text) => {
                let Ok(value) = text.parse::<i64>() else {
                    let message = "this number is too large";
                    return self.parser.fail(
                        Diagnostic::error("number-too-large", token.span, message)
                            .note("numbers are exact and limited to 64 bits"),
                    );
                };
                self.parser.advance();
                Ok(Expr::new(ExprKind::Int(value), token.span))
            }
            (TokenKind::Word, text) if !WORDS.contains(&text) => self.place(),
            _ => self.parser.complain("an expression"),
        }
    }

    /// `(if c then a else b)`, from the `if` on.
    fn choice(&mut self) -> Parsed<Expr> {
        let start = self.parser.expect("if")?;
        let condition = self.conjunction()?;
        self.parser.expect("then")?;
        let yes = self.term()?;
        self.parser.expect("else")?;
        let no = self.term()?;
        let span = start.to(no.span);
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
        Ok(Expr::new(kind, span))
    }

    /// A variable or an element of an array.
    pub fn place(&mut self) -> Parsed<Expr> {
        let token = self.parser.peek();
        if token.kind != TokenKind::Word || WORDS.contains(&token.text) {
            return self.parser.complain("a variable");
        }
        self.parser.advance();
        let variable = self.locals.get(token.text).or_else(|| self.variables.get(token.text));
        let Some(variable) = variable.cloned() else {
            let known = self.variables.keys().chain(self.locals.keys()).map(String::as_str);
            let piece = Piece { text: token.text, span: token.span };
            let diagnostic = unknown("variable or clock", piece, known).label("not declared");
            return self.parser.fail(diagnostic);
        };
        if variable.clock {
            self.clocks.push(token.span);
        }
        let base = Expr::new(ExprKind::Name(variable.name), token.span);
        let indexed = self.parser.at("[");
        if indexed != variable.array {
            let message = if indexed {
                format!("`{}` is no array", token.text)
            } else {
                format!("`{}` is an array and needs an index", token.text)
            };
            let diagnostic = Diagnostic::error("type-mismatch", token.span, message)
                .also(variable.span, "declared here");
            return self.parser.fail(diagnostic);
        }
        if !indexed {
            return Ok(base);
        }
        self.parser.advance();
        let index = self.nested(Self::term)?;
        let end = self.parser.expect("]")?;
        Ok(Expr::new(ExprKind::Index(Box::new(base), Box::new(index)), token.span.to(end)))
    }

    /// Parses one level deeper, within the shared parser's limit.
    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.parser.enter()?;
        let result = parse(self);
        self.parser.leave();
        result
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), span)
}

fn negate(sign: Span, operand: Expr) -> Expr {
    let span = sign.to(operand.span);
    match operand.kind {
        ExprKind::Int(value) => Expr::new(ExprKind::Int(-value), span),
        _ => Expr::new(ExprKind::Unary(UnaryOp::Neg, Box::new(operand)), span),
    }
}

impl Reader<'_> {
    /// Declares a local variable; if the name is taken, says where it was declared.
    pub(super) fn declare_local(&mut self, name: &str, variable: Variable) -> Option<Span> {
        let taken = self.locals.get(name).or_else(|| self.variables.get(name));
        if let Some(taken) = taken {
            return Some(taken.span);
        }
        self.locals.insert(name.to_owned(), variable);
        None
    }
}
