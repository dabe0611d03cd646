//! Which parts of a state an expression may read, and which of them it may change.
//!
//! The answer may be too large (an index known only when evaluated counts as every element) but
//! never too small.

use std::collections::BTreeSet;

use crate::{
    Argument, Base, ClockTerm, ClockUpdate, Condition, Expr, ExprId, FunctionId, Lvalue, Model,
    ProcessId, Statement, TimeBound,
};

/// A part of a state that conditions can read, apart from clocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Variable {
    /// A data slot.
    Slot(u32),
    /// A slot of the edge's frame: a received value.
    Frame(u32),
    /// Where a process is.
    Location(ProcessId),
}

/// Collects what expressions read.
pub(crate) struct Reads<'m> {
    model: &'m Model,
    /// All slots there are, a purpose's included.
    slots: u32,
    /// Slots of the frame that received values fill; others hold bound variables.
    received: u32,
    found: BTreeSet<Variable>,
    changed: BTreeSet<Variable>,
    seen: BTreeSet<ExprId>,
    functions: BTreeSet<FunctionId>,
}

impl<'m> Reads<'m> {
    /// Nothing read yet.
    pub fn new(model: &'m Model, slots: usize, received: u32) -> Self {
        Self {
            model,
            slots: u32::try_from(slots).unwrap_or(u32::MAX),
            received,
            found: BTreeSet::new(),
            changed: BTreeSet::new(),
            seen: BTreeSet::new(),
            functions: BTreeSet::new(),
        }
    }

    /// What was found; what is changed counts as read.
    pub fn finish(self) -> BTreeSet<Variable> {
        self.found
    }

    /// What was found, and the part of it that may be changed.
    pub fn finish_with_changes(self) -> (BTreeSet<Variable>, BTreeSet<Variable>) {
        (self.found, self.changed)
    }

    /// Adds what a condition reads.
    pub fn condition(&mut self, condition: &Condition) {
        for conjunct in &condition.disjuncts {
            if let Some(data) = conjunct.data {
                self.expr(data);
            }
            for constraint in &conjunct.clocks {
                for term in constraint.left.iter().chain(&constraint.right) {
                    self.term(term);
                }
                self.bound(constraint.bound);
            }
        }
    }

    /// Adds what the index of a clock reads.
    pub fn term(&mut self, term: &ClockTerm) {
        if let Some((index, _)) = term.index {
            self.expr(index);
        }
    }

    /// Adds what an amount of time reads.
    pub fn bound(&mut self, bound: TimeBound) {
        if let TimeBound::Expr(expr) = bound {
            self.expr(expr);
        }
    }

    /// Adds what an update of a clock reads of the data.
    pub fn clock_update(&mut self, update: &ClockUpdate) {
        self.term(&update.clock);
        update.source.iter().for_each(|source| self.term(source));
        self.bound(update.value);
        update.when.iter().for_each(|when| self.expr(*when));
    }

    /// Adds what an expression of an edge or location reads.
    pub fn expr(&mut self, id: ExprId) {
        if !self.seen.insert(id) {
            return;
        }
        let model = self.model;
        match &model.code.nodes[id].expr {
            Expr::Int(_) | Expr::Rational(_) => {}
            Expr::Load(place) => self.place(place, 1),
            Expr::Unary(_, operand) => self.expr(*operand),
            Expr::Binary(_, left, right) => {
                self.expr(*left);
                self.expr(*right);
            }
            Expr::Conditional(condition, yes, no) => {
                for part in [condition, yes, no] {
                    self.expr(*part);
                }
            }
            Expr::Assign(place, value, _) | Expr::Exchange(place, value, _) => {
                self.change(place, 1);
                self.expr(*value);
            }
            Expr::Call(function, arguments) => {
                for argument in arguments {
                    self.argument(argument);
                }
                if self.functions.insert(*function) {
                    // Inside a function the frame holds its parameters and local variables.
                    let received = std::mem::replace(&mut self.received, 0);
                    self.statement(&model.code.functions[*function].body);
                    self.received = received;
                }
            }
            Expr::Quantified(_, _, _, body) => self.expr(*body),
            Expr::Same(left, right, length) => {
                self.place(left, *length);
                self.place(right, *length);
            }
            Expr::At(process, _) => {
                self.found.insert(Variable::Location(*process));
            }
        }
    }

    fn argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Value(expr, _) => self.expr(*expr),
            Argument::Copy(place, length) => self.place(place, *length),
            // Whoever has the address may change what is there.
            Argument::Reference(place) => self.change(place, self.variable_length(place)),
        }
    }

    /// What a reference points into is at most the rest of its variable.
    fn variable_length(&self, place: &Lvalue) -> u32 {
        let inside = |first: u32, length: u64| {
            place.offset >= first && u64::from(place.offset - first) < length
        };
        let variable = self.model.variables.iter().find(|v| inside(v.first_slot, v.ty.slots()));
        let end = variable.map_or(u64::from(self.slots), |variable| {
            u64::from(variable.first_slot).saturating_add(variable.ty.slots())
        });
        u32::try_from(end.saturating_sub(u64::from(place.offset))).unwrap_or(u32::MAX)
    }

    fn change(&mut self, place: &Lvalue, length: u32) {
        self.place(place, length);
        let slots = self.touched(place, length);
        self.changed.extend(slots);
    }

    fn place(&mut self, place: &Lvalue, length: u32) {
        for dynamic in &place.indices {
            self.expr(dynamic.index);
        }
        let slots = self.touched(place, length);
        self.found.extend(slots);
    }

    /// The slots that a place may stand for.
    fn touched(&self, place: &Lvalue, length: u32) -> Vec<Variable> {
        match place.base {
            // Constants do not change, and what a reference points to was counted at the call.
            Base::Constant | Base::Reference(_) => Vec::new(),
            Base::Frame => {
                let end = self.received.min(place.offset.saturating_add(length));
                (place.offset..end).map(Variable::Frame).collect()
            }
            Base::Global => {
                let mut starts = vec![place.offset];
                for dynamic in &place.indices {
                    let steps = |start: u32| {
                        let step = move |position: u32| position.saturating_mul(dynamic.stride);
                        (0..dynamic.length)
                            .map(move |position| start.saturating_add(step(position)))
                    };
                    starts = starts.into_iter().flat_map(steps).collect();
                }
                let slots = starts.into_iter().flat_map(|start| {
                    let end = self.slots.min(start.saturating_add(length));
                    (start..end).map(Variable::Slot)
                });
                slots.collect()
            }
        }
    }

    /// Adds what a statement reads and changes.
    pub fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Expr(expr) => self.expr(*expr),
            Statement::Copy { target, source, ranges } => {
                let length = u32::try_from(ranges.len()).unwrap_or(u32::MAX);
                self.change(target, length);
                self.place(source, length);
            }
            Statement::Block(statements) => statements.iter().for_each(|s| self.statement(s)),
            Statement::If(condition, yes, no) => {
                self.expr(*condition);
                self.statement(yes);
                no.iter().for_each(|statement| self.statement(statement));
            }
            Statement::While(condition, body) | Statement::DoWhile(body, condition) => {
                self.expr(*condition);
                self.statement(body);
            }
            Statement::ForEach(_, _, body) => self.statement(body),
            Statement::Return(value) => value.iter().for_each(|value| self.expr(*value)),
        }
    }
}
