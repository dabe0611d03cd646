//! What is known while the clocks that functions set are collected: what was changed before, and when a statement is
//! reached.

use std::collections::BTreeSet;

use tioga_base::{Diagnostic, Span};
use tioga_model::{Base, Expr as Code, ExprId, Lvalue, Update};

use super::Lowering;
use super::scope::Meaning;
use super::setters::{is_unknown, unknown};
use crate::clike::Parsed;
use crate::syntax::{Expr, Footprint, Statement, StatementKind};

/// What is known while the clocks of a call are collected.
#[derive(Default)]
pub(super) struct Following {
    pub updates: Vec<Update>,
    pub changed: Changed,
    /// Expressions that were evaluated when a function was called.
    pub given: BTreeSet<ExprId>,
    pub ways: Ways,
    /// Whether the statements of the function can be carried out one after the other instead.
    pub has_parts: bool,
    /// Whether they must be, for a clock depends on what the function changes before.
    pub dependent: bool,
}

/// The data that may have been changed since the edge called the function.
#[derive(Clone, Default)]
pub(super) struct Changed {
    /// Stretches of slots.
    pub slots: Vec<(u32, u32)>,
    /// Whether it may be any data.
    pub all: bool,
}

/// When the current statement of the current function is reached.
#[derive(Clone, Copy, Default)]
pub(super) struct Ways {
    /// Under which condition, as far as calls and `if` tell.
    pub path: Option<ExprId>,
    /// Under which condition a `return` has ended the function.
    pub returned: Option<ExprId>,
    /// Whether a `return` may have ended the function in a way that was not followed.
    pub may_return: bool,
}

impl Lowering<'_> {
    /// Under which condition the current statement is reached.
    pub(super) fn reached(&mut self, following: &Following, span: Span) -> Parsed<Option<ExprId>> {
        let Ways { path, returned, .. } = following.ways;
        match returned {
            None => Ok(path),
            Some(returned) => {
                let goes_on = self.not(returned, span);
                self.both(path, goes_on, span)
            }
        }
    }

    /// Whether a condition changes nothing and reads nothing that the function changed before.
    pub(super) fn is_known(&mut self, condition: &Expr, following: &Following) -> Parsed<bool> {
        let kind = StatementKind::Expr(condition.clone());
        let effects = Statement { kind, span: condition.span }.footprint();
        let changes = |name: &String| match self.scopes.find(name).map(|symbol| &symbol.meaning) {
            Some(Meaning::Function(symbol)) => symbol.changes.state || symbol.changes.references,
            _ => false,
        };
        if !effects.assigned.is_empty() || effects.called.iter().any(changes) {
            return Ok(false);
        }
        let value = self.boolean(condition)?;
        Ok(!self.reads_changed(value, following))
    }

    /// Complains if an expression reads what the function changed before.
    pub(super) fn unchanged(
        &mut self,
        expr: ExprId,
        span: Span,
        following: &mut Following,
    ) -> Parsed<()> {
        if !self.reads_changed(expr, following) {
            return Ok(());
        }
        self.complain(span, following)
    }

    /// Complains that something depends on what the function changed before.
    pub(super) fn complain(&mut self, span: Span, following: &mut Following) -> Parsed<()> {
        let message = "this depends on data that the function computes before";
        self.dependent(
            Diagnostic::error("clock-in-function", span, message)
                .note("clocks are set when the function is called, before the rest of it runs")
                .help("set the clock first in the function, or in the update of the edge after the call"),
            following,
        )
    }

    /// Notes that a clock depends on what the function changes before. Complains if its statements cannot be carried
    /// out one after the other.
    pub(super) fn dependent(
        &mut self,
        complaint: Diagnostic,
        following: &mut Following,
    ) -> Parsed<()> {
        if following.has_parts {
            following.dependent = true;
            return Ok(());
        }
        self.fail(complaint)
    }

    pub(super) fn reads_changed(&self, expr: ExprId, following: &Following) -> bool {
        if following.given.contains(&expr) {
            return false;
        }
        let place = |place: &Lvalue| {
            let indices = place.indices.iter().any(|one| self.reads_changed(one.index, following));
            indices || self.may_be_changed(place, 1, following)
        };
        match &self.network.code.nodes[expr].expr {
            Code::Int(_) | Code::Rational(_) | Code::At(..) => false,
            Code::Load(from) => place(from),
            Code::Unary(_, operand) | Code::Quantified(_, _, _, operand) => {
                self.reads_changed(*operand, following)
            }
            Code::Binary(_, left, right) => {
                [left, right].into_iter().any(|one| self.reads_changed(*one, following))
            }
            Code::Conditional(a, b, c) => {
                [a, b, c].into_iter().any(|one| self.reads_changed(*one, following))
            }
            Code::Same(left, right, length) => [left, right]
                .into_iter()
                .any(|one| place(one) || self.may_be_changed(one, *length, following)),
            // A call may read everything.
            Code::Call(..) | Code::Assign(..) | Code::Exchange(..) => {
                following.changed.all || !following.changed.slots.is_empty()
            }
        }
    }

    /// Whether a place has, or overlaps with, data that the function changed before.
    fn may_be_changed(&self, place: &Lvalue, length: u32, following: &Following) -> bool {
        match place.base {
            Base::Constant => false,
            Base::Frame => is_unknown(place),
            Base::Reference(_) => true,
            Base::Global => {
                let (start, end) = stretch(place, length);
                let Changed { slots, all } = &following.changed;
                *all || slots.iter().any(|(from, to)| start < *to && *from < end)
            }
        }
    }

    /// Notes what statements that set no clocks may change.
    pub(super) fn note_changes(&mut self, effects: &Footprint, following: &mut Following) {
        let mut changed = effects.assigned.clone();
        for name in &effects.called {
            if let Some(Meaning::Function(symbol)) =
                self.scopes.find(name).map(|symbol| &symbol.meaning)
            {
                following.changed.all |= symbol.changes.state;
                if symbol.changes.references {
                    changed.extend(effects.passed.iter().cloned());
                }
            }
        }
        for name in &changed {
            if let Some(Meaning::Data(place, ty, _)) =
                self.scopes.find(name).map(|symbol| &symbol.meaning)
                && place.base == Base::Global
            {
                let length = u32::try_from(ty.slots()).unwrap_or(u32::MAX);
                following.changed.slots.push(stretch(place, length));
            }
            self.forget(name);
        }
    }

    /// From now on, a parameter by value is a variable of which nothing is known.
    pub(super) fn forget(&mut self, name: &str) {
        if let Some(Meaning::Computed(_, ty) | Meaning::Constant(_, ty)) =
            self.scopes.find(name).map(|symbol| &symbol.meaning)
        {
            let meaning = unknown(ty.clone());
            self.scopes.replace(name, meaning);
        }
    }
}

/// The slots that a place with so many slots may stand for: from the first to behind the last.
fn stretch(place: &Lvalue, length: u32) -> (u32, u32) {
    let steps =
        place.indices.iter().map(|one| one.length.saturating_sub(1).saturating_mul(one.stride));
    let end = steps.fold(place.offset.saturating_add(length), u32::saturating_add);
    (place.offset, end)
}
