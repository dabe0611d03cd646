//! Builds small networks for tests, here and in `tioga-concrete`.
#![allow(dead_code, reason = "two crates share this file, and each needs a part of it")]

use tioga_base::{IdVec, Span};
use tioga_model::*;

/// A location with an invariant that is a conjunction of clock constraints.
pub fn location(name: &str, invariant: &[ClockConstraint]) -> Location {
    Location {
        name: name.into(),
        marks: Marks::default(),
        labels: Vec::new(),
        invariant: all(None, invariant),
        origin: Vec::new(),
        span: Span::default(),
    }
}

pub fn urgent(name: &str) -> Location {
    let mut location = location(name, &[]);
    location.marks.urgent = true;
    location
}

pub fn committed(name: &str) -> Location {
    let mut location = location(name, &[]);
    location.marks.committed = true;
    location
}

/// A process that starts in its first location.
pub fn process(name: &str, role: Role, locations: Vec<Location>, edges: Vec<Edge>) -> Process {
    Process {
        name: name.into(),
        role,
        initial: LocationId(0),
        locations: locations.into_iter().collect(),
        edges: edges.into_iter().collect(),
        outgoing: IdVec::new(),
        span: Span::default(),
    }
}

pub fn system(name: &str, locations: Vec<Location>, edges: Vec<Edge>) -> Process {
    process(name, Role::System, locations, edges)
}

/// A silent edge without guard.
pub fn edge(source: u32, target: u32) -> Edge {
    Edge {
        source: LocationId(source),
        target: LocationId(target),
        control: Control::Uncontrollable,
        label: Label::Silent,
        reply: None,
        frame: 0,
        guard: Condition::always(),
        updates: Vec::new(),
        choices: Vec::new(),
        span: Span::default(),
    }
}

pub trait EdgeParts: Sized {
    fn send(self, channel: ChannelId) -> Self;
    fn send_values(self, channel: ChannelId, values: &[ExprId]) -> Self;
    fn receive(self, channel: ChannelId) -> Self;
    fn receive_values(self, channel: ChannelId, slots: u32) -> Self;
    fn plain(self, action: ActionId) -> Self;
    fn reply(self, channel: ChannelId, values: &[ExprId]) -> Self;
    fn when(self, clocks: &[ClockConstraint]) -> Self;
    fn or_when(self, clocks: &[ClockConstraint]) -> Self;
    fn data(self, condition: ExprId) -> Self;
    fn reset(self, clock: ClockId) -> Self;
    fn set(self, clock: ClockId, source: Option<ClockId>, value: i64) -> Self;
    fn run(self, expr: ExprId) -> Self;
}

impl EdgeParts for Edge {
    fn send(self, channel: ChannelId) -> Self {
        self.send_values(channel, &[])
    }
    fn send_values(mut self, channel: ChannelId, values: &[ExprId]) -> Self {
        self.label = Label::Send(ChannelUse { channel, index: None, arguments: values.to_vec() });
        self
    }
    fn receive(self, channel: ChannelId) -> Self {
        self.receive_values(channel, 0)
    }
    fn receive_values(mut self, channel: ChannelId, slots: u32) -> Self {
        self.label = Label::Receive(ChannelUse { channel, index: None, arguments: Vec::new() });
        self.frame = slots;
        self
    }
    fn plain(mut self, action: ActionId) -> Self {
        self.label = Label::Plain(action);
        self
    }
    fn reply(mut self, channel: ChannelId, values: &[ExprId]) -> Self {
        self.reply = Some(ChannelUse { channel, index: None, arguments: values.to_vec() });
        self
    }
    fn when(mut self, clocks: &[ClockConstraint]) -> Self {
        self.guard = all(None, clocks);
        self
    }
    fn or_when(mut self, clocks: &[ClockConstraint]) -> Self {
        self.guard.disjuncts.extend(all(None, clocks).disjuncts);
        self
    }
    fn data(mut self, condition: ExprId) -> Self {
        self.guard.disjuncts.iter_mut().for_each(|conjunct| conjunct.data = Some(condition));
        self
    }
    fn reset(self, clock: ClockId) -> Self {
        self.set(clock, None, 0)
    }
    fn set(mut self, clock: ClockId, source: Option<ClockId>, value: i64) -> Self {
        self.updates.push(Update::Clock(ClockUpdate {
            clock: clock.into(),
            source: source.map(Into::into),
            value: TimeBound::Constant(value),
            when: None,
        }));
        self
    }
    fn run(mut self, expr: ExprId) -> Self {
        self.updates.push(Update::Data(Statement::Expr(expr)));
        self
    }
}

