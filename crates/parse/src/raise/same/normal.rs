//! Expressions in a form that says nothing about how a network numbers its parts, and not how a
//! condition was grouped.

use tioga_base::{Id, Rational};
use tioga_model::{
    Argument, Base, BinaryOp, ClockConstraint, ClockTerm, Condition, Expr as Code, ExprId, Formula,
    Home, Lvalue, Measured, Network, Predicate, Quantifier, Range, Statement, TimeBound, UnaryOp,
    Update,
};

use crate::lower::fold;

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Norm {
    Number(Rational),
    Load(NormalLvalue),
    Unary(UnaryOp, Box<Norm>),
    Binary(BinaryOp, Box<Norm>, Box<Norm>),
    /// A conjunction or disjunction of at least two.
    Many(BinaryOp, Vec<Norm>),
    Conditional(Box<(Norm, Norm, Norm)>),
    Assign(NormalLvalue, Box<Norm>, Option<Range>),
    Exchange(NormalLvalue, Box<Norm>, Option<Range>),
    Call(usize, Vec<Norm>),
    Quantified(Quantifier, u32, Range, Box<Norm>),
    Same(NormalLvalue, NormalLvalue, u32),
    At(usize, u32),
    /// Passed as a whole.
    Whole(NormalLvalue),
}

/// A lvalue.
#[derive(Clone, PartialEq, Debug)]
pub struct NormalLvalue {
    /// What it is counted from, such as the variable.
    base: (Ground, u32),
    indices: Vec<(Norm, i64, u32, u32)>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Ground {
    Variable(usize),
    /// A purpose's own data.
    Own,
    Constant,
    Frame,
    Reference(u32),
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    Expr(Norm),
    Copy(NormalLvalue, NormalLvalue, Vec<Option<Range>>),
    Block(Vec<Step>),
    If(Norm, Box<Step>, Option<Box<Step>>),
    While(Norm, Box<Step>),
    DoWhile(Box<Step>, Norm),
    ForEach(u32, Range, Box<Step>),
    Return(Option<Norm>),
    Clock(Box<Set>),
}

/// An update of a clock.
#[derive(Clone, PartialEq, Debug)]
pub struct Set {
    clock: Clock,
    source: Option<Clock>,
    value: Sum,
    when: Option<Norm>,
}

/// A clock, or an element of an array of them.
pub type Clock = (usize, Option<(Norm, u32)>);

/// A number and what is added to it so many times.
#[derive(Clone, PartialEq, Debug)]
pub struct Sum {
    constant: Rational,
    terms: Vec<(i64, Norm)>,
}

/// Clock constraints and data that hold together.
type Alternative = (Vec<Norm>, Vec<(Option<Clock>, Option<Clock>, bool, Sum)>);

/// How many alternatives a condition is multiplied out to.
const MOST_ALTERNATIVES: usize = 256;

/// A set of states.
#[derive(Clone, PartialEq, Debug)]
pub enum States {
    Holds(Vec<Alternative>),
    Deadlock(bool),
    Either(Vec<Alternative>, Vec<Alternative>),
    /// What is measured in the states before.
    Time(Option<Clock>, Option<Clock>, Sum),
    Data(Norm),
}

/// Reads a network by the order in which a raised one would have its parts.
pub struct Reader<'n> {
    pub network: &'n Network,
    /// The position of each process: the environment comes last.
    pub processes: Vec<usize>,
    clocks: Vec<usize>,
    variables: Vec<usize>,
    functions: Vec<usize>,
}

/// For each element its position when they are ordered by a key.
fn positions<K: Ord>(keys: impl Iterator<Item = K>) -> Vec<usize> {
    let mut order: Vec<(K, usize)> = keys.enumerate().map(|(at, key)| (key, at)).collect();
    order.sort();
    let mut positions = vec![0; order.len()];
    for (position, (_, at)) in order.into_iter().enumerate() {
        positions[at] = position;
    }
    positions
}

impl<'n> Reader<'n> {
    pub fn new(network: &'n Network) -> Self {
        let roles = network.processes.iter().map(|one| one.role == tioga_model::Role::Environment);
        let processes = positions(roles);
        let rank = |owner: Option<tioga_model::ProcessId>| {
            owner.map(|owner| processes.get(owner.index()).copied())
        };
        let clocks = positions(network.clocks.iter().map(|clock| rank(clock.owner)));
        let variables = positions(network.variables.iter().map(|one| rank(one.owner)));
        let functions = positions(network.code.functions.iter().map(|one| match one.home {
            Home::Global => (0, 0),
            Home::Process(process) => (1, processes.get(process.index()).copied().unwrap_or(0)),
            Home::Purpose(position) => (2, position as usize),
        }));
        Self { network, processes, clocks, variables, functions }
    }

