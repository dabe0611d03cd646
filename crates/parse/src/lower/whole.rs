//! Functions whose result is a whole array or record.
//!
//! Such a function gets a further parameter by reference, the last one, where it stores its result just
//! before it returns. So a call is a statement: its result is assigned, initialises a variable, or is
//! returned. Because nothing is stored before, it does not matter if the arguments read what is assigned.

use tioga_base::{Diagnostic, Span};
use tioga_model::{Argument, Base, Lvalue, Statement, Type};

use super::Lowering;
use super::expression::Denoted;
use super::function::slot_ranges;
use super::operators::same_shape;
use super::scope::{Access, FunctionSymbol, Meaning};
use crate::clike::Parsed;
use crate::syntax::{Expr, ExprKind, Function, Name};

/// The name of the further parameter. It is no word of any language, so nothing else is called so.
const RESULT: &str = "result'";

impl Lowering<'_> {
    /// Declares the parameter for the result of the function being lowered.
    pub(super) fn whole_result(&mut self, function: &Function, ty: &Type) -> Parsed<()> {
        let shown = Name::new(format!("{}_result", function.name.text), function.name.span);
        let slot = self.allocate(&shown, ty, true)?;
        let place = Lvalue { base: Base::Reference(slot), ..Lvalue::frame(0) };
        let name = Name::new(RESULT, function.name.span);
        self.declare(&name, Meaning::Data(place, ty.clone(), Access::ReadWrite))
    }

    /// Lowers `return e` for a whole result.
    pub(super) fn return_whole(&mut self, value: &Expr, ty: &Type) -> Parsed<Statement> {
        let target = Expr::new(ExprKind::Name(RESULT.to_owned()), value.span);
        let stored = self.copy(&target, ty, value)?;
        Ok(Statement::Block(vec![stored, Statement::Return(None)]))
    }

    /// Lowers `target = f(…)` for a whole result.
    pub(super) fn call_into(
        &mut self,
        target: &Expr,
        ty: &Type,
        (function, arguments): (&Expr, &[Expr]),
        span: Span,
    ) -> Parsed<Statement> {
        let symbol = self.called(function)?;
        let given = match symbol.parameters.last() {
            Some((given, _)) if symbol.whole && same_shape(ty, given) => given.clone(),
            _ => {
                let message = format!("{ty} is needed here");
                return self.fail(Diagnostic::error("wrong-type", span, message));
            }
        };
        let ranges = |ty: &Type| {
            let mut ranges = Vec::new();
            slot_ranges(ty, &mut ranges);
            ranges
        };
        if ranges(ty) != ranges(&given) {
            let message = format!("{given} is returned, and {ty} is assigned");
            return self.fail(
                Diagnostic::unsupported("structured-result", span, message)
                    .note("values that do not fit would go unnoticed")
                    .help("store the result in a variable of the type that is returned, and copy that"),
            );
        }
        self.paired(ty, &given);
        let Denoted::Place(place, _, access) = self.denoted(target)? else {
            let message = "only variables can be assigned";
            return self.fail(Diagnostic::error("not-assignable", target.span, message));
        };
        if let Some(reason) = access.refusal() {
            let message = "this cannot be assigned";
            let diagnostic = Diagnostic::error("not-assignable", target.span, message);
            return self.fail(diagnostic.note(reason));
        }
        if let Some(function) = &mut self.function {
            function.changes.note(place.base);
        }
        let result = vec![Argument::Reference(place)];
        Ok(Statement::Expr(self.call_with(&symbol, arguments, result, span)?.0))
    }

    /// The function of another process that a query or purpose calls.
    pub(super) fn foreign_function(
        &mut self,
        process: &str,
        name: &Name,
        span: Span,
    ) -> Parsed<FunctionSymbol> {
        let position = self.network.processes.iter().position(|one| one.name == process);
        if let (Some(position), true) = (position, self.observer.is_some())
            && let Some(names) = self.process_names.get(position)
            && let Some(Meaning::Function(symbol)) = names.get(&name.text).map(|one| &one.meaning)
        {
            return Ok(symbol.clone());
        }
        let message = format!("`{process}` has no function `{}` to call here", name.text);
        self.fail(Diagnostic::error("unknown-name", span, message))
    }
}
