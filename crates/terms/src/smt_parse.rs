//! Reads the part of SMT-LIB that [`smt_lib`](crate::smt_lib) writes.

use tioga_base::{Overflow, Rational};

use crate::{Formula, Operator, Relation, SymbolId, Symbols, Term};

/// How deep expressions may nest.
const DEPTH: usize = 200;

/// An expression in parentheses, or a word.
enum Tree {
    Word(String),
    List(Vec<Tree>),
}

/// Reads a formula; `symbol` says what a name stands for.
///
/// # Errors
/// What is wrong, in words.
pub fn parse_formula(
    symbols: &Symbols,
    symbol: &dyn Fn(&str) -> Option<SymbolId>,
    text: &str,
) -> Result<Formula, String> {
    formula(symbols, symbol, &tree(text)?)
}

/// Reads a term; `symbol` says what a name stands for.
///
/// # Errors
/// What is wrong, in words.
pub fn parse_term(symbol: &dyn Fn(&str) -> Option<SymbolId>, text: &str) -> Result<Term, String> {
    term(symbol, &tree(text)?)
}

fn tree(text: &str) -> Result<Tree, String> {
    let mut open: Vec<Vec<Tree>> = vec![Vec::new()];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        match first {
            '(' => {
                if open.len() > DEPTH {
                    return Err("the expression nests too deeply".to_owned());
                }
                open.push(Vec::new());
                rest = &rest[1..];
            }
            ')' => {
                let list = open.pop().filter(|_| !open.is_empty());
                let around = open.last_mut().zip(list).ok_or("a `)` without `(`")?;
                around.0.push(Tree::List(around.1));
                rest = &rest[1..];
            }
            '|' => {
                let end = rest[1..].find('|').ok_or("a `|` without an end")?;
                let word = Tree::Word(rest[1..=end].to_owned());
                open.last_mut().ok_or("a `)` without `(`")?.push(word);
                rest = &rest[end + 2..];
            }
            _ => {
                let end =
                    rest.find(|letter: char| letter.is_whitespace() || "()|".contains(letter));
                let end = end.unwrap_or(rest.len());
                let word = Tree::Word(rest[..end].to_owned());
                open.last_mut().ok_or("a `)` without `(`")?.push(word);
                rest = &rest[end..];
            }
        }
        rest = rest.trim_start();
    }
    match (open.pop(), open.is_empty()) {
        (Some(mut list), true) if list.len() == 1 => list.pop().ok_or_else(String::new),
        (_, false) => Err("a `(` without `)`".to_owned()),
        _ => Err("one expression is expected".to_owned()),
    }
}

fn formula(
    symbols: &Symbols,
    symbol: &dyn Fn(&str) -> Option<SymbolId>,
    tree: &Tree,
) -> Result<Formula, String> {
    let list = match tree {
        Tree::Word(word) if word == "true" => return Ok(Formula::True),
        Tree::Word(word) if word == "false" => return Ok(Formula::False),
        Tree::Word(word) => return Err(format!("`{word}` is no condition")),
        Tree::List(list) => list,
    };
    let [Tree::Word(head), parts @ ..] = &list[..] else {
        return Err("a list has to begin with a word".to_owned());
    };
    let inner = || parts.iter().map(|part| formula(symbols, symbol, part));
    match (head.as_str(), parts) {
        ("and", _) => Ok(Formula::all(inner().collect::<Result<Vec<_>, _>>()?)),
        ("or", _) => Ok(Formula::any(inner().collect::<Result<Vec<_>, _>>()?)),
        ("not", [part]) => formula(symbols, symbol, part)?.negated(symbols).map_err(overflow),
        ("=", [Tree::List(list), zero]) if is_remainder(list, zero) => {
            let [_, divided, divisor] = &list[..] else { return Err("`mod` has two parts".into()) };
            let divisor = term(symbol, divisor)?.as_number().and_then(Rational::to_integer);
            let divisor = divisor.filter(|divisor| *divisor > 0);
            let divisor = divisor.ok_or("the divisor has to be a positive number")?;
            Formula::divides(divisor, term(symbol, divided)?, true).map_err(overflow)
        }
        ("=" | "<" | "<=" | ">" | ">=", [left, right]) => {
            let (mut left, mut right) = (term(symbol, left)?, term(symbol, right)?);
            if head.starts_with('>') {
                std::mem::swap(&mut left, &mut right);
            }
            let relation = match head.as_str() {
                "=" => Relation::Zero,
                "<" | ">" => Relation::BelowZero,
                _ => Relation::AtMostZero,
            };
            let difference = left.minus(&right).map_err(overflow)?;
            Formula::compare(symbols, difference, relation).map_err(overflow)
        }
        _ => Err(format!("`{head}` with {} parts is no condition", parts.len())),
    }
}

/// Whether a comparison says that a remainder is zero.
fn is_remainder(list: &[Tree], zero: &Tree) -> bool {
    let head = matches!(list.first(), Some(Tree::Word(word)) if word == "mod");
    head && matches!(zero, Tree::Word(word) if word == "0")
}

fn term(symbol: &dyn Fn(&str) -> Option<SymbolId>, tree: &Tree) -> Result<Term, String> {
    let list = match tree {
        Tree::Word(word) => {
            if let Ok(number) = word.parse::<Rational>() {
                return Ok(Term::number(number));
            }
            let known = symbol(word).map(Term::symbol);
            return known.ok_or_else(|| format!("nothing is called `{word}`"));
        }
        Tree::List(list) => list,
    };
    let [Tree::Word(head), parts @ ..] = &list[..] else {
        return Err("a list has to begin with a word".to_owned());
    };
    let mut values = Vec::new();
    for part in parts {
        values.push(term(symbol, part)?);
    }
    let fold = |next: fn(&Term, &Term) -> Result<Term, Overflow>| {
        let mut all = values.iter();
        let first = all.next().cloned().ok_or_else(|| format!("`{head}` needs parts"))?;
        all.try_fold(first, |sum, value| next(&sum, value)).map_err(overflow)
    };
    match (head.as_str(), &values[..]) {
        ("-", [one]) => one.times(Rational::from(-1)).map_err(overflow),
        ("+", _) => fold(Term::plus),
        ("-", _) => fold(Term::minus),
        ("*", _) => {
            fold(|one, other| Term::operation(Operator::Product, one.clone(), other.clone()))
        }
        ("/", _) => fold(|one, other| Term::operation(Operator::Ratio, one.clone(), other.clone())),
        ("to_real", [one]) => Ok(one.clone()),
        _ => Err(format!("`{head}` with {} parts is no number", parts.len())),
    }
}

fn overflow(_: Overflow) -> String {
    "a number does not fit in 64 bits".to_owned()
}
