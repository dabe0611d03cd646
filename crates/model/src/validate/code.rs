//! Rules about expressions, statements and functions.

use tioga_base::{Diagnostics, Id, Span};

use super::complain::complain;
use crate::{
    Argument, Base, BinaryOp, Code, Expr, ExprId, FunctionId, Kind, Lvalue, Network, Quantifier,
    Statement, UnaryOp, Update,
};

pub(super) fn check(network: &Network, diagnostics: &mut Diagnostics) {
    let own = network.purposes.iter().map(|purpose| purpose.slots.len()).max().unwrap_or(0);
    let mut checker = Checker {
        code: &network.code,
        slots: (network.slots.len() + own) as u64,
        processes: network,
        diagnostics,
    };
    for (id, _) in network.code.nodes.iter_ids() {
        checker.node(id);
    }
    if checker.diagnostics.has_errors() {
        return;
    }
    for function in network.code.functions.ids() {
        checker.function(function);
    }
    let purposes = network.purposes.iter().map(|purpose| &purpose.process);
    for process in network.processes.iter().chain(purposes) {
        for edge in &process.edges {
            for update in &edge.updates {
                if let Update::Data(statement) = update {
                    checker.statement(statement, edge.span, &mut |_| {});
                }
            }
        }
    }
}

struct Checker<'a> {
    code: &'a Code,
    /// The number of data slots, those of purposes included.
    slots: u64,
    processes: &'a Network,
    diagnostics: &'a mut Diagnostics,
}

/// What an expression or statement uses of the frame, or which expression it contains.
enum Use {
    Expr(ExprId),
    Frame(u64),
}

