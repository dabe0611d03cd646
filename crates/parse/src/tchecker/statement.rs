//! The statements of `do:` attributes.
//!
//! A sequence of assignments becomes the updates of the edge. Branches, loops and local variables
//! become functions of the process, called in their place. Clocks are set in branches only: how often
//! a loop sets them is not known, and what a local variable holds is not known to clocks.

use tioga_base::{Diagnostic, Diagnostics, FileId, Span};

use super::expression::{Reader, Variable, Variables, WORDS, tokens};
use super::scan::Piece;
use crate::clike::{Parsed, TokenKind};
use crate::syntax::{
    AssignOp, Block, Declaration, DeclarationKind, Declarator, Expr, ExprKind, Function, Name,
    Statement, StatementKind, TypeExpr, TypeKind,
};

/// What a `do:` attribute becomes.
#[derive(Debug, Default)]
pub struct Effect {
    /// The updates of the edge in order.
    pub updates: Vec<Expr>,
    /// Functions the updates call.
    pub functions: Vec<Declaration>,
}

/// Parses a value that is a sequence of statements. `fresh` finds names for functions.
pub fn effect(
    file: FileId,
    value: &Piece<'_>,
    variables: &Variables,
    diagnostics: &mut Diagnostics,
    fresh: &mut dyn FnMut() -> String,
) -> Option<Effect> {
    let lexed = tokens(file, value);
    let mut reader = Reader::new(&lexed, variables, diagnostics)?;
    let statements = reader.sequence().ok()?;
    reader.finish().ok()?;
    reader.arrange(statements, value.span, fresh).ok()
}

