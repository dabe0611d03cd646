//! Data expressions as `.tck` text: integer terms, and conditions as lists of conjunctions.

use tioga_base::{Diagnostic, Diagnostics, Id, Span};
use tioga_model::{
    Base, BinaryOp, ClockConstraint, ClockTerm, Conjunct, Expr, ExprId, Kind, Lvalue, Network,
    TimeBound, UnaryOp,
};

use super::layout::Layout;

/// More alternatives than this are refused rather than printed as so many edges.
const ALTERNATIVES: usize = 64;

/// A conjunction of atoms.
pub type Atoms = Vec<String>;

/// How tightly a term binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Sum,
    Product,
    Factor,
}

/// Prints expressions of one network.
pub struct Formulas<'m> {
    pub(super) network: &'m Network,
    pub(super) layout: Layout,
    pub(super) diagnostics: Diagnostics,
}

impl Formulas<'_> {
    /// Reports a construct that `.tck` lacks.
    pub fn refuse<T>(&mut self, span: Span, what: &str, note: &str) -> Option<T> {
        let message = format!("{what} cannot be written as .tck");
        self.diagnostics.push(Diagnostic::error("not-expressible", span, message).note(note));
        None
    }

    /// An integer term.
    pub fn term(&mut self, id: ExprId) -> Option<String> {
        self.level(id).map(|(text, _)| text)
    }

    fn at_least(&mut self, id: ExprId, least: Level) -> Option<String> {
        let (text, level) = self.level(id)?;
        Some(if level >= least { text } else { format!("({text})") })
    }

    fn level(&mut self, id: ExprId) -> Option<(String, Level)> {
        let node = &self.network.code.nodes[id];
        let span = node.span;
        match &node.expr {
            Expr::Int(value) => {
                if i32::try_from(*value).is_err() {
                    return self.refuse(span, "this number", "integers of .tck have 32 bits");
                }
                Some((value.to_string(), Level::Factor))
            }
            Expr::Load(place) => Some((self.place(place, span)?, Level::Factor)),
            Expr::Unary(UnaryOp::Neg, operand) => {
                Some((format!("-{}", self.at_least(*operand, Level::Factor)?), Level::Product))
            }
            Expr::Unary(UnaryOp::Plus, operand) => self.level(*operand),
            Expr::Binary(op, left, right) => self.binary_term(id, *op, *left, *right),
            Expr::Conditional(condition, yes, no) => {
                let condition = self.single(*condition)?;
                let (yes, no) = (self.term(*yes)?, self.term(*no)?);
                Some((format!("(if {condition} then {yes} else {no})"), Level::Factor))
            }
            Expr::Unary(UnaryOp::Not, _) => self.truth(id),
            Expr::Rational(_) => self.refuse(span, "a rational number", "data are integers"),
            Expr::Assign(..) | Expr::Exchange(..) => self.refuse(
                span,
                "an assignment inside an expression",
                "assignments are statements",
            ),
            Expr::Call(..) => self.refuse(span, "a function call", "there are no functions"),
            Expr::Quantified(..) => self.refuse(span, "a quantifier", "there are no quantifiers"),
            Expr::Same(..) => {
                self.refuse(span, "a comparison of whole arrays or records", "terms are integers")
            }
            Expr::At(..) => {
                self.refuse(span, "a test of a location", "expressions read variables and clocks")
            }
        }
    }

    fn binary_term(
        &mut self,
        id: ExprId,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
    ) -> Option<(String, Level)> {
        let (symbol, level, right_level) = match op {
            BinaryOp::Add => ("+", Level::Sum, Level::Product),
            BinaryOp::Sub => ("-", Level::Sum, Level::Product),
            BinaryOp::Mul => ("*", Level::Product, Level::Factor),
            BinaryOp::Div => ("/", Level::Product, Level::Factor),
            BinaryOp::Mod => ("%", Level::Product, Level::Factor),
            BinaryOp::Min | BinaryOp::Max => {
                let (left, right) = (self.term(left)?, self.term(right)?);
                let symbol = if op == BinaryOp::Min { "<=" } else { ">=" };
                let text = format!("(if {left} {symbol} {right} then {left} else {right})");
                return Some((text, Level::Factor));
            }
            BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor => {
                let span = self.network.code.nodes[id].span;
                return self.refuse(span, "a bit operation", "there are + - * / % only");
            }
            _ => return self.truth(id),
        };
        let left = self.at_least(left, level)?;
        let right = self.at_least(right, right_level)?;
        Some((format!("{left} {symbol} {right}"), level))
    }

    /// A truth value used as a number.
    fn truth(&mut self, id: ExprId) -> Option<(String, Level)> {
        let condition = self.single(id)?;
        Some((format!("(if {condition} then 1 else 0)"), Level::Factor))
    }

    /// A condition that must be one conjunction.
    pub fn single(&mut self, id: ExprId) -> Option<String> {
        let alternatives = self.alternatives(id, true)?;
        if let [atoms] = alternatives.as_slice() {
            return Some(conjunction(atoms));
        }
        let span = self.network.code.nodes[id].span;
        self.refuse(span, "a disjunction in this place", "conditions are conjunctions")
    }

    /// The condition (or its negation) as a list of conjunctions, one of which holds if it does.
    /// Alternatives come in the order of evaluation and exclude the earlier ones, so that what
    /// was evaluated only if needed still is.
    pub fn alternatives(&mut self, id: ExprId, positive: bool) -> Option<Vec<Atoms>> {
        let node = &self.network.code.nodes[id];
        match &node.expr {
            Expr::Int(value) => Some(match (*value != 0) == positive {
                true => vec![Vec::new()],
                false => Vec::new(),
            }),
            Expr::Unary(UnaryOp::Not, operand) => self.alternatives(*operand, !positive),
            Expr::Binary(BinaryOp::And, left, right) => {
                self.combine((*left, positive), (*right, positive), positive, id)
            }
            Expr::Binary(BinaryOp::Or, left, right) => {
                self.combine((*left, positive), (*right, positive), !positive, id)
            }
            Expr::Binary(BinaryOp::Imply, left, right) => {
                self.combine((*left, !positive), (*right, positive), !positive, id)
            }
            Expr::Conditional(condition, yes, no) if node.kind == Kind::Bool => {
                let first = self.combine((*condition, true), (*yes, positive), true, id)?;
                let second = self.combine((*condition, false), (*no, positive), true, id)?;
                self.limited(first.into_iter().chain(second).collect(), id)
            }
            Expr::Binary(op, left, right) => match comparison(*op, positive) {
                Some(symbol) => {
                    let (left, right) = (self.term(*left)?, self.term(*right)?);
                    Some(vec![vec![format!("{left} {symbol} {right}")]])
                }
                None => self.number_as_condition(id, positive),
            },
            _ => self.number_as_condition(id, positive),
        }
    }

    fn number_as_condition(&mut self, id: ExprId, positive: bool) -> Option<Vec<Atoms>> {
        let symbol = if positive { "!=" } else { "==" };
        Some(vec![vec![format!("{} {symbol} 0", self.term(id)?)]])
    }

    /// The conjunction of two conditions, or their disjunction. The operands come with the sign
    /// that the surrounding negations give them.
    fn combine(
        &mut self,
        left: (ExprId, bool),
        right: (ExprId, bool),
        both: bool,
        whole: ExprId,
    ) -> Option<Vec<Atoms>> {
        let first = self.alternatives(left.0, left.1)?;
        let second = self.alternatives(right.0, right.1)?;
        if both {
            return self.limited(product(&first, &second), whole);
        }
        let otherwise = self.alternatives(left.0, !left.1)?;
        let rest = product(&otherwise, &second);
        self.limited(first.into_iter().chain(rest).collect(), whole)
    }

    fn limited(&mut self, alternatives: Vec<Atoms>, whole: ExprId) -> Option<Vec<Atoms>> {
        if alternatives.len() <= ALTERNATIVES {
            return Some(alternatives);
        }
        let span = self.network.code.nodes[whole].span;
        let note = format!("it needs more than {ALTERNATIVES} edges");
        self.refuse(span, "this condition", &note)
    }

    /// A conjunct of a guard or invariant as conjunctions of atoms.
    pub fn conjunct(&mut self, conjunct: &Conjunct, span: Span) -> Option<Vec<Atoms>> {
        let data = match conjunct.data {
            Some(data) => self.alternatives(data, true)?,
            None => vec![Vec::new()],
        };
        let mut clocks = Vec::new();
        for constraint in &conjunct.clocks {
            clocks.push(self.constraint(constraint, span)?);
        }
        Some(product(&data, &[clocks]))
    }

    fn constraint(&mut self, constraint: &ClockConstraint, span: Span) -> Option<String> {
        let (less, greater) = if constraint.strict { ("<", ">") } else { ("<=", ">=") };
        match (&constraint.left, &constraint.right) {
            (Some(left), None) => {
                let bound = self.bound(constraint.bound, false, span)?;
                Some(format!("{} {less} {bound}", self.clock(left, span)?))
            }
            (None, Some(right)) => {
                let bound = self.bound(constraint.bound, true, span)?;
                Some(format!("{} {greater} {bound}", self.clock(right, span)?))
            }
            (Some(left), Some(right)) => {
                let bound = self.bound(constraint.bound, false, span)?;
                let (left, right) = (self.clock(left, span)?, self.clock(right, span)?);
                Some(format!("{left} - {right} {less} {bound}"))
            }
            (None, None) => {
                Some(format!("0 {less} {}", self.bound(constraint.bound, false, span)?))
            }
        }
    }

    /// An amount of time in scaled units, or its negative.
    pub fn bound(&mut self, bound: TimeBound, negated: bool, span: Span) -> Option<String> {
        match bound {
            TimeBound::Constant(value) => {
                let value = if negated { value.checked_neg() } else { Some(value) };
                let Some(value) = value.filter(|value| i32::try_from(*value).is_ok()) else {
                    return self.refuse(span, "a clock constant", "integers of .tck have 32 bits");
                };
                Some(value.to_string())
            }
            TimeBound::Expr(expr) => {
                let scale = self.network.scale;
                let text = match scale {
                    1 => self.at_least(expr, Level::Product)?,
                    _ => format!("{scale} * {}", self.at_least(expr, Level::Factor)?),
                };
                Some(if negated { format!("-({text})") } else { text })
            }
        }
    }

    /// A clock, or an element of an array of clocks.
    pub fn clock(&mut self, term: &ClockTerm, span: Span) -> Option<String> {
        let Some((index, length)) = term.index else {
            return self.layout.clocks.get(term.clock.index()).cloned();
        };
        let Some(array) = self.layout.clock_array(term.clock, length).map(str::to_owned) else {
            return self.refuse(
                span,
                "an index into overlapping arrays of clocks",
                "arrays of .tck have one dimension",
            );
        };
        Some(match length {
            1 => array,
            _ => format!("{array}[{}]", self.term(index)?),
        })
    }

    /// A variable, or an element of an array.
    pub fn place(&mut self, place: &Lvalue, span: Span) -> Option<String> {
        if place.base != Base::Global {
            return self.refuse(
                span,
                "a parameter or local variable",
                "all variables of .tck are global",
            );
        }
        if place.indices.is_empty() {
            return self.layout.slots.get(place.offset as usize).cloned();
        }
        let Some(array) = self.layout.slot_array(place).map(str::to_owned) else {
            return self.refuse(
                span,
                "this computed index",
                "an array of .tck has one dimension, one range and one initial value",
            );
        };
        let dynamic = place.indices[0];
        let index = self.at_least(dynamic.index, Level::Sum)?;
        Some(match dynamic.first {
            _ if dynamic.length == 1 => array,
            0 => format!("{array}[{index}]"),
            first => format!("{array}[{index} - ({first})]"),
        })
    }
}

/// The atoms joined, or a condition that always holds.
pub fn conjunction(atoms: &[String]) -> String {
    if atoms.is_empty() { "1 == 1".to_owned() } else { atoms.join(" && ") }
}

/// All conjunctions of one from each side.
pub fn product(left: &[Atoms], right: &[Atoms]) -> Vec<Atoms> {
    left.iter()
        .flat_map(|first| right.iter().map(move |second| [first.as_slice(), second].concat()))
        .collect()
}

fn comparison(op: BinaryOp, positive: bool) -> Option<&'static str> {
    Some(match (op, positive) {
        (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => "<",
        (BinaryOp::Le, true) | (BinaryOp::Gt, false) => "<=",
        (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => "==",
        (BinaryOp::Ne, true) | (BinaryOp::Eq, false) => "!=",
        (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => ">=",
        (BinaryOp::Gt, true) | (BinaryOp::Le, false) => ">",
        _ => return None,
    })
}