    /// The variables in order.
    pub fn variables(&self) -> Vec<&'n tioga_model::Variable> {
        ordered(self.network.variables.iter(), &self.variables)
    }

    /// The owners of clocks in order.
    pub fn clock_owners(&self) -> Vec<Option<usize>> {
        let owners = self.network.clocks.iter().map(|clock| self.owner(clock.owner));
        ordered(owners, &self.clocks)
    }

    /// The functions in order, without those of purposes that are not there.
    pub fn functions(&self) -> Vec<&'n tioga_model::Function> {
        let mut all = ordered(self.network.code.functions.iter(), &self.functions);
        let purposes = self.network.purposes.len();
        all.retain(|one| !matches!(one.home, Home::Purpose(at) if at as usize >= purposes));
        all
    }

    /// The position of an owner.
    pub fn owner(&self, owner: Option<tioga_model::ProcessId>) -> Option<usize> {
        owner.and_then(|owner| self.processes.get(owner.index()).copied())
    }

    fn clock(&self, term: ClockTerm) -> Clock {
        let at = term.clock.index();
        let position = self.clocks.get(at).copied().unwrap_or(at);
        (position, term.index.map(|(index, length)| (self.expr(index), length)))
    }

    fn lvalue(&self, lvalue: &Lvalue) -> NormalLvalue {
        let offset = lvalue.offset;
        let base = match lvalue.base {
            Base::Frame => (Ground::Frame, offset),
            Base::Constant => (Ground::Constant, offset),
            Base::Reference(slot) => (Ground::Reference(slot), offset),
            Base::Global => {
                let mut variables = self.network.variables.iter().enumerate();
                let found = variables.find(|(_, variable)| {
                    let first = u64::from(variable.first_slot);
                    (first..first + variable.ty.slots()).contains(&u64::from(offset))
                });
                match found {
                    Some((at, variable)) => {
                        (Ground::Variable(self.variables[at]), offset - variable.first_slot)
                    }
                    None => (Ground::Own, offset),
                }
            }
        };
        let indices = lvalue.indices.iter();
        let indices = indices.map(|i| (self.expr(i.index), i.first, i.length, i.stride));
        NormalLvalue { base, indices: indices.collect() }
    }

    pub fn expr(&self, expr: ExprId) -> Norm {
        let node = &self.network.code.nodes[expr];
        match &node.expr {
            Code::Int(value) => Norm::Number(Rational::integer(*value)),
            Code::Rational(value) => Norm::Number(*value),
            Code::Load(lvalue) => Norm::Load(self.lvalue(lvalue)),
            Code::Unary(UnaryOp::Plus, operand) => self.expr(*operand),
            Code::Unary(op, operand) => match (op, self.expr(*operand)) {
                (UnaryOp::Not, Norm::Number(value)) => truth(value.is_zero()),
                (UnaryOp::Not, Norm::Unary(UnaryOp::Not, inner)) => *inner,
                (UnaryOp::Neg, Norm::Number(value)) if value.neg().is_ok() => {
                    Norm::Number(value.neg().unwrap_or(value))
                }
                (op, operand) => Norm::Unary(*op, Box::new(operand)),
            },
            Code::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                many(*op, [self.expr(*left), self.expr(*right)])
            }
            Code::Binary(op, left, right) => {
                let exact = [left, right]
                    .into_iter()
                    .any(|side| self.network.code.nodes[*side].kind == tioga_model::Kind::Rational);
                match (self.expr(*left), self.expr(*right)) {
                    (Norm::Number(a), Norm::Number(b)) if fold(*op, a, b, exact).is_some() => {
                        Norm::Number(fold(*op, a, b, exact).unwrap_or(a))
                    }
                    (left, right) => Norm::Binary(*op, Box::new(left), Box::new(right)),
                }
            }
            Code::Conditional(condition, yes, no) => match self.expr(*condition) {
                Norm::Number(value) if value.is_zero() => self.expr(*no),
                Norm::Number(_) => self.expr(*yes),
                condition => {
                    Norm::Conditional(Box::new((condition, self.expr(*yes), self.expr(*no))))
                }
            },
            Code::Assign(lvalue, value, range) => {
                Norm::Assign(self.lvalue(lvalue), Box::new(self.expr(*value)), *range)
            }
            Code::Exchange(lvalue, value, range) => {
                Norm::Exchange(self.lvalue(lvalue), Box::new(self.expr(*value)), *range)
            }
            Code::Call(function, arguments) => {
                let arguments = arguments.iter().map(|argument| match argument {
                    Argument::Value(value, _) => self.expr(*value),
                    Argument::Copy(lvalue, _) | Argument::Reference(lvalue) => {
                        Norm::Whole(self.lvalue(lvalue))
                    }
                });
                Norm::Call(self.functions[function.index()], arguments.collect())
            }
            Code::Quantified(quantifier, slot, range, body) => {
                Norm::Quantified(*quantifier, *slot, *range, Box::new(self.expr(*body)))
            }
            Code::Same(left, right, slots) => {
                Norm::Same(self.lvalue(left), self.lvalue(right), *slots)
            }
            Code::At(process, location) => Norm::At(self.processes[process.index()], location.0),
        }
    }

    pub fn condition(&self, condition: &Condition) -> Vec<Alternative> {
        let mut alternatives: Vec<Alternative> = Vec::new();
        for conjunct in &condition.disjuncts {
            let mut clocks = Vec::new();
            let mut possible = true;
            for constraint in &conjunct.clocks {
                match self.constraint(constraint) {
                    Ok(constraint) => clocks.push(constraint),
                    Err(holds) => possible &= holds,
                }
            }
            clocks.sort_by_key(|one| format!("{one:?}"));
            let data = conjunct.data.map_or(truth(true), |data| self.expr(data));
            for parts in multiplied(data).into_iter().filter(|_| possible) {
                alternatives.push((parts, clocks.clone()));
            }
        }
        // What says more than another alternative adds nothing.
        let all = alternatives.clone();
        let mut position = 0;
        alternatives.retain(|one| {
            position += 1;
            let mut others = all.iter().enumerate();
            !others.any(|(at, other)| {
                implies(one, other) && (at + 1 < position || !implies(other, one))
            })
        });
        alternatives.sort_by_key(|one| format!("{one:?}"));
        alternatives
    }

    /// A constraint, or whether it holds if it has no clock.
    fn constraint(
        &self,
        one: &ClockConstraint,
    ) -> Result<(Option<Clock>, Option<Clock>, bool, Sum), bool> {
        let bound = self.bound(one.bound);
        let (left, right) = (one.left.map(|c| self.clock(c)), one.right.map(|c| self.clock(c)));
        if left == right && bound.terms.is_empty() {
            let zero = bound.constant.is_zero();
            return Err(!(bound.constant.is_negative() || zero && one.strict));
        }
        Ok((left, right, one.strict, bound))
    }

    fn bound(&self, bound: TimeBound) -> Sum {
        let mut sum = Sum { constant: Rational::ZERO, terms: Vec::new() };
        match bound {
            TimeBound::Constant(value) => {
                sum.constant = Rational::new(value, self.network.scale).unwrap_or(Rational::ZERO);
            }
            TimeBound::Expr(expr) => add(&mut sum, 1, self.expr(expr)),
        }
        sum.terms.retain(|(count, _)| *count != 0);
        sum.terms.sort_by_key(|(_, term)| format!("{term:?}"));
        sum
    }

    pub fn updates(&self, updates: &[Update]) -> Vec<Step> {
        let mut steps = Vec::new();
        for update in updates {
            match update {
                Update::Clock(update) => {
                    let source = update.source.map(|source| self.clock(source));
                    let clock = self.clock(update.clock);
                    let when = update.when.map(|when| self.expr(when));
                    let set = Set { clock, source, value: self.bound(update.value), when };
                    steps.push(Step::Clock(Box::new(set)));
                }
                Update::Data(statement) => flatten(self.statement(statement), &mut steps),
            }
        }
        steps
    }

    pub fn statement(&self, statement: &Statement) -> Step {
        let inner = |statement: &Statement| Box::new(self.statement(statement));
        match statement {
            Statement::Expr(expr) => Step::Expr(match self.expr(*expr) {
                // Nothing reads the old value.
                Norm::Exchange(spot, value, range) => Norm::Assign(spot, value, range),
                other => other,
            }),
            Statement::Copy { target, source, ranges } => {
                Step::Copy(self.lvalue(target), self.lvalue(source), ranges.clone())
            }
            Statement::Block(statements) => {
                Step::Block(statements.iter().map(|one| self.statement(one)).collect())
            }
            Statement::If(condition, yes, no) => {
                Step::If(self.expr(*condition), inner(yes), no.as_deref().map(inner))
            }
            Statement::While(condition, body) => Step::While(self.expr(*condition), inner(body)),
            Statement::DoWhile(body, condition) => {
                Step::DoWhile(inner(body), self.expr(*condition))
            }
            Statement::ForEach(slot, range, body) => Step::ForEach(*slot, *range, inner(body)),
            Statement::Return(value) => Step::Return(value.map(|value| self.expr(value))),
        }
    }

    /// The parts of a formula with their names.
    pub fn formula(&self, formula: &Formula) -> (&'static str, Vec<States>) {
        let (name, parts) = formula.parts();
        let measured = formula.measured().iter().map(|one| self.measured(*one));
        (name, parts.into_iter().map(|part| self.states(part)).chain(measured).collect())
    }

    fn measured(&self, measured: Measured) -> States {
        match measured {
            Measured::Data(expr) => States::Data(self.expr(expr)),
            Measured::Time { left, right, offset } => {
                let clock = |term: Option<ClockTerm>| term.map(|term| self.clock(term));
                States::Time(clock(left), clock(right), self.bound(offset))
            }
        }
    }

    fn states(&self, predicate: &Predicate) -> States {
        match predicate {
            Predicate::Holds(condition) => States::Holds(self.condition(condition)),
            Predicate::Deadlock => States::Deadlock(true),
            Predicate::NoDeadlock => States::Deadlock(false),
            Predicate::Either { dead, alive } => {
                States::Either(self.condition(dead), self.condition(alive))
            }
        }
    }
}