impl Reader<'_> {
    /// `s; s; …` up to `end`, `else` or the end; the last `;` may be missing.
    fn sequence(&mut self) -> Parsed<Vec<Statement>> {
        let mut statements = vec![self.statement()?];
        while self.parser.eat(";") {
            if self.parser.at_end() || self.parser.at("end") || self.parser.at("else") {
                break;
            }
            statements.push(self.statement()?);
        }
        Ok(statements)
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.parser.peek().span;
        let kind = match self.parser.peek().text {
            "nop" => {
                self.parser.advance();
                StatementKind::Empty
            }
            "if" => self.nested(Self::branch)?,
            "while" => self.nested(Self::repetition)?,
            "local" => self.local()?,
            _ => {
                let target = self.place()?;
                self.parser.expect("=")?;
                StatementKind::Expr(self.assignment(target)?)
            }
        };
        Ok(Statement { kind, span: self.parser.span_from(start) })
    }

    fn assignment(&mut self, target: Expr) -> Parsed<Expr> {
        let value = self.term()?;
        let span = target.span.to(value.span);
        let kind = ExprKind::Assign(AssignOp::Set, Box::new(target), Box::new(value));
        Ok(Expr::new(kind, span))
    }

    fn branch(&mut self) -> Parsed<StatementKind> {
        self.parser.expect("if")?;
        let condition = self.conjunction()?;
        self.parser.expect("then")?;
        let yes = self.block()?;
        let no = if self.parser.eat("else") { Some(Box::new(self.block()?)) } else { None };
        self.parser.expect("end")?;
        Ok(StatementKind::If(condition, Box::new(yes), no))
    }

    fn repetition(&mut self) -> Parsed<StatementKind> {
        self.parser.expect("while")?;
        let condition = self.conjunction()?;
        self.parser.expect("do")?;
        self.loops += 1;
        let body = self.block();
        self.loops -= 1;
        let body = body?;
        self.parser.expect("end")?;
        Ok(StatementKind::While(condition, Box::new(body)))
    }

    fn block(&mut self) -> Parsed<Statement> {
        let start = self.parser.peek().span;
        let statements = self.sequence()?;
        let span = self.parser.span_from(start);
        let block = Block { declarations: Vec::new(), statements, span };
        Ok(Statement { kind: StatementKind::Block(block), span })
    }

    /// `local v`, `local v = t` or `local v[n]`. The declaration moves to the start of the
    /// function; the initial value stays where it was written.
    fn local(&mut self) -> Parsed<StatementKind> {
        self.parser.expect("local")?;
        let token = self.parser.peek();
        if token.kind != TokenKind::Word || WORDS.contains(&token.text) {
            return self.parser.complain("the name of a local variable");
        }
        self.parser.advance();
        let name = Name::new(token.text, token.span);
        let mut dimensions = Vec::new();
        if self.parser.eat("[") {
            let size = self.term()?;
            let span = size.span;
            self.parser.expect("]")?;
            dimensions.push(TypeExpr { kind: TypeKind::Size(Box::new(size)), span });
        }
        let array = !dimensions.is_empty();
        if array && self.loops > 0 {
            let message = "a local array inside a loop is not supported";
            let diagnostic = Diagnostic::unsupported("tchecker-statement", token.span, message)
                .help("declare it before the loop");
            return self.parser.fail(diagnostic);
        }
        let variable = Variable { name: name.text.clone(), clock: false, array, span: token.span };
        if let Some(first) = self.declare_local(token.text, variable) {
            let message = format!("variable `{}` is declared twice", token.text);
            let diagnostic = Diagnostic::error("duplicate-name", token.span, message)
                .also(first, "first declared here");
            return self.parser.fail(diagnostic);
        }
        let declarator = Declarator {
            name: name.clone(),
            dimensions,
            parameters: Vec::new(),
            initializer: None,
        };
        self.declarations.push(local_declaration(declarator, token.span));
        if array {
            return Ok(StatementKind::Empty);
        }
        let target = Expr::new(ExprKind::Name(name.text), token.span);
        if self.parser.eat("=") {
            return Ok(StatementKind::Expr(self.assignment(target)?));
        }
        let zero = Expr::new(ExprKind::Int(0), token.span);
        let kind = ExprKind::Assign(AssignOp::Set, Box::new(target), Box::new(zero));
        Ok(StatementKind::Expr(Expr::new(kind, token.span)))
    }

    fn uses_clock(&self, span: Span) -> Option<Span> {
        let inside = |clock: &&Span| span.start <= clock.start && clock.end <= span.end;
        self.clocks.iter().find(inside).copied()
    }

    /// Turns statements into updates and functions.
    fn arrange(
        mut self,
        statements: Vec<Statement>,
        span: Span,
        fresh: &mut dyn FnMut() -> String,
    ) -> Parsed<Effect> {
        let mut effect = Effect::default();
        if !self.declarations.is_empty() {
            // A local variable reaches to the end, so everything goes into one function.
            if let Some(clock) = self.clocks.first().copied() {
                return self.refuse_clock(clock, "with local variables");
            }
            let declarations = std::mem::take(&mut self.declarations);
            effect.call(Block { declarations, statements, span }, span, fresh);
            return Ok(effect);
        }
        for statement in statements {
            match statement.kind {
                StatementKind::Empty => {}
                StatementKind::Expr(expr) => effect.updates.push(expr),
                _ => {
                    let span = statement.span;
                    if let StatementKind::While(..) = statement.kind
                        && let Some(clock) = self.uses_clock(span)
                    {
                        return self.refuse_clock(clock, "in a loop");
                    }
                    let declarations = Vec::new();
                    let block = Block { declarations, statements: vec![statement], span };
                    effect.call(block, span, fresh);
                }
            }
        }
        Ok(effect)
    }

    fn refuse_clock<T>(&mut self, clock: Span, place: &str) -> Parsed<T> {
        let message = format!("a clock {place} is not supported");
        self.parser.fail(
            Diagnostic::unsupported("tchecker-statement", clock, message)
                .note("how often a clock is set, and to what, must be known before the statements run")
                .help("split the edge by the condition instead"),
        )
    }
}

impl Effect {
    /// Adds a function with this body and a call of it.
    fn call(&mut self, body: Block, span: Span, fresh: &mut dyn FnMut() -> String) {
        let name = Name::new(fresh(), span);
        let callee = Expr::new(ExprKind::Name(name.text.clone()), span);
        self.updates.push(Expr::new(ExprKind::Call(Box::new(callee), Vec::new()), span));
        let result = TypeExpr { kind: TypeKind::Void, span };
        let function = Function { result, name, parameters: Vec::new(), body };
        self.functions.push(Declaration { kind: DeclarationKind::Function(function), span });
    }
}

/// Local variables hold 32-bit integers.
fn local_declaration(declarator: Declarator, span: Span) -> Declaration {
    let bound = |value: i32| Expr::new(ExprKind::Int(i64::from(value)), span);
    let range = Some(Box::new((bound(i32::MIN), bound(i32::MAX))));
    let kind = DeclarationKind::Variables {
        constant: false,
        symbolic: false,
        meta: false,
        ty: TypeExpr { kind: TypeKind::Int(range), span },
        declarators: vec![declarator],
        condition: None,
    };
    Declaration { kind, span }
}