impl Checker<'_> {
    fn say(&mut self, code: &'static str, span: Span, message: &str) {
        complain(self.diagnostics, code, span, message.into());
    }

    fn node(&mut self, id: ExprId) {
        let code = self.code;
        let node = &code.nodes[id];
        let mut ordered = true;
        each_use(&node.expr, node.kind, &mut |used| {
            if let Use::Expr(operand) = used {
                ordered &= operand < id;
            }
        });
        if !ordered {
            self.say("operand-order", node.span, "an operand comes after its operator");
            return;
        }
        let rational = |expr: ExprId| code.nodes[expr].kind == Kind::Rational;
        let fits = match &node.expr {
            Expr::Int(_) | Expr::Same(..) => node.kind != Kind::Rational,
            Expr::Rational(_) => node.kind == Kind::Rational,
            Expr::Unary(UnaryOp::Not, _) => node.kind != Kind::Rational,
            Expr::Unary(_, operand) => node.kind == Kind::Rational || !rational(*operand),
            Expr::Binary(op, left, right) => {
                let mixed = rational(*left) || rational(*right);
                match op {
                    BinaryOp::Lt
                    | BinaryOp::Le
                    | BinaryOp::Eq
                    | BinaryOp::Ne
                    | BinaryOp::Ge
                    | BinaryOp::Gt
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Imply => node.kind != Kind::Rational,
                    BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::Mul
                    | BinaryOp::Div
                    | BinaryOp::Min
                    | BinaryOp::Max => mixed == (node.kind == Kind::Rational),
                    _ => !mixed && node.kind != Kind::Rational,
                }
            }
            Expr::Conditional(_, yes, no) => {
                node.kind == Kind::Rational || !(rational(*yes) || rational(*no))
            }
            Expr::Assign(_, value, _) | Expr::Exchange(_, value, _) => {
                node.kind == Kind::Rational || !rational(*value)
            }
            Expr::Quantified(Quantifier::Sum, _, _, body) => {
                rational(*body) == (node.kind == Kind::Rational)
            }
            Expr::Quantified(..) => node.kind != Kind::Rational,
            Expr::Call(function, _) => match code.functions.get(*function) {
                None => false,
                Some(function) => function
                    .result
                    .is_none_or(|kind| (kind == Kind::Rational) == (node.kind == Kind::Rational)),
            },
            Expr::At(process, location) => {
                let found = self.processes.processes.get(*process);
                node.kind != Kind::Rational
                    && found.is_some_and(|process| process.locations.get(*location).is_some())
            }
            Expr::Load(_) => true,
        };
        if !fits {
            self.say("kind", node.span, "the kinds of an expression and its operands do not fit");
        }
        let width = if node.kind == Kind::Rational { 2 } else { 1 };
        match &node.expr {
            Expr::Load(place) | Expr::Assign(place, ..) | Expr::Exchange(place, ..) => {
                self.place(place, width, node.span);
            }
            Expr::Same(left, right, length) => {
                self.place(left, u64::from(*length), node.span);
                self.place(right, u64::from(*length), node.span);
            }
            Expr::Call(_, arguments) => {
                for argument in arguments {
                    match argument {
                        Argument::Copy(place, length) => {
                            self.place(place, u64::from(*length), node.span);
                        }
                        Argument::Reference(place) => self.place(place, 0, node.span),
                        Argument::Value(..) => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Checks that a place lies within the data or constants for all values of its indices.
    fn place(&mut self, place: &Lvalue, width: u64, span: Span) {
        let limit = match place.base {
            Base::Global => Some(self.slots),
            Base::Constant => Some(self.code.constants.len() as u64),
            Base::Frame | Base::Reference(_) => None,
        };
        if limit.is_some_and(|limit| place.extent(width) > limit) {
            self.say("data-layout", span, "a place lies outside the data");
        }
        let rational = |expr: ExprId| self.code.nodes[expr].kind == Kind::Rational;
        if place.indices.iter().any(|dynamic| rational(dynamic.index)) {
            self.say("kind", span, "an index cannot be a rational");
        }
    }

    /// Checks that everything a function does stays within its frame.
    fn function(&mut self, id: FunctionId) {
        let code = self.code;
        let function = &code.functions[id];
        let mut pending = Vec::new();
        let mut reach = 0;
        self.statement(&function.body, function.span, &mut |used| match used {
            Use::Expr(expr) => pending.push(expr),
            Use::Frame(slots) => reach = reach.max(slots),
        });
        let mut seen = vec![false; code.nodes.len()];
        while let Some(expr) = pending.pop() {
            if std::mem::replace(&mut seen[expr.index()], true) {
                continue;
            }
            let node = &code.nodes[expr];
            each_use(&node.expr, node.kind, &mut |used| match used {
                Use::Expr(expr) => pending.push(expr),
                Use::Frame(slots) => reach = reach.max(slots),
            });
        }
        if reach > u64::from(function.frame) {
            let message = format!("the function `{}` leaves its frame", function.name);
            self.say("frame-size", function.span, &message);
        }
    }

    fn statement(&mut self, statement: &Statement, span: Span, each: &mut impl FnMut(Use)) {
        let mut used: Vec<ExprId> = Vec::new();
        match statement {
            Statement::Expr(expr) | Statement::Return(Some(expr)) => used.push(*expr),
            Statement::Return(None) => {}
            Statement::Copy { target, source, ranges } => {
                for place in [target, source] {
                    let width = ranges.len() as u64;
                    let known = |index: &ExprId| self.code.nodes.get(*index).is_some();
                    if place.indices.iter().all(|dynamic| known(&dynamic.index)) {
                        self.place(place, width, span);
                    }
                    used.extend(place.indices.iter().map(|dynamic| dynamic.index));
                    place_use(place, width, each);
                }
            }
            Statement::Block(statements) => {
                for statement in statements {
                    self.statement(statement, span, each);
                }
            }
            Statement::If(condition, yes, no) => {
                used.push(*condition);
                self.statement(yes, span, each);
                no.iter().for_each(|no| self.statement(no, span, each));
            }
            Statement::While(condition, body) | Statement::DoWhile(body, condition) => {
                used.push(*condition);
                self.statement(body, span, each);
            }
            Statement::ForEach(slot, _, body) => {
                each(Use::Frame(u64::from(*slot) + 1));
                self.statement(body, span, each);
            }
        }
        for expr in used {
            if self.code.nodes.get(expr).is_some() {
                each(Use::Expr(expr));
            } else {
                self.say("unknown-expression", span, &format!("unknown {expr}"));
            }
        }
    }
}

fn place_use(place: &Lvalue, width: u64, each: &mut impl FnMut(Use)) {
    match place.base {
        Base::Global | Base::Constant => {}
        Base::Frame => each(Use::Frame(place.extent(width))),
        Base::Reference(slot) => each(Use::Frame(u64::from(slot) + 1)),
    }
}

/// Reports the operands of an expression and its use of the frame.
fn each_use(expr: &Expr, kind: Kind, each: &mut impl FnMut(Use)) {
    let width = if kind == Kind::Rational { 2 } else { 1 };
    let place = |place: &Lvalue, width: u64, each: &mut dyn FnMut(Use)| {
        place_use(place, width, &mut |used| each(used));
        place.indices.iter().for_each(|dynamic| each(Use::Expr(dynamic.index)));
    };
    match expr {
        Expr::Int(_) | Expr::Rational(_) | Expr::At(..) => {}
        Expr::Load(at) => place(at, width, each),
        Expr::Unary(_, operand) => each(Use::Expr(*operand)),
        Expr::Binary(_, left, right) => {
            each(Use::Expr(*left));
            each(Use::Expr(*right));
        }
        Expr::Conditional(condition, yes, no) => {
            [condition, yes, no].into_iter().for_each(|expr| each(Use::Expr(*expr)));
        }
        Expr::Assign(at, value, _) | Expr::Exchange(at, value, _) => {
            place(at, width, each);
            each(Use::Expr(*value));
        }
        Expr::Call(_, arguments) => {
            for argument in arguments {
                match argument {
                    Argument::Value(expr, _) => each(Use::Expr(*expr)),
                    Argument::Copy(at, length) => place(at, u64::from(*length), each),
                    Argument::Reference(at) => place(at, 0, each),
                }
            }
        }
        Expr::Quantified(_, slot, _, body) => {
            each(Use::Frame(u64::from(*slot) + 1));
            each(Use::Expr(*body));
        }
        Expr::Same(left, right, length) => {
            place(left, u64::from(*length), each);
            place(right, u64::from(*length), each);
        }
    }
}
