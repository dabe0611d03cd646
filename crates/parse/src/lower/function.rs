//! Functions, statements and calls.

use tioga_base::{Diagnostic, Span};
use tioga_model::{
    Argument, Base, BinaryOp, Expr as Code, ExprId, Function, FunctionId, Home, Kind, Lvalue,
    Range, Statement, Type,
};

use super::expression::{Denoted, Value, kind_of, range_of};
use super::frame::Frame;
use super::operators::same_shape;
use super::scope::{Access, Changes, FunctionSymbol, Meaning, Owner};
use super::{Effects, Lowering};
use crate::clike::{POWER, Parsed};
use crate::syntax::{
    self, AssignOp, Block, Declaration, DeclarationKind, Expr, ExprKind, Initializer, Name,
    StatementKind,
};

/// The greatest exponent of a power.
const MOST_FACTORS: i64 = 62;

/// How many slots a function's frame may have.
const FRAME_LIMIT: u32 = 1 << 16;

fn slots_of(ty: &Type) -> u32 {
    u32::try_from(ty.slots()).expect("sizes are limited")
}

impl Lowering<'_> {
    /// Lowers a function that sets no clocks.
    pub(super) fn data_function(
        &mut self,
        function: &syntax::Function,
        owner: Option<&Owner>,
    ) -> Parsed<FunctionSymbol> {
        let result = match &function.result.kind {
            syntax::TypeKind::Void => None,
            _ => Some(self.data_type(&function.result, &[])?),
        };
        let whole = result.clone().filter(|ty| !ty.is_scalar_value());
        let own = Frame { result: result.clone(), ..Frame::default() };
        let outer = self.function.replace(own);
        let before = std::mem::replace(&mut self.effects, Effects::Allowed);
        let lowered = self.scoped(|lowering| {
            let mut parameters = lowering.function_parameters(&function.parameters)?;
            if let Some(ty) = &whole {
                lowering.whole_result(function, ty)?;
                parameters.push((ty.clone(), true));
            }
            let body = lowering.block(&function.body)?;
            Ok((parameters, body))
        });
        self.effects = before;
        let frame = std::mem::replace(&mut self.function, outer);
        let frame = frame.expect("set above and only taken here");
        let (parameters, body) = lowered?;
        let span = function.name.span;
        if result.is_some() && !always_returns(&body) {
            let message = format!("`{}` may end without a result", function.name.text);
            return self.fail(
                Diagnostic::error("missing-return", span, message)
                    .help("end every way through the function with `return`"),
            );
        }
        let home = match owner.map(|owner| owner.process) {
            None => Home::Global,
            Some(Some(process)) => Home::Process(process),
            Some(None) => {
                let position = self.network.purposes.len();
                Home::Purpose(u32::try_from(position).expect("sizes are limited"))
            }
        };
        let id: FunctionId = self.network.code.functions.push(Function {
            name: function.name.text.clone(),
            home,
            parameters: parameters.len(),
            variables: frame.variables,
            frame: frame.size,
            body,
            result: result.as_ref().filter(|_| whole.is_none()).map(kind_of),
            range: result.as_ref().filter(|_| whole.is_none()).and_then(range_of),
            span,
        });
        let result = result.filter(|_| whole.is_none());
        let changes = frame.changes;
        Ok(FunctionSymbol { id, parameters, result, whole: whole.is_some(), changes })
    }

    /// Takes slots of the frame.
    pub(super) fn allocate(&mut self, name: &Name, ty: &Type, reference: bool) -> Parsed<u32> {
        let slots = if reference { 1 } else { slots_of(ty) };
        let frame = self.function.as_mut().expect("a function is being lowered");
        let slot = frame.take(name, ty, slots, reference);
        if frame.size > FRAME_LIMIT {
            let message = format!("the variables of a function take more than {FRAME_LIMIT} slots");
            return self.fail(Diagnostic::error("too-large", name.span, message));
        }
        Ok(slot)
    }

    fn function_parameters(
        &mut self,
        parameters: &[syntax::Parameter],
    ) -> Parsed<Vec<(Type, bool)>> {
        let mut lowered = Vec::new();
        for parameter in parameters {
            let ty = self.data_type(&parameter.ty, &parameter.dimensions)?;
            let slot = self.allocate(&parameter.name, &ty, parameter.reference)?;
            let place = if parameter.reference {
                Lvalue { base: Base::Reference(slot), ..Lvalue::frame(0) }
            } else {
                Lvalue::frame(slot)
            };
            let access = if parameter.constant { Access::Constant } else { Access::ReadWrite };
            self.declare(&parameter.name, Meaning::Data(place, ty.clone(), access))?;
            lowered.push((ty, parameter.reference));
        }
        Ok(lowered)
    }

    fn block(&mut self, block: &Block) -> Parsed<Statement> {
        self.scoped(|lowering| {
            let mut statements = Vec::new();
            for declaration in &block.declarations {
                lowering.local(declaration, &mut statements)?;
            }
            for statement in &block.statements {
                statements.push(lowering.statement(statement)?);
            }
            Ok(Statement::Block(statements))
        })
    }

    /// A local declaration; its initial values are stored every time the block is entered.
    fn local(&mut self, declaration: &Declaration, statements: &mut Vec<Statement>) -> Parsed<()> {
        let DeclarationKind::Variables { constant, ty, declarators, .. } = &declaration.kind else {
            return self.declaration(declaration, None);
        };
        if *constant {
            return self.declaration(declaration, None);
        }
        for declarator in declarators {
            let lowered = self.data_type(ty, &declarator.dimensions)?;
            let slot = self.allocate(&declarator.name, &lowered, false)?;
            let meaning = Meaning::Data(Lvalue::frame(slot), lowered.clone(), Access::ReadWrite);
            let initializer = declarator.initializer.as_ref();
            let span = declarator.name.span;
            if let Some(Initializer::Expr(value)) =
                initializer.filter(|_| !lowered.is_scalar_value())
            {
                self.declare(&declarator.name, meaning)?;
                let target = Expr::new(ExprKind::Name(declarator.name.text.clone()), span);
                statements.push(self.copy(&target, &lowered, value)?);
                continue;
            }
            let mut next = slot;
            self.store_initial(&lowered, initializer, &mut next, span, statements)?;
            self.declare(&declarator.name, meaning)?;
        }
        Ok(())
    }

    /// Emits the stores that give a local variable its initial value, slot by slot.
    fn store_initial(
        &mut self,
        ty: &Type,
        initializer: Option<&Initializer>,
        slot: &mut u32,
        span: Span,
        statements: &mut Vec<Statement>,
    ) -> Parsed<()> {
        if let Some(parts) = self.initial_parts(ty, initializer)? {
            for (ty, part) in parts {
                self.store_initial(&ty, part, slot, span, statements)?;
            }
            return Ok(());
        }
        let value = match initializer {
            Some(Initializer::Expr(expr)) => {
                let value = self.value(expr)?;
                self.convert(value, ty, expr.span)?
            }
            _ => {
                let zero = ty.bounds().map_or(0, |(min, max)| 0.clamp(min, max));
                self.network.code.push(Code::Int(zero), Kind::Int, span)
            }
        };
        let code = Code::Assign(Lvalue::frame(*slot), value, range_of(ty));
        statements.push(Statement::Expr(self.network.code.push(code, kind_of(ty), span)));
        *slot += slots_of(ty);
        Ok(())
    }

    fn statement(&mut self, statement: &syntax::Statement) -> Parsed<Statement> {
        let span = statement.span;
        Ok(match &statement.kind {
            StatementKind::Empty => Statement::Block(Vec::new()),
            StatementKind::Expr(expr) => self.effect(expr)?,
            StatementKind::Block(block) => self.block(block)?,
            StatementKind::If(condition, yes, no) => {
                let condition = self.boolean(condition)?;
                let yes = Box::new(self.statement(yes)?);
                let no = match no {
                    Some(no) => Some(Box::new(self.statement(no)?)),
                    None => None,
                };
                Statement::If(condition, yes, no)
            }
            StatementKind::While(condition, body) => {
                let condition = self.boolean(condition)?;
                Statement::While(condition, Box::new(self.statement(body)?))
            }
            StatementKind::DoWhile(body, condition) => {
                let body = Box::new(self.statement(body)?);
                Statement::DoWhile(body, self.boolean(condition)?)
            }
            StatementKind::For(first, condition, step, body) => {
                let mut statements = Vec::new();
                if let Some(first) = first {
                    statements.push(self.effect(first)?);
                }
                let condition = match condition {
                    Some(condition) => self.boolean(condition)?,
                    None => self.bool(true, span),
                };
                let mut inner = vec![self.statement(body)?];
                if let Some(step) = step {
                    inner.push(self.effect(step)?);
                }
                statements.push(Statement::While(condition, Box::new(Statement::Block(inner))));
                Statement::Block(statements)
            }
            StatementKind::ForEach(name, ty, body) => self.for_each(name, ty, body)?,
            StatementKind::Return(value) => self.return_statement(value.as_ref(), span)?,
        })
    }

    fn for_each(
        &mut self,
        name: &Name,
        ty: &syntax::TypeExpr,
        body: &syntax::Statement,
    ) -> Parsed<Statement> {
        let (ty, values) = self.finite_values(ty, "a loop")?;
        // What a loop does may depend on the order of the values.
        self.distinguishes(&ty);
        let frame = self.function.as_mut().expect("statements occur in functions only");
        let slot = frame.bind(name, &ty);
        let range = Range { min: *values.start(), max: *values.end() };
        let meaning = Meaning::Data(Lvalue::frame(slot), ty, Access::Constant);
        let body = self.scoped(|lowering| {
            lowering.declare(name, meaning)?;
            lowering.statement(body)
        })?;
        Ok(Statement::ForEach(slot, range, Box::new(body)))
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) -> Parsed<Statement> {
        let result = self.function.as_ref().and_then(|frame| frame.result.clone());
        match (value, result) {
            (None, None) => Ok(Statement::Return(None)),
            (Some(expr), Some(ty)) if !ty.is_scalar_value() => self.return_whole(expr, &ty),
            (Some(expr), Some(ty)) => {
                let value = self.value(expr)?;
                Ok(Statement::Return(Some(self.convert(value, &ty, expr.span)?)))
            }
            (None, Some(ty)) => {
                let message = format!("this function returns {ty}; a value is missing");
                self.fail(Diagnostic::error("wrong-type", span, message))
            }
            (Some(expr), None) => {
                let message = "this function returns nothing";
                self.fail(Diagnostic::error("wrong-type", expr.span, message))
            }
        }
    }

    /// Lowers an expression that stands for its effect: an assignment, also of whole arrays and
    /// records, a step or a call.
    pub(super) fn effect(&mut self, expr: &Expr) -> Parsed<Statement> {
        if let ExprKind::Assign(AssignOp::Set, target, value) = &expr.kind
            && let Denoted::Place(_, ty, _) = self.denoted(target)?
            && !ty.is_scalar_value()
        {
            return self.copy(target, &ty, value);
        }
        if let ExprKind::Call(function, arguments) = &expr.kind {
            // In a function, its clocks are set by the edge that calls that one.
            if let Some(setter) = self.setter(expr).filter(|_| self.function.is_some()) {
                let call = self.data_call(&setter, arguments, expr.span)?;
                return Ok(call.map_or(Statement::Block(Vec::new()), Statement::Expr));
            }
            return Ok(Statement::Expr(self.call_any(function, arguments, expr.span)?.0));
        }
        Ok(Statement::Expr(self.value(expr)?.expr))
    }

    pub(super) fn copy(&mut self, target: &Expr, ty: &Type, value: &Expr) -> Parsed<Statement> {
        if let ExprKind::Call(function, arguments) = &value.kind {
            return self.call_into(target, ty, (function, arguments), value.span);
        }
        let (Denoted::Place(to, _, access), Denoted::Place(from, other, _)) =
            (self.denoted(target)?, self.denoted(value)?)
        else {
            let message = format!("{ty} is needed here");
            return self.fail(Diagnostic::error("wrong-type", value.span, message));
        };
        if !same_shape(ty, &other) {
            let message = format!("{other} cannot be stored in {ty}");
            return self.fail(Diagnostic::error("wrong-type", value.span, message));
        }
        self.paired(ty, &other);
        if let Some(reason) = access.refusal() {
            return self.fail(
                Diagnostic::error("not-assignable", target.span, "this cannot be assigned")
                    .note(reason),
            );
        }
        if let Some(function) = &mut self.function {
            function.changes.note(to.base);
        }
        let mut ranges = Vec::new();
        slot_ranges(ty, &mut ranges);
        Ok(Statement::Copy { target: to, source: from, ranges })
    }

    /// Lowers a call whose result is used.
    pub(super) fn call(
        &mut self,
        function: &Expr,
        arguments: &[Expr],
        span: Span,
    ) -> Parsed<Value> {
        if let (ExprKind::Name(name), [argument]) = (&function.kind, arguments)
            && name == "abs"
            && self.scopes.find(name).is_none()
        {
            return self.absolute(argument, span);
        }
        if let (ExprKind::Name(name), [base, exponent]) = (&function.kind, arguments)
            && name == POWER
        {
            return self.power(base, exponent, span);
        }
        let (expr, result) = self.call_any(function, arguments, span)?;
        match result {
            Some(ty) => Ok(Value { expr, ty }),
            None => self.fail(Diagnostic::error("wrong-type", span, "this call has no result")),
        }
    }

    /// `abs(e)`: the greater one of `e` and `-e`, so `e` must have no effect.
    fn absolute(&mut self, argument: &Expr, span: Span) -> Parsed<Value> {
        self.without_effects("the argument of `abs`", |lowering| {
            let value = lowering.value(argument)?;
            let again = lowering.value(argument)?;
            let zero = Value { expr: lowering.int(0, span), ty: Type::Integer };
            let negated = lowering.arithmetic(BinaryOp::Sub, zero, again, span)?;
            lowering.arithmetic(BinaryOp::Max, value, negated, span)
        })
    }

    /// `base ** exponent`, for exponents that are known and small.
    fn power(&mut self, base: &Expr, exponent: &Expr, span: Span) -> Parsed<Value> {
        let count = self.constant_int(exponent, "an exponent")?;
        if !(0..=MOST_FACTORS).contains(&count) {
            let message = format!("an exponent is between 0 and {MOST_FACTORS}, not {count}");
            return self.fail(Diagnostic::unsupported("power", exponent.span, message));
        }
        self.without_effects("a power", |lowering| {
            let mut product = Value { expr: lowering.int(1, span), ty: Type::Integer };
            for _ in 0..count {
                let factor = lowering.value(base)?;
                product = lowering.arithmetic(BinaryOp::Mul, product, factor, span)?;
            }
            Ok(product)
        })
    }

    fn call_any(
        &mut self,
        function: &Expr,
        arguments: &[Expr],
        span: Span,
    ) -> Parsed<(ExprId, Option<Type>)> {
        let symbol = self.called(function)?;
        if symbol.whole {
            let message = "the result of this call is a whole array or record";
            return self.fail(
                Diagnostic::unsupported("structured-result", span, message)
                    .note("it can be assigned to a variable, initialise one, or be returned")
                    .help("store it in a variable, and use that"),
            );
        }
        self.call_with(&symbol, arguments, Vec::new(), span)
    }

    /// Lowers a call, with further arguments that are lowered already.
    pub(super) fn call_with(
        &mut self,
        symbol: &FunctionSymbol,
        arguments: &[Expr],
        further: Vec<Argument>,
        span: Span,
    ) -> Parsed<(ExprId, Option<Type>)> {
        let needed = symbol.parameters.len() - further.len();
        if arguments.len() != needed {
            let message = format!("{needed} arguments are needed, {} are given", arguments.len());
            return self.fail(Diagnostic::error("wrong-arguments", span, message));
        }
        let mut lowered = Vec::new();
        for (argument, (ty, reference)) in arguments.iter().zip(&symbol.parameters) {
            lowered.push(self.argument(argument, ty, *reference)?);
        }
        lowered.extend(further);
        self.call_effects(symbol, &lowered, span)?;
        let kind = symbol.result.as_ref().map_or(Kind::Int, kind_of);
        let code = Code::Call(symbol.id, lowered);
        Ok((self.network.code.push(code, kind, span), symbol.result.clone()))
    }

    /// Notes what a call changes, and complains where nothing may be changed.
    fn call_effects(
        &mut self,
        symbol: &FunctionSymbol,
        arguments: &[Argument],
        span: Span,
    ) -> Parsed<()> {
        let mut changes = Changes { state: symbol.changes.state, references: false };
        if symbol.changes.references {
            for argument in arguments {
                if let Argument::Reference(place) = argument {
                    changes.note(place.base);
                }
            }
        }
        if let (Effects::Forbidden(place), true) = (self.effects, changes.state) {
            let message = format!("a function that changes variables is called in {place}");
            return self.fail(
                Diagnostic::error("effect", span, message)
                    .note(format!("{place} is only looked at and must not change anything")),
            );
        }
        if let Some(frame) = &mut self.function {
            frame.changes.state |= changes.state;
            frame.changes.references |= changes.references;
        }
        Ok(())
    }

    pub(super) fn called(&mut self, function: &Expr) -> Parsed<FunctionSymbol> {
        if let ExprKind::Field(record, name) = &function.kind
            && let Some(process) = self.process_name(record)
        {
            self.process_indexed(record, &process);
            return self.foreign_function(&process, name, function.span);
        }
        let ExprKind::Name(name) = &function.kind else {
            let message = "only functions can be called";
            return self.fail(Diagnostic::error("wrong-kind", function.span, message));
        };
        match self.scopes.find(name).map(|symbol| &symbol.meaning) {
            Some(Meaning::Function(symbol)) => Ok(symbol.clone()),
            Some(Meaning::Setter(_)) => {
                let message =
                    format!("`{name}` sets clocks, so it cannot be part of an expression");
                self.fail(
                    Diagnostic::error("clock-in-function", function.span, message)
                        .help("call it on its own in the update of an edge"),
                )
            }
            Some(other) => {
                let message = format!("`{name}` is {}, not a function", other.describe());
                self.fail(Diagnostic::error("wrong-kind", function.span, message))
            }
            None => match super::builtin::floating(name, function.span) {
                Some(refusal) => self.fail(refusal),
                None => self.unknown(name, function.span, "function"),
            },
        }
    }

    fn argument(&mut self, argument: &Expr, ty: &Type, reference: bool) -> Parsed<Argument> {
        if !reference && ty.is_scalar_value() {
            let value = self.value(argument)?;
            let value = self.convert(value, ty, argument.span)?;
            return Ok(Argument::Value(value, range_of(ty)));
        }
        match self.denoted(argument)? {
            Denoted::Place(place, other, access) if same_shape(ty, &other) => {
                self.paired(ty, &other);
                if !reference {
                    return Ok(Argument::Copy(place, slots_of(ty)));
                }
                if let Some(reason) = access.refusal() {
                    let message = "this cannot be passed by reference";
                    return self.fail(
                        Diagnostic::error("not-assignable", argument.span, message).note(reason),
                    );
                }
                Ok(Argument::Reference(place))
            }
            _ => {
                let message = format!("a variable of type {ty} is needed here");
                self.fail(Diagnostic::error("wrong-type", argument.span, message))
            }
        }
    }
}

/// The range of every slot of a type, in order.
pub(super) fn slot_ranges(ty: &Type, ranges: &mut Vec<Option<Range>>) {
    match ty {
        Type::Array { element, length, .. } => {
            for _ in 0..*length {
                slot_ranges(element, ranges);
            }
        }
        Type::Record(fields) => {
            for (_, field) in fields {
                slot_ranges(field, ranges);
            }
        }
        Type::Rational => ranges.extend([None, None]),
        _ => ranges.push(range_of(ty)),
    }
}

fn always_returns(statement: &Statement) -> bool {
    match statement {
        Statement::Return(_) => true,
        Statement::Block(statements) => statements.iter().any(always_returns),
        Statement::If(_, yes, Some(no)) => always_returns(yes) && always_returns(no),
        Statement::DoWhile(body, _) => always_returns(body),
        _ => false,
    }
}
