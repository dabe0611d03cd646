//! Projection, implication, simplification, solutions and remembered answers, against trying all values.

use std::collections::BTreeSet;

use fastrand::Rng;
use tioga_base::Rational;
use tioga_terms::{Answer, Assignment, Cached, Decide, Exact, Formula, Names, Relation, Sort};
use tioga_terms::{SymbolId, Symbols, Term};

use crate::decide::{all_assignments, holds};
use crate::random::{Shape, count, draw, draw_formula};

fn shape(rng: &mut Rng, quotients: bool) -> Shape {
    Shape {
        ints: rng.usize(2..=3),
        rationals: 0,
        ranges: true,
        depth: rng.usize(0..=2),
        factor: rng.i64(1..=4),
        quotients,
    }
}

#[test]
fn projection_of_integers_agrees_with_trying_all_values() {
    for seed in 0..count("TIOGA_FORMULAS", 600) {
        let mut rng = Rng::with_seed(seed);
        let shape = shape(&mut rng, seed % 3 == 0);
        let drawn = draw(&mut rng, shape);
        let text = Names(&drawn.symbols, &drawn.formula).to_string();
        let gone = rng.usize(1..drawn.ids.len());
        let (gone, kept) = drawn.ids.split_at(gone);
        let projected = Exact::new()
            .project(&drawn.symbols, &drawn.formula, gone)
            .unwrap_or_else(|unknown| panic!("seed {seed}: {unknown}: {text}"));
        let left: BTreeSet<SymbolId> = projected.symbols();
        assert!(left.iter().all(|symbol| kept.contains(symbol)), "seed {seed}: {text}");
        let after = Names(&drawn.symbols, &projected).to_string();
        let inside = all_assignments(&drawn.symbols, gone);
        for outside in all_assignments(&drawn.symbols, kept) {
            let expected = inside.iter().any(|inside| {
                let both: Assignment = inside.iter().chain(outside.iter()).collect();
                holds(&drawn.formula, &both)
            });
            let found = holds(&projected, &outside);
            assert_eq!(found, expected, "seed {seed}: {text} became {after}, at {outside:?}");
        }
    }
}

/// Rationals have no box to try; but values of the others that the projection allows extend to all, and
/// values that it refuses do not.
#[test]
fn projection_of_mixed_formulas_says_who_extends() {
    let mut answered = 0;
    for seed in 0..count("TIOGA_FORMULAS", 600) {
        let mut rng = Rng::with_seed(seed);
        let shape = Shape {
            ints: rng.usize(0..=2),
            rationals: rng.usize(1..=2),
            ranges: rng.bool(),
            depth: rng.usize(1..=2),
            factor: rng.i64(1..=4),
            quotients: false,
        };
        let drawn = draw(&mut rng, shape);
        let text = Names(&drawn.symbols, &drawn.formula).to_string();
        let mut gone = drawn.ids.clone();
        gone.retain(|_| rng.bool());
        let Ok(projected) = Exact::new().project(&drawn.symbols, &drawn.formula, &gone) else {
            // An integer between rationals that stay.
            let whole = |id: &SymbolId| drawn.symbols.sort(*id) == Sort::Int;
            assert!(gone.iter().any(whole), "seed {seed}: {text}");
            continue;
        };
        answered += 1;
        assert!(projected.symbols().iter().all(|symbol| !gone.contains(symbol)));
        let kept: Vec<SymbolId> =
            drawn.ids.iter().copied().filter(|id| !gone.contains(id)).collect();
        let after = Names(&drawn.symbols, &projected).to_string();
        let places = all_assignments(&drawn.symbols, &kept);
        for _ in 0..20 {
            let outside = &places[rng.usize(0..places.len())];
            let with = |symbol| outside.get(symbol).map(Term::number);
            let fixed = drawn.formula.substitute(&drawn.symbols, &with).unwrap();
            let expected = match Exact::new().decide(&drawn.symbols, &fixed) {
                Answer::Holds(_) => true,
                Answer::Never => false,
                Answer::Unknown(reason) => panic!("seed {seed}: {reason}: {text}"),
            };
            let found = holds(&projected, outside);
            assert_eq!(found, expected, "seed {seed}: {text} became {after}, at {outside:?}");
        }
    }
    assert!(answered > 400, "only {answered} projections were answered");
}

#[test]
fn an_integer_between_rationals_is_not_eliminated() {
    let mut symbols = Symbols::new();
    let (n, r) = (symbols.int("n", None, None), symbols.rational("r"));
    let equal = Formula::equal(&symbols, &Term::symbol(n), &Term::symbol(r)).unwrap();
    let unknown = Exact::new().project(&symbols, &equal, &[n]).unwrap_err();
    assert_eq!(unknown.0, "an integer between rationals cannot be eliminated: n == r");
    assert_eq!(Exact::new().project(&symbols, &equal, &[r]), Ok(Formula::True));
}

#[test]
fn simplification_keeps_the_meaning_where_something_is_given() {
    let (mut before, mut after) = (0, 0);
    for seed in 0..count("TIOGA_FORMULAS", 300) {
        let mut rng = Rng::with_seed(seed);
        let shape = shape(&mut rng, seed % 3 == 0);
        let drawn = draw(&mut rng, shape);
        let given = draw_formula(&mut rng, shape, &drawn.symbols, 1);
        let simple = Exact::new().simplify(&drawn.symbols, &drawn.formula, &given);
        assert_eq!(simple, Exact::new().simplify(&drawn.symbols, &drawn.formula, &given));
        let size = |formula: &Formula| {
            let mut atoms = 0;
            formula.each_term(&mut |_| atoms += 1);
            atoms
        };
        before += size(&drawn.formula);
        after += size(&simple);
        for values in all_assignments(&drawn.symbols, &drawn.ids) {
            if holds(&given, &values) {
                let text = Names(&drawn.symbols, &drawn.formula);
                let (now, given) = (Names(&drawn.symbols, &simple), Names(&drawn.symbols, &given));
                let same = holds(&drawn.formula, &values) == holds(&simple, &values);
                assert!(same, "seed {seed}: {text} became {now} given {given}, at {values:?}");
            }
        }
    }
    assert!(after * 2 < before, "{before} atoms became {after}");
}

