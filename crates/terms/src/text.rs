//! Formulas as people read them, and as SMT-LIB writes them.

use std::fmt;

use tioga_base::Rational;

use crate::{Comparison, Formula, Operator, Part, Relation, Symbols, Term};

/// Shows a term or formula with the names of its symbols.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a, T>(pub &'a Symbols, pub &'a T);

impl fmt::Display for Names<'_, Term> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(symbols, term) = self;
        let mut first = true;
        for (part, factor) in term.parts() {
            sign(f, *factor, first)?;
            let size = absolute(*factor);
            if size != Rational::ONE {
                write!(f, "{size} * ")?;
            }
            write_part(f, symbols, part)?;
            first = false;
        }
        if first {
            return write!(f, "{}", term.constant());
        }
        if !term.constant().is_zero() {
            sign(f, term.constant(), false)?;
            write!(f, "{}", absolute(term.constant()))?;
        }
        Ok(())
    }
}

impl fmt::Display for Names<'_, Formula> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(symbols, formula) = self;
        match formula {
            Formula::True => f.write_str("true"),
            Formula::False => f.write_str("false"),
            Formula::Compare(comparison) => write_comparison(f, symbols, comparison),
            Formula::Divides { divisor, term, holds } => {
                let relation = if *holds { "==" } else { "!=" };
                write!(f, "({}) % {divisor} {relation} 0", Names(symbols, term))
            }
            Formula::And(parts) => joined(f, symbols, parts, " && "),
            Formula::Or(parts) => joined(f, symbols, parts, " || "),
        }
    }
}

fn joined(
    f: &mut fmt::Formatter<'_>,
    symbols: &Symbols,
    parts: &[Formula],
    connective: &str,
) -> fmt::Result {
    for (position, part) in parts.iter().enumerate() {
        if position > 0 {
            f.write_str(connective)?;
        }
        match part {
            Formula::And(_) | Formula::Or(_) => write!(f, "({})", Names(symbols, part))?,
            _ => write!(f, "{}", Names(symbols, part))?,
        }
    }
    Ok(())
}

/// `x - y <= 3`: positive parts on the left, the others on the right.
fn write_comparison(
    f: &mut fmt::Formatter<'_>,
    symbols: &Symbols,
    comparison: &Comparison,
) -> fmt::Result {
    let Comparison { term, relation } = comparison;
    let flipped = term.parts().iter().all(|(_, factor)| factor.is_negative());
    let side = |negative: bool| {
        let parts = term.parts().iter().filter(move |(_, factor)| factor.is_negative() == negative);
        parts.map(|(part, factor)| (part, absolute(*factor))).collect::<Vec<_>>()
    };
    let (mut left, mut right) = (side(false), side(true));
    let mut constant = term.constant();
    // The constant stands on the right; a side without parts is the constant alone.
    let negate = |number: Rational| number.neg().unwrap_or(number);
    let sign = match (*relation, flipped) {
        (Relation::Zero, _) => "==",
        (Relation::NotZero, _) => "!=",
        (Relation::AtMostZero, false) => "<=",
        (Relation::BelowZero, false) => "<",
        (Relation::AtMostZero, true) => ">=",
        (Relation::BelowZero, true) => ">",
    };
    if flipped {
        std::mem::swap(&mut left, &mut right);
    } else {
        constant = negate(constant);
    }
    write_side(f, symbols, &left, Rational::ZERO)?;
    write!(f, " {sign} ")?;
    write_side(f, symbols, &right, constant)
}

fn write_side(
    f: &mut fmt::Formatter<'_>,
    symbols: &Symbols,
    parts: &[(&Part, Rational)],
    constant: Rational,
) -> fmt::Result {
    for (position, (part, factor)) in parts.iter().enumerate() {
        if position > 0 {
            f.write_str(" + ")?;
        }
        if *factor != Rational::ONE {
            write!(f, "{factor} * ")?;
        }
        write_part(f, symbols, part)?;
    }
    if parts.is_empty() {
        return write!(f, "{constant}");
    }
    if !constant.is_zero() {
        sign(f, constant, false)?;
        write!(f, "{}", absolute(constant))?;
    }
    Ok(())
}

fn sign(f: &mut fmt::Formatter<'_>, number: Rational, first: bool) -> fmt::Result {
    f.write_str(match (number.is_negative(), first) {
        (true, true) => "-",
        (true, false) => " - ",
        (false, true) => "",
        (false, false) => " + ",
    })
}

fn absolute(number: Rational) -> Rational {
    if number.is_negative() { number.neg().unwrap_or(number) } else { number }
}

fn write_part(f: &mut fmt::Formatter<'_>, symbols: &Symbols, part: &Part) -> fmt::Result {
    match part {
        Part::Symbol(symbol) => f.write_str(&symbols[*symbol].name),
        Part::Operation(operation) => {
            let operator = match operation.operator {
                Operator::Product => "*",
                Operator::Quotient | Operator::Ratio => "/",
                Operator::Remainder => "%",
                Operator::ShiftLeft => "<<",
                Operator::ShiftRight => ">>",
                Operator::BitAnd => "&",
                Operator::BitOr => "|",
                Operator::BitXor => "^",
            };
            operand(f, symbols, &operation.left)?;
            write!(f, " {operator} ")?;
            operand(f, symbols, &operation.right)
        }
    }
}

fn operand(f: &mut fmt::Formatter<'_>, symbols: &Symbols, term: &Term) -> fmt::Result {
    let single = term.as_number().is_some_and(|number| !number.is_negative());
    if single || term.as_symbol().is_some() {
        write!(f, "{}", Names(symbols, term))
    } else {
        write!(f, "({})", Names(symbols, term))
    }
}

