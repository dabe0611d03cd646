//! Conditions, updates and labels of a process in words, as its file would write them.
//!
//! A network has resolved all names; most can be found again, because clocks and data slots carry
//! theirs. What cannot be found again is written in a way that a reader understands; a program must not
//! take these texts for source text.

use tioga_base::{Rational, decimal};
use tioga_model::{
    Argument, Base, BinaryOp, ChannelUse, ClockTerm, Condition, Conjunct, Expr, ExprId, Kind,
    Label, Lvalue, Network, ProcessId, Quantifier, Statement, TimeBound, Type, UnaryOp, Update,
};

use crate::comparison::{Comparison, comparisons};

/// Writes parts of one process.
#[derive(Debug)]
pub struct Wording<'n> {
    network: &'n Network,
    /// The process and a dot: what the names of its own things begin with.
    prefix: String,
    /// Names of frame slots inside quantifiers.
    bound: Vec<(u32, String)>,
}

/// How tightly a text binds; what binds less than its surroundings gets parentheses.
const ATOM: u8 = 20;
const PREFIX: u8 = 15;

impl<'n> Wording<'n> {
    /// Words for a process of a network.
    pub fn new(network: &'n Network, process: ProcessId) -> Self {
        let prefix = format!("{}.", network.processes[process].name);
        Self { network, prefix, bound: Vec::new() }
    }

    /// The name under which a parameter is received, by its slot in the frame.
    fn received(slot: u32) -> String {
        format!("value_{}", slot + 1)
    }

    /// A guard or invariant; `true` if it always holds.
    pub fn condition(&mut self, condition: &Condition) -> String {
        if condition.is_always() {
            return "true".to_owned();
        }
        let texts: Vec<String> =
            condition.disjuncts.iter().map(|conjunct| self.conjunct(conjunct)).collect();
        match texts.len() {
            0 => "false".to_owned(),
            _ => texts.join(" || "),
        }
    }

    fn conjunct(&mut self, conjunct: &Conjunct) -> String {
        let mut parts: Vec<String> =
            comparisons(&conjunct.clocks).iter().map(|one| self.comparison(one)).collect();
        if let Some(data) = conjunct.data {
            parts.push(self.expr_within(data, precedence(BinaryOp::And)));
        }
        if parts.is_empty() { "true".to_owned() } else { parts.join(" && ") }
    }

    /// One comparison of clocks.
    pub fn comparison(&mut self, comparison: &Comparison) -> String {
        let Comparison { left, right, operator, bound, negated, .. } = comparison;
        let side = match (left, right) {
            (Some(left), None) => self.clock(*left),
            (Some(left), Some(right)) => format!("{} - {}", self.clock(*left), self.clock(*right)),
            (None, Some(right)) => format!("0 - {}", self.clock(*right)),
            (None, None) => "0".to_owned(),
        };
        let bound = match bound {
            TimeBound::Expr(expr) if *negated => self.negated(*expr),
            bound => self.bound(*bound),
        };
        format!("{side} {} {bound}", operator_text(*operator))
    }

    /// The negation of an expression; lower bounds are kept negated.
    fn negated(&mut self, expr: ExprId) -> String {
        let code = &self.network.code;
        match &code.nodes[expr].expr {
            Expr::Unary(UnaryOp::Neg, inner) => self.expr_within(*inner, precedence(BinaryOp::Add)),
            Expr::Binary(BinaryOp::Sub, zero, inner) if code.constant(*zero) == Some(0) => {
                self.expr_within(*inner, precedence(BinaryOp::Add))
            }
            _ => format!("-{}", self.expr_within(expr, PREFIX)),
        }
    }

    /// A clock without the process it belongs to.
    pub fn clock(&mut self, term: ClockTerm) -> String {
        let name = self.own(&self.network.clocks[term.clock].name);
        match term.index {
            None => name,
            Some((index, _)) => {
                // The name of the first element stands for the array.
                let array = name.split('[').next().unwrap_or(&name).to_owned();
                let index = self.expr(index);
                format!("{array}[{index}]")
            }
        }
    }

    fn own(&self, full: &str) -> String {
        full.strip_prefix(self.prefix.as_str()).unwrap_or(full).to_owned()
    }

    fn bound(&mut self, bound: TimeBound) -> String {
        match bound {
            TimeBound::Constant(value) => self.time(value),
            TimeBound::Expr(expr) => self.expr_within(expr, precedence(BinaryOp::Add)),
        }
    }

    /// An amount of time as it is written.
    pub fn time(&self, value: i64) -> String {
        let time = Rational::new(value, self.network.scale);
        time.map_or_else(|_| format!("{value}/{}", self.network.scale), decimal)
    }

