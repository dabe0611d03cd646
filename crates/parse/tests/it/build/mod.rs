//! Networks built by hand, for printing.

use tioga_base::{Diagnostics, FileId, IdVec, Span};
use tioga_model::{
    ActionId, BinaryOp, Channel, ChannelId, ChannelUse, Clock, ClockConstraint, ClockId, Condition,
    Conjunct, Control, Edge, Expr, ExprId, Kind, Label, Location, LocationId, Lvalue, Marks,
    Network, PlainAction, Process, ProcessId, Range, Role, Slot, Statement, TimeBound, Type,
    UnaryOp, Update, Variable,
};
use tioga_parse::tchecker::{parse, print};

/// A network under construction.
pub struct Build(pub Network);

impl Build {
    pub fn new() -> Self {
        Self(Network::new("net"))
    }

    pub fn clock(&mut self, name: &str) -> ClockId {
        self.0.clocks.push(Clock { name: name.into(), owner: None })
    }

    pub fn int(&mut self, name: &str, min: i64, max: i64, initial: i64) -> u32 {
        let ty = Type::Int { min, max };
        self.variable(name, ty, &[(name, Kind::Int, Some(Range { min, max }), initial)])
    }

    pub fn variable(
        &mut self,
        name: &str,
        ty: Type,
        slots: &[(&str, Kind, Option<Range>, i64)],
    ) -> u32 {
        let first_slot = u32::try_from(self.0.slots.len()).unwrap();
        let (owner, symbolic, span) = (None, false, at(7));
        self.0.variables.push(Variable {
            name: name.into(),
            owner,
            ty,
            first_slot,
            symbolic,
            span,
        });
        for (name, kind, range, initial) in slots {
            let (kind, range, initial) = (*kind, *range, *initial);
            self.0.slots.push(Slot { name: (*name).into(), kind, range, initial });
        }
        first_slot
    }

    pub fn array(&mut self, name: &str, length: u32) -> u32 {
        let element = Box::new(Type::Int { min: 0, max: 9 });
        let names: Vec<String> = (0..length).map(|index| format!("{name}[{index}]")).collect();
        let range = Some(Range { min: 0, max: 9 });
        let slots: Vec<_> = names.iter().map(|name| (name.as_str(), Kind::Int, range, 0)).collect();
        self.variable(name, Type::Array { element, first: 0, length, set: None }, &slots)
    }

    pub fn channel(&mut self, name: &str) -> ChannelId {
        self.0.channels.push(Channel {
            name: name.into(),
            urgent: false,
            broadcast: false,
            direction: None,
            open: false,
            parameters: Vec::new(),
            names: Vec::new(),
            span: at(8),
        })
    }

    pub fn action(&mut self, name: &str) -> ActionId {
        self.0.actions.push(PlainAction { name: name.into() })
    }

    pub fn process(&mut self, name: &str, locations: &[&str]) -> ProcessId {
        let locations = locations.iter().map(|name| Location {
            name: (*name).into(),
            marks: Marks::default(),
            labels: Vec::new(),
            invariant: Condition::always(),
            origin: Vec::new(),
            span: at(5),
        });
        self.0.processes.push(Process {
            name: name.into(),
            role: Role::System,
            initial: LocationId(0),
            locations: locations.collect(),
            edges: IdVec::new(),
            outgoing: IdVec::new(),
            span: at(4),
        })
    }

    pub fn edge(&mut self, process: ProcessId, ends: (u32, u32), label: Label) -> &mut Edge {
        let id = self.0.processes[process].edges.push(Edge {
            source: LocationId(ends.0),
            target: LocationId(ends.1),
            control: Control::Uncontrollable,
            label,
            reply: None,
            frame: 0,
            guard: Condition::always(),
            updates: Vec::new(),
            choices: Vec::new(),
            span: at(6),
        });
        &mut self.0.processes[process].edges[id]
    }

    pub fn expr(&mut self, expr: Expr) -> ExprId {
        let kind = match expr {
            Expr::Binary(
                BinaryOp::And | BinaryOp::Or | BinaryOp::Eq | BinaryOp::Lt | BinaryOp::Imply,
                ..,
            )
            | Expr::Conditional(..)
            | Expr::Unary(UnaryOp::Not, _) => Kind::Bool,
            _ => Kind::Int,
        };
        self.0.code.push(expr, kind, at(3))
    }

    pub fn number(&mut self, value: i64) -> ExprId {
        self.expr(Expr::Int(value))
    }

    pub fn load(&mut self, slot: u32) -> ExprId {
        self.expr(Expr::Load(Lvalue::global(slot)))
    }

    pub fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, left, right))
    }

    pub fn equals(&mut self, slot: u32, value: i64) -> ExprId {
        let (left, right) = (self.load(slot), self.number(value));
        self.binary(BinaryOp::Eq, left, right)
    }

    pub fn assign(&mut self, place: Lvalue, value: ExprId) -> Update {
        Update::Data(Statement::Expr(self.expr(Expr::Assign(place, value, None))))
    }

    /// Prints, and checks that the text reads without complaint.
    pub fn print(self) -> String {
        let text = print(&self.0.validate().unwrap()).unwrap_or_else(|it| panic!("{it:#?}"));
        let mut diagnostics = Diagnostics::new();
        let document = parse(FileId(0), &text, &mut diagnostics);
        assert!(document.is_some() && diagnostics.is_empty(), "{text}\n{diagnostics:#?}");
        text
    }

    /// The constructs that are refused, with the start of their places.
    pub fn refusals(self) -> Vec<(String, u32)> {
        let diagnostics = print(&self.0.validate().unwrap()).expect_err("printing is refused");
        diagnostics
            .iter()
            .map(|diagnostic| {
                assert_eq!(diagnostic.code, "not-expressible");
                let what = diagnostic.message.replace(" cannot be written as .tck", "");
                (what, diagnostic.primary.as_ref().unwrap().span.start)
            })
            .collect()
    }
}

pub fn at(start: usize) -> Span {
    Span::new(FileId(0), start, start + 1)
}

pub fn plain_use(channel: ChannelId) -> ChannelUse {
    ChannelUse { channel, index: None, arguments: Vec::new() }
}

pub fn send(channel: ChannelId) -> Label {
    Label::Send(plain_use(channel))
}

pub fn receive(channel: ChannelId) -> Label {
    Label::Receive(plain_use(channel))
}

pub fn at_most(clock: ClockId, bound: i64) -> ClockConstraint {
    let bound = TimeBound::Constant(bound);
    ClockConstraint { left: Some(clock.into()), right: None, strict: false, bound }
}

pub fn more_than(clock: ClockId, bound: i64) -> ClockConstraint {
    let bound = TimeBound::Constant(-bound);
    ClockConstraint { left: None, right: Some(clock.into()), strict: true, bound }
}

pub fn data(expr: ExprId) -> Condition {
    Condition { disjuncts: vec![Conjunct { data: Some(expr), clocks: Vec::new() }] }
}

pub fn lines<'t>(text: &'t str, start: &str) -> Vec<&'t str> {
    text.lines().filter(|line| line.starts_with(start)).collect()
}
