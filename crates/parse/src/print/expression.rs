//! Expressions with as few parentheses as precedence allows.

use tioga_base::decimal;

use crate::clike::{POWER, RATE};
use crate::syntax::{
    ActionUse, AssignOp, BinaryOp, Communication, CountOp, CountPosition, Dialect, Expr, ExprKind,
    Quantifier, UnaryOp,
};

use super::Printer;

// How tightly a text binds; binary operators lie between, see `binary_level`.
const ASSIGNMENT: u32 = 0;
const CONDITIONAL: u32 = 1;
const BINARY: u32 = 2;
const PRODUCT: u32 = BINARY + 10;
const UNARY: u32 = PRODUCT + 1;
const POSTFIX: u32 = UNARY + 1;

impl Printer<'_> {
    /// Prints an action on an edge.
    pub(crate) fn action(&mut self, action: &ActionUse) -> String {
        let mut text = action.name.text.clone();
        for index in &action.indices {
            text.push_str(&format!("[{}]", self.expr(index)));
        }
        if !action.arguments.is_empty() {
            text.push_str(&format!("({})", self.exprs(&action.arguments)));
        }
        text.push_str(match action.communication {
            Communication::Send => "!",
            Communication::Receive => "?",
            Communication::Plain => "",
        });
        text
    }

    /// The text of an expression.
    pub fn expr(&mut self, expr: &Expr) -> String {
        let mut text = String::new();
        self.put(expr, ASSIGNMENT, false, &mut text);
        text
    }

    /// The text of an expression that is no assignment, such as a guard; an assignment is put in
    /// parentheses.
    pub fn condition(&mut self, expr: &Expr) -> String {
        let mut text = String::new();
        self.put(expr, CONDITIONAL, false, &mut text);
        text
    }

    /// The texts of expressions, separated by commas.
    pub fn exprs(&mut self, exprs: &[Expr]) -> String {
        let texts: Vec<String> = exprs.iter().map(|expr| self.expr(expr)).collect();
        texts.join(", ")
    }

    /// Appends an expression that must bind at least as tightly as `level`. `followed` says that
    /// an operator comes after it, which the body of a quantifier would swallow.
    fn put(&mut self, expr: &Expr, level: u32, followed: bool, text: &mut String) {
        let open_ended = matches!(expr.kind, ExprKind::Quantified(..));
        if self.level(expr) < level || (open_ended && followed) {
            text.push('(');
            self.put_bare(expr, false, text);
            text.push(')');
        } else {
            self.put_bare(expr, followed, text);
        }
    }

    fn level(&self, expr: &Expr) -> u32 {
        if let Some(value) = self.folded(expr) {
            return if value < 0 { UNARY } else { POSTFIX };
        }
        match &expr.kind {
            ExprKind::Int(value) if *value < 0 => UNARY,
            ExprKind::Rational(value) => match decimal(*value) {
                number if number.contains('/') => PRODUCT,
                number if number.starts_with('-') => UNARY,
                _ => POSTFIX,
            },
            ExprKind::Assign(..) => ASSIGNMENT,
            ExprKind::Conditional(..) => CONDITIONAL,
            ExprKind::Binary(op, ..) => BINARY + binary_level(*op),
            ExprKind::Unary(..) | ExprKind::Count(_, CountPosition::Before, _) => UNARY,
            // A quantifier starts like a name; only what follows it matters. A postfix operator
            // counts as following.
            _ => POSTFIX,
        }
    }

    /// In `.tioga` the quotient of two literals would be a rational literal, so an integer
    /// division of literals, which only other dialects have, is printed as its value.
    fn folded(&self, expr: &Expr) -> Option<i64> {
        if self.dialect != Dialect::Tioga {
            return None;
        }
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Div, left, right) => {
                self.literal(left)?.checked_div(self.literal(right)?)
            }
            _ => None,
        }
    }

    fn literal(&self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Unary(UnaryOp::Neg, operand) => self.literal(operand)?.checked_neg(),
            _ => self.folded(expr),
        }
    }

    fn put_bare(&mut self, expr: &Expr, followed: bool, text: &mut String) {
        if let Some(value) = self.folded(expr) {
            return put_int(value, text);
        }
        match &expr.kind {
            ExprKind::Int(value) => put_int(*value, text),
            ExprKind::Rational(value) => {
                if self.dialect != Dialect::Tioga {
                    self.inexpressible(expr.span, &format!("the rational number {value}"));
                }
                text.push_str(&decimal(*value));
            }
            ExprKind::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
            ExprKind::Name(name) => text.push_str(name),
            ExprKind::Deadlock => text.push_str("deadlock"),
            ExprKind::Index(base, index) => {
                self.put(base, POSTFIX, true, text);
                text.push('[');
                self.put(index, ASSIGNMENT, false, text);
                text.push(']');
            }
            ExprKind::Field(base, field) => {
                self.put(base, POSTFIX, true, text);
                text.push('.');
                text.push_str(&field.text);
            }
            ExprKind::Call(callee, arguments) if is_called(callee, RATE) => {
                arguments.iter().for_each(|clock| self.put(clock, POSTFIX, true, text));
                text.push_str(RATE);
            }
            ExprKind::Call(callee, arguments) if is_called(callee, POWER) => {
                let parts = arguments.iter().map(|one| format!("({})", self.expr(one)));
                let parts: Vec<String> = parts.collect();
                text.push_str(&format!("({})", parts.join(&format!(" {POWER} "))));
            }
            ExprKind::Call(callee, arguments) => {
                self.put(callee, POSTFIX, true, text);
                text.push('(');
                text.push_str(&self.exprs(arguments));
                text.push(')');
            }
            ExprKind::Unary(op, operand) => {
                let op = match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Plus => "+",
                    UnaryOp::Not => "!",
                };
                self.put_prefix(op, operand, followed, text);
            }
            ExprKind::Count(step, CountPosition::Before, operand) => {
                self.put_prefix(step_text(*step), operand, followed, text);
            }
            ExprKind::Count(step, CountPosition::After, operand) => {
                self.put(operand, POSTFIX, true, text);
                text.push_str(step_text(*step));
            }
            ExprKind::Binary(op, left, right) => {
                let level = BINARY + binary_level(*op);
                self.put(left, level, true, text);
                text.push(' ');
                text.push_str(binary_text(*op));
                text.push(' ');
                self.put(right, level + 1, followed, text);
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.put(condition, BINARY, true, text);
                text.push_str(" ? ");
                self.put(yes, ASSIGNMENT, false, text);
                text.push_str(" : ");
                self.put(no, CONDITIONAL, followed, text);
            }
            ExprKind::Assign(op, left, right) => {
                self.put(left, CONDITIONAL, true, text);
                text.push(' ');
                if let AssignOp::Compound(op) = op {
                    text.push_str(binary_text(*op));
                }
                text.push_str("= ");
                self.put(right, ASSIGNMENT, followed, text);
            }
            ExprKind::Quantified(quantifier, name, ty, body) => {
                let word = match quantifier {
                    Quantifier::Forall => "forall",
                    Quantifier::Exists => "exists",
                    Quantifier::Sum => "sum",
                };
                let ty = self.type_expr(ty);
                text.push_str(&format!("{word} ({} : {ty}) ", name.text));
                self.put(body, ASSIGNMENT, followed, text);
            }
        }
    }

    fn put_prefix(&mut self, op: &str, operand: &Expr, followed: bool, text: &mut String) {
        text.push_str(op);
        let start = text.len();
        self.put(operand, UNARY, followed, text);
        // `- -x` is not `--x`.
        if op != "!" && text[start..].starts_with(['+', '-']) {
            text.insert(start, ' ');
        }
    }
}

