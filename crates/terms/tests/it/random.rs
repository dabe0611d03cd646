//! Random formulas of the linear fragment, the same for the same seed.

use fastrand::Rng;
use tioga_base::Rational;
use tioga_terms::{Formula, Operator, Relation, SymbolId, Symbols, Term};

/// What formulas are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub ints: usize,
    pub rationals: usize,
    /// Whether every integer has a range, within -4 to 4.
    pub ranges: bool,
    /// How deep conjunctions and disjunctions are nested.
    pub depth: usize,
    /// The greatest size of a coefficient.
    pub factor: i64,
    /// Whether quotients and remainders occur.
    pub quotients: bool,
}

pub struct Drawn {
    pub symbols: Symbols,
    pub ids: Vec<SymbolId>,
    pub formula: Formula,
}

pub fn draw(rng: &mut Rng, shape: Shape) -> Drawn {
    let symbols = draw_symbols(rng, shape);
    let ids: Vec<SymbolId> = symbols.iter().map(|(id, _)| id).collect();
    let formula = draw_formula(rng, shape, &symbols, shape.depth);
    Drawn { symbols, ids, formula }
}

fn draw_symbols(rng: &mut Rng, shape: Shape) -> Symbols {
    let mut symbols = Symbols::new();
    for number in 0..shape.ints {
        let low = rng.i64(-4..=1);
        let (low, high) = match rng.u32(0..6) {
            0 if !shape.ranges => (None, None),
            1 if !shape.ranges => (Some(low), None),
            2 => (Some(0), Some(1)),
            _ => (Some(low), Some(rng.i64(low..=4))),
        };
        symbols.int(format!("n{number}"), low, high);
    }
    for number in 0..shape.rationals {
        symbols.rational(format!("r{number}"));
    }
    symbols
}

pub fn draw_formula(rng: &mut Rng, shape: Shape, symbols: &Symbols, depth: usize) -> Formula {
    if depth == 0 || rng.u32(0..8) == 0 {
        return draw_atom(rng, shape, symbols);
    }
    let count = rng.usize(2..=4);
    let parts: Vec<Formula> =
        (0..count).map(|_| draw_formula(rng, shape, symbols, depth - 1)).collect();
    if rng.bool() { Formula::all(parts) } else { Formula::any(parts) }
}

fn draw_atom(rng: &mut Rng, shape: Shape, symbols: &Symbols) -> Formula {
    let kind = rng.u32(0..12);
    if kind < 2 && shape.ints > 0 {
        let term = draw_term(rng, shape, symbols, true);
        return Formula::divides(rng.i64(2..=5), term, kind == 0).unwrap();
    }
    let whole = rng.bool();
    let mut term = draw_term(rng, shape, symbols, whole);
    if shape.quotients && shape.ints > 0 && rng.u32(0..5) == 0 {
        let inside = draw_term(rng, shape, symbols, true);
        let operator = if rng.bool() { Operator::Quotient } else { Operator::Remainder };
        let divisor = rng.i64(2..=4) * if rng.u32(0..4) == 0 { -1 } else { 1 };
        let value = Term::operation(operator, inside, Term::int(divisor)).unwrap();
        term = term.plus(&value).unwrap();
    }
    let relation = match rng.u32(0..8) {
        0 => Relation::Zero,
        1 => Relation::NotZero,
        2 | 3 => Relation::BelowZero,
        _ => Relation::AtMostZero,
    };
    Formula::compare(symbols, term, relation).unwrap()
}

fn draw_term(rng: &mut Rng, shape: Shape, symbols: &Symbols, whole: bool) -> Term {
    let mut term = Term::int(rng.i64(-6..=6));
    let count = rng.usize(1..=3);
    for _ in 0..count {
        let most = if whole { shape.ints } else { shape.ints + shape.rationals };
        let Some(id) = symbols.iter().map(|(id, _)| id).take(most).nth(rng.usize(0..most.max(1)))
        else {
            continue;
        };
        let factor = if rng.bool() { 1 } else { rng.i64(1..=shape.factor) };
        let mut factor = Rational::from(if rng.bool() { factor } else { -factor });
        if !whole && rng.u32(0..6) == 0 {
            factor = factor.div(Rational::from(rng.i64(2..=3))).unwrap();
        }
        term = term.plus(&Term::symbol(id).times(factor).unwrap()).unwrap();
    }
    term
}

/// How many formulas to draw: as the environment says, or the usual number.
pub fn count(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}
