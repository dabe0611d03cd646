//! Statements and blocks.

use tioga_base::Diagnostic;

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
                self.fail(Diagnostic::error("unsupported", token.span, message))
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
        let optional = |parser: &mut Self, end: &str| -> Parsed<Option<Expr>> {
            let expr = if parser.at(end) { None } else { Some(parser.expression()?) };
            parser.expect(end)?;
            Ok(expr)
        };
        let first = optional(self, ";")?;
        let condition = optional(self, ";")?;
        let step = optional(self, ")")?;
        Ok(StatementKind::For(first, condition, step, Box::new(self.statement()?)))
    }
}