/// A comparison of a term with zero as two sides without negative parts, the constant on the right, and whether the
/// sides changed places.
fn sides(term: &Term) -> Option<(Term, Term, bool)> {
    let minus = Rational::from(-1);
    let constant = Term::number(term.constant());
    let parts = term.minus(&constant).ok()?;
    if parts.parts().iter().all(|(_, factor)| factor.is_negative()) {
        return Some((parts.times(minus).ok()?, constant, true));
    }
    let mut right = constant.times(minus).ok()?;
    let mut left = parts.clone();
    for (part, factor) in parts.parts().iter().filter(|(_, factor)| factor.is_negative()) {
        let own = Term::from_parts(vec![(part.clone(), factor.neg().ok()?)], Rational::ZERO);
        left = left.plus(&own).ok()?;
        right = right.plus(&own).ok()?;
    }
    Some((left, right, false))
}

/// A formula as an SMT-LIB 2.6 term of sort Bool; symbols are written `|name|`. Nothing if it holds an
/// operation that the theories of linear and nonlinear arithmetic lack (operations on bits).
pub fn smt_lib(symbols: &Symbols, formula: &Formula) -> Option<String> {
    let list = |head: &str, parts: &[Formula]| {
        let parts = parts.iter().map(|part| smt_lib(symbols, part)).collect::<Option<Vec<_>>>()?;
        Some(format!("({head} {})", parts.join(" ")))
    };
    match formula {
        Formula::True => Some("true".to_owned()),
        Formula::False => Some("false".to_owned()),
        Formula::And(parts) => list("and", parts),
        Formula::Or(parts) => list("or", parts),
        Formula::Compare(Comparison { term, relation }) => {
            let integer = term.is_integer(symbols);
            let (left, right, flipped) = sides(term)?;
            let left = smt_term(symbols, &left, integer)?;
            let right = smt_term(symbols, &right, integer)?;
            Some(match (relation, flipped) {
                (Relation::Zero, _) => format!("(= {left} {right})"),
                (Relation::NotZero, _) => format!("(not (= {left} {right}))"),
                (Relation::AtMostZero, false) => format!("(<= {left} {right})"),
                (Relation::BelowZero, false) => format!("(< {left} {right})"),
                (Relation::AtMostZero, true) => format!("(>= {left} {right})"),
                (Relation::BelowZero, true) => format!("(> {left} {right})"),
            })
        }
        Formula::Divides { divisor, term, holds } => {
            let text = format!("(= (mod {} {divisor}) 0)", smt_term(symbols, term, true)?);
            Some(if *holds { text } else { format!("(not {text})") })
        }
    }
}

/// A term as SMT-LIB writes it, of sort Int if it is an integer for all values of its symbols and of sort Real
/// otherwise; nothing as for [`smt_lib`].
pub fn smt_lib_term(symbols: &Symbols, term: &Term) -> Option<String> {
    smt_term(symbols, term, term.is_integer(symbols))
}

/// A term of sort Int, or of sort Real.
fn smt_term(symbols: &Symbols, term: &Term, integer: bool) -> Option<String> {
    let mut parts = Vec::new();
    for (part, factor) in term.parts() {
        let text = smt_part(symbols, part, integer)?;
        parts.push(if *factor == Rational::ONE {
            text
        } else {
            format!("(* {} {text})", smt_number(*factor, integer))
        });
    }
    if !term.constant().is_zero() || parts.is_empty() {
        parts.push(smt_number(term.constant(), integer));
    }
    Some(if parts.len() == 1 { parts.swap_remove(0) } else { format!("(+ {})", parts.join(" ")) })
}

fn smt_number(number: Rational, integer: bool) -> String {
    let size = absolute(number);
    let text = match (integer, size.denominator()) {
        (true, _) => size.numerator().to_string(),
        (false, 1) => format!("{}.0", size.numerator()),
        (false, below) => format!("(/ {}.0 {below}.0)", size.numerator()),
    };
    if number.is_negative() { format!("(- {text})") } else { text }
}

fn smt_part(symbols: &Symbols, part: &Part, integer: bool) -> Option<String> {
    let real = |text: String, is_integer: bool| {
        if is_integer && !integer { format!("(to_real {text})") } else { text }
    };
    match part {
        Part::Symbol(symbol) => {
            let is_integer = symbols.sort(*symbol) == crate::Sort::Int;
            Some(real(format!("|{}|", symbols[*symbol].name), is_integer))
        }
        Part::Operation(operation) => {
            let whole = !matches!(operation.operator, Operator::Product | Operator::Ratio)
                || (operation.operator == Operator::Product
                    && operation.left.is_integer(symbols)
                    && operation.right.is_integer(symbols));
            let left = smt_term(symbols, &operation.left, whole)?;
            let right = smt_term(symbols, &operation.right, whole)?;
            let text = match operation.operator {
                Operator::Product => format!("(* {left} {right})"),
                Operator::Ratio => format!("(/ {left} {right})"),
                // SMT-LIB rounds so that the remainder is not negative; ours goes towards zero.
                Operator::Quotient => {
                    format!("(ite (>= {left} 0) (div {left} {right}) (- (div (- {left}) {right})))")
                }
                Operator::Remainder => {
                    format!("(ite (>= {left} 0) (mod {left} {right}) (- (mod (- {left}) {right})))")
                }
                _ => return None,
            };
            Some(real(text, whole))
        }
    }
}
