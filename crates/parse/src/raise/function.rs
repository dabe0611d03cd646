//! Functions and statements.

use std::collections::BTreeSet;

use tioga_base::Span;
use tioga_model::{Expr as Code, FunctionId, Home, Kind, Local, Lvalue, Range, Statement, Type};

use super::refused::{Raised, Refused};
use super::tree::{name, named};
use super::types::{self, Quality, single};
use super::view::View;
use crate::lower::kind_of;
use crate::syntax::{
    self, Block, Declaration, DeclarationKind, Initializer, Parameter, StatementKind, TypeExpr,
    TypeKind,
};

impl View<'_> {
    /// The declaration of a function.
    pub fn function_declaration(&mut self, id: FunctionId) -> Raised<Declaration> {
        let function = &self.network.code.functions[id];
        let text = self.functions.get(id.0 as usize).cloned().unwrap_or_default();
        let mut taken = self.taken.clone();
        let mut view = self.clone();
        view.here = function.home;
        view.observes = matches!(function.home, Home::Purpose(_));
        view.frame = function.variables.clone();
        view.frame.iter_mut().for_each(|local| local.name = taken.give(&local.name));
        let mut parameters = Vec::new();
        for local in view.frame.iter().take(function.parameters) {
            let (ty, dimensions) = types::split(&local.ty);
            let (constant, reference) = (false, local.reference);
            let name = name(&local.name);
            parameters.push(Parameter { constant, reference, ty, name, dimensions });
        }
        let result = match function.result {
            None => TypeExpr { kind: TypeKind::Void, span: Span::default() },
            Some(kind) => types::split(&single(kind, function.range)).0,
        };
        let mut declared = view.frame.iter().take(function.parameters).map(|l| l.slot).collect();
        let body = match &function.body {
            Statement::Block(statements) => view.block(statements, &mut declared),
            other => view.block(std::slice::from_ref(other), &mut declared),
        };
        let body = body.map_err(|refused| refused.within(&format!("function `{text}`")))?;
        let function = syntax::Function { result, name: name(text), parameters, body };
        Ok(Declaration { kind: DeclarationKind::Function(function), span: Span::default() })
    }

    fn block(&mut self, statements: &[Statement], declared: &mut BTreeSet<u32>) -> Raised<Block> {
        let mut declarations = Vec::new();
        let mut rest = statements;
        while let Some((local, count)) = self.declared_next(rest, declared) {
            let (stores, after) = rest.split_at(count);
            let initializer = self.initial(&local.ty, stores)?;
            let quality = Quality::Plain;
            declarations.push(types::declaration(quality, &local.name, &local.ty, initializer));
            declared.insert(local.slot);
            rest = after;
        }
        let mut written = Vec::new();
        for statement in rest {
            written.push(self.statement(statement, declared)?);
        }
        Ok(Block { declarations, statements: written, span: Span::default() })
    }

    /// The variable that the next statements give its first values, and how many they are.
    fn declared_next(
        &self,
        statements: &[Statement],
        declared: &BTreeSet<u32>,
    ) -> Option<(Local, usize)> {
        let slot = self.stored(statements.first()?)?.0;
        let local = self.frame.iter().find(|local| local.slot == slot)?;
        let mut leaves = Vec::new();
        leaf_types(&local.ty, &mut leaves);
        let mut next = slot;
        let fits = leaves.iter().zip(statements).all(|(leaf, statement)| {
            let stored = self.stored(statement).map(|(slot, ..)| slot) == Some(next);
            next += u32::try_from(leaf.slots()).unwrap_or(u32::MAX);
            stored
        });
        let whole = fits && leaves.len() <= statements.len();
        (whole && !declared.contains(&slot)).then(|| (local.clone(), leaves.len()))
    }

    /// The frame slot a statement stores to, and what.
    fn stored(&self, statement: &Statement) -> Option<(u32, tioga_model::ExprId)> {
        let Statement::Expr(expr) = statement else { return None };
        match &self.network.code.nodes[*expr].expr {
            Code::Assign(place, value, _) if *place == Lvalue::frame(place.offset) => {
                Some((place.offset, *value))
            }
            _ => None,
        }
    }

    /// The initial value that some stores are; nothing if they only clear the variable.
    fn initial(&mut self, ty: &Type, stores: &[Statement]) -> Raised<Option<Initializer>> {
        let mut leaves = Vec::new();
        leaf_types(ty, &mut leaves);
        let mut usual = true;
        let mut values = Vec::new();
        for (leaf, store) in leaves.iter().zip(stores) {
            let (_, value) = self.stored(store).ok_or_else(|| Refused::new("no store"))?;
            let node = &self.network.code.nodes[value];
            let zero = leaf.bounds().map_or(0, |(min, max)| 0.clamp(min, max));
            usual &= node.expr == Code::Int(zero) && node.kind == Kind::Int;
            values.push(value);
        }
        if usual {
            return Ok(None);
        }
        let mut written = Vec::new();
        for (leaf, value) in leaves.iter().zip(values) {
            let node = &self.network.code.nodes[value];
            let cleared = matches!(node.expr, Code::Int(_)) && node.kind != kind_of(leaf);
            written.push(match node.expr {
                Code::Int(value) if cleared => types::constant(kind_of(leaf), value),
                _ => self.converted(value)?,
            });
        }
        Ok(Some(listed(ty, &mut written.into_iter())))
    }

    fn statement(
        &mut self,
        statement: &Statement,
        declared: &mut BTreeSet<u32>,
    ) -> Raised<syntax::Statement> {
        let kind = match statement {
            Statement::Expr(_) | Statement::Copy { .. } => {
                StatementKind::Expr(self.effect(statement)?)
            }
            Statement::Block(statements) => StatementKind::Block(self.block(statements, declared)?),
            Statement::If(condition, yes, no) => {
                let condition = self.value(*condition)?;
                let yes = Box::new(self.statement(yes, declared)?);
                let no = match no {
                    Some(no) => Some(Box::new(self.statement(no, declared)?)),
                    None => None,
                };
                StatementKind::If(condition, yes, no)
            }
            Statement::While(condition, body) => {
                let condition = self.value(*condition)?;
                StatementKind::While(condition, Box::new(self.statement(body, declared)?))
            }
            Statement::DoWhile(body, condition) => {
                let body = Box::new(self.statement(body, declared)?);
                StatementKind::DoWhile(body, self.value(*condition)?)
            }
            Statement::ForEach(slot, Range { min, max }, body) => {
                let local = self.frame.iter().find(|local| local.slot == *slot).cloned();
                let local = local.ok_or_else(|| Refused::new("a loop without a variable"))?;
                let ty = match local.ty {
                    Type::Bool => types::split(&local.ty).0,
                    _ => types::range(*min, *max),
                };
                let body = Box::new(self.statement(body, declared)?);
                StatementKind::ForEach(name(local.name), ty, body)
            }
            Statement::Return(None) => StatementKind::Return(None),
            Statement::Return(Some(value)) => StatementKind::Return(Some(self.converted(*value)?)),
        };
        Ok(syntax::Statement { kind, span: Span::default() })
    }
}

/// The single values that a type is made of, in order.
fn leaf_types<'t>(ty: &'t Type, leaves: &mut Vec<&'t Type>) {
    match ty {
        Type::Array { element, length, .. } => {
            (0..*length).for_each(|_| leaf_types(element, leaves));
        }
        Type::Record(fields) => fields.iter().for_each(|(_, field)| leaf_types(field, leaves)),
        single => leaves.push(single),
    }
}

fn listed(ty: &Type, values: &mut impl Iterator<Item = syntax::Expr>) -> Initializer {
    let parts = match ty {
        Type::Array { element, length, .. } => {
            (0..*length).map(|_| (None, listed(element, values))).collect()
        }
        Type::Record(fields) => {
            fields.iter().map(|(_, field)| (None, listed(field, values))).collect()
        }
        _ => return Initializer::Expr(values.next().unwrap_or_else(|| named("_"))),
    };
    Initializer::List(parts, Span::default())
}