fn ordered<T>(all: impl Iterator<Item = T>, positions: &[usize]) -> Vec<T> {
    let mut pairs: Vec<(usize, T)> = positions.iter().copied().zip(all).collect();
    pairs.sort_by_key(|(position, _)| *position);
    pairs.into_iter().map(|(_, one)| one).collect()
}

fn truth(value: bool) -> Norm {
    Norm::Number(Rational::integer(i64::from(value)))
}

/// Whether an alternative has all the parts of another.
fn implies(one: &Alternative, other: &Alternative) -> bool {
    let data = other.0.iter().all(|part| one.0.contains(part));
    data && other.1.iter().all(|part| one.1.contains(part))
}

/// The alternatives of a data condition, each a conjunction.
fn multiplied(data: Norm) -> Vec<Vec<Norm>> {
    match data {
        Norm::Number(value) if value.is_zero() => Vec::new(),
        Norm::Number(_) => vec![Vec::new()],
        Norm::Many(BinaryOp::Or, parts) => parts.into_iter().flat_map(multiplied).collect(),
        Norm::Many(BinaryOp::And, parts) => {
            let whole = vec![parts.clone()];
            let mut product = vec![Vec::new()];
            for factor in parts.into_iter().map(multiplied) {
                if product.len().saturating_mul(factor.len()) > MOST_ALTERNATIVES {
                    return whole;
                }
                let longer = product.iter().flat_map(|before: &Vec<Norm>| {
                    factor.iter().map(|more| before.iter().chain(more).cloned().collect())
                });
                product = longer.collect();
            }
            product
        }
        other => vec![vec![other]],
    }
}

