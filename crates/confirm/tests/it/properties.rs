//! Deterministic, observable, complete and predicate complete machines.

use tioga_confirm::{Machine, Properties, properties};
use tioga_testkit::{example, model};

use crate::support::plenty;

fn of(text: &str) -> Properties {
    properties(Machine::of(&model(text)).unwrap(), &mut plenty()).unwrap()
}

#[test]
fn the_example_of_the_thesis_is_deterministic_and_not_complete() {
    let model = example("tefsm");
    let found = properties(Machine::of(&model).unwrap(), &mut plenty()).unwrap();
    assert_eq!((found.deterministic, found.observable), (None, None));
    assert_eq!(found.complete.unwrap().why, "`s2` has no edge for `a`");
    assert!(found.predicate_complete.is_some());
}

#[test]
fn overlapping_predicates_are_shown_with_a_configuration() {
    let found = of("input a(int[0,9] v); output c, d;
        automaton M { clock x; int[0,5] w; init location s;
          s -> self : a(v)? / c! when x <= 3 && v < w;
          s -> self : a(v)? / d! when x >= 2 && v >= w - 1; }");
    let why = found.deterministic.unwrap().why;
    assert!(why.contains("`s -> s : a? / c!` and `s -> s : a? / d!` can both be taken"), "{why}");
    assert!(why.contains("x = 2"), "{why}");
    assert!(found.observable.is_some());
    // The same outputs cannot be told apart, but that is another property.
    let found = of("input a; output c;
        automaton M { clock x; init location s; s -> self : a? / c! when x <= 3;
          s -> self : a? / c! when x >= 3 do x = 0; }");
    assert!(found.deterministic.is_some());
    assert_eq!(found.observable, None);
}

#[test]
fn predicates_that_exclude_each_other_are_deterministic() {
    let found = of("input a(int[0,9] v); output c, d;
        automaton M { clock x; int[0,5] w; init location s;
          s -> self : a(v)? / c! when v < w;
          s -> self : a(v)? / d! when v >= w; }");
    assert_eq!(found, Properties::default());
}

#[test]
fn a_delay_within_the_invariant_may_make_an_edge_possible() {
    let text = |bound: i64| {
        format!(
            "input a; output c;
             automaton M {{ clock x; init location s invariant x <= {bound};
               s -> self : a? / c! when x >= 3 do x = 0; }}"
        )
    };
    assert_eq!(of(&text(3)).predicate_complete, None);
    let late = of(&text(2)).predicate_complete.unwrap();
    assert!(late.why.contains("`a` is never possible"), "{}", late.why);
}