/// A condition of one conjunct.
pub fn all(data: Option<ExprId>, clocks: &[ClockConstraint]) -> Condition {
    Condition { disjuncts: vec![Conjunct { data, clocks: clocks.to_vec() }] }
}

fn constraint(
    left: Option<ClockId>,
    right: Option<ClockId>,
    strict: bool,
    bound: i64,
) -> ClockConstraint {
    let (left, right) = (left.map(Into::into), right.map(Into::into));
    ClockConstraint { left, right, strict, bound: TimeBound::Constant(bound) }
}

pub fn le(clock: ClockId, bound: i64) -> ClockConstraint {
    constraint(Some(clock), None, false, bound)
}
pub fn lt(clock: ClockId, bound: i64) -> ClockConstraint {
    constraint(Some(clock), None, true, bound)
}
pub fn ge(clock: ClockId, bound: i64) -> ClockConstraint {
    constraint(None, Some(clock), false, -bound)
}
pub fn gt(clock: ClockId, bound: i64) -> ClockConstraint {
    constraint(None, Some(clock), true, -bound)
}
pub fn eq(clock: ClockId, bound: i64) -> [ClockConstraint; 2] {
    [le(clock, bound), ge(clock, bound)]
}
pub fn difference_le(left: ClockId, right: ClockId, bound: i64) -> ClockConstraint {
    constraint(Some(left), Some(right), false, bound)
}

pub trait NetworkParts {
    fn clock(&mut self, name: &str) -> ClockId;
    fn channel(&mut self, name: &str) -> ChannelId;
    fn broadcast(&mut self, name: &str) -> ChannelId;
    fn input(&mut self, name: &str) -> ChannelId;
    fn output(&mut self, name: &str) -> ChannelId;
    fn action(&mut self, name: &str) -> ActionId;
    fn integer(&mut self, name: &str, min: i64, max: i64, initial: i64) -> Lvalue;
    fn expr(&mut self, expr: Expr, kind: Kind) -> ExprId;
    fn int(&mut self, value: i64) -> ExprId;
    fn load(&mut self, place: &Lvalue) -> ExprId;
    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId;
    fn assign(&mut self, place: &Lvalue, value: ExprId, range: (i64, i64)) -> ExprId;
}

impl NetworkParts for Network {
    fn clock(&mut self, name: &str) -> ClockId {
        self.clocks.push(Clock { name: name.into(), owner: None })
    }
    fn channel(&mut self, name: &str) -> ChannelId {
        self.channels.push(Channel {
            name: name.into(),
            urgent: false,
            broadcast: false,
            direction: None,
            open: false,
            parameters: Vec::new(),
            names: Vec::new(),
            span: Span::default(),
        })
    }
    fn broadcast(&mut self, name: &str) -> ChannelId {
        let channel = self.channel(name);
        self.channels[channel].broadcast = true;
        channel
    }
    fn input(&mut self, name: &str) -> ChannelId {
        let channel = self.channel(name);
        self.channels[channel].direction = Some(Direction::Input);
        self.channels[channel].open = true;
        channel
    }
    fn output(&mut self, name: &str) -> ChannelId {
        let channel = self.channel(name);
        self.channels[channel].direction = Some(Direction::Output);
        self.channels[channel].open = true;
        channel
    }
    fn action(&mut self, name: &str) -> ActionId {
        self.actions.push(PlainAction { name: name.into() })
    }
    fn integer(&mut self, name: &str, min: i64, max: i64, initial: i64) -> Lvalue {
        let first_slot = self.slots.len() as u32;
        let range = Some(Range { min, max });
        self.slots.push(Slot { name: name.into(), kind: Kind::Int, range, initial });
        self.variables.push(Variable {
            name: name.into(),
            owner: None,
            ty: Type::Int { min, max },
            first_slot,
            symbolic: false,
            span: Span::default(),
        });
        Lvalue::global(first_slot)
    }
    fn expr(&mut self, expr: Expr, kind: Kind) -> ExprId {
        self.code.push(expr, kind, Span::default())
    }
    fn int(&mut self, value: i64) -> ExprId {
        self.expr(Expr::Int(value), Kind::Int)
    }
    fn load(&mut self, place: &Lvalue) -> ExprId {
        self.expr(Expr::Load(place.clone()), Kind::Int)
    }
    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, left, right), Kind::Int)
    }
    fn assign(&mut self, place: &Lvalue, value: ExprId, range: (i64, i64)) -> ExprId {
        let range = Some(Range { min: range.0, max: range.1 });
        self.expr(Expr::Assign(place.clone(), value, range), Kind::Int)
    }
}