    /// An update of an edge.
    pub fn update(&mut self, update: &Update) -> String {
        match update {
            Update::Clock(update) => {
                let clock = self.clock(update.clock);
                let value = match (update.source, update.value) {
                    (None, value) => self.bound(value),
                    (Some(source), TimeBound::Constant(0)) => self.clock(source),
                    (Some(source), value) => {
                        let source = self.clock(source);
                        format!("{source} + {}", self.bound(value))
                    }
                };
                match update.when {
                    None => format!("{clock} = {value}"),
                    // As the language says it.
                    Some(when) => {
                        let when = self.expr_within(when, precedence(BinaryOp::Or));
                        format!("{clock} = {when} ? {value} : {clock}")
                    }
                }
            }
            Update::Data(Statement::Expr(expr)) => match self.network.code.nodes[*expr].expr {
                // Without a reader of the old value, an exchange is an assignment.
                Expr::Exchange(ref place, value, _) => {
                    let place = self.place(place, 1);
                    format!("{place} = {}", self.expr(value))
                }
                _ => self.expr(*expr),
            },
            Update::Data(Statement::Copy { target, source, ranges }) => {
                let slots = u32::try_from(ranges.len()).unwrap_or(u32::MAX);
                let target = self.place(target, slots);
                format!("{target} = {}", self.place(source, slots))
            }
            Update::Data(_) => "(a change of data)".to_owned(),
        }
    }

    /// What an edge shows; empty if nothing.
    pub fn label(&mut self, label: &Label, reply: Option<&ChannelUse>) -> String {
        let text = match label {
            Label::Silent => String::new(),
            Label::Plain(action) => {
                let name = self.network.actions[*action].name.clone();
                self.own(&name)
            }
            Label::Send(used) => format!("{}!", self.channel(used)),
            Label::Receive(used) => format!("{}?", self.channel(used)),
        };
        match reply {
            None => text,
            Some(reply) => format!("{text} / {}!", self.channel(reply)),
        }
    }

    fn channel(&mut self, used: &ChannelUse) -> String {
        let name = self.network.channels[used.channel].name.clone();
        let mut text = self.own(&name);
        if let Some((index, _)) = used.index {
            text = text.split('[').next().unwrap_or(&text).to_owned();
            // The index counts from 0 whatever the array's first index is.
            text = format!("{text}[{}]", self.expr(index));
        }
        if used.arguments.is_empty() {
            return text;
        }
        let values: Vec<String> = used.arguments.iter().map(|value| self.expr(*value)).collect();
        format!("{text}({})", values.join(", "))
    }

    /// A data expression.
    pub fn expr(&mut self, expr: ExprId) -> String {
        self.expr_within(expr, 0)
    }

    fn expr_within(&mut self, expr: ExprId, surroundings: u8) -> String {
        let (text, binds) = self.bare(expr);
        if binds < surroundings { format!("({text})") } else { text }
    }

    fn bare(&mut self, expr: ExprId) -> (String, u8) {
        let network = self.network;
        let node = &network.code.nodes[expr];
        match &node.expr {
            Expr::Int(value) if node.kind == Kind::Bool => ((*value != 0).to_string(), ATOM),
            Expr::Int(value) => (value.to_string(), if *value < 0 { PREFIX } else { ATOM }),
            Expr::Rational(value) => match decimal(*value) {
                number if number.contains('/') => (number, precedence(BinaryOp::Div)),
                number if number.starts_with('-') => (number, PREFIX),
                number => (number, ATOM),
            },
            Expr::Load(place) => (self.place(place, 1), ATOM),
            Expr::Unary(UnaryOp::Neg, operand) => match &network.code.nodes[*operand].expr {
                // So a bound on the other side of a comparison was computed.
                Expr::Unary(UnaryOp::Neg, inner) => self.bare(*inner),
                Expr::Binary(BinaryOp::Sub, zero, inner)
                    if network.code.constant(*zero) == Some(0) =>
                {
                    self.bare(*inner)
                }
                _ => (format!("-{}", self.expr_within(*operand, PREFIX)), PREFIX),
            },
            Expr::Unary(UnaryOp::Not, operand) => {
                (format!("!{}", self.expr_within(*operand, PREFIX)), PREFIX)
            }
            Expr::Unary(UnaryOp::Plus, operand) => self.bare(*operand),
            // So the index of a channel is computed.
            Expr::Binary(BinaryOp::Mul, left, one) if network.code.constant(*one) == Some(1) => {
                self.bare(*left)
            }
            Expr::Binary(op, left, right) => {
                let binds = precedence(*op);
                let left = self.expr_within(*left, binds);
                let right = self.expr_within(*right, binds + 1);
                (format!("{left} {} {right}", operator_text(*op)), binds)
            }
            Expr::Conditional(condition, yes, no) => {
                let condition = self.expr_within(*condition, 3);
                let yes = self.expr_within(*yes, 3);
                (format!("{condition} ? {yes} : {}", self.expr_within(*no, 3)), 2)
            }
            Expr::Assign(place, value, _) => {
                let place = self.place(place, 1);
                (format!("{place} = {}", self.expr_within(*value, 1)), 1)
            }
            Expr::Exchange(..) => ("(a change of data)".to_owned(), ATOM),
            Expr::Call(function, arguments) => {
                let name = network.code.functions[*function].name.clone();
                let arguments: Vec<String> =
                    arguments.iter().map(|argument| self.argument(argument)).collect();
                (format!("{name}({})", arguments.join(", ")), ATOM)
            }
            Expr::Quantified(quantifier, slot, range, body) => {
                let word = match quantifier {
                    Quantifier::Forall => "forall",
                    Quantifier::Exists => "exists",
                    Quantifier::Sum => "sum",
                };
                let name = format!("i_{}", slot + 1);
                self.bound.push((*slot, name.clone()));
                let body = self.expr_within(*body, 1);
                self.bound.pop();
                (format!("{word} ({name} : int[{}, {}]) {body}", range.min, range.max), 0)
            }
            Expr::Same(left, right, slots) => {
                let left = self.place(left, *slots);
                let binds = precedence(BinaryOp::Eq);
                (format!("{left} == {}", self.place(right, *slots)), binds)
            }
            Expr::At(process, location) => {
                let process = &network.processes[*process];
                let text = format!("{}.{}", process.name, process.locations[*location].name);
                (text, ATOM)
            }
        }
    }

