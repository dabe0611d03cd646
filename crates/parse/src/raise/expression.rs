//! Data expressions.

use tioga_base::{Id, Rational};
use tioga_model::{
    Argument, BinaryOp, Expr as Code, ExprId, Local, Lvalue, Quantifier, Range, Type, UnaryOp,
};

use super::refused::{Raised, Refused};
use super::tree::{assign, binary, field, int, name, named, not, rational, tree};
use super::types::{constant, range, split};
use super::view::View;
use crate::lower::same_shape;
use crate::syntax::{CountOp, CountPosition, Expr, ExprKind};

impl View<'_> {
    /// An expression as an operand.
    pub fn value(&mut self, expr: ExprId) -> Raised<Expr> {
        let network = self.network;
        let node = &network.code.nodes[expr];
        Ok(match &node.expr {
            Code::Int(value) => constant(node.kind, *value),
            // A literal would be an integer, and integers divide differently.
            Code::Rational(value) if value.to_integer().is_some() => {
                let half = Rational::new(1, 2).unwrap_or(Rational::ZERO);
                let more = value.add(half).map_err(|_| Refused::new("a constant is too large"))?;
                binary(BinaryOp::Sub, rational(more), rational(half))
            }
            Code::Rational(value) => rational(*value),
            Code::Load(place) => self.load(place)?,
            Code::Unary(UnaryOp::Plus, operand) => self.value(*operand)?,
            Code::Unary(UnaryOp::Not, operand) => not(self.value(*operand)?),
            Code::Unary(UnaryOp::Neg, operand) => {
                tree(ExprKind::Unary(UnaryOp::Neg, Box::new(self.value(*operand)?)))
            }
            Code::Binary(op, left, right) => {
                let left = self.value(*left)?;
                binary(*op, left, self.value(*right)?)
            }
            Code::Conditional(condition, yes, no) => {
                let condition = Box::new(self.value(*condition)?);
                let yes = Box::new(self.value(*yes)?);
                tree(ExprKind::Conditional(condition, yes, Box::new(self.value(*no)?)))
            }
            Code::Assign(place, value, _) => self.assignment(place, *value)?,
            Code::Exchange(place, value, _) => match self.step(place, *value) {
                Some(step) => {
                    let target = Box::new(self.load(place)?);
                    tree(ExprKind::Count(step, CountPosition::After, target))
                }
                None => {
                    let message = "the old value of a variable is used while it is changed";
                    return Err(Refused::new(message));
                }
            },
            Code::Call(function, arguments) => {
                let callee = Box::new(named(self.function(*function)?));
                let function = &network.code.functions[*function];
                if arguments.len() != function.parameters {
                    let message = format!("`{}` is called with too few values", function.name);
                    return Err(Refused::new(message));
                }
                let mut written = Vec::new();
                for (argument, parameter) in arguments.iter().zip(&function.variables) {
                    written.push(self.argument(argument, parameter)?);
                }
                tree(ExprKind::Call(callee, written))
            }
            Code::Quantified(quantifier, slot, values, body) => {
                self.quantified(*quantifier, *slot, *values, *body)?
            }
            Code::Same(left, right, slots) => {
                let (left, right) = self.alike(left, right, *slots)?;
                binary(BinaryOp::Eq, left, right)
            }
            Code::At(process, location) => {
                let process_name = self.process(*process)?.to_owned();
                let location = self.location(process.index(), *location)?;
                if !self.observes {
                    return Err(Refused::new("a process asks where another one is"));
                }
                field(named(process_name), location)
            }
        })
    }

    /// An expression where it is converted to the type of what it is stored in.
    pub fn converted(&mut self, expr: ExprId) -> Raised<Expr> {
        match self.network.code.nodes[expr].expr {
            Code::Rational(value) => Ok(rational(value)),
            _ => self.value(expr),
        }
    }

    /// The single value at a place.
    pub fn load(&mut self, place: &Lvalue) -> Raised<Expr> {
        match self.parts(place)?.pop() {
            Some((part, ty)) if ty.is_scalar_value() => Ok(part),
            _ => Err(Refused::new("an array or record is used as a single value")),
        }
    }

    pub fn assignment(&mut self, place: &Lvalue, value: ExprId) -> Raised<Expr> {
        let target = self.load(place)?;
        Ok(assign(target, self.converted(value)?))
    }

    /// `++` or `--` if a value is that of a place, one more or less.
    pub fn step(&self, place: &Lvalue, value: ExprId) -> Option<CountOp> {
        let code = &self.network.code;
        let Code::Binary(op, left, right) = &code.nodes[value].expr else { return None };
        let own = matches!(&code.nodes[*left].expr, Code::Load(loaded) if loaded == place);
        match op {
            _ if !own || code.constant(*right) != Some(1) => None,
            BinaryOp::Add => Some(CountOp::Increment),
            BinaryOp::Sub => Some(CountOp::Decrement),
            _ => None,
        }
    }

    /// Two wholes of the same shape and so many slots.
    pub fn alike(&mut self, left: &Lvalue, right: &Lvalue, slots: u32) -> Raised<(Expr, Expr)> {
        let (left, right) = (self.parts(left)?, self.parts(right)?);
        for (one, ty) in left.into_iter().filter(|(_, ty)| ty.slots() == u64::from(slots)) {
            let other = right.iter().find(|(_, other)| same_shape(&ty, other));
            if let Some((other, _)) = other.filter(|_| !ty.is_scalar_value()) {
                return Ok((one, other.clone()));
            }
        }
        Err(Refused::new("data of different shapes is copied or compared"))
    }

    fn argument(&mut self, argument: &Argument, parameter: &Local) -> Raised<Expr> {
        let place = match argument {
            Argument::Value(value, _) => return self.converted(*value),
            Argument::Copy(place, _) | Argument::Reference(place) => place,
        };
        let mut parts = self.parts(place)?.into_iter();
        let fitting = parts.find(|(_, ty)| same_shape(&parameter.ty, ty));
        fitting.map(|(part, _)| part).ok_or_else(|| {
            Refused::new(format!("what is passed as `{}` has another shape", parameter.name))
        })
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        slot: u32,
        values: Range,
        body: ExprId,
    ) -> Raised<Expr> {
        let known = self.frame.iter().find(|local| local.slot == slot && !local.reference);
        let (min, max) = (values.min, values.max);
        let (text, ty) = match known {
            Some(local) => (local.name.clone(), local.ty.clone()),
            None => (self.unused("i"), Type::Int { min, max }),
        };
        let written = Box::new(match ty {
            Type::Bool => split(&ty).0,
            _ => range(min, max),
        });
        self.frame.push(Local { name: text.clone(), ty, slot, reference: false });
        let body = self.value(body);
        self.frame.pop();
        Ok(tree(ExprKind::Quantified(quantifier, name(text), written, Box::new(body?))))
    }

    /// A name close to the wish that means nothing here.
    pub fn unused(&self, wish: &str) -> String {
        let mut taken = self.taken.clone();
        self.frame.iter().for_each(|local| taken.reserve(&local.name));
        taken.give(wish)
    }

    /// An index into something whose first index is not 0, from one that counts from 0.
    pub fn index_from(&mut self, expr: ExprId, first: i64) -> Raised<Expr> {
        if first == 0 {
            return self.value(expr);
        }
        let code = &self.network.code;
        match &code.nodes[expr].expr {
            Code::Binary(BinaryOp::Add, inner, shift)
                if code.constant(*shift) == first.checked_neg() =>
            {
                self.value(*inner)
            }
            Code::Int(value) => Ok(int(value.saturating_add(first))),
            _ => Ok(binary(BinaryOp::Add, self.value(expr)?, int(first))),
        }
    }
}
