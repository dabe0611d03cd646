//! The embedded procedure and Z3 say the same of random formulas. Runs where Z3 is installed.

use fastrand::Rng;
use tioga_smt::{Either, Solver};
use tioga_terms::{Answer, Decide, Exact, Formula, Names, Operator, Relation, Symbols, Term};

use crate::faults::HANGING;
use crate::random::{Shape, count, draw, draw_formula};

/// Z3, or nothing after saying that the test is skipped.
pub fn z3() -> Option<Solver> {
    let mut solver = Solver::new("z3").with_limit(HANGING);
    if solver.works() {
        return Some(solver);
    }
    eprintln!("skipped: z3 is not installed");
    None
}

fn shape(rng: &mut Rng) -> Shape {
    Shape {
        ints: rng.usize(0..=4),
        rationals: rng.usize(0..=3),
        ranges: rng.bool(),
        depth: rng.usize(0..=3),
        factor: rng.i64(1..=7),
        quotients: rng.u32(0..3) == 0,
    }
}

/// `TIOGA_FORMULAS=10000 cargo test --release -p tioga-smt --test it agreement` draws more of them.
#[test]
fn the_embedded_procedure_agrees_with_z3() {
    let Some(mut z3) = z3() else { return };
    let (mut holds, mut never) = (0, 0);
    let total = count("TIOGA_FORMULAS", 300);
    for seed in 0..total {
        let mut rng = Rng::with_seed(seed);
        let mut shape = shape(&mut rng);
        shape.rationals += usize::from(shape.ints + shape.rationals == 0);
        let drawn = draw(&mut rng, shape);
        let text = Names(&drawn.symbols, &drawn.formula).to_string();
        let ours = Exact::new().decide(&drawn.symbols, &drawn.formula);
        let theirs = z3.decide(&drawn.symbols, &drawn.formula);
        match (&ours, &theirs) {
            (Answer::Holds(values), Answer::Holds(_)) => {
                assert_eq!(drawn.formula.holds(values), Ok(Some(true)), "seed {seed}: {text}");
                holds += 1;
            }
            (Answer::Never, Answer::Never) => never += 1,
            _ => panic!("seed {seed}: {text}: {ours:?}, but z3 says {theirs:?}"),
        }
    }
    eprintln!("{total} formulas: {holds} hold, {never} never do");
    assert!(never * 20 > total, "only {never} of {total} formulas cannot hold");
}

#[test]
fn projections_agree_with_z3() {
    let Some(mut z3) = z3() else { return };
    for seed in 0..count("TIOGA_FORMULAS", 300) / 10 {
        let mut rng = Rng::with_seed(seed);
        let shape = Shape { ints: 3, depth: rng.usize(1..=2), ..shape(&mut rng) };
        let drawn = draw(&mut rng, shape);
        let text = Names(&drawn.symbols, &drawn.formula).to_string();
        let gone = &drawn.ids[..rng.usize(1..=3)];
        let Ok(projected) = Exact::new().project(&drawn.symbols, &drawn.formula, gone) else {
            continue;
        };
        // What holds before holds after; and what holds after has values that make it hold before.
        let outside = projected.negated(&drawn.symbols).unwrap();
        let both = drawn.formula.clone().and(outside);
        assert_eq!(z3.decide(&drawn.symbols, &both), Answer::Never, "seed {seed}: {text}");
        if let Answer::Holds(values) = z3.decide(&drawn.symbols, &projected) {
            let with = |symbol| values.get(symbol).map(Term::number);
            let fixed = drawn.formula.substitute(&drawn.symbols, &with).unwrap();
            let found = z3.decide(&drawn.symbols, &fixed);
            assert!(matches!(found, Answer::Holds(_)), "seed {seed}: {text}: {found:?}");
        }
    }
}

#[test]
fn conditions_in_common_are_assumed_until_they_are_popped() {
    let Some(mut z3) = z3() else { return };
    for seed in 0..20 {
        let mut rng = Rng::with_seed(seed);
        let shape = Shape { ints: 2, ..shape(&mut rng) };
        let drawn = draw(&mut rng, shape);
        let other = draw_formula(&mut rng, shape, &drawn.symbols, 1);
        let asked = draw_formula(&mut rng, shape, &drawn.symbols, 1);
        let same = |found: Answer, expected: Formula, symbols: &Symbols| {
            let expected = Exact::new().decide(symbols, &expected);
            let both = (&expected, &found);
            let agree = matches!(
                both,
                (Answer::Holds(_), Answer::Holds(_)) | (Answer::Never, Answer::Never)
            );
            assert!(agree, "seed {seed}: {both:?}");
        };
        z3.push(&drawn.symbols, &drawn.formula);
        z3.push(&drawn.symbols, &other);
        let all = Formula::all([drawn.formula.clone(), other, asked.clone()]);
        same(z3.decide(&drawn.symbols, &asked), all, &drawn.symbols);
        z3.pop();
        let both = drawn.formula.clone().and(asked.clone());
        same(z3.decide(&drawn.symbols, &asked), both, &drawn.symbols);
        z3.pop();
        same(z3.decide(&drawn.symbols, &asked), asked.clone(), &drawn.symbols);
    }
}

#[test]
fn only_what_the_embedded_procedure_does_not_know_is_passed_on() {
    let Some(z3) = z3() else { return };
    let mut either = Either::new(Exact::new(), z3);
    let mut symbols = Symbols::new();
    // Names that SMT-LIB cannot write, and one name twice.
    let (x, y) = (symbols.int("a|b", Some(2), Some(99)), symbols.int("a|b", Some(2), None));
    let product = Term::operation(Operator::Product, Term::symbol(x), Term::symbol(y)).unwrap();
    let is = |number: i64| {
        let term = product.minus(&Term::int(number)).unwrap();
        Formula::compare(&symbols, term, Relation::Zero).unwrap()
    };
    let small = Formula::at_most(&symbols, &Term::symbol(x), &Term::int(50)).unwrap();
    assert!(matches!(either.decide(&symbols, &small), Answer::Holds(_)));
    assert_eq!(either.passed_on(), 0);
    let Answer::Holds(values) = either.decide(&symbols, &is(31 * 97)) else { panic!() };
    let both = [x, y].map(|id| values.get(id).unwrap().to_integer().unwrap());
    assert_eq!(both[0] * both[1], 31 * 97);
    // A prime has no two such factors.
    assert_eq!(either.decide(&symbols, &is(3001)), Answer::Never);
    assert_eq!(either.passed_on(), 2);
}
