//! The printer of the C-like core, shared by `.tioga` and UPPAAL.
//!
//! What is printed parses back to the same tree, places aside. Parentheses are put where
//! precedence needs them and nowhere else. What a dialect cannot express is reported in
//! [`Printer::diagnostics`]; the text is then only good for showing.

mod declaration;
mod expression;
mod lines;
mod statement;

use tioga_base::{Diagnostic, Diagnostics, Span};

use crate::syntax::{ActionUse, Comment, Declaration, Dialect, Expr, Parameter, TypeExpr};

/// Collects lines of text in one dialect.
///
/// Methods named after a construct either return its text ([`Printer::expr`]) or, for constructs
/// that take lines of their own, append it to the output ([`Printer::declaration`]).
#[derive(Debug)]
pub struct Printer<'d> {
    pub(crate) dialect: Dialect,
    /// What could not be expressed.
    pub diagnostics: Diagnostics,
    output: String,
    indent: usize,
    /// Comments and blank lines not printed yet, in file order.
    comments: &'d [Comment],
    blank_pending: bool,
    after_opening: bool,
    after_line_comment: bool,
}

impl<'d> Printer<'d> {
    /// A printer with nothing printed yet. The dialect is that of the text to print.
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            diagnostics: Diagnostics::new(),
            output: String::new(),
            indent: 0,
            comments: &[],
            blank_pending: false,
            after_opening: false,
            after_line_comment: false,
        }
    }

    /// A printer that puts these comments back where they stood relative to what is printed.
    pub fn with_comments(dialect: Dialect, comments: &'d [Comment]) -> Self {
        Self { comments, ..Self::new(dialect) }
    }

    /// The printed lines, or why they do not say everything.
    pub fn finish(mut self) -> Result<String, Diagnostics> {
        self.flush_comments(u32::MAX);
        if self.diagnostics.has_errors() { Err(self.diagnostics) } else { Ok(self.output) }
    }

    fn inexpressible(&mut self, span: Span, what: &str) {
        let message = format!("{what} cannot be expressed in UPPAAL's language");
        self.diagnostics.push(Diagnostic::error("inexpressible", span, message));
    }
}

/// The text of an expression. What the dialect cannot express is printed as in `.tioga`; use a
/// [`Printer`] to be told.
pub fn print_expr(expr: &Expr, dialect: Dialect) -> String {
    Printer::new(dialect).expr(expr)
}

/// The text of an action on an edge, under the same conditions as [`print_expr`].
pub fn print_action(action: &ActionUse, dialect: Dialect) -> String {
    Printer::new(dialect).action(action)
}

/// The text of a type, under the same conditions as [`print_expr`].
pub fn print_type(ty: &TypeExpr, dialect: Dialect) -> String {
    Printer::new(dialect).type_expr(ty)
}

/// The text of parameters, without parentheses, or what cannot be expressed.
pub fn print_parameters(parameters: &[Parameter], dialect: Dialect) -> Result<String, Diagnostics> {
    let mut printer = Printer::new(dialect);
    let text = printer.parameters(parameters);
    printer.finish().map(|_| text)
}

/// The lines of some declarations, or what cannot be expressed.
pub fn print_declarations<'a>(
    declarations: impl IntoIterator<Item = &'a Declaration>,
    dialect: Dialect,
) -> Result<String, Diagnostics> {
    let mut printer = Printer::new(dialect);
    for declaration in declarations {
        printer.declaration(declaration);
    }
    printer.finish()
}
