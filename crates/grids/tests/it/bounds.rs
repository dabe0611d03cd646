//! Bounding and granularities: the laws that grids rest on, and what is refused because a law would fail.

use proptest::prelude::*;
use tioga_base::Rational;
use tioga_grids::{
    Configuration, Error, GridOptions, Resolution, Stepper, TimedWord, advice, hidden_edges,
    of_model,
};
use tioga_testkit::{example, model};

use crate::support::{grid, options, plenty, word};

fn rational(text: &str) -> Rational {
    text.parse().unwrap()
}

/// The bounded value as Definition 7 says it, over rationals.
fn bounded(value: Rational, bound: i64) -> Rational {
    let whole = Rational::integer(value.floor());
    match value <= Rational::integer(bound) {
        true => value,
        false => Rational::integer(bound).add(value.sub(whole).unwrap()).unwrap(),
    }
}

/// A value after so much time, as the stepper bounds it.
fn by_stepper(value: Rational, bound: i64) -> Rational {
    let text = "input a; automaton M { clock x; init location p; p -> self : a?; }";
    let automaton = of_model(&model(text)).unwrap();
    let parts = value.denominator();
    let resolution = Resolution::of(&automaton, &options(parts, bound)).unwrap();
    let stepper = Stepper::bounded(&automaton, &resolution).unwrap();
    let after = stepper.later(stepper.initial(), value.numerator()).unwrap();
    Rational::new(after.values[0], parts).unwrap()
}

#[test]
fn values_are_bounded_as_printed() {
    for (value, expected) in
        [("5", "5"), ("13/2", "13/2"), ("7", "6"), ("29/4", "25/4"), ("11", "6")]
    {
        assert_eq!(bounded(rational(value), 6), rational(expected));
        assert_eq!(by_stepper(rational(value), 6), rational(expected));
    }
}

#[test]
fn a_bound_that_is_not_above_the_constants_changes_the_truth_and_is_refused() {
    // c <= 5 at 6: the bounds 5 and 5.5 make it true.
    assert!(bounded(Rational::integer(6), 5) <= Rational::integer(5));
    assert!(bounded(Rational::integer(6), 6) > Rational::integer(5));
    let switch = of_model(&example("switch/sw5")).unwrap();
    let refused = |bound: &str| {
        let bound = Some(rational(bound));
        Resolution::of(&switch, &GridOptions { bound, ..GridOptions::default() }).unwrap_err()
    };
    let low = refused("5");
    assert_eq!(
        low.to_string(),
        "the bound 5 of `Switch.c` is not above every constant; the greatest constant of `Switch.c` is 6"
    );
    assert!(low.help("--bound", "", "").unwrap().contains("--bound Switch.c=7"));
    assert!(matches!(refused("6"), Error::LowBound { .. }));
    assert!(matches!(refused("13/2"), Error::BrokenBound { .. }));
    assert!(matches!(refused("0"), Error::BrokenBound { .. }));
    let unknown =
        GridOptions { bounds: vec![("z".into(), Rational::ONE)], ..GridOptions::default() };
    assert_eq!(Resolution::of(&switch, &unknown), Err(Error::Unknown("z".into())));
}

#[test]
fn a_granularity_that_divides_no_constant_is_refused_with_one_that_does() {
    let text = "input a; automaton M { clock x; init location p; p -> self : a? when x <= 2/3; }";
    let automaton = of_model(&model(text)).unwrap();
    let error = Resolution::of(&automaton, &options(2, 5)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the constant 2/3 of `M.x` is not a multiple of the granularity 1/2"
    );
    let help = error.help("", "--granularity", "").unwrap();
    assert_eq!(help, "`--granularity 1/3` is fine enough, and so is `--granularity 1/6`");
    assert_eq!(Resolution::of(&automaton, &GridOptions::default()).unwrap().parts, 3);
    assert!(Resolution::of(&automaton, &options(6, 5)).is_ok());
}

