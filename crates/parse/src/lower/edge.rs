//! Edges: actions, choices, guards and updates.

use std::ops::RangeInclusive;

use tioga_base::{Diagnostic, Id, IdVec, Span};
use tioga_model::{
    BinaryOp, ChannelId, ChannelUse, Condition, Control, Edge, EdgeId, Expr as Code, ExprId, Kind,
    Label, LocationId, Lvalue, Type, Update,
};

use super::process::Locations;
use super::scope::{Access, Constant, Dimension, Meaning, Ty};
use super::{ChosenValues, Lowering};
use crate::clike::Parsed;
use crate::syntax::{ActionUse, Communication, EdgeDecl, Expr, ExprKind, Name, Select, Target};

/// How many edges one written edge may stand for.
const UNROLL_LIMIT: usize = 10_000;

/// An edge without its source and target.
struct Body {
    label: Label,
    reply: Option<ChannelUse>,
    frame: u32,
    guard: Condition,
    updates: Vec<Update>,
}

impl Lowering<'_> {
    /// Lowers a written edge: one edge per source and combination of chosen values.
    pub(super) fn edge(
        &mut self,
        edge: &EdgeDecl,
        locations: &Locations<'_>,
        edges: &mut IdVec<EdgeId, Edge>,
        controls: &mut Vec<Option<Control>>,
    ) -> Parsed<()> {
        let mut choices = Vec::new();
        let mut total = edge.sources.len();
        for select in &edge.selects {
            let (ty, values) = match &self.options.chosen {
                ChosenValues::Open if self.is_sent_alone(edge, &select.name) => continue,
                ChosenValues::Within(some) if self.is_sent_alone(edge, &select.name) => {
                    let some = some.clone();
                    match self.data_type(&select.ty, &[])? {
                        ty @ Type::Integer => (ty, some),
                        _ => self.finite_values(&select.ty, "a choice")?,
                    }
                }
                _ => self.finite_values(&select.ty, "a choice")?,
            };
            let count = values.end().saturating_sub(*values.start()).saturating_add(1);
            total = total.saturating_mul(usize::try_from(count).unwrap_or(usize::MAX));
            choices.push((&select.name, ty, values));
        }
        if total > UNROLL_LIMIT {
            let message = format!("this edge stands for more than {UNROLL_LIMIT} edges");
            return self.fail(
                Diagnostic::error("too-large", edge.span, message)
                    .help("choose from smaller types"),
            );
        }
        for source in &edge.sources {
            let from = self.location(source, locations)?;
            let to = match &edge.target {
                Target::Location(name) => self.location(name, locations)?,
                Target::Same(_) => from,
            };
            let mut chosen = Vec::new();
            self.unroll(edge, &choices, &mut chosen, &mut |body, chosen| {
                edges.push(Edge {
                    source: from,
                    target: to,
                    control: Control::Uncontrollable,
                    label: body.label,
                    reply: body.reply,
                    frame: body.frame,
                    guard: body.guard,
                    updates: body.updates,
                    choices: chosen.to_vec(),
                    span: edge.span,
                });
                controls.push(edge.control);
            })?;
            self.limit_edges(edges.len(), edge.span)?;
        }
        Ok(())
    }

    pub(super) fn location(
        &mut self,
        name: &Name,
        locations: &Locations<'_>,
    ) -> Parsed<LocationId> {
        match locations.get(name.text.as_str()) {
            Some((location, _)) => Ok(*location),
            None => {
                let message = format!("unknown location `{}`", name.text);
                self.fail(Diagnostic::error("unknown-name", name.span, message).suggest(
                    name.span,
                    &name.text,
                    locations.keys().copied(),
                ))
            }
        }
    }

    fn unroll(
        &mut self,
        edge: &EdgeDecl,
        choices: &[(&Name, Type, RangeInclusive<i64>)],
        chosen: &mut Vec<(String, i64)>,
        push: &mut impl FnMut(Body, &[(String, i64)]),
    ) -> Parsed<()> {
        let Some(((name, ty, values), rest)) = choices.split_first() else {
            let body = self.scoped(|lowering| lowering.edge_body(edge))?;
            push(body, chosen);
            return self.limit_expressions(edge.span);
        };
        for value in values.clone() {
            chosen.push((name.text.clone(), value));
            self.scoped(|lowering| {
                let meaning = Meaning::Constant(Constant::Int(value), ty.clone());
                lowering.declare(name, meaning)?;
                lowering.unroll(edge, rest, chosen, push)
            })?;
            chosen.pop();
        }
        Ok(())
    }

    fn edge_body(&mut self, edge: &EdgeDecl) -> Parsed<Body> {
        let mut frame = 0;
        let mut matches = Vec::new();
        let label = match &edge.action {
            None => Label::Silent,
            Some(action) => self.label(action, &mut frame, &mut matches, &edge.selects)?,
        };
        let mut guard = self.condition(edge.guard.as_ref(), "a guard")?;
        for (condition, span) in matches.into_iter().rev() {
            guard = self.with_data(guard, condition, span)?;
        }
        let mut updates = Vec::new();
        for update in &edge.updates {
            self.update(update, &mut updates)?;
        }
        let reply = match (&edge.reply, &label) {
            (None, _) => None,
            (Some(reply), Label::Receive(_)) if reply.communication == Communication::Send => {
                match self.label(reply, &mut 0, &mut Vec::new(), &[])? {
                    Label::Send(channel) => Some(channel),
                    _ => None,
                }
            }
            (Some(reply), _) => {
                return self.fail(
                    Diagnostic::error(
                        "wrong-kind",
                        reply.span,
                        "a step `a? / b!` answers an input",
                    )
                    .help("write an input with `?` before `/` and an output with `!` after it"),
                );
            }
        };
        Ok(Body { label, reply, frame, guard, updates })
    }

    /// Lowers one update of an edge.
    pub(super) fn update(&mut self, update: &Expr, updates: &mut Vec<Update>) -> Parsed<()> {
        if let (Some(setter), ExprKind::Call(_, arguments)) = (self.setter(update), &update.kind) {
            return self.setter_call(&setter, arguments, update.span, updates);
        }
        match &update.kind {
            ExprKind::Assign(op, target, value)
                if self.mentions_clock(target)
                    && !matches!(&target.kind, ExprKind::Index(array, _) if !self.mentions_clock(array)) =>
            {
                let set = self.clock_assignment(*op, target, value, update.span)?;
                updates.extend(set.into_iter().map(Update::Clock));
            }
            _ => updates.push(Update::Data(self.effect(update)?)),
        }
        Ok(())
    }

    /// Lowers an action. Received values fill the frame; values they must equal become conditions.
    pub(super) fn label(
        &mut self,
        action: &ActionUse,
        frame: &mut u32,
        matches: &mut Vec<(ExprId, Span)>,
        selects: &[Select],
    ) -> Parsed<Label> {
        let name = &action.name;
        let found = self.scopes.find(&name.text).map(|symbol| symbol.meaning.clone());
        let (first, dimensions) = match (found, action.communication) {
            (Some(Meaning::Action(id)), Communication::Plain) => return Ok(Label::Plain(id)),
            (Some(Meaning::Channel(first, dimensions)), Communication::Plain) => {
                let _ = (first, dimensions);
                let message = format!("`{}` needs `!` to send or `?` to receive", name.text);
                return self.fail(Diagnostic::error("wrong-kind", action.span, message));
            }
            (Some(Meaning::Channel(first, dimensions)), _) => (first, dimensions),
            (Some(Meaning::Action(_)), _) => {
                let message = format!("`{}` is an internal action, not a channel", name.text);
                return self.fail(
                    Diagnostic::error("wrong-kind", action.span, message)
                        .help("write it without `!` and `?`"),
                );
            }
            (Some(other), _) => {
                let message = format!("`{}` is {}, not an action", name.text, other.describe());
                return self.fail(Diagnostic::error("wrong-kind", name.span, message));
            }
            (None, _) => return self.unknown_action(name),
        };
        let (channel, index) =
            self.channel_element(first, &dimensions, &action.indices, action.span)?;
        let types = self.network.channels[first].parameters.clone();
        let mut arguments = Vec::new();
        match action.communication {
            // A purpose looks at what is sent, so its names bind there too.
            Communication::Send if self.observer.is_some() => {
                if !action.arguments.is_empty() {
                    self.check_argument_count(action, types.len())?;
                }
                self.receive(&action.arguments, &types, frame, matches)?;
                Ok(Label::Send(ChannelUse { channel, index, arguments }))
            }
            Communication::Send => {
                self.check_argument_count(action, types.len())?;
                self.open_values(action, selects, &types, frame, matches)?;
                for (argument, ty) in action.arguments.iter().zip(&types) {
                    let value = self.value(argument)?;
                    arguments.push(self.convert(value, ty, argument.span)?);
                }
                Ok(Label::Send(ChannelUse { channel, index, arguments }))
            }
            _ => {
                if !action.arguments.is_empty() {
                    self.check_argument_count(action, types.len())?;
                }
                self.receive(&action.arguments, &types, frame, matches)?;
                Ok(Label::Receive(ChannelUse { channel, index, arguments }))
            }
        }
    }

    /// Whether a choice is one of the values that an output sends, as it is and once.
    fn is_sent_alone(&self, edge: &EdgeDecl, name: &Name) -> bool {
        let Some(action) = &edge.action else { return false };
        let is_value =
            |argument: &Expr| matches!(&argument.kind, ExprKind::Name(own) if *own == name.text);
        action.communication == Communication::Send
            && self.observer.is_none()
            && action.arguments.iter().filter(|argument| is_value(argument)).count() == 1
    }

    /// Declares the values of an output that stay open; they fill the frame as if they were received. Their types
    /// become conditions.
    fn open_values(
        &mut self,
        action: &ActionUse,
        selects: &[Select],
        types: &[Type],
        frame: &mut u32,
        matches: &mut Vec<(ExprId, Span)>,
    ) -> Parsed<()> {
        if self.options.chosen != ChosenValues::Open {
            return Ok(());
        }
        let mut next = 0;
        for (argument, ty) in action.arguments.iter().zip(types) {
            let place = Lvalue::frame(next);
            next += u32::try_from(ty.slots()).expect("single values take few slots");
            let ExprKind::Name(name) = &argument.kind else { continue };
            let Some(select) = selects.iter().find(|select| select.name.text == *name) else {
                continue;
            };
            *frame = next.max(*frame);
            let meaning = Meaning::Data(place.clone(), ty.clone(), Access::Constant);
            self.declare(&select.name, meaning)?;
            let bounds = match self.ty(&select.ty, &[])? {
                Ty::Data(chosen) => chosen.bounds(),
                _ => None,
            };
            let span = select.name.span;
            let Some((low, high)) = bounds.filter(|_| *ty != Type::Rational) else { continue };
            for (op, bound) in [(BinaryOp::Ge, low), (BinaryOp::Le, high)] {
                let kind = super::expression::kind_of(ty);
                let value = self.network.code.push(Code::Load(place.clone()), kind, span);
                let bound = self.int(bound, span);
                matches.push((self.binary_code(op, value, bound, Kind::Bool, span)?, span));
            }
        }
        if *frame > 0 {
            *frame = types.iter().map(|ty| u32::try_from(ty.slots()).unwrap_or(0)).sum();
        }
        Ok(())
    }

    fn unknown_action<T>(&mut self, name: &Name) -> Parsed<T> {
        if self.failed_names.contains(&name.text) {
            return Err(crate::clike::Failed);
        }
        let known = self
            .scopes
            .names(|meaning| matches!(meaning, Meaning::Channel(..) | Meaning::Action(_)));
        let message = format!("unknown action `{}`", name.text);
        let diagnostic = Diagnostic::error("unknown-name", name.span, message)
            .suggest(name.span, &name.text, known)
            .note("actions are declared with `input`, `output`, `chan` or `internal`");
        self.fail(diagnostic)
    }

    fn check_argument_count(&mut self, action: &ActionUse, needed: usize) -> Parsed<()> {
        let given = action.arguments.len();
        if given == needed {
            return Ok(());
        }
        let message = format!("`{}` carries {needed} values, {given} are given", action.name.text);
        self.fail(Diagnostic::error("wrong-arguments", action.span, message))
    }

    fn receive(
        &mut self,
        arguments: &[Expr],
        types: &[Type],
        frame: &mut u32,
        matches: &mut Vec<(ExprId, Span)>,
    ) -> Parsed<()> {
        for (position, ty) in types.iter().enumerate() {
            let place = Lvalue::frame(*frame);
            *frame += u32::try_from(ty.slots()).expect("single values take few slots");
            let Some(argument) = arguments.get(position) else { continue };
            match &argument.kind {
                ExprKind::Name(name) if self.scopes.find(name).is_none() => {
                    let meaning = Meaning::Data(place, ty.clone(), Access::Constant);
                    self.declare(&Name::new(name, argument.span), meaning)?;
                }
                _ => {
                    let kind = super::expression::kind_of(ty);
                    let received = self.network.code.push(Code::Load(place), kind, argument.span);
                    let value = self.value(argument)?;
                    let value = self.convert(value, ty, argument.span)?;
                    let same =
                        self.binary_code(BinaryOp::Eq, received, value, Kind::Bool, argument.span)?;
                    matches.push((same, argument.span));
                }
            }
        }
        Ok(())
    }

    /// The element of an array of channels, fixed or computed.
    fn channel_element(
        &mut self,
        first: ChannelId,
        dimensions: &[Dimension],
        indices: &[Expr],
        span: Span,
    ) -> Parsed<(ChannelId, Option<(ExprId, u32)>)> {
        if dimensions.len() != indices.len() {
            let message =
                format!("{} indices are needed, {} are given", dimensions.len(), indices.len());
            return self.fail(Diagnostic::error("wrong-arguments", span, message));
        }
        let total: u32 = dimensions.iter().map(|dimension| dimension.length).product();
        let mut fixed = 0u32;
        let mut computed: Option<ExprId> = None;
        let mut stride = total;
        for (dimension, index) in dimensions.iter().zip(indices) {
            stride /= dimension.length;
            let value = self.without_effects("an index", |lowering| lowering.value(index))?;
            self.indexed_by(*dimension, &value.ty);
            if let Some(position) = self.fixed_index(value.expr, *dimension, index.span)? {
                fixed += position * stride;
                continue;
            }
            let position = self.shifted(value.expr, -dimension.first, index.span)?;
            let position = self.confined(position, dimension.length, total, index.span)?;
            let factor = self.int(i64::from(stride), index.span);
            let part = self.binary_code(BinaryOp::Mul, position, factor, Kind::Int, index.span)?;
            computed = Some(match computed {
                None => part,
                Some(sum) => self.binary_code(BinaryOp::Add, sum, part, Kind::Int, index.span)?,
            });
        }
        match computed {
            None => Ok((ChannelId::from_index(first.index() + fixed as usize), None)),
            Some(expr) => {
                let expr = self.shifted(expr, i64::from(fixed), span)?;
                Ok((first, Some((expr, total))))
            }
        }
    }

    /// The position if it lies in its dimension, and one outside the whole array otherwise, so that
    /// a wrong index never reaches a neighbour.
    fn confined(
        &mut self,
        position: ExprId,
        length: u32,
        total: u32,
        span: Span,
    ) -> Parsed<ExprId> {
        if length == total {
            return Ok(position);
        }
        let (zero, end) = (self.int(0, span), self.int(i64::from(length), span));
        let outside = self.int(-2 * i64::from(total), span);
        let above = self.binary_code(BinaryOp::Ge, position, zero, Kind::Bool, span)?;
        let below = self.binary_code(BinaryOp::Lt, position, end, Kind::Bool, span)?;
        let inside = self.binary_code(BinaryOp::And, above, below, Kind::Bool, span)?;
        let code = Code::Conditional(inside, position, outside);
        Ok(self.network.code.push(code, Kind::Int, span))
    }

    /// An argument that must denote a channel or array of channels.
    pub(super) fn channel_argument(
        &mut self,
        argument: &Expr,
    ) -> Parsed<(ChannelId, Vec<Dimension>)> {
        match &argument.kind {
            ExprKind::Name(name) => match self.scopes.find(name).map(|s| s.meaning.clone()) {
                Some(Meaning::Channel(first, dimensions)) => Ok((first, dimensions)),
                Some(other) => {
                    let message = format!("`{name}` is {}, not a channel", other.describe());
                    self.fail(Diagnostic::error("wrong-arguments", argument.span, message))
                }
                None => self.unknown(name, argument.span, "channel"),
            },
            ExprKind::Index(array, index) => {
                let (first, dimensions) = self.channel_argument(array)?;
                let Some((dimension, rest)) = dimensions.split_first() else {
                    let message = "this is a single channel, not an array";
                    return self.fail(Diagnostic::error("wrong-type", array.span, message));
                };
                let value = self.constant_int(index, "the index of a channel argument")?;
                let expr = self.int(value, index.span);
                let stride: u32 = rest.iter().map(|dimension| dimension.length).product();
                let Some(position) = self.fixed_index(expr, *dimension, index.span)? else {
                    let message = "there is no such element to pass";
                    return self.fail(Diagnostic::error("index-out-of-range", index.span, message));
                };
                let element = first.index() + (position * stride) as usize;
                Ok((ChannelId::from_index(element), rest.to_vec()))
            }
            _ => {
                let message = "a channel is needed here";
                self.fail(Diagnostic::error("wrong-arguments", argument.span, message))
            }
        }
    }
}