    fn argument(&mut self, argument: &Argument) -> String {
        match argument {
            Argument::Value(value, _) => self.expr(*value),
            Argument::Copy(place, slots) => self.place(place, *slots),
            // How much of the variable is meant is not known here.
            Argument::Reference(place) => self.place(place, 1),
        }
    }

    /// The part of a variable that begins at a place and takes so many slots.
    fn place(&mut self, place: &Lvalue, slots: u32) -> String {
        if place.base == Base::Frame && place.indices.is_empty() {
            let bound = self.bound.iter().rev().find(|(slot, _)| *slot == place.offset);
            return bound.map_or_else(|| Self::received(place.offset), |(_, name)| name.clone());
        }
        if place.base != Base::Global {
            return "(a value)".to_owned();
        }
        let network = self.network;
        let variable = network.variables.iter().find(|variable| {
            let first = u64::from(variable.first_slot);
            (first..first + variable.ty.slots()).contains(&u64::from(place.offset))
        });
        let Some(variable) = variable else { return "(a value)".to_owned() };
        let mut text = self.own(&variable.name);
        let mut rest = u64::from(place.offset - variable.first_slot);
        let mut indices = place.indices.iter().peekable();
        let mut ty = &variable.ty;
        while ty.slots() > u64::from(slots) || indices.peek().is_some() {
            match ty {
                Type::Array { element, first, .. } => {
                    let stride = element.slots();
                    let computed = indices.peek().is_some_and(|i| u64::from(i.stride) == stride);
                    match indices.next_if(|_| computed) {
                        Some(dynamic) => {
                            text = format!("{text}[{}]", self.expr(dynamic.index));
                        }
                        None => {
                            let position = i64::try_from(rest / stride.max(1)).unwrap_or(0);
                            text = format!("{text}[{}]", first.saturating_add(position));
                            rest %= stride.max(1);
                        }
                    }
                    ty = element;
                }
                Type::Record(fields) => {
                    let mut found = None;
                    for (name, field) in fields {
                        if rest < field.slots() {
                            found = Some((name, field));
                            break;
                        }
                        rest -= field.slots();
                    }
                    let Some((name, field)) = found else { return "(a value)".to_owned() };
                    text = format!("{text}.{name}");
                    ty = field;
                }
                _ => break,
            }
        }
        if indices.next().is_some() {
            return "(a value)".to_owned();
        }
        text
    }
}

/// An operator as it is written.
pub(crate) fn operator_text(operator: BinaryOp) -> &'static str {
    match operator {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Mod => "%",
        BinaryOp::Min => "<?",
        BinaryOp::Max => ">?",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Ge => ">=",
        BinaryOp::Gt => ">",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Imply => "imply",
    }
}

/// How tightly an operator binds, by the table of the language.
fn precedence(operator: BinaryOp) -> u8 {
    match operator {
        BinaryOp::Or | BinaryOp::Imply => 3,
        BinaryOp::And => 4,
        BinaryOp::BitOr => 5,
        BinaryOp::BitXor => 6,
        BinaryOp::BitAnd => 7,
        BinaryOp::Eq | BinaryOp::Ne => 8,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Gt => 9,
        BinaryOp::Min | BinaryOp::Max => 10,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 11,
        BinaryOp::Add | BinaryOp::Sub => 12,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => 13,
    }
}
