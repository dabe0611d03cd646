//! From a model of one process, or one of its purposes, to an automaton.

use tioga_base::{Id, Rational, Span};
use tioga_model::{
    Channel, ChannelId, ChannelUse, ClockTerm, Condition as Written, Direction,
    Edge as WrittenEdge, Expr, Kind, Label, Model, Process, Slot, Statement, TimeBound, Type,
    Update,
};

use crate::automaton::{Action, Automaton, Edge, Location, Parameter, Variable};
use crate::condition::Condition;
use crate::error::Error;
use crate::form::Form;
use crate::of_expr::{Scope, not_linear, unsupported};

/// The automaton of a model that is one process whose every edge is an input or an output.
///
/// # Errors
/// If the model is something else, or says something that grids do not know: differences of clocks, clocks
/// that are set from clocks, edges without an interface action, updates that are not linear.
pub fn of_model(model: &Model) -> Result<Automaton, Error> {
    let mut processes = model.processes.iter();
    let (Some(process), None) = (processes.next(), processes.next()) else {
        let message = format!("the model has {} processes; a grid has one", model.processes.len());
        return Err(unsupported(message, Span::default()));
    };
    let clocks = model.clocks.iter().map(|clock| clock.name.clone()).collect();
    Reader::new(model, 0, 0, clocks, &model.slots)?.automaton(process, model.name.clone())
}

/// The automaton of a purpose of a model that is marked with `fail` or `desired`, checked to be acyclic.
///
/// # Errors
/// If it is no such purpose, or says something that grids do not know.
pub fn of_purpose(model: &Model, position: usize) -> Result<Automaton, Error> {
    let purpose = &model.purposes[position];
    let marks = |wanted: fn(tioga_model::Marks) -> bool| {
        purpose.process.locations.iter().find(|location| wanted(location.marks))
    };
    if let Some(location) = marks(|marks| marks.accept || marks.refuse) {
        let message = format!(
            "the purpose `{}` observes; one for a grid marks its ends with `fail` or `desired`",
            purpose.process.name
        );
        return Err(unsupported(message, location.span));
    }
    let clocks = purpose.clocks.iter().map(|clock| clock.name.clone()).collect();
    let (first_clock, first_slot) = (model.clocks.len(), model.slots.len());
    let reader = Reader::new(model, first_clock, first_slot, clocks, &purpose.slots)?;
    let automaton = reader.automaton(&purpose.process, purpose.process.name.clone())?;
    automaton.check_purpose()?;
    Ok(automaton)
}

struct Reader<'m> {
    model: &'m Model,
    first_clock: usize,
    clocks: Vec<String>,
    context: Vec<Variable>,
    /// The variable of each slot, by the number of the slot; nothing for what is not ours.
    variables: Vec<Option<usize>>,
    actions: Vec<Action>,
    /// The channel of each action.
    channels: Vec<ChannelId>,
    left_out: Vec<String>,
}