#[test]
fn implication_and_equivalence_agree_with_trying_all_values() {
    let mut implied = 0;
    for seed in 0..count("TIOGA_FORMULAS", 1000) {
        let mut rng = Rng::with_seed(seed);
        let shape = Shape { depth: 1, ..shape(&mut rng, true) };
        let drawn = draw(&mut rng, shape);
        let other = draw_formula(&mut rng, shape, &drawn.symbols, 1);
        let values = all_assignments(&drawn.symbols, &drawn.ids);
        let implies = values.iter().all(|one| !holds(&drawn.formula, one) || holds(&other, one));
        let same = values.iter().all(|one| holds(&drawn.formula, one) == holds(&other, one));
        let mut exact = Exact::new();
        assert_eq!(exact.implies(&drawn.symbols, &drawn.formula, &other), Ok(implies));
        assert_eq!(exact.equivalent(&drawn.symbols, &drawn.formula, &other), Ok(same));
        implied += u32::from(implies);
    }
    assert!(implied > 20, "only {implied} formulas imply another");
}

#[test]
fn questions_under_one_condition_are_those_of_the_conjunction() {
    for seed in 0..count("TIOGA_FORMULAS", 300) {
        let mut rng = Rng::with_seed(seed);
        let shape = shape(&mut rng, true);
        let drawn = draw(&mut rng, shape);
        let exact = Exact::new();
        let mut under = exact.under(&drawn.symbols, &drawn.formula);
        let mut cached = Cached::new(Exact::new());
        for _ in 0..4 {
            let other = draw_formula(&mut rng, shape, &drawn.symbols, 1);
            let both = drawn.formula.clone().and(other.clone());
            let expected = Exact::new().decide(&drawn.symbols, &both);
            let found = under.decide(&other);
            match (&expected, &found) {
                (Answer::Holds(_), Answer::Holds(values)) => assert!(holds(&both, values)),
                (expected, found) => assert_eq!(expected, found, "seed {seed}"),
            }
            assert_eq!(cached.decide(&drawn.symbols, &both), expected);
            assert_eq!(cached.decide(&drawn.symbols, &both), expected);
        }
        assert!(cached.counts().1 >= 4);
    }
}

#[test]
fn remembered_answers_are_forgotten_with_other_symbols() {
    let mut cached = Cached::new(Exact::new());
    let asks = |high: i64| {
        let mut symbols = Symbols::new();
        let x = symbols.int("x", Some(0), Some(high));
        let five = Formula::equal(&symbols, &Term::symbol(x), &Term::int(5)).unwrap();
        (symbols, five)
    };
    let (symbols, five) = asks(4);
    assert_eq!(cached.decide(&symbols, &five), Answer::Never);
    let (symbols, five) = asks(9);
    assert!(matches!(cached.decide(&symbols, &five), Answer::Holds(_)));
}

#[test]
fn solutions_are_the_values_in_order() {
    for seed in 0..count("TIOGA_FORMULAS", 1000) {
        let mut rng = Rng::with_seed(seed);
        let shape = Shape { ints: rng.usize(1..=2), ..shape(&mut rng, seed % 2 == 0) };
        let drawn = draw(&mut rng, shape);
        let symbol = drawn.ids[0];
        let found = Exact::new().solutions(&drawn.symbols, &drawn.formula, symbol, 50).unwrap();
        let all = all_assignments(&drawn.symbols, &drawn.ids);
        let good: BTreeSet<Rational> = all
            .iter()
            .filter(|values| holds(&drawn.formula, values))
            .map(|values| values.get(symbol).unwrap())
            .collect();
        let mut listed = BTreeSet::new();
        let mut last: Option<i64> = None;
        for (low, high) in found {
            let (low, high) = (low.unwrap(), high.unwrap());
            assert!(last.is_none_or(|last| last + 1 < low) && low <= high);
            last = Some(high);
            listed.extend((low..=high).map(Rational::from));
        }
        let text = Names(&drawn.symbols, &drawn.formula);
        assert_eq!(listed, good, "seed {seed}: {text} {:?}", drawn.symbols);
    }
}

#[test]
fn solutions_without_end_and_too_many_of_them() {
    let mut symbols = Symbols::new();
    let x = symbols.int("x", None, Some(1000));
    let term = Term::symbol(x);
    let compare = |number: i64, relation: Relation| {
        let term = term.minus(&Term::int(number)).unwrap();
        Formula::compare(&symbols, term, relation).unwrap()
    };
    let mut exact = Exact::new();
    let differs = compare(7, Relation::NotZero);
    let found = exact.solutions(&symbols, &differs, x, 10);
    assert_eq!(found, Ok(vec![(None, Some(6)), (Some(8), Some(1000))]));
    let third = Formula::divides(3, term.clone(), true).unwrap();
    let unknown = exact.solutions(&symbols, &third, x, 10).unwrap_err();
    assert_eq!(unknown.0, "x has more than 10 intervals of values");
    let low = Formula::at_most(&symbols, &Term::int(990), &term).unwrap();
    let found = exact.solutions(&symbols, &third.and(low), x, 10).unwrap();
    assert_eq!(found, [990, 993, 996, 999].map(|value| (Some(value), Some(value))));
}
