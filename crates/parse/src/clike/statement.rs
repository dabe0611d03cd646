//! Statements and blocks.

use tioga_base::{Diagnostic, Span};

use super::{Parsed, Parser};
use crate::syntax::{Block, Expr, Statement, StatementKind};

impl Parser<'_> {
    /// Parses `{ declarations statements }`.
    pub fn block(&mut self) -> Parsed<Block> {
        let start = self.expect("{")?;
        self.nested(|parser| {
            let mut declarations = Vec::new();
            let mut statements = Vec::new();
            while !parser.at("}") && !parser.at_end() {
                if parser.at_declaration() {
                    let declaration = parser.declaration()?;
                    if let Some(first) = statements.first() {
                        let first: &Statement = first;
                        let span = declaration.span;
                        return parser.fail(
                            Diagnostic::error("syntax", span, "a declaration after a statement")
                                .also(first.span, "the first statement")
                                .help("move the declaration to the start of the block"),
                        );
                    }
                    declarations.push(declaration);
                } else {
                    statements.push(parser.statement()?);
                }
            }
            parser.expect("}")?;
            Ok(Block { declarations, statements, span: parser.span_from(start) })
        })
    }

    /// Parses one statement.
    pub fn statement(&mut self) -> Parsed<Statement> {
        let start = self.peek().span;
        let kind = self.nested(Self::statement_kind)?;
        Ok(Statement { kind, span: self.span_from(start) })
    }

    fn statement_kind(&mut self) -> Parsed<StatementKind> {
        let token = self.peek();
        if self.at("{") {
            return Ok(StatementKind::Block(self.block()?));
        }
        if self.eat(";") {
            return Ok(StatementKind::Empty);
        }
        match token.text {
            "if" => {
                self.advance();
                let condition = self.parenthesised()?;
                let yes = Box::new(self.statement()?);
                let no = if self.eat("else") { Some(Box::new(self.statement()?)) } else { None };
                Ok(StatementKind::If(condition, yes, no))
            }
            "while" => {
                self.advance();
                let condition = self.parenthesised()?;
                Ok(StatementKind::While(condition, Box::new(self.statement()?)))
            }
            "do" => {
                self.advance();
                let body = Box::new(self.statement()?);
                self.expect("while")?;
                let condition = self.parenthesised()?;
                self.expect(";")?;
                Ok(StatementKind::DoWhile(body, condition))
            }
            "for" => self.for_statement(),
            "return" => {
                self.advance();
                let value = if self.at(";") { None } else { Some(self.expression()?) };
                self.expect(";")?;
                Ok(StatementKind::Return(value))
            }
            "switch" | "case" | "default" | "break" | "continue" | "assert"
                if !self.is(1, "=") && !self.is(1, "(") || token.text == "switch" =>
            {
                let message = format!("`{}` statements are not supported", token.text);
                self.fail(Diagnostic::unsupported("statement", token.span, message))
            }
            _ => {
                let expr = self.expression()?;
                self.expect(";")?;
                Ok(StatementKind::Expr(expr))
            }
        }
    }

    fn parenthesised(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let expr = self.expression()?;
        self.expect(")")?;
        Ok(expr)
    }

    fn for_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.expect("(")?;
        if self.is_name(0) && self.is(1, ":") {
            let name = self.name("a loop variable")?;
            self.advance();
            let ty = self.type_expr()?;
            self.expect(")")?;
            return Ok(StatementKind::ForEach(name, ty, Box::new(self.statement()?)));
        }
        let list = |parser: &mut Self, end: &str| -> Parsed<Vec<Expr>> {
            let exprs = if parser.at(end) { Vec::new() } else { parser.expressions()? };
            parser.expect(end)?;
            Ok(exprs)
        };
        let mut first = list(self, ";")?;
        let condition = if self.at(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let mut steps = list(self, ")")?;
        let mut body = self.statement()?;
        // Several steps: all but the last one end the body, which nothing can leave early but `return`.
        let (step, last) = (steps.pop(), first.pop());
        if !steps.is_empty() {
            let span = body.span;
            let statements = [body].into_iter().chain(steps.into_iter().map(statement_of));
            body = Statement { kind: block_of(statements.collect(), span), span };
        }
        let span = body.span;
        let whole = StatementKind::For(last, condition, step, Box::new(body));
        if first.is_empty() {
            return Ok(whole);
        }
        let whole = Statement { kind: whole, span };
        let statements = first.into_iter().map(statement_of).chain([whole]);
        Ok(block_of(statements.collect(), span))
    }
}

fn statement_of(expr: Expr) -> Statement {
    let span = expr.span;
    Statement { kind: StatementKind::Expr(expr), span }
}

fn block_of(statements: Vec<Statement>, span: Span) -> StatementKind {
    StatementKind::Block(Block { declarations: Vec::new(), statements, span })
}
