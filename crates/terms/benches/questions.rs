//! How long typical questions take: `cargo bench -p tioga-terms [NAME…]`. With `TIOGA_CALLS=100`, each is asked
//! so often, and with `TIOGA_WORK=decide` (or another column) nothing else is; for counting instructions.
#![allow(
    clippy::unwrap_used,
    clippy::float_arithmetic,
    reason = "a benchmark may fail and counts microseconds"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use tioga_base::Rational;
use tioga_terms::{Answer, Cached, Decide, Exact, Formula, Relation, SymbolId, Symbols, Term};

struct Question {
    name: &'static str,
    symbols: Symbols,
    ids: Vec<SymbolId>,
    formula: Formula,
}

fn compare(
    symbols: &Symbols,
    parts: &[(SymbolId, i64)],
    constant: i64,
    relation: Relation,
) -> Formula {
    let mut term = Term::int(constant);
    for (id, factor) in parts {
        let part = Term::symbol(*id).times(Rational::from(*factor)).unwrap();
        term = term.plus(&part).unwrap();
    }
    Formula::compare(symbols, term, relation).unwrap()
}

/// Ranges of five integers, in two conjunctions.
fn intervals() -> Question {
    let mut symbols = Symbols::new();
    let ids: Vec<_> = (0..5).map(|n| symbols.int(format!("x{n}"), Some(0), Some(1000))).collect();
    let mut parts = Vec::new();
    for (position, id) in (0_i64..).zip(&ids) {
        parts.push(compare(&symbols, &[(*id, 1)], -500 + position, Relation::AtMostZero));
        parts.push(compare(&symbols, &[(*id, -1)], 10 * position, Relation::AtMostZero));
    }
    Question { name: "intervals", ids, formula: Formula::all(parts), symbols }
}

/// A path of ten steps, each of which adds a parameter to a counter under a guard.
fn path() -> Question {
    let mut symbols = Symbols::new();
    let ids: Vec<_> = (0..10).map(|n| symbols.int(format!("p{n}"), Some(0), Some(100))).collect();
    let mut parts = Vec::new();
    for length in 1..=ids.len() {
        let sum: Vec<_> = ids[..length].iter().map(|id| (*id, 1)).collect();
        parts.push(compare(&symbols, &sum, -30 * length as i64, Relation::AtMostZero));
        let low: Vec<_> = ids[..length].iter().map(|id| (*id, -1)).collect();
        parts.push(compare(&symbols, &low, 20 * length as i64, Relation::AtMostZero));
    }
    Question { name: "path", ids, formula: Formula::all(parts), symbols }
}

/// Differences of rationals, as clocks have them, with a cycle that cannot be.
fn clocks(possible: bool) -> Question {
    let mut symbols = Symbols::new();
    let ids: Vec<_> = (0..6).map(|n| symbols.rational(format!("t{n}"))).collect();
    let mut parts = vec![compare(&symbols, &[(ids[0], -1)], 0, Relation::AtMostZero)];
    for pair in ids.windows(2) {
        parts.push(compare(&symbols, &[(pair[0], 1), (pair[1], -1)], 1, Relation::BelowZero));
    }
    let most = if possible { -6 } else { -5 };
    let ends = [(ids[5], 1), (ids[0], -1)];
    parts.push(compare(&symbols, &ends, most, Relation::AtMostZero));
    let name = if possible { "clocks" } else { "clocks, never" };
    Question { name, ids, formula: Formula::all(parts), symbols }
}

/// Guards with alternatives: one of three intervals for each of four integers, and a sum.
fn choices(possible: bool) -> Question {
    let mut symbols = Symbols::new();
    let ids: Vec<_> = (0..4).map(|n| symbols.int(format!("x{n}"), None, None)).collect();
    let mut parts = Vec::new();
    for id in &ids {
        let interval = |low: i64, high: i64| {
            let low = compare(&symbols, &[(*id, -1)], low, Relation::AtMostZero);
            low.and(compare(&symbols, &[(*id, 1)], -high, Relation::AtMostZero))
        };
        parts.push(Formula::any([interval(0, 9), interval(20, 29), interval(40, 49)]));
    }
    let sum: Vec<_> = ids.iter().map(|id| (*id, 1)).collect();
    let target = if possible { -137 } else { -198 };
    parts.push(compare(&symbols, &sum, target, Relation::Zero));
    let name = if possible { "choices" } else { "choices, never" };
    Question { name, ids, formula: Formula::all(parts), symbols }
}

