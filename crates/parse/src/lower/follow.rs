//! What the functions that set clocks set and when, collected where an edge calls them; see [`super::setters`].

use tioga_base::{Diagnostic, Span};
use tioga_model::{BinaryOp, Kind, Statement as Lowered, TimeBound, Type, Update};

use super::Lowering;
use super::expression::Denoted;
use super::following::{Changed, Following, Ways};
use super::scope::{Constant, Meaning, Setter};
use super::setters::{is_unknown, root, unknown};
use crate::clike::Parsed;
use crate::syntax::{
    AssignOp, Block, CountOp, Declaration, DeclarationKind, Expr, ExprKind, Name, Statement,
    StatementKind,
};

/// How many statements may be followed in functions that set clocks, over the whole model.
const FOLLOWED: u32 = 1 << 20;

/// How far a loop that sets clocks is followed.
const TURNS: u32 = 4096;

/// Whether the statements of a function go on.
#[derive(PartialEq, Eq)]
enum Flow {
    On,
    Returned,
}

impl Lowering<'_> {
    /// Lowers the call of a function that sets clocks in the update of an edge.
    pub(super) fn setter_call(
        &mut self,
        setter: &Setter,
        arguments: &[Expr],
        span: Span,
        updates: &mut Vec<Update>,
    ) -> Parsed<()> {
        let mut following = Following { has_parts: setter.has_parts(), ..Following::default() };
        self.follow_call(setter, arguments, span, &mut following)?;
        if following.dependent {
            self.arguments_stay(setter, arguments, following.changed)?;
            return self.written_out(setter, arguments, span, updates);
        }
        updates.extend(following.updates);
        let data = self.data_call(setter, arguments, span)?;
        updates.extend(data.map(|call| Update::Data(Lowered::Expr(call))));
        Ok(())
    }

    /// Lowers the statements of a function one after the other as updates.
    fn written_out(
        &mut self,
        setter: &Setter,
        arguments: &[Expr],
        span: Span,
        updates: &mut Vec<Update>,
    ) -> Parsed<()> {
        let inner = self.scopes.cut(setter.depth);
        let parts = self.parts(setter);
        self.scopes.put_back(inner);
        for part in parts? {
            match &part.function.body.statements[..] {
                [Statement { kind: StatementKind::Expr(expr), .. }] if arguments.is_empty() => {
                    let inner = self.scopes.cut(setter.depth);
                    let result = self.update(expr, updates);
                    self.scopes.put_back(inner);
                    result?;
                }
                _ => self.setter_call(&part, arguments, span, updates)?,
            }
        }
        Ok(())
    }

    /// Complains if an argument depends on what the function changes: each of its statements evaluates it.
    fn arguments_stay(
        &mut self,
        setter: &Setter,
        arguments: &[Expr],
        changed: Changed,
    ) -> Parsed<()> {
        let mut following = Following { changed, ..Following::default() };
        let mut types = setter.data.iter().flat_map(|data| &data.parameters);
        for (argument, clock) in arguments.iter().zip(&setter.clocks) {
            if *clock {
                self.clock_argument(argument, &mut following)?;
                continue;
            }
            let (ty, reference) = types.next().expect("each parameter of data has a type");
            if *reference {
                self.value_argument(argument, ty, true, &mut following)?;
                continue;
            }
            // An array by value is copied whenever it is passed.
            if !ty.is_scalar_value() {
                self.complain(argument.span, &mut following)?;
            }
            let value =
                self.without_effects("an argument of a function that sets clocks", |own| {
                    let value = own.value(argument)?;
                    own.convert(value, ty, argument.span)
                })?;
            self.unchanged(value, argument.span, &mut following)?;
        }
        Ok(())
    }

    /// Collects the clocks that a call sets.
    fn follow_call(
        &mut self,
        setter: &Setter,
        arguments: &[Expr],
        span: Span,
        following: &mut Following,
    ) -> Parsed<()> {
        let needed = setter.function.parameters.len();
        if arguments.len() != needed {
            let message = format!("{needed} arguments are needed, {} are given", arguments.len());
            return self.fail(Diagnostic::error("wrong-arguments", span, message));
        }
        let mut types = setter.data.iter().flat_map(|data| &data.parameters);
        let mut bound = Vec::new();
        for (position, (parameter, argument)) in
            setter.function.parameters.iter().zip(arguments).enumerate()
        {
            let meaning = if setter.clocks[position] {
                self.clock_argument(argument, following)?
            } else {
                let (ty, reference) = types.next().expect("each parameter of data has a type");
                self.value_argument(argument, ty, *reference || !ty.is_scalar_value(), following)?
            };
            bound.push((&parameter.name, meaning));
        }
        let inner = self.scopes.cut(setter.depth);
        let result = self.follow_body(setter, bound, span, following);
        self.scopes.put_back(inner);
        result
    }

    fn follow_body(
        &mut self,
        setter: &Setter,
        bound: Vec<(&Name, Meaning)>,
        span: Span,
        following: &mut Following,
    ) -> Parsed<()> {
        let names = setter.names.keys().cloned().collect();
        let now = self.visible(names);
        if let Some((name, _)) =
            setter.names.iter().find(|(name, span)| now.get(*name) != Some(*span))
        {
            let message = format!("`{name}` means something else after the function than in it");
            return self.fail(
                Diagnostic::error("clock-in-function", span, message)
                    .help("give the two different names"),
            );
        }
        let path = self.reached(following, span)?;
        let inside = Ways { path, ..Ways::default() };
        let before = std::mem::replace(&mut following.ways, inside);
        let result = self.scoped(|lowering| {
            for (name, meaning) in bound {
                lowering.declare(name, meaning)?;
            }
            lowering.follow_block(&setter.function.body, following)
        });
        following.ways = before;
        result.map(|_| ())
    }

    fn clock_argument(&mut self, argument: &Expr, following: &mut Following) -> Parsed<Meaning> {
        match self.denoted(argument)? {
            Denoted::Clock(clock, dimensions, access) => {
                if let Some((index, _)) = clock.index {
                    self.unchanged(index, argument.span, following)?;
                    following.given.insert(index);
                }
                Ok(Meaning::Clock(clock, dimensions, access))
            }
            _ => {
                self.fail(Diagnostic::error("wrong-type", argument.span, "a clock is needed here"))
            }
        }
    }

    fn value_argument(
        &mut self,
        argument: &Expr,
        ty: &Type,
        place: bool,
        following: &mut Following,
    ) -> Parsed<Meaning> {
        self.without_effects("an argument of a function that sets clocks", |lowering| {
            if !place {
                let value = lowering.value(argument)?;
                let value = lowering.convert(value, ty, argument.span)?;
                if let (Some(constant), true) =
                    (lowering.network.code.constant(value), *ty != Type::Rational)
                {
                    return Ok(Meaning::Constant(Constant::Int(constant), ty.clone()));
                }
                // What was changed before the call is told apart only where a clock depends on it.
                if lowering.reads_changed(value, following) {
                    return Ok(unknown(ty.clone()));
                }
                following.given.insert(value);
                return Ok(Meaning::Computed(value, ty.clone()));
            }
            match lowering.denoted(argument)? {
                Denoted::Place(place, ty, access) => {
                    for dynamic in &place.indices {
                        lowering.unchanged(dynamic.index, argument.span, following)?;
                        following.given.insert(dynamic.index);
                    }
                    Ok(Meaning::Data(place, ty, access))
                }
                // A parameter by value that is passed on by reference, or a mistake that the call complains about.
                _ => {
                    if let Some(name) = root(argument) {
                        lowering.forget(name);
                    }
                    Ok(unknown(ty.clone()))
                }
            }
        })
    }

    fn follow_block(&mut self, block: &Block, following: &mut Following) -> Parsed<Flow> {
        self.scoped(|lowering| {
            for declaration in &block.declarations {
                lowering.follow_local(declaration, following)?;
            }
            for statement in &block.statements {
                if lowering.follow(statement, following)? == Flow::Returned {
                    return Ok(Flow::Returned);
                }
            }
            Ok(Flow::On)
        })
    }

    /// Declares what is local to a block. Constants that are single values are known.
    fn follow_local(&mut self, declaration: &Declaration, following: &mut Following) -> Parsed<()> {
        let DeclarationKind::Variables { constant, ty, declarators, .. } = &declaration.kind else {
            return self.declaration(declaration, None);
        };
        if *constant && declarators.iter().all(|one| one.dimensions.is_empty()) {
            return self.declaration(declaration, None);
        }
        self.note_changes(&declaration.footprint(), following);
        for declarator in declarators {
            let ty = self.data_type(ty, &declarator.dimensions)?;
            self.declare(&declarator.name, unknown(ty))?;
        }
        Ok(())
    }

    /// Collects the clocks that a statement sets, and what it changes.
    fn follow(&mut self, statement: &Statement, following: &mut Following) -> Parsed<Flow> {
        let span = statement.span;
        self.followed += 1;
        if self.followed > FOLLOWED {
            let message = format!(
                "functions that set clocks have more than {FOLLOWED} statements, written out"
            );
            return self.fail(Diagnostic::error("too-large", span, message));
        }
        if !self.sets_clocks(statement) {
            return self.follow_data(statement, following);
        }
        if following.ways.may_return {
            let message = "a clock is set only if a `return` before it is not reached";
            return self.fail(
                Diagnostic::error("clock-in-function", span, message)
                    .help("set the clock before, or write an edge for each case"),
            );
        }
        match &statement.kind {
            StatementKind::Expr(expr) => self.follow_effect(expr, following).map(|()| Flow::On),
            StatementKind::Block(block) => self.follow_block(block, following),
            StatementKind::If(condition, yes, no) => {
                self.follow_if(condition, (yes, no.as_deref()), following)
            }
            StatementKind::ForEach(name, ty, body) => {
                let (ty, values) = self.finite_values(ty, "a loop")?;
                self.distinguishes(&ty);
                for value in values {
                    let meaning = Meaning::Constant(Constant::Int(value), ty.clone());
                    let flow = self.scoped(|lowering| {
                        lowering.declare(name, meaning)?;
                        lowering.follow(body, following)
                    })?;
                    if flow == Flow::Returned {
                        return Ok(flow);
                    }
                }
                Ok(Flow::On)
            }
            StatementKind::For(Some(first), Some(condition), Some(step), body) => {
                self.follow_for((first, condition, step), body, following)
            }
            _ => self.open_loop(span),
        }
    }

    /// Notes what a statement that sets no clocks changes, and when it ends the function.
    fn follow_data(&mut self, statement: &Statement, following: &mut Following) -> Parsed<Flow> {
        let effects = statement.footprint();
        match &statement.kind {
            StatementKind::Return(_) => {
                self.note_changes(&effects, following);
                if let Some(here) = self.reached(following, statement.span)? {
                    let returned = following.ways.returned.unwrap_or(here);
                    let either =
                        self.binary_code(BinaryOp::Or, returned, here, Kind::Bool, statement.span)?;
                    following.ways.returned = Some(either);
                }
                return Ok(Flow::Returned);
            }
            StatementKind::Block(block) if effects.returns => {
                return self.follow_block(block, following);
            }
            StatementKind::If(condition, yes, no)
                if effects.returns && self.is_known(condition, following)? =>
            {
                return self.follow_if(condition, (yes, no.as_deref()), following);
            }
            _ => {}
        }
        following.ways.may_return |= effects.returns;
        self.note_changes(&effects, following);
        Ok(Flow::On)
    }

    /// Follows both branches of an `if` under its condition, or the one that is taken if that is known.
    fn follow_if(
        &mut self,
        condition: &Expr,
        (yes, no): (&Statement, Option<&Statement>),
        following: &mut Following,
    ) -> Parsed<Flow> {
        let span = condition.span;
        let holds = self.without_effects("a condition", |own| own.boolean(condition))?;
        match (self.network.code.constant(holds), no) {
            (Some(0), None) => return Ok(Flow::On),
            (Some(0), Some(no)) => return self.follow(no, following),
            (Some(_), _) => return self.follow(yes, following),
            (None, _) => {}
        }
        if self.reads_changed(holds, following) {
            self.dependent(
                Diagnostic::error(
                    "clock-in-function",
                    span,
                    "whether a clock is set depends on data that the function computes before",
                )
                .note("clocks are set when the function is called, before the rest of it runs")
                .help("test the condition first in the function, or write an edge for each case, with the condition in its guard"),
                following,
            )?;
        }
        self.limit_expressions(span)?;
        let (outer, before) = (following.ways.path, following.changed.clone());
        following.ways.path = self.both(outer, holds, span)?;
        let first = self.follow(yes, following)?;
        // The other branch does not see what this one changes.
        let after = std::mem::replace(&mut following.changed, before);
        let fails = self.not(holds, span);
        following.ways.path = self.both(outer, fails, span)?;
        let second = match no {
            Some(no) => self.follow(no, following)?,
            None => Flow::On,
        };
        following.changed.slots.extend(after.slots);
        following.changed.all |= after.all;
        following.ways.path = outer;
        let returned = first == Flow::Returned && second == Flow::Returned;
        Ok(if returned { Flow::Returned } else { Flow::On })
    }

    fn open_loop<T>(&mut self, span: Span) -> Parsed<T> {
        let message = "how often this loop sets clocks is not known";
        self.fail(
            Diagnostic::error("clock-in-function", span, message)
                .help("loop over the values of a type, `for (i : int[0, 3])`, or count from one constant to another"),
        )
    }

    /// Follows `for (i = 0; i < N; i++)` for a local variable that nothing else changes.
    fn follow_for(
        &mut self,
        (first, condition, step): (&Expr, &Expr, &Expr),
        body: &Statement,
        following: &mut Following,
    ) -> Parsed<Flow> {
        let ExprKind::Assign(AssignOp::Set, target, start) = &first.kind else {
            return self.open_loop(first.span);
        };
        let ExprKind::Name(counter) = &target.kind else { return self.open_loop(target.span) };
        let own = self.scopes.find(counter).is_some_and(|symbol| is_local(&symbol.meaning));
        let effects = body.footprint();
        if !own || effects.assigned.contains(counter) || effects.passed.contains(counter) {
            return self.open_loop(target.span);
        }
        let next = match &step.kind {
            ExprKind::Count(op, _, changed) if root(changed) == Some(counter) => {
                let op = match op {
                    CountOp::Increment => BinaryOp::Add,
                    CountOp::Decrement => BinaryOp::Sub,
                };
                let one = Expr::new(ExprKind::Int(1), step.span);
                Expr::new(ExprKind::Binary(op, changed.clone(), Box::new(one)), step.span)
            }
            ExprKind::Assign(AssignOp::Set, changed, value) if root(changed) == Some(counter) => {
                value.as_ref().clone()
            }
            ExprKind::Assign(AssignOp::Compound(op), changed, value)
                if root(changed) == Some(counter) =>
            {
                Expr::new(ExprKind::Binary(*op, changed.clone(), value.clone()), step.span)
            }
            _ => return self.open_loop(step.span),
        };
        let mut value = self.known(start)?;
        for _ in 0..TURNS {
            let name = Name::new(counter, target.span);
            let meaning = Meaning::Constant(Constant::Int(value), Type::DEFAULT_INT);
            let turn = self.scoped(|lowering| {
                lowering.declare(&name, meaning)?;
                if lowering.known(condition)? == 0 {
                    return Ok(None);
                }
                if lowering.follow(body, following)? == Flow::Returned {
                    return Ok(Some(Err(Flow::Returned)));
                }
                lowering.known(&next).map(|value| Some(Ok(value)))
            })?;
            match turn {
                None => return Ok(Flow::On),
                Some(Err(flow)) => return Ok(flow),
                Some(Ok(next)) => value = next,
            }
        }
        self.open_loop(condition.span)
    }

    /// The value of an expression of a loop, which must be constant.
    fn known(&mut self, expr: &Expr) -> Parsed<i64> {
        let value = self.without_effects("a loop that sets clocks", |own| own.value(expr))?;
        match self.network.code.constant(value.expr) {
            Some(value) => Ok(value),
            None => self.open_loop(expr.span),
        }
    }

    /// Collects what an assignment to a clock, or a call, sets.
    fn follow_effect(&mut self, expr: &Expr, following: &mut Following) -> Parsed<()> {
        if let (Some(setter), ExprKind::Call(_, arguments)) = (self.setter(expr), &expr.kind) {
            return self.follow_call(&setter, arguments, expr.span, following);
        }
        let ExprKind::Assign(op, target, value) = &expr.kind else {
            unreachable!("only assignments and calls set clocks")
        };
        let updates = self.without_effects("what a clock is set to in a function", |lowering| {
            lowering.clock_assignment(*op, target, value, expr.span)
        })?;
        self.limit_expressions(expr.span)?;
        let here = self.reached(following, expr.span)?;
        for mut update in updates {
            let terms = [Some(update.clock), update.source].into_iter().flatten();
            for (index, _) in terms.filter_map(|term| term.index) {
                self.unchanged(index, target.span, following)?;
            }
            if let TimeBound::Expr(bound) = update.value {
                self.unchanged(bound, value.span, following)?;
            }
            update.when = match update.when {
                None => here,
                Some(when) => {
                    self.unchanged(when, value.span, following)?;
                    self.both(here, when, value.span)?
                }
            };
            following.updates.push(Update::Clock(update));
        }
        Ok(())
    }
}

fn is_local(meaning: &Meaning) -> bool {
    matches!(meaning, Meaning::Data(place, ..) if is_unknown(place))
}
