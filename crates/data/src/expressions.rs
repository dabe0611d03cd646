//! Symbolic values of expressions. The meaning is that of `tioga_model::Evaluator`, with terms for numbers and
//! formulas for truth values.

use tioga_base::{Id, Span};
use tioga_model::{
    Argument, BinaryOp, CALL_LIMIT, EvalFault, EvalFaultKind, Expr, ExprId, FunctionId, Kind,
    Lvalue, Quantifier, Range, Statement, UnaryOp,
};
use tioga_terms::{Formula, Operator, Relation, Term};

use crate::run::{Run, Stop};

/// What happens after a statement.
enum Flow {
    Next,
    Return(Option<Term>),
}

impl Run<'_> {
    /// The truth value of an expression.
    pub(crate) fn truth(&mut self, id: ExprId) -> Result<Formula, Stop> {
        let code = self.code;
        let span = code.nodes[id].span;
        self.tick(span)?;
        match &code.nodes[id].expr {
            Expr::Int(value) => Ok(Formula::constant(*value != 0)),
            Expr::Unary(UnaryOp::Not, operand) => {
                let operand = self.truth(*operand)?;
                self.sure(operand.negated(self.symbols), span)
            }
            Expr::Binary(op, left, right) => match op {
                BinaryOp::And | BinaryOp::Or | BinaryOp::Imply => {
                    self.connective(*op, *left, *right, span)
                }
                BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Ge
                | BinaryOp::Gt => {
                    let (left, right) = (self.term(*left)?, self.term(*right)?);
                    self.comparison(*op, &left, &right, span)
                }
                _ => self.as_truth(id),
            },
            Expr::Conditional(condition, yes, no) => {
                let condition = self.truth(*condition)?;
                if self.is_plain(*yes) && self.is_plain(*no) {
                    let opposite = self.sure(condition.negated(self.symbols), span)?;
                    let yes = condition.and(self.truth(*yes)?);
                    return Ok(yes.or(opposite.and(self.truth(*no)?)));
                }
                let chosen = if self.decide(&condition, span)? { *yes } else { *no };
                self.truth(chosen)
            }
            Expr::Quantified(
                quantifier @ (Quantifier::Forall | Quantifier::Exists),
                slot,
                range,
                body,
            ) => {
                let address = self.frame_address(*slot);
                let mut parts = Vec::new();
                for value in range.min..=range.max {
                    self.store(address, Term::int(value), span)?;
                    parts.push(self.truth(*body)?);
                }
                Ok(match quantifier {
                    Quantifier::Forall => Formula::all(parts),
                    _ => Formula::any(parts),
                })
            }
            Expr::Same(left, right, length) => {
                let (left, right) = (self.place(left, span)?, self.place(right, span)?);
                let mut parts = Vec::new();
                for offset in 0..*length as usize {
                    let one = self.load(left + offset, Kind::Int, span)?;
                    let other = self.load(right + offset, Kind::Int, span)?;
                    parts.push(self.comparison(BinaryOp::Eq, &one, &other, span)?);
                }
                Ok(Formula::all(parts))
            }
            Expr::At(process, location) => {
                Ok(Formula::constant(self.locations.get(process.index()) == Some(location)))
            }
            _ => self.as_truth(id),
        }
    }

    fn as_truth(&mut self, id: ExprId) -> Result<Formula, Stop> {
        let term = self.term(id)?;
        self.nonzero(term, self.code.nodes[id].span)
    }

    fn connective(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> Result<Formula, Stop> {
        let mut first = self.truth(left)?;
        if op == BinaryOp::Imply {
            first = self.sure(first.negated(self.symbols), span)?;
        }
        let decisive = op != BinaryOp::And;
        let decided = match &first {
            Formula::True => Some(true),
            Formula::False => Some(false),
            _ if self.is_plain(right) => None,
            other => Some(self.decide(&other.clone(), span)?),
        };
        match decided {
            Some(value) if value == decisive => Ok(Formula::constant(decisive)),
            Some(_) => self.truth(right),
            None if op == BinaryOp::And => Ok(first.and(self.truth(right)?)),
            None => Ok(first.or(self.truth(right)?)),
        }
    }

    fn comparison(
        &self,
        op: BinaryOp,
        left: &Term,
        right: &Term,
        span: Span,
    ) -> Result<Formula, Stop> {
        let symbols = self.symbols;
        let formula = match op {
            BinaryOp::Lt => Formula::below(symbols, left, right),
            BinaryOp::Le => Formula::at_most(symbols, left, right),
            BinaryOp::Ge => Formula::at_most(symbols, right, left),
            BinaryOp::Gt => Formula::below(symbols, right, left),
            BinaryOp::Ne => left
                .minus(right)
                .and_then(|term| Formula::compare(symbols, term, Relation::NotZero)),
            _ => Formula::equal(symbols, left, right),
        };
        self.sure(formula, span)
    }

    /// Whether an expression neither changes anything nor may fault nor decide a way.
    fn is_plain(&self, id: ExprId) -> bool {
        let code = self.code;
        match &code.nodes[id].expr {
            Expr::Int(_) | Expr::Rational(_) | Expr::At(..) => true,
            Expr::Load(place) => place.indices.is_empty(),
            Expr::Unary(_, operand) => self.is_plain(*operand),
            Expr::Binary(op, left, right) => {
                let safe = !matches!(
                    op,
                    BinaryOp::Div
                        | BinaryOp::Mod
                        | BinaryOp::Min
                        | BinaryOp::Max
                        | BinaryOp::ShiftLeft
                        | BinaryOp::ShiftRight
                );
                safe && self.is_plain(*left) && self.is_plain(*right)
            }
            Expr::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().all(|part| self.is_plain(*part))
            }
            Expr::Quantified(_, _, _, body) => self.is_plain(*body),
            Expr::Same(left, right, _) => left.indices.is_empty() && right.indices.is_empty(),
            Expr::Assign(..) | Expr::Exchange(..) | Expr::Call(..) => false,
        }
    }

    /// The value of an expression.
    pub(crate) fn term(&mut self, id: ExprId) -> Result<Term, Stop> {
        let code = self.code;
        let node = &code.nodes[id];
        let span = node.span;
        self.tick(span)?;
        match &node.expr {
            Expr::Int(value) => Ok(Term::int(*value)),
            Expr::Rational(value) => Ok(Term::number(*value)),
            Expr::Load(place) => {
                let address = self.place(place, span)?;
                self.load(address, node.kind, span)
            }
            Expr::Unary(UnaryOp::Plus, operand) => self.term(*operand),
            Expr::Unary(UnaryOp::Neg, operand) => {
                let value = self.term(*operand)?;
                self.sure(value.times((-1).into()), span)
            }
            Expr::Binary(op, left, right) if is_arithmetic(*op) => {
                let exact =
                    [left, right].into_iter().any(|one| code.nodes[*one].kind == Kind::Rational);
                let (left, right) = (self.term(*left)?, self.term(*right)?);
                self.arithmetic(*op, exact, left, right, span)
            }
            Expr::Conditional(condition, yes, no) => {
                let condition = self.truth(*condition)?;
                let chosen = if self.decide(&condition, span)? { *yes } else { *no };
                self.term(chosen)
            }
            Expr::Assign(place, value, range) => {
                self.assign(place, *value, *range, span).map(|(_, value)| value)
            }
            Expr::Exchange(place, value, range) => {
                self.assign(place, *value, *range, span).map(|(before, _)| before)
            }
            Expr::Call(function, arguments) => {
                Ok(self.call(*function, arguments, span)?.unwrap_or_else(|| Term::int(0)))
            }
            Expr::Quantified(Quantifier::Sum, slot, range, body) => {
                let address = self.frame_address(*slot);
                let mut sum = Term::int(0);
                for value in range.min..=range.max {
                    self.store(address, Term::int(value), span)?;
                    let next = self.term(*body)?;
                    sum = self.sure(sum.plus(&next), span)?;
                }
                Ok(sum)
            }
            _ => {
                let truth = self.truth(id)?;
                self.bit(&truth, span)
            }
        }
    }

    fn arithmetic(
        &mut self,
        op: BinaryOp,
        exact: bool,
        left: Term,
        right: Term,
        span: Span,
    ) -> Result<Term, Stop> {
        let operator = match op {
            BinaryOp::Add => return self.sure(left.plus(&right), span),
            BinaryOp::Sub => return self.sure(left.minus(&right), span),
            BinaryOp::Min | BinaryOp::Max => {
                let ordered = self.comparison(BinaryOp::Le, &left, &right, span)?;
                let first = self.decide(&ordered, span)? == (op == BinaryOp::Min);
                return Ok(if first { left } else { right });
            }
            BinaryOp::Mul => Operator::Product,
            BinaryOp::Div if exact => Operator::Ratio,
            BinaryOp::Div => Operator::Quotient,
            BinaryOp::Mod => Operator::Remainder,
            BinaryOp::ShiftLeft => Operator::ShiftLeft,
            BinaryOp::ShiftRight => Operator::ShiftRight,
            BinaryOp::BitAnd => Operator::BitAnd,
            BinaryOp::BitOr => Operator::BitOr,
            _ => Operator::BitXor,
        };
        if matches!(op, BinaryOp::Div | BinaryOp::Mod) {
            let zero = self.comparison(BinaryOp::Eq, &right, &Term::int(0), span)?;
            if self.decide(&zero, span)? {
                return Err(EvalFault::new(EvalFaultKind::DivisionByZero, span).into());
            }
        }
        let computed = self.sure(Term::operation(operator, left, right), span)?;
        // With both operands known, an operation that stays has no result.
        match computed.nonlinear() {
            Some(operation)
                if operation.left.as_number().is_some()
                    && operation.right.as_number().is_some() =>
            {
                Err(EvalFault::new(EvalFaultKind::Overflow, span).into())
            }
            _ => Ok(computed),
        }
    }

    fn assign(
        &mut self,
        place: &Lvalue,
        value: ExprId,
        range: Option<Range>,
        span: Span,
    ) -> Result<(Term, Term), Stop> {
        let value = self.term(value)?;
        let address = self.place(place, span)?;
        let before = self.load(address, Kind::Int, span)?;
        self.check_range(&value, range, span)?;
        self.store(address, value.clone(), span)?;
        Ok((before, value))
    }

    fn place(&mut self, place: &Lvalue, span: Span) -> Result<usize, Stop> {
        self.address(place, &mut |run, index| run.term(index), span)
    }

    fn call(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        span: Span,
    ) -> Result<Option<Term>, Stop> {
        if self.calls >= CALL_LIMIT {
            return Err(EvalFault::new(EvalFaultKind::StackLimit, span).into());
        }
        let frame = self.stack.len();
        for argument in arguments {
            match argument {
                Argument::Value(expr, range) => {
                    let value = self.term(*expr)?;
                    self.check_range(&value, *range, span)?;
                    let wide = self.code.nodes[*expr].kind == Kind::Rational;
                    self.stack.push(value);
                    if wide {
                        self.stack.push(Term::int(1));
                    }
                }
                Argument::Copy(place, length) => {
                    let address = self.place(place, span)?;
                    for offset in 0..*length as usize {
                        let value = self.load(address + offset, Kind::Int, span)?;
                        self.stack.push(value);
                    }
                }
                Argument::Reference(place) => {
                    let address = self.place(place, span)?;
                    self.stack.push(Term::int(address as i64));
                }
            }
        }
        let code = self.code;
        let function = &code.functions[function];
        let size = (frame + function.frame as usize).max(self.stack.len());
        self.stack.resize(size, Term::int(0));
        let caller = std::mem::replace(&mut self.frame, frame);
        self.calls += 1;
        let flow = self.statement(&function.body, function.span)?;
        self.calls -= 1;
        self.frame = caller;
        self.stack.truncate(frame);
        match flow {
            Flow::Return(Some(value)) => {
                self.check_range(&value, function.range, span)?;
                Ok(Some(value))
            }
            Flow::Return(None) | Flow::Next => Ok(None),
        }
    }

    /// Runs a statement of an update.
    pub(crate) fn run(&mut self, statement: &Statement, span: Span) -> Result<(), Stop> {
        self.statement(statement, span).map(|_| ())
    }

    fn holds(&mut self, condition: ExprId) -> Result<bool, Stop> {
        let condition_truth = self.truth(condition)?;
        self.decide(&condition_truth, self.code.nodes[condition].span)
    }

    fn statement(&mut self, statement: &Statement, span: Span) -> Result<Flow, Stop> {
        self.tick(span)?;
        match statement {
            Statement::Expr(expr) => {
                if self.code.nodes[*expr].kind == Kind::Bool {
                    self.truth_or_effect(*expr)?;
                } else {
                    self.term(*expr)?;
                }
            }
            Statement::Copy { target, source, ranges } => {
                let (source, target) = (self.place(source, span)?, self.place(target, span)?);
                let mut values = Vec::new();
                for (offset, range) in ranges.iter().enumerate() {
                    let value = self.load(source + offset, Kind::Int, span)?;
                    self.check_range(&value, *range, span)?;
                    values.push(value);
                }
                for (offset, value) in values.into_iter().enumerate() {
                    self.store(target + offset, value, span)?;
                }
            }
            Statement::Block(statements) => {
                for statement in statements {
                    if let Flow::Return(value) = self.statement(statement, span)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            Statement::If(condition, yes, no) => {
                if self.holds(*condition)? {
                    return self.statement(yes, span);
                }
                if let Some(no) = no {
                    return self.statement(no, span);
                }
            }
            Statement::While(condition, body) => {
                while self.holds(*condition)? {
                    if let Flow::Return(value) = self.statement(body, span)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            Statement::DoWhile(body, condition) => loop {
                if let Flow::Return(value) = self.statement(body, span)? {
                    return Ok(Flow::Return(value));
                }
                if !self.holds(*condition)? {
                    break;
                }
            },
            Statement::ForEach(slot, range, body) => {
                let address = self.frame_address(*slot);
                for value in range.min..=range.max {
                    self.store(address, Term::int(value), span)?;
                    if let Flow::Return(value) = self.statement(body, span)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            Statement::Return(None) => return Ok(Flow::Return(None)),
            Statement::Return(Some(expr)) => return Ok(Flow::Return(Some(self.term(*expr)?))),
        }
        Ok(Flow::Next)
    }

    /// A statement of kind truth value, which need not be decided unless it is an assignment.
    fn truth_or_effect(&mut self, expr: ExprId) -> Result<(), Stop> {
        match &self.code.nodes[expr].expr {
            Expr::Assign(..) | Expr::Exchange(..) | Expr::Call(..) => self.term(expr).map(|_| ()),
            _ => self.truth(expr).map(|_| ()),
        }
    }
}

fn is_arithmetic(op: BinaryOp) -> bool {
    !matches!(
        op,
        BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Ge
            | BinaryOp::Gt
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Imply
    )
}
