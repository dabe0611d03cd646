//! Satisfiability against trying all values of a small box, and values against the formula.

use fastrand::Rng;
use tioga_base::Rational;
use tioga_terms::{Answer, Assignment, Decide, Exact, Formula, Sort, SymbolId, Symbols};
use tioga_terms::{Names, Operator, Relation, Term};

use crate::random::{Shape, count, draw};

/// All assignments of a box: integers in their range (or -6 to 6), rationals in steps of a half and a third.
pub fn all_assignments(symbols: &Symbols, ids: &[SymbolId]) -> Vec<Assignment> {
    let mut all = vec![Assignment::new()];
    for id in ids {
        let symbol = &symbols[*id];
        let values: Vec<Rational> = match symbol.sort {
            Sort::Int => {
                let (low, high) = (symbol.low.unwrap_or(-6), symbol.high.unwrap_or(6));
                (low..=high).map(Rational::from).collect()
            }
            Sort::Rational => {
                (-24..=24).step_by(1).map(|number| Rational::new(number, 6).unwrap()).collect()
            }
        };
        let extend = |one: &Assignment| {
            let one = one.clone();
            values
                .iter()
                .map(move |value| {
                    let mut next = one.clone();
                    next.set(*id, *value);
                    next
                })
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(extend).collect();
    }
    all
}

pub fn holds(formula: &Formula, assignment: &Assignment) -> bool {
    formula.holds(assignment).unwrap() == Some(true)
}

fn check_values(symbols: &Symbols, formula: &Formula, values: &Assignment) {
    for id in formula.symbols() {
        let value = values.get(id).expect("a value for each symbol");
        let symbol = &symbols[id];
        assert!(symbol.low.is_none_or(|low| Rational::from(low) <= value));
        assert!(symbol.high.is_none_or(|high| value <= Rational::from(high)));
        assert!(symbol.sort == Sort::Rational || value.to_integer().is_some());
    }
    let text = Names(symbols, formula);
    assert!(holds(formula, values), "{text} does not hold with {values:?}");
}

#[test]
fn bounded_integers_agree_with_trying_all_values() {
    let mut never = 0;
    for seed in 0..count("TIOGA_FORMULAS", 3000) {
        let mut rng = Rng::with_seed(seed);
        let shape = Shape {
            ints: rng.usize(1..=3),
            rationals: 0,
            ranges: true,
            depth: rng.usize(0..=3),
            factor: rng.i64(1..=5),
            quotients: true,
        };
        let drawn = draw(&mut rng, shape);
        let text = Names(&drawn.symbols, &drawn.formula).to_string();
        let brute = all_assignments(&drawn.symbols, &drawn.ids)
            .iter()
            .any(|values| holds(&drawn.formula, values));
        match Exact::new().decide(&drawn.symbols, &drawn.formula) {
            Answer::Holds(values) => {
                check_values(&drawn.symbols, &drawn.formula, &values);
                assert!(brute, "seed {seed}: {text}");
            }
            Answer::Never => {
                assert!(!brute, "seed {seed}: {text} {:?}", drawn.symbols);
                never += 1;
            }
            Answer::Unknown(reason) => panic!("seed {seed}: {reason}: {text}"),
        }
    }
    assert!(never > 100, "only {never} formulas cannot hold");
}

#[test]
fn mixed_formulas_agree_with_samples() {
    let mut never = 0;
    for seed in 0..count("TIOGA_FORMULAS", 3000) / 3 {
        let mut rng = Rng::with_seed(seed);
        let shape = Shape {
            ints: rng.usize(0..=2),
            rationals: rng.usize(1..=2),
            ranges: rng.bool(),
            depth: rng.usize(1..=3),
            factor: rng.i64(1..=4),
            quotients: rng.bool(),
        };
        let drawn = draw(&mut rng, shape);
        let text = Names(&drawn.symbols, &drawn.formula).to_string();
        match Exact::new().decide(&drawn.symbols, &drawn.formula) {
            Answer::Holds(values) => check_values(&drawn.symbols, &drawn.formula, &values),
            Answer::Never => {
                for values in all_assignments(&drawn.symbols, &drawn.ids) {
                    assert!(!holds(&drawn.formula, &values), "seed {seed}: {text}: {values:?}");
                }
                never += 1;
            }
            Answer::Unknown(reason) => panic!("seed {seed}: {reason}: {text}"),
        }
    }
    assert!(never > 20, "only {never} formulas cannot hold");
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

/// The example of Pugh's paper on the Omega test: the real shadow has integers, the set has none.
#[test]
fn splinters_are_needed_and_found() {
    let mut symbols = Symbols::new();
    let (x, y) = (symbols.int("x", None, None), symbols.int("y", None, None));
    let at_most = |parts: &[(SymbolId, i64)], constant| {
        compare(&symbols, parts, constant, Relation::AtMostZero)
    };
    // 27 <= 11x + 13y <= 45 and -10 <= 7x - 9y <= 4
    let formula = Formula::all([
        at_most(&[(x, -11), (y, -13)], 27),
        at_most(&[(x, 11), (y, 13)], -45),
        at_most(&[(x, -7), (y, 9)], -10),
        at_most(&[(x, 7), (y, -9)], -4),
    ]);
    assert_eq!(Exact::new().decide(&symbols, &formula), Answer::Never);
}

#[test]
fn unbounded_equations_have_integer_solutions_or_none() {
    let mut symbols = Symbols::new();
    let ids: Vec<_> = ["x", "y", "z"].map(|name| symbols.int(name, None, None)).into();
    // 7x + 12y + 31z = 17 and 3x + 5y + 14z = 7, the other example of that paper.
    let formula = Formula::all([
        compare(&symbols, &[(ids[0], 7), (ids[1], 12), (ids[2], 31)], -17, Relation::Zero),
        compare(&symbols, &[(ids[0], 3), (ids[1], 5), (ids[2], 14)], -7, Relation::Zero),
    ]);
    let Answer::Holds(values) = Exact::new().decide(&symbols, &formula) else { panic!() };
    check_values(&symbols, &formula, &values);
    // 6x + 10y = 15 has none (which the normal form sees), 6x + 10y + 15z = 1 has.
    let formula = compare(&symbols, &[(ids[0], 6), (ids[1], 10), (ids[2], 15)], -1, Relation::Zero);
    let Answer::Holds(values) = Exact::new().decide(&symbols, &formula) else { panic!() };
    check_values(&symbols, &formula, &values);
}

#[test]
fn operations_that_are_not_linear_are_named_unless_they_do_not_matter() {
    let mut symbols = Symbols::new();
    let (x, y) = (symbols.int("x", None, None), symbols.int("y", Some(0), Some(9)));
    let product = Term::operation(Operator::Product, Term::symbol(x), Term::symbol(y)).unwrap();
    let odd = product.minus(&Term::int(3001)).unwrap();
    let formula = Formula::compare(&symbols, odd, Relation::Zero).unwrap();
    let Answer::Unknown(reason) = Exact::new().decide(&symbols, &formula) else { panic!() };
    assert_eq!(reason, "an operation is not linear: x * y");
    let other = compare(&symbols, &[(y, 1)], -7, Relation::Zero);
    let either = formula.clone().or(other);
    assert!(matches!(Exact::new().decide(&symbols, &either), Answer::Holds(_)));
    let never = compare(&symbols, &[(y, 1)], -77, Relation::Zero);
    assert_eq!(Exact::new().decide(&symbols, &formula.and(never)), Answer::Never);
}

#[test]
fn limits_and_large_numbers_are_said_and_nothing_is_guessed() {
    let mut symbols = Symbols::new();
    let ids: Vec<_> = ["x", "y", "z"].map(|name| symbols.int(name, None, None)).into();
    let formula = compare(&symbols, &[(ids[0], 6), (ids[1], 10), (ids[2], 15)], -1, Relation::Zero);
    let Answer::Unknown(reason) = Exact::with_limit(2).decide(&symbols, &formula) else { panic!() };
    assert!(reason.contains("the limit of 2 steps"), "{reason}");
    let far = i64::MAX - 1;
    let formula = Formula::all([
        compare(&symbols, &[(ids[0], 1)], far, Relation::Zero),
        compare(&symbols, &[(ids[0], far), (ids[1], -1)], 0, Relation::Zero),
    ]);
    let Answer::Unknown(reason) = Exact::new().decide(&symbols, &formula) else { panic!() };
    assert!(reason.starts_with("a number left the range of exact numbers: "), "{reason}");
}

#[test]
fn many_choices_are_decided_or_said_to_be_too_many() {
    for (count, decided) in [(300, true), (3000, false)] {
        let mut symbols = Symbols::new();
        let ids: Vec<_> = (0..count).map(|n| symbols.int(format!("x{n}"), None, None)).collect();
        let apart = |id: &SymbolId| {
            let below = compare(&symbols, &[(*id, 1)], 1, Relation::AtMostZero);
            below.or(compare(&symbols, &[(*id, -1)], 1, Relation::AtMostZero))
        };
        let formula = Formula::all(ids.iter().map(apart));
        match Exact::with_limit(u64::MAX).decide(&symbols, &formula) {
            Answer::Holds(values) => {
                assert!(decided);
                check_values(&symbols, &formula, &values);
            }
            Answer::Unknown(reason) => {
                assert!(!decided, "{reason}");
                let start = "more than 1000 choices depend on each other: ";
                assert!(reason.starts_with(start), "{reason}");
            }
            Answer::Never => panic!("it can hold"),
        }
    }
}
