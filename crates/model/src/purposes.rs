//! A network without its test purposes: what they leave in the shared code is cleared, too.
//!
//! Expressions and functions of all purposes stand in the code of the network and use the slots that
//! follow after the network's. Without the purpose there are no such slots.

use tioga_base::Rational;

use crate::{Argument, Base, Expr, Kind, Lvalue, Network, Statement};

impl Network {
    /// Removes all purposes. What only they can have used becomes a constant, or does nothing.
    pub fn drop_purposes(&mut self) {
        self.purposes.clear();
        let slots = self.slots.len() as u64;
        let gone =
            |place: &Lvalue, width: u64| place.base == Base::Global && place.extent(width) > slots;
        for node in self.code.nodes.iter_mut() {
            let width = if node.kind == Kind::Rational { 2 } else { 1 };
            let unusable = match &node.expr {
                Expr::Load(place) | Expr::Assign(place, ..) | Expr::Exchange(place, ..) => {
                    gone(place, width)
                }
                Expr::Same(left, right, length) => {
                    [left, right].into_iter().any(|place| gone(place, u64::from(*length)))
                }
                Expr::Call(_, arguments) => arguments.iter().any(|argument| match argument {
                    Argument::Copy(place, length) => gone(place, u64::from(*length)),
                    Argument::Reference(place) => gone(place, 0),
                    Argument::Value(..) => false,
                }),
                _ => false,
            };
            if unusable {
                node.expr = match node.kind {
                    Kind::Rational => Expr::Rational(Rational::ZERO),
                    Kind::Bool | Kind::Int => Expr::Int(0),
                };
            }
        }
        for function in self.code.functions.iter_mut() {
            clear_copies(&mut function.body, &gone);
        }
    }
}

/// Lets copies from or to places that are gone do nothing.
fn clear_copies(statement: &mut Statement, gone: &impl Fn(&Lvalue, u64) -> bool) {
    match statement {
        Statement::Copy { target, source, ranges } => {
            let width = ranges.len() as u64;
            if gone(target, width) || gone(source, width) {
                *statement = Statement::Block(Vec::new());
            }
        }
        Statement::Block(parts) => parts.iter_mut().for_each(|part| clear_copies(part, gone)),
        Statement::If(_, yes, no) => {
            clear_copies(yes, gone);
            no.iter_mut().for_each(|no| clear_copies(no, gone));
        }
        Statement::While(_, body)
        | Statement::DoWhile(body, _)
        | Statement::ForEach(_, _, body) => clear_copies(body, gone),
        Statement::Expr(_) | Statement::Return(_) => {}
    }
}