#[test]
fn what_a_granularity_hides_is_named() {
    let text = "input a; output b; automaton M { clock x; init location p; location q;
        p -> q : a? when x > 0 && x < 1; p -> q : a? when x >= 1; q -> p : b!; }";
    let automaton = of_model(&model(text)).unwrap();
    let whole = grid(&automaton, &options(1, 2));
    assert_eq!(hidden_edges(&whole, &mut plenty()).unwrap(), [0]);
    assert_eq!(automaton.edge_name(&automaton.edges[0]), "p -> q : a?");
    let halves = grid(&automaton, &options(2, 2));
    assert!(hidden_edges(&halves, &mut plenty()).unwrap().is_empty());
    let advice = advice(&automaton, &GridOptions::default()).unwrap();
    assert_eq!((advice.coarsest, advice.classical), ((1, Some(6)), (2, Some(12))));
    let two = of_model(&example("two-clock-switch/off5")).unwrap();
    let advice = tioga_grids::advice(&two, &options(2, 6)).unwrap();
    // The bounds that the thesis compares: 392 with its granularity, 1568 with the classical one.
    assert_eq!(advice.classical, (4, Some(1568)));
    assert_eq!(grid(&two, &options(2, 6)).bound(), 392);
}

#[test]
fn a_start_outside_its_invariant_is_refused() {
    let text = "input a; automaton M { clock x; init location p; p -> self : a?; }";
    let mut automaton = of_model(&model(text)).unwrap();
    let late = tioga_grids::Condition::clock_from(0, false, Rational::ONE);
    automaton.locations[0].invariant = late;
    let resolution = Resolution::of(&automaton, &GridOptions::default()).unwrap();
    let error = Stepper::bounded(&automaton, &resolution).unwrap_err();
    assert_eq!(error, Error::NoStart("p".into()));
}

#[test]
fn projection_keeps_every_delay_apart() {
    let whole = word("<1, a, 2, b, 3, d, 4>");
    assert_eq!(whole.projected(|name| name != "b"), word("1 a 2 3 d 4"));
    assert_eq!(whole.projected(|name| name != "b").merged().unwrap(), word("1 a 5 d 4"));
    assert_eq!(word("<1,a,2,5,b,c,3>").then(&word("<4,a,d,2>")), word("1 a 2 5 b c 3 4 a d 2"));
    assert_ne!(word("1 c 2 5 a"), word("1 c 7 a"));
    assert_eq!(whole.to_string(), "1 a 2 b 3 d 4");
    for wrong in ["a(1", "-1", "1/0", "a(x)"] {
        assert!(wrong.parse::<TimedWord>().is_err(), "{wrong}");
    }
}

#[test]
fn conditions_with_negation_hold_where_they_should() {
    let text = "input a; automaton M { clock c; init location p; p -> self : a? when !(c <= 5); }";
    let automaton = of_model(&model(text)).unwrap();
    let run = |text: &str| {
        let resolution = Resolution::of(&automaton, &GridOptions::default()).unwrap();
        tioga_grids::replay(&automaton, &resolution, &word(text)).unwrap().complete
    };
    assert_eq!((run("5 a"), run("16/3 a")), (false, true));
}

proptest! {
    /// Proposition 12 and Lemma 13: to bound before adding changes neither the bounded sum nor any comparison
    /// with a constant below the bound.
    #[test]
    fn bounding_before_adding_changes_nothing(
        value in 0i64..200, more in 0i64..200, parts in 1i64..7, bound in 1i64..9, constant in 0i64..60,
    ) {
        let of = |units: i64| Rational::new(units, parts).unwrap();
        let sum = of(value).add(of(more)).unwrap();
        let early = bounded(of(value), bound).add(of(more)).unwrap();
        prop_assert_eq!(bounded(sum, bound), bounded(early, bound));
        prop_assert_eq!(by_stepper(sum, bound), bounded(sum, bound));
        let constant = of(constant);
        if constant < Rational::integer(bound) {
            prop_assert_eq!(sum <= constant, early <= constant);
            prop_assert_eq!(sum < constant, bounded(sum, bound) < constant);
        }
    }

    /// A delay in one go is allowed exactly if all of its units are.
    #[test]
    fn a_long_delay_is_its_units(parts in 1i64..4, ticks in 0i64..40, low in 1i64..6, high in 0i64..8) {
        let text = format!(
            "input a; automaton M {{ clock x, y; init location p invariant x < {low} || x >= {high} || y == 2;
               p -> self : a? do x = 0; }}"
        );
        let automaton = of_model(&model(&text)).unwrap();
        let resolution = Resolution::of(&automaton, &options(parts, 9)).unwrap();
        let Ok(stepper) = Stepper::unbounded(&automaton, &resolution) else { return Ok(()) };
        let mut at: Configuration = stepper.initial().clone();
        let mut stays = true;
        for _ in 0..ticks {
            stays &= stepper.may_tick(&at);
            at = stepper.later(&at, 1).unwrap();
        }
        prop_assert_eq!(stepper.may_wait(stepper.initial(), ticks), stays);
    }
}
