//! All values of one integer symbol for which a formula holds, as intervals.

use crate::{Comparison, Formula, Relation, Sort, SymbolId, Symbols, Term};

use super::number::{ceil_div, floor_div, gcd};
use super::procedure::Exact;
use super::stop::Unknown;

/// An interval of integers, both ends included; without an end, it goes on for ever.
pub type Interval = (Option<i64>, Option<i64>);

/// Disjoint intervals in order, with ends of 128 bits; the least and greatest numbers stand for no end.
type Set = Vec<(i128, i128)>;

const LOW: i128 = i128::MIN;
const HIGH: i128 = i128::MAX;

impl Exact {
    /// The values of an integer symbol for which the formula holds, within the range of the symbol: disjoint
    /// intervals in order, no two of which touch. Other symbols may have any values that make it hold.
    ///
    /// More intervals than `limit`, or infinitely many, are `Unknown`.
    pub fn solutions(
        &mut self,
        symbols: &Symbols,
        formula: &Formula,
        symbol: SymbolId,
        limit: usize,
    ) -> Result<Vec<Interval>, Unknown> {
        let name = &symbols[symbol].name;
        if symbols.sort(symbol) != Sort::Int {
            return Err(Unknown(format!("{name} is no integer")));
        }
        let mut others = formula.symbols();
        others.remove(&symbol);
        let others: Vec<SymbolId> = others.into_iter().collect();
        let formula = self.project(symbols, formula, &others)?;
        let formula = self.without_quotients(symbols, &formula)?;
        let declared = &symbols[symbol];
        let range = (declared.low.map_or(LOW, i128::from), declared.high.map_or(HIGH, i128::from));
        let range = if range.0 <= range.1 { vec![range] } else { Vec::new() };
        let set = within(&formula, symbol, &range, limit)
            .ok_or_else(|| Unknown(format!("{name} has more than {limit} intervals of values")))?;
        let end = |value: i128| match value {
            LOW | HIGH => Ok(None),
            value => i64::try_from(value).map(Some).map_err(|_| {
                Unknown(format!("a number left the range of exact numbers: a value of {name}"))
            }),
        };
        set.into_iter().map(|(low, high)| Ok((end(low)?, end(high)?))).collect()
    }
}

/// The part of a set in which a formula over one symbol holds; nothing if it has too many intervals.
fn within(formula: &Formula, symbol: SymbolId, set: &[(i128, i128)], limit: usize) -> Option<Set> {
    let found = match formula {
        Formula::True => set.to_vec(),
        Formula::False => Vec::new(),
        Formula::And(parts) => {
            let mut left = set.to_vec();
            // Divisibility comes last: what the others leave may be small.
            let divides = |part: &&Formula| !matches!(part, Formula::Compare(_));
            let compares = parts.iter().filter(|part| !divides(part));
            for part in compares.chain(parts.iter().filter(divides)) {
                left = within(part, symbol, &left, limit)?;
            }
            left
        }
        Formula::Or(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(within(part, symbol, set, limit)?);
            }
            all.sort_unstable();
            joined(all)
        }
        Formula::Compare(Comparison { term, relation }) if term.as_number().is_some() => {
            if relation.holds(term.constant()) { set.to_vec() } else { Vec::new() }
        }
        Formula::Compare(Comparison { term, relation }) => {
            let factor = i128::from(term.coefficient(symbol).numerator());
            let below = i128::from(term.coefficient(symbol).denominator());
            // factor / below · x + constant, times both denominators.
            let constant = i128::from(term.constant().numerator()).checked_mul(below)?;
            let factor = factor.checked_mul(i128::from(term.constant().denominator()))?;
            let exact = constant % factor == 0;
            let value = -constant.checked_div(factor)?;
            let up_to = |strict: i128| match factor > 0 {
                true => (LOW, floor_div(-constant - strict, factor)),
                false => (ceil_div(constant + strict, -factor), HIGH),
            };
            let allowed: Set = match relation {
                Relation::AtMostZero => vec![up_to(0)],
                Relation::BelowZero => vec![up_to(1)],
                Relation::Zero if exact => vec![(value, value)],
                Relation::Zero => Vec::new(),
                Relation::NotZero if exact => vec![(LOW, value - 1), (value + 1, HIGH)],
                Relation::NotZero => vec![(LOW, HIGH)],
            };
            common(set, &allowed)
        }
        Formula::Divides { divisor, term, holds } => {
            divided(i128::from(*divisor), term, *holds, symbol, set, limit)?
        }
    };
    (found.len() <= limit).then_some(found)
}

/// The part of a set in which a number divides a term, or does not.
fn divided(
    divisor: i128,
    term: &Term,
    holds: bool,
    symbol: SymbolId,
    set: &[(i128, i128)],
    limit: usize,
) -> Option<Set> {
    let factor = i128::from(term.coefficient(symbol).to_integer()?);
    let constant = i128::from(term.constant().to_integer()?);
    let common = gcd(divisor, factor);
    let period = divisor / common;
    // It is divided for one residue of the symbol, or for none.
    if constant % common != 0 {
        return Some(if holds { Vec::new() } else { set.to_vec() });
    }
    let inverse = inverse((factor / common).rem_euclid(period), period);
    let first = (-constant / common).rem_euclid(period) * inverse % period;
    if period == 1 {
        return Some(if holds { set.to_vec() } else { Vec::new() });
    }
    let mut found = Set::new();
    for (low, high) in set {
        let apart = high.checked_sub(*low).filter(|_| *low != LOW && *high != HIGH);
        if apart.is_none_or(|apart| apart / period > limit as i128) {
            return None;
        }
        let mut value = low + (first - low).rem_euclid(period);
        let mut free = *low;
        while value <= *high {
            if holds {
                found.push((value, value));
            } else if free < value {
                found.push((free, value - 1));
            }
            free = value + 1;
            value += period;
        }
        if !holds && free <= *high {
            found.push((free, *high));
        }
    }
    Some(found)
}

/// The number whose product with this one leaves 1, divided by the period.
///
/// Pre: both are below 2⁶⁴ and have no common factor.
fn inverse(number: i128, period: i128) -> i128 {
    let (mut rest, mut next) = (period, number);
    let (mut factor, mut other) = (0, 1);
    while next != 0 {
        let quotient = rest / next;
        (rest, next) = (next, rest - quotient * next);
        (factor, other) = (other, factor - quotient * other);
    }
    factor.rem_euclid(period)
}

fn common(one: &[(i128, i128)], other: &[(i128, i128)]) -> Set {
    let mut found = Set::new();
    for (low, high) in one {
        for (least, most) in other {
            let (low, high) = (*low.max(least), *high.min(most));
            if low <= high {
                found.push((low, high));
            }
        }
    }
    found.sort_unstable();
    found
}

/// Intervals in order, with those joined that overlap or touch.
fn joined(all: Set) -> Set {
    let mut found = Set::new();
    for (low, high) in all {
        match found.last_mut() {
            Some((_, last)) if low <= last.saturating_add(1) => *last = high.max(*last),
            _ => found.push((low, high)),
        }
    }
    found
}