/// Whether a call stands for an operator that is kept under this name.
fn is_called(callee: &Expr, operator: &str) -> bool {
    matches!(&callee.kind, ExprKind::Name(name) if name == operator)
}

fn put_int(value: i64, text: &mut String) {
    if value == i64::MIN {
        // Its magnitude is no literal.
        text.push_str(&format!("({} - 1)", value + 1));
    } else {
        text.push_str(&value.to_string());
    }
}

fn step_text(step: CountOp) -> &'static str {
    match step {
        CountOp::Increment => "++",
        CountOp::Decrement => "--",
    }
}

/// The levels of the parser.
fn binary_level(op: BinaryOp) -> u32 {
    match op {
        BinaryOp::Or | BinaryOp::Imply => 0,
        BinaryOp::And => 1,
        BinaryOp::BitOr => 2,
        BinaryOp::BitXor => 3,
        BinaryOp::BitAnd => 4,
        BinaryOp::Eq | BinaryOp::Ne => 5,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Gt => 6,
        BinaryOp::Min | BinaryOp::Max => 7,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 8,
        BinaryOp::Add | BinaryOp::Sub => 9,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => 10,
    }
}

fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "||",
        BinaryOp::Imply => "imply",
        BinaryOp::And => "&&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::BitAnd => "&",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Gt => ">",
        BinaryOp::Min => "<?",
        BinaryOp::Max => ">?",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Mod => "%",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clike::{Origin, Parser, lex};
    use crate::print::print_expr;
    use tioga_base::{Diagnostics, FileId};

    fn parse(text: &str, dialect: Dialect) -> Expr {
        let lexed = lex(text, &Origin::whole(FileId(0)));
        let mut diagnostics = Diagnostics::new();
        let expr = Parser::new(&lexed, dialect, &mut diagnostics).expression();
        assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
        expr.unwrap()
    }

    #[track_caller]
    fn check(text: &str, printed: &str) {
        assert_eq!(print_expr(&parse(text, Dialect::Tioga), Dialect::Tioga), printed);
    }

    #[test]
    fn parentheses_appear_only_where_precedence_needs_them() {
        check("(a + b) + c", "a + b + c");
        check("a - (b - c)", "a - (b - c)");
        check("(a * b) + (c % d)", "a * b + c % d");
        check("((a < b) < c) == (d)", "a < b < c == d");
        check("a < (b < c)", "a < (b < c)");
        check("not (a and b) or c", "!(a && b) || c");
        check("(a || b) imply c", "a || b imply c");
        check("a || (b imply c)", "a || (b imply c)");
        check("(a <? b)[i].f++", "(a <? b)[i].f++");
    }

    #[test]
    fn signs_stay_apart() {
        check("- -x", "- -x");
        check("+(++x)", "+ ++x");
        check("a - (-1)", "a - -1");
        check("a - --b", "a - --b");
        check("(-1)[0]", "(-1)[0]");
        check("!-x", "!-x");
    }

    #[test]
    fn assignments_and_conditionals_nest_to_the_right() {
        check("a := b = c", "a = b = c");
        check("(a = b) = c", "(a = b) = c");
        check("a += (b ? c : d)", "a += b ? c : d");
        check("a ? b : (c = d)", "a ? b : (c = d)");
        check("(a ? b : c) ? d : e ? f : g", "(a ? b : c) ? d : e ? f : g");
        check("a + (b = 1)", "a + (b = 1)");
    }

    #[test]
    fn quantifiers_are_closed_before_an_operator() {
        check("(forall (i : int[0,3]) a[i]) && b", "(forall (i : int[0, 3]) a[i]) && b");
        check("b && forall (i : T) a[i] || c", "b && forall (i : T) a[i] || c");
        check("(b && forall (i : T) a[i]) || c", "b && (forall (i : T) a[i]) || c");
        check("(sum (i : T) a[i]) ? 1 : 2", "(sum (i : T) a[i]) ? 1 : 2");
    }

    #[test]
    fn rational_literals_are_decimals_where_these_end_and_quotients_elsewhere() {
        check("0.5 * x", "0.5 * x");
        check("x - -7/2", "x - -3.5");
        check("(x - 2.50) * (7/2)", "(x - 2.5) * 3.5");
        check("x * (1/3)", "x * (1/3)");
        check("x / 3", "x / 3");
        check("4 / 2", "2");
        check("1 / 0", "1 / 0");
        let mut printer = Printer::new(Dialect::Uppaal);
        printer.expr(&parse("1/3", Dialect::Tioga));
        assert!(printer.diagnostics.has_errors());
    }

    #[test]
    fn integer_divisions_of_literals_become_their_value_in_tioga() {
        let fold = |text| print_expr(&parse(text, Dialect::Uppaal), Dialect::Tioga);
        assert_eq!(fold("7 / 2"), "3");
        assert_eq!(fold("-7 / 2 / 2 + x"), "-1 + x");
        assert_eq!(fold("x * (7 / 2)"), "x * 3");
        assert_eq!(fold("x / 2"), "x / 2");
        assert_eq!(print_expr(&parse("7 / 2", Dialect::Uppaal), Dialect::Uppaal), "7 / 2");
    }
}
