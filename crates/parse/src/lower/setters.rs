//! Functions that set clocks.
//!
//! In the intermediate model functions change data only, and clocks are set by edges. So such a function is split
//! where an edge calls it: first the edge sets the clocks, then the rest runs as a function of data. That means the
//! same if it is known which clocks are set when, and if nothing that the conditions, values and indices read was
//! changed by the function before, for data never depends on clocks. Arguments are evaluated when the function is
//! called, so what is read through parameters by value is as it was then. Conditions around a clock become
//! conditions of its update. Loops around a clock are followed if they depend on constants only.
//!
//! Where something was changed before, a function without local variables and `return` is split into its statements,
//! which are carried out one after the other in the same way, if its arguments stay the same. Everything else is
//! refused.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use tioga_base::{Diagnostic, Span};
use tioga_model::{Base, ClockId, ClockTerm, ExprId, Lvalue, Type};

use super::Lowering;
use super::scope::{Access, Meaning, Owner, Setter, Symbol, Ty};
use crate::clike::Parsed;
use crate::syntax::{
    Block, Declaration, Expr, ExprKind, Function, Name, Parameter, Statement, StatementKind,
    TypeExpr, TypeKind,
};

impl Lowering<'_> {
    /// Lowers a function, and splits it if it sets clocks.
    pub(super) fn function(&mut self, function: &Function, owner: Option<&Owner>) -> Parsed<()> {
        let clocks: Vec<bool> =
            function.parameters.iter().map(|one| self.is_clock_type(&one.ty)).collect();
        let body = self.scoped(|lowering| {
            lowering.place_holders(&function.parameters);
            let sets = clocks.contains(&true) || lowering.block_sets_clocks(&function.body);
            sets.then(|| lowering.without_clocks(&function.body))
        });
        let Some(body) = body else {
            let symbol = self.data_function(function, owner)?;
            return self.declare(&function.name, Meaning::Function(symbol));
        };
        for (parameter, _) in function.parameters.iter().zip(&clocks).filter(|(_, clock)| **clock) {
            if !parameter.reference {
                let message =
                    format!("the clock `{}` is a parameter by value", parameter.name.text);
                return self.fail(
                    Diagnostic::error("clock-in-function", parameter.name.span, message)
                        .help("pass it by reference, with `&`"),
                );
            }
        }
        let setter = self.new_setter(function, clocks, body, owner)?;
        self.declare(&function.name, Meaning::Setter(Rc::new(setter)))
    }

    /// A function that sets clocks; `rest` is its body without what sets them.
    fn new_setter(
        &mut self,
        function: &Function,
        clocks: Vec<bool>,
        rest: Block,
        owner: Option<&Owner>,
    ) -> Parsed<Setter> {
        let parameters: Vec<Parameter> = function
            .parameters
            .iter()
            .zip(&clocks)
            .filter(|(_, clock)| !**clock)
            .map(|(parameter, _)| parameter.clone())
            .collect();
        let names = self.visible(function.identifiers());
        let depth = self.scopes.depth();
        let empty = parameters.is_empty()
            && function.result.kind == TypeKind::Void
            && rest.statements.is_empty();
        let data = match empty {
            true => None,
            false => {
                let rest = Function { parameters, body: rest, ..function.clone() };
                Some(self.data_function(&rest, owner)?)
            }
        };
        let (function, owner, parts) = (function.clone(), owner.cloned(), OnceCell::new());
        Ok(Setter { function, clocks, depth, names, data, owner, parts })
    }

    /// The statements of a function as functions of their own. What sets no clocks stays together.
    pub(super) fn parts(&mut self, setter: &Setter) -> Parsed<Vec<Rc<Setter>>> {
        if let Some(parts) = setter.parts.get() {
            return Ok(parts.clone());
        }
        let function = &setter.function;
        let mut groups: Vec<(bool, Vec<Statement>)> = Vec::new();
        let bodies: Vec<(Block, Block)> = self.scoped(|lowering| {
            lowering.place_holders(&function.parameters);
            for statement in &function.body.statements {
                let sets = lowering.sets_clocks(statement);
                match groups.last_mut() {
                    Some((false, group)) if !sets => group.push(statement.clone()),
                    _ => groups.push((sets, vec![statement.clone()])),
                }
            }
            let bodies = groups.into_iter().map(|(_, statements)| {
                let body = Block { statements, ..function.body.clone() };
                let rest = lowering.without_clocks(&body);
                (body, rest)
            });
            bodies.collect()
        });
        let mut parts = Vec::new();
        for (body, rest) in bodies {
            let part = Function { body, ..function.clone() };
            let part =
                self.new_setter(&part, setter.clocks.clone(), rest, setter.owner.as_ref())?;
            parts.push(Rc::new(part));
        }
        Ok(setter.parts.get_or_init(|| parts).clone())
    }

    /// Where each name that can be seen was declared.
    pub(super) fn visible(&self, names: BTreeSet<String>) -> BTreeMap<String, Span> {
        let seen = |name: String| Some((self.scopes.find(&name)?.span, name));
        names.into_iter().filter_map(seen).map(|(span, name)| (name, span)).collect()
    }

    fn is_clock_type(&self, ty: &TypeExpr) -> bool {
        match &ty.kind {
            TypeKind::Clock => true,
            TypeKind::Named(name) => matches!(
                self.scopes.find(&name.text).map(|symbol| &symbol.meaning),
                Some(Meaning::Type(Ty::Clock(_)))
            ),
            _ => false,
        }
    }

    /// Declares parameters as far as needed to tell clocks from data.
    fn place_holders(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            let meaning = match self.is_clock_type(&parameter.ty) {
                true => {
                    let clock = ClockTerm { clock: ClockId(0), index: None };
                    Meaning::Clock(clock, Vec::new(), Access::ReadWrite)
                }
                false => unknown(Type::Integer),
            };
            self.hide(&parameter.name, meaning);
        }
    }

    /// Declares a name unless it is declared here already, which is complained about elsewhere.
    pub(super) fn hide(&mut self, name: &Name, meaning: Meaning) {
        let _ = self.scopes.declare(&name.text, Symbol { meaning, span: name.span });
    }

    fn hide_locals(&mut self, declarations: &[Declaration]) {
        for name in declarations.iter().flat_map(Declaration::names) {
            self.hide(name, unknown(Type::Integer));
        }
    }

    /// The called function, if it sets clocks.
    pub(super) fn setter(&self, expr: &Expr) -> Option<Rc<Setter>> {
        let ExprKind::Call(callee, _) = &expr.kind else { return None };
        let ExprKind::Name(name) = &callee.kind else { return None };
        match &self.scopes.find(name)?.meaning {
            Meaning::Setter(setter) => Some(Rc::clone(setter)),
            _ => None,
        }
    }

    /// Whether an expression that is a statement sets a clock, not counting calls.
    fn assigns_clock(&self, expr: &Expr) -> bool {
        let ExprKind::Assign(_, target, _) = &expr.kind else { return false };
        let name = root(target).and_then(|name| self.scopes.find(name));
        matches!(name.map(|symbol| &symbol.meaning), Some(Meaning::Clock(..)))
    }

    /// Whether a statement sets clocks, itself or by a call.
    pub(super) fn sets_clocks(&mut self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Expr(expr) => self.setter(expr).is_some() || self.assigns_clock(expr),
            StatementKind::Block(block) => self.block_sets_clocks(block),
            StatementKind::If(_, yes, no) => {
                self.sets_clocks(yes) || no.as_ref().is_some_and(|no| self.sets_clocks(no))
            }
            StatementKind::While(_, body)
            | StatementKind::DoWhile(body, _)
            | StatementKind::For(_, _, _, body) => self.sets_clocks(body),
            StatementKind::ForEach(name, _, body) => self.scoped(|lowering| {
                lowering.hide(name, unknown(Type::Integer));
                lowering.sets_clocks(body)
            }),
            StatementKind::Empty | StatementKind::Return(_) => false,
        }
    }

    fn block_sets_clocks(&mut self, block: &Block) -> bool {
        self.scoped(|lowering| {
            lowering.hide_locals(&block.declarations);
            block.statements.iter().any(|statement| lowering.sets_clocks(statement))
        })
    }

    /// A block without what sets clocks.
    fn without_clocks(&mut self, block: &Block) -> Block {
        self.scoped(|lowering| {
            lowering.hide_locals(&block.declarations);
            let statements = block.statements.iter().filter_map(|one| lowering.data_part(one));
            let statements = statements.collect();
            Block { declarations: block.declarations.clone(), statements, span: block.span }
        })
    }

    /// What is left of a statement without what sets clocks.
    fn data_part(&mut self, statement: &Statement) -> Option<Statement> {
        if !self.sets_clocks(statement) {
            let empty = statement.kind == StatementKind::Empty;
            return (!empty).then(|| statement.clone());
        }
        let span = statement.span;
        let boxed = |rest: Option<Statement>| {
            Box::new(rest.unwrap_or(Statement { kind: StatementKind::Empty, span }))
        };
        let mut part = |statement: &Statement| boxed(self.data_part(statement));
        let kind = match &statement.kind {
            StatementKind::Expr(expr) => {
                // Only a call leaves something.
                self.setter(expr)?.data.as_ref()?;
                statement.kind.clone()
            }
            StatementKind::Block(block) => {
                let block = self.without_clocks(block);
                if block.declarations.is_empty() && block.statements.is_empty() {
                    return None;
                }
                StatementKind::Block(block)
            }
            StatementKind::If(condition, yes, no) => {
                let yes = self.data_part(yes);
                let no = no.as_ref().and_then(|no| self.data_part(no));
                // The condition changes nothing, and the clocks are set under it.
                if yes.is_none() && no.is_none() {
                    return None;
                }
                StatementKind::If(condition.clone(), boxed(yes), no.map(Box::new))
            }
            StatementKind::While(condition, body) => {
                StatementKind::While(condition.clone(), part(body))
            }
            StatementKind::DoWhile(body, condition) => {
                StatementKind::DoWhile(part(body), condition.clone())
            }
            StatementKind::For(first, condition, step, body) => {
                StatementKind::For(first.clone(), condition.clone(), step.clone(), part(body))
            }
            StatementKind::ForEach(name, ty, body) => {
                let body = self.scoped(|lowering| {
                    lowering.hide(name, unknown(Type::Integer));
                    lowering.data_part(body)
                })?;
                StatementKind::ForEach(name.clone(), ty.clone(), Box::new(body))
            }
            StatementKind::Empty | StatementKind::Return(_) => return None,
        };
        Some(Statement { kind, span })
    }

    /// The call of the data part of a function that sets clocks.
    pub(super) fn data_call(
        &mut self,
        setter: &Setter,
        arguments: &[Expr],
        span: Span,
    ) -> Parsed<Option<ExprId>> {
        let Some(data) = &setter.data else { return Ok(None) };
        let arguments: Vec<Expr> = arguments
            .iter()
            .zip(&setter.clocks)
            .filter(|(_, clock)| !**clock)
            .map(|(argument, _)| argument.clone())
            .collect();
        Ok(Some(self.call_with(data, &arguments, Vec::new(), span)?.0))
    }
}

/// Where local variables of functions are kept while clocks are collected. The frame of an edge is smaller: it has the
/// values that the edge receives and the variables of quantifiers.
const LOCAL: u32 = 1 << 31;

/// What a variable means to the clocks of a function: a value that is not known.
pub(super) fn unknown(ty: Type) -> Meaning {
    Meaning::Data(Lvalue::frame(LOCAL), ty, Access::ReadWrite)
}

/// Whether a place belongs to a variable of which nothing is known.
pub(super) fn is_unknown(place: &Lvalue) -> bool {
    place.base == Base::Frame && place.offset >= LOCAL
}

/// The name in `x`, `x[i]`, `x[i].f`.
pub(super) fn root(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Index(inner, _) | ExprKind::Field(inner, _) => root(inner),
        _ => None,
    }
}
