//! What solvers answer: expressions of SMT-LIB, and the exact numbers in them.

use tioga_base::Rational;

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Expression {
    /// A word, a number, or a name between bars (without them).
    Word(String),
    /// Expressions in parentheses.
    List(Vec<Expression>),
}

/// How deep parentheses may be nested.
const DEPTH: usize = 100;

/// The first expression of a text; nothing if there is no complete one.
pub(crate) fn first(text: &str) -> Option<Expression> {
    let mut open: Vec<Vec<Expression>> = Vec::new();
    let mut rest = text.trim_start();
    loop {
        let next = rest.chars().next()?;
        let found = match next {
            '(' => {
                if open.len() >= DEPTH {
                    return None;
                }
                open.push(Vec::new());
                rest = &rest[1..];
                None
            }
            ')' => {
                rest = &rest[1..];
                Some(Expression::List(open.pop()?))
            }
            '|' | '"' => {
                let inside = &rest[1..];
                let end = inside.find(next)?;
                let word = inside[..end].to_owned();
                rest = &inside[end + 1..];
                Some(Expression::Word(word))
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '|' | '"');
                let end = rest.find(ends).unwrap_or(rest.len());
                let word = rest[..end].to_owned();
                rest = &rest[end..];
                Some(Expression::Word(word))
            }
        };
        if let Some(found) = found {
            match open.last_mut() {
                Some(list) => list.push(found),
                None => return Some(found),
            }
        }
        rest = rest.trim_start();
    }
}

impl Expression {
    /// The number it stands for; nothing if it is none, none of 64 bits, or only near to one.
    pub(crate) fn number(&self) -> Option<Rational> {
        match self {
            Self::Word(word) => {
                let digits = word.strip_prefix('-').unwrap_or(word);
                let plain = digits.chars().all(|c| c.is_ascii_digit() || c == '.');
                if !plain {
                    return None;
                }
                word.strip_suffix(".0").unwrap_or(word).parse().ok()
            }
            Self::List(parts) => match &parts[..] {
                [Self::Word(sign), inside] if sign == "-" => inside.number()?.neg().ok(),
                [Self::Word(sign), top, below] if sign == "/" => {
                    top.number()?.div(below.number()?).ok()
                }
                [Self::Word(cast), inside] if cast == "to_real" => inside.number(),
                _ => None,
            },
        }
    }

    /// The pairs of a list of pairs, each of a word and an expression.
    pub(crate) fn values(&self) -> Option<Vec<(&str, &Self)>> {
        let Self::List(pairs) = self else { return None };
        let named = pairs.iter().map(|pair| match pair {
            Self::List(both) => match &both[..] {
                [Self::Word(name), value] => Some((name.as_str(), value)),
                _ => None,
            },
            Self::Word(_) => None,
        });
        named.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_exactly_or_not_at_all() {
        let number = |text: &str| first(text).and_then(|found| found.number());
        let third = Rational::new(-1, 3).unwrap();
        assert_eq!(number("7"), Some(Rational::from(7)));
        assert_eq!(number("(- 7)"), Some(Rational::from(-7)));
        assert_eq!(number("-7"), Some(Rational::from(-7)));
        assert_eq!(number("7.0"), Some(Rational::from(7)));
        assert_eq!(number("0.25"), Some(Rational::new(1, 4).unwrap()));
        assert_eq!(number("(- (/ 1.0 3.0))"), Some(third));
        assert_eq!(number("(/ (- 1) 3)"), Some(third));
        for none in ["1.41?", "(root-obj (+ (^ x 2) (- 2)) 2)", "99999999999999999999", "(/ 1 0)"] {
            assert_eq!(number(none), None, "{none}");
        }
    }

    #[test]
    fn what_is_no_expression_is_nothing() {
        for text in ["", "(", "((a 1)", ")", "|a", &"(".repeat(1000)] {
            assert_eq!(first(text), None, "{text}");
        }
        let found = first(" ((|s 1| 2)\n (s2 (- 3))) rest").unwrap();
        let values = found.values().unwrap();
        assert_eq!(values.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["s 1", "s2"]);
        assert_eq!(first("(a b)").unwrap().values(), None);
    }
}