/// A conjunction or disjunction without grouping and without constants.
fn many(op: BinaryOp, sides: [Norm; 2]) -> Norm {
    let mut parts = Vec::new();
    for side in sides {
        match side {
            Norm::Many(inner, more) if inner == op => parts.extend(more),
            Norm::Number(value) if value.is_zero() == (op == BinaryOp::Or) => {}
            Norm::Number(_) => return truth(op == BinaryOp::Or),
            other => parts.push(other),
        }
    }
    match parts.len() {
        0 => truth(op == BinaryOp::And),
        1 => parts.swap_remove(0),
        _ => Norm::Many(op, parts),
    }
}

/// Adds a term so many times; sums and negations are taken apart.
fn add(sum: &mut Sum, count: i64, term: Norm) {
    match term {
        Norm::Number(value) => {
            let more = value.mul(Rational::integer(count)).and_then(|more| sum.constant.add(more));
            match more {
                Ok(more) => sum.constant = more,
                Err(_) => sum.terms.push((count, Norm::Number(value))),
            }
        }
        Norm::Unary(UnaryOp::Neg, inner) => add(sum, -count, *inner),
        Norm::Binary(BinaryOp::Add, left, right) => {
            add(sum, count, *left);
            add(sum, count, *right);
        }
        Norm::Binary(BinaryOp::Sub, left, right) => {
            add(sum, count, *left);
            add(sum, -count, *right);
        }
        other => match sum.terms.iter_mut().find(|(_, known)| *known == other) {
            Some((known, _)) => *known += count,
            None => sum.terms.push((count, other)),
        },
    }
}

/// A block of an edge is its statements.
fn flatten(step: Step, steps: &mut Vec<Step>) {
    match step {
        Step::Block(inner) => inner.into_iter().for_each(|step| flatten(step, steps)),
        other => steps.push(other),
    }
}
