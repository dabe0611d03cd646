//! Statements and blocks, a line each.

use tioga_base::Span;

use crate::syntax::{Block, Expr, Statement, StatementKind};

use super::Printer;

impl Printer<'_> {
    /// Prints what stands between the braces of a block.
    pub fn block_contents(&mut self, block: &Block) {
        for declaration in &block.declarations {
            self.declaration(declaration);
        }
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    /// Prints a statement.
    pub fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Empty => self.line(span, ";"),
            StatementKind::Expr(expr) => {
                let text = self.expr(expr);
                self.line(span, &format!("{text};"));
            }
            StatementKind::Return(None) => self.line(span, "return;"),
            StatementKind::Return(Some(expr)) => {
                let text = self.expr(expr);
                self.line(span, &format!("return {text};"));
            }
            StatementKind::Block(block) => {
                self.open(head(span, None), "{");
                self.block_contents(block);
                self.close(block.span.end, "}");
            }
            StatementKind::If(..) => self.conditional_statement(statement),
            StatementKind::While(condition, body) => {
                let text = format!("while ({})", self.expr(condition));
                self.headed(head(span, Some(condition)), &text, body);
            }
            StatementKind::For(first, condition, step, body) => {
                let mut part = |expr: &Option<Expr>| {
                    expr.as_ref().map(|expr| self.expr(expr)).unwrap_or_default()
                };
                let text = format!("for ({}; {}; {})", part(first), part(condition), part(step));
                let last = step.as_ref().or(condition.as_ref()).or(first.as_ref());
                self.headed(head(span, last), &text, body);
            }
            StatementKind::ForEach(name, ty, body) => {
                let text = format!("for ({} : {})", name.text, self.type_expr(ty));
                let head = Span { end: ty.span.end, ..span };
                self.headed(head, &text, body);
            }
            StatementKind::DoWhile(body, condition) => {
                let text = format!("while ({});", self.expr(condition));
                if let StatementKind::Block(block) = &body.kind {
                    self.open(head(span, None), "do {");
                    self.block_contents(block);
                    self.close(block.span.end, &format!("}} {text}"));
                } else {
                    self.open(head(span, None), "do");
                    self.statement(body);
                    self.close(condition.span.start, &text);
                }
            }
        }
    }

    /// Prints a head and the statement it governs, whose brace stays on the head's line.
    fn headed(&mut self, span: Span, text: &str, body: &Statement) {
        if let StatementKind::Block(block) = &body.kind {
            self.open(span, &format!("{text} {{"));
            self.block_contents(block);
            self.close(block.span.end, "}");
        } else {
            self.open(span, text);
            self.statement(body);
            self.indent_less();
        }
    }

    fn conditional_statement(&mut self, statement: &Statement) {
        let mut statement = statement;
        let mut lead = String::new();
        // Each turn prints `if (c) yes` and leaves the text that continues the line in `lead`.
        while let StatementKind::If(condition, yes, no) = &statement.kind {
            let text = format!("{lead}if ({})", self.expr(condition));
            let span = head(statement.span, Some(condition));
            let block = match &yes.kind {
                StatementKind::Block(block) => Some((block, block.span.end)),
                _ => None,
            };
            let braced = block.is_some() || (no.is_some() && takes_else(yes));
            let text = if braced { format!("{text} {{") } else { text };
            if lead.starts_with('}') {
                self.close(span.start, &text);
                self.indent_more();
            } else {
                self.open(span, &text);
            }
            match block {
                Some((block, end)) => {
                    self.block_contents(block);
                    self.flush_comments(end);
                }
                None => self.statement(yes),
            }
            let Some(no) = no else {
                if braced {
                    self.close(yes.span.end, "}");
                } else {
                    self.indent_less();
                }
                return;
            };
            if !braced {
                self.indent_less();
            }
            lead = if braced { "} else ".to_owned() } else { "else ".to_owned() };
            statement = no;
        }
        self.else_part(&lead, statement);
    }

    /// Prints the last `else` of a chain; `lead` is `else ` or `} else `.
    fn else_part(&mut self, lead: &str, no: &Statement) {
        let block = match &no.kind {
            StatementKind::Block(block) => Some(block),
            _ => None,
        };
        let text = if block.is_some() { format!("{lead}{{") } else { lead.trim_end().to_owned() };
        if lead.starts_with('}') {
            self.close(0, &text);
            self.indent_more();
        } else {
            self.open(Span { start: 0, end: 0, ..no.span }, &text);
        }
        match block {
            Some(block) => {
                self.block_contents(block);
                self.close(block.span.end, "}");
            }
            None => {
                self.statement(no);
                self.indent_less();
            }
        }
    }
}

/// The place of a head: from the start of a statement to the end of its last expression.
fn head(span: Span, last: Option<&Expr>) -> Span {
    Span { end: last.map_or(span.start, |expr| expr.span.end), ..span }
}

/// Whether an `else` after this statement would belong to an `if` inside it.
fn takes_else(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::If(_, _, None) => true,
        StatementKind::If(_, _, Some(no)) => takes_else(no),
        StatementKind::While(_, body)
        | StatementKind::For(_, _, _, body)
        | StatementKind::ForEach(_, _, body) => takes_else(body),
        _ => false,
    }
}