/// Equations and divisibility of unbounded integers.
fn residues() -> Question {
    let mut symbols = Symbols::new();
    let ids: Vec<_> = (0..3).map(|n| symbols.int(format!("x{n}"), None, None)).collect();
    let formula = Formula::all([
        compare(&symbols, &[(ids[0], 7), (ids[1], 12), (ids[2], 31)], -17, Relation::Zero),
        compare(&symbols, &[(ids[0], 3), (ids[1], 5), (ids[2], 14)], -7, Relation::AtMostZero),
        Formula::divides(4, Term::symbol(ids[0]), true).unwrap(),
        Formula::divides(3, Term::symbol(ids[1]), false).unwrap(),
    ]);
    Question { name: "residues", ids, formula, symbols }
}

/// A square that is covered by 25 overlapping squares but for a point, or wholly: what a set of states asks
/// before it takes in another one.
fn covered(possible: bool) -> Question {
    let mut symbols = Symbols::new();
    let ids: Vec<_> = (0..2).map(|n| symbols.int(format!("x{n}"), None, None)).collect();
    let square = |corner: [i64; 2], size: i64| {
        let sides = ids.iter().zip(corner).flat_map(|(id, low)| {
            let above = compare(&symbols, &[(*id, -1)], low, Relation::AtMostZero);
            [above, compare(&symbols, &[(*id, 1)], -low - size, Relation::AtMostZero)]
        });
        Formula::all(sides.collect::<Vec<_>>())
    };
    let cells = (0..25).map(|number| square([number / 5 * 10, number % 5 * 10], 10));
    let covers = Formula::any(cells).negated(&symbols).unwrap();
    let size = if possible { 51 } else { 50 };
    let formula = square([0, 0], size).and(covers);
    let name = if possible { "covered" } else { "covered, never" };
    Question { name, ids, formula, symbols }
}

/// How long one call takes, in microseconds: the least of five rounds.
fn time(column: &str, mut work: impl FnMut()) -> f64 {
    if std::env::var("TIOGA_WORK").is_ok_and(|only| only != column) {
        return 0.0;
    }
    if let Ok(calls) = std::env::var("TIOGA_CALLS") {
        (0..calls.parse::<u32>().unwrap()).for_each(|_| work());
        return 0.0;
    }
    let mut best = f64::MAX;
    for _ in 0..5 {
        let (begin, mut calls) = (Instant::now(), 0_u32);
        while begin.elapsed() < Duration::from_millis(40) {
            work();
            calls += 1;
        }
        best = best.min(begin.elapsed().as_secs_f64() * 1e6 / f64::from(calls));
    }
    best
}

fn main() {
    let names: Vec<String> =
        std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let questions = [
        intervals(),
        path(),
        clocks(true),
        clocks(false),
        choices(true),
        choices(false),
        residues(),
        covered(true),
        covered(false),
    ];
    println!(
        "{:<16} {:>6} {:>10} {:>10} {:>10} {:>10}  answer",
        "µs", "atoms", "decide", "cached", "project", "simplify"
    );
    for Question { name, symbols, ids, formula } in &questions {
        if !names.is_empty() && !names.iter().any(|one| name.starts_with(one)) {
            continue;
        }
        let mut atoms = 0;
        formula.each_term(&mut |_| atoms += 1);
        let mut exact = Exact::new();
        let decide = time("decide", || {
            black_box(exact.decide(symbols, formula));
        });
        let mut cached = Cached::new(Exact::new());
        let remembered = time("cached", || {
            black_box(cached.decide(symbols, formula));
        });
        let project = time("project", || {
            black_box(exact.project(symbols, formula, &ids[1..])).unwrap();
        });
        let simplify = time("simplify", || {
            black_box(exact.simplify(symbols, formula, &Formula::True));
        });
        let answer = match exact.decide(symbols, formula) {
            Answer::Holds(_) => "holds",
            Answer::Never => "never",
            Answer::Unknown(_) => "unknown",
        };
        println!(
            "{name:<16} {atoms:>6} {decide:>10.2} {remembered:>10.2} {project:>10.1} {simplify:>10.1}  {answer}"
        );
    }
}