impl<'m> Reader<'m> {
    fn new(
        model: &'m Model,
        first_clock: usize,
        first_slot: usize,
        clocks: Vec<String>,
        slots: &[Slot],
    ) -> Result<Self, Error> {
        let (mut context, mut variables) = (Vec::new(), vec![None; first_slot]);
        let mut rest = slots.iter();
        while let Some(slot) = rest.next() {
            variables.push(Some(context.len()));
            let mut initial = Rational::integer(slot.initial);
            if slot.kind == Kind::Rational {
                let denominator = rest.next().map_or(1, |denominator| denominator.initial);
                variables.push(None);
                initial = Rational::new(slot.initial, denominator)?;
            }
            if initial.is_negative() {
                let message = format!("the variable `{}` is negative at the start", slot.name);
                return Err(unsupported(message, Span::default()));
            }
            let range = slot.range.map(|range| (range.min, range.max));
            let integer = slot.kind != Kind::Rational;
            context.push(Variable { name: slot.name.clone(), initial, integer, range });
        }
        let (actions, channels, left_out) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { model, first_clock, clocks, context, variables, actions, channels, left_out })
    }

    fn automaton(mut self, process: &Process, name: String) -> Result<Automaton, Error> {
        let mut locations = Vec::new();
        let nothing = self.scope(&[]);
        for location in process.locations.iter() {
            let invariant = self.condition(&nothing, &location.invariant, location.span)?;
            let mut data = false;
            invariant.each_comparison(&mut |one| data |= matches!(one, Condition::Data { .. }));
            if data {
                let message = "the invariant of a grid's location is about clocks only";
                return Err(unsupported(message, location.span));
            }
            let marks = location.marks;
            locations.push(Location {
                name: location.name.clone(),
                invariant,
                urgent: marks.urgent || marks.committed,
                fail: marks.fail,
                desired: marks.desired,
            });
        }
        let mut edges = Vec::new();
        for edge in process.edges.iter() {
            edges.push(self.edge(edge)?);
        }
        let unused = self.unused();
        let Self { clocks, context, actions, left_out, .. } = self;
        let initial = process.initial.index();
        Ok(Automaton {
            name,
            clocks,
            context,
            actions,
            unused,
            locations,
            initial,
            edges,
            left_out,
        })
    }

    fn scope(&self, frame: &[Option<Form>]) -> Scope<'m> {
        let form = |variable: &Option<usize>| variable.map(Form::variable);
        let slots = self.variables.iter().map(form).collect();
        Scope { network: self.model, slots, frame: frame.to_vec() }
    }

    fn edge(&mut self, edge: &WrittenEdge) -> Result<Edge, Error> {
        let (used, input, received) = match &edge.label {
            Label::Receive(used) => (used, true, true),
            Label::Send(used) => (used, false, false),
            Label::Silent | Label::Plain(_) => {
                let message = "every edge of a grid's model is an input or an output";
                return Err(unsupported(message, edge.span));
            }
        };
        if edge.reply.is_some() {
            let message = "an edge of a grid's model is an input or an output, not both";
            return Err(unsupported(message, edge.span));
        }
        let action = self.action(used, input, edge.span)?;
        let channel = &self.model.channels[self.channels[action]];
        // A purpose names the values of an output, and the model gives them.
        let named = received || used.arguments.is_empty();
        let frame = if named { frame(channel) } else { Vec::new() };
        let scope = self.scope(&frame);
        let guard = self.condition(&scope, &edge.guard, edge.span)?;
        let values: Result<Vec<Form>, Error> =
            used.arguments.iter().map(|argument| scope.growing(*argument)).collect();
        let (values, mut resets, mut checks) = (values?, Vec::new(), Vec::new());
        for (value, ty) in values.iter().zip(&channel.parameters) {
            checks.extend(ty.bounds().map(|(min, max)| (value.clone(), min, max)));
        }
        let mut current: Vec<Form> = (0..self.context.len()).map(Form::variable).collect();
        let mut set = vec![false; self.context.len()];
        for update in &edge.updates {
            match update {
                Update::Clock(update) => {
                    if update.source.is_some() {
                        let message = "a clock of a grid is set to constants only";
                        return Err(unsupported(message, edge.span));
                    }
                    if update.when.is_some() {
                        let message = "a clock of a grid is set under no condition on data";
                        return Err(unsupported(message, edge.span));
                    }
                    let clock = self.clock(&update.clock, edge.span)?;
                    let value = self.bound(update.value, edge.span)?;
                    resets.retain(|(other, _)| *other != clock);
                    resets.push((clock, value));
                }
                Update::Data(statement) => {
                    self.statement(
                        statement,
                        edge.span,
                        &frame,
                        &mut current,
                        &mut set,
                        &mut checks,
                    )?;
                }
            }
        }
        resets.sort_by_key(|(clock, _)| *clock);
        let updates = current.into_iter().enumerate().filter(|(at, _)| set[*at]).collect();
        let (source, target) = (edge.source.index(), edge.target.index());
        Ok(Edge { source, action, guard, resets, updates, checks, values, target })
    }

    /// Carries out an assignment on the forms that the variables have by now.
    fn statement(
        &self,
        statement: &Statement,
        span: Span,
        frame: &[Option<Form>],
        current: &mut [Form],
        set: &mut [bool],
        checks: &mut Vec<(Form, i64, i64)>,
    ) -> Result<(), Error> {
        match statement {
            Statement::Block(parts) => {
                for part in parts {
                    self.statement(part, span, frame, current, set, checks)?;
                }
                Ok(())
            }
            Statement::Expr(expr) => {
                let node = &self.model.code.nodes[*expr];
                let (Expr::Assign(place, value, range) | Expr::Exchange(place, value, range)) =
                    &node.expr
                else {
                    return Err(unsupported(
                        "an update of a grid's model is an assignment",
                        node.span,
                    ));
                };
                let mut scope = self.scope(frame);
                for form in scope.slots.iter_mut().flatten() {
                    let at = form.variables[0].0;
                    *form = current[at].clone();
                }
                let value = scope.growing(*value)?;
                let slot = scope.slot(place, node.span)?;
                let known = self.variables.get(slot).copied().flatten();
                let at = known.ok_or_else(|| {
                    unsupported("a purpose sets its own variables only", node.span)
                })?;
                if let Some(range) = range {
                    checks.push((value.clone(), range.min, range.max));
                }
                current[at] = value;
                set[at] = true;
                Ok(())
            }
            _ => Err(not_linear("an update of a grid's model is an assignment", span)),
        }
    }

    /// The action of a channel, which is noted.
    fn action(&mut self, used: &ChannelUse, input: bool, span: Span) -> Result<usize, Error> {
        let mut id = used.channel;
        if let Some((index, length)) = used.index {
            let index = self.model.code.constant(index).and_then(|index| u32::try_from(index).ok());
            let index = index.filter(|index| *index < length).ok_or_else(|| {
                unsupported("a grid knows fixed elements of arrays of channels only", span)
            })?;
            id = ChannelId(id.0 + index);
        }
        let channel = &self.model.channels[id];
        let wanted = if input { Direction::Input } else { Direction::Output };
        if channel.direction != Some(wanted) || !channel.open {
            let message = format!("`{}` is no input or output of the system", channel.name);
            return Err(unsupported(message, span));
        }
        if channel.urgent && !input {
            let message =
                format!("the output `{}` is urgent, which grids do not know", channel.name);
            return Err(unsupported(message, span));
        }
        if let Some(known) = self.channels.iter().position(|known| *known == id) {
            return Ok(known);
        }
        let parameters = parameters(channel);
        let negative = |one: &Parameter| one.range.is_none_or(|(min, _)| min < 0);
        if input && parameters.iter().any(negative) {
            self.left_out.push(format!("negative values of the input `{}`", channel.name));
        }
        self.actions.push(Action { name: channel.name.clone(), input, parameters });
        self.channels.push(id);
        Ok(self.actions.len() - 1)
    }

    /// The actions of the interface that no edge carries.
    fn unused(&self) -> Vec<Action> {
        let mut all = Vec::new();
        for (id, channel) in self.model.channels.iter_ids() {
            if let Some(direction) = channel.direction.filter(|_| channel.open)
                && !self.channels.contains(&id)
            {
                let (name, input) = (channel.name.clone(), direction == Direction::Input);
                all.push(Action { name, input, parameters: parameters(channel) });
            }
        }
        all
    }

    fn clock(&self, term: &ClockTerm, span: Span) -> Result<usize, Error> {
        let mut clock = term.clock.index();
        if let Some((index, length)) = term.index {
            let index = self.model.code.constant(index).and_then(|index| u32::try_from(index).ok());
            let index = index.filter(|index| *index < length);
            clock += index.ok_or_else(|| {
                unsupported("a grid knows fixed elements of arrays of clocks only", span)
            })? as usize;
        }
        let own = clock.checked_sub(self.first_clock).filter(|own| *own < self.clocks.len());
        own.ok_or_else(|| unsupported("a purpose of a grid reads only its own clocks", span))
    }

    fn bound(&self, bound: TimeBound, span: Span) -> Result<Rational, Error> {
        match bound {
            TimeBound::Constant(units) => Ok(Rational::new(units, self.model.scale)?),
            TimeBound::Expr(expr) => {
                let form = self.scope(&[]).form(expr)?;
                form.to_constant().ok_or_else(|| {
                    unsupported("a clock of a grid is compared with constants only", span)
                })
            }
        }
    }

    fn condition(
        &self,
        scope: &Scope<'_>,
        written: &Written,
        span: Span,
    ) -> Result<Condition, Error> {
        let mut ways = Vec::new();
        for way in &written.disjuncts {
            let mut parts = Vec::new();
            if let Some(data) = way.data {
                parts.push(scope.condition(data)?);
            }
            for constraint in &way.clocks {
                let bound = self.bound(constraint.bound, span)?;
                parts.push(match (&constraint.left, &constraint.right) {
                    (Some(clock), None) => {
                        Condition::clock_up_to(self.clock(clock, span)?, constraint.strict, bound)
                    }
                    (None, Some(clock)) => Condition::clock_from(
                        self.clock(clock, span)?,
                        constraint.strict,
                        bound.neg()?,
                    ),
                    (None, None) => {
                        let zero = Rational::ZERO;
                        let holds = if constraint.strict { zero < bound } else { zero <= bound };
                        if holds { Condition::always() } else { Condition::never() }
                    }
                    (Some(_), Some(_)) => {
                        let message = "a grid compares clocks with constants, not with each other";
                        return Err(unsupported(message, span));
                    }
                });
            }
            ways.push(if parts.len() == 1 { parts.remove(0) } else { Condition::All(parts) });
        }
        Ok(if ways.len() == 1 { ways.remove(0) } else { Condition::Any(ways) })
    }
}

/// The values that a channel carries.
fn parameters(channel: &Channel) -> Vec<Parameter> {
    let parameters = channel.parameters.iter();
    parameters.map(|ty| Parameter { integer: *ty != Type::Rational, range: ty.bounds() }).collect()
}

/// The parameters of a channel as slots of a frame.
fn frame(channel: &Channel) -> Vec<Option<Form>> {
    let mut frame = Vec::new();
    for (position, ty) in channel.parameters.iter().enumerate() {
        frame.push(Some(Form::parameter(position)));
        if *ty == Type::Rational {
            frame.push(None);
        }
    }
    frame
}
